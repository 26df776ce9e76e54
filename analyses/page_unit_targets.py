"""What every weapon, and each unit of the user's own pages, does to any unit, in one byte a figure.

Belongs here: which figures a data file beside the page carries and how they are rounded. Doesn't: the archetypes, which
the page itself has exactly (``page_data.py``).

A figure is a mean damage, from which the page works out what it is per point. Means span four orders of magnitude, so
the steps are equal ratios; by how much the worst figure is off (some 2 per cent) is measured and told with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from analyses.page_columns import coded
from analyses.page_data import Ledger

STEPS = 254  # codes 1 to 254
UNMET = 255
MOST_CELLS = 16_000_000  # bytes before packing (measured: 4.1 M for the full game in two editions, packed to a quarter)

Codes = npt.NDArray[np.uint8]
Figures = npt.NDArray[np.float64]

_TARGETS = """
SELECT t.target_id, t.unit_id, tc.target_class_id FROM targets AS t JOIN target_classes AS tc USING (target_id)
WHERE t.kind = 'unit' ORDER BY t.target_id
"""
_MET = "SELECT ruleset_edition, target_id FROM matchup_targets ORDER BY ruleset_edition, target_id"
_WEAPON_CELLS = """
SELECT c.attack_class_id, c.target_class_id, o.expected_damage
FROM outcome_cells AS c JOIN outcomes AS o USING (outcome_id)
WHERE c.attack_class_id IN (SELECT attack_class_id FROM wanted)
  AND c.target_class_id IN (
    SELECT target_class_id FROM target_classes JOIN targets USING (target_id) WHERE kind = 'unit'
  )
