"""The view uplift_leaders: where a rule adds most among the units that people can field."""

from __future__ import annotations

import duckdb
import pytest

from warehouse.schema import tables

Row = tuple[str, str | None, float | None]


def leaders(*rows: Row) -> list[tuple[object, ...]]:
    """units, mean, most, best unit and are_current of one rule; ``rows``: unit, availability, points gained."""
    view = tables()["uplift_leaders"].view
    assert view is not None
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE units (unit_id VARCHAR, availability VARCHAR)")
        connection.execute(
            "CREATE TABLE uplifts (source_id VARCHAR, side VARCHAR, way INTEGER, phase VARCHAR, opponent_id VARCHAR,"
            " unit_id VARCHAR, points_gained DOUBLE, points_gained_per_cp DOUBLE, points_gained_per_100_points DOUBLE,"
            " points_destroyed_gained DOUBLE)"
        )
        for unit, availability, gained in rows:
            connection.execute("INSERT INTO units VALUES (?, ?)", [unit, availability])
            values = ["tune", "attacker", 1, "fight", "foot", unit, gained, gained, None, gained]
            connection.execute("INSERT INTO uplifts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        chosen = "units, mean_points_gained, most_points_gained, best_unit_id, are_current"
        return connection.execute(f"SELECT {chosen} FROM ({view})").fetchall()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("a", None, 2.0), ("b", None, 4.0)], (2, 3.0, 4.0, "b", True)),
        ([("a", None, 2.0), ("old", "legends", 90.0), ("part", "virtual", 80.0)], (1, 2.0, 2.0, "a", True)),
        ([("old", "legends", 9.0), ("part", "virtual", 5.0)], (2, 7.0, 9.0, "old", False)),
        ([("a", None, None), ("b", None, 1.0)], (2, 1.0, 1.0, "b", True)),
        ([("b", None, 1.0), ("a", None, 1.0)], (2, 1.0, 1.0, "a", True)),
    ],
)
def test_the_best_is_a_unit_that_can_be_fielded(rows: list[Row], expected: tuple[object, ...]) -> None:
    assert leaders(*rows) == [expected]
