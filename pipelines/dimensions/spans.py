"""Spans and their texts as frames. Belongs here: these two tables, built by column since they are the longest ones."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from pipelines.records import Document
from pipelines.rulebook.verbatim import text_ids
from warehouse.schema import tables


def span_frames(documents: Sequence[Document]) -> dict[str, pl.DataFrame]:
    """Frames of ``texts`` and ``document_spans``."""
    ids = text_ids(documents)
    spans = [span for document in documents for span in document.spans]
    texts = {"text_id": list(ids.values()), "text": list(ids)}
    columns = {
        "document_id": [document.document_id for document in documents for _ in document.spans],
        "start_line": [span.start_line for span in spans],
        "start_column": [span.start_column for span in spans],
        "end_line": [span.end_line for span in spans],
        "end_column": [span.end_column for span in spans],
        "kind": [span.kind for span in spans],
        "entity_id": [span.entity for span in spans],
        "text_id": [ids[span.text] for span in spans],
    }
    return {
        "texts": pl.DataFrame(texts, tables()["texts"].polars_schema),
        "document_spans": pl.DataFrame(columns, tables()["document_spans"].polars_schema),
    }
