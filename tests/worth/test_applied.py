"""One effect and sums of several, by the sign rules of the game: worse AP is nearer to 0, a better save is smaller."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.applied import (
    NOTHING,
    Effect,
    attacker_columns,
    effect_of,
    in_words,
    target_columns,
    together,
)

from .world import archetype, effect

LANCE, HEAVY = frozenset({("lance", None, ())}), frozenset({("heavy", None, ())})


@pytest.mark.parametrize(
    ("operation", "characteristic", "value", "changed"),
    [
        ("reroll", "hit", "1", {"hit_reroll": 1}),
        ("reroll", "hit", "any", {"hit_reroll": 2}),
        ("reroll", "wound", "1", {"wound_reroll": 1}),
        ("reroll", "damage", "any", {"damage_reroll": 1}),
        ("roll_mod", "hit", "+1", {"hit_mod": 1}),
        ("roll_mod", "hit", "-1", {"hit_mod": -1}),
        ("roll_mod", "wound", "+1", {"wound_mod": 1}),
        ("stat_mod", "A", "+2", {"attacks_bonus": 2}),
        ("stat_mod", "S", "+1", {"strength_bonus": 1}),
        ("stat_mod", "D", "-1", {"damage_bonus": -1}),
        ("stat_mod", "AP", "-1", {"ap_improve": 1}),
        ("stat_mod", "AP", "+1", {"ap_improve": -1}),
        ("stat_mod", "BS", "-1", {"skill_improve": 1}),
        ("stat_mod", "WS", "+1", {"skill_improve": -1}),
        ("stat_mod", "D", "=3", {"sets": frozenset({("damage", 3)})}),
        ("stat_mod", "AP", "=2", {"sets": frozenset({("armour_penetration", -2)})}),
        ("stat_mod", "AP", "=-2", {"sets": frozenset({("armour_penetration", -2)})}),
        ("stat_mod", "BS", "=3", {"sets": frozenset({("skill", 3)})}),
        ("grant_kw", "lance", None, {"grants": LANCE}),
        ("grant_kw", "sustained_hits", "2", {"grants": frozenset({("sustained_hits", "2", ())})}),
        ("grant_kw", "anti", "VEHICLE/MONSTER 4+", {"grants": frozenset({("anti", "4+", ("VEHICLE", "MONSTER"))})}),
        ("crit", "hit", "5", {"crit_hit": 5}),
        ("crit", "wound", "4", {"crit_wound": 4}),
        ("cover", "save", "denied", {"cover_denied": True}),
    ],
)
def test_of_the_attacker(operation: str, characteristic: str, value: str | None, changed: dict[str, Any]) -> None:
    assert effect_of(effect(operation, characteristic, value)) == NOTHING._replace(**changed)


@pytest.mark.parametrize(
    ("operation", "characteristic", "value", "changed"),
    [
        ("roll_mod", "hit", "-1", {"target_hit_mod": -1}),
        ("roll_mod", "wound", "-1", {"target_wound_mod": -1}),
        ("stat_mod", "AP", "+1", {"ap_worsen": 1}),
        ("stat_mod", "D", "-1", {"damage_minus": 1}),
        ("stat_mod", "T", "+1", {"toughness_bonus": 1}),
        ("stat_mod", "W", "+2", {"wounds_bonus": 2}),
        ("stat_mod", "Sv", "-1", {"save_improve": 1}),
        ("stat_mod", "Sv", "+1", {"save_improve": -1}),
        ("stat_mod", "Sv", "=2", {"save": 2}),
        ("invuln", "save", "4", {"invulnerable_save": 4}),
        ("feel_no_pain", "all", "5", {"feel_no_pain": 5}),
        ("feel_no_pain", "mortal", "4", {"feel_no_pain_mortal": 4}),
        ("damage_reduction", "D", "-1", {"damage_minus": 1}),
        ("damage_reduction", "D", "half", {"damage_half": True}),
        ("cover", "save", "granted", {"cover_granted": True}),
    ],
)
def test_of_the_attacked(operation: str, characteristic: str, value: str, changed: dict[str, Any]) -> None:
    found = effect_of(effect(operation, characteristic, value, side="defender"))
    assert found == NOTHING._replace(**changed)


@pytest.mark.parametrize(
    ("side", "operation", "characteristic", "value"),
    [
        ("either", "reroll", "hit", "one_die"),
        ("attacker", "reroll", "attacks", "any"),
        ("defender", "reroll", "save", "1"),
        ("attacker", "mortal_wounds", "wounds", "one D6 for each enemy unit, 4+: 1"),
        ("attacker", "extra_activation", "fight", "1"),
        ("attacker", "hit_only_on", "hit", "6"),
        ("attacker", "ignore_modifiers", "hit", "any"),
        ("attacker", "grant_kw", "assault", None),
        ("attacker", "grant_kw", "hazardous", None),
        ("attacker", "grant_kw", "sustained_hits", None),
        ("attacker", "stat_mod", "A", "D3"),
        ("attacker", "stat_mod", "T", "+1"),
        ("defender", "stat_mod", "AP", "-1"),
        ("defender", "damage_reduction", "D", "0"),
        ("defender", "feel_no_pain", "psychic", "4"),
    ],
)
def test_what_is_not_compared_is_said(side: str, operation: str, characteristic: str, value: str | None) -> None:
    found = effect_of(effect(operation, characteristic, value, side=side))
    assert isinstance(found, str)
    assert found.startswith(f"{operation} {characteristic}")
    assert found.endswith("is not compared")


def test_what_was_not_read_is_said() -> None:
    assert effect_of(effect("reroll") | {"operation": None}) == "not read"


def test_across_sources_numbers_add_up_and_the_best_of_the_rest_counts() -> None:
    one = Effect(hit_mod=1, hit_reroll=1, crit_hit=5, ap_improve=1, sets=frozenset({("skill", 3)}), grants=LANCE)
    other = Effect(hit_mod=1, hit_reroll=2, ap_improve=-1, feel_no_pain=5, cover_denied=True, grants=HEAVY)
    assert together([one, other]) == Effect(
        hit_mod=2, hit_reroll=2, crit_hit=5, feel_no_pain=5, cover_denied=True, sets=one.sets, grants=LANCE | HEAVY
    )
    assert together([]) == NOTHING


@pytest.mark.parametrize(("first", "second", "left"), [(1, 2, 2), (2, 1, 2), (-1, -2, -2), (0, -1, -1)])
def test_in_one_source_the_larger_change_replaces_the_smaller(first: int, second: int, left: int) -> None:
    assert together([Effect(damage_bonus=first), Effect(damage_bonus=second)], of_one_source=True).damage_bonus == left


@pytest.mark.parametrize(
    ("changed", "scenarios"),
    [
        (NOTHING, ("plain", "plain")),
        (Effect(grants=LANCE), ("charged", "charged")),
        (Effect(grants=HEAVY), ("stationary", "stationary")),
        (Effect(grants=frozenset({("melta", "2", ())})), ("half_range", "half_range")),
        (Effect(grants=frozenset({("ignores_cover", None, ())})), ("cover", "cover")),
        (Effect(cover_granted=True), ("plain", "cover")),
        (Effect(cover_denied=True), ("cover", "plain")),
    ],
)
def test_scenarios_without_and_with_it(changed: Effect, scenarios: tuple[str, str]) -> None:
    assert changed.scenarios == scenarios


def test_columns_of_the_attacker_have_the_names_of_re_rolls() -> None:
    columns = attacker_columns(Effect(hit_reroll=1, wound_reroll=2, damage_reroll=1, hit_mod=-1))
    assert (columns["hit_reroll"], columns["wound_reroll"], columns["damage_reroll"]) == ("ones", "failed", "low")
    assert (columns["hit_mod"], columns["crit_hit"]) == (-1, 6)


ROW = archetype("x", save=4) | dict.fromkeys(
    ("invulnerable_save", "invulnerable_save_scope", "improved_invulnerable_save", "improved_invulnerable_save_scope",
     "feel_no_pain", "feel_no_pain_scope")
)  # fmt: skip


def changed(row: dict[str, Any], made: Effect) -> dict[str, Any]:
    """What differs in a row of ``targets`` with an effect."""
    row = ROW | row
    return {name: value for name, value in target_columns(made, row).items() if value != row[name]}


@pytest.mark.parametrize(
    ("row", "made", "expected"),
    [
        ({}, NOTHING, {}),
        ({}, Effect(save_improve=1), {"save": 3}),
        ({"save": 2}, Effect(save_improve=1), {}),
        ({}, Effect(save_improve=-1), {"save": 5}),
        ({}, Effect(save=2), {"save": 2}),
        ({"save": 2}, Effect(save=3), {}),
        ({}, Effect(wounds_bonus=2), {"wounds": 202}),
        ({}, Effect(toughness_bonus=1), {"toughness": 5}),
        ({"hit_mod": -1}, Effect(target_hit_mod=-1), {"hit_mod": -2}),  # the cap is the engine's
        ({}, Effect(target_wound_mod=-1, ap_worsen=1), {"wound_mod": -1, "ap_worsen": 1}),
        ({}, Effect(damage_minus=1, damage_half=True), {"damage_minus": 1, "damage_half": True}),
        ({}, Effect(wound_minus_if_stronger=True), {"wound_minus_if_stronger": True}),
    ],
)
def test_numbers_of_the_attacked(row: dict[str, Any], made: Effect, expected: dict[str, Any]) -> None:
    assert changed(row, made) == expected


@pytest.mark.parametrize(
    ("held", "scope", "given", "expected"),
    [
        (None, None, 4, {"invulnerable_save": 4}),
        (5, None, 4, {"invulnerable_save": 4}),
        (4, None, 5, {}),
        (5, "ranged", 4, {"invulnerable_save": 4, "invulnerable_save_scope": None}),
        (4, "ranged", 5, {"invulnerable_save": 5, "invulnerable_save_scope": None, "improved_invulnerable_save": 4,
                          "improved_invulnerable_save_scope": "ranged"}),
    ],
)  # fmt: skip
def test_invulnerable_saves(held: int | None, scope: str | None, given: int, expected: dict[str, Any]) -> None:
    row = {"invulnerable_save": held, "invulnerable_save_scope": scope}
    assert changed(row, Effect(invulnerable_save=given)) == expected


@pytest.mark.parametrize(
    ("held", "scope", "made", "expected"),
    [
        (None, None, Effect(feel_no_pain=5), {"feel_no_pain": 5}),
        (6, None, Effect(feel_no_pain=5), {"feel_no_pain": 5}),
        (4, None, Effect(feel_no_pain=5), {}),
        (4, "mortal", Effect(feel_no_pain=5), {"feel_no_pain": 5, "feel_no_pain_scope": None}),
        (None, None, Effect(feel_no_pain_mortal=4), {"feel_no_pain": 4, "feel_no_pain_scope": "mortal"}),
        (5, "mortal", Effect(feel_no_pain_mortal=4), {"feel_no_pain": 4}),
        (6, None, Effect(feel_no_pain_mortal=4), {}),
    ],
)
def test_feel_no_pain(held: int | None, scope: str | None, made: Effect, expected: dict[str, Any]) -> None:
    assert changed({"feel_no_pain": held, "feel_no_pain_scope": scope}, made) == expected


def test_kinds_of_models_have_saves_and_wounds_of_their_own_and_no_toughness() -> None:
    names = ("wounds", "save", "invulnerable_save", "invulnerable_save_scope", "feel_no_pain", "feel_no_pain_scope")
    group = {name: ROW[name] for name in names}
    made = Effect(save_improve=1, feel_no_pain=6, toughness_bonus=1, target_hit_mod=-1)
    assert target_columns(made, group) == group | {"save": 3, "feel_no_pain": 6}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (NOTHING, ""),
        (Effect(hit_mod=1, hit_reroll=1, grants=LANCE), "hit roll +1; re-roll hits: ones; lance"),
        (Effect(crit_wound=5, damage_reroll=1), "re-roll damage; critical wounds on 5+"),
        (Effect(ap_improve=1, attacks_bonus=-1), "Attacks -1; AP better by 1"),
        (Effect(sets=frozenset({("armour_penetration", -2)})), "armour penetration = -2"),
        (Effect(grants=frozenset({("anti", "4+", ("MONSTER", "VEHICLE"))})), "anti MONSTER/VEHICLE 4+"),
        (Effect(target_hit_mod=-1, damage_minus=1), "attackers’ hit roll -1; attackers’ Damage less by 1"),
        (Effect(save=2, invulnerable_save=5), "save 2+; invulnerable save 5+"),
    ],
)
def test_in_words(made: Effect, words: str) -> None:
    assert in_words(made) == words


@pytest.mark.parametrize(
    ("made", "harms"),
    [
        (NOTHING, False),
        (Effect(hit_mod=-1), True),
        (Effect(hit_mod=-1, skill_improve=-1), True),
        (Effect(hit_mod=-1, damage_bonus=1), False),
        (Effect(hit_mod=-1, grants=LANCE), False),
        (Effect(save_improve=-1), True),
        (Effect(target_hit_mod=-1), False),
        (Effect(target_hit_mod=1), True),
    ],
)
def test_drawbacks(made: Effect, harms: bool) -> None:
    assert made.only_harms is harms
