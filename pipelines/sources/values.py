"""Printed characteristics to values: dice, skills, ranges, penetrations.

Belongs here: what a single cell of a weapon table may say, whatever source it comes from. Doesn't: tables, layouts.
A cell that isn't read to its end is refused with ``ValueError``: nothing is guessed from half a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pipelines import dice

_SKILL = re.compile(r"([2-6])\+?")
_PENETRATION = re.compile(r"[-−–]?\s*([0-9]{1,2})")
_INCHES = re.compile(r"([0-9]{1,3})\s*[\"”″]?")

_CHARACTERISTIC = re.compile(r"([0-9]{1,3})\s*\+?\s*[\"”″]?\s*\*?")

_NOTHING = frozenset({"N/A", "-", "–", "—", ""})


def parse_dice(cell: str) -> str:
    """``"3"``, ``"2D6"``, ``"D3+3"`` in one spelling; only D3 and D6 exist, a D7 is refused."""
    return str(dice.parse_dice(cell))


def parse_skill(cell: str) -> int | None:
    """``4+`` and ``4`` are 4; ``N/A`` and ``-`` are None: the weapon hits automatically."""
    text = cell.strip()
    if text.upper() in _NOTHING:
        return None
    match = _SKILL.fullmatch(text)
    if match is None:
        raise ValueError(f"not a skill from 2+ to 6+ or N/A: {text[:40]!r}")
    return int(match[1])


def parse_penetration(cell: str) -> int:
    """``-1`` is -1, ``0`` and ``-0`` are 0; a number without its minus is read as penetration as well."""
    match = _PENETRATION.fullmatch(cell.strip())
    if match is None:
        raise ValueError(f"not an armour penetration: {cell.strip()[:40]!r}")
    return -int(match[1])


def parse_range(cell: str) -> int | None:
    """Inches, or None for ``Melee`` and ``N/A``."""
    text = cell.strip()
    if text.casefold() == "melee" or text.upper() in _NOTHING:
        return None
    match = _INCHES.fullmatch(text)
    if match is None:
        raise ValueError(f"not a range in inches, Melee or N/A: {text[:40]!r}")
    return int(match[1])


def parse_characteristic(cell: str, *, least: int = 0) -> int | None:
    """``6"``, ``20+"``, ``3+``, ``5*`` as their number, ``-`` as None: a value of a stat line."""
    text = cell.strip()
    if text.upper() in _NOTHING:
        return None
    match = _CHARACTERISTIC.fullmatch(text)
    if match is None or int(match[1]) < least:
        raise ValueError(f"not a characteristic: {text[:40]!r}")
    return int(match[1])


COLUMNS = {"RANGE": "range_inches", "A": "attacks", "BS": "skill", "WS": "skill", "S": "strength"} | {
    "AP": "armour_penetration",
    "D": "damage",
}
"""Printed head of a weapon table's column to the field of a weapon profile."""

CELL_READERS: dict[str, Callable[[str], Any]] = {
    "range_inches": parse_range,
    "attacks": parse_dice,
    "skill": parse_skill,
    "strength": parse_dice,
    "armour_penetration": parse_penetration,
    "damage": parse_dice,
}
"""Field of a weapon profile to what reads its cell."""
