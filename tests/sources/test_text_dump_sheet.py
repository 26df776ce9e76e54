"""What a datasheet prints beside its tables, in every layout: where its name stands, base sizes, damaged brackets."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.records import DamagedBracket, Datasheet, Document
from pipelines.sources.discovery import read_document
from pipelines.sources.text_dump import parse_text
from pipelines.sources.text_dump.memory import line_remembered, rule_remembered
from tests.corpus import compose
from tests.sources.sheets import ABILITIES, COMPOSITION, KEYWORDS, RANGED, codes, page, parse

FACTS = compose.load_facts()
GLOSSARY = compose.load_glossary()


def read(text: str, path: str = "page.txt") -> Document:
    return parse_text(text, document_id="0" * 64, path=path, byte_count=len(text.encode()))


def sheet_of(text: str, path: str = "page.txt") -> Datasheet:
    (sheet,) = read(text, path).datasheets
    return sheet


# --- where the name stands


@pytest.mark.parametrize("layout", compose.LAYOUTS)
def test_the_title_names_the_unit_where_there_is_one(layout: str) -> None:
    sheet = sheet_of(compose.compose(FACTS["leagues-of-votann_memnyr-strategist"], GLOSSARY, layout=layout))
    assert sheet.name == "Memnyr Strategist"
    assert sheet.name_source == ("composition" if layout in compose.UNTITLED else "title")


UNTITLED_ROWS = ["RANGED WEAPONS", "| Long gun | |||||||", '| Long gun | 36" | 2 | 3+ | 9 | -2 | 3 | |']


@pytest.mark.parametrize(
    ("sections", "name", "source"),
    [
        (COMPOSITION, "Gun Crews", "composition"),
        (["UNIT COMPOSITION", "- 1 Gunner", "- 2 Loaders of the Gun Crew", *COMPOSITION[2:]], "Gun Crew", "keywords"),
        (COMPOSITION[:1] + COMPOSITION[2:], "Gun Crew", "keywords"),
    ],
)
def test_a_page_without_a_title_names_its_unit_elsewhere(sections: list[str], name: str, source: str) -> None:
    sheet = sheet_of("\n".join([*UNTITLED_ROWS, *ABILITIES, *sections, *KEYWORDS]), "other.txt")
    assert (sheet.name, sheet.name_source) == (name, source)


def test_the_name_above_a_stat_line() -> None:
    cells = ["Gun Crew", "(⌀32mm)", "M", '6"', "T", "5", "Sv", "3+", "W", "2", "Ld", "6+", "OC", "1"]
    sheet = sheet_of("\n".join([*cells, *ABILITIES, *COMPOSITION, *KEYWORDS]))
    assert (sheet.name, sheet.name_source) == ("Gun Crew", "stat_line")


def test_the_name_of_the_file_is_the_last_resort() -> None:
    sheet = sheet_of("\n".join([*UNTITLED_ROWS, *ABILITIES]), "raw/Gun_Crew.txt")
    assert (sheet.name, sheet.name_source) == ("Gun Crew", "file_name")


def test_where_the_name_stands_reaches_the_table_of_units() -> None:
    untitled = read("\n".join([*UNTITLED_ROWS, *ABILITIES, *COMPOSITION, *KEYWORDS]))
    units = assemble([untitled, replace(parse(page()), document_id="1" * 64)]).frames["units"]
    assert dict(units.select("document_id", "name_source").iter_rows()) == {
        "0" * 64: "composition",
        "1" * 64: "title",
    }


# --- base sizes


@pytest.mark.parametrize("name", sorted(FACTS))
def test_each_stat_line_has_the_base_size_beside_it(name: str) -> None:
    models = sheet_of(compose.compose(FACTS[name], GLOSSARY, layout="C")).models
    assert models
    assert {model.base_size for model in models} == {"32mm"}


MARKDOWN = [
    "# Iron Pact – Gun Crew",
    "| NAME | M | T | SV | W | LD | OC |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    '| Gun Crew | 6" | 5 | 3+ | 2 | 6+ | 1 |',
]
TAIL = [*ABILITIES, "KEYWORDS: INFANTRY", "FACTION KEYWORDS:", "IRON PACT"]


@pytest.mark.parametrize(
    "lines",
    [
        [*MARKDOWN[:1], "(⌀60 x 35mm)", *MARKDOWN[1:]],
        [*MARKDOWN, "(⌀60 x 35mm)"],
        [*MARKDOWN[:3], MARKDOWN[3].replace("Gun Crew", "Gun Crew (⌀60 x 35mm)")],
        [*MARKDOWN[:3], MARKDOWN[3].replace("Gun Crew", "Gun Crew(Ø60 x 35mm)")],
    ],
)
def test_base_sizes_beside_a_table_of_stat_lines(lines: list[str]) -> None:
    document = read("\n".join([*lines, *TAIL]))
    (model,) = document.datasheets[0].models
    assert (model.model_name, model.base_size, model.wounds) == ("Gun Crew", "60 x 35mm", 2)
    assert document.status == "parsed"


def test_a_base_size_outside_a_table_of_several_models_belongs_to_none_of_them() -> None:
    captain = MARKDOWN[3].replace("Gun Crew", "Captain")
    models = sheet_of("\n".join([*MARKDOWN[:1], "(⌀32mm)", *MARKDOWN[1:], captain, *TAIL])).models
    assert [(model.model_name, model.base_size) for model in models] == [("Gun Crew", None), ("Captain", None)]


def test_base_sizes_are_those_of_the_export(shared_dir: Path) -> None:
    truth = json.loads((shared_dir / "layouts" / "truth.json").read_text("utf-8"))
    found, expected = {}, {}
    for path in sorted((shared_dir / "layouts" / "C").glob("*.txt")):
        sheet = read_document(path).datasheets[0]
        found[path.stem] = [model.base_size for model in sheet.models]
        expected[path.stem] = [model["base_size"] or None for model in truth[path.stem.replace("_", " ")]["models"]]
    assert found
    assert found == expected


# --- damaged brackets

HURT = "While the ark is down to its last wounds, each time it attacks, subtract 1 from the Hit roll."


def with_bracket(layout: str, *lines: str) -> str:
    """A page in a layout, with lines above its composition."""
    text = compose.compose(FACTS["necrons_doomsday-ark"], GLOSSARY, layout=layout)
    heading = "## UNIT COMPOSITION" if layout == "D" else "UNIT COMPOSITION"
    assert text.count(heading) == 1
    return text.replace(heading, "\n".join([*lines, heading]))


@pytest.mark.parametrize("layout", compose.LAYOUTS)
def test_a_damaged_bracket_in_each_layout(layout: str) -> None:
    heading = f"{'## ' if layout == 'D' else ''}DAMAGED: 1-4 WOUNDS REMAINING"
    document = read(with_bracket(layout, heading, HURT))
    (sheet,) = document.datasheets
    line = 1 + document_lines(with_bracket(layout, heading, HURT)).index(heading)
    assert sheet.damaged == DamagedBracket(1, 4, hit_modifier=-1, text=HURT, line=line)
    assert sheet.abilities[-1].text == HURT
    assert document.status == "parsed"
    assert sheet_of(with_bracket(layout)).damaged is None


def document_lines(text: str) -> list[str]:
    return text.split("\n")


@pytest.mark.parametrize(
    ("lines", "wounds"),
    [
        ([f"DAMAGED: 1-4 WOUNDS REMAINING{HURT}"], (1, 4)),
        (["Damaged: 1–9 Wounds Remaining", HURT], (1, 9)),
        (["DAMAGED: 1 WOUND REMAINING", HURT], (1, 1)),
    ],
)
def test_spellings_of_damaged_brackets(lines: list[str], wounds: tuple[int, int]) -> None:
    bracket = sheet_of(with_bracket("A", *lines)).damaged
    assert bracket is not None
    assert (bracket.wounds_from, bracket.wounds_to) == wounds
    assert (bracket.hit_modifier, bracket.text) == (-1, HURT)


def test_a_damaged_bracket_without_its_wounds_stays_an_ability() -> None:
    document = read(with_bracket("A", "DAMAGED: SOME WOUNDS LEFT", HURT))
    assert document.datasheets[0].damaged is None
    assert document.datasheets[0].abilities[-1].name == "DAMAGED: SOME WOUNDS LEFT"
    assert "damaged_unread" in codes(document)


def test_an_ability_named_damaged_is_no_bracket() -> None:
    sheet = sheet_of(with_bracket("A", "Damaged: Its crew is angry."))
    assert sheet.damaged is None
    assert sheet.abilities[-1].name == "Damaged"


# --- Feel No Pain


@pytest.mark.parametrize(
    ("printed", "parameter", "expected"),
    [
        ("Feel No Pain 5+", "5+", (5, None)),
        ("Feel No Pain 4+ (against mortal wounds)", "4+ (against mortal wounds)", (4, "mortal")),
        ("Feel No Pain 4+ against mortal wounds", "4+ against mortal wounds", (4, "mortal")),
        ("Feel No Pain 4+ (against something odd)", "4+ (against something odd)", (None, None)),
    ],
)
def test_feel_no_pain(printed: str, parameter: str, expected: tuple[int | None, str | None]) -> None:
    document = read("\n".join([*MARKDOWN, "ABILITIES", f"CORE: Deep Strike, {printed}", *TAIL[len(ABILITIES) :]]))
    (sheet,) = document.datasheets
    assert [(one.name, one.parameter) for one in sheet.abilities] == [
        ("Deep Strike", None),
        ("Feel No Pain", parameter),
    ]
    assert (sheet.models[0].feel_no_pain, sheet.models[0].feel_no_pain_scope) == expected
    assert ("feel_no_pain_unread" in codes(document)) == (expected == (None, None))


# --- what is remembered


def test_what_is_remembered_changes_nothing() -> None:
    """A page is read alike whatever was read before it, twice the same lines under another keyword included."""
    gap = ["Sworn Debt", "The keyword is a debt. If your Army Faction is , units pay."]
    pact = page(RANGED, ABILITIES, COMPOSITION, KEYWORDS, ["STRATAGEMS"], gap)
    other = pact.replace("IRON PACT", "OTHER PACT")
    first = parse(pact)
    assert parse(other).rules[0].restored_body == (first.rules[0].restored_body or "").replace("IRON", "OTHER")
    assert parse(pact) == first


@pytest.mark.parametrize(("decorate", "longest"), [(line_remembered, 800), (rule_remembered, 5000)])
def test_only_texts_of_bounded_length_are_remembered(decorate: object, longest: int) -> None:
    read: list[str] = []
    remembering = decorate(lambda text: read.append(text) or len(text))  # type: ignore[operator]
    for text in ("x" * longest, "y" * (longest + 1)):
        assert remembering(text) == remembering(text) == len(text)
    assert [text[0] for text in read] == ["x", "y", "y"]
