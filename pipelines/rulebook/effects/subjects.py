"""Whose attacks a sentence speaks of: triggers, and who "that unit" is.

Belongs here: sides and scopes of subjects. Doesn't: phrases (``rolls``, ``grants``, ``wounds``), conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipelines.rulebook.effects.modifier import AttackScope, Scope, Side
from pipelines.rulebook.effects.rolls import Found

_LOOK_BACK = 2000  # characters in which "that unit" finds what it refers to
_TYPE = r"(?P<type>(?:melee|ranged|Psychic) )?"
_WHO = r"(?P<who>(?:(?!\b[Ee]ach time\b)[^.;:])"
_LIST = r", (?=[^\W\d_a-z]{2}[^a-z.,]*(?:,| or\b| and\b| units?\b| models?\b))"  # "an X, Y or Z unit"
_MAKES = re.compile(
    rf"[Ee]ach time {_WHO}{{1,200}}?) makes? an? {_TYPE}[Aa]ttack(?P<rest>(?:[^,.:;]|{_LIST}){{0,240}})"
)
_MADE = re.compile(
    rf"[Ee]ach time an? {_TYPE}[Aa]ttack (?:that is )?made (?:by|for) {_WHO}{{1,160}}?)"
    rf"(?P<rest> (?:targets|is allocated to) (?:[^,.:;]|{_LIST}){{1,200}})"
)
_WITH = re.compile(
    r"[Ee]ach time an attack is made with (?P<who>(?:such a|that|those) weapons?)(?P<rest> that targets (?:[^,.:;]|"
    rf"{_LIST}){{1,160}})?"
)
_AIMS = re.compile(
    rf"[Ee]ach time {_WHO}{{1,160}}?) (?P<rest>(?<!attack )targets (?!your|this|that|the bearer)(?:[^,.:;]|"
    rf"{_LIST}){{1,160}})"
)
_TARGETED = re.compile(
    rf"[Ee]ach time an? {_TYPE}[Aa]ttack (?P<what>(?:with|made with|that)[^,.:;]{{1,80}}? )?"
    r"(?:is made (?:against|that targets)|is allocated to|targets) "
    rf"(?P<who>(?:[^,.:;]|{_LIST}){{1,200}})"
)
_SAVED = re.compile(
    r"(?:[Ee]ach time|[Ww]hen|the first time) (?:you fail |an? (?:invulnerable |armour )?)saving throws? "
    r"(?:is |are )?(?:made|failed) for (?P<who>[^,.:;]{1,140}?)(?: is failed)?(?=[,.:;])"
)
_MENTION = re.compile(
    r"\benemy (?:[^\W\d_a-z]{2,} )*(?:unit|model)|\bunit from your opponent|\bthe attacking unit"
    r"|\b(?:friendly|your|bearer|from your army)\b|\bthis (?:unit|model)\b"
)
_WITHIN = re.compile(
    r"\b(?:of|to|by|than|with|against|within|targets?|destroyed|embarked|from)"
    r"(?: (?:the|an?|one|or|more|any|other|two|at|least|each|that|both|those))*\s$"
)
_GENERIC_WHO = re.compile(
    r"(?:an? )?(?:other )?models? in (?:your|the bearer[’']s|this|that) unit|(?:this|your|that|the bearer[’']s) "
    r"(?:model|unit)"
    r"|the bearer|it",
)
_FRIENDLY = re.compile(
    r"\byour?\b|\bbearer\b|\bfriendly\b|\bthis (?:unit|model|TRANSPORT)\b|\bfrom your (?:army|array)\b", re.IGNORECASE
)
_ENEMY = re.compile(r"\benemy\b|\bthe attacking\b|\byour opponent[’']s\b|\bthat targets? (?:your|the bearer)\b")
STATE = re.compile(r"\b[Ww]hile (?:an?|that) (?:[\w-]+ (?:or [\w-]+ )?)?(?:enemy )?unit is (?P<state>[a-z]\w+)")
SETS_STATE = re.compile(r"\b(?:that|the selected|the) enemy unit (?:is|becomes) (?P<state>[a-z]\w+)\b")
_OWN_SET = re.compile(r"(?<!those units )\bfrom your army\b|\bfriendly\b|\benemy\b|\bthe attacking\b")


_GENERIC_SUBJECT = re.compile(
    r"(?:all |each |an? )?(?:(?:ranged |melee |all )*(?:weapons?|attacks) (?:equipped by |made by |made with )*)?"
    r"(?:(?:models?|an? model) in )?(?:your|this|that|the bearer[’']s|the selected|the target) ?(?:unit|model|attack)?"
    r"(?:(?:[’']s)? (?:ranged |melee )?weapons)?"
    r"|(?:all )?(?:ranged |melee )?weapons equipped by (?:the bearer|this model|your model)"
    r"|(?:all )?(?:of )?the bearer[’']s (?:ranged |melee )?weapons|the bearer|those weapons|it|they",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Trigger:
    """Whose attacks a sentence speaks of. ``who``: as spoken; ``is_named``: by a word, not by "that"."""

    side: Side | None
    attack_type: AttackScope | None
    who: str
    conditions: tuple[str, ...]
    start: int
    end: int
    is_friendly: bool | None
    is_named: bool


def is_generic(who: str) -> bool:
    """Tell whether a subject names nobody but the user's own unit or model."""
    return _GENERIC_WHO.fullmatch(who.strip()) is not None


