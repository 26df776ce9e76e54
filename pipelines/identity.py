"""Names and ids: how two spellings are recognised as one thing, and how rows get ids that stay.

Belongs here: folding for look-up and id derivation. Doesn't: anything that changes what is shown to people.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache

# Apostrophes, and the Cyrillic letters that stand for Latin ones in some names ("сombi-bolter").
_LOOKALIKES = str.maketrans("’‘ʼ`АВЕКМНОРСТХасеорхуі", "''''ABEKMHOPCTXaceopxyi")
_DASHES = re.compile(r"[‐‑‒–—―−]")  # hyphen, U+2011, figure, en, em, bar, minus
# Plural endings and what they become, the longest first; what is left is compared, never shown.
_ENDINGS = (("wolves", "wolf"), ("knives", "knife"), ("leaves", "leaf"), ("men", "man"), ("ies", "y"))
_SEPARATORS = re.compile(r"[\W_]+")


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """Fold a name for look-up only: case, diacritics, apostrophes, dashes, punctuation and scripts are ignored.

    ``fold("HUNTR’S MARK") == fold("Huntr's  Mark")`` and ``fold("Fârstrydr") == "farstrydr"``.
    """
    text = unicodedata.normalize("NFKD", name.translate(_LOOKALIKES))
    text = "".join(char for char in text if not unicodedata.combining(char)).casefold()
    text = _DASHES.sub("-", text).replace("'", "")
    return _SEPARATORS.sub(" ", text).strip()


@lru_cache(maxsize=16384)
def singular(name: str) -> str:
    """The name for comparison, each word without its plural ending (in -s, an Ork's in -z)."""
    return " ".join(_singular_word(word) for word in fold(name).split())


def _singular_word(word: str) -> str:
    for plural, single in _ENDINGS:
        if word.endswith(plural):
            return word.removesuffix(plural) + single
    return word.rstrip("sz") if len(word) > 2 else word


def stable_id(*parts: str | int | None) -> str:
    """Return 16 hexadecimal digits that depend on the parts and their order alone (64 bits of SHA-256).

    ``None`` and ``""`` differ, and so do ``("a", "b")`` and ``("ab",)``: each part is length-prefixed.
    """
    encoded = "".join("-;" if part is None else f"{len(str(part))}:{part};" for part in parts)
    return hashlib.sha256(encoded.encode()).hexdigest()[:16]


def clean(text: str) -> str:
    """NFC, white-space runs to one blank, trimmed: the form in which texts are stored and hashed."""
    return " ".join(unicodedata.normalize("NFC", text).split())
