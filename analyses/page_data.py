"""What the dashboard page is told first: the units and their ranked outcomes, weapons, stratagems, data quality.

Belongs here: the queries and the compact form of their answers. Doesn't: what a view needs only once it is opened
(``page_details.py``), what changed between runs (``page_changes.py``), and anything that computes an outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from analyses.page_columns import chances, coded, columns, differences, numbers, records, shortened
from analyses.reports import questions

MOST_LISTED = 1000  # conflicts and corrections that the page tells of: the warehouse has the rest

_SHEETS = """
SELECT u.unit_id, u.name, u.faction, u.collection, u.edition, u.canonical_unit_id, u.availability
FROM units AS u WHERE u.is_preferred ORDER BY u.name, u.faction, u.edition, u.unit_id
"""
_TARGETS = """
SELECT target_id AS id, name, description, models, wounds, points FROM targets
WHERE kind = 'archetype' ORDER BY rowid
"""
_ATTACKERS = """
SELECT attacker_id AS id, name, description, attack_type, count, points FROM attackers ORDER BY attack_type DESC, rowid
"""
_DETACHMENTS = """
SELECT detachment_id AS id, name, faction, edition FROM detachments
WHERE detachment_id IN (SELECT detachment_id FROM rule_uses WHERE has_users) ORDER BY name, faction, edition, id
"""
_SCENARIOS = """
SELECT scenario_id AS id, name, description, applies_to FROM scenarios ORDER BY scenario_id <> 'plain', rowid
"""
# The one place that says which outcomes the page ranks: one row a unit, phase, target and scenario.
_RANKED = """
SELECT um.unit_id, um.ruleset, um.models, um.points, um.phase, um.target_id, um.scenario_id, um.used AS loadout,
       um.expected_damage, um.expected_models_destroyed, um.p_destroy_unit, um.law_id
FROM unit_matchups AS um JOIN units AS u USING (unit_id) JOIN targets AS t USING (target_id)
WHERE u.is_preferred AND t.kind = 'archetype' AND um.is_best
  AND um.models = (SELECT min(models) FROM unit_loadouts AS l WHERE l.unit_id = um.unit_id)
"""
_KEYWORDS = """
SELECT DISTINCT unit_id, keyword FROM unit_keywords ORDER BY unit_id, keyword
"""
_WEAPONS = """
SELECT w.unit_id, w.weapon_profile_id, c.attack_class_id, w.weapon_name, w.profile_name, w.attack_type, w.range_inches,
       w.attacks, w.skill, w.strength, w.armour_penetration, w.damage, p.points, w.line,
       array_to_string(w.not_modelled, ', ') AS not_modelled, coalesce(a.abilities, '') AS abilities
FROM weapon_profiles AS w
JOIN units AS u USING (unit_id)
LEFT JOIN weapon_points AS p USING (weapon_profile_id)
LEFT JOIN attack_classes AS c ON c.weapon_profile_id = w.weapon_profile_id AND c.scenario_id = 'plain'
LEFT JOIN (
  SELECT weapon_profile_id, string_agg(concat_ws(' ', replace(ability, '_', ' '), array_to_string(against_keyword, '/'),
         value), ', ' ORDER BY position) AS abilities
  FROM weapon_abilities GROUP BY weapon_profile_id
) AS a USING (weapon_profile_id)
WHERE u.is_preferred ORDER BY w.weapon_name, w.profile_name, u.name, w.weapon_profile_id
"""
_CODED_OF_WEAPONS = (
    *("weapon_name", "profile_name", "attack_type", "attacks", "strength", "damage", "abilities", "not_modelled"),
)
_WEAPON_DAMAGE = """
SELECT m.weapon_profile_id, m.target_id, m.expected_damage
FROM matchups AS m JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND m.scenario_id = 'plain'
"""
_STRATAGEMS = """
SELECT s.stratagem_id AS id, s.name, s.cp_cost, s.detachment, s.detachment_id, d.faction, s.type, s.is_core, s.edition,
       s.when_text, s.target_text, s.effect_text
