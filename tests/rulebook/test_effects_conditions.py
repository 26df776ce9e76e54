"""Under which conditions an effect holds: in its sentence, from other sentences, from WHEN and TARGET."""

from __future__ import annotations

import pytest

from pipelines.rulebook.effects import ability_effects, stratagem_effects
from tests.rulebook.effects_samples import MINE, conditions, read, stratagem, unread


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # what follows a phrase closely is its condition, not the next one's
        (
            "Each time the bearer makes an attack, add 1 to the Hit roll if it is day, and add 1 to the Wound roll as "
            "well if it is night.",
            ["if it is day", "if it is night"],
        ),
        (
            "Weapons equipped by the bearer have the [LANCE] ability while targeting a BEAST.",
            ["while targeting a BEAST"],
        ),
        (
            "Ranged weapons equipped by your unit have the [LANCE] ability as long as it stands on a hill.",
            ["as long as it stands on a hill"],
        ),
        # what stands before holds for all that follow, but not for another branch
        (
            "Each time the bearer makes an attack, if it is day, add 1 to the Hit roll, or, if it is night, add 1 to "
            "the Wound roll instead.",
            ["if it is day", "if it is night"],
        ),
        (
            "Each time the bearer makes an attack, re-roll a Wound roll of 1, or re-roll the Wound roll instead if it "
            "is night.",
            [None, "if it is night"],
        ),
        (
            "Each time the bearer makes an attack, if it is day, re-roll a Hit roll of 1 and re-roll a Wound roll of "
            "1.",
            ["if it is day", "if it is day"],
        ),
        (
            "Each time the bearer makes an attack, re-roll a Hit roll of 1, and if it is day, re-roll a Wound roll "
            "of 1.",
            [None, "if it is day"],
        ),
        # a phrase before another is not its condition
        ("The bearer has a Save characteristic of 2+ and the Feel No Pain 5+ ability.", [None, None]),
        (
            "Add 1 to the Move characteristic of the bearer, and add 1 to the Strength characteristic of the "
            "bearer’s melee "
            "weapons.",
            [None],
        ),
        ("From the third battle round onwards, weapons equipped by the bearer have the [LANCE] ability.",
         ["From the third battle round onwards"]),
        # lists with commas stay whole
        (
            "Each time the bearer makes an attack that targets a BEAST, MONSTER or VEHICLE unit, add 1 to the Hit "
            "roll.",
            ["that targets a BEAST, MONSTER or VEHICLE unit"],
        ),
        (
            "GUNS, DRUMS (see below) and FIFES units from your army have a 5+ invulnerable save.",
            ["GUNS, DRUMS (see below) and FIFES units from your army"],
        ),
        (
            "Improve the Strength characteristic of long guns, short guns and old guns equipped by models in your "
            "unit by 1.",
            ["long guns, short guns and old guns equipped by models in your unit"],
        ),
        # after a semicolon something else begins
        (
            "If that test is passed, each time an enemy model makes an attack, subtract 1 from the Hit roll; if that "
            "test is "
            "failed, it leaves.",
            ["If that test is passed; an enemy model"],
        ),
    ],
)  # fmt: skip
def test_conditions_of_a_sentence(text: str, expected: list[str | None]) -> None:
    assert conditions(ability_effects(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # an offer that the next sentence takes up
        (
            "Each time a GUNS unit from your army is selected to shoot, that unit can wager its hat. If it does, "
            "each time a "
            "model in that unit makes an attack, add 1 to the Wound roll.",
            [["Each time a GUNS unit from your army is selected to shoot", "wager its hat"]],
        ),
        # "as well" and "instead" stand under the trigger before
        (
            "While the bearer is leading a unit, each time a model in that unit makes an attack that targets a "
            "BEAST, re-roll "
            "a Hit roll of 1. If it is day, you can re-roll the Hit roll instead.",
            [["that targets a BEAST"], ["While the bearer is leading a unit", "that targets a BEAST", "If it is day"]],
        ),
        (
            "While the bearer is leading a unit, models in that unit have the Feel No Pain 6+ ability. While that "
            "unit is "
            "tired, models in that unit have the Feel No Pain 5+ ability instead.",
            [
                ["While the bearer is leading a unit"],
                ["While the bearer is leading a unit", "While that unit is tired"],
            ],
        ),
        # a chosen enemy, a chosen friend, with when they are chosen
        (
            "At the start of the battle, select one enemy unit. Each time the bearer makes an attack that targets "
            "that enemy "
            "unit, add 1 to the Hit roll.",
            [["At the start of the battle", "that targets that enemy unit"]],
        ),
        (
            "In your Command phase, select one GUNS model within 6\" of the bearer. Weapons equipped by that GUNS "
            "model have "
            "the [LANCE] ability.",
            [["In your Command phase", 'one GUNS model within 6" of the bearer']],
        ),
        # a state, with what brought it about
        (
            "After the bearer has shot, select one enemy unit hit by it. Until the end of the turn, that enemy unit "
            "is dazed. "
            "While a unit is dazed, each time a model in that unit makes an attack, subtract 1 from the Hit roll.",
            [["While a unit is dazed", "After the bearer has shot", "enemy unit hit by it"]],
        ),
        # a test whose result the next sentence names
        (
            "Each time an enemy unit comes near, it must take a Leadership test. If failed, each time a model in "
            "that enemy "
            "unit makes an attack, subtract 1 from the Hit roll.",
            [["Each time an enemy unit comes near", "If failed"]],
        ),
        # a choice, by heading, by bullet, and not beyond it
        (
            "Select one of the abilities below.\nThe First Way\nAdd 1 to the Strength characteristic of the bearer’s "
            "melee "
            "weapons.\nKEYWORDS\nAdd 1 to the Attacks characteristic of the bearer’s melee weapons.",
            [["if chosen", "The First Way"], []],
        ),
        (
            "Select one of the following:\n- Add 1 to the bearer’s Toughness characteristic.\n- Add 1 to the "
            "bearer’s Wounds "
            "characteristic.",
            [["if chosen", "option 1"], ["if chosen", "option 2"]],
        ),
        # who has the abilities that follow
        (
            "GUNS units from your army have the following ability:\nSteady: Each time a model in this unit makes an "
            "attack, "
            "re-roll a Hit roll of 1.",
            [["GUNS units from your army", "Steady"]],
        ),
        (
            "Each time a GUNS unit from your army stands still, until the end of the turn:\n- Weapons equipped by "
            "models in "
            "that unit have the [LANCE] ability.",
            [["Each time a GUNS unit from your army stands still"]],
        ),
        # grades of a table
        (
            "GUNS units from your army gain a bonus for each prize.\nPRIZES\n3+Each time a model in this unit makes "
            "an attack, "
            "re-roll a Wound roll of 1.",
            [["PRIZES", "3+", "GUNS units from your army"]],
        ),
    ],
)  # fmt: skip
def test_conditions_from_other_sentences(text: str, expected: list[list[str]]) -> None:
    found = conditions(ability_effects(text))
    assert len(found) == len(expected)
    for condition, parts in zip(found, expected, strict=True):
        assert [part for part in parts if part not in (condition or "")] == []
        assert parts or condition is None


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("One unit from your army.", None),
        ("That GUNS unit.", "GUNS unit"),
        ("One GUNS, DRUMS or FIFES unit from your army.", "GUNS, DRUMS or FIFES unit"),
        ("One GUNS unit from your army that charged this turn and has not been selected to fight this phase.",
         "GUNS unit that charged this turn"),
        ("One GUNS unit from your army that has not been selected to shoot this phase and that disembarked this turn.",
         "GUNS unit that disembarked this turn"),
        (
            "One GUNS model from your army that was selected as the target of one or more of the attacking unit’s "
            "attacks.",
         "GUNS model"),
        ("One GUNS unit (excluding DRUMS units) from your army within 6\" of a friend.",
         'GUNS unit (excluding DRUMS units) within 6" of a friend'),
    ],
)  # fmt: skip
def test_target_says_who_may_use_it(target: str, expected: str | None) -> None:
    assert conditions(stratagem_effects(stratagem(MINE + "add 1 to the Hit roll.", target=target))) == [expected]


