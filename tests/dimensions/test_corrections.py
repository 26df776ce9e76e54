"""Declared corrections: what they change, what is said of one that no longer fits, which entries are refused."""

from typing import Any

import pytest

from pipelines.dimensions.corrections import Corrected, corrected, read_corrections
from pipelines.records import (
    Composition,
    Cost,
    DamagedBracket,
    Datasheet,
    Document,
    Keyword,
    UnitAbility,
    WargearOption,
    WeaponAbility,
)
from pipelines.sources.community import read_community_dataset
from tests.builders import datasheet, document, model, weapon
from warehouse.declared import corrections as declared

SHEET = datasheet(
    name="Test Squad",
    models=(model("Trooper"), model("Chief", wounds=3)),
    weapons=(weapon("Gun", abilities=(WeaponAbility("heavy"), WeaponAbility("melta", "2"))), weapon("Knife", skill=4)),
    costs=(Cost(5, 80), Cost(10, 150)),
    composition=(Composition("Trooper", 4, 9, ("Gun",)), Composition("Chief", 1, 1, ("Knife",))),
    keywords=(Keyword("INFANTRY"), Keyword("ADEPTUS ASTARTES", is_faction_keyword=True)),
    abilities=(UnitAbility("core", "Scouts", '6"'), UnitAbility("datasheet", "Sly", None, "It hides.")),
    wargear_options=(WargearOption(1, "Swap the gun.", "replace", ("Gun",), ("Big gun",), 1),),
    damaged=DamagedBracket(1, 4, hit_modifier=-1),
)
EXPORT = document(SHEET, path="export/Datasheets.csv", kind="csv_export", title="Datasheets")


def entry(**changes: Any) -> dict[str, Any]:
    """A correction of the chief's wounds."""
    fields: dict[str, Any] = {
        "document": {"source_kind": "csv_export"}, "unit": "Test Squad", "record": "stat_line",
        "where": {"model_name": "chief"}, "field": "wounds", "from": 3, "to": 4, "reason": "r", "reference": "p. 1",
    }  # fmt: skip
    return {name: value for name, value in (fields | changes).items() if value is not ...}


def apply(*documents: Document, **changes: Any) -> Corrected:
    return corrected(documents, read_corrections([entry(**changes)]))


def fixed(**changes: Any) -> Datasheet:
    """The datasheet after a correction that applies."""
    after = apply(EXPORT, **changes)
    assert [row["applied"] for row in after.rows] == [True]
    assert after.documents[0].issues == ()
    return after.documents[0].datasheets[0]


