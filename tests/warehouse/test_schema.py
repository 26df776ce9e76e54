import pytest

from pipelines.dimensions.frames import frame
from warehouse import declared
from warehouse.schema import Column, tables


def test_every_reference_leads_to_a_key() -> None:
    for table in tables().values():
        for column in table.columns:
            if column.references:
                parent, name = column.references.split(".")
                assert tables()[parent].key == (name,), f"{table.name}.{column.name}"


def test_every_key_is_made_of_columns_and_every_description_says_what_a_row_is() -> None:
    for table in tables().values():
        assert {column.name for column in table.columns} >= set(table.key)
        assert table.description.startswith("One row per")


def test_metrics_state_numerator_and_denominator() -> None:
    for table in ("matchups", "unit_matchups"):
        for name in ("damage_per_100_points", "points_destroyed_per_100_points"):
            column = tables()[table].column(name)
            assert column.unit is not None
            assert " / " in column.meaning


def test_a_check_holds_values_and_bounds() -> None:
    assert Column("x", "INTEGER", "", min=2, max=6).check == "x >= 2 AND x <= 6"
    assert Column("x", "VARCHAR", "", values=("a", "b'c")).check == "x IN ('a', 'b''c')"
    assert Column("x", "VARCHAR", "").check is None


def test_data_that_no_column_takes_is_refused() -> None:
    with pytest.raises(KeyError, match="scenarios has no column 'half_rnage'"):
        frame("scenarios", [{"scenario_id": "x", "half_rnage": True}])


def test_every_declared_source_kind_has_a_rank() -> None:
    kinds = tables()["documents"].column("source_kind").values
    assert set(declared.source_precedence()) == set(kinds)


def test_corrections_state_a_reason_and_a_reference() -> None:
    for correction in declared.corrections():
        assert correction["reason"]
        assert correction["reference"]
