from dataclasses import replace

import pytest

from pipelines.dimensions.fitting import fitted
from pipelines.dimensions.units import Conformed, Unit, conform, unit_rows
from pipelines.records import Composition, Cost, DamagedBracket, Document, Keyword, UnitAbility
from tests.builders import datasheet, document, model, weapon


def only(conformed: Conformed, kind: str) -> Unit:
    [unit] = [unit for unit in conformed.units if unit.document.source_kind == kind]
    return unit


def community(**changes: object) -> Document:
    sheet = datasheet(
        faction="Adeptus Astartes",
        collection="Adeptus Astartes",
        edition="11e",
        source_key="intercessor-squad",
        keywords=(Keyword("INFANTRY"), Keyword("ADEPTUS ASTARTES", is_faction_keyword=True)),
        **changes,
    )
    return document(sheet, path="community", kind="community_dataset")


def test_an_id_does_not_depend_on_the_bytes_of_the_document() -> None:
    first = conform([document(datasheet())]).units[0]
    second = conform([document(datasheet(costs=()), document_id="0" * 64)]).units[0]
    assert first.unit_id == second.unit_id


def test_the_same_unit_of_two_sources_is_one_canonical_unit_preferred_once_per_edition() -> None:
    conformed = conform([document(datasheet()), community()])
    dump, other = only(conformed, "text_dump"), only(conformed, "community_dataset")
    assert dump.unit_id != other.unit_id
    assert dump.canonical_unit_id == other.canonical_unit_id
    assert dump.is_preferred
    assert other.is_preferred  # each edition has its own preferred row


def test_declared_precedence_prefers_the_users_own_page() -> None:
    same_edition = replace(community().datasheets[0], edition="10e")
    conformed = conform([document(same_edition, path="community", kind="community_dataset"), document(datasheet())])
    assert only(conformed, "text_dump").is_preferred
    assert not only(conformed, "community_dataset").is_preferred


def test_a_page_without_a_stat_line_gets_it_by_faction_keyword_and_name() -> None:
    conformed = conform([document(datasheet(models=())), community(models=(model(toughness=5),))])
    dump = only(conformed, "text_dump")
    assert dump.models[0].toughness == 5
    assert dump.stat_source == "community_dataset (11e) by faction keyword and name"


def test_a_price_is_never_looked_up_by_the_name_of_the_unit() -> None:
    """The trap of the Combat Patrol sheet: same name, same faction, another collection, no price by design."""
    patrol = datasheet(collection="Storm Force", models=(), costs=(), composition=(), has_points_by_design=False)
    conformed = conform([document(patrol), community()])
    dump = only(conformed, "text_dump")
    assert dump.stat_source is not None
    assert dump.datasheet.costs == ()
    assert dump.canonical_unit_id != only(conformed, "community_dataset").canonical_unit_id
    assert list(unit_rows([dump])["unit_costs"]) == []


def test_a_unit_of_another_faction_with_the_same_name_gives_no_stat_line() -> None:
    conformed = conform([document(datasheet(models=(), faction="ORKS", collection="Orks")), community()])
    assert only(conformed, "text_dump").stat_source is None


def test_printed_feel_no_pain_beats_the_joined_one() -> None:
    own = (UnitAbility("core", "Feel No Pain", "5+"),)
    conformed = conform([document(datasheet(models=(), abilities=own)), community()])
    assert only(conformed, "text_dump").models[0].feel_no_pain == 5


def test_the_later_of_two_pages_of_one_datasheet_supersedes_the_other() -> None:
    conformed = conform([document(datasheet(costs=()), path="a.txt"), document(datasheet(), path="b.txt")])
    assert [(each.path, each.status) for each in conformed.documents] == [("a.txt", "superseded"), ("b.txt", "parsed")]
    assert [unit.document.path for unit in conformed.units] == ["b.txt"]
    assert [issue.code for issue in conformed.documents[0].issues] == ["superseded"]


def test_a_date_beats_the_path() -> None:
    conformed = conform([document(datasheet(), path="a.txt", dated="2026-01-01"), document(datasheet(), path="b.txt")])
    assert [unit.document.path for unit in conformed.units] == ["a.txt"]


def test_default_weapons_come_from_the_stand_in_where_all_of_them_are_on_the_page() -> None:
    unarmed = (Composition("Intercessor", 5, 10),)
    known = only(conform([document(datasheet(models=(), composition=unarmed)), community()]), "text_dump")
    assert known.composition[0].default_weapons == ("Bolt rifle",)
    assert known.default_weapons_source == "community_dataset (11e) by model and weapon name"
    other = datasheet(models=(), composition=unarmed, weapons=(weapon("Auto bolt rifle"),))
    assert only(conform([document(other), community()]), "text_dump").composition[0].default_weapons is None


def test_weapons_of_one_name_with_different_profiles_are_kept_apart_and_equal_ones_once() -> None:
    sheet = datasheet(weapons=(weapon(), weapon(), weapon(damage="2")))
    unit = conform([document(sheet)]).units[0]
    assert sorted(each.damage for each in unit.weapons.values()) == ["1", "2"]