def test_target_is_no_condition_for_others_of_the_army() -> None:
    effect = "Each time a friendly DRUMS model makes an attack, add 1 to the Hit roll."
    rows = stratagem_effects(stratagem(effect, target="One GUNS unit from your army."))
    assert conditions(rows) == ["a friendly DRUMS model"]


def test_when_and_restrictions_are_conditions() -> None:
    when = "Your Charge phase, just after a GUNS unit from your army ends a Charge move."
    rows = stratagem_effects(
        stratagem(MINE + "add 1 to the Hit roll.", when=when, limits="You can only use this Stratagem once per turn.")
    )
    assert conditions(rows) == [
        "just after a GUNS unit from your army ends a Charge move; You can only use this Stratagem once per turn"
    ]
    usual = "Fight phase, just after an enemy unit has selected its targets."
    assert conditions(stratagem_effects(stratagem(MINE + "add 1 to the Hit roll.", when=usual))) == [None]


@pytest.mark.parametrize(
    ("until", "duration", "phase"),
    [
        ("Until the end of the phase", "phase", "shooting"),
        ("Until the end of the turn", "turn", "any"),
        ("Until the end of the battle round", "battle_round", "any"),
        ("Until the start of your next Command phase", "next_turn", "any"),
        ("Until the end of your next Fight phase", "next_turn", "any"),
        ("Until the end of the battle", "battle", "any"),
        ("Until the attacking unit has finished making its attacks", "attacks", "shooting"),
    ],
)
def test_how_long_it_lasts_and_in_which_phases(until: str, duration: str, phase: str) -> None:
    (row,) = stratagem_effects(
        stratagem(f"{until}, each time an attack targets your unit, subtract 1 from the Hit roll.")
    )
    assert (row.duration, row.phase) == (duration, phase)


