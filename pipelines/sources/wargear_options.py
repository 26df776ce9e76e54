"""Wargear option sentences to ``WargearOption`` records.

Belongs here: the fixed forms in which an option is worded, in any source. Doesn't: finding the sentences on a page,
what the option lets models do (``wargear_swaps``), footnotes (``wargear_footnotes``). What fits no form keeps its text
with action None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.identity import fold
from pipelines.records import WargearOption
from pipelines.sources.wargear_swaps import read_swap

_THEIR = r"(?:its|their|his|her|the)"
_REPLACE = (
    re.compile(
        r"(?P<who>.+?) can (?:each )?have (?P<each>each) (?P<old>.+?) (?:it is|they are) equipped with replaced with "
        r"(?P<new>.+)"
    ),
    re.compile(
        rf"(?P<who>.+?) can (?:each )?have {_THEIR} (?P<old>.+?) (?:each )?replaced (?:with )?(?P<new>.+)",
    ),
    re.compile(rf"(?P<who>.+?) can (?:each )?replace (?:one of )?{_THEIR} (?P<old>.+?) with (?P<new>.+)"),
    re.compile(
        r"(?P<who>.+?)(?:[’']s|(?<=s)[’']|,? (?:its|their)) (?P<old>.+?)"
        r" can (?:each )?be replaced (?:with )?(?P<new>.+)"
    ),
)
# "This model's guns can each be replaced": as many of them as it likes.
_ONE_BY_ONE = re.compile(r"This model[’']s \D.+ can each be replaced\b")
_ADD = re.compile(r"(?P<who>.+?) can (?:each )?(?:also )?(?:be equipped|have|take) (?:with )?(?P<new>.+)")
_ITEM = re.compile(r"(?<![\w-])([0-9]{1,2})\s+([^\W\d].*?)(?=\s*(?:,|;|•|◦|-|\band\b|\bor\b|$)*\s*(?:[0-9]{1,2}\s|$))")
_AND = re.compile(r"\s*(?:,|\band\b|\bor\b(?: (?:its|their)\b)?)\s*")
_HEADING = re.compile(r"(?P<condition>(?:If|For every) [^:]{3,80}): *")
_DO_ONE = re.compile(r"(?P<who>.{2,80}?) can do one of the following: - (?P<first>[^-]+?)\.? - (?P<second>[^-]+)")
# Slips of the pen, each of which can be meant in one way only.
_SLIPS = (
    (re.compile(r"\bcan (?:be replace|replaced)\b"), "can be replaced"),
    (re.compile(r"\b(have (?:its|their) [^,:]{2,60}?) can be replaced\b"), r"\1 replaced"),
    (re.compile(r"^(This model[’']s (?:(?! can )[^,:]){2,60}?) replaced with\b"), r"\1 can be replaced with"),
    (re.compile(r"\breplaced with (?:equipped )?with\b"), "replaced with"),
    (re.compile(r"\bone (?=1 )"), ""),
    (re.compile(r"\bone of - the following\b"), "one of the following"),
    (re.compile(r"\bwith: - "), "with one of the following: - "),
    (re.compile(r"^Both of this model([’'])s "), r"This model\1s 2 "),
)
_LONGEST_SENTENCE = 2000  # patterns with several gaps would crawl over a hostile line
_COUNT = re.compile(r"^(?:[0-9]{1,2}|an?|the)\s+")


def is_list_item(text: str) -> bool:
    """Whether a line is a choice of the option above it (``1 power fist``) rather than an option of its own."""
    return _COUNT.match(text) is not None and " can " not in text and "equipped" not in text and len(text) < 120


def each_sentence(parts: Sequence[str]) -> list[list[str]]:
    """The options of a cell's lines: usually one, but several where a condition heads whole sentences."""
    heading = _HEADING.fullmatch(parts[0])
    if heading is None or len(parts) < 2 or not all(" can " in part for part in parts[1:]):
        return [list(parts)]
    return [[f"{heading['condition']}, {part}"] for part in parts[1:]]


def parse_wargear_option(
    text: str, position: int, *, line: int | None = None, weapon_names: tuple[str, ...] = ()
) -> WargearOption:
    """Read one option with its choices. ``weapon_names`` keep a name that holds an "and" in one piece."""
    sentence = " ".join(text.split())
    if len(sentence) > _LONGEST_SENTENCE:
        return WargearOption(position, text, None, line=line)
    sentence = _corrected(sentence)
    for pattern in _REPLACE:
        match = pattern.fullmatch(sentence)
        if match is not None:
            gains, quantity = _gains(match["new"])
            replaces = _replaced(match["old"], weapon_names)
            swap = read_swap(match["who"], match["old"], match["new"], weapon_names)
            if swap is not None and swap.most is None and ("each" in match.groupdict() or _ONE_BY_ONE.match(sentence)):
                swap = replace(swap, times=None)
            return WargearOption(position, text, "replace", replaces, gains, quantity, match["who"], line, swap)
    match = _ADD.fullmatch(sentence)
    if match is not None:
        gains, quantity = _gains(match["new"])
        swap = read_swap(match["who"], None, match["new"], weapon_names)
        if swap is not None and not gains and " equipped with " in sentence:
            gains = tuple(dict.fromkeys(name for choice in swap.choices for name, _ in choice))
        if gains:
            return WargearOption(position, text, "add", (), gains, quantity, match["who"], line, swap)
    return WargearOption(position, text, None, line=line)


def _corrected(sentence: str) -> str:
    for slip, meant in _SLIPS:
        sentence = slip.sub(meant, sentence)
    if match := _DO_ONE.fullmatch(sentence):
        first, second = (match[name][:1].lower() + match[name][1:] for name in ("first", "second"))
        return f"{match['who']} can {first}, or can {second}"
    return sentence


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
