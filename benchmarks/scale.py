"""The engine at full scale: every weapon against every target in eight contexts, each step against its goal.

Belongs here: seconds, ratios and memory of the whole grid. Doesn't: other calculators, whole runs (``whole_runs``), the
default data (``engine``).

The data are those of an export below the folder that ``WARLEDGER_SHARED`` names, or without it the default data. Steps
are measured from the classes of equal weapons and targets on; finding these is measured apart.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import polars as pl

from benchmarks.engine import closed_form as plain_python
from benchmarks.measure import Row, median, peak_bytes
from pipelines import matchups
from pipelines.dimensions.assemble import assemble
from pipelines.ingest import ingest
from pipelines.paths import PROJECT
from pipelines.simulation import outcomes
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import (
    AttackClasses,
    GridResult,
    TargetClasses,
    classify_attacks,
    classify_targets,
    simulate_grid,
    tested_by,
)
from pipelines.simulation.signatures import Laws
from pipelines.simulation.stages import Stages
from pipelines.storage.build import create

EXPORT = "data/wahapedia_export_2025-11"
SAMPLE = 2_000_000
"""Rows of the DuckDB table; the whole one would take more memory than it tells."""


def scale() -> list[Row]:
    """Signatures, the closed form and exact laws of all matchups, against their baselines."""
    source, frames = _frames()
    weapons, targets = matchups.simulated(matchups.weapon_frame(frames, None)), frames["targets"]
    rules, scenarios = matchups.declared_rulesets(), contexts()
    before = peak_bytes()

    def classes() -> tuple[TargetClasses, AttackClasses]:
        met = classify_targets(targets, tested_by(weapons))
        return met, classify_attacks(weapons, scenarios, rules, met.masks)

    met, attacks = classes()
    grid = _Grid(met, attacks)
    count = weapons.height * targets.height * scenarios.height
    differ = attacks.frame.height * targets.height
    seconds = {
        "classes": median(classes),
        "filling": median(lambda: np.ones((2, count))),
        "closed": median(lambda: grid.expanded(grid.closed())),
        "exact": median(lambda: grid.expanded(grid.exact())),
        "signatures": median(grid.exact),
    }
    resolved, book = grid.resolved()
    peak = peak_bytes()
    sample = weapons.select("attacks", "skill", "strength", "armour_penetration", "damage").filter(
        pl.col("strength").str.contains(r"^\d+$")
    )
    pairs = [(weapon, target) for weapon in sample.head(2000).to_dicts() for target in _targets(targets)]
    python = median(lambda: [plain_python(*pair) for pair in pairs]) / len(pairs)
    joined = median(lambda: _cross_join(weapons.height)) / (SAMPLE // weapons.height * weapons.height)
    law_bytes = book.frame().estimated_size()
    size, target_seconds = _stored(frames, simulate_grid(weapons, targets, scenarios, rules))
    return [
        (f"scale: matchups of {source} in 8 contexts", f"{count:,}, of which {differ:,} differ from the plain ones"),
        (
            "scale: seconds for classes; all outcomes with laws and copies",
            _pair(seconds["classes"], seconds["signatures"]),
        ),
        (
            "scale: signatures (goal: 100 × fewer)",
            f"{len(resolved.count):,}, {count / len(resolved.count):,.0f} × fewer than matchups, "
            f"{differ / len(resolved.count):,.0f} × fewer than those that differ",
        ),
        ("scale: laws kept", f"{len(book):,} distinct ones, {law_bytes / 1e6:.1f} MB in memory"),
        (
            "scale: closed form of all, against plain Python (goal: 400 ×)",
            f"{python / (seconds['closed'] / count):,.0f} × faster",
        ),
        (
            "scale: closed form of all, against filling the output (goal: 3 ×)",
            f"{seconds['closed'] / seconds['filling']:.1f} ×",
        ),
        (
            "scale: closed form of all, against a DuckDB table of a cross join (goal: 20 ×)",
            f"{joined / (seconds['closed'] / count):,.0f} × faster",
        ),
        (
            "scale: exact laws of all, against the closed form of all (goal: 8 ×)",
            f"{seconds['exact'] / seconds['closed']:.1f} ×",
        ),
        (
            "scale: the warehouse; all weapons at one target in one scenario by SQL (goals: 300 MB; 0.3 s)",
            f"{size / 1e6:.0f} MB; {target_seconds:.3f} s",
        ),
        (
            "scale: peak memory (goal: output + 0.3 GB)",
            f"{peak / 1e9:.2f} GB, {before / 1e9:.2f} before, output {16 * count / 1e9:.2f}",
        ),
    ]


def contexts() -> pl.DataFrame:
    """Scenarios: half range or not, unmoved and charging or not, cover or not."""
    flags = product((False, True), repeat=3)
    rows = [
        {
            "scenario_id": matchups.PLAIN if not any(each) else f"{number}",
            "applies_to": "any",
            "half_range": each[0],
            "stationary": each[1],
            "charged": each[1],
            "cover": each[2],
            "visible": True,
        }
        for number, each in enumerate(flags)
    ]
    return pl.DataFrame(rows)


def _frames() -> tuple[str, Mapping[str, pl.DataFrame]]:
    export = Path(os.environ.get("WARLEDGER_SHARED", "")) / EXPORT
    if export.is_dir():
        return "the export", assemble(ingest([export], community_data=False)).frames
    return "the default data", assemble(ingest([PROJECT / "raw"], community_data=True)).frames


class _Grid:
    """Class pairs, what is computed of them, and all matchups expanded from it."""

    def __init__(self, targets: TargetClasses, attacks: AttackClasses) -> None:
        self.targets, self.attacks = targets, attacks
        plain = pl.DataFrame({"weapon_profile_id": list(attacks.plain), "plain": list(attacks.plain.values())})
        rows = plain.join(contexts().select("scenario_id"), how="cross").join(
            attacks.frame, on=["weapon_profile_id", "scenario_id"], how="left"
        )
        self.rows = rows.select(pl.coalesce("attack_class_id", "plain")).to_series().to_numpy().astype(np.int64)
        self.columns = targets.frame["target_class_id"].to_numpy().astype(np.int64)

    def _sequences(self) -> tuple[dict[str, np.ndarray], np.ndarray, Laws]:
        laws = Laws()
        stages = Stages(self.attacks.variants, [1] * len(self.attacks.variants), self.targets.rows, laws)
        variant = self.attacks.variant[:, self.targets.mask].T
        sequences, cells = stages.merged(variant, np.arange(len(self.targets.rows))[:, None])
        return sequences | {"lethal": outcomes.decide_lethal(sequences, laws)}, cells, laws

    def closed(self) -> tuple[np.ndarray, np.ndarray]:
        """Unsaved attacks and damage before overkill of each outcome, [outcome, 2], and the outcome of each cell."""
        sequences, cells, laws = self._sequences()
        return outcomes.closed_form(sequences, laws)[:, 3:5], cells

    def resolved(self) -> tuple[outcomes.Outcomes, LawBook]:
        """Outcomes, and the book of their laws."""
        sequences, _, laws = self._sequences()
        resolved, book = outcomes.resolve(sequences, laws), LawBook()
        resolved.law_ids(book)
        return resolved, book

    def exact(self) -> tuple[np.ndarray, np.ndarray]:
        """Damage and models destroyed of each outcome, its law and copies computed, and the outcome of each cell."""
        sequences, cells, laws = self._sequences()
        resolved = outcomes.resolve(sequences, laws)
        resolved.law_ids(LawBook())
        resolved.copies()
        return resolved.metrics[:, 5:7], cells

    def expanded(self, found: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Two numbers for every matchup, [2, target, weapon row]."""
        numbers, cells = found
        result = np.empty((len(numbers.T), len(self.columns), len(self.rows)))
        for values, filled in zip(numbers.T, result, strict=True):
            by_cell = np.ascontiguousarray(values).take(cells)
            for place, column in enumerate(self.columns):
                by_cell[column].take(self.rows, out=filled[place], mode="clip")  # other modes would fill a copy first
        return result


