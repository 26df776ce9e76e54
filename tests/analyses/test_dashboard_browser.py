"""The page in a real browser: it works from a file, asks nothing of the network, and runs no name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, LONG, LONG_LOADOUT, NAMES, RIGHT_TO_LEFT, small_warehouse
from tests.analyses.visits import VIEWS, Visit


@pytest.fixture(scope="module")
def two_editions(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The first two units are one in two editions, the third is Legends, the fourth a part of another datasheet."""
    folder = tmp_path_factory.mktemp("editions")
    changes: dict[int, dict[str, Any]] = {
        1: {"edition": "10e", "canonical_unit_id": "c0"},
        2: {"availability": "legends"},
        3: {"availability": "virtual"},
    }
    return build_dashboard(small_warehouse(folder / "w.duckdb", changes), folder / "site").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_silent_offline_and_runs_no_name(browser: Any, address: str, scheme: str) -> None:
    visit = Visit(browser, address, color_scheme=scheme)
    for view in VIEWS:
        visit.show(view)
        assert visit.page.inner_text(f"#view-{view} h1")
    assert visit.page.evaluate("window.pwned") is None
    assert visit.page.locator("img").count() == 0
    assert visit.problems == []
    assert [url for url in visit.requests if not url.startswith(("file:", "data:", "about:"))] == []
    background = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    darkness = sum(int(part) for part in background.removeprefix("rgb(").removesuffix(")").split(","))
    assert (darkness < 150) == (scheme == "dark")
    visit.context.close()


def test_hostile_names_are_shown_as_text(visit: Visit) -> None:
    names = visit.names()
    assert len(names) == len(NAMES)
    assert any(name.startswith("<img src=x") for name in names)
    assert RIGHT_TO_LEFT in names
    assert max(map(len, names)) <= 80
    assert visit.page.locator(f'[title="{LONG}"]').count() == 1


def test_hostile_names_on_hover_of_the_chart(visit: Visit) -> None:
    visit.show("tradeoff")
    box = visit.page.locator("#tradeoff-chart canvas").bounding_box()
    for x in range(60, int(box["width"]), 160):
        for y in range(20, int(box["height"]), 60):
            visit.page.mouse.move(box["x"] + x, box["y"] + y)
    assert visit.page.evaluate("window.pwned") is None
    assert visit.problems == []


def test_best_first_and_units_without_a_price_last_in_both_directions(visit: Visit) -> None:
    assert visit.column(7)[-1] == "–"
    first = visit.column(7)[:-1]
    assert first == sorted(first, key=float, reverse=True)
    head = visit.page.locator("#leaderboard-table thead th").nth(6)
    assert head.get_attribute("aria-sort") == "descending"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert visit.column(7) == [*reversed(first), "–"]


def test_damage_per_point_leads_unless_another_metric_is_chosen(visit: Visit) -> None:
    visit.page.select_option("#f-target", "battle-tank")
    head = visit.page.locator("#leaderboard-table thead [aria-sort]")
    assert head.inner_text().startswith("Damage")
    assert visit.names()[0] == RIGHT_TO_LEFT
    assert "wounds taken off for each 100 points" in visit.page.inner_text("#leaderboard-answer")
    visit.page.click("#leaderboard-table thead button:has-text('Destroyed')")
    assert visit.names()[0] == "Boyz"
    assert "points destroyed for each 100 points" in visit.page.inner_text("#leaderboard-answer")


def test_what_is_not_counted_stands_by_the_ranking_and_in_the_guide(visit: Visit) -> None:
    for words in ("range", "charging", "Hazardous", "stratagems", "abilities", "leaders"):
        assert words in visit.page.inner_text("#view-leaderboard .limits")
    visit.page.click("#view-leaderboard .limits a")
    guide = visit.page.inner_text("#view-reading")
    assert "What isn’t counted" in guide
    assert "Why damage ranks first" in guide


@pytest.mark.parametrize("width", [390, 1440])
def test_the_loadout_stands_under_the_name_and_in_full_on_focus(browser: Any, address: str, width: int) -> None:
    visit = Visit(browser, address, viewport={"width": width, "height": 900})
    visit.page.fill("#f-q", "boyz")
    loadout = visit.page.locator("#leaderboard-table tbody .under").first
    assert loadout.get_attribute("title") == LONG_LOADOUT
    box = loadout.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert box["height"] < 40
    loadout.click()
    assert loadout.evaluate("element => element.scrollHeight === element.clientHeight && element.clientHeight > 40")
    visit.context.close()


