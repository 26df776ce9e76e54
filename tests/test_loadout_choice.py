"""The best loadouts by expected damage, with worths that make the right answer plain."""

import numpy as np
import polars as pl
import pytest

from pipelines.dimensions.armaments import Armament
from pipelines.dimensions.arsenals import Arsenal, Kind
from pipelines.dimensions.loadouts import Loadout
from pipelines.loadout_choice import MAX_LOADOUTS, WeaponWorth, choose_loadouts, equipped
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import GridResult
from tests.builders import weapon


def worth(shooting: tuple[float, ...] = (0, 0), fight: tuple[float, ...] = (0, 0), **flags: bool) -> WeaponWorth:
    return WeaponWorth(np.array(shooting, dtype=float), np.array(fight, dtype=float), **flags)


WORTH = {
    "Gun": worth((1, 1)),
    "Cannon": worth((3, 0)),
    "Flamer": worth((0, 5)),
    "Pistol": worth((0.5, 2), alone=True),
    "Knife": worth(fight=(1, 1)),
    "Fist": worth(fight=(1, 3)),
    "Tusks": worth(fight=(2, 2.5), on_top=True),
}


def arms(*names: str, limits: tuple[int, ...] = ()) -> Armament:
    return Armament(tuple((name, 1) for name in names), limits)


def choose(*kinds: Kind, limits: tuple[int, ...] = (), fires_all: bool = False) -> list[Loadout]:
    return choose_loadouts(Arsenal("unit", 5, 80, {}, fires_all, kinds, limits), WORTH)


def test_limited_weapons_go_where_they_gain_most_and_no_further_than_their_limit() -> None:
    troopers = Kind("Trooper", 4, (arms("Gun"), arms("Cannon", limits=(0,)), arms("Flamer", limits=(0,))))
    assert [(each.name, each.rows) for each in choose(troopers, limits=(2,))] == [
        ("default", ((4, (("Gun", 1),)),)),
        ("2 × Cannon", ((2, (("Gun", 1),)), (2, (("Cannon", 1),)))),
        ("2 × Flamer", ((2, (("Gun", 1),)), (2, (("Flamer", 1),)))),
    ]


def test_two_kinds_share_a_limit() -> None:
    sergeant = Kind("Sergeant", 1, (arms("Gun", "Knife"), arms("Cannon", "Knife", limits=(0,))))
    troopers = Kind("Trooper", 4, (arms("Gun"), arms("Cannon", limits=(0,))))
    names = [each.name for each in choose(sergeant, troopers, limits=(1,))]
    assert names == ["default", "1 × Cannon"]


def test_all_models_take_what_is_for_all_or_none_of_them() -> None:
    def kinds(*, flamers: bool) -> tuple[Kind, Kind]:
        leader = Kind("Sergeant", 1, (arms("Flamer" if flamers else "Gun"), arms("Cannon")))
        return leader, Kind("Trooper", 4, (arms("Flamer" if flamers else "Gun"),))

    arsenal = Arsenal("unit", 5, 80, {}, False, kinds(flamers=False), together=(kinds(flamers=True),))
    assert [each.name for each in choose_loadouts(arsenal, WORTH)] == ["default", "1 × Cannon", "5 × Flamer"]


def test_equals_keep_the_default_and_the_other_phase_decides_between_equals() -> None:
    kind = Kind("Trooper", 5, (arms("Gun", "Knife"), arms("Gun", "Fist")))
    default, fists = choose(kind)
    assert (default.name, fists.name) == ("default", "5 × Fist")
    assert fists.carried == {"Gun": 5, "Fist": 5}


@pytest.mark.parametrize(("more", "loadouts"), [(1e-15, ["default"]), (1e-9, ["default", "1 × Gun"])])
def test_what_differs_by_rounding_alone_is_equal(more: float, loadouts: list[str]) -> None:
    weapons = {"bow": weapon("Bow"), "gun": weapon("Gun")}
    arsenal = Arsenal("unit", 1, 80, weapons, kinds=(Kind("Trooper", 1, (arms("Bow"), arms("Gun"))),))
    grid = GridResult(
        attack_classes=pl.DataFrame(
            {"weapon_profile_id": list(weapons), "scenario_id": ["plain"] * 2, "attack_class_id": [0, 1]}
        ),
        target_classes=pl.DataFrame({"target_id": ["t"], "target_class_id": [0]}),
        cells=pl.DataFrame({"attack_class_id": [0, 1], "target_class_id": [0, 0], "outcome_id": [0, 1]}),
        outcomes=pl.DataFrame({"outcome_id": [0, 1], "expected_damage": [2 / 3, 2 / 3 + more]}),
        book=LawBook(),
        signature_count=2,
    )
    found = equipped([arsenal], pl.DataFrame({"target_id": ["t"]}), grid)
    assert [each.loadout for each in found] == loadouts


@pytest.mark.parametrize(("fires_all", "expected"), [(False, ["default"]), (True, ["default", "1 × Pistol"])])
def test_a_pistol_beside_other_guns_counts_only_where_all_are_fired(fires_all: bool, expected: list[str]) -> None:
    kind = Kind("Walker", 1, (arms("Flamer", "Gun"), arms("Flamer", "Gun", "Pistol")))
    assert [each.name for each in choose(kind, fires_all=fires_all)] == expected


def test_one_melee_weapon_counts_and_extra_attacks_on_top() -> None:
    kind = Kind("Brute", 1, (arms("Knife"), arms("Knife", "Fist"), arms("Knife", "Tusks")))
    assert [each.name for each in choose(kind)] == ["default", "1 × Tusks"]


def test_a_name_says_what_is_given_up_where_nothing_is_gained() -> None:
    kind = Kind("Trooper", 2, (Armament((("Knife", 1),)), Armament(())))
    assert [each.name for each in choose(kind)] == ["default"]


def test_no_more_than_the_bound() -> None:
    targets = MAX_LOADOUTS + 4
    table = {
        "Gun": worth(tuple([0.0] * targets), tuple([0.0] * targets)),
        **{
            f"W{i}": worth(tuple(float(i == t) for t in range(targets)), tuple([0.0] * targets)) for i in range(targets)
        },
    }
    kind = Kind("Trooper", 1, (arms("Gun"), *(arms(f"W{i}") for i in range(targets))))
    assert len(choose_loadouts(Arsenal("unit", 1, 80, {}, kinds=(kind,)), table)) == MAX_LOADOUTS
