"""How far a text was read."""

from __future__ import annotations

import pytest

from pipelines.rulebook.effects import ability_effects, coverage

ROLL = "Select one enemy unit near by, then roll six D6{}: for each 4+, that enemy unit suffers 1 mortal wound."


@pytest.mark.parametrize(
    ("text", "status", "clause"),
    [
        (None, "no_text", None),
        ("  ", "no_text", None),
        ("The bearer can re-roll Charge rolls.", "not_about_damage", None),
        ("One model in the bearer’s unit regains D3 lost wounds.", "not_about_damage", None),
        ("The bearer has the Lone Operative ability.", "not_about_damage", None),
        ("The bearer has a 4+ invulnerable save.", "modelled", None),
        (
            "Each time an attack targets the bearer, if the Strength characteristic of that attack is 8, subtract 1 "
            "from the "
            "Hit roll.",
            "modelled",
            None,
        ),
        ("Swap the dice of a Hit roll with a friend.", "not_modelled", "not read: Swap the dice"),
        ("The [BLAST] ability counts hidden models. Be glad.", "not_modelled", "not read: The [BLAST]"),
        (
            "The bearer has a 4+ invulnerable save. Swap the dice of a Hit roll with a friend.",
            "partly",
            "not read: Swap the dice",
        ),
        (ROLL.format(""), "modelled", None),
        (ROLL.format(", adding 1 to each result if it is day"), "partly", "changes the roll: adding 1"),
        # a clause beside one that was read
        (
            "Each time the bearer makes an attack, add 1 to the Hit roll and swap the dice of the Wound roll with a "
            "friend.",
            "partly",
            "not read: Each time the bearer",
        ),
    ],
)  # fmt: skip
def test_status_and_clause(text: str | None, status: str, clause: str | None) -> None:
    found = coverage(text, ability_effects(text))
    assert found.status == status
    assert (found.clause is None) == (clause is None)
    assert (found.clause or "").startswith(clause or "")
