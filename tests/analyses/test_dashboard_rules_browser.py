"""What rules add, alone and together, and damage against durability, in a real browser."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.dashboard import build_dashboard
from tests.analyses.small_rules import HOSTILE, RULE_USES, TABLES, UPLIFTS, lasting
from tests.analyses.small_warehouse import frame, small_warehouse
from tests.analyses.visits import Visit

CUT = HOSTILE[:79] + "…"
WHO = "Who gains most against heavy-infantry"


def _names(visit: Visit) -> list[str]:
    return list(visit.page.locator("#rules-table tbody th .sheet-link").all_text_contents())


def _figures(visit: Visit, head: str) -> list[str]:
    """The texts of the column whose head begins so."""
    heads = visit.page.locator("#rules-table thead th").all_text_contents()
    place = next(place for place, text in enumerate(heads, 1) if text.startswith(head))
    cells = f"#rules-table tbody tr:not(.spacer) > :nth-child({place})"
    return list(visit.page.locator(cells).all_text_contents())


def _settled(visit: Visit, selector: str, value: str) -> None:
    if not visit.page.locator(selector).is_visible():
        visit.page.click("#more-filters")
    visit.page.select_option(selector, value)
    visit.settle()


# ---- one by one


def test_rules_are_read_when_they_are_asked_for_and_ranked_by_their_cost(visit: Visit) -> None:
    assert not [url for url in visit.requests if url.endswith(".js")]
    visit.show("rules")
    assert [url.rpartition("/")[2] for url in visit.requests if url.endswith(".js")] == ["rules.js"]
    assert _names(visit) == [CUT, "Charge", "Charge"]
    assert _figures(visit, "Per CP") == ["10.0", "8.3", "6.0"]
    assert _figures(visit, "Points") == ["10.0", "16.5", "12.0"]
    assert _figures(visit, "Cost") == ["1 CP", "2 CP", "2 CP"]
    assert _figures(visit, "Users") == ["3", "1", "1"]
    assert visit.count("rules") == "3 of 5 ways to use rules here"
    answer = visit.page.inner_text("#rules-answer")
    assert "adds most against heavy-infantry: 10.0 points’ worth of wounds for each CP by Boyz" in answer
    visit.unharmed()


def test_kinds_sides_and_filters_change_the_rows(visit: Visit) -> None:
    visit.show("rules")
    _settled(visit, "#f-kind", "enhancement")
    assert _names(visit) == ["Big Axe"]
    assert _figures(visit, "Per 100") == ["40.0"]
    assert _figures(visit, "More of the unit") == ["20.0the rule buys more"]
    _settled(visit, "#f-kind", "all")
    assert _names(visit) == ["Charge", "Charge", CUT, "Big Axe", "A leader"]
    _settled(visit, "#f-detachment", "d1")
    assert _names(visit) == ["Charge", "Charge", "Big Axe"]
    _settled(visit, "#f-cost", "cp2")
    assert _names(visit) == ["Charge", "Charge"]
    visit.page.fill("#f-q", "led")
    assert _names(visit) == ["Charge"]
    visit.page.click("#reset")
    visit.settle()
    _settled(visit, "#f-phase", "fight")
    assert (_names(visit), _figures(visit, "Points")) == ([CUT], ["30.0"])
    _settled(visit, "#f-phase", "all")
    assert _figures(visit, "Phase") == ["Fight", "Shooting", "Shooting", "Shooting"]
    _settled(visit, "#f-edition", "11e")
    assert _names(visit) == ["Charge", "Charge"]


def test_the_defender_is_attacked_by_a_chosen_attacker(visit: Visit) -> None:
    visit.show("rules")
    _settled(visit, "#f-side", "defender")
    assert visit.page.locator("#f-target").is_hidden()
    assert (_names(visit), _figures(visit, "Points")) == (["Charge"], ["7.0"])
    _settled(visit, "#f-attacker", "blades")
    assert _figures(visit, "Points") == ["9.0"]
    assert "saves most when attacked by blades" in visit.page.inner_text("#rules-answer")


def test_a_rule_that_does_harm_has_a_minus(visit: Visit) -> None:
    visit.open("view=rules&target=battle-tank")
    assert (_names(visit), _figures(visit, "Points")) == ([CUT], ["−1.3"])


def test_sorting_and_a_link_restore_the_view(visit: Visit) -> None:
    visit.show("rules")
    visit.page.click("#rules-table thead button:has-text('Points')")
    assert _figures(visit, "Points") == ["16.5", "12.0", "10.0"]
    visit.page.click("#rules-table thead button:has-text('Points')")
    assert _figures(visit, "Points") == ["10.0", "12.0", "16.5"]
    assert visit.page.locator("#rules-table thead [aria-sort=ascending]").inner_text().startswith("Points")
    _settled(visit, "#f-faction", "Orks")
    visit.open(visit.page.url.partition("#")[2])
    assert _figures(visit, "Points") == ["12.0", "16.5"]
    assert visit.page.input_value("#f-faction") == "Orks"


def test_a_rule_opens_with_what_is_assumed_and_gives_the_focus_back(visit: Visit) -> None:
    visit.show("rules")
    visit.page.locator("#rules-table tbody tr[tabindex='0']").focus()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_selector("#rule-dialog[open]")
    assert "rule=s1.a.1" in visit.page.url
    assert visit.page.locator("#h-rule bdi").text_content() == HOSTILE
    assert [[unit[:13], *row] for unit, *row in visit.rows(WHO)] == [
        ["Boyz 11e ", "Fight", "30.0"],
        ["Boyz 11e ", "Shooting", "10.0"],
        ["<img src=x on", "Shooting", "4.0"],
        ["=HYPERLINK(1)", "Shooting", "–"],
    ]
    lists = visit.page.locator("#rule-body ul.bullets").all_text_contents()
    assert lists == [HOSTILE, HOSTILE]
    assert "3 units may use it and gain 7.0 points on average" in visit.page.inner_text("#rule-body")
    visit.page.keyboard.press("Escape")
    visit.page.wait_for_function("!document.getElementById('rule-dialog').open && !location.hash.includes('rule=')")
    assert visit.page.evaluate("document.activeElement.tagName") == "TR"
    visit.unharmed()


def test_a_link_opens_a_rule_and_its_other_ways_and_units(visit: Visit) -> None:
    visit.open("view=rules&rule=s2.a.1")
    assert visit.page.locator("#rule-dialog").is_visible()
    visit.page.click("#rule-body li a:has-text('When it is attacked')")
    visit.page.wait_for_function("location.hash.includes('rule=s2.d.1')")
    visit.settle()
    assert "Who gains most when attacked by rifles" in visit.page.inner_text("#rule-body")
    visit.page.click("#rule-body a:has-text('Boyz')")
    visit.page.wait_for_selector("#view-datasheet:not([hidden])")
    visit.settle()
    assert not visit.page.locator("#rule-dialog[open]").count()
    assert "rule=" not in visit.page.url
    visit.page.go_back()
    visit.page.wait_for_selector("#rule-dialog[open]")
    visit.unharmed()


def test_csv_has_what_is_shown_and_assumed(visit: Visit) -> None:
    visit.open("view=rules&kind=enhancement")
    with visit.page.expect_download() as waiting:
        visit.page.click("#rules-csv")
    (row,) = csv.DictReader(Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines())
    assert (row["rule"], row["points_gained_per_100_points"], row["unit_per_100_points"]) == ("Big Axe", "40", "20")
    assert (row["side"], row["effect"], row["assumes"]) == ("attacker", "hit roll +1", "")


def test_legends_gain_only_where_they_are_shown(browser: Any, tmp_path: Path) -> None:
    path = small_warehouse(tmp_path / "w.duckdb", {0: {"availability": "legends"}})
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.show("rules")
    assert _figures(visit, "Points")[-1] == "4.0"
    _settled(visit, "#f-legends", "show")
    assert _figures(visit, "Points")[0] == "10.0"
    visit.context.close()


def test_abilities_of_one_name_are_told_apart_by_who_has_them(browser: Any, tmp_path: Path) -> None:
    usual = {**RULE_USES[1], "source_kind": "ability", "name": "Song", "cost_kind": "none", "cost": None}
    uses = [
        {**usual, "source_id": name, "detachment_id": None, "owners": owners}
        for name, owners in (("a1", ["Drummers", "Pipers", "Singers"]), ("a2", [HOSTILE]))
    ]
    gains = [
        {**UPLIFTS[0], "source_id": use["source_id"], "points_gained": 9.0 - place} for place, use in enumerate(uses)
    ]
    path = small_warehouse(tmp_path / "w.duckdb", rules={"rule_uses": uses, "uplifts": gains})
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=rules&kind=ability")
    assert _names(visit) == ["Song", "Song"]
    first, second = _figures(visit, "Faction")
    assert first == "Orks · Drummers, Pipers, 1 more"
    assert second.startswith("Orks · <img src=x")
    visit.unharmed()


def test_without_rules_the_views_say_so(browser: Any, tmp_path: Path) -> None:
    none = dict.fromkeys(("rule_uses", "uplifts", "combinations", "attackers", "unit_durability", "text_coverage"), ())
    path = small_warehouse(tmp_path / "w.duckdb", rules=none)
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.show("rules")
    assert "No rule of this ledger’s sources is compared" in visit.page.inner_text("#rules-table .empty")
    _settled(visit, "#f-side", "defender")
    assert visit.page.locator("#rules-table .empty").is_visible()
    visit.open("view=rules&show=together")
    assert "No combination is compared in this ledger" in visit.page.inner_text("#rules-together")
    visit.open("view=datasheet&sheet=u0")
    assert "No rule that is compared is for this unit" in visit.page.inner_text("#datasheet-worth")
    visit.open("view=quality")
    assert "No source carries rules texts about damage" in visit.page.inner_text("#quality-body")
    visit.unharmed()
    visit.context.close()


def _options(visit: Visit, selector: str) -> list[str]:
    return list(visit.page.locator(f"{selector} option").all_text_contents())


def test_options_say_how_many_rows_they_would_give(visit: Visit) -> None:
    visit.show("rules")
    kinds = dict(text.removesuffix(")").split(" (") for text in _options(visit, "#f-kind"))
    for value, words in (("stratagem", "Stratagems"), ("enhancement", "Enhancements"), ("leader", "Leaders")):
        visit.open(f"view=rules&kind={value}")
        assert visit.count("rules").startswith(f"{kinds[words]} of")
    assert kinds["Faction rules"] == "0"
    visit.open("view=rules")
    assert _options(visit, "#f-side") == ["Attacking (3)", "Attacked (1)"]
    assert _options(visit, "#f-phase") == ["Shooting (3)", "Fight (1)", "Both phases (4)"]
    assert _options(visit, "#f-cost")[:4] == ["Any cost (3)", "Free (0)", "1 CP (1)", "2 CP (2)"]
    assert _options(visit, "#f-edition") == ["All (3)", "11th (2)"]  # of the ledger’s units
    assert "Orks (2)" in _options(visit, "#f-faction")
    assert _options(visit, "#f-target")[:2] == [
        "heavy-infantry (T5 3+ W2, 5 models) (3)",
        "battle-tank (T5 3+ W2, 1 models) (1)",
    ]
    visit.page.fill("#f-q", "charge")
    visit.settle()
    assert _options(visit, "#f-phase") == ["Shooting (2)", "Fight (0)", "Both phases (2)"]
    visit.open("view=rules&show=together")
    assert _options(visit, "#f-phase") == ["Shooting (1)", "Fight (0)", "Both phases (1)"]
    assert "War Horde (Orks, 11e) (2)" in _options(visit, "#f-detachment")
    assert "Stratagems" in _options(visit, "#f-kind")  # not a filter here
    visit.show("leaderboard")
    assert _options(visit, "#f-phase") == ["Shooting", "Fight", "Both phases"]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("kind=faction_rule", "no faction rules whose effect could be compared. No source carries texts of faction"),
        (
            "kind=enhancement&side=defender",
            "no enhancements whose effect could be compared for a unit that is attacked. Choose the other side",
        ),
        (
            "kind=stratagem&q=zzz",
            "The ledger has such stratagems, but none under these filters. Changing one of these shows some: Search.",
        ),
        ("kind=stratagem&cost=p60", "Changing one of these shows some: Cost."),
        ("kind=stratagem&cost=p60&q=zzz", "several filters together leave none"),
        ("kind=enhancement&target=battle-tank", "Changing one of these shows some: Target."),
    ],
)
def test_an_empty_table_says_what_the_ledger_lacks_or_what_hides_it(visit: Visit, state: str, words: str) -> None:
    visit.open(f"view=rules&{state}")
    assert words in visit.page.inner_text("#rules-table .empty")


def test_kinds_that_were_read_but_are_of_no_use_say_so(browser: Any, tmp_path: Path) -> None:
    rules = {"rule_uses": [row for row in TABLES["rule_uses"] if row["source_kind"] == "enhancement"]}
    path = small_warehouse(tmp_path / "w.duckdb", rules=rules)
    visit = Visit(browser, build_dashboard(path, tmp_path / "site").as_uri())
    visit.open("view=rules&kind=stratagem")
    words = visit.page.inner_text("#rules-table .empty")
    assert "no stratagems whose effect could be compared" in words
    assert "2 texts of stratagems about damage, of which 1 could be read" in words
    visit.page.click("#rules-table .empty a")
    visit.page.wait_for_selector("#view-quality:not([hidden])")
    visit.context.close()


# ---- where rules are compared, gains of nothing, equal gains


def _page(browser: Any, folder: Path, changes: Any = None, stratagems: Any = (), **rules: Any) -> Visit:
    path = small_warehouse(folder / "w.duckdb", changes, rules=rules)
    with duckdb.connect(str(path)) as connection:
        connection.register("added", frame("stratagems", list(stratagems)))
        connection.execute("INSERT INTO stratagems SELECT * FROM added")
    return Visit(browser, build_dashboard(path, folder / "site").as_uri())


def _situated(effect: str, scenario: str, gained: float, **changes: Any) -> dict[str, Any]:
    return {**UPLIFTS[0], "effect_text": effect, "scenario_id": scenario, "points_gained": gained, **changes}


CHARGE = {**RULE_USES[1], "cost": 1, "label": None, "assumes": []}
DUCK = {**CHARGE, "source_id": "s3", "name": "Duck", "side": "defender"}
SITUATED = [
    _situated("ignores cover", "cover", 9.0),
    _situated("hit roll +1", "plain", 5.0, source_id="s2"),
    {**UPLIFTS[7], "source_id": "s3", "scenario_id": "cover", "effect_text": "cover"},
]


@pytest.fixture(scope="module")
def situated(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = small_warehouse(
        tmp_path_factory.mktemp("situated") / "w.duckdb",
        rules={"rule_uses": [RULE_USES[0], CHARGE, DUCK], "uplifts": SITUATED, "combinations": ()},
    )
    return build_dashboard(path, path.parent / "site").as_uri()


def test_where_a_gain_is_compared_stands_in_row_sentence_dialog_and_file(browser: Any, situated: str) -> None:
    visit = Visit(browser, situated)
    visit.open("view=rules")
    tags = "#rules-table tbody tr:not(.spacer):nth-child({}) .tag.situation"
    assert visit.page.locator(tags.format(2)).all_text_contents() == ["in cover"]
    assert visit.page.locator("#rules-table .tag.situation").count() == 1
    answer = visit.page.inner_text("#rules-answer")
    assert answer.endswith("where the attacked unit is in cover and if the rule’s conditions hold.")
    with visit.page.expect_download() as waiting:
        visit.page.click("#rules-csv")
    rows = list(csv.DictReader(Path(waiting.value.path()).read_text(encoding="utf-8-sig").splitlines()))
    assert [row["situation"] for row in rows] == [
        "the attacked unit is in cover",
        "nothing beyond the plain scenario",
    ]
    visit.open("view=rules&rule=s1.a.1")
    assert visit.page.locator("#rule-body ul.bullets").first.locator("li").all_text_contents() == [
        "The attacked unit is in cover",
        HOSTILE,
    ]
    visit.open("view=rules&side=defender")
    assert visit.page.inner_text("#rules-answer").endswith("where the attacked unit has no cover but by this rule.")
    assert visit.page.locator("#rules-table .tag.situation").all_text_contents() == ["in the open"]
    visit.unharmed()
    visit.context.close()


def test_rows_are_chosen_by_where_they_are_compared(browser: Any, situated: str) -> None:
    visit = Visit(browser, situated)
    visit.open("view=rules")
    _settled(visit, "#f-situation", "plain")
    assert (_names(visit), visit.page.inner_text("#rules-answer").endswith("by Boyz.")) == (["Charge"], True)
    _settled(visit, "#f-situation", "charged")
    assert "Changing one of these shows some: Compared where" in visit.page.inner_text("#rules-table .empty")
    visit.context.close()


def test_per_cp_stands_only_where_it_says_more_than_the_gain(browser: Any, situated: str, visit: Visit) -> None:
    visit.show("rules")
    heads = "#rules-table thead th"
    assert [text for text in visit.page.locator(heads).all_text_contents() if "CP" in text] == ["Per CP"]
    _settled(visit, "#f-cost", "cp1")
    assert not [text for text in visit.page.locator(heads).all_text_contents() if "CP" in text]
    assert "10.0 points’ worth of wounds by Boyz" in visit.page.inner_text("#rules-answer")


def test_gains_of_nothing_are_counted_and_shown_when_asked_for(browser: Any, tmp_path: Path) -> None:
    gains = [SITUATED[0], {**SITUATED[1], "points_gained": 0.0}]
    visit = _page(browser, tmp_path, rule_uses=[RULE_USES[0], CHARGE], uplifts=gains, combinations=())
    visit.open("view=rules")
    assert _names(visit) == [CUT]
    assert visit.count("rules") == "1 of 2 ways to use rules here; 1 more that gain 0 is hidden"
    _settled(visit, "#f-zeros", "show")
    assert _figures(visit, "Points") == ["9.0", "0"]
    assert visit.count("rules") == "2 of 2 ways to use rules here"
    visit.context.close()


def test_of_users_that_gain_the_same_none_is_named_the_best(browser: Any, tmp_path: Path) -> None:
    legends = {0: {"availability": "legends"}}
    gains = [_situated("mortal wounds: 3", "plain", 9.0, unit_id=f"u{unit}") for unit in range(4)]
    visit = _page(browser, tmp_path, legends, rule_uses=[RULE_USES[0]], uplifts=gains, combinations=())
    visit.open("view=rules")
    assert _figures(visit, "Best user") == ["any of 3 usersall gain the same"]
    assert "by any of 3 users" in visit.page.inner_text("#rules-answer")
    visit.page.click("#rules-table a:has-text('any of 3 users')")
    visit.page.wait_for_selector("#rule-dialog[open]")
    assert len(visit.rows(WHO)) == 3
    assert "Boyz" not in visit.page.inner_text("#rule-body")
    assert "3 units may use it and gain 9.0 points on average, any of them the same" in visit.page.inner_text(
        "#rule-body"
    )
    visit.open("view=rules&legends=show&rule=s1.a.1")
    assert "Boyz 11e legends" in [" ".join(row[0].split()).lower().replace("boyz", "Boyz") for row in visit.rows(WHO)]
    visit.context.close()


def test_a_phone_keeps_each_detachment_with_its_figures_in_sight(browser: Any, address: str) -> None:
    visit = Visit(browser, address, viewport={"width": 390, "height": 844})
    visit.open("view=rules&show=together")
    assert visit.rows("Detachments by what their best unit gains") == [["War HordeOrks, 11e2 CP: Boyz", "7.0", "10.0"]]
    table = 'table[aria-label="Detachments by what their best unit gains"]'
    right = visit.page.locator(f"{table} tbody td").last.bounding_box()
    assert right is not None
    assert right["x"] + right["width"] <= 390
    assert right["width"] < 64
    visit.context.close()


# ---- together


def test_a_detachment_is_chosen_and_each_part_carries_its_share(visit: Visit) -> None:
    visit.open("view=rules&show=together")
    [[detachment, *best]] = visit.rows("Detachments by what their best unit gains")
    assert (detachment, [cell[:10] for cell in best]) == ("War HordeOrks, 11e", ["7.0<img sr", "10.0Boyz"])
    visit.page.click("#rules-together a:has-text('War Horde')")
    visit.page.wait_for_selector('table[aria-label^="Best use"]')
    assert visit.page.input_value("#f-detachment") == "d1"
    rows = visit.rows("Best use of 0 to 3 CP, unit by unit")
    assert rows[0] == ["Boyz11e", "6.0Charge 6.0", f"10.0Charge 3.3{HOSTILE[:59]}… 5.5"]
    assert rows[1][1:] == ["7.0Charge 7.0", "·no more than with fewer"]
    assert "10.0 points’ worth of wounds for 2 CP" in visit.page.inner_text("#rules-answer")
    _settled(visit, "#f-target", "battle-tank")
    assert "Nothing that is compared" in visit.page.inner_text("#rules-together")
    visit.unharmed()


def test_detachments_without_a_combination_say_why(visit: Visit) -> None:
    visit.open("view=rules&show=together")
    rows = dict(visit.rows("Detachments without a combination here"))
    [hostile] = [why for name, why in rows.items() if name.startswith("<img")]
    assert hostile == "Compared one by one: what changes nothing alone in the plain scenario."
    assert rows["Without a compared ruleOrks, 11e"] == "No rule or stratagem of it could be compared."
    assert "only attacks in the plain scenario are combined" in visit.page.inner_text("#rules-together .note").lower()
    _settled(visit, "#f-target", "battle-tank")
    rows = dict(visit.rows("Detachments without a combination here"))
    assert rows["War HordeOrks, 11e"].startswith("Nothing is combined against this target in this phase")
    visit.page.click("#rules-together details a:has-text('img')")
    visit.page.wait_for_selector("#rules-single:not([hidden])")
    assert _names(visit) == [CUT]
    visit.unharmed()


def test_combinations_leave_legends_out_unless_they_are_shown(browser: Any, tmp_path: Path) -> None:
    visit = _page(browser, tmp_path, {1: {"availability": "legends"}})
    visit.open("view=rules&show=together")
    assert visit.rows("Detachments by what their best unit gains")[0][1:] == ["6.0Boyz", "10.0Boyz"]
    _settled(visit, "#f-legends", "show")
    assert visit.rows("Detachments by what their best unit gains")[0][1][:6] == "7.0<im"
    visit.context.close()


def test_csv_of_combinations_is_one_line_a_use(visit: Visit) -> None:
    visit.open("view=rules&show=together&detachment=d1")
    with visit.page.expect_download() as waiting:
        visit.page.click("#rules-csv")
    lines = Path(waiting.value.path()).read_bytes().decode("utf-8-sig").split("\r\n")
    assert len([line for line in lines if line]) == 4
    assert "Charge + " in lines[2]


# ---- durability


@pytest.fixture(scope="module")
def three_targets(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Units 0 to 2 are targets: the first lasts longest, the last strikes hardest, the middle one is beaten on both."""
    folder = tmp_path_factory.mktemp("durable")
    path = small_warehouse(folder / "w.duckdb")
    units = [{"target_id": f"u{number}", "name": "x", "kind": "unit", "unit_id": f"u{number}", "edition": "11e",
              "models": 5, "points": 80, "toughness": 5, "save": 3, "wounds": 2} for number in (1, 2)]  # fmt: skip
    rows = [*lasting("u1", 80, (4, None)), *lasting("u2", 80, (5, 6))]
    with duckdb.connect(str(path)) as connection:
        for table, added in (("targets", units), ("unit_durability", rows)):
            connection.register("added", frame(table, added))
            connection.execute(f"INSERT INTO {table} SELECT * FROM added")
    return build_dashboard(path, folder / "site").as_uri()


