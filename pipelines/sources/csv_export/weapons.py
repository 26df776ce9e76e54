"""Rows of the wargear table as weapon profiles.

Belongs here: names, profiles, characteristics and abilities of weapons. Doesn't: who carries them (``loadouts``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from pipelines.records import AttackType, WeaponAbility, WeaponProfile
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.csv_export.tables import Row
from pipelines.sources.values import parse_dice, parse_penetration, parse_range, parse_skill
from pipelines.sources.weapon_abilities import parse_weapon_abilities, parse_weapon_ability

_PROFILE = re.compile(r"(?P<weapon>.+?) [–—-] (?P<profile>.+)")


def read_weapons(rows: Iterable[Row], ledger: Ledger) -> tuple[WeaponProfile, ...]:
    """The weapon profiles of one datasheet; a nameless row says that it has no weapons."""
    profiles: dict[WeaponProfile, None] = {}
    for row in rows:
        if not plain(row["name"]):
            ledger.drop("weaponless_unit", row.line)
            continue
        try:
            profile = _profile(row)
        except ValueError as error:
            ledger.drop("row_unreadable", row.line, f"{plain(row['name'])}: {error}")
            continue
        _note_abilities(row, ledger)
        profiles[profile] = None
    return tuple(profiles)


def _profile(row: Row) -> WeaponProfile:
    name = plain(row["name"])
    named = _PROFILE.fullmatch(name)
    attack_type = _attack_type(row)
    if not row["bs_ws"]:
        raise ValueError("no skill")  # an empty cell must not read as "hits automatically"
    return WeaponProfile(
        weapon_name=named["weapon"] if named else name,
        profile_name=named["profile"] if named else None,
        attack_type=attack_type,
        range_inches=None if attack_type == "melee" else parse_range(row["range"]),
        attacks=parse_dice(row["a"]),
        skill=parse_skill(row["bs_ws"]),
        strength=parse_dice(row["s"]),
        armour_penetration=parse_penetration(row["ap"]),
        damage=parse_dice(row["d"]),
        dice_range=row["dice"] or None,
        abilities=_abilities(row["description"])[0],
        line=row.line,
    )


def _attack_type(row: Row) -> AttackType:
    kind, reach = row["type"].casefold(), row["range"].casefold()
    if kind not in ("ranged", "melee", ""):
        raise ValueError(f"neither ranged nor melee: {row['type'][:40]!r}")
    if not kind and not reach:
        raise ValueError("neither type nor range")
    return "melee" if "melee" in (kind, reach) else "ranged"


@lru_cache(maxsize=4096)
def _abilities(cell: str) -> tuple[tuple[WeaponAbility, ...], tuple[tuple[str, str], ...]]:
    """The abilities of a cell, and what isn't understood of them: (issue code, the ability as printed)."""
    abilities, issues = parse_weapon_abilities(plain(cell))
    if not issues:
        return abilities, ()
    printed = [(parse_weapon_ability(one.printed or ""), one.printed or "") for one in abilities]
    return abilities, tuple((problem[0], text) for (_, problem), text in printed if problem is not None)


def _note_abilities(row: Row, ledger: Ledger) -> None:
    for code, printed in _abilities(row["description"])[1]:
        ledger.note(code, row.line, printed)


def shows_eleventh_edition(abilities: Iterable[WeaponAbility]) -> bool:
    """Whether a weapon prints what only the 11th edition has: a new ability or a condition on an old one."""
    return any(one.ability in ("cleave", "close_quarters") or one.condition is not None for one in abilities)
