"""The same page in every layout in which it is extracted: facts, dump, parser, the same facts."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.records import Document
from pipelines.sources.discovery import read_document
from pipelines.sources.text_dump import NoDatasheetError, parse_text
from pipelines.sources.values import parse_dice, parse_penetration, parse_range, parse_skill
from pipelines.sources.weapon_abilities import parse_weapon_abilities, split_weapon_name
from tests.corpus import compose
from tests.corpus.test_compose import found_datasheet
from tests.sources.sheets import codes, tiled, written

FACTS = compose.load_facts()
GLOSSARY = compose.load_glossary()


def read(text: str, path: str = "page.txt") -> Document:
    return parse_text(text, document_id="0" * 64, path=path, byte_count=len(text.encode()))


@pytest.mark.parametrize("layout", compose.LAYOUTS)
@pytest.mark.parametrize("name", sorted(FACTS))
def test_facts_survive_each_layout(name: str, layout: str) -> None:
    facts = FACTS[name]
    text = compose.compose(facts, GLOSSARY, layout=layout)
    document = read(text, f"{facts['unit'].replace(' ', '_')}.txt")
    (sheet,) = document.datasheets
    expected = compose.expected_records(facts, GLOSSARY)
    for section, found in found_datasheet(sheet).items():
        assert found == expected[section], section
    assert document.status == "parsed"
    assert tiled(document, text)
    plain = read(compose.compose(facts, GLOSSARY))
    assert document.stratagems
    assert [rule.body for rule in document.rules] == [rule.body for rule in plain.rules]
    assert sheet.collection == (None if layout in compose.UNTITLED else facts["collection"])
    assert ("weapon_header_lost" in codes(document)) == (layout == "F" and bool(sheet.weapons))
    stats = ("model_name", "movement", "toughness", "save", "wounds", "leadership", "objective_control")
    found_stats = [tuple(getattr(one, stat) for stat in (*stats, "invulnerable_save")) for one in sheet.models]
    assert found_stats == (compose.stat_lines(facts) if layout in "CD" else [])


def without_sections(text: str) -> str:
    """The page as an extraction leaves it that loses all between the tables and the rules text."""
    lines = text.split("\n")
    first = next(at for at, line in enumerate(lines) if line in ("WARGEAR OPTIONS", "ABILITIES"))
    last = next(at for at, line in enumerate(lines) if line == "STRATAGEMS")
    rules = next(at for at in range(last, len(lines)) if lines[at].endswith(".") or "Weapons with" in lines[at]) - 1
    return "\n".join(lines[:first] + lines[rules:])


@pytest.mark.parametrize("layout", compose.UNTITLED)
@pytest.mark.parametrize("name", sorted(FACTS))
def test_sections_may_be_missing(name: str, layout: str) -> None:
    facts = FACTS[name]
    text = without_sections(compose.compose(facts, GLOSSARY, layout=layout))
    document = read(text, f"{facts['unit'].replace(' ', '_')}.txt")
    (sheet,) = document.datasheets
    assert found_datasheet(sheet)["weapons"] == compose.expected_records(facts, GLOSSARY)["weapons"]
    assert sheet.name == facts["unit"]
    assert {"unit_name_from_file", "sections_missing"} <= set(codes(document))
    assert len(document.rules) > 10
    assert {span.kind for span in document.spans if span.kind == "unknown"} == set()
    assert tiled(document, text)


@pytest.mark.parametrize("layout", compose.LAYOUTS)
def test_one_page_holds_many_datasheets(layout: str) -> None:
    names = ["leagues-of-votann_memnyr-strategist", "leagues-of-votann_kapricus-defenders", "orks_boyz"]
    text = "\n".join(compose.compose(FACTS[name], GLOSSARY, layout=layout) for name in names)
    document = read(text)
    assert [sheet.name for sheet in document.datasheets] == [FACTS[name]["unit"] for name in names]
    for name, sheet in zip(names, document.datasheets, strict=True):
        expected = compose.expected_records(FACTS[name], GLOSSARY)
        for section, found in found_datasheet(sheet).items():
            assert found == expected[section], section
        listed = [document.stratagems[at] for at in sheet.stratagems or ()]
        assert sorted(one.name for one in listed) == sorted(row[0] for row in expected["stratagems"])
        assert len(sheet.models) == (len(compose.stat_lines(FACTS[name])) if layout in "CD" else 0)
    assert document.status == "parsed"
    assert tiled(document, text)


def test_cells_of_many_datasheets_without_titles() -> None:
    pages = [compose.compose(FACTS[name], GLOSSARY, layout="C") for name in ("orks_boyz", "orks_warboss")]
    pages[1] = pages[1].split("\n", 1)[1]
    document = read("\n".join(pages))
    assert document.datasheets[0].name == "Boyz"
    assert len(document.datasheets) == 2
    assert [sheet.collection for sheet in document.datasheets] == ["Orks", "Orks"]
    assert document.status == "parsed"


# --- real numbers in three of the layouts


def truth(folder: Path) -> dict[str, dict[str, Any]]:
    return json.loads((folder / "layouts" / "truth.json").read_text("utf-8"))


def abilities_of(printed: str) -> list[tuple[str, str, tuple[str, ...]]]:
    abilities, _ = parse_weapon_abilities(printed)
    return sorted((one.ability, one.value or "", one.against_keywords) for one in abilities)


def number(cell: str) -> int | None:
    digits = cell.strip(' *"+')
    return int(digits) if digits.isdigit() else None


@pytest.mark.parametrize("layout", "ACE")
def test_layouts_say_what_is_true(shared_dir: Path, layout: str) -> None:
    for name, unit in truth(shared_dir).items():
        document = read_document(shared_dir / "layouts" / layout / f"{name.replace(' ', '_')}.txt")
        (sheet,) = document.datasheets
        assert (document.status, sheet.name) == ("parsed", name)
        weapons = [
            (
                one.weapon_name + (f" – {one.profile_name}" if one.profile_name else ""),
                *(one.attack_type, one.range_inches, one.attacks, one.skill, one.strength),
                *(one.armour_penetration, one.damage),
                sorted((each.ability, each.value or "", each.against_keywords) for each in one.abilities),
            )
            for one in sheet.weapons
        ]
        assert weapons == [
            (
                *(row["name"].strip(), row["type"].lower(), parse_range(row["range"]), parse_dice(row["A"])),
                *(parse_skill(row["BS_WS"]), parse_dice(row["S"]), parse_penetration(row["AP"]), parse_dice(row["D"])),
                abilities_of(row["description"]),
            )
            for row in unit["weapons"]
            if row["name"]
        ]
        assert [(one.item or one.models, one.points) for one in sheet.costs] == [
            (int(label.split()[0]) if label[0].isdigit() else label, int(price)) for label, price in unit["cost"]
        ]
        if layout != "E":  # which prints no keywords
            assert [one.keyword for one in sheet.keywords if not one.is_faction_keyword] == unit["keywords"]
            factions = [keyword for keyword in unit["faction_keywords"] if keyword]
            assert [one.keyword for one in sheet.keywords if one.is_faction_keyword] == factions
        fields = ("movement", "toughness", "save", "invulnerable_save", "wounds", "leadership", "objective_control")
        models = [(one.model_name, *(getattr(one, field) for field in fields)) for one in sheet.models]
        stats = ("M", "T", "Sv", "inv_sv", "W", "Ld", "OC")
        expected = [(row["name"] or name, *(number(row[stat]) for stat in stats)) for row in unit["models"]]
        assert models == (expected if layout == "C" else [])


def test_conditions_of_invulnerable_saves(shared_dir: Path) -> None:
    scopes = {
        name: read_document(shared_dir / "layouts" / "C" / f"{name}.txt")
        .datasheets[0]
        .models[0]
        .invulnerable_save_scope
        for name in ("Knight_Crusader", "Vampire_Hunter", "Mek_Gunz")
    }
    assert scopes == {"Knight_Crusader": "ranged", "Vampire_Hunter": "ranged", "Mek_Gunz": None}


# --- damaged pages


LINES = {
    layout: compose.compose(FACTS["leagues-of-votann_kapricus-defenders"], GLOSSARY, layout=layout).split("\n")[:140]
    for layout in compose.LAYOUTS
}
ODD = ("", " ", " ]", "M", '5"', "T", "INVULNERABLE SAVE", "4+", "| --- |", "1CP", "\ufeff", "\u00a0", "| x | |||||||")
SCRAPS = st.sampled_from([*sorted({line for lines in LINES.values() for line in lines[:40]}), *ODD])
CHANGES = st.lists(st.tuples(st.integers(0, 139), st.sampled_from(["drop", "glue", "cut", "add"]), SCRAPS), max_size=10)


@given(st.sampled_from(compose.LAYOUTS), CHANGES, st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=300, deadline=None)
def test_spans_tile_damaged_pages_of_every_layout(layout: str, changes: list[tuple[int, str, str]], end: str) -> None:
    lines = list(LINES[layout])
    for at, what, scrap in changes:
        at = min(at, len(lines) - 1)
        if what == "drop":
            del lines[at]
        elif what == "glue":
            lines[at] += scrap
        elif what == "cut":
            lines[at] = lines[at][: len(lines[at]) // 2]
        else:
            lines.insert(at + 1, scrap)
    text = end.join(lines)
    try:
        document = read(text)
    except NoDatasheetError:
        return
    assert tiled(document, text)
    assert (document.status == "partial") >= any(span.kind == "unknown" for span in document.spans)
    for rule in document.rules:
        assert 1 <= rule.start_line <= rule.end_line <= (document.line_count or 0)
        assert rule.parent is None or document.rules[rule.parent].parent is None
    assert read(text) == document


@pytest.mark.parametrize(
    "text",
    [
        'Gun\n(⌀1mm)\nM\n5"\nT\n4\nSV\n3+\nW\n1\nRANGED WEAPONS\nRANGE\nA\nBS\nS\nAP\nD\n' * 5_000,
        "A – B\nABILITIES\n" * 30_000,
        "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |\nKEYWORDS: TANK\nFACTION KEYWORDS:\nX\n" * 20_000,
        "| RANGED WEAPONS | RANGE | A | BS | S | AP | D | |\n"
        + "| "
        + "anti-a 2+ " * 25_000
        + '| 5" | 1 | 2+ | 1 | 0 | 1 |',
        "| --- |\n| RANGED WEAPONS | RANGE | A | BS | S | AP | D |\n"
        + "|---|"
        + " " * 200_000
        + "x\n"
        + "**a " * 60_000,
        "A – B\nABILITIES\n" + "Name\u00a0One: Text." * 14_000 + "\nKEYWORDS: X\n",
    ],
)
def test_hostile_pages_take_bounded_time(text: str, tmp_path: Path) -> None:
    began = time.perf_counter()
    document = read_document(written(tmp_path, text, "Big_Gun.txt"))
    assert time.perf_counter() - began < 10
    assert len(document.issues) <= 1001
    assert len(document.datasheets) <= 1000


def test_a_footnote_between_the_cells_of_two_weapons() -> None:
    text = compose.compose(FACTS["orks_boyz"], GLOSSARY, layout="C")
    lines = text.split("\n")
    second = [at for at, line in enumerate(lines) if line and lines[at + 1 : at + 2] == [line]][1]
    lines.insert(second, "Before it fires, one of its profiles is chosen, in our own words.")
    document = read("\n".join(lines))
    assert document.datasheets[0].weapons[0] == read(text).datasheets[0].weapons[0]
    assert len(document.datasheets[0].weapons) == len(read(text).datasheets[0].weapons)
    assert [span.start_line for span in document.spans if span.kind == "weapon_footnote"] == [second + 1]


# --- stat lines


CELLS = [
    "Iron Pact – Gun Crew",
    "Gun Crew",
    "(⌀32mm)",
    "M",
    '20+"',
    "T",
    "5*",
    "Sv",
    "7+",
    "W",
    "2",
    "Ld",
    "6+",
    "OC",
    "-",
]


@pytest.mark.parametrize(
    ("printed", "value", "scope", "code"),
    [
        ([], None, None, None),
        (["INVULNERABLE SAVE", "4+"], 4, None, None),
        (["INVULNERABLE SAVE*", "4+", "* against melee attacks only."], 4, "melee", None),
        (["INVULNERABLE SAVE", "5+*", "* Gun Crew model only"], 5, None, None),
        (["INVULNERABLE SAVE", "5+*", "* Captain model only"], None, None, "save_condition_unread"),
        (["INVULNERABLE SAVE", "4*"], 4, None, "save_condition_unread"),
        (["INVULNERABLE SAVE", "-"], None, None, None),
        (["INVULNERABLE SAVE", "9+"], None, None, "stat_value_unreadable"),
    ],
)
def test_invulnerable_saves(printed: list[str], value: int | None, scope: str | None, code: str | None) -> None:
    text = "\n".join([*CELLS, *printed, "ABILITIES", "CORE: Feel No Pain 5+, Deep Strike", "KEYWORDS: INFANTRY"])
    document = read(f"{text}\nFACTION KEYWORDS:\nIRON PACT")
    (model,) = document.datasheets[0].models
    assert (model.invulnerable_save, model.invulnerable_save_scope) == (value, scope)
    assert (model.movement, model.toughness, model.save, model.objective_control) == (20, 5, 7, None)
    assert (model.feel_no_pain, model.feel_no_pain_scope) == (5, None)
    assert [one for one in codes(document) if one.startswith(("save", "stat"))] == ([code] if code else [])
    assert document.status == "parsed"


def test_feel_no_pain_against_mortal_wounds_alone() -> None:
    text = "\n".join([*CELLS, "ABILITIES", "CORE: Feel No Pain 4+ (mortal wounds only)", "KEYWORDS: INFANTRY"])
    (model,) = read(f"{text}\nFACTION KEYWORDS:\nIRON PACT").datasheets[0].models
    assert (model.feel_no_pain, model.feel_no_pain_scope) == (4, "mortal")


# --- abilities without brackets


@pytest.mark.parametrize(
    ("printed", "kind", "name", "abilities"),
    [
        ("Bolt pistol pistol", "ranged", "Bolt pistol", "pistol"),
        ("Bolt pistol", "ranged", "Bolt pistol", ""),
        ("Combi-weapon ANTI-INFANTRY 4+ DEVASTATING WOUNDS RAPID FIRE 1", "ranged", "Combi-weapon", None),
        ("Bright lance", "ranged", "Bright lance", ""),
        ("Laser lance assault", "ranged", "Laser lance", "assault"),
        ("Laser lance anti-monster 3+ anti-vehicle 3+ lance", "melee", "Laser lance", None),
        ("Battle cannon blast rapid fire d6+3", "ranged", "Battle cannon", "blast, rapid fire d6+3"),
        ("Ion cannon – overcharge blast", "ranged", "Ion cannon – overcharge", "blast"),
        ("Saw blade anti-epic hero 2+ precision", "melee", "Saw blade", "anti-EPIC HERO 2+, precision"),
        ("Torrent", "ranged", "Torrent", ""),
    ],
)
def test_abilities_are_parted_from_the_name(printed: str, kind: str, name: str, abilities: str | None) -> None:
    found, listed = split_weapon_name(printed, kind)
    assert found == name
    if abilities is not None:
        assert listed == abilities
    assert not parse_weapon_abilities(listed)[1]


@pytest.mark.parametrize(
    ("printed", "name", "abilities"),
    [
        ("Heavy flamer ignorescovertorrent", "Heavy flamer", "ignores cover, torrent"),
        ("Heavy flamerignorescovertorrent", "Heavy flamer", "ignores cover, torrent"),
        ("Boltgun rapidfire1", "Boltgun", "rapid fire 1"),
        ("Multi-melta meltad3twin-linked", "Multi-melta", "melta d3, twin-linked"),
        ("Laspistolpistol", "Laspistol", "pistol"),
        ("Cannon anti-infantry4+rapidfired6+3", "Cannon", "anti-INFANTRY 4+, rapid fire d6+3"),
        ("Blade anti-epichero2+", "Blade", "anti-EPIC HERO 2+"),
    ],
)
def test_abilities_that_have_lost_their_blanks(printed: str, name: str, abilities: str) -> None:
    assert split_weapon_name(printed, "ranged", glued=True) == (name, abilities)
