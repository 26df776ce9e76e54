"""What can be shot at: declared archetypes and preferred units at their smallest size.

Belongs here: target rows and which of them an edition's weapons meet. Doesn't: what happens to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipelines.dimensions.frames import Row
from pipelines.dimensions.prices import price_of, smallest_price
from pipelines.dimensions.units import Unit
from pipelines.identity import singular
from pipelines.records import ModelProfile

EDITIONS = ("10e", "11e")


def archetype_rows(archetypes: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """One target row per declared archetype."""
    return [
        {
            **{name: value for name, value in entry.items() if name != "checked_against"},
            "target_id": slug,
            "kind": "archetype",
            "stealth": entry.get("stealth", False),
            "is_simplified": False,
        }
        for slug, entry in archetypes.items()
    ]


def unit_target_rows(units: Iterable[Unit]) -> list[Row]:
    """One target row per preferred unit whose T, W and Sv are known."""
    rows = (_target_row(unit) for unit in units if unit.is_preferred)
    return [row for row in rows if row is not None]


def _target_row(unit: Unit) -> Row | None:
    model, mixed = _most_numerous(unit)
    if model is None or model.toughness is None or model.save is None or model.wounds is None:
        return None
    models, borrowed = smallest_size(unit)
    return {
        "target_id": unit.unit_id,
        "name": unit.datasheet.name,
        "kind": "unit",
        "unit_id": unit.unit_id,
        "canonical_unit_id": unit.canonical_unit_id,
        "edition": unit.edition,
        "toughness": model.toughness,
        "save": model.save,
        "invulnerable_save": model.invulnerable_save,
        "invulnerable_save_scope": model.invulnerable_save_scope,
        "wounds": model.wounds,
        "feel_no_pain": model.feel_no_pain,
        "feel_no_pain_scope": model.feel_no_pain_scope,
        "stealth": unit.has_stealth,
        "models": models,
        "points": price_of(unit.datasheet.costs, models),
        "keywords": list(unit.keywords),
        "is_simplified": mixed or borrowed,
    }


def smallest_size(unit: Unit) -> tuple[int, bool]:
    """Models at the smallest size, and whether that number had to be borrowed from another source or assumed."""
    own = sum(row.min_models for row in unit.composition)
    price = smallest_price(unit.datasheet.costs)
    if price is not None and price.models > own:  # a composition's minima may lie below the smallest priced size
        return price.models, False
    if own > 0:
        return own, False
    borrowed = sum(row.min_models for row in unit.stand_in.composition) if unit.stand_in else 0
    return max(borrowed, 1), True


def _most_numerous(unit: Unit) -> tuple[ModelProfile | None, bool]:
    """The stat line most models have (ties: the first printed), and whether there are others that differ."""
    if not unit.models:
        return None, False
    first = {singular(model.model_name): position for position, model in reversed(list(enumerate(unit.models)))}
    counts: Counter[int] = Counter(dict.fromkeys(range(len(unit.models)), 0))
    composition = unit.composition or (unit.stand_in.composition if unit.stand_in else ())
    for row in composition:
        counts[first.get(singular(row.model_name), 0)] += row.min_models
    position = max(counts, key=lambda each: (counts[each], -each))
    dice = {(model.toughness, model.save, model.wounds, model.invulnerable_save) for model in unit.models}
    return unit.models[position], len(dice) > 1


def matchup_target_rows(targets: Sequence[Row]) -> list[Row]:
    """Which targets the weapons of an edition meet: each canonical target once, its own edition's row first."""
    rows: list[Row] = []
    for edition in EDITIONS:
        chosen: dict[str, Row] = {}
        for target in targets:
            key = target.get("canonical_unit_id") or target["target_id"]
            if key not in chosen or target.get("edition") == edition:
                chosen[key] = target
        rows += [{"ruleset_edition": edition, "target_id": target["target_id"]} for target in chosen.values()]
    return rows
