"""The CSV export: tables as published and as people leave them, and what their cells mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.records import Composition, Cost, Document, RowCount
from pipelines.sources.csv_export import account_lines, export_files, is_export, read_export
from pipelines.sources.csv_export.markup import lines, plain
from tests.sources.csv_samples import (
    by_table,
    codes,
    datasheet,
    described,
    issue,
    model,
    of_unit,
    only_unit,
    plain_table,
    priced,
    read,
    resaved_table,
    weapon,
    write_export,
)

SIMPLE = {
    "Datasheets_models": [model()],
    "Datasheets_wargear": [weapon(), weapon("Test blade", range="Melee", type="Melee", AP="-1")],
    "Datasheets_models_cost": priced(("5 models", "90")),
    "Datasheets_keywords": of_unit(
        [{"keyword": "Infantry"}, {"keyword": "Testing Faction", "is_faction_keyword": "true"}]
    ),
}


def facts(documents: dict[str, Document]) -> tuple[object, ...]:
    """What an edited copy must not change."""
    unit = only_unit(documents)
    return unit.name, unit.faction, unit.models, unit.weapons, unit.costs, unit.keywords


def rewrite(folder: Path, change: object) -> dict[str, Document]:
    """Apply a change to each file's text, and read the folder again."""
    for path in folder.iterdir():
        text = path.read_bytes().decode("utf-8-sig")
        path.write_bytes(change(text).encode())  # type: ignore[operator]
    return by_table(read_export(folder))


# Tables


def test_an_export_is_told_by_its_headers(tmp_path: Path) -> None:
    folder = write_export(tmp_path / "export", SIMPLE)
    assert is_export(folder)
    assert len(export_files(folder)) == 6
    for number, path in enumerate(sorted(folder.iterdir())):
        path.rename(folder / f"file{number}.txt")
    assert is_export(folder)
    lone = tmp_path / "lone"
    lone.mkdir()
    (lone / "Datasheets.csv").write_text(plain_table("Datasheets", [datasheet()]))
    assert not is_export(lone)
    (lone / "Factions.csv").write_text("something|else|\n")
    assert not is_export(lone)
    assert not is_export(tmp_path / "missing")


def test_one_document_for_each_file_and_all_records_in_one(tmp_path: Path) -> None:
    folder = write_export(
        tmp_path / "raw" / "export", {**SIMPLE, "Last_update": [{"last_update": "2031-02-03 04:05:06"}]}
    )
    documents = read_export(folder, root=tmp_path / "raw")
    assert [document.path for document in documents] == sorted(f"export/{path.name}" for path in folder.iterdir())
    assert {document.status for document in documents} == {"parsed"}
    assert {document.dated for document in documents} == {"2031-02-03"}
    assert {document.edition for document in documents} == {"10e"}
    assert [len(document.datasheets) for document in documents if document.title == "Datasheets"] == [1]
    assert not any(document.datasheets for document in documents if document.title != "Datasheets")
    wargear = by_table(documents)["Datasheets_wargear"]
    assert wargear.line_count == 3
    assert only_unit(by_table(documents)).weapons[0].line == 2
    assert only_unit(by_table(documents)).costs[0].priced_at == "2031-02-03"


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [weapon(), weapon(), weapon(datasheet_id="99"), weapon(""), weapon("Broken gun", A="D7")]
    document = read(tmp_path, {"Datasheets_wargear": rows})["Datasheets_wargear"]
    account = issue(document, "rows_accounted").message
    assert account.startswith("5 rows read, 1 kept, ")
    assert {"exact_duplicate", "without_datasheet", "weaponless_unit", "row_unreadable"} <= codes(document)
    assert issue(document, "row_unreadable").line == 6
    assert document.row_count == RowCount(5, 1)
    assert "D7" in (issue(document, "row_unreadable").excerpt or "")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: "\ufeff\ufeff" + text,
        lambda text: "\ufeffï»¿" + text,
        lambda text: text.replace("\r\n", "\n"),
        lambda text: text.replace("|\r\n", "\r\n"),
        lambda text: text.replace("\r\n", ",,,,\r\n"),
        lambda text: text.replace("|\r\n", ",,,,\r\n"),
        lambda text: text.replace("|", "   |  "),
        lambda text: text + "\r\n\r\n" + "|" * 12 + "\r\n",
        lambda text: "\r\n".join(
            f'"{line.replace(chr(34), chr(34) * 2)}",,,' if '"' in line else f"{line},,," for line in text.split("\r\n")
        ),
    ],
)
def test_edited_copies_say_the_same(tmp_path: Path, change: object) -> None:
    expected = facts(read(tmp_path / "published", SIMPLE))
    assert facts(rewrite(write_export(tmp_path / "edited", SIMPLE), change)) == expected


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_copies_saved_anew_by_a_spreadsheet(tmp_path: Path, delimiter: str) -> None:
    tables = {
        **SIMPLE,
        "Datasheets": [datasheet(legend='One, "two";\tthree')],
        "Factions": [{"id": "TF", "name": "Testing Faction"}],
    }
    expected = facts(read(tmp_path / "published", tables))
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(resaved_table(name, rows, delimiter), newline="")
    documents = by_table(read_export(folder))
    assert facts(documents) == expected
    assert "export_saved_anew" in codes(documents["Datasheets"])


