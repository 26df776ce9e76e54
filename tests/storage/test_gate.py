"""The gate refuses what it should: each test breaks one thing in a copy of a good warehouse."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from pipelines.storage import gate
from pipelines.storage.build import connect
from tests.conftest import Published


def broken(published: Published, folder: Path, statement: str) -> Path:
    copy = folder / "copy.duckdb"
    shutil.copyfile(published.warehouse, copy)
    with connect(copy, read_only=False) as connection:
        connection.execute(statement)
    return copy


def failed(warehouse: Path) -> set[str]:
    return {each.expectation for each in gate.audit(warehouse) if not each.success}


def test_a_good_warehouse_passes_and_its_results_are_stored(published: Published) -> None:
    with connect(published.warehouse) as connection:
        suites = dict(
            connection.sql("SELECT suite, count(*) FROM gate_results WHERE success GROUP BY suite").fetchall()
        )
        failed = connection.sql("SELECT count(*) FROM gate_results WHERE NOT success").fetchall()
    assert failed == [(0,)]
    assert suites["schema"] > 200
    assert suites["rules"] >= 12


@pytest.mark.parametrize(
    ("statement", "expectation"),
    [
        (
            "UPDATE outcomes SET expected_damage = expected_raw_damage + 1 WHERE outcome_id = 7",
            "damage_within_raw_damage",
        ),
        ("UPDATE unit_matchups SET p_destroy_unit = 1.5 WHERE p_destroy_unit > 0.9", "values_as_described"),
        ("UPDATE unit_matchups SET expected_models_destroyed = 1000", "damage_within_the_target"),
        ("UPDATE unit_cells SET expected_damage = 1000", "unit_damage_within_the_target"),
        ("DELETE FROM unit_cells WHERE unit_target_class_id = 2", "every_unit_meets_every_unit"),
        ("UPDATE unit_matchups SET points = NULL", "no_price_no_points_metric"),
        (
            "DELETE FROM outcome_cells WHERE attack_class_id = 3 AND target_class_id = 4",
            "every_class_pair_has_an_outcome",
        ),
        ("INSERT INTO outcome_cells FROM outcome_cells LIMIT 1", "key_is_unique"),
        ("DELETE FROM attack_classes WHERE scenario_id = 'plain'", "every_profile_has_a_plain_row"),
        ("UPDATE document_spans SET start_column = 2 WHERE start_line = 5", "spans_tile_their_document"),
        ("UPDATE texts SET text = replace(text, 'a', 'b')", "texts_are_what_their_ids_say"),
        ("UPDATE documents SET newline = 'crlf' WHERE newline = 'lf'", "texts_add_up_to_their_document"),
        ("DELETE FROM document_spans WHERE start_line > 280", "texts_add_up_to_their_document"),
        ("DELETE FROM texts WHERE contains(text, 'KEYWORDS:')", "reference_exists"),
        (
            "INSERT INTO source_conflicts SELECT canonical_unit_id, edition, 'wounds', unit_id, name, source_kind, '1',"
            " NULL, is_preferred FROM units",
            "sources_mostly_agree",
        ),
        ("DELETE FROM modifiers", "every_text_is_read_or_said_not_to_be"),
        ("UPDATE modifiers SET note = NULL WHERE NOT is_modelled", "what_is_not_modelled_says_why"),
        ("DELETE FROM text_coverage WHERE source_kind = 'enhancement'", "every_text_has_its_coverage"),
        ("UPDATE text_coverage SET status = 'modelled', clause = NULL", "every_text_has_its_coverage"),
        (
            "UPDATE unit_matchups SET expected_damage = 99 WHERE scenario_id = 'cover'",
            "cover_never_helps_the_attacker",
        ),
    ],
)
def test_a_broken_warehouse_is_refused(
    published: Published, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str, expectation: str
) -> None:
    batches = gate._batches

    def narrowed(connection: duckdb.DuckDBPyConnection) -> Iterator[gate._Batch]:
        """Only what is asked about: an audit of everything takes seconds."""
        for suite, name, batch, expected in batches(connection):
            if asked := [each for each in expected if each.name == expectation]:
                yield suite, name, batch, asked

    monkeypatch.setattr(gate, "_batches", narrowed)
    assert expectation in failed(broken(published, tmp_path, statement))


def test_the_whole_audit_finds_what_is_broken_and_nothing_else(published: Published, tmp_path: Path) -> None:
    statement = "UPDATE outcomes SET expected_damage = expected_raw_damage + 1 WHERE outcome_id = 7"
    assert failed(broken(published, tmp_path, statement)) == {"damage_within_raw_damage", "laws_agree_with_means"}
