"""The HTML reader on pages of our own: no real page is at hand."""

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.records import Document, Issue, ModelProfile, WeaponAbility
from pipelines.sources.discovery import read_document
from pipelines.sources.files import MAX_LINE_BYTES
from pipelines.sources.html_page import parse_page
from tests.sources.html_samples import (
    ABILITIES,
    CHARGED,
    COMPOSITION,
    FLAMER,
    KNIVES,
    LEFT,
    LONG_GUN,
    OPTIONS,
    card,
    costs,
    invulnerable,
    page,
    parse,
    profile,
    section,
    weapon,
    weapon_table,
    weapons_of,
)

TWO_PROFILES = profile(name="Crew") + profile(('8"', "5", "2+", "4", "6+", "2"), name="Crew Boss", labels=False)


def codes(document: Document) -> set[str]:
    return {issue.code for issue in document.issues}


def message(document: Document, code: str) -> str:
    return next(issue.message for issue in document.issues if issue.code == code)


class TestWholeCard:
    def test_a_page_that_fits_is_read_to_its_last_word(self) -> None:
        document = parse(page())
        assert (document.status, document.issues) == ("parsed", ())
        assert (document.source_kind, document.edition, document.edition_source) == (
            "html_page",
            "10e",
            "declared_default",
        )
        assert (document.title, document.collection, document.unit_name) == (
            "Iron Pact – Gun Crew",
            "Iron Pact",
            "Gun Crew",
        )
        assert document.spans == ()

    def test_facts_of_the_card(self) -> None:
        (sheet,) = parse(page()).datasheets
        assert (sheet.name, sheet.collection, sheet.faction, sheet.leads) == ("Gun Crew", "Iron Pact", "IRON PACT", ())
        assert sheet.models == (
            ModelProfile(
                "Gun Crew", 6, 4, 3, wounds=2, leadership=6, objective_control=1, feel_no_pain=5, base_size="60mm"
            ),
        )
        assert [(cost.models, cost.points, cost.kind) for cost in sheet.costs] == [(1, 55, "base"), (2, 110, "base")]
        (row,) = sheet.composition
        assert (row.model_name, row.min_models, row.max_models) == ("Gun Crews", 1, 2)
        assert row.default_weapons == ("long gun", "crew knives")
        assert [(word.keyword, word.is_faction_keyword) for word in sheet.keywords] == [
            ("VEHICLE", False),
            ("GUN CREW", False),
            ("IRON PACT", True),
        ]

    def test_abilities(self) -> None:
        (sheet,) = parse(page()).datasheets
        assert [(ability.kind, ability.name, ability.parameter, ability.text) for ability in sheet.abilities] == [
            ("core", "Deadly Demise", "D3", None),
            ("core", "Feel No Pain", "5+", None),
            ("core", "Scouts", '6"', None),
            ("faction", "Sworn Debt", None, None),
            (
                "datasheet",
                "Steady Hands",
                None,
                "While the crew stands still, it aims twice.\n- Once near\n- Once far",
            ),
            ("datasheet", "Old Grudge (Aura)", None, "Friends remember it & fight on."),
        ]

    def test_wargear_options(self) -> None:
        swap, add = parse(page()).datasheets[0].wargear_options
        assert (swap.action, swap.replaces, swap.gains) == ("replace", ("long gun",), ("spark hose", "arc coil"))
        assert (add.action, add.gains, add.quantity) == ("add", ("lucky charm",), 1)

    def test_lines_are_those_of_the_file(self) -> None:
        text = page()
        document = parse(text)
        lines = text.split("\n")
        gun, knives = weapons_of(document)
        assert "Long gun" in lines[gun.line - 1]  # type: ignore[operator]
        assert "Crew knives" in lines[knives.line - 1]  # type: ignore[operator]
        assert document.line_count == len(lines) - 1
        assert "dsOuterFrame" in lines[document.datasheets[0].line - 1]  # type: ignore[operator]

    def test_wargear_abilities_damaged_and_other_headings(self) -> None:
        right = (
            ABILITIES
            + section("WARGEAR ABILITIES", "<b>Lucky Charm:</b> It brings luck.")
            + section("DAMAGED: 1-4 WOUNDS REMAINING", "It limps.")
            + section("OLD COMMAND", "This crew gives the orders.")
            + COMPOSITION
        )
        document = parse(page(card(right=right)))
        assert [(a.kind, a.name, a.text) for a in document.datasheets[0].abilities[-3:]] == [
            ("wargear", "Lucky Charm", "It brings luck."),
            ("datasheet", "DAMAGED: 1-4 WOUNDS REMAINING", "It limps."),
            ("datasheet", "OLD COMMAND", "This crew gives the orders."),
        ]
        assert codes(document) == {"section_read_as_ability"}

    def test_leader(self) -> None:
        led = section(
            "LEADER", "This model can join the following units:<ul><li>Gun Line</li><li><a>Mine Crew</a></li></ul>"
        )
        document = parse(page(card(right=ABILITIES + COMPOSITION + led)))
        assert document.datasheets[0].leads == ("Gun Line", "Mine Crew")

    def test_leader_without_its_list(self) -> None:
        document = parse(page(card(right=ABILITIES + COMPOSITION + section("LEADER", "It can join these units:"))))
        assert document.datasheets[0].leads is None
        assert "leader_targets_lost" in codes(document)

    def test_stratagem_lists_are_named_as_unread(self) -> None:
        lists = section("STRATAGEMS", "STEADY AIM<br>1CP") + section("ENHANCEMENTS", "Old Coin<br>15")
        document = parse(page(card(right=ABILITIES + COMPOSITION + lists)))
        assert document.status == "parsed"
        assert message(document, "section_not_read") == "card 'Gun Crew': left unread: STRATAGEMS, ENHANCEMENTS"

    def test_latin_class_names_are_read_as_well(self) -> None:
        assert parse(page().replace("\u0421", "C")).datasheets == parse(page()).datasheets

    def test_legends(self) -> None:
        legend, regular = card(extra_class="sLegendary"), card()
        assert parse(page(legend)).datasheets[0].availability == "legends"
        assert parse(page(regular)).datasheets[0].availability is None

    def test_an_unknown_part_is_an_issue_with_its_line(self) -> None:
        text = page(card(left=OPTIONS + "\n<div class='dsNew'>A thing of its own</div>"))
        document = parse(text)
        (issue,) = document.issues
        assert (document.status, issue.code, issue.severity) == ("partial", "unrecognised_line", "warning")
        assert issue.line is not None
        assert "A thing of its own" in text.split("\n")[issue.line - 1]


