"""The sample dumps: up to date, flawed like real ones, in our own words, and read back without loss.

Belongs here: tests of the corpus itself and of the round trip facts, dump, parser, facts. Doesn't: tests of the
parser's single steps.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.records import Datasheet, Document
from pipelines.sources.discovery import read_document
from pipelines.sources.text_dump import parse_text
from tests.corpus import compose

FACTS = compose.load_facts()
GLOSSARY = compose.load_glossary()
DUMPS = compose.dumps()
ALL = "\n\n".join(content.decode() for content in DUMPS.values())
NAMES = sorted(FACTS)


def dump(name: str) -> str:
    return DUMPS[compose.sample_name(name)].decode()


# --- the files


@pytest.mark.parametrize("name", NAMES)
def test_raw_is_up_to_date(name: str) -> None:
    path = compose.RAW / compose.sample_name(name)
    assert path.read_bytes() == DUMPS[path.name], "run python -m tests.corpus.compose"


def test_files_are_utf8_nfc_without_blank_lines_and_last_newline() -> None:
    for name, content in DUMPS.items():
        text = content.decode()
        assert text == unicodedata.normalize("NFC", text), name
        assert not re.search(r"\r|\t|  |\n\n|\n$|^\n| \n|\n |\x00|[{}]", text), name


def test_generate_is_repeatable_and_varied() -> None:
    first, again = list(compose.generate(30, seed=7)), list(compose.generate(30, seed=7))
    assert first == again
    assert len({content for _, content in first}) == len({name for name, _ in first}) == 30
    assert first != list(compose.generate(30, seed=8))


@pytest.mark.parametrize("layout", compose.LAYOUTS)
def test_generated_dumps_have_the_size_of_real_ones_and_are_read_back(layout: str) -> None:
    glossary = compose.full_glossary()
    dumps = list(compose.generate(8, 5, layout))
    assert 50_000 < sum(len(content) for _, content in dumps) / len(dumps) < 70_000
    shared_lines = set.intersection(*(lines_of(content.decode()) for _, content in dumps))
    assert len(shared_lines) > 60
    for (name, facts), (path, content) in zip(compose.generate_facts(8, 5), dumps, strict=True):
        document = parse_text(content.decode(), document_id="0" * 64, path=path, byte_count=len(content))
        expected = compose.expected_records(facts, glossary)
        assert path == name
        assert document.status == "parsed"
        assert found_datasheet(document.datasheets[0])["weapons"] == expected["weapons"]
        assert found_stratagems(document) == Counter(all_squeezed(expected["stratagems"]))
        assert found_rules(document) == expected_rules(expected)


# --- the flaws


FLAWS = {
    "en dash in the title": r"\ALeagues of Votann – |\n\nLeagues of Votann – ",
    "a left part that is no faction": r"\nWarspeke’s Prospect – Hernkyn Pioneers\n",
    "doubled weapon row": r"\n\| (.+?) \| \|{7}\n\| \1 \| ",
    "empty last cell": r"\n\| Melta rifle \[heavy, melta 2\] \| 18\" \| 1 \| 3\+ \| 9 \| -4 \| D6 \| \|\n",
    "several profiles": r"\n\| Plasma incinerator – supercharge \[assault, hazardous, heavy\] \| 24\"",
    "skill N/A": r"\n\| Heavy flamer \[ignores cover, torrent\] \| 12\" \| D6 \| N/A \|",
    "range N/A": r"\n\| Deathstrike missile \[.+\] \| N/A \| 2D6 \|",
    "dice in attacks": r" \| 72\" \| D6\+1 \| 3\+ \|",
    "dice in damage": r" \| -4 \| D3\+3 \| \|",
    "ability with a dash": r"\[anti-infantry 4\+, devastating wounds, rapid fire 1\]",
    "extra attacks": r"\[extra attacks\]",
    "two datasheet abilities on one line": r"\nComputational Mastermind: .+\.Predictive Guidance: ",
    "nested ability behind a colon": r"ability:Guerrilla Adepts: .+",
    "ability in lower case behind a lost keyword": r"\nunits from your army gain the following ability:",
    "two core abilities": r"\nCORE: Deadly Demise 1, Scouts 9\"\n",
    "list of units to lead lost": r"\nThis model can be attached to the following units:\nKEYWORDS: ",
    "models from nought": r"\n- 0-2 Broadside Shas’ui\n",
    "two cost rows": r"\n\| 1 model \| 70 \|\n\| 2 models \| 140 \|\n",
    "faction keyword twice": r"\nFACTION KEYWORDS:\n(.+)\n\1\nSTRATAGEMS\n",
    "lone C": r"\nCore – Battle Tactic\nC\n",
    "doubled TARGET and EFFECT": r"\n(TARGET: .+\nEFFECT: .+)\n\1\n(?!RESTRICTIONS)",
    "doubled RESTRICTIONS": r"\n(TARGET: .+\nEFFECT: .+\nRESTRICTIONS: .+)\n\1\n",
    "price out of order": r"\nOathbound Speculator\n30\nIron Ambassador\n5\n",
    "enhancement without name": r"\nHearthband Detachment\n.+\nmodel only\. ",
    "enhancement for one wargear": r"\nmodel equipped with an Autoch-pattern combi-bolter only\. ",
    "stratagem heading glued": r"ability\.HEROIC INTERVENTION\n1CP\n",
    "keyword line glued": r"\.The and TRANSPORT keywords are used in the following Leagues of Votann datasheets:\n",
    "keyword line glued behind inches": r"12\"\.The CHARACTER keyword is used in the following ",
    "known title glued": r"Wound roll\.Attached Units\n",
    "army list glued": r"1YP\.Army List\n",
    "army list heading glued": r"\nDatasheets collatedCharacters\nBattleline\nDedicated Transports\n",
    "keyword lost": r"\nThe keyword is used in the following ",
    "two keywords lost": r"If your Army Faction is , units from ",
    "article left over": r" a INFANTRY unit ",
    "keyword kept in another page": r"If your Army Faction is ORKS, ",
    "keyword kept in spite of that": r"INFANTRY or LEAGUES OF VOTANN MOUNTED unit",
    "keyword line without headings": r"\nThe KÂHL keyword is used in the following [^\n]+:\nMethodical",
    "keyword line twice on a page": r"(?s)\n(The VEHICLE keyword is used [^\n]+\n)(?:(?!\n\n).)+\1",
    "name in another case": r"(?s)\| Magna-rail cannon \[(?:(?!\n\n).)+ magna-rail cannon replaced",
    "sentence like a field": r"\nDesigner’s Note: .+",
    "first bullet glued": r"\.- Advance Move: ",
    "first bullet glued behind a colon": r":- Re-roll a Wound roll of 1\.\n- ",
    "example glued": r"[^\n]Example: ",
    "example kept": r"\nExample: ",
    "paragraph glued": r"targets\.Roll|unseen\.Roll",
    "stub headings": r"\nHostile Acquisition\nFortify Takeover\nYield Points\n",
    "last line twice": r"\n(Later in that turn .+)\n\1\nObjective Markers\n",
    "nested block twice": r"\n(Desperate Escape Tests\n.+\n).+phase\.Having Fallen Back.+\n\1- ",
    "wound table lost": r"\n\| \|{14}\n",
    "small table lost": r"\n\|\n",
    "untitled note": r"\n.+, select one of its profiles to make attacks with\.\n",
    "numbered title": r"\n2\. Battle-shock\n",
    "no flavour": r"\nDevastating Wounds\nWeapons with \[DEVASTATING WOUNDS\] ",
    "dash in running text": r"your ability - Hostile Acquisition or Fortify Takeover - but",
    "en dash in running text": r"vertically – and with them",
    "straight apostrophe": r"prospect's",
    "curly apostrophe in a name": r"\nHUNTR’S MARK\n",
    "apostrophe before a name": r"\n’ARD AS NAILS\n",
    "comma in a name": r"\nLONG, UNCONTROLLED BURSTS\n",
    "diacritics": r"\nWEAVEWËRKE BUTTRESS\n1CP\nDêlve Assault Shift – ",
    "brackets in mixed case": r"\[sustained HITS 2\]",
    "typos": r"\nTeh |recieve|from your array|sucessfully|It is\.best",
}


@pytest.mark.parametrize("flaw", FLAWS)
def test_flaw_occurs(flaw: str) -> None:
    assert re.search(FLAWS[flaw], f"\n{ALL}")


def test_details_are_in_another_order_than_the_index() -> None:
    text = dump("leagues-of-votann_memnyr-strategist")
    index = re.findall(r"(?m)^(.+)\n\dCP\n.+ – (?!.*Stratagem$)", text)
    details = re.findall(r"(?m)^(?:.+\.)?(.+)\n\dCP\n.+ Stratagem$", text)
    assert len(index) == len(details) == 26
    assert sorted(index) == sorted(details)
    assert index != details


def test_two_enhancements_have_no_text() -> None:
    text = dump("leagues-of-votann_memnyr-strategist")
    assert len(FACTS["leagues-of-votann_memnyr-strategist"]["enhancements"]) == 18
    assert len(re.findall(r"(?m)^.+ Detachment\n.+\n.* ?model (?:equipped .+ )?only\. ", text)) == 16


def test_a_combat_patrol_page_has_no_points_and_older_wording() -> None:
    text = dump("warspekes-prospect_hernkyn-pioneers")
    assert "UNIT COMPOSITION" not in text
    assert "ENHANCEMENTS" not in text
    for title in ("Hazardous", "FIRE OVERWATCH", "SCOUTS"):
        newer, older = GLOSSARY["texts"][title]
        changed = set(map(str, older.values())) - set(map(str, newer.values()))
        assert older["older"]
        assert not newer.get("older")
        assert len(changed) == 2, "the mark and the one thing that was changed"


# --- our own words


def lines_of(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines() if len(line.strip()) >= 60}


def test_no_long_line_is_copied() -> None:
    shared = os.environ.get("WARLEDGER_SHARED")
    if not shared:
        pytest.skip("WARLEDGER_SHARED is not set: there are no real dumps to compare with")
    real = set().union(*(lines_of(path.read_text("utf-8")) for path in Path(shared, "dumps").glob("*.txt")))
    facts = {line for line in lines_of(ALL) if line.startswith("| ") or "used in the following" in line}
    texts = [line for entries in GLOSSARY["texts"].values() for entry in entries for line in strings(entry)]
    assert real
    assert real & lines_of(ALL) <= facts
    assert not real & lines_of("\n".join(texts))


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


# --- the round trip


UNTITLED = ("keyword_usage", "profile_note", "enhancement")


def squeezed(text: str | None) -> str | None:
    """Blanks and breaks don't count: un-gluing may put some back."""
    return None if text is None else re.sub(r"\s+", "", text)


