"""Read-only queries on a published warehouse. Belongs here: running one and writing its result in a format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TextIO

import duckdb
import polars as pl

from pipelines.storage.build import connect


def write_result(warehouse: Path, query: str, style: str, out: TextIO) -> None:
    """Write a query's result as ``table``, ``csv`` (lists as JSON), ``json`` or ``parquet`` (bytes to ``out.buffer``).

    The connection can neither write nor reach files other than the warehouse. Raises duckdb.Error for a bad query,
    ValueError for none or several.
    """
    with connect(warehouse) as connection:
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        statements = connection.extract_statements(query)
        if len(statements) != 1:
            raise ValueError(f"expected one statement, not {len(statements)}")
        relation = connection.sql(query)
        if relation is None:
            return
        if style == "table":
            _write_table(relation, out)
            return
        frame = relation.pl()
        if style == "csv":
            frame.select(map(_flat, frame.iter_columns())).write_csv(out.buffer)
        elif style == "json":
            out.write(frame.write_json() + "\n")
        else:
            frame.write_parquet(out.buffer)


def _flat(column: pl.Series) -> pl.Series:
    """A column that a CSV can hold: lists and structs as JSON text."""
    if not column.dtype.is_nested():
        return column
    texts = [
        None if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in column.to_list()
    ]
    return pl.Series(column.name, texts, pl.String)


MAX_CELL = 48


def _write_table(relation: duckdb.DuckDBPyRelation, out: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_edge=False, pad_edge=False)
    rows = relation.fetchall()
    for position, name in enumerate(relation.columns):
        number = all(isinstance(row[position], int | float | None) for row in rows)
        table.add_column(Text(name), justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(_shown(value)) for value in row))
    # A wide table is wider than the terminal rather than broken over lines; long cells are cut, other formats aren't.
    Console(file=out, width=max(80, MAX_CELL * len(relation.columns))).print(table)


def _shown(value: object) -> str:
    if value is None:
        return "–"
    text = f"{value:.4g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