class TestSeveralDatasheets:
    def test_a_faction_page(self) -> None:
        document = parse(page(card(), card("Mine Crew", stats=TWO_PROFILES), title="Iron Pact"))
        assert [sheet.name for sheet in document.datasheets] == ["Gun Crew", "Mine Crew"]
        assert {sheet.collection for sheet in document.datasheets} == {"Iron Pact"}
        assert (document.status, document.unit_name) == ("parsed", None)

    def test_a_card_that_does_not_fit_is_left_out_and_named(self) -> None:
        document = parse(page(card(), card("Ghost", stats=" ", weapons=" "), title="Iron Pact"))
        assert [sheet.name for sheet in document.datasheets] == ["Gun Crew"]
        assert document.status == "partial"
        assert "card 'Ghost': no weapon table and no stat line" in message(document, "unknown_html_structure")

    def test_cards_of_one_name_keep_their_own_keys(self) -> None:
        document = parse(page(card(), card(), title="Iron Pact"))
        assert [sheet.source_key for sheet in document.datasheets] == [None, "gun crew 2"]
        assert "datasheet_repeated" in codes(document)

    def test_a_card_that_never_ends_does_not_swallow_the_next(self) -> None:
        text = page(card(), card("Mine Crew"), title="Iron Pact").replace('<div class="ds2colKW">', "", 1)
        text = text.replace('<div class="dsBannerWrap">', '<div><div class="dsBannerWrap">', 1)
        document = parse(text.replace("</div>\n<div", "\n<div", 1))
        assert len(weapons_of(document)) == 4

    def test_no_title_leaves_the_collection_open(self) -> None:
        document = parse(page(title=""))
        assert document.datasheets[0].collection is None
        assert "collection_unknown" in codes(document)

    def test_a_collection_that_is_no_faction_has_no_points_by_design(self) -> None:
        bare = card(right=ABILITIES)
        (sheet,) = parse(page(bare, title="Old Dorn’s Prospect – Gun Crew")).datasheets
        assert (sheet.collection, sheet.faction, sheet.has_points_by_design) == (
            "Old Dorn’s Prospect",
            "IRON PACT",
            False,
        )
        assert parse(page(bare)).datasheets[0].has_points_by_design


