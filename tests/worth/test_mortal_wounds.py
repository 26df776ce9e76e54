from fractions import Fraction

import numpy as np
import pytest

from pipelines.worth.mortal_wounds import mortal_wounds_law, suffered

SQUAD = {"wounds": 2, "models": 3, "feel_no_pain": None, "feel_no_pain_scope": None}


@pytest.mark.parametrize(
    ("values", "models", "expected"),
    [
        (["3"], 5, [0, 0, 0, 1]),
        (["D3"], 5, [0, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]),
        (["one D6, 5+: 2"], 1, [Fraction(2, 3), 0, Fraction(1, 3)]),
        (["one D6, 2-5: 1", "one D6, 6: 3"], 1, [Fraction(1, 6), Fraction(4, 6), 0, Fraction(1, 6)]),
        (["two D6, each 4+: 1"], 1, [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]),
        (["one D6 for each model in this unit, each 4+: 1"], 2, [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]),
        (["six D6, each 4+: 1, at most 1"], 1, [Fraction(1, 64), Fraction(63, 64)]),
    ],
)  # fmt: skip
def test_laws_of_rolls(values: list[str], models: int, expected: list[Fraction]) -> None:
    law = mortal_wounds_law(values, models)
    assert law is not None
    np.testing.assert_allclose(law, [float(chance) for chance in expected], atol=1e-15)


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["some mortal wounds"],
        ["one D6 for each enemy unit within reach, 4+: D3"],
        ["two D6, 4+: 1"],  # which of the dice counts isn't said
        ["one D6, 2-5: 1", "one D6, 5+: 3"],  # face 5 twice
        ["two D6, each 4+: 1", "two D6, each 6: 2"],
        ["one D6, 4+: 1", "two D6, each 4+: 1"],
        ["one D6 for each model in your unit, each 4+: 1"] * 1 + ["3"],
    ],
)
def test_what_is_not_a_known_roll(values: list[str]) -> None:
    assert mortal_wounds_law(values, 5) is None


def test_a_crowd_of_dice_is_not_rolled() -> None:
    assert mortal_wounds_law(["one D6 for each model in this unit, each 4+: 1"], 101) is None


def test_wounds_spill_over_and_stop_at_the_last_model() -> None:
    assert suffered(np.array([0, 0, 0, 1.0]), SQUAD) == (3, 1, 0)
    assert suffered(np.array([0.0] * 9 + [1.0]), SQUAD) == (6, 3, 1)


def test_feel_no_pain_is_rolled_for_each() -> None:
    law = np.array([0, 0, 1.0])
    for scope in (None, "mortal"):
        damage, destroyed, _ = suffered(law, {**SQUAD, "feel_no_pain": 5, "feel_no_pain_scope": scope})
        assert damage == pytest.approx(2 * 4 / 6, abs=1e-15)
        assert destroyed == pytest.approx((4 / 6) ** 2, abs=1e-15)
    assert suffered(law, {**SQUAD, "feel_no_pain": 5, "feel_no_pain_scope": "ranged"}) == (2, 1, 0)
