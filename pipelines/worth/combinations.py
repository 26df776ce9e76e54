"""The best that a detachment's rules and stratagems do together for a unit's attack, within some command points.

Belongs here: combining the ways of several sources, choosing the best for each number of CP, what each part of it adds.
Doesn't: single rules (``uplifts``), enhancements and leaders (another unit pays for them), defence.

Every combination that the CP allow is resolved exactly, in the plain scenario; none is left out by a guess.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from operator import mul
from typing import Any, NamedTuple

import polars as pl

from pipelines.loadout_choice import PLAIN
from pipelines.worth.applied import NOTHING, Effect, together
from pipelines.worth.uses import Uses

MAX_CP = 3
"""Command points that one attack may take."""
MAX_CHOICES = 64
"""Combinations of a detachment's sources for one attack, whatever they cost: of sources that allow more, the first
ones in the order of their tables are combined. A bound, no detachment of the game comes near it."""
MAX_OPEN = 2_000_000
"""Combinations in all: four times what the whole game takes; units beyond it have none."""
LEAST_GAIN = 1e-9
"""Points below which a gain is rounding."""
COMBINED = ("stratagem", "detachment_rule")
_UNIT = ["detachment_id", "unit_id", "models", "phase", "opponent_id"]


class Part(NamedTuple):
    """One way of a source: its number, its source's id, CP, effect."""

    way: int
    source: str
    cost: int
    effect: Effect


@dataclass(frozen=True, slots=True)
class Combination:
    """Ways used together, what they cost and do; ``without``: the effect that is left without each of them."""

    ways: tuple[int, ...]
    cost: int
    effect: Effect
    without: tuple[Effect, ...]


def combined(parts: Sequence[Part], budget: int = MAX_CP) -> list[Combination]:
    """Every combination of parts within a budget of CP, of each source at most one way; the empty one isn't among them.

    Of combinations with equal effects the cheapest counts, of these the one of fewest parts. Of sources that allow more
    than ``MAX_CHOICES`` the first ones count.
    """
    by_source: dict[str, list[Part | None]] = {}
    for part in parts:
        by_source.setdefault(part.source, [None]).append(part)
    found: dict[Effect, Combination] = {}
    choices = accumulate((len(options) for options in by_source.values()), mul)
    within = sum(1 for number in choices if number <= MAX_CHOICES)
    for chosen in product(*islice(by_source.values(), within)):
        used = [part for part in chosen if part is not None]
        cost = sum(part.cost for part in used)
        effect = together(part.effect for part in used)
        if cost > budget or effect == NOTHING:
            continue
        known = found.get(effect)
        if known is None or (cost, len(used)) < (known.cost, len(known.ways)):
            without = tuple(together(other.effect for other in used if other is not part) for part in used)
            found[effect] = Combination(tuple(part.way for part in used), cost, effect, without)
    return list(found.values())


def open_combinations(attacks: pl.DataFrame, uses: Uses) -> pl.DataFrame:
    """All combinations open to each unit, phase and opponent.

    ``attacks``: way, effect, unit_id, models, phase, opponent_id, activation, scenario_id, without_in: who uses what.
    Columns: detachment_id, unit_id, models, phase, opponent_id, activation, ways (List[Int32]), cp, effect, without
    (List[Int32], as ``Combination.without``); effects by their numbers in ``uses.effects``, to which new ones are
    added.
    """
    heads = pl.DataFrame(
        [
            (number, source.key, source.cost or 0, source.detachment_id)
            for number, (source, _) in enumerate(uses.ways)
            if source.kind in COMBINED and source.detachment_id is not None
        ],
        schema={"way": pl.Int32, "source_id": pl.String, "cost": pl.Int32, "detachment_id": pl.String},
        orient="row",
    )
    in_plain = (pl.col("scenario_id") == PLAIN) & (pl.col("without_in") == PLAIN)
    plain = attacks.filter(in_plain).join(heads, on="way")
    open_to = (
        plain.sort("way", *_UNIT)
        .group_by([*_UNIT, "activation"], maintain_order=True)
        .agg(pl.struct("way", "source_id", "cost", "effect").alias("parts"))
        .with_columns(
            pattern=pl.col("parts")
            .list.eval(pl.format("{}/{}", pl.element().struct["way"], pl.element().struct["effect"]))
            .list.join(" ")
        )
    )
    rows: list[tuple[Any, ...]] = []
    for pattern, parts in open_to.select("pattern", "parts").unique("pattern", maintain_order=True).iter_rows():
        read = [
            Part(each["way"], each["source_id"], each["cost"], uses.effects.values[each["effect"]]) for each in parts
        ]
        for each in combined(read):
            without = [uses.effects.index(effect) for effect in each.without]
            rows.append((pattern, list(each.ways), each.cost, uses.effects.index(each.effect), without))
    schema: dict[str, Any] = {
        "pattern": pl.String, "ways": pl.List(pl.Int32), "cp": pl.Int32, "effect": pl.Int32,
        "without": pl.List(pl.Int32),
    }  # fmt: skip
    combinations = pl.DataFrame(rows, schema=schema, orient="row")
    of_pattern = combinations.group_by("pattern").len()
    within = (
        open_to.drop("parts")
        .join(of_pattern, on="pattern", maintain_order="left")
        .filter(pl.col("len").cum_sum() <= MAX_OPEN)
    )
    return within.join(combinations, on="pattern", maintain_order="left_right").drop("pattern", "len")


