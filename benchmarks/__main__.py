"""Measures what the default run costs and prints ratios to baselines of the same run.

Belongs here: measuring. Doesn't: judging; nothing fails because a machine is slow.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

from pipelines import matchups
from pipelines.dimensions.assemble import assemble
from pipelines.ingest import ingest
from pipelines.paths import PROJECT
from pipelines.simulation.grid import simulate_grid

REPEATS = 5
SAMPLE = 20_000


def main() -> None:
    """Print the table."""
    rows: list[tuple[str, str]] = []
    rows += engine()
    rows += whole_runs()
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        print(f"{label:<{width}}  {value}")


def median(work: Callable[[], Any]) -> float:
    """Seconds of a call, the median of several."""
    seconds = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def engine() -> list[tuple[str, str]]:
    """The engine on the default data against a plain Python function and against filling the output."""
    dimensions = assemble(ingest([PROJECT / "raw"], community_data=True))
    weapons = matchups.weapon_frame(dimensions.frames, None)
    facts: list[matchups.Facts] = []
    rulesets = matchups.declared_rulesets()
    seconds = median(
        lambda: facts.append(matchups.simulate(dimensions.frames, dimensions.equipment, weapons, rulesets))
    )
    targets_frame, scenarios = dimensions.frames["targets"], dimensions.frames["scenarios"]
    grid_seconds = median(lambda: simulate_grid(weapons, targets_frame, scenarios, rulesets))
    count, unit_rows = facts[-1].matchups, facts[-1].frames["unit_matchups"].height
    sample = weapons.select("attacks", "skill", "strength", "armour_penetration", "damage").head(2000).to_dicts()
    targets = dimensions.frames["targets"].select("toughness", "save").head(SAMPLE // 2000).to_dicts()
    plain = median(lambda: [closed_form(weapon, target) for weapon in sample for target in targets])
    plain_each = plain / (len(sample) * len(targets))
    filling = median(lambda: np.ones((6, count)))
    cells = facts[-1].frames["outcome_cells"].height
    return [
        ("engine: exact weapon matchups", f"{count:,} ({cells:,} cells, {facts[-1].signatures:,} signatures)"),
        ("engine: exact unit matchups", f"{unit_rows:,}"),
        ("engine: seconds for weapons; with units and their choice of equipment", f"{grid_seconds:.2f}; {seconds:.2f}"),
        (
            "engine: weapons, exact, against a plain Python mean of the same matchups",
            f"{plain_each / (grid_seconds / count):,.0f} × faster",
        ),
        ("engine: weapons, against filling six columns of that length", f"{grid_seconds / filling:.1f} ×"),
        ("engine: signatures against matchups", f"{count / facts[-1].signatures:,.0f} × fewer"),
    ]


def closed_form(weapon: dict[str, Any], target: dict[str, Any]) -> float:
    """Mean damage without abilities, modifiers and overkill: the least that any calculator does for a matchup."""

    def mean(text: str) -> float:
        dice, _, plus = text.partition("+")
        if "D" not in dice:
            return float(dice)
        number, _, sides = dice.partition("D")
        return int(number or 1) * (int(sides) + 1) / 2 + float(plus or 0)

    strength, toughness = mean(weapon["strength"]), target["toughness"]
    if strength >= 2 * toughness:
        wound = 2
    elif strength > toughness:
        wound = 3
    elif strength == toughness:
        wound = 4
    else:
        wound = 6 if 2 * strength <= toughness else 5
    hit = 1.0 if weapon["skill"] is None else (7 - weapon["skill"]) / 6
    save = min(max(target["save"] - weapon["armour_penetration"], 2), 7)
    return mean(weapon["attacks"]) * hit * (7 - wound) / 6 * (save - 1) / 6 * mean(weapon["damage"])


def whole_runs() -> list[tuple[str, str]]:
    """The command from outside: a first run, a rerun with nothing changed, one target's matchups by SQL."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "w.duckdb"
        environment = os.environ | {"WARLEDGER_STATE": f"{folder}/state"}
        command = [sys.executable, "-m", "pipelines.cli", "run", "--warehouse", str(warehouse)]
        command += ["--dashboard", f"{folder}/dashboard", "--raw", str(PROJECT / "raw")]

        def run() -> float:
            started = time.perf_counter()
            subprocess.run(command, check=True, env=environment, capture_output=True)
            return time.perf_counter() - started

        bare = median(lambda: subprocess.run([sys.executable, "-c", "import dagster, great_expectations"], check=True))
        first = run()
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        again = run()
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            target = "SELECT * FROM matchups WHERE target_id = 'heavy-tank' AND scenario_id = 'plain'"
            one = median(lambda: connection.execute(target).fetchnumpy())
            every = median(lambda: connection.execute("SELECT sum(expected_damage) FROM matchups").fetchall())
            [(rows,)] = connection.execute(f"SELECT count(*) FROM ({target})").fetchall()
        size = warehouse.stat().st_size / 1e6
        page = (Path(folder) / "dashboard" / "index.html").stat().st_size / 1e6
    return [
        ("run: first, everything", f"{first:.1f} s, {first / bare:.1f} × importing dagster and great_expectations"),
        ("run: peak memory", f"{peak:.2f} GB"),
        ("run: nothing changed", f"{again:.1f} s, {again / first:.2f} of the first"),
        ("sql: one target, plain, all weapons", f"{one:.3f} s for {rows:,} rows, {one / every:.3f} of a sum over all"),
        ("size: warehouse, page", f"{size:.1f} MB, {page:.1f} MB"),
    ]


if __name__ == "__main__":
    main()
