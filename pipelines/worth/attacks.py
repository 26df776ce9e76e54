"""Units' attacks with and without rules, asked of the engine in one go.

Belongs here: what units use without any rule, the same with a leader who joins them, weapons changed by effects.
Doesn't: who may use what (``uses``), what is gained (``uplifts``), the attack sequence (``simulation``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipelines.loadout_choice import PLAIN
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.rulesets import RuleSet
from pipelines.worth.applied import NOTHING, Effect, attacker_columns

METRICS = ("expected_damage", "expected_models_destroyed", "p_destroy_unit")
_OUTCOME = {
    **dict.fromkeys(("unit_id", "target_id", "scenario_id", "ruleset"), pl.String),
    **dict.fromkeys(METRICS, pl.Float64),
}  # fmt: skip
_AFTER = 1_000  # positions of a joining leader's weapons: after those of the unit


@dataclass(frozen=True, slots=True)
class Base:
    """What units do without any rule.

    ``activations``: activation (Int32), unit_id, models, phase, opponent_id (an archetype): what is best against it.
    ``lines``: activation, position, weapon_profile_id, count, die, die_faces.
    """

    activations: pl.DataFrame
    lines: pl.DataFrame


def best_attacks(unit_loadouts: pl.DataFrame, unit_matchups: pl.DataFrame, weapon_profiles: pl.DataFrame) -> Base:
    """What each unit at its smallest size uses best against each archetype in the plain scenario.

    Frames as the tables of these names.
    """
    smallest = unit_matchups.group_by("unit_id").agg(pl.col("models").min())
    best = unit_matchups.filter((pl.col("scenario_id") == PLAIN) & pl.col("is_best")).join(
        smallest, on=["unit_id", "models"], how="semi", maintain_order="left"
    )
    key = ["unit_id", "models", "loadout", "phase", "used"]
    numbers = best.select(key).unique(maintain_order=True).with_row_index("activation").cast({"activation": pl.Int32})
    names = weapon_profiles.select("weapon_profile_id", die="weapon_name")
    lines = (
        unit_loadouts.join(numbers, on=key, maintain_order="left")
        .join(names, on="weapon_profile_id", maintain_order="left")
        .select(
            "activation", "position", "weapon_profile_id", pl.col("count").cast(pl.Int64),
            die=pl.when(pl.col("die_faces").is_not_null()).then("die"), die_faces=pl.col("die_faces").cast(pl.Int64),
        )
    )  # fmt: skip
    activations = best.join(numbers, on=key).select(
        "activation", "unit_id", "models", "phase", pl.col("target_id").alias("opponent_id")
    )
    return Base(activations, lines)


def joined(base: Base, pairs: pl.DataFrame) -> tuple[Base, pl.DataFrame]:
    """The attacks of units that a leader joins: their weapons and then the leader's, as one activation.

    ``pairs``: activation and joining (numbers of activations of the same phase), distinct. Returns ``base`` with their
    lines, and ``pairs`` with the column together (Int32), the number of the joint activation.
    """
    free = int(base.activations["activation"].max() or 0) + 1  # type: ignore[arg-type]
    numbered = pairs.sort("activation", "joining").with_columns(
        together=pl.int_range(free, free + pl.len(), dtype=pl.Int32)
    )
    own = numbered.join(base.lines, on="activation", maintain_order="left_right")
    leaders = numbered.join(base.lines, left_on="joining", right_on="activation", maintain_order="left_right")
    leaders = leaders.with_columns(pl.col("position") + _AFTER)
    columns = [pl.col("together").alias("activation"), *base.lines.columns[1:]]
    return Base(base.activations, pl.concat([base.lines, own.select(columns), leaders.select(columns)])), numbered


def attacks_with(
    needed: pl.DataFrame,
    base: Base,
    effects: Sequence[Effect],
    weapons: pl.DataFrame,
    targets: pl.DataFrame,
    scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
) -> pl.DataFrame:
    """Outcomes of activations with effects.

    ``needed``: activation, effect (number in ``effects``), scenario_id, distinct, in any order: the engine is asked in
    the same one, so that it knows its answers again. Returns activation, effect,
    scenario_id, opponent_id, ruleset and the metrics of ``simulation.units`` for all ``targets``.
    """
    in_order = needed.sort("scenario_id", "activation", "effect")
    lines = in_order.join(base.lines, on="activation", maintain_order="left_right").with_columns(
        unit_id=pl.format("{}|{}", "activation", "effect"), weapon=pl.format("{}|{}", "weapon_profile_id", "effect")
    )
    changed = _with_effects(
        lines.select("weapon", "weapon_profile_id", "effect").unique(maintain_order=True), weapons, effects
    )
    parts = [pl.DataFrame(schema=_OUTCOME)]
    for (scenario,), of_scenario in lines.group_by("scenario_id", maintain_order=True):
        asked = scenarios.filter(pl.col("scenario_id").is_in([PLAIN, scenario]))
        loadouts = of_scenario.select(
            "unit_id", pl.lit("phase").alias("phase"), "position", pl.col("weapon").alias("weapon_profile_id"), "count",
            "die", "die_faces",
        )  # fmt: skip
        rows = engine.units(loadouts, changed, targets, asked, rulesets, None, copies=False)
        # In a scenario that changes nothing for it, a unit attacks as in the plain one.
        rows = rows.sort(pl.col("scenario_id") == PLAIN, maintain_order=True).unique(
            ["unit_id", "target_id"], keep="first", maintain_order=True
        )
        parts.append(rows.with_columns(scenario_id=pl.lit(scenario)).select(list(_OUTCOME)))
    keys = pl.col("unit_id").str.split("|")
    return pl.concat(parts).select(
        keys.list.get(0).cast(pl.Int32).alias("activation"), keys.list.get(1).cast(pl.Int32).alias("effect"),
        "scenario_id", pl.col("target_id").alias("opponent_id"), "ruleset", *METRICS,
    )  # fmt: skip


def _with_effects(pairs: pl.DataFrame, weapons: pl.DataFrame, effects: Sequence[Effect]) -> pl.DataFrame:
    """Weapons as ``engine_frames.weapon_frame`` gives them, changed by the effect of each pair."""
    ability = weapons.schema["abilities"]
    assert isinstance(ability, pl.List)
    rows = []
    for number in pairs["effect"].unique().sort():
        effect = effects[number]
        granted = [
            {"ability": slug, "value": value, "against_keywords": list(against), "condition": None}
            for slug, value, against in sorted(effect.grants, key=str)
        ]
        sets = {f"set_{column}": value for column, value in sorted(effect.sets)}
        rows.append({"effect": number, "granted": granted, **attacker_columns(effect), **_NOTHING_SET, **sets})
    own = {name: pl.String if isinstance(value, str) else pl.Int64 for name, value in attacker_columns(NOTHING).items()}
    schema: dict[str, Any] = {"effect": pl.Int32, "granted": ability, **own, **dict.fromkeys(_NOTHING_SET, pl.Int64)}
    changes = pl.DataFrame(rows, schema=schema)
    texts = ("attacks", "strength", "damage")
    return (
        pairs.join(weapons, on="weapon_profile_id", maintain_order="left")
        .join(changes, on="effect", maintain_order="left")
        .with_columns(
            pl.concat_list("abilities", "granted").alias("abilities"),
            *(pl.coalesce(pl.col(f"set_{name}").cast(pl.String), name).alias(name) for name in texts),
            # What hits automatically has no skill to change.
            *(
                pl.when(pl.col(name).is_not_null()).then(pl.coalesce(f"set_{name}", name)).alias(name)
                for name in ("skill", "armour_penetration")
            ),
        )
        .drop("weapon_profile_id", "granted", "effect", *_NOTHING_SET)
        .rename({"weapon": "weapon_profile_id"})
    )


_NOTHING_SET = {f"set_{name}": None for name in ("attacks", "strength", "damage", "skill", "armour_penetration")}
