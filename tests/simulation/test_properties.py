"""What must hold for every matchup: laws are laws, bounds and caps hold, nothing that helps one side helps the other.

Laws are compared whole: P(damage >= k) for each k, the strongest order there is. Claims that look true and aren't are
left out: re-rolling failures may make a *worse* skill better, where a critical roll is worth several plain ones; Lethal
Hits and critical wounds on more faces may hurt with Devastating Wounds; Blast makes larger units easier to hurt.
"""

import math
from copy import deepcopy

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pipelines.simulation.matchup import evaluate

CERTAIN = 1e-12
EDITIONS = ("10e", "11e")
checked = settings(derandomize=True, max_examples=80, deadline=None)

flag = st.booleans()
often = st.integers(-1, 1)
threshold = st.sampled_from([None, None, 4, 5, 6])
reroll = st.sampled_from(["none", "none", "ones", "failed", "noncrit"])


def fields(flags, **others):
    return st.fixed_dictionaries(dict.fromkeys(flags, flag) | others)


WEAPON = fields(
    ("torrent", "heavy", "lance", "lethal_hits", "devastating_wounds", "twin_linked", "ignores_cover",
     "indirect_fire", "blast"),
    type=st.sampled_from(["ranged", "melee"]),
    A=st.sampled_from([1, 2, 4, "D3", "D3+1"]),
    skill=st.integers(2, 6),
    S=st.integers(1, 12),
    AP=st.integers(-4, 0),
    D=st.sampled_from([1, 2, 3, "D3", "D6", "D3+3"]),
    sustained_hits=st.sampled_from([0, 0, 1, 2, "D3"]),
    rapid_fire=st.sampled_from([0, 1, "D3"]),
    melta=st.sampled_from([0, 2, "D3"]),
    anti=st.lists(st.fixed_dictionaries({"keyword": st.just("FLY"), "value": st.integers(2, 6)}), max_size=1),
)  # fmt: skip
ATTACKER = st.fixed_dictionaries(
    {
        "hit_mod": often, "wound_mod": often, "hit_reroll": reroll, "wound_reroll": reroll, "A_bonus": often,
        "crit_hit": st.integers(4, 6), "crit_wound": st.integers(4, 6), "S_bonus": often, "D_bonus": often,
        "AP_improve": often,
    }
)  # fmt: skip
TARGET = fields(
    ("stealth", "wound_minus_if_S_gt_T", "damage_half"),
    T=st.integers(1, 12),
    W=st.integers(1, 5),
    Sv=st.integers(2, 7),
    Inv=threshold,
    FNP=threshold,
    FNP_mortal=threshold,
    models=st.integers(1, 6),
    keywords=st.sampled_from([[], ["FLY"]]),
    hit_mod=often,
    wound_mod=often,
    save_mod=st.integers(-1, 2),
    AP_worsen=st.integers(0, 1),
    damage_minus=st.integers(0, 1),
)
CONTEXT = fields(("half_range", "stationary", "charged", "cover", "visible", "overwatch"))


@st.composite
def matchups(draw):
    """A small matchup of either edition, without the attacker's free choice of Lethal Hits."""
    result = {"ruleset": draw(st.sampled_from(EDITIONS)), "models_firing": draw(st.integers(1, 2))}
    result |= {
        "weapon": draw(WEAPON), "attacker": draw(ATTACKER), "target": draw(TARGET), "context": draw(CONTEXT),
    }  # fmt: skip
    if result["ruleset"] == "11e":
        result["weapon"] |= {"psychic": draw(flag), "cleave": draw(st.integers(0, 1))}
        result["weapon"]["lethal_optional"] = draw(st.sampled_from(["always", "never"]))
        result["attacker"]["skill_improve"] = draw(often)
        result["context"] |= {"spotted": draw(flag), "plunging_fire": draw(flag)}
        result["rules"] = {"devastating_reduced": draw(flag), "save_cap": draw(st.sampled_from([None, 1]))}
    return result


def changed(given, changes):
    """A copy with fields replaced, named as ``target.W``, or by a function of their value."""
    copy = deepcopy(given)
    for path, value in changes.items():
        section, _, name = path.rpartition(".")
        part = copy[section] if section else copy
        part[name] = value(part[name]) if callable(value) else value
    return copy


def survival(law):
    """P(at least k) for k = 0, 1, …, as a function."""
    return lambda k: math.fsum(p for value, p in law if value >= k)


def no_better(worse, better, names=("damage", "models_destroyed")):
    for name in names:
        low, high = survival(worse["dist"][name]), survival(better["dist"][name])
        top = int(max(value for result in (worse, better) for value, _ in result["dist"][name]))
        for k in range(top + 1):
            if low(k) > high(k) + CERTAIN:
                return False
    return True


