from typing import Any

import pytest

from pipelines.dimensions.defences import Defences, defences
from pipelines.records import UnitAbility

HIT, WOUND = "subtract 1 from the Hit roll", "subtract 1 from the Wound roll"
DAMAGE = "subtract 1 from the Damage characteristic of that attack"
HALVE = "halve the Damage characteristic of that attack"
STRONGER = "if the Strength characteristic of that attack is greater than the Toughness characteristic of this model"
FEEL_NO_PAIN = "the Feel No Pain 4+ ability"


def read(text: str | None, *, kind: Any = "datasheet", one_kind: bool = True) -> Defences:
    return defences([UnitAbility(kind, "Thick Hide", None, text)], one_kind=one_kind)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Each time an attack is allocated to this model, {DAMAGE}.", {"damage_minus": 1}),
        (
            "Each time an attack is allocated to this model, subtract 1 from that attack’s Damage characteristic",
            {"damage_minus": 1},
        ),
        (f"Each time an attack is allocated to a model in this unit, {HALVE}.", {"damage_half": True}),
        (f"Each time an attack targets this unit, {HIT}.", {"hit_mod": -1}),
        (f"Each time an attack targets this model, {WOUND}.", {"wound_mod": -1}),
        (f"Each time an attack targets this unit, {HIT} and {WOUND}.", {"hit_mod": -1, "wound_mod": -1}),
        (f"Each time an attack is allocated to this model, {STRONGER}, {WOUND}.", {"wound_minus_if_stronger": True}),
        (
            "Each time an attack targets this model, worsen the Armour Penetration characteristic of that attack by 1.",
            {"ap_worsen": 1},
        ),
        (f"This model has {FEEL_NO_PAIN} against mortal wounds.", {"feel_no_pain_mortal": 4}),
        (f"Against mortal wounds, models in this unit have {FEEL_NO_PAIN}.", {"feel_no_pain_mortal": 4}),
    ],
)
def test_whole_texts_that_always_hold_are_read(text: str, expected: dict[str, Any]) -> None:
    assert read(text) == Defences(**expected)


@pytest.mark.parametrize(
    "text",
    [
        f"Each time a melee attack targets this unit, {HIT}.",
        f"Each time an attack targets this unit, if it stands on a hill, {HIT}.",
        f"Each time an attack is allocated to this model, {DAMAGE}. Roll one D6.",
        "Once per battle, when an attack is allocated to it, change the Damage characteristic of that attack to 0.",
        "Once per battle, at the start of any phase, until the end of it, this model has a 3+ invulnerable save.",
    ],
)
def test_what_depends_on_anything_is_listed_and_not_applied(text: str) -> None:
    assert read(text) == Defences(not_modelled=("Thick Hide",))


def test_this_model_means_every_model_only_where_they_are_alike() -> None:
    text = f"Each time an attack is allocated to this model, {DAMAGE}."
    assert read(text, one_kind=False) == Defences(not_modelled=("Thick Hide",))
    assert read(text.replace("this model", "a model in this unit"), one_kind=False) == Defences(damage_minus=1)


def test_wargear_is_listed_since_it_need_not_be_taken() -> None:
    assert read("The bearer has a 4+ invulnerable save.", kind="wargear") == Defences(not_modelled=("Thick Hide",))


def test_what_is_read_in_part_is_applied_and_listed() -> None:
    text = f"Models in this unit have {FEEL_NO_PAIN} against Psychic Attacks and mortal wounds."
    assert read(text) == Defences(feel_no_pain_mortal=4, not_modelled=("Thick Hide",))


@pytest.mark.parametrize(
    "text",
    [
        None,
        "Each time this model makes an attack, add 1 to the Hit roll.",
        f"While this model is leading a unit, each time an attack targets that unit, {HIT}.",
        'While a friendly unit is within 6" of this model, models in that unit have a 5+ invulnerable save.',
    ],
)
def test_what_protects_others_or_nobody_is_not_listed(text: str | None) -> None:
    assert read(text) == Defences()


def test_several_abilities_add_up() -> None:
    abilities = [
        UnitAbility("datasheet", "One", None, f"Each time an attack targets this unit, {HIT}."),
        UnitAbility("datasheet", "Two", None, f"Each time an attack is allocated to a model in this unit, {DAMAGE}."),
    ]
    assert defences(abilities, one_kind=True) == Defences(hit_mod=-1, damage_minus=1)
