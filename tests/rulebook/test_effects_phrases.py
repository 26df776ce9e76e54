"""Phrases beside the plainest: rolled mortal wounds, fights out of turn, choices, ignored modifiers, one die."""

from __future__ import annotations

import pytest

from pipelines.rulebook.effects import ability_effects, stratagem_effects
from tests.rulebook.effects_samples import MINE, brief, conditions, read, stratagem, unread

NEAR = "Select one enemy unit near the bearer"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (NEAR + ". Roll six D6: for each 4+, that enemy unit suffers 1 mortal wound.", ["six D6, each 4+: 1"]),
        (
            NEAR + " and roll one D6 for each model in your unit: for each 5+, that enemy unit suffers 1 mortal wound "
            "(to a maximum of 6 mortal wounds).",
            ["one D6 for each model in your unit, each 5+: 1, at most 6"],
        ),
        (
            NEAR + " and roll one D6: on a 2-5, that enemy unit suffers D3 mortal wounds; on a 6, that enemy unit "
            "suffers 3 mortal wounds.",
            ["one D6, 2-5: D3", "one D6, 6: 3"],
        ),
        ("Roll one D6 for each enemy unit near by. On a 4+, that unit suffers 1 mortal wound.",
         ["one D6 for each enemy unit near by, 4+: 1"]),
        (
            "An enemy unit comes near. Roll one D6: on a 4+, that enemy unit suffers D3+1 mortal wounds.",
            ["one D6, 4+: D3+1"],
        ),
    ],
)  # fmt: skip
def test_mortal_wounds_by_a_roll(text: str, values: list[str]) -> None:
    rows = ability_effects(text)
    assert [(one.side, one.value, one.scope) for one in read(rows)] == [
        ("attacker", value, "enemy") for value in values
    ]
    assert unread(rows) == []


def test_what_changes_a_roll_is_said_not_to_be_in_the_value() -> None:
    text = (
        NEAR
        + ", then roll six D6, adding 1 to each result if it is day: for each 4+, that enemy unit suffers 1 mortal "
        "wound."
    )
    rows = ability_effects(text)
    assert [one.value for one in read(rows)] == ["six D6, each 4+: 1"]
    assert conditions(rows) == [NEAR]
    assert unread(rows) == ["changes the roll: adding 1 to each result if it is day"]


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (
            "Each time a model in your unit is destroyed, if it has not fought, roll one D6. On a 4+, do not remove "
            "it from "
            "play. The destroyed model can fight after the attacking unit has finished, and is then removed.",
            "Each time a model in your unit is destroyed, if it has not fought; on a 4+",
        ),
        (
            "Each time a GUNS model from your army is destroyed, do not remove it from play; it can fight after the "
            "attacking "
            "model’s unit has finished.",
            "Each time a GUNS model from your army is destroyed; a GUNS model from your army",
        ),
        ("If the bearer is destroyed, roll one D6: on a 2+, do not remove it from play. The bearer can fight after the "
         "attacking unit has finished.", "If the bearer is destroyed; on a 2+"),
    ],
)  # fmt: skip
def test_the_fight_of_a_destroyed_model(text: str, condition: str) -> None:
    (row,) = ability_effects(text)
    assert (row.side, row.operation, row.characteristic, row.phase) == (
        "attacker",
        "extra_activation",
        "fight",
        "fight",
    )
    assert row.condition == condition


@pytest.mark.parametrize(
    "text",
    [
        "Select either the [LANCE] or [LETHAL HITS] ability. Weapons equipped by the bearer have the selected ability.",
        "Select one of the following abilities: [LANCE]; [LETHAL HITS]. Weapons equipped by the bearer have that "
        "ability.",
        "Select one of the abilities below. Weapons equipped by the bearer have that ability:\n- [LANCE]\n- [LETHAL "
        "HITS]",
    ],
)
def test_chosen_abilities_are_alternatives(text: str) -> None:
    rows = ability_effects(text)
    assert brief(rows) == [("attacker", "grant_kw", "lance", None), ("attacker", "grant_kw", "lethal_hits", None)]
    assert all((condition or "").startswith("one of: [LANCE]") for condition in conditions(rows))


def test_a_choice_that_nothing_takes_up_is_unread() -> None:
    assert unread(ability_effects("Select either the [LANCE] or [LETHAL HITS] ability. Be glad."))[0].startswith(
        "not read"
    )


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            MINE + "you can ignore any or all modifiers to that attack’s Ballistic Skill characteristic and/or to the "
            "Hit roll.",
            [("attacker", "ignore_modifiers", "hit", "any"), ("attacker", "ignore_modifiers", "BS", "any")],
        ),
        (
            "Your unit can ignore any or all modifiers to any roll made for it (excluding modifiers to saving throws).",
            [("attacker", "ignore_modifiers", "hit", "any"), ("attacker", "ignore_modifiers", "wound", "any")],
        ),
        ("Your unit can ignore any or all modifiers to its Move characteristic.", []),
        (
            "You can re-roll one Hit roll or one saving throw made for your unit.",
            [("attacker", "reroll", "hit", "one_die"), ("defender", "reroll", "save", "one_die")],
        ),
        (
            "Each time you roll to determine the number of attacks made with a weapon equipped by a model in your "
            "unit, you can "
            "re-roll the result.",
            [("attacker", "reroll", "attacks", "any")],
        ),
        (
            "Each time a saving throw is made for a model in your unit, re-roll a saving throw of 1.",
            [("defender", "reroll", "save", "1")],
        ),
        (
            "Each time an attack targets your unit, add 1 to any armour saving throw made against it.",
            [("defender", "roll_mod", "save", "+1")],
        ),
        ("Your unit has the Lone Operative and Stealth abilities.", [("defender", "roll_mod", "hit", "-1")]),
        (
            "Long guns equipped by models in your unit have an Attacks characteristic of 2.",
            [("attacker", "stat_mod", "A", "=2")],
        ),
        (
            MINE + "if it is day, re-roll the Hit roll.",
            [("attacker", "reroll", "hit", "any")],
        ),
        (
            "Models in your unit have the Feel No Pain 4+ ability against psychic attacks and mortal wounds.",
            [("defender", "feel_no_pain", "mortal", "4")],
        ),
        (
            "Against mortal wounds, models in your unit have the Feel No Pain 5+ ability.",
            [("defender", "feel_no_pain", "mortal", "5")],
        ),
        (
            "Add 2 to the Attacks characteristic and add 1 to the Damage characteristic of melee weapons equipped by "
            "models in "
            "your unit.",
            [("attacker", "stat_mod", "A", "+2"), ("attacker", "stat_mod", "D", "+1")],
        ),
    ],
)  # fmt: skip
def test_phrases(text: str, rows: list[tuple[str, str, str, str]]) -> None:
    assert brief(stratagem_effects(stratagem(text))) == rows


def test_both_numbers_before_instead_replace() -> None:
    text = "If it is day, add 2 to the Attacks and Strength characteristics of the bearer’s melee weapons instead."
    assert [(one.note or "").startswith("instead") for one in read(ability_effects(text))] == [True, True]
    other = (
        "Each time the bearer makes an attack, an unmodified Hit roll of 5+ scores a Critical Hit, instead of only a 6."
    )
    assert [one.note for one in read(ability_effects(other))] == [None]


def test_notes_and_examples_rule_nothing() -> None:
    text = (
        "Be glad.\nDesigner’s Note: This means that each time the bearer makes an attack, you can re-roll the Hit roll."
    )
    assert read(ability_effects(text)) == []
