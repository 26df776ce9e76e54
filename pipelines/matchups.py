"""Every weapon against every target, and every unit's best activation: dimension frames in, fact frames out.

Belongs here: what the engine is given and how its answers become facts (metrics, the choice among profiles). Doesn't:
rules and dice (``simulation``), what a unit may carry (``dimensions.loadouts``).

Choosing is combinatorial, so each slot of a unit is chosen by the expected damage its weapons do on their own against
each target in each scenario; what is chosen somewhere is then resolved together, in order and exactly, against every
target in every scenario, and the best of these counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipelines.dimensions.arsenals import Arsenal
from pipelines.dimensions.frames import frame
from pipelines.dimensions.loadouts import DEFAULT, Equipment
from pipelines.loadout_choice import PLAIN, equipped
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.effective import Attacker, Weapon, hazardous_mortal_wounds
from pipelines.simulation.grid import GridResult
from pipelines.simulation.profiles import not_modelled, strength_is_modelled
from pipelines.simulation.rulesets import RuleSet
from warehouse.declared import own_pages, ruleset_parameters

MAX_UNIT_PAIRS = 100_000
"""Units of the user's own pages times targets up to which they meet every unit (measured: 4 s)."""
_CHOICE = {
    "bearer": pl.String, "phase": pl.String, "slot": pl.Int64, "option": pl.Int64, "weapon": pl.Int64,
    "position": pl.Int64, "weapon_profile_id": pl.String, "count": pl.Int64, "die": pl.String, "die_faces": pl.Int64,
}  # fmt: skip
_SLOT = ["bearer", "phase", "slot"]
_AGAINST = ["target_id", "scenario_id"]


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


def simulated(weapons: pl.DataFrame) -> pl.DataFrame:
    """The weapons that the engine can resolve."""
    able = [strength for strength in weapons["strength"].unique() if strength_is_modelled(strength)]
    return weapons.filter(pl.col("strength").is_in(able))


def mark_weapons(
    frames: Mapping[str, pl.DataFrame], weapons: pl.DataFrame, rulesets: Mapping[str, RuleSet]
) -> pl.DataFrame:
    """Weapon profiles with what the engine leaves out of them, and what no target changes: One Shot, Hazardous."""
    keywords = frames["unit_keywords"].filter(pl.col("model_name").is_null()).group_by("unit_id").agg("keyword")
    bearers = frames["weapon_profiles"].select("weapon_profile_id", "unit_id").join(keywords, on="unit_id", how="left")
    marks = [
        {
            "weapon_profile_id": row["weapon_profile_id"],
            "not_modelled": _left_out(row) or None,
            "is_one_shot": any(ability["ability"] == "one_shot" for ability in row["abilities"]),
            "expected_hazardous_mortal_wounds": _hazardous(row, rulesets[row["ruleset"]]),
        }
        for row in weapons.join(bearers, on="weapon_profile_id", how="left").iter_rows(named=True)
    ]
    schema = frames["weapon_profiles"].schema
    found = pl.DataFrame(marks, schema={name: schema[name] for name in _MARKS})
    return (
        frames["weapon_profiles"].drop(_MARKS[1:]).join(found, on="weapon_profile_id", how="left").select(list(schema))
    )


_MARKS = ("weapon_profile_id", "not_modelled", "is_one_shot", "expected_hazardous_mortal_wounds")


def _left_out(row: Mapping[str, Any]) -> list[str]:
    return not_modelled(row["abilities"]) + ([] if strength_is_modelled(row["strength"]) else ["rolled_strength"])


def _hazardous(row: Mapping[str, Any], rules: RuleSet) -> float | None:
    if not any(ability["ability"] == "hazardous" for ability in row["abilities"]):
        return None
    bearer = Attacker(keywords=frozenset(row["keyword"] or ()))
    return hazardous_mortal_wounds(Weapon(hazardous=True), bearer, 1, rules)


def simulate(
    frames: Mapping[str, pl.DataFrame],
    arsenals: Sequence[Arsenal],
    weapons: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
) -> Facts:
    """All weapon profiles against all targets in the scenarios that can change something, and the units' loadouts."""
    targets, scenarios = frames["targets"], frames["scenarios"]
    weapons = simulated(weapons)
    grid = engine.grid(weapons, targets, scenarios, rulesets)
    loadouts, unit_matchups = _unit_facts(frames, arsenals, weapons, grid, rulesets, engine)
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
            "outcome_laws": grid.book.frame(),
            "unit_matchups": unit_matchups,
        },
        matchups=int(met.select((pl.col("rows").cast(pl.Int64) * pl.col("targets")).sum()).item() or 0),
        signatures=grid.signature_count,
    )


