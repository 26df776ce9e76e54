"""Cells with HTML in them as plain text.

Belongs here: taking mark-up away and keeping its line breaks. Doesn't: what the text says.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from bs4 import BeautifulSoup, NavigableString

from pipelines.identity import clean

_BLOCKS = ["li", "p", "div", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5"]
_BLANKS = re.compile(r"[^\S\n]+")
_TAG = re.compile(r"</?[A-Za-z!]")
# Whole, well-formed tags that leave no trace in the text are most of an export's mark-up: gone before the parser,
# they cost a tenth. Anything else is the parser's.
_INLINE = re.compile(
    r"</?(?:span|a|b|i|u|s|em|strong|ky|sup|sub|font)"
    r"(?:\s+[\w-]{1,40}(?:=(?:\"[^\"<>]*\"|'[^'<>]*'))?)*\s*>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


@lru_cache(maxsize=16384)
def lines(cell: str) -> tuple[str, ...]:
    """The lines of a cell without mark-up; an entry of a list is a line that begins with ``- ``."""
    text = _BREAK.sub("\n", _INLINE.sub("", cell)) if "<" in cell else cell
    return tuple(_cleaned(_without_blocks(text) if _TAG.search(text) else html.unescape(text)))


def _without_blocks(text: str) -> str:
    soup = BeautifulSoup(text, "html.parser")
    for element in soup.find_all(["br", *_BLOCKS]):
        element.insert(0, NavigableString("\n- " if element.name == "li" else "\n"))
        element.append(NavigableString("\n"))
    return soup.get_text("")


def _cleaned(text: str) -> list[str]:
    normal = unicodedata.normalize("NFC", text)
    found = (_BLANKS.sub(" ", line).strip() for line in normal.split("\n"))
    return [line for line in found if line and line != "-"]


def body(cell: str) -> str:
    """The text of a cell, line by line."""
    return "\n".join(lines(cell))


def plain(cell: str) -> str:
    """The text of a cell on one line, in the form in which names are stored."""
    return clean(" ".join(lines(cell))) if "<" in cell or "&" in cell else clean(cell)