def is_generic_subject(subject: str) -> bool:
    """Tell whether a subject is the user's own unit, model or all its weapons."""
    return _GENERIC_SUBJECT.fullmatch(subject.strip()) is not None


def is_own_set(who: str) -> bool:
    """Tell whether a subject names units other than the one a text is used on."""
    return _OWN_SET.search(who) is not None


def spoken_attack_type(words: str) -> AttackScope | None:
    """The kind of weapons or attacks that words name."""
    ranged = re.search(r"\b[Rr]anged (?:[\w’-]+ ){0,2}(?:weapons?|attacks?)", words)
    melee = re.search(r"\b[Mm]elee (?:[\w’-]+ ){0,2}(?:weapons?|attacks?)", words)
    if ranged and not melee:
        return "ranged"
    return "melee" if melee and not ranged else None


def scope_of(who: str, sentence: str) -> Scope:
    """Whose dice or numbers change, by the words for them and the sentence they stand in."""
    around = re.search(
        r"\b[Ww]hile (?:an?|one) (?:friendly )?[^,.]{2,80}? unit is (?:wholly )?within \d[^,.]{0,4} of", sentence
    )
    if around or (re.search(r"\bfriendly\b", who) and re.search(r"\bwithin \d|\(Aura", sentence)):
        return "aura"
    if re.search(r"\bfriendly\b|\bfrom your (?:army|array)\b", who):
        return "army"
    if re.match(r"its?\b", who):
        who = _meant_by_it(sentence) or who
    if re.search(r"\bbearer\b", who) and not re.search(r"\bbearer[’']s unit\b", who):
        return "bearer"
    if re.search(r"\bmodels in\b|\bunits?\b", who) and not re.search(r"^(?:one|that|the selected) model\b", who):
        return "unit"
    return "model" if re.search(r"\bmodels?\b", who) else "unit"


def _meant_by_it(sentence: str) -> str | None:
    """The model that a sentence speaks of, for "it" and "its"; None where it leads a unit or none is named."""
    if re.search(r"\bleading\b", sentence):
        return None
    named = re.search(r"\b(?:[Tt]he bearer|[Tt]his model)(?P<has>[’']s)?", sentence)
    return named[0] if named and not named["has"] else None