def critical_pays(given):
    """Whether a failure, re-rolled, may be worth more than a plain hit."""
    weapon = given["weapon"]
    return given["attacker"]["hit_reroll"] == "failed" and (weapon["sustained_hits"] != 0 or weapon["lethal_hits"])


def wound_reroll_pays(given):
    again = given["attacker"]["wound_reroll"] == "failed" or given["weapon"]["twin_linked"]
    return again and given["weapon"]["devastating_wounds"]


def always(given):
    return True


def steady_hits(given):
    return not critical_pays(given)


def steady_wounds(given):
    return not wound_reroll_pays(given)


def steady(given):
    return steady_hits(given) and steady_wounds(given)


def one_kind_of_damage(given):
    """Devastating Wounds do what other damage does."""
    return given["target"]["FNP_mortal"] is None and (
        given["ruleset"] == "10e" or given["rules"]["devastating_reduced"]
    )


ORDERED = {
    "more weapons": ({}, {"models_firing": lambda n: n + 1}, always),
    "more attacks": ({}, {"attacker.A_bonus": lambda n: n + 1}, always),
    "rapid fire, melta": ({"context.half_range": False}, {"context.half_range": True}, always),
    "strength": ({}, {"weapon.S": lambda s: s + 1}, steady_wounds),
    "strength bonus": ({}, {"attacker.S_bonus": lambda s: s + 2}, steady_wounds),
    "penetration": ({}, {"weapon.AP": lambda ap: ap - 1}, always),
    "penetration improved": ({}, {"attacker.AP_improve": lambda ap: ap + 1}, always),
    "damage": ({}, {"attacker.D_bonus": lambda d: d + 1}, always),
    "damage roll": ({"weapon.D": "D3"}, {"weapon.D": "D6"}, always),
    "skill": ({"weapon.skill": lambda s: max(s, 3)}, {"weapon.skill": lambda s: max(s, 3) - 1}, steady_hits),
    "hit modifier": ({}, {"attacker.hit_mod": lambda n: n + 1}, steady_hits),
    "wound modifier": ({}, {"attacker.wound_mod": lambda n: n + 1}, steady_wounds),
    "target's hit modifier": ({"target.hit_mod": lambda n: n - 1}, {}, steady_hits),
    "target's wound modifier": ({"target.wound_mod": lambda n: n - 1}, {}, steady_wounds),
    "lance": ({"context.charged": False}, {"context.charged": True}, steady_wounds),
    "heavy": ({"context.stationary": False}, {"context.stationary": True}, steady_hits),
    "re-roll of ones": ({"attacker.hit_reroll": "none"}, {"attacker.hit_reroll": "ones"}, always),
    "re-roll of failures": ({"attacker.hit_reroll": "ones"}, {"attacker.hit_reroll": "failed"}, always),
    "wound re-roll of ones": ({"attacker.wound_reroll": "none"}, {"attacker.wound_reroll": "ones"}, always),
    "wound re-roll": ({"attacker.wound_reroll": "ones"}, {"attacker.wound_reroll": "failed"}, always),
    "twin-linked": ({"weapon.twin_linked": False}, {"weapon.twin_linked": True}, always),
    "sustained hits": ({"weapon.sustained_hits": 0}, {"weapon.sustained_hits": 1}, always),
    "more sustained hits": ({"weapon.sustained_hits": 1}, {"weapon.sustained_hits": 2}, always),
    "blast": ({"weapon.blast": False}, {"weapon.blast": True}, always),
    "devastating": (
        {"weapon.devastating_wounds": False}, {"weapon.devastating_wounds": True}, one_kind_of_damage,
    ),
    "overwatch": ({"context.overwatch": True}, {"context.overwatch": False}, steady_hits),
    "cover": ({"context.cover": True}, {"context.cover": False}, steady_hits),
    "ignores cover": ({"weapon.ignores_cover": False}, {"weapon.ignores_cover": True}, steady_hits),
    "stealth": ({"target.stealth": True}, {"target.stealth": False}, steady_hits),
    "unseen": ({"context.visible": False}, {"context.visible": True}, steady_hits),
    "toughness": ({"target.T": lambda t: t + 1}, {}, steady_wounds),
    "stronger is -1": ({"target.wound_minus_if_S_gt_T": True}, {"target.wound_minus_if_S_gt_T": False}, steady_wounds),
    "save": ({"target.Sv": lambda s: max(s, 3) - 1}, {"target.Sv": lambda s: max(s, 3)}, always),
    "save modifier": ({"target.save_mod": lambda n: n + 1}, {}, always),
    "invulnerable save": ({"target.Inv": 4}, {"target.Inv": 5}, always),
    "any invulnerable save": ({"target.Inv": 6}, {"target.Inv": None}, always),
    "feel no pain": ({"target.FNP": 5}, {"target.FNP": 6}, always),
    "any feel no pain": ({"target.FNP": 6}, {"target.FNP": None}, always),
    "feel no pain of devastating wounds": ({"target.FNP_mortal": 4}, {"target.FNP_mortal": None}, always),
    "penetration worsened": ({"target.AP_worsen": lambda n: n + 1}, {}, always),
    "damage reduced": ({"target.damage_minus": lambda n: n + 1}, {}, always),
    "damaged": ({"attacker.damaged": True}, {"attacker.damaged": False}, steady_hits),
    "re-roll of one hit": ({"attacker.reroll_one": []}, {"attacker.reroll_one": ["hit"]}, always),
    "re-roll of one wound": ({"attacker.reroll_one": []}, {"attacker.reroll_one": ["wound"]}, always),
    "failed saves ignored": ({"target.ignore_failed_saves": 1}, {"target.ignore_failed_saves": 0}, always),
    "attacks ignored": ({"target.damage_to_zero": 1}, {"target.damage_to_zero": 0}, always),
    "damage halved": ({"target.damage_half": True}, {"target.damage_half": False}, always),
}  # fmt: skip


