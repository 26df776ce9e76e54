from pipelines.dimensions.targets import archetype_rows, matchup_target_rows, target_group_rows, unit_target_rows
from pipelines.dimensions.units import conform
from pipelines.records import Composition, Cost, Keyword, UnitAbility
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


def groups(**changes):
    units = conform([document(datasheet(**changes))]).units
    names = ("model_name", "models", "wounds", "save", "is_character")
    return [tuple(row[name] for name in names) for row in target_group_rows(units, unit_target_rows(units))]


LED = {
    "models": (model("Chief", wounds=4, save=2), model("Nob", wounds=3), model("Boy", wounds=1)),
    "composition": (Composition("Chief", 1, 1), Composition("Nob", 1, 1), Composition("Boyz", 7, 17)),
    "costs": (Cost(10, 75),),
    "keywords": (
        Keyword("INFANTRY"),
        Keyword("CHARACTER", model_name="Chief"),
        Keyword("ORKS", is_faction_keyword=True),
    ),
}


def test_models_that_differ_are_groups_the_most_numerous_first_and_characters_last() -> None:
    assert groups(**LED) == [("Boy", 8, 1, 3, False), ("Nob", 1, 3, 3, False), ("Chief", 1, 4, 2, True)]


def test_no_groups_where_models_are_alike_or_cannot_be_told() -> None:
    assert groups() == []
    assert groups(**LED | {"composition": (Composition("Chief", 1, 1), Composition("Somebody", 9, 9))}) == []
    assert groups(**LED | {"composition": ()}) == []
    assert groups(**LED | {"models": (model("Chief"), model("Nob", wounds=None), model("Boy"))}) == []
    alike = (model("Chief", leadership=6), model("Nob", leadership=7), model("Boy"))
    assert groups(**LED | {"models": alike}) == []


def test_a_kind_of_models_that_the_smallest_size_lacks_does_not_count() -> None:
    sheet = datasheet(**LED | {"composition": (Composition("Chief", 0, 1), Composition("Boyz", 10, 20))})
    units = conform([document(sheet)]).units
    [row] = unit_target_rows(units)
    assert (row["wounds"], row["models"], row["is_simplified"]) == (1, 10, False)
    assert target_group_rows(units, [row]) == []


def test_abilities_of_the_unit_change_the_attacks_at_it() -> None:
    allocated = "Each time an attack is allocated to a model in this unit, "
    hide = allocated + "subtract 1 from the Damage characteristic of that attack."
    will = "Against mortal wounds, models in this unit have the Feel No Pain 5+ ability."
    dodge = "Each time a melee attack targets this unit, subtract 1 from the Hit roll."
    abilities = tuple(
        UnitAbility("datasheet", name, None, text) for name, text in (("A", hide), ("B", will), ("C", dodge))
    )
    [row] = unit_target_rows(conform([document(datasheet(abilities=abilities))]).units)
    assert (row["damage_minus"], row["feel_no_pain"], row["feel_no_pain_scope"]) == (1, 5, "mortal")
    assert (row["hit_mod"], row["not_modelled"]) == (0, ["C"])
    [printed] = unit_target_rows(
        conform([document(datasheet(abilities=abilities, models=(model(feel_no_pain=6),)))]).units
    )
    assert (printed["feel_no_pain"], printed["feel_no_pain_scope"]) == (6, None)
    assert printed["not_modelled"] == ["B", "C"]


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
