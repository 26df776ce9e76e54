"""The page being read: its lines, and what has been noted about them.

Belongs here: the line cursor's surroundings – marks that become the spans which tile the document, issues with their
place, the lines as they are matched. Doesn't: any grammar.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import accumulate

from pipelines.encoding import one_newline
from pipelines.records import Issue, ModelProfile, Severity, Span

_EXCERPT = 200
_MOST_ISSUES = 1000  # of one document; a hostile file can't flood the warehouse
_NO_WIDTH = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_WIDE = "\t\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_AS_MATCHED = str.maketrans({**dict.fromkeys(_WIDE, " "), **dict.fromkeys(_NO_WIDTH)})

_LINE_BREAK = re.compile(r"\r\n|\r|\n")

_Mark = tuple[int, int, str, str | None]


def visible(text: str) -> str:
    """The text as it is matched: every white space a blank, nothing without width."""
    return text.translate(_AS_MATCHED) if _has_invisible(text) else text


def _has_invisible(text: str) -> bool:
    return any(char in text for char in _NO_WIDTH + _WIDE)  # many times faster than one pattern


@dataclass(frozen=True, slots=True)
class StatLine:
    """A stat line with the index of its first line; ``unit_name``: a name of the unit above it, if there is one."""

    index: int
    model: ModelProfile
    unit_name: str | None


def _columns_of(raw: str, matched: str) -> list[int]:
    """For each character of a line as it is matched, and for its end, the column in the raw line."""
    places, at = [], 0
    for char in matched:
        found = at if char == " " else raw.find(char, at)
        places.append(max(found, at) + 1)
        at = min(max(found, at) + 1, len(raw))
    return [*places, at + 1] if places else [1]


class Page:
    """Lines of a document and the notes taken while reading them; lines and columns are 1-based.

    ``lines`` are matched, and may be rewritten by ``layouts``; ``raw_lines`` are what the document holds.
    """

    def __init__(self, text: str) -> None:
        """Split the text; CRLF and CR count as one line break."""
        self._text = text
        text = one_newline(text)
        self.raw_lines = text.split("\n")
        if len(self.raw_lines) > 1 and self.raw_lines[-1] == "":
            self.raw_lines.pop()
            self._end = (len(self.raw_lines) + 1, 1)
        else:
            self._end = (len(self.raw_lines), len(self.raw_lines[-1]) + 1)
        self._all = list(self.raw_lines)
        if _has_invisible(text):
            self._all = [line if line.isascii() and "\t" not in line else visible(line) for line in self.raw_lines]
        self.lines = self._all
        self.line_count = len(self.lines)
        self.is_partial = False
        self._issues: list[Issue] = []
        self._marks: list[_Mark] = []
        self._claims: dict[int, tuple[str, str | None]] = {}
        self._columns: tuple[int, list[int]] = (0, [])
        self.stat_lines: list[StatLine] = []  # by their index

    def limit(self, end: int) -> None:
        """Read no further than to the line at this index, exclusive."""
        self.lines = self._all[:end]

    def rewrite(self, index: int, text: str) -> None:
        """Match the line at this index in another form than it is printed in."""
        self.lines[index] = text

    def claim(self, index: int, kind: str, entity: str | None = None) -> None:
        """The line at this index is of this kind whatever surrounds it; it is read no more."""
        self._claims[index + 1] = (kind, entity)
        self.lines[index] = ""

    def mark(self, line: int, kind: str, entity: str | None = None, column: int = 1) -> None:
        """From here on, until the next mark, the text is of this kind."""
        if column > 1 and self.raw_lines[line - 1] is not self._all[line - 1]:
            column = self._raw_column(line, column)
        self._marks.append((line, column, kind, entity))

    def _raw_column(self, line: int, column: int) -> int:
        """The column in the document that belongs to one of the line as it is matched."""
        if self._columns[0] != line:
            self._columns = (line, _columns_of(self.raw_lines[line - 1], self._all[line - 1]))
        places = self._columns[1]
        return places[min(column, len(places)) - 1]

    def checkpoint(self) -> int:
        """How many marks there are, for ``forget``."""
        return len(self._marks)

    def forget(self, checkpoint: int, first: int) -> None:
        """Drop the marks since a checkpoint, and all claims from the index ``first`` to the limit."""
        del self._marks[checkpoint:]
        for index in range(first, len(self.lines)):
            self._claims.pop(index + 1, None)

    def note(self, severity: Severity, code: str, message: str, line: int | None = None) -> None:
        """Record an issue, with the line's beginning as excerpt."""
        if len(self._issues) >= _MOST_ISSUES:
            return
        excerpt = self.raw_lines[line - 1].strip()[:_EXCERPT] if line is not None else None
        self._issues.append(Issue(severity, code, message, line, excerpt))

    def note_partial(self, code: str, message: str, line: int | None = None) -> None:
        """Record a warning of something that was not read: the document is partial."""
        self.note("warning", code, message, line)
        self.is_partial = True

    def note_unknown(self, code: str, message: str, line: int) -> None:
        """Mark the line as of unknown kind and record why."""
        self.mark(line, "unknown")
        self.note_partial(code, message, line)

    def add_issues(self, issues: tuple[Issue, ...]) -> None:
        """Record issues that a parser of values has raised."""
        self._issues.extend(issues[: max(0, _MOST_ISSUES - len(self._issues))])

    def issues(self) -> tuple[Issue, ...]:
        """All issues by line; those of the whole document first."""
        return tuple(sorted(self._issues, key=lambda issue: issue.line or 0))

    def spans(self) -> tuple[Span, ...]:
        """The marks as spans that tile the document from its first character to its last."""
        kept = self._settled_marks()
        line_starts = self._line_starts()
        spans = []
        for index, (line, column, kind, entity) in enumerate(kept):
            stop = kept[index + 1][:2] if index + 1 < len(kept) else self._end
            if (line, column) < stop:
                start, end = line_starts[line - 1] + column - 1, line_starts[stop[0] - 1] + stop[1] - 1
                # Pages print the same rules: equal texts are held once in memory.
                spans.append(Span(line, column, *stop, kind, sys.intern(self._text[start:end]), entity))
        return tuple(spans)

    def _line_starts(self) -> list[int]:
        """Where each line begins in the text, and where the text ends if with a line break."""
        if "\r" in self._text:
            return [0, *(found.end() for found in _LINE_BREAK.finditer(self._text))]
        return list(accumulate((len(line) + 1 for line in self.raw_lines), initial=0))

    def _settled_marks(self) -> list[_Mark]:
        """Marks in order, one at a place, repeats left out; behind a claimed line the kind before it goes on."""
        at_place = {mark[:2]: mark for mark in self._marks if mark[0] not in self._claims}
        for line, claim in self._claims.items():
            at_place[line, 1] = (line, 1, *claim)
        settled = []
        before: tuple[str, str | None] | None = None
        for place, mark in sorted(at_place.items(), key=lambda item: item[0]):
            settled.append(mark)
            after = (place[0] + 1, 1)
            if place[0] not in self._claims:
                before = mark[2:]
            elif after not in at_place and after[0] <= self.line_count:
                settled.append((*after, *(before or mark[2:])))
        kept: list[_Mark] = []
        for mark in settled:
            if not kept:
                kept.append((1, 1, *mark[2:]))
            elif mark[2:] != kept[-1][2:]:
                kept.append(mark)
        return kept
