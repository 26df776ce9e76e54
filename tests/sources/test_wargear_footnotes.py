"""What footnotes below wargear options forbid, and which options they stand at."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pipelines.records import CarryLimit, WargearOption, WargearSwap
from pipelines.sources.wargear_footnotes import with_footnotes
from pipelines.sources.wargear_options import parse_wargear_option

LIST = "Up to 4 Troopers can each have their gun replaced with one of the following*:\n- 1 axe\n- 1 bow"
ITEMS = "This model’s gun can be replaced with one of the following:\n- 1 axe*\n- 1 bow"
PLAIN = "The Sergeant’s gun can be replaced with 1 axe."


def options(*texts: str) -> list[WargearOption]:
    found = []
    for number, text in enumerate(texts, 1):
        sentence = text.split("\n*")[0].replace("\n", " ")
        found.append(replace(parse_wargear_option(sentence, number), text=text))
    return found


def under(footnote: str, *texts: str) -> list[WargearSwap | None]:
    return [each.swap for each in with_footnotes(options(*texts), [footnote])]


@pytest.mark.parametrize(
    ("text", "footnote", "heeded"),
    [
        (LIST, "* You cannot select the same weapon from this list more than once per unit.", {"repeats": ((0, 1),)}),
        (LIST, "* You cannot select the same option more than twice per unit.", {"repeats": ((0, 2),)}),
        (
            LIST,
            "* You cannot select the same weapon more than once per unit unless it contains 20 models, in which case "
            "you cannot select the same weapon more than twice per unit.",
            {"repeats": ((0, 1), (20, 2))},
        ),
        (ITEMS, "* That model’s bow cannot be replaced.", {"keeps": ("bow",)}),
        (ITEMS, "* This weapon cannot be replaced.", {"keeps": ("axe",)}),
        (ITEMS, "* Maximum 1 per model.", {"at_most": (CarryLimit(1, ("axe",)),)}),
        (
            ITEMS,
            "* This model cannot have duplicates of these pieces of wargear.",
            {"at_most": (CarryLimit(1, ("axe",)),)},
        ),
        (
            ITEMS,
            "* No model can be equipped with both an axe and a bow at the same time.",
            {"at_most": (CarryLimit(1, ("axe", "bow")),)},
        ),
        (
            ITEMS,
            "*This model cannot be equipped with both an axe and a bow. This model cannot be equipped with more than 1 "
            "bow, and it cannot be equipped with more than 2 axe.",
            {"at_most": (CarryLimit(1, ("axe", "bow")), CarryLimit(1, ("bow",)), CarryLimit(2, ("axe",)))},
        ),
        (ITEMS, "* Each model cannot be equipped with more than 3 ranged weapons.", {"at_most": (CarryLimit(3),)}),
        (
            ITEMS,
            "* This model can only be equipped with two ranged weapons if one of them is a Pistol (and it can only "
            "have one Pistol).",
            {"at_most": (CarryLimit(1, kind="pistol"), CarryLimit(1, kind="other_ranged"))},
        ),
        (
            LIST,
            "* A model can only take one of these options, and cannot be equipped with a horn or a flag.",
            {"not_carrying": ("horn", "flag"), "at_most": (CarryLimit(1, ("axe", "bow")),)},
        ),
        (LIST, "* Designer’s Note: an axe is heavy. It needs two hands.", {}),
    ],
)
def test_forms(text: str, footnote: str, heeded: dict[str, Any]) -> None:
    [before] = options(text)
    assert before.swap is not None
    assert under(footnote, text) == [replace(before.swap, **heeded)]


def test_so_many_for_each_ten_models() -> None:
    [swap] = under("* To a maximum of 1 per 10 models in this unit.", LIST)
    assert swap is not None
    assert swap.repeats[:3] == ((0, 0), (10, 1), (20, 2))


@pytest.mark.parametrize(
    "footnote",
    [
        "* These options cannot be taken on the same model.",
        "* You cannot select both of these options for the same model.",
        "* A model can only take one of these options.",
    ],
)
def test_marked_options_exclude_each_other(footnote: str) -> None:
    marked = ("This model can be equipped with 1 horn.*", "This model’s gun can be replaced with 1 bow.*")
    first, second, other = under(footnote, *marked, PLAIN)
    assert [each and each.at_most for each in (first, second)] == [(CarryLimit(1, ("horn", "bow")),)] * 2
    assert other == options(PLAIN)[0].swap


def test_what_a_footnote_says_for_an_unknown_reason_makes_its_options_unreadable() -> None:
    assert under("* Only on Sundays.", LIST, PLAIN) == [None, options(PLAIN)[0].swap]


def test_a_mark_of_two_stars_is_another_one() -> None:
    starred = LIST.replace("*", "**")
    footnote = "** You cannot select the same option more than once per unit."
    once, twice = under(footnote, LIST, starred)
    assert [each and each.repeats for each in (once, twice)] == [(), ((0, 1),)]


def test_a_footnote_without_a_mark_belongs_to_the_text_it_follows() -> None:
    footnote = "* That model’s bow cannot be replaced."
    assert [each and each.keeps for each in under(footnote, PLAIN, f"{PLAIN}\n{footnote}")] == [(), ("bow",)]


def test_a_bearer_that_stays_is_one_the_option_asks_for() -> None:
    bearer = (
        "For each fist this model is equipped with, it can be equipped with one of the following:\n- 1 axe*\n- 1 bow*"
    )
    assert under("* That fist cannot then be replaced.", bearer) == [options(bearer)[0].swap]
    assert under("* That fist cannot then be replaced.", LIST) == [None]
