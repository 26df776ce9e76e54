"""The engine against shared cases, closed forms and an exact reference."""

import math

import pytest

from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS

from .reference import matchup_reference
from .samples import matchup

TOLERANCE = 1e-12


def worst_error(result, exact):
    errors = [abs(result[name] - exact[name]) for name in METRICS]
    for name in ("damage", "models_destroyed"):
        got, expected = dict(map(tuple, result["dist"][name])), exact["dist"][name]
        assert set(got) == {value for value, p in expected.items() if p}
        errors += [abs(got[value] - expected[value]) for value in got]
    return max(errors)


@pytest.mark.parametrize("name", ["oracle/cases.json", "oracle/cases_11e.json"])
def test_shared_oracle_cases(name, shared_cases, rulesets):
    cases = shared_cases(name)
    for case, result in zip(cases, evaluate([case["matchup"] for case in cases], rulesets), strict=True):
        exact = {key: value["value"] for key, value in case["exact"].items() if key != "dist"}
        exact["dist"] = {key: dict(map(tuple, law["value"])) for key, law in case["exact"]["dist"].items()}
        assert result["id"] == case["id"]
        assert worst_error(result, exact) < TOLERANCE, case["id"]
        hazardous = result.get("expected_hazardous_mortal_wounds", 0.0)
        assert hazardous == pytest.approx(exact["expected_hazardous_mortal_wounds"], abs=TOLERANCE)


def test_shared_edge_cases(shared_cases, rulesets):
    cases = shared_cases("edge_cases.json")
    for case, result in zip(cases, evaluate([case["matchup"] for case in cases], rulesets), strict=True):
        for name, expected in case["expect"].items():
            assert result[name] == pytest.approx(expected, abs=TOLERANCE), (case["id"], name)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_random_matchups_equal_the_reference(edition, rulesets):
    matchups = [matchup(seed, edition) for seed in range(150)]
    for given, result in zip(matchups, evaluate(matchups, rulesets), strict=True):
        assert worst_error(result, matchup_reference(given)) < TOLERANCE, given


PLAIN = {"S": 4, "AP": 0, "D": 1}
ROOMY = {"T": 4, "Sv": 3, "W": 1, "models": 10}
NO_SAVE = ROOMY | {"Sv": 7}


def case(name, firing, weapon, target, expected, *, attacker=None, context=None):
    given = {"id": name, "models_firing": firing, "weapon": PLAIN | weapon, "target": target}
    return pytest.param(given | {"attacker": attacker or {}, "context": context or {}}, expected, id=name)


