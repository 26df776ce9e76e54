"""Dice libraries of others, each with what ``dice_model`` asks of it. Belongs here: how each of them does that best.

They come with the extra ``bench``; importing this module without it fails. Both compute with integers of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import icepool
from dyce import H
from dyce.h import aggregate_weighted


class Icepool:
    """icepool: ``map`` takes functions that give outcomes or dice, ``@`` takes a die as the number of dice."""

    name = "icepool"

    def die(self, weights: Mapping[int, int]) -> icepool.Die[int]:
        """Give a die of these outcomes."""
        return icepool.Die(weights)

    def mapped(self, function: Callable[..., Any], *dice: icepool.Die[int]) -> icepool.Die[int]:
        """Roll dice and give what a function makes of them, an outcome or another die."""
        # Without ``star`` it would look the function's signature up each time.
        return icepool.map(function, *dice, star=False).simplify()

    def summed(self, number: icepool.Die[int], die: icepool.Die[int]) -> icepool.Die[int]:
        """Roll a number, then a die so many times, and add those up."""
        return number @ die

    def law(self, die: icepool.Die[int]) -> dict[int, Fraction]:
        """Give the probability of each outcome."""
        return {outcome: Fraction(weight, die.denominator()) for outcome, weight in die.items()}


class Dyce:
    """dyce: what its ``expand`` accumulates with, without the search for paths that it may drop."""

    name = "dyce"

    def die(self, weights: Mapping[int, int]) -> H[int]:
        """Give a die of these outcomes."""
        return H(weights)

    def mapped(self, function: Callable[..., Any], *dice: H[int]) -> H[int]:
        """Roll dice and give what a function makes of them, an outcome or another die."""
        if len(dice) == 1:
            return aggregate_weighted((function(face), weight) for face, weight in dice[0].items()).lowest_terms()
        rolls = product(*(die.items() for die in dice))
        return aggregate_weighted(
            (function(*(face for face, _ in roll)), prod(weight for _, weight in roll)) for roll in rolls
        ).lowest_terms()

    def summed(self, number: H[int], die: H[int]) -> H[int]:
        """Roll a number, then a die so many times, and add those up."""
        none = H({0: 1})
        if len(number) == 1:
            (times,) = number
            return times @ die if times else none
        return aggregate_weighted((times @ die if times else none, weight) for times, weight in number.items())

    def law(self, die: H[int]) -> dict[int, Fraction]:
        """Give the probability of each outcome."""
        return {outcome: Fraction(weight, die.total) for outcome, weight in die.items() if weight}