class TestStatLines:
    def models(self, stats: str) -> tuple[ModelProfile, ...]:
        return parse(page(card(stats=stats))).datasheets[0].models

    def test_labels_stand_in_the_first_profile_only(self) -> None:
        crew, boss = self.models(TWO_PROFILES)
        assert (crew.model_name, crew.movement, crew.toughness, crew.save, crew.wounds) == ("Crew", 6, 4, 3, 2)
        assert (boss.model_name, boss.movement, boss.toughness, boss.save, boss.wounds) == ("Crew Boss", 8, 5, 2, 4)

    @pytest.mark.parametrize(
        ("values", "expected"),
        [
            (('20+"', "8", "3+", "10", "6+", "0"), (20, 8, 3, 10, 6, 0)),
            (("-", "5*", "7+", "1", "8+", "-"), (None, 5, 7, 1, 8, None)),
        ],
    )
    def test_odd_values(self, values: tuple[str, ...], expected: tuple[int | None, ...]) -> None:
        (model,) = self.models(profile(values))
        assert (
            model.movement,
            model.toughness,
            model.save,
            model.wounds,
            model.leadership,
            model.objective_control,
        ) == expected

    def test_a_value_that_can_not_be_read_is_unknown_and_said(self) -> None:
        document = parse(page(card(stats=profile(('6"', "many", "3+", "2", "6+", "1")))))
        assert document.datasheets[0].models[0].toughness is None
        assert (document.status, codes(document)) == ("partial", {"stat_value_unreadable"})

    @pytest.mark.parametrize("lost", ["3+", "1"])
    def test_a_profile_that_lacks_a_value_is_not_read_by_position(self, lost: str) -> None:
        values = [value for value in ('6"', "4", "3+", "2", "6+", "1") if value != lost]
        document = parse(page(card(stats=profile() + profile(values, name="Boss", labels=False))))
        assert len(document.datasheets[0].models) == 1
        assert "stat_line_unreadable" in codes(document)

    def test_profiles_without_labels_are_not_guessed(self) -> None:
        document = parse(page(card(stats=profile(labels=False))))
        assert document.datasheets[0].models == ()
        assert {"stat_line_unreadable", "section_missing"} <= codes(document)

    def test_nameless_profiles_stay_apart(self) -> None:
        document = parse(page(card(stats=profile() + profile(labels=False))))
        assert [model.model_name for model in document.datasheets[0].models] == [
            "Gun Crew (profile 1)",
            "Gun Crew (profile 2)",
        ]
        assert "model_name_missing" in codes(document)


class TestInvulnerableSaves:
    def saves(self, stats: str) -> tuple[list[tuple[int | None, str | None]], set[str]]:
        document = parse(page(card(stats=stats)))
        models = document.datasheets[0].models
        return [(model.invulnerable_save, model.invulnerable_save_scope) for model in models], codes(document)

    def test_without_condition(self) -> None:
        assert self.saves(profile() + invulnerable("4+")) == ([(4, None)], set())

    @pytest.mark.parametrize(
        ("remark", "scope"),
        [
            ("* Against ranged attacks only", "ranged"),
            ("* against melee attacks only", "melee"),
            ("* This model has a 5+ invulnerable save against ranged attacks.", "ranged"),
        ],
    )
    def test_against_some_attacks(self, remark: str, scope: str) -> None:
        assert self.saves(profile() + invulnerable("5+*", remark)) == ([(5, scope)], set())

    def test_better_in_a_case_beside_the_printed_value(self) -> None:
        document = parse(page(card(stats=profile() + invulnerable("5+", "* 4+ against melee attacks"))))
        (found,) = document.datasheets[0].models
        assert (found.invulnerable_save, found.invulnerable_save_scope) == (5, None)
        assert (found.improved_invulnerable_save, found.improved_invulnerable_save_scope) == (4, "melee")
        assert codes(document) == set()

    def test_one_model_only_is_not_given_to_all(self) -> None:
        found = self.saves(profile() + invulnerable("5+", "* Crew Boss model only."))
        assert found == ([(None, None)], {"invulnerable_save_one_model"})

    def test_one_model_with_a_profile_of_its_own(self) -> None:
        assert self.saves(TWO_PROFILES + invulnerable("5+", "Crew Boss only."))[0] == [(None, None), (5, None)]
        assert self.saves(TWO_PROFILES + invulnerable("5+", "Excluding the Crew Boss."))[0] == [(5, None), (None, None)]

    def test_each_profile_has_its_own(self) -> None:
        first, second = TWO_PROFILES.split('<div class="dsProfileBaseWrap">')[1:]
        frame = '<div class="dsProfileBaseWrap">'
        both = frame + first + invulnerable("6+") + frame + second + invulnerable("4+")
        assert self.saves(both) == ([(6, None), (4, None)], set())
        only_first = frame + first + invulnerable("6+") + frame + second
        assert self.saves(only_first) == ([(6, None), (None, None)], set())

    def test_one_box_below_two_profiles_is_the_last_ones_and_said(self) -> None:
        assert self.saves(TWO_PROFILES + invulnerable("4+")) == (
            [(None, None), (4, None)],
            {"invulnerable_save_placed"},
        )

    def test_a_star_without_its_condition(self) -> None:
        found = self.saves(profile() + invulnerable("4+*"))
        assert found == ([(4, None)], {"invulnerable_save_condition_unknown"})

    def test_none_and_nonsense(self) -> None:
        assert self.saves(profile() + invulnerable("-")) == ([(None, None)], set())
        assert self.saves(profile() + invulnerable("7+")) == ([(None, None)], set())
        assert self.saves(profile() + invulnerable("soon")) == ([(None, None)], {"invulnerable_save_unreadable"})


