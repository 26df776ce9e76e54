"""The assets: source documents, one asset per table, the built and the published warehouse, reports, the dashboard.

Belongs here: what depends on what. Doesn't: work, which the called functions do.
"""

# Annotations stay real objects here: Dagster reads them when it builds the definitions.

from collections.abc import Iterator
from typing import Any

import polars as pl
from dagster import (
    AssetExecutionContext,
    AssetIn,
    AssetKey,
    AssetOut,
    MaterializeResult,
    MetadataValue,
    Output,
    asset,
    multi_asset,
)

from analyses.dashboard import build_dashboard
from analyses.reports import run_reports
from pipelines import engine_frames, matchups
from pipelines.defs.resources import RunOptions
from pipelines.dimensions.assemble import assemble, superseded
from pipelines.durability import unit_durability
from pipelines.exposure import PAIRED_BY, leader_exposure
from pipelines.ingest import fingerprint, ingest
from pipelines.outcome_cache import OutcomeCache
from pipelines.progress import say
from pipelines.records import Document
from pipelines.sources.csv_export import account_lines
from pipelines.storage.lock import run_lock
from pipelines.storage.release import build_warehouse, publish_warehouse
from pipelines.worth.uplifts import uplifts
from warehouse.schema import tables


def _stored(layer: str) -> tuple[str, ...]:
    return tuple(name for name, table in tables().items() if table.layer == layer and table.view is None)


DIMENSION_TABLES, FACT_TABLES, UPLIFT_TABLES = _stored("dimension"), _stored("fact"), _stored("uplift")


def _table_outs(names: tuple[str, ...]) -> dict[str, AssetOut]:
    return {
        name: AssetOut(description=tables()[name].description, group_name=tables()[name].layer + "s", is_required=True)
        for name in names
    }


def _outputs(frames: dict[str, pl.DataFrame]) -> Iterator[Output[Any]]:
    for name, frame in frames.items():
        yield Output(frame, output_name=name, metadata={"dagster/row_count": frame.height})


@asset(
    group_name="sources",
    io_manager_key="documents_io_manager",
    description="One row per distinct content that was read: the parsed documents.",
)
def source_documents(context: AssetExecutionContext, options: RunOptions) -> list[Document]:
    """Read the raw folders and the community data."""
    with options.stage(context.run.run_id, "ingest") as stage:
        # Taken before reading: a file that changes meanwhile makes the next run read again.
        stage["fingerprint"] = fingerprint(
            options.places.raw, ruleset=options.ruleset, community_data=options.community_data
        )
        documents = ingest(
            options.places.raw,
            community_data=options.community_data,
            strict=options.strict,
            cache=options.places.document_cache,
        )
        stage["rows"] = sum(len(document.datasheets) for document in documents)
    for document in documents:
        if document.status == "quarantined":
            issue = next(issue for issue in document.issues if issue.severity == "error")
            say(f"quarantined {document.path}:{issue.line or 1}: {issue.message}")
        elif document.status == "partial":
            say(f"partly read {document.path}: see ingest_issues")
    for line in account_lines(documents):
        say(line)
    return documents


@multi_asset(
    outs={
        **_table_outs(DIMENSION_TABLES),
        "unit_arsenals": AssetOut(
            description="One row per preferred unit and size: what its models may carry.",
            group_name="dimensions",
        ),
    }
)
def dimension_tables(
    context: AssetExecutionContext, options: RunOptions, source_documents: list[Document]
) -> Iterator[Output[Any]]:
    """Conform the records of all sources into dimension frames."""
    with options.stage(context.run.run_id, "dimensions") as stage:
        dimensions = assemble(source_documents)
        frames = dict(dimensions.frames)
        for path, message in superseded(frames):
            say(f"superseded {path}: {message}")
        rules = options.ruleset or None
        weapons = engine_frames.weapon_frame(frames, rules)
        frames["weapon_profiles"] = engine_frames.mark_weapons(frames, weapons, engine_frames.declared_rulesets())
        stage["rows"] = sum(frame.height for frame in frames.values())
    yield from _outputs({name: frames[name] for name in DIMENSION_TABLES})
    yield Output(dimensions.arsenals, output_name="unit_arsenals")


_FACT_INPUTS = (
    "units", "weapon_profiles", "weapon_abilities", "targets", "target_groups", "attackers", "scenarios",
    "matchup_targets", *PAIRED_BY,
)  # fmt: skip


