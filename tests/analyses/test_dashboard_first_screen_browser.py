"""What a visitor sees first: figures above the fold, one control for the target, one edition, limits said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import small_warehouse
from tests.analyses.visits import VIEWS, Visit

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}}
FIRST_ROW = "main section:not([hidden]) tbody tr:not(.spacer)"


@pytest.fixture(scope="module")
def known_names(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three units of two editions; the first destroys the whole target more often than not."""
    folder = tmp_path_factory.mktemp("first")
    path = small_warehouse(folder / "w.duckdb", {1: {"edition": "10e"}}, names=("Boyz", "Nobz", "Meganobz"))
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE unit_matchups SET p_destroy_unit = 0.75 WHERE unit_id = 'u0'")
    return build_dashboard(path, folder / "site").as_uri()


@pytest.mark.parametrize("state", ["leaderboard", "heatmap", "heatmap&rows=units", "weapons"])
@pytest.mark.parametrize(("width", "height", "lowest"), [(390, 844, 506), (1440, 900, 400)])
def test_figures_stand_above_the_fold(
    browser: Any, known_names: str, state: str, width: int, height: int, lowest: int
) -> None:
    visit = Visit(browser, known_names, viewport={"width": width, "height": height})
    visit.open(f"view={state}")
    assert 0 < visit.page.locator(FIRST_ROW).first.bounding_box()["y"] < lowest
    visit.context.close()


def test_a_phone_has_one_row_of_views_with_the_current_one_in_sight(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names, **PHONE)
    for view in VIEWS:
        visit.open(f"view={view}")
        boxes = [link.bounding_box() for link in visit.page.locator("nav a").all()]
        assert len({box["y"] for box in boxes}) == 1
        current = visit.page.locator("nav a[aria-current]").bounding_box()
        assert 0 <= current["x"] <= current["x"] + current["width"] <= 390, view
    visit.context.close()


def test_filters_that_need_a_second_row_wait_and_tell_how_many_are_set(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names)
    assert visit.page.locator("#f-pmin").is_hidden()
    visit.more_filters()
    visit.page.fill("#f-pmin", "1")
    visit.page.click("#more-filters")
    assert visit.page.inner_text("#more-filters") == "More filters (1)"
    visit.page.set_viewport_size({"width": 2200, "height": 900})
    visit.page.wait_for_selector("#more-filters", state="hidden")
    assert visit.page.locator("#f-pmin").is_visible()
    visit.context.close()


def test_a_search_takes_the_place_of_the_targets_until_a_unit_is_chosen(visit: Visit) -> None:
    visit.page.select_option("#f-target", "by-name")
    assert visit.page.evaluate("document.activeElement.id") == "f-any-unit"
    assert visit.page.locator("#f-target").is_hidden()
    visit.page.keyboard.press("Escape")
    assert visit.page.evaluate("document.activeElement.id") == "f-target"
    assert visit.page.input_value("#f-target") == "heavy-infantry"
    assert "against" not in visit.page.url
    visit.meet("boyz")
    assert visit.page.evaluate("document.activeElement.id") == "f-target"
    assert visit.page.locator("#f-target option:checked").inner_text() == "Boyz (11e)"
    assert visit.page.locator("#f-any-unit").is_hidden()
    visit.show("heatmap")
    visit.show("tradeoff")
    assert visit.page.locator("#f-target option[value=by-name]").is_disabled()


