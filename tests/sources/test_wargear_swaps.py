"""Who may take a wargear option, how often, what is given up and gained."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.records import CarryLimit, WargearSwap
from pipelines.sources.wargear_options import each_sentence, parse_wargear_option


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
            {"takers": "Trooper", "most": 1, "carrying": ("gun",), "keeps": ("gun",)},
        ),
        (
            "1 Trooper equipped with a gun can have its axe replaced with 1 bow. This model’s gun cannot be replaced.",
            (("axe", 1),),
            ((("bow", 1),),),
            {"takers": "Trooper", "most": 1, "carrying": ("gun",), "keeps": ("gun",)},
        ),
        (
            "If this model is equipped with an axe and a gun, it can be equipped with: - 1 flag",
            (),
            ((("flag", 1),),),
            {"carrying": ("axe", "gun")},
        ),
        (
            "If the Sergeant is not equipped with a flag, its gun can be replaced with 1 bow.",
            (("gun", 1),),
            ((("bow", 1),),),
            {"takers": "Sergeant", "not_carrying": ("flag",)},
        ),
        (
            "If this unit’s Sergeant is equipped with 1 gun, it can be equipped with 1 additional gun.",
            (),
            ((("gun", 1),),),
            {"takers": "Sergeant", "carrying": ("gun",)},
        ),
        (
            "For each fist this model is equipped with, it can be equipped with one of the following: - 1 bow - 1 gun",
            (),
            ((("bow", 1),), (("gun", 1),)),
            {"carrying": ("fist",), "times": None},
        ),
        (
            "For every 4 Scouts in this unit, up to 2 Scouts’ guns can each be replaced with 1 bow.",
            (("guns", 1),),
            ((("bow", 1),),),
            {"takers": "Scouts", "most": 2, "per_models": 4, "per_kind": "Scouts"},
        ),
        ("A Buggy’s gun can be replaced with 1 bow.", (("gun", 1),), ((("bow", 1),),), {"takers": "Buggy", "most": 1}),
        (
            "1 of the Boss’s pistols can be replaced with 1 axe.",
            (("pistols", 1),),
            ((("axe", 1),),),
            {"takers": "Boss"},
        ),
        (
            "Each model can have each gun it is equipped with replaced with one of the following: - 1 axe - 1 bow",
            (("gun", 1),),
            ((("axe", 1),), (("bow", 1),)),
            {"times": None},
        ),
        ("This model’s guns can each be replaced with 1 bow.", (("guns", 1),), ((("bow", 1),),), {"times": None}),
        ("Both of this model’s guns can be replaced with 1 bow.", (("guns", 2),), ((("bow", 1),),), {}),
        (
            "This model can be equipped with any of the following: - 1 axe - 1 ’eavy bow",
            (),
            ((("axe", 1),), (("’eavy bow", 1),)),
            {"times": 2, "distinct": True},
        ),
        (
            "This model’s gun can be replaced with 1 axe and one of the following: - 1 bow - 1 flag",
            (("gun", 1),),
            ((("axe", 1), ("bow", 1)), (("axe", 1), ("flag", 1))),
            {},
        ),
        (
            "The Sergeant’s gun can be replaced with 1 pair of claws, or two different weapons from the following list:"
            " - 1 axe - 1 bow - 1 gun",
            (("gun", 1),),
            (
                (("pair of claws", 1),),
                (("axe", 1), ("bow", 1)),
                (("axe", 1), ("gun", 1)),
                (("bow", 1), ("gun", 1)),
            ),
            {"takers": "Sergeant"},
        ),
        (
            "This model can be equipped with one of the following: - Whip - Shield",
            (),
            ((("Whip", 1),), (("Shield", 1),)),
            {},
        ),
        (
            "This model can be equipped with up to two of the following, and can take duplicates: - 1 gun "
            "- 1 drone (it cannot take duplicates of this piece of wargear)",
            (),
            ((("gun", 1),), (("drone", 1),)),
            {"times": 2, "at_most": (CarryLimit(1, ("drone",)),)},
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
        "The Sergeant’s gun or axe and bow can be replaced with 1 flag.",
        "This model must be equipped with one of the following: - 1 bow - 1 flag",
        "The Sergeant is equipped with: gun; axe.",
        "This model’s gun can be replaced with 1 bow or can be painted red.",
        "If this unit contains 10 or more models: - Up to 4 models can each have their gun replaced with 1 bow",
        "1 model equipped with a gun or a bow can be equipped with 1 flag.",
    ],
)
def test_what_is_not_understood_is_left_alone(text: str) -> None:
    option = parse_wargear_option(text, 1)
    assert option.swap is None
    assert option.text == text


@pytest.mark.parametrize(
    ("text", "trades"),
    [
        (
            "Up to 2 Troopers can each have their gun or axe replaced with one of the following: - 1 bow - 1 flag",
            [("gun", "bow"), ("gun", "flag"), ("axe", "bow"), ("axe", "flag")],
        ),
        ("1 Trooper can have its gun and axe or its bow replaced with 1 flag.", [("gun axe", "flag"), ("bow", "flag")]),
        (
            "Up to 2 Troopers can each have their gun replaced with 1 bow, or have their gun and axe replaced with one "
            "of the following: - 1 cannon - 1 flag",
            [("gun", "bow"), ("gun axe", "cannon"), ("gun axe", "flag")],
        ),
        (
            "This model can be equipped with 1 bow or can replace 1 gun with 1 bow.",
            [("", "bow"), ("gun", "bow")],
        ),
        (
            "The Boss can do one of the following: - Replace its gun and axe with 1 bow. - Be equipped with 1 flag.",
            [("gun axe", "bow"), ("", "flag")],
        ),
    ],
)
def test_alternatives_with_prices_of_their_own(text: str, trades: list[tuple[str, str]]) -> None:
    swap = _swap(text)
    assert swap is not None
    assert swap.replaces == ()
    found = zip(swap.besides, swap.choices, strict=True)
    assert [tuple(" ".join(name for name, _ in items) for items in trade) for trade in found] == trades


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("This model’s gun can replaced with 1 bow.", "This model’s gun can be replaced with 1 bow."),
        ("This model’s gun can be replace with 1 bow.", "This model’s gun can be replaced with 1 bow."),
        ("This model’s gun replaced with 1 bow.", "This model’s gun can be replaced with 1 bow."),
        ("This model’s gun can be replaced with with one 1 bow.", "This model’s gun can be replaced with 1 bow."),
        ("This model’s gun can be replaced with equipped with 1 bow.", "This model’s gun can be replaced with 1 bow."),
        (
            "Each model can have their gun can be replaced with 1 bow.",
            "Each model can have their gun replaced with 1 bow.",
        ),
        (
            "This model can be equipped with one of - the following: - 1 axe - 1 bow",
            "This model can be equipped with one of the following: - 1 axe - 1 bow",
        ),
    ],
)
def test_slips_of_the_pen(slip: str, meant: str) -> None:
    assert _swap(slip) == _swap(meant)
    assert _swap(slip) is not None


def test_names_behind_a_count_are_told_apart_by_the_weapons_of_the_datasheet() -> None:
    text = "This model’s 2 guns and long bow can be replaced with 1 axe."
    assert _swap(text, "Gun", "Long bow") == WargearSwap((("guns", 2), ("long bow", 1)), ((("axe", 1),),))
    assert _swap(text, "Guns and long bow") == WargearSwap((("guns and long bow", 2),), ((("axe", 1),),))


def test_a_condition_above_whole_sentences_belongs_to_each_of_them() -> None:
    parts = ["If this unit contains 10 models:", "1 Trooper’s gun can be replaced with 1 bow",
             "1 Trooper’s gun can be replaced with 1 axe"]  # fmt: skip
    assert [_swap(*own) for own in each_sentence(parts)] == [
        WargearSwap((("gun", 1),), ((name,),), takers="Trooper", most=1, from_models=10, to_models=10)
        for name in (("bow", 1), ("axe", 1))
    ]
    listed = ["This model can be equipped with one of the following:", "1 axe", "1 bow"]
    assert each_sentence(listed) == [listed]


def test_any_number_of_one_models_weapons() -> None:
    found = _swap("Any number of this model’s guns can each be replaced with 1 bow.")
    assert found == WargearSwap((("guns", 1),), ((("bow", 1),),), times=None)