@checked
@given(matchups())
def test_nothing_that_helps_the_target_helps_the_attacker(rulesets, one):
    pairs = [(name, changed(one, worse), changed(one, better)) for name, (worse, better, holds) in ORDERED.items()
             if holds(changed(one, worse)) and holds(changed(one, better))]  # fmt: skip
    results = evaluate([each for _, *pair in pairs for each in pair], rulesets)
    assert [
        name for (name, *_), worse, better in zip(pairs, results[::2], results[1::2], strict=True)
        if not no_better(worse, better)
    ] == []  # fmt: skip


SEEN_WITH = {
    "strength": {"weapon.S": 7},
    "strength bonus": {"attacker.S_bonus": 1},
    "ignores cover": {"context.cover": True},
    "any invulnerable save": {"weapon.AP": -4},
    "feel no pain of devastating wounds": {"weapon.devastating_wounds": True},
}


@pytest.mark.parametrize("name", ORDERED)
def test_each_of_these_changes_matters_somewhere(name, rulesets):
    """An order that only ever compares equals would prove nothing."""
    worse, better, _ = ORDERED[name]
    one = {
        "models_firing": 1,
        "weapon": dict.fromkeys(("twin_linked", "blast", "devastating_wounds", "ignores_cover"), False)
        | {"A": 2, "D": 3, "S": 5, "AP": -1, "skill": 4, "rapid_fire": 1, "sustained_hits": 0}
        | dict.fromkeys(("heavy", "lance", "indirect_fire"), True),
        "attacker": dict.fromkeys(("A_bonus", "S_bonus", "D_bonus", "AP_improve", "hit_mod", "wound_mod"), 0),
        "target": dict.fromkeys(("hit_mod", "wound_mod", "save_mod", "AP_worsen", "damage_minus"), 0)
        | {"T": 4, "W": 5, "Sv": 4, "models": 5},
        "context": {},
    }
    one = changed(one, SEEN_WITH.get(name, {}))
    low, high = evaluate([changed(one, worse), changed(one, better)], rulesets)
    assert low["expected_damage"] < high["expected_damage"] - 1e-6


@checked
@given(matchups(), st.integers(1, 5))
def test_larger_units_lose_no_less_and_survive_no_worse(rulesets, one, more):
    larger = changed(one, {"target.models": lambda n: n + more})
    small, large = evaluate([one, larger], rulesets)
    assert no_better(small, large)
    if not (one["weapon"]["blast"] or one["weapon"].get("cleave")):
        assert large["p_destroy_unit"] <= small["p_destroy_unit"] + CERTAIN


