"""What is left of a card once its tables are read, as lines under headings.

Belongs here: where a reader sees a line break, what is bold or a list item, which heading a line stands under. Doesn't:
the meaning of any section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bs4.element import NavigableString, Tag

from pipelines.identity import clean
from pipelines.sources.html_page.markup import BLOCKS, CardMarkup, classes, is_keyword_span, walk

KEYWORD_HEADING = re.compile(r"(?P<faction>FACTION )?KEYWORDS(?:\s*[–-]\s*(?P<scope>[^:]{1,80}))?:\s*(?P<list>.*)")
_RULES = frozenset({"dsLineHor", "dsVertLine"})  # drawn lines between two things of one element


@dataclass(slots=True)
class Line:
    """A line as a reader sees it. ``lead``: the bold text it begins with; ``depth``: of nested lists; ``box``: the
    element it stands in, lines of one ability share it."""

    text: str
    number: int
    lead: str
    depth: int
    box: int
    strings: tuple[NavigableString, ...]


@dataclass(slots=True)
class Section:
    """A heading and the lines under it; without heading: lines outside all sections."""

    heading: str
    line: int
    lines: list[Line] = field(default_factory=list)


def sections_of(card: CardMarkup) -> list[Section]:
    """All unread texts of a card by section; a section ends with the element that its heading stands in."""
    return _Reader(card).run()


class _Reader:
    def __init__(self, card: CardMarkup) -> None:
        self._card = card
        self._stack: list[Tag] = [card.root]
        self._outside = Section("", card.line)
        self._sections = [self._outside]
        self._current = self._outside
        self._scope: Tag | None = None
        self._start_line()

    def _start_line(self) -> None:
        self._strings: list[NavigableString] = []
        self._pieces: list[str] = []
        self._lead: list[str] = []
        self._is_leading = True
        self._after_keyword = False

    def run(self) -> list[Section]:
        """Read the card to its end."""
        for event, node in walk(self._card.root):
            if event == "text" and isinstance(node, NavigableString):
                self._add(node)
            elif isinstance(node, Tag) and event == "enter":
                if _breaks(node):
                    self._end_line()
                if is_keyword_span(node) and self._after_keyword:
                    self._pieces.append(" ")
                self._stack.append(node)
            elif isinstance(node, Tag):
                if _breaks(node):
                    self._end_line()
                self._after_keyword = is_keyword_span(node)
                self._stack.pop()
                if node is self._scope:
                    self._current, self._scope = self._outside, None
        self._end_line()
        return self._sections

    def _add(self, string: NavigableString) -> None:
        if self._card.is_read(string):
            return
        text = str(string)
        self._strings.append(string)
        self._pieces.append(text)
        if text.strip():
            self._after_keyword = False
            self._is_leading = self._is_leading and any(tag.name in ("b", "strong") for tag in self._stack[-6:])
        if self._is_leading:
            self._lead.append(text)

    def _end_line(self) -> None:
        text = clean("".join(self._pieces))
        if text:
            self._place(text)
        self._start_line()

    def _place(self, text: str) -> None:
        first = next(string for string in self._strings if string.strip())
        container = next((tag for tag in reversed(self._stack) if tag.name in BLOCKS), self._card.root)
        number = self._card.line_of(first)
        line = Line(text, number, clean("".join(self._lead)), self._depth(), self._box(), tuple(self._strings))
        if any("dsHeader" in classes(tag) for tag in self._stack[-4:]):
            self._card.mark(iter(self._strings))
            at = next((at for at, tag in enumerate(self._stack) if "dsHeader" in classes(tag)), 1)
            self._open(text.upper().rstrip(": "), number, self._stack[max(0, at - 1)])
        elif KEYWORD_HEADING.fullmatch(text):
            self._open("FACTION KEYWORDS" if text.startswith("FACTION") else "KEYWORDS", number, container)
            self._current.lines.append(line)
        else:
            self._current.lines.append(line)

    def _open(self, heading: str, line: int, scope: Tag) -> None:
        """Begin a section; it lasts to the end of the element that holds its heading."""
        self._current, self._scope = Section(heading, line), scope
        self._sections.append(self._current)

    def _depth(self) -> int:
        return sum(tag.name == "li" for tag in self._stack)

    def _box(self) -> int:
        inner = next((tag for tag in reversed(self._stack) if "dsAbility" in classes(tag)), None)
        return id(inner) if inner is not None else id(self._stack[-1])


def _breaks(tag: Tag) -> bool:
    return tag.name in BLOCKS or not _RULES.isdisjoint(classes(tag))
