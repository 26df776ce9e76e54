"""Printed weapon abilities to ``WeaponAbility`` records.

Belongs here: how one ability or a list of them is spelled, in any source and edition. Doesn't: what an ability does
(``simulation``), where on a page it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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

# Abilities of single datasheets, without effect in ``simulation``: only needed to tell them from a weapon's name.
_ABILITIES_BY_NAME = (
    "bubblechukka", "c'tan power", "dead choppy", "harpooned", "hooked", "impaled", "linked fire", "overcharge",
    "plasma warhead", "psychic assassin", "reverberating summons", "snagged",
)  # fmt: skip
# Never printed on a weapon of that kind, though names of such weapons end like it ("Bright lance").
_NOT_ON = {"ranged": frozenset({"lance"}), "melee": frozenset({"pistol", "blast", "torrent", "assault"})}
# Weapons whose name ends like an ability that they may lack.
_NAMES_LIKE_ABILITIES = frozenset({
    "bolt pistol", "plasma pistol", "negotiator pistol", "grav-pistol", "mind assault", "seismic assault",
    "psychic blast", "astral blast", "transmogrifying blast", "bio-plasma torrent", "psychoclastic torrent",
    "arc lance", "abyssal lance", "eldritch lance", "sonic lance", "plasmic lance", "baleblast", "euphonic blast",
})  # fmt: skip
_LONGEST_NAME = 300
_SPACED_KEYWORDS = {"EPICHERO": "EPIC HERO"}

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


def split_weapon_name(printed: str, attack_type: str, *, glued: bool = False) -> tuple[str, str]:
    """Part a name from the abilities printed behind it without brackets; return it with a list in commas.

    Longest match from the right, each ability once. ``glued``: the abilities have lost their blanks as well.
    """
    rest, found = printed.rstrip(), []
    if len(rest) > _LONGEST_NAME:
        return rest, ""
    taken: set[str] = set()
    pattern = _GLUED_TAIL if glued else _SPACED_TAIL
    while (match := pattern.search(rest)) is not None:
        name = rest[: match.start()].rstrip()
        ability, key = _respaced(match)
        if not name or key in taken or key in _NOT_ON.get(attack_type, ()) or name[-1] in "-–—":
            break
        if _ends_like_an_ability(rest) and not _ends_like_an_ability(name):
            break
        taken.add(key)
        found.append(ability)
        rest = name
    return rest, ", ".join(reversed(found))


def _ends_like_an_ability(name: str) -> bool:
    folded = name.casefold()
    return any(folded == known or folded.endswith((f" {known}", f"’s {known}")) for known in _NAMES_LIKE_ABILITIES)


def _respaced(match: re.Match[str]) -> tuple[str, str]:
    """An ability as it is spelled with its blanks, and what tells it from others."""
    if match["against"] is not None:
        keyword = match["against"].strip(" -").upper()
        ability = f"anti-{_SPACED_KEYWORDS.get(keyword, keyword)} {match['threshold']}"
        return ability, ability
    key = _slug(match["bare"] or match["valued"]).replace("_", "")
    spelled = _SPELLED[key]
    return (spelled if match["number"] is None else f"{spelled} {match['number']}"), key


def _tail_pattern(*, glued: bool) -> re.Pattern[str]:
    """A last ability: one of the known names, with its number where it takes one."""
    blank = r"\s*" if glued else r"\s+"

    def names(wanted: Callable[[_Need], bool], more: tuple[str, ...] = ()) -> str:
        known = [slug.replace("_", " ") for slug, need in _KNOWN.items() if wanted(need)] + list(more)
        ordered = sorted(known, key=len, reverse=True)
        return "|".join(re.escape(name).replace(r"\ ", r"[\s-]*" if glued else r"[\s-]+") for name in ordered)

    dice = r"[0-9]*[dD]?[0-9]+(?:\s*\+\s*[0-9]+)?"
    bare = names(lambda need: need != "value", _ABILITIES_BY_NAME)
    valued = names(lambda need: need != "none")
    start = r"(?:(?<=\s)|(?<=[^\W\d_])|(?<=[0-9+)]))" if glued else r"(?:(?<=\s)|^)"
    return re.compile(
        rf"{start}(?:anti[\s-]*(?P<against>[^\W\d_][^0-9+–]{{1,40}}?){blank}(?P<threshold>[2-6]\+)"
        rf"|(?P<valued>{valued}){blank}(?P<number>{dice}|[xX])|(?P<bare>{bare}))$",
        re.IGNORECASE,
    )


_SPACED_TAIL, _GLUED_TAIL = _tail_pattern(glued=False), _tail_pattern(glued=True)
_SPELLED = {_SLUG.sub("", name): name.replace("_", " ") for name in (*_KNOWN, *_ABILITIES_BY_NAME)} | {
    "twinlinked": "twin-linked",
    "closequarters": "close-quarters",
}


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