@pytest.mark.parametrize(
    ("changes", "read", "expected"),
    [
        ({}, lambda s: [m.wounds for m in s.models], [2, 4]),
        (
            {"field": "invulnerable_save", "from": ..., "from_nothing": True, "to": 5},
            lambda s: [m.invulnerable_save for m in s.models],
            [None, 5],
        ),
        (
            {"record": "weapon", "where": {"weapon_name": "Gun"}, "field": "attacks", "from": "2", "to": "D6+1"},
            lambda s: [w.attacks for w in s.weapons],
            ["D6+1", "2"],
        ),
        (
            {
                "record": "weapon", "where": {"weapon_name": "Knife"}, "field": "attack_type", "from": "ranged",
                "to": "melee",
            },
            lambda s: [w.attack_type for w in s.weapons],
            ["ranged", "melee"],
        ),
        (
            {
                "record": "weapon", "where": {"weapon_name": "Knife"}, "field": "skill", "from": 4, "to": ...,
                "to_nothing": True,
            },
            lambda s: [w.skill for w in s.weapons],
            [3, None],
        ),
        (
            {
                "record": "weapon_ability", "where": {"weapon_name": "Gun", "ability": "melta"}, "field": "value",
                "from": "2", "to": "4",
            },
            lambda s: [[a.value for a in w.abilities] for w in s.weapons],
            [[None, "4"], []],
        ),
        (
            {"record": "cost", "where": {"models": 10}, "field": "points", "from": 150, "to": 160},
            lambda s: [c.points for c in s.costs],
            [80, 160],
        ),
        (
            {"record": "composition", "where": {"model_name": "Trooper"}, "field": "default_weapons", "from": ["Gun"],
             "to": ["Gun", "Knife"]},
            lambda s: [c.default_weapons for c in s.composition],
            [("Gun", "Knife"), ("Knife",)],
        ),
        (
            {
                "record": "keyword", "where": {"keyword": "infantry"}, "field": "keyword", "from": "INFANTRY",
                "to": "MOUNTED",
            },
            lambda s: [k.keyword for k in s.keywords],
            ["MOUNTED", "ADEPTUS ASTARTES"],
        ),
        (
            {"record": "ability", "where": {"name": "Scouts"}, "field": "parameter", "from": "6\"", "to": "9\""},
            lambda s: [a.parameter for a in s.abilities],
            ["9\"", None],
        ),
        (
            {"record": "wargear_option", "where": {"position": 1}, "field": "quantity", "from": 1, "to": 2},
            lambda s: [o.quantity for o in s.wargear_options],
            [2],
        ),
        (
            {"record": "damaged_bracket", "where": {}, "field": "wounds_to", "from": 4, "to": 5},
            lambda s: s.damaged.wounds_to,
            5,
        ),
        (
            {
                "record": "datasheet", "where": {}, "field": "availability", "from": ..., "from_nothing": True,
                "to": "legends",
            },
            lambda s: s.availability,
            "legends",
        ),
    ],
)  # fmt: skip
def test_each_kind_of_record_can_be_corrected(changes: dict[str, Any], read: Any, expected: object) -> None:
    assert read(fixed(**changes)) == expected


def test_the_row_says_what_was_done_and_why() -> None:
    [row] = apply(EXPORT, faction="Adeptus Astartes").rows
    assert (row["unit"], row["faction"], row["record"], row["selector"]) == (
        "Test Squad", "Adeptus Astartes", "stat_line", "model_name = chief",
    )  # fmt: skip
    assert (row["field"], row["from_value"], row["to_value"], row["reason"], row["reference"]) == (
        "wounds", "3", "4", "r", "p. 1",
    )  # fmt: skip
    assert (row["document_id"], row["outcome"]) == (EXPORT.document_id, "applied")


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"from": 2}, "it is 3 now, not 2"),
        ({"from": ..., "from_nothing": True}, "it is 3 now, not nothing"),
        ({"where": {"model_name": "Drummer"}}, "no such stat line"),
        ({"unit": "Other Squad"}, "the unit is gone"),
        ({"faction": "Orks"}, "the unit is gone"),
    ],
)
def test_one_that_no_longer_fits_is_an_issue_and_a_row(changes: dict[str, Any], outcome: str) -> None:
    after = apply(EXPORT, **changes)
    [issue] = after.documents[0].issues
    assert (issue.code, issue.severity) == ("correction_outdated", "warning")
    assert issue.message.endswith(outcome)
    assert after.documents[0].datasheets == EXPORT.datasheets
    assert [(row["applied"], row["outcome"]) for row in after.rows] == [(False, outcome)]


@pytest.mark.parametrize(
    "selectors",
    [
        {"source_kind": "community_dataset"},
        {"source_kind": "csv_export", "edition": "11e"},
        {"source_kind": "csv_export", "path": "other/*"},
        {"source_kind": "csv_export", "title": "Factions"},
    ],
)
def test_one_whose_source_is_not_in_the_run_is_silent(selectors: dict[str, str]) -> None:
    after = apply(EXPORT, document=selectors)
    assert (after.documents, after.rows) == ([EXPORT], [])


def test_a_document_is_named_by_path_and_title() -> None:
    selectors = {"source_kind": "csv_export", "path": "export/*", "title": "datasheets", "edition": "10e"}
    other = document(SHEET, path="older/Datasheets.csv", kind="csv_export", title="Datasheets")
    after = apply(EXPORT, other, document=selectors)
    assert [each.datasheets[0].models[1].wounds for each in after.documents] == [4, 3]
    assert [row["path"] for row in after.rows] == ["export/Datasheets.csv"]


