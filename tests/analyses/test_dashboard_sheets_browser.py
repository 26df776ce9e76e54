"""Datasheets and their comparison in a real browser."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, LONG_LOADOUT, RIGHT_TO_LEFT, small_warehouse
from tests.analyses.visits import Visit

RESULTS = "Results against each target"
WHO = "Who is better at which target"


# ---- datasheet


def test_a_name_in_the_leaderboard_leads_to_its_datasheet_and_back(visit: Visit) -> None:
    visit.page.locator("#leaderboard-table tbody a", has_text="Boyz").click()
    visit.page.wait_for_selector("#view-datasheet:not([hidden])")
    visit.settle()
    assert visit.page.inner_text("#h-datasheet") == "Boyz"
    assert "sheet=u0" in visit.page.url
    visit.page.go_back()
    visit.page.wait_for_selector("#view-leaderboard:not([hidden])")
    assert visit.count() == "4 ranked, 1 without a price"


def test_enter_on_a_row_opens_its_datasheet_and_moves_the_focus(visit: Visit) -> None:
    visit.page.locator("#leaderboard-table tbody tr[tabindex='0']").focus()
    name = visit.page.locator("#leaderboard-table tbody tr[tabindex='0'] th bdi").text_content()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("#view-datasheet:not([hidden])")
    visit.settle()
    assert visit.page.locator("#h-datasheet").text_content()[:60] == name[:60]
    assert visit.page.evaluate("document.activeElement.id") == "main"


def test_a_link_opens_a_datasheet_with_what_is_known_of_it(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    assert visit.rows("Stat line") == [[HOSTILE, "6″", "5", "4+", "5+ (ranged)", "2", "7+", "1", "–", "32mm"]]
    assert visit.rows("Points") == [
        ["5", "80", "–", "2026-06-20"],
        ["5", "10", f"added, {HOSTILE[:79]}…, from copy 3 on", "–"],
    ]
    assert visit.rows("Models and default wargear")[0][:2] == ["5 to 10", "Boy"]
    assert [row[0] for row in visit.rows("Loadouts computed")] == ["5", "10"]
    origin = {row[0]: row[1:] for row in visit.rows("Where the numbers come from")}
    assert origin["Datasheet"][1] == "text dump, quarantined"
    assert origin["Stat line"][0] == "community data set"
    assert origin["Default wargear"][0] == "text dump"
    assert origin["Points"][0] == "of 2026-06-20; undated"
    assert origin["Weapons"][0].endswith("line 12")
    uncounted = visit.page.inner_text("#datasheet-body > ul.bullets")
    assert "linked fire isn’t simulated" in uncounted
    assert "Force field protects it" in uncounted
    visit.unharmed()


def test_results_of_a_datasheet_are_those_of_the_leaderboard(visit: Visit) -> None:
    visit.page.select_option("#f-target", "battle-tank")
    row = visit.page.locator("#leaderboard-table tbody tr", has_text="Boyz")
    figures = [row.locator(f"> :nth-child({place})").inner_text() for place in (1, 7, 9, 11)]
    visit.open("view=datasheet&sheet=u0")
    tank, used = visit.rows(RESULTS)[2:4]
    assert figures == ["4", "1.25", "1.00", "0.0 %"]  # a wound for 80 points
    assert tank[1:6] == ["1.25", "4 of 4", "1.00", "", "0.0 %"]  # one model: models destroyed is P(destroy)
    assert tank[6:11] == tank[1:6]  # it fights as it shoots
    assert used == [f"{LONG_LOADOUT[:299]}…"] * 2
    assert visit.rows(RESULTS)[0][4] == "0.50"


def test_both_phases_have_a_head_of_their_own(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    heads = visit.page.locator(f'table[aria-label="{RESULTS}"] thead tr')
    groups = heads.nth(0).locator("th")
    assert groups.all_text_contents() == ["Target", "Shooting", "Fight"]
    assert groups.nth(1).evaluate("cell => [cell.scope, cell.colSpan]") == ["colgroup", 5]
    assert heads.nth(1).locator("th").all_text_contents() == 2 * [
        "Per 100 points", "Rank", "Damage", "Models", "P(destroy)"
    ]  # fmt: skip
    assert "100 × expected damage ÷ attacker’s points" in str(heads.nth(1).locator("th").nth(0).get_attribute("title"))


def test_a_phone_shows_one_phase_within_the_screen(browser: Any, address: str) -> None:
    visit = Visit(browser, address, viewport={"width": 390, "height": 844})
    visit.open("view=datasheet&sheet=u0")
    table = visit.page.locator(f'table[aria-label="{RESULTS}"]')
    assert table.locator("thead tr").nth(0).locator("th").all_text_contents() == ["Target", "Shooting"]
    assert len(visit.rows(RESULTS)[0]) == 6
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")
    visit.page.focus("#f-sheet-phase")
    visit.page.select_option("#f-sheet-phase", "fight")
    visit.settle()
    assert table.locator("thead tr").nth(0).locator("th").all_text_contents() == ["Target", "Fight"]
    assert "phase=fight" in visit.page.url
    assert visit.page.evaluate("document.activeElement.id") == "f-sheet-phase"
    visit.context.close()


def test_the_distribution_follows_the_target(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    figures = visit.page.locator("#datasheet-body figure.law")
    assert figures.locator("h3").all_text_contents() == [
        "Shooting: models destroyed", "Shooting: wounds taken off",
        "Fight: models destroyed", "Fight: wounds taken off",
    ]  # fmt: skip
    assert "Mostly 0 to 2 models destroyed; the median is 1." in figures.nth(0).inner_text()
    assert visit.rows("Shooting: models destroyed") == [
        ["0", "25.0 %", "100.0 %"],
        ["1", "50.0 %", "75.0 %"],
        ["2", "25.0 %", "25.0 %"],
    ]
    assert visit.rows("Shooting: wounds taken off")[5] == ["5", "<0.1 %", "<0.1 %"]
    heights = figures.nth(0).locator(".law-bar").evaluate_all("bars => bars.map(bar => bar.offsetHeight)")
    assert heights[0] == heights[2]
    assert heights[1] == pytest.approx(2 * heights[0], abs=2)
    visit.page.click(f'table[aria-label="{RESULTS}"] button:has-text("battle-tank")')
    visit.settle()
    assert "target=battle-tank" in visit.page.url
    assert figures.locator("h3").all_text_contents() == ["Shooting: wounds taken off", "Fight: wounds taken off"]
    assert visit.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


def test_the_rank_is_among_units_of_its_edition(browser: Any, tmp_path: Path) -> None:
    others: dict[int, dict[str, Any]] = {0: {"edition": "10e"}, 1: {"edition": "10e"}, 2: {"availability": "legends"}}
    visit = Visit(browser, build_dashboard(small_warehouse(tmp_path / "w.duckdb", others), tmp_path / "site").as_uri())
    places = {}
    for sheet in ("u0", "u1", "u2", "u3"):
        visit.open(f"view=datasheet&sheet={sheet}")
        places[sheet] = visit.rows(RESULTS)[0][2]
    assert places == {"u0": "2 of 2", "u1": "1 of 2", "u2": "2 of 2", "u3": "1 of 1"}
    visit.context.close()


def test_a_unit_without_figures_says_why(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_matchups WHERE unit_id = 'u2'")
        connection.execute(
            "UPDATE unit_loadouts SET loadout = NULL, reason = 'no one knows what they carry' WHERE unit_id = 'u2'"
        )
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=datasheet&sheet=u2")
    text = visit.page.inner_text("#datasheet-body")
    assert "no one knows what they carry" in text
    assert "No source gives this unit’s stat line" in text
    assert "No source gives a price" in text
    assert visit.page.locator("figure.law").count() == 0
    heights = visit.page.locator("#datasheet-body .empty").evaluate_all("all => all.map(one => one.offsetHeight)")
    assert len(heights) >= 5
    assert max(heights) < 50  # a line each
    visit.unharmed()
    visit.context.close()


def test_no_or_an_unknown_datasheet_helps_to_find_one(visit: Visit) -> None:
    for link in ("view=datasheet", "view=datasheet&sheet=<b>"):
        visit.open(link)
        assert "Find a unit by its name" in visit.page.inner_text("#datasheet-answer")
        assert not visit.page.locator("#datasheet-compare").is_visible()
        assert visit.page.inner_text("#datasheet-picker label") == "Find a datasheet"
    visit.open("view=datasheet&sheet=u0")
    assert visit.page.inner_text("#datasheet-picker label") == "Another datasheet"


def test_a_control_of_one_section_stands_at_its_head(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    heads = {"#f-sheet-scale": "Each weapon against each target", "#f-sheet-attacker": "What rules save"}
    for control, title in heads.items():
        head = visit.page.locator(".section-head", has=visit.page.locator(control))
        assert head.locator("h2").inner_text().startswith(title)
    assert not visit.page.locator("#f-attacker").is_visible()
    visit.page.focus("#f-sheet-attacker")
    visit.page.select_option("#f-sheet-attacker", "blades")
    visit.settle()
    assert "attacker=blades" in visit.page.url
    assert visit.page.input_value("#f-sheet-attacker") == "blades"
    assert visit.page.evaluate("document.activeElement.id") == "f-sheet-attacker"


def test_weapons_that_nobody_carries_though_an_option_replaces_them_are_told(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE unit_composition SET default_weapons = ['Choppa']")
        connection.execute("UPDATE wargear_options SET replaces = [?]", [HOSTILE])
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=datasheet&sheet=u0")
    assert "which no model carries by default" in visit.page.inner_text("#datasheet-body .columns")
    assert "by the source’s default wargear nobody carries it" in visit.page.inner_text("#datasheet-body > ul.bullets")
    visit.unharmed()
    visit.context.close()


def test_an_attacker_that_never_destroys_it_is_explained(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE unit_durability SET weapons_to_destroy = NULL WHERE attacker_id = 'rifles'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=datasheet&sheet=u0")
    assert [row[3] == "–" for row in visit.rows("What it takes to destroy it")] == [True, False]
    assert "“–”: a thousand of these weapons aren’t enough" in visit.page.inner_text("#datasheet-worth")
    visit.context.close()


def test_the_picker_is_used_by_keyboard(visit: Visit) -> None:
    visit.open("view=datasheet")
    field = visit.page.locator("#f-sheet")
    field.fill("o")
    assert field.get_attribute("aria-expanded") == "true"
    first = field.get_attribute("aria-activedescendant")
    field.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") != first
    assert visit.page.locator("#f-sheet-list [aria-selected=true]").get_attribute("id") == field.get_attribute(
        "aria-activedescendant"
    )
    field.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    field.fill("nothing like it")
    assert visit.page.inner_text("#f-sheet-list") == "No datasheet has this name."
    field.fill("boy")
    field.press("Enter")
    visit.settle()
    assert visit.page.inner_text("#h-datasheet") == "Boyz"


@pytest.mark.parametrize("width", [390, 1440])
def test_hostile_names_on_datasheets(browser: Any, address: str, width: int) -> None:
    visit = Visit(browser, address, viewport={"width": width, "height": 844})
    for sheet in ("u1", "u2", "u3", "u4"):
        visit.open(f"view=datasheet&sheet={sheet}")
        assert len(visit.page.inner_text("#h-datasheet")) <= 120
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, sheet
    visit.page.fill("#f-sheet", "ancient")
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    visit.unharmed()
    visit.context.close()


def test_what_is_not_certain_never_reads_as_certain_or_as_nothing(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE outcome_laws SET models = [0.0004, 0.9996], damage = [0.9997, 0.0002, 0.0001]")
        for number, chance in enumerate((0.0, 0.00004, 0.9999999, 1.0, 0.0)):
            connection.execute("UPDATE unit_matchups SET p_destroy_unit = ? WHERE unit_id = ?", [chance, f"u{number}"])
        connection.execute("UPDATE unit_durability SET p_destroy_unit = 0.0004 WHERE attacker_id = 'rifles'")
        connection.execute("UPDATE unit_durability SET p_destroy_unit = 0.9996 WHERE attacker_id = 'blades'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=leaderboard&sort=p&dir=asc&q=boyz")
    assert visit.column(11) == ["0.0 %"]
    visit.open("view=leaderboard&sort=p")
    assert visit.column(11)[:2] == ["100.0 %", ">99.9 %"]
    assert "<0.1 %" in visit.column(11)
    visit.open("view=heatmap&rows=units&metric=p")
    assert sorted(set(visit.page.locator("#heatmap-table td button").all_text_contents())) == ["0", "100", "<1", ">99"]
    visit.more_filters()
    visit.open("view=heatmap&rows=units&metric=p&scale=absolute")
    assert {"<0.1%", ">99.9%"} < set(visit.page.locator("#heatmap-table td button").all_text_contents())
    visit.open("view=tradeoff&metric=p")
    assert ">99.9 %" in visit.page.locator("#tradeoff-table tbody td").all_text_contents()
    visit.open("view=compare&units=u0+u1+u2+u3&metric=p")
    assert visit.rows(WHO)[0] == ["heavy-infantry", "0.0 %", "<0.1 %", ">99.9 %", "★ best 100.0 %"]
    visit.open("view=datasheet&sheet=u0")
    assert [row[6] for row in visit.rows("What it takes to destroy it")] == ["<0.1 %", ">99.9 %"]
    assert visit.rows("Shooting: models destroyed") == [["0", "<0.1 %", "100.0 %"], ["1", ">99.9 %", ">99.9 %"]]
    assert visit.rows("Shooting: wounds taken off") == [
        ["0", ">99.9 %", "100.0 %"],
        ["1", "<0.1 %", "<0.1 %"],
        ["2", "<0.1 %", "<0.1 %"],
    ]
    assert visit.page.locator("figure.law .bar-share").all_text_contents()[:2] == ["<1", ">99"]
    visit.open("view=leaderboard&sort=p")
    with visit.page.expect_download() as waiting:
        visit.page.click("#leaderboard-csv")
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    chances = {row["unit"]: row["p_destroy_unit"] for row in csv.DictReader(text.splitlines())}
    assert (chances["Boyz"], chances[HOSTILE], chances[RIGHT_TO_LEFT]) == ("0", "0.00004", "1")
    assert "0.99999" in chances.values()
    visit.context.close()


# ---- compare


def test_compare_starts_with_the_best_of_the_leaderboard(visit: Visit) -> None:
    visit.open("view=compare")
    assert "two to four" in visit.page.inner_text("#compare-answer")
    visit.page.click("#compare-body button")
    visit.settle()
    assert visit.page.locator("#compare-chosen li").count() == 3
    assert RIGHT_TO_LEFT in visit.page.locator("#compare-chosen li").nth(0).text_content()


def test_the_best_is_marked_in_words_for_each_target(visit: Visit) -> None:
    visit.open("view=compare&units=u0+u3&metric=damage")
    rows = visit.rows(WHO)
    assert [row[0] for row in rows] == ["heavy-infantry", "battle-tank"]
    assert [row[2].startswith("★ best ") for row in rows] == [True, True]
    assert [row[1] for row in rows] == ["1.00", "1.00"]
    visit.page.select_option("#f-metric", "pd100")
    visit.settle()
    rows = visit.rows(WHO)
    assert rows[0][2].startswith("★ best ")
    assert rows[1][1].startswith("★ best ")
    assert "against 1 of 2 targets" in visit.page.inner_text("#compare-answer")


def test_figures_of_a_column_end_where_its_head_ends(visit: Visit) -> None:
    visit.open("view=compare&units=u0+u3&metric=damage")
    ends = visit.page.locator(f'table[aria-label="{WHO}"]').evaluate(
        """table => [...table.rows].map(row => [...row.cells].slice(1).map(cell => {
            const text = document.createRange();
            text.selectNodeContents(cell.lastChild);
            return Math.round(text.getBoundingClientRect().right);
        }))"""
    )
    assert ends[1:] == [ends[0]] * 2


def test_nobody_is_best_without_a_contest(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb", {2: {"name": "Boyz", "edition": "10e"}})
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_matchups WHERE unit_id IN ('u0', 'u2') AND phase = 'shooting'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=compare&units=u0+u2+u3")
    answer = visit.page.locator("#compare-answer").text_content()
    assert answer is not None
    assert "has no other to be compared with here." in answer
    assert "best" not in answer
    assert answer.count("Boyz") == 2
    assert "No attack in this phase: A Boyz (11e) and B Boyz (10e)." in answer
    assert visit.page.locator(".crown").count() == 0
    heads = visit.page.locator(f'table[aria-label="{WHO}"] thead th').all_text_contents()
    assert heads[1:3] == ["A Boyz (11e)", "B Boyz (10e)"]
    visit.open("view=compare&units=u0+u4&phase=fight")
    assert "No price: B =HYPERLINK(1)." in str(visit.page.locator("#compare-answer").text_content())
    visit.context.close()


def test_a_unit_without_attacks_in_the_phase_is_named(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_matchups WHERE unit_id = 'u0' AND phase = 'shooting'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=compare&units=u0+u3")
    assert "No attack in this phase: A Boyz." in visit.page.inner_text("#compare-answer")
    assert [row[1] for row in visit.rows(WHO)] == ["–", "–"]
    visit.page.select_option("#f-phase", "all")
    visit.settle()
    assert "No attack" not in visit.page.inner_text("#compare-answer")
    assert "–" not in [row[1] for row in visit.rows(WHO)]
    visit.context.close()


def test_compared_units_come_and_go_and_the_link_holds_them(visit: Visit) -> None:
    visit.open("view=compare&units=u0+nobody+u0+u3")
    assert visit.page.locator("#compare-chosen li").count() == 2
    visit.page.fill("#f-add", "hyperlink")
    visit.page.press("#f-add", "Enter")
    visit.settle()
    assert visit.page.locator("#compare-chosen li").count() == 3
    assert visit.rows(WHO)[0][3] == "–"  # it has no price
    visit.open(visit.page.url.partition("#")[2])
    assert visit.page.locator("#compare-chosen li").count() == 3
    visit.page.fill("#f-add", "ancient")
    visit.page.press("#f-add", "Enter")
    visit.settle()
    assert not visit.page.locator("#f-add").is_visible()
    visit.page.locator("#compare-chosen button").nth(0).click()
    visit.settle()
    assert visit.page.locator("#compare-chosen li").count() == 3
    assert visit.page.evaluate("document.activeElement.id") == "f-add"
    visit.unharmed()


def test_laws_are_overlaid_with_a_table(visit: Visit) -> None:
    visit.open("view=compare&units=u0+u3")
    table = "One attack against heavy-infantry (T5 3+ W2, 5 models): models destroyed"
    assert visit.rows(table)[1] == ["1", "50.0 %", "75.0 %", "50.0 %", "75.0 %"]
    assert visit.page.locator(".bar-group").nth(0).locator(".law-bar").count() == 2
    figure = visit.page.locator("#compare-body figure.law").nth(0)
    assert "Likeliest: 1 (50.0 %)." in figure.inner_text()
    assert figure.locator(".law-line").all_text_contents() == ["0", "25", "50 %"]
    high = figure.locator(".bar-group").nth(1).evaluate("group => group.offsetHeight")
    bars = figure.locator(".bar-group").nth(1).locator(".law-bar")
    assert bars.evaluate_all("bars => bars.map(bar => bar.offsetHeight)") == pytest.approx([high, high], abs=2)


def test_only_what_attacks_has_a_bar(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DELETE FROM unit_matchups WHERE unit_id = 'u0' AND phase = 'shooting'")
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=compare&units=u0+u3")
    bars = visit.page.locator("#compare-body figure.law").nth(0).locator(".bar-group").nth(0).locator(".law-bar")
    assert bars.count() == 1
    assert "series-1" in str(bars.nth(0).get_attribute("class"))  # as its letter
    table = "One attack against heavy-infantry (T5 3+ W2, 5 models): models destroyed"
    assert visit.rows(table)[1] == ["1", "50.0 %", "75.0 %"]
    visit.context.close()


def test_a_datasheet_is_added_to_the_comparison(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u3&units=u0")
    visit.page.click("#datasheet-compare")
    visit.page.wait_for_selector("#view-compare:not([hidden])")
    assert visit.page.locator("#compare-chosen li").count() == 2


def test_choosing_a_target_among_the_compared_shows_its_laws(visit: Visit) -> None:
    visit.open("view=compare&units=u0+u3")
    visit.page.click(f'table[aria-label="{WHO}"] button:has-text("battle-tank")')
    visit.settle()
    assert "One attack against battle-tank" in visit.page.inner_text("#compare-body")
    assert visit.page.locator("#compare-body figure.law").count() == 1  # one model: wounds only
    assert visit.page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"


# ---- compare weapons


@pytest.fixture(scope="module")
def two_weapons(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The second weapon has the name of the first, and meets nothing."""
    folder = tmp_path_factory.mktemp("weapons")
    path = small_warehouse(folder / "w.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "INSERT INTO weapon_profiles BY NAME SELECT * REPLACE ('w2' AS weapon_profile_id) FROM weapon_profiles"
        )
    return build_dashboard(path, folder / "site").as_uri()


