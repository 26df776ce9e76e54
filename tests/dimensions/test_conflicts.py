from pipelines.dimensions.conflicts import conflict_rows
from pipelines.dimensions.units import conform
from pipelines.records import Cost
from tests.builders import datasheet, document, model, weapon


def test_every_sources_value_is_kept_and_the_winner_marked() -> None:
    page = datasheet(models=(), costs=(Cost(5, 75),))
    export = datasheet(costs=(Cost(5, 80),), weapons=(weapon(damage="2"),))
    rows = conflict_rows(conform([document(page), document(export, path="export", kind="csv_export")]).units)
    said = {(row["field"], row["source_kind"]): (row["value"], row["won"]) for row in rows}
    assert said == {
        ("points of 5 models, copy 1 on", "text_dump"): ("75", True),
        ("points of 5 models, copy 1 on", "csv_export"): ("80", False),
        ("bolt rifle (ranged): damage", "text_dump"): ("1", True),
        ("bolt rifle (ranged): damage", "csv_export"): ("2", False),
    }


def test_editions_may_differ_without_a_conflict() -> None:
    old, new = datasheet(), datasheet(edition="11e", models=(model(toughness=5),))
    assert conflict_rows(conform([document(old), document(new, path="b", kind="community_dataset")]).units) == []


def test_a_stat_line_joined_from_elsewhere_conflicts_with_nothing() -> None:
    page, export = datasheet(models=()), datasheet()
    rows = conflict_rows(conform([document(page), document(export, path="export", kind="csv_export")]).units)
    assert rows == []