def test_lines_of_quoted_records_that_span_lines(tmp_path: Path) -> None:
    folder = write_export(tmp_path, {})
    text = resaved_table("Datasheets", [datasheet(legend="one\ntwo"), datasheet(id="2", name="Others")])
    (folder / "Datasheets.csv").write_text(text, newline="")
    sheets = by_table(read_export(folder))["Datasheets"].datasheets
    assert [(sheet.name, sheet.line) for sheet in sheets] == [("Testers", 2), ("Others", 4)]


def test_columns_in_another_order_and_missing_ones(tmp_path: Path) -> None:
    folder = write_export(tmp_path, SIMPLE)
    expected = facts(by_table(read_export(folder)))
    columns = ["D", "AP", "name", "S", "A", "BS_WS", "type", "range", "datasheet_id"]
    (folder / "Datasheets_wargear.csv").write_text(
        plain_table("Datasheets_wargear", SIMPLE["Datasheets_wargear"], columns=columns)
    )
    assert facts(by_table(read_export(folder))) == expected


def test_missing_tables_are_said_and_leave_the_rest(tmp_path: Path) -> None:
    documents = read(tmp_path, {"Datasheets_wargear": [weapon()]})
    unit = only_unit(documents)
    assert unit.leads is None
    assert unit.composition == () == unit.costs
    assert "Datasheets_models_cost" in issue(documents["Datasheets"], "table_missing").message


def test_a_row_of_another_shape_is_counted_not_guessed(tmp_path: Path) -> None:
    folder = write_export(tmp_path, SIMPLE)
    path = folder / "Datasheets_wargear.csv"
    path.write_text(path.read_text() + "1|2|" + "x|" * 20 + "\n" + "stray remark\n")
    document = by_table(read_export(folder))["Datasheets_wargear"]
    assert issue(document, "row_malformed").message.startswith("2 rows")
    assert issue(document, "rows_accounted").message.startswith("4 rows read, 2 kept")


def test_a_quote_that_never_closes_ends_the_table_with_an_issue(tmp_path: Path) -> None:
    folder = write_export(tmp_path, {})
    text = resaved_table("Datasheets", [datasheet()]) + '2,"Others' + "\nx" * 150_000
    (folder / "Datasheets.csv").write_text(text, newline="")
    document = by_table(read_export(folder))["Datasheets"]
    assert document.status == "partial"
    assert len(document.datasheets) == 1
    assert issue(document, "rows_unread").line == 3
    assert document.row_count is not None
    assert document.row_count.rows_kept == 1
    assert document.row_count.rows_in == 1 + 150_001
    assert issue(document, "row_unread").message.startswith("150001 lines behind")


def test_the_account_says_a_line_a_table_and_a_total(tmp_path: Path) -> None:
    rows = [weapon(), weapon(), weapon("Broken gun", A="D7")]
    detachments = [{"id": "1", "faction_id": "TF", "name": "Test Force"}]
    folder = write_export(tmp_path / "raw" / "mine", {"Datasheets_wargear": rows, "Detachments": detachments})
    (folder / "copy.csv").write_bytes((folder / "Factions.csv").read_bytes() + b"X2|Others||\n")
    assert account_lines(read_export(folder, root=tmp_path / "raw")) == [
        "rows of the CSV export in mine",
        "  Datasheets: 1 in = 1 kept + 0 reported",
        "  Datasheets_wargear: 3 in = 1 kept + 2 reported",
        "  Detachments: 1 in = 0 kept + 1 reported",
        "  Factions: 1 in = 1 kept + 0 reported",
        "  Factions: 2 in = 0 kept + 2 reported",
        "  all tables: 8 in = 3 kept + 5 reported",
    ]
    assert account_lines([]) == []


@pytest.mark.parametrize(
    ("wounds", "text", "expected"),
    [
        ("1-5", "While it has 1-5 wounds remaining, subtract 1 from the Hit roll.", (1, 5, -1, None)),
        (
            "1‑4",
            "Subtract 5 from this model’s Objective Control and <b>subtract 1</b> from the Hit roll.",
            (1, 4, -1, -5),
        ),
        ("1", "It limps.", (1, 1, None, None)),
    ],
)
def test_damaged_brackets(tmp_path: Path, wounds: str, text: str, expected: tuple[int | None, ...]) -> None:
    sheet = only_unit(read(tmp_path, {"Datasheets": [datasheet(damaged_w=wounds, damaged_description=text)]}))
    found = sheet.damaged
    assert found is not None
    assert (found.wounds_from, found.wounds_to, found.hit_modifier, found.objective_control_modifier) == expected
    assert found.line == 2
    assert "<b>" not in (found.text or "")


@pytest.mark.parametrize("wounds", ["few", "0", "5-1"])
def test_a_bracket_without_its_wounds_is_said(tmp_path: Path, wounds: str) -> None:
    documents = read(tmp_path, {"Datasheets": [datasheet(damaged_w=wounds, damaged_description="It limps.")]})
    assert only_unit(documents).damaged is None
    assert issue(documents["Datasheets"], "damaged_unread").excerpt == f"Testers: {wounds}"