def test_the_newest_edition_comes_first_and_says_what_it_leaves_out(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names)
    assert visit.names() == ["Meganobz", "Boyz"]
    for view in ("leaderboard", "heatmap", "tradeoff", "weapons"):
        visit.show(view)
        assert "1 unit of the 10th edition not shown" in visit.page.inner_text(f"#view-{view} .other-editions")
    visit.show("leaderboard")
    visit.page.click("#view-leaderboard .other-editions a")
    visit.page.wait_for_function("document.querySelector('#leaderboard-count').textContent === '3 ranked'")
    assert "edition=all" in visit.page.url
    assert visit.names() == ["Meganobz", "Nobz", "Boyz"]
    assert visit.page.inner_text("#view-leaderboard .other-editions") == ""
    visit.open("view=leaderboard&edition=10e")
    assert visit.names() == ["Nobz"]
    visit.open("view=rules&edition=all")  # rules begin with those of every edition
    assert visit.page.input_value("#f-edition") == ""
    assert visit.page.locator("#f-edition option:checked").inner_text().startswith("All")
    visit.context.close()


@pytest.mark.parametrize(("edition", "rank"), [("", "2 of 2"), ("&edition=all", "3 of 3")])
def test_a_rank_is_the_same_on_the_datasheet(browser: Any, known_names: str, edition: str, rank: str) -> None:
    visit = Visit(browser, known_names)
    visit.open(f"view=leaderboard{edition}")
    assert visit.column(1)[visit.names().index("Boyz")] == rank[0]
    visit.open(f"view=datasheet&sheet=u0{edition}")
    assert rank in visit.page.inner_text("#datasheet-body")
    visit.context.close()


def test_equal_figures_share_a_rank_and_a_unit_without_a_price_has_none(visit: Visit) -> None:
    assert visit.column(1) == ["1", "2", "3", "4", "–"]
    visit.open("view=leaderboard&target=all")
    assert visit.column(1) == ["1", "1", "3", "3", "5", "5", "7", "7", "–", "–"]


@pytest.mark.parametrize("width", [390, 1440])
def test_overkill_is_marked_and_explained_on_the_row_that_has_the_focus(
    browser: Any, known_names: str, width: int
) -> None:
    visit = Visit(browser, known_names, viewport={"width": width, "height": 844})
    tags = visit.page.locator("#leaderboard-table tbody .tag", has_text="overkill")
    assert tags.count() == 1
    assert tags.evaluate("tag => Boolean(tag.closest('.under'))") == (width == 390)
    row = visit.page.locator("#leaderboard-table tbody tr", has_text="Boyz")
    assert row.locator(".why").is_hidden()
    row.click()
    assert "destroyed with a chance of 75.0 %" in row.locator(".why").inner_text()
    visit.context.close()


def test_a_focused_row_is_framed_over_its_pinned_cell(visit: Visit) -> None:
    visit.page.locator("#leaderboard-table tbody tr[tabindex='0']").focus()
    visit.page.keyboard.press("ArrowDown")
    frames = visit.page.evaluate(
        "[...document.activeElement.cells].map((cell) => getComputedStyle(cell).boxShadow.split('inset').length - 1)"
    )
    assert (frames[0], set(frames[1:-1]), frames[-1]) == (3, {2}, 3)


