"""What has to be said about a page.

Belongs here: collecting issues, their number bounded, and whether something stayed unread. Doesn't: deciding what is an
issue.
"""

from __future__ import annotations

from pipelines.records import Issue, Severity

_EXCERPT = 200
_MOST_ISSUES = 1000  # of one document; a hostile page can't flood the warehouse


class Notes:
    """Issues of one page. ``about`` names the card being read and stands before each message."""

    def __init__(self, issues: tuple[Issue, ...] = ()) -> None:
        """Start with what was noted while the file was read."""
        self._issues = list(issues[:_MOST_ISSUES])
        self.about: str | None = None
        self.is_partial = False

    def add(
        self, severity: Severity, code: str, message: str, line: int | None = None, excerpt: str | None = None
    ) -> None:
        """Record an issue that leaves nothing unread."""
        if len(self._issues) >= _MOST_ISSUES:
            return
        said = f"{self.about}: {message}" if self.about else message
        self._issues.append(Issue(severity, code, said, line, excerpt[:_EXCERPT] if excerpt else None))

    def lost(self, code: str, message: str, line: int | None = None, excerpt: str | None = None) -> None:
        """Record a warning that something on the page is in no record; the document is partial."""
        self.is_partial = True
        self.add("warning", code, message, line, excerpt)

    def extend(self, issues: tuple[Issue, ...]) -> None:
        """Record issues that a parser of values has raised."""
        for issue in issues:
            self.add(issue.severity, issue.code, issue.message, issue.line, issue.excerpt)

    def issues(self) -> tuple[Issue, ...]:
        """All issues by line; those of the whole document first."""
        return tuple(sorted(self._issues, key=lambda issue: issue.line or 0))
