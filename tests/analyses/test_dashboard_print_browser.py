"""Every view on paper: nothing is cut off, what was filtered is said, and what isn't printed, too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import small_warehouse
from tests.analyses.visits import VIEWS, Visit

PAPER = 720  # pixels: A4 upright between its margins
MANY = 140
BEYOND = """paper => [...document.querySelectorAll('body *')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.height && (box.right > paper + 0.5 || (one.scrollWidth > one.clientWidth + 1
    && getComputedStyle(one).overflowX !== 'visible' && one.matches('.table-box, .chart, dialog')));
}).slice(0, 3).map((one) => `${one.tagName}.${one.className} ${one.getAttribute("aria-label")}`)"""
STATES = (
    *(f"view={view}" for view in VIEWS),
    *("view=leaderboard&target=all&phase=all", "view=heatmap&rows=units", "view=tradeoff&chart=durability"),
    *("view=datasheet&sheet=u0", "view=compare&units=u0+u1+u2+u3", "view=rules&kind=all&phase=all"),
    *("view=rules&side=defender", "view=rules&rule=s1.a.1", "view=rules&show=together&detachment=d1"),
    *("view=leaderboard&against=u0", "view=weapons&against=u0"),
)


@pytest.fixture(scope="module")
def fourteen_targets(tmp_path_factory: pytest.TempPathFactory) -> str:
    """As many columns as the real list of archetypes has."""
    folder = tmp_path_factory.mktemp("targets")
    path = small_warehouse(folder / "w.duckdb")
    names = [f"archetype-{number} of a longer name" for number in range(12)]
    with duckdb.connect(str(path)) as connection:
        for place, name in enumerate(names):
            new = f"REPLACE ('t{place}' AS target_id, '{name} (T5 3+ W2, 5 models)' AS name)"
            connection.execute(f"INSERT INTO targets SELECT * {new} FROM targets WHERE target_id = 'battle-tank'")
            for table in ("target_classes", "matchup_targets", "unit_matchups"):
                connection.execute(
                    f"INSERT INTO {table} SELECT * REPLACE ('t{place}' AS target_id) FROM {table} "
                    "WHERE target_id = 'battle-tank'"
                )
    return build_dashboard(path, folder / "site").as_uri()


@pytest.fixture(scope="module")
def many_units(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("many")
    path = small_warehouse(folder / "w.duckdb", names=[f"Unit {number}" for number in range(MANY)])
    return build_dashboard(path, folder / "site").as_uri()


@pytest.fixture
def dark(browser: Any, fourteen_targets: str) -> Iterator[Visit]:
    """In the dark theme, which paper doesn't have."""
    opened = Visit(browser, fourteen_targets, color_scheme="dark")
    yield opened
    opened.context.close()


def _on_paper(visit: Visit, state: str) -> None:
    visit.page.emulate_media(media="null")
    visit.page.set_viewport_size({"width": 1440, "height": 900})
    visit.open(state)
    if state.startswith("view=tradeoff"):
        visit.page.wait_for_selector("#tradeoff-chart canvas")
    visit.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    visit.page.emulate_media(media="print")
    visit.page.set_viewport_size({"width": PAPER, "height": 1000})


def test_nothing_of_any_view_reaches_beyond_the_paper(dark: Visit) -> None:
    for state in (*STATES, dark.first_weapon()):
        _on_paper(dark, state)
        assert dark.page.evaluate(BEYOND, PAPER) == [], state
        assert dark.page.evaluate("document.documentElement.scrollWidth") <= PAPER, state
        assert dark.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for noise in ("nav.views", "#filters", "#notice-dismiss", ".bar button", ".picker", ".more button"):
            assert not dark.page.locator(f"{noise} >> visible=true").count(), (state, noise)
    dark.unharmed()


def test_wide_tables_are_printed_across(dark: Visit, tmp_path: Path) -> None:
    """The size of a page stands in its file; browsers print in the media that they choose themselves."""
    wide = ("weapons", "heatmap", "leaderboard&target=all&phase=all")
    for view, is_wide in (*((one, True) for one in wide), ("leaderboard", False), ("rules", False)):
        dark.page.emulate_media(media="null")
        dark.open(f"view={view}")
        dark.page.pdf(path=tmp_path / "page.pdf", format="A4", prefer_css_page_size=True)
        left, bottom, width, height = _first_page(tmp_path / "page.pdf")
        assert (left, bottom) == (0, 0)
        assert (width > height) == is_wide, view


