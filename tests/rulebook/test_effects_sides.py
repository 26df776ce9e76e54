"""Whose attacks a text speaks of: sides, scopes, kinds of attacks."""

from __future__ import annotations

import pytest

from pipelines.rulebook.effects import ability_effects, stratagem_effects
from tests.rulebook.effects_samples import FIGHT, MINE, brief, read, stratagem, unread


@pytest.mark.parametrize(
    ("text", "row"),
    [
        # "that unit" is what was chosen, not what it stands near
        (
            "Select one enemy unit within 6\" of the bearer. Each time a model in that unit makes an attack, "
            "subtract 1 from "
            "the Hit roll.",
            ("defender", "roll_mod", "hit", "-1"),
        ),
        (
            "While a DAEMON is near, each time a model in an enemy DAEMON unit makes an attack, subtract 1 from the "
            "Wound roll.",
            ("defender", "roll_mod", "wound", "-1"),
        ),
        (
            "Each time an enemy unit falls, each time a GUNS model from your army makes an attack that targets that "
            "enemy unit, "
            "you can re-roll the Hit roll.",
            ("attacker", "reroll", "hit", "any"),
        ),
        (
            "Each time an attack made by the bearer is allocated to an enemy model, add 1 to the Damage "
            "characteristic of that "
            "attack.",
            ("attacker", "stat_mod", "D", "+1"),
        ),
        (
            "When a saving throw is failed for the bearer, you can change the Damage characteristic of that attack "
            "to 0.",
            ("defender", "damage_reduction", "D", "0"),
        ),
        (
            "Each time an attack is allocated to the bearer, subtract 1 from the Damage characteristic of that "
            "attack (note that "
            "others suffer all of it).",
            ("defender", "damage_reduction", "D", "-1"),
        ),
        # worse weapons of the enemy protect
        (
            "Worsen the Weapon Skill characteristic of that enemy unit’s weapons by 1.",
            ("defender", "stat_mod", "WS", "+1"),
        ),
        ("Add 2 to the bearers Wounds characteristic.", ("defender", "stat_mod", "W", "+2")),
    ],
)  # fmt: skip
def test_sides(text: str, row: tuple[str, str, str, str]) -> None:
    assert brief(ability_effects(text)) == [row]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Weapons that target your unit have the [HAZARDOUS] ability.", "laid on the enemy"),
        ('Each friendly unit within 6" of that enemy unit suffers D3 mortal wounds.', "the user's own side"),
        ("Your unit suffers D3 mortal wounds.", "the user's own side"),
        ("If a weapon of the bearer has the [HAZARDOUS] ability twice, it is worse.", "not read"),
        ("While such a model has the Benefit of Cover anyway, be glad.", "not read"),
    ],
)
def test_what_is_refused(text: str, reason: str) -> None:
    rows = ability_effects(text)
    assert read(rows) == []
    assert any(reason in note for note in unread(rows))


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("Each time an attack targets the bearer, subtract 1 from the Hit roll.", "bearer"),
        ("Each time an attack targets the bearer’s unit, subtract 1 from the Hit roll.", "unit"),
        ("This model has a 4+ invulnerable save.", "model"),
        ("While the bearer sings, its melee weapons have the [LANCE] ability.", "bearer"),
        ("Once this model has sung, it has a 4+ invulnerable save.", "model"),
        ("While the bearer is leading a unit, it has a 4+ invulnerable save.", "unit"),
        ("GUNS models from your army have a 4+ invulnerable save.", "army"),
        (
            'While a friendly GUNS unit is within 6" of the bearer, models in that unit have a 4+ invulnerable save.',
            "aura",
        ),
        ("Each time a model in an enemy unit makes an attack, subtract 1 from the Hit roll.", "enemy"),
    ],
)
def test_scopes(text: str, scope: str) -> None:
    assert [one.scope for one in read(ability_effects(text))] == [scope]


@pytest.mark.parametrize(
    ("text", "types"),
    [
        (
            "The bearer has a 4+ invulnerable save against ranged attacks, and a 5+ invulnerable save against melee "
            "attacks.",
         ["ranged", "melee"]),
        ("Add 1 to the Damage characteristic of ranged Psychic weapons equipped by the bearer.", ["ranged"]),
        (
            "Each time a ranged attack made by the bearer targets a BEAST, add 1 to the Strength characteristic of "
            "that attack.",
         ["ranged"]),
        (
            "Each time the bearer makes a ranged attack that targets a BEAST or makes a melee attack, re-roll a Hit "
            "roll of 1.",
         ["any"]),
        ("Ranged weapons equipped by GUNS and DRUMS models from your army have the [LANCE] ability.", ["ranged"]),
    ],
)  # fmt: skip
def test_kinds_of_attacks(text: str, types: list[str]) -> None:
    assert [one.attack_type for one in read(ability_effects(text))] == types


def test_attacks_out_of_turn_are_of_the_kind_they_are_made_as() -> None:
    fight = (
        "Your unit can fight as if it were the Fight phase, but an unmodified Hit roll of 6 is required to score a hit."
    )
    shoot = "Your unit can shoot as if it were your Shooting phase. When doing so, "
    rows = read(
        stratagem_effects(stratagem(shoot + MINE.partition(", ")[2] + "subtract 1 from the Hit roll.", when=FIGHT))
    )
    assert [(one.operation, one.phase, one.attack_type) for one in rows] == [
        ("extra_activation", "shooting", "ranged"),
        ("roll_mod", "shooting", "ranged"),
    ]
    assert [(one.phase, one.attack_type) for one in read(stratagem_effects(stratagem(fight)))] == [("fight", "melee")]


def test_overwatch_is_shooting() -> None:
    when = "Each time you target the bearer’s unit with the Fire Overwatch Stratagem, "
    (row,) = ability_effects(when + "hits are scored on unmodified Hit rolls of 5+.")
    assert (row.side, row.operation, row.value, row.phase, row.attack_type) == (
        "attacker", "hit_only_on", "5", "shooting", "ranged",
    )  # fmt: skip
