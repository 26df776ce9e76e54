"""Figures against units: rounded to a byte, found again, and by how much they are off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
    size = len(head["units"]["sheet"])
    damage, picked = codes[-2 * size : -size], codes[-size:]
    ids = [ledger.sheets["unit_id"][sheet] for sheet in head["units"]["sheet"]]
    found = {}
    for row, unit_id, phase, first in zip(
        head["units"]["row"], ids, head["units"]["phase"], head["units"]["first"], strict=True
    ):
        attack = first + picked[row]
        used = head["attacks"]["used"]
        assert used["texts"][used["codes"][attack]] == "Shoota"
        assert head["attacks"]["points"][attack] == {"u1": 81, "u3": 83}[unit_id]
        found[unit_id, phase] = _value(damage[row], scale)
    assert found == pytest.approx(
        {("u1", "shooting"): 2, ("u1", "fight"): 3, ("u3", "shooting"): 0.5, ("u3", "fight"): 1.5},
        rel=scale["error"] + 1e-12,
    )


def test_no_unit_of_the_page_lacks_its_column(tmp_path: Path) -> None:
    """Three targets in two classes, in another order than their classes; a third class that only the weapons know."""
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as opened:
        renamed = "REPLACE ('{0}' AS target_id, '{0}' AS unit_id)"
        copy = f"INSERT INTO targets SELECT * {renamed} FROM targets WHERE unit_id = 'u0'"
        for number, unit_id in enumerate(("u1", "u2", "u3")):
            opened.execute(copy.format(unit_id))
            opened.execute(f"INSERT INTO target_classes VALUES ('{unit_id}', 2)")
            opened.execute(f"INSERT INTO matchup_targets VALUES ('11e', '{unit_id}')")
            if unit_id != "u3":
                opened.execute(f"INSERT INTO unit_target_classes VALUES ('{unit_id}', {1 - number})")
        opened.execute("INSERT INTO unit_cells SELECT unit_attack_id - 1, 1, 9, 0, 0 FROM unit_cells")
    with connect(path) as opened:
        head, codes = unit_targets(opened, read_ledger(opened))
    size = 2 * len(head["units"]["sheet"])
    assert head["unit_columns"] == 2
    damage, picked = (np.frombuffer(codes[start:][:size], np.uint8).reshape(-1, 2) for start in (-2 * size, -size))
    of = dict(zip(("u0", "u1", "u2", "u3"), head["targets"]["unit_column"], strict=True))
    assert of["u0"] == of["u2"] != of["u1"]
    assert of["u3"] == -1
    for row in head["units"]["row"]:
        assert _value(damage[row, of["u1"]], head["scale"]) == pytest.approx(9, rel=head["scale"]["error"] + 1e-12)
        assert picked[row].tolist() == [0 if column == of["u1"] else 1 for column in (0, 1)]


def test_beyond_the_bound_the_weapons_are_left_out(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_unit_targets, "MOST_CELLS", 0)
    head, codes = unit_targets(connection, ledger)
    assert head["complete"] == {"weapons": False, "units": False}
    assert head["weapons"] == [-1]
    assert codes == b""


def test_like_rows_and_columns_stand_together() -> None:
    grid = np.array([[1, 9, 1], [7, 7, 7], [1, 9, 1], [7, 6, 7]], dtype=np.uint8)
    rows, columns, ordered = page_unit_targets._alike(grid)
    assert sorted(rows) == [0, 1, 2, 3]
    assert (ordered[np.ix_(rows, columns)] == grid).all()
    assert (ordered[0] == ordered[1]).all()
    assert (ordered[:, 0] == ordered[:, 1]).all() or (ordered[:, 1] == ordered[:, 2]).all()


def test_a_warehouse_without_rows_has_none(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    with connect(tmp_path / "w.duckdb") as connection:
        head, codes = unit_targets(connection, read_ledger(connection))
    assert codes == b""
    assert head["complete"] == {"weapons": True, "units": True}
