"""Figures against units: rounded to a byte, found again, and by how much they are off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from analyses import page_unit_targets
from analyses.page_data import Ledger, read_ledger
from analyses.page_unit_targets import UNMET, quantised, unit_targets
from pipelines.storage.build import connect, create
from tests.analyses.small_warehouse import small_warehouse


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(small_warehouse(tmp_path_factory.mktemp("grid") / "w.duckdb")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    return read_ledger(connection)


def _value(code: int, scale: dict[str, float]) -> float:
    return 0.0 if code == 0 else scale["least"] * scale["ratio"] ** (code - 1)


def test_each_value_is_within_the_error_that_is_told() -> None:
    values = np.array([0.0, np.nan, *np.geomspace(0.002, 50, 10_000)])
    codes, scale = quantised(values)
    assert (codes[0], codes[1]) == (0, UNMET)
    assert codes[2:].min() == 1
    assert codes[2:].max() == UNMET - 1
    off = np.abs(scale.least * scale.ratio ** (codes[2:] - 1.0) / values[2:] - 1)
    assert off.max() == pytest.approx(scale.error)
    assert scale.error <= scale.ratio**0.5 - 1 + 1e-12
    assert 0.01 < scale.error < 0.021


@pytest.mark.parametrize("values", [[], [0.0, 0.0], [np.nan], [2.5, 2.5, 0.0]])
def test_values_without_a_span(values: list[float]) -> None:
    codes, scale = quantised(np.array(values))
    assert scale.error == 0
    for code, value in zip(codes, values, strict=True):
        assert code == (UNMET if np.isnan(value) else 1 if value else 0)
    if 2.5 in values:
        assert scale.least == 2.5


def test_a_negative_damage_is_refused() -> None:
    with pytest.raises(ValueError, match="below zero"):
        quantised(np.array([-1e-9]))


def test_figures_are_found_by_weapon_unit_and_target(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    head, codes = unit_targets(connection, ledger)
    scale = head["scale"]
    names = ledger.sheets["name"].to_list()
    assert [names[sheet] for sheet in head["targets"]["sheet"]] == ["Boyz"]
    assert head["met"] == {"10e": [0], "11e": [0]}
    place = head["weapons"][0] * head["columns"] + head["targets"]["column"][0]
    assert _value(codes[place], scale) == pytest.approx(3, rel=scale["error"] + 1e-12)
    own = codes[-len(head["units"]["sheet"]) :]
    ids = [ledger.sheets["unit_id"][sheet] for sheet in head["units"]["sheet"]]
    rows = zip(ids, head["units"]["phase"], own, strict=True)
    found = {(unit_id, phase): _value(code, scale) for unit_id, phase, code in rows}
    assert found == pytest.approx(
        {("u1", "shooting"): 2, ("u1", "fight"): 3, ("u3", "shooting"): 0.5, ("u3", "fight"): 1.5},
        rel=scale["error"] + 1e-12,
    )
    assert head["units"]["points"] == [81, 81, 83, 83]
    assert all("Shoota" in text or "img" in text for text in head["units"]["used"]["texts"])


def test_beyond_the_bound_the_weapons_are_left_out(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_unit_targets, "MOST_CELLS", 0)
    head, codes = unit_targets(connection, ledger)
    assert not head["complete"]
    assert head["weapons"] == [-1]
    assert len(codes) == len(head["units"]["sheet"])


def test_like_rows_and_columns_stand_together() -> None:
    grid = np.array([[1, 9, 1], [7, 7, 7], [1, 9, 1], [7, 6, 7]], dtype=np.uint8)
    rows, columns = page_unit_targets._alike(grid)
    assert sorted(rows) == [0, 1, 2, 3]
    ordered: Any = grid[rows][:, columns]
    assert (ordered[0] == ordered[1]).all()
    assert (ordered[:, 0] == ordered[:, 1]).all() or (ordered[:, 1] == ordered[:, 2]).all()


def test_a_warehouse_without_rows_has_none(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    with connect(tmp_path / "w.duckdb") as connection:
        head, codes = unit_targets(connection, read_ledger(connection))
    assert codes == b""
    assert head["complete"]
