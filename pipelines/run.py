"""One run of the main job in this process. Belongs here: what ``warledger run`` does around the assets.

Doesn't: parsing arguments and exit codes (``cli``), the assets' work.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import duckdb

from analyses.dashboard import dashboard_files
from analyses.reports import report_files
from pipelines.defs.home import prepare_dagster_home
from pipelines.ingest import NothingReadableError, StrictError, fingerprint, raw_files
from pipelines.paths import Places
from pipelines.progress import say
from pipelines.storage.build import UnreadableWarehouseError, connect
from pipelines.storage.lock import run_lock

_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}


class UnusablePlaceError(Exception):
    """A place that the run should write to can't be written to."""


class RunFailedError(Exception):
    """A step of the run failed for a reason that is not the input's; the text names the step."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a run is asked to do. ``ruleset`` empty: each weapon under its own edition's rules."""

    places: Places
    ruleset: str = ""
    community_data: bool = True
    strict: bool = False
    force: bool = False


def run(request: Request) -> bool:
    """Run everything; returns False where the published warehouse already is what the run would give.

    Raises NothingReadableError, StrictError, GateRefusedError, RunInProgressError, UnusablePlaceError, RunFailedError;
    whatever is raised before publishing leaves the published warehouse untouched.
    """
    _check_places(request.places)
    with run_lock(request.places.state):
        files = list(raw_files(request.places.raw))
        if not request.force and _is_current(request):
            return False
        say(f"{len(files)} raw files under {', '.join(str(folder) for folder in request.places.raw)}")
        _execute(request)
        return True


def _check_places(places: Places) -> None:
    """Refuse places that can't be written to before anything is computed. Raises UnusablePlaceError."""
    if places.warehouse.is_dir():
        raise UnusablePlaceError(f"{places.warehouse}: is a folder, the warehouse is a file")
    if places.dashboard.exists() and not places.dashboard.is_dir():
        raise UnusablePlaceError(f"{places.dashboard}: is a file, the dashboard is a folder")
    for folder in (places.warehouse.parent, places.dashboard, places.state):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnusablePlaceError(f"{folder}: can't be made: {error.strerror}") from None
        if not os.access(folder, os.W_OK):
            raise UnusablePlaceError(f"{folder}: can't be written to")


def _is_current(request: Request) -> bool:
    warehouse = request.places.warehouse
    written = [*dashboard_files(request.places.dashboard), *report_files(request.places.dashboard / "reports")]
    if request.strict or not warehouse.is_file() or not all(path.is_file() for path in written):
        return False
    if any(path.stat().st_mtime < warehouse.stat().st_mtime for path in written):
        return False  # a run was stopped between publishing and its reports
    try:
        with connect(warehouse) as connection:
            last = connection.execute("SELECT input_fingerprint FROM runs ORDER BY started_at DESC LIMIT 1").fetchall()
    except (UnreadableWarehouseError, duckdb.Error):
        return False
    return bool(last) and last[0][0] == fingerprint(
        request.places.raw, ruleset=request.ruleset, community_data=request.community_data
    )


def _execute(request: Request) -> None:
    prepare_dagster_home(request.places.state)
    from dagster import DagsterInstance  # imported here: it takes a second that most commands do without

    from pipelines.definitions import build_defs
    from pipelines.defs.resources import RunOptions
    from pipelines.storage.release import GateRefusedError, refusals

    options = RunOptions(
        raw=[str(folder) for folder in request.places.raw],
        warehouse=str(request.places.warehouse),
        dashboard=str(request.places.dashboard),
        state=str(request.places.state),
        ruleset=request.ruleset,
        community_data=request.community_data,
        strict=request.strict,
    )
    job = build_defs(options).resolve_job_def("everything")
    with DagsterInstance.get() as instance:
        result = job.execute_in_process(instance=instance, raise_on_error=False, run_config=_QUIET)
    if any(not evaluation.passed for evaluation in result.get_asset_check_evaluations()):
        raise GateRefusedError(refusals(options.built_file(result.run_id)))
    if result.success:
        return
    published = any(event.step_key == "warehouse" and event.is_step_success for event in result.all_events)
    for failure in result.all_events:
        if failure.is_step_failure and (error := failure.step_failure_data.error) is not None:
            cause = error.cause or error
            if error.cls_name == "DagsterExecutionInterruptedError":
                raise KeyboardInterrupt
            for known in (NothingReadableError, StrictError):
                if cause.cls_name == known.__name__:
                    raise known(cause.message.split(": ", 1)[1].strip())
            where = "the last good warehouse is untouched" if not published else "the new warehouse is published"
            log = request.places.state / "last_failure.txt"
            log.write_text(error.to_string(), encoding="utf-8")
            reason = " ".join(cause.message.split())
            raise RunFailedError(f"{failure.step_key} failed, {where}: {reason} (more in {log})")
    raise RunFailedError("the run ended without success and without a failed step")
