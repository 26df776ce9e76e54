"""Every view by keyboard, for a checker of accessibility, and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import frame, small_warehouse
from tests.analyses.visits import VIEWS, Visit

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FILLED = ("view=datasheet&sheet=u0", "view=datasheet&sheet=u0&target=battle-tank", "view=compare&units=u0+u1+u2+u3")
RULES = (
    *("view=rules&kind=all&phase=all", "view=rules&side=defender", "view=rules&rule=s1.a.1", "view=rules&rule=e1.a.1"),
    *("view=rules&show=together", "view=rules&show=together&detachment=d1", "view=tradeoff&chart=durability"),
)
ASKED = ("view=leaderboard&against=u0&phase=all", "view=weapons&against=u0", "view=heatmap&rows=units&scale=absolute")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_violation(browser: Any, two_runs: str, scheme: str) -> None:
    """bypass_csp lets the checker in; the page's own policy is tested elsewhere."""
    visit = Visit(browser, two_runs, color_scheme=scheme, bypass_csp=True)
    states = [*(f"view={view}" for view in VIEWS), *FILLED, *ASKED, *RULES, visit.first_weapon()]
    for state in states:
        visit.open(state)
        if state.startswith("view=tradeoff"):
            visit.page.wait_for_selector("#tradeoff-chart canvas")
        if state == "view=datasheet":
            visit.page.fill("#f-sheet", "a")
        if state == "view=leaderboard":
            visit.page.select_option("#f-target", "by-name")
            visit.page.fill("#f-any-unit", "a")
        visit.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        visit.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = visit.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        bad = [
            (one["id"], one["nodes"][0]["html"][:200])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert bad == [], state
        assert found["passes"], state
    visit.context.close()


def test_filled_views_have_no_sideways_scroll_on_a_phone(browser: Any, two_runs: str) -> None:
    visit = Visit(browser, two_runs, viewport={"width": 390, "height": 844})
    for state in (*FILLED, *ASKED, *RULES, "view=changes", "view=compare", "view=datasheet", visit.first_weapon()):
        visit.open(state)
        visit.page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 390, state
    visit.context.close()


def test_tab_reaches_what_can_be_used_in_the_order_of_the_page(visit: Visit) -> None:
    states = [*(f"view={view}" for view in VIEWS), *FILLED, "view=rules&show=together", visit.first_weapon()]
    for state in (*states, "view=heatmap&rows=units"):
        visit.open(state)
        visit.page.evaluate("document.body.focus()")
        places = []
        for _ in range(80):
            visit.page.keyboard.press("Tab")
            place = visit.page.evaluate(
                """() => { const at = document.activeElement; if (at === document.body) return null;
                   const box = at.getBoundingClientRect(); const shown = getComputedStyle(at).outlineStyle !== 'none';
                   return [[...document.querySelectorAll('*')].indexOf(at), box.width > 0 && shown]; }"""
            )
            if place is None or place[:1] == [first for first, _ in places[:1]]:
                break  # past the last one, or again at the first
            places.append(place)
        order = [place for place, _ in places]
        assert 11 < len(order) < 80, state  # round to the first one: nothing holds the focus
        assert order == sorted(order), state
        assert all(visible for _, visible in places), state


@pytest.mark.parametrize(
    ("state", "table"),
    [("view=heatmap&rows=units", "Heatmap"), ("view=datasheet&sheet=u0", "Each weapon against each target")],
)
def test_a_table_of_figures_is_one_stop_and_arrows_go_through_it(visit: Visit, state: str, table: str) -> None:
    visit.open(state)
    grid = visit.page.locator(f'table[aria-label="{table}"]')
    assert grid.locator("tbody [tabindex='0']").count() == 1
    grid.locator("tbody [tabindex='0']").focus()
    place = "[document.activeElement.closest('tr').sectionRowIndex, document.activeElement.closest('td, th').cellIndex]"
    walk = {"ArrowRight": [0, 1], "End": [0, 2], "ArrowLeft": [0, 1], "Home": [0, 0], "ArrowUp": [0, 0]}
    for key, expected in walk.items():
        visit.page.keyboard.press(key)
        assert visit.page.evaluate(place) == expected, key
        assert grid.locator("tbody [tabindex='0']").count() == 1
    if table == "Heatmap":
        visit.page.keyboard.press("ArrowDown")
        assert visit.page.evaluate(place) == [1, 0]
    visit.page.keyboard.press("Tab")
    assert not grid.locator("tbody :focus").count()


def test_what_goes_gives_the_focus_on(visit: Visit) -> None:
    visit.open("view=heatmap")
    visit.page.locator("#heatmap-table thead button").nth(1).press("Enter")
    assert visit.page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "descending"
    visit.page.locator("#reset").press("Enter")
    assert visit.page.locator("#reset").is_disabled()
    assert visit.page.evaluate("document.activeElement.id") == "f-metric"
    visit.open("view=rules&rule=s1.a.1")
    visit.page.keyboard.press("Escape")
    visit.page.wait_for_function("() => !location.hash.includes('rule=')")
    assert visit.page.evaluate("document.activeElement.id") == "main"


def test_more_cards_take_the_focus_of_the_button(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    cards = [{"stratagem_id": f"x{number}", "name": f"Ruse {number:03}", "cp_cost": 1, "type": "Ruse", "edition": "11e"}
             for number in range(70)]  # fmt: skip
    with duckdb.connect(str(path)) as connection:
        connection.register("added", frame("stratagems", cards))
        connection.execute("INSERT INTO stratagems SELECT * FROM added")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=stratagems")
    visit.page.locator("#stratagems-more").press("Enter")
    assert visit.page.locator("#stratagems-more").is_hidden()
    assert visit.page.evaluate("[...document.querySelectorAll('.card')].indexOf(document.activeElement)") == 60
    visit.context.close()


def test_a_count_is_read_out_when_it_changes_and_only_then(visit: Visit) -> None:
    for view, change in (("leaderboard", "boy"), ("heatmap", "boyz"), ("weapons", "zzz"), ("rules", "charge")):
        visit.open(f"view={view}")
        visit.page.evaluate(
            """id => { window.told = 0; new MutationObserver((seen) => { window.told += seen.length; })
               .observe(document.getElementById(id), { childList: true, characterData: true, subtree: true }); }""",
            f"{view}-count",
        )
        visit.page.fill("#f-q", "  ")
        visit.settle()
        assert visit.page.evaluate("window.told") == 0, view
        visit.page.fill("#f-q", change)
        visit.settle()
        assert visit.page.evaluate("window.told") == 1, view