@pytest.mark.parametrize(
    ("size", "remark", "expected"),
    [
        ("32mm", "", "32mm"),
        ("(⌀60 x 35mm)", "", "60 x 35mm"),
        ("", "", None),
        ("25mm", "Hound 40mm", "25mm; Hound 40mm"),
    ],
)
def test_base_sizes(tmp_path: Path, size: str, remark: str, expected: str | None) -> None:
    documents = read(tmp_path, {"Datasheets_models": [model(base_size=size, base_size_descr=remark)]})
    assert only_unit(documents).models[0].base_size == expected


def test_files_that_cant_be_read_and_second_copies_are_quarantined(tmp_path: Path) -> None:
    folder = write_export(tmp_path / "raw", SIMPLE)
    (folder / "Datasheets_models (copy).csv").write_bytes(
        (folder / "Datasheets_models.csv").read_bytes() + b"1|9|Copy|\r\n"
    )
    (folder / "Datasheets_wargear.csv").write_bytes((folder / "Datasheets_wargear.csv").read_bytes() + b"\0")
    documents = read_export(folder, root=tmp_path / "raw")
    refused = {document.path: document.issues[-1].code for document in documents if document.status == "quarantined"}
    assert refused == {"Datasheets_models (copy).csv": "table_twice", "Datasheets_wargear.csv": "binary_file"}
    assert [one.model_name for one in only_unit(by_table(documents)).models] == ["Tester"]


def test_a_link_out_of_the_raw_folder_is_refused(tmp_path: Path) -> None:
    folder = write_export(tmp_path / "raw", {})
    outside = tmp_path / "outside.csv"
    outside.write_text(plain_table("Datasheets_wargear", [weapon()]))
    (folder / "Datasheets_wargear.csv").symlink_to(outside)
    documents = by_table(read_export(folder, root=tmp_path / "raw"))
    assert documents["Datasheets_wargear"].issues[0].code == "outside_raw_folder"
    assert only_unit(documents).weapons == ()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_files_never_raise(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = write_export(tmp_path_factory.mktemp("damaged"), SIMPLE)
    for path in sorted(folder.iterdir()):
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(0, 3))):
            at = data.draw(st.integers(0, len(content)))
            length = data.draw(st.integers(0, 4))
            content[at : at + length] = data.draw(st.binary(max_size=6))
        path.write_bytes(content)
    for document in read_export(folder):
        assert document.status in ("parsed", "partial", "quarantined")


# Mark-up


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("plain", ("plain",)),
        ('<a href="/x>y">heavy</a>, <span class="k">blast</span>', ("heavy, blast",)),
        ("one<br><br>two<BR/>three", ("one", "two", "three")),
        (
            "choose:<ul style='x'><li>first</li><li>sec<b>ond</b></li></ul>then",
            ("choose:", "- first", "- second", "then"),
        ),
        ("a &lt; b &amp; c&nbsp;d", ("a < b & c d",)),
        ("S < T and T > S", ("S < T and T > S",)),
        ("broken <span class='x>tail", ("broken <span class='x>tail",)),
        ("e\u0301clat  ", ("\u00e9clat",)),
        ("", ()),
    ],
)
def test_mark_up_goes_and_line_breaks_stay(cell: str, expected: tuple[str, ...]) -> None:
    assert lines(cell) == expected


def test_a_name_is_one_line() -> None:
    assert plain("Big <b>Test</b><br>Gun ") == "Big Test Gun"


# Stat lines


def test_characteristics_with_their_marks(tmp_path: Path) -> None:
    rows = [
        model(M='20+"', T="5*", Sv="7+", W="10", Ld="8+", OC="0"),
        model(line="2", name="", M="-", T="x", Sv="-", W="", Ld="N/A"),
    ]
    documents = read(tmp_path, {"Datasheets_models": rows})
    first, second = only_unit(documents).models
    assert (first.movement, first.toughness, first.save, first.wounds, first.leadership) == (20, 5, 7, 10, 8)
    assert first.objective_control == 0
    assert (second.model_name, second.movement, second.toughness, second.save) == ("Testers", None, None, None)
    assert {"characteristic_starred", "characteristic_unread"} <= codes(documents["Datasheets_models"])


