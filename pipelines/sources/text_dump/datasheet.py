"""The datasheet's own sections, from the title to the faction keywords.

Belongs here: which line belongs to which section. Doesn't: reading a section (``abilities``, ``composition``,
``keywords``, ``options``, ``weapons``), the record of all that they say (``record``), the indexes and rules below.
"""

from __future__ import annotations

import re

from pipelines.records import WeaponProfile
from pipelines.sources.stat_lines import read_base_size
from pipelines.sources.text_dump.abilities import AbilityReader, damaged_heading
from pipelines.sources.text_dump.composition import CompositionReader
from pipelines.sources.text_dump.headings import (
    BASE_SIZE,
    COST_ROW,
    FACTION_KEYWORDS,
    INDEX_HEADINGS,
    KEYWORD_LINE,
    KEYWORDS,
    SECTION_HEADINGS,
    read_title,
)
from pipelines.sources.text_dump.keywords import KeywordReader
from pipelines.sources.text_dump.layouts import Layout
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.options import LeaderReader, OptionReader
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.sections import Section, note_not_understood
from pipelines.sources.text_dump.shapes import is_title, keyword_usage, opens_block
from pipelines.sources.text_dump.vocabulary import load_vocabulary
from pipelines.sources.text_dump.weapons import (
    LOST_HEADER,
    Header,
    WeaponTable,
    is_name_row,
    is_weapon_row,
    read_header,
)

_EDITION = re.compile(r"(?:Warhammer 40,000\W+)?(?P<number>1[0-9])th edition", re.IGNORECASE)
_DATE = re.compile(r"(?:last )?updated?:? (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})", re.IGNORECASE)


