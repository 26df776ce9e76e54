"""What each rule adds to each unit that may use it: the same attack with it and without it, both exact.

Belongs here: asking for both attacks, and the differences per CP or point. Doesn't: what an effect is (``applied``),
who uses it (``uses``), attacks (``attacks``, ``pipelines.durability``), combinations of several (``combinations``).

Attacking, a unit at its smallest size uses what is best without the rule against each target in the plain scenario; the
rule doesn't change that choice. Attacked, it stands at its smallest size before each reference attacker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipelines.dimensions.frames import frame
from pipelines.durability import durability
from pipelines.engine_frames import as_table, with_groups
from pipelines.loadout_choice import PLAIN
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.rulesets import RuleSet
from pipelines.worth.applied import COVER, Effect, in_words, target_columns
from pipelines.worth.attacks import METRICS, Base, attacks_with, best_attacks, joined
from pipelines.worth.combinations import best_combinations, open_combinations
from pipelines.worth.mortal_wounds import mortal_wounds_law, suffered
from pipelines.worth.sources import Source, read_sources
from pipelines.worth.users import Users, leader_sources
from pipelines.worth.uses import Uses, collect_uses
from pipelines.worth.wordings import one_of_each

_ROW = ["way", "side", "phase", "unit_id", "models", "opponent_id", "scenario_id", "ruleset", "effect_text"]
_GAINS = ("points_gained", "points_destroyed_gained")


@dataclass(frozen=True, slots=True)
class Asked:
    """What comparisons are made of: all dimension tables, the archetypes, weapons as the engine takes them, rules."""

    frames: Mapping[str, pl.DataFrame]
    archetypes: pl.DataFrame
    weapons: pl.DataFrame
    rulesets: Mapping[str, RuleSet]
    ruleset: str | None
    engine: OutcomeCache

    def edition(self) -> pl.Expr:
        """The rule set of a unit, in a frame of units or targets."""
        return pl.col("edition") if self.ruleset is None else pl.lit(self.ruleset)

    def attacks(self, needed: pl.DataFrame, base: Base, uses: Uses) -> pl.DataFrame:
        """As ``attacks.attacks_with``, against the archetypes."""
        scenarios = self.frames["scenarios"]
        return attacks_with(
            needed, base, uses.effects.values, self.weapons, self.archetypes, scenarios, self.rulesets, self.engine
        )


def uplifts(
    frames: Mapping[str, pl.DataFrame],
    weapons: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
    *,
    ruleset: str | None = None,
) -> dict[str, pl.DataFrame]:
    """Rows of the tables rule_uses, uplifts and combinations: each way to use each source, for each unit that may.

    ``frames``: dimension tables, unit_loadouts and unit_matchups; ``weapons``: of ``engine_frames.weapon_frame``.
    ``ruleset``: for all units, as there; None: their own edition's.
    """
    archetypes = frames["targets"].filter(pl.col("kind") == "archetype")
    asked = Asked(frames, archetypes, weapons, rulesets, ruleset, engine)
    base = best_attacks(frames["unit_loadouts"], frames["unit_matchups"], frames["weapon_profiles"])
    sizes = _sizes(frames["unit_matchups"])
    users, sources = Users(frames, sizes), one_of_each(read_sources(frames))
    sources += leader_sources(users, sources)
    uses = collect_uses(sources, users, archetypes, frames["attackers"])
    rows = uses.rows.join(_sides(uses), on="way").join(_effects(uses), on="effect")
    rows = rows.with_columns(effect_text=pl.concat_str("abilities", "effect_text", separator=": ", ignore_nulls=True))
    mortal = pl.col("effect").is_in([n for n, effect in enumerate(uses.effects.values) if effect.mortal_wounds])
    base, attacks = _with_leaders(base, rows.filter((pl.col("side") == "attacker") & ~mortal))
    open_to = open_combinations(attacks, uses)
    outcomes = asked.attacks(_needed(attacks, open_to), base, uses)
    worth = archetypes.select(
        pl.col("target_id").alias("opponent_id"),
        model=pl.col("points") / pl.col("models"),
        wound=pl.col("points") / (pl.col("models") * pl.col("wounds")),
    )
    compared = [
        _attacks(attacks, outcomes, worth),
        _mortal_wounds(rows.filter((pl.col("side") == "attacker") & mortal), uses, sizes, asked, worth),
        _defences(rows.filter(pl.col("side") == "defender"), uses, asked),
    ]
    heads = _heads(uses, sources, dict(frames["units"].select("unit_id", "name").iter_rows()))
    found = (
        pl.concat(compared)
        .join(heads.select(pl.col("number").alias("way"), "source_id", "cost_kind", "cost", place="way"), on="way")
        .with_columns(
            points_gained_per_cp=_per("cp", 1),
            points_gained_per_100_points=_per("points", 100),
            way="place",
        )
        .sort("source_id", "side", "way", "phase", "opponent_id", "unit_id")
    )
    names = {number: (source.key, source.name) for number, (source, _) in enumerate(uses.ways)}
    best = best_combinations(open_to, outcomes.filter(pl.col("scenario_id") == PLAIN), worth, names)
    together = best.join(_effects(uses).select("effect", "effect_text"), on="effect").sort(
        "detachment_id", "phase", "opponent_id", "unit_id", "cp"
    )
    return {
        "rule_uses": as_table("rule_uses", heads),
        "uplifts": as_table("uplifts", found),
        "combinations": as_table("combinations", together),
    }


def _per(cost_kind: str, amount: int) -> pl.Expr:
    paid = (pl.col("cost_kind") == cost_kind) & (pl.col("cost") > 0)
    return pl.when(paid).then(amount * pl.col("points_gained") / pl.col("cost"))


def _sizes(unit_matchups: pl.DataFrame) -> dict[str, tuple[int, int | None]]:
    """The smallest size of each unit, and its lowest price at that size."""
    sizes = unit_matchups.group_by("unit_id", "models").agg(pl.col("points").min())
    smallest = sizes.sort("models").unique("unit_id", keep="first", maintain_order=True)
    return {unit_id: (models, points) for unit_id, models, points in smallest.iter_rows()}


def _sides(uses: Uses) -> pl.DataFrame:
    rows = [(number, way.side) for number, (_, way) in enumerate(uses.ways)]
    return pl.DataFrame(rows, schema={"way": pl.Int32, "side": pl.String}, orient="row")


def _effects(uses: Uses) -> pl.DataFrame:
    """Effects by number: in words, and the scenarios without and with them."""
    rows = [(number, in_words(effect), *effect.scenarios) for number, effect in enumerate(uses.effects.values)]
    names = {"effect": pl.Int32, "effect_text": pl.String, "without_in": pl.String, "scenario_id": pl.String}
    return pl.DataFrame(rows, schema=names, orient="row")


def _needed(attacks: pl.DataFrame, open_to: pl.DataFrame) -> pl.DataFrame:
    """All attacks to compute: activation, effect, scenario_id; with each rule, without, with combinations of rules."""
    nothing, plain = pl.lit(0, pl.Int32).alias("effect"), pl.lit(PLAIN).alias("scenario_id")
    parts = [
        attacks.select("activation", nothing, scenario_id="without_in"),
        attacks.select(pl.col("together").alias("activation"), "effect", "scenario_id"),
        open_to.select("activation", "effect", plain),
        open_to.select("activation", pl.col("without").alias("effect"), plain).explode("effect"),
    ]
    return pl.concat(parts).drop_nulls("effect").unique(maintain_order=True)


def _attacks(rows: pl.DataFrame, outcomes: pl.DataFrame, worth: pl.DataFrame) -> pl.DataFrame:
    """What is gained by rules for attackers: more points of the target destroyed."""
    plain = outcomes.filter(pl.col("effect") == 0).drop("effect", "ruleset").rename({"scenario_id": "without_in"})
    return (
        rows.join(outcomes.rename({"activation": "together"}), on=["together", "effect", "scenario_id", "opponent_id"])
        .join(plain, on=["activation", "without_in", "opponent_id"], suffix="_without")
        .join(worth, on="opponent_id")
        .with_columns(
            points_destroyed_gained=pl.col("model")
            * (pl.col("expected_models_destroyed") - pl.col("expected_models_destroyed_without")),
            points_gained=pl.col("wound") * (pl.col("expected_damage") - pl.col("expected_damage_without")),
        )
        .select(*_ROW, *METRICS, *(f"{name}_without" for name in METRICS), *_GAINS)
    )


def _with_leaders(base: Base, rows: pl.DataFrame) -> tuple[Base, pl.DataFrame]:
    """Rows with their activation, and with the one together: the same, or the joint one with the leader who joins.

    A leader who neither has a weapon nor changes the unit's attacks is left out; one who has says so in effect_text.
    """
    rows = rows.join(base.activations, on=["unit_id", "phase", "opponent_id"])
    leaders = base.activations.select(
        "phase", "opponent_id", pl.col("unit_id").alias("joined_by"), pl.col("activation").alias("joining")
    )
    rows = rows.join(leaders, on=["joined_by", "phase", "opponent_id"], how="left", maintain_order="left")
    rows = rows.filter(pl.col("joined_by").is_null() | pl.col("joining").is_not_null() | (pl.col("effect") > 0))
    base, numbered = joined(base, rows.select("activation", "joining").drop_nulls().unique(maintain_order=True))
    rows = rows.join(numbered, on=["activation", "joining"], how="left", maintain_order="left")
    changed = pl.when(pl.col("effect") > 0).then("effect_text")
    brought = pl.concat_str(pl.lit("its own weapons"), changed, separator="; ", ignore_nulls=True)
    return base, rows.with_columns(
        together=pl.coalesce("together", "activation"),
        effect_text=pl.when(pl.col("joining").is_null()).then("effect_text").otherwise(brought),
    )


def _mortal_wounds(
    rows: pl.DataFrame, uses: Uses, sizes: Mapping[str, tuple[int, int | None]], asked: Asked, worth: pl.DataFrame
) -> pl.DataFrame:
    """What mortal wounds beside attacks do to an unhurt target; without the rule there are none."""
    sized = pl.DataFrame(
        [(unit_id, models) for unit_id, (models, _) in sizes.items()],
        schema={"unit_id": pl.String, "models": pl.Int32},
        orient="row",
    )
    rows = rows.join(sized, on="unit_id")
    results = [
        (effect, models, target["target_id"], *suffered(law, target), 0.0, 0.0, 0.0)
        for effect, models in rows.select("effect", "models").unique(maintain_order=True).iter_rows()
        if (law := mortal_wounds_law(sorted(uses.effects.values[effect].mortal_wounds), models)) is not None
        for target in asked.archetypes.iter_rows(named=True)
    ]
    names = dict.fromkeys([*METRICS, *(f"{name}_without" for name in METRICS)], pl.Float64)
    keys = {"effect": pl.Int32, "models": pl.Int32, "opponent_id": pl.String}
    suffers = pl.DataFrame(results, schema={**keys, **names}, orient="row")
    editions = asked.frames["units"].select("unit_id", ruleset=asked.edition())
    return (
        rows.join(suffers, on=list(keys))
        .join(editions, on="unit_id")
        .join(worth, on="opponent_id")
        .with_columns(
            points_destroyed_gained=pl.col("model") * pl.col("expected_models_destroyed"),
            points_gained=pl.col("wound") * pl.col("expected_damage"),
        )
        .select(*_ROW, *METRICS, *(f"{name}_without" for name in METRICS), *_GAINS)
    )


def _defences(rows: pl.DataFrame, uses: Uses, asked: Asked) -> pl.DataFrame:
    """What is gained by rules for the attacked: fewer points lost to one volley of a reference attacker."""
    of_units = with_groups(asked.frames).filter(pl.col("kind") == "unit").with_columns(edition=asked.edition())
    targets = {row["unit_id"]: row for row in of_units.iter_rows(named=True)}
    rows = rows.filter(pl.col("unit_id").is_in(list(targets)))
    met = pl.concat([rows.select("unit_id", "effect"), rows.select("unit_id", pl.lit(0, pl.Int32).alias("effect"))])
    changed = [
        _protected(targets[unit_id], uses.effects.values[number]) | {"target_id": f"{unit_id}|{number}"}
        for unit_id, number in met.unique().sort("unit_id", "effect").iter_rows()
    ]
    lost = durability(
        pl.DataFrame(changed, schema=of_units.schema),
        asked.frames["attackers"],
        asked.frames["scenarios"].filter(pl.col("scenario_id").is_in([PLAIN, COVER])),
        asked.rulesets,
        asked.engine,
        copies=False,
    )
    keys = pl.col("target_id").str.split("|")
    lost = lost.select(
        keys.list.get(0).alias("unit_id"),
        keys.list.get(1).cast(pl.Int32).alias("effect"),
        *("scenario_id", "ruleset", "points_lost", "wounds_worth", *METRICS),
        opponent_id="attacker_id",
    )
    plain = lost.filter(pl.col("effect") == 0).drop("effect", "ruleset").rename({"scenario_id": "without_in"})
    return (
        rows.join(lost, on=["unit_id", "effect", "scenario_id", "opponent_id"])
        .join(plain, on=["unit_id", "without_in", "opponent_id"], suffix="_without")
        .join(of_units.select("unit_id", pl.col("models").cast(pl.Int32)), on="unit_id")
        .with_columns(
            points_destroyed_gained=pl.col("points_lost_without") - pl.col("points_lost"),
            points_gained=pl.col("wounds_worth_without") - pl.col("wounds_worth"),
        )
        .select(*_ROW, *METRICS, *(f"{name}_without" for name in METRICS), *_GAINS)
    )


def _protected(row: Mapping[str, Any], effect: Effect) -> dict[str, Any]:
    groups = [target_columns(effect, group) for group in row["groups"] or ()]
    return {**target_columns(effect, row), "groups": groups or None}


def _heads(uses: Uses, sources: Iterable[Source], names: Mapping[str, str]) -> pl.DataFrame:
    """Rows of rule_uses, with ``number`` in ``uses.ways``; way counts from 1 in a source's side.

    A source without any way has one row, way 0, that says what is left out. ``names``: of units by unit_id.
    """
    used = set(uses.rows["way"])
    counts: Counter[tuple[str, str]] = Counter()
    rows = []
    for number, (source, way) in enumerate(uses.ways):
        counts[source.key, way.side] += 1
        place = {"number": number, "side": way.side, "way": counts[source.key, way.side], "label": way.label}
        rows.append({**_head(source, names), **place, "assumes": list(way.assumed), "has_users": number in used})
    known = {source.key for source, _ in uses.ways}
    for source in sources:
        if source.key not in known:
            place = {"number": None, "side": source.side, "way": 0, "label": None}
            left_out = list(source.left_out) or ["only harms its user"]
            rows.append({**_head(source, names), **place, "left_out": left_out, "assumes": [], "has_users": False})
    return pl.DataFrame(rows, schema={"number": pl.Int32, **frame("rule_uses", []).schema})


def _head(source: Source, names: Mapping[str, str]) -> dict[str, Any]:
    owners = sorted({names[unit_id] for unit_id in source.owners}) if source.kind == "ability" else []
    return {
        "source_kind": source.kind, "source_id": source.key, "name": source.name, "left_out": list(source.left_out),
        "detachment_id": source.detachment_id, "faction": source.faction, "edition": source.edition,
        "cost_kind": source.cost_kind, "cost": source.cost, "owners": owners,
    }  # fmt: skip
