"""The life of a warehouse file: built with its history, audited, published or left where it is.

Belongs here: the order of those steps. Doesn't: each step's work (``build``, ``gate``, ``publish``).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from pipelines import __version__
from pipelines.dimensions.frames import frame
from pipelines.progress import say
from pipelines.storage.build import (
    UnreadableWarehouseError,
    append_history,
    carry_over,
    connect,
    create,
    insert,
    row_counts,
)
from pipelines.storage.gate import GateResult, audit
from pipelines.storage.publish import discard_leftovers, publish
from warehouse.schema import tables

Stages = Sequence[Mapping[str, Any]]


class GateRefusedError(Exception):
    """The quality gate refused a built warehouse; ``failures`` are the expectations that did not hold."""

    def __init__(self, failures: Sequence[GateResult]) -> None:
        self.failures = failures
        named = "; ".join(f"{each.expectation} on {each.table_name}.{each.column_name}" for each in failures[:5])
        super().__init__(f"the quality gate refused the new warehouse ({len(failures)} expectations failed): {named}")


def build_warehouse(
    built: Path,
    frames: Mapping[str, pl.DataFrame],
    *,
    previous: Path,
    run_id: str,
    stages: Stages,
) -> dict[str, int]:
    """Write a new warehouse file from frames, with the runs and histories of the previous one; rows by table."""
    discard_leftovers(built.parent)
    create(built, {name: frames[name] for name in tables() if name in frames})
    if previous.exists() and (lost := _carried(built, previous)):
        kept = built.parent.parent / "kept" / f"{run_id}.duckdb"
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(previous, kept)
        say(f"not all history of the last warehouse could be carried over, it is kept as {kept}: {lost}")
    append_history(built, run_id)
    counts = row_counts(built)
    ingested = next(stage for stage in stages if stage["stage"] == "ingest")
    run = {
        "run_id": run_id,
        "started_at": datetime.fromisoformat(str(stages[0]["started_at"])).astimezone(UTC).replace(tzinfo=None),
        "finished_at": _now(),
        "code_version": __version__,
        "input_fingerprint": ingested["fingerprint"],
        "rows_in": ingested["rows"],
        "rows_out": sum(counts.values()),
    }
    with connect(built, read_only=False) as connection:
        insert(connection, tables()["runs"], frame("runs", [run]))
    return counts


def _carried(built: Path, previous: Path) -> str:
    """Carry the history over; returns what could not be, in words, "" for nothing."""
    try:
        return "; ".join(f"{name}: {reason}" for name, reason in carry_over(built, previous).items())
    except UnreadableWarehouseError as error:
        return str(error)


def audit_warehouse(built: Path) -> list[GateResult]:
    """Audit a built warehouse and store the results in it."""
    results = audit(built)
    with connect(built, read_only=False) as connection:
        insert(connection, tables()["gate_results"], frame("gate_results", [asdict(result) for result in results]))
    return results


def refusals(built: Path) -> list[GateResult]:
    """The expectations that a built and audited warehouse failed."""
    names = ", ".join(field.name for field in fields(GateResult))
    with connect(built) as connection:
        rows = connection.execute(f"SELECT {names} FROM gate_results WHERE NOT success").fetchall()
    return [GateResult(*row) for row in rows]


def publish_warehouse(built: Path, target: Path, *, run_id: str, stages: Stages) -> None:
    """Note the stages of the run and put the audited file in the place of the last one."""
    rows = [{"run_id": run_id, **{name: stage[name] for name in ("stage", "seconds", "rows")}} for stage in stages]
    with connect(built, read_only=False) as connection:
        insert(connection, tables()["run_stages"], frame("run_stages", rows))
        connection.execute("UPDATE runs SET finished_at = ? WHERE run_id = ?", [_now(), run_id])
        connection.execute("CHECKPOINT")
    publish(built, target)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
