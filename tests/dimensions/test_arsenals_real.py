"""Ten units of the 2025-11 export, their options read by a person: what they may carry at each size, and how many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from pipelines.dimensions.arsenals import Arsenal, arsenals
from pipelines.dimensions.units import conform
from pipelines.records import Document

# (unit, faction): {size: {kind: {armament: how many models of the unit may have it, None: all}}}; 2 = "2 Name".
EXPECTED: Mapping[tuple[str, str], Mapping[int, Mapping[str, Mapping[str, int | None]]]] = {
    ("Terminator Squad", "Space Marines"): {
        5: {"Terminators": {
            "Storm bolter, Power fist": None, "Storm bolter, Chainfist": None, "Assault cannon, Power fist": 1,
            "Heavy flamer, Power fist": 1, "Cyclone missile launcher, Storm bolter, Power fist": 1,
            "Assault cannon, Chainfist": 1, "Heavy flamer, Chainfist": 1,
            "Cyclone missile launcher, Storm bolter, Chainfist": 1,
        }},
        10: {"Terminators": {"Assault cannon, Power fist": 2, "Storm bolter, Chainfist": None}},
    },
    ("Boyz", "Orks"): {
        10: {"Boyz": {
            "Slugga, Choppa": None, "Shoota, Close combat weapon": None, "Big shoota, Close combat weapon": 1,
            "Rokkit launcha, Close combat weapon": 1,
        }, "Boss Nob": {
            "Slugga, Big choppa": None, "Slugga, Power klaw": None, "Kombi-weapon, Close combat weapon": None,
        }},
        20: {"Boyz": {"Big shoota, Close combat weapon": 2, "Rokkit launcha, Close combat weapon": 2}},
    },
    ("Seraphim Squad", "Adepta Sororitas"): {
        5: {"Seraphim": {
            "2 Bolt pistol, Close combat weapon": None, "2 Inferno pistol, Close combat weapon": 2,
            "2 Ministorum hand flamer, Close combat weapon": 2,
        }},
        10: {"Seraphim": {"2 Inferno pistol, Close combat weapon": 4}},
    },
    ("Eradicator Squad", "Space Marines"): {
        3: {"Eradicators": {
            "Bolt pistol, Melta rifle, Close combat weapon": None, "Bolt pistol, Multi-melta, Close combat weapon": 1,
        }, "Eradicator Sergeant": {"Bolt pistol, Melta rifle, Close combat weapon": None}},
        6: {"Eradicators": {"Bolt pistol, Multi-melta, Close combat weapon": 2}},
    },
    ("Ravager", "Drukhari"): {
        1: {"Ravager": {
            "3 Dark lance, Bladevanes": None, "2 Dark lance, Disintegrator cannon, Bladevanes": None,
            "Dark lance, 2 Disintegrator cannon, Bladevanes": None, "3 Disintegrator cannon, Bladevanes": None,
        }},
    },
    ("Lychguard", "Necrons"): {
        5: {"Lychguard": {"Warscythe": None, "Hyperphase sword": None}},
        10: {"Lychguard": {"Warscythe": None, "Hyperphase sword": None}},
    },
    ("Hernkyn Pioneers", "Leagues of Votann"): {
        3: {"Hernkyn Pioneers": {
            "Bolt revolver, Bolt shotgun, Magna-coil autocannon, Plasma knife": None,
            "Bolt revolver, Bolt shotgun, HYLas rotary cannon, Magna-coil autocannon, Plasma knife": 1,
            "Bolt revolver, Bolt shotgun, Ion beamer, Magna-coil autocannon, Plasma knife": 1,
        }},
        6: {"Hernkyn Pioneers": {
            "Bolt revolver, Bolt shotgun, Ion beamer, Magna-coil autocannon, Plasma knife": 2,
        }},
    },
    ("Custodian Guard", "Adeptus Custodes"): {
        4: {"Custodian Guard": {"Guardian spear": None, "Sentinel blade": None, "Misericordia": 1}},
        5: {"Custodian Guard": {"Guardian spear": None, "Sentinel blade": None, "Misericordia": 1}},
    },
    ("Cadian Shock Troops", "Astra Militarum"): {
        10: {"Shock Troopers": {
            "Lasgun, Close combat weapon": None, "Flamer, Close combat weapon": 1,
            "Grenade launcher, Close combat weapon": 1, "Meltagun, Close combat weapon": 1,
            "Plasma gun, Close combat weapon": 1,
        }, "Shock Trooper Sergeant": {
            "Laspistol, Chainsword": None, "Bolt pistol, Chainsword": None,
            "Sergeant's autogun, Close combat weapon": None,
        }},
        20: {"Shock Troopers": {"Plasma gun, Close combat weapon": 2}},
    },
    ("Khorne Berzerkers", "Chaos Space Marines"): {
        10: {"Khorne Berzerkers": {
            "Chainblade, Bolt pistol": None, "Chainblade, Plasma pistol": 2, "Bolt pistol, Khornate eviscerator": 2,
        }, "Khorne Berzerker Champion": {"Chainblade, Bolt pistol": None, "Chainblade, Plasma pistol": None}},
        20: {"Khorne Berzerkers": {"Chainblade, Plasma pistol": 4, "Bolt pistol, Khornate eviscerator": 4}},
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def read(real_export: Callable[[str], Sequence[Document]]) -> Mapping[tuple[str, str], list[Arsenal]]:
    units = conform(list(real_export("wahapedia_export_2025-11"))).units
    return {
        (unit.datasheet.name, unit.datasheet.faction or ""): list(arsenals(unit))
        for unit in units
        if (unit.datasheet.name, unit.datasheet.faction or "") in EXPECTED
    }


def _carried(arsenal: Arsenal, kind: str) -> dict[str, int | None]:
    return {
        ", ".join(name if count == 1 else f"{count} {name}" for name, count in each.weapons): min(
            (arsenal.limits[limit] for limit in each.limits), default=None
        )
        for kinds in (arsenal.kinds, *arsenal.together)
        for wanted in kinds
        if wanted.name == kind
        for each in wanted.armaments
    }


@pytest.mark.parametrize("unit", list(EXPECTED), ids=lambda unit: str(unit[0]))
def test_loadouts_by_hand(read: Mapping[tuple[str, str], list[Arsenal]], unit: tuple[str, str]) -> None:
    found = {arsenal.models: arsenal for arsenal in read[unit]}
    sizes = EXPECTED[unit]
    assert list(found) == list(sizes)
    smallest: Any = min(sizes)
    for size, kinds in sizes.items():
        for kind, expected in kinds.items():
            carried = _carried(found[size], kind)
            assert carried == expected if size == smallest else expected.items() <= carried.items()
