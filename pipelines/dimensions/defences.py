"""What a unit's own abilities do to attacks at it, read from whole texts.

Belongs here: abilities that always hold, for every model, and say nothing else; a text is read whole or not at all.
Doesn't: abilities that depend on a leader, a place, a phase or a choice; those that would protect the unit are listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pipelines.records import UnitAbility
from pipelines.rulebook.effects import ability_effects


@dataclass(frozen=True, slots=True)
class Defences:
    """Sums of what abilities do; fields as in ``simulation.effective.Target``.

    ``feel_no_pain_mortal``: against mortal wounds, None = no such ability. ``not_modelled``: names of abilities that
    protect the unit and aren't (wholly) among the rest.
    """

    hit_mod: int = 0
    wound_mod: int = 0
    wound_minus_if_stronger: bool = False
    ap_worsen: int = 0
    damage_minus: int = 0
    damage_half: bool = False
    feel_no_pain_mortal: int | None = None
    not_modelled: tuple[str, ...] = ()


_UNIT = r"(?P<unit>(?:a |all )?models? in this unit|this unit)"
_MODEL = r"(?P<model>this (?:model|FORTIFICATION))"
_SELF = rf"(?:{_UNIT}|{_MODEL})"
_ALLOCATED = rf"Each time an attack is allocated to {_SELF}, "
_TARGETS = rf"Each time an attack targets {_SELF}, "
_EITHER = rf"Each time an attack (?:targets|is allocated to) {_SELF}, "
_DAMAGE = r"(?:the Damage characteristic of that attack|that attack['’]s Damage characteristic)"
_TOUGHNESS = (
    r"(?:the Toughness characteristic of this (?:unit|model)|this (?:unit|model)['’]s Toughness characteristic)"
)
_MORTAL = r"(?:Psychic Attacks and )?mortal wounds(?: and Psychic Attacks)?"
_FEEL_NO_PAIN = r"have the Feel No Pain (?P<n>[2-6])\+ ability"

_Reading = tuple[re.Pattern[str], Callable[[Defences, re.Match[str]], Defences]]


def _reading(pattern: str, change: Callable[[Defences, re.Match[str]], dict[str, Any]]) -> _Reading:
    return re.compile(rf"{pattern}\.?"), lambda known, match: replace(known, **change(known, match))


_READINGS: tuple[_Reading, ...] = (
    _reading(
        rf"{_ALLOCATED}subtract (?P<n>\d) from {_DAMAGE}",
        lambda known, match: {"damage_minus": known.damage_minus + int(match["n"])},
    ),
    _reading(rf"{_ALLOCATED}halve {_DAMAGE}", lambda known, match: {"damage_half": True}),
    _reading(rf"{_TARGETS}subtract 1 from the Hit roll", lambda known, match: {"hit_mod": known.hit_mod - 1}),
    _reading(rf"{_TARGETS}subtract 1 from the Wound roll", lambda known, match: {"wound_mod": known.wound_mod - 1}),
    _reading(
        rf"{_TARGETS}subtract 1 from the Hit roll and subtract 1 from the Wound roll",
        lambda known, match: {"hit_mod": known.hit_mod - 1, "wound_mod": known.wound_mod - 1},
    ),
    _reading(
        rf"{_EITHER}if the Strength characteristic of that attack is greater than {_TOUGHNESS}, "
        "subtract 1 from the Wound roll",
        lambda known, match: {"wound_minus_if_stronger": True},
    ),
    _reading(
        rf"{_EITHER}worsen the Armour Penetration characteristic of that attack by 1",
        lambda known, match: {"ap_worsen": known.ap_worsen + 1},
    ),
    *(
        _reading(
            pattern,
            lambda known, match: {"feel_no_pain_mortal": min(int(match["n"]), known.feel_no_pain_mortal or 7)},
        )
        for pattern in (
            rf"{_SELF} {_FEEL_NO_PAIN} against {_MORTAL}",
            rf"Against {_MORTAL}, {_SELF} {_FEEL_NO_PAIN}",
        )
    ),
)
_SET_TO_ZERO = re.compile(r"change the Damage characteristic (?:of that attack )?to 0\b", re.IGNORECASE)
_OTHERS = re.compile(r"\bleading\b|\bfriendly\b|\benemy unit\b|\b(?:that|selected) unit\b", re.IGNORECASE)


def defences(abilities: Iterable[UnitAbility], *, one_kind: bool, feel_no_pain: bool = False) -> Defences:
    """Read the abilities of a datasheet.

    ``one_kind``: its models are alike, so that "this model" means each of them. ``feel_no_pain``: they have Feel No
    Pain against everything, beside which a row has no place for another against mortal wounds.
    """
    found, left_out = Defences(), []
    for ability in abilities:
        text = " ".join((ability.text or "").split())
        if not text:
            continue
        match, change = _match(text)
        applies = match is not None and ability.kind == "datasheet" and (match["unit"] is not None or one_kind)
        applies = applies and not (feel_no_pain and "Feel No Pain" in text)
        if applies and match is not None and change is not None:
            found = change(found, match)
        if not (applies and "Psychic Attacks" not in text) and _protects(text):
            left_out.append(ability.name)
    return replace(found, not_modelled=tuple(dict.fromkeys(left_out)))


def _match(text: str) -> tuple[re.Match[str] | None, Callable[[Defences, re.Match[str]], Defences] | None]:
    spoken = re.sub(r"\b([Tt]his model) has\b", r"\1 have", text)
    spoken = re.sub(r"^(Models in this unit|This (?:model|unit))", lambda found: _lower(found[0]), spoken)
    for pattern, change in _READINGS:
        if match := pattern.fullmatch(spoken):
            return match, change
    return None, None


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _protects(text: str) -> bool:
    """Tell whether a text protects the unit that has it: by itself, not its leader, not others around it."""
    if _OTHERS.search(text):
        return False
    return bool(_SET_TO_ZERO.search(text)) or any(effect.side == "defender" for effect in ability_effects(text))
