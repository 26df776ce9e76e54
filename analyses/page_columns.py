"""The compact forms in which answers of the warehouse travel to the dashboard page.

Belongs here: turning rows and columns into what JSON holds in few characters. Doesn't: any query.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping
from typing import Any

import duckdb
import polars as pl

DIGITS = 5
LONGEST_TEXT = 700  # characters of rules texts; names are never cut


def records(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """One dictionary of plain values a row, for small answers."""
    answer = connection.execute(query, dict(parameters or {}))
    names = [column[0] for column in answer.description or ()]
    return [{name: plain(value) for name, value in zip(names, row, strict=True)} for row in answer.fetchall()]


def table(connection: duckdb.DuckDBPyConnection, query: str, places: dict[str, int]) -> dict[str, list[Any]]:
    """Rows about units: the names of the columns after the first, and rows whose first value is the unit's place.

    The query's first column is a unit's id; rows of units without a place are left out.
    """
    answer = connection.execute(query)
    names = [column[0] for column in answer.description or ()]
    rows = [[places[row[0]], *(plain(value) for value in row[1:])] for row in answer.fetchall() if row[0] in places]
    return {"columns": names[1:], "rows": rows}


def plain(value: Any) -> Any:
    """A value as JSON has it: decimals of sums become numbers, whole floats integers."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list):
        return [plain(one) for one in value]
    number = float(value)
    return int(number) if number.is_integer() else float(f"{number:.{DIGITS}g}")


def columns(frame: pl.DataFrame) -> dict[str, list[Any]]:
    """Each column as a list of plain values."""
    return {name: [plain(value) for value in frame[name].to_list()] for name in frame.columns}


def numbers(values: pl.Series) -> list[float | int | None]:
    """Quantised, and whole numbers without their '.0', which halves the text."""
    rounded = values.cast(pl.Float64).round_sig_figs(DIGITS).to_list()
    return [None if value is None else int(value) if value == int(value) else value for value in rounded]


def scaled(values: pl.Series, scale: int) -> list[int | None]:
    """Rounded to a part of one: whole numbers of 1 / scale."""
    return (values.cast(pl.Float64) * scale).round().cast(pl.Int64).to_list()


def chances(values: pl.Series) -> list[float | int | None]:
    """Probabilities as ``numbers``, but what isn't certain never becomes 1."""
    most = round(1 - 10**-DIGITS, DIGITS)
    return [
        most if rounded == 1 and exact < 1 else rounded
        for exact, rounded in zip(values.to_list(), numbers(values), strict=True)
    ]


def coded(values: Iterable[str | None]) -> dict[str, list[Any]]:
    """A text column as the list of its distinct values and one index a row; NULL is -1."""
    texts: dict[str, int] = {}
    codes = [-1 if value is None else texts.setdefault(value, len(texts)) for value in values]
    return {"texts": list(texts), "codes": codes}


def differences(values: pl.Series) -> list[int]:
    """The first whole number, then each one's distance from the one before."""
    whole = values.cast(pl.Int64)
    return whole.diff().fill_null(whole).to_list()


def shortened(text: str | None) -> str | None:
    """A rules text of at most LONGEST_TEXT characters, with an ellipsis where it was cut."""
    return text if text is None or len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def packed(content: bytes) -> str:
    """Gzip in base64: nothing in it can be read as markup; equal contents give equal texts."""
    return base64.b64encode(gzip.compress(content, compresslevel=9, mtime=0)).decode()


def packed_json(data: Any) -> str:
    """Packed JSON; raises ValueError where a number is none."""
    return packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode())
