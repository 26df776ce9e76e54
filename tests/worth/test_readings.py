"""One row read as an effect, by the sign rules of the game: worse AP is nearer to 0, a better save is smaller."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.applied import NOTHING
from pipelines.worth.readings import MAX_CHANGE, effect_of

from .world import effect

LANCE = frozenset({("lance", None, ())})


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
        ("damage_reduction", "D", "-1", {"damage_minus": 1}),
        ("damage_reduction", "D", "half", {"damage_half": True}),
        ("cover", "save", "granted", {"cover_granted": True}),
    ],
)
def test_of_the_attacked(operation: str, characteristic: str, value: str, changed: dict[str, Any]) -> None:
    found = effect_of(effect(operation, characteristic, value, side="defender"))
    assert found == NOTHING._replace(**changed)


@pytest.mark.parametrize(
    ("side", "operation", "characteristic", "value", "words"),
    [
        ("either", "reroll", "hit", "one_die", "re-roll hit: one die"),
        ("attacker", "reroll", "attacks", "any", "re-roll attacks: any"),
        ("defender", "reroll", "save", "1", "re-roll save: 1"),
        (
            "attacker",
            "mortal_wounds",
            "wounds",
            "one D6 for each unit, 4+: 1",
            "mortal wounds: one D6 for each unit, 4+: 1",
        ),
        ("attacker", "extra_activation", "fight", "1", "another activation: fight"),
        ("attacker", "hit_only_on", "hit", "6", "hits only on 6"),
        ("attacker", "ignore_modifiers", "hit", "any", "ignoring modifiers: hit"),
        ("attacker", "grant_kw", "assault", None, "the ability assault"),
        ("attacker", "grant_kw", "hazardous", None, "the ability hazardous"),
        ("attacker", "grant_kw", "precision", None, "the ability precision"),
        ("defender", "feel_no_pain", "mortal", "4", "Feel No Pain 4+ (mortal wounds)"),
        ("attacker", "grant_kw", "sustained_hits", None, "the ability sustained hits"),
        ("attacker", "stat_mod", "A", "D3", "A D3"),
        ("attacker", "stat_mod", "T", "+1", "T +1"),
        ("defender", "stat_mod", "AP", "-1", "AP -1"),
        ("defender", "damage_reduction", "D", "0", "Damage reduced: 0"),
        ("defender", "feel_no_pain", "psychic", "4", "Feel No Pain 4+ (psychic wounds)"),
        ("attacker", "roll_mod", "save", "{what.__class__}", "save roll {what.  class  }"),
    ],
)
def test_what_is_not_compared_is_said_in_words(
    side: str, operation: str, characteristic: str, value: str | None, words: str
) -> None:
    assert effect_of(effect(operation, characteristic, value, side=side)) == f"{words} is not compared"


def test_what_was_not_read_is_said() -> None:
    assert effect_of(effect("reroll") | {"operation": None}) == "not read"


HUGE = "9" * 5000
"""More digits than Python reads."""


@pytest.mark.parametrize("number", [str(MAX_CHANGE + 1), "300", "5000", HUGE])
@pytest.mark.parametrize(
    ("side", "operation", "characteristic", "wording"),
    [
        *(("attacker", "stat_mod", name, "+{}") for name in ("A", "S", "D", "AP", "BS")),
        *(("attacker", "stat_mod", name, "-{}") for name in ("A", "S", "D", "AP", "WS")),
        *(("attacker", "stat_mod", name, "={}") for name in ("A", "S", "D", "AP", "BS")),
        ("attacker", "stat_mod", "AP", "=-{}"),
        *(("defender", "stat_mod", name, "+{}") for name in ("T", "W", "Sv", "AP")),
        *(("defender", "stat_mod", name, "-{}") for name in ("T", "W", "Sv", "D")),
        ("defender", "stat_mod", "Sv", "={}"),
        *(("attacker", "roll_mod", name, "+{}") for name in ("hit", "wound")),
        ("defender", "roll_mod", "hit", "-{}"),
        ("attacker", "crit", "hit", "{}"),
        ("defender", "invuln", "save", "{}"),
        ("defender", "feel_no_pain", "all", "{}"),
        ("defender", "damage_reduction", "D", "-{}"),
        *(
            ("attacker", "grant_kw", slug, "{}")
            for slug in ("sustained_hits", "rapid_fire", "melta", "blast", "cleave")
        ),
        *(("attacker", "grant_kw", slug, "{}D6") for slug in ("sustained_hits", "rapid_fire", "melta")),
        ("attacker", "grant_kw", "sustained_hits", "D6+{}"),
        *(("attacker", "mortal_wounds", "wounds", words) for words in ("{}", "{}D3", "D6+{}", "one D6, 2+: {}")),
        ("attacker", "mortal_wounds", "wounds", "1{} D6, each 2+: D3"),
        ("attacker", "mortal_wounds", "wounds", "six D6, each 2+: {}D6"),
    ],
)
def test_numbers_that_no_rule_prints_are_said_and_not_computed(
    side: str, operation: str, characteristic: str, wording: str, number: str
) -> None:
    found = effect_of(effect(operation, characteristic, wording.format(number), side=side))
    assert isinstance(found, str)
    assert found.endswith("is not compared")
    assert len(found) < 250


@pytest.mark.parametrize(
    ("side", "operation", "characteristic", "value"),
    [
        *(("attacker", "stat_mod", name, "=0") for name in ("A", "S", "D", "BS")),
        *(("attacker", "stat_mod", name, "=-3") for name in ("A", "S", "D", "WS")),
        *(("attacker", "stat_mod", "BS", value) for value in ("=1", "=7")),
        *(("defender", "stat_mod", "Sv", value) for value in ("=0", "=1", "=7", "=-2")),
        *(("attacker", "crit", "wound", value) for value in ("0", "1", "7")),
        *(("defender", "invuln", "save", value) for value in ("0", "1", "7")),
        *(("defender", "feel_no_pain", "mortal", value) for value in ("0", "1", "7")),
        ("attacker", "mortal_wounds", "wounds", "0 D6, each 2+: 3"),
        ("attacker", "mortal_wounds", "wounds", "one D6, 6-1: 3"),
    ],
)
def test_what_no_die_can_show_is_not_compared(side: str, operation: str, characteristic: str, value: str) -> None:
    assert isinstance(effect_of(effect(operation, characteristic, value, side=side)), str)
