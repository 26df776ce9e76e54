"""Whole units' attacks: the exact best use of what they carry, against archetypes and against each other.

Belongs here: which units, loadouts and targets meet, the best of the uses in question, what points make of it. Doesn't:
which uses are in question (``weapon_choice``), which loadouts are computed (``loadout_choice``), dice (``simulation``).

Every loadout at every size meets every archetype in every scenario that can change something for it. At its smallest
size each preferred unit also meets every unit of the game in the plain scenario, with the loadouts that promise most
somewhere, of which the best counts: millions of answers, so units that no weapon can tell apart are one class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from pipelines.dimensions.frames import frame
from pipelines.dimensions.loadouts import Equipment
from pipelines.engine_frames import as_table, simulated, with_groups
from pipelines.loadout_choice import PLAIN
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.grid import GridResult, classify_targets, tested_by
from pipelines.simulation.rulesets import RuleSet
from pipelines.weapon_choice import choice_frame, exactly, labels, uses

UNITS_AT_ONCE = 1_200
"""Units that meet all others at once, which bounds memory (measured on the default data: a peak of 1.2 GB)."""
_WHERE = ["unit", "phase", "target_id", "scenario_id"]
_SAME_SIZE = ["unit_id", "models", "phase", "target_id", "scenario_id"]


class Setting(NamedTuple):
    """What every attack is resolved by; ``weapons``: of ``engine_frames``, those that ``grid`` was computed for."""

    weapons: pl.DataFrame
    grid: GridResult
    rulesets: Mapping[str, RuleSet]
    engine: OutcomeCache


def against_archetypes(
    frames: Mapping[str, pl.DataFrame], equipped: Sequence[Equipment], setting: Setting
) -> dict[str, pl.DataFrame]:
    """Rows of unit_loadouts and unit_matchups; the laws of the outcomes go into the grid's book.

    ``equipped``: of ``loadout_choice.equipped``.
    """
    targets = with_groups(frames).filter(pl.col("kind") == "archetype")
    variants, outcomes = _resolved(choice_frame(equipped), targets, frames["scenarios"], setting, whole=True)
    bearers, named = _bearers(equipped), labels(variants, frames["weapon_profiles"])
    per_100 = 100 / pl.col("points")
    matchups = (
        outcomes.cast({pl.Enum: pl.String})
        .join(named, on=["variant", "phase"])
        .join(bearers, on="bearer")
        .join(targets.select("target_id", _each=pl.col("points") / pl.col("models")), on="target_id")
        .sort(exactly("expected_damage"), "choice", descending=[True, False])
        .with_columns(
            is_best=pl.int_range(pl.len()).over(_SAME_SIZE) == 0,
            damage_per_100_points=per_100 * pl.col("expected_damage"),
            points_destroyed_per_100_points=per_100 * pl.col("expected_models_destroyed") * pl.col("_each"),
        )
    )
    loadouts = variants.join(named, on=["variant", "phase"]).join(bearers, on="bearer")
    unknown = [
        {
            **{name: getattr(each, name) for name in ("unit_id", "models", "points", "reason")},
            "phase": phase,
            "position": 0,
        }
        for each in equipped
        if each.reason
        for phase in ("shooting", "fight")
    ]
    return {
        "unit_loadouts": pl.concat([as_table("unit_loadouts", loadouts), frame("unit_loadouts", unknown)]).sort(
            "unit_id", "models", "loadout", "phase", "used", "position"
        ),
        "unit_matchups": as_table("unit_matchups", matchups).sort(
            "target_id", "scenario_id", "unit_id", "models", "phase", "loadout"
        ),
    }


def against_units(
    frames: Mapping[str, pl.DataFrame], equipped: Sequence[Equipment], setting: Setting
) -> dict[str, pl.DataFrame]:
    """Rows of unit_attacks, unit_target_classes and unit_cells. Arguments as for ``against_archetypes``."""
    targets = with_groups(frames).filter(pl.col("kind") == "unit")
    classes = classify_targets(targets, tested_by(setting.weapons)).frame.rename(
        {"target_class_id": "unit_target_class_id"}
    )
    plain = frames["scenarios"].filter(pl.col("scenario_id") == PLAIN)
    attacks, cells, count = [], [], 0
    for edition, at_once in _meeting(frames, equipped):
        met = frames["matchup_targets"].filter(pl.col("ruleset_edition") == edition)
        of_class = targets.join(classes.join(met, on="target_id", how="semi"), on="target_id").unique(
            "unit_target_class_id", keep="first", maintain_order=True
        )
        variants, outcomes = _resolved(choice_frame(at_once, rivals=True), of_class, plain, setting, whole=False)
        # Numbers take the place of names at once: there are millions of rows.
        attack = outcomes.select("bearer", "variant", "phase", "ruleset").unique()
        attack = attack.sort("bearer", "variant", "phase", "ruleset")
        attack = attack.with_columns(unit_attack_id=pl.int_range(count, count + len(attack), dtype=pl.Int32))
        count += len(attack)
        named = attack.cast({pl.Enum: pl.String}).join(
            labels(variants, frames["weapon_profiles"]), on=["variant", "phase"], maintain_order="left"
        )
        attacks.append(named.join(_bearers(at_once), on="bearer", maintain_order="left"))
        number = of_class.select(pl.col("target_id").cast(outcomes.schema["target_id"]), "unit_target_class_id")
        met_cells = outcomes.join(attack, on=["variant", "phase", "bearer", "ruleset"]).join(number, on="target_id")
        cells.append(as_table("unit_cells", met_cells))
    return {
        "unit_attacks": pl.concat([frame("unit_attacks", []), *(as_table("unit_attacks", each) for each in attacks)]),
        "unit_target_classes": as_table("unit_target_classes", classes),
        "unit_cells": pl.concat([frame("unit_cells", []), *cells]).sort("unit_target_class_id", "unit_attack_id"),
    }


def best_activations(
    choices: pl.DataFrame,
    targets: pl.DataFrame,
    scenarios: pl.DataFrame,
    weapons: pl.DataFrame,
    weapon_profiles: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
) -> pl.DataFrame:
    """The best use of what each bearer carries against each target in each scenario, computed anew.

    ``choices``: of ``weapon_choice.choice_frame``; ``weapons``: of ``engine_frames.weapon_frame``; ``weapon_profiles``:
    names of the weapons. Columns: bearer, phase, target_id, scenario_id, used and the metrics of
    ``simulation.units.simulate_units``.
    """
    engine = OutcomeCache(None)
    weapons = simulated(weapons)
    grid = engine.grid(weapons, targets, scenarios, rulesets)
    setting = Setting(weapons, grid, rulesets, engine)
    variants, outcomes = _resolved(choices, targets, scenarios, setting, whole=False)
    outcomes = outcomes.drop("unit").cast({pl.Enum: pl.String})
    return outcomes.join(labels(variants, weapon_profiles), on=["variant", "phase"])


def _bearers(equipped: Sequence[Equipment]) -> pl.DataFrame:
    """Unit, size, loadout and price of each bearer; ``choice`` counts the loadouts of a size, the default first."""
    known = [each for each in equipped if each.choices]
    names = ("bearer", "unit_id", "models", "loadout", "points")
    schema = dict(zip(names, (pl.String, pl.String, pl.Int32, pl.String, pl.Int32), strict=True))
    found = pl.DataFrame({name: [getattr(each, name) for each in known] for name in names}, schema=schema)
    return found.with_columns(choice=pl.int_range(pl.len()).over("unit_id", "models"))


def _meeting(
    frames: Mapping[str, pl.DataFrame], equipped: Sequence[Equipment]
) -> Iterator[tuple[str, list[Equipment]]]:
    """Preferred units at their smallest size with all their loadouts, some at a time, by edition.

    The cheapest first: of loadouts that do the same it is the one that counts.
    """
    preferred = frames["units"].filter("is_preferred").select("unit_id", "edition")
    for (edition,), units in preferred.group_by("edition", maintain_order=True):
        loadouts: dict[str, dict[int, list[Equipment]]] = {unit_id: {} for unit_id in units["unit_id"]}
        for each in equipped:
            if each.choices and each.unit_id in loadouts:
                loadouts[each.unit_id].setdefault(each.models, []).append(each)
        smallest = [sorted(of_size[min(of_size)], key=_price) for of_size in loadouts.values() if of_size]
        for start in range(0, len(smallest), UNITS_AT_ONCE):
            yield str(edition), [each for found in smallest[start : start + UNITS_AT_ONCE] for each in found]


def _price(each: Equipment) -> tuple[bool, int]:
    """For sorting by price; unknown ones come last."""
    return each.points is None, each.points or 0


def _resolved(
    choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, setting: Setting, *, whole: bool
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The uses of weapons in question, and the outcome of a unit's best one for each target and scenario.

    In question is what promises most somewhere; each of a unit's uses is then resolved exactly against every target in
    every scenario that can change something for the unit, in the plain way where it can't for the use. ``whole``: with
    laws and the copies that destroy a target. Names of outcomes are of type Enum.
    """
    weapons, grid, rulesets, engine = setting
    variants, attacks = uses(choices, targets, scenarios, grid)
    exact = engine.units(
        variants.select(
            pl.col("variant").alias("unit_id"), "phase", "position", "weapon_profile_id", "count", "die", "die_faces"
        ),
        weapons,
        targets,
        scenarios,
        rulesets,
        grid.book if whole else None,
        copies=whole,
    ).rename({"unit_id": "variant"})
    owners = choices.select("unit", "bearer").unique(maintain_order=True)
    # Joining millions of rows by numbers is much faster than by names; they sort in the order that decides ties.
    coded = {
        "variant": pl.Enum(variants["variant"].unique().sort()),
        "bearer": pl.Enum(owners["bearer"]),
        "unit": pl.Enum(owners["unit"].unique(maintain_order=True)),
        "phase": pl.Enum(["shooting", "fight"]),
        "target_id": pl.Enum(targets["target_id"]),
        "scenario_id": pl.Enum(scenarios["scenario_id"]),
    }
    exact = exact.cast({name: dtype for name, dtype in coded.items() if name in exact.columns})
    wanted = (
        variants.select("variant", "bearer", "phase")
        .unique()
        .join(attacks, on=["bearer", "phase"])
        .join(owners, on="bearer")
        .cast({name: coded[name] for name in ("variant", "bearer", "unit", "phase", "scenario_id")})
    )
    changed = ["variant", "phase", "scenario_id"]
    unchanged = wanted.join(exact.select(changed).unique(), on=changed, how="anti").join(
        scenarios.filter(pl.col("visible")).cast({"scenario_id": coded["scenario_id"]}), on="scenario_id", how="semi"
    )
    plain = exact.filter(pl.col("scenario_id") == PLAIN).drop("scenario_id")
    outcomes = pl.concat(
        [wanted.join(exact, on=changed), unchanged.join(plain, on=["variant", "phase"])], how="diagonal"
    )
    promise = exactly("expected_damage")
    best = (
        outcomes.filter(promise == promise.max().over(_WHERE))
        .sort("bearer", "variant")
        .unique(_WHERE, keep="first", maintain_order=True)
    )
    kept = best.select("variant", "phase").unique().cast(pl.String)
    return variants.join(kept, on=["variant", "phase"], how="semi"), best
