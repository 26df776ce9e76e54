"""Units whose models differ: who takes the attacks, and what one attack does to whom.

Belongs here: the order of allocation, saves and damage of each kind of model, attacks that the unit may ignore (choices
D1 to D6 of ``docs/how_we_compute.md``). Doesn't: what damage does to one model (``chains``), rolls (``laws``), several
weapons in order (``units``).

The state is that of ``chains``, an array [m, w]: m + 1 models left, those who take attacks first having the highest m.
Models with fewer wounds than the largest use the last entries of w, so that an unhurt model is always at [m, -1]. Since
a save depends on who takes the attack, a step of the chain is one wound before its save. Attacks that the unit ignores
are taken by *shields*: models of one wound that stand before all others and count for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import Kernel, State, Step
from pipelines.simulation.dice import cap_law, constant
from pipelines.simulation.effective import LETHAL_AUTOMATIC, LETHAL_BEST, LETHAL_NO, Attack, Target
from pipelines.simulation.faces import by_faces
from pipelines.simulation.laws import joint_laws
from pipelines.simulation.outcomes import BETTER, METRICS, resolve
from pipelines.simulation.signatures import Block, Laws, signatures
from pipelines.simulation.stages import Stages

_SHIELD = Kernel(constant(1), 7)


class Blow(NamedTuple):
    """What a wound of a weapon does to a kind of models: its damage, and of how many faces out of 6 the save fails."""

    kernel: Kernel
    unsaved: int


Strike = tuple[tuple[int, Step], ...]
"""What an attack of a weapon does to a body: (faces out of 6, what a save of such a face lets through), lowest first.

Faces that save everyone are left out. One entry of 0 faces: the save is part of the step, it doesn't matter when it is
rolled.
"""


@dataclass(frozen=True)
class Kind:
    """Equal models of a body; ``place``: which of the target's groups they are, None for shields."""

    models: int
    wounds: int
    place: int | None


def is_plain(target: Target) -> bool:
    """Tell whether a target is a unit of equal models that ignores no attack: one kind, nothing for this module."""
    return not (target.groups or target.ignored_failed_saves or target.ignored_attacks)


def groups_of(target: Target) -> tuple[Target, ...]:
    """Give the kinds of models of a target in the order in which it lists them."""
    return target.groups or (target,)


def size_of(target: Target) -> int:
    """Give the number of a target's models."""
    return sum(group.models for group in groups_of(target))


def stage_rows(target: Target) -> list[Target]:
    """Give the rows that the stages of an attack see: each group, but with as many models as the unit has."""
    models = size_of(target)
    return [group._replace(models=models) for group in groups_of(target)]


