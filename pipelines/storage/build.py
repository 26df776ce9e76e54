"""Writes frames into a new warehouse file. Belongs here: DDL, loading, what is carried over from the last warehouse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
import polars as pl

from warehouse.schema import Table, tables

CARRIED_OVER = ("runs", "run_stages", "history_costs", "history_profiles", "history_rules", "history_efficiency")
MEMORY_LIMIT = "2GB"


class UnreadableWarehouseError(Exception):
    """The file is no warehouse that this version can read."""


@contextmanager
def connect(path: Path, *, read_only: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that is closed whatever happens. Raises UnreadableWarehouseError where the file can't be opened."""
    try:
        connection = duckdb.connect(str(path), read_only=read_only, config={"memory_limit": MEMORY_LIMIT})
    except duckdb.Error as error:
        raise UnreadableWarehouseError(f"{path}: {str(error).splitlines()[0]}") from error
    try:
        yield connection
    finally:
        connection.close()


def create(path: Path, frames: Mapping[str, pl.DataFrame]) -> dict[str, int]:
    """Create a warehouse at a path that doesn't exist yet and load the frames; returns the rows of each table.

    Tables that no frame is given for stay empty. Raises duckdb.ConstraintException where rows break a key or check.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with connect(path, read_only=False) as connection:
        for table in tables().values():
            for statement in table.ddl():
                connection.execute(statement)
        return {name: insert(connection, tables()[name], frame) for name, frame in frames.items()}


def insert(connection: duckdb.DuckDBPyConnection, table: Table, frame: pl.DataFrame) -> int:
    """Append a frame to its table by column name; returns its rows."""
    connection.register("incoming", frame)
    connection.execute(f"INSERT INTO {table.name} BY NAME SELECT * FROM incoming")
    connection.unregister("incoming")
    return frame.height


def carry_over(path: Path, previous: Path) -> dict[str, str]:
    """Copy the runs and histories of the previous warehouse into a new one; columns unknown to either are left out.

    Returns the reason for each table that could not be copied. Raises UnreadableWarehouseError where the previous file
    can't be read at all.
    """
    lost: dict[str, str] = {}
    with connect(path, read_only=False) as connection:
        try:
            connection.execute(f"ATTACH '{str(previous).replace(chr(39), chr(39) * 2)}' AS previous (READ_ONLY)")
        except duckdb.Error as error:
            raise UnreadableWarehouseError(f"{previous}: {str(error).splitlines()[0]}") from error
        for name in CARRIED_OVER:
            there = connection.execute(
                "SELECT column_name FROM duckdb_columns() WHERE database_name = 'previous' AND table_name = ?", [name]
            ).fetchall()
            shared = ", ".join(column.name for column in tables()[name].columns if (column.name,) in there)
            try:
                if there:
                    connection.execute(f"INSERT INTO {name} BY NAME SELECT {shared} FROM previous.{name}")
            except duckdb.Error as error:
                lost[name] = str(error).splitlines()[0]
        connection.execute("DETACH previous")
    return lost


def append_history(path: Path, run_id: str) -> None:
    """Append the facts of this run to the history tables."""
    with connect(path, read_only=False) as connection:
        connection.execute(
            """
            INSERT INTO history_costs BY NAME
            SELECT ? AS run_id, unit_id, units.name AS unit_name, position, models, models_max, points, kind,
                   condition, item, copies_from, copies_to, priced_at
            FROM unit_costs JOIN units USING (unit_id)
            """,
            [run_id],
        )
        connection.execute(
            """
            INSERT INTO history_profiles BY NAME
            SELECT ? AS run_id, weapon_profile_id, unit_id, weapon_name, profile_name, dice_range, attack_type,
                   range_inches, attacks, skill, strength, armour_penetration, damage,
                   coalesce(listed.abilities, '') AS abilities
            FROM weapon_profiles LEFT JOIN (
                SELECT weapon_profile_id, string_agg(concat_ws(' ', ability, array_to_string(against_keyword, '/'),
                       value, condition), ', ' ORDER BY position) AS abilities
                FROM weapon_abilities GROUP BY weapon_profile_id
            ) AS listed USING (weapon_profile_id)
            """,
            [run_id],
        )
        connection.execute(
            """
            INSERT INTO history_rules BY NAME
            SELECT ? AS run_id, rule_id, title, kind, body_sha256, body FROM rules
            """,
            [run_id],
        )
        connection.execute(
            """
            INSERT INTO history_efficiency BY NAME
            SELECT ? AS run_id, m.unit_id, m.models, m.phase, m.target_id, m.ruleset, m.points, m.expected_damage,
                   m.damage_per_100_points
            FROM unit_matchups AS m JOIN units AS u USING (unit_id) JOIN targets AS t USING (target_id)
            WHERE u.is_preferred AND t.kind = 'archetype' AND m.scenario_id = 'plain' AND m.is_best
              AND m.models = (SELECT min(models) FROM unit_loadouts AS l WHERE l.unit_id = m.unit_id)
            """,
            [run_id],
        )


def row_counts(path: Path) -> dict[str, int]:
    """Rows of each stored table of a warehouse, views left out."""
    stored = [table.name for table in tables().values() if table.view is None]
    with connect(path) as connection:
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in stored}