def test_a_weapon_of_the_list_leads_to_its_comparison(browser: Any, two_weapons: str) -> None:
    visit = Visit(browser, two_weapons)
    visit.open("view=weapons")
    visit.page.locator("#weapons-table tbody th a").first.click()
    visit.page.wait_for_selector("#view-compare:not([hidden])")
    visit.settle()
    assert visit.page.input_value("#f-what") == "weapons"
    assert visit.rows(WHO) == [["heavy-infantry", "1.50"], ["battle-tank", "0.50"]]
    assert "Add a second weapon" in visit.page.inner_text("#compare-answer")
    assert visit.rows("One attack against heavy-infantry (T5 3+ W2, 5 models): models destroyed")[1][1] == "50.0 %"
    for hidden in ("#f-metric", "#f-phase", "#f-scenario"):
        assert not visit.page.locator(hidden).is_visible()
    visit.unharmed()
    visit.context.close()


def test_weapons_of_one_name_are_told_apart_and_the_link_holds_them(browser: Any, two_weapons: str) -> None:
    visit = Visit(browser, two_weapons)
    visit.open("view=compare&what=weapons")
    visit.page.fill("#f-add", "onerror")
    assert visit.page.locator("#f-add-list [role=option]").count() == 2
    for _ in range(2):
        visit.page.press("#f-add", "Enter")
        visit.settle()
        visit.page.fill("#f-add", "onerror")
        visit.page.press("#f-add", "ArrowDown")
    visit.page.press("#f-add", "Escape")
    assert visit.page.locator("#compare-chosen li").count() == 2
    visit.open(visit.page.url.partition("#")[2])
    assert visit.page.locator("#compare-chosen li").count() == 2
    assert "has no other to be compared with here" in visit.page.inner_text("#compare-answer")
    assert "Not simulated: B " in visit.page.inner_text("#compare-answer")
    assert [row[2] for row in visit.rows(WHO)] == ["–", "–"]
    assert [row[3] for row in visit.rows("Profiles")] == ["linked fire", "linked fire"]
    visit.unharmed()
    visit.context.close()


def test_a_figure_of_a_datasheets_weapons_shows_how_it_can_turn_out(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    cell = visit.page.locator('table[aria-label="Each weapon against each target"] td button').nth(1)
    assert cell.inner_text() == "0.50"
    visit.page.select_option("#f-sheet-scale", "plain")
    visit.settle()
    assert cell.get_attribute("style") is None
    cell.click()
    visit.page.wait_for_selector("#view-compare:not([hidden])")
    visit.settle()
    assert "One attack against battle-tank" in visit.page.inner_text("#compare-body")
    assert visit.page.locator("#compare-chosen li").count() == 1