@pytest.mark.parametrize(
    ("value", "condition", "expected", "code"),
    [
        ("-", "", (None, None), None),
        ("", "", (None, None), None),
        ("4", "", (4, None), None),
        ("4+", "", (4, None), None),
        ("4*", "", (4, None), "invulnerable_condition_unread"),
        ("4*", "Against ranged attacks only", (4, "ranged"), None),
        ("5", " * This model has a 5+ invulnerable save against melee attacks.", (5, "melee"), None),
        ("6", "* 4+ against melee attacks", (6, None, 4, "melee"), None),
        ("5", "This save is improved to 3+ against ranged attacks.", (5, None, 3, "ranged"), None),
        ("6", "* improved to 4+ against Psychic Attacks.", (6, None), "invulnerable_condition_unread"),
        ("4", "Excluding the Tester.", (None, None), None),
        ("7+", "", (None, None), None),
        ("5", "* Tester model only.", (5, None), None),
        ("5", "Chief only.", (None, None), "invulnerable_condition_kept_out"),
        ("4", "*Excluding the hound.", (4, None), "invulnerable_condition_unread"),
        ("1", "", (None, None), "characteristic_unread"),
    ],
)
def test_invulnerable_saves_with_their_scope(
    tmp_path: Path, value: str, condition: str, expected: tuple[int | str | None, ...], code: str | None
) -> None:
    documents = read(tmp_path, {"Datasheets_models": [model(inv_sv=value, inv_sv_descr=condition)]})
    (found,) = only_unit(documents).models
    saves = (found.invulnerable_save, found.invulnerable_save_scope)
    assert (*saves, found.improved_invulnerable_save, found.improved_invulnerable_save_scope) == (
        *expected,
        *(None,) * (4 - len(expected)),
    )
    assert codes(documents["Datasheets_models"]) - {"rows_accounted"} == ({code} if code else set())


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("5+", [(5, None), (5, None)]),
        (" 6+", [(6, None), (6, None)]),
        ("4+ against mortal wounds", [(4, "mortal"), (4, "mortal")]),
        ("4+ (mortal wounds)", [(4, "mortal"), (4, "mortal")]),
        ("5+ (Chief model only)", [(None, None), (5, None)]),
        ("5+ against psychic attacks", [(None, None), (None, None)]),
        ("", [(None, None), (None, None)]),
    ],
)
def test_feel_no_pain_of_the_core_abilities(
    tmp_path: Path, parameter: str, expected: list[tuple[int | None, str | None]]
) -> None:
    tables = {
        "Datasheets_models": [model(), model(line="2", name="CHIEF", W="5")],
        "Abilities": [{"id": "7", "name": "Feel No Pain"}],
        "Datasheets_abilities": of_unit([{"ability_id": "7", "type": "Core", "parameter": parameter}]),
    }
    unit = only_unit(read(tmp_path, tables))
    assert [(one.feel_no_pain, one.feel_no_pain_scope) for one in unit.models] == expected
    assert unit.abilities[0].parameter == (parameter.strip() or None)


def test_the_plain_feel_no_pain_beats_the_one_against_mortal_wounds(tmp_path: Path) -> None:
    rows = [{"ability_id": "7", "type": "Core", "parameter": text} for text in ("4+ against mortal wounds", "6+", "5+")]
    tables = {
        "Datasheets_models": [model()],
        "Abilities": [{"id": "7", "name": "Feel No Pain"}],
        "Datasheets_abilities": of_unit(rows),
    }
    (found,) = only_unit(read(tmp_path, tables)).models
    assert (found.feel_no_pain, found.feel_no_pain_scope) == (5, None)


# Weapons


def test_weapon_cells(tmp_path: Path) -> None:
    rows = [
        weapon("Old gun – burst ", A="D6 ", BS_WS="3+", S="2D6", AP="-0", D="d6+1", description="Heavy. BLAST, heavy"),
        weapon("Old gun - snipe", line="2", range="N/A", S="7 "),
        weapon("Fire spout", description="<a href='#'>torrent</a>", BS_WS="N/A"),
        weapon("Claw", type="Melee", range="Melee", BS_WS="2", AP="-3"),
    ]
    burst, snipe, spout, claw = only_unit(read(tmp_path, {"Datasheets_wargear": rows})).weapons
    assert (burst.weapon_name, burst.profile_name) == ("Old gun", "burst")
    assert (burst.attacks, burst.skill, burst.strength, burst.armour_penetration, burst.damage) == (
        "D6",
        3,
        "2D6",
        0,
        "D6+1",
    )
    assert [one.ability for one in burst.abilities] == ["heavy", "blast"]
    assert (snipe.weapon_name, snipe.profile_name, snipe.range_inches, snipe.strength) == (
        "Old gun",
        "snipe",
        None,
        "7",
    )
    assert (spout.skill, spout.range_inches) == (None, 24)
    assert (claw.attack_type, claw.range_inches, claw.armour_penetration) == ("melee", None, -3)


def test_profiles_chosen_by_a_die(tmp_path: Path) -> None:
    rows = [weapon(f"Odd gun – {name}", dice=dice) for name, dice in (("low", "1-3 "), ("high", "4-6"))]
    found = only_unit(read(tmp_path, {"Datasheets_wargear": rows})).weapons
    assert [(one.profile_name, one.dice_range) for one in found] == [("low", "1-3"), ("high", "4-6")]


@pytest.mark.parametrize("cells", [{"A": ""}, {"D": "D7"}, {"BS_WS": ""}, {"AP": "x"}, {"type": "Thrown"}, {"S": "-"}])
def test_a_weapon_with_an_unreadable_cell_is_left_out_and_said(tmp_path: Path, cells: dict[str, str]) -> None:
    documents = read(tmp_path, {"Datasheets_wargear": [weapon(**cells)]})
    assert only_unit(documents).weapons == ()
    assert "row_unreadable" in codes(documents["Datasheets_wargear"])