def _unit_facts(
    frames: Mapping[str, pl.DataFrame],
    arsenals: Sequence[Arsenal],
    weapons: pl.DataFrame,
    grid: GridResult,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of unit_loadouts and unit_matchups: the best use of each loadout for each target in each scenario.

    Every loadout meets every archetype in every scenario; with their default equipment at the smallest size, the units
    of the user's own pages also meet every unit, in the plain scenario, as long as there are not too many of them.
    """
    targets, scenarios = with_groups(frames), frames["scenarios"]
    archetypes = targets.filter(pl.col("kind") == "archetype")
    with_loadouts = list(equipped(arsenals, archetypes, grid))
    choices = choice_frame(with_loadouts)
    parts = [_resolved(choices, archetypes, scenarios, weapons, grid, rulesets, engine, copies=True)]
    for edition, own in _own_units(frames, with_loadouts):
        met = frames["matchup_targets"].filter(pl.col("ruleset_edition") == edition)
        others = targets.filter(pl.col("kind") == "unit").join(met, on="target_id", how="semi")
        plain = scenarios.filter(pl.col("scenario_id") == PLAIN)
        of_own = choices.filter(pl.col("bearer").is_in(_smallest_default(with_loadouts, own["unit_id"])))
        parts.append(_resolved(of_own, others, plain, weapons, grid, rulesets, engine, copies=False))
    variants = pl.concat([variants for variants, _ in parts]).unique(["variant", "phase", "weapon_profile_id"])
    outcomes = pl.concat([outcomes for _, outcomes in parts])
    bearers = _bearers(with_loadouts)
    labels = _labels(variants, frames["weapon_profiles"])
    matchups = (
        outcomes.join(labels, on=["variant", "phase"])
        .join(bearers, on="bearer")
        .join(targets.select("target_id", _each=pl.col("points") / pl.col("models")), on="target_id")
        .sort(_exactly("expected_damage"), "choice", descending=[True, False])
        .with_columns(
            is_best=pl.int_range(pl.len()).over(_SAME_SIZE) == 0,
            damage_per_100_points=100 * pl.col("expected_damage") / pl.col("points"),
            points_destroyed_per_100_points=100
            * pl.col("expected_models_destroyed")
            * pl.col("_each")
            / pl.col("points"),
        )
    )
    loadouts = variants.join(labels, on=["variant", "phase"]).join(bearers, on="bearer")
    unknown = [
        {
            **{name: getattr(each, name) for name in ("unit_id", "models", "points", "reason")},
            "phase": phase,
            "position": 0,
        }
        for each in with_loadouts
        if each.reason
        for phase in ("shooting", "fight")
    ]
    return (
        pl.concat([as_table("unit_loadouts", loadouts), frame("unit_loadouts", unknown)]).sort(
            "unit_id", "models", "loadout", "phase", "used", "position"
        ),
        as_table("unit_matchups", matchups).sort("target_id", "scenario_id", "unit_id", "models", "phase", "loadout"),
    )


_SAME_SIZE = ["unit_id", "models", "phase", "target_id", "scenario_id"]


def best_activations(
    choices: pl.DataFrame,
    targets: pl.DataFrame,
    scenarios: pl.DataFrame,
    weapons: pl.DataFrame,
    weapon_profiles: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
) -> pl.DataFrame:
    """The best use of what each bearer carries against each target in each scenario, computed anew.

    ``choices``: of ``choice_frame``; ``weapons``: of ``weapon_frame``; ``weapon_profiles``: names of the weapons.
    Columns: bearer, phase, target_id, scenario_id, used and the metrics of ``simulation.units.simulate_units``.
    """
    engine = OutcomeCache(None)
    weapons = simulated(weapons)
    grid = engine.grid(weapons, targets, scenarios, rulesets)
    variants, outcomes = _resolved(choices, targets, scenarios, weapons, grid, rulesets, engine, copies=False)
    return outcomes.join(_labels(variants, weapon_profiles), on=["variant", "phase"])


def choice_frame(equipped: Sequence[Equipment]) -> pl.DataFrame:
    """All choices as a frame: the columns of ``loadouts.Choice``."""
    chosen = [choice for each in equipped for choice in each.choices]
    return pl.DataFrame({name: [getattr(choice, name) for choice in chosen] for name in _CHOICE}, schema=_CHOICE)


def _bearers(equipped: Sequence[Equipment]) -> pl.DataFrame:
    """Unit, size, loadout and price of each bearer; ``choice`` counts the loadouts of a size, the default first."""
    known = [each for each in equipped if each.choices]
    names = ("bearer", "unit_id", "models", "loadout", "points")
    schema = dict(zip(names, (pl.String, pl.String, pl.Int32, pl.String, pl.Int32), strict=True))
    found = pl.DataFrame({name: [getattr(each, name) for each in known] for name in names}, schema=schema)
    return found.with_columns(choice=pl.int_range(pl.len()).over("unit_id", "models"))


def _smallest_default(equipped: Sequence[Equipment], unit_ids: pl.Series) -> list[str]:
    """The bearers that are these units at their smallest size with their default loadout."""
    wanted: set[str] = set(unit_ids)
    found: dict[str, str] = {}
    for each in equipped:
        if each.unit_id in wanted and each.loadout == DEFAULT:
            found.setdefault(each.unit_id, each.bearer)
    return list(found.values())


def with_groups(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Targets with their kinds of models, in order of allocation, as a list of structs; NULL where all are alike."""
    groups = (
        frames["target_groups"]
        .sort("target_id", "position")
        .group_by("target_id", maintain_order=True)
        .agg(pl.struct(pl.exclude("target_id", "position", "model_name")).alias("groups"))
    )
    return frames["targets"].join(groups, on="target_id", how="left", maintain_order="left")


def _own_units(frames: Mapping[str, pl.DataFrame], equipped: Sequence[Equipment]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Preferred units of the user's own pages with known equipment, by edition; none where there are too many."""
    own = (
        frames["units"]
        .filter(pl.col("is_preferred") & pl.col("source_kind").is_in(own_pages()))
        .filter(pl.col("unit_id").is_in({each.unit_id for each in equipped if each.choices}))
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
    engine: OutcomeCache,
    *,
    copies: bool,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The variants of equipment in question, and the outcome of the best one for each target and scenario.

    In question is what is best slot by slot somewhere; each of a unit's variants is then resolved exactly against every
    target in every scenario that can change something for the unit, in the plain way where it can't for the variant.
    """
    variants, picked = _variants(_picked(choices, targets, scenarios, grid))
    coded = {name: dtype for name, dtype in picked.schema.items() if name != "variant"}
    exact = engine.units(
        variants.select(
            pl.col("variant").alias("unit_id"), "phase", "position", "weapon_profile_id", "count", "die", "die_faces"
        ),
        weapons,
        targets,
        scenarios,
        rulesets,
        grid.book,
        copies=copies,
    ).rename({"unit_id": "variant"})
    coded["variant"] = _names(variants["variant"])
    exact = exact.cast({name: dtype for name, dtype in coded.items() if name in exact.columns})
    plain = exact.filter(pl.col("scenario_id") == PLAIN).drop("scenario_id")
    wanted = (
        variants.select("variant", "bearer", "phase")
        .unique()
        .cast({name: coded[name] for name in ("variant", "bearer", "phase")})
        .join(picked.select("bearer", "phase", *_AGAINST).unique(), on=["bearer", "phase"])
    )
    unchanged = wanted.join(exact, on=["variant", "phase", *_AGAINST], how="anti").join(
        scenarios.filter(pl.col("visible")).cast({"scenario_id": coded["scenario_id"]}), on="scenario_id", how="semi"
    )
    outcomes = pl.concat(
        [
            wanted.join(exact, on=["variant", "phase", *_AGAINST]),
            unchanged.join(plain, on=["variant", "phase", "target_id"]),
        ],
        how="diagonal",
    )
    best = outcomes.sort([_exactly("expected_damage"), "variant"], descending=[True, False]).unique(
        ["bearer", "phase", *_AGAINST], keep="first", maintain_order=True
    )
    best = best.cast(dict.fromkeys(coded, pl.String))
    return variants.join(best, on=["variant", "phase"], how="semi"), best


def _exactly(column: str) -> pl.Expr:
    """A computed column for comparisons: what differs by rounding alone is equal, on every machine."""
    return pl.col(column).round_sig_figs(12)


def _names(column: pl.Series) -> pl.DataType:
    """A type for these names, in whose order they sort: joining millions of rows by numbers is much faster."""
    return pl.Enum(column.unique().sort())


def as_table(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with exactly the columns of a table, in its types; NULL where ``rows`` lacks one."""
    schema = frame(table, []).schema
    missing = {name: pl.lit(None, dtype=dtype) for name, dtype in schema.items() if name not in rows.columns}
    return rows.with_columns(**missing).select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def _picked(choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, grid: GridResult) -> pl.DataFrame:
    """For each unit, phase, target and scenario the profiles used: of each weapon and slot the most damaging one.

    Where a die chooses the profile, all of them.
    """
    scored = _scores(choices, targets, scenarios, grid)
    by_die = pl.when(pl.col("die").is_not_null()).then(pl.col("weapon_profile_id")).alias("by_die")
    best_profile = (
        scored.with_columns(by_die)
        .sort(_exactly("score"), descending=True, maintain_order=True)
        .unique([*_SLOT, "option", "weapon", "by_die", *_AGAINST], keep="first", maintain_order=True)
    )
    options = best_profile.group_by([*_SLOT, "option", *_AGAINST]).agg(pl.col("score").sum())
    best_option = options.sort([_exactly("score"), "option"], descending=[True, False]).unique(
        [*_SLOT, *_AGAINST], keep="first", maintain_order=True
    )
    return best_profile.join(best_option.drop("score"), on=[*_SLOT, "option", *_AGAINST], how="semi")


def _scores(choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, grid: GridResult) -> pl.DataFrame:
    """Choices × targets × the scenarios of their unit's phase, with the damage that each does on its own.

    Where the target is not visible, those that can attack it.
    """
    classes = grid.attack_classes.select("weapon_profile_id", "scenario_id", "attack_class_id")
    profiles = choices.select("bearer", "phase", "weapon_profile_id").unique()
    of_unit = (
        profiles.join(classes.join(scenarios, on="scenario_id", how="semi"), on="weapon_profile_id")
        .select("bearer", "phase", "scenario_id")
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
        choices.join(of_unit, on=["bearer", "phase"])
        .join(classes, on=["weapon_profile_id", "scenario_id"], how="left")
        .join(plain, on="weapon_profile_id")
        .join(scenarios.select("scenario_id", "visible"), on="scenario_id")
        .with_columns(
            attack_class_id=pl.when("visible")
            .then(pl.coalesce("attack_class_id", "plain_class_id"))
            .otherwise("attack_class_id")
        )
        .join(damage, on="attack_class_id")
        .with_columns(score=pl.col("count") * pl.col("expected_damage") * pl.col("die_faces").fill_null(6) / 6)
        .drop("attack_class_id", "plain_class_id", "expected_damage", "visible")
        .with_columns(
            *(pl.col(name).cast(_names(choices[name])) for name in ("bearer", "phase", "weapon_profile_id")),
            pl.col("target_id").cast(_names(targets["target_id"])),
            pl.col("scenario_id").cast(_names(scenarios["scenario_id"])),
        )
    )


def _variants(picked: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Distinct sets of used profiles (variant, bearer, phase, position, weapon_profile_id, count, die, die_faces) and
    who uses which.

    The same profile in several slots is resolved together, at its first place.
    """
    used = (
        picked.group_by(["bearer", "phase", *_AGAINST, "weapon_profile_id"])
        .agg(pl.col("count").sum(), pl.col("position").min(), pl.col("die", "die_faces").first())
        .sort("bearer", "phase", *_AGAINST, "position")
    )
    sets = used.group_by(["bearer", "phase", *_AGAINST], maintain_order=True).agg(
        pl.format("{}x{}", "count", pl.col("weapon_profile_id").cast(pl.String)).str.join("+").alias("variant")
    )
    by_target = sets.with_columns(variant=pl.format("{}:{}", pl.col("bearer").cast(pl.String), "variant"))
    variants = (
        used.join(by_target, on=["bearer", "phase", *_AGAINST])
        .unique(["variant", "phase", "weapon_profile_id"])
        .sort("variant", "phase", "position")
        .select("variant", "bearer", "phase", "position", "weapon_profile_id", "count", "die", "die_faces")
        .cast(dict.fromkeys(("bearer", "phase", "weapon_profile_id"), pl.String))
    )
    return variants, by_target


def _labels(variants: pl.DataFrame, weapon_profiles: pl.DataFrame) -> pl.DataFrame:
    """Names of variants such as ``4 × Bolt rifle, 1 × Plasma pistol (supercharge)``; a die's choice is said."""
    names = weapon_profiles.select(
        "weapon_profile_id",
        name=pl.when(pl.col("profile_name").is_null())
        .then(pl.col("weapon_name"))
        .otherwise(pl.format("{} ({})", "weapon_name", "profile_name")),
        on_die=pl.when(pl.col("dice_range").is_not_null())
        .then(pl.format(" on {}", "dice_range"))
        .otherwise(pl.lit("")),
    )
    return (
        variants.join(names, on="weapon_profile_id")
        .sort("variant", "phase", "position")
        .group_by(["variant", "phase"], maintain_order=True)
        .agg(pl.format("{} × {}{}", "count", "name", "on_die").str.join(", ").alias("used"))
    )
