"""Wargear options of the community data set as records.

Belongs here: what the data set's limits mean. Doesn't: the names of its ids (the caller gives them).

``per_n_models`` allows ``max_count`` (one, if unsaid) for each so many models; ``max_count`` alone, or nothing, so many
in the unit; ``any_number`` with ``max_count`` so often a model. ``any_number`` is only trusted of a single model: of
273 such options for several models that the CSV export of 2025-11 has as well, 120 are limited there. One taker is
certain. A kind of model whose ``loadout_variants`` are numbered may carry a variant's items instead of its default
ones, so many of them as it says, and so many of a group of variants as their ``loadout_variant_budgets`` say; options
for it that stand beside its variants say the same with less care, so nothing is read from them. Nor from an option
whose choices all lie within those of another: the data lists a tank's sponsons both alone and with its hull weapon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.records import CarryLimit, Items, WargearOption, WargearSwap

Raw = Mapping[str, Any]
Namer = Callable[[str], str]


def read_options(options: Iterable[Raw], models: Sequence[Raw], name_of: Namer) -> tuple[WargearOption, ...]:
    """Read a unit's options and the variants of its kinds of model; ``name_of`` gives the name of an item's id."""
    most = {model["name"]: model["max"] for model in models}
    varied = {model["name"] for model in models if _says_how_many(model)}
    carried = {model["name"]: set(map(name_of, model.get("default_weapon_ids") or [])) for model in models}
    swaps = []
    for option in options:
        taker = (option["model_constraint"] or {}).get("model_name", "")
        swaps.append(_swap(option, name_of, several=most.get(taker, sum(most.values())) > 1))
    whole = sum((Counter(map(name_of, model.get("default_weapon_ids") or [])) for model in models), Counter())
    swaps = [replace(swap, at_most=_carry_limits(swap, swaps, whole)) for swap in swaps]
    variants = [
        swap for model in models if model["name"] in varied for swap in _variants(model, sum(most.values()), name_of)
    ]
    kept = [
        None
        if swap.takers in varied or (swap.takers is None and varied)
        else _certain(swap, [*(other for m, other in enumerate(swaps) if m != n), *variants], carried, swaps[:n])
        for n, swap in enumerate(swaps)
    ]
    read = [replace(_option(n, swap), swap=taken) for n, (swap, taken) in enumerate(zip(swaps, kept, strict=True), 1)]
    return (*read, *(_option(number, swap) for number, swap in enumerate(variants, len(read) + 1)))


def _carry_limits(swap: WargearSwap, swaps: Sequence[WargearSwap], carried: Counter[str]) -> tuple[CarryLimit, ...]:
    """What a model may carry of items that an option adds and others' choices hold too: as many as one choice has.

    The data lists a tank's pintle gun in every combination with its hull weapons, which are options of their own.
    """
    same = [other for other in swaps if other.takers == swap.takers]
    own = {name for choice in swap.choices for name, _ in choice}
    limits = []
    for added in (other for other in same if not other.replaces):
        names = tuple(dict.fromkeys(name for choice in added.choices for name, _ in choice))
        holding = [
            [sum(count for name, count in choice if name in names) for choice in other.choices] for other in same
        ]
        if own.intersection(names) and sum(any(counts) for counts in holding) > 1:
            most = (added.times or 1) * max(count for counts in holding for count in counts)
            limits.append(CarryLimit(most + sum(carried[name] for name in names), names))
    return tuple(limits)


def _certain(
    swap: WargearSwap, others: Sequence[WargearSwap], carried: Mapping[str, set[str]], before: Sequence[WargearSwap]
) -> WargearSwap | None:
    """The swap without choices that may not come on top of what else the unit has; None where none is left.

    Left out are choices of an equal or wider option (of two equal ones the first stays), items without replacement that
    a model carries already, and an unlimited single model's share of what others of its unit may have so often.
    """
    limited = {name for other in others if other.most is not None and other.takers != swap.takers
               for choice in other.choices for name, _ in choice}  # fmt: skip
    default = set().union(*carried.values()) if swap.takers is None else carried.get(swap.takers, set())
    choices = tuple(
        choice
        for choice in swap.choices
        if not any(_within(swap, choice, other, other in before) for other in others)
        and not (not swap.replaces and {name for name, _ in choice} <= default)
        and not (swap.most is None and len(carried) > 1 and {name for name, _ in choice} & limited)
    )
    return replace(swap, choices=choices) if choices else None


def _within(swap: WargearSwap, choice: Items, other: WargearSwap, before: bool) -> bool:
    """Whether another option of the same models has this choice too, alone or with more."""
    if swap.takers != other.takers or not set(swap.replaces) <= set(other.replaces):
        return False
    alike = swap.replaces == other.replaces
    return any(set(choice) < set(wider) or (choice == wider and (before or not alike)) for wider in other.choices)


def _says_how_many(model: Raw) -> bool:
    """Whether each variant of a kind of model has its number: of 47 without one the export limits 12."""
    budgeted = {name for budget in model.get("loadout_variant_budgets") or [] for name in budget["variant_names"]}
    variants = model.get("loadout_variants") or []
    numbered = (variant.get("max_count") is not None or variant["name"] in budgeted for variant in variants)
    return bool(variants) and (model["max"] == 1 or all(numbered))


def _option(position: int, swap: WargearSwap) -> WargearOption:
    counts = {count for choice in swap.choices for _, count in choice}
    return WargearOption(
        position,
        text=None,
        action="replace" if swap.replaces else "add",
        replaces=tuple(name for name, _ in swap.replaces),
        gains=tuple(dict.fromkeys(name for choice in swap.choices for name, _ in choice)),
        quantity=counts.pop() if len(counts) == 1 else None,
        swap=swap,
    )


def _swap(option: Raw, name_of: Namer, *, several: bool) -> WargearSwap:
    limit = option["model_constraint"] or {}
    most = limit.get("max_count")
    per_model = limit.get("any_number", False) or option["model_constraint"] is None
    alternatives = option.get("replacement_choice") or [option.get("replacement") or []]
    return WargearSwap(
        replaces=_items(option.get("replaces") or [], name_of),
        choices=tuple(_items(alternative, name_of) for alternative in alternatives),
        takers=limit.get("model_name"),
        most=(1 if several else None) if per_model else most or 1,
        per_models=limit.get("per_n_models"),
        times=(most or 1) if per_model else 1,
    )


def _variants(model: Raw, largest: int, name_of: Namer) -> Iterator[WargearSwap]:
    """Swaps of all that a model carries: a group with a budget smaller than the kind's number is one, else each.

    Numbers hold for the unit at its ``largest``: two of six models are one of three.
    """

    def of_models(most: int) -> int | None:
        return largest if most > 1 and model["min"] < model["max"] else None

    carried = _items(model.get("default_weapon_ids") or [], name_of)
    variants = {variant["name"]: variant for variant in model.get("loadout_variants") or [] if carried}
    for budget in model.get("loadout_variant_budgets") or []:
        group = [variants.pop(name) for name in budget["variant_names"] if name in variants]
        if budget["count"] < model["max"]:
            per_models = budget["per_models"] or None
            yield WargearSwap(
                carried,
                tuple(_items(variant["weapon_ids"], name_of) for variant in group),
                takers=model["name"],
                most=budget["count"],
                per_models=per_models,
                of_models=None if per_models else of_models(budget["count"]),
                distinct=all(variant.get("max_count") == 1 for variant in group),
            )
        else:
            variants |= {variant["name"]: variant for variant in group}
    for variant in variants.values():
        items, count = _items(variant["weapon_ids"], name_of), variant.get("max_count")
        if items != carried:
            most = None if count is None or count >= model["max"] else count
            yield WargearSwap(
                carried, (items,), takers=model["name"], most=most, of_models=of_models(most) if most else None
            )


def _items(ids: Iterable[str], name_of: Namer) -> Items:
    return tuple(Counter(map(name_of, ids)).items())
