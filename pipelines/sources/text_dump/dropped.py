"""The faction keyword that extraction has dropped from sentences: where the gap shows, and where it may hide.

Belongs here: restoring a gap that the grammar of the sentence proves, telling where one can't be excluded. Doesn't:
changing the text that is stored; a restored wording always stands beside it.
"""

from __future__ import annotations

import re

from pipelines.sources.text_dump.memory import rule_remembered

_VOWELS = "AEIOÀÁÂÈÉÊÌÍÎÒÓÔÖÅÄ"
_KEYWORD_VERB = re.compile(r"\bThe (?=keywords? (?:is|are) used in)")
_KEYWORD_AND = re.compile(r"\bThe (?=and [^\W\d_a-z])")
_ARMY_FACTION = re.compile(r"(?<=Army Faction is) ?,(?P<subject> (?=(?:units?|models?)\b))?")
_LINE_START = re.compile(r"^(?=(?:units?|models?) )", re.MULTILINE)
_A_VOWEL = re.compile(rf" a (?=[{_VOWELS}][^\W\d_a-zß-öø-ÿ]{{2,}})")
_AN_CONSONANT = re.compile(rf" an (?=[^\W\d_a-zß-öø-ÿ{_VOWELS}U][^\W\d_a-zß-öø-ÿ]{{2,}})")

_SILENT = re.compile(
    r"^TARGET: (?:One|That|Up to two) (?:[^\W\d_a-z]{3,} )?units?\b"
    r"|\b(?:if|While) units? from your army\b"
    r"|^(?:[^\W\d_a-z]{3,} )units? from your army\b"
    r"|\bmodel from your army makes\b"
    r"|\bwhich ability (?:those|your) units\b",
    re.MULTILINE,
)
_LINE_CLUES = ("unit", "model")


@rule_remembered
def restore(text: str, keyword: str) -> str | None:
    """The text with the keyword put back where its gap shows, or None where none shows."""
    restored = text
    if "The keyword" in text or "The and " in text:
        restored = _KEYWORD_VERB.sub(f"The {keyword} ", restored)
        restored = _KEYWORD_AND.sub(f"The {keyword} ", restored)
    if "Army Faction is" in text:
        restored = _ARMY_FACTION.sub(
            lambda gap: f" {keyword}, {keyword} " if gap["subject"] else f" {keyword},", restored
        )
    # "a INFANTRY unit": the article belongs to a word that is gone.
    if keyword[0] in _VOWELS:
        restored = _AN_CONSONANT.sub(f" an {keyword} ", restored)
    else:
        restored = _A_VOWEL.sub(f" a {keyword} ", restored)
    if text.startswith(_LINE_CLUES) or any(f"\n{clue}" in text for clue in _LINE_CLUES):
        restored = _LINE_START.sub(f"{keyword} ", restored)
    return restored if restored != text else None


@rule_remembered
def may_hide_a_keyword(text: str) -> bool:
    """Whether the text has a sentence that reads the same with and without the faction keyword."""
    return _SILENT.search(text) is not None
