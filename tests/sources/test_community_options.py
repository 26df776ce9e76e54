"""Wargear options of the community data set: what its limits allow."""

from __future__ import annotations

from typing import Any

from pipelines.records import CarryLimit, WargearSwap
from pipelines.sources.community_options import read_options


def option(limit: dict[str, Any] | None, *choices: list[str], replaces: tuple[str, ...] = ("gun",)) -> dict[str, Any]:
    several = {"replacement_choice": list(choices)} if len(choices) > 1 else {"replacement": choices[0]}
    return {"model_constraint": limit, "replaces": list(replaces), **several}


def model(name: str, most: int, **more: Any) -> dict[str, Any]:
    return {"name": name, "min": 1, "max": most} | more


def swaps(*options: dict[str, Any], models: tuple[dict[str, Any], ...] = ()) -> list[WargearSwap | None]:
    return [each.swap for each in read_options(options, models or (model("Trooper", 9),), str.title)]


GUN = (("Gun", 1),)


def test_limits_of_the_unit_and_of_its_size() -> None:
    found = swaps(
        option({"max_count": 2, "model_name": "Trooper"}, ["bow"]),
        option({"per_n_models": 5}, ["axe"], ["club", "club"]),
        option({"model_name": "Trooper"}, ["flag"], replaces=()),
    )
    assert found == [
        WargearSwap(GUN, ((("Bow", 1),),), takers="Trooper", most=2),
        WargearSwap(GUN, ((("Axe", 1),), (("Club", 2),)), most=1, per_models=5),
        WargearSwap((), ((("Flag", 1),),), takers="Trooper", most=1),
    ]


def test_any_number_is_trusted_of_a_single_model_only() -> None:
    tank = (model("Tank", 1),)
    assert swaps(option({"any_number": True}, ["bow"]), models=tank) == [WargearSwap(GUN, ((("Bow", 1),),))]
    assert swaps(option({"any_number": True}, ["bow"])) == [WargearSwap(GUN, ((("Bow", 1),),), most=1)]


def test_any_number_with_a_count_is_so_often_a_model() -> None:
    [found] = swaps(option({"any_number": True, "max_count": 3}, ["bow"]), models=(model("Tank", 1),))
    assert found == WargearSwap(GUN, ((("Bow", 1),),), times=3)


def test_an_option_within_another_is_left_alone() -> None:
    sponsons = option({"any_number": True}, ["bow", "bow"], replaces=())
    both = option({"any_number": True}, ["bow", "bow", "axe"], ["axe"])
    found = swaps(sponsons, both, models=(model("Tank", 1),))
    assert [swap is None for swap in found] == [True, False]
    assert [swap is None for swap in swaps(sponsons, sponsons, models=(model("Tank", 1),))] == [False, True]


def test_numbered_variants_count_and_the_options_beside_them_do_not() -> None:
    variants = [
        {"name": "a", "max_count": 9, "weapon_ids": ["gun"]},
        {"name": "b", "max_count": 2, "weapon_ids": ["bow"]},
        {"name": "c", "max_count": 9, "weapon_ids": ["axe"]},
    ]
    trooper = model("Trooper", 9, default_weapon_ids=["gun"], loadout_variants=variants)
    beside = option({"any_number": True, "model_name": "Trooper"}, ["cannon"])
    assert swaps(beside, models=(trooper,)) == [
        None,
        WargearSwap(GUN, ((("Bow", 1),),), takers="Trooper", most=2, of_models=9),
        WargearSwap(GUN, ((("Axe", 1),),), takers="Trooper"),
    ]
    assert swaps(option({"any_number": True}, ["cannon"]), models=(trooper,))[0] is None


def test_a_group_of_variants_shares_its_budget() -> None:
    variants = [{"name": name, "max_count": 1, "weapon_ids": [item]} for name, item in (("b", "bow"), ("c", "axe"))]
    budget = {"variant_names": ["b", "c"], "count": 2, "per_models": 0}
    trooper = model(
        "Trooper", 9, min=9, default_weapon_ids=["gun"], loadout_variants=variants, loadout_variant_budgets=[budget]
    )
    assert swaps(models=(trooper,)) == [
        WargearSwap(GUN, ((("Bow", 1),), (("Axe", 1),)), takers="Trooper", most=2, distinct=True)
    ]


def test_variants_without_a_number_are_left_to_the_options() -> None:
    variants = [{"name": "a", "weapon_ids": ["gun"]}, {"name": "b", "weapon_ids": ["bow"]}]
    trooper = model("Trooper", 9, default_weapon_ids=["gun"], loadout_variants=variants)
    found = swaps(option({"max_count": 1, "model_name": "Trooper"}, ["bow"]), models=(trooper,))
    assert found == [WargearSwap(GUN, ((("Bow", 1),),), takers="Trooper", most=1)]


def test_what_a_single_model_takes_does_not_come_on_top_of_the_squads_limit() -> None:
    squad = (model("Leader", 1), model("Trooper", 9))
    limited = option({"max_count": 1, "model_name": "Trooper"}, ["cannon"])
    leader = option({"any_number": True, "model_name": "Leader"}, ["cannon"], ["axe"])
    assert swaps(limited, leader, models=squad) == [
        WargearSwap(GUN, ((("Cannon", 1),),), takers="Trooper", most=1),
        WargearSwap(GUN, ((("Axe", 1),),), takers="Leader"),
    ]


def test_an_item_that_is_carried_already_is_not_added_again() -> None:
    squad = (model("Leader", 1, default_weapon_ids=["gun", "turret"]), model("Trooper", 9))
    added = option({"max_count": 1, "model_name": "Leader"}, ["turret"], ["flag"], replaces=())
    assert swaps(added, models=squad) == [WargearSwap((), ((("Flag", 1),),), takers="Leader", most=1)]


def test_a_choice_that_another_option_has_with_more_is_left_alone() -> None:
    both = option({"any_number": True}, ["axe", "bow"], ["axe"])
    more = option({"any_number": True}, ["bow"], ["flag"], replaces=())
    found = swaps(both, more, models=(model("Tank", 1),))
    assert found[1] is not None
    assert found[1].choices == ((("Flag", 1),),)


def test_what_an_option_adds_is_not_had_again_from_others_that_list_it_too() -> None:
    added = option({"any_number": True}, ["bow"], ["flag"], replaces=())
    listed = option({"any_number": True}, ["axe", "bow"], ["axe"])
    _, found = swaps(added, listed, models=(model("Tank", 1, default_weapon_ids=["gun", "bow"]),))
    assert found is not None
    assert found.at_most == (CarryLimit(2, ("Bow", "Flag")),)
