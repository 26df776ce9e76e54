"""Phrases that change a die or a number of an attack. Belongs here: their patterns. Doesn't: whose attack it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.rulebook.effects.modifier import AttackScope, Operation

CHARACTERISTICS = {
    "Armour Penetration": "AP", "Save": "Sv", "Ballistic Skill": "BS", "Weapon Skill": "WS", "Weapon skill": "WS",
    "Ballistic skill": "BS", "Attacks": "A", "Strength": "S", "Damage": "D", "Toughness": "T", "Wounds": "W",
}  # fmt: skip
_FIGHTING = "|".join(CHARACTERISTICS)
_NAME = rf"(?:{_FIGHTING}|Move|Leadership|Objective Control|Range)"
NAMES = rf"(?P<names>{_NAME}(?:(?:,|\.| and| or|, and) {_NAME})*)"
_LOWER_IS_BETTER = ("AP", "Sv", "BS", "WS")
_OWNER = r"(?P<owner>the bearer’s|this (?:model|unit)’s|your (?:model|unit)’s|that (?:model|unit)’s)"
_SPEND_UP_TO = re.compile(r"spend up to (?P<most>[1-9])(?P<unit>[A-Z]{2,3})\b")


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase at its place; ``subject`` is what it is said of, "" where a trigger must tell.

    ``clause``: where its subject begins, -1: it has none before it. ``condition``: what the phrase itself demands.
    """

    operation: Operation
    characteristic: str | None
    value: str | None
    start: int
    end: int
    subject: str = ""
    clause: int = -1
    note: str | None = None
    condition: str | None = None
    attack_type: AttackScope | None = None

    @property
    def begin(self) -> int:
        """Where the phrase begins with its subject."""
        return self.clause if 0 <= self.clause < self.start else self.start


def characteristics(spoken: str) -> list[str]:
    """Short names of the characteristics of an attack or a model that are spoken of."""
    return [CHARACTERISTICS[name] for name in re.findall(_FIGHTING, spoken)]


def _roll_names(spoken: str) -> list[str]:
    known = {"Hit": "hit", "Wound": "wound", "Damage": "damage", "saving": "save"}
    return [known[name] for name in re.findall(r"\b(Hit|Wound|Damage|saving)\b", spoken)]


_ROLL = r"(?:Hit|Wound|Damage) rolls?"
_OF_ONE = re.compile(
    rf"[Rr]e-roll (?:any |all )?(?:a )?(?P<rolls>(?:{_ROLL}|saving throws?)(?: and (?:a )?{_ROLL})?) of (?:1|l)\b"
    rf"(?P<second> and (?:re-roll )?(?:a )?{_ROLL} of 1)?"
)
_ANY = re.compile(
    r"[Rr]e-roll the (?:(?:result of the )?(?P<first>Hit|Wound|Damage) roll)"
    r"(?:(?: and|,| or) (?:you can re-roll )?the (?P<second>Hit|Wound|Damage) roll)?"
)
_ONE_DIE = re.compile(
    r"[Yy]ou can re-roll (?P<rolls>one (?:Hit|Wound|Damage) roll(?:(?:,| and| or|, and|, or) one [A-Za-z]+ (?:roll|"
    r"throw))*)"
    r"(?: made for (?P<who>[^.,;]{3,80}))?"
)
_ATTACKS = re.compile(
    r"(?:[Ee]ach time you )?roll (?:[^.,]{0,30}?)?to determine the number of attacks made with "
    r"(?P<who>[^.,]{3,120}), you can re-roll the result"
    r"|re-roll the dice to determine how many attacks (?P<who2>[^.,]{3,100}?) makes"
)


