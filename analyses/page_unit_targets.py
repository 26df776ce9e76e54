"""What every weapon and every unit does to any unit, in one byte a figure.

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
MOST_CELLS = 16_000_000  # figures of the weapons, and of the units (measured: 4.1 M each for the full game, see _alike)

Codes = npt.NDArray[np.uint8]
Figures = npt.NDArray[np.float64]

_TARGETS = """
SELECT t.target_id, t.unit_id, tc.target_class_id, uc.unit_target_class_id
FROM targets AS t JOIN target_classes AS tc USING (target_id) LEFT JOIN unit_target_classes AS uc USING (target_id)
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
_UNIT_ATTACKS = """
SELECT unit_attack_id, a.unit_id, a.phase, a.models, a.ruleset, a.points, a.used
FROM unit_attacks AS a JOIN units AS u USING (unit_id) WHERE u.is_preferred
ORDER BY a.unit_id, a.phase, unit_attack_id
"""
_UNIT_CELLS = """
SELECT unit_attack_id, unit_target_class_id, expected_damage FROM unit_cells
WHERE unit_attack_id IN (SELECT unit_attack_id FROM wanted)
"""
_ROW = ["unit_id", "phase", "models", "ruleset"]


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


@dataclass(frozen=True, slots=True)
class _UnitFigures:
    """What units do to classes of targets, each ``columns``.

    ``rows``: units and phases; ``attacks``: how these attack, row by row; ``values``: mean damage, ``picked``: which of
    the row's attacks does it, [row, column].
    """

    rows: pl.DataFrame
    attacks: pl.DataFrame
    columns: pl.Series
    values: Figures
    picked: Codes


def unit_targets(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> tuple[dict[str, Any], bytes]:
    """A description and the codes, row by row: those of the weapons' classes, of the units, of how the units attack.

    The description: ``scale``; ``complete``, unless there are too many weapons or units to carry; ``targets`` with the
    place of each one's sheet and its columns of the weapons' and of the units' codes; ``met``, for each edition the
    targets that attackers meet; ``weapons`` with each one's row, -1 for none; ``units`` with each unit and phase, its
    row of codes and its first attack; ``attacks`` with price and weapons used.
    """
    places = ledger.places
    targets = connection.sql(_TARGETS).pl().filter(pl.col("unit_id").is_in(list(places)))
    columns = targets["target_class_id"].unique().sort()
    weapon_rows, weapon_values = _weapon_values(connection, ledger, columns)
    units = _unit_figures(connection, targets)
    codes, scale = quantised(np.concatenate([weapon_values.ravel(), units.values.ravel()]))
    grid = codes[: weapon_values.size].reshape(weapon_values.shape)
    unit_grid = codes[weapon_values.size :].reshape(units.values.shape)
    row_place, column_place, packed_grid = _alike(grid)
    unit_place, unit_column_place, packed_units = _alike(unit_grid)
    picked = np.empty_like(units.picked)
    picked[np.ix_(unit_place, unit_column_place)] = units.picked
    target_place = {target_id: place for place, target_id in enumerate(targets["target_id"])}
    met: dict[str, list[int]] = {}
    for edition, target_id in connection.execute(_MET).fetchall():
        if target_id in target_place:
            met.setdefault(edition, []).append(target_place[target_id])
    head = {
        "scale": {"least": scale.least, "ratio": scale.ratio, "error": scale.error},
        "complete": {
            "weapons": len(weapon_rows) == ledger.weapons["attack_class_id"].drop_nulls().n_unique(),
            "units": units.rows.is_empty() or units.values.size > 0,
        },
        "targets": {
            "sheet": [places[unit_id] for unit_id in targets["unit_id"]],
            "column": _found(targets["target_class_id"], columns, column_place),
            "unit_column": _found(targets["unit_target_class_id"], units.columns, unit_column_place),
        },
        "met": met,
        "columns": len(columns),
        "unit_columns": len(units.columns),
        "weapons": [
            int(row_place[weapon_rows[class_id]]) if class_id in weapon_rows else -1
            for class_id in ledger.weapons["attack_class_id"]
        ],
        "units": {
            "sheet": [places[unit_id] for unit_id in units.rows["unit_id"]],
            "phase": units.rows["phase"].to_list(),
            "models": units.rows["models"].to_list(),
            "ruleset": coded(units.rows["ruleset"]),
            "row": unit_place.tolist(),
            "first": units.rows["first"].to_list(),
        },
        "attacks": {"points": units.attacks["points"].to_list(), "used": coded(units.attacks["used"])},
    }
    return head, packed_grid.tobytes() + packed_units.tobytes() + picked.tobytes()


def _found(class_ids: pl.Series, columns: pl.Series, places: npt.NDArray[np.intp]) -> list[int]:
    """The column of each class of targets once the columns stand in their places; -1 for a class without one."""
    column_of = {class_id: int(places[place]) for place, class_id in enumerate(columns)}
    return [column_of.get(class_id, -1) for class_id in class_ids]


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


def _unit_figures(connection: duckdb.DuckDBPyConnection, targets: pl.DataFrame) -> _UnitFigures:
    """Preferred units, a row each phase, against each class of targets; none of them where there are too many."""
    attacks = connection.sql(_UNIT_ATTACKS).pl()
    columns = targets["unit_target_class_id"].drop_nulls().unique().sort()
    rows = (
        attacks.group_by(_ROW, maintain_order=True)
        .agg(attacks=pl.len())
        .with_columns(first=pl.col("attacks").cum_sum() - pl.col("attacks"))
    )
    if rows.height * len(columns) > MOST_CELLS:
        none = np.empty((rows.height, 0))
        return _UnitFigures(rows, attacks, columns.clear(), none, none.astype(np.uint8))
    connection.register("wanted", attacks.select("unit_attack_id"))
    cells = connection.sql(_UNIT_CELLS).pl()
    connection.unregister("wanted")
    place = attacks.select("unit_attack_id", row=pl.struct(_ROW).rle_id()).with_columns(
        place=pl.int_range(pl.len()).over("row")
    )
    cells = cells.join(place, on="unit_attack_id").join(
        pl.DataFrame({"unit_target_class_id": columns}).with_row_index("column"), on="unit_target_class_id"
    )
    values = np.full((rows.height, len(columns)), np.nan)
    picked = np.zeros(values.shape, dtype=np.uint8)
    at = cells["row"].to_numpy(), cells["column"].to_numpy()
    values[at], picked[at] = cells["expected_damage"].to_numpy(), cells["place"].to_numpy()
    return _UnitFigures(rows, attacks, columns, values, picked)


def _alike(grid: Codes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Codes]:
    """The places of rows and columns that bring like ones together, which halves the packed size, and that grid."""
    rows = np.lexsort(grid.T[::-1]) if grid.size else np.arange(grid.shape[0])
    columns = np.lexsort(grid[rows][::-1]) if grid.size else np.arange(grid.shape[1])
    return np.argsort(rows), np.argsort(columns), grid[rows][:, columns]
