"""The real exports, where they are at hand: every row accounted for, and units checked against their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from pipelines.identity import fold
from pipelines.records import Datasheet, Document, RowCount
from pipelines.sources.csv_export import is_export
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.weapon_abilities import KNOWN_ABILITIES, parse_weapon_abilities
from tests.sources.csv_samples import by_table, issue

NEWER, OLDER = "wahapedia_export_2025-11", "wahapedia_export_2025-09"
_ACCOUNT = re.compile(r"(\d+) rows read, (\d+) kept")
_DROPPED = re.compile(r", (\d+) ")

# Abilities that one weapon of the game has for itself; the rest of the 78 spellings is understood.
OF_ONE_WEAPON = {
    "bubblechukka", "c_tan_power", "dead_choppy", "harpooned", "hooked", "impaled", "linked_fire", "overcharge",
    "plasma_warhead", "psychic_assassin", "reverberating_summons", "snagged",
}  # fmt: skip

# Prices that changed between the export and the pages that the truth was taken from.
CHANGED_PRICES = {"Arkanyst Evaluator": ["75"], "Knight Crusader": ["395"]}

Export = Mapping[str, Document]
RealExport = Callable[[str], Sequence[Document]]


@pytest.fixture(scope="module")
def newer(real_export: RealExport) -> Export:
    return by_table(real_export(NEWER))


@pytest.fixture(scope="module")
def older(real_export: RealExport) -> Export:
    return by_table(real_export(OLDER))


@pytest.fixture(scope="module")
def units(newer: Export) -> Mapping[str, Datasheet]:
    return {str(sheet.source_key): sheet for sheet in newer["Datasheets"].datasheets}


def rows_of(folder: Path, table: str) -> list[dict[str, str]]:
    """The rows of a published table, read without any of the code under test."""
    header, *rows = (folder / f"{table}.csv").read_text("utf-8-sig").splitlines()
    columns = header.split("|")
    return [dict(zip(columns, row.split("|"), strict=True)) for row in rows]


@pytest.mark.parametrize(("name", "files", "datasheets"), [(NEWER, 20, 1676), (OLDER, 19, 1626)])
def test_both_schemas_load_and_each_row_is_kept_or_counted(
    shared_dir: Path, real_export: RealExport, name: str, files: int, datasheets: int
) -> None:
    folder, documents = shared_dir / "data" / name, by_table(real_export(name))
    assert is_export(folder)
    assert len(documents) == files
    assert {document.status for document in documents.values()} == {"parsed"}
    assert len(documents["Datasheets"].datasheets) == datasheets
    for table, document in documents.items():
        message = issue(document, "rows_accounted").message
        account = _ACCOUNT.match(message)
        assert account is not None
        read, kept = int(account[1]), int(account[2])
        assert read == len(rows_of(folder, table)), table
        assert document.row_count == RowCount(read, kept), table
        assert read == kept + sum(map(int, _DROPPED.findall(message[account.end() :]))), table


@pytest.mark.parametrize("name", [NEWER, OLDER])
def test_every_named_weapon_model_and_price_of_a_datasheet_is_there(
    shared_dir: Path, real_export: RealExport, name: str
) -> None:
    folder, documents = shared_dir / "data" / name, by_table(real_export(name))
    sheets = {str(sheet.source_key): sheet for sheet in documents["Datasheets"].datasheets}
    for table, count in (("wargear", "weapons"), ("models", "models"), ("models_cost", "costs")):
        distinct = dict.fromkeys(tuple(row.values()) for row in rows_of(folder, f"Datasheets_{table}"))
        columns = list(rows_of(folder, f"Datasheets_{table}")[0])
        rows = [dict(zip(columns, row, strict=True)) for row in distinct]
        expected = [row for row in rows if row["datasheet_id"] in sheets]
        if table == "wargear":
            expected = [row for row in expected if row["name"].strip()]
        assert sum(len(getattr(sheet, count)) for sheet in sheets.values()) == len(expected)
        row_count = documents[f"Datasheets_{table}"].row_count
        assert row_count is not None
        assert row_count.rows_kept == len(expected)


@pytest.mark.parametrize(("name", "total"), [(NEWER, 356), (OLDER, 354)])
def test_every_damaged_bracket_is_read_and_most_are_worse_to_hit(
    real_export: RealExport, name: str, total: int
) -> None:
    documents = by_table(real_export(name))
    brackets = [sheet.damaged for sheet in documents["Datasheets"].datasheets if sheet.damaged is not None]
    assert len(brackets) == total
    assert sum(one.hit_modifier == -1 for one in brackets) == total - 4  # four change attacks or OC alone
    assert sum(one.objective_control_modifier is not None for one in brackets) > 85
    assert all(one.wounds_from == 1 < one.wounds_to for one in brackets)


@pytest.mark.parametrize("name", [NEWER, OLDER])
def test_base_sizes_and_saves_of_two_values_are_kept(shared_dir: Path, real_export: RealExport, name: str) -> None:
    folder, documents = shared_dir / "data" / name, by_table(real_export(name))
    models = [one for sheet in documents["Datasheets"].datasheets for one in sheet.models]
    without = sum(one.base_size is None for one in models)
    assert without == sum(not row["base_size"].strip() for row in rows_of(folder, "Datasheets_models"))
    improved = [one for one in models if one.improved_invulnerable_save is not None]
    assert {(one.improved_invulnerable_save, one.improved_invulnerable_save_scope) for one in improved} == {
        (4, "melee")
    }
    assert {one.invulnerable_save for one in improved} == {5, 6}


def test_dates_editions_and_collections(newer: Export, older: Export, units: Mapping[str, Datasheet]) -> None:
    assert {document.dated for document in newer.values()} == {"2025-11-14"}
    assert {document.dated for document in older.values()} == {"2025-09-06"}
    assert {document.edition for document in (*newer.values(), *older.values())} == {"10e"}
    assert {sheet.collection == sheet.faction for sheet in units.values()} == {True}
    assert len({sheet.faction for sheet in units.values()}) == 25
    assert sum(sheet.availability == "virtual" for sheet in units.values()) == 1
    assert sum(sheet.availability == "legends" for sheet in units.values()) == 568


def test_all_spellings_of_weapon_abilities_are_understood(shared_dir: Path, newer: Export) -> None:
    rows = rows_of(shared_dir / "data" / NEWER, "Datasheets_wargear")
    lists = {plain(row["description"]) for row in rows}
    found = {
        ((ability.printed or "").strip().casefold(), ability.ability)
        for printed in lists
        for ability in parse_weapon_abilities(printed)[0]
    }
    assert len({printed for printed, _ in found}) == 78
    assert {ability for _, ability in found} - KNOWN_ABILITIES == OF_ONE_WEAPON
    assert issue(newer["Datasheets_wargear"], "unknown_weapon_ability").message.startswith("20 weapons")


GRETCHIN = ("GRETCHIN", 6, 2, 7, None, None, 1, 8, 2)
OUTRIDER = ("OUTRIDER", 12, 5, 3, None, None, 4, 6, 2)


@pytest.mark.parametrize(
    ("key", "name", "stats"),
    [
        ("000000001", "Warboss", [("Warboss", 6, 5, 4, 5, None, 6, 6, 1)]),
        ("000000017", "Gretchin", [GRETCHIN, ("RUNTHERD", 6, 5, 5, None, None, 2, 7, 1)]),
        ("000000626", "Vampire Hunter", [("Vampire Hunter", 20, 12, 3, 4, "ranged", 30, 6, 0)]),
        ("000000634", "Archon", [("Archon", 7, 3, 4, 2, None, 4, 6, 1)]),
        ("000002712", "Outrider Squad", [OUTRIDER, ("INVADER ATV", 12, 5, 3, None, None, 8, 6, 2)]),
    ],
)  # fmt: skip
def test_stat_lines(units: Mapping[str, Datasheet], key: str, name: str, stats: list[tuple[object, ...]]) -> None:
    sheet = units[key]
    assert sheet.name == name
    assert [
        (
            one.model_name, one.movement, one.toughness, one.save, one.invulnerable_save, one.invulnerable_save_scope,
            one.wounds, one.leadership, one.objective_control,
        )
        for one in sheet.models
    ] == stats  # fmt: skip


def test_several_models_scopes_and_feel_no_pain(units: Mapping[str, Datasheet]) -> None:
    assert sum(len(sheet.models) > 1 for sheet in units.values()) == 93
    scopes = [one.invulnerable_save_scope for sheet in units.values() for one in sheet.models]
    assert (scopes.count("ranged"), scopes.count("melee")) == (52, 1)
    fearless = [sheet for sheet in units.values() if any(one.feel_no_pain for one in sheet.models)]
    assert len(fearless) == 113
    assert {one.feel_no_pain_scope for sheet in fearless for one in sheet.models} == {None}
    assert sum(ability.name.startswith("Damaged: ") for sheet in units.values() for ability in sheet.abilities) == 356
    assert sum(ability.name == "Stealth" for sheet in units.values() for ability in sheet.abilities) == 79


def test_prices_and_compositions_agree_on_sizes(units: Mapping[str, Datasheet]) -> None:
    prices = [cost for sheet in units.values() for cost in sheet.costs]
    kinds = [cost.kind for cost in prices]
    assert (kinds.count("base"), kinds.count("alternative"), kinds.count("add_on")) == (2057, 30, 4)
    assert {cost.condition for cost in prices if cost.kind == "alternative"} == {
        "AGENTS OF THE IMPERIUM Detachment",
        "Assigned Agent",
    }
    for sheet in units.values():
        least = sum(entry.min_models for entry in sheet.composition)
        most = sum(entry.max_models for entry in sheet.composition)
        sizes = [cost.models for cost in sheet.costs if cost.kind == "base"]
        assert not sizes or any(least <= size <= most for size in sizes), sheet.name


def test_most_of_equipment_and_options_is_structured(units: Mapping[str, Datasheet]) -> None:
    entries = [entry for sheet in units.values() for entry in sheet.composition]
    told = [entry for entry in entries if entry.default_weapons is not None]
    assert len(told) / len(entries) > 0.98
    options = [option for sheet in units.values() for option in sheet.wargear_options]
    assert sum(option.action is not None for option in options) / len(options) > 0.98
    broken = [
        sheet.name
        for sheet in units.values()
        if {fold(name) for entry in sheet.composition for name in entry.default_weapons or ()}
        - {fold(weapon.weapon_name) for weapon in sheet.weapons}
    ]
    assert len(broken) <= 20


@pytest.mark.parametrize(
    ("key", "equipment"),
    [
        ("000000882", {"Custodian Guard": ["Guardian spear"]}),
        ("000000652", {"Beastmaster": ["Splinter pods", "Agoniser"]}),
        ("000003821", {"Chaplain Cassius": None}),
    ],
)
def test_default_equipment(units: Mapping[str, Datasheet], key: str, equipment: Mapping[str, list[str] | None]) -> None:
    found = {entry.model_name: entry.default_weapons for entry in units[key].composition}
    for model, weapons in equipment.items():
        carried = next(value for name, value in found.items() if fold(name).startswith(fold(model)))
        assert carried == (None if weapons is None else tuple(weapons))


def test_stratagems_detachments_and_enhancements(newer: Export, units: Mapping[str, Datasheet]) -> None:
    main = newer["Datasheets"]
    assert (len(main.stratagems), len(main.detachment_rules), len(main.enhancements)) == (1284, 244, 797)
    assert {one.type for one in main.stratagems} == {"Battle Tactic", "Strategic Ploy", "Epic Deed", "Wargear"}
    assert sum(one.is_core for one in main.stratagems) == 14
    assert all(one.when_text and one.target_text and one.effect_text for one in main.stratagems)
    assert all(one.detachment for one in (*main.stratagems, *main.detachment_rules, *main.enhancements))
    assert sum(len(sheet.stratagems or ()) for sheet in units.values()) == 74_099
    assert not any("<" in text for one in main.stratagems for text in (one.when_text, one.effect_text) if text)
    assert len(newer["Abilities"].rules) == 90


def test_it_agrees_with_the_layouts_truth(shared_dir: Path, units: Mapping[str, Datasheet]) -> None:
    truth = json.loads((shared_dir / "layouts" / "truth.json").read_text("utf-8"))
    for name, expected in truth.items():
        sheet = units[expected["datasheet_id"]]
        assert (sheet.name, sheet.faction) == (name, expected["faction"])
        assert [(f"{one.toughness}", f"{one.save}+", f"{one.wounds}") for one in sheet.models] == [
            (one["T"].rstrip("*"), one["Sv"], one["W"]) for one in expected["models"]
        ]
        named = [one for one in expected["weapons"] if one["name"]]
        assert [
            (f"{one.attacks}", f"{one.strength}", one.armour_penetration, one.damage, one.skill, one.range_inches)
            for one in sheet.weapons
        ] == [
            (
                one["A"].strip(), one["S"].strip(), int(one["AP"]), one["D"].strip(),
                int(one["BS_WS"]) if one["BS_WS"].isdigit() else None,
                int(one["range"]) if one["range"].isdigit() else None,
            )
            for one in named
        ], name  # fmt: skip
        printed = [f"{'+' if one.kind == 'add_on' else ''}{one.points}" for one in sheet.costs]
        assert printed == CHANGED_PRICES.get(name, [points for _, points in expected["cost"]])
        keywords = {one.keyword for one in sheet.keywords if not one.is_faction_keyword}
        assert keywords == set(expected["keywords"]) - {""}
        factions = {one.keyword for one in sheet.keywords if one.is_faction_keyword}
        assert factions == set(expected["faction_keywords"]) - {""}
