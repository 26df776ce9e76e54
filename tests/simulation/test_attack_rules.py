"""Each rule of an attack on its own, against values worked out by hand."""

import pytest

from pipelines.simulation.matchup import evaluate

from .reference import matchup_reference
from .test_simulation_matchup import worst_error

TOLERANCE = 1e-12
SURE = {"skill": None, "AP": -6, "S": 4}
"""Hits automatically, wounds T 4 on 4+, and no save is left."""
SPONGE = {"T": 4, "W": 100, "Sv": 4}


def case(name, firing, weapon, expected, *, attacker=None, target=None, context=None, ruleset="10e"):
    given = {
        "id": name, "ruleset": ruleset, "models_firing": firing, "weapon": weapon, "attacker": attacker or {},
        "target": SPONGE | (target or {}), "context": context or {},
    }  # fmt: skip
    return pytest.param(given, expected, id=name)


DEEP_5 = {"crit_hit": 5, "crit_hit_only_if_successful": True}
DEEP_WOUND = {"crit_wound": 4, "crit_wound_only_if_successful": True}
HALVES = {"skill": 4}
CASES = [
    case("rerolls_none", 36, {"skill": 3}, {"hits": 24}),
    case("rerolls_ones", 36, {"skill": 3}, {"hits": 28}, attacker={"hit_reroll": "ones"}),
    case("rerolls_failed", 36, {"skill": 3}, {"hits": 32}, attacker={"hit_reroll": "failed"}),
    case("rerolls_noncrit", 36, {"skill": 3}, {"hits": 26}, attacker={"hit_reroll": "noncrit"}),
    # A 5 with -1 misses BS 5+ and is no critical hit then; a 5 that hits BS 4+ is one.
    case("critical_hit_only_if_successful_misses", 6, {"skill": 5, "sustained_hits": 1}, {"hits": 2},
         attacker=DEEP_5 | {"hit_mod": -1}),
    case("critical_hit_only_if_successful", 6, {"skill": 4, "sustained_hits": 1}, {"hits": 5}, attacker=DEEP_5),
    case("critical_wound_only_if_successful_fails", 6, {"skill": None, "devastating_wounds": True},
         {"wounds": 1, "unsaved": 1}, attacker=DEEP_WOUND, target={"T": 8, "Sv": 2}),
    case("critical_wound_only_if_successful", 6, {"skill": None, "devastating_wounds": True},
         {"wounds": 3, "unsaved": 3}, attacker=DEEP_WOUND, target={"Sv": 2}),
    # Hits on 3+; from Conversion's distance 4s, 5s and 6s are critical.
    case("conversion", 6, {"skill": 3, "sustained_hits": 1, "conversion": True}, {"hits": 7},
         context={"long_range": True}),
    case("conversion_near", 6, {"skill": 3, "sustained_hits": 1, "conversion": True}, {"hits": 5}),
    case("conversion_needs_a_hit", 6, {"skill": 5, "sustained_hits": 1, "conversion": True}, {"hits": 4},
         context={"long_range": True}),
    case("conversion_in_overwatch", 6, {"skill": 3, "sustained_hits": 1, "conversion": True}, {"hits": 2},
         context={"long_range": True, "overwatch": True}),
    case("conversion_11e", 6, {"skill": 3, "sustained_hits": 1, "conversion": True}, {"hits": 7},
         context={"long_range": True}, ruleset="11e"),
    # T 9: S 7 and 8 wound on 5+, 9 on 4+, 10 to 12 on 3+.
    case("rolled_strength_d6_plus_6", 36, SURE | {"S": "D6+6"}, {"wounds": 19}, target={"T": 9}),
    # T 7: 3 ways in 36 wound on 6+, 12 on 5+, 6 on 4+, 15 on 3+.
    case("rolled_strength_2d6", 216, SURE | {"S": "2D6"}, {"wounds": 105}, target={"T": 7}),
    case("rolled_strength_bonus", 36, SURE | {"S": "D6+6"}, {"wounds": 21}, target={"T": 9},
         attacker={"S_bonus": 1}),
    # T 2: S 1 on 6+, 2 on 4+, 3 on 3+, each with a re-roll: 11, 27 and 32 in 36.
    case("rolled_strength_twin_linked", 108, SURE | {"S": "D3", "twin_linked": True}, {"wounds": 70}, target={"T": 2}),
    # 1 to 3 are re-rolled: 3.5 / 2 + (4 + 5 + 6) / 6 = 4.25.
    case("damage_reroll", 6, SURE | {"S": 8, "D": "D6"}, {"raw_damage": 5 * 4.25}, attacker={"damage_reroll": "low"}),
    case("damage_reroll_feel_no_pain", 6, SURE | {"S": 8, "D": "D6"}, {"raw_damage": 5 * 4.25 * 2 / 3},
         attacker={"damage_reroll": "low"}, target={"FNP": 5}),
    # Against 2 wounds anything but a 1 is kept.
    case("damage_reroll_knows_the_wounds", 1, SURE | {"S": 8, "D": "D6"}, {"damage": 5 / 6 * 71 / 36},
         attacker={"damage_reroll": "low"}, target={"W": 2}),
    case("reroll_one_hit", 2, HALVES, {"hits": 1 + 3 / 4 / 2}, attacker={"reroll_one": ["hit"]}),
    # A die is never re-rolled twice: 1s are re-rolled already, 2s and 3s are left.
    case("reroll_one_hit_after_ones", 1, HALVES, {"hits": 3 / 6 + 1 / 6 / 2 + 2 / 6 / 2},
         attacker={"hit_reroll": "ones", "reroll_one": ["hit"]}),
    case("reroll_one_hit_after_failed", 1, HALVES, {"hits": 3 / 4},
         attacker={"hit_reroll": "failed", "reroll_one": ["hit"]}),
    case("reroll_one_wound", 2, SURE, {"wounds": 1 + 3 / 4 / 2}, attacker={"reroll_one": ["wound"]}),
    case("reroll_one_of_each", 1, HALVES | {"AP": -6}, {"hits": 3 / 4, "wounds": 9 / 16},
         attacker={"reroll_one": ["wound", "hit"]}),
    # 2 attacks that wound with 5/6; the first Damage roll of 1 to 3 (2 on average) becomes 3.5.
    case("reroll_one_damage", 2, SURE | {"S": 8, "D": "D6"},
         {"raw_damage": 35 / 6 + 1.5 * (1 - 49 / 144)}, attacker={"reroll_one": ["damage"]}),
    case("reroll_one_hit_not_in_overwatch_11e", 6, {"skill": 3}, {"hits": 1}, attacker={"reroll_one": ["hit"]},
         context={"overwatch": True}, ruleset="11e"),
    case("reroll_one_hit_in_overwatch", 1, {"skill": 3}, {"hits": 11 / 36}, attacker={"reroll_one": ["hit"]},
         context={"overwatch": True}),
    case("twin_linked", 36, SURE | {"twin_linked": True}, {"wounds": 27}),
    case("lance", 6, SURE | {"lance": True}, {"wounds": 4}, context={"charged": True}),
    case("lance_without_charge", 6, SURE | {"lance": True}, {"wounds": 3}),
    case("heavy", 6, {"skill": 4, "heavy": True}, {"hits": 4}, context={"stationary": True}),
    case("heavy_moved", 6, {"skill": 4, "heavy": True}, {"hits": 3}),
    case("ignores_cover", 12, {"skill": None, "ignores_cover": True}, {"unsaved": 3}, context={"cover": True}),
    case("cover", 12, {"skill": None}, {"unsaved": 2}, context={"cover": True}),
    case("cover_11e", 6, {"skill": 3}, {"hits": 3}, context={"cover": True}, ruleset="11e"),
    case("ignores_cover_11e", 6, {"skill": 3, "ignores_cover": True}, {"hits": 4}, context={"cover": True},
         ruleset="11e"),
    case("indirect_fire", 12, {"skill": 3, "indirect_fire": True}, {"hits": 6, "unsaved": 1},
         context={"visible": False}),
    case("indirect_fire_11e", 12, {"skill": 3, "indirect_fire": True}, {"hits": 2},
         attacker={"hit_reroll": "failed"}, context={"visible": False}, ruleset="11e"),
    case("indirect_fire_spotted_11e", 12, {"skill": 3, "indirect_fire": True}, {"hits": 6},
         context={"visible": False, "stationary": True, "spotted": True}, ruleset="11e"),
    case("plunging_fire_11e", 6, {"skill": 4}, {"hits": 4}, context={"plunging_fire": True}, ruleset="11e"),
    case("plunging_fire_melee_11e", 6, {"skill": 4, "type": "melee"}, {"hits": 3},
         context={"plunging_fire": True}, ruleset="11e"),
    case("psychic_11e", 6, {"skill": 4, "psychic": True}, {"hits": 3}, attacker={"hit_mod": -1},
         context={"cover": True}, ruleset="11e"),
    case("not_psychic_11e", 6, {"skill": 4}, {"hits": 1}, attacker={"hit_mod": -1}, context={"cover": True},
         ruleset="11e"),
    case("cleave_11e", 1, {"type": "melee", "A": 3, "cleave": 2}, {"attacks": 7}, target={"models": 11},
         ruleset="11e"),
    case("blast_11e", 1, {"A": 3, "blast": 2}, {"attacks": 7}, target={"models": 11}, ruleset="11e"),
    case("lethal_hits_optional_11e", 6,
         {"S": 6, "AP": -1, "D": 3, "lethal_hits": True, "devastating_wounds": True,
          "anti": [{"keyword": "VEHICLE", "value": 2}]}, {"raw_damage": 10},
         target={"T": 11, "Sv": 2, "keywords": ["VEHICLE"]}, ruleset="11e"),
    case("anti_lowest_counts", 6,
         {"skill": None, "anti": [{"keyword": "FLY", "value": 5}, {"keyword": "VEHICLE", "value": 3}]}, {"wounds": 4},
         target={"T": 12, "keywords": ["VEHICLE", "FLY"]}),
    case("rapid_fire", 1, {"A": 2, "rapid_fire": "D3"}, {"attacks": 4}, context={"half_range": True}),
    case("melta", 6, SURE | {"S": 8, "D": "D6", "melta": "D3"}, {"raw_damage": 5 * 5.5},
         context={"half_range": True}),
    case("melta_halved_11e", 6, SURE | {"S": 8, "D": 4, "melta": 2}, {"raw_damage": 5 * 3},
         target={"damage_half": True}, context={"half_range": True}, ruleset="11e"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), CASES)
