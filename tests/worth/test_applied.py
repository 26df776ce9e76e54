"""Effects alone and together, as the engine is given them and in words."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.applied import (
    NOTHING,
    Effect,
    attacker_columns,
    in_words,
    target_columns,
    together,
)

from .world import archetype

LANCE, HEAVY = frozenset({("lance", None, ())}), frozenset({("heavy", None, ())})


def test_across_sources_numbers_add_up_and_the_best_of_the_rest_counts() -> None:
    one = Effect(hit_mod=1, hit_reroll=1, crit_hit=5, ap_improve=1, sets=frozenset({("skill", 3)}), grants=LANCE)
    other = Effect(hit_mod=1, hit_reroll=2, ap_improve=-1, feel_no_pain=5, cover_denied=True, grants=HEAVY)
    assert together([one, other]) == Effect(
        hit_mod=2, hit_reroll=2, crit_hit=5, feel_no_pain=5, cover_denied=True, sets=one.sets, grants=LANCE | HEAVY
    )
    assert together([]) == NOTHING


def test_what_counts_at_range_only_does_nothing_in_melee() -> None:
    granted = ("heavy", "ignores_cover", "lance", "melta", "rapid_fire", "sustained_hits")
    made = Effect(hit_mod=1, grants=frozenset((slug, None, ()) for slug in granted))
    left = frozenset({("lance", None, ()), ("sustained_hits", None, ())})
    assert made.in_melee == Effect(hit_mod=1, grants=left)


@pytest.mark.parametrize(
    ("column", "numbers", "best"),
    [("skill", (3, 4), 3), ("armour_penetration", (-1, -3), -3), ("damage", (2, 3), 3), ("attacks", (12, 7), 12)],
)
def test_of_two_set_numbers_the_better_one_counts(column: str, numbers: tuple[int, int], best: int) -> None:
    made = [Effect(sets=frozenset({(column, number)})) for number in numbers]
    for effects in (made, made[::-1]):
        assert together(effects) == Effect(sets=frozenset({(column, best)}))


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


def test_of_an_ability_granted_twice_the_better_counts() -> None:
    one = Effect(
        grants=frozenset({("sustained_hits", "1", ()), ("anti", "4+", ("MONSTER",)), ("lethal_hits", None, ())})
    )
    other = Effect(
        grants=frozenset({("sustained_hits", "D3", ()), ("anti", "2+", ("MONSTER",)), ("anti", "5+", ("FLY",))})
    )
    assert together([one, other]).grants == {
        ("sustained_hits", "D3", ()),
        ("anti", "2+", ("MONSTER",)),
        ("anti", "5+", ("FLY",)),
        ("lethal_hits", None, ()),
    }
