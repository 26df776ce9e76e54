"""Telling by structure what a text is.

Belongs here: which kind and layout a text has, and for what isn't read, what to say. Doesn't: parsing it.
File names play no part.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.identity import clean
from pipelines.records import SourceKind
from pipelines.sources.text_dump.datasheet import INDEX_HEADINGS, TITLE
from pipelines.sources.text_dump.weapons import read_header

_HEAD_LINES = 400
_LOOKED_AT = 240  # characters of a line
_OLD_PROFILE = re.compile(r"(?:No\.?\W+)?NAME\W+M\W+WS\W+BS\W+S\W+T\W+W\W+A\W+Ld\W+Sv\b", re.IGNORECASE)
_OLD_WEAPONS = re.compile(r"(?:WEAPON\W+)?RANGE\W+TYPE\W+S\W+AP\W+D\b", re.IGNORECASE)
_HTML = re.compile(r"\s*(?:<!doctype html|<html|<head|<body|<div|<table|<meta|<\?xml)\b", re.IGNORECASE)
_CSV_HEADER = re.compile(r"[a-z][A-Za-z0-9_]*(?:\|[A-Za-z][A-Za-z0-9_]*){2,}\|?,*")
_MARKDOWN_RULE = re.compile(r"\|(?:\s*:?-{3,}:?\s*\|)+")
_TABLE_HEADER = re.compile(r"\|?\s*(?:RANGED|MELEE) WEAPONS\b")
_BARE_TABLE_HEADER = re.compile(r"(?:RANGED|MELEE) WEAPONS")
_WEAPON_ROW = re.compile(r"\|.*\|\s*(?:\d+\"|Melee|N/A)\s*\|.*\|")
_SECTIONS = frozenset({"ABILITIES", "UNIT COMPOSITION", "WARGEAR OPTIONS", *INDEX_HEADINGS})
_STAT_NAMES = ("M", "T", "SV", "W", "LD", "OC")


@dataclass(frozen=True, slots=True)
class Sniffed:
    """``refusal`` None: a page of the layout that is read; otherwise issue code, message and line."""

    kind: SourceKind
    refusal: tuple[str, str, int] | None = None


def sniff(text: str) -> Sniffed:
    """Look at the head of a text and at the shape of its lines."""
    lines = [(number, line) for number, line in _head(text) if line]
    first_number, first = lines[0] if lines else (1, "")
    if _HTML.match(first):
        return _refuse("html_page", "unsupported_kind", "an HTML page; only text dumps are read here", first_number)
    if _CSV_HEADER.fullmatch(first):
        return _refuse("csv_export", "unsupported_kind", "a table of a CSV export, not a text dump", first_number)
    for number, line in lines:
        if _OLD_PROFILE.search(line):
            message = "a page of the 8th or 9th edition (columns NAME M WS BS S T W A Ld Sv); only later ones are read"
            return _refuse("text_dump", "old_edition", message, number)
        if _OLD_WEAPONS.search(line):
            message = "a page of the 8th or 9th edition (weapons with a TYPE column); only later ones are read"
            return _refuse("text_dump", "old_edition", message, number)
    return _sniff_layout(lines, first_number, first)


def _sniff_layout(lines: list[tuple[int, str]], first_number: int, first: str) -> Sniffed:
    markdown = next((number for number, line in lines if _MARKDOWN_RULE.fullmatch(line)), None)
    if markdown is not None:
        return _layout("D: Markdown tables", markdown)
    stat_line = _stat_cells(lines)
    if stat_line is not None:
        return _layout("C: one cell per line", stat_line)
    header = next(((number, line) for number, line in lines if _TABLE_HEADER.match(line)), None)
    titled = TITLE.fullmatch(clean(first)) is not None
    if header is None:
        row = next((number for number, line in lines if _WEAPON_ROW.fullmatch(line)), None)
        if row is not None:
            return _layout("F: weapon rows without their header", row)
        if titled and any(_is_section(line) for _, line in lines):
            return Sniffed("text_dump")
        return _refuse("text_dump", "not_a_datasheet", "no datasheet: neither weapon tables nor sections", first_number)
    number, line = header
    if read_header(line) is None:
        if line.startswith("|"):
            return _layout("E: headers with a leading pipe, abilities without brackets", number)
        if _BARE_TABLE_HEADER.fullmatch(line):
            return _layout("C or G: a weapon table whose header has no columns", number)
        message = f"a weapon table with unknown columns: {line[:80]!r}"
        return _refuse("text_dump", "not_a_datasheet", message, number)
    if not titled:
        return _layout("B or G: weapon tables without the title 'Collection – Unit' above them", first_number)
    return Sniffed("text_dump")


def _head(text: str) -> list[tuple[int, str]]:
    """The first lines, each cut to what a heading can be; a text without line breaks costs nothing more."""
    head = []
    start, number = 0, 0
    while start <= len(text) and number < _HEAD_LINES:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        head.append((number, text[start : min(end, start + _LOOKED_AT)].strip()))
        start = end + 1
    return head


def _is_section(line: str) -> bool:
    return line in _SECTIONS or line.startswith(("KEYWORDS:", "FACTION KEYWORDS:"))


def _stat_cells(lines: list[tuple[int, str]]) -> int | None:
    """The line of a stat line printed one cell per line: M, its value, T, its value."""
    texts = [line.upper() for _, line in lines]
    for at in range(len(texts) - 4):
        if texts[at] == "M" and texts[at + 2] == "T" and texts[at + 4] in _STAT_NAMES:
            return lines[at][0]
    return None


def _layout(name: str, line: int) -> Sniffed:
    message = f"a datasheet page in a layout that isn't supported yet ({name})"
    return _refuse("text_dump", "unsupported_layout", message, line)


def _refuse(kind: SourceKind, code: str, message: str, line: int) -> Sniffed:
    return Sniffed(kind, (code, message, line))
