"""What the dashboard page is told when a datasheet is first opened: its facts and where they come from.

Belongs here: the queries about single datasheets. Doesn't: what the first view needs (``page_data.py``), the laws of
outcomes (``page_laws.py``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import duckdb

from analyses.page_columns import shortened, table
from analyses.page_data import Ledger
from analyses.page_laws import unit_laws
from pipelines.dimensions.gaps import Exchange, uncarried

MOST_ROWS = 150  # of one kind for a datasheet: no real one comes near

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
    "abilities": """
        SELECT a.unit_id, a.kind, a.name, a.parameter, a.text, c.status, c.clause
        FROM unit_abilities AS a
        LEFT JOIN text_coverage AS c ON c.source_id = a.ability_id AND c.status IN ('partly', 'not_modelled')
        ORDER BY a.unit_id, a.position
    """,
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

# What each preferred datasheet says of its weapons, for what no model carries though an option replaces it.
_CARRIED = "SELECT unit_id, default_weapons FROM unit_composition"
_DESCRIBED = "SELECT DISTINCT unit_id, weapon_name FROM weapon_profiles"
_EXCHANGES = """
SELECT unit_id, coalesce(replaces, []), coalesce(gains, []) FROM wargear_options ORDER BY unit_id, position
"""

_LONG = ("text", "clause")


def page_details(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """Facts of the preferred datasheets, a table each, and the laws of the ranked outcomes."""
    places = ledger.places
    tables = {name: table(connection, _bounded(query), places) for name, query in _TABLES.items()}
    for part in tables.values():
        for place in (place for place, name in enumerate(part["columns"], 1) if name in _LONG):
            for row in part["rows"]:
                row[place] = shortened(row[place])
    tables["uncarried"] = {"columns": ["weapon"], "rows": _uncarried(connection, places)}
    return {"tables": tables, "laws": unit_laws(connection, ledger)}


def _uncarried(connection: duckdb.DuckDBPyConnection, places: dict[str, int]) -> list[list[Any]]:
    """Place of a datasheet and weapon: one row for each weapon that an option replaces though nobody carries it."""
    carried: dict[str, list[list[str] | None]] = defaultdict(list)
    for unit_id, weapons in connection.execute(_CARRIED).fetchall():
        carried[unit_id].append(weapons)
    described: dict[str, list[str]] = defaultdict(list)
    for unit_id, weapon in connection.execute(_DESCRIBED).fetchall():
        described[unit_id].append(weapon)
    exchanges: dict[str, list[Exchange]] = defaultdict(list)
    for unit_id, replaces, gains in connection.execute(_EXCHANGES).fetchall():
        exchanges[unit_id].append((replaces, gains))
    return [
        [places[unit_id], weapon]
        for unit_id, swaps in exchanges.items()
        if unit_id in places
        for weapon in uncarried(swaps, carried[unit_id], described[unit_id])[:MOST_ROWS]
    ]


def _bounded(query: str) -> str:
    """The first rows of each unit only: a hostile sheet can't fill the page."""
    return f"""
        SELECT * EXCLUDE (place, place_in_unit) FROM (
            SELECT *, row_number() OVER (PARTITION BY unit_id ORDER BY place) AS place_in_unit
            FROM (SELECT *, row_number() OVER () AS place FROM ({query}))
        ) WHERE place_in_unit <= {MOST_ROWS} ORDER BY place
    """