def test_heads_and_rows_of_the_heatmap_are_told_apart(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb", {1: {"edition": "10e"}}, names=("Boyz", "Boyz"))
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE targets SET name = 'Infantry (T' || models || ')' WHERE kind = 'archetype'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=heatmap&rows=units&edition=all")
    assert sorted(visit.page.locator("#heatmap-table thead button").all_text_contents()) == [
        "Infantry T1",
        "Infantry T5",
    ]
    details = visit.page.locator("#heatmap-table tbody th small").all_text_contents()
    assert sorted(text.split(" · ")[0] for text in details) == ["10e", "11e"]
    visit.context.close()


def test_the_front_has_what_it_plots_first_and_nothing_that_does_nothing(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names)
    visit.open("view=tradeoff&metric=pd100&target=battle-tank&edition=all")  # only one unit destroys the tank
    heads = visit.page.locator("#tradeoff-table thead th").all_inner_texts()
    assert heads[1].startswith("Destroyed")
    assert visit.page.locator("#tradeoff-table tbody th bdi").all_text_contents() == ["Boyz"]
    assert visit.page.inner_text("#tradeoff-count") == "3 units with a price, 1 on the front"
    visit.open("view=tradeoff&pmin=999")
    assert visit.page.locator("#tradeoff-chart").is_hidden()
    assert visit.page.locator("#tradeoff-table .empty").is_visible()
    visit.context.close()


def test_the_ceiling_is_drawn_where_it_lies_within_the_chart(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE unit_matchups SET expected_damage = 1.9 WHERE target_id = 'battle-tank'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    for target, drawn in (("battle-tank", True), ("heavy-infantry", False)):  # of 2 and of 10 wounds
        visit.open(f"view=tradeoff&target={target}")
        assert ("ceiling" in visit.page.inner_text("#tradeoff-keys")) == drawn
    visit.context.close()


def test_a_row_shows_its_label_only_on_a_chart_in_sight(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names)
    visit.show("tradeoff")
    visit.page.locator("#tradeoff-table tbody tr[tabindex='0']").focus()
    visit.page.wait_for_selector("#tradeoff-chart .tip")
    visit.page.set_viewport_size({"width": 390, "height": 844})
    visit.open("view=tradeoff")
    visit.page.wait_for_selector("#tradeoff-chart canvas")
    visit.page.evaluate("document.body.style.paddingBottom = '100vh'")
    visit.page.evaluate("document.querySelector('#tradeoff-table').scrollIntoView()")
    visit.page.locator("#tradeoff-table tbody tr[tabindex='0']").focus()
    visit.page.wait_for_timeout(200)
    assert visit.page.locator("#tradeoff-chart .tip:visible").count() == 0
    visit.context.close()


def test_weapons_begin_with_ranged_ones_and_have_their_unit_under_the_name(browser: Any, known_names: str) -> None:
    visit = Visit(browser, known_names, **PHONE)
    visit.open("view=weapons")
    assert visit.page.input_value("#f-type") == "ranged"
    under = visit.page.locator("#weapons-table tbody th .under").first.inner_text()
    assert "Boyz (11e) · 18″" in under
    assert visit.page.locator("#weapons-table thead th").last.inner_text().startswith("Share of")
    visit.open("view=weapons&type=")
    assert visit.page.locator("#f-type option:checked").inner_text() == "Both"
    visit.context.close()


def test_what_fails_is_said_under_the_heading_in_place_of_the_view(browser: Any, tmp_path: Path) -> None:
    page = build_dashboard(small_warehouse(tmp_path / "w.duckdb"), tmp_path / "site")
    (page.parent / "data" / "unit_targets.js").unlink()
    visit = Visit(browser, page.as_uri())
    visit.open("view=leaderboard&against=u0")
    visit.page.wait_for_selector("#loading:not([hidden])")
    heading = visit.page.locator("#h-leaderboard").bounding_box()
    assert visit.page.locator("#loading").bounding_box()["y"] > heading["y"] + heading["height"]
    for part in (".bar", ".table-box", ".note", "#leaderboard-csv"):
        assert visit.page.locator(f"#view-leaderboard {part}").first.is_hidden()
    visit.page.select_option("#f-target", "battle-tank")
    visit.settle()
    assert visit.page.locator("#loading").is_hidden()
    assert visit.page.locator("#leaderboard-csv").is_visible()
    visit.context.close()


@pytest.mark.parametrize("state", ["leaderboard", "heatmap&rows=units", "weapons", "tradeoff"])
def test_a_finger_hits_what_can_be_pressed(browser: Any, known_names: str, state: str) -> None:
    visit = Visit(browser, known_names, **PHONE)
    visit.open(f"view={state}")
    section = f"#view-{state.partition('&')[0]}"
    pressed = f"nav a, .filters :is(button, select, input), {section} :is(.sort, .bar button, th a)"
    heights = visit.page.locator(pressed).evaluate_all(
        "all => all.filter((one) => one.offsetParent).map((one) => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 15
    assert min(heights) >= 24
    visit.context.close()
