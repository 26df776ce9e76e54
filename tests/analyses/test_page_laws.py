"""Laws of outcomes, as the page gets them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from analyses import page_laws
from analyses.page_data import Ledger, read_ledger
from pipelines.storage.build import connect
from tests.analyses.small_warehouse import small_warehouse


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(small_warehouse(tmp_path_factory.mktemp("laws") / "w.duckdb")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    return read_ledger(connection)


def test_laws_follow_the_outcomes(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    laws = page_laws.unit_laws(connection, ledger)
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
    monkeypatch.setattr(page_laws, "MOST_LAW_NUMBERS", most)
    laws = page_laws.unit_laws(connection, ledger)
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
    monkeypatch.setattr(page_laws, "MOST_LAW_NUMBERS", 12)
    with connect(path) as connection:
        ledger = read_ledger(connection)
        laws = page_laws.unit_laws(connection, ledger)
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
    rounded = page_laws._thousandths(law)
    assert sum(max(0, part) for part in rounded) == 1000
    for k, share in enumerate(law):
        assert (rounded[k] != 0) == (share > 0)
        assert max(0, rounded[k]) / 1000 == pytest.approx(share, abs=0.001)
        assert sum(max(0, part) for part in rounded[k:]) / 1000 == pytest.approx(sum(law[k:]), abs=0.0005001)


def test_each_class_of_weapons_has_its_laws(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    laws = page_laws.weapon_laws(connection, ledger)
    assert laws["class_of"] == [0]
    by_target = dict(zip(ledger.targets["id"], laws["damage"]["codes"], strict=True))
    assert laws["damage"]["laws"][by_target["heavy-infantry"]] == [250, 0, 500, 0, 250, -1]
    assert laws["damage"]["laws"][by_target["battle-tank"]] == [500, 500]


def test_a_weapon_that_meets_nothing_has_no_class(tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM attack_classes")
    with connect(path) as connection:
        laws = page_laws.weapon_laws(connection, read_ledger(connection))
    assert laws["class_of"] == [-1]
    assert laws["damage"] == {"laws": [], "codes": []}
