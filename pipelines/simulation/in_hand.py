"""What wounds do to a unit while a re-roll of one Damage roll may be in hand (A4).

Belongs here: who takes a wound, whether its Damage is low, when the re-roll is used. Doesn't: how many wounds there are
(``rerolls``), who stands where in the unit (``bodies``).

States have one more axis in front, 0: the re-roll is in hand, 1: it was used or never there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from pipelines.simulation import bodies, chains
from pipelines.simulation.bodies import Blow, Body
from pipelines.simulation.chains import Kernel, State
from pipelines.simulation.dice import Law, mean, split_law
from pipelines.simulation.effective import Attack, Target
from pipelines.simulation.faces import by_faces
from pipelines.simulation.laws import low_damage
from pipelines.simulation.signatures import Laws


def _parted(kernel: Kernel, wounds: int) -> tuple[float, Law | None, Law]:
    """Give P(a Damage roll is low, so that a re-roll takes it), the law of low rolls and that of the others (A3)."""
    low, kept = split_law(kernel.damage, low_damage(kernel.damage, kernel.fnp, wounds))
    share = sum(kernel.damage[1][: kept[0] - kernel.damage[0]]) if low else 0
    return share / sum(kernel.damage[1]), low, kept


class _Wound:
    """What a wound that gets through does to a body, ``blows`` to its groups."""

    def __init__(self, body: Body, blows: Sequence[Blow], groups: Sequence[Target]) -> None:
        parts = [_parted(blow.kernel, group.wounds) for blow, group in zip(blows, groups, strict=True)]
        kept = [Blow(Kernel(law, blow.kernel.fnp), 6) for blow, (*_, law) in zip(blows, parts, strict=True)]
        self._low = body.by_model([share for share, *_ in parts], shields=0)[:, None]
        self._kept = body.step(kept)
        self._any = body.step([blow._replace(unsaved=6) for blow in blows])

    def struck(self, state: State, unsaved: np.ndarray) -> State:
        """Give the states [2, …, m, w] after a wound; ``unsaved`` [m]: on how many faces out of 6 its save fails."""
        alive, dead = state
        in_hand, used = np.split(alive * (unsaved[:, None] / 6), 2)
        kept = chains.attacked((in_hand * (1 - self._low), dead[:1]), self._kept.stays, self._kept.deaths)
        anything = chains.attacked((used + in_hand * self._low, dead[1:]), self._any.stays, self._any.deaths)
        saved = alive * ((6 - unsaved[:, None]) / 6)
        return saved + np.concatenate([kept[0], anything[0]]), np.concatenate([kept[1], anything[1]])


class Struck:
    """A weapon's wounds and the unit that takes them.

    ``body``: what its states mean. ``plain``: its models are alike and ignore nothing, so that only unsaved wounds are
    counted; else all are, and saved by who takes them. ``apart``: Devastating Wounds are counted apart from others.
    ``unsaved``: of how many faces out of 6 the save fails, None where that or the damage depends on who takes a wound.
    """

    def __init__(
        self, attack: Attack, target: Target, sequences: dict[str, np.ndarray], rows: list[int], laws: Laws
    ) -> None:
        """``rows``: the sequences of the weapon against each group of the target."""
        self.plain, groups = bodies.is_plain(target), bodies.groups_of(target)
        self.body = Body(target, precision=bool(attack.precision))
        normal, last = bodies.blows(sequences, rows, laws)
        self.apart = bool(sequences["devastating"][rows[0]]) and not (self.plain and normal[0].kernel == last[0].kernel)
        self._in_hand = bool(attack.reroll_one_damage and not attack.damage_reroll)
        looked_at = ["unsaved", "kernel", "devastating_kernel", *(["wounds"] if self._in_hand else [])]
        alike = all(len(set(sequences[name][rows])) == 1 for name in looked_at)
        self.unsaved = normal[0].unsaved if alike else None
        self._kernels = [laws.kernels.values[sequences[name][rows[0]]] for name in ("kernel", "devastating_kernel")]
        self._wounds = groups[0].wounds
        self._normal, self._last = (_Wound(self.body, each, groups) for each in (normal, last))
        unsaved = [6 if self.plain else blow.unsaved for blow in normal]
        self._faces = self._saves(unsaved, lowest_first=bool(attack.saves_lowest_first))

    def _saves(self, unsaved: list[int], *, lowest_first: bool) -> list[tuple[int, np.ndarray]]:
        """Give what ``bodies.Strike`` has steps for: (faces, of how many faces out of 6 each model's save fails)."""
        first = unsaved[next(kind.place for kind in self.body.kinds if kind.place is not None)]
        by_model = self.body.by_model(unsaved, shields=first)
        if not lowest_first or len(set(unsaved)) == 1:
            return [(0, by_model)]
        return [(upper - lower, 6 * (by_model >= upper)) for lower, upper in pairwise(sorted({0, *unsaved}))]

    def final(self, law: np.ndarray) -> State:
        """Give the unit's state [m, w] and P(dead), ``law`` being P(n wounds and d Devastating Wounds) as [n, d]."""
        alive, dead = self.body.fresh(2)
        alive[1 if self._in_hand else 0] = 0
        waiting, gone = self.body.unshielded(self._normal_ones((alive, dead), law))
        every = np.full(self.body.models, 6)
        alive, dead = waiting[:, -1], gone[:, -1]
        for number in range(law.shape[1] - 2, -1, -1):
            alive, dead = self._last.struck((alive, dead), every)
            alive, dead = alive + waiting[:, number], dead + gone[:, number]
        return alive.sum(axis=0), dead.sum(axis=0)

    def _normal_ones(self, state: State, law: np.ndarray) -> State:
        """Give the states [2, d, m, w] once d Devastating Wounds are left."""
        if self._faces[0][0]:
            strike = [(number, partial(self._normal.struck, unsaved=fails)) for number, fails in self._faces]
            return by_faces(state, law[None], strike)
        waiting = np.zeros((2, law.shape[1], *self.body.shape)), np.zeros((2, law.shape[1]))
        for number, chance in enumerate(law):
            if number:
                state = self._normal.struck(state, self._faces[0][1])
            waiting[0][:] += chance[:, None, None] * state[0][:, None]
            waiting[1][:] += chance * state[1][:, None]
        return waiting

    def raw_damage(self, law: np.ndarray, normal: float, devastating: float) -> float:
        """Give the mean damage before overkill of so many unsaved wounds on average, where all models are alike.

        A re-roll in hand goes to the normal ones first.
        """
        if not self.apart:
            normal, devastating = normal + devastating, 0.0
        parts = [_parted(kernel, self._wounds) for kernel in self._kernels]
        low, low_last = (self._in_hand * share for share, *_ in parts)
        if not self.plain:
            low *= (self.unsaved or 0) / 6
        not_yet = law * ((1 - low) ** np.arange(law.shape[0]))[:, None]
        never = not_yet * (1 - low_last) ** np.arange(law.shape[1])
        total = 0.0
        rolls = (normal, 1 - not_yet.sum()), (devastating, not_yet.sum() - never.sum())
        for (damage, fnp), (_, rare, _), (number, rerolled) in zip(self._kernels, parts, rolls, strict=True):
            gain = mean(damage) - mean(rare) if rare else 0.0
            total += (number * mean(damage) + rerolled * gain) * min(fnp - 1, 6) / 6
        return total
