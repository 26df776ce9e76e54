"""Remembering what follows from a text alone: the pages of a faction print the same lines and the same rules.

Belongs here: the bounded memory of pure functions of a text. Doesn't: these functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from pipelines import identity

# The export of 2025-11 has 2,421 stratagems, enhancements and other rules; hostile pages can fill no more than this.
_MOST_LINES = 16_384
_LONGEST_LINE = 800
_MOST_RULES = 4096
_LONGEST_RULE = 5000

_R = TypeVar("_R")
_Rest = TypeVarTuple("_Rest")


def _remembered(read: Callable[[str, *_Rest], _R], most: int, longest: int) -> Callable[[str, *_Rest], _R]:
    again = lru_cache(maxsize=most)(read)

    @wraps(read)
    def look(text: str, *rest: *_Rest) -> _R:
        return again(text, *rest) if len(text) <= longest else read(text, *rest)

    return look


def line_remembered(read: Callable[[str, *_Rest], _R]) -> Callable[[str, *_Rest], _R]:
    """Decorate a pure function of a line and of further hashable arguments; nobody may change what it returns."""
    return _remembered(read, _MOST_LINES, _LONGEST_LINE)


def rule_remembered(read: Callable[[str, *_Rest], _R]) -> Callable[[str, *_Rest], _R]:
    """Decorate, in the same way, a pure function of the text of a whole rule."""
    return _remembered(read, _MOST_RULES, _LONGEST_RULE)


clean = line_remembered(identity.clean)
fold = line_remembered(identity.fold)