class Body:
    """A unit in its order of allocation: characters last, or first where Precision lets the attacker choose."""

    def __init__(self, target: Target, *, precision: bool = False) -> None:
        groups = groups_of(target)
        order = sorted(range(len(groups)), key=lambda place: bool(groups[place].character) != precision)
        self.skipped = target.ignored_failed_saves
        shields = [Kind(number, 1, None) for number in (self.skipped, target.ignored_attacks) if number]
        self.kinds = (*shields, *(Kind(groups[place].models, groups[place].wounds, place) for place in order))
        self.groups = len(groups)
        self.characters = [place for place, group in enumerate(groups) if group.character]
        self.models = sum(kind.models for kind in self.kinds)
        self.wounds = max(kind.wounds for kind in self.kinds)

    @property
    def shape(self) -> tuple[int, int]:
        """The lengths of the axes [m, w] of its states."""
        return self.models, self.wounds

    @property
    def adds_up(self) -> bool:
        """Whether losses only add up, so that the order of attacks is all one: it is one model."""
        return self.models == 1

    def fresh(self, batch: int) -> State:
        """Give the state of such units that nothing has hurt."""
        return chains.fresh(batch, *self.shape)

    def strike(self, blows: Sequence[Blow], *, lowest_first: bool, precise: bool = False) -> Strike:
        """Give what a weapon does, ``blows`` being what it does to each group in the order of ``groups_of``.

        ``lowest_first``: all saves of the weapon are rolled, then resolved from the lowest up (D5); else one by one.
        ``precise``: as for ``step``.
        """
        unsaved = {blow.unsaved for blow in blows}
        if not lowest_first or len(unsaved) == 1:
            return ((0, self.step(blows, precise=precise)),)
        steps = []
        for lower, upper in pairwise(sorted({0, *unsaved})):
            shown = [blow._replace(unsaved=6 if blow.unsaved >= upper else 0) for blow in blows]
            steps.append((upper - lower, self.step(shown, precise=precise)))
        return tuple(steps)

    def step(self, blows: Sequence[Blow], *, precise: bool = False) -> Step:
        """Give what one wound does, each of ``blows`` to its group.

        ``precise``: it goes to characters first; of no account here, where all attacks go in the one order.
        """
        stays, deaths = np.zeros((1, self.models, self.wounds, self.wounds)), np.zeros((self.models, self.wounds))
        first = next(blows[kind.place] for kind in self.kinds if kind.place is not None)
        enough: int | None = 0
        end = self.models
        for kind in self.kinds:
            kernel, failed = first._replace(kernel=_SHIELD) if kind.place is None else blows[kind.place]
            lives, dies = chains.transition(kernel, kind.wounds)
            models, wounds = slice(end - kind.models, end), slice(self.wounds - kind.wounds, self.wounds)
            stays[0, models, wounds, wounds] = failed / 6 * lives + (6 - failed) / 6 * np.eye(kind.wounds)
            deaths[models, wounds] = failed / 6 * dies
            end -= kind.models
            surely = chains.equal_step(kernel, kind.wounds, kind.models).enough if failed == 6 else None
            enough = None if enough is None or surely is None else enough + surely
        return Step(stays, deaths, enough)

    def unshielded(self, state: State) -> State:
        """Give the state once only Devastating Wounds are left, which ignored failed saves do nothing about (D4)."""
        if not self.skipped:
            return state
        alive, dead = state[0].copy(), state[1]
        first = self.models - self.skipped
        alive[..., first - 1, -1] += alive[..., first:, -1].sum(axis=-1)
        alive[..., first:, :] = 0
        return alive, dead

    def by_model(self, of_group: Sequence[float], shields: float) -> np.ndarray:
        """Give a value of each group, and of shields, for the model that takes the next attack in states [m]."""
        values = [shields if kind.place is None else of_group[kind.place] for kind in self.kinds[::-1]]
        return np.repeat(values, [kind.models for kind in self.kinds[::-1]])

    @cached_property
    def possible(self) -> np.ndarray:
        """Which states [m, w] there are: a model that has fewer wounds than the largest uses the last entries."""
        first_last = [kind.wounds for kind in self.kinds for _ in range(kind.models)]
        possible: np.ndarray = np.arange(self.wounds) >= self.wounds - np.array(first_last[::-1])[:, None]
        return possible

    @cached_property
    def left(self) -> np.ndarray:
        """Wounds and models that each group has left in each state, as [m, w, group, 2]."""
        left = np.zeros((self.models, self.wounds, self.groups, 2))
        end = self.models
        for kind in self.kinds:
            start = end - kind.models
            if kind.place is not None:
                for m in range(start, end):
                    hurt = np.maximum(np.arange(self.wounds) + 1 - (self.wounds - kind.wounds), 0)
                    left[m, :, kind.place, 0] = (m - start) * kind.wounds + hurt
                    left[m, :, kind.place, 1] = m - start + 1
                left[end:, :, kind.place] = kind.models * kind.wounds, kind.models
            end = start
        return left

    @cached_property
    def readout(self) -> chains.Readout:
        """What ``chains.summary`` reads from a state."""
        full = self.left[-1, -1].sum(axis=0)
        return chains.Readout((full - self.left.sum(axis=2)).reshape(-1, 2), (float(full[0]), float(full[1])))

    def characters_destroyed(self, state: State) -> np.ndarray:
        """Give the expected number of characters destroyed in states [..., m, w] as [...]."""
        alive, dead = state
        left = self.left[..., self.characters, 1].sum(axis=-1)
        full = left[-1, -1]
        slain: np.ndarray = alive.reshape(*dead.shape, -1) @ (full - left).ravel() + dead * full
        return np.minimum(slain, full)  # as in ``chains.summary``

    def distribution(self, state: State) -> dict[str, list[list[float]]]:
        """Give the laws of wounds lost and models destroyed as [value, probability], impossible values left out."""
        alive, dead = state
        result = {}
        for column, name in enumerate(("damage", "models_destroyed")):
            values = np.append(self.readout.living[:, column], self.readout.full[column]).astype(np.int64)
            law = np.bincount(values, weights=np.append(alive.ravel(), dead))
            result[name] = [[value, p] for value, p in enumerate(law.tolist()) if p > 0]
        return result

    def by_group(self, state: State) -> list[dict[str, float]]:
        """Give for each group, in the target's order, its expected losses and P(all its models are destroyed)."""
        alive, dead = state
        left = np.einsum("mw,mwgi->gi", alive, self.left)
        gone = np.einsum("mw,mwg->g", alive, self.left[..., 1] == 0) + dead
        full = self.left[-1, -1]
        return [
            {"expected_damage": damage, "expected_models_destroyed": models, "p_destroyed": p}
            for (damage, models), p in zip((full - left).tolist(), gone.tolist(), strict=True)
        ]