FROM stratagems AS s LEFT JOIN detachments AS d USING (detachment_id) ORDER BY s.cp_cost, s.name, id
"""
_STRATAGEM_UNITS = """
SELECT us.stratagem_id, u.name || ' (' || u.edition || ')' AS unit
FROM unit_stratagems AS us JOIN units AS u USING (unit_id) ORDER BY u.name, u.edition
"""
_EFFECTS = """
SELECT source_id, side, phase, attack_type, condition, operation, characteristic, value, is_modelled, note
FROM modifiers WHERE source_kind = 'stratagem' ORDER BY source_id, is_modelled DESC, rowid
"""
_DOCUMENTS = """
SELECT path, title, source_kind, edition, edition_source, line_count, byte_count, dated, status
FROM documents ORDER BY status = 'parsed', source_kind, path
"""
_FAILURES = """
SELECT suite, expectation, table_name, column_name, observed, reason FROM gate_results WHERE NOT success
ORDER BY ALL
"""
# Expectations of one kind on one table are one row: the columns that they are about, how many were met and failed.
_GATE = """
SELECT suite, expectation, table_name, string_agg(column_name, ', ' ORDER BY rowid) AS columns, reason,
       count(*) FILTER (success) AS met, count(*) FILTER (NOT success) AS failed
FROM gate_results GROUP BY suite, expectation, table_name, reason ORDER BY suite, failed DESC, min(rowid)
"""
_CONFLICTS = f"""
SELECT unit_name AS unit, canonical_unit_id, edition, field, value, source_kind, dated, won FROM source_conflicts
ORDER BY min(unit_name) OVER (PARTITION BY canonical_unit_id), canonical_unit_id, edition, field, won DESC, unit_id
LIMIT {MOST_LISTED}
"""
_CORRECTIONS = f"""
SELECT unit, record, selector, field, from_value, to_value, reason, applied, outcome FROM corrections
ORDER BY applied, unit, rowid LIMIT {MOST_LISTED}
"""
_STAGES = """
SELECT stage, seconds, rows FROM run_stages
WHERE run_id = (SELECT arg_max(run_id, finished_at) FROM runs) ORDER BY rowid
"""
_COVERAGE = """
SELECT source_kind AS kind, edition, faction, about_damage, modelled, partly, not_modelled FROM text_coverage_shares
WHERE about_damage > 0 ORDER BY faction, edition, kind
"""
_RUN = """
SELECT run_id, strftime(finished_at, '%Y-%m-%dT%H:%M:%SZ') AS finished_at, code_version FROM runs
ORDER BY finished_at DESC LIMIT 1
"""
_COUNTS = """
SELECT (SELECT count(*) FROM units WHERE is_preferred) AS units, (SELECT count(*) FROM matchups) AS matchups,
       (SELECT count(*) FROM unit_matchups) AS unit_matchups, (SELECT count(*) FROM documents) AS documents,
       (SELECT count(*) FROM gate_results) AS expectations, (SELECT count(*) FROM source_conflicts) AS conflicts,
       (SELECT count(*) FROM gate_results WHERE success) AS expectations_met
"""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The frames that all parts of the page refer to by row number.

    ``sheets``: each preferred datasheet. ``units``: each ranked unit, rule set and size, with the place of its sheet.
    ``outcomes``: the ranked outcomes with the places of their unit, target and scenario, in the page's order, in which
    most columns are long runs. ``weapons``: each preferred sheet's profiles with the class of weapons with equal dice,
    NULL where one meets nothing. ``attackers``: the reference attackers. ``detachments``: those of which a
    rule is compared.
    """

    sheets: pl.DataFrame
    units: pl.DataFrame
    weapons: pl.DataFrame
    targets: pl.DataFrame
    attackers: pl.DataFrame
    detachments: pl.DataFrame
    scenarios: pl.DataFrame
    outcomes: pl.DataFrame

    @property
    def places(self) -> dict[str, int]:
        """Place of each sheet by its unit's id."""
        return {unit_id: place for place, unit_id in enumerate(self.sheets["unit_id"])}


def read_ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    """The frames, read once."""
    sheets = connection.sql(_SHEETS).pl().with_row_index("sheet")
    targets = connection.sql(_TARGETS).pl()
    scenarios = connection.sql(_SCENARIOS).pl()
    ranked = connection.sql(_RANKED).pl()
    key = ["unit_id", "ruleset", "models", "points"]
    units = (
        ranked.select(key)
        .unique()
        .join(sheets.select("sheet", "unit_id"), on="unit_id")
        .sort("sheet", "ruleset", "models", "points")
        .with_row_index("unit")
    )
    outcomes = (
        ranked.join(units.select("unit", *key), on=key, nulls_equal=True)
        .join(targets.select(pl.col("id").alias("target_id")).with_row_index("target"), on="target_id")
        .join(scenarios.select(pl.col("id").alias("scenario_id")).with_row_index("scenario"), on="scenario_id")
        .sort("scenario", "phase", "target", "unit")
    )
    weapons, attackers, detachments = (connection.sql(query).pl() for query in (_WEAPONS, _ATTACKERS, _DETACHMENTS))
    return Ledger(sheets, units, weapons, targets, attackers, detachments, scenarios, outcomes)


