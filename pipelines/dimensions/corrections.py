"""Applies the declared corrections to what sources say. Belongs here: matching, applying, reporting outdated ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.identity import fold
from pipelines.records import Composition, Datasheet, Document, Issue


def corrected(documents: Sequence[Document], corrections: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Documents with the corrections applied; one that fits nothing is an issue of each document of its source kind.

    Raises ValueError for a correction of a field that can't be corrected.
    """
    result = list(documents)
    for correction in corrections:
        if correction["field"] != "default_weapons":
            raise ValueError(f"corrections.toml: {correction['field']!r} is no field that can be corrected")
        for position, document in enumerate(result):
            if document.source_kind == correction["source_kind"]:
                result[position] = _applied(document, correction)
    return result


def _applied(document: Document, correction: Mapping[str, Any]) -> Document:
    datasheets = tuple(_datasheet(datasheet, correction) for datasheet in document.datasheets)
    if datasheets != document.datasheets:
        return replace(document, datasheets=datasheets)
    message = f"{correction['unit']} ({correction['faction']}), {correction['model']}: {correction['field']} changed"
    return replace(document, issues=(*document.issues, Issue("warning", "correction_outdated", message)))


def _datasheet(datasheet: Datasheet, correction: Mapping[str, Any]) -> Datasheet:
    wanted = (fold(correction["unit"]), fold(correction["faction"]))
    if (fold(datasheet.name), fold(datasheet.faction or "")) != wanted:
        return datasheet
    return replace(datasheet, composition=tuple(_row(row, correction) for row in datasheet.composition))


def _row(row: Composition, correction: Mapping[str, Any]) -> Composition:
    if fold(row.model_name) != fold(correction["model"]) or row.default_weapons != tuple(correction["from"]):
        return row
    return replace(row, default_weapons=None if correction.get("unknown") else tuple(correction["to"]))