@multi_asset(
    outs=_table_outs(FACT_TABLES),
    ins={name: AssetIn(key=name) for name in (*_FACT_INPUTS, "unit_arsenals")},
)
def fact_tables(context: AssetExecutionContext, options: RunOptions, **inputs: Any) -> Iterator[Output[Any]]:
    """Compute every matchup, what it takes to destroy every target, and how exposed leaders are."""
    frames = {name: inputs[name] for name in _FACT_INPUTS}
    with options.stage(context.run.run_id, "simulation") as stage:
        rules = options.ruleset or None
        weapons = engine_frames.weapon_frame(frames, rules)
        engine = OutcomeCache(options.places.outcome_cache)
        facts = matchups.simulate(frames, inputs["unit_arsenals"], weapons, engine_frames.declared_rulesets(), engine)
        computed = {
            **facts.frames,
            "unit_durability": unit_durability(frames, rules, engine),
            "leader_exposure": leader_exposure(frames, rules, engine),
        }
        counted = ("unit_matchups", "unit_durability", "leader_exposure")
        stage["rows"] = facts.matchups + sum(computed[name].height for name in counted)
    yield from _outputs({name: computed[name] for name in FACT_TABLES})


_UPLIFT_INPUTS = (
    "units", "unit_keywords", "unit_abilities", "unit_leads", "weapon_profiles", "weapon_abilities", "detachments",
    "detachment_rules", "stratagems", "enhancements", "modifiers", "text_coverage", "targets", "target_groups",
    "attackers", "scenarios", "unit_loadouts", "unit_matchups",
)  # fmt: skip


@multi_asset(outs=_table_outs(UPLIFT_TABLES), ins={name: AssetIn(key=name) for name in _UPLIFT_INPUTS})
def uplift_tables(context: AssetExecutionContext, options: RunOptions, **inputs: Any) -> Iterator[Output[Any]]:
    """Compute what each rule adds to each unit that may use it."""
    frames = {name: inputs[name] for name in _UPLIFT_INPUTS}
    with options.stage(context.run.run_id, "uplifts") as stage:
        weapons = engine_frames.simulated(engine_frames.weapon_frame(frames, options.ruleset or None))
        engine = OutcomeCache(options.places.outcome_cache)
        computed = uplifts(frames, weapons, engine_frames.declared_rulesets(), engine, ruleset=options.ruleset or None)
        stage["rows"] = computed["uplifts"].height
    yield from _outputs({name: computed[name] for name in UPLIFT_TABLES})


@asset(
    group_name="warehouse",
    ins={name: AssetIn(key=name) for name in (*DIMENSION_TABLES, *FACT_TABLES, *UPLIFT_TABLES)},
    description="One row per table of a new warehouse file, built beside the published one and not yet audited.",
)
def built_warehouse(context: AssetExecutionContext, options: RunOptions, **frames: Any) -> MaterializeResult[Any]:
    """Build a new warehouse file with the history of the last one."""
    with options.stage(context.run.run_id, "load") as stage, run_lock(options.places.state):
        counts = build_warehouse(
            options.built_file(context.run.run_id),
            frames,
            previous=options.places.warehouse,
            run_id=context.run.run_id,
            stages=options.stages(context.run.run_id),
        )
        stage["rows"] = sum(counts.values())
    return MaterializeResult(metadata={name: MetadataValue.int(rows) for name, rows in counts.items()})


@asset(
    key="warehouse",
    group_name="warehouse",
    deps=[AssetKey("built_warehouse")],
    description="One row per published table: the audited warehouse, put in the place of the last one.",
)
def published_warehouse(context: AssetExecutionContext, options: RunOptions) -> MaterializeResult[Any]:
    """Publish what the gate let through."""
    with run_lock(options.places.state):
        publish_warehouse(
            options.built_file(context.run.run_id),
            options.places.warehouse,
            run_id=context.run.run_id,
            stages=options.stages(context.run.run_id),
        )
    say(f"published {options.places.warehouse}")
    return MaterializeResult(metadata={"path": MetadataValue.path(str(options.places.warehouse))})


@asset(
    group_name="analyses",
    deps=[AssetKey("warehouse")],
    description="One row per question of analyses/queries, answered into CSV and Parquet.",
)
def reports(options: RunOptions) -> MaterializeResult[Any]:
    """Answer every question."""
    say("reports …")
    rows = run_reports(options.places.warehouse, options.places.dashboard / "reports")
    return MaterializeResult(metadata={name: MetadataValue.int(count) for name, count in rows.items()})


@asset(
    group_name="analyses",
    deps=[AssetKey("warehouse")],
    description="One row per page: the dashboard, one page with data files beside it, loaded on demand; no network.",
)
def dashboard(options: RunOptions) -> MaterializeResult[Any]:
    """Write the page."""
    say("dashboard …")
    page = build_dashboard(options.places.warehouse, options.places.dashboard)
    return MaterializeResult(metadata={"path": MetadataValue.path(str(page))})
