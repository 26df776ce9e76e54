"""What a rules text does to an attack: modifiers read from fixed phrases.

Belongs here: the phrases, their operations, and to which side and attacks a sentence gives them. Doesn't: applying
them (``simulation``), any rule known by its name.

The grammar. A text is cut into sentences. A sentence may hold a *trigger* ("each time a model in your unit makes a
melee attack", "each time an attack targets your unit"), which says whose attacks are meant, and *phrases*:

=================================================  ================  ==========================  =================
phrase                                             operation         characteristic              value
=================================================  ================  ==========================  =================
re-roll a Hit roll of 1                            reroll            hit, wound                  1
you can re-roll the Hit roll                       reroll            hit, wound, damage          any
you re-roll that roll, test or saving throw        reroll            each roll that WHEN names   one_die
add 1 to / subtract 1 from the Hit roll            roll_mod          hit, wound, save            +1, -1
improve / worsen the X characteristic by n         stat_mod          AP, Sv, BS, WS              -n, +n
add n to the X characteristic                      stat_mod          A, S, D, T, W               +n
subtract n from the Damage characteristic          damage_reduction  D                           -n
halve the Damage characteristic                    damage_reduction  D                           half
change the Damage characteristic to 0              damage_reduction  D                           0
have the [X n] ability                             grant_kw          the ability's slug          n
unmodified Hit roll of n+ scores a Critical Hit    crit              hit, wound                  n
an unmodified Hit roll of 6 is required            hit_only_on       hit                         6
have a n+ invulnerable save                        invuln            save                        n
have the Feel No Pain n+ ability                   feel_no_pain      all, mortal                 n
have the Stealth ability                           roll_mod          hit                         -1
have / cannot have the Benefit of Cover            cover             save                        granted, denied
suffers n mortal wounds                            mortal_wounds     wounds                      n
can shoot as if it were your Shooting phase        extra_activation  shooting                    1
=================================================  ================  ==========================  =================

The value of ``stat_mod`` is what is added to the printed number: AP -1 improved by 1 is AP -2, a Save of 4+ improved
by 1 is 3+. "Instead" gives a further row under its own condition; it replaces, it doesn't add. What stands before a
phrase in its sentence is its condition. A phrase whose side isn't clear, or that is denied, is not modelled: a wrong
reading is worse than none. Each text gives at least one row, which says why where it isn't modelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from pipelines.records import DetachmentRule, Enhancement, Stratagem
from pipelines.sources.weapon_abilities import KNOWN_ABILITIES, parse_weapon_ability

Side = Literal["attacker", "defender", "either"]
Phase = Literal["shooting", "fight", "any"]
AttackScope = Literal["ranged", "melee", "any"]
Operation = Literal[
    "reroll", "roll_mod", "stat_mod", "grant_kw", "crit", "hit_only_on", "invuln", "feel_no_pain", "damage_reduction",
    "cover", "mortal_wounds", "extra_activation", "allocation",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Modifier:
    """One effect. ``operation`` is None where nothing was read; ``note`` then says why."""

    side: Side | None
    phase: Phase
    attack_type: AttackScope
    condition: str | None
    operation: Operation | None
    characteristic: str | None
    value: str | None
    is_modelled: bool
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Trigger:
    """Whose attacks a sentence speaks of."""

    side: Side | None
    attack_type: AttackScope | None
    conditions: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Found:
    """A phrase at its place; ``subject`` is what it is said of, "" where a trigger must tell."""

    operation: Operation
    characteristic: str | None
    value: str | None
    start: int
    end: int
    subject: str = ""
    note: str | None = None
    clause: int = -1  # where its subject begins


_SHORT = {
    "Armour Penetration": "AP", "Save": "Sv", "Ballistic Skill": "BS", "Weapon Skill": "WS", "Attacks": "A",
    "Strength": "S", "Damage": "D", "Toughness": "T", "Wounds": "W",
}  # fmt: skip
_NAMES = "|".join(_SHORT)

_SENTENCES = re.compile(r"\n(?:- )?|(?<=:)- |(?<=[.!?])\s+|(?<=[.!?)])(?=[A-Z][a-z])")
_TYPE = r"(?P<type>melee |ranged )?"
_MAKES = re.compile(rf"[Ee]ach time (?P<who>[^.;]{{1,160}}?) makes? an? {_TYPE}attack(?P<rest>[^,.:;]{{0,200}})")
_TARGETED = re.compile(
    rf"[Ee]ach time an? {_TYPE}attack (?:is made (?:against|that targets)|is allocated to|targets) "
    r"(?P<who>[^,.:;]{1,120})"
)
_DURATION = re.compile(
    r"\b[Uu]ntil the (?:end|start) of (?:the|your(?: next)?|that)(?: [A-Z]?\w+){0,2}? "
    r"(?:phase|turn|battle round|battle)\b,?\s*"
)
_MENTION = re.compile(
    r"\benemy (?:[A-Z]+ )*(?:unit|model)|\b(?:friendly|your|bearer|from your army)\b|\bthis (?:unit|model)\b"
)
_GENERIC_WHO = re.compile(
    r"an? model in (?:your|the bearer[’']s|this|that) unit|(?:this|your|that|the bearer[’']s) (?:model|unit)|the bearer"
)
_FRIENDLY = re.compile(
    r"\byour?\b|\bbearer\b|\bfriendly\b|\bthis (?:unit|model|TRANSPORT)\b|\bfrom your (?:army|array)\b", re.IGNORECASE
)
_DENIED = re.compile(r"\b(?:cannot|not|never|loses?|no longer|without|instead of|ignore[sd]?)\b[^,]{0,40}$")
_SPEND_UP_TO = re.compile(r"spend up to (?P<most>[1-9])(?P<unit>[A-Z]{2,3})\b")
_OPTION = re.compile(
    r"(?P<before>.*?)\b(?:you|the bearer|it|this (?:unit|model)) can (?P<what>spend [^.,]{1,60}|use this)"
)
_SELECT_FRIENDLY = re.compile(r"\bselect one (?P<who>friendly [^.]{3,120})", re.IGNORECASE)
_SELECT_ENEMY = re.compile(r"\bselect one (?P<who>enemy unit [^.:;,]{3,120})", re.IGNORECASE)
_ROLL_FOR_EACH = re.compile(r"Roll (?:a number of D6 equal to the (?P<of>\w+) characteristic|(?P<count>\w+) D6)\b")
_ON_EACH = re.compile(r"For each (?P<least>\d)\+,")
_SELECTED = re.compile(r"[Ee]ach time (?P<who>an? [^.]{1,140}? unit)[^.,]{0,40} is selected to (?:shoot|fight)")
_TARGET_KEYWORDS = re.compile(r"(?:One|That) (?P<who>(?:[^\W\d_a-z][^\sa-z,]*(?: or| and|,)? )+(?:unit|model))\b")
_WHEN_IF = re.compile(r",\s*(?P<condition>if [^.]+)")
_LOOK_BACK = 2000  # characters in which "that unit" finds what it refers to
_COVER = "Benefit of Cover"
_GENERIC_SUBJECT = re.compile(
    r"(?:all |each )?(?:(?:ranged |melee |all )*(?:weapons|attacks) (?:equipped by |made by |made with )*)?"
    r"(?:(?:models?|an? model) in )?(?:your|this|that|the bearer[’']s|the selected|the target) ?(?:unit|model|attack)?"
    r"(?: (?:ranged |melee )?weapons)?"
    r"|(?:ranged |melee )?weapons equipped by (?:the bearer|this model)"
    r"|the bearer[’']s (?:ranged |melee )?weapons|the bearer|those weapons|it|they",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\bselect (?:one|two|three|up to \w+|either)\b[^.]{0,80}\b(?:abilit(?:y|ies)|rules?|below|following)\b",
    re.IGNORECASE,
)
_UNITS_ONLY = re.compile(r"(?P<who>[^.]{3,120} units?) only\.?")
_LABEL = re.compile(r"(?P<label>[^\W\d_a-z][^.:,]{1,40}): (?=[A-Z])")
_STEALTH = "Stealth ability"

_ONE_DIE = re.compile(r"[Yy]ou (?:can )?re-roll that roll\b")
_ROLLS_OF_WHEN = (
    ("hit", "a Hit roll"), ("wound", "a Wound roll"), ("damage", "a Damage roll"), ("save", "a saving throw"),
    ("attacks", "the number of attacks"),
)  # fmt: skip


def _characteristics(spoken: str) -> list[str]:
    return [_SHORT[name] for name in re.findall(_NAMES, spoken)]


def _rerolls(text: str) -> Iterator[_Found]:
    for match in re.finditer(
        r"[Rr]e-roll (?:a )?(Hit|Wound|Damage) rolls? of 1( and (?:a )?(?:Hit|Wound) rolls? of 1)?", text
    ):
        yield _Found("reroll", match[1].lower(), "1", match.start(), match.end())
        if match[2]:
            second = "wound" if "Wound" in match[2] else "hit"
            yield _Found("reroll", second, "1", match.start(), match.end())
    for match in re.finditer(
        r"you can re-roll the (Hit|Wound|Damage) roll(?: and (?:you can re-roll )?the (Hit|Wound|Damage) roll)?", text
    ):
        for roll in match.groups():
            if roll:
                yield _Found("reroll", roll.lower(), "any", match.start(), match.end())


def _roll_modifiers(text: str) -> Iterator[_Found]:
    pattern = (
        r"(add|Add|subtract|Subtract) (\d) (?:to|from) (?:the |that attack[’']s |any )?"
        r"(Hit|Wound|[Ss]aving throw)( rolls?|s?)( and (?:the )?Wound roll)?"
    )
    for match in re.finditer(pattern, text):
        sign = "+" if match[1].lower() == "add" else "-"
        roll = "save" if "aving" in match[3] else match[3].lower()
        yield _Found("roll_mod", roll, sign + match[2], match.start(), match.end())
        if match[5]:
            yield _Found("roll_mod", "wound", sign + match[2], match.start(), match.end())


def _characteristic_changes(text: str) -> Iterator[_Found]:
    names = rf"(?P<names>(?:{_NAMES})(?:(?:, | and )(?:{_NAMES}))*)"
    of = r"(?: of (?P<of>that attack|[^,.;]{3,80}?))?"
    for match in re.finditer(rf"(?P<verb>[Ii]mprove|[Ww]orsen) the {names} characteristics?{of} by (?P<n>\d)", text):
        sign = "-" if match["verb"].lower() == "improve" else "+"
        for name in _characteristics(match["names"]):
            flipped = sign if name in ("AP", "Sv", "BS", "WS") else {"-": "+", "+": "-"}[sign]
            yield _Found("stat_mod", name, flipped + match["n"], match.start(), match.end(), match["of"] or "")
    verbs = "add|subtract|improve|worsen|each|until|you|if|re-roll|those|that|the"
    end = rf"(?: of (?P<of>that attack|[^,.;]{{3,120}}?))?(?= instead|[,.;]| and (?:{verbs})\b|$)"
    for match in re.finditer(rf"[Aa]dd (?P<n>\d) to the {names} characteristics?{end}", text):
        for name in _characteristics(match["names"]):
            yield _Found("stat_mod", name, "+" + match["n"], match.start(), match.end(), match["of"] or "")
    for match in re.finditer(
        rf"[Cc]hange the {names} characteristics? of (?P<of>[^,.;]{{3,120}}?) to (?P<n>\d+)\b", text
    ):
        for name in _characteristics(match["names"]):
            if match["of"] != "that attack":
                yield _Found("stat_mod", name, "=" + match["n"], match.start(), match.end(), match["of"])
    spent = rf"add the number of (?P<unit>[A-Z]{{2,3}}) you just spent to the {names} characteristics?{end}"
    for match in re.finditer(spent, text):
        limit = _SPEND_UP_TO.search(text, 0, match.start())
        for amount in range(1, int(limit["most"]) + 1 if limit else 1):
            for name in _characteristics(match["names"]):
                note = f"{amount}{match['unit']} spent"
                yield _Found("stat_mod", name, f"+{amount}", match.start(), match.end(), match["of"] or "", note)


def _damage(text: str) -> Iterator[_Found]:
    of = r" characteristics?(?: of that attack)"
    for match in re.finditer(rf"[Ss]ubtract (\d) from the Damage{of}", text):
        yield _Found("damage_reduction", "D", "-" + match[1], match.start(), match.end())
    for match in re.finditer(rf"[Hh]alve the Damage{of}", text):
        yield _Found("damage_reduction", "D", "half", match.start(), match.end())
    for match in re.finditer(rf"[Cc]hange the Damage{of} to 0", text):
        yield _Found("damage_reduction", "D", "0", match.start(), match.end())


def _criticals(text: str) -> Iterator[_Found]:
    pattern = (
        r"unmodified (?P<roll>[Hh]it|[Ww]ound) rolls? of (?P<n>[2-5])\+ "
        r"(?:scores? a Critical|(?:is|are) (?:a )?Critical)"
        r"|Critical (?P<roll2>Hit|Wound) is scored on an unmodified (?:Hit|Wound) roll of (?P<n2>[2-5])\+"
    )
    for match in re.finditer(pattern, text):
        yield _Found(
            "crit", (match["roll"] or match["roll2"]).lower(), match["n"] or match["n2"], match.start(), match.end()
        )
    for match in re.finditer(r"unmodified [Hh]it rolls? of ([2-6])\+? (?:is|are) required", text):
        yield _Found("hit_only_on", "hit", match[1], match.start(), match.end())


_SUBJECT = re.compile(r"(?:^|[,:;]|\band\b|\binstead\b)\s*(?P<subject>(?:(?!\band\b)[^,:;.]){2,90}?)\s*$")


def _subject(text: str, before: int) -> tuple[str, int]:
    """What stands before a verb, back to the comma, colon or "and", and where it begins; "?" if nothing does."""
    match = _SUBJECT.search(text, max(0, before - 120), before)
    return (match["subject"], match.start("subject")) if match else ("?", before)


def _shared_subject(text: str, before: int) -> tuple[str, int]:
    """The subject, or that of an earlier verb: "models have a save and have the Benefit of Cover"."""
    subject, clause = _subject(text, before)
    earlier = list(re.finditer(r"\b(?:have|has) ", text[:before]))
    return _subject(text, earlier[-1].start()) if subject == "?" and earlier else (subject, clause)


def _granted(text: str) -> Iterator[_Found]:
    for match in re.finditer(r"(?:have|has|gains?) the ((?:\[[^\]]{2,40}\](?:, | and )?)+) abilit(?:y|ies)", text):
        subject, clause = _subject(text, match.start())
        for printed in re.findall(r"\[([^\]]+)\]", match[1]):
            ability, problem = parse_weapon_ability(printed)
            if ability.ability not in KNOWN_ABILITIES or problem is not None:
                continue
            value = ability.value
            if ability.against_keywords:
                value = f"{'/'.join(ability.against_keywords)} {value}+"
            yield _Found("grant_kw", ability.ability, value, match.start(), match.end(), subject, None, clause)


def _protections(text: str) -> Iterator[_Found]:
    for match in re.finditer(r"(?:have|has) a Save characteristic of ([2-6])\+", text):
        subject, clause = _subject(text, match.start())
        yield _Found("stat_mod", "Sv", "=" + match[1], match.start(), match.end(), subject, None, clause)
    for match in re.finditer(r"(?:have|has) an? ([2-6])\+ invulnerable save", text):
        subject, clause = _subject(text, match.start())
        yield _Found("invuln", "save", match[1], match.start(), match.end(), subject, None, clause)
    pattern = r"(?:have|has|and) the Feel No Pain ([2-6])\+ ability(?P<scope> against (?:[^,.]*?)mortal wounds)?"
    for match in re.finditer(pattern, text):
        subject, clause = _shared_subject(text, match.start())
        scope = "mortal" if match["scope"] else "all"
        yield _Found("feel_no_pain", scope, match[1], match.start(), match.end(), subject, None, clause)
    for match in re.finditer(r"(?:have|has|and) the Stealth ability", text):
        subject, clause = _shared_subject(text, match.start())
        yield _Found("roll_mod", "hit", "-1", match.start(), match.end(), subject, _STEALTH, clause)
    for match in re.finditer(rf"(?P<verb>have|has|cannot have) the {_COVER}", text):
        value = "denied" if match["verb"] == "cannot have" else "granted"
        subject, clause = _shared_subject(text, match.start())
        yield _Found("cover", "save", value, match.start(), match.end(), subject, None, clause)


def _others(text: str) -> Iterator[_Found]:
    pattern = r"suffers? (D3\+\d|D6\+\d|D3|D6|\d+) mortal wounds?(?: \(to a maximum of (\d+) mortal wounds\))?"
    for match in re.finditer(pattern, text):
        subject, clause = _subject(text, match.start())
        value = f"{match[1]}, at most {match[2]}" if match[2] else match[1]
        yield _Found("mortal_wounds", "wounds", value, match.start(), match.end(), subject, None, clause)
    for match in re.finditer(r"can shoot (?:[^,.]{0,40} )?as if it were your Shooting phase", text):
        subject, clause = _subject(text, match.start())
        yield _Found("extra_activation", "shooting", "1", match.start(), match.end(), subject, None, clause)


_READERS: tuple[Callable[[str], Iterator[_Found]], ...] = (
    _rerolls, _roll_modifiers, _characteristic_changes, _damage, _criticals, _granted, _protections, _others,
)  # fmt: skip

# Words that say a sentence is about attacks, though no phrase of the grammar was read in it.
_ABOUT_ATTACKS = re.compile(
    r"(?:Hit|Wound|Damage) roll|saving throw|Armour Penetration"
    r"|(?:Strength|Damage|Attacks|Toughness|Save) characteristic"
    r"|invulnerable save|Feel No Pain|\[[A-Za-z][^\]]+\]|mortal wound|Critical (?:Hit|Wound)|Lone Operative"
)


class _Reader:
    """Reads one text; keeps what later sentences refer back to."""

    def __init__(self, phase: Phase, conditions: tuple[str, ...], target: str | None, target_text: str = "") -> None:
        self._phase = phase
        self._conditions = conditions
        self._target = target
        self._trigger: _Trigger | None = None
        self._lead: _Trigger | None = None
        self._weapons: tuple[Side, AttackScope | None] | None = None
        self._seen = target_text
        self._offer: tuple[str, ...] = ()
        self._offer_phase: Phase | None = None
        self._selected: str | None = None
        self._helpers: list[str] = []
        self._enemy: str | None = None
        self._roll: str | None = None
        self._choice: str | None = None
        self._only: str | None = None
        self._heading: str | None = None
        self.modifiers: list[Modifier] = []

    def read(self, text: str) -> None:
        for sentence in _SENTENCES.split(text):
            if sentence.strip():
                self._read_sentence(sentence.strip())
                self._seen = f"{self._seen} {sentence}"[-_LOOK_BACK:]

    def _read_sentence(self, sentence: str) -> None:
        triggers = [*self._triggers(sentence, _MAKES), *self._triggers(sentence, _TARGETED)]
        triggers.sort(key=lambda trigger: trigger.start)
        found = sorted((one for reader in _READERS for one in reader(sentence)), key=lambda one: one.start)
        taken_up = re.match(r"If (?:you|it) (?:do|does)\b", sentence) is not None
        phase = _phase_of(sentence) or (self._offer_phase if taken_up else None) or self._phase
        label = _LABEL.match(sentence)
        if label is not None and (self._choice or label["label"].isupper()):
            self._heading = label["label"]
        for one in found:
            self._add(sentence, one, triggers, found, phase)
        read = any(one.start <= match.start() < one.end for one in found for match in _ABOUT_ATTACKS.finditer(sentence))
        if not found and not read and _ABOUT_ATTACKS.search(sentence) and not _ROLL_FOR_EACH.search(sentence):
            self._unmodelled(phase, f"not read: {sentence[:200]}")
        elif "Lone Operative" in sentence:
            self._unmodelled(phase, "Lone Operative restricts who may be a target; no part of an attack")
        if triggers:
            self._trigger = triggers[-1]
            if sentence.endswith(":"):
                self._lead = triggers[-1]
        self._remember(sentence, phase)

    def _remember(self, sentence: str, phase: Phase) -> None:
        """Keep what later sentences take up or stand under: an offer, a selection, a roll, a choice, a heading."""
        if sentence[-1] not in '.!?:)”’"' and len(sentence) < 50 and sentence.upper() != "RESTRICTIONS":
            self._heading = sentence
        only = _UNITS_ONLY.fullmatch(sentence)
        if only is not None:
            self._only = f"{only['who']} only"
        if _CHOICE.search(sentence):
            self._choice = f"if chosen: {sentence[:120]}"
        offer = _OPTION.match(sentence)
        if offer is not None:
            what = offer["what"] if offer["what"] != "use this" else ""
            self._offer = tuple(part for part in (self._clean(offer["before"]), what) if part)
            self._offer_phase = phase
        selected = _SELECTED.search(sentence)
        if selected is not None and _GENERIC_WHO.fullmatch(selected["who"]) is None:
            self._selected = selected["who"]
        self._helpers += [match["who"] for match in _SELECT_FRIENDLY.finditer(sentence)]
        enemy = _SELECT_ENEMY.search(sentence)
        if enemy is not None:
            self._enemy = enemy["who"]
        roll = _ROLL_FOR_EACH.search(sentence)
        if roll is not None:
            self._roll = f"D6 for each point of {roll['of']}" if roll["of"] else f"{roll['count']} D6"

    def _triggers(self, sentence: str, pattern: re.Pattern[str]) -> Iterator[_Trigger]:
        for match in pattern.finditer(sentence):
            who = match["who"]
            friendly = self._is_friendly(who, self._seen + " " + sentence[: match.start("who")])
            makes = pattern is _MAKES
            side: Side | None = None
            if friendly is not None:
                side = "attacker" if friendly == makes else "defender"
            rest = match["rest"].strip() if makes else ""
            conditions = [] if _GENERIC_WHO.fullmatch(who) else [who.strip()]
            if rest:
                conditions.append(rest)
            scope = match["type"].strip() if match["type"] else None
            yield _Trigger(side, scope, tuple(conditions), match.start(), match.end())  # type: ignore[arg-type]

    @staticmethod
    def _is_friendly(who: str, before: str) -> bool | None:
        """Whether a subject is on the user's side; None where the text doesn't tell."""
        if "enemy" in who or "the attacking " in who:
            return False
        if _FRIENDLY.search(who):
            return True
        mentions = list(_MENTION.finditer(before[-_LOOK_BACK:]))
        if not mentions:
            return None
        return None if mentions[-1][0].startswith("enemy") else True

    def _add(self, sentence: str, one: _Found, triggers: list[_Trigger], found: list[_Found], phase: Phase) -> None:
        chunk = re.split("[,:;]", sentence[max(0, one.start - 80) : one.start])[-1]
        if _DENIED.search(chunk) and one.operation != "cover":
            self._unmodelled(phase, f"denied or replaced: {sentence[:200]}")
            return
        side, scope, conditions, start = self._placed(sentence, one, triggers)
        if side is None:
            enemy = "enemy" in one.subject or "the attacking " in one.subject
            reason = "laid on the enemy" if enemy else "whose attack is meant isn't clear"
            self._unmodelled(phase, f"{reason}: {sentence[:200]}")
            return
        parts = [*self._conditions, *(part for part in (self._choice, self._heading, self._only) if part)]
        if self._target and ("your unit" in sentence or "your unit" in one.subject or "that model" in one.subject):
            parts.append(self._target)
        parts += self._before(sentence, start, one, triggers, found)
        parts += conditions
        if one.note and one.note.endswith("spent"):
            parts.append(one.note)
        if self._enemy and any("that enemy unit" in part for part in (*conditions, one.subject)):
            parts.append(self._enemy)
        elif one.subject not in ("", "?") and _GENERIC_SUBJECT.fullmatch(one.subject) is None:
            parts.append(one.subject)
        if "selected unit" in one.subject:
            parts += self._helpers
        if scope is None:
            scope = {"shooting": "ranged", "fight": "melee", "any": "any"}[phase]  # type: ignore[assignment]
        if one.operation in ("extra_activation", "hit_only_on") and scope == "ranged":
            phase = "shooting"
        condition = "; ".join(dict.fromkeys(part for part in parts if part)) or None
        note = one.note if one.note and not one.note.endswith("spent") else None
        if re.match(r"[^.]{0,30}\binstead\b", sentence[one.end :]):
            note = "instead: replaces the row before, doesn't add to it"
        value = one.value
        if one.operation == "mortal_wounds":
            note = "beside the attack sequence"
            each = _ON_EACH.search(sentence, 0, one.start)
            if each is not None and self._roll is not None:
                value = f"{self._roll}, each {each['least']}+: {value}"
            elif re.search(r"\b(?:[Ff]or each|[Oo]n an? \d|[Ee]qual to)", sentence):
                self._unmodelled(phase, f"mortal wounds by a roll that isn't read: {sentence[:200]}")
                return
        row = Modifier(side, phase, scope or "any", condition, one.operation, one.characteristic, value, True, note)
        if row not in self.modifiers:
            self.modifiers.append(row)

    def _placed(
        self, sentence: str, one: _Found, triggers: list[_Trigger]
    ) -> tuple[Side | None, AttackScope | None, tuple[str, ...], int]:
        """Side, kind of attacks, conditions of the trigger, and where the phrase's own clause begins."""
        own = [trigger for trigger in triggers if trigger.start < one.start]
        if (
            one.subject
            and one.subject not in ("that attack",)
            and one.operation not in ("reroll", "crit", "hit_only_on")
        ):
            return self._placed_by_subject(sentence, one, own)
        if own:
            return own[-1].side, own[-1].attack_type, own[-1].conditions, own[-1].start
        back = self._trigger if re.search(r"\bthat attack\b|\binstead\b|\bas well\b", sentence) else None
        trigger = self._lead or back
        if trigger is None:
            return None, None, (), 0
        return trigger.side, trigger.attack_type, trigger.conditions, one.start

    def _placed_by_subject(
        self, sentence: str, one: _Found, own: list[_Trigger]
    ) -> tuple[Side | None, AttackScope | None, tuple[str, ...], int]:
        subject = re.sub(r"^(?:all|each) ", "", one.subject)
        scope: AttackScope | None = None
        if re.search(r"\b[Rr]anged (?:weapons?|attacks?)", subject):
            scope = "ranged"
        elif re.search(r"\b[Mm]elee (?:weapons?|attacks?)", subject):
            scope = "melee"
        start = own[-1].start if own else one.clause if one.clause >= 0 else one.start
        conditions = own[-1].conditions if own else ()
        if own and scope is None:
            scope = own[-1].attack_type
        if subject.startswith("those weapons"):
            side, scope = self._weapons or (None, None)
            return side, scope, conditions, max(0, one.clause)
        friendly = self._is_friendly(subject, self._seen + " " + sentence[: one.start])
        attacking = one.operation in ("grant_kw", "extra_activation") or (
            one.operation == "stat_mod" and (one.characteristic in ("A", "S", "AP", "D", "BS", "WS"))
        )
        if one.operation == "mortal_wounds":
            return ("attacker" if friendly is False else None), None, (), max(0, one.clause)
        if one.operation == "cover" and one.value == "denied":
            return ("attacker" if friendly is False else None), "ranged", conditions, start
        if friendly is not True:
            return None, None, (), start
        side = "attacker" if attacking else "defender"
        if attacking:
            self._weapons = (side, scope)
        if one.operation == "cover" or one.note == _STEALTH:
            scope = "ranged"
        return side, scope, conditions, start

    def _before(
        self, sentence: str, start: int, one: _Found, triggers: list[_Trigger], found: list[_Found]
    ) -> list[str]:
        """Conditions said before the phrase: ahead of its trigger, and between trigger and phrase."""
        inside = [trigger for trigger in triggers if trigger.start < one.start]
        between_from = inside[-1].end if inside else start
        earlier = max((other.end for other in found if other.end <= one.start), default=0)
        ahead = sentence[earlier if earlier <= start else 0 : start]
        between = sentence[max(between_from, earlier) : one.clause if one.clause >= 0 else one.start]
        if not inside and one.subject:
            between = ""
        parts = []
        for text in (ahead, between):
            cleaned = self._clean(text)
            if cleaned:
                parts.append(cleaned)
        if re.match(r"If (?:you|it) (?:do|does)\b", sentence):
            parts = [re.sub(r"^If (?:you|it) (?:does|do)\b,?\s*", "", part) for part in parts]
            parts = [*self._offer, *[part for part in parts if part]]
            if "that unit" in sentence and self._selected and not any(self._selected in part for part in parts):
                parts.insert(0, self._selected)
        return parts

    @staticmethod
    def _clean(text: str) -> str:
        text = _DURATION.sub("", text)
        text = re.sub(r"^.*?:\s*(?=(?:While|If|Each|When|Once|In|At)\b)", "", text)
        text = re.sub(r",? ?(?:and )?the bearer has the [\w ]+ ability", "", text)
        text = re.sub(r"\bspend up to \w+ and\b", "", text)
        text = re.sub(r"(?:,|\band\b|\s|:)+$", "", text).strip(" ,:")
        text = re.sub(r"^(?:and|then|in addition)\b[\s,]*", "", text, flags=re.IGNORECASE)
        text = re.sub(r",?\s*\ba successful$", "", text)
        return (
            text
            if re.search(
                r"\b(?:[Ii]f|[Ww]hile|[Ww]hen|[Ee]ach time|[Oo]nce|In|[Uu]ntil|[Uu]nless|[Aa]fter|[Dd]uring|At the)\b",
                text,
            )
            else ""
        )

    def _unmodelled(self, phase: Phase, note: str) -> None:
        row = Modifier(None, phase, "any", None, None, None, None, False, note)
        if row not in self.modifiers:
            self.modifiers.append(row)


