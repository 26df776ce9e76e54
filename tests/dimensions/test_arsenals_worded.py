"""From the words of options to what models may carry: twelve datasheets as they are printed, in other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from pipelines.dimensions.arsenals import arsenals
from pipelines.dimensions.units import conform
from pipelines.records import Composition, Cost, WargearOption
from pipelines.sources.wargear_footnotes import with_footnotes
from pipelines.sources.wargear_options import each_sentence, parse_wargear_option
from tests.builders import datasheet, document, weapon

NAMES = ("Gun", "Pistol", "Axe", "Bow", "Cannon", "Flamer", "Fist", "Long bow")
SQUAD = (Composition("Boss", 1, 1, ("Pistol", "Axe")), Composition("Troopers", 4, 9, ("Gun",)))
TANK = (Composition("Tank", 1, 1, ("Cannon", "Gun")),)
PRICES = (Cost(5, 80), Cost(10, 150))


def _options(lines: Sequence[str]) -> tuple[WargearOption, ...]:
    options: list[WargearOption] = []
    footnotes = []
    for line in lines:
        if line.startswith("*"):
            footnotes.append(line)
            continue
        for own in each_sentence(line.split(" / ")):
            option = parse_wargear_option(" - ".join(own), len(options) + 1, weapon_names=NAMES)
            options.append(replace(option, text="\n- ".join(own)))
    return with_footnotes(options, footnotes)


def _carried(lines: Sequence[str], composition: tuple[Composition, ...], kind: str) -> dict[int, dict[str, int | None]]:
    """By the unit's size: what a model of that kind may carry, and how many of them (None: all)."""
    tank = sum(each.max_models for each in composition) == 1
    sheet = datasheet(
        composition=composition,
        weapons=tuple(weapon(name) for name in NAMES),
        wargear_options=_options(lines),
        costs=(Cost(1, 90),) if tank else PRICES,
    )
    return {
        found.models: {
            " ".join(name if count == 1 else f"{count}×{name}" for name, count in armament.weapons): min(
                (found.limits[limit] for limit in armament.limits), default=None
            )
            for kinds in (found.kinds, *found.together)
            for each in kinds
            if each.name == kind
            for armament in each.armaments
        }
        for found in arsenals(conform([document(sheet)]).units[0])
    }