def test_a_page_in_a_single_line_is_read_whatever_its_length(tmp_path: Path) -> None:
    cards = [card(f"Gun Crew {number}") for number in range(MAX_LINE_BYTES // 4000)]
    path = tmp_path / "page.html"
    for head in ("", "<!-- saved from a site -->", "\ufeff "):
        path.write_text(head + page(*cards).replace("\n", ""), encoding="utf-8")
        assert path.stat().st_size > MAX_LINE_BYTES
        document = read_document(path)
        assert (document.status, len(document.datasheets)) == ("parsed", len(cards))


class TestBesideTheStatLine:
    def test_each_profile_has_its_own_base(self) -> None:
        base = '<span class="dsModelBase2">(⌀{})</span></div>\n'
        first, second = (
            profile(name=name, labels=name == "Crew").rstrip("\n").removesuffix("</div>")
            for name in ("Crew", "Crew Boss")
        )
        document = parse(page(card(stats=first + base.format("32mm") + second + base.format("60 x 35mm"))))
        assert [model.base_size for model in document.datasheets[0].models] == ["32mm", "60 x 35mm"]

    @pytest.mark.parametrize(
        ("printed", "expected"),
        [
            ("Feel No Pain 5+", [(5, None), (5, None)]),
            ("Feel No Pain 4+ (against mortal wounds)", [(4, "mortal"), (4, "mortal")]),
            ("Feel No Pain 6+ (Crew Boss only)", [(None, None), (6, None)]),
        ],
    )
    def test_feel_no_pain_in_its_scope(self, printed: str, expected: list[tuple[int | None, str | None]]) -> None:
        right = section("ABILITIES", f"CORE: <b>{printed}</b>", "FACTION: <b>Sworn Debt</b>") + SHORT
        document = parse(page(card(stats=TWO_PROFILES, right=right)))
        assert [(one.feel_no_pain, one.feel_no_pain_scope) for one in document.datasheets[0].models] == expected

    def test_feel_no_pain_with_another_condition_is_said(self) -> None:
        right = section("ABILITIES", "CORE: <b>Feel No Pain 4+ (while angry)</b>") + SHORT
        document = parse(page(card(right=right)))
        assert document.datasheets[0].models[0].feel_no_pain is None
        assert "feel_no_pain_unread" in codes(document)

    def test_the_damaged_bracket(self) -> None:
        text = "While it has 1-4 wounds remaining, subtract 2 from the Hit roll."
        right = SHORT + section("DAMAGED: 1-4 WOUNDS REMAINING", text)
        bracket = parse(page(card(right=right))).datasheets[0].damaged
        assert bracket is not None
        assert (bracket.wounds_from, bracket.wounds_to, bracket.hit_modifier, bracket.text) == (1, 4, -2, text)
        assert parse(page(card(right=SHORT))).datasheets[0].damaged is None

    def test_a_bracket_without_wounds_is_said(self) -> None:
        document = parse(page(card(right=SHORT + section("DAMAGED", "It limps."))))
        assert document.datasheets[0].damaged is None
        assert "damaged_unread" in codes(document)


class TestWeapons:
    def test_both_kinds(self) -> None:
        gun, knives = weapons_of(parse(page()))
        assert (gun.weapon_name, gun.attack_type, gun.range_inches, gun.attacks, gun.skill) == (
            "Long gun",
            "ranged",
            36,
            "2",
            3,
        )
        assert (gun.strength, gun.armour_penetration, gun.damage) == ("9", -2, "D3+1")
        assert [(ability.ability, ability.value) for ability in gun.abilities] == [
            ("heavy", None),
            ("sustained_hits", "1"),
        ]
        assert (knives.attack_type, knives.range_inches, knives.skill, knives.abilities) == ("melee", None, 4, ())

    def test_torrent_has_no_skill(self) -> None:
        (hose,) = weapons_of(parse(page(card(weapons=weapon_table([FLAMER])))))
        assert (hose.skill, hose.attacks) == (None, "D6")
        assert [ability.ability for ability in hose.abilities] == ["ignores_cover", "torrent"]

    def test_several_profiles(self) -> None:
        document = parse(page(card(weapons=weapon_table([CHARGED, LONG_GUN], [KNIVES]))))
        assert document.issues == ()
        assert [(weapon.weapon_name, weapon.profile_name) for weapon in weapons_of(document)] == [
            ("Arc coil", "steady"),
            ("Arc coil", "surge"),
            ("Long gun", None),
            ("Crew knives", None),
        ]

    @pytest.mark.parametrize(
        "markup",
        [
            '<span class="kwbw">[<span class="kwbu">anti-infantry 4+</span>, <span>devastating wounds</span>]</span>',
            '<span class="kwbw">anti-infantry 4+</span><span class="kwbw">devastating wounds</span>',
            '<span class="kwb2"><i>anti-infantry</i> <i>4+</i></span>, <span class="kwb2">devastating wounds</span>',
            "[ANTI-INFANTRY 4+, DEVASTATING WOUNDS]",
        ],
    )
    def test_ways_to_print_abilities(self, markup: str) -> None:
        text = page().replace("Long gun <", f"Long gun {markup}<i><", 4)
        text = re.sub(r"<i><span class=\"kwbw\">.*?\]</span>", "", text)
        gun = weapons_of(parse(text))[0]
        assert gun.weapon_name == "Long gun"
        assert [(a.ability, a.value, a.against_keywords) for a in gun.abilities] == [
            ("anti", "4", ("INFANTRY",)),
            ("devastating_wounds", None, ()),
        ]

    def test_words_in_spans_of_their_own(self) -> None:
        table = weapon_table([("Long gun", (), LONG_GUN[2])]).replace(
            "Long gun", 'Long gun <span class="kwbw">devastating</span><span class="kwbw">wounds</span>'
        )
        (gun,) = weapons_of(parse(page(card(weapons=table))))
        assert gun.abilities == (WeaponAbility("devastating_wounds", printed="devastating wounds"),)

    def test_an_unknown_ability_is_kept_and_said(self) -> None:
        document = parse(page(card(weapons=weapon_table([("Long gun", ["overcharge"], LONG_GUN[2])]))))
        assert [ability.ability for ability in weapons_of(document)[0].abilities] == ["overcharge"]
        assert codes(document) == {"unknown_weapon_ability"}

    def test_a_range_of_a_die_before_the_name(self) -> None:
        plain = '<tr><td></td><td class="wTable2_short'
        table = weapon_table([LONG_GUN]).replace(plain, plain.replace("></td>", ">1-2</td>"))
        (gun,) = weapons_of(parse(page(card(weapons=table))))
        assert gun.dice_range == "1-2"
        assert gun.weapon_name == "Long gun"

    def test_a_value_that_can_not_be_read_leaves_the_weapon_out(self) -> None:
        broken = ("Odd gun", (), ('36"', "D7", "3+", "9", "-2", "1"))
        document = parse(page(card(weapons=weapon_table([broken, LONG_GUN]))))
        assert [weapon.weapon_name for weapon in weapons_of(document)] == ["Long gun"]
        assert (document.status, codes(document)) == ("partial", {"weapon_value_unreadable"})

    def test_a_name_row_without_values(self) -> None:
        name_row = weapon("Lost gun", (), ()).split("\n")[0]
        table = weapon_table([LONG_GUN]).replace('<tbody class="bkg">', f'<tbody class="bkg">{name_row}', 1)
        document = parse(page(card(weapons=table)))
        assert "'Lost gun' has a name row and no values" in message(document, "weapon_profile_missing")

    def test_unknown_columns(self) -> None:
        table = weapon_table([LONG_GUN]).replace(">BS<", ">TYPE<")
        document = parse(page(card(weapons=table)))
        assert weapons_of(document) == []
        assert (document.status, "weapon_table_unreadable" in codes(document)) == ("partial", True)

    def test_a_contradicting_range_cell_decides(self) -> None:
        (knives,) = weapons_of(document := parse(page(card(weapons=weapon_table([KNIVES])))))
        assert (knives.attack_type, codes(document)) == ("melee", {"weapon_table_disagrees"})

    @pytest.mark.parametrize("tag", ["</td>", "</tr>", "</tbody>", "</span>"])
    def test_end_tags_that_html_lets_be_left_out(self, tag: str) -> None:
        table = weapon_table([LONG_GUN, FLAMER], [KNIVES])
        document = parse(page(card(weapons=table.replace(tag, ""))))
        assert [weapon.weapon_name for weapon in weapons_of(document)] == ["Long gun", "Spark hose", "Crew knives"]

    def test_a_sentence_below_the_profiles(self) -> None:
        note = "<tr><td></td><td colspan='7'>One profile is chosen for each attack.</td></tr>"
        table = weapon_table([CHARGED]).replace("</tbody>\n</table>", f"{note}</tbody>\n</table>")
        assert parse(page(card(weapons=table))).issues == ()

    def test_no_weapon_table(self) -> None:
        document = parse(page(card(weapons=" ")))
        assert message(document, "section_missing") == "card 'Gun Crew': no weapon table"
        unarmed = COMPOSITION.replace("long gun; crew knives", "nothing")
        assert parse(page(card(weapons=" ", right=ABILITIES + unarmed))).issues == ()


class TestCostsCompositionKeywords:
    def composed(self, *boxes: str) -> Document:
        return parse(page(card(right=ABILITIES + section("UNIT COMPOSITION", *boxes))))

    def test_conditions_ranges_and_add_ons(self) -> None:
        rows = (("1 model (Hired Help)", "70"), ("3-5 models", "90"), ("2 Crews and 1 Boss", "120"), ("Charm", "+10"))
        document = self.composed("<ul><li>1-5 Crews</li></ul>", costs(*rows))
        assert [
            (cost.models, cost.models_max, cost.points, cost.kind, cost.condition, cost.item)
            for cost in document.datasheets[0].costs
        ] == [
            (1, None, 70, "alternative", "Hired Help", None),
            (3, 5, 90, "base", None, None),
            (3, None, 120, "base", None, None),
            (1, None, 10, "add_on", None, "Charm"),
        ]

    def test_tiers(self) -> None:
        table = costs(("1 model", "50"), heading="YOUR 1ST TO 2ND UNITS COST")
        table += costs(("1 model", "60"), heading="YOUR 3RD + UNIT COSTS")
        document = self.composed("<ul><li>1 Crew</li></ul>", table)
        assert [(cost.points, cost.copies_from, cost.copies_to) for cost in document.datasheets[0].costs] == [
            (50, 1, 2),
            (60, 3, None),
        ]

    def test_a_price_without_tag_or_heading(self) -> None:
        table = "<table><tr><td>1 model</td><td>45</td></tr></table>"
        assert self.composed("<ul><li>1 Crew</li></ul>", table).datasheets[0].costs[0].points == 45

    def test_a_price_that_can_not_be_read(self) -> None:
        document = self.composed("<ul><li>1 Crew</li></ul>", costs(("1 model", "free")))
        assert (document.status, "cost_unreadable" in codes(document)) == ("partial", True)

    def test_equipment_goes_to_the_model_that_is_named(self) -> None:
        document = self.composed(
            "<ul><li>1 Boss Nob</li><li>9-19 Nobs</li><li>1 Bystander – EPIC HERO</li></ul>",
            "<b>The Boss Nob is equipped with:</b> long gun.<br><b>Every Nob is equipped with:</b> crew knives; charm.",
        )
        rows = document.datasheets[0].composition
        assert [(row.model_name, row.min_models, row.max_models, row.default_weapons) for row in rows] == [
            ("Boss Nob", 1, 1, ("long gun",)),
            ("Nobs", 9, 19, ("crew knives", "charm")),
            ("Bystander", 1, 1, None),
        ]

    def test_equipment_of_a_stranger_is_said(self) -> None:
        document = self.composed("<ul><li>1 Crew</li></ul>", "<b>The Cook is equipped with:</b> ladle.")
        assert "default_weapons_unmatched" in codes(document)

    def test_alternatives_widen_the_bounds(self) -> None:
        document = self.composed("<ul><li>5 Crews</li></ul>OR<ul><li>10 Crews</li></ul>")
        assert [(row.min_models, row.max_models) for row in document.datasheets[0].composition] == [(5, 10)]

    def test_keywords_of_one_model(self) -> None:
        foot = (
            f'<div class="ds2colKW"><div class="{LEFT}KW">KEYWORDS – ALL MODELS: <span class="kwb">INFANTRY</span>;'
            '<span class="dsVertLine"></span>GUN CREW: <span class="kwb">HERO</span></div>'
            '<div>FACTION KEYWORDS: <span class="kwb">IRON</span><span class="kwb">PACT</span>;</div></div>'
        )
        (sheet,) = parse(page(card(foot=foot))).datasheets
        assert [(word.keyword, word.model_name, word.is_faction_keyword) for word in sheet.keywords] == [
            ("INFANTRY", None, False),
            ("HERO", "GUN CREW", False),
            ("IRON PACT", None, True),
        ]

    def test_missing_keywords(self) -> None:
        document = parse(page(card(foot=" ")))
        assert message(document, "section_missing") == "card 'Gun Crew': no KEYWORDS, no FACTION KEYWORDS"
        assert document.status == "partial"


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "no HTML"),
            ("plain words", "no HTML"),
            ("<html><body><p>Nothing here</p></body></html>", "no datasheet card (div.dsOuterFrame.datasheet)"),
            (page(card(stats=" ", weapons=" ")), "card 'Gun Crew': no weapon table and no stat line"),
            (page(card("")), "a card without a name (div.dsH2Header > div)"),
            (page().replace("dsH2Header", "dsNew"), "a card without a name (div.dsH2Header > div)"),
            (page().replace("dsOuterFrame", "frame"), "no datasheet card"),
            ("<div>" * 3000 + page(), "nested more than"),
            ("<b>x</b>" * 250_000, "tags; at most"),
            ("<a " * 5000, "tags without an end"),
            (page() + "<!-- >" * 5000, "comments without an end"),
            (page() + "<![CDATA[ >" * 5000, "marked sections without an end"),
            ("<![nonsense[ x ]]>" + page(), "no HTML that can be parsed"),
        ],
    )
    def test_one_error_says_what_is_missing(self, text: str, why: str) -> None:
        document = parse(text)
        assert (document.status, document.datasheets) == ("quarantined", ())
        (issue,) = document.issues
        assert (issue.severity, issue.code) == ("error", "unknown_html_structure")
        assert why in issue.message

    def test_every_card_is_named(self) -> None:
        document = parse(page(card("One", stats=" ", weapons=" "), card("Two", stats=" ", weapons=" ")))
        (issue,) = document.issues
        assert "card 'One': " in issue.message
        assert "card 'Two': " in issue.message

    def test_what_was_noted_while_reading_the_file_is_kept(self) -> None:
        earlier = Issue("warning", "not_utf8", "read as Windows-1252", 3)
        for text in (page(), "<p>nothing</p>"):
            document = parse_page(text, document_id="0", path="p", byte_count=1, issues=[earlier])
            assert earlier in document.issues

    @pytest.mark.parametrize(
        "head",
        [
            '<link rel="canonical" href="https://example.org/wh40k9ed/factions/iron-pact/Gun-Crew">',
            '<meta name="description" content="Rules of the 8th edition">',
        ],
    )
    def test_old_editions(self, head: str) -> None:
        document = parse(page(head=head))
        assert (document.status, codes(document)) == ("quarantined", {"old_edition"})

    def test_a_printed_edition(self) -> None:
        document = parse(page(head='<meta name="description" content="Gun Crew, 11th edition">'))
        assert (document.edition, document.edition_source) == ("11e", "printed")
        assert document.datasheets[0].edition == "11e"


