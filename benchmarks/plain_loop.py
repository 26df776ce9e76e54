"""Dice as a plain Python loop rolls them. Belongs here: the baseline of the engine's own Monte Carlo.

Doesn't: the rules (``activation``), measuring (``dice_trials``).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from benchmarks.activation import Activation, Roll
from pipelines.dice import Dice

COUNTED = ("attacks", "hits", "wounds", "unsaved", "raw_damage", "damage", "models_destroyed")


def simulate(activation: Activation, trials: int, seed: int) -> dict[str, Counter[int]]:
    """Roll an activation so many times; give how often each of ``COUNTED`` came to which number."""
    uniform = random.Random(seed).random
    counts: dict[str, Counter[int]] = {name: Counter() for name in COUNTED}
    for _ in range(trials):
        for name, value in zip(COUNTED, _trial(activation, uniform), strict=True):
            counts[name][value] += 1
    return counts


def _trial(a: Activation, uniform: Callable[[], float]) -> tuple[int, ...]:
    attacks = sum(max(1, _sum(a.attacks, uniform) + _sum(a.more, uniform) + a.bonus) for _ in range(a.firing))
    hits = to_wound = wounds = unsaved = devastating = 0
    for _ in range(attacks):
        face = _face(a.hit, uniform) if a.hit else 0
        if a.hit is None:
            hits, to_wound = hits + 1, to_wound + 1
        elif face in a.hit.critical:
            extra = _sum(a.sustained, uniform)
            hits += 1 + extra
            to_wound += extra + (not a.lethal)
            wounds += a.lethal
        elif face in a.hit.success:
            hits, to_wound = hits + 1, to_wound + 1
    for _ in range(to_wound):
        face = _face(a.wound, uniform)
        if a.devastating and face in a.wound.critical:
            devastating += 1
        elif face in a.wound.success:
            wounds += 1
    for _ in range(wounds):
        unsaved += int(uniform() * 6) + 1 not in a.saved
    raw, slain, left = 0, 0, a.wounds
    for number in range(unsaved + devastating):
        loss = _loss(a, a.fnp if number < unsaved else a.fnp_devastating, uniform)
        raw += loss
        if slain < a.models:
            left -= loss
            if left <= 0:
                slain, left = slain + 1, a.wounds
    lost = slain * a.wounds + a.wounds - left
    return attacks, hits, wounds + devastating, unsaved + devastating, raw, lost, slain


def _face(roll: Roll, uniform: Callable[[], float]) -> int:
    face = int(uniform() * 6) + 1
    return int(uniform() * 6) + 1 if face in roll.again else face


def _sum(dice: Dice, uniform: Callable[[], float]) -> int:
    total = dice.plus
    for _ in range(dice.rolled):
        total += int(uniform() * dice.sides) + 1
    return max(total, 0)


def _loss(a: Activation, fnp: int, uniform: Callable[[], float]) -> int:
    points = a.points(_sum(a.damage, uniform), _sum(a.melta, uniform))
    if fnp > 6:
        return points
    return sum(int(uniform() * 6) + 1 < fnp for _ in range(points))
