"""How to read it, and the ways to it, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.analyses.visits import Visit

# As it is reached: below the navigation that stays in sight, within the screen.
IN_SIGHT = "entry => { const { top } = entry.getBoundingClientRect(); return top >= 0 && top < innerHeight; }"


def test_targets_and_scenarios_stand_first_and_every_group_is_linked(visit: Visit) -> None:
    visit.show("reading")
    heads = visit.page.locator("#view-reading h2")
    assert heads.count() == 4
    assert [row[0] for row in visit.rows("Scenarios")] == ["Plainplain", "Covercover"]
    first = visit.page.locator("#view-reading dl").nth(0).evaluate("list => list.getBoundingClientRect().top")
    assert first > visit.page.locator("#reading-targets").evaluate("box => box.getBoundingClientRect().bottom")
    links = visit.page.locator("#view-reading .jump a")
    assert links.count() == 4
    links.nth(3).click()
    visit.page.wait_for_selector("#entry-views:focus")
    assert "entry=views" in visit.page.url
    visit.unharmed()


@pytest.mark.parametrize("width", [390, 1440])
def test_a_link_to_an_entry_lands_at_it(browser: Any, address: str, width: int) -> None:
    visit = Visit(browser, address, viewport={"width": width, "height": 844})
    visit.open("view=reading&entry=pareto-front")
    visit.page.wait_for_selector("#entry-pareto-front:focus")
    assert visit.page.locator("#entry-pareto-front").evaluate(IN_SIGHT)
    assert "reached" in str(visit.page.locator("#entry-pareto-front").get_attribute("class"))
    visit.unharmed()
    visit.context.close()


def test_an_unknown_entry_is_told(visit: Visit) -> None:
    visit.open("view=reading&entry=nothing")
    assert "entry “nothing”" in visit.page.inner_text("#notice-words")


@pytest.mark.parametrize(
    ("state", "entry"),
    [("view=leaderboard", "what-isnt-counted"), ("view=rules", "points-gained")],
)
def test_links_of_a_view_lead_to_the_entry_they_mean(visit: Visit, state: str, entry: str) -> None:
    visit.open(state)
    visit.page.locator("section:not([hidden]) .limits a[data-view=reading]").click()
    visit.page.wait_for_selector(f"#entry-{entry}:focus")
    assert visit.page.locator(f"#entry-{entry}").evaluate(IN_SIGHT)
    visit.page.go_back()
    visit.page.wait_for_selector("#view-reading", state="hidden")


@pytest.mark.parametrize(
    "state", ["view=leaderboard&sort=pd100", "view=heatmap&metric=pd100", "view=compare&units=u0+u3&metric=pd100"]
)
def test_a_metric_is_explained_where_it_stands(visit: Visit, state: str) -> None:
    visit.open(state)
    said = visit.page.locator("section:not([hidden]) .note", has_text="Points destroyed per 100 points: ")
    assert "counting dead models only." in said.inner_text()
    assert said.locator("code").inner_text().startswith("100 × mean models destroyed")
    assert "entry=points-destroyed-per-100-points" in str(said.locator("a").get_attribute("href"))


def test_choosing_a_head_explains_it(visit: Visit) -> None:
    visit.page.locator("#leaderboard-table thead button", has_text="P(destroy)").click()
    said = visit.page.locator("#view-leaderboard [data-explains]")
    assert said.inner_text().startswith("P(destroy): the probability that one activation")
    visit.page.locator("#leaderboard-table thead button", has_text="Faction").click()
    assert said.inner_text() == ""


def test_every_entry_has_a_place_of_its_own(visit: Visit) -> None:
    ids = visit.page.locator("#view-reading [id^=entry-]").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    entries = visit.page.locator("#view-reading dl > div").evaluate_all("all => all.map(one => one.id)")
    assert all(entries)


@pytest.mark.parametrize("sort", ["d100", "pd100", "damage", "p", "destroyed", "points"])
def test_every_figure_that_rows_are_sorted_by_has_an_entry_with_a_formula(visit: Visit, sort: str) -> None:
    visit.open(f"view=leaderboard&sort={sort}")
    said = visit.page.locator("#view-leaderboard [data-explains]")
    assert said.locator("code").count() == 1
    entry = str(said.locator("a").get_attribute("href")).rpartition("entry=")[2]
    assert visit.page.locator(f"#entry-{entry}").count() == 1
