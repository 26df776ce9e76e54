"""Every weapon against every target, every unit against archetypes and units: dimension frames in, fact frames out.

Belongs here: which facts there are. Doesn't: what the engine is given (``engine_frames``), how units use their weapons
(``weapon_choice``, ``unit_matchups``), rules and dice (``simulation``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from pipelines.dimensions.arsenals import Arsenal
from pipelines.engine_frames import simulated
from pipelines.loadout_choice import equipped
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.rulesets import RuleSet
from pipelines.unit_matchups import Setting, against_archetypes, against_units


@dataclass(frozen=True, slots=True)
class Facts:
    """Fact frames by table, and the number of matchups that the view over them has."""

    frames: Mapping[str, pl.DataFrame]
    matchups: int
    signatures: int


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
    with_loadouts = list(equipped(arsenals, targets.filter(pl.col("kind") == "archetype"), grid))
    setting = Setting(weapons, grid, rulesets, engine)
    of_units = {
        **against_archetypes(frames, with_loadouts, setting),
        **against_units(frames, with_loadouts, setting),
    }
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
            **of_units,
            "attack_classes": grid.attack_classes,
            "target_classes": grid.target_classes,
            "outcome_cells": grid.cells,
            "outcomes": grid.outcomes,
            "outcome_laws": grid.book.frame(),
        },
        matchups=int(met.select((pl.col("rows").cast(pl.Int64) * pl.col("targets")).sum()).item() or 0),
        signatures=grid.signature_count,
    )
