"""All dimension frames of a run, from documents and declared data. Belongs here: putting the pieces together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from pipelines.dimensions.arsenals import Arsenal, arsenals
from pipelines.dimensions.conflicts import conflict_rows
from pipelines.dimensions.corrections import corrected, read_corrections
from pipelines.dimensions.fitting import fitted
from pipelines.dimensions.frames import Row, frame
from pipelines.dimensions.gaps import with_gaps
from pipelines.dimensions.prices import smallest_price
from pipelines.dimensions.rules import rule_rows
from pipelines.dimensions.spans import span_frames
from pipelines.dimensions.targets import archetype_rows, matchup_target_rows, target_group_rows, unit_target_rows
from pipelines.dimensions.units import Unit, conform, unit_rows
from pipelines.identity import stable_id
from pipelines.records import Document
from warehouse.declared import archetypes, attackers, corrections, ruleset_parameters, scenarios
from warehouse.schema import tables

_FLAGS = dict.fromkeys(("half_range", "long_range", "stationary", "charged", "cover"), False) | {"visible": True}


@dataclass(frozen=True, slots=True)
class Dimensions:
    """Frames by table in loading order, and what each preferred unit may carry at each of its sizes."""

    frames: Mapping[str, pl.DataFrame]
    arsenals: Sequence[Arsenal]


def assemble(documents: Sequence[Document]) -> Dimensions:
    """Frames of every dimension table; ``units`` of superseded and quarantined documents are left out.

    Raises ValueError for a declared correction that is wrong.
    """
    after = corrected(documents, read_corrections(corrections()))
    conformed = conform(fitted(after.documents))
    targets = [*archetype_rows(archetypes()), *unit_target_rows(conformed.units)]
    rows: dict[str, Iterable[Row]] = {
        **document_rows(with_gaps(conformed.documents, conformed.units)),
        **unit_rows(conformed.units),
        "corrections": after.rows,
        "source_rows": _source_rows(conformed.documents),
        "source_conflicts": conflict_rows(conformed.units),
        **rule_rows(conformed.documents, conformed.units),
        "targets": targets,
        "target_groups": target_group_rows(conformed.units, targets),
        "matchup_targets": matchup_target_rows(targets),
        "attackers": _attacker_rows(),
        "scenarios": [{"scenario_id": key, **_FLAGS, **entry} for key, entry in scenarios().items()],
        "rulesets": _ruleset_rows(),
        "weapon_points": _weapon_point_rows(conformed.units),
    }
    built = span_frames(conformed.documents)
    frames = {
        name: built[name] if name in built else frame(name, rows.pop(name, ()))
        for name, table in tables().items()
        if table.layer == "dimension"
    }
    return Dimensions(frames, [each for unit in conformed.units if unit.is_preferred for each in arsenals(unit)])


def superseded(frames: Mapping[str, pl.DataFrame]) -> list[tuple[str, str]]:
    """(path, reason) of each superseded document."""
    issues = frames["ingest_issues"].filter(pl.col("code") == "superseded")
    return issues.select("path", "message").rows()


def document_rows(documents: Sequence[Document]) -> dict[str, list[Row]]:
    """Rows of documents, their paths and issues."""
    names = (
        "document_id", "path", "source_kind", "title", "collection", "unit_name", "edition", "edition_source",
        "line_count", "byte_count", "encoding", "byte_order_mark", "newline", "dated", "status",
    )  # fmt: skip
    return {
        "documents": [{name: getattr(document, name) for name in names} for document in documents],
        "document_paths": [
            {"document_id": document.document_id, "path": path}
            for document in documents
            for path in dict.fromkeys((document.path, *document.other_paths))
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


def _source_rows(documents: Iterable[Document]) -> list[Row]:
    return [
        {
            "document_id": document.document_id,
            "path": document.path,
            "table_name": document.title,
            "rows_in": document.row_count.rows_in,
            "rows_kept": document.row_count.rows_kept,
            "rows_reported": document.row_count.rows_in - document.row_count.rows_kept,
        }
        for document in documents
        if document.row_count is not None
    ]


def _attacker_rows() -> list[Row]:
    return [
        {"attacker_id": slug, **{name: value for name, value in entry.items() if name != "derived_from"}}
        for slug, entry in attackers().items()
    ]


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
