"""What the reference attackers need to destroy each datasheet, as the page gets it.

Belongs here: the figures of units that a data file beside the page carries. Doesn't: computing them, and what units do
to others.
"""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from analyses.page_columns import chances, coded, scaled
from analyses.page_data import Ledger

_VOLLEYS = """
SELECT t.unit_id, t.target_id, d.ruleset, d.attacker_id, t.models, t.points, d.weapons_to_destroy AS weapons,
       d.expected_damage AS damage, d.expected_models_destroyed AS destroyed, d.p_destroy_unit AS p,
       s.median_points_to_destroy_per_100_points AS median
FROM unit_durability AS d
JOIN durability AS s USING (target_id, ruleset)
JOIN targets AS t USING (target_id)
WHERE t.kind = 'unit'
"""
_ROW = ["sheet", "target_id", "ruleset"]


def durability(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """A row for each datasheet that is a target, and rule set.

    ``median``: points to destroy per 100 points. ``by_attacker``: for each figure and attacker in turn a column of the
    rows: weapons that destroy the unit, and of one volley the wounds and models (hundredths) and the chance to destroy
    it all.
    """
    found = connection.sql(_VOLLEYS).pl().join(ledger.sheets.select("unit_id", "sheet"), on="unit_id")
    rows = found.select(*_ROW, "models", "points", "median").unique().sort(_ROW)
    by_attacker = [
        rows.select(_ROW).join(found.filter(pl.col("attacker_id") == one), on=_ROW, how="left", maintain_order="left")
        for one in ledger.attackers["id"]
    ]
    return {
        "sheet": rows["sheet"].to_list(),
        "ruleset": coded(rows["ruleset"]),
        "models": rows["models"].to_list(),
        "points": rows["points"].to_list(),
        "median": scaled(rows["median"], 1),
        "by_attacker": {
            "weapons": [one["weapons"].to_list() for one in by_attacker],
            **{
                name: [scaled(one[name], scale) for one in by_attacker]
                for name, scale in (("damage", 100), ("destroyed", 100))
            },
            "p": [chances(one["p"]) for one in by_attacker],
        },
    }
