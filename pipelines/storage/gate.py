"""The quality gate: Great Expectations over a built warehouse, before anyone sees it.

Belongs here: suites generated from the description of the tables, the hand-written ones, and running them. Doesn't:
what is expected (``warehouse/schema.toml``, ``warehouse/expectations.toml``), deciding what follows from a failure.

Keyed tables are given to Great Expectations as they are; of the big ones it gets the counts of rows that break each
expectation, aggregated by DuckDB, since pandas would hold them twice.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

import warehouse
from pipelines.storage.build import connect
from warehouse.schema import Table, tables

os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")


@dataclass(frozen=True, slots=True)
class GateResult:
    """What came of one expectation. ``column_name`` is ``*`` where the whole table is meant."""

    suite: str
    expectation: str
    table_name: str
    column_name: str
    success: bool
    observed: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Expected:
    """One expectation of a suite: its Great Expectations type with arguments, and what to call it in the results."""

    type: str
    arguments: Mapping[str, Any]
    table: str
    column: str
    reason: str
    name: str | None = None


def audit(path: Path) -> list[GateResult]:
    """Check a built warehouse against both suites; never raises for what the data is, only for an unreadable file."""
    # Imported here: it takes seconds, and most commands do without.
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    logging.getLogger("great_expectations").setLevel(logging.ERROR)
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_pandas("warehouse")
    results: list[GateResult] = []
    with connect(path) as connection:
        for suite, name, batch, expected in _batches(connection):
            asset = source.add_dataframe_asset(f"{suite}.{name}").add_batch_definition_whole_dataframe("all")
            expectations = [_instance(gx, number, each) for number, each in enumerate(expected)]
            validator = asset.get_batch({"dataframe": batch})
            outcome = validator.validate(gx.ExpectationSuite(name=f"{suite}.{name}", expectations=expectations))
            by_number = {_meta(found)["number"]: found for found in outcome.results}
            results += [_result(suite, each, by_number[number]) for number, each in enumerate(expected)]
    return results


def _instance(gx: Any, number: int, expected: _Expected) -> Any:
    camel = "".join(part.capitalize() for part in expected.type.split("_"))
    return getattr(gx.expectations, camel)(**expected.arguments, meta={"number": number})


def _meta(found: Any) -> Mapping[str, Any]:
    return dict(found.expectation_config.meta)


def _result(suite: str, expected: _Expected, found: Any) -> GateResult:
    return GateResult(
        suite=suite,
        expectation=expected.name or expected.type,
        table_name=expected.table,
        column_name=expected.column,
        success=bool(found.success),
        observed=_observed(found),
        reason=expected.reason,
    )


def _observed(found: Any) -> str | None:
    """What was seen; an expectation that raised has an empty result and its reason in exception_info."""
    if found.exception_info and (raised := _exception_message(found.exception_info)):
        return f"the expectation could not be computed: {raised}"
    result = found.result or {}
    for key in ("observed_value", "partial_unexpected_list"):
        if (seen := str(result.get(key))) not in ("None", "[]"):
            return seen[:200]
    return None


def _exception_message(info: Mapping[str, Any]) -> str | None:
    if "raised_exception" in info:
        return str(info["exception_message"]) if info["raised_exception"] else None
    return next((str(each["exception_message"]) for each in info.values() if each.get("raised_exception")), None)


_Batch = tuple[str, str, Any, Sequence[_Expected]]


def _batches(connection: duckdb.DuckDBPyConnection) -> Iterator[_Batch]:
    for table in tables().values():
        if table.view is None and table.keyed:
            yield "schema", table.name, connection.sql(f"FROM {table.name}").df(), list(_of_table(table))
    yield _counted(connection, "schema", [*_of_big_tables(), *_of_references()])
    yield _counted(connection, "rules", list(_hand_written()))


def _of_table(table: Table) -> Iterator[_Expected]:
    key = list(table.key)
    if len(key) == 1:
        yield _Expected("expect_column_values_to_be_unique", {"column": key[0]}, table.name, key[0], "key")
    else:
        yield _Expected("expect_compound_columns_to_be_unique", {"column_list": key}, table.name, "*", "key")
    for column in table.columns:
        named: dict[str, Any] = {"column": column.name}
        if not column.null:
            yield _Expected("expect_column_values_to_not_be_null", named, table.name, column.name, "always known")
        if column.values:
            wanted = {**named, "value_set": list(column.values)}
            yield _Expected("expect_column_values_to_be_in_set", wanted, table.name, column.name, "closed list")
        if column.min is not None or column.max is not None:
            wanted = {**named, "min_value": column.min, "max_value": column.max}
            yield _Expected("expect_column_values_to_be_between", wanted, table.name, column.name, "legal range")


@dataclass(frozen=True, slots=True)
class _Count:
    """A query that counts rows breaking an expectation."""

    name: str
    table: str
    column: str
    query: str
    reason: str
    allowed: int = 0


def _of_big_tables() -> Iterator[_Count]:
    for table in tables().values():
        if table.view is not None or table.keyed:
            continue
        key = ", ".join(table.key)
        unique = f"SELECT count(*) - (SELECT count(*) FROM (SELECT DISTINCT {key} FROM {table.name})) FROM {table.name}"
        yield _Count("key_is_unique", table.name, "*", unique, "key")
        for column in table.columns:
            broken = [f"NOT ({column.check})"] if column.check else []
            broken += [] if column.null else [f"{column.name} IS NULL"]
            if broken:
                query = f"SELECT count(*) FROM {table.name} WHERE {' OR '.join(broken)}"
                yield _Count("values_as_described", table.name, column.name, query, column.meaning)


def _of_references() -> Iterator[_Count]:
    for table in tables().values():
        for column in table.columns:
            if column.references is None or table.enforces(column):
                continue
            parent, name = column.references.split(".")
            query = (
                f"SELECT count(*) FROM {table.name} WHERE {column.name} IS NOT NULL"
                f" AND {column.name} NOT IN (SELECT {name} FROM {parent})"
            )
            yield _Count("reference_exists", table.name, column.name, query, f"refers to {column.references}")


def _hand_written() -> Iterator[_Count]:
    text = (Path(warehouse.__file__).parent / "expectations.toml").read_text(encoding="utf-8")
    for name, entry in tomllib.loads(text).items():
        yield _Count(name, entry["table"], "*", entry["violations"], entry["reason"], entry.get("allowed", 0))


def _counted(connection: duckdb.DuckDBPyConnection, suite: str, counts: Sequence[_Count]) -> _Batch:
    """One row with a column of violations per query, expected to stay within what is allowed."""
    import pandas as pd

    labels = [f"{count.name}: {count.table}.{count.column}" for count in counts]
    row = {label: connection.execute(count.query).fetchall()[0][0] for label, count in zip(labels, counts, strict=True)}
    expected = [
        _Expected(
            "expect_column_max_to_be_between",
            {"column": label, "min_value": 0, "max_value": count.allowed},
            count.table,
            count.column,
            count.reason,
            count.name,
        )
        for label, count in zip(labels, counts, strict=True)
    ]
    return suite, f"{suite}_violations", pd.DataFrame([row]), expected
