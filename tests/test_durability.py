"""What reference attackers do to targets, by hand and by single matchups; and that the declared ones are real."""

from collections.abc import Collection, Iterable
from typing import Any

import duckdb
import polars as pl
import pytest

from pipelines.dimensions.arsenals import Arsenal, arsenals
from pipelines.dimensions.assemble import assemble
from pipelines.dimensions.frames import frame
from pipelines.dimensions.units import conform
from pipelines.durability import durability, unit_durability, weapon_rows
from pipelines.engine_frames import declared_rulesets, with_groups
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.profiles import not_modelled
from pipelines.sources.community import read_community_dataset
from pipelines.sources.weapon_abilities import parse_weapon_ability
from pipelines.storage.build import insert
from tests.builders import datasheet, document
from warehouse.declared import attackers
from warehouse.schema import tables

# Hits on 3+, wounds T 4 on 4+, no save behind Sv 7: one attack gets through with probability 1/3.
GUNS = {
    "attacker_id": "guns", "name": "Guns", "description": "Three guns", "attack_type": "ranged", "count": 3,
    "attacks": "1", "skill": 3, "strength": "4", "armour_penetration": 0, "damage": "1", "abilities": [], "points": 30,
}  # fmt: skip
BLADES = GUNS | {"attacker_id": "blades", "attack_type": "melee"}
LONE = {
    "target_id": "lone", "name": "Lone", "kind": "unit", "edition": "10e", "toughness": 4, "save": 7, "wounds": 1,
    "models": 1, "points": 60, "keywords": ["INFANTRY"], "stealth": False, "hit_mod": 0, "wound_mod": 0,
    "wound_minus_if_stronger": False, "ap_worsen": 0, "damage_minus": 0, "damage_half": False, "is_simplified": False,
}  # fmt: skip


def against(
    targets: Iterable[dict[str, Any]],
    attacking: Iterable[dict[str, Any]] = (GUNS,),
    scenarios: Collection[str] = ("plain",),
    groups: Iterable[dict[str, Any]] = (),
    **options: bool,
) -> pl.DataFrame:
    frames = {"targets": frame("targets", targets), "target_groups": frame("target_groups", groups)}
    met = assemble([]).frames["scenarios"].filter(pl.col("scenario_id").is_in(scenarios))
    volleys, engine = frame("attackers", attacking), OutcomeCache(None)
    return durability(with_groups(frames), volleys, met, declared_rulesets(), engine, **options)


def test_one_model_by_hand() -> None:
    [row] = against([LONE]).iter_rows(named=True)
    dies = 1 - (2 / 3) ** 3
    assert row == pytest.approx(
        {
            "target_id": "lone", "attacker_id": "guns", "scenario_id": "plain", "ruleset": "10e",
            "expected_damage": dies, "expected_models_destroyed": dies, "p_destroy_unit": dies,
            "points_lost": 60 * dies, "points_lost_per_100_points": 100 * 60 * dies / 30,
            "wounds_worth": 60 * dies, "wounds_worth_per_100_points": 100 * 60 * dies / 30,
            "weapons_to_destroy": 4,  # (2/3)^3 > 0.2 > (2/3)^4
            "points_to_destroy": 40.0, "points_to_destroy_per_100_points": 100 * 40 / 60,
        }
    )  # fmt: skip


def test_a_wounded_model_has_lost_part_of_its_worth() -> None:
    [row] = against([LONE | {"wounds": 4}]).iter_rows(named=True)  # three guns can't destroy it
    assert (row["points_lost"], row["wounds_worth"]) == pytest.approx((0, 60 * 1 / 4))


def test_models_that_differ_are_told_apart() -> None:
    # A model with 1 wound stands before one with 3: the target has 4 wounds, and one unsaved attack destroys a model.
    kinds = [
        {"target_id": "lone", "position": position, "model_name": name, "models": 1, "wounds": wounds, "save": 7,
         "is_character": False}
        for position, (name, wounds) in enumerate([("Grot", 1), ("Boss", 3)], 1)
    ]  # fmt: skip
    [row] = against([LONE | {"models": 2}], groups=kinds).iter_rows(named=True)
    one = 1 - (2 / 3) ** 3
    assert row["expected_models_destroyed"] == pytest.approx(one)
    assert (row["points_lost"], row["wounds_worth"]) == pytest.approx((one * 60 / 2, 1 * 60 / 4))


def test_targets_are_attacked_under_the_rules_of_their_edition_archetypes_under_each() -> None:
    found = against([LONE | {"target_id": "any", "edition": None}, LONE | {"edition": "11e"}])
    assert found.select("target_id", "ruleset").rows() == [("any", "10e"), ("any", "11e"), ("lone", "11e")]


def test_an_unknown_rule_set_is_an_error() -> None:
    with pytest.raises(ValueError, match="targets: unknown rule set '9e'"):
        against([LONE | {"edition": "9e"}])


