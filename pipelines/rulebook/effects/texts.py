"""From a stratagem, an enhancement, a rule or an ability to its modifiers.

Belongs here: what WHEN and TARGET say, and the row of a text that isn't there. Doesn't: reading sentences (``reader``).
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.records import DetachmentRule, Enhancement, Stratagem
from pipelines.rulebook.effects.modifier import Modifier
from pipelines.rulebook.effects.reader import Reader, Setting, phase_of
from pipelines.rulebook.effects.wording import spelled

NO_TEXT = "the source has no text of it"
_NOTHING = "no phrase about the attack sequence found"
_ONE_DIE = re.compile(r"[Yy]ou (?:can )?re-roll that roll\b")
_ROLLS_OF_WHEN = (
    ("hit", "a Hit roll"), ("wound", "a Wound roll"), ("damage", "a Damage roll"), ("save", "a saving throw"),
    ("attacks", "the number of attacks"),
)  # fmt: skip
_WHEN_IF = re.compile(r",\s*(?P<condition>if [^.]+)")
_CHARGE = re.compile(r"(?:(?:Start|End) of )?(?:[Yy]our|the)(?: opponent’s)? Charge phase\b(?! or)")
_JUST_AFTER = re.compile(r"\bjust after (?P<event>[^.]{3,200}?)(?=, if |\.|$)")
_USUAL_EVENT = re.compile(r"(?:has|have) (?:been )?selected|selects its targets|resolv|has shot|a (?:Hit|Wound) roll")
_FILLERS = re.compile(
    r"\s*(?:\bfrom your army\b"
    r"|\b(?:that|and|which) (?:has|have) not (?:already )?(?:been|yet been) selected to [^.,]{0,60}? this (?:phase|"
    r"turn)\b"
    r"|\b(?:that|which) (?:was|were) selected as (?:the|a) targets? (?:of|as) one or more of (?:the attacking|that "
    r"enemy|that) unit’s attacks\b"
    r"|\b(?:that|which) (?:was|is) just destroyed\b)"
)
_LIMIT = re.compile(r"\b((?:You (?:cannot|can only)|(?:An?|That|Your|The same) unit cannot) [^.]{3,160})")
_LONGEST_TARGET = 400


def _target(text: str) -> str | None:
    """Whose unit TARGET names, as a condition: its keywords and what they must have done, without what all have."""
    first = re.split(r"(?<=[.!?])\s", spelled(text[:_LONGEST_TARGET]).replace(",\n", ", ").strip(), maxsplit=1)[0]
    who = _FILLERS.sub("", re.sub(r"\s+", " ", first)).strip(" .")
    who = re.sub(r"\b(and|or|that)$", "", re.sub(r"^(?:One|That|Your) ", "", who)).strip()
    who = re.sub(
        r"^(.*?(?:unit|model)s?) and (?:that )?(?=(?:is|was|has|had|disembarked|made)\b)", r"\1 that ", who
    ).strip(" ,")
    return None if who.lower() in ("unit", "model", "units", "") else who


def _event(when: str) -> str | None:
    """What must just have happened, where it is more than that a unit was selected, has shot, or was destroyed."""
    match = _JUST_AFTER.search(when)
    return f"just after {match['event']}" if match and not _USUAL_EVENT.search(match["event"]) else None


def _finished(reader: Reader, text: str | None) -> tuple[Modifier, ...]:
    note = NO_TEXT if not (text or "").strip() else _NOTHING
    return tuple(reader.modifiers) or (Modifier(None, "any", "any", None, None, None, None, False, note),)


def stratagem_effects(stratagem: Stratagem) -> tuple[Modifier, ...]:
    """Modifiers of a stratagem: WHEN gives the phase, TARGET whose unit, EFFECT and RESTRICTIONS the phrases."""
    when, target = spelled(stratagem.when_text or ""), stratagem.target_text or ""
    condition, event = _WHEN_IF.search(when), _event(when)
    limits = _LIMIT.findall(spelled(stratagem.restrictions_text or ""))
    conditions = tuple(filter(None, (condition["condition"] if condition else None, event, *limits)))
    phase, is_charge = phase_of(when) or "any", _CHARGE.match(when) is not None
    reader = Reader(Setting(phase, is_charge, conditions, _target(target), target))
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
    return ability_effects(enhancement.description)


def detachment_rule_effects(rule: DetachmentRule) -> tuple[Modifier, ...]:
    """Modifiers of a detachment rule; without its text, one row that says so."""
    return ability_effects(rule.text)


@lru_cache(maxsize=8192)
def ability_effects(text: str | None) -> tuple[Modifier, ...]:
    """Modifiers of a text without a frame: an ability's, an enhancement's or a rule's."""
    reader = Reader(Setting())
    reader.read(text or "")
    return _finished(reader, text)
