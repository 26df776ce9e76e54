"""Where sources of one edition disagree about a unit: every source's value, and which one won.

Belongs here: comparing units that share a canonical unit and an edition. Doesn't: deciding (declared precedence did).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.dimensions.frames import Row
from pipelines.dimensions.units import Unit
from pipelines.identity import fold, singular
from pipelines.records import ModelProfile, WeaponProfile

_STATS = (
    "movement",
    "toughness",
    "save",
    "invulnerable_save",
    "improved_invulnerable_save",
    "wounds",
    "leadership",
    "objective_control",
    "feel_no_pain",
)
_CHARACTERISTICS = ("range_inches", "attacks", "skill", "strength", "armour_penetration", "damage")
_ABSENT = "none"


def conflict_rows(units: Iterable[Unit]) -> list[Row]:
    """One row per field and source wherever the sources that state a field give different values for it."""
    groups: dict[tuple[str, str], list[Unit]] = defaultdict(list)
    for unit in units:
        groups[unit.canonical_unit_id, unit.edition].append(unit)
    return [row for group in groups.values() if len(group) > 1 for row in _of_group(group)]


def _of_group(group: Sequence[Unit]) -> Iterator[Row]:
    stated: dict[str, dict[str, _Stated]] = defaultdict(dict)
    for unit in group:
        for field, fact in _facts(unit):
            stated[field][unit.unit_id] = fact
    for field, facts in sorted(stated.items()):
        if len({fact.value for fact in facts.values()}) < 2:
            continue
        for unit in group:
            if unit.unit_id in facts:
                yield {
                    "canonical_unit_id": unit.canonical_unit_id,
                    "edition": unit.edition,
                    "field": field,
                    "unit_id": unit.unit_id,
                    "unit_name": unit.datasheet.name,
                    "source_kind": unit.document.source_kind,
                    "value": facts[unit.unit_id].value,
                    "dated": facts[unit.unit_id].dated,
                    "won": unit.is_preferred,
                }


@dataclass(frozen=True, slots=True)
class _Stated:
    value: str
    dated: str | None


def _facts(unit: Unit) -> Iterator[tuple[str, _Stated]]:
    """What a unit's own source states, by the name of the field; joined stat lines are not its own."""
    dated = unit.document.dated
    for model in unit.datasheet.models:
        for name, value in _stats(model):
            yield f"{singular(model.model_name)}: {name}", _Stated(value, dated)
    for cost in unit.datasheet.costs:
        if cost.kind == "base" and cost.condition is None:
            size = f"{cost.models}-{cost.models_max}" if cost.models_max else f"{cost.models}"
            field = f"points of {size} models, copy {cost.copies_from or 1} on"
            yield field, _Stated(str(cost.points), cost.priced_at or dated)
    for weapon in unit.weapons.values():
        label = " ".join(filter(None, (fold(weapon.weapon_name), fold(weapon.profile_name or ""))))
        for name in _CHARACTERISTICS:
            value = getattr(weapon, name)
            shown = _ABSENT if value is None else str(value)
            yield f"{label} ({weapon.attack_type}): {name}", _Stated(shown, dated)
        yield f"{label} ({weapon.attack_type}): abilities", _Stated(_abilities(weapon), dated)


def _stats(model: ModelProfile) -> Iterator[tuple[str, str]]:
    """A stat line's values; one that has a save says by its silence that there is no invulnerable one."""
    for name in _STATS:
        if (value := getattr(model, name)) is not None:
            scope = getattr(model, f"{name}_scope", None)
            yield name, f"{value} ({scope})" if scope else str(value)
        elif name == "invulnerable_save" and model.save is not None:
            yield name, _ABSENT


def _abilities(weapon: WeaponProfile) -> str:
    """A weapon's abilities in one spelling and order."""
    parts = (
        (one.ability, "/".join(sorted(one.against_keywords)), one.value, one.condition and f"({one.condition})")
        for one in weapon.abilities
    )
    return ", ".join(sorted({" ".join(filter(None, part)) for part in parts})) or _ABSENT