def test_without_a_price_there_are_dice_but_no_points() -> None:
    [row] = against([LONE | {"points": None}]).iter_rows(named=True)
    known = {name for name, value in row.items() if value is not None}
    assert known == {
        "target_id", "attacker_id", "scenario_id", "ruleset", "expected_damage", "expected_models_destroyed",
        "p_destroy_unit", "weapons_to_destroy", "points_to_destroy",
    }  # fmt: skip


def test_a_target_that_nothing_hurts_has_no_answer() -> None:
    [row] = against([LONE | {"save": 2, "feel_no_pain": 2, "toughness": 9, "wounds": 100}]).iter_rows(named=True)
    assert (row["weapons_to_destroy"], row["points_to_destroy"]) == (None, None)
    assert row["expected_damage"] > 0


def test_without_copies_nothing_is_said_of_what_destroys_a_target() -> None:
    whole, part = against([LONE]), against([LONE], copies=False)
    last = ["weapons_to_destroy", "points_to_destroy", "points_to_destroy_per_100_points"]
    assert part.drop(last).equals(whole.drop(last))
    assert part.schema == whole.schema
    assert part.select(last).rows() == [(None, None, None)]


def test_cover_counts_for_those_it_concerns_and_the_others_are_as_in_the_open() -> None:
    sure = GUNS | {"attacker_id": "sure", "abilities": ["ignores cover"]}
    found = against([LONE | {"save": 4}], [GUNS, sure, BLADES], ["plain", "cover"])
    damage = {(row["attacker_id"], row["scenario_id"]): row["expected_damage"] for row in found.iter_rows(named=True)}
    assert list(damage) == [(each, s) for each in ("guns", "sure", "blades") for s in ("plain", "cover")]
    assert damage["guns", "cover"] < damage["guns", "plain"]
    assert damage["sure", "cover"] == damage["sure", "plain"] == damage["guns", "plain"]
    assert damage["blades", "cover"] == damage["blades", "plain"]


def test_only_indirect_fire_attacks_what_is_not_visible() -> None:
    mortars = GUNS | {"attacker_id": "mortars", "abilities": ["indirect fire"]}
    found = against([LONE], [GUNS, mortars, BLADES], ["plain", "unseen"]).filter(pl.col("scenario_id") == "unseen")
    assert found["attacker_id"].to_list() == ["mortars"]


def test_a_defence_saves_the_points_that_are_lost_less() -> None:
    found = against([LONE, LONE | {"target_id": "lone|-1 to wound", "wound_mod": -1}, LONE | {"target_id": "shield",
        "invulnerable_save": 4, "invulnerable_save_scope": "ranged"}], [GUNS, BLADES])  # fmt: skip
    lost = {(row["target_id"], row["attacker_id"]): row["points_lost"] for row in found.iter_rows(named=True)}
    bare, worse = 60 * (1 - (2 / 3) ** 3), 60 * (1 - (7 / 9) ** 3)
    assert lost["lone", "guns"] - lost["lone|-1 to wound", "guns"] == pytest.approx(bare - worse)
    assert lost["shield", "guns"] == pytest.approx(60 * (1 - (5 / 6) ** 3))
    assert lost["shield", "blades"] == lost["lone", "blades"]


def test_an_ability_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(ValueError, match="attackers: weapon ability 'very loud' isn't known"):
        against([LONE], [GUNS | {"abilities": ["very loud"]}])


def as_matchup(attacker: dict[str, Any], target: dict[str, Any], ruleset: str) -> dict[str, Any]:
    weapon: dict[str, Any] = {
        "type": attacker["attack_type"], "A": attacker["attacks"], "S": attacker["strength"],
        "AP": attacker["armour_penetration"], "D": attacker["damage"], "skill": attacker["skill"] or 3,
    }  # fmt: skip
    for printed in attacker["abilities"]:
        slug, _, value = printed.replace(" ", "_").rpartition("_") if printed[-1].isdigit() else (printed, "", "")
        if printed != "assault":  # changes no die
            weapon[slug.replace(" ", "_")] = int(value) if value else True
    scope, shielded = target["invulnerable_save_scope"], target["invulnerable_save"]
    return {
        "ruleset": ruleset, "models_firing": attacker["count"], "weapon": weapon,
        "target": {
            "T": target["toughness"], "Sv": target["save"], "W": target["wounds"], "models": target["models"],
            "Inv": shielded if scope in (None, attacker["attack_type"]) else None, "FNP": target["feel_no_pain"],
            "keywords": target["keywords"],
        },
    }  # fmt: skip


def test_declared_attackers_against_archetypes_equal_single_matchups() -> None:
    frames = assemble([]).frames
    found = unit_durability(frames, None, OutcomeCache(None))
    attacking = {row["attacker_id"]: row for row in frames["attackers"].iter_rows(named=True)}
    targets = {row["target_id"]: row for row in frames["targets"].iter_rows(named=True)}
    assert found.height == len(attacking) * len(targets) * 2
    assert set(targets) == set(found["target_id"])
    rows = found.rows(named=True)
    matchups = [as_matchup(attacking[r["attacker_id"]], targets[r["target_id"]], r["ruleset"]) for r in rows]
    for row, alone in zip(rows, evaluate(matchups, declared_rulesets()), strict=True):
        for name in ("expected_damage", "expected_models_destroyed", "p_destroy_unit"):
            assert row[name] == pytest.approx(alone[name], abs=1e-9), (row["target_id"], row["attacker_id"])