def _stored(frames: Mapping[str, pl.DataFrame], grid: GridResult) -> tuple[int, float]:
    """Bytes of a warehouse with these outcomes, and seconds in which ``matchups`` answers for one target."""
    facts = {
        "attack_classes": grid.attack_classes,
        "target_classes": grid.target_classes,
        "outcome_cells": grid.cells,
        "outcome_laws": grid.book.frame(),
        "outcomes": grid.outcomes,
    }
    query = f"FROM matchups WHERE target_id = 'heavy-tank' AND scenario_id = '{matchups.PLAIN}'"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scale.duckdb"
        create(file, {**frames, **facts})
        with duckdb.connect(str(file), read_only=True) as connection:
            return file.stat().st_size, median(lambda: connection.execute(query).fetchnumpy())


def _targets(targets: pl.DataFrame) -> list[dict[str, int]]:
    return targets.select("toughness", "save").head(10).to_dicts()


def _cross_join(weapons: int) -> None:
    """A table in memory of a cross join with two numbers a row, of so many weapons and ``SAMPLE`` rows."""
    with duckdb.connect() as connection:
        connection.execute(
            f"""
            CREATE TABLE matchups AS SELECT w.range AS weapon, t.range AS target,
              (w.range % 7 + 1) * (t.range % 5 + 1) / 6 AS unsaved, (w.range % 7 + 1) * (t.range % 3 + 1) / 6 AS damage
            FROM range({weapons}) AS w CROSS JOIN range({SAMPLE // weapons}) AS t
            """
        )


def _pair(first: float, second: float) -> str:
    return f"{first:.2f}; {second:.2f}"
