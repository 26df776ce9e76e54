"""What a run is told and keeps note of. Belongs here: resources. Doesn't: steps of the pipeline."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dagster import ConfigurableResource

from pipelines.paths import Places, places
from pipelines.progress import say


class RunOptions(ConfigurableResource):
    """Places and switches of a run; empty places mean the defaults."""

    raw: list[str] = []  # noqa: RUF012 - pydantic copies defaults
    warehouse: str = ""
    dashboard: str = ""
    state: str = ""
    ruleset: str = ""
    community_data: bool = True
    strict: bool = False

    @property
    def places(self) -> Places:
        """The folders and files of the run."""
        given = (Path(place) if place else None for place in (self.warehouse, self.dashboard, self.state))
        return places(tuple(map(Path, self.raw)), *given)

    def built_file(self, run_id: str) -> Path:
        """Where a run builds its warehouse before it is audited."""
        return self.places.state / "build" / f"{run_id}.duckdb"

    @contextmanager
    def stage(self, run_id: str, name: str) -> Iterator[dict[str, Any]]:
        """Time a stage and note its rows: the body sets ``["rows"]`` of what it is given, and what else is kept."""
        say(f"{name} …")
        noted: dict[str, Any] = {"rows": 0}
        started_at, started = datetime.now(UTC), time.perf_counter()
        yield noted
        seconds = time.perf_counter() - started
        say(f"{name}: {noted['rows']:,} rows in {seconds:.1f} s")
        record = {"stage": name, "started_at": started_at.isoformat(), "seconds": seconds, **noted}
        log = self._stage_log(run_id)
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(record) + "\n")

    def stages(self, run_id: str) -> list[dict[str, Any]]:
        """The stages noted so far, in order."""
        return [json.loads(line) for line in self._stage_log(run_id).read_text(encoding="utf-8").splitlines()]

    def _stage_log(self, run_id: str) -> Path:
        return self.places.state / "build" / f"{run_id}.stages.jsonl"
