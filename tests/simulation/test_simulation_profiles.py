"""Targets as frames have them, read into what the rules work on."""

import pytest

from pipelines.simulation.profiles import target_row

TARGET = {"target_id": "t", "toughness": 4, "save": 3, "wounds": 2, "models": 5}
NONE = 7


@pytest.mark.parametrize(
    ("saves", "ranged", "melee"),
    [
        ((None, None, None, None), NONE, NONE),
        ((5, None, None, None), 5, 5),
        ((5, "ranged", None, None), 5, NONE),
        ((6, None, 4, "melee"), 6, 4),
        ((5, None, 3, "ranged"), 3, 5),
        ((5, "ranged", 4, "melee"), 5, 4),
        ((5, "melee", 4, "melee"), NONE, 4),
    ],
)
def test_each_attack_meets_the_best_save_that_holds_against_it(
    saves: tuple[int | str | None, ...], ranged: int, melee: int
) -> None:
    names = (
        "invulnerable_save", "invulnerable_save_scope", "improved_invulnerable_save",
        "improved_invulnerable_save_scope",
    )  # fmt: skip
    target = target_row(TARGET | dict(zip(names, saves, strict=True)))
    assert (target.invulnerable_ranged, target.invulnerable_melee) == (ranged, melee)


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(ValueError, match="'t': improved_invulnerable_save_scope: unknown scope 'psychic'"):
        target_row(TARGET | {"improved_invulnerable_save": 4, "improved_invulnerable_save_scope": "psychic"})
