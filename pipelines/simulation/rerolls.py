"""An activation with single re-rolls in hand: one failed hit roll, one failed wound roll, one low Damage roll (A4).

Belongs here: following what is still in hand from roll to roll, for one matchup. Doesn't: Damage rolls and who takes
them (``in_hand``); re-rolls of every die (``laws``, ``stages``), which keep attacks independent of each other.

Each re-roll is used at the first chance. Rolls that are made together are alike, so that it is all one whether they
are thrown at once or one by one. Laws are arrays [a, d]: P(a normal and d Devastating Wounds), the normal ones unsaved
already where the save doesn't depend on who takes them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.bodies import Body, stage_rows
from pipelines.simulation.chains import State
from pipelines.simulation.dice import probabilities, repeated
from pipelines.simulation.effective import LETHAL_BEST, LETHAL_NO, Attack, Target
from pipelines.simulation.in_hand import Struck
from pipelines.simulation.laws import WOUND_TOTAL
from pipelines.simulation.outcomes import BETTER, METRICS
from pipelines.simulation.signatures import Laws
from pipelines.simulation.stages import Stages, second_rolls

_IN_HAND, _USED = 0, 1
_EXPECTED_DAMAGE = METRICS.index("expected_damage")


@dataclass(frozen=True)
class _Roll:
    """Probabilities of a hit or wound roll: plain and critical as its policy leaves it; ``open``: a failure that a
    re-roll in hand takes, of which ``second_plain`` and ``second_critical`` succeed then."""

    plain: float
    critical: float
    open: float
    second_plain: float
    second_critical: float

    @property
    def failure(self) -> float:
        """P(a failure that no re-roll in hand takes)."""
        return 1 - self.plain - self.critical - self.open

    @property
    def second_failure(self) -> float:
        """P(a failure that a re-roll in hand takes, in vain)."""
        return self.open - self.second_plain - self.second_critical


@dataclass(frozen=True)
class _Activation:
    """One matchup as its dice see it. ``extra``: P(0, 1, … extra hits) of a critical hit; ``unsaved``: P(a wound is
    counted), 1 where it is saved by who takes it."""

    attacks: np.ndarray
    hit: _Roll
    wound: _Roll
    extra: np.ndarray
    lethal: bool
    unsaved: float
    struck: Struck


def resolve_in_hand(attack: Attack, firing: int, target: Target) -> tuple[list[float | None], State, Body | None]:
    """Give the outcome of one matchup in the order of ``METRICS``, and the final state of the target ([m, w], dead).

    The last is what the state means where models differ or attacks are ignored, as ``bodies.resolve_body`` has it.
    ``firing``: equal weapons fired together. Optional Lethal Hits are decided as in ``outcomes.decide_lethal`` (E7).
    """
    activation, lethal = _read(attack, firing, target)
    metrics, state = _outcome(activation)
    if lethal == LETHAL_BEST:
        rolled = _outcome(replace(activation, lethal=False))
        if (rolled[0][_EXPECTED_DAMAGE] or 0) > (metrics[_EXPECTED_DAMAGE] or 0) * BETTER:
            metrics, state = rolled
    return metrics, state, None if activation.struck.plain else activation.struck.body


def _read(attack: Attack, firing: int, target: Target) -> tuple[_Activation, int]:
    laws, rows = Laws(), stage_rows(target)
    first = np.zeros(len(rows), dtype=np.int64)
    sequences, of_group = Stages([attack], [firing], rows, laws).merged(first, np.arange(len(rows)))
    s = {name: int(column[of_group[0]]) for name, column in sequences.items()}
    struck = Struck(attack, target, sequences, of_group.tolist(), laws)
    hit, (open_wounds, plain, critical) = second_rolls(attack, rows[0])
    wound = (open_wounds, plain, critical) if s["devastating"] else (open_wounds, plain + critical, 0)
    activation = _Activation(
        attacks=repeated(*laws.attacks.values[s["attacks"]]),
        hit=_Roll(*(count / 36 for count in (s["hit"], s["critical_hit"], *hit))),
        wound=_Roll(*(count / WOUND_TOTAL for count in (s["wound"], s["critical_wound"], *wound))),
        extra=probabilities(laws.sustained.values[s["sustained"]]),
        lethal=s["lethal"] != LETHAL_NO,
        unsaved=s["unsaved"] / 6 if struck.plain else 1.0,
        struck=struck,
    )
    return activation, s["lethal"]


def _outcome(a: _Activation) -> tuple[list[float | None], State]:
    one = _one_attack(a)
    law = _horner(one, a.attacks, np.ones(4))[0]
    left = _horner(one.sum(axis=(2, 3), keepdims=True), a.attacks, np.array([1.0, 0.0, 1.0, 0.0]))[0].item()
    numbers = np.arange(len(a.attacks))
    attacks = float(a.attacks @ numbers)
    hits_rerolled = 1 - float(a.attacks @ (1 - a.hit.open) ** numbers)
    plain, critical = _successes(a.hit, attacks, hits_rerolled)
    extra = float(a.extra @ np.arange(len(a.extra)))
    rolls = plain + critical * (extra + (not a.lethal))
    wounds, devastating = _successes(a.wound, rolls, 1 - left)
    automatic = critical * a.lethal
    counts: list[float | None] = [attacks, plain + critical * (1 + extra), wounds + devastating + automatic, None, None]
    if a.struck.unsaved is not None:
        normal = (wounds + automatic) * a.struck.unsaved / 6
        counts[3:] = normal + devastating, a.struck.raw_damage(law, normal, devastating)
    state = a.struck.final(law)
    return counts + chains.summary(state, a.struck.body.readout).tolist(), state


def _successes(roll: _Roll, rolls: float, rerolled: float) -> tuple[float, float]:
    """Give the plain and the critical successes that so many rolls bring on average, so many of them re-rolled."""
    share = rerolled / roll.open if roll.open else 0.0
    return roll.plain * rolls + roll.second_plain * share, roll.critical * rolls + roll.second_critical * share


def _one_attack(a: _Activation) -> np.ndarray:
    """Give the law of one attack from and to each state as [2 h + w, 2 h + w, a, d]; h, w: re-roll in hand 0, used 1.

    A re-roll that was never there is one that takes no failure.
    """
    w = a.wound
    wounding = _by_state(
        _wounds(a, w.failure, w.plain, w.critical),
        _wounds(a, w.second_failure, w.second_plain, w.second_critical),
        _wounds(a, w.failure + w.open, w.plain, w.critical),
    )
    always, never = _wounds(a, 0, 1, 0), np.zeros_like(wounding[0, 0])
    automatic = _by_state(always, never, always)
    nothing = _by_state(_wounds(a, 1, 0, 0), never, _wounds(a, 1, 0, 0))
    each = automatic if a.lethal else wounding
    critical = each * a.extra[0]
    for chance in a.extra[1:]:
        each = _chained(each, wounding)
        critical = _plus(critical, each * chance)

    def hit(failure: float, plain: float, crit: float) -> np.ndarray:
        return _plus(_plus(critical * crit, wounding * plain), nothing * failure)

    h = a.hit
    both = _by_state(
        hit(h.failure, h.plain, h.critical),
        hit(h.second_failure, h.second_plain, h.second_critical),
        hit(h.failure + h.open, h.plain, h.critical),
    )
    return np.moveaxis(both, 2, 1).reshape(4, 4, *both.shape[4:])


def _wounds(a: _Activation, failure: float, plain: float, critical: float) -> np.ndarray:
    """Give the law [a, d] of a wound roll; a plain wound still meets the save, a critical (devastating) one doesn't."""
    result = np.zeros((2, 2 if a.struck.apart else 1))
    result[0, 0] = failure + plain * (1 - a.unsaved)
    result[1, 0] = plain * a.unsaved
    result[(0, 1) if a.struck.apart else (1, 0)] += critical
    return result


