"""A folder of tables as documents: joining the rows of a datasheet.

Belongs here: which table goes where, and the account of each file. Doesn't: what the rows of a table mean.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pipelines.identity import fold, singular
from pipelines.records import (
    Composition,
    Datasheet,
    Document,
    Issue,
    ModelProfile,
    RowCount,
    RuleBlock,
    Stratagem,
    UnitAbility,
)
from pipelines.sources.csv_export.abilities import damaged_ability, read_abilities, read_bracket, read_keywords
from pipelines.sources.csv_export.compositions import read_composition
from pipelines.sources.csv_export.costs import is_tier_header, read_costs
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.loadouts import read_loadout
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.csv_export.models import read_models, with_core_abilities
from pipelines.sources.csv_export.options import read_options
from pipelines.sources.csv_export.rules import (
    read_detachment_rules,
    read_enhancements,
    read_shared_abilities,
    read_stratagems,
)
from pipelines.sources.csv_export.tables import TABLE_NAMES, Row, Table, read_table, table_files
from pipelines.sources.csv_export.weapons import read_weapons, shows_eleventh_edition

DEFAULT_EDITION = "10e"
_NEW_EDITION = "11e"

_DATASHEETS = "Datasheets"
# Tables whose absence leaves datasheets poorer; the others only explain or link.
_EXPECTED = tuple(name for name in TABLE_NAMES if name not in ("Source", "Detachments", "Last_update"))
_WITHOUT_PLACE = ("Datasheets_enhancements", "Datasheets_detachment_abilities")
_ISO_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b.*")
_DOTTED_DATE = re.compile(r"(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})\b.*")
_LEGENDS = re.compile(r"\blegends\b", re.IGNORECASE)

Availability = Literal["legends", "virtual"]


def is_export(folder: Path) -> bool:
    """Whether a folder holds an export: the Datasheets table and another one, told by their headers."""
    names = set(table_files(folder).values())
    return _DATASHEETS in names and len(names) > 1


def export_files(folder: Path) -> list[Path]:
    """The files of a folder that ``read_export`` reads."""
    return list(table_files(folder))


def read_export(folder: Path, *, root: Path | None = None) -> list[Document]:
    """One document for each table's file; that of Datasheets carries all datasheets and the rules of detachments.

    ``root``: the raw folder the export lies in; a link out of it is refused and paths are stored relative to it.
    A file that can't be read, and a second file of the same table, becomes a quarantined document that says why.
    """
    tables: dict[str, Table] = {}
    others: list[Table] = []
    for path, name in _best_named_first(table_files(folder)):
        table = read_table(path, root=root)
        if table is None:
            continue
        known = tables.get(name)
        if known is None:
            tables[name] = table
        else:
            message = f"a second file with the columns of {name}; {known.raw.path} is read"
            table.issues.append(Issue("error", "table_twice", message, 1))
            others.append(table)
    return _Export(tables).documents(others)


def _best_named_first(files: Mapping[Path, str]) -> list[tuple[Path, str]]:
    """Of two files with the same columns, the one with the published name is the table, the other a copy."""
    return sorted(files.items(), key=lambda entry: (fold(entry[0].stem) != fold(entry[1]), entry[0].name))


class _Export:
    """The tables of one export, and look-ups over them."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._tables = tables
        self._dated = _date(self._rows("Last_update"))
        self._ids = {row["id"] for row in self._rows(_DATASHEETS)}
        self._names = {row["id"]: plain(row["name"]) for row in self._rows(_DATASHEETS)}
        self._factions = {row["id"]: plain(row["name"]) for row in self._rows("Factions")}
        self._sources = {row["id"]: plain(row["name"]) for row in self._rows("Source")}
        self._abilities = {row["id"]: plain(row["name"]) for row in self._rows("Abilities")}
        self._children = {name: self._by_datasheet(name) for name in tables if name.startswith("Datasheets_")}
        self._edition = _NEW_EDITION if self._shows_new_prices() else DEFAULT_EDITION
        self._weapons = {
            key: read_weapons(rows, self._ledger("Datasheets_wargear"))
            for key, rows in self._children.get("Datasheets_wargear", {}).items()
        }
        if any(shows_eleventh_edition(one.abilities) for own in self._weapons.values() for one in own):
            self._edition = _NEW_EDITION

    def _rows(self, name: str) -> Sequence[Row]:
        return self._tables[name].rows if name in self._tables else ()

    def _ledger(self, name: str) -> Ledger:
        """The account of a table; one that nobody reads where the export lacks the table."""
        return self._tables[name].ledger if name in self._tables else Ledger()

    def _by_datasheet(self, name: str) -> dict[str, list[Row]]:
        """Rows by the datasheet they belong to; orphans are counted."""
        column = "leader_id" if name == "Datasheets_leader" else "datasheet_id"
        found: dict[str, list[Row]] = defaultdict(list)
        ledger = self._ledger(name)
        for row in self._rows(name):
            if row[column] not in self._ids:
                ledger.drop("without_datasheet", row.line, row[column])
            elif name in _WITHOUT_PLACE:
                ledger.drop("no_place", row.line)
            else:
                found[row[column]].append(row)
        return found

    def _shows_new_prices(self) -> bool:
        return any(is_tier_header(row) for row in self._rows("Datasheets_models_cost"))

    def documents(self, others: Sequence[Table]) -> list[Document]:
        """A document for each table, and one for each file that repeats a table, in order of their paths."""
        stratagems, positions, more_rules = read_stratagems(
            self._rows("Stratagems"), self._factions, self._ledger("Stratagems")
        )
        rules = {
            "Abilities": read_shared_abilities(self._rows("Abilities"), self._ledger("Abilities")),
            "Stratagems": more_rules,
        }
        datasheets = self._datasheets(positions)
        for row in self._rows("Detachments"):
            self._ledger("Detachments").drop("no_place", row.line)
        found = [
            self._main_document(table, datasheets, stratagems)
            if name == _DATASHEETS
            else self._document(table, rules.get(name, ()))
            for name, table in self._tables.items()
        ]
        found += [self._document(table) for table in others]
        return sorted(found, key=lambda document: document.path)

    def _main_document(
        self, table: Table, datasheets: tuple[Datasheet, ...], stratagems: tuple[Stratagem, ...]
    ) -> Document:
        detachment_rules = read_detachment_rules(
            self._rows("Detachment_abilities"), self._factions, self._ledger("Detachment_abilities")
        )
        enhancements = read_enhancements(self._rows("Enhancements"), self._factions, self._ledger("Enhancements"))
        missing = [name for name in _EXPECTED if name not in self._tables]
        if missing:
            message = f"the export lacks {', '.join(missing)}: what they say is unknown"
            table.issues.append(Issue("warning", "table_missing", message))
        return replace(
            self._document(table),
            datasheets=datasheets,
            stratagems=stratagems,
            detachment_rules=detachment_rules,
            enhancements=enhancements,
        )

    def _document(self, table: Table, rules: tuple[RuleBlock, ...] = ()) -> Document:
        has_errors = any(issue.severity == "error" for issue in table.issues)
        is_left_out = table.is_refused or any(issue.code == "table_twice" for issue in table.issues)
        account = [] if is_left_out else table.ledger.issues()
        kept = 0 if is_left_out else table.ledger.kept
        return Document(
            document_id=table.raw.document_id,
            path=table.raw.path,
            source_kind="csv_export",
            byte_count=table.raw.byte_count,
            status="quarantined" if is_left_out else "partial" if has_errors else "parsed",
            edition=self._edition,
            edition_source="printed" if self._edition == _NEW_EDITION else "declared_default",
            title=table.name,
            line_count=table.line_count,
            dated=self._dated,
            issues=(*table.issues, *account),
            rules=rules,
            row_count=None if table.is_refused else RowCount(table.ledger.read, kept),
        )

    def _datasheets(self, stratagems: Mapping[str, int]) -> tuple[Datasheet, ...]:
        found: dict[str, Datasheet] = {}
        ledger = self._ledger(_DATASHEETS)
        for row in self._rows(_DATASHEETS):
            if not row["id"] or not plain(row["name"]):
                ledger.drop("row_empty", row.line)
            elif row["id"] in found:
                ledger.drop("id_repeated", row.line, row["id"])
            else:
                found[row["id"]] = self._datasheet(row, stratagems)
        return tuple(found.values())

    def _own(self, name: str, row: Row) -> Sequence[Row]:
        return self._children.get(name, {}).get(row["id"], ())

    def _datasheet(self, row: Row, stratagems: Mapping[str, int]) -> Datasheet:
        faction = self._factions.get(row["faction_id"])
        weapons = self._weapons.get(row["id"], ())
        abilities = read_abilities(
            self._own("Datasheets_abilities", row), self._abilities, self._ledger("Datasheets_abilities")
        )
        composition, models = self._models(row)
        model_names = [entry.model_name for entry in composition] + [model.model_name for model in models]
        return Datasheet(
            name=plain(row["name"]),
            collection=faction,
            faction=faction or row["faction_id"] or None,
            edition=self._edition,
            source_key=row["id"],
            models=with_core_abilities(models, abilities, self._ledger("Datasheets_abilities")),
            costs=read_costs(
                self._own("Datasheets_models_cost", row),
                self._ledger("Datasheets_models_cost"),
                models=frozenset(singular(name) for name in model_names),
                priced_at=self._dated,
            ),
            composition=self._equipped(row, composition, abilities),
            keywords=read_keywords(self._own("Datasheets_keywords", row), self._ledger("Datasheets_keywords")),
            abilities=abilities + damaged_ability(row),
            wargear_options=read_options(
                self._own("Datasheets_options", row),
                self._ledger("Datasheets_options"),
                tuple(dict.fromkeys(weapon.weapon_name for weapon in weapons)),
            ),
            weapons=weapons,
            leads=self._leads(row),
            line=row.line,
            stratagems=self._stratagem_links(row, stratagems),
            availability=self._availability(row),
            damaged=read_bracket(row, self._ledger(_DATASHEETS)),
        )

    def _models(self, row: Row) -> tuple[tuple[Composition, ...], tuple[ModelProfile, ...]]:
        composition = read_composition(
            self._own("Datasheets_unit_composition", row), self._ledger("Datasheets_unit_composition")
        )
        rows = self._own("Datasheets_models", row)
        return composition, read_models(rows, plain(row["name"]), self._ledger("Datasheets_models"))

    def _equipped(
        self, row: Row, composition: tuple[Composition, ...], abilities: tuple[UnitAbility, ...]
    ) -> tuple[Composition, ...]:
        weapons = self._weapons.get(row["id"])
        if weapons == ():  # a row says so: the unit has no weapons, whatever wargear its models have
            return tuple(replace(entry, default_weapons=()) for entry in composition)
        return read_loadout(row, composition, weapons or (), abilities, self._ledger(_DATASHEETS))

    def _leads(self, row: Row) -> tuple[str, ...] | None:
        """Names of the units that it can be attached to; None where the export has no table of them."""
        if "Datasheets_leader" not in self._tables:
            return None
        ledger = self._ledger("Datasheets_leader")
        names: dict[str, None] = {}
        for link in self._own("Datasheets_leader", row):
            name = self._names.get(link["attached_id"])
            if name:
                names[name] = None
            else:
                ledger.drop("without_datasheet", link.line, link["attached_id"])
        return tuple(names)

    def _stratagem_links(self, row: Row, positions: Mapping[str, int]) -> tuple[int, ...] | None:
        """Positions of its stratagems in the document's; () where the export doesn't say which they are.

        All of an export's stratagems, which None would mean, are never one unit's.
        """
        ledger = self._ledger("Datasheets_stratagems")
        found: dict[int, None] = {}
        for link in self._own("Datasheets_stratagems", row):
            position = positions.get(link["stratagem_id"])
            if position is None:
                ledger.drop("without_rule", link.line, link["stratagem_id"])
            else:
                found[position] = None
        return tuple(sorted(found))

    def _availability(self, row: Row) -> Availability | None:
        if row["virtual"].casefold() == "true":
            self._ledger(_DATASHEETS).note("virtual_datasheet", row.line, plain(row["name"]))
            return "virtual"
        source = self._sources.get(row["source_id"], "")
        return "legends" if _LEGENDS.search(source) else None


def _date(rows: Sequence[Row]) -> str | None:
    """The day of the last update as YYYY-MM-DD."""
    cell = rows[0]["last_update"] if rows else ""
    match = _ISO_DATE.fullmatch(cell) or _DOTTED_DATE.fullmatch(cell)
    return f"{match['year']}-{int(match['month']):02}-{int(match['day']):02}" if match else None
