"""Writes the dashboard: one self-contained page from a published warehouse.

Belongs here: what the page is told (queries and the compact form of their answers) and how its parts are put together
(template, style, scripts, policy). Doesn't: what the page shows and how it behaves, which is ``page/``, and anything
that computes an outcome.

The data travel as columns: text as indices into a list, numbers to five significant digits, ``unit`` as differences.
Everything is gzip in base64, so no name from a source can end a script element or be read as markup.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analyses.reports import questions
from pipelines.storage.build import UnreadableWarehouseError, connect

PAGE = Path(__file__).parent / "page"

# Joined in this order into one script: each file may use what the files before it define.
SCRIPTS = (
    "format.js",
    "data.js",
    "state.js",
    "table.js",
    "order.js",
    "leaderboard.js",
    "heatmap.js",
    "tradeoff.js",
    "weapons.js",
    "stratagems.js",
    "quality.js",
    "main.js",
)
LIBRARY = PAGE / "vendor" / "echarts.min.js"
DIGITS = 5
LONGEST_TEXT = 700  # of rules texts; names are never cut

_UNITS = """
SELECT um.unit_id, um.ruleset, um.models, um.points, u.name, u.faction, u.collection, u.edition, u.canonical_unit_id,
       u.availability
FROM unit_matchups AS um JOIN units AS u USING (unit_id)
WHERE u.is_preferred
GROUP BY ALL ORDER BY u.name, u.faction, u.edition, um.unit_id, um.ruleset, um.models
"""
_TARGETS = """
SELECT target_id AS id, name, description, models, points FROM targets
WHERE kind = 'archetype' ORDER BY rowid
"""
_SCENARIOS = """
SELECT scenario_id AS id, name, description, applies_to FROM scenarios ORDER BY scenario_id <> 'plain', rowid
"""
_OUTCOMES = """
SELECT um.unit_id, um.ruleset, um.models, um.points, um.phase, um.target_id, um.scenario_id, um.loadout,
       um.expected_damage, um.expected_models_destroyed, um.p_destroy_unit
FROM unit_matchups AS um JOIN units AS u USING (unit_id) JOIN targets AS t USING (target_id)
WHERE u.is_preferred AND t.kind = 'archetype'
"""
_KEYWORDS = """
SELECT DISTINCT unit_id, keyword FROM unit_keywords ORDER BY unit_id, keyword
"""
_WEAPONS = """
SELECT w.weapon_profile_id, w.weapon_name, w.profile_name, w.attack_type, w.range_inches, w.attacks, w.skill,
       w.strength, w.armour_penetration, w.damage, p.points, u.name AS unit, u.faction, u.edition, u.availability,
       array_to_string(w.not_modelled, ', ') AS not_modelled, coalesce(a.abilities, '') AS abilities
FROM weapon_profiles AS w
JOIN units AS u USING (unit_id)
LEFT JOIN weapon_points AS p USING (weapon_profile_id)
LEFT JOIN (
  SELECT weapon_profile_id, string_agg(concat_ws(' ', replace(ability, '_', ' '), array_to_string(against_keyword, '/'),
         value), ', ' ORDER BY position) AS abilities
  FROM weapon_abilities GROUP BY weapon_profile_id
) AS a USING (weapon_profile_id)
WHERE u.is_preferred ORDER BY w.weapon_name, w.profile_name, u.name, w.weapon_profile_id
"""
_CODED_OF_WEAPONS = (
    *("weapon_name", "profile_name", "attack_type", "attacks", "strength", "damage"),
    *("unit", "faction", "edition", "availability", "abilities", "not_modelled"),
)
_WEAPON_DAMAGE = """
SELECT m.weapon_profile_id, m.target_id, m.expected_damage
FROM matchups AS m JOIN targets AS t USING (target_id)
WHERE t.kind = 'archetype' AND m.scenario_id = 'plain'
"""
_STRATAGEMS = """
SELECT stratagem_id, name, cp_cost, detachment, type, is_core, edition, when_text, target_text, effect_text
FROM stratagems ORDER BY cp_cost, name, stratagem_id
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
_STAGES = """
SELECT stage, seconds, rows FROM run_stages
WHERE run_id = (SELECT arg_max(run_id, finished_at) FROM runs) ORDER BY rowid
"""
_RUN = """
SELECT run_id, strftime(finished_at, '%Y-%m-%dT%H:%M:%SZ') AS finished_at, code_version FROM runs
ORDER BY finished_at DESC LIMIT 1
"""
_COUNTS = """
SELECT (SELECT count(*) FROM units WHERE is_preferred) AS units, (SELECT count(*) FROM matchups) AS matchups,
       (SELECT count(*) FROM unit_matchups) AS unit_matchups, (SELECT count(*) FROM documents) AS documents,
       (SELECT count(*) FROM gate_results) AS expectations,
       (SELECT count(*) FROM gate_results WHERE success) AS expectations_met
"""


