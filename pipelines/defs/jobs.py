"""Jobs and their triggers: everything or ingest alone, every morning or when raw files change."""

# Annotations stay real objects here: Dagster reads them when it builds the definitions.

from collections.abc import Iterator

from dagster import (
    AssetSelection,
    DefaultScheduleStatus,
    RunRequest,
    ScheduleDefinition,
    SensorEvaluationContext,
    SkipReason,
    define_asset_job,
    in_process_executor,
    sensor,
)

from pipelines.defs.resources import RunOptions
from pipelines.ingest import NothingReadableError, raw_fingerprint

ingest_only = define_asset_job(
    "ingest_only",
    selection=AssetSelection.assets("source_documents"),
    executor_def=in_process_executor,
    description="Read the raw folders and name what is quarantined.",
)
everything = define_asset_job(
    "everything",
    selection=AssetSelection.all(),
    executor_def=in_process_executor,
    description="The main job: raw input to published warehouse, reports and dashboard.",
)
daily = ScheduleDefinition(
    name="daily",
    job=everything,
    cron_schedule="0 5 * * *",
    execution_timezone="UTC",
    default_status=DefaultScheduleStatus.STOPPED,
    description="Every morning at five, before anyone looks.",
)


@sensor(job=everything, minimum_interval_seconds=60, description="Runs everything when the content of raw/ changes.")
def raw_changed(context: SensorEvaluationContext, options: RunOptions) -> Iterator[RunRequest | SkipReason]:
    """Compare a hash over names and contents of the raw files with the last one seen."""
    try:
        cursor = raw_fingerprint(options.places.raw)
    except NothingReadableError as error:
        yield SkipReason(str(error))
        return
    if cursor == context.cursor:
        yield SkipReason("the raw files are what they were")
        return
    context.update_cursor(cursor)
    yield RunRequest(run_key=cursor)
