"""Any unit as the target, by search, in a real browser: from a data file beside the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses import page_unit_targets
from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, RIGHT_TO_LEFT, small_warehouse
from tests.analyses.visits import Visit


def _site(path: Path, changes: dict[int, dict[str, Any]] | None = None) -> Path:
    return build_dashboard(small_warehouse(path / "w.duckdb", changes), path / "site")


def test_a_unit_found_by_search_becomes_the_target(visit: Visit) -> None:
    assert not [url for url in visit.requests if url.endswith(".js")]  # not before it is asked for
    visit.meet("boyz")
    assert [url.rpartition("/")[2] for url in visit.requests if url.endswith(".js")] == ["unit_targets.js"]
    assert visit.count() == "2 ranked"
    assert visit.names() == [HOSTILE[:79] + "…", RIGHT_TO_LEFT]
    assert [visit.column(7), visit.column(8)] == [["≈ 2.5", "≈ 0.6"], ["≈ 2", "≈ 0.5"]]
    assert "against Boyz (11e)" in visit.page.inner_text("#leaderboard-answer")
    rounding = visit.page.inner_text("#leaderboard-rough")
    assert "at most 0." in rounding
    assert "% off" in rounding
    assert visit.page.input_value("#f-target") == "unit"
    assert visit.page.locator("#f-scenario").is_disabled()
    visit.unharmed()


def test_the_link_holds_the_unit_and_filters_apply(visit: Visit) -> None:
    visit.meet("boyz")
    visit.page.select_option("#f-phase", "all")
    visit.settle()
    assert visit.count() == "4 ranked"
    visit.more_filters()
    visit.page.fill("#f-pmin", "82")
    visit.settle()
    visit.open(visit.page.url.partition("#")[2])
    assert visit.count() == "2 of 4 ranked"
    assert "against=u0" in visit.page.url
    visit.page.click("#reset")
    visit.settle()
    assert "against" not in visit.page.url
    assert visit.count() == "4 ranked, 1 without a price"


def test_an_archetype_takes_the_place_of_the_unit(visit: Visit) -> None:
    visit.meet("boyz")
    visit.page.select_option("#f-target", "battle-tank")
    visit.settle()
    assert visit.count() == "4 ranked, 1 without a price"
    assert visit.page.locator("#leaderboard-rough").is_hidden()
    assert visit.page.locator("#f-target option[value=unit]").count() == 0
    assert visit.page.locator("#f-scenario").is_enabled()
    assert "≈" not in visit.column(7)[0]


def test_a_target_without_a_stat_line_says_so(visit: Visit) -> None:
    visit.open("view=leaderboard&against=u1")
    assert "No source gives this unit’s Toughness" in visit.page.inner_text("#leaderboard-table .empty")
    visit.open("view=weapons&against=u1")
    assert "No source gives this unit’s Toughness" in visit.page.inner_text("#weapons-rough")
    visit.unharmed()


def test_csv_of_rounded_figures_has_no_columns_that_are_not_there(visit: Visit) -> None:
    visit.meet("boyz")
    with visit.page.expect_download() as waiting:
        visit.page.click("#leaderboard-csv")
    lines = Path(waiting.value.path()).read_bytes().decode("utf-8-sig").split("\r\n")
    assert len([line for line in lines if line]) == 3
    assert "damage_per_100_points" in lines[0]
    assert "p_destroy" not in lines[0]


def test_every_weapon_meets_the_unit(visit: Visit) -> None:
    visit.meet("boyz")
    visit.page.click("#leaderboard-rough a")
    visit.page.wait_for_selector("#view-weapons:not([hidden])")
    visit.settle()
    row = visit.page.locator("#weapons-table tbody tr:not(.spacer)").first
    assert row.locator("> :nth-child(2)").inner_text() == "≈ 3"
    assert "against Boyz (11e)" in visit.page.inner_text("#weapons-answer")
    assert "% off" in visit.page.inner_text("#weapons-rough")
    visit.page.select_option("#f-target", "heavy-infantry")
    visit.settle()
    assert row.locator("> :nth-child(2)").inner_text() == "1.50"
    assert visit.page.locator("#weapons-rough").is_hidden()
    visit.unharmed()


def test_a_stat_line_of_another_edition_is_marked(browser: Any, tmp_path: Path) -> None:
    visit = Visit(browser, _site(tmp_path, {1: {"edition": "10e"}}).as_uri())
    visit.open("view=leaderboard&against=u0&edition=all")
    tags = visit.page.locator("#leaderboard-table tbody .tag", has_text="11e target")
    assert tags.count() == 1
    visit.context.close()


def test_where_no_unit_attacks_the_weapons_are_pointed_to(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_cells")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=leaderboard&against=u0")
    assert "No unit with known equipment" in visit.page.inner_text("#leaderboard-table .empty")
    assert visit.page.locator("#leaderboard-rough a").is_visible()
    visit.context.close()


def test_too_many_figures_point_to_the_warehouse(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_unit_targets, "MOST_CELLS", 0)
    visit = Visit(browser, _site(tmp_path).as_uri())
    visit.open("view=leaderboard&against=u0")
    assert "unit_versus_unit" in visit.page.inner_text("#leaderboard-table .empty")
    visit.open("view=weapons&against=u0")
    assert "the table matchups" in visit.page.inner_text("#weapons-rough")
    visit.context.close()


@pytest.mark.parametrize(
    ("name", "state"), [("unit_targets", "view=weapons&against=u0"), ("weapon_laws", "view=compare&what=weapons")]
)
def test_a_missing_or_foreign_data_file_helps(browser: Any, tmp_path: Path, name: str, state: str) -> None:
    page = _site(tmp_path)
    file = page.parent / "data" / f"{name}.js"
    whole = file.read_text(encoding="utf-8")
    visit = Visit(browser, page.as_uri())
    if name == "weapon_laws":
        state = visit.first_weapon()
    for text, words in ((None, "isn’t there"), (whole.replace('", "', '", "0', 1), "from another run")):
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_text(text, encoding="utf-8")
        visit.open(state)
        visit.page.wait_for_selector("#loading:not([hidden])")
        assert words in visit.page.inner_text("#loading")
    file.write_text(whole, encoding="utf-8")
    visit.page.select_option("#f-target", "battle-tank")
    visit.open(state)
    assert visit.page.locator("#loading").is_hidden()
    visit.context.close()
