"""Mortal wounds that a rule inflicts beside attacks: from the words of a modifier to exact results on a target.

Belongs here: the laws of rolls such as ``six D6, each 4+: 1``, and what such a law does to an unhurt unit. Doesn't:
which texts say so (``rulebook.effects.wounds``), Devastating Wounds (``simulation``).

Each mortal wound is one wound of damage without a save; what exceeds one model goes on to the next (core rules, mortal
wounds). A Feel No Pain against everything or against mortal wounds is rolled for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipelines.dice import parse_dice
from pipelines.simulation.dice import dice_law, probabilities

MAX_DICE = 100
"""Dice that one rule may roll; more are not read."""
MAX_AMOUNT = 20
"""Mortal wounds of one result, at the most: more than the game prints, and computed in bounded time."""
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_AMOUNT = r"(?P<amount>\d{0,2}D[36](?:\+\d{1,2})?|\d{1,2})"
_ROLL = re.compile(
    r"(?P<count>one|two|three|four|five|six|\d{1,2}) D6(?P<models> for each model in (?:your|this) unit)?, "
    rf"(?P<each>each )?(?P<least>[1-6])(?:-(?P<most>[1-6])|(?P<plus>\+))?: {_AMOUNT}(?:, at most (?P<cap>\d{{1,4}}))?"
)
_FLAT = re.compile(_AMOUNT)


def mortal_wounds_law(values: Sequence[str], models: int) -> np.ndarray | None:
    """P(0, 1, ... mortal wounds) as float64; None where the words aren't of a kind that is known.

    ``values``: the values of the modifiers of one rule; several are results of the same single die. ``models``: of the
    unit that uses it.
    """
    if len(values) == 1 and (flat := _FLAT.fullmatch(values[0])):
        return _amount(flat["amount"])
    rolls = [_ROLL.fullmatch(value) for value in values]
    if not rolls or any(roll is None for roll in rolls):
        return None
    read = [roll for roll in rolls if roll is not None]
    first = read[0]
    dice = _NUMBERS.get(first["count"]) or int(first["count"])
    dice *= models if first["models"] else 1
    alike = all(
        (roll["count"], roll["models"], roll["cap"]) == (first["count"], first["models"], first["cap"]) for roll in read
    )
    if not alike or not 0 < dice <= MAX_DICE or (len(read) > 1 and dice > 1) or (dice > 1 and not first["each"]):
        return None
    single = _one_die(read)
    if single is None:
        return None
    law = np.ones(1)
    for _ in range(dice):
        law = np.convolve(law, single)
    return _capped(law, int(first["cap"])) if first["cap"] else law


def _one_die(rolls: Sequence[re.Match[str]]) -> np.ndarray | None:
    """The law of what one D6 gives; None where two results claim the same face, or a result none."""
    faces: dict[int, np.ndarray] = {}
    for roll in rolls:
        least = int(roll["least"])
        most = 6 if roll["plus"] else int(roll["most"] or least)
        given = _amount(roll["amount"])
        claimed = range(least, most + 1)
        if given is None or not claimed or not faces.keys().isdisjoint(claimed):
            return None
        faces |= dict.fromkeys(claimed, given)
    law = np.zeros(max(map(len, faces.values())))
    law[0] = (6 - len(faces)) / 6
    for each in faces.values():
        law[: len(each)] += each / 6
    return law


def _amount(printed: str) -> np.ndarray | None:
    """The law of a number of mortal wounds; None where it can't be read or may be more than ``MAX_AMOUNT``."""
    try:
        dice = parse_dice(printed)
    except ValueError:
        return None
    if dice.rolled * dice.sides + dice.plus > MAX_AMOUNT:
        return None
    return probabilities(dice_law(dice, 0))


def _capped(law: np.ndarray, most: int) -> np.ndarray:
    return np.append(law[:most], law[most:].sum()) if len(law) > most else law


def suffered(law: np.ndarray, target: Mapping[str, Any]) -> tuple[float, float, float]:
    """Mean wounds lost, mean models destroyed and P(destroyed) of an unhurt unit.

    ``target``: wounds, models, feel_no_pain, feel_no_pain_scope as in the table targets; its models are alike.
    """
    if target["feel_no_pain"] is not None and target["feel_no_pain_scope"] in (None, "mortal"):
        law = _thinned(law, (target["feel_no_pain"] - 1) / 6)
    wounds, models = target["wounds"], target["models"]
    number = np.arange(len(law))
    lost, destroyed = np.minimum(number, wounds * models), np.minimum(number // wounds, models)
    return float(law @ lost), float(law @ destroyed), float(law[destroyed == models].sum())


def _thinned(law: np.ndarray, kept: float) -> np.ndarray:
    """The law of how many wounds are left where each is kept with a probability."""
    single, power, thinned = np.array([1 - kept, kept]), np.ones(1), np.zeros(len(law))
    for number, chance in enumerate(law):
        thinned[: number + 1] += chance * power
        power = np.convolve(power, single)
    return thinned