CLOSED_FORMS = [
    case("lethal_extra_hits_roll", 6, {"skill": 6, "S": 3, "lethal_hits": True, "sustained_hits": 1},
         NO_SAVE | {"T": 8}, {"hits": 2, "wounds": 7 / 6, "raw_damage": 7 / 6}),
    case("lethal_fish", 36, {"S": 8, "lethal_hits": True}, {"T": 9, "Sv": 7, "W": 1, "models": 40},
         {"hits": 26, "wounds": 16}, attacker={"hit_reroll": "noncrit"}),
    case("lethal_can_hurt", 6, {"S": 6, "AP": -1, "D": 3, "lethal_hits": True, "devastating_wounds": True,
         "anti": [{"keyword": "VEHICLE", "value": 2}]}, {"T": 11, "Sv": 2, "W": 40, "keywords": ["VEHICLE"]},
         {"wounds": 3.5, "raw_damage": 8.5}),
    case("critical_5_is_success", 6, {"skill": 5, "sustained_hits": 1}, ROOMY, {"hits": 4, "raw_damage": 2 / 3},
         attacker={"hit_mod": -1, "crit_hit": 5}),
    case("overwatch", 10, {"skill": 2, "sustained_hits": 1}, ROOMY, {"hits": 10 / 3, "raw_damage": 5 / 9},
         attacker={"hit_mod": 1, "crit_hit": 5}, context={"overwatch": True}),
    case("torrent", 1, {"A": "D6", "skill": None, "torrent": True, "lethal_hits": True, "sustained_hits": 1},
         ROOMY | {"Sv": 5}, {"attacks": 3.5, "hits": 3.5, "raw_damage": 7 / 6}),
    case("sustained_d3", 6, {"sustained_hits": "D3"}, ROOMY, {"hits": 6, "raw_damage": 1}),
    case("hit_modifiers_cap_the_sum", 10, {"skill": 4, "heavy": True}, ROOMY | {"stealth": True}, {"hits": 20 / 3},
         attacker={"hit_mod": 2}, context={"stationary": True}),
    case("reroll_knows_modifiers", 10, {}, ROOMY, {"hits": 7.5}, attacker={"hit_mod": -1, "hit_reroll": "failed"}),
    case("wound_minus_when_stronger", 10, {"S": 8}, NO_SAVE | {"wound_minus_if_S_gt_T": True}, {"wounds": 40 / 9}),
    case("anti_raises_chance", 10, {"anti": [{"keyword": "INFANTRY", "value": 4}]},
         NO_SAVE | {"T": 8, "keywords": ["INFANTRY"]}, {"wounds": 10 / 3}),
    case("half_odd_toughness", 10, {"S": 5}, NO_SAVE | {"T": 9}, {"wounds": 20 / 9}),
    case("devastating_kills", 6, {"skill": 2, "D": 2, "devastating_wounds": True, "sustained_hits": 1}, NO_SAVE,
         {"raw_damage": 6, "damage": 2.999999675567584}),
    case("better_feel_no_pain", 4, {"S": 12, "AP": -3, "D": 2, "devastating_wounds": True},
         {"T": 3, "Sv": 6, "FNP": 5, "FNP_mortal": 4, "W": 1, "models": 10},
         {"raw_damage": 76 / 27, "models_destroyed": 155 / 81}),
    case("cover_denied", 10, {}, ROOMY, {"raw_damage": 10 / 9}, context={"cover": True}),
    case("cover_uses_modified_ap", 10, {"AP": -1}, ROOMY | {"AP_worsen": 1}, {"raw_damage": 10 / 9},
         context={"cover": True}),
    case("save_cap_net_of_ap", 10, {"AP": -1}, ROOMY | {"Sv": 4, "save_mod": 1}, {"raw_damage": 10 / 9},
         context={"cover": True}),
    case("overkill", 3, {"skill": 2, "AP": -6, "D": 10}, {"T": 4, "Sv": 3, "W": 11, "models": 2},
         {"damage": 875 / 96, "models_destroyed": 325 / 864}),
    case("no_spill", 4, {"S": 12, "AP": -3, "D": "D6+1"}, {"T": 3, "Sv": 5, "W": 1, "models": 10},
         {"raw_damage": 10, "damage": 20 / 9, "models_destroyed": 20 / 9}),
    case("halve_add_subtract", 6, {"S": 9, "AP": -4, "D": "D6", "melta": 2},
         {"T": 9, "Sv": 3, "W": 20, "damage_half": True, "damage_minus": 1}, {"raw_damage": 6},
         context={"half_range": True}),
    case("dice_minus", 3, {"S": 6, "D": "D6-1"}, {"T": 4, "Sv": 7, "W": 10, "models": 5}, {"raw_damage": 32 / 9}),
    case("blast", 1, {"A": "D6", "blast": True}, ROOMY | {"models": 20}, {"attacks": 7.5}),
    case("rapid_fire_dice", 1, {"rapid_fire": "D6+3"}, ROOMY, {"attacks": 7.5, "raw_damage": 5 / 6},
         context={"half_range": True}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), CLOSED_FORMS)
def test_closed_form(given, expected, rulesets):
    (result,) = evaluate([given], rulesets)
    for name, value in expected.items():
        assert result[f"expected_{name}"] == pytest.approx(value, abs=TOLERANCE)