@pytest.mark.parametrize(
    ("lines", "kind", "small", "large"),
    [
        pytest.param(
            ["Up to 4 Troopers can each have their gun replaced with one of the following:* / 1 bow / 1 flamer",
             "* You cannot select the same weapon from this list more than twice per unit."],
            "Troopers", {"Gun": None, "Bow": 2, "Flamer": 2}, {"Gun": None, "Bow": 2, "Flamer": 2}, id="twice per unit",
        ),
        pytest.param(
            ["Any number of Troopers can each have their gun replaced with one of the following*: / 1 bow / 1 flamer",
             "* You cannot select the same weapon from this list more than once per unit."],
            "Troopers", {"Gun": None, "Bow": 1, "Flamer": 1}, {"Gun": None, "Bow": 1, "Flamer": 1}, id="once per unit",
        ),
        pytest.param(
            ["For every 5 models in this unit, up to 2 Troopers can each have their gun replaced with one of the "
             "following*: / 1 bow / 1 flamer",
             "* You cannot select the same option more than once per unit unless it contains 10 models, in which case "
             "you cannot select the same option more than twice per unit."],
            "Troopers", {"Gun": None, "Bow": 1, "Flamer": 1}, {"Gun": None, "Bow": 2, "Flamer": 2}, id="once or twice",
        ),
        pytest.param(
            ["If this unit contains 9 or fewer models: / Up to 2 models can each have their gun replaced with 1 bow",
             "If this unit contains 10 or more models: / Up to 4 models can each have their gun replaced with 1 bow"],
            "Troopers", {"Gun": None, "Bow": 2}, {"Gun": None, "Bow": 4}, id="by size",
        ),
        pytest.param(
            ["Any number of Troopers can each have their gun replaced with 1 axe.",
             "Up to 2 Troopers can each have their gun or axe replaced with one of the following (duplicates are not "
             "allowed): / 1 bow / 1 flamer"],
            "Troopers", {"Gun": None, "Axe": None, "Bow": 1, "Flamer": 1},
            {"Gun": None, "Axe": None, "Bow": 1, "Flamer": 1}, id="either is replaced",
        ),
        pytest.param(
            ["For every 5 models in this unit, 1 Trooper equipped with a gun can be equipped with 1 flamer (that "
             "model’s gun cannot be replaced).", "Any number of models can each have their gun replaced with 1 bow."],
            "Troopers", {"Gun": None, "Gun Flamer": 1, "Bow": None}, {"Gun": None, "Gun Flamer": 2, "Bow": None},
            id="what it asks for stays",
        ),
        pytest.param(
            ["All models in this unit can each have their gun replaced with 1 bow.",
             "For every 5 models in this unit, 1 model’s gun can be replaced with 1 cannon."],
            "Troopers", {"Gun": None, "Cannon": 1, "Bow": None}, {"Gun": None, "Cannon": 2, "Bow": None},
            id="all or none",
        ),
        pytest.param(
            ["The Boss’s pistol can be replaced with 1 gun and one of the following: / 1 bow / 1 flamer"],
            "Boss", {"Pistol Axe": None, "Gun Axe Bow": None, "Gun Axe Flamer": None},
            {"Pistol Axe": None, "Gun Axe Bow": None, "Gun Axe Flamer": None}, id="a fixed part and a choice",
        ),
        pytest.param(
            ["The Boss’s pistol can be replaced with one of the following: / 1 gun* / 1 bow",
             "The Boss’s axe can be replaced with one of the following: / 1 gun* / 1 flamer",
             "* Maximum 1 per model."],
            "Boss",
            dict.fromkeys(("Pistol Axe", "Gun Axe", "Axe Bow", "Gun Pistol", "Pistol Flamer", "Gun Flamer", "Gun Bow",
                           "Bow Flamer")),
            dict.fromkeys(("Pistol Axe", "Gun Axe", "Axe Bow", "Gun Pistol", "Pistol Flamer", "Gun Flamer", "Gun Bow",
                           "Bow Flamer")), id="once a model",
        ),
    ],
)  # fmt: skip
def test_squads(
    lines: Sequence[str], kind: str, small: Mapping[str, int | None], large: Mapping[str, int | None]
) -> None:
    assert _carried(lines, SQUAD, kind) == {5: small, 10: large}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ["This model can be equipped with 1 bow or can replace 1 gun with 1 bow."],
            ["Gun Cannon", "Gun Bow Cannon", "Bow Cannon"], id="added or exchanged",
        ),
        pytest.param(
            ["This model’s cannon and gun can be replaced with 1 fist and 1 axe.",
             "For each fist this model is equipped with, it can be equipped with one of the following: / 1 bow* "
             "/ 1 flamer*", "This model’s fist can be replaced with 1 long bow.",
             "* That fist cannot then be replaced."],
            ["Gun Cannon", "Axe Fist", "Axe Bow Fist", "Axe Flamer Fist", "Axe Long bow"], id="one for each bearer",
        ),
        pytest.param(
            ["This model’s 1 cannon and gun can be replaced with 1 long bow.",
             "This model can be equipped with any of the following: / 1 axe / 1 fist"],
            ["Gun Cannon", "Long bow", "Gun Axe Cannon", "Gun Cannon Fist", "Axe Long bow", "Fist Long bow",
             "Gun Axe Cannon Fist", "Axe Fist Long bow"], id="any of a list",
        ),
    ],
)  # fmt: skip
def test_a_tank(lines: Sequence[str], expected: Sequence[str]) -> None:
    assert _carried(lines, TANK, "Tank") == {1: dict.fromkeys(expected)}
