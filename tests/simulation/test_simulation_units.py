"""Whole units: weapons in order, Devastating Wounds last, targets whose models differ; by hand and by the reference."""

import random

import polars as pl
import pytest

from pipelines.simulation import volleys
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.units import simulate_units
from pipelines.simulation.volleys import UNIT_METRICS

from .reference_units import unit_reference
from .samples import as_matchup, target_frame, targets, weapon_frame, weapons

WEAPONS, TARGETS = weapons(120, seed=1), targets(60, seed=2)
TOLERANCE = 1e-12


def loadout(unit, *lines, phase="shooting"):
    return [
        {"unit_id": unit, "phase": phase, "position": position, "weapon_profile_id": weapon, "count": count}
        for position, (weapon, count) in enumerate(lines)
    ]


def ability(slug, value=None, keywords=()):
    return {"ability": slug, "value": value, "against_keywords": list(keywords), "condition": None}


def fire(lines, armoury, against, scenarios, rulesets):
    """Rows of activations: ``lines`` by unit, weapons and targets as in ``samples``."""
    frame = pl.DataFrame([row for unit, fired in lines.items() for row in loadout(unit, *fired)])
    return simulate_units(frame, weapon_frame(armoury), target_frame(against), scenarios, rulesets, LawBook())


def test_one_weapon_is_its_matchup(rulesets, scenarios):
    grid = simulate_grid(weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)
    joined = grid.attack_classes.join(grid.cells, on="attack_class_id").join(grid.target_classes, on="target_class_id")
    alone = joined.join(grid.outcomes, on="outcome_id")
    lines = {w["weapon_profile_id"]: [(w["weapon_profile_id"], 1)] for w in WEAPONS}
    units = fire(lines, WEAPONS, TARGETS, scenarios, rulesets).rename({"unit_id": "weapon_profile_id"})
    both = units.join(alone, on=["weapon_profile_id", "target_id", "scenario_id", "ruleset"], suffix="_alone")
    assert len(both) == len(units) == len(alone)
    for name in UNIT_METRICS:
        assert (both[name] - both[f"{name}_alone"]).abs().max() < TOLERANCE


AUTO = {  # torrent, wounds T 4 on 2+, no save against it
    "ruleset": "10e", "attack_type": "ranged", "attacks": "1", "skill": None, "strength": "8",
    "armour_penetration": -6, "damage": "1", "abilities": [ability("torrent")],
}  # fmt: skip
DEEP = AUTO | {  # 5/6 devastate
    "abilities": [ability("torrent"), ability("devastating_wounds"), ability("anti", "2", ["INFANTRY"])]
}
PLAIN_TARGET = {
    "target_id": "t", "toughness": 4, "save": 3, "invulnerable_save": None, "invulnerable_save_scope": None,
    "wounds": 2, "feel_no_pain": None, "feel_no_pain_scope": None, "models": 2, "keywords": ["INFANTRY"],
    "stealth": False, "damage_minus": 0, "damage_half": False,
}  # fmt: skip


def losses(rows):
    return [rows[name].item() for name in UNIT_METRICS]


