"""Rows to frames of the described tables. Belongs here: nothing but that step, shared by the other modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import polars as pl

from warehouse.schema import tables

Row = Mapping[str, Any]

_ROWS_AT_ONCE = 20_000  # rows as Python objects take several times the room of a frame's


def frame(table: str, rows: Iterable[Row]) -> pl.DataFrame:
    """A frame with the described table's columns and types; columns that a row lacks are NULL.

    Raises KeyError for a key that is no column: data that would be dropped in silence.
    """
    schema = tables()[table].polars_schema
    coming = iter(rows)
    parts = [pl.DataFrame(schema=schema)]
    while some := list(islice(coming, _ROWS_AT_ONCE)):
        if strange := set().union(*some) - schema.keys():
            raise KeyError(f"{table} has no column {min(strange)!r}")
        parts.append(pl.DataFrame({name: [row.get(name) for row in some] for name in schema}, schema=schema))
    return pl.concat(parts, rechunk=True)
