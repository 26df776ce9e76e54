"""Reads ``schema.toml``: the one description from which DDL, expectations and the dictionary are generated.

Belongs here: the description's types and what is derived from it. Doesn't: connections, rows, files other than the
description itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

_POLARS_TYPES: Mapping[str, Any] = {
    "VARCHAR": pl.String,
    "VARCHAR[]": pl.List(pl.String),
    "INTEGER": pl.Int32,
    "BIGINT": pl.Int64,
    "DOUBLE": pl.Float64,
    "FLOAT[]": pl.List(pl.Float32),
    "DOUBLE[]": pl.List(pl.Float64),
    "BOOLEAN": pl.Boolean,
    "TIMESTAMP": pl.Datetime("us"),
}


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True, slots=True)
class Column:
    """A column as described; ``unit`` is None for names, ids and flags."""

    name: str
    type: str
    meaning: str
    null: bool = False
    unit: str | None = None
    values: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None
    references: str | None = None

    @property
    def check(self) -> str | None:
        """The SQL condition that each value has to meet, or None."""
        parts = []
        if self.values:
            parts.append(f"{self.name} IN ({', '.join(map(_quote, self.values))})")
        if self.min is not None:
            parts.append(f"{self.name} >= {self.min}")
        if self.max is not None:
            parts.append(f"{self.name} <= {self.max}")
        return " AND ".join(parts) or None


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view as described. ``keyed``: DuckDB enforces keys and checks; else only the gate does."""

    name: str
    layer: str
    description: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    keyed: bool = True
    view: str | None = None

    @property
    def polars_schema(self) -> dict[str, Any]:
        """Column names to polars types, in order."""
        return {column.name: _POLARS_TYPES[column.type] for column in self.columns}

    def column(self, name: str) -> Column:
        """The column of that name. Raises KeyError where there is none."""
        return {column.name: column for column in self.columns}[name]

    def ddl(self) -> list[str]:
        """The statements that create the table with its keys, checks and comments."""
        return [self._create(), *self._comments()]

    def _create(self) -> str:
        if self.view is not None:
            names = ", ".join(column.name for column in self.columns)
            return f"CREATE VIEW {self.name} ({names}) AS {self.view.strip()}"
        lines = [self._column(column) for column in self.columns]
        if self.keyed:
            lines.append(f"PRIMARY KEY ({', '.join(self.key)})")
        return f"CREATE TABLE {self.name} (\n  " + ",\n  ".join(lines) + "\n)"

    def _column(self, column: Column) -> str:
        line = f"{column.name} {column.type}"
        if not column.null:
            line += " NOT NULL"
        if column.check and self.keyed:
            line += f" CHECK ({column.check})"
        if self.enforces(column):
            table, name = str(column.references).split(".")
            line += f" REFERENCES {table}({name})"
        return line

    def enforces(self, column: Column) -> bool:
        """Whether DuckDB enforces the column's reference; it can't within a table that is loaded at once."""
        return self.keyed and column.references is not None and not column.references.startswith(f"{self.name}.")

    def _comments(self) -> list[str]:
        kind = "VIEW" if self.view is not None else "TABLE"
        statements = [f"COMMENT ON {kind} {self.name} IS {_quote(self.description)}"]
        for column in self.columns:
            text = column.meaning + (f" [{column.unit}]" if column.unit else "")
            statements.append(f"COMMENT ON COLUMN {self.name}.{column.name} IS {_quote(text)}")
        return statements


@cache
def tables() -> Mapping[str, Table]:
    """All tables by name, parents before children."""
    described = tomllib.loads((Path(__file__).parent / "schema.toml").read_text(encoding="utf-8"))
    return {name: _table(name, entry) for name, entry in described["tables"].items()}


def _table(name: str, entry: Mapping[str, Any]) -> Table:
    columns = tuple(Column(**(column | {"values": tuple(column.get("values", ()))})) for column in entry["columns"])
    return Table(
        name=name,
        layer=entry["layer"],
        description=entry["description"],
        key=tuple(entry["key"]),
        columns=columns,
        keyed=entry.get("keyed", True),
        view=entry.get("view"),
    )
