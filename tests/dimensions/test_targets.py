from pipelines.dimensions.targets import archetype_rows, matchup_target_rows, unit_target_rows
from pipelines.dimensions.units import conform
from pipelines.records import Composition, Cost
from pipelines.sources.community import read_community_dataset
from tests.builders import datasheet, document, model
from warehouse.declared import archetypes


def test_every_archetype_has_the_stat_line_and_price_of_the_unit_it_stands_for() -> None:
    units = {
        f"{unit.faction_id}/{unit.datasheet.source_key}": unit for unit in conform([read_community_dataset()]).units
    }
    rows = {row["target_id"]: row for row in unit_target_rows(units.values())}
    for slug, entry in archetypes().items():
        target = rows[units[entry["checked_against"]].unit_id]
        shared = ("toughness", "save", "wounds", "models", "points")
        assert {name: target[name] for name in shared} == {name: entry[name] for name in shared}, slug
        optional = ("invulnerable_save", "invulnerable_save_scope", "feel_no_pain", "feel_no_pain_scope")
        assert {name: target[name] for name in optional} == {name: entry.get(name) for name in optional}, slug
        assert set(entry["keywords"]) <= set(target["keywords"]), slug


def test_the_community_packages_own_target_profiles_are_all_among_the_archetypes() -> None:
    from wh40kdc import Dataset

    own = {f"{profile['faction_id']}/{profile['unit_id']}" for profile in Dataset.embedded().target_profiles.all}
    assert len(own) == 11
    assert own <= {entry["checked_against"] for entry in archetypes().values()}


def test_a_target_stands_at_its_smallest_size_with_that_price() -> None:
    [row] = unit_target_rows(conform([document(datasheet())]).units)
    assert (row["models"], row["points"], row["is_simplified"]) == (5, 80, False)


def test_of_mixed_models_the_most_numerous_stands_for_all_and_says_so() -> None:
    mixed = datasheet(
        models=(model("Nob", wounds=3), model("Boy", wounds=1)),
        composition=(Composition("Nob", 1, 1, ()), Composition("Boyz", 9, 19, ())),
        costs=(Cost(10, 75),),
    )
    [row] = unit_target_rows(conform([document(mixed)]).units)
    assert (row["wounds"], row["models"], row["is_simplified"]) == (1, 10, True)


def test_an_unknown_stat_line_is_no_target() -> None:
    assert unit_target_rows(conform([document(datasheet(models=()))]).units) == []
    assert unit_target_rows(conform([document(datasheet(models=(model(save=None),)))]).units) == []


def test_a_save_of_seven_is_kept_as_printed() -> None:
    [row] = unit_target_rows(conform([document(datasheet(models=(model(save=7),)))]).units)
    assert row["save"] == 7


def test_each_canonical_target_is_met_once_in_the_weapons_own_edition_or_as_a_stand_in() -> None:
    old, new = datasheet(), datasheet(edition="11e")
    only_new = datasheet(name="Eradicator Squad", edition="11e")
    documents = [document(old, path="a"), document(new, path="b"), document(only_new, path="c")]
    rows = [*archetype_rows({"x": {"name": "X"}}), *unit_target_rows(conform(documents).units)]
    met = matchup_target_rows(rows)
    by_edition = {
        edition: [row["target_id"] for row in met if row["ruleset_edition"] == edition] for edition in ("10e", "11e")
    }
    ids = {(row["name"], row["edition"]): row["target_id"] for row in rows if row["kind"] == "unit"}
    assert set(by_edition["10e"]) == {"x", ids["Intercessor Squad", "10e"], ids["Eradicator Squad", "11e"]}
    assert set(by_edition["11e"]) == {"x", ids["Intercessor Squad", "11e"], ids["Eradicator Squad", "11e"]}
