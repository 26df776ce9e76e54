"""Printed weapon abilities to ``WeaponAbility`` records.

Belongs here: how one ability or a list of them is spelled, in any source and edition. Doesn't: what an ability does
(``simulation``), where on a page it stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from pipelines.records import Issue, WeaponAbility
from pipelines.sources.values import parse_dice

_Need = Literal["none", "value", "optional"]

# What each known ability takes after its name.
_KNOWN: dict[str, _Need] = {
    "assault": "none",
    "blast": "optional",
    "cleave": "value",
    "close_quarters": "none",
    "conversion": "none",
    "devastating_wounds": "none",
    "extra_attacks": "none",
    "hazardous": "none",
    "heavy": "none",
    "ignores_cover": "none",
    "indirect_fire": "none",
    "lance": "none",
    "lethal_hits": "none",
    "melta": "value",
    "one_shot": "none",
    "pistol": "none",
    "precision": "none",
    "psychic": "none",
    "rapid_fire": "value",
    "sustained_hits": "value",
    "torrent": "none",
    "twin_linked": "none",
}

KNOWN_ABILITIES = frozenset(_KNOWN) | {"anti"}

_SEPARATOR = re.compile(r"\s*[,;]\s*|\.\s+")
_HYPHENS = re.compile(r"[‐‑‒–—−]")
_ANTI = re.compile(r"anti[- ]\s*(?P<keywords>[^0-9+]*?)\s*(?P<value>[0-9]+)?\+?", re.IGNORECASE)
_VALUE = re.compile(r"(?P<name>.*?)\s+(?P<value>[0-9]*[dD]?[0-9]+(?:\s*[+-]\s*[0-9]+)?|[xX])")
_SLUG = re.compile(r"[^0-9a-z]+")


def parse_weapon_abilities(
    printed: str, *, line: int | None = None
) -> tuple[tuple[WeaponAbility, ...], tuple[Issue, ...]]:
    """Read a printed list (``"sustained hits 1, heavy"``); what is printed twice counts once."""
    abilities: dict[tuple[str, str | None, tuple[str, ...], str | None], WeaponAbility] = {}
    issues: list[Issue] = []
    for part in _SEPARATOR.split(printed.strip().strip("[]").rstrip(".")):
        if not part.strip():
            continue
        ability, problem = parse_weapon_ability(part)
        key = (ability.ability, ability.value, ability.against_keywords, ability.condition)
        if key in abilities:
            continue
        abilities[key] = ability
        if problem is not None:
            issues.append(Issue("warning", problem[0], problem[1], line, printed[:200]))
    return tuple(abilities.values()), tuple(issues)


@lru_cache(maxsize=4096)
def parse_weapon_ability(printed: str) -> tuple[WeaponAbility, tuple[str, str] | None]:
    """Read one ability. The second part is None or (issue code, message); the ability is kept either way."""
    text = " ".join(_HYPHENS.sub("-", printed).split()).strip("[] ")
    name, colon, rest = text.partition(":")
    condition = rest.strip() or None if colon else None
    anti = _ANTI.fullmatch(name.strip())
    if anti is not None and anti["keywords"]:
        return _anti(anti, condition, printed)
    slug = _slug(name)
    if _KNOWN.get(slug) is not None:
        return _without_value(slug, condition, printed)
    match = _VALUE.fullmatch(name.strip())
    known = match and _KNOWN.get(_slug(match["name"]))
    if match and known in ("value", "optional"):
        return _with_value(_slug(match["name"]), match["value"], condition, printed)
    ability = WeaponAbility(slug or "unknown", None, (), condition, printed.strip())
    return ability, ("unknown_weapon_ability", f"weapon ability {printed.strip()[:80]!r} isn't known; kept by name")


def _slug(name: str) -> str:
    return _SLUG.sub("_", name.strip().casefold()).strip("_")


def _anti(match: re.Match[str], condition: str | None, printed: str) -> tuple[WeaponAbility, tuple[str, str] | None]:
    keywords = tuple(part.strip().upper() for part in match["keywords"].split("/") if part.strip(" -"))
    threshold = match["value"]
    valid = threshold is not None and threshold in {"2", "3", "4", "5", "6"}
    ability = WeaponAbility("anti", threshold if valid else None, keywords, condition, printed.strip())
    if valid:
        return ability, None
    return ability, ("weapon_ability_value_missing", f"{printed.strip()[:80]!r} has no threshold from 2+ to 6+")


def _without_value(slug: str, condition: str | None, printed: str) -> tuple[WeaponAbility, tuple[str, str] | None]:
    ability = WeaponAbility(slug, None, (), condition, printed.strip())
    if _KNOWN[slug] != "value":
        return ability, None
    return ability, ("weapon_ability_value_missing", f"{printed.strip()[:80]!r} is printed without its number")


def _with_value(
    slug: str, value: str, condition: str | None, printed: str
) -> tuple[WeaponAbility, tuple[str, str] | None]:
    try:
        dice = parse_dice(value)
    except ValueError:
        ability = WeaponAbility(slug, None, (), condition, printed.strip())
        return ability, ("weapon_ability_value_missing", f"{printed.strip()[:80]!r}: {value!r} is no number or dice")
    return WeaponAbility(slug, dice, (), condition, printed.strip()), None
