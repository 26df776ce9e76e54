"""A small world for rules: units with weapons, archetypes, and rules with their effects, as frames of the warehouse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from pipelines.dimensions.assemble import assemble
from pipelines.dimensions.frames import frame

Row = dict[str, Any]
HOST, OTHERS = "Star Guild", "Moon Guild"
SCENARIOS = assemble([]).frames["scenarios"]


def effect(operation: str, characteristic: str | None = None, value: str | None = None, **changes: Any) -> Row:
    """A row of ``modifiers``; by default for all attacks of a unit."""
    return {
        "side": "attacker", "phase": "any", "attack_type": "any", "condition": None, "operation": operation,
        "characteristic": characteristic, "value": value, "is_modelled": True, "scope": "unit",
    } | changes  # fmt: skip


def weapon(**changes: Any) -> Row:
    """A weapon of a unit and how many it has. It hits and wounds T 4 on 4+."""
    return {
        "attack_type": "ranged", "attacks": "1", "skill": 4, "strength": "4", "armour_penetration": 0, "damage": "1",
        "abilities": (), "count": 1,
    } | changes  # fmt: skip


def unit(name: str, *weapons: Row, keywords: Iterable[str] = ("INFANTRY",), **changes: Any) -> Row:
    """A unit by its name, which is its id; ``abilities``: (kind, name, ability_id, text)."""
    return {
        "name": name, "weapons": weapons, "keywords": tuple(keywords), "models": 1, "points": 100, "faction": HOST,
        "collection": HOST, "edition": "10e", "canonical": name, "leads": (), "abilities": (), "is_preferred": True,
    } | changes  # fmt: skip


def archetype(name: str, **changes: Any) -> Row:
    """A target without saves and so many wounds that none is destroyed."""
    return {
        "target_id": name, "name": name, "kind": "archetype", "toughness": 4, "save": 7, "wounds": 200, "models": 1,
        "points": 400, "keywords": ["INFANTRY"], **_UNHARMED,
    } | changes  # fmt: skip


def volley(name: str, **changes: Any) -> Row:
    """A reference attacker."""
    return {
        "attacker_id": name, "name": name, "description": name, "attack_type": "ranged", "count": 1, "attacks": "1",
        "skill": 4, "strength": "4", "armour_penetration": 0, "damage": "1", "abilities": [], "points": 50,
    } | changes  # fmt: skip


_UNHARMED = {
    "stealth": False, "hit_mod": 0, "wound_mod": 0, "wound_minus_if_stronger": False, "ap_worsen": 0,
    "damage_minus": 0, "damage_half": False, "is_simplified": False,
}  # fmt: skip


def world(
    units: Iterable[Row],
    archetypes: Iterable[Row] = (),
    attackers: Iterable[Row] | None = None,
    targets: Iterable[Row] = (),
    **rules: Iterable[Row],
) -> dict[str, pl.DataFrame]:
    """Frames of units, targets and rules. ``targets``: rows of units as targets, by unit_id.

    ``rules``: rows of the tables stratagems, enhancements, detachment_rules, detachments and text_coverage, each with
    ``effects``: its rows of ``modifiers``.
    """
    units, archetypes = list(units), list(archetypes)
    attacked = [archetype(row["unit_id"], kind="unit", edition="10e") | row for row in targets]
    tables: dict[str, list[Row]] = {name: [] for name in ("stratagems", "enhancements", "detachment_rules")}
    tables |= {"detachments": [], "text_coverage": [], "modifiers": []}
    for table, rows in rules.items():
        for row in rows:
            tables["modifiers"] += _modifiers(row[_KEYS[table]], row.get("effects", ()))
            tables[table].append({name: value for name, value in row.items() if name != "effects"})
    own = {name: [found for one in units for found in read(one)] for name, read in _OF_UNIT.items()}
    best = [row for one in units for row in _unit_matchups(one, archetypes)]
    return {
        **{name: frame(name, rows) for name, rows in {**tables, **own}.items()},
        "unit_matchups": frame("unit_matchups", best),
        "targets": frame("targets", [*archetypes, *attacked]),
        "target_groups": frame("target_groups", []),
        "attackers": frame("attackers", [volley("guns")] if attackers is None else attackers),
        "scenarios": SCENARIOS,
    }


_KEYS = {
    "stratagems": "stratagem_id", "enhancements": "enhancement_id", "detachment_rules": "detachment_rule_id",
    "detachments": "detachment_id", "text_coverage": "source_id",
}  # fmt: skip


def _modifiers(source_id: str, effects: Iterable[Row]) -> Iterable[Row]:
    for position, row in enumerate(effects):
        yield {"modifier_id": f"{source_id}/{position}", "source_id": source_id, **row}


def _units(one: Row) -> Iterable[Row]:
    yield {
        "unit_id": one["name"], "canonical_unit_id": one["canonical"], "source_kind": "text_dump", "stealth": False,
        **{name: one[name] for name in ("name", "collection", "faction", "edition", "is_preferred")},
    }  # fmt: skip


def _keywords(one: Row) -> Iterable[Row]:
    for keyword in one["keywords"]:
        yield {"unit_id": one["name"], "keyword": keyword, "is_faction_keyword": False}


def _leads(one: Row) -> Iterable[Row]:
    for leads in one["leads"]:
        yield {"unit_id": one["name"], "leads": leads}


def _abilities(one: Row) -> Iterable[Row]:
    for position, (kind, name, ability_id, text) in enumerate(one["abilities"], 1):
        yield {
            "unit_id": one["name"], "position": position, "kind": kind, "name": name, "ability_id": ability_id,
            "text": text,
        }  # fmt: skip


def _weapon_id(one: Row, position: int) -> str:
    return f"{one['name']} weapon {position}"


def _weapons(one: Row) -> Iterable[Row]:
    for position, each in enumerate(one["weapons"], 1):
        fields = {name: value for name, value in each.items() if name not in ("abilities", "count")}
        named = {"weapon_profile_id": _weapon_id(one, position), "weapon_name": _weapon_id(one, position)}
        yield {"unit_id": one["name"], **named, **fields}


def _weapon_abilities(one: Row) -> Iterable[Row]:
    for position, each in enumerate(one["weapons"], 1):
        for place, ability in enumerate(each["abilities"], 1):
            yield {"weapon_profile_id": _weapon_id(one, position), "position": place, "ability": ability}


_PHASE = {"ranged": "shooting", "melee": "fight"}


def _loadouts(one: Row) -> Iterable[Row]:
    for position, each in enumerate(one["weapons"], 1):
        yield {
            "unit_id": one["name"], "phase": _PHASE[each["attack_type"]], "position": position,
            "models": one["models"], "points": one["points"], "loadout": "default", "used": "all",
            "weapon_profile_id": _weapon_id(one, position), "count": each["count"],
        }  # fmt: skip


def _unit_matchups(one: Row, archetypes: Iterable[Row]) -> Iterable[Row]:
    for phase in dict.fromkeys(_PHASE[each["attack_type"]] for each in one["weapons"]):
        for target in archetypes:
            yield {
                "unit_id": one["name"], "models": one["models"], "loadout": "default", "used": "all", "is_best": True,
                "phase": phase, "target_id": target["target_id"], "scenario_id": "plain", "ruleset": one["edition"],
                "points": one["points"],
            }  # fmt: skip


_OF_UNIT = {
    "units": _units, "unit_keywords": _keywords, "unit_leads": _leads, "unit_abilities": _abilities,
    "weapon_profiles": _weapons, "weapon_abilities": _weapon_abilities, "unit_loadouts": _loadouts,
}  # fmt: skip


def sizes(frames: Mapping[str, pl.DataFrame]) -> dict[str, tuple[int, int | None]]:
    """Size and price of each unit that attacks somebody."""
    rows = frames["unit_matchups"].select("unit_id", "models", "points").unique().iter_rows()
    return {unit_id: (models, points) for unit_id, models, points in rows}


HOME = {"detachment_id": "home", "name": "Home", "faction": HOST, "edition": "10e"}
"""The detachment of most rules here."""


def stratagem(name: str, *effects: Row, **changes: Any) -> Row:
    """A stratagem of the detachment ``HOME`` for 1 CP; its name is its id."""
    return {
        "stratagem_id": name, "name": name, "cp_cost": 1, "detachment_id": "home", "is_core": False, "edition": "10e",
        "effects": effects,
    } | changes  # fmt: skip


def enhancement(name: str, eligibility: str | None, *effects: Row, **changes: Any) -> Row:
    """An enhancement of the detachment ``HOME`` for 20 points; its name is its id."""
    return {
        "enhancement_id": name, "name": name, "points": 20, "detachment_id": "home", "eligibility_text": eligibility,
        "effects": effects,
    } | changes  # fmt: skip


def rule(name: str, *effects: Row, kind: str = "ability", **changes: Any) -> Row:
    """A faction rule or an ability; its name is its id."""
    return {"source_kind": kind, "source_id": name, "name": name, "edition": "10e", "effects": effects} | changes