"""
_UNIT_CELLS = """
SELECT m.unit_id, m.phase, m.models, m.points, m.ruleset, m.target_id, m.used, m.expected_damage
FROM unit_matchups AS m JOIN targets AS t USING (target_id) JOIN units AS u ON u.unit_id = m.unit_id
WHERE t.kind = 'unit' AND u.is_preferred AND m.scenario_id = 'plain' AND m.is_best
ORDER BY m.unit_id, m.phase, m.target_id
"""
_ROW = ["unit_id", "phase", "models", "points", "ruleset"]


@dataclass(frozen=True, slots=True)
class Scale:
    """Code k from 1 on stands for ``least * ratio ** (k - 1)``; 0 for nothing at all, UNMET for no figure.

    ``error``: the largest relative error of the values that it was made for.
    """

    least: float
    ratio: float
    error: float


def quantised(values: Figures) -> tuple[Codes, Scale]:
    """A code for each value, NaN being none, and what the codes stand for. Raises ValueError for one below zero."""
    if (values < 0).any():
        raise ValueError("a mean damage is below zero")
    some = values > 0
    if not some.any():
        return np.where(np.isnan(values), UNMET, 0).astype(np.uint8), Scale(1.0, 1.0, 0.0)
    least, most = values[some].min(), values[some].max()
    ratio = float((most / least) ** (1 / (STEPS - 1)))
    codes = np.where(np.isnan(values), UNMET, 0).astype(np.uint8)
    codes[some] = 1 if ratio == 1 else 1 + np.rint(np.log(values[some] / least) / np.log(ratio)).astype(np.uint8)
    error = np.abs(least * ratio ** (codes[some] - 1.0) / values[some] - 1).max()
    return codes, Scale(float(least), ratio, float(error))


def unit_targets(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> tuple[dict[str, Any], bytes]:
    """A description and the codes: those of the weapons' classes row by row, then those of the own units.

    The description: ``scale``; ``complete``, unless there are too many weapons to carry; ``targets`` with the place of
    each one's sheet and its column of the weapons' codes; ``met``, for each edition the targets that attackers meet;
    ``weapons`` with each one's row, -1 for none; ``units`` with a row for each own unit and phase, whose codes have a
    column for each target.
    """
    places = ledger.places
    targets = connection.sql(_TARGETS).pl().filter(pl.col("unit_id").is_in(list(places)))
    columns = targets["target_class_id"].unique().sort()
    weapon_rows, weapon_values = _weapon_values(connection, ledger, columns)
    units, unit_values, used = _unit_values(connection, targets)
    codes, scale = quantised(np.concatenate([weapon_values.ravel(), unit_values.ravel()]))
    grid = codes[: weapon_values.size].reshape(weapon_values.shape)
    row_order, column_order = _alike(grid)
    row_place, column_place = np.argsort(row_order), np.argsort(column_order)
    target_place = {target_id: place for place, target_id in enumerate(targets["target_id"])}
    column_of = {class_id: int(column_place[place]) for place, class_id in enumerate(columns)}
    met: dict[str, list[int]] = {}
    for edition, target_id in connection.execute(_MET).fetchall():
        if target_id in target_place:
            met.setdefault(edition, []).append(target_place[target_id])
    head = {
        "scale": {"least": scale.least, "ratio": scale.ratio, "error": scale.error},
        "complete": len(weapon_rows) == ledger.weapons["attack_class_id"].drop_nulls().n_unique(),
        "targets": {
            "sheet": [places[unit_id] for unit_id in targets["unit_id"]],
            "column": [column_of[class_id] for class_id in targets["target_class_id"]],
        },
        "met": met,
        "columns": len(columns),
        "weapons": [
            int(row_place[weapon_rows[class_id]]) if class_id in weapon_rows else -1
            for class_id in ledger.weapons["attack_class_id"]
        ],
        "units": {
            "sheet": [places[unit_id] for unit_id in units["unit_id"]],
            **{name: units[name].to_list() for name in ("phase", "models", "points")},
            "ruleset": coded(units["ruleset"]),
            "used": coded(used),
        },
    }
    return head, grid[row_order][:, column_order].tobytes() + codes[weapon_values.size :].tobytes()


def _weapon_values(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, columns: pl.Series
) -> tuple[dict[int, int], Figures]:
    """The row of each class of weapons, and its mean damage to each class of targets; none where there are too many."""
    classes = ledger.weapons["attack_class_id"].drop_nulls().unique().sort()
    if len(classes) * len(columns) > MOST_CELLS:
        return {}, np.empty((0, len(columns)))
    connection.register("wanted", pl.DataFrame({"attack_class_id": classes}))
    cells = connection.sql(_WEAPON_CELLS).pl()
    connection.unregister("wanted")
    cells = cells.join(
        pl.DataFrame({"attack_class_id": classes}).with_row_index("row"), on="attack_class_id", how="inner"
    ).join(pl.DataFrame({"target_class_id": columns}).with_row_index("column"), on="target_class_id", how="inner")
    values = np.full((len(classes), len(columns)), np.nan)
    values[cells["row"].to_numpy(), cells["column"].to_numpy()] = cells["expected_damage"].to_numpy()
    return {class_id: row for row, class_id in enumerate(classes)}, values


def _unit_values(
    connection: duckdb.DuckDBPyConnection, targets: pl.DataFrame
) -> tuple[pl.DataFrame, Figures, list[str | None]]:
    """Own units, a row each phase; their mean damage to each target; what they use for each, row by row."""
    cells = connection.sql(_UNIT_CELLS).pl()
    rows = cells.select(_ROW).unique(maintain_order=True).with_row_index("row")
    cells = cells.join(rows, on=_ROW, nulls_equal=True).join(
        targets.select("target_id").with_row_index("column"), on="target_id"
    )
    values = np.full((rows.height, targets.height), np.nan)
    used = np.full((rows.height, targets.height), None, dtype=object)
    places = cells["row"].to_numpy(), cells["column"].to_numpy()
    values[places] = cells["expected_damage"].to_numpy()
    used[places] = cells["used"].to_list()
    return rows, values, used.ravel().tolist()


def _alike(grid: Codes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Orders of rows and of columns that bring like ones together, which halves the packed size."""
    rows = np.lexsort(grid.T[::-1]) if grid.size else np.arange(grid.shape[0])
    columns = np.lexsort(grid[rows][::-1]) if grid.size else np.arange(grid.shape[1])
    return rows, columns