def all_squeezed(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [tuple(squeezed(value) if isinstance(value, str) else value for value in row) for row in rows]


@pytest.fixture(scope="module")
def documents() -> dict[str, Document]:
    return {name: read_document(compose.RAW / compose.sample_name(name), root=compose.RAW) for name in NAMES}


def found_datasheet(sheet: Datasheet) -> dict[str, list[Any]]:
    return {
        "weapons": [
            (
                weapon.weapon_name,
                weapon.profile_name,
                weapon.attack_type,
                weapon.range_inches,
                weapon.attacks,
                weapon.skill,
                weapon.strength,
                weapon.armour_penetration,
                weapon.damage,
                tuple((ability.ability, ability.value, ability.against_keywords) for ability in weapon.abilities),
            )
            for weapon in sheet.weapons
        ],
        "costs": [(cost.models, cost.points) for cost in sheet.costs],
        "composition": [(kind.model_name, kind.min_models, kind.max_models) for kind in sheet.composition],
        "keywords": [(word.keyword, word.is_faction_keyword) for word in sheet.keywords],
        "abilities": [(ability.kind, ability.name, ability.parameter, ability.text) for ability in sheet.abilities],
        "options": [option.text for option in sheet.wargear_options],
    }


def found_stratagems(document: Document) -> Counter[tuple[Any, ...]]:
    rows = [
        (
            *(row.name, row.cp_cost, "Core" if row.is_core else row.detachment, row.type, row.is_core),
            *(row.when_text, row.target_text, row.effect_text, row.restrictions_text, row.flavour),
        )
        for row in document.stratagems
    ]
    return Counter(all_squeezed(rows))


def found_rules(document: Document) -> list[tuple[str, str | None, str | None]]:
    return [
        (rule.kind, None if rule.kind in UNTITLED else rule.title, squeezed(rule.body))
        for rule in document.rules
        if rule.parent is None
    ]


def expected_rules(expected: dict[str, list[Any]]) -> list[tuple[str, str | None, str | None]]:
    return [(kind, title, squeezed(body)) for kind, title, body in expected["rules"]]


@pytest.mark.parametrize("name", NAMES)
def test_datasheet_is_read_back(name: str, documents: dict[str, Document]) -> None:
    document, facts = documents[name], FACTS[name]
    (sheet,) = document.datasheets
    expected = compose.expected_records(facts, GLOSSARY)
    assert document.status == "parsed"
    assert (document.collection, document.unit_name) == (facts["collection"], facts["unit"])
    assert sheet.has_points_by_design == bool(facts.get("points"))
    for section, found in found_datasheet(sheet).items():
        assert found == expected[section], section


SAME_PAGES = {
    "leagues-of-votann_memnyr-strategist": "000_5e47d28a2d05443a.txt",
    "leagues-of-votann_kapricus-defenders": "002_761f0d71698d31c0.txt",
    "warspekes-prospect_hernkyn-pioneers": "003_ea1f00a477c0fa54.txt",
}


def facts_of(document: Document) -> dict[str, list[Any]]:
    """Everything a page states apart from sentences."""
    (sheet,) = document.datasheets
    read = found_datasheet(sheet)
    return {section: read[section] for section in ("weapons", "costs", "composition", "keywords")} | {
        "abilities": [ability[:3] for ability in read["abilities"]],
        "stratagems": [(row.name, row.cp_cost, row.detachment, row.type) for row in document.stratagems],
        "detachment_rules": [(rule.name, rule.detachment) for rule in document.detachment_rules],
        "enhancements": [(row.name, row.points, row.detachment, row.text_match) for row in document.enhancements],
    }


@pytest.mark.parametrize("name", SAME_PAGES)
def test_facts_are_those_of_the_real_page(name: str, documents: dict[str, Document]) -> None:
    shared = os.environ.get("WARLEDGER_SHARED")
    if not shared:
        pytest.skip("WARLEDGER_SHARED is not set: there are no real dumps to compare with")
    real = read_document(Path(shared, "dumps", SAME_PAGES[name]), root=Path(shared, "dumps"))
    assert facts_of(documents[name]) == facts_of(real)


@pytest.mark.parametrize("name", NAMES)
def test_options_are_understood(name: str, documents: dict[str, Document]) -> None:
    (sheet,) = documents[name].datasheets
    assert all(option.action and option.gains for option in sheet.wargear_options)


@pytest.mark.parametrize("name", NAMES)
def test_stratagems_are_read_back(name: str, documents: dict[str, Document]) -> None:
    expected = compose.expected_records(FACTS[name], GLOSSARY)["stratagems"]
    assert found_stratagems(documents[name]) == Counter(all_squeezed(expected))


@pytest.mark.parametrize("name", NAMES)
def test_detachment_rules_are_read_back(name: str, documents: dict[str, Document]) -> None:
    found = [(rule.name, rule.detachment) for rule in documents[name].detachment_rules]
    assert sorted(found) == sorted(compose.expected_records(FACTS[name], GLOSSARY)["detachment_rules"])


@pytest.mark.parametrize("name", NAMES)
def test_enhancements_are_read_back(name: str, documents: dict[str, Document]) -> None:
    found = [
        (
            *(row.name, row.points, row.detachment if row.description else None),
            *(row.eligibility_text, row.description, row.flavour, row.eligibility_restored),
        )
        for row in documents[name].enhancements
    ]
    expected = compose.expected_records(FACTS[name], GLOSSARY)["enhancements"]
    assert all_squeezed(found) == all_squeezed(expected)
    missing = {row.name for row in documents[name].enhancements if row.text_match == "missing"}
    assert missing == {name for name, _, _, _, rule, *_ in expected if rule is None}


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_cut_where_they_begin(name: str, documents: dict[str, Document]) -> None:
    assert found_rules(documents[name]) == expected_rules(compose.expected_records(FACTS[name], GLOSSARY))
