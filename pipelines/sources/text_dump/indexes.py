"""The three indexes between the datasheet and the rules text.

Belongs here: stratagem, detachment ability and enhancement index. Doesn't: the texts that they name (``details``).
None of them has a terminator: each ends where its grammar does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelines.sources.text_dump.headings import INDEX_HEADINGS
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.shapes import is_cp, is_points, is_title, opens_block, type_line

_MARKERS = frozenset({"C", "BA"})
_LOOK_AHEAD = 8  # lines after which a damaged index is taken up again


@dataclass(frozen=True, slots=True)
class StratagemEntry:
    """A stratagem as the index lists it."""

    name: str
    cp: int
    detachment: str
    type: str
    line: int


@dataclass(slots=True)
class Indexes:
    """What the indexes list, in printed order; names with their lines."""

    stratagems: list[StratagemEntry] = field(default_factory=list)
    detachment_abilities: list[tuple[str, int]] = field(default_factory=list)
    enhancements: list[tuple[str, int | None, int]] = field(default_factory=list)


class IndexReader:
    """Reads the indexes that begin at a line; ``run`` returns the index of the first line after them."""

    def __init__(self, page: Page, first: int) -> None:
        """Start at the index ``first`` of the page's lines."""
        self._page = page
        self._at = first
        self.indexes = Indexes()

    def run(self) -> int:
        """Read heading by heading until a line is none of theirs."""
        while self._at < len(self._page.lines):
            text = self._text()
            if text and text not in INDEX_HEADINGS:
                break
            if text:
                self._page.mark(self._at + 1, "heading")
            self._at += 1
            if text == "STRATAGEMS":
                self._read_stratagems()
            elif text.startswith("DETACHMENT ABILIT"):
                self._read_detachment_abilities()
            elif text == "ENHANCEMENTS":
                self._read_enhancements()
        return self._at

    def _text(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._page.lines[at].strip() if at < len(self._page.lines) else ""

    def _skip_blank(self) -> None:
        while self._at < len(self._page.lines) and not self._text():
            self._at += 1

    def _read_stratagems(self) -> None:
        while True:
            self._skip_blank()
            match = type_line(self._text(2))
            if not self._text() or not is_cp(self._text(1)) or match is None:
                if self._text(1) and is_cp(self._text(1)) and not self._text(2):
                    self._truncated("a stratagem of the index")
                if self._skip_damage():
                    continue
                return
            if match["detail"]:
                return
            name, detachment = clean(self._text()), clean(match["detachment"])
            self._page.mark(self._at + 1, "stratagem_index", f"stratagem:{name}")
            cp = int(self._text(1)[:-2])
            self.indexes.stratagems.append(StratagemEntry(name, cp, detachment, match["type"], self._at + 1))
            self._at += 3
            if self._text() in _MARKERS:
                self._at += 1

    def _skip_damage(self) -> bool:
        """Pass over lines that are no entry, when entries or a further heading follow close behind them."""
        for ahead in range(1, _LOOK_AHEAD):
            kind = type_line(self._text(ahead + 2)) if is_cp(self._text(ahead + 1)) else None
            if self._text(ahead) in INDEX_HEADINGS[1:] or (kind is not None and not kind["detail"]):
                break
        else:
            return False
        if self._text() in INDEX_HEADINGS:
            return False
        self._page.note_unknown("unrecognised_line", "no entry of the stratagem index", self._at + 1)
        self._at += ahead
        return self._text() not in INDEX_HEADINGS

    def _read_detachment_abilities(self) -> None:
        """Names follow until one has a text under it: that one is a title of the rules text."""
        listed: set[str] = set()
        while True:
            self._skip_blank()
            name = clean(self._text())
            if (
                not is_title(name)
                or name == "ENHANCEMENTS"
                or fold(name) in listed
                or opens_block(self._page.lines, self._at + 1)
            ):
                return
            listed.add(fold(name))
            self._page.mark(self._at + 1, "detachment_ability_index", f"detachment_rule:{name}")
            self.indexes.detachment_abilities.append((name, self._at + 1))
            self._at += 1

    def _read_enhancements(self) -> None:
        while True:
            self._skip_blank()
            name = clean(self._text())
            priced = is_points(self._text(1))
            if len(name) > 80 or not (priced or is_title(name)):
                return
            if not priced and opens_block(self._page.lines, self._at + 1):
                return
            points = int(self._text(1)) if priced else None
            if points is None and any(entry[1] is not None for entry in self.indexes.enhancements):
                if self._at + 1 < len(self._page.lines):
                    return  # priced and unpriced names don't mix: this one is something else
                self._truncated("an enhancement of the index")
            self._page.mark(self._at + 1, "enhancement_index", f"enhancement:{name}")
            self.indexes.enhancements.append((name, points, self._at + 1))
            self._at += 2 if priced else 1

    def _truncated(self, what: str) -> None:
        self._page.note_partial("truncated_document", f"the page ends inside {what}", len(self._page.lines))
