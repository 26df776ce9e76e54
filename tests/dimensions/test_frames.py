"""Rows to frames: all of them, in order, typed as described, and nothing dropped in silence."""

import polars as pl
import pytest

from pipelines.dimensions import frames
from pipelines.dimensions.frames import frame
from warehouse.schema import tables


def test_no_rows_are_an_empty_frame_of_the_described_columns() -> None:
    assert frame("unit_costs", ()).schema == tables()["unit_costs"].polars_schema


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 100])
def test_rows_come_in_order_however_many_are_taken_at_once(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(frames, "_ROWS_AT_ONCE", at_once)
    found = frame("unit_costs", ({"position": number, "points": 5 * number} for number in range(7)))
    assert found["position"].to_list() == list(range(7))
    assert found["points"].to_list() == [0, 5, 10, 15, 20, 25, 30]
    assert found["unit_id"].null_count() == 7
    assert found.schema == tables()["unit_costs"].polars_schema


def test_lists_and_missing_ones_stay_apart() -> None:
    found = frame("unit_composition", [{"default_weapons": ["Gun"]}, {"default_weapons": None}, {}])
    assert found["default_weapons"].to_list() == [["Gun"], None, None]
    assert found.schema["default_weapons"] == pl.List(pl.String)


def test_a_key_that_is_no_column_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_ROWS_AT_ONCE", 2)
    with pytest.raises(KeyError, match="unit_costs has no column 'pionts'"):
        frame("unit_costs", [{"points": 5}, {"points": 5}, {"points": 5, "pionts": 5}])


def test_a_value_of_another_type_is_refused() -> None:
    with pytest.raises((TypeError, pl.exceptions.PolarsError)):
        frame("unit_costs", [{"points": "five"}])
