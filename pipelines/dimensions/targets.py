"""What can be shot at: declared archetypes and preferred units at their smallest size.

Belongs here: target rows, their kinds of models, which of them an edition's weapons meet. Doesn't: reading their
abilities (``defences``), what happens to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pipelines.dimensions.defences import Defences, defences
from pipelines.dimensions.frames import Row
from pipelines.dimensions.prices import price_of, smallest_price
from pipelines.dimensions.units import Unit
from pipelines.identity import singular
from pipelines.records import ModelProfile

EDITIONS = ("10e", "11e")
_NO_DEFENCES: Mapping[str, Any] = {
    name: value for name, value in asdict(Defences()).items() if name not in ("feel_no_pain_mortal", "not_modelled")
}


def archetype_rows(archetypes: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """One target row per declared archetype."""
    return [
        {
            **{name: value for name, value in entry.items() if name != "checked_against"},
            "target_id": slug,
            "kind": "archetype",
            "stealth": entry.get("stealth", False),
            **{name: entry.get(name, default) for name, default in _NO_DEFENCES.items()},
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
    defence = _defences(unit)
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
        "improved_invulnerable_save": model.improved_invulnerable_save,
        "improved_invulnerable_save_scope": model.improved_invulnerable_save_scope,
        "wounds": model.wounds,
        **_feel_no_pain(model, defence),
        "stealth": unit.has_stealth,
        **{name: getattr(defence, name) for name in _NO_DEFENCES},
        "not_modelled": list(defence.not_modelled) or None,
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
    at_hand = _counts_by_stat_line(unit) or [1] * len(unit.models)
    dice = {_dice_of(model) for model, number in zip(unit.models, at_hand, strict=True) if number}
    return unit.models[position], len(dice) > 1


def _dice_of(model: ModelProfile) -> tuple[Any, ...]:
    names = ("toughness", *_GROUP_FIELDS, "feel_no_pain", "feel_no_pain_scope")
    return tuple(getattr(model, name) for name in names)


def _defences(unit: Unit) -> Defences:
    printed = any(model.feel_no_pain is not None for model in unit.models)
    return defences(unit.datasheet.abilities, one_kind=len(unit.models) == 1, feel_no_pain=printed)


def _feel_no_pain(model: ModelProfile, defence: Defences) -> Row:
    """Feel No Pain of the stat line, or, where it has none, that of an ability against mortal wounds."""
    if model.feel_no_pain is None and defence.feel_no_pain_mortal is not None:
        return {"feel_no_pain": defence.feel_no_pain_mortal, "feel_no_pain_scope": "mortal"}
    return {"feel_no_pain": model.feel_no_pain, "feel_no_pain_scope": model.feel_no_pain_scope}


def target_group_rows(units: Iterable[Unit], targets: Iterable[Row]) -> list[Row]:
    """Rows of the kinds of models of each target whose models differ, in the order in which they take attacks.

    Most models first (ties: as printed), characters last. None where the composition doesn't tell how many there are.
    """
    known = {target["target_id"] for target in targets}
    return [row for unit in units if unit.is_preferred and unit.unit_id in known for row in _group_rows(unit)]


def _group_rows(unit: Unit) -> list[Row]:
    counts = _counts_by_stat_line(unit)
    if not _most_numerous(unit)[1] or counts is None:
        return []
    defence = _defences(unit)
    characters = {
        singular(keyword.model_name)
        for keyword in unit.datasheet.keywords
        if keyword.keyword == "CHARACTER" and keyword.model_name is not None
    }
    order = sorted(
        (position for position, number in enumerate(counts) if number),
        key=lambda position: (singular(unit.models[position].model_name) in characters, -counts[position]),
    )
    return [
        {
            "target_id": unit.unit_id,
            "position": place,
            "model_name": unit.models[position].model_name,
            "models": counts[position],
            **{name: getattr(unit.models[position], name) for name in _GROUP_FIELDS},
            **_feel_no_pain(unit.models[position], defence),
            "is_character": singular(unit.models[position].model_name) in characters,
        }
        for place, position in enumerate(order, start=1)
    ]


_GROUP_FIELDS = (
    "wounds", "save", "invulnerable_save", "invulnerable_save_scope", "improved_invulnerable_save",
    "improved_invulnerable_save_scope",
)  # fmt: skip


def _counts_by_stat_line(unit: Unit) -> list[int] | None:
    """Models of each stat line at the smallest size; None where a model can't be told by its name or lacks a value."""
    names = [singular(model.model_name) for model in unit.models]
    counts = [0] * len(names)
    size, borrowed = smallest_size(unit)
    if borrowed or not unit.composition or len(set(names)) < len(names):
        return None
    rows = [(row, row.min_models) for row in unit.composition]
    missing = size - sum(number for _, number in rows)
    if missing > 0:  # as in the loadout: fill the kind with the most room
        most = max(range(len(rows)), key=lambda each: rows[each][0].max_models - rows[each][0].min_models)
        rows[most] = (rows[most][0], rows[most][1] + missing)
    for row, number in rows:
        if number and singular(row.model_name) not in names:
            return None
        if number:
            counts[names.index(singular(row.model_name))] += number
    present = [model for model, number in zip(unit.models, counts, strict=True) if number]
    return counts if all(model.save and model.wounds for model in present) else None


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