def build_dashboard(warehouse: Path, folder: Path) -> Path:
    """Write ``index.html`` into the folder; returns its path. An earlier page stays whole until the new one is.

    Raises UnreadableWarehouseError where the file can't be opened or lacks what the page shows.
    """
    with connect(warehouse) as connection:
        try:
            page = render(page_data(connection))
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            reason = str(error).splitlines()[0]
            raise UnreadableWarehouseError(
                f"{warehouse}: another version wrote it ({reason}); run the pipeline again"
            ) from error
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    unfinished = folder / ".index.html.new"
    unfinished.write_text(page, encoding="utf-8", newline="\n")
    os.replace(unfinished, path)
    return path


def page_data(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """All that the page shows."""
    units = connection.sql(_UNITS).pl().with_row_index("unit")
    targets = connection.sql(_TARGETS).pl()
    asked = {question.name: question.sql for question in questions()}
    scenarios = connection.sql(_SCENARIOS).pl()
    return {
        "run": next(iter(_records(connection, _RUN)), None),
        "counts": _records(connection, _COUNTS)[0],
        "targets": _columns(targets),
        "scenarios": _columns(scenarios),
        "units": _units(connection, units),
        "outcomes": _outcomes(connection, units, targets, scenarios),
        "weapons": _weapons(connection, targets),
        "stratagems": _stratagems(connection),
        "documents": _records(connection, _DOCUMENTS),
        "issues": _records(connection, asked["data_quality"]),
        "deduplication": _records(connection, asked["deduplication"]),
        "unknown_equipment": _records(connection, asked["unknown_equipment"]),
        "failures": _records(connection, _FAILURES),
        "stages": _records(connection, _STAGES),
    }


def render(data: dict[str, Any]) -> str:
    """The page's text: template, style, scripts and data in one, under a policy that names their hashes."""
    style = (PAGE / "page.css").read_text(encoding="utf-8")
    script = _script()
    library = LIBRARY.read_text(encoding="utf-8")
    loader = Environment(loader=FileSystemLoader(PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    # Style and script are the project's own and stand as they are: the policy's hashes hold for their exact text.
    return loader.get_template("page.html.j2").render(
        policy=content_security_policy(scripts=(script, library), styles=(style,)),
        style=Markup(style),
        script=Markup(script),
        library=_packed(library.encode()),
        data=_packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()),
    )


def content_security_policy(scripts: Sequence[str], styles: Sequence[str]) -> str:
    """A policy that allows exactly these inline texts, images in the page itself, and no request at all."""
    allowed = [
        " ".join([directive, *(_hash_source(text) for text in texts)])
        for directive, texts in (("script-src", scripts), ("style-src", styles))
    ]
    return "; ".join(["default-src 'none'", *allowed, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, compresslevel=9, mtime=0)).decode()


def _script() -> str:
    parts = [f"// ---- {name}\n{(PAGE / 'js' / name).read_text(encoding='utf-8')}" for name in SCRIPTS]
    script = "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})();\n"
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ValueError("the page's scripts contain text that would end their element")
    return script


def _records(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    return [{name: _plain(value) for name, value in zip(names, row, strict=True)} for row in answer.fetchall()]


def _plain(value: Any) -> Any:
    """A value as JSON has it: decimals of sums become numbers, whole floats integers."""
    if value is None or isinstance(value, bool | int | str):
        return value
    number = float(value)
    return int(number) if number.is_integer() else float(f"{number:.{DIGITS}g}")


def _columns(frame: pl.DataFrame) -> dict[str, list[Any]]:
    return {name: [_plain(value) for value in frame[name].to_list()] for name in frame.columns}


def _numbers(values: pl.Series) -> list[float | int | None]:
    """Quantised, and whole numbers without their '.0', which halves the text."""
    rounded = values.cast(pl.Float64).round_sig_figs(DIGITS).to_list()
    return [None if value is None else int(value) if value == int(value) else value for value in rounded]


def _coded(values: Iterable[str | None]) -> dict[str, list[Any]]:
    """A text column as the list of its distinct values and one index a row; NULL is -1."""
    texts: dict[str, int] = {}
    codes = [-1 if value is None else texts.setdefault(value, len(texts)) for value in values]
    return {"texts": list(texts), "codes": codes}


def _units(connection: duckdb.DuckDBPyConnection, units: pl.DataFrame) -> dict[str, Any]:
    """One entry per attacking unit, rule set and size, with its keywords as indices."""
    held: dict[str, list[str]] = {}
    for unit_id, keyword in connection.execute(_KEYWORDS).fetchall():
        held.setdefault(unit_id, []).append(keyword)
    words = sorted({word for unit_id in set(units["unit_id"]) for word in held.get(unit_id, ())})
    place = {word: index for index, word in enumerate(words)}
    return {
        "name": units["name"].to_list(),
        "faction": _coded(units["faction"]),
        "collection": _coded(units["collection"]),
        "edition": _coded(units["edition"]),
        "ruleset": _coded(units["ruleset"]),
        "availability": _coded(units["availability"]),
        "canonical": _coded(units["canonical_unit_id"])["codes"],
        "models": units["models"].to_list(),
        "points": units["points"].to_list(),
        "keywords": words,
        "held": [[place[word] for word in held.get(unit_id, ())] for unit_id in units["unit_id"]],
    }


def _outcomes(
    connection: duckdb.DuckDBPyConnection, units: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame
) -> dict[str, Any]:
    """Every outcome of a unit against an archetype; ordered so that most columns are long runs."""
    rows = (
        connection.sql(_OUTCOMES)
        .pl()
        .join(
            units.select("unit", "unit_id", "ruleset", "models", "points"),
            on=["unit_id", "ruleset", "models", "points"],
            nulls_equal=True,
        )
        .join(targets.select(pl.col("id").alias("target_id")).with_row_index("target"), on="target_id")
        .join(scenarios.select(pl.col("id").alias("scenario_id")).with_row_index("scenario"), on="scenario_id")
        .sort("scenario", "phase", "target", "unit")
    )
    return {
        "unit": rows["unit"].cast(pl.Int64).diff().fill_null(rows["unit"].cast(pl.Int64)).to_list(),
        "phase": _coded(rows["phase"]),
        "target": rows["target"].to_list(),
        "scenario": rows["scenario"].to_list(),
        "loadout": _coded(rows["loadout"]),
        "damage": _numbers(rows["expected_damage"]),
        "destroyed": _numbers(rows["expected_models_destroyed"]),
        "p": _numbers(rows["p_destroy_unit"]),
    }


def _weapons(connection: duckdb.DuckDBPyConnection, targets: pl.DataFrame) -> dict[str, Any]:
    """Every profile with its damage against each archetype: one list a target, in the order of the profiles."""
    weapons = connection.sql(_WEAPONS).pl()
    damage = connection.sql(_WEAPON_DAMAGE).pl()
    by_target = [
        _numbers(
            weapons.select("weapon_profile_id").join(
                damage.filter(pl.col("target_id") == target), on="weapon_profile_id", how="left", maintain_order="left"
            )["expected_damage"]
        )
        for target in targets["id"]
    ]
    return {
        **{name: _coded(weapons[name]) for name in _CODED_OF_WEAPONS},
        "range": weapons["range_inches"].to_list(),
        "skill": weapons["skill"].to_list(),
        "armour_penetration": weapons["armour_penetration"].to_list(),
        "share": _numbers(weapons["points"]),
        "by_target": by_target,
    }


def _stratagems(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Each stratagem with the units whose own page lists it and the effects read from its text."""
    units: dict[str, list[str]] = {}
    for stratagem_id, unit in connection.execute(_STRATAGEM_UNITS).fetchall():
        units.setdefault(stratagem_id, []).append(unit)
    effects: dict[str, list[dict[str, Any]]] = {}
    for effect in _records(connection, _EFFECTS):
        effects.setdefault(effect.pop("source_id"), []).append(effect)
    stratagems = _records(connection, _STRATAGEMS)
    for stratagem in stratagems:
        stratagem_id = stratagem.pop("stratagem_id")
        stratagem["units"] = units.get(stratagem_id, [])
        stratagem["effects"] = effects.get(stratagem_id, [])
        for field in ("when_text", "target_text", "effect_text"):
            stratagem[field] = _shortened(stratagem[field])
    return stratagems


def _shortened(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
