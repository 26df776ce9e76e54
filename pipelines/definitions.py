"""What Dagster loads. Belongs here: naming the parts; tests and the command swap the options."""

from __future__ import annotations

from dagster import Definitions, FilesystemIOManager

from pipelines.defs import assets, checks, jobs
from pipelines.defs.resources import RunOptions
from pipelines.defs.values import DocumentsIOManager


def build_defs(options: RunOptions | None = None) -> Definitions:
    """All definitions over the given options; intermediate values are kept in the state folder."""
    chosen = options or RunOptions()
    return Definitions(
        assets=[
            assets.source_documents,
            assets.dimension_tables,
            assets.fact_tables,
            assets.uplift_tables,
            assets.built_warehouse,
            assets.published_warehouse,
            assets.reports,
            assets.dashboard,
        ],
        asset_checks=[checks.gate],
        jobs=[jobs.ingest_only, jobs.everything],
        schedules=[jobs.daily],
        sensors=[jobs.raw_changed],
        resources={
            "options": chosen,
            "io_manager": FilesystemIOManager(base_dir=str(chosen.places.state / "values")),
            "documents_io_manager": DocumentsIOManager(str(chosen.places.state / "values")),
        },
    )


defs = build_defs()
