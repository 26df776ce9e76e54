"""Which units some words mean: keywords in capitals, alternatives and exclusions.

Belongs here: splitting "ORKS WALKER or GROTS VEHICLE unit (excluding TITANIC units)" into known keywords. Doesn't:
whose unit that is in a condition (``roles``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from pipelines.identity import singular

NO_KEYWORD = "?"  # stands for words that are no known keyword: nothing has it, as folding drops the sign

_WORD = (
    r"(?<![\w’'-])(?!(?:YP|CP|BTP|AP|\d*D\d)\b)(?=[^\s,]{2})[^\W\d_a-z][^\W_a-z]*(?:[’'-][^\W_a-z]+)*(?!\w)"
)  # fmt: skip
_RUN = rf"{_WORD}(?: {_WORD})*"
_NOUN = r"(?: Attached)?(?: (?:unit|model)s?\b)?"
_JOIN = (
    r"(?:,? and/or |,? or |,? and |, )"
    r"(?:(?:an?|one|any|one or more|up to (?:one|two|three)) )?(?:other )?(?:friendly )?"
)
GROUP = re.compile(rf"{_RUN}{_NOUN}(?:{_JOIN}{_RUN}{_NOUN})*")
_ITEM = re.compile(rf"(?P<join>{_JOIN})?(?P<run>{_RUN})(?P<noun>{_NOUN})")
_TITLE = re.compile(
    r"(?P<before>\b(?:an?|one|that|those|your|this|friendly|enemy|or|and|Two|excluding)|,) "
    r"(?P<name>[^\W\d_a-z][\w’'-]+(?: (?:(?:of|on|in|with|the) )*[^\W\d_a-z][\w’'-]+)*)"
    r"(?= (?:unit|model|keyword)s?\b| only\b|, [^\W\d_a-z]| or )"
)
_LONGEST_NAME = 12  # words of a keyword or unit name; the game's have at most eight
_LONGEST_LIST = 3  # words of a list that may stand in small letters: each is seen once those before it are in capitals


def keyword_set(names: Iterable[str]) -> frozenset[str]:
    """Keywords as the tests compare them: folded, without plural endings."""
    return frozenset(singular(name) for name in names)


@dataclass(frozen=True, slots=True)
class KeywordTest:
    """Whether a unit is meant: it has all keywords of one of ``any_of``, and all of none of ``none_of``.

    ``any_of``: alternatives, () for any unit. ``unknown``: words that can't be split into known keywords; an
    alternative with such words is met by nothing, and so is a test that excludes such words.
    """

    any_of: tuple[frozenset[str], ...] = ()
    none_of: tuple[frozenset[str], ...] = ()
    unknown: tuple[str, ...] = ()

    def meets(self, keywords: frozenset[str]) -> bool:
        """Tell whether a unit with these keywords (by ``keyword_set``) is meant."""
        wanted = not self.any_of or any(each <= keywords for each in self.any_of)
        return wanted and not any(each <= keywords for each in self.none_of)


@dataclass(frozen=True, slots=True)
class Named:
    """A group of keywords as it stands in a text. ``is_pair``: units used at once ("one X unit and one Y unit")."""

    runs: tuple[str, ...]
    is_pair: bool


def named(group: str) -> Named:
    """Take a group (a match of ``GROUP``) apart."""
    items = list(_ITEM.finditer(group))
    pair = any(
        re.search(r"\band\b(?!/)", after["join"] or "") and re.fullmatch(r" (?:unit|model)", before["noun"])
        for before, after in pairwise(items)
    )
    return Named(tuple(item["run"] for item in items), pair)


def excluded(words: str) -> tuple[str, ...] | None:
    """Keywords of an exclusion ("MONSTERS and VEHICLES", "any GROTS units"); None: it excludes something else."""
    match = re.fullmatch(
        rf"(?:an? |any |friendly |attacks that target |units that can )?(?P<group>{GROUP.pattern})", words.strip()
    )
    return named(match["group"]).runs if match else None


def known_in_capitals(text: str, vocabulary: frozenset[str]) -> str:
    """Write keywords that stand as words ("a Character unit") in capitals."""

    def raised(match: re.Match[str]) -> str:
        known = split(match["name"], vocabulary) is not None
        return f"{match['before']} {match['name'].upper() if known else match['name']}"

    text = re.sub(r"\b(can|cannot) Fly\b", r"\1 FLY", text)
    for _ in range(_LONGEST_LIST):
        text = _TITLE.sub(raised, text)
    return text


def split(words: str, vocabulary: frozenset[str]) -> frozenset[str] | None:
    """Split a phrase wholly into the fewest known keywords; None where that can't be done."""
    parts = singular(words).split()
    best: list[tuple[str, ...] | None] = [(), *[None] * len(parts)]
    for end in range(1, len(parts) + 1):
        for start in range(max(end - _LONGEST_NAME, 0), end):
            before, keyword = best[start], " ".join(parts[start:end])
            if before is None or keyword not in vocabulary:
                continue
            shorter = best[end]
            if shorter is None or len(before) + 1 < len(shorter):
                best[end] = (*before, keyword)
    found = best[-1]
    return frozenset(found) if found else None


def keyword_test(wanted: Iterable[str], unwanted: Iterable[str], vocabulary: frozenset[str]) -> KeywordTest:
    """A test for any of some phrases and none of others."""
    alternatives, exclusions, unknown = [], [], []
    for words in wanted:
        found = split(words, vocabulary)
        alternatives.append(found or frozenset({NO_KEYWORD}))
        unknown += [] if found else [words]
    for words in unwanted:
        found = split(words, vocabulary)
        exclusions.append(found or frozenset())  # every unit has all of nothing, so that none meets the test
        unknown += [] if found else [words]
    return KeywordTest(tuple(dict.fromkeys(alternatives)), tuple(dict.fromkeys(exclusions)), tuple(unknown))
