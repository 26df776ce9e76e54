"""The page in a real browser: it works from a file, asks nothing of the network, and runs no name."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from analyses.dashboard import build_dashboard
from tests.analyses.test_dashboard import HOSTILE, LONG, NAMES, RIGHT_TO_LEFT, small_warehouse

VIEWS = ("leaderboard", "heatmap", "tradeoff", "weapons", "stratagems", "quality", "reading")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


class Visit:
    """One open page with what it said and asked for."""

    def __init__(self, browser: Any, address: str, **settings: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **settings})
        self.page = self.context.new_page()
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = address
        self.open()

    def open(self, state: str = "") -> None:
        """Load the page anew with a state in its address."""
        self.page.goto("about:blank")
        self.page.goto(self.address + (f"#{state}" if state else ""))
        self.page.wait_for_selector("html[data-ready]")

    def show(self, view: str) -> None:
        self.page.click(f'nav a[data-view="{view}"]')
        self.page.wait_for_selector(f"#view-{view}:not([hidden])")
        if view == "tradeoff":
            self.page.wait_for_selector("#tradeoff-chart canvas")

    def count(self, view: str = "leaderboard") -> str:
        return str(self.page.inner_text(f"#{view}-count"))

    def names(self) -> list[str]:
        return list(self.page.locator("#leaderboard-table tbody th bdi").all_text_contents())

    def column(self, index: int) -> list[str]:
        cells = f"#leaderboard-table tbody tr:not(.spacer) > :nth-child({index})"
        return list(self.page.locator(cells).all_text_contents())


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("Chromium was not found: install it to test the dashboard in a browser")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("browser")
    return build_dashboard(small_warehouse(folder / "w.duckdb"), folder / "site").as_uri()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    opened = Visit(browser, address)
    yield opened
    opened.context.close()


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
    for x in range(60, int(box["width"]), 120):
        for y in range(20, int(box["height"]), 40):
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


def test_filters_change_the_rows(visit: Visit) -> None:
    assert visit.count() == "5 of 5 rows"
    visit.page.select_option("#f-faction", label="Orks")
    assert visit.count() == "3 of 5 rows"
    visit.page.fill("#f-keyword", "infan")
    assert visit.count() == "2 of 5 rows"
    visit.page.fill("#f-q", "boy")
    assert visit.count() == "1 of 5 rows"
    visit.page.fill("#f-q", "nothing of that name")
    assert visit.count() == "0 of 5 rows"
    assert "No unit passes" in visit.page.inner_text("#leaderboard-table .empty")
    visit.page.click("#reset")
    assert visit.count() == "5 of 5 rows"
    visit.page.select_option("#f-target", "all")
    visit.page.select_option("#f-phase", "all")
    assert visit.count() == "20 of 20 rows"


def test_a_scenario_keeps_every_unit_and_marks_plain_results(visit: Visit) -> None:
    visit.page.select_option("#f-scenario", "cover")
    assert visit.count() == "5 of 5 rows"
    assert visit.page.locator("#leaderboard-table tbody .tag", has_text="plain").count() == 3


def test_a_link_restores_the_view(visit: Visit) -> None:
    visit.page.select_option("#f-target", "battle-tank")
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
    assert visit.count() == "1 of 5 rows"
    visit.open("view=nowhere&target=none&sort=__proto__")
    assert visit.count() == "5 of 5 rows"


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
