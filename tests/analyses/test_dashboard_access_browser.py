"""Every view by keyboard, for a checker of accessibility, on a phone and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
    for state in (*FILLED, "view=leaderboard", "view=rules", "view=rules&show=together", visit.first_weapon()):
        visit.open(state)
        visit.page.evaluate("document.body.focus()")
        places = []
        for _ in range(60):
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
        assert len(order) > 12, state
        assert order == sorted(order), state
        assert all(visible for _, visible in places), state


def test_print_shows_the_whole_datasheet_without_controls(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    visit.page.emulate_media(media="print")
    visit.page.set_viewport_size({"width": 720, "height": 1000})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 720
    assert not visit.page.locator("nav.views").is_visible()
    assert not visit.page.locator("#f-sheet").is_visible()
    clipped = visit.page.evaluate(
        """() => [...document.querySelectorAll('#datasheet-body .table-box')].filter((box) =>
             box.offsetParent && getComputedStyle(box).overflowY !== 'visible').length"""
    )
    assert clipped == 0
    assert visit.page.locator("figure.law .law-bars").first.is_visible()


@pytest.mark.parametrize("state", ["view=leaderboard", "view=rules&kind=all&phase=all", "view=rules&rule=s1.a.1"])
def test_print_fits_the_paper(visit: Visit, state: str) -> None:
    visit.open(state)
    visit.page.emulate_media(media="print")
    visit.page.set_viewport_size({"width": 720, "height": 1000})
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= 720
    opened = "rule=" in state
    assert visit.page.locator("#rule-dialog").is_visible() == opened
    assert visit.page.locator("#rules-table").is_visible() == ("rules" in state and not opened)
