"""The layouts in which one and the same page is extracted, told apart by structure and brought into one.

Belongs here: which layout a text has, and rewriting its lines into the shapes of the layout with piped rows under a
title. Doesn't: reading them (``datasheet``), stat lines (``statlines``).

A cell that stands on a line of its own joins its row on the row's first line; lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import islice

from pipelines.sources.text_dump.headings import (
    COST_ROW,
    FACTION_KEYWORDS,
    INDEX_HEADINGS,
    SECTION_HEADINGS,
    is_heading,
    is_noise,
    read_title,
)
from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.statlines import StatLineFinder
from pipelines.sources.text_dump.weapons import is_value, is_weapon_row, read_header

_TABLE_NAMES = ("RANGED WEAPONS", "MELEE WEAPONS")
_MARKDOWN_RULE = re.compile(r"\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?)?\s*")
_STAT_NAMES = ("M", "T", "SV", "W", "LD", "OC")
_COLUMNS = ("RANGE", "A", "BS", "WS", "S", "AP", "D")
_COST_LABEL = re.compile(r"[0-9]{1,3}(?:\s*[-–]\s*[0-9]{1,3})? models?\b.{0,80}", re.IGNORECASE)
_POINTS = re.compile(r"\+?[0-9]{1,4}")
_HASHES = re.compile(r"#{1,6}\s+")
_EMPHASIS = re.compile(r"(\*{2,3}|__)(?=\S)(.{1,300}?)(?<=\S)\1")
_ESCAPED = re.compile(r"\\([\[\]()*_#.+-])")
_LABELS = ("CORE:", "FACTION:", "KEYWORDS:")
_MOST_CELLS = 12
_LONGEST_RULE = 400
_HEAD_LINES = 20_000  # lines by which a layout is told


class Layout(StrEnum):
    """How a page was extracted. Only the first three print a title as a rule."""

    PIPED = "A"  # piped rows under headers without a leading pipe
    CELLS = "C"  # one cell per line, with the stat line
    MARKDOWN = "D"  # Markdown tables, with the stat line, abilities without brackets or blanks
    UNPIPED = "B"  # no title, rows without a leading pipe
    UNBRACKETED = "E"  # headers with a leading pipe, abilities without brackets
    HEADERLESS = "F"  # weapon rows without a header
    UNTITLED = "G"  # piped rows, no title

    @property
    def glues_abilities(self) -> bool:
        """Whether a weapon's abilities stand behind its name without brackets."""
        return self in (Layout.UNBRACKETED, Layout.MARKDOWN)

    @property
    def may_lack_sections(self) -> bool:
        """Whether such an extraction leaves sections out without breaking off."""
        return self not in (Layout.PIPED, Layout.CELLS, Layout.MARKDOWN)


def layout_of(lines: Sequence[str]) -> Layout | None:
    """Tell the layout by the shapes of the lines; None where nothing of a datasheet is among them."""
    texts = [stripped for line in islice(lines, _HEAD_LINES) if (stripped := line.strip())]
    if not texts:
        return None
    if any(_is_rule(text) for text in [text for text in texts if "---" in text]):
        return Layout.MARKDOWN if _has_tables(texts) else None
    header = next((at for at, text in enumerate(texts) if _is_readable_header(text)), None)
    if _has_stat_cells(texts) or (header is not None and texts[header + 1 : header + 2] == ["RANGE"]):
        return Layout.CELLS
    titled = read_title(clean(texts[0])) is not None
    if header is None:
        return _without_header(texts, titled=titled)
    name = clean(texts[header])
    if name.startswith("|"):
        return Layout.UNBRACKETED
    row = next((text for text in texts[header + 1 :] if "|" in text and not _is_table_name(text)), "|")
    if not row.startswith("|"):
        return Layout.UNPIPED
    return Layout.PIPED if titled and name not in _TABLE_NAMES else Layout.UNTITLED


