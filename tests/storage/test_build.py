from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.dimensions.frames import frame
from pipelines.storage.build import (
    UnreadableWarehouseError,
    append_history,
    carry_over,
    connect,
    create,
)
from tests.builders import datasheet, document
from warehouse.schema import tables


@pytest.fixture
def frames() -> dict[str, pl.DataFrame]:
    return dict(assemble([document(datasheet())]).frames)


def test_every_table_has_its_columns_comments_and_key(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    with connect(tmp_path / "w.duckdb") as connection:
        columns = connection.execute(
            "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        keys = dict(
            connection.execute(
                "SELECT table_name, constraint_column_names FROM duckdb_constraints()"
                " WHERE constraint_type = 'PRIMARY KEY'"
            ).fetchall()
        )
    found = {(name, column): (type_, comment) for name, column, type_, comment in columns}
    for table in tables().values():
        for column in table.columns:
            type_, comment = found[table.name, column.name]
            assert comment.startswith(column.meaning)
            if table.view is None:
                assert type_ == column.type
        if table.view is None and table.keyed:
            assert tuple(keys[table.name]) == table.key


def test_rows_come_back_as_they_went_in(tmp_path: Path, frames: dict[str, pl.DataFrame]) -> None:
    counts = create(tmp_path / "w.duckdb", frames)
    assert counts["units"] == 1
    with connect(tmp_path / "w.duckdb") as connection:
        assert connection.sql("SELECT points FROM weapon_points").fetchall() == [(16.0,)]
        assert connection.sql("SELECT models, points FROM unit_costs ORDER BY models").fetchall() == [
            (5, 80),
            (10, 150),
        ]


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        ("unit_costs", {"points": -1}),
        ("weapon_profiles", {"skill": 7}),
        ("weapon_profiles", {"armour_penetration": 1}),
        ("units", {"edition": "9e"}),
        ("units", {"name": None}),
        ("units", {"faction_id": "nowhere"}),
    ],
)
def test_a_row_that_breaks_the_description_is_refused(
    tmp_path: Path, frames: dict[str, pl.DataFrame], table: str, changes: dict[str, object]
) -> None:
    frames[table] = frame(table, [row | changes for row in frames[table].to_dicts()])
    with pytest.raises(duckdb.ConstraintException):
        create(tmp_path / "w.duckdb", frames)


def test_a_key_twice_is_refused(tmp_path: Path, frames: dict[str, pl.DataFrame]) -> None:
    frames["units"] = pl.concat([frames["units"]] * 2)
    with pytest.raises(duckdb.ConstraintException):
        create(tmp_path / "w.duckdb", frames)


def test_runs_and_histories_are_carried_from_warehouse_to_warehouse(
    tmp_path: Path, frames: dict[str, pl.DataFrame]
) -> None:
    for number in (1, 2, 3):
        create(tmp_path / f"{number}.duckdb", frames)
        if number > 1:
            carry_over(tmp_path / f"{number}.duckdb", tmp_path / f"{number - 1}.duckdb")
        append_history(tmp_path / f"{number}.duckdb", f"run {number}")
    with connect(tmp_path / "3.duckdb") as connection:
        runs = connection.sql("SELECT run_id, count(*) FROM history_costs GROUP BY ALL ORDER BY ALL").fetchall()
        profiles = connection.sql("SELECT DISTINCT run_id FROM history_profiles ORDER BY ALL").fetchall()
    assert runs == [("run 1", 2), ("run 2", 2), ("run 3", 2)]
    assert [run for (run,) in profiles] == ["run 1", "run 2", "run 3"]


def test_the_efficiency_of_a_run_is_that_of_preferred_units_at_their_smallest_size(
    tmp_path: Path, frames: dict[str, pl.DataFrame]
) -> None:
    [unit_id] = frames["units"]["unit_id"]
    won = {"unit_id": unit_id, "models": 5, "loadout": "default", "used": "x", "is_best": True, "phase": "shooting",
           "target_id": "heavy-infantry", "scenario_id": "plain", "ruleset": "10e", "expected_damage": 2.0,
           "expected_models_destroyed": 1.0, "p_destroy_unit": 0.0, "points": 80,
           "damage_per_100_points": 2.5}  # fmt: skip
    others = [{"models": 10}, {"is_best": False, "loadout": "other"}, {"scenario_id": "cover"}, {"target_id": unit_id}]
    frames["unit_matchups"] = frame("unit_matchups", [won, *({**won, **other} for other in others)])
    carried = [{"unit_id": unit_id, "phase": "shooting", "position": 0, "models": models} for models in (5, 10)]
    frames["unit_loadouts"] = frame("unit_loadouts", carried)
    create(tmp_path / "w.duckdb", frames)
    append_history(tmp_path / "w.duckdb", "run")
    with connect(tmp_path / "w.duckdb") as connection:
        rows = connection.sql("FROM history_efficiency").fetchall()
    assert rows == [("run", unit_id, 5, "shooting", "heavy-infantry", "10e", 80, 2.0, 2.5)]


def test_an_older_warehouse_without_a_column_still_gives_its_history(
    tmp_path: Path, frames: dict[str, pl.DataFrame]
) -> None:
    create(tmp_path / "old.duckdb", frames)
    append_history(tmp_path / "old.duckdb", "old")
    with connect(tmp_path / "old.duckdb", read_only=False) as connection:
        connection.execute("ALTER TABLE history_costs DROP COLUMN priced_at")
        connection.execute("ALTER TABLE history_costs ADD COLUMN gone INTEGER")
    create(tmp_path / "new.duckdb", frames)
    carry_over(tmp_path / "new.duckdb", tmp_path / "old.duckdb")
    with connect(tmp_path / "new.duckdb") as connection:
        assert connection.sql("SELECT count(*), count(priced_at) FROM history_costs").fetchall() == [(2, 0)]


def test_a_file_that_is_no_warehouse_is_said_to_be_unreadable(tmp_path: Path) -> None:
    (tmp_path / "w.duckdb").write_text("not a database " * 100)
    with pytest.raises(UnreadableWarehouseError, match=r"w\.duckdb"), connect(tmp_path / "w.duckdb"):
        pass
