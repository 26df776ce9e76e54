"""Saves, Feel No Pain, brackets and bases, whatever source prints them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.records import UnitAbility
from pipelines.sources.stat_lines import (
    InvulnerableSave,
    read_base_size,
    read_damaged,
    read_invulnerable_save,
    save_by_attack,
    with_feel_no_pain,
)
from tests.builders import model


@pytest.mark.parametrize(
    ("printed", "remark", "expected"),
    [
        ("4+", "", InvulnerableSave(4)),
        ("*5", "", InvulnerableSave(5, unread="")),
        ("5+*", "* Against ranged attacks only", InvulnerableSave(5, "ranged")),
        ("5", "against a melee attack", InvulnerableSave(5, "melee")),
        ("5", "a 5+ save against ranged attacks and against melee attacks", InvulnerableSave(
            5, unread="a 5+ save against ranged attacks and against melee attacks")),
        ("6", "4+ against melee attacks only", InvulnerableSave(6, improved=4, improved_scope="melee")),
        ("4", "5+ against melee attacks", InvulnerableSave(4, unread="5+ against melee attacks")),
        ("5", "* Tester models only.", InvulnerableSave(5, only="Tester")),
        ("5", "Excluding the hound.", InvulnerableSave(5, excluding="hound")),
        ("5", "once per battle", InvulnerableSave(5, unread="once per battle")),
        ("-", "", None),
        ("7+", "", None),
    ],
)  # fmt: skip
def test_invulnerable_saves(printed: str, remark: str, expected: InvulnerableSave | None) -> None:
    assert read_invulnerable_save(printed, remark) == expected


@pytest.mark.parametrize("printed", ["1+", "8", "9+", "soon", "4+ 5+", "10"])
def test_what_is_no_save_is_refused(printed: str) -> None:
    with pytest.raises(ValueError, match="not an invulnerable save"):
        read_invulnerable_save(printed)


@given(st.none() | st.integers(2, 6), st.none() | st.integers(2, 6), st.none() | st.integers(2, 6))
def test_three_stated_saves_are_held_by_two_fields(
    everything: int | None, ranged: int | None, melee: int | None
) -> None:
    save = save_by_attack(everything, ranged, melee)
    for scope, own in (("ranged", ranged), ("melee", melee)):
        wanted = min((value for value in (everything, own) if value is not None), default=None)
        held = []
        if save is not None:
            held += [save.value] if save.scope in (None, scope) else []
            held += [save.improved] if save.improved is not None and save.improved_scope in (None, scope) else []
        assert min(held, default=None) == wanted


def test_several_feel_no_pains_leave_the_one_against_everything() -> None:
    printed = ("4+ (against mortal wounds)", "6+", "5+", "(ten)")
    abilities = [UnitAbility("core", "Feel No Pain", text) for text in printed]
    given_, unread = with_feel_no_pain([model()], [*abilities, UnitAbility("datasheet", "Feel No Pain", "2+")])
    assert [(one.feel_no_pain, one.feel_no_pain_scope) for one in given_] == [(5, None)]
    assert [ability.parameter for ability in unread] == ["(ten)"]


@pytest.mark.parametrize(
    ("wounds", "expected"), [("1-5", (1, 5)), ("DAMAGED: 1–10 WOUNDS REMAINING", (1, 10)), ("Damaged: 3", (3, 3))]
)
def test_wounds_left(wounds: str, expected: tuple[int, int]) -> None:
    bracket = read_damaged(wounds, None, 4)
    assert (bracket.wounds_from, bracket.wounds_to) == expected
    assert (bracket.text, bracket.hit_modifier, bracket.line) == (None, None, 4)


@pytest.mark.parametrize("wounds", ["", "5-1", "0-3", "many"])
def test_no_wounds_left_is_refused(wounds: str) -> None:
    with pytest.raises(ValueError, match="no wounds left"):
        read_damaged(wounds, "It limps.")


def test_bases() -> None:
    printed = ("(⌀32mm)", "[ 60 x 35mm ]", "Hull", "", "()")
    assert [read_base_size(text) for text in printed] == ["32mm", "60 x 35mm", "Hull", None, None]
