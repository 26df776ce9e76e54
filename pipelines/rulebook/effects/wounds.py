"""Phrases beside the attack sequence: mortal wounds, by a roll or without, and attacks out of turn.

Belongs here: their patterns, and what a roll gives. Doesn't: who suffers them (``subjects``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.rulebook.effects.grants import subject
from pipelines.rulebook.effects.rolls import Found

BESIDE = "beside the attack sequence"

_MORTAL = re.compile(
    r"suffers? (?P<n>\d?D[36](?:\+\d)?|\d+|one) mortal wounds?(?: \(to (?:a )?maximum of (?P<most>\d+) mortal "
    r"wounds\))?"
)
_ROLL = re.compile(
    r"\b[Rr]oll (?:a number of D6 equal to the (?P<of>\w+) characteristic of [^.,:;]{0,80}"
    r"|(?P<count>one|a|two|three|four|five|six|\d+) D6(?: for (?:each|every) (?P<each>[^.:;,]{3,160}))?)"
)
_RESULT = re.compile(r"(?P<each>[Ff]or each|\b[Oo]n an?) (?P<least>\d)(?:-(?P<most>\d)|(?P<plus>\+)?)(?=[,:])")
_ADDED = re.compile(r"\b(?:adding|subtracting|or roll|rolling|roll \w+ additional)\b[^.:;]{0,200}")


def roll_spoken_of(sentence: str) -> str | None:
    """The dice that a sentence says to roll, as a count: ``six D6``, ``one D6 for each model in your unit``."""
    match = _ROLL.search(sentence)
    if match is None:
        return None
    if match["of"]:
        return f"D6 for each point of {match['of']}"
    count = "one" if match["count"] == "a" else match["count"]
    return f"{count} D6" + (f" for each {match['each'].strip()}" if match["each"] else "")


def added_to_roll(sentence: str) -> str | None:
    """What is added to a roll, or rolled in its place, under a condition: a row's value is that without it."""
    match = _ADDED.search(sentence)
    return match[0].strip() if match else None


def mortal_wounds(text: str, roll: str | None = None) -> Iterator[Found]:
    """Mortal wounds that are suffered. ``roll``: dice of an earlier sentence, for "for each 4+"."""
    for match in _MORTAL.finditer(text):
        said_of, clause = subject(text, match.start())
        amount = "1" if match["n"] == "one" else match["n"]
        if match["most"]:
            amount = f"{amount}, at most {match['most']}"
        result = _result(text, match.start())
        dice = roll_spoken_of(text[: match.start()]) or (roll if result else None)
        if result is not None and dice is not None:
            amount = f"{dice}, {_spelled(result)}: {amount}"
        elif (roll is not None and re.match(r"[^.;]{0,40}\binstead\b", text[match.end() :])) or (
            result is not None or dice is not None or re.search(r"\b[Ff]or (?:each|every)\b", text[: match.end() + 60])
        ):
            continue
        yield Found("mortal_wounds", "wounds", amount, match.start(), match.end(), said_of, clause, BESIDE)


def _result(text: str, before: int) -> re.Match[str] | None:
    result = None
    for result in _RESULT.finditer(text, 0, before):  # noqa: B007
        pass
    return result


def result_before(text: str, before: int) -> str | None:
    """The result of a die under which what follows happens: ``on a 4+``."""
    result = _result(text, before)
    return f"on a {_spelled(result)}" if result else None


def _spelled(result: re.Match[str]) -> str:
    each = "each " if result["each"].lower() == "for each" else ""
    upper = f"-{result['most']}" if result["most"] else result["plus"] or ""
    return f"{each}{result['least']}{upper}"


_SHOOT = re.compile(r"can shoot (?:[^,.]{0,40} )?as if it were your Shooting phase")
_FIGHT_ON = re.compile(
    r"can (?P<what>shoot or fight|fight|shoot) after the attacking (?:model’s )?(?:unit|models unit) "
)
_FIGHT_AGAIN = re.compile(r"can fight (?:one additional time|as if it were the Fight phase)")


def extra_activations(text: str) -> Iterator[Found]:
    """Attacks out of turn: shooting, fighting again, and the fight of a model that was destroyed."""
    for match in _SHOOT.finditer(text):
        said_of, clause = subject(text, match.start())
        yield Found("extra_activation", "shooting", "1", match.start(), match.end(), said_of, clause)
    for match in _FIGHT_ON.finditer(text):
        kept = re.search(r"\b[Dd]o not remove\b[^.]{0,60}\bfrom play\b", text[: match.start()])
        if kept is None:
            continue
        what = {"shoot": "shooting", "fight": "fight"}.get(match["what"], "shooting or fight")
        rolled = result_before(text, kept.start())
        said_of = text[max(0, kept.start() - 400) : kept.start()] or kept[0]
        yield Found("extra_activation", what, "1", match.start(), match.end(), said_of, kept.start(), condition=rolled)
    for match in _FIGHT_AGAIN.finditer(text):
        said_of, clause = subject(text, match.start())
        yield Found("extra_activation", "fight", "1", match.start(), match.end(), said_of, clause)
