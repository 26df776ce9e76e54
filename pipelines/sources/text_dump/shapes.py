"""Line shapes of the page layout: what one line (or piece of a line) looks like.

Belongs here: patterns of single lines and the seams where a heading is glued to the sentence before it. Doesn't: what
follows from a sequence of lines (``blocks``), values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from pipelines.sources.text_dump.memory import line_remembered

_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
_LONGEST_TITLE = 64
_SMALL_WORDS = (
    "a|all|an|an’|and|as|at|but|by|da|for|from|in|into|is|it|its|of|off|on|or|out|over|than|the|to|under|upon|with"
)

_TITLE = re.compile(
    rf"(?:\d{{1,2}}\. )?[‘’“\"(]*{_UPPER}[^\s.:;|]*"
    rf"(?: (?:{_SMALL_WORDS}|[–&-]|[‘’“\"(\[]*(?:{_UPPER}|\d)[^\s.:;|]*)){{0,10}}(?<![,?])"
)
_CP = re.compile(r"\d{1,2}CP")
_POINTS = re.compile(r"\d{1,4}")
_TYPE_LINE = re.compile(r"(?P<detachment>.+?) – (?P<type>[^–]+?)(?P<detail> Stratagem)?")
_TABLE_RESIDUE = re.compile(r"\|[|\s]*")
_KEYWORD_USAGE = re.compile(
    r"The (?P<keywords>[^.:]{0,200}?) ?keywords? (?:is|are) used in the following (?:[^.:]{0,80}?) ?datasheets:"
)
_USAGE_CLUE = "used in the following"
_NOTE_CLUE = "select one of its profiles"
_PROFILE_NOTE = re.compile(r"Before selecting targets [^.]{0,40}select one of its profiles")
_SEAM_END = r"(?:(?<=[.!?:\"”)\]])|(?<=[.!?]’))"  # an apostrophe alone ends no sentence: HUNTR’S MARK
_GLUED_USAGE = re.compile(rf"{_SEAM_END}The (?=[^.:]{{0,200}}keywords? (?:is|are) used in the following)")
_GLUED_NOTE = re.compile(rf"{_SEAM_END}Before selecting targets (?=[^.]{{0,40}}select one of its profiles)")
_GLUED_TITLE = re.compile(rf"{_SEAM_END}(?=(?:\d{{1,2}}\. )?{_UPPER})")


class Shape(Enum):
    """What a piece looks like on its own."""

    TITLE = auto()
    CATEGORY = auto()
    DETACHMENT = auto()
    CP = auto()
    STRATAGEM_TYPE = auto()
    KEYWORD_USAGE = auto()
    PROFILE_NOTE = auto()
    BULLET = auto()
    RESIDUE = auto()
    PROSE = auto()


# What may stand under a title as its text.
BODY = (Shape.PROSE, Shape.BULLET, Shape.RESIDUE)


@dataclass(slots=True)
class Piece:
    """A line, or the part of a line on one side of a seam."""

    line: int
    column: int
    text: str
    shape: Shape


def is_title(text: str) -> bool:
    """Short, in title case or capitals, no punctuation of a sentence."""
    return len(text) <= _LONGEST_TITLE and _TITLE.fullmatch(text) is not None


def is_cp(text: str) -> bool:
    """``1CP``."""
    return len(text) <= 4 and _CP.fullmatch(text) is not None


def is_points(text: str) -> bool:
    """A bare number, as in the enhancement index."""
    return len(text) <= 4 and _POINTS.fullmatch(text) is not None


def type_line(text: str) -> re.Match[str] | None:
    """``Detachment – Type``, with the group ``detail`` set when `` Stratagem`` ends it."""
    return _TYPE_LINE.fullmatch(text) if len(text) <= 160 else None


def keyword_usage(text: str) -> re.Match[str] | None:
    """The sentence over a list of datasheets that have a keyword."""
    return _KEYWORD_USAGE.match(text) if _USAGE_CLUE in text else None


def shape_of(text: str, categories: frozenset[str]) -> Shape:
    """Tell the shape of one piece."""
    if text.startswith("- "):
        return Shape.BULLET
    if len(text) <= _LONGEST_TITLE:
        if text in categories:
            return Shape.CATEGORY
        if is_cp(text):
            return Shape.CP
        if text.startswith("|") and _TABLE_RESIDUE.fullmatch(text):
            return Shape.RESIDUE
        if text.endswith(" Detachment") and "." not in text:
            return Shape.DETACHMENT
        if _TITLE.fullmatch(text):
            match = type_line(text) if text.endswith(" Stratagem") else None
            return Shape.STRATAGEM_TYPE if match else Shape.TITLE
    if text.endswith(" Stratagem") and type_line(text):
        return Shape.STRATAGEM_TYPE
    if _USAGE_CLUE in text and _KEYWORD_USAGE.match(text):
        return Shape.KEYWORD_USAGE
    if _NOTE_CLUE in text and _PROFILE_NOTE.match(text):
        return Shape.PROFILE_NOTE
    if text.startswith("|") and _TABLE_RESIDUE.fullmatch(text):
        return Shape.RESIDUE
    return Shape.PROSE


def cut_pieces(lines: Sequence[str], first: int, categories: frozenset[str]) -> list[Piece]:
    """Cut the lines from index ``first`` on at their seams; blank lines give no piece."""
    pieces: list[Piece] = []
    for index in range(first, len(lines)):
        raw = lines[index]
        text = raw.strip()
        if not text:
            continue
        column = 1 if text is raw else 1 + len(raw) - len(raw.lstrip())
        start = 0
        shape, seams, heading = _look_at(text, categories)
        if heading is not None and opens_block(lines, index + 1):
            seams = tuple(sorted((*seams, heading)))
        for seam in seams:
            pieces.append(_piece(index + 1, column + start, text[start:seam], categories))
            start = seam
        if start:
            pieces.append(_piece(index + 1, column + start, text[start:], categories))
        else:
            pieces.append(Piece(index + 1, column, text, shape))
    return pieces


@line_remembered
def _look_at(text: str, categories: frozenset[str]) -> tuple[Shape, tuple[int, ...], int | None]:
    """The shape of a line, where blocks begin inside it, and where one does if a heading may stand at its end."""
    seams: set[int] = set()
    if _USAGE_CLUE in text:
        seams.update(match.start() for match in _GLUED_USAGE.finditer(text))
    if _NOTE_CLUE in text:
        seams.update(match.start() for match in _GLUED_NOTE.finditer(text))
    heading = _glued_heading(text)
    return shape_of(text, categories), tuple(sorted(seams)), None if heading in seams else heading


def _glued_heading(text: str) -> int | None:
    """Where a heading begins that is glued to the sentence before it; it has no punctuation of its own."""
    if text[-1] in ".:;,?" or is_title(text):
        return None
    tail = max(0, len(text) - _LONGEST_TITLE - 1)
    starts = (match.start() for match in _GLUED_TITLE.finditer(text, tail))
    return next((start for start in starts if is_title(text[start:])), None)


def _piece(line: int, column: int, text: str, categories: frozenset[str]) -> Piece:
    return Piece(line, column, text, shape_of(text, categories))


def opens_block(lines: Sequence[str], index: int) -> bool:
    """Whether the line can be the first under a title: CP, a detachment, prose or a list, no further title."""
    if index >= len(lines):
        return False
    text = lines[index].strip()
    if is_cp(text) or text.endswith(" Detachment"):
        return True
    return bool(text) and not is_title(text) and keyword_usage(text) is None