def _by_state(stays: np.ndarray, taken: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Give [from, to, …]: a re-roll in hand stays there or is taken, a used one stays used."""
    return np.stack([np.stack([stays, taken]), np.stack([np.zeros_like(stays), used])])


def _times(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Multiply two laws [a, d]; ``second`` should be the smaller one."""
    (a, d), (more_a, more_d) = first.shape, second.shape
    result = np.zeros((a + more_a - 1, d + more_d - 1))
    for i, j in zip(*np.nonzero(second), strict=True):
        result[i : i + a, j : j + d] += first * second[i, j]
    return result


def _chained(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Let rolls [from, to, a, d] follow each other."""
    return np.stack(
        [
            np.stack([sum(_times(first[i, k], second[k, j]) for k in (_IN_HAND, _USED)) for j in (_IN_HAND, _USED)])
            for i in (_IN_HAND, _USED)
        ]
    )


def _plus(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Add laws whose last two axes may differ in length."""
    result = np.zeros(
        (*first.shape[:-2], *(max(sizes) for sizes in zip(first.shape[-2:], second.shape[-2:], strict=True)))
    )
    result[..., : first.shape[-2], : first.shape[-1]] += first
    result[..., : second.shape[-2], : second.shape[-1]] += second
    return result


def _horner(one: np.ndarray, attacks: np.ndarray, end: np.ndarray) -> list[np.ndarray]:
    """Give for each state at the start the law of all attacks, weighted by ``end`` of the state at their end.

    ``attacks``: P(number of attacks = 0, 1, …). Sums and products of positive numbers only.
    """
    states = range(len(end))
    laws = [np.full((1, 1), attacks[-1] * weight) for weight in end]
    for chance in attacks[-2::-1]:
        laws = [sum((_times(laws[to], one[start, to]) for to in states), np.zeros((1, 1))) for start in states]
        for law, weight in zip(laws, end, strict=True):
            law[0, 0] += chance * weight
    return laws
