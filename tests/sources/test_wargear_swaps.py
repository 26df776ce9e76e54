"""Who may take a wargear option, how often, what is given up and gained."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pipelines.records import WargearSwap
from pipelines.sources.wargear_options import parse_wargear_option, with_footnotes


def _swap(text: str, *weapon_names: str) -> WargearSwap | None:
    return parse_wargear_option(text, 1, weapon_names=weapon_names).swap


@pytest.mark.parametrize(
    ("text", "replaces", "choices", "limits"),
    [
        ("This model’s twin gun can be replaced with 1 long gun.", (("twin gun", 1),), ((("long gun", 1),),), {}),
        ("This model’s 2 long guns can be replaced with 2 wide guns.", (("long guns", 2),), ((("wide guns", 2),),), {}),
        (
            "Any number of models can each have their gun replaced with one of the following: "
            "- 1 axe - 1 bow and 1 axe",
            (("gun", 1),),
            ((("axe", 1),), (("bow", 1), ("axe", 1))),
            {},
        ),
        (
            "All models in this unit can each have their axe replaced with 1 bow.",
            (("axe", 1),),
            ((("bow", 1),),),
            {"together": True},
        ),
        ("The Sergeant’s gun can be replaced with 1 axe.", (("gun", 1),), ((("axe", 1),),), {"takers": "Sergeant"}),
        (
            "For every 5 models in this unit, up to 2 Troopers can each have their gun replaced with 1 cannon.",
            (("gun", 1),),
            ((("cannon", 1),),),
            {"takers": "Troopers", "most": 2, "per_models": 5},
        ),
        (
            "If this unit contains 10 models, one model can be equipped with 1 horn.",
            (),
            ((("horn", 1),),),
            {"most": 1, "from_models": 10, "to_models": 10},
        ),
        (
            "If this unit contains 10 or more models, 1 Trooper’s gun can be replaced with 1 cannon.",
            (("gun", 1),),
            ((("cannon", 1),),),
            {"takers": "Trooper", "most": 1, "from_models": 10},
        ),
        (
            "Each of this model’s long guns can be replaced with 1 wide gun.",
            (("long guns", 1),),
            ((("wide gun", 1),),),
            {"times": None},
        ),
        ("2 of this model’s guns can each be replaced with 1 axe.", (("guns", 1),), ((("axe", 1),),), {"times": 2}),
        (
            "For every 5 models in this unit, it can be equipped with 1 horn.",
            (),
            ((("horn", 1),),),
            {"most": 1, "per_models": 5},
        ),
        ("This model can be equipped with up to 2 rockets.", (), ((("rockets", 1),),), {"times": 2}),
        (
            "This model can be equipped with up to two of the following, but cannot take duplicates: - 1 gun - 1 axe",
            (),
            ((("gun", 1),), (("axe", 1),)),
            {"times": 2, "distinct": True},
        ),
        (
            "Up to 2 Troopers can each have their gun replaced with one of the following (duplicates are not allowed): "
            "- 1 axe - 1 bow * Not both.",
            (("gun", 1),),
            ((("axe", 1),), (("bow", 1),)),
            {"takers": "Troopers", "most": 2, "distinct": True},
        ),
        (
            "1 model that is not equipped with a horn can be equipped with 1 flag.",
            (),
            ((("flag", 1),),),
            {"most": 1, "not_carrying": ("horn",)},
        ),
        (
            "1 Trooper equipped with a gun can be equipped with 1 horn (that model’s gun cannot be replaced).",
            (),
            ((("horn", 1),),),
            {"takers": "Trooper", "most": 1, "carrying": ("gun",)},
        ),
    ],
)  # fmt: skip
def test_forms(text: str, replaces: Any, choices: Any, limits: dict[str, Any]) -> None:
    assert _swap(text) == WargearSwap(replaces, choices, **limits)


def test_a_name_that_holds_an_and_stays_whole() -> None:
    swap = _swap("This model’s hammer and tongs can be replaced with 1 axe and bow.", "Hammer and tongs", "axe and bow")
    assert swap == WargearSwap((("hammer and tongs", 1),), ((("axe and bow", 1),),))


@pytest.mark.parametrize(
    "text",
    [
        "The Sergeant’s gun or axe can be replaced with 1 bow.",
        "This model’s gun can be replaced with 1 axe and one of the following: - 1 bow - 1 flag",
        "If this unit contains 10 or more models: - Up to 4 models can each have their gun replaced with 1 bow",
        "1 model equipped with a gun or a bow can be equipped with 1 flag.",
    ],
)
def test_what_is_not_understood_is_left_alone(text: str) -> None:
    option = parse_wargear_option(text, 1)
    assert option.swap is None
    assert option.text == text


def test_any_number_of_one_models_weapons() -> None:
    found = _swap("Any number of this model’s guns can each be replaced with 1 bow.")
    assert found == WargearSwap((("guns", 1),), ((("bow", 1),),), times=None)


def test_a_footnote_forbids_the_same_choice_twice() -> None:
    texts = ["Up to 2 Troopers can each have their gun replaced with one of the following*:\n- 1 axe\n- 1 bow",
             "The Sergeant’s gun can be replaced with one of the following:\n- 1 axe\n- 1 bow"]  # fmt: skip
    options = [replace(parse_wargear_option(text.replace("\n", " "), n), text=text) for n, text in enumerate(texts, 1)]
    footnote = "* You cannot select the same weapon from this list more than once per unit."
    assert [each.swap and each.swap.distinct for each in with_footnotes(options, [footnote])] == [True, False]
    other = "* A model with a bow has no axe."
    assert [each.swap and each.swap.distinct for each in with_footnotes(options, [other])] == [False, False]
