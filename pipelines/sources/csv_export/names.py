"""Names of models and weapons as different tables of one export spell them.

Belongs here: comparing a plural with its singular, a count with a name. Doesn't: names across sources (``identity``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.identity import fold

# Plural endings and what they become, the longest first; what is left is compared, never shown.
_ENDINGS = (("wolves", "wolf"), ("knives", "knife"), ("leaves", "leaf"), ("men", "man"), ("ies", "y"))
_UNIT = re.compile(r"\s+(?:models?|units?)$")


@lru_cache(maxsize=16384)
def singular(name: str) -> str:
    """The name for comparison, each word without its plural ending (in -s, an Ork's in -z)."""
    return " ".join(_singular_word(word) for word in fold(name).split())


def _singular_word(word: str) -> str:
    for plural, single in _ENDINGS:
        if word.endswith(plural):
            return word.removesuffix(plural) + single
    return word.rstrip("sz") if len(word) > 2 else word


def without_unit(name: str) -> str:
    """``Boss Nob model`` is ``Boss Nob``."""
    return _UNIT.sub("", name)


def same_model(subject: str, name: str) -> bool:
    """Whether a subject (``the Boss Nob``) means a model of that name, whatever the number of either."""
    return singular(without_unit(subject)) == singular(without_unit(name))
