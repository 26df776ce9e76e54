"""Every weapon against every target, and every unit's best activation: dimension frames in, fact frames out.

Belongs here: what the engine is given and how its answers become facts (metrics, the choice among profiles). Doesn't:
rules and dice (``simulation``), what a unit may carry (``dimensions.loadouts``).

Choosing is combinatorial, so each slot of a unit is chosen by the expected damage its weapons do on their own against
each target in each scenario; what is chosen somewhere is then resolved together, in order and exactly, against every
target in every scenario, and the best of these counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import polars as pl

from pipelines.dimensions.frames import frame
from pipelines.dimensions.loadouts import Equipment
from pipelines.simulation.grid import GridResult, simulate_grid
from pipelines.simulation.profiles import not_modelled
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.units import simulate_units
from warehouse.declared import own_pages, ruleset_parameters

PLAIN = "plain"
MAX_UNIT_PAIRS = 100_000
"""Units of the user's own pages times targets up to which they meet every unit (measured: 4 s)."""
_SLOT = ["unit_id", "phase", "slot"]
_AGAINST = ["target_id", "scenario_id"]
_SIMULATED = pl.col("strength").str.contains(r"^\d+$")  # a rolled Strength has no single wound roll


@dataclass(frozen=True, slots=True)
class Facts:
    """Fact frames by table, and the number of matchups that the view over them has."""

    frames: Mapping[str, pl.DataFrame]
    matchups: int
    signatures: int


def declared_rulesets() -> dict[str, RuleSet]:
    """The declared rule sets by name. Raises ValueError for a parameter that is missing, unknown or of a wrong type."""
    return {name: RuleSet.from_mapping(name, entry) for name, entry in ruleset_parameters().items()}


def weapon_frame(frames: Mapping[str, pl.DataFrame], ruleset: str | None) -> pl.DataFrame:
    """Weapon profiles as the engine wants them, under the rules of their own edition or one for all.

    Columns: weapon_profile_id, ruleset, attack_type, attacks, strength, damage (text), skill, armour_penetration,
    abilities (list of structs ability, value, against_keywords, condition).
    """
    editions = frames["units"].select("unit_id", "edition")
    abilities = (
        frames["weapon_abilities"]
        .sort("weapon_profile_id", "position")
        .with_columns(
            pl.col("against_keyword").fill_null(pl.lit([], dtype=pl.List(pl.String))).alias("against_keywords")
        )
        .group_by("weapon_profile_id", maintain_order=True)
        .agg(pl.struct("ability", "value", "against_keywords", "condition").alias("abilities"))
    )
    return (
        frames["weapon_profiles"]
        .join(editions, on="unit_id", how="left")
        .join(abilities, on="weapon_profile_id", how="left")
        .select(
            "weapon_profile_id",
            (pl.lit(ruleset) if ruleset else pl.col("edition")).alias("ruleset"),
            "attack_type",
            "attacks",
            "strength",
            "damage",
            pl.col("skill").cast(pl.Int64),
            pl.col("armour_penetration").cast(pl.Int64),
            pl.col("abilities").fill_null(pl.lit([], dtype=abilities.schema["abilities"])),
        )
    )


def mark_not_modelled(weapon_profiles: pl.DataFrame, weapons: pl.DataFrame) -> pl.DataFrame:
    """Weapon profiles with the abilities that the engine leaves out, NULL where there are none."""
    left_out = [
        (not_modelled(abilities) + ([] if simulated else ["rolled_strength"])) or None
        for abilities, simulated in zip(
            weapons["abilities"].to_list(), weapons.select(_SIMULATED).to_series(), strict=True
        )
    ]
    found = weapons.select("weapon_profile_id").with_columns(pl.Series("not_modelled", left_out, pl.List(pl.String)))
    return weapon_profiles.drop("not_modelled").join(found, on="weapon_profile_id", how="left")


def simulate(
    frames: Mapping[str, pl.DataFrame],
    equipment: Sequence[Equipment],
    weapons: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
) -> Facts:
    """All weapon profiles against all targets in the scenarios that can change something, and all known loadouts."""
    targets, scenarios = frames["targets"], frames["scenarios"]
    weapons = weapons.filter(_SIMULATED)
    grid = simulate_grid(weapons, targets, scenarios, rulesets)
    loadouts, unit_matchups = _unit_facts(frames, equipment, weapons, grid, rulesets)
    plain = grid.attack_classes.join(
        frames["weapon_profiles"].select("weapon_profile_id", "unit_id"), on="weapon_profile_id"
    )
    met = (
        plain.join(frames["units"].select("unit_id", pl.col("edition").alias("ruleset_edition")), on="unit_id")
        .group_by("ruleset_edition")
        .len("rows")
        .join(frames["matchup_targets"].group_by("ruleset_edition").len("targets"), on="ruleset_edition")
    )
    return Facts(
        frames={
            "unit_loadouts": loadouts,
            "attack_classes": grid.attack_classes,
            "target_classes": grid.target_classes,
            "outcome_cells": grid.cells,
            "outcomes": grid.outcomes,
            "unit_matchups": unit_matchups,
        },
        matchups=int(met.select((pl.col("rows").cast(pl.Int64) * pl.col("targets")).sum()).item() or 0),
        signatures=grid.signature_count,
    )


