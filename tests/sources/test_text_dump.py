"""Each irregularity of the layout, on small pages in words of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.sources.discovery import read_document
from tests.sources.sheets import (
    ABILITIES,
    COMPOSITION,
    DETAIL,
    INDEX,
    KEYWORDS,
    MELEE,
    OPTIONS,
    RANGED,
    RULE,
    codes,
    page,
    parse,
    rules_page,
    tiled,
    written,
)


def titles(text: str) -> list[tuple[str, str]]:
    return [(rule.title, rule.kind) for rule in parse(text).rules]


def test_a_whole_page() -> None:
    document = parse(page())
    sheet = document.datasheets[0]
    assert document.status == "parsed"
    assert (document.title, document.collection, document.unit_name) == (
        "Iron Pact – Gun Crew",
        "Iron Pact",
        "Gun Crew",
    )
    assert (document.edition, document.edition_source) == ("10e", "declared_default")
    assert [(one.weapon_name, one.attack_type, one.range_inches) for one in sheet.weapons] == [
        ("Long gun", "ranged", 36),
        ("Crew knives", "melee", None),
    ]
    gun = sheet.weapons[0]
    assert (gun.attacks, gun.skill, gun.strength, gun.armour_penetration, gun.damage) == ("2", 3, "9", -2, "D3+1")
    assert [(one.ability, one.value) for one in gun.abilities] == [("heavy", None), ("sustained_hits", "1")]
    assert [(one.kind, one.name, one.parameter) for one in sheet.abilities] == [
        ("core", "Deadly Demise", "D3"),
        ("core", "Scouts", '6"'),
        ("faction", "Sworn Debt", None),
    ]
    assert [(one.models, one.points) for one in sheet.costs] == [(1, 55), (2, 110)]
    assert [(one.model_name, one.min_models, one.max_models) for one in sheet.composition] == [("Gun Crews", 1, 3)]
    assert (sheet.faction, sheet.leads, sheet.has_points_by_design) == ("IRON PACT", (), True)
    assert codes(document) == ["stat_line_missing"]


def test_the_faction_keyword_counts_once() -> None:
    factions = [one for one in parse(page()).datasheets[0].keywords if one.is_faction_keyword]
    first = page().split("\n").index("IRON PACT") + 1
    assert [(one.keyword, one.line) for one in factions] == [("IRON PACT", first)]


def test_crlf_and_a_final_newline_change_nothing_but_the_end(tmp_path: Path) -> None:
    plain = read_document(written(tmp_path, page(), "plain.txt"))
    crlf = read_document(written(tmp_path, page().replace("\n", "\r\n") + "\r\n", "crlf.txt"))
    assert crlf.rules == plain.rules
    assert crlf.datasheets == plain.datasheets
    assert crlf.spans[:-1] == plain.spans[:-1]
    assert (crlf.spans[-1].end_line, crlf.spans[-1].end_column) == (plain.line_count + 1, 1)  # type: ignore[operator]


def test_a_table_row_may_lack_its_empty_last_cell_and_its_name_row() -> None:
    rows = [RANGED[0], '| Long gun | 36" | 2 | 3+ | 9 | -2 | 1 |']
    assert [one.weapon_name for one in parse(page(rows, ABILITIES, KEYWORDS)).datasheets[0].weapons] == ["Long gun"]


def test_profiles_of_one_weapon() -> None:
    rows = [RANGED[0], '| Great gun – low [blast] | 9" | D6 | N/A | 9 | 0 | 1 | |']
    weapon = parse(page(rows, ABILITIES, KEYWORDS)).datasheets[0].weapons[0]
    assert (weapon.weapon_name, weapon.profile_name, weapon.skill) == ("Great gun", "low", None)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ('| Long gun | 36" | D7 | 3+ | 9 | -2 | 1 | |', "weapon_value_unreadable"),
        ('| Long gun | 36" | 2 | 7+ | 9 | -2 | 1 | |', "weapon_value_unreadable"),
        ('| Long gun | 36" | 2 | 3+ | 9 | |', "weapon_value_unreadable"),
        ('| Long gun | 36" | 2 | 3+ | 9', "weapon_value_missing"),
    ],
)
def test_an_unreadable_weapon_is_named_and_left_out(row: str, code: str) -> None:
    document = parse(page([RANGED[0], row], MELEE, ABILITIES, KEYWORDS))
    assert code in codes(document)
    assert [one.weapon_name for one in document.datasheets[0].weapons] == ["Crew knives"]
    issue = next(issue for issue in document.issues if issue.code == code)
    assert (issue.line, issue.excerpt) == (3, row)


def test_a_name_row_without_its_profile_makes_the_page_partial() -> None:
    document = parse(page(RANGED[:2], MELEE, ABILITIES, KEYWORDS))
    assert document.status == "partial"
    assert "weapon_profile_missing" in codes(document)


def test_abilities_glued_on_one_line() -> None:
    line = 'First One: Gain 1YP. Lose 6".Second One (Aura): Each: of them counts.Go Go!: A third.'
    document = parse(page(RANGED, [*ABILITIES, line], KEYWORDS))
    named = [(one.name, one.text) for one in document.datasheets[0].abilities if one.kind == "datasheet"]
    assert named == [
        ("First One", 'Gain 1YP. Lose 6".'),
        ("Second One (Aura)", "Each: of them counts."),
        ("Go Go!", "A third."),
    ]
    columns = [span.start_column for span in document.spans if span.kind == "datasheet_ability"]
    assert columns == [1, 1 + line.index("Second"), 1 + line.index("Go Go!")]


@pytest.mark.parametrize("name", ["One. Two. Three", "’Ard Head", "Shout ‘Argh!’", "Hey! Banner (Aura)", "Half & Half"])
def test_names_of_abilities(name: str) -> None:
    lines = [*ABILITIES, f"{name}: It works.Note: It really does.", "Example: It did."]
    abilities = parse(page(RANGED, lines, KEYWORDS)).datasheets[0].abilities
    assert (abilities[-1].name, abilities[-1].text) == (name, "It works.Note: It really does.\nExample: It did.")


def test_wargear_abilities_and_a_heading_of_its_own() -> None:
    gear = ["WARGEAR ABILITIES", "Smoke Box: The bearer has the SMOKE keyword.", "SUPREME LEADER", "Must be in front."]
    abilities = parse(page(RANGED, ABILITIES, gear, KEYWORDS)).datasheets[0].abilities
    assert [(one.kind, one.name, one.text) for one in abilities[-2:]] == [
        ("wargear", "Smoke Box", "The bearer has the SMOKE keyword."),
        ("datasheet", "SUPREME LEADER", "Must be in front."),
    ]


def test_options_with_choices() -> None:
    options = [
        "WARGEAR OPTIONS",
        "- This model’s long gun can be replaced with one of the following:",
        "- 1 short gun",
        "- 2 hand axes",
        "- 1 model can be equipped with 1 horn.",
        "- Something else entirely is allowed.",
    ]
    found = parse(page(RANGED, options, ABILITIES, KEYWORDS)).datasheets[0].wargear_options
    assert [(one.position, one.action, one.replaces, one.gains, one.quantity) for one in found] == [
        (1, "replace", ("long gun",), ("short gun", "hand axes"), None),
        (2, "add", (), ("horn",), 1),
        (3, None, (), (), None),
    ]
    assert found[0].eligibility == "This model"


def test_composition_in_all_its_forms() -> None:
    composition = [
        "UNIT COMPOSITION",
        "- 1 Captain – EPIC HERO",
        "- 2 Runners and 4-9 Walkers",
        "This model is equipped with: long gun; crew knives.",
        "| 7 models | 90 |",
        "| 7 models (Lent Out) | 100 |",
        "| 1 Captain and 6 Walkers | 95 |",
        "| Field kitchen | +20 |",
    ]
    sheet = parse(page(RANGED, ABILITIES, composition, KEYWORDS)).datasheets[0]
    assert [(one.model_name, one.min_models, one.max_models) for one in sheet.composition] == [
        ("Captain", 1, 1),
        ("Runners", 2, 2),
        ("Walkers", 4, 9),
    ]
    assert {one.default_weapons for one in sheet.composition} == {("long gun", "crew knives")}
    assert [(one.models, one.points, one.kind, one.condition, one.item) for one in sheet.costs] == [
        (7, 90, "base", None, None),
        (7, 100, "alternative", "Lent Out", None),
        (7, 95, "base", None, None),
        (1, 20, "add_on", None, "Field kitchen"),
    ]


def test_a_sheet_of_a_named_force_has_no_points_by_design() -> None:
    text = page(RANGED, ABILITIES, KEYWORDS).replace("Iron Pact –", "Oda’s Raiders –")
    sheet = parse(text).datasheets[0]
    assert (sheet.collection, sheet.faction, sheet.costs, sheet.has_points_by_design) == (
        "Oda’s Raiders",
        "IRON PACT",
        (),
        False,
    )
    assert parse(page(RANGED, ABILITIES, KEYWORDS)).datasheets[0].has_points_by_design


def test_leader_targets() -> None:
    lost = parse(page(RANGED, ABILITIES, ["LEADER", "It can be attached to these:"], KEYWORDS))
    assert lost.datasheets[0].leads is None
    assert "leader_targets_lost" in codes(lost)
    kept = parse(
        page(RANGED, ABILITIES, ["LEADER", "It can be attached to these:", "- Gun Crew", "- Riders"], KEYWORDS)
    )
    assert kept.datasheets[0].leads == ("Gun Crew", "Riders")


def test_keywords_of_single_models() -> None:
    keywords = ["KEYWORDS – ALL MODELS: INFANTRY, BIG GUNS CAPTAIN: HERO, CHARACTER", *KEYWORDS[1:]]
    composition = ["UNIT COMPOSITION", "- 1 Captain"]
    found = parse(page(RANGED, ABILITIES, composition, keywords)).datasheets[0].keywords
    assert [(one.keyword, one.model_name) for one in found[:4]] == [
        ("INFANTRY", None),
        ("BIG GUNS", None),
        ("HERO", "CAPTAIN"),
        ("CHARACTER", "CAPTAIN"),
    ]


def test_the_lone_marker_of_core_stratagems() -> None:
    index = ["STRATAGEMS", "HOLD", "2CP", "Core – Epic Deed", "C", "BOARD", "1CP", "Boarding Actions – Wargear", "BA"]
    found = parse(page(RANGED, ABILITIES, KEYWORDS, index, INDEX[1:])).stratagems
    assert [(one.name, one.cp_cost, one.detachment, one.type, one.is_core, one.line) for one in found] == [
        ("HOLD", 2, "Core", "Epic Deed", True, 13),
        ("BOARD", 1, "Boarding Actions", "Wargear", False, 17),
        ("STEADY AIM", 1, "Siege Line", "Battle Tactic", False, 21),
    ]


def test_the_second_printing_of_the_fields_is_folded() -> None:
    document = parse(page())
    stratagem = document.stratagems[0]
    block = document.rules[stratagem.rule or 0]
    assert block.body.count("TARGET:") == block.body.count("EFFECT:") == 1
    assert (stratagem.when_text, stratagem.target_text) == ("Your Shooting phase.", "One unit of guns.")
    assert (stratagem.effect_text, stratagem.restrictions_text) == ("The guns are aimed again.", None)
    assert stratagem.flavour == DETAIL[3]


def test_a_second_printing_that_differs_is_kept_and_named() -> None:
    document = parse(rules_page([*DETAIL[:-1], "EFFECT: Quite another one."], index=INDEX))
    assert "stratagem_copy_differs" in codes(document)
    assert document.rules[0].body.endswith("EFFECT: Quite another one.")


def test_an_effect_of_several_lines() -> None:
    effect = ["EFFECT: One of these:", "- the first", "- the second"]
    detail = [*DETAIL[:6], *effect, DETAIL[5], *effect]
    stratagem = parse(rules_page(detail, index=INDEX)).stratagems[0]
    assert stratagem.effect_text == "One of these:\n- the first\n- the second"


def test_index_and_text_that_disagree() -> None:
    other = ["STRATAGEMS", "STEADY AIM", "2CP", "Siege Line – Battle Tactic", "LOST ONE", "1CP", "Siege Line – Wargear"]
    document = parse(rules_page(DETAIL, index=other))
    assert {"stratagem_disagrees", "stratagem_text_missing"} <= set(codes(document))
    assert document.stratagems[1].effect_text is None
    unlisted = parse(rules_page(DETAIL))
    assert "stratagem_not_in_index" in codes(unlisted)
    assert [one.name for one in unlisted.stratagems] == ["STEADY AIM"]


def test_a_damaged_index_is_taken_up_again() -> None:
    document = parse(rules_page(DETAIL, index=["STRATAGEMS", "BROKEN", "1", "Siege Line – Wargear", *INDEX[1:]]))
    assert document.status == "partial"
    assert [one.name for one in document.stratagems] == ["STEADY AIM"]
    assert "unknown" in {span.kind for span in document.spans}


def test_the_ability_index_ends_where_a_name_has_a_text() -> None:
    index = [*INDEX, "DETACHMENT ABILITY", "Long Watch", "Deep Cover"]
    texts = [
        ["Hazardous", "A made-up text on hot barrels."],
        ["Long Watch", "Siege Line Detachment", "Mood.", "A rule."],
    ]
    document = parse(rules_page(*texts, DETAIL, index=index))
    assert [(one.name, one.detachment, one.text) for one in document.detachment_rules] == [
        ("Long Watch", "Siege Line", "A rule."),
        ("Deep Cover", None, None),
    ]
    assert "detachment_rule_text_missing" in codes(document)
    assert [rule.title for rule in document.rules] == ["Hazardous", "Long Watch", "STEADY AIM"]


@pytest.mark.parametrize(
    ("glued", "found"),
    [
        (["Charge Bonus", "They go first.STEADY AIM", *DETAIL[1:]], [("Charge Bonus", 1), ("STEADY AIM", 15)]),
        (["Charge Bonus", 'Not within 12".STEADY AIM', *DETAIL[1:]], [("Charge Bonus", 1), ("STEADY AIM", 16)]),
        (["Twin-linked", "Roll again.Attached Units", "They march on."], [("Twin-linked", 1), ("Attached Units", 12)]),
        (["Twin-linked", "Roll again.Brass Oath", "They march on."], [("Twin-linked", 1), ("Brass Oath", 12)]),
        (["Twin-linked", "Roll two (2D6)!2. Battle-shock", "They run."], [("Twin-linked", 1), ("2. Battle-shock", 16)]),
    ],
)
def test_headings_glued_to_a_sentence(glued: list[str], found: list[tuple[str, int]]) -> None:
    text = rules_page(glued)
    document = parse(text)
    entities = {f"rule:{title}" for title, _ in found} | {f"stratagem:{title}" for title, _ in found}
    spans = [(span.entity, span.start_column) for span in document.spans if span.entity in entities]
    assert [(str(entity).partition(":")[2], column) for entity, column in spans] == found
    assert document.rules[0].body.endswith((".", ")!"))
    assert document.rules[0].end_line == document.rules[1].start_line
    assert tiled(document, text)


def test_a_keyword_usage_sentence_glued_to_a_rule() -> None:
    usage = "The and GUNS keywords are used in the following Iron Pact datasheets:"
    document = parse(rules_page(["Twin-linked", f"Roll again.{usage}", "Characters", "Other"], RULE))
    assert [rule.title for rule in document.rules] == ["Twin-linked", "(keyword usage: <dropped> and GUNS)", "Hit Roll"]
    assert document.rules[1].body == f"{usage}\nCharacters\nOther"
    assert document.rules[1].restored_body == f"{usage}\nCharacters\nOther".replace("The and", "The IRON PACT and")


@pytest.mark.parametrize(
    ("said", "title"),
    [("", "<dropped>"), ("GUNS ", "GUNS"), ("and GUNS ", "<dropped> and GUNS"), ("BRÔKHYR ", "BRÔKHYR")],
)
def test_titles_of_keyword_usage(said: str, title: str) -> None:
    verb = "keywords are" if "and" in said else "keyword is"
    line = f"The {said}{verb} used in the following Iron Pact datasheets:"
    assert titles(rules_page([line], RULE))[0] == (f"(keyword usage: {title})", "keyword_usage")


def test_the_army_list_and_its_glued_heading() -> None:
    nav = ["Heavy", "Aim well.Army List", "Datasheets collatedCharacters", "Battleline"]
    document = parse(rules_page(nav, RULE))
    assert titles(rules_page(nav, RULE)) == [
        ("Heavy", "weapon_ability"),
        ("Army List", "army_list_nav"),
        ("Hit Roll", "core_rule"),
    ]
    assert document.rules[1].body == "Datasheets collatedCharacters\nBattleline"


def test_the_profile_note_has_no_title() -> None:
    note = "Before selecting targets with it, select one of its profiles."
    assert titles(rules_page(["Hit Roll", "A text."], [note], ["Pistol", "Another."])) == [
        ("Hit Roll", "core_rule"),
        ("(untitled: select one of its profiles)", "profile_note"),
        ("Pistol", "weapon_ability"),
    ]


def test_nested_pieces_and_the_summary_of_their_parent() -> None:
    text = rules_page(
        ["Fall Back Moves", "They step back."],
        ["Desperate Escape Tests", "Roll for each of them.", "The long way round."],
        ["Desperate Escape Tests", "Roll for each of them."],
        ["- Step back.", "- Roll."],
        RULE,
    )
    rules = parse(text).rules
    assert [(one.title, one.parent, one.end_line - one.start_line) for one in rules] == [
        ("Fall Back Moves", None, 8),
        ("Desperate Escape Tests", 0, 2),
        ("Desperate Escape Tests", 0, 1),
        ("Hit Roll", None, 2),
    ]
    assert rules[2].body in rules[0].body
    assert tiled(parse(text), text)


def test_nested_pieces_need_no_vocabulary_when_they_are_printed_twice() -> None:
    text = rules_page(
        ["Sworn Debt", "Your units have one of these:", "Red Oath", "Blue Oath", "- The first bullet."],
        ["Red Oath", "- Red things.", "Blue Oath", "- Blue things.", "- More blue things."],
        RULE,
    )
    found = [(one.title, one.kind, one.parent, one.body) for one in parse(text).rules]
    assert found[0][:3] == ("Sworn Debt", "faction_rule", None)
    assert found[1] == ("Red Oath", "nested_rule", 0, "")
    assert found[3] == ("Red Oath", "nested_rule", 0, "- Red things.")
    assert found[4] == ("Blue Oath", "nested_rule", 0, "- Blue things.\n- More blue things.")
    assert found[5][:3] == ("Hit Roll", "core_rule", None)


def test_an_unknown_title_opens_a_block_all_the_same() -> None:
    document = parse(rules_page(RULE, ["Brass Oath", "A text of our own."]))
    assert [rule.title for rule in document.rules] == ["Hit Roll", "Brass Oath"]
    issue = next(issue for issue in document.issues if issue.code == "title_not_in_vocabulary")
    assert (issue.severity, issue.excerpt) == ("info", "Brass Oath")
    assert document.status == "parsed"


def test_kinds_are_guessed_from_the_page_itself() -> None:
    assert titles(rules_page(["Sworn Debt", "A text."]))[0][1] == "faction_rule"
    assert titles(rules_page(["Sticky", "Mood.", "Weapons with [STICKY] stick."]))[0][1] in (
        "core_rule",
        "weapon_ability",
    )
    assert titles(rules_page(["Sticky", "Weapons with [STICKY] stick."]))[0][1] == "weapon_ability"
    assert titles(rules_page(["BURROW", "A text."]))[0][1] == "core_ability"


def test_text_under_no_title_is_unknown_and_makes_the_page_partial() -> None:
    document = parse(rules_page(["a sentence that nobody announced, which goes on and on for a while."], RULE))
    assert document.status == "partial"
    assert [rule.kind for rule in document.rules] == ["unknown", "core_rule"]
    assert "text_without_title" in codes(document)


def test_dashes_and_fields_within_a_text_open_nothing() -> None:
    text = rules_page(
        ["Hit Roll", "One – two - three.", "Example: It hits.", "Hit Roll (Shooting): Better.", "- Last."]
    )
    assert titles(text) == [("Hit Roll", "core_rule")]


def test_a_lost_table_is_an_issue() -> None:
    document = parse(rules_page(["Wound Roll", "See below.", "| ||||||", "As above."]))
    issue = next(issue for issue in document.issues if issue.code == "table_lost")
    assert (issue.severity, issue.excerpt) == ("info", "| ||||||")
    assert document.status == "parsed"


@pytest.mark.parametrize(
    ("printed", "restored"),
    [
        (
            "If your Army Faction is , units from it march.",
            "If your Army Faction is IRON PACT, IRON PACT units from it march.",
        ),
        ("Pick a INFANTRY model.", "Pick a IRON PACT INFANTRY model."),
        ("units from your army march.", "IRON PACT units from your army march."),
        ("Pick a VEHICLE model.", None),
    ],
)
def test_a_dropped_faction_keyword_is_restored_beside_the_text(printed: str, restored: str | None) -> None:
    text = rules_page(["Hit Roll", printed])
    if "INFANTRY" in printed:  # the article tells only when the keyword that is gone begins with a consonant
        text = text.replace("IRON PACT", "STEEL PACT")
        restored = restored and restored.replace("IRON PACT", "STEEL PACT")
    rule = parse(text).rules[0]
    assert rule.body == printed
    assert rule.restored_body == restored


def test_a_keyword_that_may_be_gone_without_a_trace_is_flagged() -> None:
    silent = [line.replace("One unit of guns.", "One unit from your army.") for line in DETAIL]
    usage = "The keyword is used in the following Iron Pact datasheets:"
    assert "faction_keyword_unknown" in codes(parse(rules_page([usage], silent, index=INDEX)))
    assert "faction_keyword_unknown" not in codes(parse(rules_page(silent, index=INDEX)))


ENHANCEMENTS = ["ENHANCEMENTS", "Iron Will", "10", "Lucky Lantern", "25", "Old Map", "5", "Spare Key", "15"]


def enhancement(detachment: str, words: str, who: str = "model only.") -> list[str]:
    return [f"{detachment} Detachment", words, f"{who} Something of our own happens."]


def test_enhancement_texts_without_names_are_aligned_by_detachment_order_and_words() -> None:
    texts = [enhancement("Siege Line", "It shines like lanterns do."), enhancement("Long Road", "A worn chart.")]
    texts.append(enhancement("Long Road", "It opens doors.", "GUNS model only."))
    document = parse(rules_page(DETAIL, *texts, index=[*INDEX, *ENHANCEMENTS]))
    found = [(one.name, one.points, one.detachment, one.text_match) for one in document.enhancements]
    assert found == [
        ("Iron Will", 10, "Siege Line", "missing"),
        ("Lucky Lantern", 25, "Siege Line", "certain"),
        ("Old Map", 5, "Long Road", "certain"),
        ("Spare Key", 15, "Long Road", "certain"),
    ]
    lantern, _, key = document.enhancements[1:]
    assert (lantern.eligibility_text, lantern.eligibility_restored) == ("model only.", "IRON PACT model only.")
    assert (key.eligibility_text, key.eligibility_restored) == ("GUNS model only.", None)
    assert (lantern.flavour, lantern.description) == ("It shines like lanterns do.", "Something of our own happens.")
    assert document.rules[lantern.rule or 0].title == "(untitled enhancement #01)"


def test_an_enhancement_that_only_the_order_places_is_inferred() -> None:
    texts = [enhancement("Siege Line", "Quite unlike any of them.")]
    document = parse(rules_page(DETAIL, *texts, index=[*INDEX, *ENHANCEMENTS[:5]]))
    assert [one.text_match for one in document.enhancements] == ["inferred", "missing"]
    assert {"enhancement_text_inferred", "enhancement_text_missing"} <= set(codes(document))


def test_an_index_of_enhancements_without_points() -> None:
    index = [*INDEX, "ENHANCEMENTS", "Iron Will", "Old Map"]
    document = parse(rules_page(DETAIL, enhancement("Siege Line", "Cold as iron."), index=index))
    assert [(one.name, one.points, one.line) for one in document.enhancements] == [
        ("Iron Will", None, 21),
        ("Old Map", None, 22),
    ]


def test_more_texts_than_names() -> None:
    texts = [enhancement("Siege Line", "One."), enhancement("Siege Line", "Two.")]
    document = parse(rules_page(DETAIL, *texts, index=[*INDEX, *ENHANCEMENTS[:3]]))
    assert "enhancement_text_unmatched" in codes(document)


def test_an_enhancement_text_under_its_own_name() -> None:
    text = ["Iron Will", *enhancement("Siege Line", "Cold as ever.")]
    document = parse(rules_page(DETAIL, text, index=[*INDEX, *ENHANCEMENTS[:3]]))
    assert [(one.name, one.detachment, one.text_match) for one in document.enhancements] == [
        ("Iron Will", "Siege Line", "certain")
    ]


@pytest.mark.parametrize("cut", [0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 0.99])
def test_a_truncated_page_is_read_as_far_as_it_goes(cut: float) -> None:
    text = page(RANGED, MELEE, OPTIONS, ABILITIES, COMPOSITION, KEYWORDS, INDEX, RULE, DETAIL)
    text = text[: int(len(text) * cut)]
    document = parse(text)
    assert document.status == "partial"
    assert "truncated_document" in codes(document)
    assert tiled(document, text)


def test_a_line_that_is_not_understood_is_named_with_its_place() -> None:
    document = parse(page(["Bq 12 | zz"], RANGED, ABILITIES, KEYWORDS))
    issue = next(issue for issue in document.issues if issue.code == "unrecognised_line")
    assert (issue.line, issue.excerpt) == (2, "Bq 12 | zz")
    assert document.status == "partial"


def test_noise_under_the_title_is_no_loss() -> None:
    noise = ["]", "This datasheet does not meet the selection criteria (see there).", "(⌀32mm)"]
    assert parse(page(noise, RANGED, ABILITIES, KEYWORDS)).status == "parsed"


def test_an_excerpt_is_bounded() -> None:
    document = parse(page(["x" * 5000], RANGED, ABILITIES, KEYWORDS))
    assert max(len(issue.excerpt or "") for issue in document.issues) == 200


def test_issues_are_bounded() -> None:
    document = parse(page([line for at in range(3000) for line in (f"x{at} |", "]")], RANGED, ABILITIES, KEYWORDS))
    assert len(document.issues) <= 1000


PAGE = page([*RANGED], MELEE, OPTIONS, ABILITIES, COMPOSITION, KEYWORDS, [*INDEX, *ENHANCEMENTS], RULE, DETAIL).split(
    "\n"
)
SCRAPS = st.sampled_from([*PAGE, "", " ", "C", "1CP", "| |", "- x", "STRATAGEMS", "Long Road Detachment", "X.Hit Roll"])


@given(
    st.lists(st.tuples(st.integers(1, len(PAGE)), st.sampled_from(["drop", "glue", "cut", "add"]), SCRAPS), max_size=12)
)
@settings(max_examples=150, deadline=None)
def test_spans_tile_mutated_pages(changes: list[tuple[int, str, str]]) -> None:
    lines = list(PAGE)
    for at, what, scrap in changes:
        at = min(at, len(lines) - 1)
        if what == "drop" and at:
            del lines[at]
        elif what == "glue" and at:
            lines[at] += scrap
        elif what == "cut" and at:
            lines[at] = lines[at][: len(lines[at]) // 2]
        elif what == "add":
            lines.insert(at + 1, scrap)
    text = "\n".join(lines)
    document = parse(text)
    assert tiled(document, text)
    for rule in document.rules:
        assert 1 <= rule.start_line <= rule.end_line <= (document.line_count or 0)
    assert parse(text) == document


def test_a_damaged_profile_and_a_transport_are_abilities_of_their_own() -> None:
    more = ["DAMAGED: 1-5 WOUNDS REMAINING", "It limps a little."]
    leader = ["LEADER", "It can be attached to these:", "- GUN CREW", "TRANSPORT", "It has room for ten."]
    sheet = parse(page(RANGED, ABILITIES, COMPOSITION, more, leader, KEYWORDS)).datasheets[0]
    assert [(one.name, one.text) for one in sheet.abilities if one.kind == "datasheet"] == [
        ("DAMAGED: 1-5 WOUNDS REMAINING", "It limps a little."),
        ("TRANSPORT", "It has room for ten."),
    ]
    assert sheet.leads == ("GUN CREW",)


def test_an_edition_and_a_date_that_are_printed() -> None:
    document = parse(page(["11th Edition", "Last updated: 2026-03-01"], RANGED, ABILITIES, KEYWORDS))
    assert (document.edition, document.edition_source, document.dated) == ("11e", "printed", "2026-03-01")
    assert document.datasheets[0].edition == "11e"


def test_alternative_compositions_widen_the_bounds() -> None:
    composition = ["UNIT COMPOSITION", "- 1 Captain and 10 Walkers", "- OR", "- 2 Captains and 20 Walkers"]
    entries = parse(page(RANGED, ABILITIES, composition, KEYWORDS)).datasheets[0].composition
    assert [(one.model_name, one.min_models, one.max_models) for one in entries] == [
        ("Captain", 1, 2),
        ("Walkers", 10, 20),
    ]