@dataclass
class Referents:
    """What a text has named so far, for "that unit" and "while a unit is stunned"."""

    seen: str = ""
    enemy_states: set[str] = field(default_factory=set)

    def remember(self, sentence: str) -> None:
        """Keep a sentence, and the states it puts enemy units in."""
        self.seen = f"{self.seen} {sentence}"[-_LOOK_BACK:]
        self.enemy_states |= {match["state"] for match in SETS_STATE.finditer(sentence)}

    def is_friendly(self, who: str, before: str) -> tuple[bool | None, bool]:
        """Whether a subject is on the user's side, None where the text doesn't tell; and whether it is named so."""
        enemy, friend = _ENEMY.search(who), _FRIENDLY.search(who)
        if enemy or friend:  # the first word tells: "each friendly unit within 6" of that enemy unit"
            return friend is not None and (enemy is None or friend.start() < enemy.start()), True
        state = STATE.search(before)
        if state is not None and state["state"] in self.enemy_states:
            return re.search(r"\bthat unit\b|\bit\b", who) is None, True
        text = (self.seen + " " + before)[-_LOOK_BACK:]
        sides = set()
        for mention in reversed(list(_MENTION.finditer(text))):
            side = mention[0].startswith(("friendly", "your", "bearer", "from", "this"))
            if _WITHIN.search(text[max(0, mention.start() - 40) : mention.start()]) is None:
                return side, False
            sides.add(side)
        return (sides.pop() if len(sides) == 1 else None), False

    def triggers(self, sentence: str) -> list[Trigger]:
        """The triggers of a sentence in order."""
        found = [
            trigger
            for pattern, makes in (
                (_MAKES, True),
                (_MADE, True),
                (_TARGETED, False),
                (_SAVED, False),
                (_WITH, True),
                (_AIMS, True),
            )
            for trigger in self._triggers(sentence, pattern, makes)
        ]
        found.sort(key=lambda trigger: trigger.start)
        kept: list[Trigger] = []
        for trigger in found:
            if not kept or trigger.start >= kept[-1].end:
                kept.append(trigger)
        return kept

    def _triggers(self, sentence: str, pattern: re.Pattern[str], makes: bool) -> Iterator[Trigger]:
        for match in pattern.finditer(sentence):
            groups = match.groupdict()
            who = (groups["who"] or match[0]).strip()
            friendly, named = self.is_friendly(who, sentence[: match.start()])
            side: Side | None = None
            if friendly is not None:
                side = "attacker" if friendly == makes else "defender"
            rest = re.sub(r"\s+", " ", groups.get("rest") or groups.get("what") or "").strip()
            printed = (groups.get("type") or "").strip()
            if re.search(r"\bor makes an? (?:ranged|melee) attack", rest):
                printed, rest = "", f"a {printed} attack {rest}"
            attack_type = printed if printed in ("ranged", "melee") else spoken_attack_type(rest)
            conditions = [] if is_generic(who) else [who]
            conditions += ["Psychic Attack"] if printed == "Psychic" else []
            conditions += [rest] if rest else []
            yield Trigger(
                side, attack_type, who, tuple(conditions), match.start(), match.end(),  # type: ignore[arg-type]
                friendly, named,
            )  # fmt: skip


def helps_the_attacker(found: Found) -> bool | None:
    """Tell whether a change makes an attack better; None where it is neither."""
    value = found.value or ""
    match found.operation:
        case "reroll":
            return found.characteristic != "save"
        case "roll_mod":
            return value.startswith("+") == (found.characteristic != "save")
        case "stat_mod" if value.startswith("="):
            return None
        case "stat_mod":
            return value.startswith("-") == (found.characteristic in ("AP", "BS", "WS", "T", "W"))
        case "grant_kw":
            return found.characteristic != "hazardous"
        case "crit" | "ignore_modifiers":
            return True
        case "cover":
            return found.value == "denied"
        case "invuln" | "feel_no_pain" | "damage_reduction":
            return False
        case _:
            return None
