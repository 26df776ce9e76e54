"""What the tests of effects share: stratagems with little around their text, and rows in brief."""

from __future__ import annotations

from pipelines.records import Stratagem
from pipelines.rulebook.effects import Modifier

SHOOTING, FIGHT = "Your Shooting phase.", "Fight phase."
MINE = "Until the end of that phase, each time a model in your unit makes an attack, "
THEIRS = "Until the end of that phase, each time an attack targets your unit, "

Brief = tuple[str | None, str | None, str | None, str | None]


def stratagem(effect: str | None, *, when: str = SHOOTING, target: str = "One unit.", limits: str = "") -> Stratagem:
    return Stratagem("X", 1, "Y", "Wargear", False, when, target, effect, limits or None)


def read(modifiers: tuple[Modifier, ...]) -> list[Modifier]:
    return [one for one in modifiers if one.is_modelled]


def brief(modifiers: tuple[Modifier, ...]) -> list[Brief]:
    return [(one.side, one.operation, one.characteristic, one.value) for one in read(modifiers)]


def conditions(modifiers: tuple[Modifier, ...]) -> list[str | None]:
    return [one.condition for one in read(modifiers)]


def unread(modifiers: tuple[Modifier, ...]) -> list[str]:
    return [one.note or "" for one in modifiers if not one.is_modelled]
