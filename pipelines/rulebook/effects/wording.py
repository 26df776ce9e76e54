"""The words of a text before it is read: one spelling, sentences, and the phrases that speak of an attack.

Belongs here: what counts as a sentence, and ``ABOUT_DAMAGE``, the one list that makes a text one about damage.
Doesn't: what a phrase does (``rolls``, ``grants``, ``wounds``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

ABOUT_DAMAGE = re.compile(
    r"\b(?:Hit|Wound|Damage) rolls?\b|saving throw|invulnerable save|Armour Penetration"
    r"|\b(?:Strength|Damage|Attacks|Toughness|Save|Wounds|Ballistic Skill|Weapon Skill) characteristic"
    r"|Feel No Pain|\[[A-Za-z][^\]]+\]|mortal wounds?\b(?! (?:in this way|as a result))|Critical (?:Hit|Wound)|"
    r"Benefit of Cover|\bStealth\b"
    r"|number of attacks|as if it were your Shooting phase|can (?:shoot or )?fight (?:after|one additional)"
)
"""A text with none of these isn't about damage: it moves, scores, heals, or says who may shoot, charge, be chosen."""

_ROLLED = r"([Rr]oll (?:one|a|\w+) D6\b[^.\n:]{0,250}?)(?:\.| (?=on a \d)) ?On an? (?=\d)"
_KEPT = r"(from play)[.;] (?:[\w]+ destroyed model|[Tt]he bearer|[Ii]t) can "
_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("['‘]"), "’"),
    (re.compile("[\u00a0\u202f]"), " "),
    (re.compile("[\u2010\u2011]"), "-"),
    (re.compile(r"\bbearer ?s (?=[a-zA-Z])"), "bearer’s "),
    (re.compile(r"\b([Rr])eroll"), r"\1e-roll"),
    # A list of weapon abilities in bullets, a roll and its results, a model kept and its fight: one sentence each.
    (re.compile(r"(?:(?<=:)|(?<=\]);?)\s*\n?- (?=\[[^\]\n]{2,40}\]\s*(?:\n|$))"), " "),
    (re.compile(_ROLLED, re.IGNORECASE), r"\1: on a "),
    (re.compile(r"([Rr]oll \w+ ?D6\b[^.\n:]{0,250})\. If (?=the result is )"), r"\1: if "),
    (re.compile(_KEPT), r"\1; the destroyed model can "),
)
_BREAKS = re.compile(
    r"(?P<bullet>\n- |(?<=:)- )|\n|(?<!\bi\.e\.)(?<!\be\.g\.)(?<=[.!?])\s+(?=[^\sa-z])|(?<=[.!?][’)])\s+(?=[^\sa-z])|"
    r"(?<=[.!?)])(?=[A-Z][a-z])"
)
_NOTES = re.compile(r"(?:\n|^)\s*(?:Designer’s Note|Example)\s*:[^\n]*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; ``is_bullet``: it stands under the lead sentence before it."""

    text: str
    is_bullet: bool


def spelled(text: str) -> str:
    """The text in one spelling, without notes and examples: they explain, they don't rule."""
    for pattern, replacement in _SPELLINGS:
        text = pattern.sub(replacement, text)
    return _NOTES.sub("", text)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text as ``spelled`` gives it."""
    start, bullet = 0, text.startswith("- ")
    for match in _BREAKS.finditer(text):
        if piece := text[start : match.start()].strip():
            yield Sentence(piece, bullet)
        if match["bullet"] is not None or "\n" in match[0]:
            bullet = match["bullet"] is not None
        start = match.end()
    if piece := text[start:].strip():
        yield Sentence(piece, bullet)
