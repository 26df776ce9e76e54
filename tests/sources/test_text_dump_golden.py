"""The real dumps against the golden answers. Both lie outside the repository."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pipelines.records import Document
from pipelines.sources.discovery import discover, read_document
from tests.sources.sheets import tiled

COUNTS = {"000_5e47d28a2d05443a.txt": (94, 26, 18, 5), "002_761f0d71698d31c0.txt": (64, 22, 0, 3)} | {
    "003_ea1f00a477c0fa54.txt": (33, 9, 0, 0)
}


@pytest.fixture(scope="module")
def documents(shared_dir: Path) -> dict[str, Document]:
    dumps = shared_dir / "dumps"
    return {path.name: read_document(path, root=dumps) for path in discover([dumps])}


def golden(shared_dir: Path, name: str) -> list[dict[str, str]]:
    with (shared_dir / "golden" / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def sha1(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def test_every_dump_parses_and_its_spans_tile_it(documents: dict[str, Document], shared_dir: Path) -> None:
    assert sorted(documents) == sorted(COUNTS)
    for name, document in documents.items():
        assert document.status == "parsed"
        assert tiled(document, (shared_dir / "dumps" / name).read_text("utf-8"))
        assert "unknown" not in {span.kind for span in document.spans}
        top = sum(rule.parent is None for rule in document.rules)
        counted = (top, len(document.stratagems), len(document.enhancements), len(document.detachment_rules))
        assert counted == COUNTS[name]


def test_documents(documents: dict[str, Document], shared_dir: Path) -> None:
    for row in golden(shared_dir, "documents"):
        document = documents[row["file"]]
        assert document.document_id == row["sha256"]
        assert document.byte_count == int(row["bytes"])
        assert document.line_count == int(row["lines"])
        assert (document.title, document.collection, document.unit_name) == (
            row["title_line"],
            row["title_left"],
            row["title_right"],
        )
        sheet = document.datasheets[0]
        assert bool(sheet.costs) == (row["points_present"] == "yes")
        assert bool(sheet.composition) == (row["composition_present"] == "yes")
        assert [one.name for one in sheet.abilities if one.kind == "faction"] == [row["faction_rule"]]


def test_weapons_and_their_abilities(documents: dict[str, Document], shared_dir: Path) -> None:
    columns = ("file", "line", "weapon", "type", "range", "A", "skill", "S", "AP", "D", "keywords")
    rows = golden(shared_dir, "weapons")
    got = [
        (
            name,
            str(weapon.line),
            weapon.weapon_name,
            weapon.attack_type,
            str(weapon.range_inches or "Melee"),
            weapon.attacks,
            f"{weapon.skill}+",
            weapon.strength,
            str(weapon.armour_penetration),
            weapon.damage,
            ", ".join(ability.printed or "" for ability in weapon.abilities),
        )
        for name in sorted({row["file"] for row in rows})
        for weapon in documents[name].datasheets[0].weapons
    ]
    assert got == [tuple(row[column] for column in columns) for row in rows]
    for row in golden(shared_dir, "weapon_keywords"):
        weapons = documents[row["file"]].datasheets[0].weapons
        weapon = next(weapon for weapon in weapons if weapon.weapon_name == row["weapon"])
        assert (row["keyword"].lower().replace(" ", "_"), row["parameter"] or None) in [
            (ability.ability, ability.value) for ability in weapon.abilities
        ]


def test_abilities(documents: dict[str, Document], shared_dir: Path) -> None:
    rows = golden(shared_dir, "abilities")
    want = [
        (row["file"], int(row["line"]), row["type"], row["name"], row["parameter"] or None, row["text_sha1"])
        for row in rows
    ]
    got = [
        (name, one.line, one.kind, one.name, one.parameter, sha1(one.text) if one.text else "")
        for name in sorted({row["file"] for row in rows})
        for one in documents[name].datasheets[0].abilities
    ]
    assert got == want


def test_keywords_composition_and_costs(documents: dict[str, Document], shared_dir: Path) -> None:
    for row in golden(shared_dir, "keywords"):
        plain = [one for one in documents[row["file"]].datasheets[0].keywords if not one.is_faction_keyword]
        keyword = plain[int(row["ordinal"]) - 1]
        assert (keyword.keyword, keyword.line) == (row["keyword"], int(row["line"]))
    for row in golden(shared_dir, "faction_keywords"):
        sheet = documents[row["file"]].datasheets[0]
        factions = [one for one in sheet.keywords if one.is_faction_keyword]
        assert [(one.keyword, one.line) for one in factions] == [(row["faction_keyword"], int(row["line"]))]
        assert sheet.faction == row["faction_keyword"]
    for row in golden(shared_dir, "unit_composition"):
        sheet = documents[row["file"]].datasheets[0]
        entry, cost = sheet.composition[0], sheet.costs[0]
        assert (entry.model_name, entry.min_models, entry.max_models) == (
            row["model_name"],
            int(row["min_models"]),
            int(row["max_models"]),
        )
        assert (cost.models, cost.points, cost.line) == (
            int(row["models"]),
            int(row["points"]),
            int(row["points_line"]),
        )


def test_a_named_force_has_no_points_by_design(documents: dict[str, Document]) -> None:
    by_design = {name: document.datasheets[0].has_points_by_design for name, document in documents.items()}
    assert sorted(by_design.values()) == [False, True, True]
    assert not by_design["003_ea1f00a477c0fa54.txt"]


def test_the_dump_without_a_golden_answer(documents: dict[str, Document]) -> None:
    """Numbers that the format notes name by line."""
    sheet = documents["002_761f0d71698d31c0.txt"].datasheets[0]
    assert [(one.weapon_name, one.damage, one.line) for one in sheet.weapons] == [
        ("HYLas rotary cannon", "2", 4),
        ("Magna-rail cannon", "D3+3", 6),
        ("Twin magna-coil autocannon", "2", 8),
        ("Armoured hull", "1", 11),
    ]
    assert [(one.models, one.points) for one in sheet.costs] == [(1, 70), (2, 140)]
    assert [(one.min_models, one.max_models) for one in sheet.composition] == [(1, 2)]
    assert [(one.kind, one.name, one.parameter) for one in sheet.abilities if one.kind == "core"] == [
        ("core", "Deadly Demise", "1"),
        ("core", "Scouts", '9"'),
    ]
    replaced, added = sheet.wargear_options
    assert (replaced.action, replaced.replaces, replaced.gains, replaced.quantity) == (
        "replace",
        ("magna-rail cannon",),
        ("HYLas rotary cannon",),
        1,
    )
    assert (added.action, added.gains, added.quantity) == ("add", ("smoke launcher",), 1)
    assert [one.name for one in sheet.abilities if one.kind == "wargear"] == ["Smoke Launcher"]
    plain = [one.keyword for one in sheet.keywords if not one.is_faction_keyword]
    assert plain == ["VEHICLE", "FLY", "HERNKYN", "KAPRICUS", "DEFENDERS"]


def test_rules_blocks(documents: dict[str, Document], shared_dir: Path) -> None:
    rows = golden(shared_dir, "rules_blocks")
    for name in sorted({row["file"] for row in rows}):
        rules = documents[name].rules
        got = [
            (
                one.start_line,
                one.end_line,
                one.title,
                one.kind,
                rules[one.parent].title if one.parent is not None else "",
            )
            for one in rules
        ]
        want = [
            (int(row["start_line"]), int(row["end_line"]), row["title"], row["kind"], row["parent"])
            for row in rows
            if row["file"] == name
        ]
        assert got == want
        hashes = [
            row["sha1_unique_lines" if row["kind"] == "stratagem" else "sha1_body"]
            for row in rows
            if row["file"] == name
        ]
        assert [sha1(rule.body) for rule in rules] == hashes


def test_blocks_that_begin_or_end_inside_a_line(documents: dict[str, Document], shared_dir: Path) -> None:
    for row in golden(shared_dir, "rules_blocks"):
        if row["parent"]:
            continue
        starts = {(span.start_line, span.start_column) for span in documents[row["file"]].spans}
        inside = any(line == int(row["start_line"]) and column > 1 for line, column in starts)
        assert inside or row["glued_start"] == "0"


def test_stratagems(documents: dict[str, Document], shared_dir: Path) -> None:
    columns = ("line", "name", "cp", "detachment", "type", "core_flag", "detail_start_line")
    rows = golden(shared_dir, "stratagem_index")
    for name in sorted({row["file"] for row in rows}):
        rules = documents[name].rules
        got = [
            (
                str(one.line),
                one.name,
                str(one.cp_cost),
                one.detachment,
                one.type,
                str(int(one.is_core)),
                str(rules[one.rule or 0].start_line),
            )
            for one in documents[name].stratagems
        ]
        assert got == [tuple(row[column] for column in columns) for row in rows if row["file"] == name]
    for row in golden(shared_dir, "stratagem_details"):
        one = next(one for one in documents[row["file"]].stratagems if one.name == row["name"])
        assert (one.when_text, one.target_text, one.effect_text, one.restrictions_text) == (
            row["when"],
            row["target"],
            row["effect"],
            row["restrictions"] or None,
        )
        assert sha1(one.flavour or "") == row["flavour_sha1"]


def test_detachment_rules(documents: dict[str, Document], shared_dir: Path) -> None:
    for row in golden(shared_dir, "detachment_abilities"):
        document = documents[row["file"]]
        one = document.detachment_rules[int(row["index_ordinal"]) - 1]
        assert (one.name, one.detachment, one.line) == (row["name"], row["detachment"], int(row["index_line"]))
        assert one.text == row["rule_text"]
        block = document.rules[one.rule or 0]
        assert (block.start_line, block.end_line) == (int(row["detail_start_line"]), int(row["detail_end_line"]))


def test_enhancements(documents: dict[str, Document], shared_dir: Path) -> None:
    matches = {"certain": "certain", "high": "inferred"}
    for row in golden(shared_dir, "enhancements"):
        document = documents[row["file"]]
        one = document.enhancements[int(row["ordinal"]) - 1]
        assert (one.name, one.points, one.detachment, one.line) == (
            row["name"],
            int(row["points"]),
            row["detachment"],
            int(row["index_line"]),
        )
        assert one.text_match == matches.get(row["alignment_certainty"], "missing")
        assert one.eligibility_text == (row["eligibility_as_printed"] or None)
        assert (one.eligibility_restored or one.eligibility_text) == (row["eligibility_restored"] or None)
        assert one.description == (row["description"] or None)
        if one.rule is not None:
            assert document.rules[one.rule].start_line == int(row["detail_start_line"])


def test_visible_gaps_are_restored_beside_the_text(documents: dict[str, Document]) -> None:
    for name, document in documents.items():
        for rule in document.rules:
            if rule.restored_body is not None:
                assert name != "003_ea1f00a477c0fa54.txt"
                assert len(rule.restored_body) > len(rule.body)
    restored = [rule.title for rule in documents["000_5e47d28a2d05443a.txt"].rules if rule.restored_body]
    assert Counter(re.sub(r"#\d+", "#", title) for title in restored) == {
        "(keyword usage: <dropped>)": 2,
        "(keyword usage: <dropped> and INFANTRY)": 1,
        "(keyword usage: <dropped> and TRANSPORT)": 1,
        "(keyword usage: <dropped> and CHARACTER)": 1,
        "Prioritised Efficiency": 1,
        "UNYIELDING AGGRESSION": 1,
        "Assailed From Every Angle": 1,
        "(untitled enhancement #)": 13,
    }


def test_pages_rendered_from_known_numbers(shared_dir: Path) -> None:
    truth = json.loads((shared_dir / "layouts" / "truth.json").read_text("utf-8"))
    for path in discover([shared_dir / "layouts" / "A"]):
        document = read_document(path)
        assert document.status == "parsed"
        expected = truth[document.unit_name]
        sheet = document.datasheets[0]
        assert len(sheet.weapons) == len(expected["weapons"])
        costs = [(cost.points, cost.kind) for cost in sheet.costs]
        assert costs == [
            (int(price.lstrip("+")), "add_on" if price.startswith("+") else "base") for _, price in expected["cost"]
        ]
        plain = sorted(one.keyword for one in sheet.keywords if not one.is_faction_keyword)
        assert plain == sorted(expected["keywords"])
