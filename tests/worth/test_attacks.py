"""Units' attacks with rules are those of the same weapons with other numbers."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from pipelines.engine_frames import declared_rulesets, weapon_frame
from pipelines.outcome_cache import OutcomeCache
from pipelines.worth.applied import NOTHING, Effect
from pipelines.worth.attacks import METRICS, Base, attacks_with, best_attacks, joined

from .world import archetype, unit, weapon, world

Row = dict[str, Any]
FOOT = archetype("foot", save=4, wounds=2, models=5)


def based(*units: Row) -> tuple[dict[str, pl.DataFrame], Base]:
    frames = world(units, [FOOT])
    return frames, best_attacks(frames["unit_loadouts"], frames["unit_matchups"], frames["weapon_profiles"])


def attacked(
    frames: dict[str, pl.DataFrame], base: Base, asked: list[tuple[int, int, str]], *effects: Effect
) -> list[Row]:
    """Outcomes of (activation, effect, scenario), in this order; effect 0 changes nothing."""
    schema = {"activation": pl.Int32, "effect": pl.Int32, "scenario_id": pl.String}
    needed = pl.DataFrame(asked, schema=schema, orient="row")
    found = attacks_with(
        needed, base, [NOTHING, *effects], weapon_frame(frames, None), frames["targets"], frames["scenarios"],
        declared_rulesets(), OutcomeCache(None),
    )  # fmt: skip
    assert found.height == len(asked)
    return needed.join(found, on=list(schema), maintain_order="left").to_dicts()


def metrics(row: Row) -> list[float]:
    return [row[name] for name in METRICS]


@pytest.mark.parametrize(
    ("changed", "same_as"),
    [
        (Effect(skill_improve=1), {"skill": 3}),
        (Effect(hit_mod=1), {"skill": 3}),
        (Effect(wound_mod=1, attacks_bonus=1), {"strength": "5", "attacks": "3"}),
        (Effect(strength_bonus=4, damage_bonus=1), {"strength": "8", "damage": "2"}),
        (Effect(ap_improve=2), {"armour_penetration": -2}),
        (
            Effect(
                sets=frozenset(
                    {("attacks", 5), ("skill", 2), ("armour_penetration", -1), ("damage", 3), ("strength", 9)}
                )
            ),
            {"attacks": "5", "skill": 2, "armour_penetration": -1, "damage": "3", "strength": "9"},
        ),
        (Effect(hit_mod=1, hit_reroll=2, crit_hit=4, damage_reroll=1, wound_reroll=1, crit_wound=5), None),
    ],
)
def test_an_effect_is_what_other_numbers_would_be(changed: Effect, same_as: Row | None) -> None:
    guns = {"attacks": "2", "count": 3}
    frames, base = based(unit("Plain", weapon(**guns)), unit("Other", weapon(**(guns | (same_as or {})))))
    plain, made, other = attacked(frames, base, [(0, 0, "plain"), (0, 1, "plain"), (1, 0, "plain")], changed)
    assert made["expected_damage"] > plain["expected_damage"] + 0.1
    if same_as is not None:
        assert metrics(made) == pytest.approx(metrics(other), abs=1e-12)


def test_what_hits_automatically_has_no_skill_to_set() -> None:
    frames, base = based(unit("Flames", weapon(skill=None)))
    plain, made = attacked(frames, base, [(0, 0, "plain"), (0, 1, "plain")], Effect(sets=frozenset({("skill", 4)})))
    assert metrics(made) == metrics(plain)


def test_in_a_scenario_that_changes_nothing_for_it_a_unit_attacks_as_in_the_plain_one() -> None:
    frames, base = based(unit("Plain", weapon(attack_type="melee")))
    lance = Effect(grants=frozenset({("lance", None, ())}))
    asked = [(0, 0, "plain"), (0, 0, "charged"), (0, 1, "charged")]
    plain, charged, with_lance = attacked(frames, base, asked, lance)
    assert metrics(charged) == metrics(plain)
    assert with_lance["expected_damage"] > plain["expected_damage"]


def test_units_attack_with_what_is_best_at_their_smallest_size() -> None:
    frames = world([unit("Plain", weapon(), weapon(attack_type="melee"), models=5)], [FOOT])
    large = frames["unit_matchups"].with_columns(models=pl.lit(10, pl.Int32))
    worse = frames["unit_matchups"].with_columns(loadout=pl.lit("worse"), is_best=pl.lit(value=False))
    covered = frames["unit_matchups"].with_columns(scenario_id=pl.lit("cover"))
    found = best_attacks(
        frames["unit_loadouts"], pl.concat([large, worse, covered, frames["unit_matchups"]]), frames["weapon_profiles"]
    )
    assert found.activations.sort("activation").rows() == [
        (0, "Plain", 5, "shooting", "foot"),
        (1, "Plain", 5, "fight", "foot"),
    ]
    assert found.lines.sort("activation").select("activation", "weapon_profile_id", "count").rows() == [
        (0, "Plain weapon 1", 1),
        (1, "Plain weapon 2", 1),
    ]


def test_a_leaders_weapons_come_after_those_of_the_unit_it_joins() -> None:
    squad = (weapon(count=5), weapon(strength="8"))
    blade = weapon(damage="2", attacks="3")
    frames, base = based(unit("Squad", *squad), unit("Leader", blade), unit("Both", *squad, blade))
    pairs = pl.DataFrame({"activation": [0], "joining": [1]}, schema={"activation": pl.Int32, "joining": pl.Int32})
    with_leader, numbered = joined(base, pairs)
    assert numbered.rows() == [(0, 1, 3)]
    lines = with_leader.lines.filter(pl.col("activation") == 3).sort("position")
    assert lines["weapon_profile_id"].to_list() == ["Squad weapon 1", "Squad weapon 2", "Leader weapon 1"]
    assert_frame_equal(with_leader.lines.filter(pl.col("activation") < 3), base.lines)
    together, both = attacked(frames, with_leader, [(3, 0, "plain"), (2, 0, "plain")])
    assert metrics(together) == pytest.approx(metrics(both), abs=1e-12)
