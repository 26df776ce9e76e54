"""Several datasheets in one file, titles and headings in odd spellings, and rows where they don't belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.sources.discovery import read_document
from pipelines.sources.files import MAX_LINE_BYTES
from tests.sources.sheets import (
    ABILITIES,
    COMPOSITION,
    DETAIL,
    INDEX,
    KEYWORDS,
    MELEE,
    RANGED,
    RULE,
    codes,
    page,
    parse,
    rules_page,
    tiled,
    written,
)

NOISE = "This datasheet does not meet the selection criteria (see there)."
OTHER_TITLE = "Iron Pact – Scout Car"
OTHER = [
    "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |",
    '| Swivel gun | 24" | 3 | 4+ | 5 | 0 | 1 | |',
    "UNIT COMPOSITION",
    "- 1 Scout Car",
    "| 1 model | 70 |",
    "KEYWORDS: VEHICLE, SCOUT CAR",
    "FACTION KEYWORDS:",
    "IRON PACT",
    "STRATAGEMS",
    *("FAST EXIT", "1CP", "Siege Line – Wargear"),
    *("FAST EXIT", "1CP", "Siege Line – Wargear Stratagem", "They leave in a hurry, in our own words."),
    *("WHEN: Your Movement phase.", "TARGET: One car.", "EFFECT: It drives on."),
    "Advance Moves",
    "A made-up sentence about moving fast.",
]


@pytest.mark.parametrize("dash", ["-", "–", "—"])
def test_a_title_with_any_dash(dash: str, tmp_path: Path) -> None:
    document = read_document(written(tmp_path, page().replace("Iron Pact –", f"Warder's Watch {dash}")))
    assert document.status == "parsed"
    assert (document.collection, document.unit_name) == ("Warder's Watch", "Gun Crew")


@pytest.mark.parametrize(
    "between",
    [[], [""], [" ]"], [" ]", "", NOISE], ["(⌀32mm)"], ["ABILITIES", "FACTION: Sworn Debt"], ["11th Edition", ""]],
)
@pytest.mark.parametrize("dash", ["–", "-", "—"])
def test_a_second_datasheet_is_read(between: list[str], dash: str) -> None:
    text = "\n".join([page(), OTHER_TITLE.replace("–", dash), *between, *OTHER])
    document = parse(text)
    first, second = document.datasheets
    alone = parse(page())
    assert document.status == "parsed"
    assert first.weapons == alone.datasheets[0].weapons
    assert first.costs == alone.datasheets[0].costs
    assert (second.name, second.collection, second.faction) == ("Scout Car", "Iron Pact", "IRON PACT")
    assert [one.weapon_name for one in second.weapons] == ["Swivel gun"]
    assert [one.points for one in second.costs] == [70]
    assert second.line == len(page().split("\n")) + 1
    assert [document.stratagems[at].name for at in first.stratagems or ()] == ["STEADY AIM"]
    assert [document.stratagems[at].name for at in second.stratagems or ()] == ["FAST EXIT"]
    assert [rule.title for rule in document.rules] == ["STEADY AIM", "Hit Roll", "FAST EXIT", "Advance Moves"]
    for stratagem in document.stratagems:
        assert document.rules[stratagem.rule or 0].title == stratagem.name
    assert document.unit_name == "Gun Crew"
    assert tiled(document, text)


def test_texts_below_the_last_datasheet_serve_all_of_them() -> None:
    first = page(RANGED, ABILITIES, COMPOSITION, KEYWORDS, INDEX)
    document = parse("\n".join([first, OTHER_TITLE, *OTHER, *DETAIL]))
    gun, car = document.datasheets
    assert document.status == "parsed"
    assert [document.stratagems[at].effect_text for at in gun.stratagems or ()] == ["The guns are aimed again."]
    assert [document.stratagems[at].name for at in car.stratagems or ()] == ["FAST EXIT"]


def test_nested_pieces_of_a_later_datasheet_know_their_parent() -> None:
    nested = ["Fall Back Moves", "They step back.", "Desperate Escape Tests", "Roll for each of them."]
    document = parse("\n".join([page(), OTHER_TITLE, *OTHER, *nested]))
    piece = next(rule for rule in document.rules if rule.kind == "nested_rule")
    assert document.rules[piece.parent or 0].title == "Fall Back Moves"


def test_a_datasheet_printed_twice_counts_once() -> None:
    text = f"{page()}\n{page()}"
    document = parse(text)
    assert document.status == "partial"
    assert "datasheet_repeated" in codes(document)
    assert len(document.datasheets) == 1
    assert document.rules == parse(page()).rules
    assert tiled(document, text)


def test_a_further_datasheet_without_a_title_is_named_by_its_composition() -> None:
    document = parse("\n".join([page(), *OTHER]))
    assert [(sheet.name, sheet.collection) for sheet in document.datasheets] == [
        ("Gun Crew", "Iron Pact"),
        ("Scout Car", "Iron Pact"),
    ]


def test_a_further_datasheet_that_nothing_names_is_left_out_and_said_so() -> None:
    unnamed = [*OTHER[:2], "KEYWORDS: VEHICLE", *OTHER[6:]]
    text = "\n".join([page(), *unnamed])
    document = parse(text)
    assert document.status == "partial"
    assert "unit_name_unknown" in codes(document)
    assert [sheet.name for sheet in document.datasheets] == ["Gun Crew"]
    assert document.spans[-1].kind == "unknown"
    assert tiled(document, text)


def test_weapon_rows_within_the_rules_text_are_of_unknown_kind() -> None:
    rows = ["| Stray gun | |||||||", '| Stray gun | 24" | 1 | 4+ | 4 | 0 | 1 | |']
    text = rules_page(["Hit Roll", "A sentence.", *rows, "A second sentence."])
    document = parse(text)
    assert document.status == "partial"
    assert codes(document).count("weapon_row_outside") == 2
    assert document.rules[0].body == "A sentence.\nA second sentence."
    at = text.split("\n").index(rows[0]) + 1
    assert [(span.kind, span.start_line, span.end_line) for span in document.spans[-3:]] == [
        ("core_rule", at - 2, at),
        ("unknown", at, at + 2),
        ("core_rule", at + 2, at + 2),
    ]
    assert tiled(document, text)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_any_newline(newline: str, tmp_path: Path) -> None:
    document = read_document(written(tmp_path, page().replace("\n", newline).encode()))
    assert (document.status, document.datasheets, document.spans) == (
        "parsed",
        parse(page()).datasheets,
        parse(page()).spans,
    )
    refused = read_document(written(tmp_path, f"x{newline}RANGED WEAPONS | RANGE | TYPE | S | AP | D |".encode()))
    assert (refused.issues[0].line, refused.line_count) == (2, 2)


def test_a_long_text_with_old_newlines_is_no_long_line(tmp_path: Path) -> None:
    text = page(RANGED, ABILITIES, KEYWORDS, ["STRATAGEMS"], ["Hit Roll"], ["A sentence of our own." * 40] * 400)
    assert len(text) > MAX_LINE_BYTES
    assert read_document(written(tmp_path, text.replace("\n", "\r"))).status == "parsed"


@pytest.mark.parametrize(
    ("printed", "odd"),
    [
        ("UNIT COMPOSITION", "UNIT\u00a0COMPOSITION"),
        ("UNIT COMPOSITION", "UNIT  COMPOSITION"),
        ("ABILITIES", "\ufeffABILITIES\u200b"),
        ("RANGED WEAPONS | RANGE", "RANGED\u00a0WEAPONS\t|\u00a0RANGE"),
        ("MELEE WEAPONS | RANGE", "MELEE  WEAPONS | RANGE"),
        ("KEYWORDS: VEHICLE", "KEYWORDS:\u00a0VEHICLE"),
        ("FACTION KEYWORDS:", "FACTION\u2009KEYWORDS:"),
        ("STRATAGEMS", "STRATAGEMS\u00a0"),
        ("Iron Pact – Gun Crew", "\ufeffIron Pact\u00a0–\u00a0Gun Crew"),
        ("Siege Line – Battle Tactic", "Siege Line\u00a0– Battle Tactic"),
    ],
)
def test_invisible_characters_hide_no_heading(printed: str, odd: str) -> None:
    assert printed in page()
    text = page().replace(printed, odd)
    document = parse(text)
    assert document.datasheets == parse(page()).datasheets
    assert document.stratagems == parse(page()).stratagems
    assert document.status == "parsed"
    assert tiled(document, text)


def test_columns_count_the_characters_of_the_document() -> None:
    line = "First\u00a0One: Gain\u200b 1YP.Second One: It works."
    text = page(RANGED, [*ABILITIES, line], KEYWORDS)
    document = parse(text)
    columns = [span.start_column for span in document.spans if span.kind == "datasheet_ability"]
    assert columns == [1, 1 + line.index("Second")]
    assert tiled(document, text)


def test_an_extra_cell_is_an_issue() -> None:
    row = '| Long gun | 36" | 2 | 3+ | 9 | -2 | 1 | 7 | |'
    document = parse(page([RANGED[0], row], MELEE, ABILITIES, KEYWORDS))
    issue = next(issue for issue in document.issues if issue.code == "weapon_value_surplus")
    assert (issue.severity, issue.line, issue.excerpt) == ("warning", 3, row)


def test_rows_of_close_combat_without_their_header_are_melee() -> None:
    document = parse(page(RANGED, MELEE[1:], ABILITIES, KEYWORDS))
    assert [(one.weapon_name, one.attack_type) for one in document.datasheets[0].weapons] == [
        ("Long gun", "ranged"),
        ("Crew knives", "melee"),
    ]
    assert codes(document).count("weapon_header_lost") == 1
    assert document.status == "parsed"


def test_ranged_rows_without_their_header_are_ranged() -> None:
    document = parse(page(MELEE, RANGED[1:], ABILITIES, KEYWORDS))
    assert [one.attack_type for one in document.datasheets[0].weapons] == ["melee", "ranged"]
    assert "weapon_header_lost" in codes(document)


@pytest.mark.parametrize("header", [RANGED[0].replace("| AP", "| LUCK"), RANGED[0].replace("WEAPONS", "W3AP0NS")])
def test_rows_below_unknown_columns_are_not_guessed(header: str) -> None:
    document = parse(page([header, *RANGED[1:]], MELEE, ABILITIES, KEYWORDS))
    assert [one.weapon_name for one in document.datasheets[0].weapons] == ["Crew knives"]
    assert document.status == "partial"


def test_texts_below_a_noise_line_keep_their_kind() -> None:
    text = rules_page([RULE[0], RULE[1], " ]", RULE[2]])
    document = parse(text)
    assert [span.kind for span in document.spans[-3:]] == ["core_rule", "noise", "core_rule"]
    assert document.rules[0].body == "\n".join(RULE[1:])
    assert tiled(document, text)


def test_no_message_names_a_layout_by_a_letter(tmp_path: Path) -> None:
    texts = [page(), "\n".join(page().split("\n")[1:]), "RANGED WEAPONS\nGun", page(MELEE[1:], KEYWORDS), "x"]
    for text in texts:
        for issue in read_document(written(tmp_path, text)).issues:
            assert "layout" not in issue.message
