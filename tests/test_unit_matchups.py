"""Units against units: each pair as if it were alone, with the loadout that does most there."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipelines import engine_frames, matchups, unit_matchups
from pipelines.dimensions.assemble import Dimensions, assemble
from pipelines.outcome_cache import OutcomeCache
from pipelines.records import Composition, Cost, Datasheet, Keyword, WargearOption, WargearSwap
from tests.builders import datasheet, document, model, weapon

METRICS = ("expected_damage", "expected_models_destroyed", "p_destroy_unit")
FIST = weapon("Fist", attack_type="melee", range_inches=None, strength="8", armour_penetration=-2, damage="2")
CANNON = weapon("Cannon", attacks="1", strength="9", armour_penetration=-3, damage="D6")
SWAP = WargearSwap((("Bolt rifle", 1),), ((("Cannon", 1),),), most=1)


def sheets() -> tuple[Datasheet, ...]:
    """A squad with an option that is better against tanks, the same without it at another price, a tank."""
    squad = datasheet(
        weapons=(weapon(), CANNON, FIST),
        composition=(Composition("Intercessor", 5, 10, ("Bolt rifle", "Fist")),),
        wargear_options=(WargearOption(1, None, "replace", ("Bolt rifle",), ("Cannon",), swap=SWAP),),
    )
    twin = datasheet(
        "Twins", weapons=(weapon(), FIST), costs=(Cost(5, 100),),
        composition=(Composition("Intercessor", 5, 5, ("Bolt rifle", "Fist")),),
    )  # fmt: skip
    tank = datasheet(
        "Tank", costs=(Cost(1, 200),), keywords=(Keyword("VEHICLE"),), weapons=(CANNON,),
        composition=(Composition("Tank", 1, 1, ("Cannon",)),), models=(model("Tank", toughness=10, wounds=12),),
    )  # fmt: skip
    return squad, twin, tank


@pytest.fixture(scope="module")
def dimensions() -> Dimensions:
    return assemble([document(*sheets())])


def facts(dimensions: Dimensions) -> dict[str, pl.DataFrame]:
    frames = dimensions.frames
    weapons = engine_frames.weapon_frame(frames, None)
    rules = engine_frames.declared_rulesets()
    return dict(matchups.simulate(frames, dimensions.arsenals, weapons, rules, OutcomeCache(None)).frames)


def versus(dimensions: Dimensions, found: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """The view unit_versus_unit with names of units."""
    names = dimensions.frames["units"].select("unit_id", "name")
    targets = dimensions.frames["targets"].select("target_id", pl.col("unit_id").alias("target_unit"))
    return (
        found["unit_cells"]
        .join(found["unit_attacks"], on="unit_attack_id")
        .join(found["unit_target_classes"], on="unit_target_class_id")
        .join(targets, on="target_id")
        .join(names, on="unit_id")
        .join(names.select(pl.col("name").alias("target"), target_unit="unit_id"), on="target_unit")
        .sort("name", "phase", "target")
    )


def test_every_unit_meets_every_unit_with_what_does_most(dimensions: Dimensions) -> None:
    found = facts(dimensions)
    rows = versus(dimensions, found)
    assert rows.select("name", "phase", "target").rows() == [
        (name, phase, target)
        for name, phases in (
            ("Intercessor Squad", ("fight", "shooting")),
            ("Tank", ("shooting",)),
            ("Twins", ("fight", "shooting")),
        )
        for phase in phases
        for target in ("Intercessor Squad", "Tank", "Twins")
    ]
    assert found["unit_target_classes"]["unit_target_class_id"].n_unique() == 2  # squad and twins stand alike
    used = {
        (row["name"], row["target"]): row["used"] for row in rows.iter_rows(named=True) if row["phase"] == "shooting"
    }
    assert used["Intercessor Squad", "Tank"] == "4 × Bolt rifle, 1 × Cannon"
    assert used["Twins", "Tank"] == "5 × Bolt rifle"
    assert set(rows["models"]) == {5, 1}
    points = dict(rows.select("name", "points").unique().iter_rows())
    assert points == {"Intercessor Squad": 80, "Tank": 200, "Twins": 100}


def test_each_figure_is_the_best_of_all_loadouts_alone(dimensions: Dimensions) -> None:
    frames = dimensions.frames
    rules = engine_frames.declared_rulesets()
    weapons = engine_frames.weapon_frame(frames, None)
    targets = engine_frames.with_groups(frames).filter(pl.col("kind") == "unit")
    plain = frames["scenarios"].filter(pl.col("scenario_id") == "plain")
    rifle, cannon, fist = (
        frames["weapon_profiles"].filter(pl.col("weapon_name") == name) for name in ("Bolt rifle", "Cannon", "Fist")
    )
    squad = frames["units"].filter(pl.col("name") == "Intercessor Squad")["unit_id"].item()
    of = {name: each.filter(pl.col("unit_id") == squad)["weapon_profile_id"].item()
          for name, each in (("rifle", rifle), ("cannon", cannon), ("fist", fist))}  # fmt: skip
    ways = {"rifles": [("rifle", 5)], "cannon": [("rifle", 4), ("cannon", 1)]}
    lines = pl.DataFrame(
        [
            {"unit_id": way, "phase": phase, "position": place, "weapon_profile_id": of[name], "count": count}
            for way, phase, fired in (*((w, "shooting", f) for w, f in ways.items()), ("fists", "fight", [("fist", 5)]))
            for place, (name, count) in enumerate(fired)
        ]
    )
    alone = pl.concat(
        OutcomeCache(None).units(lines, weapons, one, plain, rules, None, copies=False)
        for one in targets.iter_slices(1)
    )
    best = alone.sort("expected_damage").unique(["phase", "target_id"], keep="last")
    rows = versus(dimensions, facts(dimensions)).filter(pl.col("unit_id") == squad)
    both = rows.join(best, on=["phase", "target_id"], suffix="_alone")
    assert both.height == rows.height == 6
    for metric in METRICS:
        assert (both[metric] - both[f"{metric}_alone"]).abs().max() < 1e-12
    assert set(best["unit_id"]) == {"cannon", "fists"}


def test_units_a_few_at_a_time_are_the_same(dimensions: Dimensions, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = versus(dimensions, facts(dimensions))
    monkeypatch.setattr(unit_matchups, "UNITS_AT_ONCE", 1)
    parts = versus(dimensions, facts(dimensions))
    assert_frame_equal(parts, whole, rel_tol=1e-12)


def test_without_known_equipment_there_are_no_attacks() -> None:
    nobody = assemble([document(datasheet(composition=()))])
    found = facts(nobody)
    assert found["unit_attacks"].is_empty()
    assert found["unit_cells"].is_empty()
    assert found["unit_target_classes"].height == 1


def test_of_loadouts_that_do_the_same_the_cheapest_counts() -> None:
    """Rifles have a price and do nothing in the fight: there the squad with one fewer counts, not the default one."""
    squad, *others = sheets()
    costs = (*squad.costs, Cost(1, 4, kind="add_on", item="Bolt rifle"))
    priced = assemble([document(replace(squad, costs=costs), *others)])
    rows = versus(priced, facts(priced)).filter(pl.col("name") == "Intercessor Squad", pl.col("phase") == "fight")
    assert set(rows["points"]) == {80 + 4 * 4}