@pytest.mark.parametrize(
    ("keywords", "faction"),
    [
        (("ADEPTUS ASTARTES", "SPACE WOLVES"), "space-wolves"),
        (("SPACE WOLVES", "ADEPTUS ASTARTES"), "space-wolves"),
        (("ASURYANI",), "aeldari"),
        (("HERETIC ASTARTES",), "chaos-space-marines"),
    ],
)
def test_a_faction_is_one_whatever_its_spelling(keywords: tuple[str, ...], faction: str) -> None:
    printed = tuple(Keyword(keyword, is_faction_keyword=True) for keyword in keywords)
    assert conform([document(datasheet(faction=keywords[0], keywords=printed))]).units[0].faction_id == faction


def test_a_superseded_datasheet_is_no_stand_in() -> None:
    exports = [
        document(datasheet(models=(model(toughness=t),), source_key="1"), path=date, kind="csv_export", dated=date)
        for date, t in (("2025-09", 3), ("2025-11", 5))
    ]
    dump = only(conform([*exports, document(datasheet(models=()))]), "text_dump")
    assert dump.models[0].toughness == 5


def test_a_stand_in_of_the_same_edition_comes_first() -> None:
    export = document(datasheet(models=(model(toughness=4),)), path="export", kind="csv_export")
    conformed = conform([community(models=(model(toughness=5),)), export, document(datasheet(models=()))])
    assert only(conformed, "text_dump").models[0].toughness == 4
    assert only(conformed, "text_dump").stat_source == "csv_export (10e) by faction keyword and name"


BRACKET = DamagedBracket(1, 4, hit_modifier=-1, text="It limps.")


def test_a_stat_line_keeps_its_base_and_improved_save_and_the_unit_its_bracket() -> None:
    line = model(
        invulnerable_save=6, improved_invulnerable_save=4, improved_invulnerable_save_scope="melee", base_size="32mm"
    )
    rows = unit_rows(conform([document(datasheet(models=(line,), damaged=BRACKET))]).units)
    [stats], [bracket] = rows["unit_models"], rows["unit_damaged_brackets"]
    assert (stats["improved_invulnerable_save"], stats["improved_invulnerable_save_scope"]) == (4, "melee")
    assert stats["base_size"] == "32mm"
    assert (bracket["wounds_from"], bracket["wounds_to"], bracket["hit_modifier"]) == (1, 4, -1)
    assert (bracket["objective_control_modifier"], bracket["text"]) == (None, "It limps.")
    assert "unit_damaged_brackets" not in unit_rows(conform([document(datasheet())]).units)


def test_a_bracket_that_no_table_can_hold_is_left_out_and_said() -> None:
    [after] = fitted([document(datasheet(damaged=replace(BRACKET, wounds_to=9999)))])
    assert after.datasheets[0].damaged is None
    assert "value_out_of_range" in {issue.code for issue in after.issues}


def test_stat_lines_of_one_name_are_said() -> None:
    twice = datasheet(models=(model(toughness=4), model(toughness=9)))
    [after] = fitted([document(twice)])
    assert [issue.code for issue in after.issues] == ["stat_line_repeated"]
    assert [row["toughness"] for row in unit_rows(conform([after]).units)["unit_models"]] == [4]


def test_a_price_has_its_own_date_or_its_sources() -> None:
    sheet = datasheet(costs=(Cost(5, 80), Cost(10, 150, priced_at="2031-01-01")))
    for dated, expected in (("2030-05-06", ["2030-05-06", "2031-01-01"]), (None, [None, "2031-01-01"])):
        rows = unit_rows(conform([document(sheet, dated=dated)]).units)["unit_costs"]
        assert [row["priced_at"] for row in rows] == expected


@pytest.mark.parametrize("kind", ["text_dump", "html_page", "csv_export", "community_dataset"])
@pytest.mark.parametrize("older", [None, "2030-01-01"])
def test_of_two_sources_of_a_kind_the_newer_one_wins_whatever_their_paths(kind: str, older: str | None) -> None:
    newer = document(datasheet(costs=(Cost(5, 90),), source_key="7"), path="a", kind=kind, dated="2031-01-01")
    other = document(datasheet(costs=(Cost(5, 80),), source_key="7"), path="b", kind=kind, dated=older)
    for given in ([newer, other], [other, newer]):
        conformed = conform(given)
        assert [unit.datasheet.costs[0].points for unit in conformed.units] == [90]
        assert {each.path: each.status for each in conformed.documents} == {"a": "parsed", "b": "superseded"}


def test_a_newer_export_is_preferred_even_where_it_numbers_its_units_anew() -> None:
    newer = document(datasheet(source_key="900"), path="a", kind="csv_export", dated="2031-01-01")
    older = document(datasheet(source_key="7"), path="b", kind="csv_export", dated="2030-01-01")
    for given in ([newer, older], [older, newer]):
        assert [unit.document.path for unit in conform(given).units if unit.is_preferred] == ["a"]


def test_of_two_datasheets_of_one_source_the_one_in_regular_play_is_preferred() -> None:
    legends, regular = datasheet(source_key="7", availability="legends"), datasheet(source_key="8")
    for sheets in ((legends, regular), (regular, legends)):
        conformed = conform([document(*sheets, kind="csv_export")])
        assert [unit.datasheet.source_key for unit in conformed.units if unit.is_preferred] == ["8"]