def test_a_nameless_row_means_no_weapons(tmp_path: Path) -> None:
    tables = {
        "Datasheets_wargear": [weapon("", A="0", BS_WS="-", S="-", D="-", type="", range="")],
        "Datasheets_unit_composition": described("1 Wall"),
    }
    unit = only_unit(read(tmp_path, tables))
    assert unit.weapons == ()
    assert unit.composition[0].default_weapons == ()


def test_unknown_weapon_abilities_are_kept_by_name_and_counted_once(tmp_path: Path) -> None:
    rows = [weapon(f"Gun {number}", description="wobbly, lance, sustained hits") for number in range(9)]
    documents = read(tmp_path, {"Datasheets_wargear": rows})
    assert [one.ability for one in only_unit(documents).weapons[0].abilities] == ["wobbly", "lance", "sustained_hits"]
    found = issue(documents["Datasheets_wargear"], "unknown_weapon_ability")
    assert found.message.startswith("9 weapons")
    assert found.excerpt == "wobbly"
    assert issue(documents["Datasheets_wargear"], "weapon_ability_value_missing").excerpt == "sustained hits"


# Prices


def costs(tmp_path: Path, *prices: tuple[str, str], models: tuple[str, ...] = ()) -> tuple[list[Cost], Document]:
    tables = {"Datasheets_models_cost": priced(*prices), "Datasheets_unit_composition": described(*models)}
    documents = read(tmp_path, tables)
    return list(only_unit(documents).costs), documents["Datasheets_models_cost"]


def test_sizes_second_prices_and_add_ons(tmp_path: Path) -> None:
    found, _ = costs(
        tmp_path,
        ("5 models", "90"),
        (" 10 models ", "180"),
        ("5 models (<ky>GUESTS</ky> Detachment)", "75"),
        ("1 model (Assigned Guest)", "20"),
        ("3 Testers and 1 Hound", "60"),
        ("Side car", "+55"),
        ("per test cannon", "15"),
        ("1 power glove", "5"),
        models=("3-10 Testers", "0-1 Hounds"),
    )
    assert [(one.models, one.points, one.kind, one.condition, one.item) for one in found] == [
        (5, 90, "base", None, None),
        (10, 180, "base", None, None),
        (5, 75, "alternative", "GUESTS Detachment", None),
        (1, 20, "alternative", "Assigned Guest", None),
        (4, 60, "base", None, None),
        (1, 55, "add_on", None, "Side car"),
        (1, 15, "add_on", None, "test cannon"),
        (1, 5, "add_on", None, "1 power glove"),
    ]


def test_blocks_for_further_copies(tmp_path: Path) -> None:
    blocks = [
        ("YOUR 1ST TO 2ND UNITS COST", ""),
        ("5 models", "90"),
        ("YOUR 3RD + UNIT COSTS", ""),
        (" 5 models", " 110"),
        ("YOUR 1ST TO 2ND UNITS COST", ""),
        ("5 models", "90"),
    ]
    found, document = costs(tmp_path, *blocks)
    assert [(one.points, one.copies_from, one.copies_to) for one in found] == [(90, 1, 2), (110, 3, None)]
    assert issue(document, "cost_repeated").message.startswith("1 ")
    assert issue(document, "cost_header").message.startswith("3 ")
    assert document.edition == "11e"
    assert document.edition_source == "printed"


def test_prices_under_an_unknown_heading_are_no_base_prices(tmp_path: Path) -> None:
    found, _ = costs(tmp_path, ("5 models", "90"), ("ON SUNDAYS", ""), ("5 models", "80"))
    assert [(one.points, one.kind, one.condition) for one in found] == [
        (90, "base", None),
        (80, "alternative", "ON SUNDAYS"),
    ]


def test_prices_that_are_none_or_unreadable_are_counted(tmp_path: Path) -> None:
    found, document = costs(tmp_path, ("5 models", "0"), ("10 models", "many"), ("5-10 models", "100"))
    assert [(one.models, one.models_max, one.points) for one in found] == [(5, 10, 100)]
    assert {"price_of_zero", "cost_unreadable"} <= codes(document)


def test_the_new_edition_shows_in_its_weapon_abilities(tmp_path: Path) -> None:
    old = read(tmp_path / "old", {"Datasheets_wargear": [weapon(description="blast")]})
    new = read(tmp_path / "new", {"Datasheets_wargear": [weapon(description="LETHAL HITS: non-MONSTER/VEHICLE")]})
    also = read(tmp_path / "also", {"Datasheets_wargear": [weapon(description="CLEAVE 2, CLOSE-QUARTERS")]})
    assert [only_unit(one).edition for one in (old, new, also)] == ["10e", "11e", "11e"]


# Compositions and equipment