def page_data(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """All that the page needs to show its first view and to filter."""
    asked = {question.name: question.sql for question in questions()}
    return {
        "run": next(iter(records(connection, _RUN)), None),
        "counts": records(connection, _COUNTS)[0],
        "targets": columns(ledger.targets),
        "attackers": ledger.attackers.to_dicts(),
        "detachments": ledger.detachments.to_dicts(),
        "scenarios": columns(ledger.scenarios),
        "sheets": _sheets(connection, ledger),
        "units": {
            "sheet": ledger.units["sheet"].to_list(),
            "ruleset": coded(ledger.units["ruleset"]),
            "models": ledger.units["models"].to_list(),
            "points": ledger.units["points"].to_list(),
        },
        "outcomes": _outcomes(ledger.outcomes),
        "weapons": _weapons(connection, ledger),
        "stratagems": _stratagems(connection),
        "documents": records(connection, _DOCUMENTS),
        "issues": records(connection, asked["data_quality"]),
        "deduplication": records(connection, asked["deduplication"]),
        "unknown_equipment": records(connection, asked["unknown_equipment"]),
        "failures": records(connection, _FAILURES),
        "gate": records(connection, _GATE),
        "conflicts": records(connection, _CONFLICTS),
        "corrections": records(connection, _CORRECTIONS),
        "coverage": records(connection, _COVERAGE),
        "stages": records(connection, _STAGES),
    }


def _sheets(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """One entry per preferred datasheet, ranked or not, with its keywords as indices."""
    sheets = ledger.sheets
    held: dict[str, list[str]] = {}
    for unit_id, keyword in connection.execute(_KEYWORDS).fetchall():
        held.setdefault(unit_id, []).append(keyword)
    words = sorted({word for unit_id in sheets["unit_id"] for word in held.get(unit_id, ())})
    place = {word: index for index, word in enumerate(words)}
    return {
        "id": sheets["unit_id"].to_list(),
        "name": sheets["name"].to_list(),
        "faction": coded(sheets["faction"]),
        "collection": coded(sheets["collection"]),
        "edition": coded(sheets["edition"]),
        "availability": coded(sheets["availability"]),
        "canonical": coded(sheets["canonical_unit_id"])["codes"],
        "keywords": words,
        "held": [[place[word] for word in held.get(unit_id, ())] for unit_id in sheets["unit_id"]],
    }


def _outcomes(outcomes: pl.DataFrame) -> dict[str, Any]:
    return {
        "unit": differences(outcomes["unit"]),
        "phase": coded(outcomes["phase"]),
        "target": outcomes["target"].to_list(),
        "scenario": outcomes["scenario"].to_list(),
        "loadout": coded(outcomes["loadout"]),
        "damage": numbers(outcomes["expected_damage"]),
        "destroyed": numbers(outcomes["expected_models_destroyed"]),
        "p": chances(outcomes["p_destroy_unit"]),
    }


def _weapons(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """Every profile with its damage against each archetype: one list a target, in the order of the profiles."""
    weapons = ledger.weapons
    damage = connection.sql(_WEAPON_DAMAGE).pl()
    places = ledger.places
    by_target = [
        numbers(
            weapons.select("weapon_profile_id").join(
                damage.filter(pl.col("target_id") == target), on="weapon_profile_id", how="left", maintain_order="left"
            )["expected_damage"]
        )
        for target in ledger.targets["id"]
    ]
    return {
        **{name: coded(weapons[name]) for name in _CODED_OF_WEAPONS},
        "sheet": [places[unit_id] for unit_id in weapons["unit_id"]],
        "range": weapons["range_inches"].to_list(),
        "skill": weapons["skill"].to_list(),
        "armour_penetration": weapons["armour_penetration"].to_list(),
        "share": numbers(weapons["points"]),
        "line": weapons["line"].to_list(),
        "by_target": by_target,
    }


def _stratagems(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Each stratagem with the units whose own page lists it and the effects read from its text."""
    units: dict[str, list[str]] = {}
    for stratagem_id, unit in connection.execute(_STRATAGEM_UNITS).fetchall():
        units.setdefault(stratagem_id, []).append(unit)
    effects: dict[str, list[dict[str, Any]]] = {}
    for effect in records(connection, _EFFECTS):
        effects.setdefault(effect.pop("source_id"), []).append(effect)
    stratagems = records(connection, _STRATAGEMS)
    for stratagem in stratagems:
        stratagem["units"] = units.get(stratagem["id"], [])
        stratagem["effects"] = effects.get(stratagem["id"], [])
        for field in ("when_text", "target_text", "effect_text"):
            stratagem[field] = shortened(stratagem[field])
    return stratagems
