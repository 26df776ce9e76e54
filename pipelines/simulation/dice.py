"""Exact laws of small integer variables.

Belongs here: laws with integer weights, sums, shifts and floors of laws. Doesn't: reading dice (``pipelines.dice``),
rules of the game (``effective``), probabilities as floats over many rows (``laws``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import gcd

import numpy as np

from pipelines.dice import Dice

Law = tuple[int, tuple[int, ...]]
"""The law of an integer: (lowest value, integer weights of that value and the following ones), weights coprime."""


def _canonical(lowest: int, weights: Sequence[int]) -> Law:
    first = next(i for i, weight in enumerate(weights) if weight)
    last = next(i for i in range(len(weights), 0, -1) if weights[i - 1])
    common = gcd(*weights)
    return lowest + first, tuple(weight // common for weight in weights[first:last])


@cache
def constant(value: int) -> Law:
    """Give the law of a number that is certain."""
    return value, (1,)


@cache
def dice_law(dice: Dice, minimum: int) -> Law:
    """Give the law of a roll, values below ``minimum`` counted as ``minimum`` (``D6-1`` as Damage is at least 1)."""
    law = constant(dice.plus)
    for _ in range(dice.rolled):
        law = add_laws(law, (1, (1,) * dice.sides))
    return floor_law(law, minimum)


@cache
def add_laws(first: Law, second: Law) -> Law:
    """Give the law of the sum of two independent variables."""
    weights = [0] * (len(first[1]) + len(second[1]) - 1)
    for i, a in enumerate(first[1]):
        for j, b in enumerate(second[1]):
            weights[i + j] += a * b
    return _canonical(first[0] + second[0], weights)


@cache
def floor_law(law: Law, minimum: int) -> Law:
    """Give the law of max(x, minimum)."""
    lowest, weights = law
    below = minimum - lowest
    if below <= 0:
        return law
    return _canonical(minimum, [sum(weights[: below + 1]), *weights[below + 1 :]])


@cache
def halve_law(law: Law) -> Law:
    """Give the law of x / 2 rounded up."""
    lowest, weights = law
    halved = -(-lowest // 2)
    result = [0] * (-(-(lowest + len(weights) - 1) // 2) - halved + 1)
    for i, weight in enumerate(weights):
        result[-(-(lowest + i) // 2) - halved] += weight
    return _canonical(halved, result)


@cache
def cap_law(law: Law, maximum: int) -> Law:
    """Give the law of min(x, maximum)."""
    lowest, weights = law
    if lowest >= maximum:
        return constant(maximum)
    keep = maximum - lowest
    return _canonical(lowest, [*weights[:keep], sum(weights[keep:])])


@cache
def split_law(law: Law, at: int) -> tuple[Law | None, Law]:
    """Give the laws of x given that x < ``at``, None where it never is, and of x given that x >= ``at``."""
    lowest, weights = law
    below = max(at - lowest, 0)
    return _canonical(lowest, weights[:below]) if below else None, _canonical(lowest + below, weights[below:])


@cache
def reroll_below(law: Law, at: int) -> Law:
    """Give the law of x where values below ``at`` are drawn again, once."""
    lowest, weights = law
    low = sum(weights[: max(at - lowest, 0)])
    return _canonical(lowest, [weight * (low + sum(weights) * (lowest + i >= at)) for i, weight in enumerate(weights)])


def largest(law: Law) -> int:
    """Give the highest value of a law."""
    return law[0] + len(law[1]) - 1


@cache
def mean(law: Law) -> float:
    """Give the mean, correctly rounded from the exact quotient."""
    return sum((law[0] + i) * weight for i, weight in enumerate(law[1])) / sum(law[1])


def probabilities(law: Law) -> np.ndarray:
    """Give P(x = 0), P(x = 1), … as float64; the law's values must not be negative."""
    total = sum(law[1])
    return np.array([0.0] * law[0] + [weight / total for weight in law[1]])


def repeated(law: Law, times: int) -> np.ndarray:
    """Give P(sum of ``times`` independent draws = 0, 1, …) as float64."""
    result, base = np.ones(1), probabilities(law)
    while times:
        if times & 1:
            result = np.convolve(result, base)
        times >>= 1
        if times:
            base = np.convolve(base, base)
    return result
