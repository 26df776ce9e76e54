"""An activation with single re-rolls in hand: one failed hit roll, one failed wound roll, one low Damage roll (A4).

Belongs here: following what is still in hand from roll to roll, for one matchup. Doesn't: re-rolls of every die
(``laws``, ``stages``), which keep attacks independent of each other and so need none of this.

Each re-roll is used at the first chance. Rolls that are made together are alike, so that it is all one whether they
are thrown at once or one by one. Laws are arrays [a, d]: P(a normal and d devastating unsaved attacks).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import Kernel, State
from pipelines.simulation.dice import mean, probabilities, repeated, split_law
from pipelines.simulation.effective import LETHAL_BEST, LETHAL_NO, Attack, Target
from pipelines.simulation.laws import WOUND_TOTAL, low_damage
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
class _Damage:
    """A Damage roll: its kernel, the Damage that a re-roll in hand takes on average and how often, and what is kept."""

    kernel: Kernel
    low: float
    low_mean: float
    kept: Kernel

    @classmethod
    def of(cls, kernel: Kernel, wounds: int, *, in_hand: bool) -> _Damage:
        """Part a kernel's law by the re-roll rule (A3); nothing is low where no re-roll is in hand."""
        low, kept = split_law(kernel.damage, low_damage(kernel.damage, kernel.fnp, wounds))
        if low is None or not in_hand:
            return cls(kernel, 0.0, 0.0, kernel)
        share = kernel.damage[1][: kept[0] - kernel.damage[0]]
        return cls(kernel, sum(share) / sum(kernel.damage[1]), mean(low), Kernel(kept, kernel.fnp))

    def raw(self, rolls: float, rerolled: float) -> float:
        """Damage after Feel No Pain of so many rolls on average, of which so many are re-rolled."""
        points = rolls * mean(self.kernel.damage) + rerolled * (mean(self.kernel.damage) - self.low_mean)
        return points * min(self.kernel.fnp - 1, 6) / 6

    def struck(self, alive: np.ndarray, dead: float, wounds: int) -> tuple[np.ndarray, float]:
        """Give the living states [re-roll in hand or used, m, w] and the dead one after one more unsaved attack."""
        state = alive, np.zeros(2)
        anything, slain = chains.attacked(state, *chains.transition(self.kernel, wounds))
        if not self.low:
            return anything, dead + float(slain.sum())
        kept, slain_kept = chains.attacked(state, *chains.transition(self.kept, wounds))
        high = 1 - self.low
        after = np.stack([high * kept[_IN_HAND], anything[_USED] + self.low * anything[_IN_HAND]])
        return after, dead + float(high * slain_kept[_IN_HAND] + slain[_USED] + self.low * slain[_IN_HAND])


@dataclass(frozen=True)
class _Activation:
    """One matchup as its dice see it. ``extra``: P(0, 1, … extra hits) of a critical hit; ``unsaved``: P(a save fails);
    ``models``, ``wounds``: the target's."""

    attacks: np.ndarray
    hit: _Roll
    wound: _Roll
    extra: np.ndarray
    lethal: bool
    unsaved: float
    damage: _Damage
    last: _Damage
    models: int
    wounds: int

    @property
    def apart(self) -> bool:
        """Whether Devastating Wounds are counted apart from other attacks."""
        return self.damage.kernel != self.last.kernel


def resolve_in_hand(attack: Attack, firing: int, target: Target) -> tuple[list[float], State]:
    """Give the outcome of one matchup in the order of ``METRICS``, and the final state of the target ([m, w], dead).

    ``firing``: equal weapons fired together. Optional Lethal Hits are decided as in ``outcomes.decide_lethal`` (E7).
    """
    activation, lethal = _read(attack, firing, target)
    if lethal != LETHAL_BEST:
        return _outcome(activation)
    automatic, rolled = _outcome(activation), _outcome(replace(activation, lethal=False))
    better = rolled[0][_EXPECTED_DAMAGE] > automatic[0][_EXPECTED_DAMAGE] * BETTER
    return rolled if better else automatic


def _read(attack: Attack, firing: int, target: Target) -> tuple[_Activation, int]:
    laws = Laws()
    first = np.zeros(1, dtype=np.int64)
    sequences, _ = Stages([attack], [firing], [target], laws).merged(first, first)
    s = {name: int(column[0]) for name, column in sequences.items()}
    hit, (open_wounds, plain, critical) = second_rolls(attack, target)
    wound = (open_wounds, plain, critical) if s["devastating"] else (open_wounds, plain + critical, 0)
    in_hand = bool(attack.reroll_one_damage and not attack.damage_reroll)
    damage, last = (
        _Damage.of(laws.kernels.values[s[name]], target.wounds, in_hand=in_hand)
        for name in ("kernel", "devastating_kernel")
    )
    activation = _Activation(
        attacks=repeated(*laws.attacks.values[s["attacks"]]),
        hit=_Roll(*(count / 36 for count in (s["hit"], s["critical_hit"], *hit))),
        wound=_Roll(*(count / WOUND_TOTAL for count in (s["wound"], s["critical_wound"], *wound))),
        extra=probabilities(laws.sustained.values[s["sustained"]]),
        lethal=s["lethal"] != LETHAL_NO,
        unsaved=s["unsaved"] / 6,
        damage=damage,
        last=last,
        models=target.models,
        wounds=target.wounds,
    )
    return activation, s["lethal"]


def _outcome(a: _Activation) -> tuple[list[float], State]:
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
    normal = (wounds + automatic) * a.unsaved
    raw = _raw_damage(a, law, normal, devastating)
    state = _final(a, law)
    losses = chains.summary(state).tolist()
    counts = [attacks, plain + critical * (1 + extra), wounds + devastating + automatic, normal + devastating, raw]
    return counts + losses, state


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
    result = np.zeros((2, 2 if a.apart else 1))
    result[0, 0] = failure + plain * (1 - a.unsaved)
    result[1, 0] = plain * a.unsaved
    result[(0, 1) if a.apart else (1, 0)] += critical
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


def _raw_damage(a: _Activation, law: np.ndarray, normal: float, devastating: float) -> float:
    """Give the mean damage before overkill; a re-roll in hand goes to the normal attacks first."""
    if not a.apart:
        normal, devastating = normal + devastating, 0.0
    first, last = (1 - damage.low for damage in (a.damage, a.last))
    not_yet = law * (first ** np.arange(law.shape[0]))[:, None]
    never = not_yet * last ** np.arange(law.shape[1])
    return a.damage.raw(normal, 1 - not_yet.sum()) + a.last.raw(devastating, not_yet.sum() - never.sum())


def _final(a: _Activation, law: np.ndarray) -> State:
    """Give the target's state after all attacks: the normal ones first, those kept apart last."""
    alive = np.zeros((2, a.models, a.wounds))
    alive[_IN_HAND, -1, -1], dead = 1.0, 0.0
    waiting = np.zeros((law.shape[1], *alive.shape))
    gone = np.zeros(law.shape[1])
    for number in range(law.shape[0]):
        if number:
            alive, dead = a.damage.struck(alive, dead, a.wounds)
        waiting += law[number][:, None, None, None] * alive
        gone += law[number] * dead
    alive, dead = waiting[-1], float(gone[-1])
    for number in range(law.shape[1] - 2, -1, -1):
        alive, dead = a.last.struck(alive, dead, a.wounds)
        alive, dead = alive + waiting[number], dead + float(gone[number])
    return alive.sum(axis=0), np.array(dead)
