"""How many models a clause asks for, of the unit that uses a rule or of its target: both stand at a known size.

Belongs here: clauses on numbers of models and on Starting Strength, which a target of full strength decides. Doesn't:
other clauses (``circumstances``); a user that has lost models is assumed as other states of the game are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pipelines.worth.circumstances import Circumstances

_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_COUNT = re.compile(
    rf"\bcontain(?:s|ing) (?P<number>\d+|{'|'.join(_NUMBERS)}) (?:or (?P<bound>more|fewer) )?models\b(?! with)"
)
_STRENGTH = re.compile(
    r"\b(?:(?P<full>at (?:its )?Starting Strength|not Below Half-strength)"
    r"|(?:also )?(?:below (?:its )?Starting Strength|Below Half-strength))"
)
_OWN = re.compile(r"\b(?:[Yy]our (?:unit|army)|[Tt]his unit)\b")
_TARGET = re.compile(r"\btargets? (?:an?|the|that|of)\b|\b(?:that|the) target\b|\benemy unit\b")
_THAT_UNIT = re.compile(r"\b[Ii]f that unit is\b")
_EITHER = re.compile(r"\bor\b")
_NO_MORE = re.compile(
    r"(?:[\s,()]|\b(?:but|and|[Ii]f|[Ww]hile|[Ww]hen|that|targets?|targeting|the|an?|enemy|units?|attack|of|is|it"
    r"|[Yy]our|[Tt]his|bearer’s|from your army|excluding|[^\W\d_a-z]{2,}(?:’[^\W\d_a-z]+)?)(?!\w))*"
)
_ANY = 1_000


@dataclass(frozen=True, slots=True)
class SizeTest:
    """A condition on the number of models of the unit that uses a rule, or of its target."""

    of: Literal["user", "target"]
    least: int
    most: int = _ANY

    def meets(self, models: int) -> bool:
        """Tell whether a unit of so many models is meant."""
        return self.least <= models <= self.most


class Sized(NamedTuple):
    """Circumstances without the clauses that are decided, and what decides them.

    ``reason``: why it never holds: it asks for a target that has lost models or wounds.
    """

    facts: Circumstances
    tests: tuple[SizeTest, ...]
    reason: str | None


def sized(facts: Circumstances, condition: str | None) -> Sized:
    """Take the clauses on sizes out of the circumstances of an attacker's effect. ``condition``: all its clauses."""
    tests: list[SizeTest] = []
    assumed, reason = [], None
    for clause in facts.assumed:
        found = _COUNT.search(clause) or _STRENGTH.search(clause)
        whose = _whose(clause, condition or "") if found else None
        loss = found is not None and found.re is _STRENGTH
        if found is None or whose is None or (loss and whose == "user") or _EITHER.search(clause.replace(found[0], "")):
            assumed.append(clause)
            continue
        if not loss:
            tests.append(_test(whose, found))
        elif not found["full"]:
            reason = f"targets are at full strength: {clause}"
        if not _NO_MORE.fullmatch(clause.replace(found[0], "")):
            assumed.append(clause)
    return Sized(replace(facts, assumed=tuple(assumed)), tuple(tests), reason)


def _whose(clause: str, condition: str) -> Literal["user", "target"] | None:
    if _TARGET.search(clause) or (_THAT_UNIT.search(clause) and "that targets" in condition):
        return "target"
    return "user" if _OWN.search(clause) else None


def _test(whose: Literal["user", "target"], found: re.Match[str]) -> SizeTest:
    number = _NUMBERS.get(found["number"]) or int(found["number"])
    if found["bound"] == "more":
        return SizeTest(whose, number)
    return SizeTest(whose, 0 if found["bound"] else number, number)