def test_many_rows_keep_their_order_under_filters(browser: Any, tmp_path: Path) -> None:
    names = [f"Unit {number}" for number in range(2600)]
    page = build_dashboard(small_warehouse(tmp_path / "w.duckdb", names=names), tmp_path / "site")
    visit = Visit(browser, page.as_uri())
    visit.page.select_option("#f-target", "all")
    visit.page.select_option("#f-phase", "all")
    assert visit.count() == "10,396 ranked, 4 without a price"
    assert visit.column(5)[:20] == sorted(visit.column(5)[:20], key=float, reverse=True)
    visit.page.click("#leaderboard-table thead button:has-text('Expected')")
    assert visit.names()[:5] == ["Unit 2599"] * 4 + ["Unit 2598"]
    visit.page.click("#leaderboard-table thead button:has-text('Damage /')")
    visit.page.locator("#leaderboard-table tbody tr[tabindex='0']").focus()
    visit.page.keyboard.press("End")
    last = visit.page.locator("#leaderboard-table tbody tr[tabindex='0'] > *")
    assert [last.nth(0).inner_text(), last.nth(4).inner_text()] == ["–", "–"]
    for _ in range(4):  # the rows without a price
        visit.page.keyboard.press("ArrowUp")
    assert last.nth(0).inner_text() == "10,393"  # four equal figures share the best of their places
    assert last.nth(0).evaluate("cell => cell.scrollWidth <= cell.clientWidth")
    visit.page.fill("#f-q", "unit 259")
    assert visit.count() == "52 of 10,396 ranked, 0 of 4 without a price"
    visit.page.click("#leaderboard-table thead button:has-text('Unit')")
    assert visit.names()[:5] == ["Unit 259"] * 4 + ["Unit 1259"]
    visit.context.close()


def test_a_phone_shows_the_sorted_figure_beside_the_name(browser: Any, address: str) -> None:
    visit = Visit(browser, address, viewport={"width": 390, "height": 844})
    visit.open("view=leaderboard&target=all")
    visit.page.click("#leaderboard-table thead button:has-text('Destroyed')")
    head = visit.page.locator("#leaderboard-table thead th").nth(2)
    assert head.get_attribute("aria-sort") == "descending"
    assert head.bounding_box()["x"] + head.bounding_box()["width"] <= 390
    assert visit.page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "descending"
    visit.context.close()


def test_arrow_keys_go_from_row_to_row(visit: Visit) -> None:
    visit.page.locator("#leaderboard-table tbody tr[tabindex='0']").focus()
    for key, place in (("ArrowDown", "3"), ("End", "6"), ("ArrowDown", "6"), ("ArrowUp", "5"), ("Home", "2")):
        visit.page.keyboard.press(key)
        assert visit.page.evaluate("document.activeElement.ariaRowIndex") == place
        assert visit.page.locator("#leaderboard-table tbody tr[tabindex='0']").count() == 1


@pytest.mark.parametrize("width", [390, 1440])
def test_tags_stay_in_sight_behind_long_names(browser: Any, address: str, width: int) -> None:
    visit = Visit(browser, address, viewport={"width": width, "height": 900})
    visit.open("view=leaderboard&scenario=cover&q=ancient")
    tag = visit.page.locator("#leaderboard-table tbody .tag", has_text="plain").bounding_box()
    cell = visit.page.locator("#leaderboard-table tbody th").bounding_box()
    assert cell["x"] < tag["x"] < tag["x"] + tag["width"] <= cell["x"] + cell["width"]
    visit.context.close()


def test_editions_of_a_unit_are_told_apart(browser: Any, two_editions: str) -> None:
    visit = Visit(browser, two_editions)
    visit.open("view=leaderboard&edition=all")
    tags = visit.page.locator("#leaderboard-table tbody .tag.edition")
    assert sorted(tags.all_text_contents()) == ["10e", "11e"]
    assert visit.page.locator("#leaderboard-table tbody .tag", has_text="part").count() == 1
    visit.context.close()


