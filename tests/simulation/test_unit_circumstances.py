"""Units where not every weapon or profile is used: a target that is not visible, profiles that a die chooses."""

import polars as pl
import pytest

from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.units import simulate_units
from pipelines.simulation.volleys import UNIT_METRICS

from .samples import target_frame, targets, weapon_frame

TARGETS = targets(6, seed=4)
PLAIN = {"ruleset": "10e", "attack_type": "ranged", "attacks": "3", "skill": 3, "armour_penetration": -1}
PLAIN |= {"strength": "5", "damage": "2", "abilities": []}


def weapon(name, *slugs, **changes):
    abilities = [{"ability": slug, "value": None, "against_keywords": [], "condition": None} for slug in slugs]
    return PLAIN | {"weapon_profile_id": name, "abilities": abilities} | changes


def fire(lines, armoury, scenarios, rulesets):
    """Rows of activations; ``lines``: (unit, weapon, count, die, faces) in order."""
    frame = pl.DataFrame(
        [{"unit_id": unit, "phase": "shooting", "position": i, "weapon_profile_id": weapon, "count": count,
          "die": die, "die_faces": faces} for i, (unit, weapon, count, die, faces) in enumerate(lines)],
        schema_overrides={"die": pl.String, "die_faces": pl.Int64},
    )  # fmt: skip
    book = LawBook()
    rows = simulate_units(
        frame, weapon_frame(armoury), target_frame(TARGETS), scenarios, rulesets, book, copies=True
    ).sort("unit_id", "scenario_id", "target_id")
    return rows, book


def test_a_die_chooses_one_profile_for_all_weapons_of_a_kind(rulesets, scenarios):
    armoury = [weapon("gun"), weapon("big", attacks="2D6", damage="1"), weapon("small", strength="12", damage="D6+3")]
    lines = [("gun_big", "gun", 1, None, None), ("gun_big", "big", 2, None, None)]
    lines += [("gun_small", "gun", 1, None, None), ("gun_small", "small", 2, None, None)]
    lines += [("mixed", "gun", 1, None, None), ("mixed", "big", 2, "bubble", 2), ("mixed", "small", 2, "bubble", 4)]
    rows, _ = fire(lines, armoury, scenarios.head(1), rulesets)
    big, small, mixed = (rows.filter(pl.col("unit_id") == unit) for unit in ("gun_big", "gun_small", "mixed"))
    for name in (*UNIT_METRICS, "expected_raw_damage"):
        assert mixed[name].to_list() == pytest.approx((big[name] / 3 + small[name] * 2 / 3).to_list(), abs=1e-12)
    between = zip(*(each["copies_to_destroy"].to_list() for each in (big, small, mixed)), strict=True)
    assert all(min(a, b) <= both <= max(a, b) for a, b, both in between)


def test_two_dice_are_independent(rulesets, scenarios):
    armoury = [weapon(name, attacks=str(n + 1), damage=str(n + 1)) for n, name in enumerate("abcd")]
    alone = [(f"{a}{b}", each, 1, None, None) for a in "ab" for b in "cd" for each in (a, b)]
    both = [("mixed", "a", 1, "x", 3), ("mixed", "b", 1, "x", 3), ("mixed", "c", 1, "y", 1), ("mixed", "d", 1, "y", 5)]
    rows, _ = fire(alone + both, armoury, scenarios.head(1), rulesets)
    chances = {"ac": 1 / 12, "ad": 5 / 12, "bc": 1 / 12, "bd": 5 / 12}
    expected = sum(
        rows.filter(pl.col("unit_id") == unit)["expected_damage"] * chance for unit, chance in chances.items()
    )
    found = rows.filter(pl.col("unit_id") == "mixed")["expected_damage"]
    assert found.to_list() == pytest.approx(expected.to_list(), abs=1e-12)


def test_only_indirect_fire_attacks_what_is_not_visible(rulesets, scenarios):
    armoury = [weapon("gun"), weapon("mortar", "indirect_fire")]
    lines = [("both", "gun", 4, None, None), ("both", "mortar", 1, None, None), ("guns", "gun", 1, None, None)]
    lines += [("mortar", "mortar", 1, None, None)]
    rows, _ = fire(lines, armoury, scenarios, rulesets)
    unseen = rows.filter(pl.col("scenario_id") == "unseen")
    assert set(unseen["unit_id"]) == {"both", "mortar"}
    both, mortar = (
        unseen.filter(pl.col("unit_id") == unit)["expected_damage"].to_list() for unit in ("both", "mortar")
    )
    assert both == pytest.approx(mortar, abs=1e-12)
    plain = rows.filter((pl.col("scenario_id") == "plain") & (pl.col("unit_id") == "both"))
    assert all(hidden < seen for hidden, seen in zip(both, plain["expected_damage"], strict=True))


def test_scenarios_of_conversion_and_indirect_fire(rulesets, scenarios):
    armoury = [
        weapon("gun"), weapon("beam", "conversion"), weapon("mortar", "indirect_fire"),
        weapon("fist", "conversion", "indirect_fire", attack_type="melee"),
        weapon("sure", "indirect_fire", "ignores_cover", "torrent", skill=None),
        weapon("vehicle_beam", "conversion", strength="2D6", ruleset="11e"),
    ]  # fmt: skip
    grid = simulate_grid(weapon_frame(armoury), target_frame(TARGETS), scenarios, rulesets)
    found = dict(grid.attack_classes.group_by("weapon_profile_id").agg("scenario_id").iter_rows())
    having = {name: {each for each, kinds in found.items() if name in kinds} for name in ("long_range", "unseen")}
    assert having == {"long_range": {"beam", "vehicle_beam"}, "unseen": {"mortar", "sure"}}
