"""Whose attack a phrase changes: by the trigger it stands under, or by what it is said of.

Belongs here: the side of each phrase, and refusing where it isn't certain. Doesn't: recognising triggers and subjects
(``subjects``), conditions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.rulebook.effects.grants import STEALTH
from pipelines.rulebook.effects.memory import Memory, Placed
from pipelines.rulebook.effects.modifier import AttackScope, Side
from pipelines.rulebook.effects.rolls import Found
from pipelines.rulebook.effects.subjects import (
    Referents,
    Trigger,
    helps_the_attacker,
    is_generic,
    is_generic_subject,
    spoken_attack_type,
)  # fmt: skip
from pipelines.rulebook.effects.wording import Sentence

INHERITS = re.compile(r"\bthat attack\b|\binstead\b|\bas well\b")
_BY_TRIGGER = ("reroll", "crit", "hit_only_on", "roll_mod", "damage_reduction")
_OF_ATTACKS = ("A", "S", "AP", "D", "BS", "WS")
_THAT_UNIT = re.compile(r"(?:(?:that|the) (?:[^\W\d_a-z]{2,} )*(?:unit|model)|it|they)")
_OF_TRIGGER = re.compile(r"(?:models in )?that (?:model|unit)|it|they")


def place(
    sentence: Sentence,
    one: Found,
    triggers: Sequence[Trigger],
    found: Sequence[Found],
    memory: Memory,
    named: Referents,
) -> Placed:
    """Side, kind of attacks and subject of a phrase of a sentence; ``found``: all its phrases in order."""
    own = [trigger for trigger in triggers if trigger.start < one.start]
    if one.operation == "extra_activation" and one.subject:
        return _of_activation(sentence.text, one, own, named)
    if one.operation == "hit_only_on" and not own and "Overwatch" in sentence.text:
        return Placed("attacker", "ranged", "your unit")
    by_trigger = one.operation in _BY_TRIGGER and one.note != STEALTH
    if one.subject in ("", "that attack") or (by_trigger and own):
        return _by_trigger(sentence, one, own, found, memory, named)
    return _by_subject(sentence.text, one, own, found, memory, named)


def _by_trigger(
    sentence: Sentence, one: Found, own: Sequence[Trigger], found: Sequence[Found], memory: Memory, named: Referents
) -> Placed:
    before: tuple[str, ...] = ()
    trigger = own[-1] if own else None
    if trigger is None and sentence.is_bullet and memory.lead[0] is not None:
        trigger = memory.lead[0]
    inherits = INHERITS.search(sentence.text) is not None
    if trigger is None and inherits:
        trigger, before = memory.trigger, memory.trigger_before
    if trigger is None:
        later = [other for other in found if other.start > one.end and other.subject not in ("", "that attack")]
        if one.operation == "stat_mod" and later and later[0].operation == "stat_mod":
            return _by_subject(sentence.text, later[0], own, found, memory, named)
        if one.operation == "stat_mod" and inherits and memory.weapons is not None:
            return memory.weapons
        return Placed(None, None, "")
    helps = True if one.operation == "hit_only_on" else helps_the_attacker(one)
    if not trigger.is_named and helps is not None and helps != (trigger.side == "attacker"):
        return Placed(None, None, trigger.who)
    conditions = (*before, *trigger.conditions)
    if not own and re.match(r"If (?:that|the) attack targets\b", sentence.text):  # another target takes its place
        conditions = tuple(part for part in conditions if not part.startswith("that targets"))
    return Placed(trigger.side, trigger.attack_type, trigger.who, conditions, trigger.is_friendly is False)


def _of_activation(text: str, one: Found, own: Sequence[Trigger], named: Referents) -> Placed:
    friendly, _ = named.is_friendly(one.subject, text[: one.begin])
    destroyed = re.search(r"[Ee]ach time (?P<who>[^,.;]{3,160}?) is destroyed", one.subject)
    who = destroyed["who"] if destroyed else one.subject
    if friendly is None and "destroyed model" in one.subject:
        friendly = True
    conditions = (who,) if destroyed and not is_generic(who) else ()
    when = tuple(text[trigger.start : trigger.end] for trigger in own)
    return Placed("attacker" if friendly else None, None, who[:160], (*when, *conditions))


def _by_subject(
    text: str, one: Found, own: Sequence[Trigger], found: Sequence[Found], memory: Memory, named: Referents
) -> Placed:
    subject = re.sub(r"^(?:all|each|then) ", "", one.subject)
    under = re.match(r" against that attack\b", text[one.end :]) is not None or subject.startswith("the target")
    joined = own[-1] if own and (under or not any(own[-1].end <= other.start < one.start for other in found)) else None
    conditions = joined.conditions if joined else ()
    if not own and under:
        conditions = memory.under_trigger
    if re.match(r"(?:those|these|such) weapons", subject) and memory.weapons is not None:
        weapons = memory.weapons
        return Placed(weapons.side, weapons.attack_type, weapons.who, (*weapons.conditions, *conditions))
    attack_type = spoken_attack_type(subject) or (joined.attack_type if joined else None)
    friendly, _ = named.is_friendly(subject, text[: one.begin])
    if joined is not None and _OF_TRIGGER.fullmatch(subject):
        friendly = joined.is_friendly
    if re.match(r"that weapon\b", subject) and memory.weapon is not None:
        friendly, conditions = True, (*conditions, memory.weapon)
        attack_type = attack_type or spoken_attack_type(memory.weapon)
    if one.operation == "mortal_wounds":
        spoken = "enemy" in subject or "attacking" in subject or _THAT_UNIT.fullmatch(subject)
        if "Deadly Demise" in text or friendly is not False or not spoken:
            return Placed(None, None, subject, reason="mortal wounds on the user's own side or nobody's")
        when = tuple(text[trigger.start : trigger.end] for trigger in own)
        return Placed("attacker", "any", subject, when, True)
    if one.operation == "cover" and one.value == "denied":
        return Placed("attacker" if friendly is False else None, "ranged", subject, conditions, True)
    if friendly is not True:
        return _laid_on_enemy(one, subject, attack_type, conditions, friendly)
    attacking = one.operation in ("grant_kw", "ignore_modifiers") or one.characteristic in _OF_ATTACKS
    attacking = attacking or (one.operation == "reroll" and one.characteristic != "save")
    side: Side = "attacker" if attacking else "defender"
    if attacking:
        weapons_named = () if is_generic_subject(subject) else (subject,)
        memory.weapons = Placed(side, attack_type, subject, weapons_named)
    return Placed(side, attack_type, subject, conditions)


def _laid_on_enemy(
    one: Found, subject: str, attack_type: AttackScope | None, conditions: tuple[str, ...], friendly: bool | None
) -> Placed:
    """Worse weapons of an enemy unit protect the user; whatever else it is given is not read."""
    weakens = one.operation == "stat_mod" and one.characteristic in _OF_ATTACKS and helps_the_attacker(one) is False
    if friendly is False and weakens:
        return Placed("defender", attack_type, subject, conditions, True)
    reason = "laid on the enemy" if friendly is False else "whose attack is meant isn't clear"
    return Placed(None, None, subject, reason=reason)
