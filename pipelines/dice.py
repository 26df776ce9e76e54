"""Dice expressions as every source prints them and the engine rolls them: ``4``, ``D3``, ``2D6+1``.

Belongs here: reading and writing an expression, and how large one may be. Doesn't: its law (``simulation.dice``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MAX_DICE = 100
MAX_NUMBER = 1000
_EXPRESSION = re.compile(
    r"\s*(?:(?P<number>[0-9]{1,9})|(?P<count>[0-9]{0,9})\s*D\s*(?P<sides>[36])(?:\s*(?P<plus>[+-]\s*[0-9]{1,9}))?)\s*",
    re.IGNORECASE,
)


class Dice(NamedTuple):
    """``rolled`` dice of ``sides`` sides plus a number; a plain number has 0 dice and sides 0."""

    rolled: int
    sides: int
    plus: int

    def __str__(self) -> str:
        """Write the canonical spelling, ``2D6+1``."""
        if not self.rolled:
            return str(self.plus)
        head = f"{self.rolled if self.rolled > 1 else ''}D{self.sides}"
        return f"{head}{self.plus:+d}" if self.plus else head


NO_DICE = Dice(0, 0, 0)
ONE = Dice(0, 0, 1)


@lru_cache(maxsize=4096, typed=True)
def parse_dice(value: int | str) -> Dice:
    """Read a number or text such as ``4``, ``"D3"``, ``"2d6 + 1"``, ``"D6-1"``, in any case, blanks allowed.

    Raises ValueError for what isn't read to its end (``"D7"``, ``"D6+"``, ``"-1"``, ``""``), more than
    ``MAX_DICE`` dice or numbers above ``MAX_NUMBER``.
    """
    text = str(value)[:40]
    match = _EXPRESSION.fullmatch(str(value))
    if match is None or (match["count"] and not int(match["count"])):
        raise ValueError(f"cannot read {text!r} as dice: expected a number, or D3 or D6 as in '2D6+1'")
    if match["number"]:
        dice = Dice(0, 0, int(match["number"]))
    else:
        plus = "".join((match["plus"] or "0").split())
        dice = Dice(int(match["count"] or 1), int(match["sides"]), int(plus))
    if dice.rolled > MAX_DICE or abs(dice.plus) > MAX_NUMBER:
        raise ValueError(f"{text!r} is too large: at most {MAX_DICE} dice and numbers up to {MAX_NUMBER}")
    return dice