def test_the_volley_that_destroys_is_the_smallest_one() -> None:
    # Copies of single guns are one volley of as many guns: Devastating Wounds apart, nothing waits for the end.
    frames = assemble([]).frames
    found = unit_durability(frames, None, OutcomeCache(None)).filter(
        (pl.col("target_id") == "terminators") & (pl.col("ruleset") == "10e")
    )
    attacking = {row["attacker_id"]: row for row in frames["attackers"].iter_rows(named=True)}
    [target] = frames["targets"].filter(pl.col("target_id") == "terminators").iter_rows(named=True)
    for row in found.iter_rows(named=True):
        for weapons, enough in ((row["weapons_to_destroy"] - 1, False), (row["weapons_to_destroy"], True)):
            volley = attacking[row["attacker_id"]] | {"count": weapons}
            [alone] = evaluate([as_matchup(volley, target, "10e")], declared_rulesets())
            assert (alone["p_destroy_unit"] >= 0.8) is enough, (row["attacker_id"], weapons)


@pytest.mark.parametrize(("ruleset", "expected"), [(None, "10e"), ("11e", "11e")])
def test_units_stand_beside_archetypes_at_their_smallest_size(ruleset: str | None, expected: str) -> None:
    found = unit_durability(assemble([document(datasheet())]).frames, ruleset, OutcomeCache(None))
    assert found.schema == tables()["unit_durability"].polars_schema
    [unit] = set(found["target_id"]) - set(assemble([]).frames["targets"]["target_id"])
    own = found.filter(pl.col("target_id") == unit)
    assert set(own["ruleset"]) == {expected}
    assert own.height == len(attackers())
    rules = {expected} if ruleset else {"10e", "11e"}
    assert set(found.filter(pl.col("target_id") != unit)["ruleset"]) == rules


def test_every_declared_attacker_is_computed_whole() -> None:
    declared = assemble([]).frames["attackers"].with_columns(ruleset=pl.lit("11e"))
    assert len(set(declared["name"])) == declared.height == len(attackers())
    for row in weapon_rows(declared).iter_rows(named=True):
        assert not not_modelled(row["abilities"]), row["weapon_profile_id"]


def most_carried(arsenal: Arsenal, weapon: str) -> int:
    """How many of a weapon a unit may have: each kind of model takes the armament that brings most."""
    return sum(
        max(
            dict(each.weapons).get(weapon, 0) * min([kind.models, *(arsenal.limits[limit] for limit in each.limits)])
            for each in kind.armaments
        )
        for kind in arsenal.kinds
    )


def test_every_declared_attacker_is_what_a_unit_of_the_community_data_brings() -> None:
    units = {
        f"{unit.faction_id}/{unit.datasheet.source_key}": unit for unit in conform([read_community_dataset()]).units
    }
    for slug, entry in attackers().items():
        source = entry["derived_from"]
        smallest = next(arsenals(units[source["unit"]]))
        assert (smallest.models, smallest.points) == (source["models"], entry["points"]), slug
        assert most_carried(smallest, source["weapon"]) == entry["count"], slug
        [weapon] = [
            each
            for each in smallest.weapons.values()
            if (each.weapon_name, each.profile_name) == (source["weapon"], source.get("profile"))
        ]
        shared = ("attack_type", "attacks", "strength", "armour_penetration", "damage")
        assert {name: getattr(weapon, name) for name in shared} == {name: entry[name] for name in shared}, slug
        assert weapon.skill == entry.get("skill"), slug
        printed = {parse_weapon_ability(each)[0] for each in entry["abilities"]}
        assert {(each.ability, each.value) for each in weapon.abilities} == {(a.ability, a.value) for a in printed}, (
            slug
        )


def test_the_headline_is_the_median_with_those_that_have_no_answer_above_all() -> None:
    answers: dict[str, list[float | None]] = {
        "most": [300.0, 100.0, 200.0, None],
        "half": [300.0, None, 200.0, None],
        "one": [None, 500.0, None],
        "none": [None, None],
    }
    rows = [
        {"target_id": target, "attacker_id": f"a{number}", "ruleset": "10e", "expected_damage": 1.0,
         "expected_models_destroyed": 0.5, "p_destroy_unit": 0.0, "points_to_destroy_per_100_points": points}
        for target, each in answers.items()
        for number, points in enumerate(each)
    ]  # fmt: skip
    with duckdb.connect() as connection:
        for name in ("unit_durability", "durability"):
            for statement in tables()[name].ddl():
                connection.execute(statement)
        insert(connection, tables()["unit_durability"], frame("unit_durability", rows))
        found = connection.sql("FROM durability ORDER BY target_id").fetchall()
    assert found == [
        ("half", "10e", None, 200.0, "a2", 2),
        ("most", "10e", 250.0, 100.0, "a1", 3),
        ("none", "10e", None, None, None, 0),
        ("one", "10e", None, 500.0, "a1", 1),
    ]