def test_pages_of_other_units_are_not_meant_unless_they_are_named() -> None:
    page = document(datasheet(), path="a.txt")
    assert apply(page, document={"source_kind": "text_dump"}).rows == []
    named = apply(page, document={"source_kind": "text_dump", "path": "a.txt"})
    assert [row["outcome"] for row in named.rows] == ["the unit is gone"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"field": "flavour"}, "'flavour' is no field of a stat_line"),
        ({"field": "line"}, "'line' is no field"),
        ({"record": "datasheet", "where": {}, "field": "weapons"}, "'weapons' is no field of a datasheet"),
        ({"record": "banner"}, "'banner' is no kind of record"),
        ({"reason": ...}, "reason is missing"),
        ({"reference": "  "}, "reference is missing"),
        ({"unit": ...}, "unit is missing"),
        ({"to": "4"}, "to: wounds can't be '4'"),
        ({"to": True}, "to: wounds can't be True"),
        ({"to": 3}, "from and to are the same"),
        ({"to": 9999}, "to: wounds is 9999"),
        ({"to": ...}, "either to or to_nothing = true is needed"),
        ({"to_nothing": True}, "either to or to_nothing = true is needed"),
        ({"record": "weapon", "where": {}, "field": "skill", "from": "3+"}, "from: skill can't be '3+'"),
        (
            {"record": "weapon", "where": {}, "field": "attack_type", "from": "ranged", "to": "thrown"},
            "can't be 'thrown'",
        ),
        ({"record": "cost", "where": {}, "field": "points", "to": ..., "to_nothing": True}, "points can't be nothing"),
        ({"where": {"hat": "red"}}, "where: 'hat' is no field"),
        ({"where": {"wounds": "3"}}, "where: wounds can't be '3'"),
        ({"where": "chief"}, "where is a table of fields"),
        ({"document": ...}, "document needs a source_kind"),
        ({"document": {"source_kind": "fax"}}, "document needs a source_kind"),
        ({"document": {"source_kind": "csv_export", "colour": "red"}}, "'colour' is none of the texts"),
        ({"colour": "red"}, "'colour' is nothing that a correction has"),
        ({"record": "weapon", "where": {}, "field": "attacks", "from": "3", "to": "banana"}, "attacks"),
        ({"record": "weapon", "where": {}, "field": "damage", "from": "3", "to": "D7"}, "damage"),
        ({"record": "datasheet", "where": {}, "field": "name", "from": "A", "to": " "}, "name is empty"),
        ({"record": "datasheet", "where": {}, "field": "edition", "from": "10e", "to": "99e"}, "edition is '99e'"),
        ({"faction": 5}, "faction can't be 5"),
    ],
)
def test_a_wrong_entry_is_refused_in_one_line_that_names_it(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_corrections([entry(), entry(**changes)])
    message = str(caught.value)
    assert message.startswith("corrections.toml, entry 2 (")
    assert said in message
    assert "\n" not in message


@pytest.mark.parametrize("entries", [{"unit": "A"}, [5], "text"])
def test_entries_that_are_no_list_of_tables_are_refused(entries: Any) -> None:
    with pytest.raises(ValueError, match=r"^corrections.toml: each entry stands under its own"):
        read_corrections(entries)


def test_the_declared_corrections_are_well_formed_and_fit_the_installed_data_set() -> None:
    after = corrected([read_community_dataset()], read_corrections(declared()))
    assert [(row["unit"], row["outcome"]) for row in after.rows] == [
        ("Company Heroes", "applied"),
        ("Servitor Battleclade", "applied"),
        *[("Sanctifiers", "applied")] * 2,
        ("Intercessor Squad", "applied"),
        *[("Victrix Honour Guard", "applied")] * 3,
        ("Memnyr Strategist", "applied"),
        ("Deathstrike", "applied"),
        ("Invictor Tactical Warsuit", "applied"),
    ]