def rerolls(text: str) -> Iterator[Found]:
    """Re-rolls of ones, of any result, of one die, and of the number of attacks."""
    for match in _OF_ONE.finditer(text):
        for roll in _roll_names(match["rolls"]) + _roll_names(match["second"] or ""):
            yield Found("reroll", roll, "1", match.start(), match.end())
    for match in _ANY.finditer(text):
        either = " or " in match[0]
        for roll in (match["first"], match["second"]):
            if roll:
                choice = f"one of: {match['first']} roll, {match['second']} roll" if either else None
                yield Found("reroll", roll.lower(), "any", match.start(), match.end(), condition=choice)
    for match in _ONE_DIE.finditer(text):
        choice = f"one of: {match['rolls']}" if " or " in match["rolls"] else None
        for roll in _roll_names(match["rolls"]):
            yield Found(
                "reroll", roll, "one_die", match.start(), match.end(), match["who"] or "",
                note="which die is re-rolled needs a policy", condition=choice,
            )  # fmt: skip
    for match in _ATTACKS.finditer(text):
        yield Found("reroll", "attacks", "any", match.start(), match.end(), match["who"] or match["who2"])


_ROLL_MODIFIER = re.compile(
    r"(?P<verb>[Aa]dd|[Ss]ubtract) (?P<n>\d) (?:to|from) (?:the |that attack’s |any |all )?(?:1 )?"
    r"(?P<roll>Hit rolls?|Wound rolls?|(?P<armour>armour )?saving throws?)(?P<second> and (?:the )?Wound roll)?"
)


def roll_modifiers(text: str) -> Iterator[Found]:
    """What is added to a Hit roll, a Wound roll or a saving throw."""
    for match in _ROLL_MODIFIER.finditer(text):
        sign = "+" if match["verb"].lower() == "add" else "-"
        kind = "armour saves only" if match["armour"] else None
        for roll in [*_roll_names(match["roll"]), *(["wound"] if match["second"] else [])]:
            yield Found("roll_mod", roll, sign + match["n"], match.start(), match.end(), condition=kind)


_VERBS = "they|add|increase|subtract|improve|worsen|each|until|you|if|re-roll|those|that|the|unless"
_END = rf"(?= instead|[,.;:]| as well| and,? (?:{_VERBS})\b| while| if | until|$)"
_LISTED = r"(?:(?!\b(?:add|improve|subtract|have|until)\b)[^.;:]){3,200}?"  # of weapons, with commas
_OF = rf"(?: of (?P<of>that attack|{_LISTED} equipped by [^,.;:]{{3,80}}?|[^,.;:]{{3,200}}?))?{_END}"
_IMPROVE = re.compile(
    rf"(?P<verb>[Ii]mprove|[Ww]orsen|[Rr]educe) (?:the {NAMES} characteristics?"
    rf"(?: of (?P<of>that attack|[^.;:]{{3,300}}?))?|{_OWNER} {NAMES.replace('names', 'names2')} characteristics?"
    rf"|that attack’s {NAMES.replace('names', 'names3')} characteristics?) by (?P<n>\d)"
)
_ADD = re.compile(
    rf"(?P<verb>[Aa]dd|[Ss]ubtract) (?P<n>\d) (?:to|from) (?:the {NAMES} characteristics?{_OF}"
    rf"|{_OWNER} {NAMES.replace('names', 'names2')} characteristics?"
    rf"|that attack’s {NAMES.replace('names', 'names3')} characteristics?)"
)
_CHANGE = re.compile(rf"[Cc]hange the {NAMES} characteristics? of (?P<of>[^,.;]{{3,120}}?) to (?P<n>\d+)\b")
_SPENT = re.compile(rf"add the number of (?P<unit>[A-Z]{{2,3}}) you just spent to the {NAMES} characteristics?{_OF}")


def characteristic_changes(text: str) -> Iterator[Found]:
    """What is added to, or set as, a characteristic."""
    for match in _IMPROVE.finditer(text):
        better = match["verb"].lower() == "improve"
        spoken = match["names"] or match["names2"] or match["names3"]
        for name in characteristics(spoken):
            sign = "-" if better == (name in _LOWER_IS_BETTER) else "+"
            of = match["of"] or (match["owner"] or "").removesuffix("’s")
            yield Found("stat_mod", name, sign + match["n"], match.start(), match.end(), of)
    for match in _ADD.finditer(text):
        added = match["verb"].lower() == "add"
        said_of = match["of"] or (match["owner"] or "").removesuffix("’s")
        said_of = "that attack" if said_of.startswith("that attack") else said_of
        reduced = not added and "Damage" in match[0] and (match["names3"] or said_of in ("that attack", ""))
        for name in characteristics(match["names"] or match["names2"] or match["names3"]):
            if (reduced and name == "D") or name in _LOWER_IS_BETTER:
                continue
            sign = "+" if added else "-"
            yield Found("stat_mod", name, sign + match["n"], match.start(), match.end(), said_of)
    for match in _CHANGE.finditer(text):
        for name in characteristics(match["names"]):
            if match["of"] != "that attack":
                yield Found("stat_mod", name, "=" + match["n"], match.start(), match.end(), match["of"])
    for match in _SPENT.finditer(text):
        limit = _SPEND_UP_TO.search(text, 0, match.start())
        for amount in range(1, int(limit["most"]) + 1 if limit else 1):
            for name in characteristics(match["names"]):
                spent = f"{amount}{match['unit']} spent"
                yield Found(
                    "stat_mod", name, f"+{amount}", match.start(), match.end(), match["of"] or "", condition=spent
                )


