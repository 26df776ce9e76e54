"""Every datasheet of the real export, composed as a dump and read back: weapons, prices, composition, keywords.

The layouts take turns from datasheet to datasheet, so that each is read some 240 times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from pipelines.dimensions.prices import first_copies
from pipelines.identity import fold
from pipelines.records import Datasheet, Document, WeaponProfile
from pipelines.sources.text_dump import parse_text
from tests.corpus import compose

GLOSSARY = compose.load_glossary()


def _weapon(weapon: WeaponProfile) -> compose.Entry:
    abilities = [ability.printed.strip().lower() for ability in weapon.abilities if ability.printed]
    profile = {"profile": weapon.profile_name} if weapon.profile_name else {}
    return {
        "name": weapon.weapon_name,
        "range": "Melee" if weapon.attack_type == "melee" else f'{weapon.range_inches}"',
        "A": weapon.attacks, "skill": f"{weapon.skill}+" if weapon.skill else "N/A", "S": weapon.strength,
        "AP": weapon.armour_penetration, "D": weapon.damage, "abilities": abilities, **profile,
    }  # fmt: skip


def _facts(sheet: Datasheet) -> compose.Entry:
    return {
        "collection": sheet.faction,
        "unit": sheet.name,
        "faction": (sheet.faction or "").upper(),
        "ranged": [_weapon(weapon) for weapon in sheet.weapons if weapon.attack_type == "ranged"],
        "melee": [_weapon(weapon) for weapon in sheet.weapons if weapon.attack_type == "melee"],
        "composition": [f"{row.min_models}-{row.max_models} {row.model_name}" for row in sheet.composition],
        "points": [[cost.models, cost.points] for cost in first_copies(sheet.costs)],
        "keywords": sorted({each.keyword for each in sheet.keywords if not each.is_faction_keyword}),
        "stratagems": [],
        "opening": [],
    }


def _is_plain(sheet: Datasheet) -> bool:
    """Whether a page could hold it: weapons with what a row prints, one size a kind, no name twice."""
    names = Counter((weapon.attack_type, fold(weapon.weapon_name), weapon.profile_name) for weapon in sheet.weapons)
    return (
        bool(sheet.weapons and sheet.composition and sheet.costs and sheet.keywords)
        and max(names.values()) == 1
        and all(weapon.range_inches or weapon.attack_type == "melee" for weapon in sheet.weapons)
        and not any(weapon.dice_range for weapon in sheet.weapons)
    )


def _said(weapon: WeaponProfile) -> tuple[Any, ...]:
    return (
        fold(weapon.weapon_name), fold(weapon.profile_name or ""), weapon.attack_type, weapon.range_inches,
        weapon.attacks, weapon.skill, weapon.strength, weapon.armour_penetration, weapon.damage,
        sorted((each.ability, each.value or "", each.against_keywords) for each in weapon.abilities),
    )  # fmt: skip


def test_every_datasheet_of_the_export_comes_back(real_export: Callable[[str], Sequence[Document]]) -> None:
    documents = real_export("wahapedia_export_2025-11")
    sheets = [sheet for document in documents for sheet in document.datasheets if _is_plain(sheet)]
    wrong = Counter[tuple[str, str]]()
    examples: dict[tuple[str, str], tuple[Any, ...]] = {}
    for number, sheet in enumerate(sheets):
        layout = compose.LAYOUTS[number % len(compose.LAYOUTS)]
        text = compose.compose(_facts(sheet), GLOSSARY, frozenset(), layout)
        document = parse_text(text, document_id="0" * 64, path=f"{sheet.name}.txt", byte_count=len(text))
        [read] = document.datasheets
        pairs: dict[str, tuple[list[Any], list[Any]]] = {
            "weapons": ([_said(each) for each in sheet.weapons], [_said(each) for each in read.weapons]),
            "prices": (
                [(each.models, each.points) for each in first_copies(sheet.costs)],
                [(each.models, each.points) for each in read.costs],
            ),
            "composition": (
                [(fold(each.model_name), each.min_models, each.max_models) for each in sheet.composition],
                [(fold(each.model_name), each.min_models, each.max_models) for each in read.composition],
            ),
            "keywords": (
                sorted({each.keyword for each in sheet.keywords if not each.is_faction_keyword}),
                sorted(each.keyword for each in read.keywords if not each.is_faction_keyword),
            ),
        }
        for name, (before, after) in pairs.items():
            if sorted(before) != sorted(after):
                wrong[layout, name] += 1
                examples.setdefault((layout, name), (sheet.name, before, after))
    assert len(sheets) == 1650
    assert not wrong, examples
