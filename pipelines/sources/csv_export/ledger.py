"""Accounting for rows: what was read, kept, set aside and why.

Belongs here: counting, the few issues that say it, the account that a run prints. Doesn't: deciding what becomes of
a row.

A file of ten thousand rows with a common quirk gives one issue with a count and the first lines, not ten thousand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePath

from pipelines.records import Document, Issue, RowCount, Severity

_SHOWN_LINES = 5
_SHOWN_EXCERPTS = 12
_LONGEST_EXCERPT = 200

# What happens to rows and cells: severity and what an issue says of them. Rows with the first kinds give no record.
DROPS: dict[str, tuple[Severity, str]] = {
    "exact_duplicate": ("info", "exact duplicates of an earlier row"),
    "row_malformed": ("warning", "rows whose cells don't fit the columns"),
    "row_unread": ("warning", "lines behind the place where the file stops being a table"),
    "without_datasheet": ("info", "rows whose datasheet is in no row of the Datasheets table"),
    "id_repeated": ("warning", "rows with an id that an earlier row has; the first is kept"),
    "weaponless_unit": ("info", "nameless rows that stand for a unit without weapons"),
    "row_empty": ("info", "rows without the one thing that they are there for"),
    "row_unreadable": ("warning", "rows with a value that can't be read"),
    "without_rule": ("info", "rows that link to an id that no table explains"),
    "no_option": ("info", "rows that say that there are no options"),
    "cost_repeated": ("info", "prices that stand there twice"),
    "cost_unreadable": ("warning", "prices that can't be read"),
    "price_of_zero": ("info", "prices of 0, taken as none"),
    "no_place": ("info", "rows about detachments, for which the records have no place"),
}
NOTES: dict[str, tuple[Severity, str]] = {
    "row_short": ("warning", "rows with fewer cells than columns, read as empty at the end"),
    "cost_header": ("info", "rows that head a block of prices"),
    "composition_note_unread": ("info", "composition lines without a count, kept out of the composition"),
    "composition_alternative": ("info", "lines that open an alternative composition"),
    "unknown_weapon_ability": ("warning", "weapons with an ability that isn't known; it is kept by name"),
    "weapon_ability_value_missing": ("warning", "weapons with an ability printed without its number"),
    "option_footnote": ("info", "lines that explain options above them, added to the option's text"),
    "wargear_option_unstructured": ("info", "options that are not understood, kept as text"),
    "loadout_unread": ("info", "datasheets whose default equipment isn't told for every model"),
    "loadout_item_unknown": ("info", "datasheets with default equipment that is no weapon of theirs"),
    "invulnerable_condition_kept_out": ("warning", "invulnerable saves of one model only, not given to all"),
    "invulnerable_condition_unread": ("info", "invulnerable saves with a further condition that isn't modelled"),
    "feel_no_pain_unread": ("warning", "Feel No Pain with a condition that isn't modelled; not in the stat line"),
    "damaged_unread": ("warning", "damaged brackets whose wounds can't be read, kept as an ability"),
    "characteristic_starred": ("info", "characteristics with a star, read as their number"),
    "characteristic_unread": ("warning", "characteristics that are no number, left unknown"),
    "stratagem_as_rule": ("info", "rows without type and price: a faction's rules rather than stratagems"),
    "stratagem_field_missing": ("warning", "stratagems without one of WHEN, TARGET and EFFECT"),
    "enhancement_without_points": ("info", "enhancements with a price of 0, taken as none"),
    "virtual_datasheet": ("info", "datasheets marked as virtual: no unit that can be fielded as it stands"),
}


@dataclass(slots=True)
class _Entry:
    count: int = 0
    lines: list[int] = field(default_factory=list)
    excerpts: dict[str, None] = field(default_factory=dict)


class Ledger:
    """The account of one file: each row read is kept or dropped for one reason; notes don't drop it."""

    def __init__(self) -> None:
        self.read = 0
        self.drops: dict[str, _Entry] = defaultdict(_Entry)
        self.notes: dict[str, _Entry] = defaultdict(_Entry)

    @property
    def dropped(self) -> int:
        """Rows that gave nothing, whatever the reason."""
        return sum(entry.count for entry in self.drops.values())

    @property
    def kept(self) -> int:
        """Rows that became, or became part of, a record."""
        return self.read - self.dropped

    def drop(self, code: str, line: int, excerpt: str = "", count: int = 1) -> None:
        """Account for a row, or several from a line on, that give nothing."""
        _add(self.drops[code], line, excerpt, count)

    def note(self, code: str, line: int, excerpt: str = "") -> None:
        """Say something of a row that is kept."""
        _add(self.notes[code], line, excerpt)

    def counts(self) -> dict[str, int]:
        """Number of dropped rows by reason."""
        return {code: entry.count for code, entry in self.drops.items()}

    def issues(self) -> list[Issue]:
        """The account as one issue, then one for each kind of quirk."""
        parts = [f"{self.read} rows read", f"{self.kept} kept"]
        parts += [f"{entry.count} {DROPS[code][1]}" for code, entry in self.drops.items()]
        found = [Issue("info", "rows_accounted", ", ".join(parts))]
        for kinds, entries in ((DROPS, self.drops), (NOTES, self.notes)):
            found += [_issue(code, *kinds[code], entry) for code, entry in entries.items()]
        return found


def account_lines(documents: Iterable[Document]) -> list[str]:
    """The account of each export that was read, for people: a line a table and a total, rows in = kept + reported."""
    exports: dict[str, list[tuple[str, RowCount]]] = defaultdict(list)
    for document in documents:
        if document.row_count is not None:
            folder = str(PurePath(document.path).parent)
            exports[folder].append((document.title or document.path, document.row_count))
    lines = []
    for folder, counts in exports.items():
        lines.append("rows of the CSV export" + ("" if folder == "." else f" in {folder}"))
        total = RowCount(sum(one.rows_in for _, one in counts), sum(one.rows_kept for _, one in counts))
        lines += [_account_line(name, one) for name, one in (*counts, ("all tables", total))]
    return lines


def _account_line(name: str, count: RowCount) -> str:
    reported = count.rows_in - count.rows_kept
    return f"  {name}: {count.rows_in:,} in = {count.rows_kept:,} kept + {reported:,} reported"


def _add(entry: _Entry, line: int, excerpt: str, count: int = 1) -> None:
    entry.count += count
    if len(entry.lines) < _SHOWN_LINES:
        entry.lines.append(line)
    if excerpt and len(entry.excerpts) < _SHOWN_EXCERPTS:
        entry.excerpts[excerpt[:_LONGEST_EXCERPT]] = None


def _issue(code: str, severity: Severity, what: str, entry: _Entry) -> Issue:
    more = ", …" if entry.count > len(entry.lines) else ""
    message = f"{entry.count} {what} (lines {', '.join(map(str, entry.lines))}{more})"
    excerpt = "; ".join(entry.excerpts)[:_LONGEST_EXCERPT] or None
    return Issue(severity, code, message, entry.lines[0], excerpt)
