from typing import Any

from pipelines.dimensions.arsenals import arsenals
from pipelines.dimensions.loadouts import Equipment, default_loadout
from pipelines.dimensions.loadouts import equipment as equipment_of
from pipelines.dimensions.units import conform
from pipelines.records import Composition, Cost, Datasheet, Keyword, WeaponAbility
from tests.builders import datasheet, document, weapon

PISTOL = weapon("Bolt pistol", abilities=(WeaponAbility("pistol"),))
FIST = weapon("Fist", attack_type="melee", range_inches=None)
KNIFE = weapon("Knife", attack_type="melee", range_inches=None)
TUSKS = weapon("Tusks", attack_type="melee", range_inches=None, abilities=(WeaponAbility("extra_attacks"),))


def equipment(*carried: str, weapons: tuple[Any, ...], **changes: Any) -> Equipment:
    sheet = datasheet(composition=(Composition("Intercessor", 5, 10, carried),), weapons=weapons, **changes)
    return default_equipment(sheet)


def default_equipment(sheet: Datasheet) -> Equipment:
    smallest = next(arsenals(conform([document(sheet)]).units[0]))
    return equipment_of(smallest, default_loadout(smallest))


def used(found: Equipment, phase: str) -> list[tuple[int, int, int]]:
    """(slot, option, count) of each choice of a phase."""
    return [(each.slot, each.option, each.count) for each in found.choices if each.phase == phase]


def test_pistols_and_other_ranged_weapons_exclude_each_other() -> None:
    found = equipment("Bolt rifle", "Bolt pistol", weapons=(weapon(), PISTOL))
    assert used(found, "shooting") == [(1, 0, 5), (1, 1, 5)]


def test_a_vehicle_shoots_with_everything() -> None:
    vehicle = (Keyword("VEHICLE"), Keyword("ADEPTUS ASTARTES", is_faction_keyword=True))
    found = equipment("Bolt rifle", "Bolt pistol", weapons=(weapon(), PISTOL), keywords=vehicle)
    assert used(found, "shooting") == [(1, 0, 5), (1, 0, 5)]


def test_one_melee_weapon_and_the_extra_attacks_on_top() -> None:
    found = equipment("Fist", "Knife", "Tusks", weapons=(FIST, KNIFE, TUSKS))
    assert used(found, "fight") == [(1, 0, 5), (1, 1, 5), (2, 0, 5)]


def test_a_weapon_carried_twice_shoots_twice_but_fights_once() -> None:
    found = equipment("Bolt rifle", "Bolt rifle", "Fist", "Fist", weapons=(weapon(), FIST))
    assert used(found, "shooting") == [(1, 0, 10)]
    assert used(found, "fight") == [(2, 0, 5)]


def test_profiles_of_one_weapon_are_alternatives_not_added_up() -> None:
    profiles = (weapon("Plasma", profile_name="standard"), weapon("Plasma", profile_name="supercharge"))
    found = equipment("Plasma", weapons=profiles)
    assert [(each.option, each.weapon) for each in found.choices] == [(0, 0), (0, 0)]


def test_what_is_not_known_is_said() -> None:
    assert equipment("Lascannon", weapons=(weapon(),)).reason == "the default weapon Lascannon is not described"
    by_die = (weapon("Bubblechukka", dice_range="1-2"), weapon("Bubblechukka", dice_range="3-4"))
    reason = "the die results that choose the profile of Bubblechukka are not six"
    assert equipment("Bubblechukka", weapons=by_die).reason == reason
    bare = datasheet(composition=())
    assert default_equipment(bare).reason == "the composition is unknown"


def test_a_die_may_choose_the_profile() -> None:
    ranges = {"big": "1-2 ", "wobbly": "3 – 5", "dense": "6"}
    by_die = tuple(weapon("Bubblechukka", profile_name=name, dice_range=faces) for name, faces in ranges.items())
    found = equipment("Bubblechukka", "Bolt rifle", weapons=(*by_die, weapon()))
    assert [(each.die, each.die_faces) for each in found.choices] == [
        ("bubblechukka", 2), ("bubblechukka", 3), ("bubblechukka", 1), (None, None),
    ]  # fmt: skip


def test_the_smallest_priced_size_is_filled_from_the_kind_with_most_room() -> None:
    rows = (Composition("Leader", 1, 1, ("Bolt rifle",)), Composition("Trooper", 1, 9, ("Bolt rifle",)))
    found = default_equipment(datasheet(composition=rows))
    assert (found.models, found.points) == (5, 80)
    assert sum(count for _, _, count in used(found, "shooting")) == 5


def test_priced_items_add_to_the_price_of_the_loadout() -> None:
    costs = (Cost(5, 80), Cost(1, 5, kind="add_on", item="Fist"))
    assert equipment("Fist", weapons=(FIST,), costs=costs).points == 105