class TestHostileInput:
    @pytest.mark.parametrize(
        "part",
        [
            "<!", "<a ", "<!--", "</a", "<?", "<", "&", "&#x;", "<a href='", "<p>", "<div>", "<td>", "<tr>", "<table>",
            "<li>", "<script>", "<style>", "<template>", "</div>", "<a b=\"' >", "<b>", "<!DOCTYPE ", "<!>",
        ],
    )  # fmt: skip
    def test_repeated_pieces_take_no_long_time(self, part: str) -> None:
        started = time.monotonic()
        for text in (page() + part * 5000, part * 5000 + page(), page().replace("Long gun", part * 2500)):
            parse(text)
        assert time.monotonic() - started < 10

    def test_scripts_and_comments_are_no_text(self) -> None:
        text = page(card(left=OPTIONS + "<script>boom()</script><style>a{}</style><!-- <b>hidden</b> -->"))
        assert parse(text).issues == ()

    def test_a_script_without_an_end_is_noticed(self) -> None:
        text = page(card(), card("Mine Crew"), title="Iron Pact")
        text = text.replace('<a name="Mine-Crew"></a>', "<script>x()")
        document = parse(text)
        assert len(document.datasheets) == 1
        assert "markup_in_script" in codes(document)

    def test_issues_are_bounded(self) -> None:
        document = parse(page(card(left="<p>What is this</p>" * 5000)))
        assert len(document.issues) <= 1000

    @settings(max_examples=60, deadline=None)
    @given(st.text(alphabet=st.sampled_from("<>/!-[]&;'\" abdstrv=\n\x00\udc80"), max_size=300))
    def test_any_text_is_answered(self, text: str) -> None:
        assert parse(text).status == "quarantined"
        assert parse(page().replace("Crew knives", text)).path == "page.html"