def test_damage_against_durability_and_its_front(browser: Any, three_targets: str) -> None:
    visit = Visit(browser, three_targets)
    visit.open("view=tradeoff&chart=durability")
    visit.page.wait_for_selector("#tradeoff-chart canvas")
    assert visit.count("tradeoff") == "2 units with both figures, 2 on the front"  # of one the median has no answer
    assert visit.page.locator("#f-metric").is_hidden()
    _settled(visit, "#f-enemy", "rifles")
    assert visit.count("tradeoff") == "3 units with both figures, 2 on the front"
    cells = "#tradeoff-table tbody tr:not(.spacer) > :nth-child"
    assert visit.page.locator(f"{cells}(2)").all_text_contents() == ["yes", "yes", ""]
    assert visit.page.locator(f"{cells}(5)").all_text_contents() == ["41", "163", "33"]
    visit.open(visit.page.url.partition("#")[2])
    assert visit.page.input_value("#f-enemy") == "rifles"
    assert "an enemy of rifles" in visit.page.inner_text("#tradeoff-answer")
    visit.unharmed()
    visit.context.close()


@pytest.mark.parametrize("chart", ["points", "durability"])
def test_the_row_with_the_focus_shows_its_label_in_the_chart(visit: Visit, chart: str) -> None:
    visit.open(f"view=tradeoff&chart={chart}")
    visit.page.wait_for_selector("#tradeoff-chart canvas")
    visit.page.locator("#tradeoff-table tbody tr", has_text="Boyz").focus()
    tip = visit.page.locator("#tradeoff-chart .tip")
    tip.wait_for()
    assert "Boyz" in tip.inner_text()
    assert "80 points" in tip.inner_text()
    visit.unharmed()