class DatasheetReader:
    """Reads the datasheet sections of a page; ``run`` returns the index of the first line after them.

    ``named``: collection and unit of the title; ``base_size``: one outside the stat lines; ``seen``: headings found.
    """

    def __init__(self, page: Page, layout: Layout, first: int) -> None:
        """Start at the line of index ``first``, the first of a datasheet."""
        self.page = page
        self.layout = layout
        self.first = first
        self.printed_edition: str | None = None
        self.dated: str | None = None
        self.title: str | None = None
        self.page_collection: str | None = None
        self.named: tuple[str, str] | None = None
        self.base_size: str | None = None
        self.weapons: list[WeaponProfile] = []
        self.abilities = AbilityReader(page)
        self.composition = CompositionReader(page, self.abilities)
        self.keywords = KeywordReader(page)
        self.options = OptionReader(page, self.abilities)
        self.leader = LeaderReader(page, self.abilities)
        self.seen: set[str] = set()
        self._has_brackets = True
        self._sections: dict[str, Section] = {
            "WARGEAR OPTIONS": self.options.read,
            "ABILITIES": self.abilities.read,
            "WARGEAR ABILITIES": self.abilities.read_wargear,
            "UNIT COMPOSITION": self.composition.read,
            "LEADER": self.leader.read,
        }
        # The sections in which a line of the shape of a title may be a name.
        self._naming = (
            *(self.abilities.read, self.abilities.read_wargear, self.abilities.read_special),
            self.options.read,
        )

    def run(self) -> int:
        """Read from the title on; return the index of the first line that belongs to the indexes or the rules."""
        lines = self.page.lines
        index = self._read_title()
        self._has_brackets = not self.layout.glues_abilities and self._has_bracketed_rows(index)
        last_heading = self._last_heading(index)
        section: Section | None = None
        table: WeaponTable | None = None
        while index < len(lines):
            text, line = lines[index].strip(), index + 1
            if not text:
                index += 1
                continue
            if "  " in text:
                text = clean(text)
            if table is not None and not text.startswith("|"):
                table.close()
            if text in INDEX_HEADINGS:
                break
            if text.startswith(FACTION_KEYWORDS):
                index = self.keywords.read_faction(index)
                break
            header = read_header(text)
            if header is not None:
                self.page.mark(line, "weapon_table_header")
                table, section = self._table(header), None
            elif text.startswith(("RANGED WEAPONS", "MELEE WEAPONS")) or (text[0] != "|" and text.count("|") > 5):
                table, section = None, self._unknown  # columns that aren't known: rows below them say nothing
                self._unknown(text, line)
            elif (damaged := damaged_heading(text)) is not None:
                table, section = None, self.abilities.read_special
                self.abilities.open_damaged(damaged, line)
            elif text in self._sections and not self._opens_rules(index, last_heading):
                table, section = None, self._sections[text]
                self.seen.add(text)
                self.page.mark(line, "heading")
            elif text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text):
                table, section = None, self.keywords.read_more
                self.seen.add(KEYWORDS)
                self.keywords.read(text, line, self.composition.kinds)
            elif text.startswith("|") and COST_ROW.fullmatch(text) and section != self.composition.read:
                table, section = None, None
                self.composition.read_cost(text, line)
            elif table is not None and text.startswith("|"):
                table.read_row(text, line)
            elif section != self._unknown and (is_weapon_row(text) or is_name_row(text)):
                table, section = self._table_without_header(line), None
                table.read_row(text, line)
            elif self._opens_rules(index, last_heading, within=section):
                break
            elif section is not None:
                section(text, line)
            else:
                self._outside(text, line)
            index += 1
        if table is not None:
            table.close()
        return index

    def _read_title(self) -> int:
        """Mark the title, if the page has one; return the index of the line after it."""
        lines = self.page.lines
        index = next((at for at in range(self.first, len(lines)) if lines[at].strip()), self.first)
        text = clean(lines[index]) if index < len(lines) else ""
        self.named = read_title(text)
        if self.named is None and not self._is_page_heading(text, index):
            return self.first
        self.page.mark(index + 1, "title")
        self.title = text
        return index + 1

    def _is_page_heading(self, text: str, index: int) -> bool:
        """A page of many datasheets may begin with their collection alone."""
        if self.first or not is_title(text) or text in SECTION_HEADINGS or text in INDEX_HEADINGS:
            return False
        is_heading = bool(self.page.stat_lines) and self.page.stat_lines[-1].index > index
        if is_heading:
            self.page_collection = text
        return is_heading

    def _has_bracketed_rows(self, first: int) -> bool:
        """Whether abilities stand in brackets: in layouts that print rows without brackets, some row has none."""
        if self.layout not in (Layout.HEADERLESS, Layout.UNTITLED, Layout.UNPIPED):
            return True
        rows = [line for line in self.page.lines[first:] if line.startswith("|") and is_weapon_row(line.strip())]
        return not rows or any("[" in row for row in rows)

    def _table(self, header: Header) -> WeaponTable:
        has_blanks = self.layout is not Layout.MARKDOWN
        return WeaponTable(self.page, header, self.weapons, is_glued=not self._has_brackets, has_blanks=has_blanks)

    def _table_without_header(self, line: int) -> WeaponTable:
        self.page.note("warning", "weapon_header_lost", "weapon rows without a header: told by their range", line)
        return self._table(LOST_HEADER)

    def _last_heading(self, first: int) -> int:
        """The last line that can only belong to a datasheet; behind it the rules may begin without a heading."""
        lines = self.page.lines
        if not self.layout.may_lack_sections:
            return len(lines)
        for index in range(first, len(lines)):
            if lines[index].strip() in INDEX_HEADINGS or lines[index].startswith(FACTION_KEYWORDS):
                return len(lines)
        owned = [
            index
            for index in range(first, len(lines))
            if (text := lines[index].strip()) in SECTION_HEADINGS[:4]
            or (text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text))
            or (text.startswith("|") and (COST_ROW.fullmatch(text) or is_weapon_row(text)))
        ]
        return owned[-1] if owned else first

    def _opens_rules(self, index: int, last_heading: int, *, within: Section | None = None) -> bool:
        """Whether the rules begin here, on a page that has lost the headings before them.

        Within abilities, whose names have the shape of a title, only a title that the vocabulary knows opens them.
        """
        if index <= last_heading:
            return False
        text = self.page.lines[index].strip()
        if text in ("ABILITIES", "UNIT COMPOSITION"):
            return False
        if keyword_usage(text) is not None:
            return True
        if within in self._naming and fold(text) not in load_vocabulary().titles:
            return False
        return is_title(text) and opens_block(self.page.lines, index + 1)

    def _unknown(self, text: str, line: int) -> None:
        note_not_understood(self.page, text, line)

    def _outside(self, text: str, line: int) -> None:
        """A line below a weapon table or the title that no section owns."""
        if BASE_SIZE.fullmatch(text):
            self.page.mark(line, "base_size")
            self.base_size = read_base_size(text)
        elif edition := _EDITION.fullmatch(text):
            self.page.mark(line, "edition")
            self.printed_edition = f"{edition['number']}e"
        elif date := _DATE.fullmatch(text):
            self.page.mark(line, "date")
            self.dated = date["date"]
        elif self.weapons and not text.startswith("|") and not is_title(text):
            self.page.mark(line, "weapon_footnote")
        else:
            self._unknown(text, line)
