"""Fixed phrases to modifiers, and the tables of effects of the real dumps (outside the repository)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.records import DetachmentRule, Enhancement
from pipelines.rulebook.effects import Modifier, detachment_rule_effects, enhancement_effects, stratagem_effects
from pipelines.sources.discovery import discover, read_document
from tests.rulebook.effects_samples import FIGHT, MINE, SHOOTING, THEIRS, brief, stratagem, unread


@pytest.mark.parametrize(
    ("effect", "rows"),
    [
        (MINE + "re-roll a Hit roll of 1.", [("attacker", "reroll", "hit", "1")]),
        (
            MINE + "re-roll a Hit roll of 1 and re-roll a Wound roll of 1.",
            [("attacker", "reroll", "hit", "1"), ("attacker", "reroll", "wound", "1")],
        ),
        (MINE + "you can re-roll the Wound roll.", [("attacker", "reroll", "wound", "any")]),
        (MINE + "add 1 to the Hit roll.", [("attacker", "roll_mod", "hit", "+1")]),
        (THEIRS + "subtract 1 from the Wound roll.", [("defender", "roll_mod", "wound", "-1")]),
        (
            MINE + "improve the Armour Penetration characteristic of that attack by 1.",
            [("attacker", "stat_mod", "AP", "-1")],
        ),
        (
            THEIRS + "worsen the Armour Penetration characteristic of that attack by 2.",
            [("defender", "stat_mod", "AP", "+2")],
        ),
        (MINE + "add 1 to the Damage characteristic of that attack.", [("attacker", "stat_mod", "D", "+1")]),
        (
            "Add 1 to the Strength and Attacks characteristics of melee weapons equipped by models in your unit.",
            [("attacker", "stat_mod", "S", "+1"), ("attacker", "stat_mod", "A", "+1")],
        ),
        ("Add 1 to the Toughness characteristic of models in your unit.", [("defender", "stat_mod", "T", "+1")]),
        (
            "Improve the Save characteristic of models in your unit by 1.",
            [("defender", "stat_mod", "Sv", "-1")],
        ),
        ("Models in your unit have a Save characteristic of 2+.", [("defender", "stat_mod", "Sv", "=2")]),
        (
            "Ranged weapons equipped by models in your unit have the [SUSTAINED HITS D3] ability.",
            [("attacker", "grant_kw", "sustained_hits", "D3")],
        ),
        (
            "Until then, weapons equipped by models in your unit have the [LANCE] and [ANTI-VEHICLE 4+] abilities.",
            [("attacker", "grant_kw", "lance", None), ("attacker", "grant_kw", "anti", "VEHICLE 4+")],
        ),
        (
            "All models in your unit have a 5+ invulnerable save and have the Benefit of Cover.",
            [("defender", "invuln", "save", "5"), ("defender", "cover", "save", "granted")],
        ),
        (
            "All models in your unit have the Feel No Pain 6+ ability "
            "and the Feel No Pain 4+ ability against mortal wounds.",
            [("defender", "feel_no_pain", "all", "6"), ("defender", "feel_no_pain", "mortal", "4")],
        ),
        ("Until then, your unit has the Stealth ability.", [("defender", "roll_mod", "hit", "-1")]),
        (
            THEIRS + "subtract 1 from the Damage characteristic of that attack.",
            [("defender", "damage_reduction", "D", "-1")],
        ),
        (THEIRS + "halve the Damage characteristic of that attack.", [("defender", "damage_reduction", "D", "half")]),
        (
            MINE + "a successful unmodified Hit roll of 5+ scores a Critical Hit.",
            [("attacker", "crit", "hit", "5")],
        ),
        (MINE + "an unmodified Hit roll of 6 is required to score a hit.", [("attacker", "hit_only_on", "hit", "6")]),
        (
            "Select one enemy unit nearby. That enemy unit cannot have the Benefit of Cover.",
            [("attacker", "cover", "save", "denied")],
        ),
        (
            "Then, your unit can shoot as if it were your Shooting phase again.",
            [("attacker", "extra_activation", "shooting", "1")],
        ),
        (
            "Select one enemy unit nearby; that enemy unit suffers D3 mortal wounds.",
            [("attacker", "mortal_wounds", "wounds", "D3")],
        ),
    ],
)
def test_phrases(effect: str, rows: list[tuple[str, str, str, str | None]]) -> None:
    assert brief(stratagem_effects(stratagem(effect))) == rows


def test_each_re_roll_of_one_die_that_when_names() -> None:
    rolls = "Any phase, just after you make a Hit roll, a Wound roll or a saving throw."
    rows = brief(stratagem_effects(stratagem("You re-roll that roll or saving throw.", when=rolls)))
    assert rows == [("either", "reroll", roll, "one_die") for roll in ("hit", "wound", "save")]


def test_instead_gives_a_row_under_its_own_condition() -> None:
    effect = (
        "You can spend 3YP. Until the end of that turn, all ranged weapons equipped by models in your unit have the "
        "[SUSTAINED HITS 1] ability. If you spent YP, those weapons have the [SUSTAINED HITS 2] ability instead."
    )
    plain, better = stratagem_effects(stratagem(effect))
    assert (plain.value, plain.condition, plain.attack_type, plain.note) == ("1", None, "ranged", None)
    assert (better.value, better.condition, better.attack_type) == ("2", "If you spent YP", "ranged")
    assert better.note is not None
    assert better.note.startswith("instead")


@pytest.mark.parametrize(
    ("when", "phase", "attack_type"),
    [
        (SHOOTING, "shooting", "ranged"),
        (FIGHT, "fight", "melee"),
        ("Any phase.", "any", "any"),
        ("The Shooting phase or Fight phase of anybody.", "any", "any"),
    ],
)
def test_the_phase_comes_from_when(when: str, phase: str, attack_type: str) -> None:
    (row,) = stratagem_effects(stratagem(MINE + "add 1 to the Wound roll.", when=when))
    assert (row.phase, row.attack_type) == (phase, attack_type)


def test_conditions_are_kept() -> None:
    (row,) = stratagem_effects(
        stratagem(
            MINE + "if it is a good day, add 1 to the Wound roll.",
            when="Fight phase, if it is Monday.",
            target="One GUNS unit from your army.",
        )
    )
    assert row.condition == "if it is Monday; GUNS unit; if it is a good day"
    (row,) = enhancement_effects(
        Enhancement("X", 1, "Y", description="Each time a ranged attack that is loud targets the bearer.")
    )
    assert not row.is_modelled


def test_the_target_of_an_attack_is_a_condition() -> None:
    effect = "Each time a model in your unit makes a melee attack that targets a MONSTER unit, add 1 to the Wound roll."
    (row,) = stratagem_effects(stratagem(effect, when=FIGHT))
    assert (row.condition, row.attack_type) == ("that targets a MONSTER unit", "melee")


def test_points_that_are_spent_give_a_row_for_each_number() -> None:
    text = (
        "Once per turn, when the bearer’s unit is selected to fight, the bearer can use this ability. If it does, "
        "spend up to 2YP and add the number of YP you just spent to the Damage characteristic "
        "of the bearer’s melee weapons for a while."
    )
    rows = enhancement_effects(Enhancement("X", 1, "Y", description=text))
    assert [(row.value, row.phase, row.attack_type) for row in rows] == [
        ("+1", "fight", "melee"),
        ("+2", "fight", "melee"),
    ]
    assert [f"{spent}YP spent" in (row.condition or "") for spent, row in enumerate(rows, 1)] == [True, True]


def test_bullets_stand_under_their_lead_sentence() -> None:
    text = (
        "Each time a model from your army makes an attack that targets the closest unit:- Re-roll a Wound roll of 1.\n"
        "- If your unit is a GUNS unit, improve the Armour Penetration characteristic of that attack by 1."
    )
    rows = detachment_rule_effects(DetachmentRule("X", "Y", text))
    assert brief(rows) == [("attacker", "reroll", "wound", "1"), ("attacker", "stat_mod", "AP", "-1")]
    assert "If your unit is a GUNS unit" in (rows[1].condition or "")
    assert "the closest unit" in (rows[0].condition or "")


@pytest.mark.parametrize(
    ("effect", "note"),
    [
        ("Until then, weapons equipped by enemy models have the [HAZARDOUS] ability.", "laid on the enemy"),
        ("All weapons equipped by models in the attacking unit have the [HAZARDOUS] ability.", "laid on the enemy"),
        ("Until then, models in your unit lose the [LANCE] ability.", "not read"),
        ("Add 1 to the Wound roll.", "whose attack"),
        (
            "Select one enemy unit. Each time a model in that unit makes an attack, add 1 to the Hit roll.",
            "whose attack",
        ),
        ("Your unit can make a very long move.", "no phrase about the attack sequence found"),
    ],
)
def test_what_is_not_clear_is_not_modelled_and_says_so(effect: str, note: str) -> None:
    rows = stratagem_effects(stratagem(effect))
    assert [row.is_modelled for row in rows] == [False]
    assert note in (rows[0].note or "")
    assert rows[0].operation is None


def test_a_text_that_is_missing_gives_a_row() -> None:
    for rows in (
        stratagem_effects(stratagem(None)),
        enhancement_effects(Enhancement("X", 1, None)),
        detachment_rule_effects(DetachmentRule("X", None, None)),
    ):
        assert [(row.is_modelled, row.note) for row in rows] == [(False, "the source has no text of it")]


@pytest.mark.parametrize(
    "scrap", [MINE, "A, ", "have the [LANCE] ability and ", "enemy A B C ", "roll one D6: on a 2-3, "]
)
def test_a_hostile_text_is_read_or_said_to_be_too_long(scrap: str) -> None:
    rows = stratagem_effects(stratagem(scrap * (200_000 // len(scrap)), target=("One " + scrap * 5000)))
    assert "too long a sentence" in unread(rows)[0]
    assert stratagem_effects(stratagem(f"{scrap}. " * (20_000 // len(scrap))))


@pytest.mark.parametrize("scrap", ["AB, ", "AB or ", "AB, and ", "AB units and "])
def test_a_list_without_an_end_comes_to_an_end(scrap: str) -> None:
    """Lists of keywords can be split in one way only: with two ways each comma doubled the work."""
    assert stratagem_effects(stratagem(f"For {scrap * 500}", target=f"One {scrap * 500}"))


# --- the tables of the real dumps

STRATAGEMS = {
    "HUNTR’S MARK": ["attacker shooting reroll hit 1", "attacker shooting reroll wound 1"],
    "ANCESTRAL SENTENCE": [
        "attacker shooting grant_kw sustained_hits 1",
        "attacker shooting grant_kw sustained_hits 2",
    ],
    "RANGER TACTICS": ["attacker shooting reroll hit any"],
    "EXPOSED FLAWS": ["attacker shooting reroll wound any"],
    "ILLUMINATED PRIORITY": ["attacker shooting reroll hit 1"],
    "SUPERIOR CRAFTSMANSHIP": ["attacker fight stat_mod D +1"],
    "HONOUR OF THE HOLD": ["attacker fight stat_mod AP -1", "attacker fight stat_mod AP -2"],
    "EPIC CHALLENGE": ["attacker fight grant_kw precision None"],
    "PAYMENT IN KIND": ["attacker any reroll hit 1"],
    "PAN-SPECTRAL SWEEP": ["attacker shooting grant_kw lethal_hits None"],
    "FIRE OVERWATCH": ["attacker shooting extra_activation shooting 1", "attacker shooting hit_only_on hit 6"],
    "COMMAND RE-ROLL": [f"either any reroll {roll} one_die" for roll in ("hit", "wound", "damage", "save", "attacks")],
    "WEAVEWËRKE BUTTRESS": ["defender shooting roll_mod wound -1"],
    "VOID HARDENED": ["defender any stat_mod AP +1"],
    "GO TO GROUND": ["defender shooting invuln save 6", "defender shooting cover save granted"],
    "DISPERSED FORMATION": ["defender shooting roll_mod hit -1", "defender shooting cover save granted"],
    "SKEINWROUGHT PHYSIOLOGY": ["defender shooting stat_mod Sv -1"],
    "TANK SHOCK": ["attacker any mortal_wounds wounds D6 for each point of Toughness, each 5+: 1, at most 6"],
    "VENGEANCE FLARE": ["attacker shooting extra_activation shooting 1"],
    "REACTIVE REPRISAL": ["attacker shooting extra_activation shooting 1"],
}
ENHANCEMENTS = {
    "Bastion Shield": ["defender any stat_mod AP +1"] * 2,
    "Oathbound Speculator": ["attacker any reroll wound 1", "attacker any roll_mod wound +1"],
    "Iron Ambassador": [f"attacker shooting stat_mod D +{spent}" for spent in (1, 2, 3)],
    "Piledriver": [f"attacker fight stat_mod D +{spent}" for spent in (1, 2)],
    "Quake Supervisor": ["attacker any roll_mod hit +1"],
    "Trivärg Cyber Implant": ["attacker shooting grant_kw sustained_hits 2"],
}
DETACHMENT_RULES = {
    "Methodical Annihilation": ["attacker any reroll wound 1", "attacker any stat_mod AP -1"],
    "Mobile Sensor Relays": ["attacker any grant_kw sustained_hits 1"],
    "Optimal Application": ["attacker shooting reroll hit 1"],
}


def spelled(modifiers: tuple[Modifier, ...]) -> list[str]:
    assert modifiers
    modelled = [one for one in modifiers if one.is_modelled]
    return [f"{one.side} {one.phase} {one.operation} {one.characteristic} {one.value}" for one in modelled]


def test_the_effects_of_the_real_dumps(shared_dir: Path) -> None:
    names: set[str] = set()
    for path in discover([shared_dir / "dumps"]):
        document = read_document(path)
        for one in document.stratagems:
            assert spelled(stratagem_effects(one)) == STRATAGEMS.get(one.name, [])
        for enhancement in document.enhancements:
            assert spelled(enhancement_effects(enhancement)) == ENHANCEMENTS.get(enhancement.name, [])
        for rule in document.detachment_rules:
            assert spelled(detachment_rule_effects(rule)) == DETACHMENT_RULES.get(rule.name, [])
        names |= {one.name for one in (*document.stratagems, *document.enhancements, *document.detachment_rules)}
    assert {*STRATAGEMS, *ENHANCEMENTS, *DETACHMENT_RULES} <= names
    assert len(names) == 34 + 18 + 5
