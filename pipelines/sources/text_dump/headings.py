"""Headings of a page and other single lines that several steps must recognise.

Belongs here: titles, section headings, lines of no meaning. Doesn't: what stands below them.
"""

from __future__ import annotations

import re

INDEX_HEADINGS = ("STRATAGEMS", "DETACHMENT ABILITY", "DETACHMENT ABILITIES", "ENHANCEMENTS")
SECTION_HEADINGS = ("WARGEAR OPTIONS", "ABILITIES", "WARGEAR ABILITIES", "UNIT COMPOSITION", "LEADER")
KEYWORDS = "KEYWORDS"
FACTION_KEYWORDS = "FACTION KEYWORDS:"
KEYWORD_LINE = re.compile(r"KEYWORDS(?:\s*–\s*(?P<scope>[^:]{1,80}))?:\s*(?P<list>.*)")
BASE_SIZE = re.compile(r"\([⌀Ø∅].{1,60}\)")
NOISE = re.compile(r"\]|This datasheet does not meet the selection criteria\b.{0,120}")
COST_ROW = re.compile(r"\|\s*(?:[0-9][^|]*\|\s*\+?|[^|]+\|\s*\+)[0-9]{1,4}\s*\|?\s*\|?")

_TITLE = re.compile(r"(?P<collection>[^|–—]{1,80}) [–—] (?P<unit>[^|]{1,120})")
_HYPHENATED_TITLE = re.compile(r"(?P<collection>[^|–—]{1,80}?) - (?P<unit>[^|]{1,120})")
_NO_TITLE_STARTS = ("- ", "•", "|", "*", "#")


def read_title(text: str) -> tuple[str, str] | None:
    """Collection and unit of ``Collection – Unit``, with any dash that has blanks around it."""
    if text.startswith(_NO_TITLE_STARTS):
        return None
    match = _TITLE.fullmatch(text) or _HYPHENATED_TITLE.fullmatch(text)
    if match is None:
        return None
    collection, unit = match["collection"].strip(), match["unit"].strip()
    return (collection, unit) if collection and unit else None


def is_noise(text: str) -> bool:
    """A line that the extraction has left over."""
    return text == "]" or (text.startswith("This datasheet does not") and NOISE.fullmatch(text) is not None)


def is_heading(text: str) -> bool:
    """A heading of one of the sections of a datasheet or of its indexes."""
    return (
        text in SECTION_HEADINGS
        or text in INDEX_HEADINGS
        or text.startswith(FACTION_KEYWORDS)
        or (text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text) is not None)
    )