def composition(tmp_path: Path, *texts: str, loadout: str = "") -> list[Composition]:
    tables = {
        "Datasheets": [datasheet(loadout=loadout)],
        "Datasheets_unit_composition": described(*texts),
        "Datasheets_wargear": [
            weapon("Test gun"),
            weapon("Cut and thrust"),
            weapon("Blade – sweep"),
            weapon("Laspistol"),
        ],
        "Datasheets_abilities": of_unit([{"name": "Banner (Aura)", "type": "Wargear", "description": "Waves."}]),
    }
    return list(only_unit(read(tmp_path, tables)).composition)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["5-10 Testers"], [("Testers", 5, 10)]),
        (["5‑10 Testers*"], [("Testers", 5, 10)]),
        (["1 Chief and 4-9 Testers"], [("Chief", 1, 1), ("Testers", 4, 9)]),
        (["1 Chief, 2 Cooks and 3 Testers."], [("Chief", 1, 1), ("Cooks", 2, 2), ("Testers", 3, 3)]),
        (["1 Chief – <span>EPIC</span> <span>HERO</span>"], [("Chief", 1, 1)]),
        (["1 Chief on Bike of War"], [("Chief on Bike of War", 1, 1)]),
        (["3 Testers:<ul><li>Ann</li><li>Bob</li></ul>"], [("Testers", 3, 3)]),
        (["1 Wall (2 gate sections, 3 towers and 1 door)"], [("Wall", 1, 1)]),
        (["1 Tester (Ann Other)"], [("Tester (Ann Other)", 1, 1)]),
        (["1 Chief and 9 Testers", "OR", "2 Chiefs and 18 Testers"], [("Chief", 1, 2), ("Testers", 9, 18)]),
        (
            ["One of the following:", "1 Chief and 9 Testers", "1 Chief, 7 Testers and 1 Crew"],
            [("Chief", 1, 1), ("Testers", 7, 9), ("Crew", 0, 1)],
        ),
        (["10 MODELS MAXIMUM", "1 Chief"], [("Chief", 1, 1)]),
        (["This unit may be small.", "1 Chief"], [("Chief", 1, 1)]),
    ],
)
def test_compositions(tmp_path: Path, texts: list[str], expected: list[tuple[str, int, int]]) -> None:
    found = composition(tmp_path, *texts)
    assert [(one.model_name, one.min_models, one.max_models) for one in found] == expected


GUN, CUT, BLADE, PISTOL = "Test gun", "Cut and thrust", "Blade", "Laspistol"


@pytest.mark.parametrize(
    ("loadout", "chief", "testers"),
    [
        ("<b>Every model is equipped with:</b> test gun; blade.", (GUN, BLADE), (GUN, BLADE)),
        ("Every model is equipped with: nothing.", (), ()),
        (
            "<b>The Chief is equipped with:</b> blade. <br><br><b>Every Tester is equipped with:</b> 2 test guns.",
            (BLADE,),
            (GUN, GUN),
        ),
        (
            "<b>The Chief and every Tester is equipped with</b>: cut and thrust; las pistol.",
            (CUT, PISTOL),
            (CUT, PISTOL),
        ),
        (
            "<b>The Chief is equipped with:</b> 2 x blade.<br><b>Every other model is equipped with:</b> test gun.",
            (BLADE, BLADE),
            (GUN,),
        ),
        (
            "The Chief is equipped with: blade.The Testers are equipped with: test gun, laspistol",
            (BLADE,),
            (GUN, PISTOL),
        ),
        ("The Chief is equipped with: blade and test gun; banner.", (BLADE, GUN), None),
        (
            "Every model is equipped with: blade.<br>The Chief is additionally equipped with: test gun.",
            (BLADE, GUN),
            (BLADE,),
        ),
        ("Every model is equipped with: blade.<br>The Chief is equipped with: test gun.", (GUN,), (BLADE,)),
        ("The Chief is equipped with: blade.<br>2 Testers are equipped with: test gun.", (BLADE,), None),
        ("4 Testers are equipped with: test gun.", None, (GUN,)),
        ("1 Tester is equipped with: test gun.<br>3 Testers are equipped with: blade.", None, None),
        ("The Boss is equipped with: blade.", None, None),
        ("Every Tester is equipped with: stolen gun.", None, ("stolen gun",)),
        ("", None, None),
    ],
)
def test_default_equipment(
    tmp_path: Path, loadout: str, chief: tuple[str, ...] | None, testers: tuple[str, ...] | None
) -> None:
    found = composition(tmp_path, "1 Chief", "4 Testers", loadout=loadout)
    assert [one.default_weapons for one in found] == [chief, testers]


def test_equipment_that_is_no_weapon_of_the_unit_is_said(tmp_path: Path) -> None:
    tables = {
        "Datasheets": [datasheet(loadout="Every model is equipped with: stolen gun.")],
        "Datasheets_unit_composition": described("1 Tester"),
        "Datasheets_wargear": [weapon()],
    }
    documents = read(tmp_path, tables)
    assert "stolen gun" in (issue(documents["Datasheets"], "loadout_item_unknown").excerpt or "")


# Options, abilities, keywords, leaders


