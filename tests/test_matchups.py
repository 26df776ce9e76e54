"""What the engine is given and how its answers become facts, on tiny frames."""

import polars as pl
import pytest

from pipelines.dimensions.frames import frame
from pipelines.engine_frames import declared_rulesets, mark_weapons, weapon_frame

ABILITIES = {
    "plain": [],
    "plasma": ["hazardous"],
    "rocket": ["one_shot"],
    "odd": ["harpooned", "pistol"],
}
EXPECTED = {
    # is_one_shot, mortal wounds of a test in the 10th and in the 11th edition, not modelled
    "plain": (False, None, None, None),
    "plasma": (False, 3 / 6, 2 / 6, None),
    "rocket": (True, None, None, None),
    "odd": (False, None, None, ["harpooned"]),
    "dice": (False, None, None, ["rolled_strength"]),
}


def frames(keyword: str) -> dict[str, pl.DataFrame]:
    weapons = [
        {"weapon_profile_id": name, "unit_id": "u", "weapon_name": name, "attack_type": "ranged", "attacks": "1",
         "strength": "3D6" if name == "dice" else "2D6", "armour_penetration": 0, "damage": "1", "skill": 3}
        for name in EXPECTED
    ]  # fmt: skip
    abilities = [
        {"weapon_profile_id": name, "position": position, "ability": slug}
        for name, slugs in ABILITIES.items()
        for position, slug in enumerate(slugs, 1)
    ]
    return {
        "units": frame("units", [{"unit_id": "u", "name": "Unit", "edition": "10e"}]),
        "unit_keywords": frame(
            "unit_keywords",
            [{"unit_id": "u", "keyword": keyword}, {"unit_id": "u", "keyword": "VEHICLE", "model_name": "Drone"}],
        ),
        "weapon_profiles": frame("weapon_profiles", weapons),
        "weapon_abilities": frame("weapon_abilities", abilities),
    }


@pytest.mark.parametrize("ruleset", ["10e", "11e"])
def test_weapons_are_marked(ruleset: str) -> None:
    given = frames("INFANTRY")
    marked = mark_weapons(given, weapon_frame(given, ruleset), declared_rulesets())
    assert marked.schema == given["weapon_profiles"].schema
    for row in marked.iter_rows(named=True):
        one_shot, older, newer, left_out = EXPECTED[row["weapon_profile_id"]]
        hazardous = older if ruleset == "10e" else newer
        assert (row["is_one_shot"], row["not_modelled"]) == (one_shot, left_out)
        assert row["expected_hazardous_mortal_wounds"] == (hazardous and pytest.approx(hazardous))


def test_hazardous_weapons_of_vehicles_do_three_mortal_wounds_in_the_11th_edition() -> None:
    given = frames("VEHICLE")
    marked = mark_weapons(given, weapon_frame(given, "11e"), declared_rulesets())
    [wounds] = marked.filter(pl.col("weapon_profile_id") == "plasma")["expected_hazardous_mortal_wounds"]
    assert wounds == pytest.approx(2 / 6 * 3)
