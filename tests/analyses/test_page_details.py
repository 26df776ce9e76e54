"""Facts of datasheets, as the page gets them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses import page_details
from analyses.page_columns import LONGEST_TEXT
from analyses.page_data import Ledger, read_ledger
from pipelines.storage.build import connect
from tests.analyses.small_warehouse import HOSTILE, NAMES, small_warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_warehouse(tmp_path_factory.mktemp("details") / "w.duckdb")


@pytest.fixture(scope="module")
def connection(warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(warehouse) as opened:
        yield opened


@pytest.fixture(scope="module")
def ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    return read_ledger(connection)


def _rows(details: dict[str, Any], name: str) -> list[dict[str, Any]]:
    table = details["tables"][name]
    return [dict(zip(["sheet", *table["columns"]], row, strict=True)) for row in table["rows"]]


def test_one_ranked_row_a_unit_phase_target_and_scenario(ledger: Ledger) -> None:
    """Neither a larger size nor a loadout that isn't the best."""
    key = ["unit", "phase", "target", "scenario"]
    assert ledger.outcomes.select(key).is_unique().all()
    assert ledger.units["models"].unique().to_list() == [5]
    assert "other" not in ledger.outcomes["loadout"].to_list()


def test_facts_belong_to_their_sheet(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    details = page_details.page_details(connection, ledger)
    boyz = ledger.sheets["name"].to_list().index("Boyz")
    (model,) = _rows(details, "models")
    assert (model["sheet"], model["model_name"], model["toughness"]) == (boyz, HOSTILE, 5)
    assert (model["invulnerable_save_scope"], model["feel_no_pain"]) == ("ranged", None)
    assert [row["priced_at"] for row in _rows(details, "costs")] == ["2026-06-20", None]
    assert _rows(details, "composition")[0]["default_weapons"] == ["Shoota", HOSTILE]
    assert _rows(details, "as_target")[0]["not_modelled"] == ["Force field"]
    documents = _rows(details, "documents")
    assert sorted(row["sheet"] for row in documents) == list(range(len(NAMES)))
    assert [row["loadout"] for row in _rows(details, "loadouts") if row["sheet"] == boyz] == ["default", HOSTILE]


def test_long_texts_are_cut(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    (ability,) = _rows(page_details.page_details(connection, ledger), "abilities")
    assert len(ability["text"]) == LONGEST_TEXT


def test_rows_of_a_sheet_are_bounded(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_details, "MOST_ROWS", 1)
    details = page_details.page_details(connection, ledger)
    assert [row["priced_at"] for row in _rows(details, "costs")] == ["2026-06-20"]
    assert len(_rows(details, "documents")) == len(NAMES)


def test_what_an_option_replaces_though_nobody_carries_it_belongs_to_its_sheet(tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as writing:
        writing.execute("UPDATE wargear_options SET replaces = [?, 'Shoota']", [HOSTILE])
        writing.execute("UPDATE unit_composition SET default_weapons = ['Shoota']")
    with connect(path) as opened:
        ledger = read_ledger(opened)
        boyz = ledger.sheets["name"].to_list().index("Boyz")
        found = _rows(page_details.page_details(opened, ledger), "uncarried")
    assert found == [{"sheet": boyz, "weapon": HOSTILE}]
