"""Telling by structure what a text is.

Belongs here: which kind and layout a text has, and for what isn't read, what to say. Doesn't: parsing it.
File names play no part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.records import SourceKind
from pipelines.sources.files import HTML_START
from pipelines.sources.text_dump.layouts import layout_of
from pipelines.sources.text_dump.page import visible
from pipelines.sources.text_dump.weapons import read_header

_HEAD_LINES = 400
_HEAD_CHARACTERS = 1_000_000
_LOOKED_AT = 240  # characters of a line
_OLD_PROFILE = re.compile(r"WS\W+BS\W+S\W+T\W+W\W+A\b")
_OLD_WEAPONS = re.compile(r"(?:RANGE\W+TYPE|Range\W+Type)\W+S\W+AP\W+D\b")
_CSV_HEADER = re.compile(r"[a-z][A-Za-z0-9_]*(?:\|[A-Za-z][A-Za-z0-9_]*){2,}\|?,*")
_TABLE_HEADER = re.compile(r"\|?\s*(?:RANGED|MELEE) WEAPONS\s*\|")
_ARMY_PAGE = frozenset({
    "ARMY RULE", "ARMY RULES", "ARMY LIST", "BOOKS", "CRUSADE RULES", "DETACHMENT", "DETACHMENT ABILITY",
    "DETACHMENT RULE", "DETACHMENT RULES", "DETACHMENTS", "ENHANCEMENTS", "STRATAGEMS",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sniffed:
    """``refusal`` None: a page of a kind that is read; otherwise issue code, message and line."""

    kind: SourceKind
    refusal: tuple[str, str, int] | None = None


def sniff(text: str) -> Sniffed:
    """Look at the head of a text and at the shape of its lines."""
    lines = _head(visible(text[:_HEAD_CHARACTERS]))
    first_number, first = lines[0] if lines else (1, "")
    if HTML_START.match(first):
        return Sniffed("html_page")
    if _CSV_HEADER.fullmatch(first):
        return _refuse("csv_export", "unsupported_kind", "a table of a CSV export, not a text dump", first_number)
    joined = "\n".join(line for _, line in lines)
    for pattern, columns in ((_OLD_PROFILE, "the columns M WS BS S T W A Ld Sv"), (_OLD_WEAPONS, "a TYPE column")):
        match = pattern.search(joined)
        if match is not None:
            message = f"a page of the 8th or 9th edition ({columns}); only later editions are read"
            return _refuse("text_dump", "old_edition", message, lines[joined.count("\n", 0, match.start())][0])
    texts = [line for _, line in lines]
    if layout_of(texts) is not None:
        return Sniffed("text_dump")
    return _sniff_other(lines, first_number)


def _sniff_other(lines: list[tuple[int, str]], first_number: int) -> Sniffed:
    """Say what a text without a datasheet is."""
    for number, line in lines:
        if _TABLE_HEADER.match(line) and read_header(line.lstrip("| ")) is None:
            message = f"a weapon table with unknown columns: {line[:80]!r}"
            return _refuse("text_dump", "not_a_datasheet", message, number)
    if any(line.strip("#* ").upper() in _ARMY_PAGE for _, line in lines):
        message = "an army page without datasheets; only datasheet pages are read"
        return _refuse("text_dump", "not_a_datasheet", message, first_number)
    return _refuse("text_dump", "not_a_datasheet", "no datasheet: neither weapon tables nor sections", first_number)


def _head(text: str) -> list[tuple[int, str]]:
    """The first lines with something on them, each cut to what a heading can be, with their numbers."""
    lines = text.split("\n", _HEAD_LINES)[:_HEAD_LINES]
    return [(number, shown) for number, line in enumerate(lines, 1) if (shown := line[:_LOOKED_AT].strip())]


def _refuse(kind: SourceKind, code: str, message: str, line: int) -> Sniffed:
    return Sniffed(kind, (code, message, line))
