"""Read-only queries on a published warehouse. Belongs here: running one and writing its result in a format."""

from __future__ import annotations

import json
import re
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
        frame = _plain(relation, keep_timestamps=style == "parquet").pl()
        if style == "csv":
            frame.select(map(_flat, frame.iter_columns())).write_csv(out.buffer)
        elif style == "json":
            out.write(frame.write_json() + "\n")
        else:
            frame.write_parquet(out.buffer)


_KEPT_TYPES = re.compile(
    r"BOOLEAN|U?(TINY|SMALL|BIG)?INT(EGER)?|FLOAT|DOUBLE|VARCHAR|DATE|(VARCHAR|INTEGER|DOUBLE)\[\]"
)
_NUMBERS = re.compile(r"U?HUGEINT|DECIMAL.*")
_NESTED = re.compile(r"(STRUCT|MAP).*|.*\]")


def _plain(relation: duckdb.DuckDBPyRelation, *, keep_timestamps: bool) -> duckdb.DuckDBPyRelation:
    """The same rows with types that every format has: wide numbers as doubles, anything exotic as its text."""
    columns = []
    for name, type_ in zip(relation.columns, map(str, relation.types), strict=True):
        quoted = '"' + name.replace('"', '""') + '"'
        if _KEPT_TYPES.fullmatch(type_) or (keep_timestamps and type_ == "TIMESTAMP"):
            columns.append(quoted)
        elif _NUMBERS.fullmatch(type_):
            columns.append(f"{quoted}::DOUBLE AS {quoted}")
        elif _NESTED.fullmatch(type_):
            columns.append(f"to_json({quoted})::VARCHAR AS {quoted}")
        else:
            columns.append(f"{quoted}::VARCHAR AS {quoted}")
    return relation.project(", ".join(columns))


def _flat(column: pl.Series) -> pl.Series:
    """A column that a CSV can hold: lists as JSON text."""
    if not column.dtype.is_nested():
        return column
    values = column.to_list()
    texts = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
    return pl.Series(column.name, texts, pl.String)


MAX_CELL = 48
MAX_ROWS = 10_000


def _write_table(relation: duckdb.DuckDBPyRelation, out: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_edge=False, pad_edge=False)
    rows = relation.limit(MAX_ROWS + 1).fetchall()
    for position, name in enumerate(relation.columns):
        number = all(isinstance(row[position], int | float | None) for row in rows)
        table.add_column(Text(name), justify="right" if number else "left", no_wrap=True)
    for row in rows[:MAX_ROWS]:
        table.add_row(*(Text(_shown(value)) for value in row))
    # A wide table is wider than the terminal rather than broken over lines; long cells are cut, other formats aren't.
    console = Console(file=out, width=max(80, MAX_CELL * len(relation.columns)))
    console.print(table)
    if len(rows) > MAX_ROWS:
        console.print(f"… the first {MAX_ROWS:,} rows; the other formats give all")


def _shown(value: object) -> str:
    if value is None:
        return "–"
    text = f"{value:.4g}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"
