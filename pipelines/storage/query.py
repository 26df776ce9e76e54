"""Read-only queries on a published warehouse. Belongs here: running one and writing its result in a format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import duckdb

from pipelines.storage.build import connect


def write_result(warehouse: Path, query: str, style: str, out: TextIO) -> None:
    """Write a query's result as ``table``, ``csv``, ``json`` or ``parquet`` (bytes, to standard output).

    The connection can neither write nor reach files other than the warehouse. Raises duckdb.Error for a bad query.
    """
    with connect(warehouse) as connection:
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        relation = connection.sql(query)
        if relation is None:
            return
        if style == "table":
            _write_table(relation, out)
            return
        frame = relation.pl()
        if style == "csv":
            out.write(frame.write_csv())
        elif style == "json":
            out.write(frame.write_json() + "\n")
        else:
            frame.write_parquet(sys.stdout.buffer)


def _write_table(relation: duckdb.DuckDBPyRelation, out: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_edge=False, pad_edge=False)
    for name in relation.columns:
        table.add_column(Text(name), overflow="fold")
    for row in relation.fetchall():
        table.add_row(*(Text(_shown(value)) for value in row))
    Console(file=out, width=None if out.isatty() else 200).print(table)


def _shown(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
