"""What models may carry at a size, by options written as swaps."""

from dataclasses import replace
from typing import Any

from pipelines.dimensions.arsenals import Arsenal, arsenals
from pipelines.dimensions.units import conform
from pipelines.records import CarryLimit, Composition, Cost, UnitAbility, WargearOption, WargearSwap, WeaponAbility
from tests.builders import datasheet, document, weapon

WEAPONS = tuple(weapon(name) for name in ("Gun", "Axe", "Bow", "Cannon", "Flamer"))
WALKER = (Composition("Walker", 1, 1, ("Gun", "Axe")),)
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


def test_a_price_range_that_ends_below_a_dearer_size_counts_for_its_smallest_size_only() -> None:
    assert [each.models for each in found(costs=(Cost(5, 80, models_max=9), Cost(10, 150)))] == [5, 10]
    assert [each.models for each in found(costs=(Cost(5, 80, models_max=10),))] == [5, 10]


def of_walker(*swaps: WargearSwap, **changes: Any) -> list[str]:
    """What a single model with a gun and an axe may carry."""
    [found_one] = found(*swaps, **({"composition": WALKER, "costs": (Cost(1, 100),)} | changes))
    return [text for text, _ in armaments(found_one, "Walker")]


def test_each_choice_may_have_a_price_of_its_own() -> None:
    swap = WargearSwap((), ((BOW,), (CANNON,), (CANNON,)), besides=((), (GUN,), (GUN, AXE)))
    assert of_walker(swap) == ["Gun, Axe", "Gun, Axe, Bow", "Axe, Cannon", "Cannon"]


def test_choices_given_up_for_the_same_gain_share_what_forbids_it_twice() -> None:
    swap = WargearSwap((), ((BOW,), (BOW,)), most=2, besides=((GUN,), (AXE,)), distinct=True)
    small, _ = found(swap)
    assert small.limits == (2, 1)
    assert armaments(small, "Sergeant") == [("Gun, Axe", ()), ("Axe, Bow", (0, 1)), ("Gun, Bow", (0, 1))]


def test_so_often_in_a_unit_of_that_size() -> None:
    swap = WargearSwap((GUN,), ((CANNON,), (FLAMER,)), takers="Troopers", repeats=((0, 1), (10, 2)))
    small, large = found(swap)
    assert (small.limits, large.limits) == ((1, 1), (2, 2))
    assert armaments(small, "Troopers") == [("Gun", ()), ("Cannon", (0,)), ("Flamer", (1,))]


def test_so_many_for_each_so_many_of_a_kind() -> None:
    swap = WargearSwap((GUN,), ((CANNON,),), takers="Troopers", most=1, per_models=4, per_kind="Trooper")
    small, large = found(swap)
    assert (small.limits, large.limits) == ((1,), (2,))


def test_what_an_option_asks_for_can_not_be_given_up_afterwards() -> None:
    asks = WargearSwap((), ((BOW,),), carrying=("axe",))
    gives = WargearSwap((AXE,), ((CANNON,),))
    assert of_walker(asks, gives) == ["Gun, Axe", "Gun, Axe, Bow", "Gun, Cannon"]


def test_what_an_option_forbids_can_not_be_gained_afterwards() -> None:
    forbids = WargearSwap((), ((BOW,),), not_carrying=("cannon",))
    assert of_walker(forbids, WargearSwap((), ((CANNON,),))) == ["Gun, Axe", "Gun, Axe, Bow", "Gun, Axe, Cannon"]


def test_a_weapon_kept_stays_even_where_another_option_would_take_it() -> None:
    kept = WargearSwap((GUN,), ((GUN, BOW),), keeps=("Gun",))
    assert of_walker(kept, WargearSwap((GUN,), ((CANNON,),))) == ["Gun, Axe", "Gun, Axe, Bow", "Axe, Cannon"]


def test_a_second_one_of_the_same_leaves_both() -> None:
    second = WargearSwap((), ((GUN,),), carrying=("Gun",))
    assert of_walker(second, WargearSwap((GUN,), ((BOW,),))) == ["Gun, Axe", "2 Gun, Axe", "Axe, Bow"]


def test_one_for_each_bearer() -> None:
    each = WargearSwap((), ((BOW,),), times=None, carrying=("Axe",))
    two_axes = (Composition("Walker", 1, 1, ("Axe", "Axe")),)
    lost = WargearSwap((AXE,), ((CANNON,),))
    assert of_walker(each, lost, composition=two_axes) == [
        "2 Axe", "2 Axe, Bow", "Axe, Cannon", "2 Axe, 2 Bow", "Axe, Bow, Cannon",
    ]  # fmt: skip


