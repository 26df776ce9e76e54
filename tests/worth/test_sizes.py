"""Clauses on numbers of models: decided where the unit or the target stands at a known size, else assumed."""

from __future__ import annotations

import pytest

from pipelines.worth.circumstances import circumstances, keyword_set
from pipelines.worth.sizes import Sized, SizeTest, sized

VOCABULARY = keyword_set(["CHAOS", "MONSTER", "PIPERS"])


def read(condition: str) -> Sized:
    return sized(circumstances(condition, vocabulary=VOCABULARY), condition)


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("that targets an enemy unit that contains 6 or more models", SizeTest("target", 6)),
        ("If that attack targets an enemy unit that contains 11 or more models", SizeTest("target", 11)),
        ("that targets a CHAOS unit containing five or more models", SizeTest("target", 5)),
        ("that targets a unit that contains 4 or fewer models", SizeTest("target", 0, 4)),
        ("If your unit contains 15 or more models", SizeTest("user", 15)),
        ("a PIPERS unit from your army that contains 10 or more models", SizeTest("user", 10)),
        ("While this unit contains 2 models", SizeTest("user", 2, 2)),
    ],
)
def test_a_number_of_models_is_decided(condition: str, test: SizeTest) -> None:
    found = read(condition)
    assert (found.tests, found.facts.assumed, found.reason) == ((test,), (), None)


def test_bounds_are_meant_with_their_number() -> None:
    assert [SizeTest("target", 2, 4).meets(models) for models in (1, 2, 4, 5)] == [False, True, True, False]


@pytest.mark.parametrize(
    "clause",
    [
        "that targets a unit that is below its Starting Strength",
        "that targets a unit Below Half-strength",
        "If that target is also Below Half-strength",
    ],
)
def test_targets_are_at_full_strength(clause: str) -> None:
    assert read(clause).reason == f"targets are at full strength: {clause}"


def test_that_unit_is_the_target_where_one_is_spoken_of() -> None:
    assert read("that targets a MONSTER unit; if that unit is Below Half-strength").reason is not None
    assert read("if that unit is Below Half-strength").reason is None


@pytest.mark.parametrize(
    "clause",
    ["that targets a unit that is at its Starting Strength", "that targets a unit that is not Below Half-strength"],
)
def test_full_strength_holds(clause: str) -> None:
    found = read(clause)
    assert (found.tests, found.facts.assumed, found.reason) == ((), (), None)


@pytest.mark.parametrize(
    "clause",
    [
        "If your unit is Below Half-strength",
        "that targets a unit that is Battle-shocked and/or Below Half-strength",
        "If the bearer’s unit contains 10 or more models",
        "While this unit contains one or more Drummer models",
    ],
)
def test_what_the_size_does_not_decide_stays_assumed(clause: str) -> None:
    found = read(clause)
    assert (found.tests, found.facts.assumed, found.reason) == ((), (clause,), None)


def test_what_else_a_clause_says_stays_assumed() -> None:
    clause = "that targets a unit within range of an objective marker that contains 6 or more models"
    found = read(clause)
    assert (found.tests, found.facts.assumed) == ((SizeTest("target", 6),), (clause,))
