"""The page being read: its lines, and what has been noted about them.

Belongs here: the line cursor's surroundings – marks that become the spans which tile the document, issues with their
place. Doesn't: any grammar.
"""

from __future__ import annotations

from pipelines.records import Issue, Severity, Span

_EXCERPT = 200
_MOST_ISSUES = 1000  # of one document; a hostile file can't flood the warehouse


class Page:
    """Lines of a document and the notes taken while reading them; lines and columns are 1-based."""

    def __init__(self, text: str) -> None:
        """Split the text; CRLF and CR count as one line break."""
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if len(self.lines) > 1 and self.lines[-1] == "":
            self.lines.pop()
            self._end = (len(self.lines) + 1, 1)
        else:
            self._end = (len(self.lines), len(self.lines[-1]) + 1)
        self.line_count = len(self.lines)
        self.is_partial = False
        self._issues: list[Issue] = []
        self._marks: list[tuple[int, int, str, str | None]] = []

    def mark(self, line: int, kind: str, entity: str | None = None, column: int = 1) -> None:
        """From here on, until the next mark, the text is of this kind."""
        self._marks.append((line, column, kind, entity))

    def cut(self, index: int) -> None:
        """Leave the lines from this index on unread: they are of unknown kind."""
        self.mark(index + 1, "unknown")
        self.lines = self.lines[:index]
        self.is_partial = True

    def note(self, severity: Severity, code: str, message: str, line: int | None = None) -> None:
        """Record an issue, with the line's beginning as excerpt."""
        if len(self._issues) >= _MOST_ISSUES:
            return
        excerpt = self.lines[line - 1].strip()[:_EXCERPT] if line is not None else None
        self._issues.append(Issue(severity, code, message, line, excerpt))

    def add_issues(self, issues: tuple[Issue, ...]) -> None:
        """Record issues that a parser of values has raised."""
        self._issues.extend(issues[: max(0, _MOST_ISSUES - len(self._issues))])

    def issues(self) -> tuple[Issue, ...]:
        """All issues by line; those of the whole document first."""
        return tuple(sorted(self._issues, key=lambda issue: issue.line or 0))

    def spans(self) -> tuple[Span, ...]:
        """The marks as spans that tile the document from its first character to its last."""
        marks = sorted(self._marks, key=lambda mark: mark[:2])
        if not marks:
            return ()
        kept = [(1, 1, *marks[0][2:])]
        for mark in marks[1:]:
            if mark[:2] == kept[-1][:2]:
                kept[-1] = mark
            elif mark[2:] != kept[-1][2:]:
                kept.append(mark)
        spans = []
        for index, (line, column, kind, entity) in enumerate(kept):
            stop = kept[index + 1][:2] if index + 1 < len(kept) else self._end
            if (line, column) < stop:
                spans.append(Span(line, column, *stop, kind, entity))
        return tuple(spans)