def test_options_with_choices_and_footnotes(tmp_path: Path) -> None:
    rows = [
        {
            "button": "•",
            "description": "This model’s test gun can be replaced with one of the following:"
            "<ul><li>1 big gun*</li><li>1 flag</li></ul>",
        },
        {"button": "*", "description": "* Big guns are big."},
        {"button": "•", "description": "Sing a song."},
        {"button": "•", "description": "None"},
    ]
    documents = read(tmp_path, {"Datasheets_options": of_unit(rows), "Datasheets_wargear": [weapon()]})
    first, second = only_unit(documents).wargear_options
    assert (first.action, first.replaces, first.gains, first.quantity) == (
        "replace",
        ("test gun",),
        ("big gun", "flag"),
        1,
    )
    assert first.text.split("\n")[1:] == ["- 1 big gun*", "- 1 flag", "* Big guns are big."]
    assert (second.position, second.action, second.text) == (2, None, "Sing a song.")
    assert {"no_option", "option_footnote", "wargear_option_unstructured"} <= codes(documents["Datasheets_options"])


def test_options_under_a_condition_and_options_whose_limits_are_not_understood(tmp_path: Path) -> None:
    rows = [
        {
            "button": "•",
            "description": "If this unit contains 10 models:"
            "<ul><li>1 model can be equipped with 1 flag</li>"
            "<li>1 Tester’s test gun can be replaced with 1 axe</li></ul>",
        },
        {"button": "•", "description": "1 Tester’s test gun can be replaced with 1 bow.*"},
        {"button": "*", "description": "* Only on Sundays."},
    ]
    documents = read(tmp_path, {"Datasheets_options": of_unit(rows), "Datasheets_wargear": [weapon()]})
    flag, axe, bow = only_unit(documents).wargear_options
    assert [each.swap and each.swap.from_models for each in (flag, axe, bow)] == [10, 10, None]
    assert (bow.position, bow.action, bow.swap) == (3, "replace", None)
    found = issue(documents["Datasheets_options"], "wargear_option_unstructured")
    assert found.message.startswith("1 ")


def test_abilities_of_all_kinds(tmp_path: Path) -> None:
    tables = {
        "Datasheets": [datasheet(damaged_w="1-3", damaged_description="It limps.")],
        "Abilities": [
            {"id": "7", "name": "Deadly Demise", "description": "Bang."},
            {
                "id": "8",
                "name": "War Song",
                "faction_id": "TF",
                "legend": "They sing.",
                "description": "Sing <b>loud</b>.",
            },
        ],
        "Datasheets_abilities": of_unit(
            [
                {"ability_id": "7", "type": "Core", "parameter": "D3"},
                {"ability_id": "8", "type": "Faction"},
                {"name": "Sly", "type": "Datasheet", "description": "Is <b>sly</b>.<br>Very."},
                {"name": "Horn", "type": "Wargear", "description": "Toots."},
                {"name": "WARDEN", "type": "Special (right)", "description": "Guards."},
                {"ability_id": "99", "type": "Core"},
            ]
        ),
    }
    documents = read(tmp_path, tables)
    found = [(one.kind, one.name, one.parameter, one.text) for one in only_unit(documents).abilities]
    assert found == [
        ("core", "Deadly Demise", "D3", None),
        ("faction", "War Song", None, None),
        ("datasheet", "Sly", None, "Is sly.\nVery."),
        ("wargear", "Horn", None, "Toots."),
        ("datasheet", "WARDEN", None, "Guards."),
        ("datasheet", "Damaged: 1-3 wounds remaining", "1-3", "It limps."),
    ]
    assert "without_rule" in codes(documents["Datasheets_abilities"])
    rules = [(rule.kind, rule.title, rule.body, rule.start_line) for rule in documents["Abilities"].rules]
    assert rules == [
        ("core_ability", "Deadly Demise", "Bang.", 2),
        ("faction_rule", "War Song", "They sing.\nSing loud.", 3),
    ]


def test_keywords_with_their_models(tmp_path: Path) -> None:
    rows = [
        {"keyword": "Infantry", "model": " ALL MODELS", "is_faction_keyword": "false"},
        {"keyword": "infantry", "is_faction_keyword": "false"},
        {"keyword": "Psyker", "model": "CHIEF ONLY", "is_faction_keyword": "false"},
        {"keyword": "", "is_faction_keyword": "true"},
        {"keyword": "Testing Faction", "is_faction_keyword": "true"},
    ]
    documents = read(tmp_path, {"Datasheets_keywords": of_unit(rows)})
    found = [(one.keyword, one.model_name, one.is_faction_keyword) for one in only_unit(documents).keywords]
    assert found == [("INFANTRY", None, False), ("PSYKER", "CHIEF", False), ("TESTING FACTION", None, True)]
    assert issue(documents["Datasheets_keywords"], "rows_accounted").message.startswith("5 rows read, 3 kept")


def test_leaders_and_units_that_no_row_describes(tmp_path: Path) -> None:
    tables = {
        "Datasheets": [datasheet(), datasheet(id="2", name="Others")],
        "Datasheets_leader": [{"leader_id": "1", "attached_id": "2"}, {"leader_id": "1", "attached_id": "9"}],
    }
    documents = read(tmp_path, tables)
    assert [sheet.leads for sheet in documents["Datasheets"].datasheets] == [("Others",), ()]
    assert "without_datasheet" in codes(documents["Datasheets_leader"])