def test_laws_sum_to_one_and_carry_the_means(rulesets):
    matchups = [matchup(seed, edition) for edition in ("10e", "11e") for seed in range(100, 160)]
    for result in evaluate(matchups, rulesets):
        for name, law in result["dist"].items():
            assert math.fsum(p for _, p in law) == pytest.approx(1, abs=TOLERANCE)
            assert math.fsum(value * p for value, p in law) == pytest.approx(result[f"expected_{name}"], abs=1e-11)


def test_many_attacks_stay_exact(rulesets):
    target = {"T": 4, "W": 3, "Sv": 3, "models": 20}
    result, last = evaluate(
        [
            {"models_firing": 40, "weapon": {"A": "2D6", "sustained_hits": "D3"}, "target": target},
            {
                "models_firing": 40,
                "weapon": {"A": "2D6", "devastating_wounds": True},
                "target": target | {"FNP_mortal": 5},
            },
        ],
        rulesets,
    )
    assert result["expected_attacks"] == pytest.approx(280)
    assert result["expected_raw_damage"] == pytest.approx(280 * (4 + 2) / 6 / 2 / 3)
    assert math.fsum(p for _, p in last["dist"]["damage"]) == pytest.approx(1, abs=1e-11)


def test_hazardous_is_told_for_hazardous_weapons_only(rulesets):
    plain, hazardous, large = evaluate(
        [
            {},
            {"models_firing": 5, "weapon": {"hazardous": True}},
            {
                "ruleset": "11e",
                "models_firing": 2,
                "weapon": {"hazardous": True},
                "attacker": {"keywords": ["Monster"]},
            },
        ],
        rulesets,
    )
    assert "expected_hazardous_mortal_wounds" not in plain
    assert hazardous["expected_hazardous_mortal_wounds"] == pytest.approx(2.5)
    assert large["expected_hazardous_mortal_wounds"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"foo": 1}, "foo: unknown field"),
        ({"weapon": {"sustaned_hits": 1}}, "weapon.sustaned_hits: unknown field"),
        ({"weapon": {"A": "D7"}}, "weapon.A: cannot read 'D7'"),
        ({"weapon": {"D": "D6+"}}, "weapon.D: cannot read"),
        ({"weapon": {"skill": 7}}, "weapon.skill: must be 2 to 6"),
        ({"weapon": {"skill": "3+"}}, "weapon.skill: expected a whole number"),
        ({"weapon": {"heavy": 1}}, "weapon.heavy: expected true or false"),
        ({"weapon": {"blast": 2}}, "weapon.blast: expected true or false"),
        ({"weapon": {"cleave": 1}}, "weapon.cleave: unknown field"),
        ({"weapon": {"AP": 1}}, "weapon.AP: must be"),
        ({"weapon": {"anti": [{"keyword": "FLY"}]}}, r"weapon.anti\[0\].value: missing"),
        ({"attacker": {"hit_reroll": "all"}}, "attacker.hit_reroll: must be one of"),
        ({"target": {"models": -1}}, "target.models: must be 1 to"),
        ({"target": {"keywords": "FLY"}}, "target.keywords: expected a list"),
        ({"target": 3}, "target: expected an object"),
        ({"models_firing": 2.0}, "models_firing: expected a whole number"),
        ({"ruleset": "9e"}, "ruleset: '9e' is none of 10e, 11e"),
        ({"rules": {}}, "rules: unknown field"),
        ({"models_firing": 1000, "weapon": {"A": 900}}, "too large"),
        ({"target": {"W": 10**9}}, "target.W: must be 1 to"),
    ],
)
def test_errors_name_matchup_and_field(given, message, rulesets):
    with pytest.raises(ValueError, match=f"matchup 'm1': .*{message}"):
        evaluate([{"id": "m1"} | given], rulesets)
