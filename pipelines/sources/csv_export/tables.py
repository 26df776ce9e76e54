"""Reading the files of an export as tables: encoding, delimiter, header, rows.

Belongs here: everything between the bytes of a file and cells by column name, whatever a spreadsheet did to them.
Doesn't: what a cell means.

The published form has a byte-order mark, ``|`` between and behind the cells, and no quoting. People's copies have the
mark twice, tails of commas, padded cells, no closing delimiter, or were saved with commas or semicolons and quotes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.records import Issue
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.files import RawFile, decoded_file, read_raw

MAX_BYTES = 64 * 1024 * 1024  # an export holds up to 2 MB a file; a copy may join several
MAX_COLUMNS = 64

_HEAD_BYTES = 8192
_DELIMITERS = ("|", ",", ";", "\t")
# The mark itself, and how it looks after a program took its bytes for Windows-1252 and encoded them anew.
_MARKS = ("\ufeff", "ï»¿")
_COMMA_TAIL = re.compile(r",+$")

# Which columns tell a table, most telling first: a file belongs to the first entry that it satisfies. The second
# set names columns that the table never has.
_SIGNATURES: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = tuple(
    (name, frozenset(required.split()), frozenset(forbidden.split()))
    for name, required, forbidden in (
        ("Datasheets_wargear", "datasheet_id name range a bs_ws s ap d", ""),
        ("Datasheets_models_cost", "datasheet_id description cost", "name"),
        ("Datasheets_models", "datasheet_id name m t sv w", ""),
        ("Datasheets_options", "datasheet_id button description", ""),
        ("Datasheets_abilities", "datasheet_id ability_id type", ""),
        ("Datasheets_keywords", "datasheet_id keyword is_faction_keyword", ""),
        ("Datasheets_leader", "leader_id attached_id", ""),
        ("Datasheets_stratagems", "datasheet_id stratagem_id", ""),
        ("Datasheets_enhancements", "datasheet_id enhancement_id", ""),
        ("Datasheets_detachment_abilities", "datasheet_id detachment_ability_id", ""),
        ("Datasheets_unit_composition", "datasheet_id line description", "name cost type"),
        ("Datasheets", "id name faction_id loadout", "datasheet_id"),
        ("Stratagems", "id name type cp_cost description", ""),
        ("Enhancements", "id name cost detachment description", ""),
        ("Detachment_abilities", "id name faction_id detachment description", ""),
        ("Abilities", "id name faction_id description", "type"),
        ("Detachments", "id faction_id name legend type", "description"),
        ("Source", "id name type edition", ""),
        ("Factions", "id name link", "faction_id"),
        ("Last_update", "last_update", ""),
    )
)

TABLE_NAMES = tuple(name for name, _, _ in _SIGNATURES)


class Row:
    """One row: its line in the file and its cells, trimmed, by column name in lower case."""

    __slots__ = ("_cells", "line")

    def __init__(self, line: int, cells: Mapping[str, str]) -> None:
        self.line = line
        self._cells = cells

    def __getitem__(self, column: str) -> str:
        """The cell, "" where the table has no such column."""
        return self._cells.get(column, "")


@dataclass(slots=True)
class Table:
    """A file of the export. ``rows``: what is left after blank, unreadable and repeated rows were counted away."""

    name: str
    raw: RawFile
    rows: Sequence[Row] = ()
    ledger: Ledger = field(default_factory=Ledger)
    issues: list[Issue] = field(default_factory=list)
    line_count: int | None = None

    @property
    def is_refused(self) -> bool:
        """Whether none of its rows could be read."""
        return self.line_count is None


@dataclass(frozen=True, slots=True)
class _Header:
    name: str
    columns: tuple[str, ...]
    delimiter: str
    has_comma_tail: bool


def table_files(folder: Path) -> dict[Path, str]:
    """Files directly in the folder whose first line is the header of a known table, in order of their names."""
    found: dict[Path, str] = {}
    try:
        files = sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    except OSError:
        return found
    for path in files:
        header = _header(_first_line(path))
        if header is not None:
            found[path] = header.name
    return found


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError:
        return ""
    return _without_marks(head.decode("utf-8", "replace")).partition("\n")[0]


def _without_marks(text: str) -> str:
    while text.startswith(_MARKS):
        text = text.removeprefix(_MARKS[0]).removeprefix(_MARKS[1])
    return text


def _header(line: str) -> _Header | None:
    """What the first line is the header of; None where it is none that is known."""
    stripped = line.strip()
    for delimiter in _DELIMITERS:
        if delimiter not in stripped and delimiter != "|":
            continue
        has_tail = delimiter == "|" and _COMMA_TAIL.search(stripped) is not None
        cells = _split(stripped, delimiter, has_tail)
        columns = tuple(cell.strip().lower() for cell in cells)
        while columns and not columns[-1]:
            columns = columns[:-1]
        if len(columns) > MAX_COLUMNS:
            continue
        present = set(columns)
        for name, required, forbidden in _SIGNATURES:
            if required <= present and not forbidden & present:
                return _Header(name, columns, delimiter, has_tail)
    return None


def _split(line: str, delimiter: str, has_comma_tail: bool) -> list[str]:
    """The cells of one line. Behind a spreadsheet's comma tail the line itself may have been quoted as its cells."""
    if delimiter != "|":
        return _unquoted(line, delimiter)
    if has_comma_tail:
        if line.startswith('"') or ',"' in line:
            line = ",".join(_unquoted(line, ","))
        line = _COMMA_TAIL.sub("", line)
    return line.split("|")


