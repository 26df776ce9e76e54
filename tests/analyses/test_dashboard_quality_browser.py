"""Data quality in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, LONG, small_warehouse
from tests.analyses.visits import Visit


def _page(tmp_path: Path, *changes: str) -> str:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        for change in changes:
            connection.execute(change)
    return build_dashboard(path, tmp_path / "site").as_uri()


SUPERSEDED = """
    INSERT INTO documents BY NAME
    SELECT * REPLACE ('d2' AS document_id, 'superseded' AS status) FROM documents
"""


def test_superseded_documents_are_no_alarm(browser: Any, tmp_path: Path) -> None:
    well = "UPDATE documents SET status = 'parsed'"
    visit = Visit(browser, _page(tmp_path, well, SUPERSEDED))
    visit.show("quality")
    tile = visit.page.locator("#quality-body .figure", has_text="documents")
    assert tile.inner_text().split("\n") == ["2", "documents: 1 parsed, 1 superseded"]
    assert "bad" not in str(tile.get_attribute("class"))
    visit.unharmed()
    visit.context.close()


def test_a_quarantined_document_is_an_alarm(visit: Visit) -> None:
    visit.show("quality")
    tile = visit.page.locator("#quality-body .figure", has_text="documents")
    assert "1 quarantined" in tile.inner_text()
    assert "bad" in str(tile.get_attribute("class"))


def test_every_expectation_stands_with_its_outcome(browser: Any, tmp_path: Path) -> None:
    met = """
        INSERT INTO gate_results BY NAME
        SELECT * EXCLUDE (which) REPLACE (
            'schema' AS suite, 'expect_column_to_exist' AS expectation, which AS column_name, true AS success)
        FROM gate_results, (VALUES ('unit_id'), ('name')) AS t(which)
    """
    visit = Visit(browser, _page(tmp_path, met))
    visit.show("quality")
    assert visit.rows("Expectations of the gate") == [["Rules", "0", "1"], ["Schema", "2", "0"]]
    (failed,) = visit.rows("Expectations: Rules")
    assert failed[0] == "1 failed"
    assert failed[1] == HOSTILE.replace("_", " ")
    (kind,) = visit.rows("Expectations: Schema")
    assert kind == ["2 met", "expect column to exist", "units", "unit_id, name", "a test"]
    visit.unharmed()
    visit.context.close()


def test_conflicts_and_corrections_are_listed(browser: Any, tmp_path: Path) -> None:
    conflict = """
        INSERT INTO source_conflicts BY NAME
        SELECT 'c0' AS canonical_unit_id, edition, 'boy: save' AS field, unit_id, name AS unit_name,
               'text_dump' AS source_kind, value,
               '2026-01-01' AS dated, value = '5' AS won
        FROM units JOIN (VALUES ('u2', '4'), ('u0', '5')) AS t(unit_id, value) USING (unit_id)
    """
    correction = f"""
        INSERT INTO corrections BY NAME
        SELECT 'k1' AS correction_id, document_id, path, source_kind, 'Boyz' AS unit, 'weapon' AS record,
               'weapon_name = Choppa' AS selector, 'attack_type' AS field, 'melee' AS from_value, NULL AS to_value,
               '{HOSTILE.replace("'", "''")}' AS reason, 'r' AS reference, true AS applied, 'applied' AS outcome
        FROM documents
    """
    visit = Visit(browser, _page(tmp_path, conflict, correction))
    visit.show("quality")
    assert visit.rows("Where sources disagree") == [
        ["Boyz (11e)boy: save", "5 (Text dump of 2026-01-01)", "4 (Text dump of 2026-01-01)"]
    ]
    (row,) = visit.rows("Declared corrections")
    assert row == ["Boyzweapon: Choppa: attack type", f"melee → unknown{HOSTILE}", "applied"]
    visit.unharmed()
    visit.context.close()


def test_without_conflicts_and_corrections_that_is_said(visit: Visit) -> None:
    visit.show("quality")
    text = visit.page.inner_text("#quality-body")
    assert "No two sources of one edition disagree about a unit." in text
    assert "No declared correction concerns these documents." in text


def test_unknown_equipment_is_grouped_by_its_kind_with_names(browser: Any, tmp_path: Path) -> None:
    unknown = "UPDATE unit_loadouts SET loadout = NULL, reason = '{1}' WHERE unit_id = '{0}' AND models = 5"
    address = _page(
        tmp_path,
        unknown.format("u0", "the default equipment of Boss Nob is unknown"),
        unknown.format("u3", "the default equipment of Warlock is unknown"),
        unknown.format("u2", "the composition is unknown"),
    )
    visit = Visit(browser, address)
    visit.show("quality")
    rows = visit.rows("Unknown equipment by reason")
    assert [row[:2] for row in rows] == [
        ["the default equipment of some of its models is unknown", "2"],
        ["the composition is unknown", "1"],
    ]
    assert "Boyz (11e: Boss Nob)" in rows[0][2]
    assert rows[1][2] == f"{LONG[:59]}… (11e)"
    visit.unharmed()
    visit.context.close()


@pytest.mark.parametrize("title", [None, LONG])
def test_a_phone_shows_more_of_a_document_than_its_path(browser: Any, tmp_path: Path, title: str | None) -> None:
    address = _page(tmp_path, "UPDATE documents SET title = " + (f"'{title}'" if title else "NULL"))
    visit = Visit(browser, address, viewport={"width": 390, "height": 844})
    visit.open("view=quality")
    cells = visit.page.locator('table[aria-label="Documents"] tbody tr').nth(0).locator("td")
    box = cells.nth(1).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] < 390  # its status is in sight
    assert box["height"] < 120
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390
    visit.context.close()
