"""What models may carry at a size, by options written as swaps."""

from typing import Any

from pipelines.dimensions.arsenals import Arsenal, arsenals
from pipelines.dimensions.units import conform
from pipelines.records import Composition, Cost, WargearOption, WargearSwap
from tests.builders import datasheet, document, weapon

WEAPONS = tuple(weapon(name) for name in ("Gun", "Axe", "Bow", "Cannon", "Flamer"))
GUN, AXE, BOW, CANNON, FLAMER = ((name, 1) for name in ("Gun", "Axe", "Bow", "Cannon", "Flamer"))


def found(*swaps: WargearSwap, **changes: Any) -> list[Arsenal]:
    fields: dict[str, Any] = {
        "composition": (Composition("Sergeant", 1, 1, ("Gun", "Axe")), Composition("Troopers", 4, 9, ("Gun",))),
        "weapons": WEAPONS,
        "wargear_options": tuple(WargearOption(n, "", "replace", swap=swap) for n, swap in enumerate(swaps, 1)),
    }
    return list(arsenals(conform([document(datasheet(**(fields | changes)))]).units[0]))


def armaments(arsenal: Arsenal, kind: str) -> list[tuple[str, tuple[int, ...]]]:
    """Armaments of a kind of model as text, each with the limits it counts to."""
    [wanted] = [each for each in arsenal.kinds if each.name == kind]
    return [
        (", ".join(name if count == 1 else f"{count} {name}" for name, count in each.weapons), each.limits)
        for each in wanted.armaments
    ]


def test_each_priced_size_has_its_own_counts() -> None:
    small, large = found()
    assert [(small.models, small.points), (large.models, large.points)] == [(5, 80), (10, 150)]
    assert [[kind.models for kind in each.kinds] for each in (small, large)] == [[1, 4], [1, 9]]


def test_an_option_is_open_to_the_kind_it_names_only() -> None:
    small, _ = found(WargearSwap((GUN,), ((BOW,),), takers="Trooper"))
    assert armaments(small, "Sergeant") == [("Gun, Axe", ())]
    assert armaments(small, "Troopers") == [("Gun", ()), ("Bow", ())]


def test_a_limit_grows_with_the_unit() -> None:
    small, large = found(WargearSwap((GUN,), ((CANNON,), (FLAMER,)), takers="Troopers", most=1, per_models=5))
    assert (small.limits, large.limits) == ((1,), (2,))
    assert armaments(small, "Troopers") == [("Gun", ()), ("Cannon", (0,)), ("Flamer", (0,))]


def test_no_duplicates_means_one_of_each_choice() -> None:
    small, _ = found(WargearSwap((GUN,), ((CANNON,), (FLAMER,)), takers="Troopers", most=2, distinct=True))
    assert small.limits == (2, 1, 1)
    assert armaments(small, "Troopers") == [("Gun", ()), ("Cannon", (0, 1)), ("Flamer", (0, 2))]


def test_options_follow_each_other_where_what_they_replace_is_still_there() -> None:
    first = WargearSwap((GUN,), ((BOW,),), takers="Sergeant")
    second = WargearSwap((AXE, BOW), ((CANNON,),), takers="Sergeant")
    small, _ = found(first, second)
    assert armaments(small, "Sergeant") == [("Gun, Axe", ()), ("Axe, Bow", ()), ("Cannon", ())]


def test_one_model_takes_one_limited_option_only() -> None:
    cannon = WargearSwap((GUN,), ((CANNON,),), most=1)
    axe = WargearSwap((), ((AXE,),), most=1)
    small, _ = found(cannon, axe)
    assert armaments(small, "Troopers") == [("Gun", ()), ("Cannon", (0,)), ("Gun, Axe", (1,))]


def test_of_two_like_weapons_each_can_be_replaced() -> None:
    two_guns = (Composition("Walker", 1, 1, ("Gun", "Gun")),)
    [walker] = found(WargearSwap((GUN,), ((BOW,),), times=None), composition=two_guns, costs=(Cost(1, 100),))
    assert armaments(walker, "Walker") == [("2 Gun", ()), ("Gun, Bow", ()), ("2 Bow", ())]


def test_an_option_waits_for_its_size() -> None:
    small, large = found(WargearSwap((GUN,), ((CANNON,),), takers="Troopers", most=1, from_models=10))
    assert len(armaments(small, "Troopers")) == 1
    assert len(armaments(large, "Troopers")) == 2


def test_carrying_and_not_carrying_are_asked() -> None:
    small, _ = found(
        WargearSwap((), ((BOW,),), carrying=("axe",)), WargearSwap((), ((FLAMER,),), not_carrying=("Axe",))
    )
    assert armaments(small, "Sergeant") == [("Gun, Axe", ()), ("Gun, Axe, Bow", ())]
    assert armaments(small, "Troopers") == [("Gun", ()), ("Gun, Flamer", ())]


def test_wargear_without_attacks_is_left_out() -> None:
    small, _ = found(WargearSwap((GUN,), ((("Banner", 1), BOW),), takers="Sergeant"))
    assert armaments(small, "Sergeant") == [("Gun, Axe", ()), ("Axe, Bow", ())]


def test_an_unknown_default_weapon_is_said_at_every_size() -> None:
    reasons = [each.reason for each in found(composition=(Composition("Trooper", 5, 10, ("Lance",)),))]
    assert reasons == ["the default weapon Lance is not described"] * 2


def test_a_model_takes_no_choice_twice_where_that_is_forbidden() -> None:
    one = (Composition("Walker", 1, 1, ("Gun",)),)
    swap = WargearSwap((), ((BOW,), (FLAMER,)), times=2, distinct=True)
    [walker] = found(swap, composition=one, costs=(Cost(1, 100),))
    assert [text for text, _ in armaments(walker, "Walker")] == ["Gun", "Gun, Bow", "Gun, Flamer", "Gun, Bow, Flamer"]


def test_a_limit_of_the_largest_unit_is_shared_out_to_smaller_ones() -> None:
    small, large = found(WargearSwap((GUN,), ((CANNON,),), takers="Troopers", most=6, of_models=10))
    assert (small.limits, large.limits) == ((3,), (6,))


def test_a_price_range_that_begins_below_the_smallest_size_adds_no_size() -> None:
    sizes = [each.models for each in found(costs=(Cost(5, 80), Cost(3, 90, models_max=9), Cost(6, 100, models_max=10)))]
    assert sizes == [5, 10]
