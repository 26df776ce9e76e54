"""Printed weapon abilities, characteristics and wargear options, whatever source they come from."""

from __future__ import annotations

import pytest

from pipelines.sources.values import parse_dice, parse_penetration, parse_range, parse_skill
from pipelines.sources.wargear_options import parse_wargear_option
from pipelines.sources.weapon_abilities import parse_weapon_abilities, parse_weapon_ability


@pytest.mark.parametrize(
    ("printed", "ability", "value", "against", "condition"),
    [
        ("sustained hits 1", "sustained_hits", "1", (), None),
        ("SUSTAINED HITS D3", "sustained_hits", "D3", (), None),
        ("sustained HITS 2", "sustained_hits", "2", (), None),
        ("rapid fire d6+3", "rapid_fire", "D6+3", (), None),
        ("anti-infantry 4+", "anti", "4", ("INFANTRY",), None),
        ("Anti‑Vehicle 2+", "anti", "2", ("VEHICLE",), None),
        ("anti-monster/vehicle 4+", "anti", "4", ("MONSTER", "VEHICLE"), None),
        ("anti-epic hero 2+", "anti", "2", ("EPIC HERO",), None),
        ("melta 2", "melta", "2", (), None),
        ("blast", "blast", None, (), None),
        ("blast 2", "blast", "2", (), None),
        ("cleave 2", "cleave", "2", (), None),
        ("[TWIN-LINKED]", "twin_linked", None, (), None),
        ("twin linked", "twin_linked", None, (), None),
        ("one shot", "one_shot", None, (), None),
        ("extra attacks", "extra_attacks", None, (), None),
        ("conversion", "conversion", None, (), None),
        ("ignores cover", "ignores_cover", None, (), None),
        ("LETHAL HITS: non-MONSTER/VEHICLE", "lethal_hits", None, (), "non-MONSTER/VEHICLE"),
    ],
)
def test_known_abilities(
    printed: str, ability: str, value: str | None, against: tuple[str, ...], condition: str | None
) -> None:
    read, problem = parse_weapon_ability(printed)
    assert problem is None
    assert (read.ability, read.value, read.against_keywords, read.condition) == (ability, value, against, condition)


@pytest.mark.parametrize(
    ("printed", "ability", "code"),
    [
        ("anti-fly", "anti", "weapon_ability_value_missing"),
        ("anti-fly 1+", "anti", "weapon_ability_value_missing"),
        ("anti-fly 7+", "anti", "weapon_ability_value_missing"),
        ("sustained hits", "sustained_hits", "weapon_ability_value_missing"),
        ("sustained hits X", "sustained_hits", "weapon_ability_value_missing"),
        ("rapid fire D7", "rapid_fire", "weapon_ability_value_missing"),
        ("wobbly aim", "wobbly_aim", "unknown_weapon_ability"),
    ],
)
def test_what_is_not_whole_is_kept_without_a_guess(printed: str, ability: str, code: str) -> None:
    read, problem = parse_weapon_ability(printed)
    assert problem is not None
    assert (read.ability, read.value, problem[0]) == (ability, None, code)


def test_a_list_counts_what_is_printed_twice_once() -> None:
    abilities, issues = parse_weapon_abilities("[sustained hits 1, Sustained Hits 1. heavy, anti-fly]", line=7)
    assert [(one.ability, one.value) for one in abilities] == [("sustained_hits", "1"), ("heavy", None), ("anti", None)]
    assert [(issue.code, issue.line) for issue in issues] == [("weapon_ability_value_missing", 7)]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("3", "3"),
        ("d6 ", "D6"),
        ("2D6 + 1", "2D6+1"),
        ("D3+3", "D3+3"),
        ("D6-1", "D6-1"),
        ("1D6", "D6"),
        ("D6+0", "D6"),
    ],
)
def test_dice(cell: str, value: str) -> None:
    assert parse_dice(cell) == value


@pytest.mark.parametrize("cell", ["D7", "D6+", "2D", "", "x", "D6+D3", "0D6", "３", "3 3"])
def test_dice_that_are_none(cell: str) -> None:
    with pytest.raises(ValueError, match="D3 or D6"):
        parse_dice(cell)


def test_skills_ranges_and_penetrations() -> None:
    assert [parse_skill(cell) for cell in ("4+", "3", "N/A", "-")] == [4, 3, None, None]
    assert [parse_range(cell) for cell in ('24"', "9", "Melee", "N/A")] == [24, 9, None, None]
    assert [parse_penetration(cell) for cell in ("-2", "0", "-0", "−1")] == [-2, 0, 0, -1]
    for read, cell in ((parse_skill, "1+"), (parse_skill, "D6"), (parse_range, "far"), (parse_penetration, "-x")):
        with pytest.raises(ValueError, match="not a"):
            read(cell)


@pytest.mark.parametrize(
    ("text", "action", "replaces", "gains", "quantity", "eligibility"),
    [
        ("This model’s axe can be replaced with 1 club.", "replace", ("axe",), ("club",), 1, "This model"),
        ("This model’s 2 axes can be replaced with 2 clubs", "replace", ("axes",), ("clubs",), 2, "This model"),
        (
            "For every 5 models in this unit, 1 Rider’s axe and bow can be replaced with 1 club.",
            "replace",
            ("axe", "bow"),
            ("club",),
            1,
            "For every 5 models in this unit, 1 Rider",
        ),
        ("Riders can each replace their axe with 1 club.", "replace", ("axe",), ("club",), 1, "Riders"),
        ("The Rider can be equipped with 1 horn and 1 flag.", "add", (), ("horn", "flag"), 1, "The Rider"),
        (
            "This model can be equipped with one of these: 1 horn, 2 flags",
            "add",
            (),
            ("horn", "flags"),
            None,
            "This model",
        ),
        ("Whatever else there is.", None, (), (), None, None),
    ],
)
def test_options(
    text: str,
    action: str | None,
    replaces: tuple[str, ...],
    gains: tuple[str, ...],
    quantity: int | None,
    eligibility: str | None,
) -> None:
    option = parse_wargear_option(text, 1)
    assert (option.action, option.replaces, option.gains) == (action, replaces, gains)
    assert (option.quantity, option.eligibility, option.text) == (quantity, eligibility, text)


def test_a_weapon_name_with_an_and_in_it_stays_whole() -> None:
    option = parse_wargear_option(
        "Its rider can have its axe and bow replaced with 1 club.", 1, weapon_names=("Axe and bow",)
    )
    assert option.replaces == ("axe and bow",)


def test_a_hostile_sentence_is_kept_as_text() -> None:
    assert parse_wargear_option("can have its a " * 5000, 1).action is None
