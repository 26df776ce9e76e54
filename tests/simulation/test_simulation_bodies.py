"""Units whose models differ, attacks that a unit ignores, damaged attackers: closed forms by hand and the reference."""

import math
import random

import pytest

from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS

from .reference_units import unit_reference
from .samples import matchup

TOLERANCE = 1e-12

AUTO = {"torrent": True, "skill": None, "S": 8, "AP": 0, "D": 1}  # hits, and wounds T 4 on 2+
DEEP = AUTO | {"devastating_wounds": True, "anti": [{"keyword": "INFANTRY", "value": 2}]}  # 5/6 devastate
SOFT = {"T": 4, "Sv": 7, "keywords": ["INFANTRY"]}


def result(rulesets, weapon, target, *, ruleset="10e", **more):
    (found,) = evaluate([{"ruleset": ruleset, "weapon": weapon, "target": target} | more], rulesets)
    return found


def losses(found):
    return [found[name] for name in ("expected_damage", "expected_models_destroyed", "p_destroy_unit")]


LED = SOFT | {"groups": [{"models": 1, "W": 3, "Sv": 2, "character": True}, {"models": 1, "W": 1}]}


def test_characters_take_attacks_last_with_their_own_save_and_wounds(rulesets):
    # Two wounds (25/36): the bodyguard dies, then the character's 2+ fails (1/6), 3 wounds lost. One wound: 10/36.
    found = result(rulesets, AUTO | {"A": 2, "D": 3}, LED)
    two, one = 25 / 36, 10 / 36
    assert losses(found) == pytest.approx([two * (1 + 3 / 6) + one, two * (1 + 1 / 6) + one, two / 6], abs=TOLERANCE)
    leader, bodyguard = found["groups"]
    assert leader["expected_damage"] == pytest.approx(two * 3 / 6, abs=TOLERANCE)
    assert bodyguard["p_destroyed"] == pytest.approx(two + one, abs=TOLERANCE)
    assert found["expected_unsaved"] is None is found["expected_raw_damage"]
    assert found["expected_wounds"] == pytest.approx(10 / 6, abs=TOLERANCE)


def test_precision_goes_to_the_character_first(rulesets):
    # One wound: the character dies with 1/6. Two: it dies by the first (1/6) and the bodyguard takes the second, or by
    # the second alone (5/6 of 1/6).
    found = result(rulesets, AUTO | {"A": 2, "D": 3, "precision": True}, LED)
    two, one = 25 / 36, 10 / 36
    slain = one / 6 + two * (1 / 6 + 5 / 36)
    assert found["groups"][0]["p_destroyed"] == pytest.approx(slain, abs=TOLERANCE)
    assert found["groups"][1]["p_destroyed"] == pytest.approx(two / 6, abs=TOLERANCE)
    plain = result(rulesets, AUTO | {"A": 2, "D": 3}, SOFT | {"W": 3, "models": 2})
    same = result(rulesets, AUTO | {"A": 2, "D": 3, "precision": True}, SOFT | {"W": 3, "models": 2})
    assert plain == same


def test_saves_one_by_one_or_lowest_first(rulesets):
    # Two wounds. One by one: the 4+ fails (1/2), then the 2+ (1/6). Lowest first: both die by a double 1 alone.
    target = SOFT | {"groups": [{"models": 1, "Sv": 4}, {"models": 1, "Sv": 2}]}
    both = 25 / 36
    old, new = (result(rulesets, AUTO | {"A": 2}, target, ruleset=name) for name in ("10e", "11e"))
    assert old["p_destroy_unit"] == pytest.approx(both / 12, abs=TOLERANCE)
    assert new["p_destroy_unit"] == pytest.approx(both / 36, abs=TOLERANCE)
    for found in (old, new):  # the first model dies unless every die is a 4 or more
        assert found["groups"][0]["p_destroyed"] == pytest.approx(both * 3 / 4 + 10 / 36 / 2, abs=TOLERANCE)


