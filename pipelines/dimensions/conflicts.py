"""Where sources of one edition disagree about a unit: every source's value, and which one won.

Belongs here: comparing units that share a canonical unit and an edition. Doesn't: deciding (declared precedence did).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipelines.dimensions.frames import Row
from pipelines.dimensions.units import Unit
from pipelines.identity import fold, singular

_STATS = (
    "movement",
    "toughness",
    "save",
    "invulnerable_save",
    "wounds",
    "leadership",
    "objective_control",
    "feel_no_pain",
)
_CHARACTERISTICS = ("range_inches", "attacks", "skill", "strength", "armour_penetration", "damage")


def conflict_rows(units: Iterable[Unit]) -> list[Row]:
    """One row per field and source wherever the sources that state a field give different values for it."""
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        groups[unit.canonical_unit_id, unit.edition].append(unit)
    return [row for group in groups.values() if len(group) > 1 for row in _of_group(group)]


def _of_group(group: Sequence[Unit]) -> Iterator[Row]:
    stated: dict[str, dict[str, str]] = defaultdict(dict)
    for unit in group:
        for field, value in _facts(unit).items():
            stated[field][unit.unit_id] = value
    for field, values in sorted(stated.items()):
        if len(set(values.values())) < 2:
            continue
        for unit in group:
            if unit.unit_id in values:
                yield {
                    "canonical_unit_id": unit.canonical_unit_id,
                    "edition": unit.edition,
                    "field": field,
                    "unit_id": unit.unit_id,
                    "unit_name": unit.datasheet.name,
                    "source_kind": unit.document.source_kind,
                    "value": values[unit.unit_id],
                    "dated": unit.document.dated,
                    "won": unit.is_preferred,
                }


def _facts(unit: Unit) -> Mapping[str, str]:
    """What a unit's own source states, by the name of the field; joined stat lines are not its own."""
    facts: dict[str, str] = {}
    for model in unit.datasheet.models:
        for name in _STATS:
            if (value := getattr(model, name)) is not None:
                facts[f"{singular(model.model_name)}: {name}"] = str(value)
    for cost in unit.datasheet.costs:
        if cost.kind == "base" and cost.condition is None:
            size = f"{cost.models}-{cost.models_max}" if cost.models_max else f"{cost.models}"
            facts[f"points of {size} models, copy {cost.copies_from or 1} on"] = str(cost.points)
    for weapon in unit.weapons.values():
        label = " ".join(filter(None, (fold(weapon.weapon_name), fold(weapon.profile_name or ""))))
        for name in _CHARACTERISTICS:
            facts[f"{label} ({weapon.attack_type}): {name}"] = str(getattr(weapon, name))
    return facts