@checked
@given(matchups())
def test_laws_sum_to_one_and_bounds_hold(rulesets, one):
    [result] = evaluate([one], rulesets)
    wounds, models = one["target"]["W"], one["target"]["models"]
    for name, most in (("damage", models * wounds), ("models_destroyed", models)):
        law = result["dist"][name]
        assert math.fsum(p for _, p in law) == pytest.approx(1, abs=CERTAIN)
        assert all(p > 0 for _, p in law)
        assert [value for value, _ in law] == sorted({value for value, _ in law})
        assert 0 <= law[0][0] <= law[-1][0] <= most
        assert math.fsum(value * p for value, p in law) == pytest.approx(result[f"expected_{name}"], abs=1e-11)
        assert dict(map(tuple, law)).get(most, 0) == pytest.approx(result["p_destroy_unit"], abs=CERTAIN)
    at_most = [
        ("expected_unsaved", "expected_wounds"),
        ("expected_wounds", "expected_hits"),
        ("expected_damage", "expected_raw_damage"),
        ("expected_models_destroyed", "expected_unsaved"),
        ("expected_models_destroyed", "expected_damage"),
    ]
    for less, more in at_most:
        assert result[less] <= result[more] + CERTAIN, (less, more)
    assert result["expected_models_destroyed"] * wounds <= result["expected_damage"] + CERTAIN
    assert result["p_destroy_unit"] * models <= result["expected_models_destroyed"] + CERTAIN
    assert result["expected_attacks"] >= one["models_firing"] - CERTAIN
    if not one["weapon"]["sustained_hits"] or one["weapon"]["torrent"]:
        assert result["expected_hits"] <= result["expected_attacks"] + CERTAIN


def test_two_readings_of_one_attack_law_agree(rulesets):
    """Firing n weapons of A attacks is firing one weapon of n x A attacks."""
    weapon = {"sustained_hits": "D3", "devastating_wounds": True, "D": "D3"}
    target = {"T": 4, "W": 2, "Sv": 3, "models": 6, "FNP": 5, "FNP_mortal": 4}
    many, one = evaluate(
        [
            {"models_firing": 6, "weapon": weapon | {"A": 2}, "target": target},
            {"models_firing": 1, "weapon": weapon | {"A": 12}, "target": target},
        ],
        rulesets,
    )
    assert many["dist"]["damage"] == [[value, pytest.approx(p, abs=CERTAIN)] for value, p in one["dist"]["damage"]]


@checked
@given(matchups(), st.integers(1, 3))
def test_groups_of_equal_models_are_one_unit(rulesets, one, first):
    equal = changed(one, {"target.models": first + 2})
    groups = changed(one, {"target.groups": [{"models": first}, {"models": 2, "character": True}]})
    del groups["target"]["models"]
    whole, parts = evaluate([equal, groups], rulesets)
    assert no_better(whole, parts)
    assert no_better(parts, whole)


@checked
@given(matchups(), st.integers(2, 9), st.sampled_from([-1, 1]))
def test_hit_and_wound_modifiers_have_no_effect_beyond_one(rulesets, one, far, sign):
    nothing = dict.fromkeys(("weapon.heavy", "weapon.lance", "target.stealth", "target.wound_minus_if_S_gt_T"), False)
    bare = changed(one, nothing | {"context.visible": True, "target.hit_mod": 0, "target.wound_mod": 0})
    near, distant = (
        changed(bare, {"attacker.hit_mod": sign * size, "attacker.wound_mod": sign * size}) for size in (1, far)
    )
    assert outcome(near, rulesets) == outcome(distant, rulesets)


@checked
@given(matchups(), st.integers(2, 9))
def test_saves_are_never_better_by_more_than_one_in_the_10th_edition(rulesets, one, far):
    assume(one["ruleset"] == "10e")
    bare = changed(one, {"weapon.AP": 0, "attacker.AP_improve": 0})
    assert outcome(changed(bare, {"target.save_mod": 1}), rulesets) == outcome(
        changed(bare, {"target.save_mod": far, "context.cover": True}), rulesets
    )


@checked
@given(matchups())
def test_ones_miss_and_fail_whatever_the_modifiers(rulesets, one):
    once = {"attacker.hit_reroll": "none", "attacker.wound_reroll": "none", "weapon.twin_linked": False}
    plain = {"weapon.torrent": False, "weapon.sustained_hits": 0, "weapon.lethal_hits": False}
    best = {"weapon.skill": 2, "weapon.S": 100, "attacker.hit_mod": 5, "attacker.wound_mod": 5}
    best = changed(one, once | plain | best)
    [result] = evaluate([best], rulesets)
    assert result["expected_hits"] <= result["expected_attacks"] * 5 / 6 + CERTAIN
    assert result["expected_wounds"] <= result["expected_hits"] * 5 / 6 + CERTAIN


@checked
@given(matchups())
def test_sixes_hit_and_wound_whatever_the_modifiers(rulesets, one):
    weak = {"weapon.skill": 6, "weapon.S": 1, "attacker.S_bonus": 0, "target.T": 12}
    worst = changed(one, weak | {"attacker.hit_mod": -5, "attacker.wound_mod": -5})
    [result] = evaluate([worst], rulesets)
    assert result["expected_hits"] >= result["expected_attacks"] / 6 - CERTAIN
    assert result["expected_wounds"] >= result["expected_hits"] / 6 - CERTAIN


def outcome(given, rulesets):
    [result] = evaluate([given], rulesets)
    return {name: value for name, value in result.items() if name != "id"}
