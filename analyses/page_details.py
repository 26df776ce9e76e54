"""What the dashboard page is told when a datasheet is first opened: its facts, where they come from, and the laws.

Belongs here: the queries about single datasheets and the compact form of outcome laws. Doesn't: what the first view
needs (``page_data.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import duckdb
import polars as pl

from analyses.page_columns import shortened, table
from analyses.page_data import Ledger

MOST_ROWS = 150  # of one kind for a datasheet: no real one comes near
MOST_LAW_NUMBERS = 1_500_000  # probabilities on the page; beyond it, the plain scenario's laws only, or none
LAW_SCALE = 1000

# Each begins with the unit's id; the page gets the rows in this order.
_TABLES = {
    "documents": """
        SELECT u.unit_id, d.path, u.line, d.source_kind, d.edition, d.edition_source, d.dated, d.status, u.name_source
        FROM units AS u JOIN documents AS d USING (document_id) ORDER BY u.unit_id
    """,
    "models": "SELECT unit_id, * EXCLUDE (unit_id) FROM unit_models ORDER BY unit_id, rowid",
    "costs": """
        SELECT unit_id, models, models_max, points, kind, condition, item, copies_from, copies_to, priced_at
        FROM unit_costs ORDER BY unit_id, position
    """,
    "composition": """
        SELECT unit_id, model_name, min_models, max_models, default_weapons, default_weapons_source
        FROM unit_composition ORDER BY unit_id, rowid
    """,
    "options": """
        SELECT unit_id, text, action, replaces, gains, quantity, eligibility
        FROM wargear_options ORDER BY unit_id, position
    """,
    "abilities": "SELECT unit_id, kind, name, parameter, text FROM unit_abilities ORDER BY unit_id, position",
    "keywords": """
        SELECT unit_id, keyword, model_name, is_faction_keyword FROM unit_keywords
        ORDER BY unit_id, is_faction_keyword, model_name NULLS FIRST, keyword
    """,
    "damaged": """
        SELECT unit_id, wounds_from, wounds_to, hit_modifier, objective_control_modifier, text
        FROM unit_damaged_brackets ORDER BY unit_id
    """,
    "leads": "SELECT unit_id, leads FROM unit_leads ORDER BY unit_id, leads",
    "as_target": """
        SELECT unit_id, models, points, is_simplified, not_modelled FROM targets
        WHERE kind = 'unit' ORDER BY unit_id, target_id
    """,
    "loadouts": """
        SELECT DISTINCT unit_id, models, points, loadout FROM unit_loadouts WHERE loadout IS NOT NULL
        ORDER BY unit_id, models, loadout <> 'default', loadout, points
    """,
    "unknown": """
        SELECT DISTINCT unit_id, phase, reason FROM unit_loadouts WHERE loadout IS NULL AND reason IS NOT NULL
        ORDER BY unit_id, phase
    """,
    "conflicts": """
        SELECT u.unit_id, c.field, c.source_kind, c.value, c.dated, c.won
        FROM source_conflicts AS c JOIN units AS u USING (canonical_unit_id, edition)
        WHERE u.is_preferred ORDER BY u.unit_id, c.field, c.won DESC, c.unit_id
    """,
}
_LAWS = """
SELECT law_id, damage, models, damage_p10, damage_p50, damage_p90, models_p10, models_p50, models_p90
FROM outcome_laws WHERE law_id IN (SELECT law_id FROM wanted)
"""
_PERCENTILES = ("damage_p10", "damage_p50", "damage_p90", "models_p10", "models_p50", "models_p90")


def page_details(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """Facts of the preferred datasheets, a table each, and the laws of the ranked outcomes."""
    places = ledger.places
    tables = {name: table(connection, _bounded(query), places) for name, query in _TABLES.items()}
    for part in tables.values():
        if "text" in part["columns"]:
            text = part["columns"].index("text") + 1
            for row in part["rows"]:
                row[text] = shortened(row[text])
    return {"tables": tables, "laws": _laws(connection, ledger)}


def _bounded(query: str) -> str:
    """The first rows of each unit only: a hostile sheet can't fill the page."""
    return f"""
        SELECT * EXCLUDE (place, place_in_unit) FROM (
            SELECT *, row_number() OVER (PARTITION BY unit_id ORDER BY place) AS place_in_unit
            FROM (SELECT *, row_number() OVER () AS place FROM ({query}))
        ) WHERE place_in_unit <= {MOST_ROWS} ORDER BY place
    """


def _laws(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """For each outcome in the ledger's order the indices of its two laws and its percentiles, -1 where there is none.

    Laws are lists of thousandths; -1 stands for a probability above nothing that rounds to nothing.
    """
    wanted = ledger.outcomes.select("law_id", is_plain=_is_plain(ledger))
    connection.register("wanted", wanted.select("law_id").unique())
    laws = connection.sql(_LAWS).pl()
    connection.unregister("wanted")
    kept = _within_bounds(wanted, laws)
    rows = wanted.with_columns(law_id=pl.when(kept).then("law_id")).join(
        laws, on="law_id", how="left", maintain_order="left"
    )
    numbers = {name: [-1 if value is None else value for value in rows[name].to_list()] for name in _PERCENTILES}
    damage, models = _coded_laws(rows["damage"].to_list()), _coded_laws(rows["models"].to_list())
    return {"scale": LAW_SCALE, "complete": bool(kept.all()), "damage": damage, "models": models, **numbers}


def _is_plain(ledger: Ledger) -> pl.Series:
    plain = [scenario == "plain" for scenario in ledger.scenarios["id"]]
    return pl.Series([plain[scenario] for scenario in ledger.outcomes["scenario"]], dtype=pl.Boolean)


def _within_bounds(wanted: pl.DataFrame, laws: pl.DataFrame) -> pl.Series:
    """Which outcomes' laws the page carries: all, those of the plain scenario, or none."""
    lengths = laws.select("law_id", numbers=pl.col("damage").list.len() + pl.col("models").list.len())
    for kept in (pl.Series([True] * wanted.height, dtype=pl.Boolean), wanted["is_plain"]):
        distinct = wanted.filter(kept).select("law_id").unique()
        if (distinct.join(lengths, on="law_id")["numbers"].sum() or 0) <= MOST_LAW_NUMBERS:
            return kept
    return pl.Series([False] * wanted.height, dtype=pl.Boolean)


def _coded_laws(laws: Sequence[Sequence[float] | None]) -> dict[str, list[Any]]:
    distinct: dict[tuple[int, ...], int] = {}
    codes = [-1 if law is None else distinct.setdefault(_thousandths(law), len(distinct)) for law in laws]
    return {"laws": [list(law) for law in distinct], "codes": codes}


def _thousandths(law: Sequence[float]) -> tuple[int, ...]:
    """Differences of the rounded tails, so that both P(k) and P(at least k) are within one thousandth."""
    tails = [*accumulate(reversed(law))][::-1]
    rounded = [LAW_SCALE, *(round(LAW_SCALE * tail) for tail in tails[1:]), 0]
    steps = pairwise(rounded)
    return tuple(
        -1 if here == after and share > 0 else here - after for share, (here, after) in zip(law, steps, strict=True)
    )