def _first_page(path: Path) -> list[float]:
    (box,) = path.read_bytes().partition(b"/MediaBox [")[2].partition(b"]")[:1]
    return [float(number) for number in box.split()]


def test_the_filters_in_force_are_said_in_words(visit: Visit) -> None:
    _on_paper(visit, "view=leaderboard&faction=Orks&q=boy&pmin=10&target=battle-tank")
    words = visit.page.inner_text("#print-filters")
    for part in ("Target: battle-tank (T5", "Faction: Orks", "Search: boy", "Points from: 10", "Phase: Shooting"):
        assert part in words
    assert "Edition" not in words  # not filtered by
    _on_paper(visit, "view=rules&kind=enhancement")
    assert "Kind: Enhancements ·" in visit.page.inner_text("#print-filters")  # without the number of rows
    _on_paper(visit, "view=heatmap&scale=absolute")
    assert "Colour: over the whole table" in visit.page.inner_text("#print-filters")


def test_many_rows_are_bounded_and_the_rest_is_counted(browser: Any, many_units: str) -> None:
    visit = Visit(browser, many_units)
    _on_paper(visit, "view=leaderboard")
    rows = visit.page.locator("#leaderboard-table tbody tr:not(.spacer)")
    assert rows.count() == 100
    assert "first 100 of 140 rows are printed; the other 40" in visit.page.inner_text("#leaderboard-table .printed")
    visit.page.emulate_media(media="null")
    visit.page.set_viewport_size({"width": 1440, "height": 900})
    visit.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert rows.count() < 60
    box = visit.page.locator("#leaderboard-table")
    box.evaluate("box => { box.scrollTop = 4000; }")
    first = "document.querySelector('#leaderboard-table tbody tr:not(.spacer)')"
    visit.page.wait_for_function(f"() => {first}.ariaRowIndex > 40")
    visit.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert rows.first.get_attribute("aria-rowindex") == "2"  # from the top, wherever the screen stands
    _on_paper(visit, "view=heatmap&rows=units")
    assert "first 30 of 139 units are printed; the other 109" in visit.page.inner_text("#heatmap-left-out")
    visit.context.close()


def test_charts_print_in_light_colours_with_their_tables(dark: Visit) -> None:
    count = """accents => { const one = document.querySelector('#tradeoff-chart canvas');
      const { data } = one.getContext('2d').getImageData(0, 0, one.width, one.height);
      return accents.map(([red, green, blue]) => { let found = 0;
        for (let i = 0; i < data.length; i += 4) {
          const off = Math.max(Math.abs(data[i] - red), Math.abs(data[i + 1] - green), Math.abs(data[i + 2] - blue));
          if (data[i + 3] > 100 && off < 4) found += 1;
        }
        return found; }); }"""
    accents = [[0x6C, 0xC9, 0xB8], [0x0E, 0x62, 0x59]]  # of the dark and of the light theme
    dark.open("view=tradeoff")
    dark.page.wait_for_selector("#tradeoff-chart canvas")
    dark.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    on_screen = dark.page.evaluate(count, accents)
    assert on_screen[0] > 0 == on_screen[1]
    _on_paper(dark, "view=tradeoff")
    on_paper = dark.page.evaluate(count, accents)
    assert on_paper[1] > 0 == on_paper[0]
    assert dark.page.locator("#tradeoff-table tbody tr:not(.spacer)").first.is_visible()
    _on_paper(dark, "view=datasheet&sheet=u0")
    figures = dark.page.locator("figure.law")
    assert figures.first.locator(".law-bars").is_visible()
    assert all(figures.nth(place).locator("table").is_visible() for place in range(figures.count()))
    assert dark.page.evaluate("getComputedStyle(document.querySelector('.law-bar')).printColorAdjust") == "exact"
    dark.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not dark.page.locator(".law details[open]").count()


def test_the_whole_datasheet_and_an_opened_rule_are_printed(visit: Visit) -> None:
    _on_paper(visit, "view=datasheet&sheet=u0")
    clipped = visit.page.evaluate(
        """() => [...document.querySelectorAll('#datasheet-body .table-box')].filter((box) =>
             box.offsetParent && getComputedStyle(box).overflowY !== 'visible').length"""
    )
    assert clipped == 0
    for state, opened in (("view=rules&rule=s1.a.1", True), ("view=rules", False)):
        _on_paper(visit, state)
        assert visit.page.locator("#rule-dialog").is_visible() == opened
        assert visit.page.locator("#rules-table").is_visible() != opened