def test_damage_does_not_spill_between_groups_and_each_has_its_feel_no_pain(rulesets):
    # D 3: the first model (W 1) dies, nothing spills. The second (W 2, 4+ against each point) dies of two of three.
    target = SOFT | {"groups": [{"models": 1, "W": 1}, {"models": 1, "W": 2, "FNP": 4}]}
    found = result(rulesets, AUTO | {"A": 2, "D": 3}, target)
    two = 25 / 36
    assert found["p_destroy_unit"] == pytest.approx(two / 2, abs=TOLERANCE)
    assert found["groups"][1]["expected_damage"] == pytest.approx(two * (2 / 2 + 3 / 8), abs=TOLERANCE)


def test_toughness_is_the_units_and_blast_counts_all_its_models(rulesets):
    led = SOFT | {"T": 9, "groups": [{"models": 9}, {"models": 1, "W": 5, "character": True}]}
    found = result(rulesets, AUTO | {"A": 2, "blast": True}, led)
    assert found["expected_attacks"] == 4
    assert found["expected_wounds"] == pytest.approx(4 / 3)  # 8 against 9: 5+


def test_the_first_failed_save_is_ignored_but_no_devastating_wound(rulesets):
    shielded = SOFT | {"models": 2, "ignore_failed_saves": 1}
    plain, deep = (result(rulesets, weapon | {"A": 2}, shielded) for weapon in (AUTO, DEEP))
    assert losses(plain) == pytest.approx([25 / 36, 25 / 36, 0], abs=TOLERANCE)
    assert losses(deep) == pytest.approx([10 / 6, 10 / 6, 25 / 36], abs=TOLERANCE)
    assert plain["expected_unsaved"] == pytest.approx(10 / 6)
    assert plain["dist"]["models_destroyed"] == [
        [0, pytest.approx(11 / 36, abs=TOLERANCE)],
        [1, pytest.approx(25 / 36, abs=TOLERANCE)],
    ]
    saved = result(rulesets, AUTO | {"A": 1}, SOFT | {"Sv": 4, "ignore_failed_saves": 1})
    assert losses(saved) == [0, 0, 0]


def test_one_attacks_damage_is_set_to_zero_a_devastating_ones_too(rulesets):
    for weapon in (AUTO, DEEP):
        found = result(rulesets, weapon | {"A": 2, "D": 2}, SOFT | {"W": 2, "models": 2, "damage_to_zero": 1})
        assert losses(found) == pytest.approx([50 / 36, 25 / 36, 0], abs=TOLERANCE)
    found = result(rulesets, AUTO | {"A": 3}, SOFT | {"models": 2, "damage_to_zero": 1, "ignore_failed_saves": 1})
    assert found["expected_models_destroyed"] == pytest.approx((5 / 6) ** 3, abs=TOLERANCE)


def test_a_damaged_attacker_hits_worse_as_one_more_modifier(rulesets):
    weapon, hits = {"skill": 4}, lambda **more: result(rulesets, weapon, SOFT, models_firing=6, **more)["expected_hits"]
    assert hits(attacker={"damaged": True}) == pytest.approx(2)
    assert hits(attacker={"damaged": True, "hit_mod": 1}) == pytest.approx(3)
    assert hits(attacker={"damaged": True, "hit_mod": -1}) == pytest.approx(2)  # the sum is held to -1
    weapon = {"skill": 4, "psychic": True}  # the 11th edition's Psychic drops what worsens, keeps what improves
    assert hits(attacker={"damaged": True}, ruleset="11e") == pytest.approx(3)
    assert hits(attacker={"damaged": True, "hit_mod": 1}, ruleset="11e") == pytest.approx(4)


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_equal_groups_are_the_plain_unit(edition, rulesets):
    given = [matchup(seed, edition) for seed in range(60)]
    for each in given:
        each["target"]["models"] = max(each["target"]["models"], 2)
    models = [each["target"]["models"] for each in given]
    split = [
        each
        | {
            "target": {k: v for k, v in each["target"].items() if k != "models"}
            | {"groups": [{"models": 1}, {"models": n - 1}]}
        }
        for each, n in zip(given, models, strict=True)
    ]
    for plain, parts in zip(evaluate(given, rulesets), evaluate(split, rulesets), strict=True):
        assert [parts[name] for name in METRICS] == pytest.approx([plain[name] for name in METRICS], abs=TOLERANCE)
        for name, law in plain["dist"].items():
            assert [value for value, _ in parts["dist"][name]] == [value for value, _ in law]
            assert [p for _, p in parts["dist"][name]] == pytest.approx([p for _, p in law], abs=TOLERANCE)