def _unquoted(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # a stray carriage return, or a cell beyond the module's limit
        return line.split(delimiter)


def read_table(path: Path, *, root: Path | None = None) -> Table | None:
    """Read one file; None where its header is no known table's. Never raises for what it finds there."""
    raw = _raw(path, root)
    if raw.text is None:
        name = _header(_first_line(path))
        return Table(name.name if name else path.stem, raw, issues=list(raw.issues))
    text = _without_marks(raw.text)
    if not text.strip():
        return None
    header = _header(text.partition("\n")[0])
    if header is None:
        return None
    table = Table(header.name, raw, issues=list(raw.issues))
    table.line_count = raw.text.count("\n") + (not raw.text.endswith("\n"))
    if text != raw.text:
        table.issues.append(Issue("info", "byte_order_mark_repeated", "the byte-order mark stands there twice", 1))
    if header.delimiter != "|" or header.has_comma_tail:
        message = f"not as published but saved anew by another program (cells end at {header.delimiter!r})"
        table.issues.append(Issue("info", "export_saved_anew", message, 1))
    table.rows = _rows(text, header, table)
    return table


def _raw(path: Path, root: Path | None) -> RawFile:
    """The file within this source's own limit of size; all other limits are those of every raw file."""
    raw = read_raw(path, root=root)
    is_too_large = raw.text is None and any(issue.code == "file_too_large" for issue in raw.issues)
    if not is_too_large or raw.byte_count > MAX_BYTES:
        return raw
    with path.open("rb") as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) != raw.byte_count:  # it grew while it was being read
        return raw
    return decoded_file(data, raw.path)


def _rows(text: str, header: _Header, table: Table) -> list[Row]:
    """Rows with as many cells as the header; blank ones, ones of another shape and exact copies are counted."""
    width = len(header.columns)
    rows: list[Row] = []
    seen: set[tuple[str, ...]] = set()
    ledger = table.ledger
    for line, cells in _lines(text, header, table):
        trimmed = tuple(cell.strip() for cell in cells)
        if not any(trimmed):
            continue
        ledger.read += 1
        if any(cell.strip(",") for cell in trimmed[width:]):
            ledger.drop("row_malformed", line, "|".join(trimmed))
            continue
        if len(trimmed) < width:
            # What a spreadsheet leaves away are empty cells at the end; a row with one cell is the rest of another.
            if len(trimmed) < 2:
                ledger.drop("row_malformed", line, "|".join(trimmed))
                continue
            ledger.note("row_short", line, "|".join(trimmed))
            trimmed += ("",) * (width - len(trimmed))
        trimmed = trimmed[:width]
        if trimmed in seen:
            ledger.drop("exact_duplicate", line)
            continue
        seen.add(trimmed)
        rows.append(Row(line, dict(zip(header.columns, trimmed, strict=True))))
    return rows


def _lines(text: str, header: _Header, table: Table) -> Iterator[tuple[int, Iterable[str]]]:
    """(line, cells) of each line behind the header; of a quoted file, of each record."""
    lines = text.split("\n")
    if header.delimiter == "|":
        for number, line in enumerate(lines[1:], 2):
            if line and line != "\r":
                yield number, _split(line.rstrip("\r"), "|", header.has_comma_tail)
        return
    reader = csv.reader((f"{line}\n" for line in lines[1:]), delimiter=header.delimiter)
    start = 2
    try:
        for cells in reader:
            yield start, cells
            start = reader.line_num + 2
    except csv.Error as error:
        unread = len(lines) - start + 1
        message = f"no table from here on ({error}): {unread} lines are not read"
        table.issues.append(Issue("error", "rows_unread", message, start))
        table.ledger.read += unread
        table.ledger.drop("row_unread", start, count=unread)
