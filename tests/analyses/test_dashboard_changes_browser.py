"""What changed since an earlier run, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, RIGHT_TO_LEFT, small_warehouse
from tests.analyses.visits import Visit


def test_one_run_says_how_changes_come_about(visit: Visit) -> None:
    visit.open("view=changes")
    assert "first run" in visit.page.inner_text("#changes-answer")
    assert "run again" in visit.page.inner_text("#changes-body")
    assert not visit.page.locator("#f-since").is_visible()


def test_what_changed_between_two_runs(browser: Any, two_runs: str) -> None:
    visit = Visit(browser, two_runs)
    visit.open("view=changes")
    assert "2 datasheets, 2 prices, 1 weapon profile, 2 rules texts" in visit.page.inner_text("#changes-answer")
    assert [row[-1] for row in visit.rows("Datasheets")] == ["new", "gone"]
    prices = {row[2]: row[2:6] for row in visit.rows("Points")}
    assert prices["100"] == ["100", "80", "▼ −20 (−20.0 %)", "+25.0 %"]
    assert prices["70"] == ["70", "75", "▲ +5 (+7.1 %)", "weapons changed too"]
    assert visit.rows("Damage per point") == [
        ["Boyz 11e", "+25.0 %", "Shooting", "points", "100 → 80", "5", "+25.0 %", "+25.0 %"]
    ]
    assert "the damage per point of 1 unit" in visit.page.inner_text("#changes-answer")
    (weapon,) = visit.rows("Weapon profiles")
    assert weapon[2] == "A was 2 → D6"
    visit.page.fill("#f-q", "boyz")
    visit.settle()
    assert len(visit.rows("Points")) == 1
    assert "1 of 2 pass the search" in visit.page.inner_text("#changes-body")
    visit.unharmed()
    visit.context.close()


def test_an_earlier_run_can_be_compared_with(browser: Any, tmp_path: Path) -> None:
    cost = {"unit_id": "u0", "unit_name": "Boyz", "position": 1, "models": 5, "kind": "base"}
    costs = [{**cost, "run_id": run_id, "points": points} for run_id, points in (("r0", 90), ("r1", 80), ("r2", 80))]
    warehouse = small_warehouse(tmp_path / "w.duckdb", history={"history_costs": costs})
    visit = Visit(browser, build_dashboard(warehouse, tmp_path / "site").as_uri())
    visit.open("view=changes")
    assert "Nothing differs" in visit.page.inner_text("#changes-answer")
    assert "An earlier one does" in visit.page.inner_text("#changes-answer")
    assert visit.page.locator("#changes-body h2").count() == 0  # what didn't change has no section
    assert visit.page.inner_text("#changes-body") == (
        "The earlier run kept no weapon profiles, rules texts and damage per point, so nothing is said of that."
    )
    visit.page.select_option("#f-since", "1")
    visit.settle()
    assert visit.rows("Points")[0][2:4] == ["90", "80"]
    assert visit.page.locator("#changes-body h2").all_text_contents() == ["Points (1)"]
    visit.open(visit.page.url.partition("#")[2])
    assert visit.page.input_value("#f-since") == "1"
    assert "1 price" in visit.page.inner_text("#changes-answer")
    visit.unharmed()
    visit.context.close()


def test_word_differences_are_marked_by_more_than_colour(browser: Any, two_runs: str) -> None:
    visit = Visit(browser, two_runs)
    visit.open("view=changes")
    card = visit.page.locator("#changes-body .card", has_text="reworded")
    gone, come = card.locator("del"), card.locator("ins")
    assert gone.text_content() == f"removed: {HOSTILE}"
    assert come.text_content() == f"added: {RIGHT_TO_LEFT}"
    line = "element => getComputedStyle(element).textDecorationLine"
    assert (gone.evaluate(line), come.evaluate(line)) == ("line-through", "underline")
    sign = "element => getComputedStyle(element, '::before').content"
    assert (gone.evaluate(sign), come.evaluate(sign)) == ('"−"', '"+"')
    assert visit.page.locator("#changes-body .card", has_text="new").locator("details").count() == 1
    visit.unharmed()
    visit.context.close()