def fired(state: State, block: Block, members: np.ndarray, strike: Strike, last: Step) -> State:
    """Give the states [row, d, m, w] after ``members`` of a block have fired at the states [row, m, w], one each.

    d Devastating Wounds, each of which will do ``last``, are still to come.
    """
    if strike[0][0] == 0:
        return block.fired(state, members, strike[0][1], last)
    law = joint_laws(block.attacks[members], block.polynomials[members])
    return by_faces(state, law, [(faces, partial(chains.attacked, stays=s, deaths=d)) for faces, (s, d, _) in strike])


def blows(sequences: dict[str, np.ndarray], rows: Sequence[int], laws: Laws) -> tuple[list[Blow], list[Blow]]:
    """Give what a weapon does to each group, its Devastating Wounds apart; what does the same is equal.

    ``rows``: its sequences against them, as ``Stages.merged`` gives these.
    """

    def kernel(name: str, row: int) -> Kernel:
        damage, fnp = laws.kernels.values[sequences[name][row]]
        return Kernel(cap_law(damage, int(sequences["wounds"][row])) if fnp > 6 else damage, fnp)

    return (
        [Blow(kernel("kernel", row), int(sequences["unsaved"][row])) for row in rows],
        [Blow(kernel("devastating_kernel", row), 6) for row in rows],
    )


def resolve_body(attack: Attack, firing: int, target: Target) -> tuple[list[float | None], State, Body]:
    """Give the outcome of one matchup in the order of ``METRICS``, the final state ([m, w], dead) and its meaning.

    ``firing``: equal weapons fired together. Unsaved attacks and damage before overkill are None where they depend on
    who takes the attacks. Optional Lethal Hits are decided as in ``outcomes.decide_lethal`` (E7).
    """
    body, laws = Body(target, precision=bool(attack.precision)), Laws()
    rows = stage_rows(target)
    stages = Stages([attack], [firing], rows, laws)
    sequences, of_group = stages.merged(np.zeros(len(rows), dtype=np.int64), np.arange(len(rows)))
    given = int(sequences["lethal"][0])
    choices = (LETHAL_AUTOMATIC, LETHAL_NO) if given == LETHAL_BEST else (given,)
    results = []
    for lethal in choices:
        decided = sequences | {"lethal": np.full(len(sequences["hit"]), lethal)}
        state = _final(body, decided, of_group, laws, lowest_first=bool(attack.saves_lowest_first))
        alone = resolve(decided, laws).metrics[of_group[0]].tolist()
        if any(len(set(sequences[name][of_group])) > 1 for name in ("unsaved", "kernel", "devastating_kernel")):
            alone[3:5] = None, None
        results.append((alone[:5] + chains.summary(state, body.readout).tolist(), state, body))
    column = METRICS.index("expected_damage")
    better = results[-1][0][column] > results[0][0][column] * BETTER
    return results[-1] if better else results[0]


def _final(
    body: Body, sequences: dict[str, np.ndarray], of_group: np.ndarray, laws: Laws, *, lowest_first: bool
) -> State:
    """Give the state of a fresh body after one activation, its sequences against each group being ``of_group``."""
    first = {name: column[of_group[:1]] for name, column in sequences.items()}
    (block,) = signatures(first | {"unsaved": np.array([6])}, laws, all_apart=True).blocks(np.array([0]))
    normal, last = blows(sequences, of_group.tolist(), laws)
    ((_, step),) = body.strike(last, lowest_first=False)
    state = fired(body.fresh(1), block, np.array([0]), body.strike(normal, lowest_first=lowest_first), step)
    alive, dead = chains.followed(body.unshielded(state) if block.apart else state, step)
    return alive[0], dead[0]
