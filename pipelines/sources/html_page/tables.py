"""Weapon tables and price tables of a card.

Belongs here: rows and cells, which table a row belongs to, weapons and costs. Doesn't: single values
(``sources.values``), other sections.

End tags of rows and cells may be missing; a cell that then lies in another one is still a cell of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bs4.element import NavigableString, Tag

from pipelines.identity import clean, fold
from pipelines.records import AttackType, Cost, WeaponAbility, WeaponProfile
from pipelines.sources.html_page.markup import CELL_ENDS, CardMarkup, classes, is_keyword_span, walk
from pipelines.sources.html_page.notes import Notes
from pipelines.sources.values import CELL_READERS, COLUMNS
from pipelines.sources.weapon_abilities import parse_weapon_abilities

_HEADING = re.compile(r"(RANGED|MELEE) WEAPONS", re.IGNORECASE)
_DICE_RANGE = re.compile(r"[1-6](?:\s*[-–]\s*[1-6])?")
_PROFILE_SEPARATOR = re.compile(r" [–-] ")
_MARKERS = " ➤►•"
_COST_CLASSES = ("dsUnitCostHeader", "PriceTag")
_MODELS = re.compile(r"[0-9]{1,3}\b.*\bmodels?\b.*", re.IGNORECASE)
_PRICE = re.compile(r"(?P<plus>\+?)\s*(?P<points>[0-9]{1,4})(?:\s*(?:pts|points))?", re.IGNORECASE)
_CONDITION = re.compile(r"\((?P<condition>[^()]{1,120})\)")
_NUMBER = re.compile(r"[0-9]{1,3}")
_RANGE_OF_MODELS = re.compile(r"(?P<least>[0-9]{1,3})\s*[-–]\s*(?P<most>[0-9]{1,3})\b.*")
_TIER = re.compile(r"(?P<first>[0-9]{1,2})(?:ST|ND|RD|TH)(?:(?P<more>\s*\+)|\s*(?:TO|-|–)\s*(?P<last>[0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row with its cells' texts, and the table it lies in (0: none)."""

    tag: Tag
    table: int
    cells: tuple[Tag, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    attack_type: AttackType
    names: tuple[str, ...]


def read_tables(card: CardMarkup, notes: Notes) -> tuple[tuple[WeaponProfile, ...], tuple[Cost, ...], bool]:
    """Weapons and costs of a card, and whether it holds a weapon table at all."""
    weapons = _Weapons(card, notes)
    costs = _Costs(card, notes)
    rows = [_row(card, tag) for tag in card.by_tag("tr")]
    for row in rows:
        if any(row.texts) and not weapons.take(row):
            costs.take(row)
    weapons.close()
    costs.close()
    return tuple(weapons.profiles), tuple(costs.costs), weapons.has_table


def _row(card: CardMarkup, tag: Tag) -> _Row:
    cells = []
    for event, node in walk(tag, lambda inner: inner.name in ("tr", "table")):
        if event == "enter" and isinstance(node, Tag) and node.name in ("td", "th"):
            cells.append(node)
    table = tag.find_parent("table")
    return _Row(tag, id(table) if table is not None else 0, tuple(cells), tuple(_peek(card, cell) for cell in cells))


def _peek(card: CardMarkup, cell: Tag) -> str:
    return card.peek(cell, CELL_ENDS)


def _mark(card: CardMarkup, row: _Row) -> None:
    for cell in row.cells:
        card.text(cell, CELL_ENDS)


class _Weapons:
    """Reads weapon rows; a weapon is printed twice, as a row with its name alone and as a row with its values."""

    def __init__(self, card: CardMarkup, notes: Notes) -> None:
        self._card = card
        self._notes = notes
        self._columns: _Columns | None = None
        self._table = 0
        self._named: tuple[str, int] | None = None
        self.has_table = False
        self.profiles: list[WeaponProfile] = []

    def take(self, row: _Row) -> bool:
        """Read a row if it belongs to a weapon table."""
        heading = next((at for at, text in enumerate(row.texts) if _HEADING.fullmatch(text)), None)
        if row.table != self._table or heading is not None:
            self.close()
            self._columns = None
        self._table = row.table
        if heading is not None:
            self.has_table = True
            self._read_heading(row, heading)
            return True
        if self._columns is None:
            return False
        self._read_row(row, self._columns)
        return True

    def close(self) -> None:
        """Say so where a name has no row of values."""
        if self._named is not None:
            name, line = self._named
            self._notes.lost("weapon_profile_missing", f"{name[:80]!r} has a name row and no values", line, name)
        self._named = None

    def _read_heading(self, row: _Row, at: int) -> None:
        names = [text.upper() for text in row.texts[at + 1 :] if text]
        columns = tuple(COLUMNS.get(name, "") for name in names)
        _mark(self._card, row)
        if sorted(columns) != sorted(CELL_READERS):
            line, shown = self._card.line_of(row.tag), " ".join(row.texts)
            self._notes.lost("weapon_table_unreadable", f"unknown columns: {', '.join(names)[:80]}", line, shown)
            return
        attack_type: AttackType = "melee" if row.texts[at].upper().startswith("MELEE") else "ranged"
        self._columns = _Columns(attack_type, columns)

    def _read_row(self, row: _Row, columns: _Columns) -> None:
        line, filled = self._card.line_of(row.tag), [text for text in row.texts if text]
        is_long = any("wTable2_long" in classes(tag) for tag in (row.tag, *row.cells))
        if len(filled) == 1 and (is_long or not filled[0].endswith(".")):
            self.close()
            self._named = (filled[0], line)
            _mark(self._card, row)
            return
        if len(filled) == 1:  # a sentence below a weapon: how its profiles are chosen
            _mark(self._card, row)
            return
        at = self._name_cell(row)
        values = list(row.texts[at + 1 :])
        while values and not values[-1] and len(values) > len(columns.names):
            values.pop()
        if not row.texts[at] or len(values) != len(columns.names) or not all(values):
            self._unreadable(row, f"a weapon row of {len(filled)} cells that isn't name and values", line)
            return
        self._check_name(row.texts[at], line)
        self._add(row, at, columns, values, line)

    @staticmethod
    def _name_cell(row: _Row) -> int:
        """Index of the cell with the name: it is marked, or the first with a text that is no range of a die."""
        marked = [at for at, cell in enumerate(row.cells) if "wTable2_short" in classes(cell) and row.texts[at]]
        if marked:
            return marked[-1]
        filled = [at for at, text in enumerate(row.texts) if text]
        has_dice = len(filled) > 1 and _DICE_RANGE.fullmatch(row.texts[filled[0]]) is not None
        return filled[1] if has_dice else filled[0]

    def _unreadable(self, row: _Row, message: str, line: int) -> None:
        _mark(self._card, row)
        self._notes.lost("weapon_row_unreadable", message, line, " | ".join(row.texts))

    def _check_name(self, name: str, line: int) -> None:
        if self._named is not None and fold(self._named[0]) != fold(name):
            message = f"values of {name[:80]!r} below the name {self._named[0][:80]!r}"
            self._notes.lost("weapon_rows_disagree", message, line, name)
        self._named = None

    def _add(self, row: _Row, at: int, columns: _Columns, values: list[str], line: int) -> None:
        read: dict[str, Any] = {}
        name, abilities = self._name_and_abilities(row.cells[at], line)
        for column, cell in zip(columns.names, values, strict=True):
            try:
                read[column] = CELL_READERS[column](cell)
            except ValueError as error:
                _mark(self._card, row)
                self._notes.lost("weapon_value_unreadable", f"{name[:80]}: {column}: {error}", line, cell)
                return
        dice = next((text for text in row.texts[:at] if _DICE_RANGE.fullmatch(text)), None)
        weapon, profile = _split_profile(name)
        if not weapon:
            self._unreadable(row, "a weapon row without a name", line)
            return
        extra = [text for text in row.texts[:at] if text and text != dice]
        if extra:
            self._notes.lost("weapon_row_unreadable", f"{name[:80]}: not understood: {extra[0][:40]!r}", line)
        _mark(self._card, row)
        self.profiles.append(
            WeaponProfile(
                weapon_name=weapon,
                profile_name=profile,
                dice_range=re.sub(r"\s*[-–]\s*", "-", dice) if dice else None,
                attack_type=self._attack_type(columns, values, name, line),
                abilities=abilities,
                line=line,
                **read,
            )
        )

    def _attack_type(self, columns: _Columns, values: list[str], name: str, line: int) -> AttackType:
        """The table's, unless the RANGE cell contradicts it."""
        is_melee = values[columns.names.index("range_inches")].casefold() == "melee"
        if is_melee == (columns.attack_type == "melee"):
            return columns.attack_type
        message = f"{name[:80]}: the RANGE cell contradicts the heading {columns.attack_type.upper()} WEAPONS"
        self._notes.add("warning", "weapon_table_disagrees", message, line)
        return "melee" if is_melee else "ranged"

    def _name_and_abilities(self, cell: Tag, line: int) -> tuple[str, tuple[WeaponAbility, ...]]:
        """Before the first bracket or ability span stands the name, behind it the abilities."""
        name, spans, loose = _parts(cell)
        head, bracket, tail = name.partition("[")
        listed = f"{tail}{loose}" if bracket or any(mark in loose for mark in ",;[") else ", ".join(spans)
        abilities, issues = parse_weapon_abilities(_unbracketed(listed), line=line)
        if issues and listed == ", ".join(spans) and len(spans) > 1:
            # Without commas, each span may hold an ability or only a word of one.
            joined, joined_issues = parse_weapon_abilities(_unbracketed(" ".join(spans)), line=line)
            if len(joined_issues) < len(issues):
                abilities, issues = joined, joined_issues
        self._notes.extend(issues)
        return clean(head), abilities


def _unbracketed(listed: str) -> str:
    return clean(re.sub(r"[\[\]]", " ", listed))


def _parts(cell: Tag) -> tuple[str, list[str], str]:
    """The text before the first ability span, each outermost span, and all text from the first span on."""
    head: list[str] = []
    spans: list[str] = []
    loose: list[str] = []
    depth = 0
    for event, node in walk(cell, lambda inner: inner.name in CELL_ENDS):
        if isinstance(node, Tag) and is_keyword_span(node):
            depth += 1 if event == "enter" else -1
            if event == "enter" and depth == 1:
                spans.append("")
                loose.append(" ")
        elif isinstance(node, NavigableString):
            (loose if spans else head).append(str(node))
            if depth:
                spans[-1] += str(node)
    return "".join(head), [clean(span) for span in spans if span.strip()], "".join(loose)


def _split_profile(name: str) -> tuple[str, str | None]:
    parts = _PROFILE_SEPARATOR.split(name.strip(_MARKERS), maxsplit=1)
    return parts[0].strip(), (parts[1].strip() or None if len(parts) > 1 else None)


class _Costs:
    """Reads price rows, and the headings that say for which copies of a unit they hold."""

    def __init__(self, card: CardMarkup, notes: Notes) -> None:
        self._card = card
        self._notes = notes
        self._marked = [tag for name in _COST_CLASSES for tag in card.by_class(name)]
        self._table = 0
        self._copies: tuple[int | None, int | None] = (None, None)
        self.costs: list[Cost] = []

    def take(self, row: _Row) -> None:
        """Read a row if it is one of prices."""
        if row.table != self._table:
            self._table, self._copies = row.table, (None, None)
        filled = [text for text in row.texts if text]
        marks = {
            name
            for tag in self._marked
            if any(self._card.holds(cell, tag) for cell in row.cells)
            for name in classes(tag)
        }
        line = self._card.line_of(row.tag)
        if "dsUnitCostHeader" in marks:
            _mark(self._card, row)
            self._read_heading(" ".join(filled), line)
        elif "PriceTag" in marks or (len(filled) == 2 and _MODELS.fullmatch(filled[0]) and _PRICE.fullmatch(filled[1])):
            _mark(self._card, row)
            self._read_price(filled, line)

    def close(self) -> None:
        """Say so where a price stands in no row that was read."""
        for tag in self._marked:
            unread = [string for string in self._card.strings(tag) if not self._card.is_read(string)]
            text = clean("".join(unread))
            if text:
                self._card.mark(iter(unread))
                message = f"{text[:80]!r} stands in no row of prices"
                self._notes.lost("cost_unreadable", message, self._card.line_of(tag), text)

    def _read_heading(self, text: str, line: int) -> None:
        tier = _TIER.search(text.upper())
        if tier is None:
            self._copies = (None, None)
            if _NUMBER.search(text):
                self._notes.lost("cost_unreadable", f"the heading {text[:80]!r} isn't understood", line, text)
            return
        last = None if tier["more"] else int(tier["last"] or tier["first"])
        self._copies = (int(tier["first"]), last)

    def _read_price(self, filled: list[str], line: int) -> None:
        label = filled[0] if len(filled) == 2 else ""
        price = _PRICE.fullmatch(filled[-1])
        condition = _CONDITION.search(label)
        spoken = condition["condition"] if condition else None
        plain = clean(_CONDITION.sub("", label))
        counts = [int(number) for number in _NUMBER.findall(plain)]
        if price is None or not label or not (price["plus"] or counts):
            message = f"not a number of models and a price: {' | '.join(filled)[:80]!r}"
            self._notes.lost("cost_unreadable", message, line, " | ".join(filled))
            return
        points = int(price["points"])
        if price["plus"]:
            self.costs.append(Cost(1, points, kind="add_on", condition=spoken, item=label, line=line))
            return
        span = _RANGE_OF_MODELS.fullmatch(plain)
        self.costs.append(
            Cost(
                models=int(span["least"]) if span else sum(counts),
                points=points,
                models_max=int(span["most"]) if span else None,
                kind="alternative" if spoken else "base",
                condition=spoken,
                copies_from=self._copies[0],
                copies_to=self._copies[1],
                line=line,
            )
        )
