"""The engine at full scale: every weapon against every target in eight contexts, each step against its goal.

Belongs here: seconds, ratios and memory of the whole grid. Doesn't: its data (``grid``), other calculators (``peers``),
whole runs (``whole_runs``), the default data (``engine``).

Steps are measured from the classes of equal weapons and targets on; finding these is measured apart. Ratios to other
work of this process are of processor time, which others on the machine change least; each side has one thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import polars as pl

from benchmarks import goals
from benchmarks.goals import Row
from benchmarks.grid import Data, Grid, contexts, data
from benchmarks.measure import Seconds, median, peak_bytes, timed
from benchmarks.plain_mean import expectation
from pipelines import engine_frames
from pipelines.loadout_choice import PLAIN
from pipelines.simulation.grid import GridResult, simulate_grid
from pipelines.storage.build import create

PAIRS, SEED = 20_000, 1
SAMPLE = 2_000_000
"""Rows of the DuckDB table; the whole one would take more memory than it tells."""


def scale() -> list[Row]:
    """Signatures, the closed form and exact laws of all matchups, against their baselines."""
    of = data()
    before = peak_bytes()
    grid = Grid(*of.classes())
    count = of.weapons.height * of.targets.height * contexts().height
    differ = grid.attacks.frame.height * of.targets.height
    seconds = {
        "classes": timed(of.classes),
        "filling": timed(lambda: np.ones((2, count))),
        "closed": timed(lambda: grid.expanded(grid.closed())),
        "exact": timed(lambda: grid.expanded(grid.exact())),
        "signatures": timed(grid.exact),
    }
    resolved, book = grid.resolved()
    peak, output = peak_bytes(), 16 * count
    found = len(resolved.count)
    return [
        Row(
            f"scale: matchups of {of.source} in 8 contexts",
            f"{count:,}, of which {differ:,} differ from the plain ones",
        ),
        Row(
            "scale: signatures",
            f"{found:,}, {count / found:,.0f} × fewer than matchups, {differ / found:,.0f} × fewer than what differs",
            goals.SIGNATURES,
            count / found,
        ),
        Row("scale: laws kept", f"{len(book):,} distinct ones, {book.frame().estimated_size() / 1e6:.1f} MB in memory"),
        Row("scale: seconds for classes", f"{seconds['classes'].wall:.2f}"),
        Row(
            "scale: seconds for all outcomes with laws and copies",
            f"{seconds['signatures'].processor:.2f} of a processor, {seconds['signatures'].wall:.2f} on the clock",
            goals.EXACT_SECONDS,
            seconds["signatures"].processor,
        ),
        *_ratios(seconds, count, of, grid),
        Row(
            "scale: peak memory above the output",
            f"{(peak - output) / 1e9:.2f} GB, {before / 1e9:.2f} before all; output {output / 1e9:.2f}",
            goals.MEMORY,
            (peak - output) / 1e9,
        ),
        Row("scale: peak memory", f"{peak / 1e9:.2f} GB", goals.WHOLE_MEMORY, peak / 1e9),
        *_stored(of.frames, simulate_grid(of.weapons, of.targets, contexts(), engine_frames.declared_rulesets())),
    ]


def _ratios(seconds: Mapping[str, Seconds], count: int, of: Data, grid: Grid) -> list[Row]:
    pairs = list(grid.pairs(PAIRS, SEED))
    python = timed(lambda: [expectation(*pair) for pair in pairs]).processor / PAIRS
    tables = _sql_rows(of)
    joined = timed(lambda: _cross_join(*tables)).processor / (tables[0].height * tables[1].height)
    closed, exact, filling = seconds["closed"], seconds["exact"], seconds["filling"]
    ratios = {
        "closed form of all, against a plain Python function": (goals.CLOSED_PYTHON, python / closed.processor * count),
        "closed form of all, against filling the output": (goals.CLOSED_FILLING, closed.processor / filling.processor),
        "closed form of all, against a DuckDB table of a cross join": (
            goals.CLOSED_DUCKDB,
            joined / closed.processor * count,
        ),
        "exact laws of all, against the closed form of all": (goals.EXACT_CLOSED, exact.processor / closed.processor),
    }
    return [
        Row(f"scale: {what}", f"{ratio:,.1f} ×{' faster' if goal.at_least else ''}", goal, ratio)
        for what, (goal, ratio) in ratios.items()
    ]


def _stored(frames: Mapping[str, pl.DataFrame], grid: GridResult) -> list[Row]:
    """Measure a warehouse with these outcomes: its size, and how fast ``matchups`` answers for one target."""
    facts = {
        "attack_classes": grid.attack_classes,
        "target_classes": grid.target_classes,
        "outcome_cells": grid.cells,
        "outcome_laws": grid.book.frame(),
        "outcomes": grid.outcomes,
    }
    query = f"FROM matchups WHERE target_id = 'heavy-tank' AND scenario_id = '{PLAIN}'"
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scale.duckdb"
        create(file, {**frames, **facts})
        size = file.stat().st_size / 1e6
        with duckdb.connect(str(file), read_only=True) as connection:
            seconds = median(lambda: connection.execute(query).fetchnumpy())
    return [
        Row("scale: size of the warehouse", f"{size:.0f} MB", goals.WAREHOUSE, size),
        Row("scale: all weapons at one target in one scenario by SQL", f"{seconds:.3f} s", goals.ONE_TARGET, seconds),
    ]


def _cross_join(weapons: pl.DataFrame, targets: pl.DataFrame) -> int:
    """Make a table in memory: ids, unsaved attacks and damage by the closed form without abilities; give its rows."""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("weapons", weapons)
        connection.register("targets", targets)
        connection.execute(
            """
            CREATE TABLE matchups AS SELECT weapon, target, hits * wound * (6 - saved) / 36 AS unsaved,
              hits * wound * (6 - saved) / 36 * damage AS damage
            FROM (
              SELECT weapon, target, hits, damage,
                CASE WHEN strength >= 2 * toughness THEN 5 WHEN strength > toughness THEN 4
                  WHEN strength = toughness THEN 3 WHEN 2 * strength > toughness THEN 2 ELSE 1 END AS wound,
                greatest(0, least(5, 7 - least(save - armour_penetration, invulnerable))) AS saved
              FROM weapons CROSS JOIN targets
            )
            """
        )
        [(rows,)] = connection.execute("SELECT count(*) FROM matchups").fetchall()
        return int(rows)


def _sql_rows(of: Data) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Weapons in every context and some targets, about ``SAMPLE`` pairs; 2 attacks of Damage 2, as only time counts."""
    numbers = of.weapons.select(
        pl.lit(2.0).alias("damage"),
        ((7 - pl.col("skill").fill_null(1)) / 3).alias("hits"),
        pl.col("strength").cast(pl.Int64, strict=False).fill_null(8),
        "armour_penetration",
    )
    weapons = numbers.join(contexts().select("scenario_id"), how="cross").with_row_index("weapon")
    few = of.targets.head(max(1, SAMPLE // weapons.height)).with_row_index("target")
    saves = (pl.col("save").fill_null(7), pl.col("invulnerable_save").fill_null(7).alias("invulnerable"))
    return weapons, few.select("target", "toughness", *saves)
