"""Wargear option sentences to ``WargearOption`` records.

Belongs here: the fixed forms in which an option is worded, in any source. Doesn't: finding the sentences on a page,
what the option lets models do (``wargear_swaps``). What fits no form keeps its text with action None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipelines.identity import fold
from pipelines.records import WargearOption
from pipelines.sources.wargear_swaps import read_swap

_THEIR = r"(?:its|their|his|her|the)"
_REPLACE = (
    re.compile(
        rf"(?P<who>.+?) can (?:each )?have {_THEIR} (?P<old>.+?) (?:each )?replaced (?:with )?(?P<new>.+)",
    ),
    re.compile(rf"(?P<who>.+?) can (?:each )?replace {_THEIR} (?P<old>.+?) with (?P<new>.+)"),
    re.compile(
        r"(?P<who>.+?)(?:[’']s|(?<=s)[’']|,? (?:its|their)) (?P<old>.+?)"
        r" can (?:each )?be replaced (?:with )?(?P<new>.+)"
    ),
)
_ADD = re.compile(r"(?P<who>.+?) can (?:each )?(?:also )?(?:be equipped|have|take) (?:with )?(?P<new>.+)")
_ITEM = re.compile(r"(?<![\w-])([0-9]{1,2})\s+([^\W\d].*?)(?=\s*(?:,|;|•|◦|-|\band\b|\bor\b|$)*\s*(?:[0-9]{1,2}\s|$))")
_AND = re.compile(r"\s*(?:,|\band\b)\s*")
_NOT_TWICE = re.compile(r"\*+ *You cannot select the same (?:weapon|option)\b[^.]*\bmore than once per unit")
_MARKED = re.compile(r"of the following:?\*:?$", re.MULTILINE)
_LONGEST_SENTENCE = 2000  # patterns with several gaps would crawl over a hostile line
_COUNT = re.compile(r"^(?:[0-9]{1,2}|an?|the)\s+")


def is_list_item(text: str) -> bool:
    """Whether a line is a choice of the option above it (``1 power fist``) rather than an option of its own."""
    return _COUNT.match(text) is not None and " can " not in text and "equipped" not in text and len(text) < 120


def parse_wargear_option(
    text: str, position: int, *, line: int | None = None, weapon_names: tuple[str, ...] = ()
) -> WargearOption:
    """Read one option with its choices. ``weapon_names`` keep a name that holds an "and" in one piece."""
    sentence = " ".join(text.split())
    if len(sentence) > _LONGEST_SENTENCE:
        return WargearOption(position, text, None, line=line)
    for pattern in _REPLACE:
        match = pattern.fullmatch(sentence)
        if match is not None:
            gains, quantity = _gains(match["new"])
            replaces = _replaced(match["old"], weapon_names)
            swap = read_swap(match["who"], match["old"], match["new"], weapon_names)
            return WargearOption(position, text, "replace", replaces, gains, quantity, match["who"], line, swap)
    match = _ADD.fullmatch(sentence)
    if match is not None:
        gains, quantity = _gains(match["new"])
        if gains:
            swap = read_swap(match["who"], None, match["new"], weapon_names)
            return WargearOption(position, text, "add", (), gains, quantity, match["who"], line, swap)
    return WargearOption(position, text, None, line=line)


def with_footnotes(options: Iterable[WargearOption], footnotes: Iterable[str]) -> tuple[WargearOption, ...]:
    """The options of one datasheet; where a footnote forbids the same choice twice, those marked with * heed it."""
    if not any(_NOT_TWICE.match(footnote) for footnote in footnotes):
        return tuple(options)
    return tuple(
        replace(option, swap=replace(option.swap, distinct=True))
        if option.swap and _MARKED.search(option.text or "")
        else option
        for option in options
    )


def _gains(phrase: str) -> tuple[tuple[str, ...], int | None]:
    found = [(int(count), name.strip(" .*:,")) for count, name in _ITEM.findall(phrase)]
    counts = {count for count, _ in found}
    names = tuple(dict.fromkeys(name for _, name in found if name))
    return names, counts.pop() if len(counts) == 1 else None


def _replaced(phrase: str, weapon_names: tuple[str, ...]) -> tuple[str, ...]:
    whole = _COUNT.sub("", phrase.strip())
    if fold(whole) in {fold(name) for name in weapon_names}:
        return (whole,)
    return tuple(_COUNT.sub("", part.strip()) for part in _AND.split(phrase) if part.strip())
