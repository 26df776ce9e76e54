"""Small records for tests, with just what a test is about."""

from __future__ import annotations

import hashlib
from typing import Any

from pipelines.records import Composition, Cost, Datasheet, Document, Keyword, ModelProfile, WeaponProfile


def weapon(name: str = "Bolt rifle", **changes: Any) -> WeaponProfile:
    fields: dict[str, Any] = {
        "weapon_name": name, "attack_type": "ranged", "attacks": "2", "strength": "4", "damage": "1", "skill": 3,
        "armour_penetration": -1, "range_inches": 24,
    }  # fmt: skip
    return WeaponProfile(**(fields | changes))


def model(name: str = "Intercessor", **changes: Any) -> ModelProfile:
    return ModelProfile(**({"model_name": name, "toughness": 4, "save": 3, "wounds": 2} | changes))


def datasheet(name: str = "Intercessor Squad", faction: str = "ADEPTUS ASTARTES", **changes: Any) -> Datasheet:
    fields: dict[str, Any] = {
        "name": name,
        "collection": "Space Marines",
        "faction": faction,
        "edition": "10e",
        "keywords": (Keyword("INFANTRY"), Keyword(faction, is_faction_keyword=True)),
        "composition": (Composition("Intercessor", 5, 10, ("Bolt rifle",)),),
        "costs": (Cost(5, 80), Cost(10, 150)),
        "models": (model(),),
        "weapons": (weapon(),),
    }
    return Datasheet(**(fields | changes))


def document(*datasheets: Datasheet, path: str = "a.txt", kind: str = "text_dump", **changes: Any) -> Document:
    fields: dict[str, Any] = {
        "document_id": hashlib.sha256(path.encode()).hexdigest(),
        "path": path,
        "source_kind": kind,
        "byte_count": 100,
        "status": "parsed",
        "edition": datasheets[0].edition if datasheets else "10e",
        "datasheets": datasheets,
    }
    return Document(**(fields | changes))
