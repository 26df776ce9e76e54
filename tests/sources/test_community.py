"""The community data set, the installed one and a newer bundle that a user lays into a raw folder."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from pipelines.dimensions.units import conform
from pipelines.ingest import ingest
from pipelines.records import Datasheet
from pipelines.sources.community import COMBAT_PATROL, is_bundle, read_bundle, read_community_dataset

CONTENT = files("wh40kdc").joinpath("_bundle.json").read_bytes()


@pytest.fixture(scope="module")
def bundle() -> dict[str, Any]:
    """The bundle cut down to a few units of one faction."""
    full = json.loads(CONTENT)
    kept = {"kapricus-defenders", "memnyr-strategist"}
    cut: dict[str, Any] = {name: full[name] for name in ("factions", "game_versions", "leader_attachments")}
    cut["units"] = [unit for unit in full["units"] if unit["id"] in kept]
    for name in ("weapons", "abilities"):
        cut[name] = [each for each in full[name] if each.get("faction_id") == "leagues-of-votann"]
    cut["unit_compositions"] = [each for each in full["unit_compositions"] if each["unit_id"] in kept]
    return cut


def test_counts_of_the_installed_data_set() -> None:
    document = read_community_dataset()
    assert len(document.datasheets) == 1096
    assert sum(len(sheet.weapons) for sheet in document.datasheets) == 5097
    feel_no_pain = [sheet for sheet in document.datasheets if any(m.feel_no_pain for m in sheet.models)]
    assert len(feel_no_pain) == 71


def test_combat_patrol_sheets_have_no_price_and_a_collection_of_their_own() -> None:
    patrols = [sheet for sheet in read_community_dataset().datasheets if sheet.collection == COMBAT_PATROL]
    assert len(patrols) == 98
    assert not any(sheet.costs for sheet in patrols)


def test_tiers_by_copies_and_ranges_of_sizes_are_kept() -> None:
    [sheet] = [sheet for sheet in read_community_dataset().datasheets if sheet.name == "Celestian Sacresants"]
    prices = [(cost.models, cost.models_max, cost.points, cost.copies_from, cost.copies_to) for cost in sheet.costs]
    assert prices == [(5, None, 75, 1, 2), (6, 10, 150, 1, 2), (5, None, 85, 3, None), (6, 10, 160, 3, None)]


def test_a_newer_bundle_in_a_raw_folder_wins_for_the_units_it_has(tmp_path: Path, bundle: dict[str, Any]) -> None:
    newer = json.loads(json.dumps(bundle))
    for unit in newer["units"]:
        unit["points"] = [{"models": 1, "cost": 77}]
    newer["game_versions"].append({"dataslate": "next", "effective_date": "2027-01-01", "edition": "11th"})
    (tmp_path / "bundle.json").write_text(json.dumps(newer), encoding="utf-8")
    units = conform(ingest([tmp_path], community_data=True)).units
    [memnyr] = [unit for unit in units if unit.datasheet.name == "Memnyr Strategist"]
    assert [cost.points for cost in memnyr.datasheet.costs] == [77]
    assert memnyr.document.path == "bundle.json"
    assert len(units) == 1096  # the package still gives all others


def test_the_same_bundle_again_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "copy.json").write_bytes(CONTENT)
    assert [document.path for document in ingest([tmp_path], community_data=True)] == ["copy.json"]


@pytest.mark.parametrize("name", ["units", "weapons", "game_versions", "factions"])
def test_a_bundle_that_lacks_a_table_is_quarantined(bundle: dict[str, Any], name: str) -> None:
    broken = {key: value for key, value in bundle.items() if key != name}
    document = read_bundle(json.dumps(broken).encode(), "b.json")
    assert document.status == "quarantined"
    assert name in document.issues[0].message


@pytest.mark.parametrize("value", ["4", 4.5, [4], {}, "\ud800"])
def test_a_bundle_with_a_value_of_another_type_is_quarantined(bundle: dict[str, Any], value: object) -> None:
    odd = json.loads(json.dumps(bundle))
    odd["units"][0]["profiles"][0]["T"] = value
    document = read_bundle(json.dumps(odd).encode(), "b.json")
    assert document.status == "quarantined"
    assert document.issues[0].code == "bundle_unreadable"
    assert read_bundle(json.dumps(bundle).encode(), "b.json").status == "parsed"


def test_other_json_is_no_bundle() -> None:
    assert is_bundle(CONTENT)
    assert not is_bundle(b'{"units": []}')
    assert not is_bundle(b"[]")


def _edited(bundle: dict[str, Any], unit_id: str, **changes: Any) -> Datasheet:
    """The datasheet of a unit whose first profile and own entries are changed."""
    edited = json.loads(json.dumps(bundle))
    [unit] = [unit for unit in edited["units"] if unit["id"] == unit_id]
    unit["profiles"][0] |= changes.pop("profile", {})
    edited["abilities"] += changes.pop("abilities", [])
    unit |= changes
    [sheet] = [s for s in read_bundle(json.dumps(edited).encode(), "b").datasheets if s.source_key == unit_id]
    return sheet


@pytest.mark.parametrize(
    ("saves", "expected"),
    [
        ((None, 5, None), (5, "ranged", None, None)),
        ((None, 4, 5), (5, None, 4, "ranged")),
        ((6, None, 4), (6, None, 4, "melee")),
        ((4, 5, None), (4, None, None, None)),
    ],
)
def test_saves_against_some_attacks(
    bundle: dict[str, Any], saves: tuple[int | None, ...], expected: tuple[int | str | None, ...]
) -> None:
    names = ("invuln_sv", "invuln_sv_ranged", "invuln_sv_melee")
    [line] = _edited(bundle, "memnyr-strategist", profile=dict(zip(names, saves, strict=True))).models
    found = (line.invulnerable_save, line.invulnerable_save_scope)
    assert (*found, line.improved_invulnerable_save, line.improved_invulnerable_save_scope) == expected


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ({"shape": "round", "diameter": 28.5}, "28.5mm"),
        ({"shape": "oval", "length": 35, "width": 60}, "60 x 35mm"),
        ({"shape": "flying-base", "length": 92, "width": 120}, "120 x 92mm flying base"),
        ({"shape": "hull"}, "Hull"),
        (None, None),
    ],
)
def test_bases(bundle: dict[str, Any], base: dict[str, Any] | None, expected: str | None) -> None:
    [line] = _edited(bundle, "memnyr-strategist", base_size_mm=base).models
    assert line.base_size == expected


def test_a_damaged_bracket_that_names_the_unit(bundle: dict[str, Any]) -> None:
    ability = {
        "ability_id": "damaged-1-3", "name": "Damaged: 1-3 Wounds Remaining", "faction_id": "leagues-of-votann",
        "ability_type": "unit", "unit_ids": ["memnyr-strategist"],
        "effect": {"type": "conditional", "effect": {
            "type": "roll-modifier", "modifier": {"operation": "subtract", "roll": "hit", "value": 1}}},
    }  # fmt: skip
    found = _edited(bundle, "memnyr-strategist", abilities=[ability]).damaged
    assert found is not None
    assert (found.wounds_from, found.wounds_to, found.hit_modifier) == (1, 3, -1)
    assert _edited(bundle, "memnyr-strategist").damaged is None


def test_the_installed_data_sets_brackets_bases_and_dates() -> None:
    sheets = read_community_dataset().datasheets
    assert sum(sheet.damaged is not None for sheet in sheets) == 3
    assert sum(line.base_size is None for sheet in sheets for line in sheet.models) == 33
    assert all(cost.priced_at for sheet in sheets for cost in sheet.costs)