def mixed(seed, edition):
    """A small random matchup at a unit whose models differ, or that ignores attacks."""
    given, r = matchup(seed, edition), random.Random(f"mixed {edition}{seed}")
    given["attacker"]["damaged"] = r.random() < 0.3
    given["models_firing"] = 1
    given["weapon"] |= {"A": r.choice([1, 2]), "sustained_hits": r.choice([0, 0, 1]), "rapid_fire": 0, "cleave": 0}
    given["weapon"]["blast"] = bool(given["weapon"]["blast"])
    given["weapon"]["precision"] = r.random() < 0.3
    if r.random() < 0.2:
        given["weapon"] |= {"lethal_hits": True, "devastating_wounds": True}
    if edition == "10e":
        del given["weapon"]["cleave"]
    group = {
        "W": [1, 2, 3, 5], "Sv": [2, 3, 4, 6, 7], "Inv": [None, 4, 5], "FNP": [None, None, 4, 6],
        "FNP_mortal": [None, None, 5], "damage_half": [False, True], "damage_minus": [0, 1],
    }  # fmt: skip
    groups = [
        {"models": r.choice([1, 1, 2]), "character": r.random() < 0.3}
        | {name: r.choice(values) for name, values in group.items() if r.random() < 0.6}
        for _ in range(r.choice([1, 2, 2, 3]))
    ]
    target = given["target"] | {"groups": groups, "W": 2}
    del target["models"]
    if r.random() < 0.4:
        target |= {"ignore_failed_saves": r.choice([0, 1, 2]), "damage_to_zero": r.choice([0, 1])}
    return given | {"target": target}


def worst_error(found, exact):
    errors = [abs(found[name] - exact[name]) for name in METRICS[5:]]
    errors += [
        abs(group[name] - value)
        for group, law in zip(found["groups"], exact["groups"], strict=True)
        for name, value in law.items()
    ]
    for name in ("damage", "models_destroyed"):
        got, expected = dict(map(tuple, found["dist"][name])), exact["dist"][name]
        assert set(got) == {value for value, p in expected.items() if p}
        assert math.fsum(got.values()) == pytest.approx(1, abs=TOLERANCE)
        errors += [abs(got[value] - expected[value]) for value in got]
    return float(max(errors))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_random_units_equal_the_reference(edition, rulesets):
    given = [mixed(seed, edition) for seed in range(60)]
    for each, found in zip(given, evaluate(given, rulesets), strict=True):
        assert worst_error(found, unit_reference([each])) < TOLERANCE, each


@pytest.mark.parametrize(
    ("target", "more", "message"),
    [
        ({"groups": [{"T": 5}]}, {}, r"target.groups\[0\].T: unknown field"),
        ({"groups": [{}], "models": 5}, {}, "target.models: each of target.groups states its own"),
        ({"groups": [{}, 3]}, {}, r"target.groups\[1\]: expected an object"),
        ({"groups": [{}] * 21}, {}, "target.groups: at most 20"),
        ({"groups": {}}, {}, "target.groups: expected a list"),
        ({"ignore_failed_saves": 21}, {}, "target.ignore_failed_saves: must be 0 to 20"),
        ({"groups": [{"models": 1000, "W": 30}]}, {}, "too large"),
        ({"groups": [{}, {"Sv": 2}]}, {"ruleset": "11e", "models_firing": 1000, "weapon": {"A": 9}}, "rolled together"),
    ],
)
def test_errors_name_the_field(target, more, message, rulesets):
    with pytest.raises(ValueError, match=f"matchup number 1: .*{message}"):
        evaluate([{"target": target} | more], rulesets)