def _phase_of(text: str) -> Phase | None:
    shooting = re.search(r"\bShooting phase|selected to shoot", text)
    fight = re.search(r"\bFight phase|selected to (?:shoot or )?fight", text)
    if shooting and fight:
        return "any"
    if shooting:
        return "shooting"
    return "fight" if fight else None


def _finished(reader: _Reader, text: str | None) -> tuple[Modifier, ...]:
    if text is None:
        return (Modifier(None, "any", "any", None, None, None, None, False, "the source has no text of it"),)
    if reader.modifiers:
        return tuple(reader.modifiers)
    note = "no phrase about the attack sequence found"
    return (Modifier(None, "any", "any", None, None, None, None, False, note),)


def stratagem_effects(stratagem: Stratagem) -> tuple[Modifier, ...]:
    """Modifiers of a stratagem: WHEN gives the phase, TARGET whose unit, EFFECT and RESTRICTIONS the phrases."""
    when, target = stratagem.when_text or "", stratagem.target_text or ""
    condition = _WHEN_IF.search(when)
    keywords = _TARGET_KEYWORDS.match(target)
    reader = _Reader(
        _phase_of(when) or "any",
        (condition["condition"],) if condition else (),
        keywords["who"] if keywords else None,
        target,
    )
    if stratagem.effect_text is not None:
        if _ONE_DIE.match(stratagem.effect_text):
            note = "which die is re-rolled needs a policy"
            reader.modifiers = [
                Modifier("either", "any", "any", None, "reroll", roll, "one_die", True, note)
                for roll, spoken in _ROLLS_OF_WHEN
                if spoken in when
            ]
        else:
            reader.read(stratagem.effect_text)
            reader.read(stratagem.restrictions_text or "")
    return _finished(reader, stratagem.effect_text)


def enhancement_effects(enhancement: Enhancement) -> tuple[Modifier, ...]:
    """Modifiers of an enhancement; without its text, one row that says so."""
    reader = _Reader("any", (), None)
    reader.read(enhancement.description or "")
    return _finished(reader, enhancement.description)


def detachment_rule_effects(rule: DetachmentRule) -> tuple[Modifier, ...]:
    """Modifiers of a detachment rule; without its text, one row that says so."""
    reader = _Reader("any", (), None)
    reader.read(rule.text or "")
    return _finished(reader, rule.text)