@pytest.mark.parametrize(
    ("when", "phase"),
    [
        ("Your Charge phase.", "fight"),
        ("Your opponent’s Charge phase, just after an enemy unit ends a Charge move.", "fight"),
        ("Your Movement phase or your Charge phase.", "any"),
        ("Your Charge phase or your Shooting phase.", "any"),
    ],
)
def test_of_a_turn_only_the_fight_phase_follows_the_charge_phase(when: str, phase: str) -> None:
    effect = "Until the end of the turn, each time an attack targets your unit, subtract 1 from the Hit roll."
    (row,) = stratagem_effects(stratagem(effect, when=when))
    assert row.phase == phase


def test_a_list_holds_in_the_phase_that_its_head_names() -> None:
    rows = ability_effects(
        "At the start of the Fight phase, select one of the following for this unit to have until the end of the "
        "phase:\n- Leap: Each time an attack targets this unit, subtract 1 from the Hit roll.\n"
        "- Roar: Each time a model in this unit makes an attack, add 1 to the Wound roll."
    )
    assert [row.phase for row in rows] == ["fight", "fight"]


def test_a_phase_of_the_past_is_not_the_phase_of_the_effect() -> None:
    (row,) = ability_effects(
        "If the bearer rested in your previous Shooting phase, the bearer has a 3+ invulnerable save."
    )
    assert (row.phase, row.attack_type) == ("any", "any")


def test_a_number_that_is_counted_in_play_is_not_read() -> None:
    for text in (
        "Add 1 to the Attacks characteristic of the bearer’s melee weapons for every 5 models nearby.",
        "For each token spent, add 1 to the Attacks characteristic of the bearer’s melee weapons.",
    ):
        rows = ability_effects(text)
        assert read(rows) == []
        assert "a number that is counted" in unread(rows)[0]