SHORT = section("ABILITIES", "CORE: <b>Stealth</b>") + COMPOSITION
MUTATED = page(
    card(weapons=weapon_table([CHARGED, LONG_GUN], [KNIVES]), stats=TWO_PROFILES + invulnerable("4+", "* x"), left=" "),
    card("Mine Crew", left=" ", right=SHORT, weapons=weapon_table([FLAMER]), extra_class="sLegendary"),
    title="Iron Pact",
)
TAGS = list(re.finditer(r"<[^<>]+>", MUTATED))
WHOLE = parse(MUTATED)


def without_tags(*chosen: int) -> str:
    parts, end = [], 0
    for at in sorted(set(chosen)):
        parts.append(MUTATED[end : TAGS[at].start()])
        end = TAGS[at].end()
    return "".join([*parts, MUTATED[end:]])


def facts(document: Document) -> list[tuple[object, ...]]:
    """What a page says in numbers and names, lines aside."""
    found: list[tuple[object, ...]] = []
    for sheet in document.datasheets:
        rows = (*sheet.weapons, *sheet.costs, *sheet.composition, *sheet.keywords)
        names = (sheet.name, sheet.faction, sheet.availability, sheet.leads)
        found.append((names, sheet.models, *(replace(row, line=None) for row in rows)))
    return found


