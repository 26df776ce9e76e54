from pipelines.dimensions.conflicts import conflict_rows
from pipelines.dimensions.units import conform
from pipelines.records import Cost, Datasheet, WeaponAbility
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


def rows_of(page: Datasheet, export: Datasheet) -> dict[tuple[str, str], tuple[str, str | None]]:
    documents = [
        document(page, dated="2031-02-03"),
        document(export, path="export", kind="csv_export", dated="2030-01-01"),
    ]
    return {
        (row["field"], row["source_kind"]): (row["value"], row["dated"])
        for row in conflict_rows(conform(documents).units)
    }


def test_a_save_that_only_one_source_has_and_its_scope_are_conflicts() -> None:
    page = datasheet(models=(model(invulnerable_save=5, invulnerable_save_scope="ranged"),))
    assert rows_of(page, datasheet()) == {
        ("intercessor: invulnerable_save", "text_dump"): ("5 (ranged)", "2031-02-03"),
        ("intercessor: invulnerable_save", "csv_export"): ("none", "2030-01-01"),
    }


def test_weapons_disagree_about_skill_and_abilities_whatever_their_order() -> None:
    heavy, rapid = WeaponAbility("heavy"), WeaponAbility("rapid_fire", "1")
    page = datasheet(weapons=(weapon(abilities=(heavy, rapid), skill=None), weapon("Knife", abilities=(rapid, heavy))))
    export = datasheet(weapons=(weapon(abilities=(heavy,)), weapon("Knife", abilities=(heavy, rapid))))
    assert rows_of(page, export) == {
        ("bolt rifle (ranged): abilities", "text_dump"): ("heavy, rapid_fire 1", "2031-02-03"),
        ("bolt rifle (ranged): abilities", "csv_export"): ("heavy", "2030-01-01"),
        ("bolt rifle (ranged): skill", "text_dump"): ("none", "2031-02-03"),
        ("bolt rifle (ranged): skill", "csv_export"): ("3", "2030-01-01"),
    }


def test_a_price_that_differs_has_its_own_date() -> None:
    page = datasheet(costs=(Cost(5, 75, priced_at="2031-06-01"),))
    found = rows_of(page, datasheet(costs=(Cost(5, 80),)))
    assert {dated for _, dated in found.values()} == {"2031-06-01", "2030-01-01"}
