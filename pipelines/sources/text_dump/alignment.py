"""Aligning nameless enhancement texts with the names of the index.

Belongs here: which text belongs to which name, and how surely. Doesn't: reading either.

Both lists have the same order, by detachment; only the texts say which detachment, and some names have no text. The
alignment keeps the order and prefers names whose words return in the text and points that don't fall inside a
detachment; among equals the earliest names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipelines.sources.text_dump.memory import fold, rule_remembered

_STEM = 6  # letters of a word that must agree: "strategist" and "strategies"
_SHORTEST = 4
_WORD_SCORE = 3
_FALLING_POINTS = -2
_MOST_NAMES = 300  # a page has some twenty; more is no page


@dataclass(frozen=True, slots=True)
class Match:
    """What belongs to one name; ``text`` None: its text is missing."""

    text: int | None
    detachment: str | None
    certainty: Literal["certain", "inferred", "missing"]


def align(names: Sequence[tuple[str, int | None]], texts: Sequence[tuple[str, str]]) -> list[Match]:
    """``names``: name and points; ``texts``: detachment and words. Each text is given to one name at most."""
    if len(names) > _MOST_NAMES:
        return [Match(None, None, "missing") for _ in names]
    if len(texts) > len(names):
        texts = texts[: len(names)]
    stems = [_stems(name) for name, _ in names]
    words = [_words(text) for _, text in texts]
    # How often words of the name return in the text; more than twice says no more.
    scores = [[sum(min(2, text.count(stem)) for stem in found) for found in stems] for text in words]
    chosen = _best_order(names, texts, scores)
    owner = {name: text for text, name in enumerate(chosen)}
    detachments: list[str | None] = [texts[owner[at]][0] if at in owner else None for at in range(len(names))]
    for at in range(len(names)):
        if at not in owner:
            detachments[at] = _infer_detachment(at, names, owner, texts)
    matches = []
    for at in range(len(names)):
        if at not in owner:
            matches.append(Match(None, detachments[at], "missing"))
            continue
        group = detachments[at]
        complete = detachments.count(group) == sum(1 for detachment, _ in texts if detachment == group)
        certain = complete or scores[owner[at]][at] > 0
        matches.append(Match(owner[at], group, "certain" if certain else "inferred"))
    return matches


@rule_remembered
def _words(text: str) -> str:
    """The text folded, with a blank before each word; keywords in capitals left out."""
    return " " + fold(" ".join(word for word in re.split(r"[\s\-–]+", text) if not word.isupper()))


def _stems(name: str) -> list[str]:
    """Beginnings of the name's longer words, each with a blank before it."""
    words = dict.fromkeys(word[:_STEM] for word in fold(name).split() if len(word) >= _SHORTEST)
    return [f" {word}" for word in words]


def _best_order(
    names: Sequence[tuple[str, int | None]], texts: Sequence[tuple[str, str]], scores: Sequence[Sequence[int]]
) -> list[int]:
    """The names' indexes, rising, one for each text, with the best score; among equals the earliest."""
    count, room = len(names), len(names) - len(texts)
    if not texts:
        return []
    best: dict[tuple[int, int], tuple[int, int]] = {}  # (text, name) -> score from here on, next name
    for text in reversed(range(len(texts))):
        for name in range(text, text + room + 1):
            own = _WORD_SCORE * scores[text][name]
            if text == len(texts) - 1:
                best[text, name] = (own, count)
                continue
            options = []
            for following in range(name + 1, text + room + 2):
                falls = texts[text][0] == texts[text + 1][0] and (names[following][1] or 0) < (names[name][1] or 0)
                options.append((best[text + 1, following][0] + (_FALLING_POINTS if falls else 0), -following))
            score, negative = max(options)
            best[text, name] = (own + score, -negative)
    at = max(range(room + 1), key=lambda name: (best[0, name][0], -name))
    chosen = []
    for text in range(len(texts)):
        chosen.append(at)
        at = best[text, at][1]
    return chosen


def _infer_detachment(
    at: int, names: Sequence[tuple[str, int | None]], owner: dict[int, int], texts: Sequence[tuple[str, str]]
) -> str | None:
    """The neighbour's detachment; between two, the one in which the points don't fall; None if neither tells."""
    before = next((name for name in range(at - 1, -1, -1) if name in owner), None)
    after = next((name for name in range(at + 1, len(names)) if name in owner), None)
    left = texts[owner[before]][0] if before is not None else None
    right = texts[owner[after]][0] if after is not None else None
    if left is None or right is None or left == right:
        return left or right
    points = names[at][1] or 0
    fits_left = (names[before][1] or 0) <= points  # type: ignore[index]
    fits_right = points <= (names[after][1] or 0)  # type: ignore[index]
    if fits_left == fits_right:
        return None
    return left if fits_left else right
