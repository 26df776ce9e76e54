"""The compact forms lose nothing but digits."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import duckdb
import polars as pl
import pytest

from analyses import page_columns


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (1.0, 1),
        (0.123456789, 0.12346),
        (True, True),
        ("1", "1"),
        ([1.0, "a"], [1, "a"]),
        (1.6e-11, 1.6e-11),
    ],
)
def test_plain_values(value: Any, expected: Any) -> None:
    assert page_columns.plain(value) == expected


def test_codes_name_each_text_once() -> None:
    assert page_columns.coded(["b", None, "a", "b"]) == {"texts": ["b", "a"], "codes": [0, -1, 1, 0]}


def test_differences_add_up() -> None:
    assert page_columns.differences(pl.Series([4, 9, 2], dtype=pl.UInt32)) == [4, 5, -7]


def test_numbers_keep_five_digits_and_what_is_unknown() -> None:
    assert page_columns.numbers(pl.Series([1 / 3, 2.0, None])) == [0.33333, 2, None]


def test_a_table_has_rows_of_known_units_only() -> None:
    query = "SELECT * FROM (VALUES ('b', 1.5, ['x']), ('c', 2, NULL), ('a', NULL, [])) AS v(unit_id, points, gains)"
    with duckdb.connect() as connection:
        answer = page_columns.table(connection, query, {"a": 0, "b": 1})
    assert answer == {"columns": ["points", "gains"], "rows": [[1, 1.5, ["x"]], [0, None, []]]}


def test_texts_are_cut_with_an_ellipsis() -> None:
    assert page_columns.shortened(None) is None
    assert page_columns.shortened("short") == "short"
    assert page_columns.shortened("x" * 5000) == "x" * (page_columns.LONGEST_TEXT - 1) + "…"


def test_packed_json_is_plain_base64_of_what_went_in() -> None:
    text = page_columns.packed_json({"name": "</script>é"})
    assert gzip.decompress(base64.b64decode(text)).decode() == '{"name":"</script>é"}'
    with pytest.raises(ValueError, match="JSON compliant"):
        page_columns.packed_json(float("nan"))


def test_a_chance_that_is_not_certain_stays_so() -> None:
    values = pl.Series([None, 0.0, 4e-9, 0.5, 0.9999999, 1.0])
    assert page_columns.chances(values) == [None, 0, 4e-9, 0.5, 0.99999, 1]