def _unit_facts(
    frames: Mapping[str, pl.DataFrame],
    equipment: Sequence[Equipment],
    weapons: pl.DataFrame,
    grid: GridResult,
    rulesets: Mapping[str, RuleSet],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of unit_loadouts and unit_matchups: the best choice of each unit for each target in each scenario.

    Every unit meets every archetype in every scenario; the units of the user's own pages also meet every unit, in
    the plain scenario, as long as there are not too many of them.
    """
    choices = pl.DataFrame(
        [asdict(choice) for each in equipment for choice in each.choices],
        schema={
            "unit_id": pl.String, "phase": pl.String, "slot": pl.Int64, "option": pl.Int64, "weapon": pl.Int64,
            "position": pl.Int64, "weapon_profile_id": pl.String, "count": pl.Int64,
        },
    )  # fmt: skip
    targets, scenarios = frames["targets"], frames["scenarios"]
    archetypes = targets.filter(pl.col("kind") == "archetype")
    parts = [_resolved(choices, archetypes, scenarios, weapons, grid, rulesets)]
    for edition, own in _own_units(frames, choices):
        met = frames["matchup_targets"].filter(pl.col("ruleset_edition") == edition)
        others = targets.filter(pl.col("kind") == "unit").join(met, on="target_id", how="semi")
        plain = scenarios.filter(pl.col("scenario_id") == PLAIN)
        parts.append(_resolved(choices.join(own, on="unit_id", how="semi"), others, plain, weapons, grid, rulesets))
    variants = pl.concat([variants for variants, _ in parts]).unique(["variant", "phase", "weapon_profile_id"])
    outcomes = pl.concat([outcomes for _, outcomes in parts])
    sizes = pl.DataFrame(
        [{"unit_id": each.unit_id, "models": each.models, "points": each.points} for each in equipment],
        schema={"unit_id": pl.String, "models": pl.Int32, "points": pl.Int32},
    )
    labels = _labels(variants, frames["weapon_profiles"])
    matchups = (
        outcomes.join(labels, on=["variant", "phase"])
        .join(sizes, on="unit_id")
        .join(targets.select("target_id", _each=pl.col("points") / pl.col("models")), on="target_id")
        .with_columns(
            damage_per_100_points=100 * pl.col("expected_damage") / pl.col("points"),
            points_destroyed_per_100_points=100
            * pl.col("expected_models_destroyed")
            * pl.col("_each")
            / pl.col("points"),
        )
    )
    loadouts = variants.join(labels, on=["variant", "phase"]).join(sizes, on="unit_id")
    unknown = [
        {"unit_id": each.unit_id, "phase": phase, "position": 0, "points": each.points, "reason": each.reason}
        for each in equipment
        if each.reason
        for phase in ("shooting", "fight")
    ]
    return (
        pl.concat([_as_table("unit_loadouts", loadouts), frame("unit_loadouts", unknown)]).sort(
            "unit_id", "phase", "loadout", "position"
        ),
        _as_table("unit_matchups", matchups).sort("target_id", "scenario_id", "unit_id", "phase"),
    )


def _own_units(frames: Mapping[str, pl.DataFrame], choices: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Preferred units of the user's own pages with known equipment, by edition; none where there are too many."""
    own = (
        frames["units"]
        .filter(pl.col("is_preferred") & pl.col("source_kind").is_in(own_pages()))
        .join(choices, on="unit_id", how="semi")
        .select("unit_id", "edition")
    )
    if own.height * frames["targets"].height > MAX_UNIT_PAIRS:
        return
    for (edition,), units in own.group_by("edition", maintain_order=True):
        yield str(edition), units


def _resolved(
    choices: pl.DataFrame,
    targets: pl.DataFrame,
    scenarios: pl.DataFrame,
    weapons: pl.DataFrame,
    grid: GridResult,
    rulesets: Mapping[str, RuleSet],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The variants of equipment in question, and the outcome of the best one for each target and scenario.

    In question is what is best slot by slot somewhere; each of a unit's variants is then resolved exactly against every
    target in every scenario that can change something for the unit, in the plain way where it can't for the variant.
    """
    variants, picked = _variants(_picked(choices, targets, scenarios, grid))
    exact = simulate_units(
        variants.select(pl.col("variant").alias("unit_id"), "phase", "position", "weapon_profile_id", "count"),
        weapons,
        targets,
        scenarios,
        rulesets,
    ).rename({"unit_id": "variant"})
    plain = exact.filter(pl.col("scenario_id") == PLAIN).drop("scenario_id")
    wanted = (
        variants.select("variant", "unit_id", "phase")
        .unique()
        .join(picked.select("unit_id", "phase", *_AGAINST).unique(), on=["unit_id", "phase"])
    )
    unchanged = wanted.join(exact, on=["variant", "phase", *_AGAINST], how="anti")
    outcomes = pl.concat(
        [
            wanted.join(exact, on=["variant", "phase", *_AGAINST]),
            unchanged.join(plain, on=["variant", "phase", "target_id"]),
        ],
        how="diagonal",
    )
    best = outcomes.sort(["expected_damage", "variant"], descending=[True, False]).unique(
        ["unit_id", "phase", *_AGAINST], keep="first", maintain_order=True
    )
    return variants.join(best, on=["variant", "phase"], how="semi"), best


def _as_table(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    schema = frame(table, []).schema
    missing = {name: pl.lit(None, dtype=dtype) for name, dtype in schema.items() if name not in rows.columns}
    return rows.with_columns(**missing).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _picked(choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, grid: GridResult) -> pl.DataFrame:
    """For each unit, phase, target and scenario the profiles used: of each weapon and slot the most damaging one."""
    scored = _scores(choices, targets, scenarios, grid)
    best_profile = scored.sort("score", descending=True, maintain_order=True).unique(
        [*_SLOT, "option", "weapon", *_AGAINST], keep="first", maintain_order=True
    )
    options = best_profile.group_by([*_SLOT, "option", *_AGAINST]).agg(pl.col("score").sum())
    best_option = options.sort(["score", "option"], descending=[True, False]).unique(
        [*_SLOT, *_AGAINST], keep="first", maintain_order=True
    )
    return best_profile.join(best_option.drop("score"), on=[*_SLOT, "option", *_AGAINST], how="semi")


def _scores(choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, grid: GridResult) -> pl.DataFrame:
    """Choices × targets × the scenarios of their unit's phase, with the damage that each does on its own."""
    classes = grid.attack_classes.select("weapon_profile_id", "scenario_id", "attack_class_id")
    profiles = choices.select("unit_id", "phase", "weapon_profile_id").unique()
    of_unit = (
        profiles.join(classes.join(scenarios, on="scenario_id", how="semi"), on="weapon_profile_id")
        .select("unit_id", "phase", "scenario_id")
        .unique()
    )
    plain = classes.filter(pl.col("scenario_id") == PLAIN).select(
        "weapon_profile_id", pl.col("attack_class_id").alias("plain_class_id")
    )
    damage = (
        grid.cells.join(grid.target_classes.join(targets.select("target_id"), on="target_id"), on="target_class_id")
        .join(grid.outcomes.select("outcome_id", "expected_damage"), on="outcome_id")
        .select("attack_class_id", "target_id", "expected_damage")
    )
    return (
        choices.join(of_unit, on=["unit_id", "phase"])
        .join(classes, on=["weapon_profile_id", "scenario_id"], how="left")
        .join(plain, on="weapon_profile_id")
        .with_columns(attack_class_id=pl.coalesce("attack_class_id", "plain_class_id"))
        .join(damage, on="attack_class_id")
        .with_columns(score=pl.col("count") * pl.col("expected_damage"))
        .drop("attack_class_id", "plain_class_id", "expected_damage")
    )


def _variants(picked: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Distinct sets of used profiles (variant, unit_id, phase, position, weapon_profile_id, count) and who uses which.

    The same profile in several slots is resolved together, at its first place.
    """
    used = (
        picked.group_by(["unit_id", "phase", *_AGAINST, "weapon_profile_id"])
        .agg(pl.col("count").sum(), pl.col("position").min())
        .sort("unit_id", "phase", *_AGAINST, "position")
    )
    sets = used.group_by(["unit_id", "phase", *_AGAINST], maintain_order=True).agg(
        pl.format("{}x{}", "count", "weapon_profile_id").str.join("+").alias("variant")
    )
    by_target = sets.with_columns(variant=pl.format("{}:{}", "unit_id", "variant"))
    variants = (
        used.join(by_target, on=["unit_id", "phase", *_AGAINST])
        .unique(["variant", "phase", "weapon_profile_id"])
        .sort("variant", "phase", "position")
        .select("variant", "unit_id", "phase", "position", "weapon_profile_id", "count")
    )
    return variants, by_target


def _labels(variants: pl.DataFrame, weapon_profiles: pl.DataFrame) -> pl.DataFrame:
    """Names of variants such as ``4 × Bolt rifle, 1 × Plasma pistol (supercharge)``."""
    names = weapon_profiles.select(
        "weapon_profile_id",
        name=pl.when(pl.col("profile_name").is_null())
        .then(pl.col("weapon_name"))
        .otherwise(pl.format("{} ({})", "weapon_name", "profile_name")),
    )
    return (
        variants.join(names, on="weapon_profile_id")
        .sort("variant", "phase", "position")
        .group_by(["variant", "phase"], maintain_order=True)
        .agg(pl.format("{} × {}", "count", "name").str.join(", ").alias("loadout"))
    )
