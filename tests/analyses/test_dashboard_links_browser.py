"""Links from somebody else: what can't be shown of them is said once, safely, and the address is mended."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analyses.small_warehouse import HOSTILE, LONG, RIGHT_TO_LEFT
from tests.analyses.visits import Visit


def _said(visit: Visit) -> str:
    return str(visit.page.locator("#notice-words").text_content())


def _address(visit: Visit) -> str:
    return str(visit.page.url.partition("#")[2])


@pytest.mark.parametrize(
    ("state", "words", "mended"),
    [
        ("view=nowhere", "view “nowhere”, which this ledger doesn’t have; Leaderboard is shown", "view=leaderboard"),
        ("view=heatmap&target=none", "target “none”, which", "view=heatmap"),
        ("view=weapons&scenario=x", "scenario “x”, which this ledger doesn’t have; Plain is shown", "view=weapons"),
        ("view=leaderboard&edition=9e", "edition “9e”, which this ledger doesn’t have; All is", "view=leaderboard"),
        ("view=leaderboard&phase=x", "phase “x”, which this ledger doesn’t have; Shooting is", "view=leaderboard"),
        ("view=leaderboard&sort=__proto__", "order “__proto__”, which", "view=leaderboard"),
        ("view=leaderboard&pmin=-1", "points from “-1”, which", "view=leaderboard"),
        ("view=leaderboard&colour=red", "colour “red”, which", "view=leaderboard"),
        ("view=leaderboard&__proto__=x", "__proto__ “x”, which", "view=leaderboard"),
        ("view=datasheet&sheet=u99", "datasheet “u99”, which this ledger doesn’t have", "view=datasheet"),
        ("view=compare&units=u0+u98+u3+u99", "unit “u98 u99”, which this ledger", "view=compare&units=u0+u3"),
        (
            "view=compare&units=u0+u1+u2+u3+u4",
            "unit “u4”, which this view can’t show",
            "view=compare&units=u0+u1+u2+u3",
        ),
        ("view=compare&what=weapons&weapons=x.1", "weapon “x.1”, which", "view=compare&what=weapons"),
        (
            "view=leaderboard&against=u99",
            "target unit “u99”, which this ledger doesn’t have; heavy-infantry (T5 3+ W2, 5 models) is",
            "view=leaderboard",
        ),
        ("view=rules&rule=s99.a.1", "rule “s99.a.1”, which", "view=rules"),
        ("view=rules&rule=s99.a.1&side=x", "side “x” and rule “s99.a.1”, which", "view=rules"),
        ("view=changes&since=7", "run to compare with “7”, which", "view=changes"),
        ("view=weapons&target=all", "target “all”, which this view can’t show; heavy-infantry", "view=weapons"),
        ("view=leaderboard&q=%E0%A4", "damaged at “q=%E0%A4”: left out", "view=leaderboard"),
        ("view=leaderboard&q=%zz", "damaged at “q=%zz”: left out", "view=leaderboard"),
        (
            "view=leaderboard&phase=all&phase=fight",
            "gives phase twice: the last one counts",
            "view=leaderboard&phase=fight",
        ),
    ],
)
def test_what_a_link_asks_for_in_vain_is_said_and_the_address_mended(
    visit: Visit, state: str, words: str, mended: str
) -> None:
    visit.open(state)
    visit.page.wait_for_function("() => document.getElementById('notice-words').textContent !== ''")
    assert words in _said(visit)
    assert _address(visit) == mended
    visit.unharmed()


@pytest.mark.parametrize(
    "state",
    [
        "",
        "view=leaderboard&target=all&sort=d100&phase=shooting",
        "view=leaderboard&q=100%25+%2Bsure",
        "view=compare&units=u0+u0",
        "view=leaderboard&phase=fight&phase=fight",
        "view=datasheet&sheet=u0",
        "view=rules&rule=s1.a.1",
    ],
)
def test_a_link_that_is_honoured_says_nothing(visit: Visit, state: str) -> None:
    visit.open(state)
    assert _said(visit) == ""
    assert visit.page.locator("#notice-dismiss").is_hidden()
    assert _address(visit) == state


@pytest.mark.parametrize("text", [HOSTILE, LONG, RIGHT_TO_LEFT])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_hostile_link_is_text_and_short(browser: Any, address: str, text: str, width: int) -> None:
    visit = Visit(browser, address, viewport={"width": width, "height": 800})
    for name in ("target", "sheet", text):
        visit.page.goto("about:blank")
        state = visit.page.evaluate("pair => new URLSearchParams([pair]).toString()", [name, text])
        visit.open(state)
        assert 0 < len(_said(visit)) < 260
        assert visit.page.locator("#notice-words bdi").count() >= 1
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.unharmed()
    visit.context.close()


def test_the_line_is_dismissed_by_key_and_by_going_on(visit: Visit) -> None:
    visit.open("view=leaderboard&target=none")
    assert visit.page.locator("#notice-words").get_attribute("role") == "status"
    visit.page.locator("#notice-dismiss").press("Enter")
    assert _said(visit) == ""
    assert visit.page.locator("#notice-dismiss").is_hidden()
    assert visit.page.evaluate("document.activeElement.id") == "main"
    visit.page.evaluate("location.hash = '#view=heatmap&metric=x'")  # pasted into the open page
    visit.page.wait_for_selector("#notice-dismiss:not([hidden])")
    assert "metric “x”" in _said(visit)
    visit.page.select_option("#f-phase", "fight")
    assert _said(visit) == ""


def test_many_refusals_are_named_by_three(visit: Visit) -> None:
    visit.open("view=leaderboard&" + "&".join(f"{name}=x" for name in ("target", "phase", "edition", "metric", "cost")))
    assert "target “x”, phase “x”, edition “x” and 2 more, which" in _said(visit)
    assert _said(visit).count("x”") == 3
