"""A warehouse small enough to read, with names that nobody should trust, for tests of the dashboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from pipelines.dimensions.frames import frame as exact_frame
from pipelines.storage.build import create
from tests.analyses.small_rules import TABLES
from warehouse.schema import tables

HOSTILE = "<img src=x onerror=\"window.pwned='unit'\"></script><script>window.pwned='script'</script>"
LONG = "Ancient " * 1250
RIGHT_TO_LEFT = "\u202eמלחמה كتيبة"
LONG_LOADOUT = ", ".join(f"{count} × Shoota of pattern {count}" for count in range(2, 30))
MOMENT = datetime(2026, 11, 30, 12, 0)
NAMES = ("Boyz", HOSTILE, LONG, RIGHT_TO_LEFT, "=HYPERLINK(1)")

_NOTHING = {"BOOLEAN": False, "INTEGER": 0, "DOUBLE": 0.0, "VARCHAR": "", "VARCHAR[]": []}


def frame(table: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    """A frame of rows that need not name what they have nothing of, though the table asks for it."""
    usual = {
        column.name: _NOTHING[column.type]
        for column in tables()[table].columns
        if not column.null and column.type in _NOTHING
    }
    return exact_frame(table, [{**usual, **row} for row in rows])


# Against five models, with a share that rounds to nothing, and against one.
LAWS = (
    {"law_id": 1, "damage": [0.25, 0.0, 0.5, 0.0, 0.2496, 0.0004], "models": [0.25, 0.5, 0.25], "damage_p10": 0,
     "damage_p50": 2, "damage_p90": 4, "models_p10": 0, "models_p50": 1, "models_p90": 2},
    {"law_id": 2, "damage": [0.5, 0.5], "models": [1.0], "damage_p10": 0, "damage_p50": 0, "damage_p90": 1,
     "models_p10": 0, "models_p50": 0, "models_p90": 0},
)  # fmt: skip


def _unit(number: int, name: str, edition: str = "11e") -> dict[str, Any]:
    return {
        "unit_id": f"u{number}",
        "document_id": "d1",
        "name": name,
        "name_source": "dataset",
        "collection": "Orks",
        "faction_id": "orks" if number % 2 == 0 else "hostile",
        "faction": "Orks" if number % 2 == 0 else HOSTILE,
        "edition": edition,
        "source_kind": "community_dataset",
        "canonical_unit_id": f"c{number}",
        "is_preferred": True,
        "stealth": False,
    }


def _outcome(number: int, phase: str, target: str, scenario: str, points: int | None) -> dict[str, Any]:
    """More damage with each number; against the tank only the first unit ever destroys the model."""
    damage = 1 + number * (2 if scenario == "cover" else 3) / 7
    destroyed = damage / 2 if target == "heavy-infantry" else 0.4 * (number == 0)
    return {
        "unit_id": f"u{number}",
        "models": 5,
        "loadout": "default",
        "used": {0: LONG_LOADOUT, 1: f"5 × {HOSTILE}"}.get(number, "5 × Shoota"),
        "is_best": True,
        "law_id": 1 if target == "heavy-infantry" else 2,
        "phase": phase,
        "target_id": target,
        "scenario_id": scenario,
        "ruleset": "11e",
        "expected_damage": damage,
        "expected_models_destroyed": destroyed,
        "p_destroy_unit": min(1, 0.01 * number),
        "points": points,
        "damage_per_100_points": None if points is None else 100 * damage / points,
        "points_destroyed_per_100_points": None if points is None else 100 * destroyed * 16 / points,
    }


_DAMAGE = {("u1", "shooting"): 2.0, ("u1", "fight"): 3.0, ("u3", "shooting"): 0.5, ("u3", "fight"): 1.5}


def _against_unit() -> dict[str, pl.DataFrame]:
    """Two units against the first one; each could also attack another way, which is best against nobody here."""
    attacks, cells = [], []
    for unit_id, phase in _DAMAGE:
        points = {"u1": 81, "u3": 83}[unit_id]
        for used, price in (("other", points + 9), ("Shoota", points)):
            attacks.append({"unit_attack_id": len(attacks), "unit_id": unit_id, "models": 5, "loadout": "default",
                            "phase": phase, "ruleset": "11e", "points": price, "used": used})  # fmt: skip
        cells.append({"unit_attack_id": len(attacks) - 1, "unit_target_class_id": 0,
                      "expected_damage": _DAMAGE[unit_id, phase]})  # fmt: skip
    return {
        "unit_attacks": frame("unit_attacks", attacks),
        "unit_cells": frame("unit_cells", cells),
        "unit_target_classes": frame("unit_target_classes", [{"target_id": "u0", "unit_target_class_id": 0}]),
    }


# The only weapon against each target: to the first unit three wounds, a figure that no archetype has.
_CELLS = (("heavy-infantry", 1.5, 1), ("battle-tank", 0.5, 2), ("u0", 3.0, None))


def _grid() -> dict[str, pl.DataFrame]:
    numbered = [(number, *cell) for number, cell in enumerate(_CELLS)]
    return {
        "attack_classes": frame("attack_classes", [{"weapon_profile_id": "w1", "scenario_id": "plain", "ruleset": "11e", "attack_class_id": 7}]),  # noqa: E501
        "target_classes": frame("target_classes", [{"target_id": target, "target_class_id": n} for n, target, *_ in numbered]),  # noqa: E501
        "outcome_cells": frame("outcome_cells", [{"attack_class_id": 7, "target_class_id": n, "outcome_id": n} for n, *_ in numbered]),  # noqa: E501
        "outcomes": frame("outcomes", [{"outcome_id": n, "expected_damage": damage, "law_id": law} for n, _, damage, law in numbered]),  # noqa: E501
        "matchup_targets": frame("matchup_targets", [{"ruleset_edition": edition, "target_id": target} for edition in ("10e", "11e") for target, *_ in _CELLS]),  # noqa: E501
        "weapon_points": frame("weapon_points", [{"weapon_profile_id": "w1", "points": 16.0}]),
    }  # fmt: skip


def small_warehouse(
    path: Path,
    changes: Mapping[int, dict[str, Any]] | None = None,
    names: Sequence[str] = NAMES,
    history: Mapping[str, Sequence[dict[str, Any]]] | None = None,
    rules: Mapping[str, Sequence[dict[str, Any]]] | None = None,
) -> Path:
    """Five units, two targets, two scenarios of which cover changes something for two units; one unit has no price.

    Only the first unit's datasheet says more than its name; it is the only unit that is a target, of two units and of
    its own weapon. ``changes`` to unit rows by number; ``names`` of other units, or more; ``history``: rows of the
    history tables, of runs that ended in the order of their names; ``rules``: rows instead of those of ``small_rules``.
    """
    units = [{**_unit(number, name), **(changes or {}).get(number, {})} for number, name in enumerate(names)]
    targets = [
        {"target_id": name, "name": f"{name} (T5 3+ W2, {models} models)", "kind": "archetype",
         "toughness": 5, "save": 3, "wounds": 2, "models": models, "points": 80, "keywords": ["INFANTRY"]}
        for name, models in (("heavy-infantry", 5), ("battle-tank", 1))
    ]  # fmt: skip
    itself = {**targets[0], "target_id": "u0", "name": "Boyz", "kind": "unit", "unit_id": "u0", "edition": "11e",
              "is_simplified": True, "not_modelled": ["Force field"]}  # fmt: skip
    scenarios = [
        {"scenario_id": name, "name": name.title(), "description": name, "half_range": False, "long_range": False,
         "stationary": False, "charged": False, "cover": name == "cover", "visible": True, "applies_to": "any"}
        for name in ("plain", "cover")
    ]  # fmt: skip
    outcomes = [
        _outcome(number, phase, target["target_id"], scenario, None if number == 4 else 80 + number)
        for number in range(len(names))
        for phase in ("shooting", "fight")
        for target in targets
        for scenario in ("plain", "cover")
        if scenario == "plain" or (phase == "shooting" and number < 2)
    ]
    told = {row["run_id"] for rows in (history or {}).values() for row in rows}
    runs = [
        {"run_id": run_id, "started_at": MOMENT, "finished_at": MOMENT + timedelta(hours=place), "code_version": "0",
         "input_fingerprint": "f", "rows_in": 1, "rows_out": 1}
        for place, run_id in enumerate(sorted(told | {"r1"}))
    ]  # fmt: skip
    carried = [
        {"unit_id": f"u{number}", "phase": phase, "position": 1, "models": models, "points": 80, "loadout": loadout,
         "used": "Shoota", "weapon_profile_id": "w1", "count": 1}
        for number in range(len(names)) for phase in ("shooting", "fight")
        for models, loadout in ((5, "default"), (10, HOSTILE))
    ]  # fmt: skip
    larger = [{**row, "models": 10, "expected_damage": 99.0} for row in outcomes[:1]]
    other = [
        {**row, "loadout": "other", "used": "other", "is_best": False, "expected_damage": 0.5} for row in outcomes[:1]
    ]
    profile = {"weapon_profile_id": "w1", "unit_id": "u0", "weapon_name": HOSTILE, "attack_type": "ranged",
               "range_inches": 18, "attacks": "D6", "skill": 5, "strength": "4", "armour_penetration": 0,
               "damage": "1", "line": 12, "not_modelled": ["linked_fire"]}  # fmt: skip
    create(
        path,
        {
            "runs": frame("runs", runs),
            "run_stages": frame("run_stages", [{"run_id": "r1", "stage": "ingest", "seconds": 0.5, "rows": 3}]),
            "gate_results": frame("gate_results", [{"suite": "rules", "expectation": HOSTILE, "table_name": "units", "column_name": "*", "success": False, "observed": "1", "reason": "a test"}]),  # noqa: E501
            "documents": frame("documents", [{"document_id": "d1", "path": HOSTILE, "source_kind": "text_dump", "byte_count": 1, "status": "quarantined"}]),  # noqa: E501
            "factions": frame("factions", [{"faction_id": "orks", "name": "Orks"}, {"faction_id": "hostile", "name": HOSTILE}]),  # noqa: E501
            "units": frame("units", units),
            "unit_keywords": frame("unit_keywords", [{"unit_id": f"u{n}", "keyword": "INFANTRY", "is_faction_keyword": False} for n in range(3)]),  # noqa: E501
            "targets": frame("targets", [*targets, itself]),
            "scenarios": frame("scenarios", scenarios),
            "unit_matchups": frame("unit_matchups", [*outcomes, *larger, *other]),
            "unit_loadouts": frame("unit_loadouts", carried),
            **_grid(),
            **_against_unit(),
            "outcome_laws": frame("outcome_laws", LAWS),
            "unit_models": frame("unit_models", [{"unit_id": "u0", "model_name": HOSTILE, "movement": 6, "toughness": 5, "save": 4, "invulnerable_save": 5, "invulnerable_save_scope": "ranged", "wounds": 2, "leadership": 7, "objective_control": 1, "base_size": "32mm", "stat_source": "community_dataset"}]),  # noqa: E501
            "unit_costs": frame("unit_costs", [{"unit_id": "u0", "position": 1, "models": 5, "points": 80, "kind": "base", "priced_at": "2026-06-20"}, {"unit_id": "u0", "position": 2, "models": 5, "points": 10, "kind": "add_on", "item": HOSTILE, "copies_from": 3}]),  # noqa: E501
            "unit_composition": frame("unit_composition", [{"unit_id": "u0", "model_name": "Boy", "min_models": 5, "max_models": 10, "default_weapons": ["Shoota", HOSTILE], "default_weapons_source": "text_dump"}]),  # noqa: E501
            "wargear_options": frame("wargear_options", [{"unit_id": "u0", "position": 1, "action": "replace", "replaces": ["Shoota"], "gains": [HOSTILE]}]),  # noqa: E501
            "unit_abilities": frame("unit_abilities", [{"unit_id": "u0", "position": 1, "kind": "datasheet", "name": HOSTILE, "text": LONG, "ability_id": "a1"}]),  # noqa: E501
            "weapon_profiles": frame("weapon_profiles", [profile]),
            "stratagems": frame("stratagems", [{"stratagem_id": "s1", "name": HOSTILE, "cp_cost": 1, "type": "Battle Tactic", "is_core": True, "edition": "11e", "effect_text": HOSTILE}]),  # noqa: E501
            "unit_stratagems": frame("unit_stratagems", [{"unit_id": "u0", "stratagem_id": "s1"}]),
            **{table: frame(table, rows) for table, rows in {**TABLES, **(rules or {}), **(history or {})}.items()},
        },
    )  # fmt: skip
    return path