def _without_header(texts: Sequence[str], *, titled: bool) -> Layout | None:
    has_strange_table = any(_is_table_name(text) for text in texts)
    if not has_strange_table and any(is_weapon_row(text) or is_weapon_row(f"| {text}") for text in texts):
        return Layout.HEADERLESS
    sections = sum(is_heading(clean(text)) for text in texts)
    if titled and sections:
        return Layout.PIPED
    costs = [text for text in texts if _COST_LABEL.match(text.lstrip("| ")) and "|" in text]
    if any(not text.startswith("|") for text in costs):
        return Layout.UNPIPED
    if costs and all(text.startswith("|") for text in texts):
        return Layout.UNBRACKETED
    is_sheet = any(text in ("ABILITIES", "UNIT COMPOSITION") for text in texts) and sections > 1
    return Layout.UNTITLED if costs or is_sheet else None


def _is_readable_header(text: str) -> bool:
    if not _is_table_name(text):
        return False
    shown = clean(text).strip("| ")
    return shown in _TABLE_NAMES or read_header(shown) is not None


def _is_table_name(text: str) -> bool:
    return "WEAPONS" in text and text.lstrip("| ").startswith(_TABLE_NAMES)


def _is_rule(text: str) -> bool:
    return "---" in text and len(text) < _LONGEST_RULE and _MARKDOWN_RULE.fullmatch(text) is not None


def _has_tables(texts: Sequence[str]) -> bool:
    """Whether Markdown tables hold weapons or a stat line."""
    for text in texts:
        cells = [cell.strip(" *").upper() for cell in text.split("|")]
        if {"RANGE", "AP"} <= set(cells) or {"T", "SV", "OC"} <= set(cells) or is_weapon_row(text):
            return True
    return False


def _has_stat_cells(texts: Sequence[str]) -> bool:
    """M, its value, T, its value: a stat line printed one cell per line."""
    for at in [at for at, text in enumerate(texts[:-4]) if text == "M"]:
        if texts[at + 2] == "T" and texts[at + 4].upper() in _STAT_NAMES:
            return True
    return False


def straighten(page: Page, layout: Layout) -> None:
    """Rewrite the lines of a page into the one form that is read; claim what has no meaning and the stat lines."""
    for index, line in enumerate(page.lines):
        if ("]" in line[:4] or "This datasheet does" in line) and is_noise(line.strip()):
            page.claim(index, "noise")
    if layout is Layout.PIPED:
        return
    if layout is Layout.MARKDOWN:
        _strip_markdown(page)
    StatLineFinder(page, is_markdown=layout is Layout.MARKDOWN).run()
    if layout is Layout.CELLS:
        _CellJoiner(page).run()
    else:
        _straighten_rows(page)


def _strip_markdown(page: Page) -> None:
    for index, line in enumerate(page.lines):
        text = line.strip()
        if not text:
            continue
        has_marks = "*" in text or "_" in text or "\\" in text
        if not has_marks and text[0] not in "#|:-":
            page.rewrite(index, text)
            continue
        if _is_rule(text):
            page.claim(index, "table_rule")
            continue
        plain = _HASHES.sub("", text, count=1) if text.startswith("#") else text
        if has_marks:
            plain = _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", plain))
        plain = f"- {plain[2:]}" if plain.startswith("* ") and not plain.startswith("* See") else plain
        heading = plain.rstrip(":").upper()
        if plain != text and (heading in SECTION_HEADINGS or heading in INDEX_HEADINGS or heading in _TABLE_NAMES):
            plain = heading
        page.rewrite(index, plain)


def _straighten_rows(page: Page) -> None:
    """Headers lose a leading pipe and get their columns, rows and costs get one."""
    lines = page.lines
    named: str | None = None  # a table whose columns are still to come
    for index, line in enumerate(lines):
        if "|" not in line and "WEAPONS" not in line:  # most lines of a page
            continue
        text = clean(line)
        if _is_table_name(text):
            bare = text.strip("| ")
            if bare in _TABLE_NAMES:
                named = bare
                page.rewrite(index, f"{bare} | {_default_columns(bare)} | |")
            else:
                named = None
                page.rewrite(index, text.lstrip("| "))
            continue
        columns = _columns_of(text)
        if columns is not None:
            bare = named or ("MELEE WEAPONS" if "WS" in columns else "RANGED WEAPONS")
            if named is None:
                page.rewrite(index, f"{bare} | {' | '.join(columns)} | |")
            else:
                page.claim(index, "weapon_table_header")
            named = None
        elif "|" in text and not text.startswith("|"):
            row = f"| {text}"
            if is_weapon_row(row) or row.rstrip().endswith("|||||||") or _is_unpiped_cost(text):
                page.rewrite(index, row)


