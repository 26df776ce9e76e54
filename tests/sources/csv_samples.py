"""Small exports of invented units, written as published or as people's programs leave them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipelines.records import Datasheet, Document, Issue
from pipelines.sources.csv_export import read_export

COLUMNS = {
    "Datasheets": "id name faction_id source_id legend role loadout transport virtual leader_head leader_footer "
    "damaged_w damaged_description link",
    "Datasheets_abilities": "datasheet_id line ability_id model name description type parameter",
    "Datasheets_keywords": "datasheet_id keyword model is_faction_keyword",
    "Datasheets_leader": "leader_id attached_id",
    "Datasheets_models": "datasheet_id line name M T Sv inv_sv inv_sv_descr W Ld OC base_size base_size_descr",
    "Datasheets_models_cost": "datasheet_id line description cost",
    "Datasheets_options": "datasheet_id line button description",
    "Datasheets_stratagems": "datasheet_id stratagem_id",
    "Datasheets_enhancements": "datasheet_id enhancement_id",
    "Datasheets_unit_composition": "datasheet_id line description",
    "Datasheets_wargear": "datasheet_id line line_in_wargear dice name description range type A BS_WS S AP D",
    "Detachment_abilities": "id faction_id name legend description detachment detachment_id",
    "Detachments": "id faction_id name legend type",
    "Enhancements": "faction_id id name cost detachment detachment_id legend description",
    "Factions": "id name link",
    "Last_update": "last_update",
    "Source": "id name type edition version errata_date errata_link",
    "Stratagems": "faction_id name id type cp_cost legend turn phase detachment detachment_id description",
    "Abilities": "id name legend faction_id description",
}

Rows = Sequence[Mapping[str, str]]

MODEL = {"datasheet_id": "1", "line": "1", "M": '6"', "T": "4", "Sv": "3+", "W": "2", "Ld": "6+", "OC": "1"}
WEAPON = {"datasheet_id": "1", "range": "24", "type": "Ranged", "A": "1", "BS_WS": "3", "S": "4", "AP": "0", "D": "1"}


def datasheet(**cells: str) -> dict[str, str]:
    return {"id": "1", "name": "Testers", "faction_id": "TF", "virtual": "false", **cells}


def model(**cells: str) -> dict[str, str]:
    return {**MODEL, "name": "Tester", "inv_sv": "-", **cells}


def weapon(name: str = "Test gun", **cells: str) -> dict[str, str]:
    return {**WEAPON, "name": name, **cells}


def of_unit(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Rows of the first datasheet, numbered."""
    return [{"datasheet_id": "1", "line": str(number), **row} for number, row in enumerate(rows, 1)]


def described(*texts: str) -> list[dict[str, str]]:
    return of_unit([{"description": text} for text in texts])


def priced(*prices: tuple[str, str]) -> list[dict[str, str]]:
    return of_unit([{"description": text, "cost": cost} for text, cost in prices])


def plain_table(name: str, rows: Rows, *, columns: Sequence[str] | None = None) -> str:
    """A table as published, without its byte-order mark."""
    columns = columns or COLUMNS[name].split()
    lines = ["|".join(columns), *("|".join(row.get(column, "") for column in columns) for row in rows)]
    return "".join(f"{line}|\n" for line in lines)


def resaved_table(name: str, rows: Rows, delimiter: str = ",") -> str:
    """A table as a spreadsheet saves it, with quotes where they are needed."""
    columns = COLUMNS[name].split()
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows([row.get(column, "") for column in columns] for row in rows)
    return stream.getvalue()


def write_export(folder: Path, tables: Mapping[str, Rows]) -> Path:
    """An export as published; a Datasheets and a Factions table are added where none is given."""
    folder.mkdir(parents=True, exist_ok=True)
    complete: dict[str, Rows] = {
        "Datasheets": [datasheet()],
        "Factions": [{"id": "TF", "name": "Testing Faction"}],
        **tables,
    }
    for name, rows in complete.items():
        text = "\ufeff" + plain_table(name, rows).replace("\n", "\r\n")
        (folder / f"{name}.csv").write_bytes(text.encode())
    return folder


def read(folder: Path, tables: Mapping[str, Rows]) -> dict[str, Document]:
    """The documents of a written export by table."""
    return by_table(read_export(write_export(folder, tables)))


def by_table(documents: Sequence[Document]) -> dict[str, Document]:
    return {str(document.title): document for document in documents}


def only_unit(documents: Mapping[str, Document]) -> Datasheet:
    (found,) = documents["Datasheets"].datasheets
    return found


def issue(document: Document, code: str) -> Issue:
    """The one issue with that code."""
    (found,) = [issue for issue in document.issues if issue.code == code]
    return found


def codes(document: Document) -> set[str]:
    return {issue.code for issue in document.issues}
