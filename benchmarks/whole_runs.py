"""The command from the outside. Belongs here: what a person waits for, and what lies on the disk afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

from benchmarks.goals import Row
from benchmarks.measure import median, peak_bytes_of_children, seconds_of
from pipelines.paths import PROJECT


def whole_runs() -> list[Row]:
    """The command from outside: a first run, a rerun with nothing changed, one target's matchups by SQL."""
    with tempfile.TemporaryDirectory() as folder:
        warehouse = Path(folder) / "w.duckdb"
        environment = os.environ | {"WARLEDGER_STATE": f"{folder}/state"}
        command = [sys.executable, "-m", "pipelines.cli", "run", "--warehouse", str(warehouse)]
        command += ["--dashboard", f"{folder}/dashboard", "--raw", str(PROJECT / "raw")]

        def run() -> float:
            return seconds_of(lambda: subprocess.run(command, check=True, env=environment, capture_output=True))

        bare = median(lambda: subprocess.run([sys.executable, "-c", "import dagster, great_expectations"], check=True))
        first = run()
        peak = peak_bytes_of_children() / 1e9
        again = run()
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            target = "SELECT * FROM matchups WHERE target_id = 'heavy-tank' AND scenario_id = 'plain'"
            one = median(lambda: connection.execute(target).fetchnumpy())
            every = median(lambda: connection.execute("SELECT sum(expected_damage) FROM matchups").fetchall())
            [(rows,)] = connection.execute(f"SELECT count(*) FROM ({target})").fetchall()
        size = warehouse.stat().st_size / 1e6
        page = (Path(folder) / "dashboard" / "index.html").stat().st_size / 1e6
    return [
        Row("run: first, everything", f"{first:.1f} s, {first / bare:.1f} × importing dagster and great_expectations"),
        Row("run: peak memory", f"{peak:.2f} GB"),
        Row("run: nothing changed", f"{again:.1f} s, {again / first:.2f} of the first"),
        Row(
            "sql: one target, plain, all weapons", f"{one:.3f} s for {rows:,} rows, {one / every:.3f} of a sum over all"
        ),
        Row("size: warehouse, page", f"{size:.1f} MB, {page:.1f} MB"),
    ]