def best_combinations(
    open_to: pl.DataFrame, outcomes: pl.DataFrame, worth: pl.DataFrame, names: Mapping[int, tuple[str, str]]
) -> pl.DataFrame:
    """Rows of the table combinations, but for effect_text: the best for each number of CP that does more than fewer do.

    ``open_to``: of ``open_combinations``; ``outcomes``: activation, effect, opponent_id, ruleset and metrics in the
    plain scenario, effect 0 being none; ``worth``: opponent_id, model (points of each), wound; ``names``: source_id
    and name of each way. Columns besides the table's: effect.
    """
    key = ["activation", "effect", "opponent_id"]
    value = (
        outcomes.join(worth, on="opponent_id")
        .with_columns(
            points=pl.col("expected_damage") * pl.col("wound"),
            destroyed=pl.col("expected_models_destroyed") * pl.col("model"),
        )
        .select(*key, "ruleset", "expected_damage", "expected_models_destroyed", "points", "destroyed")
    )
    plain = value.filter(pl.col("effect") == 0).select(
        "activation", "opponent_id", plain_points="points", plain_destroyed="destroyed"
    )
    valued = open_to.join(value, on=key).join(plain, on=["activation", "opponent_id"])
    best = (
        valued.sort(
            ["points", "destroyed", pl.col("ways").list.len()], descending=[True, True, False], maintain_order=True
        )
        .unique([*_UNIT, "cp"], keep="first", maintain_order=True)
        .sort(*_UNIT, "cp")
        .with_columns(
            reached=pl.col("points").cum_max().over(_UNIT),
            # What the detachment's rules do anyway isn't bought.
            free=pl.max_horizontal("plain_points", pl.col("points").filter(pl.col("cp") == 0).max().over(_UNIT)),
        )
        .with_columns(before=pl.col("reached").shift(1).over(_UNIT))
        .filter(pl.col("points") > pl.coalesce("before", "plain_points") + LEAST_GAIN)
        .with_row_index("row")
    )
    parts = (
        best.select("row", "activation", "opponent_id", "ways", "without", "points")
        .explode("ways", "without")
        .join(value.select(*key, left="points"), left_on=["activation", "without", "opponent_id"], right_on=key)
        .with_columns(
            source_id=pl.col("ways").replace_strict(
                {way: key for way, (key, _) in names.items()}, return_dtype=pl.String
            ),
            name=pl.col("ways").replace_strict({way: name for way, (_, name) in names.items()}, return_dtype=pl.String),
            loss=pl.col("points") - pl.col("left"),
        )
        .sort("row", "ways")
        .group_by("row", maintain_order=True)
        .agg(source_ids="source_id", parts="name", points_lost_without="loss")
    )
    return best.join(parts, on="row").with_columns(
        points_gained=pl.col("points") - pl.col("plain_points"),
        points_destroyed_gained=pl.col("destroyed") - pl.col("plain_destroyed"),
        points_gained_per_cp=pl.when(pl.col("cp") > 0).then((pl.col("points") - pl.col("free")) / pl.col("cp")),
    )