def test_legends_are_hidden_until_asked_for(browser: Any, two_editions: str) -> None:
    visit = Visit(browser, two_editions)
    assert visit.count() == "2 ranked, 1 without a price"
    assert visit.page.locator("#reset").is_disabled()
    visit.more_filters()
    visit.page.select_option("#f-legends", "show")
    assert visit.count() == "3 ranked, 1 without a price"
    assert visit.page.locator("#leaderboard-table tbody .tag", has_text="Legends").count() == 1
    visit.open(visit.page.url.partition("#")[2])
    assert visit.count() == "3 ranked, 1 without a price"
    visit.page.click("#reset")
    assert visit.count() == "2 ranked, 1 without a price"
    visit.context.close()


def test_no_filter_for_legends_where_there_are_none(visit: Visit) -> None:
    assert not visit.page.locator("#f-legends").is_visible()
    visit.open("view=leaderboard&legends=hide")
    assert visit.count() == "4 ranked, 1 without a price"


def test_heatmap_cells_are_shares_of_the_columns_best_or_values(visit: Visit) -> None:
    visit.show("heatmap")
    visit.more_filters()
    assert visit.page.input_value("#f-metric") == "d100"
    columns = visit.page.evaluate(
        """() => [1, 2].map((column) => [...document.querySelectorAll('#heatmap-table tbody tr')].map(
             (row) => Number(row.cells[column].textContent)))"""
    )
    assert [max(column) for column in columns] == [100, 100]
    visit.page.select_option("#f-scale", "absolute")
    assert "." in visit.page.locator("#heatmap-table td button").first.inner_text()
    visit.page.select_option("#f-metric", "p")
    assert "%" in visit.page.locator("#heatmap-table td button").first.inner_text()


def test_a_units_cell_leads_to_its_datasheet_against_that_target(visit: Visit) -> None:
    visit.show("heatmap")
    visit.page.select_option("#f-rows", "units")
    visit.page.fill("#f-q", "boyz")
    assert visit.count("heatmap") == "1 of 1 units"
    visit.page.locator("#heatmap-table td button").nth(1).click()
    visit.page.wait_for_selector("#view-datasheet:not([hidden])")
    visit.settle()
    assert visit.page.inner_text("#h-datasheet") == "Boyz"
    assert visit.page.input_value("#f-target") == "battle-tank"
    visit.page.go_back()
    visit.page.wait_for_selector("#view-heatmap:not([hidden])")
    assert visit.count("heatmap") == "1 of 1 units"


def test_the_heatmap_without_colour_and_as_csv(visit: Visit) -> None:
    visit.show("heatmap")
    visit.more_filters()
    visit.page.select_option("#f-rows", "units")
    visit.page.select_option("#f-scale", "plain")
    cells = visit.page.locator("#heatmap-table td button")
    assert cells.first.get_attribute("style") is None
    assert visit.page.locator("#heatmap-legend").is_hidden()
    with visit.page.expect_download() as waiting:
        visit.page.click("#heatmap-csv")
    lines = Path(waiting.value.path()).read_bytes().decode("utf-8-sig").split("\r\n")
    assert lines[0] == "unit,faction,edition,heavy-infantry,battle-tank"
    assert len([line for line in lines if line]) == 5  # the one without a price has no figure


def test_more_units_of_the_heatmap_on_request(browser: Any, tmp_path: Path) -> None:
    names = [f"Unit {number}" for number in range(40)]
    page = build_dashboard(small_warehouse(tmp_path / "w.duckdb", names=names), tmp_path / "site")
    visit = Visit(browser, page.as_uri())
    visit.open("view=heatmap&rows=units")
    assert visit.count("heatmap") == "30 of 39 units"
    visit.page.click("#heatmap-more")
    assert visit.count("heatmap") == "39 of 39 units"
    assert not visit.page.locator("#heatmap-more").is_visible()
    assert visit.page.evaluate("document.activeElement.closest('tr').sectionRowIndex") == 30
    visit.page.select_option("#f-phase", "fight")
    assert visit.count("heatmap") == "30 of 39 units"
    visit.context.close()