# ---- stratagems


def _cards(visit: Visit) -> list[str]:
    return list(visit.page.locator("#stratagems-list h2").all_text_contents())


CARDS = [
    {"stratagem_id": "s2", "name": "Charge", "cp_cost": 1, "type": "Battle Tactic", "is_core": False, "edition": "11e",
     "detachment": "War Horde", "detachment_id": "d1", "effect_text": "Strike first."},
    {"stratagem_id": "s0", "name": "Ruse", "cp_cost": 0, "type": "Ruse", "is_core": False, "edition": "10e",
     "detachment": "Nowhere", "effect_text": "Nobody knows."},
]  # fmt: skip


@pytest.fixture(scope="module")
def cards(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    gains = [*SITUATED[:2], {**UPLIFTS[7], "points_gained": 4.0}]
    uses = [RULE_USES[0], CHARGE, {**CHARGE, "side": "defender"}]
    visit = _page(browser, tmp_path_factory.mktemp("cards"), stratagems=CARDS, rule_uses=uses, uplifts=gains)
    yield visit
    visit.context.close()


def test_stratagems_that_add_most_come_first_and_say_what_they_add(cards: Visit) -> None:
    cards.open("view=stratagems")
    assert _cards(cards)[1:] == ["Charge", "Ruse"]
    first, *of_charge = cards.page.locator("#stratagems-list .worth").all_text_contents()
    assert first == "+9.0 points against heavy-infantry, shooting, where the attacked unit is in cover: Boyz"
    assert of_charge == [
        "+5.0 points against heavy-infantry, shooting: Boyz",
        "+4.0 points when attacked by rifles, shooting: Boyz",
    ]
    assert cards.count("stratagems") == "3 of 3 stratagems, 0 with a modelled effect, 2 that add something here"
    cards.page.click("#stratagems-list .worth a:has-text('+4.0')")
    cards.page.wait_for_selector("#rule-dialog[open]")
    assert "rule=s2.d.1" in cards.page.url
    cards.unharmed()


def test_stratagems_are_chosen_by_faction_detachment_and_edition(cards: Visit) -> None:
    cards.open("view=stratagems")
    assert "Orks (1)" in _options(cards, "#f-faction")
    _settled(cards, "#f-faction", "Orks")
    assert _cards(cards) == ["Charge"]
    cards.open("view=stratagems&detachment=d1")
    assert _cards(cards) == ["Charge"]
    cards.open("view=stratagems&edition=11e")
    assert len(_cards(cards)) == 2
    cards.open("view=stratagems&target=battle-tank")
    assert cards.page.locator("#stratagems-list .worth").all_text_contents() == [
        "+4.0 points when attacked by rifles, shooting: Boyz"
    ]


def test_a_phone_folds_the_texts_of_stratagems(browser: Any, address: str, visit: Visit) -> None:
    visit.open("view=stratagems")
    assert visit.page.locator("#stratagems-list details[open]").count() == 1
    phone = Visit(browser, address, viewport={"width": 390, "height": 844})
    phone.open("view=stratagems")
    assert phone.page.locator("#stratagems-list details:not([open])").count() == 1
    phone.context.close()


def test_without_the_file_of_rules_stratagems_stand(browser: Any, tmp_path: Path) -> None:
    page = build_dashboard(small_warehouse(tmp_path / "w.duckdb"), tmp_path / "site")
    (page.parent / "data" / "rules.js").unlink()
    visit = Visit(browser, page.as_uri())
    visit.open("view=stratagems")
    assert len(_cards(visit)) == 1
    assert "what they add isn’t known: " in visit.count("stratagems")
    visit.context.close()


# ---- datasheet, coverage


def test_a_datasheet_tells_what_rules_add_and_what_destroys_it(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u0")
    added = visit.rows("What rules add when it attacks heavy-infantry")
    assert added == [
        [f"{CUT}Stratagem", "30.0", "1 CP", "30.0 / CP", "Fight", "hit roll +1"],
        [f"{CUT}Stratagem", "10.0", "1 CP", "10.0 / CP", "Shooting", "hit roll +1"],
        ["Big AxeEnhancement", "10.0", "25 pts", "40.0 / 100 pts", "Shooting", "hit roll +1"],
        ["A leaderLeader", "8.3", "83 pts", "10.0 / 100 pts", "Shooting", "its own weapons; Big Plan: hit roll +1"],
    ]
    assert visit.rows("What rules save when it is attacked by rifles")[0][1:4] == ["7.0", "2 CP", "3.5 / CP"]
    destroyed = visit.rows("What it takes to destroy it")
    assert destroyed[0] == ["Rifles (S4 AP0 D1)", "163", "130", "20", "1.50", "0.50", "25.0 %", "65"]
    assert destroyed[1][:4] == ["Blades (S5 AP-1 D1)", "200", "160", "16"]
    assert "at least 181 points for each 100 points" in visit.page.inner_text("#datasheet-worth")
    assert "text read in part: not read: <img" in visit.page.inner_text("#datasheet-body > ul.bullets")
    _settled(visit, "#f-sheet-attacker", "blades")
    assert visit.rows("What rules save when it is attacked by blades")[0][1] == "9.0"
    visit.page.click("#datasheet-worth a:has-text('Big Axe')")
    visit.page.wait_for_selector("#rule-dialog[open]")
    assert _names(visit) == ["Big Axe"]
    visit.unharmed()


def test_a_leaders_datasheet_leads_to_the_units_that_it_helps(visit: Visit) -> None:
    visit.open("view=datasheet&sheet=u3")
    visit.page.click("#datasheet-worth a:has-text('units that it leads')")
    visit.page.wait_for_selector("#rule-dialog[open]")
    assert [row[0][:5] for row in visit.rows(WHO)] == ["Boyz "]
    assert _names(visit) == ["A leader"]


def test_without_the_file_the_rest_of_the_datasheet_stands(browser: Any, tmp_path: Path) -> None:
    page = build_dashboard(small_warehouse(tmp_path / "w.duckdb"), tmp_path / "site")
    (page.parent / "data" / "rules.js").unlink()
    visit = Visit(browser, page.as_uri())
    visit.open("view=datasheet&sheet=u0")
    assert "data/rules.js isn’t there" in visit.page.inner_text("#datasheet-worth")
    assert visit.rows("Stat line")
    visit.open("view=rules")
    visit.page.wait_for_selector("#loading:not([hidden])")
    assert "data/rules.js isn’t there" in visit.page.inner_text("#loading")
    visit.context.close()


def test_coverage_by_kind_and_faction(visit: Visit) -> None:
    visit.show("quality")
    by_kind = [[row[0], *row[2:]] for row in visit.rows("Rules texts read, by kind")]
    assert by_kind == [["Abilities", "100.0 %", "1", "0", "1", "0"], ["Stratagems", "50.0 %", "2", "1", "0", "1"]]
    by_faction = {row[0]: row[2] for row in visit.rows("Rules texts read, by faction")}
    assert by_faction["Orks (11e)"] == "100.0 %"
    assert sorted(by_faction.values()) == ["0.0 %", "100.0 %"]
    assert "66.7 %" in visit.page.inner_text("#quality-body .figures")
    visit.unharmed()


def test_the_guide_explains_each_figure_of_rules(visit: Visit) -> None:
    visit.show("reading")
    terms = visit.page.locator("#view-reading dt").all_text_contents()
    for term in ("Points gained", "Points gained for each CP", "Points gained for each 100 points",
                 "Points to destroy per 100 points", "Combinations"):  # fmt: skip
        place = terms.index(term)
        assert visit.page.locator("#view-reading dl > div").nth(place).locator("code").count() == 1
    attacker, *figures = visit.rows("Reference attackers")[0][:3]
    assert (attacker.startswith("Rifles (S4 AP0 D1)"), figures) == (True, ["65", "10"])
