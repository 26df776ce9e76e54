"""Small pages in the layout of the real dumps, in words of our own."""

from __future__ import annotations

import re
from pathlib import Path

from pipelines.records import Document
from pipelines.rulebook.verbatim import reconstruct, text_ids
from pipelines.sources.text_dump import parse_text

TITLE = "Iron Pact – Gun Crew"
RANGED = [
    "RANGED WEAPONS | RANGE | A | BS | S | AP | D | |",
    "| Long gun [heavy, sustained hits 1] | |||||||",
    '| Long gun [heavy, sustained hits 1] | 36" | 2 | 3+ | 9 | -2 | D3+1 | |',
]
MELEE = [
    "MELEE WEAPONS | RANGE | A | WS | S | AP | D | |",
    "| Crew knives | |||||||",
    "| Crew knives | Melee | 3 | 4+ | 3 | 0 | 1 | |",
]
OPTIONS = ["WARGEAR OPTIONS", "- Any number of models can each have their long gun replaced with 1 short gun."]
ABILITIES = ["ABILITIES", 'CORE: Deadly Demise D3, Scouts 6"', "FACTION: Sworn Debt"]
COMPOSITION = ["UNIT COMPOSITION", "- 1-3 Gun Crews", "| 1 model | 55 |", "| 2 models | 110 |"]
KEYWORDS = ["KEYWORDS: VEHICLE, GUN CREW", "FACTION KEYWORDS:", "IRON PACT", "IRON PACT"]
INDEX = ["STRATAGEMS", "STEADY AIM", "1CP", "Siege Line – Battle Tactic"]
DETAIL = [
    "STEADY AIM",
    "1CP",
    "Siege Line – Battle Tactic Stratagem",
    "Our own words about a gunner who breathes out slowly.",
    "WHEN: Your Shooting phase.",
    "TARGET: One unit of guns.",
    "EFFECT: The guns are aimed again.",
    "TARGET: One unit of guns.",
    "EFFECT: The guns are aimed again.",
]
RULE = ["Hit Roll", "A made-up sentence about rolling to hit.", "- Roll a die."]


def page(*sections: list[str]) -> str:
    """A page of the given sections under the title, or of the usual ones."""
    chosen = sections or (RANGED, MELEE, OPTIONS, ABILITIES, COMPOSITION, KEYWORDS, INDEX, DETAIL, RULE)
    return "\n".join([TITLE, *(line for section in chosen for line in section)])


def rules_page(*rules: list[str], index: list[str] | None = None) -> str:
    """A page whose rules text is given."""
    return page(RANGED, ABILITIES, COMPOSITION, KEYWORDS, ["STRATAGEMS"] if index is None else index, *rules)


def parse(text: str) -> Document:
    """Parse a page without a file."""
    return parse_text(text, document_id="0" * 64, path="page.txt", byte_count=len(text.encode()))


def written(folder: Path, data: bytes | str, name: str = "page.txt") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def codes(document: Document, *, above: str = "") -> list[str]:
    """Issue codes; ``above="info"`` leaves mere information out."""
    return [issue.code for issue in document.issues if issue.severity != above]


def tiled(document: Document, text: str) -> bool:
    """Whether each character of the text lies in exactly one span."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = (len(lines), len(lines[-1]) + 1)
    at = (1, 1)
    for span in document.spans:
        if (span.start_line, span.start_column) != at or (span.end_line, span.end_column) <= at:
            return False
        at = (span.end_line, span.end_column)
        if at[0] <= len(lines) and at[1] > len(lines[at[0] - 1]) + 1:
            return False
    return at == end


def given_back(document: Document) -> bytes:
    """The bytes of a document, from its spans and texts alone."""
    assert document.encoding is not None
    assert document.byte_order_mark is not None
    assert document.newline is not None
    ids = text_ids([document])
    return reconstruct(
        [ids[span.text] for span in document.spans],
        {text_id: text for text, text_id in ids.items()},
        encoding=document.encoding,
        byte_order_mark=document.byte_order_mark,
        newline=document.newline,
    )


def assert_lossless(document: Document, data: bytes) -> None:
    """Each span says what stands from its beginning to its end, the next begins there, and all give the bytes back."""
    line, column = 1, 1
    for span in document.spans:
        assert (span.start_line, span.start_column) == (line, column)
        lines = re.split(r"\r\n|\r|\n", span.text)
        line, column = line + len(lines) - 1, len(lines[-1]) + (column if len(lines) == 1 else 1)
        assert (span.end_line, span.end_column) == (line, column)
        assert span.text
    assert given_back(document) == data