def damage_reductions(text: str) -> Iterator[Found]:
    """What lessens the Damage of an attack that is suffered."""
    of = r"(?:the Damage characteristics?(?: of that attack)|that attack’s Damage characteristic)"
    for match in re.finditer(rf"[Ss]ubtract (\d) from {of}", text):
        yield Found("damage_reduction", "D", "-" + match[1], match.start(), match.end())
    for match in re.finditer(rf"[Hh]alve {of}", text):
        yield Found("damage_reduction", "D", "half", match.start(), match.end())
    for match in re.finditer(rf"[Cc]hange {of} to ([01])\b", text):
        yield Found("damage_reduction", "D", match[1], match.start(), match.end())


_CRITICAL = re.compile(
    r"unmodified (?:successful )?(?P<roll>[Hh]it|[Ww]ound) rolls? of (?P<n>[2-5])\+ "
    r"(?:scores? a Critical|(?:is|are) (?:a )?Critical)"
    r"|Critical (?P<roll2>Hit|Wound) is scored on (?:an?|any) (?:successful )?unmodified (?:successful )?"
    r"(?:Hit|Wound) rolls? of (?P<n2>[2-5])\+"
)
_ONLY_ON = re.compile(
    r"unmodified [Hh]it rolls? of (?P<n>[2-6])\+? (?:is|are) required"
    r"|hits are (?:only )?scored on unmodified Hit rolls? of (?P<n2>[2-6])\+?"
)


def criticals(text: str) -> Iterator[Found]:
    """From which roll on a roll is critical, and rolls that hit whatever the skill."""
    for match in _CRITICAL.finditer(text):
        roll, number = (match["roll"] or match["roll2"]).lower(), match["n"] or match["n2"]
        yield Found("crit", roll, number, match.start(), match.end())
    for match in _ONLY_ON.finditer(text):
        yield Found("hit_only_on", "hit", match["n"] or match["n2"], match.start(), match.end())


_IGNORE = re.compile(
    r"(?:can |you can: |; )ignore (?:any or all|all|any) modifiers to (?P<what>(?:[^.;:]|: (?=the |any |that ))[^.]*)"
)
_IGNORED = (
    ("hit", r"Hit rolls?|any rolls?"), ("wound", r"Wound rolls?|any rolls?"), ("BS", "Ballistic [Ss]kill"),
    ("WS", "Weapon [Ss]kill"), ("S", "Strength"), ("AP", "Armour Penetration"), ("D", "Damage"),
)  # fmt: skip


def ignored_modifiers(text: str) -> Iterator[Found]:
    """Modifiers of rolls and characteristics that may be ignored."""
    for match in _IGNORE.finditer(text):
        spoken = re.sub(r"\([^)]*\)", "", match["what"])
        subject = re.search(
            r"(?:^|[,.;:]|\band\b)\s*(?P<subject>(?:(?!\band\b)[^,;:.]){1,120}?)\s*$", text[: match.start()]
        )
        said_of = subject["subject"] if subject else ""
        if re.fullmatch(r"(?:you|it|they|that model)?", said_of.strip()):
            said_of = ""
        for name, pattern in _IGNORED:
            if re.search(pattern, spoken):
                yield Found(
                    "ignore_modifiers", name, "any", match.start(), match.end(), said_of,
                    subject.start("subject") if subject and said_of else -1,
                )  # fmt: skip