class TestLostTags:
    def check(self, text: str) -> None:
        document = parse(text)
        said = {issue for issue in document.issues if issue.severity != "info"} - set(WHOLE.issues)
        if document.status == "quarantined":
            assert {issue.severity for issue in said} == {"error"}
        if facts(document) != facts(WHOLE):
            assert said, "facts changed and nothing was said"

    def test_the_whole_page(self) -> None:
        assert WHOLE.status == "parsed"
        assert [len(sheet.weapons) for sheet in WHOLE.datasheets] == [4, 1]
        assert [len(sheet.models) for sheet in WHOLE.datasheets] == [2, 1]

    @pytest.mark.parametrize("part", range(8))
    def test_any_single_tag(self, part: int) -> None:
        for at in range(part, len(TAGS), 8):
            self.check(without_tags(at))

    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.integers(0, len(TAGS) - 1), min_size=2, max_size=6))
    def test_several_tags(self, chosen: list[int]) -> None:
        self.check(without_tags(*chosen))

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, len(MUTATED)), st.integers(0, 400))
    def test_a_piece_cut_out_never_raises(self, start: int, length: int) -> None:
        parse(MUTATED[:start] + MUTATED[start + length :])


def test_a_saved_page_is_told_by_its_structure_and_read(tmp_path: Path) -> None:
    (tmp_path / "saved.txt").write_text(page(), encoding="utf-8")
    document = read_document(tmp_path / "saved.txt", root=tmp_path)
    assert (document.source_kind, document.status) == ("html_page", "parsed")
    assert document.datasheets[0].weapons