def test_devastating_wounds_come_after_weapons_fired_later(rulesets, scenarios):
    # Both wound (25/36): D 2 kills one model, then the devastating 1 hurts the other. The other way round the 2 would
    # finish the hurt model and one point less would be lost.
    armoury = [DEEP | {"weapon_profile_id": "deep"}, AUTO | {"weapon_profile_id": "two", "damage": "2"}]
    found = fire({"u": [("deep", 1), ("two", 1)]}, armoury, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert losses(found) == pytest.approx([(25 * 3 + 5 * 2 + 5) / 36, 5 / 6, 0], abs=TOLERANCE)
    plain = [AUTO | {"weapon_profile_id": "deep"}, armoury[1]]  # the same, not devastating: in order
    found = fire({"u": [("deep", 1), ("two", 1)]}, plain, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert losses(found) == pytest.approx([(25 * 2 + 5 * 2 + 5) / 36, 5 / 6, 0], abs=TOLERANCE)


def test_devastating_wounds_wait_for_each_other_too(rulesets, scenarios):
    # Three wounds (125/216): the plain 1 first, then the devastating 1 (a model dies), then the devastating 2.
    armoury = [
        DEEP | {"weapon_profile_id": "a"},
        AUTO | {"weapon_profile_id": "b"},
        DEEP | {"weapon_profile_id": "c", "damage": "2"},
    ]
    lines = {"u": [("a", 1), ("b", 1), ("c", 1)]}
    found = fire(lines, armoury, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert found["p_destroy_unit"].item() == pytest.approx(125 / 216, abs=TOLERANCE)


def test_each_weapon_sees_the_models_at_the_start(rulesets, scenarios):
    # The first weapon kills a model of five with 5/6; Blast of the second still counts five.
    blast = AUTO | {"weapon_profile_id": "blast", "abilities": [ability("torrent"), ability("blast")]}
    target = PLAIN_TARGET | {"wounds": 1, "models": 5}
    lines = {"u": [("one", 1), ("blast", 1)], "late": [("blast", 1), ("one", 1)]}
    found = fire(lines, [AUTO | {"weapon_profile_id": "one"}, blast], [target], scenarios.head(1), rulesets)
    assert found["expected_damage"].to_list() == pytest.approx([3 * 5 / 6] * 2, abs=TOLERANCE)


GROUPS = [
    {"models": 2, "wounds": 1, "save": 4},
    {"models": 1, "wounds": 3, "save": 2, "invulnerable_save": 4, "feel_no_pain": 5, "is_character": True},
]


def grouped(target, groups):
    names = ("invulnerable_save", "invulnerable_save_scope", "feel_no_pain", "feel_no_pain_scope")
    missing = dict.fromkeys(names) | {"is_character": False}
    return target | {"models": sum(group["models"] for group in groups), "groups": [missing | each for each in groups]}


def as_mixed_matchup(weapon, target, scenario, firing):
    """A matchup at a target with groups, in the schema's names."""
    names = {"models": "models", "wounds": "W", "save": "Sv", "invulnerable_save": "Inv", "feel_no_pain": "FNP"}
    given = as_matchup(weapon, target, scenario, firing)
    if target.get("groups"):
        groups = [
            {own: each[name] for name, own in names.items()} | {"character": each["is_character"]}
            for each in target["groups"]
        ]
        given["target"] = {k: v for k, v in given["target"].items() if k != "models"} | {"groups": groups}
    return given


def test_groups_are_hurt_in_order_by_weapon_after_weapon(rulesets, scenarios):
    # One attack each; the first model (W 1) dies of the first wound. The second (W 3, 2+ against AP 0) is hurt by the
    # second wound if its save fails.
    target = grouped(PLAIN_TARGET, [{"models": 1, "wounds": 1, "save": 7}, {"models": 1, "wounds": 3, "save": 2}])
    armoury = [
        AUTO | {"weapon_profile_id": name, "armour_penetration": 0, "damage": damage}
        for name, damage in (("a", "1"), ("b", "3"))
    ]
    found = fire({"u": [("a", 1), ("b", 1)]}, armoury, [target], scenarios.head(1), rulesets)
    two, one = 25 / 36, 10 / 36
    assert losses(found) == pytest.approx([two * (1 + 3 / 6) + one, two * (1 + 1 / 6) + one, two / 6], abs=TOLERANCE)
    assert found["expected_raw_damage"].item() is None


def test_ignored_attacks_are_those_of_the_whole_activation(rulesets, scenarios):
    # Three wounds. The first failed save is the first weapon's; a Devastating Wound waits and isn't ignored.
    names = ("deep", "one", "two")
    armoury = [
        weapon | {"weapon_profile_id": name, "damage": damage}
        for name, weapon, damage in zip(names, (DEEP, AUTO, AUTO), ("1", "1", "2"), strict=True)
    ]
    lines = {"all": [(name, 1) for name in names], "deep": [("deep", 2)], "last": [("one", 1), ("deep", 1)]}
    saves = PLAIN_TARGET | {"wounds": 1, "models": 3, "ignored_failed_saves": 1}
    found = fire(lines, armoury, [saves], scenarios.head(1), rulesets).sort("unit_id")
    assert found["expected_damage"].to_list() == pytest.approx([5 / 6 + 25 / 36, 10 / 6, 5 / 6], abs=TOLERANCE)
    alone = fire({"u": [("deep", 1), ("one", 1)]}, armoury, [saves], scenarios.head(1), rulesets)
    assert alone["expected_damage"].item() == pytest.approx(5 / 6, abs=TOLERANCE)
    attacks = PLAIN_TARGET | {"wounds": 1, "models": 3, "ignored_attacks": 1}
    found = fire(lines, armoury, [attacks], scenarios.head(1), rulesets).sort("unit_id")
    three, two = 125 / 216, 75 / 216
    assert found["expected_damage"].to_list() == pytest.approx([2 * three + two, 25 / 36, 25 / 36], abs=TOLERANCE)


def few(rows):
    """Weapons with few attacks, so that the reference stays fast."""
    many = {"sustained_hits", "rapid_fire", "blast"}
    return [w for w in rows if w["attacks"] in ("1", "2") and not many & {a["ability"] for a in w["abilities"]}]


@pytest.mark.parametrize("kinds", ["alike", "mixed"])
def test_weapons_in_order_equal_the_reference(kinds, rulesets, scenarios):
    chance = random.Random(7)
    armoury = few(weapons(400, seed=11))
    deep = [w for w in armoury if any(a["ability"] == "devastating_wounds" for a in w["abilities"])]
    lines = {}
    for number in range(24):
        edition = chance.choice(["10e", "11e"])
        able = [w for w in chance.choice([armoury, deep]) if w["ruleset"] == edition]
        lines[f"u{number}"] = [(w, chance.choice([1, 1, 2])) for w in chance.sample(able, 2)]
        lines[f"u{number}"] += [(w, 1) for w in chance.sample(able, chance.choice([0, 0, 1])) if w["attacks"] == "1"]
    against = [t for t in targets(80, seed=3) if t["models"] > 1 and t["wounds"] * t["models"] <= 10][:8]
    against += [t for t in TARGETS if t["feel_no_pain_scope"] == "mortal" and t["feel_no_pain"]][:3]
    if kinds == "mixed":
        against = [grouped(target, chance.sample(GROUPS, 2)) for target in against[:5]]
    names = {unit: [(w["weapon_profile_id"], n) for w, n in fired] for unit, fired in lines.items()}
    units = fire(names, armoury, against, scenarios, rulesets)
    plain = scenarios.row(0, named=True)
    by_target = {target["target_id"]: target for target in against}
    for row in units.filter(pl.col("scenario_id") == "plain").sample(60, seed=5).to_dicts():
        fired = [as_mixed_matchup(w, by_target[row["target_id"]], plain, n) for w, n in lines[row["unit_id"]]]
        exact = unit_reference(fired)
        for name in UNIT_METRICS:
            assert row[name] == pytest.approx(float(exact[name]), abs=TOLERANCE), (row, fired)


def test_kinds_of_devastating_wounds_come_in_the_order_in_which_they_first_came(rulesets, scenarios):
    base = AUTO | {"attacks": "2", "skill": 3, "armour_penetration": -2, "damage": "2"}
    armoury = [
        base | {"weapon_profile_id": "a", "abilities": [ability("devastating_wounds")]},
        base | {"weapon_profile_id": "b", "abilities": [], "damage": "1"},
        base | {"weapon_profile_id": "c", "abilities": [ability("devastating_wounds")], "damage": "D3"},
    ]
    target = PLAIN_TARGET | {"wounds": 3, "feel_no_pain": 4, "feel_no_pain_scope": "mortal"}
    lines = {"u": [("a", 1), ("b", 1), ("c", 1), ("a", 1)]}
    found = fire(lines, armoury, [target], scenarios.head(1), rulesets)
    plain = scenarios.row(0, named=True)
    exact = unit_reference(
        [as_matchup(armoury[kind], target, plain) for kind in (0, 1, 2, 0)],
    )
    assert losses(found) == pytest.approx([float(exact[name]) for name in UNIT_METRICS], abs=TOLERANCE)


def test_too_many_kinds_that_wait_are_an_error(rulesets, scenarios, monkeypatch):
    monkeypatch.setattr(volleys, "MAX_PENDING", 10_000)
    deep = [ability("devastating_wounds")]
    armoury = [
        AUTO | {"weapon_profile_id": f"w{d}", "attacks": "9", "skill": 3, "damage": str(d), "abilities": deep}
        for d in range(1, 6)
    ]
    target = PLAIN_TARGET | {"wounds": 10, "models": 10, "feel_no_pain": 5}
    with pytest.raises(ValueError, match="Devastating Wounds of different kinds"):
        fire({"u": [(w["weapon_profile_id"], 1) for w in armoury]}, armoury, [target], scenarios.head(1), rulesets)


def test_hunter_profiles_of_a_unit_do_nothing_to_other_targets(rulesets, scenarios):
    hunter = AUTO | {"weapon_profile_id": "h", "ruleset": "11e", "abilities": [ability("hunter", None, ["MONSTER"])]}
    for keywords, hurts in ((["INFANTRY"], False), (["MONSTER"], True)):
        found = fire({"u": [("h", 3)]}, [hunter], [PLAIN_TARGET | {"keywords": keywords}], scenarios.head(1), rulesets)
        assert (found["expected_damage"].item() > 0) == hurts


def test_units_need_known_weapons(rulesets, scenarios):
    with pytest.raises(ValueError, match="'nothing'"):
        fire({"u": [("nothing", 1)]}, WEAPONS, TARGETS, scenarios, rulesets)
