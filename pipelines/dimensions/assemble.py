"""All dimension frames of a run, from documents and declared data. Belongs here: putting the pieces together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from pipelines.dimensions.conflicts import conflict_rows
from pipelines.dimensions.corrections import corrected
from pipelines.dimensions.fitting import fitted
from pipelines.dimensions.frames import Row, frame
from pipelines.dimensions.loadouts import Equipment, default_equipment
from pipelines.dimensions.prices import smallest_price
from pipelines.dimensions.rules import rule_rows
from pipelines.dimensions.targets import archetype_rows, matchup_target_rows, unit_target_rows
from pipelines.dimensions.units import Unit, conform, unit_rows
from pipelines.identity import stable_id
from pipelines.records import Document
from warehouse.declared import archetypes, corrections, ruleset_parameters, scenarios
from warehouse.schema import tables

_NO_FLAGS = {"half_range": False, "stationary": False, "charged": False, "cover": False}


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Frames by table in loading order, and what each preferred unit carries."""

    frames: Mapping[str, pl.DataFrame]
    equipment: Sequence[Equipment]


def assemble(documents: Sequence[Document]) -> Dimensions:
    """Frames of every dimension table; ``units`` of superseded and quarantined documents are left out."""
    conformed = conform(fitted(corrected(documents, corrections())))
    targets = [*archetype_rows(archetypes()), *unit_target_rows(conformed.units)]
    rows: dict[str, Iterable[Row]] = {
        **document_rows(conformed.documents),
        **unit_rows(conformed.units),
        "source_conflicts": conflict_rows(conformed.units),
        **rule_rows(conformed.documents, conformed.units),
        "targets": targets,
        "matchup_targets": matchup_target_rows(targets),
        "scenarios": [{"scenario_id": key, **_NO_FLAGS, **entry} for key, entry in scenarios().items()],
        "rulesets": _ruleset_rows(),
        "weapon_points": _weapon_point_rows(conformed.units),
    }
    frames = {name: frame(name, rows.get(name, ())) for name, table in tables().items() if table.layer == "dimension"}
    return Dimensions(frames, [default_equipment(unit) for unit in conformed.units if unit.is_preferred])


def superseded(frames: Mapping[str, pl.DataFrame]) -> list[tuple[str, str]]:
    """(path, reason) of each superseded document."""
    issues = frames["ingest_issues"].filter(pl.col("code") == "superseded")
    return issues.select("path", "message").rows()


def document_rows(documents: Sequence[Document]) -> dict[str, list[Row]]:
    """Rows of documents, their paths, spans and issues."""
    names = (
        "document_id", "path", "source_kind", "title", "collection", "unit_name", "edition", "edition_source",
        "line_count", "byte_count", "dated", "status",
    )  # fmt: skip
    return {
        "documents": [{name: getattr(document, name) for name in names} for document in documents],
        "document_paths": [
            {"document_id": document.document_id, "path": path}
            for document in documents
            for path in dict.fromkeys((document.path, *document.other_paths))
        ],
        "document_spans": [
            {
                "document_id": document.document_id,
                "start_line": span.start_line,
                "start_column": span.start_column,
                "end_line": span.end_line,
                "end_column": span.end_column,
                "kind": span.kind,
                "entity_id": span.entity,
            }
            for document in documents
            for span in document.spans
        ],
        "ingest_issues": [
            {
                "issue_id": stable_id("issue", document.document_id, position),
                "document_id": document.document_id,
                "path": document.path,
                "severity": issue.severity,
                "code": issue.code,
                "line": issue.line,
                "message": issue.message,
                "excerpt": issue.excerpt,
            }
            for document in documents
            for position, issue in enumerate(document.issues)
        ],
    }


def _ruleset_rows() -> list[Row]:
    return [
        {
            "ruleset": name,
            "parameter": parameter,
            "value": str(value).lower() if isinstance(value, bool) else str(value),
        }
        for name, parameters in ruleset_parameters().items()
        for parameter, value in parameters.items()
    ]


def _weapon_point_rows(units: Iterable[Unit]) -> list[Row]:
    rows: list[Row] = []
    for unit in units:
        price = smallest_price(unit.datasheet.costs)
        share = price.points / price.models if price else None
        rows += [{"weapon_profile_id": key, "points": share} for key in unit.weapons]
    return rows