def test_trade_offs_follow_the_metric(visit: Visit) -> None:
    visit.show("tradeoff")
    assert "Damage per 100 points" in visit.page.inner_text("#tradeoff-answer")
    assert visit.page.locator("#tradeoff-table tbody th bdi").all_text_contents()[-1] == RIGHT_TO_LEFT
    visit.page.select_option("#f-metric", "pd100")
    visit.page.select_option("#f-target", "battle-tank")
    assert visit.page.locator("#tradeoff-table tbody th bdi").all_text_contents() == ["Boyz"]


def test_filters_change_the_rows(visit: Visit) -> None:
    assert visit.count() == "4 ranked, 1 without a price"
    visit.more_filters()
    visit.page.select_option("#f-faction", label="Orks")
    assert visit.count() == "2 of 4 ranked, 1 of 1 without a price"
    visit.page.fill("#f-keyword", "infan")
    assert visit.count() == "2 of 4 ranked, 0 of 1 without a price"
    visit.page.fill("#f-q", "boy")
    assert visit.count() == "1 of 4 ranked, 0 of 1 without a price"
    visit.page.fill("#f-q", "nothing of that name")
    assert visit.count() == "0 of 4 ranked, 0 of 1 without a price"
    assert "No unit passes" in visit.page.inner_text("#leaderboard-table .empty")
    visit.page.click("#reset")
    assert visit.count() == "4 ranked, 1 without a price"
    visit.page.select_option("#f-target", "all")
    visit.page.select_option("#f-phase", "all")
    assert visit.count() == "16 ranked, 4 without a price"


def test_a_scenario_keeps_every_unit_and_marks_plain_results(visit: Visit) -> None:
    visit.more_filters()
    visit.page.select_option("#f-scenario", "cover")
    assert visit.count() == "4 ranked, 1 without a price"
    assert visit.page.locator("#leaderboard-table tbody .tag", has_text="plain").count() == 3


def test_a_link_restores_the_view(visit: Visit) -> None:
    visit.page.select_option("#f-target", "battle-tank")
    visit.more_filters()
    visit.page.select_option("#f-scenario", "cover")
    visit.page.fill("#f-q", "boy")
    visit.page.click("#leaderboard-table thead button:has-text('Expected')")
    link = visit.page.url.partition("#")[2]
    rows = visit.column(2)
    visit.open(link)
    assert visit.page.input_value("#f-target") == "battle-tank"
    assert visit.page.input_value("#f-scenario") == "cover"
    assert visit.page.input_value("#f-q") == "boy"
    assert visit.column(2) == rows
    assert visit.count() == "1 of 5 ranked"  # by expected damage, for which no price is needed
    visit.open("view=nowhere&target=none&sort=__proto__")
    assert visit.count() == "4 ranked, 1 without a price"


def test_back_returns_to_the_view_before(visit: Visit) -> None:
    visit.page.select_option("#f-target", "battle-tank")
    visit.show("heatmap")
    visit.page.go_back()
    visit.page.wait_for_selector("#view-leaderboard:not([hidden])")
    assert visit.page.input_value("#f-target") == "battle-tank"
    visit.show("heatmap")
    visit.page.locator("#heatmap-table td button").first.click()
    assert visit.page.locator("#view-leaderboard").is_visible()
    visit.page.go_back()
    visit.page.wait_for_selector("#view-heatmap:not([hidden])")


def test_csv_holds_what_is_shown_and_no_formula(visit: Visit) -> None:
    with visit.page.expect_download() as waiting:
        visit.page.click("#leaderboard-csv")
    text = Path(waiting.value.path()).read_bytes().decode("utf-8-sig")
    lines = text.split("\r\n")
    assert lines[0].startswith("rank,unit,faction")
    assert len([line for line in lines if line]) == 6
    assert "'=HYPERLINK(1)" in text
    assert HOSTILE.replace('"', '""') in text


def test_narrow_screens_never_scroll_sideways(browser: Any, address: str) -> None:
    visit = Visit(browser, address, viewport={"width": 390, "height": 844})
    for view in VIEWS:
        visit.show(view)
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390, view
    visit.context.close()


def test_controls_have_names_and_tables_can_be_reached(visit: Visit) -> None:
    for view in VIEWS:
        visit.show(view)
        unnamed = visit.page.evaluate(
            """() => [...document.querySelectorAll('input, select, button')].filter((control) =>
                 control.offsetParent && !control.labels?.length && !control.textContent.trim()).length"""
        )
        assert unnamed == 0, view
        unreachable = visit.page.evaluate(
            """() => [...document.querySelectorAll('.table-box')].filter((box) =>
                 box.offsetParent && box.scrollWidth > box.clientWidth && box.tabIndex < 0).length"""
        )
        assert unreachable == 0, view