def test_by_hand(given, expected, rulesets):
    (result,) = evaluate([given], rulesets)
    for name, value in expected.items():
        assert result[f"expected_{name}"] == pytest.approx(value, abs=TOLERANCE), name


@pytest.mark.parametrize("ruleset", ["10e", "11e"])
@pytest.mark.parametrize("reroll_one", [["hit"], ["wound"], ["damage"], ["hit", "wound", "damage"]])
@pytest.mark.parametrize("apart", [False, True])
def test_a_reroll_in_hand_against_the_reference(ruleset, reroll_one, apart, rulesets):
    given = {
        "ruleset": ruleset,
        "weapon": {"A": "D3", "skill": 4, "S": "D6+6", "AP": -1, "D": "D6", "sustained_hits": 1,
                   "devastating_wounds": True, "lethal_hits": True},
        "attacker": {"crit_hit": 5, "wound_reroll": "ones", "reroll_one": reroll_one},
        "target": {"T": 9, "W": 3, "Sv": 4, "FNP": 6, "FNP_mortal": 4 if apart else None, "models": 2},
    }  # fmt: skip
    assert worst_error(evaluate([given], rulesets)[0], matchup_reference(given)) < TOLERANCE


def test_more_to_reroll_never_does_less(rulesets):
    weapon = {"A": 4, "skill": 4, "S": 4, "AP": -1, "D": "D3", "sustained_hits": 1}
    target = {"T": 5, "W": 2, "Sv": 4, "models": 5}
    attackers = [{}, {"reroll_one": ["hit"]}, {"reroll_one": ["hit", "wound"]},
                 {"reroll_one": ["hit", "wound", "damage"]},
                 {"hit_reroll": "failed", "wound_reroll": "failed", "damage_reroll": "low"}]  # fmt: skip
    results = evaluate([{"weapon": weapon, "target": target, "attacker": each} for each in attackers], rulesets)
    damage = [result["expected_damage"] for result in results]
    assert damage == sorted(damage)
    assert len(set(damage)) == len(damage)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"weapon": {"S": "3D6"}}, "weapon.S: at most 2 dice"),
        ({"weapon": {"S": "D7"}}, "weapon.S: cannot read"),
        ({"weapon": {"conversion": 1}}, "weapon.conversion: expected true or false"),
        ({"attacker": {"reroll_one": ["save"]}}, "attacker.reroll_one: must be one of hit, wound, damage"),
        ({"attacker": {"reroll_one": "hit"}}, "attacker.reroll_one: expected a list"),
        ({"attacker": {"damage_reroll": "ones"}}, "attacker.damage_reroll: must be one of none, low"),
        ({"models_firing": 1000, "weapon": {"A": 9}, "attacker": {"reroll_one": ["hit"]}}, "reroll_one: too large"),
    ],
)
def test_unreadable_fields(given, message, rulesets):
    with pytest.raises(ValueError, match=message):
        evaluate([given], rulesets)
