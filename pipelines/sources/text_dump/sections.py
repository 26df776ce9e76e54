"""What the readers of a datasheet's sections share.

Belongs here: lists, bullets, a line that nobody understands. Doesn't: any one section.
"""

from __future__ import annotations

from collections.abc import Callable

from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page

BULLETS = "-•◦■ "

Section = Callable[[str, int], None]
"""Reads one line of a section: its text and its number."""


def items(text: str) -> list[str]:
    """The names of a list in commas."""
    return [clean(item) for item in text.split(",") if item.strip(" ,")]


def note_not_understood(page: Page, text: str, line: int) -> None:
    """Keep a line as unknown, and say so: the document is partial."""
    page.note_unknown("unrecognised_line", f"not understood at this place: {text[:80]!r}", line)
