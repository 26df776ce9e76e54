"""Rows to frames of the described tables. Belongs here: nothing but that step, shared by the other modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from warehouse.schema import tables

Row = Mapping[str, Any]


def frame(table: str, rows: Iterable[Row]) -> pl.DataFrame:
    """A frame with the described table's columns and types; columns that a row lacks are NULL.

    Raises KeyError for a key that is no column: data that would be dropped in silence.
    """
    schema = tables()[table].polars_schema
    rows = list(rows)
    for row in rows:
        if strange := row.keys() - schema.keys():
            raise KeyError(f"{table} has no column {sorted(strange)[0]!r}")
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema, orient="row")