def test_weapons_that_exclude_each_other() -> None:
    limit = (CarryLimit(1, ("Bow", "Cannon")),)
    swaps = [WargearSwap((old,), ((BOW,), (CANNON,)), at_most=limit) for old in (GUN, AXE)]
    assert of_walker(*swaps) == ["Gun, Axe", "Axe, Bow", "Axe, Cannon", "Gun, Bow", "Gun, Cannon"]


def test_two_ranged_weapons_only_with_a_pistol() -> None:
    pistol = replace(weapon("Bow"), abilities=(WeaponAbility("pistol"),))
    weapons = (
        *(each for each in WEAPONS if each.weapon_name not in ("Axe", "Bow")),
        weapon("Axe", attack_type="melee"),
        pistol,
    )
    limits = (CarryLimit(1, kind="pistol"), CarryLimit(1, kind="other_ranged"))
    swap = WargearSwap((GUN, AXE), ((CANNON, FLAMER), (CANNON, BOW), (BOW, AXE), (BOW, BOW)), at_most=limits)
    assert of_walker(swap, weapons=weapons) == ["Gun, Axe", "Cannon, Bow", "Axe, Bow"]


def test_nothing_is_gained_for_what_is_no_item_of_the_datasheet() -> None:
    assert of_walker(WargearSwap((("Lance", 1),), ((CANNON,),))) == ["Gun, Axe"]


def test_wargear_without_attacks_is_given_up_once() -> None:
    shield = (UnitAbility("wargear", "Storm Shield (Aura)"),)
    swaps = [WargearSwap((("storm shield", 1),), ((name,),)) for name in (BOW, CANNON)]
    assert of_walker(*swaps, abilities=shield) == ["Gun, Axe", "Gun, Axe, Bow", "Gun, Axe, Cannon"]


def test_what_a_source_without_words_replaces_is_wargear_and_may_be_given_back() -> None:
    belt = WargearSwap((GUN, ("belt", 1)), ((BOW, ("belt", 1)),))
    assert of_walker(belt) == ["Gun, Axe"]
    assert of_walker(wargear_options=(WargearOption(1, None, "replace", swap=belt),)) == ["Gun, Axe", "Axe, Bow"]


def test_an_option_may_ask_for_wargear_without_attacks_that_another_one_brings() -> None:
    gifts = WargearSwap((), ((("gifts", 1),),))
    asks = WargearSwap((GUN,), ((BOW,),), carrying=("gifts",))
    assert of_walker(gifts, asks) == ["Gun, Axe", "Axe, Bow"]
    assert of_walker(asks) == ["Gun, Axe"]


def test_any_ranged_weapon_may_be_given_up() -> None:
    weapons = tuple(weapon("Axe", attack_type="melee") if each.weapon_name == "Axe" else each for each in WEAPONS)
    swaps = [WargearSwap((GUN,), ((BOW,),)), WargearSwap((("ranged weapon", 1),), ((CANNON,),))]
    assert of_walker(*swaps, weapons=weapons) == ["Gun, Axe", "Axe, Bow", "Axe, Cannon"]


def test_all_models_take_an_option_or_none() -> None:
    bows = WargearSwap((GUN,), ((BOW,),), together=True)
    cannon = WargearSwap((("Gun", 1),), ((CANNON,),), takers="Trooper", most=1)
    small, _ = found(bows, cannon)
    [all_bows] = small.together
    bowmen = replace(small, kinds=all_bows)
    assert armaments(small, "Sergeant") == [("Gun, Axe", ())]
    assert armaments(small, "Troopers") == [("Gun", ()), ("Cannon", (0,))]
    assert armaments(bowmen, "Sergeant") == [("Axe, Bow", ())]
    assert armaments(bowmen, "Troopers") == [("Bow", ())]


def test_a_name_cut_short_counts_where_one_kind_ends_with_it() -> None:
    swap = WargearSwap((GUN,), ((BOW,),), takers="Trooper")
    for others, expected in (("Sky Scouts", 2), ("Trooper", 1)):
        kinds = (Composition("Sky Troopers", 1, 1, ("Gun",)), Composition(others, 4, 9, ("Gun",)))
        small, _ = found(swap, composition=kinds)
        assert len(armaments(small, "Sky Troopers")) == expected