def test_points_from_and_to_hide_rows_in_view_link_and_csv(visit: Visit) -> None:
    visit.more_filters()
    visit.page.fill("#f-pmin", "81")
    assert visit.count() == "3 of 4 ranked, 0 of 1 without a price"  # which is hidden too
    visit.page.fill("#f-pmax", "82")
    assert visit.count() == "2 of 4 ranked, 0 of 1 without a price"
    visit.page.fill("#f-keyword", "infantry")
    assert visit.count() == "2 of 4 ranked, 0 of 1 without a price"
    with visit.page.expect_download() as waiting:
        visit.page.click("#leaderboard-csv")
    lines = Path(waiting.value.path()).read_bytes().decode("utf-8-sig").split("\r\n")
    assert len([line for line in lines if line]) == 3
    visit.open(visit.page.url.partition("#")[2])
    assert (visit.page.input_value("#f-pmin"), visit.page.input_value("#f-pmax")) == ("81", "82")
    assert visit.page.input_value("#f-keyword") == "infantry"
    assert visit.count() == "2 of 4 ranked, 0 of 1 without a price"
    visit.page.click("#reset")
    assert visit.count() == "4 ranked, 1 without a price"
    visit.open("view=leaderboard&pmin=<b>&pmax=-1")
    assert visit.count() == "4 ranked, 1 without a price"


def test_points_filter_heatmap_and_trade_offs(visit: Visit) -> None:
    visit.open("view=tradeoff&pmin=82")
    assert visit.page.inner_text("#tradeoff-count").startswith("2 units")
    visit.open("view=heatmap&rows=units&pmin=82")
    assert visit.page.inner_text("#heatmap-count") == "2 of 2 units"


@pytest.mark.parametrize(
    ("change", "state", "words"),
    [
        ("DELETE FROM unit_matchups", "view=heatmap", "ranks no unit: the equipment of none is known"),
        ("DELETE FROM unit_matchups", "view=tradeoff", "ranks no unit: the equipment of none is known"),
        (
            "DELETE FROM unit_matchups WHERE phase = 'fight'",
            "view=heatmap&phase=shooting&pmin=999",
            "Clear the faction",
        ),
        ("DELETE FROM unit_matchups WHERE unit_id IN ('u1', 'u3')", "view=heatmap&rows=units", ""),
        ("UPDATE unit_matchups SET points = NULL", "view=heatmap", "No unit here has a price"),
        ("UPDATE unit_matchups SET points = NULL", "view=tradeoff", "No unit here has a price"),
        ("DELETE FROM unit_durability", "view=tradeoff&chart=durability", "has no figures of durability"),
        ("SELECT 1", "view=tradeoff&chart=durability&pmin=999", "has both figures"),
        ("DELETE FROM weapon_profiles", "view=weapons", "No source of this ledger lists weapons: put"),
        ("SELECT 1", "view=weapons&type=melee", "This ledger has no melee weapon"),
        ("SELECT 1", "view=weapons&q=zzz", "No weapon passes these filters together"),
        ("DELETE FROM unit_matchups", "view=compare", "No two units have a figure in this phase to suggest"),
        ("SELECT 1", "view=quality", "No issue was found in the documents"),
    ],
)
def test_an_empty_view_says_what_the_ledger_lacks_or_that_filters_hide_it(
    browser: Any, tmp_path: Path, change: str, state: str, words: str
) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute(change)
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open(state)
    said = visit.page.locator("main section:not([hidden]) .empty:not([hidden])").all_inner_texts()
    assert any(words in text for text in said) if words else said == []
    visit.unharmed()
    visit.context.close()


def test_a_faction_without_a_ranked_unit_is_told_from_a_filter(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_matchups WHERE unit_id IN ('u0', 'u2', 'u4')")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    for view in ("heatmap", "tradeoff"):
        visit.open(f"view={view}&faction=Orks")
        assert "ranks no unit of this faction" in visit.page.inner_text(f"#view-{view}")
    visit.context.close()
