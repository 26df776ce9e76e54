"""Facts of datasheets and laws of outcomes, as the page gets them."""

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


def test_laws_follow_the_outcomes(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    laws = page_details.page_details(connection, ledger)["laws"]
    assert laws["complete"]
    heavy = ledger.targets["id"].to_list().index("heavy-infantry")
    for row, target in enumerate(ledger.outcomes["target"]):
        damage = laws["damage"]["laws"][laws["damage"]["codes"][row]]
        models = laws["models"]["laws"][laws["models"]["codes"][row]]
        assert damage == ([250, 0, 500, 0, 250, -1] if target == heavy else [500, 500])
        assert models == ([250, 500, 250] if target == heavy else [1000])
        assert laws["damage_p90"][row] == (4 if target == heavy else 1)


@pytest.mark.parametrize(
    ("most", "kept"), [(100, {"plain", "cover"}), (12, {"plain", "cover"}), (11, set())], ids=["all", "just", "none"]
)
def test_laws_are_bounded(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, most: int, kept: set[str]
) -> None:
    """The two laws have twelve numbers."""
    monkeypatch.setattr(page_details, "MOST_LAW_NUMBERS", most)
    laws = page_details.page_details(connection, ledger)["laws"]
    scenarios = ledger.scenarios["id"].to_list()
    outcomes = zip(ledger.outcomes["scenario"], laws["damage"]["codes"], strict=True)
    assert {scenarios[scenario] for scenario, code in outcomes if code >= 0} == kept
    assert laws["complete"] == (kept != set())
    assert len(laws["damage"]["laws"]) == (2 if kept else 0)


def test_beyond_the_bound_the_plain_scenario_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO outcome_laws BY NAME SELECT * REPLACE (3 AS law_id) FROM outcome_laws LIMIT 1")
        connection.execute("UPDATE unit_matchups SET law_id = 3 WHERE scenario_id = 'cover'")
    monkeypatch.setattr(page_details, "MOST_LAW_NUMBERS", 12)
    with connect(path) as connection:
        ledger = read_ledger(connection)
        laws = page_details.page_details(connection, ledger)["laws"]
    scenarios = [ledger.scenarios["id"][scenario] for scenario in ledger.outcomes["scenario"]]
    assert {scenario: code >= 0 for scenario, code in zip(scenarios, laws["models"]["codes"], strict=True)} == {
        "plain": True,
        "cover": False,
    }
    assert not laws["complete"]


@pytest.mark.parametrize(
    "law", [(1 / 3, 1 / 3, 1 / 3), (0.9996, 0.0004), (0.0, 1.0), (1.0,), tuple(1 / 29 for _ in range(29))]
)
def test_rounded_laws_are_within_a_thousandth(law: tuple[float, ...]) -> None:
    rounded = page_details._thousandths(law)
    assert sum(max(0, part) for part in rounded) == 1000
    for k, share in enumerate(law):
        assert (rounded[k] != 0) == (share > 0)
        assert max(0, rounded[k]) / 1000 == pytest.approx(share, abs=0.001)
        assert sum(max(0, part) for part in rounded[k:]) / 1000 == pytest.approx(sum(law[k:]), abs=0.0005001)
