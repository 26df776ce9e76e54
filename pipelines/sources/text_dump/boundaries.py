"""Where the datasheets of a page begin.

Belongs here: telling the first line of a further datasheet from a line of the rules text. Doesn't: reading it.
"""

from __future__ import annotations

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
from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.shapes import is_cp
from pipelines.sources.text_dump.weapons import is_weapon_row, read_header

_SENTENCE_ENDS = (".", "!", "?", ":", ";", ",")
_LOOK_AHEAD = 12
_LONGEST_TITLE = 210
_LONGEST = 400  # lines of a datasheet before its keywords
# How far a datasheet has been read; a further one begins where it would go back.
_STATS, _RANGED, _MELEE, _SECTIONS, _COSTS, _KEYWORDS, _RULES = range(1, 8)


def datasheet_starts(page: Page) -> list[int]:
    """Indexes of the first lines of all datasheets; the first is always 0."""
    lines = page.lines
    stats = {stat.index for stat in page.stat_lines}
    starts = [0]
    reached = 0
    for index, line in enumerate(lines):
        if index in stats:
            rank: int | None = _STATS
        elif not line or (reached == _RULES and "WEAPONS" not in line):
            rank = None
        else:
            rank = _rank(line, reached)
        if rank == _KEYWORDS and reached == _RULES:
            continue
        if rank is None:
            if index > 1 and _may_be_title(line) and _is_title(lines, index, stats):
                starts.append(index)
                reached = 0
            continue
        if rank < reached and rank <= _MELEE and reached >= _least_to_leave(rank):
            if reached < _KEYWORDS or rank == _STATS or _names_a_unit(lines, index):
                starts.append(index)
                reached = rank
            continue
        reached = max(reached, rank)
    return starts


def _least_to_leave(rank: int) -> int:
    """How far a datasheet must have come for a line of this rank to be another's."""
    return {_STATS: _RANGED, _RANGED: _COSTS, _MELEE: _COSTS}[rank]


def _rank(line: str, reached: int) -> int | None:
    first = line.lstrip()[:1]
    if first not in "|RMWAULKFSDE":
        return None
    text = line.strip()
    if text.startswith(("RANGED WEAPONS", "MELEE WEAPONS")):
        header = read_header(text)
        return None if header is None else _RANGED if header.attack_type == "ranged" else _MELEE
    if text in INDEX_HEADINGS:
        return _RULES
    if text.startswith(FACTION_KEYWORDS):
        return _KEYWORDS
    if reached >= _KEYWORDS:
        return None
    if text.startswith("|"):
        return _COSTS if COST_ROW.fullmatch(text) else None
    if text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text):
        return _KEYWORDS
    return _SECTIONS if text in SECTION_HEADINGS else None


def _may_be_title(line: str) -> bool:
    """Most lines of a page are sentences; of what is left, few have a dash."""
    return not line.endswith(_SENTENCE_ENDS) and (" – " in line or " - " in line or " — " in line)


def _is_title(lines: list[str], index: int, stats: set[int]) -> bool:
    """A title with the beginning of a datasheet below it: a table, a stat line or a section."""
    text = lines[index].strip()
    if len(text) > _LONGEST_TITLE or text.endswith(_SENTENCE_ENDS):
        return False
    text = clean(text)
    if is_cp(lines[index - 1].strip()) or read_title(text) is None:
        return False
    skipped = 0
    for below in range(index + 1, min(index + 1 + _LOOK_AHEAD, len(lines))):
        if below in stats:
            return True
        shown = lines[below].strip()
        if not shown or BASE_SIZE.fullmatch(shown):
            continue
        if shown in SECTION_HEADINGS[:4] or read_header(shown) is not None or is_weapon_row(shown):
            return True
        skipped += 1
        if skipped > 1:
            return False
    return False


def _names_a_unit(lines: list[str], index: int) -> bool:
    """Whether a datasheet without a title has, up to the next one, a section that can name its unit."""
    for line in lines[index + 1 : index + _LONGEST]:
        text = line.strip()
        if text == "UNIT COMPOSITION" or (text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text)):
            return True
    return False