def test_an_id_is_one_unit_and_a_name_may_be_several(tmp_path: Path) -> None:
    sheets = [datasheet(), datasheet(name="Again"), datasheet(id="2"), datasheet(id="3", name="")]
    document = read(tmp_path, {"Datasheets": sheets, "Datasheets_models": [model()]})["Datasheets"]
    assert [(sheet.source_key, sheet.name) for sheet in document.datasheets] == [("1", "Testers"), ("2", "Testers")]
    assert issue(document, "rows_accounted").message.startswith("4 rows read, 2 kept")
    assert {"id_repeated", "row_empty"} <= codes(document)


def test_collections_factions_and_availability(tmp_path: Path) -> None:
    tables = {
        "Datasheets": [
            datasheet(source_id="1"),
            datasheet(id="2", source_id="2"),
            datasheet(id="3", virtual="true"),
            datasheet(id="4", faction_id="??"),
        ],
        "Source": [{"id": "1", "name": "Testers (Warhammer Legends)"}, {"id": "2", "name": "Legendary Testers"}],
    }
    sheets = read(tmp_path, tables)["Datasheets"].datasheets
    assert [sheet.availability for sheet in sheets] == ["legends", None, "virtual", None]
    assert [sheet.collection for sheet in sheets] == ["Testing Faction"] * 3 + [None]
    assert [sheet.source_key for sheet in sheets] == ["1", "2", "3", "4"]


# Rules


def test_stratagems_by_their_fields_and_units(tmp_path: Path) -> None:
    text = (
        "<b>WHEN:</b> Now.<br><br><b>TARGET:</b> One unit.<br><br><b>EFFECT:</b> It wins:<ul><li>once</li></ul>"
        "<br><b>RESTRICTIONS:</b> No."
    )
    tables = {
        "Datasheets": [datasheet(), datasheet(id="2")],
        "Stratagems": [
            {
                "id": "a",
                "faction_id": "TF",
                "name": "HASTE",
                "type": "Test Host – Battle Tactic Stratagem",
                "cp_cost": "1",
                "detachment": "Test Host",
                "legend": "Quick.",
                "description": text,
            },
            {
                "id": "b",
                "name": "LUCK",
                "type": "Core – Epic Deed Stratagem",
                "cp_cost": "2",
                "description": "<b>EFFECT:</b> Luck.",
            },
            {
                "id": "c",
                "name": "STEP",
                "faction_id": "TF",
                "detachment": "Army Rules",
                "description": "TRIGGER: Soon.",
            },
            {"id": "d", "name": "ODD", "type": "Core – Epic Deed Stratagem", "cp_cost": "some"},
        ],
        "Datasheets_stratagems": [{"datasheet_id": "1", "stratagem_id": key} for key in ("b", "a", "zz")],
    }
    documents = read(tmp_path, tables)
    haste, luck = documents["Datasheets"].stratagems
    assert (haste.when_text, haste.target_text, haste.restrictions_text) == ("Now.", "One unit.", "No.")
    assert haste.effect_text == "It wins:\n- once"
    assert (haste.type, haste.detachment, haste.is_core, haste.faction) == (
        "Battle Tactic",
        "Test Host",
        False,
        "Testing Faction",
    )
    assert (haste.flavour, haste.line, haste.cp_cost) == ("Quick.", 2, 1)
    assert (luck.type, luck.detachment, luck.is_core, luck.faction) == ("Epic Deed", "Core", True, None)
    assert [sheet.stratagems for sheet in documents["Datasheets"].datasheets] == [(0, 1), ()]
    assert [rule.title for rule in documents["Stratagems"].rules] == ["STEP"]
    assert {"stratagem_as_rule", "stratagem_field_missing", "row_unreadable"} <= codes(documents["Stratagems"])
    assert "without_rule" in codes(documents["Datasheets_stratagems"])


def test_detachment_rules_and_enhancements(tmp_path: Path) -> None:
    tables = {
        "Detachment_abilities": [
            {
                "id": "1",
                "faction_id": "TF",
                "name": "Drill",
                "legend": "They drill.",
                "description": "March.",
                "detachment": "Test Host",
            }
        ],
        "Enhancements": [
            {
                "id": "1",
                "faction_id": "TF",
                "name": "Hat",
                "cost": "+15",
                "detachment": "Test Host",
                "description": "<span>TESTER</span> model only. It is tall.",
            },
            {
                "id": "2",
                "faction_id": "TF",
                "name": "Boots",
                "cost": "0",
                "detachment": "Deck Crew",
                "description": "They fit.",
            },
        ],
    }
    main = read(tmp_path, tables)["Datasheets"]
    (rule,) = main.detachment_rules
    assert (rule.name, rule.detachment, rule.text, rule.faction, rule.line) == (
        "Drill",
        "Test Host",
        "March.",
        "Testing Faction",
        2,
    )
    hat, boots = main.enhancements
    assert (hat.points, hat.eligibility_text, hat.description) == (15, "TESTER model only.", "It is tall.")
    assert (boots.points, boots.eligibility_text, boots.description) == (None, None, "They fit.")