def _columns_of(text: str) -> list[str] | None:
    """The columns of a header row that doesn't name its table."""
    if "|" not in text or "AP" not in text:
        return None
    cells = [cell.strip().upper() for cell in text.strip("|").split("|")]
    known = [cell for cell in cells if cell in _COLUMNS]
    return known if {"RANGE", "A", "S", "AP", "D"} <= set(known) and len(cells) - len(known) <= 2 else None


def _default_columns(table: str) -> str:
    return f"RANGE | A | {'WS' if table == 'MELEE WEAPONS' else 'BS'} | S | AP | D"


def _is_unpiped_cost(text: str) -> bool:
    return COST_ROW.fullmatch(f"| {text}") is not None and len(text) < 120


class _CellJoiner:
    """Joins the cells of weapon tables and costs, each on a line of its own, into rows."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._cells = [(index, clean(line)) for index, line in enumerate(page.lines) if line.strip()]

    def run(self) -> None:
        at, section = 0, ""
        while at < len(self._cells):
            text = self._text(at)
            if section != "UNIT COMPOSITION" and not text[:2].isupper():  # no heading, label or name of a table
                at += 1
            elif text in _TABLE_NAMES and self._text(at + 1) in _COLUMNS:
                at, section = self._table(at), ""
            elif is_heading(text) or text in _TABLE_NAMES:
                section = text
                at = self._labelled(at) if text in _LABELS and text != FACTION_KEYWORDS else at + 1
            elif text in _LABELS:
                at = self._labelled(at)
            elif section == "UNIT COMPOSITION" and _POINTS.fullmatch(self._text(at + 1)) and "|" not in text:
                self._join(at, 2, f"| {text} | {self._text(at + 1)} |")
                at += 2
            else:
                at += 1

    def _text(self, at: int) -> str:
        return self._cells[at][1] if at < len(self._cells) else ""

    def _join(self, at: int, count: int, text: str) -> None:
        """The cells from here on are one row, on the line of the first."""
        for index, _ in self._cells[at : at + count]:
            self._page.rewrite(index, "")
        self._page.rewrite(self._cells[at][0], text)

    def _labelled(self, at: int) -> int:
        following = self._text(at + 1)
        if not following or is_heading(following) or following in _LABELS:
            return at + 1
        self._join(at, 2, f"{self._text(at)} {following}")
        return at + 2

    def _table(self, at: int) -> int:
        end = at + 1
        while self._text(end) in _COLUMNS and end < at + 7:
            end += 1
        columns = [self._text(column) for column in range(at + 1, end)]
        self._join(at, end - at, f"{self._text(at)} | {' | '.join(columns)} | |")
        while (row := self._row(end)) is not None or self._is_footnote(end):
            end = row or end + 1
        return end

    def _is_footnote(self, at: int) -> bool:
        """A sentence between two weapons of a table, told by the weapon behind it."""
        name = self._text(at + 1)
        is_named_twice = bool(name) and name.casefold() == self._text(at + 2).casefold()
        return is_named_twice and is_value(self._text(at + 3)) and not is_heading(self._text(at))

    def _row(self, at: int) -> int | None:
        """Join the weapon that begins here; return what follows, or None where no weapon begins."""
        name = self._text(at)
        if not name or is_heading(name) or name in _TABLE_NAMES:
            return None
        named_twice = self._text(at + 1).casefold() == name.casefold()
        first = at + 1 + named_twice
        end = first
        while end < first + _MOST_CELLS and is_value(self._text(end)):
            end += 1
        if end == first and not named_twice:
            return None
        if named_twice:
            self._join(at, 1, f"| {name} | |||||||")
        if end > first:
            values = " | ".join(self._text(cell) for cell in range(first, end))
            self._join(first - 1, end - first + 1, f"| {name} | {values} | |")
        else:
            self._join(at + 1, 1, "")
        return end
