"""What the sentences of a text leave for later ones: an offer, a selection, a choice, a heading, a state, a trigger.

Belongs here: recognising and keeping them. Doesn't: what a later sentence makes of them (``placing``, ``reader``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.rulebook.effects.conditions import DURATION, clean, duration_of, taken_up
from pipelines.rulebook.effects.grants import offered
from pipelines.rulebook.effects.modifier import AttackScope, Duration, Phase, Side
from pipelines.rulebook.effects.subjects import SETS_STATE, STATE, Trigger, is_generic
from pipelines.rulebook.effects.wording import Sentence
from pipelines.rulebook.effects.wounds import result_before, roll_spoken_of

_OFFER = re.compile(
    r"(?P<before>.*?)\b(?:[Yy]ou|[Ii]t|they|[Tt]he bearer|(?:[Tt]his|[Tt]hat|[Yy]our) (?:[^\W\d_a-z][^\sa-z]* "
    r")*(?:unit|model)"
    r"|each of those [^,.]{0,60}units) can (?:choose to )?(?P<what>[^.,]{1,80})"
)
_SELECT_FRIENDLY = re.compile(
    r"\bselect (?P<who>(?:one|up to \w+) (?:other )?(?:friendly [^.:;]{3,160}"
    r"|(?-i:[^\W\d_a-z]{2,}) (?:[^.:;]{0,60}?(?:unit|model|TRANSPORT)s? )?(?:from your army|within \d+\" "
    r"of)[^.:;]{0,100}))",
    re.IGNORECASE,
)
_SELECT_ENEMY = re.compile(
    r"\b(?:select|and) one (?P<who>(?:visible )?(?:enemy|unit from your opponent’s army|unit (?:\([^)]{0,60}\) )?hit "
    r"by)\b"
    r"[^.:;,]{0,140})",
    re.IGNORECASE,
)
_SELECT_WEAPON = re.compile(
    r"\bselect (?P<who>one [^.;,]{3,80}? equipped by (?:the bearer|your model|a model in (?:your|the bearer’s) unit))",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:select|apply|choose|activate|use|do) (?:one|two|three|up to \w+|either|any)\b[^.]{0,120}\b(?:abilit(?:y|"
    r"ies)|rules?|below"
    r"|following|disciplines?)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"(?:(?P<who>[^.:]{3,160}) (?:(?:has|have|gains?) the following (?:the )?abilit(?:y|ies)\b"
    r"|(?:has|have) the selected [^.:]{0,30}abilit(?:y|ies):$|gain a bonus\b)"
    r"|.*?\b(?:effects apply to|(?:to be|are|is) active for) (?:all )?"
    r"(?P<all>[^.:]{3,120}? (?:units|models)(?: \([^)]*\))?(?: from your army)?))"
)
_UNITS_ONLY = re.compile(r"(?P<who>[^.]{3,120} (?:units?|models?)) only(?: \([^)]*\))?\.?")
_LED = re.compile(r"\bWhile the bearer is leading (?:a|an|this)\b[^,.;]*")
THAT_TEST = re.compile(r"\bthat (?:[\w-]+ )?test\b|\b[Ii]f failed\b|\btest (?:is|was) (?:failed|passed)\b")
_TEST = re.compile(r"\b(?:must|can) (?:immediately |first |then )?take an? [\w-]+ test\b")
_LABEL = re.compile(r"(?P<label>[^\W\d_a-z][^.:,]{1,40}): (?=[A-Z])")
_GRADE = re.compile(r"(\d+\+)(?=[A-Z])")
_OWN_SET = re.compile(
    r"(?P<who>\b[^\W\d_a-z]{2}[^a-z.:;]*(?:(?: and| or) [^\W\d_a-z]{2}[^a-z.:;]*)* (?:units?|models?) from your army)"
)
_CLOSES = re.compile(r"(?:keywords|restrictions|designer’s note|.*\bALLIES)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placed:
    """Whose attack a phrase is about; ``side`` None: ``reason`` says why it isn't known."""

    side: Side | None
    attack_type: AttackScope | None
    who: str
    conditions: tuple[str, ...] = ()
    is_enemy: bool = False
    reason: str = "whose attack is meant isn't clear"


@dataclass
class Memory:
    """What later sentences take up or stand under; ``lead``: trigger and conditions of the sentence above bullets."""

    trigger: Trigger | None = None
    trigger_before: tuple[str, ...] = ()
    under_trigger: tuple[str, ...] = ()
    lead: tuple[Trigger | None, tuple[str, ...]] = (None, ())
    lead_lasts: Duration | None = None
    lead_phase: Phase | None = None
    weapons: Placed | None = None
    test: tuple[str, ...] = ()
    weapon: str | None = None
    offer: tuple[str, ...] = ()
    offer_phase: Phase | None = None
    use: tuple[str, ...] = ()
    phase: Phase | None = None
    duration: Duration | None = None
    states: dict[str, tuple[Duration | None, tuple[str, ...]]] = field(default_factory=dict)
    friends: tuple[str, ...] = ()
    unused: str | None = None
    chosen_when: tuple[str, ...] = ()
    cost: str | None = None
    led: str | None = None
    enemy: tuple[str, ...] = ()
    roll: str | None = None
    abilities: str | None = None
    choice: str | None = None
    only: str | None = None
    owner: str | None = None
    heading: str | None = None
    label: str | None = None
    option: int = 0
    after_bullet: bool = False
    own_set: str | None = None

    def open(self, sentence: Sentence) -> None:
        """Before a sentence is read: a lead ends, a label and a selected weapon begin to hold."""
        if not sentence.is_bullet and not sentence.text.endswith(":"):
            self.lead = (None, ())
        if self.after_bullet and not sentence.is_bullet:
            self.label = None
        self.after_bullet = sentence.is_bullet
        label = _LABEL.match(sentence.text)
        if label is not None and (self.choice or self.owner or label["label"].isupper()):
            self.label = label["label"]
        elif graded := _GRADE.match(sentence.text):
            self.label = graded[1]
        elif not sentence.is_bullet and self.heading is not None:
            self.label = None
        self.option = self.option + 1 if sentence.is_bullet and self.choice else 0
        if weapon := _SELECT_WEAPON.search(sentence.text):
            self.weapon = weapon["who"]

    def close(
        self, text: str, triggers: Sequence[Trigger], before: tuple[str, ...], phase: Phase, named: Phase | None
    ) -> None:
        """Keep what a sentence leaves. ``before``: conditions ahead of its first phrase; ``named``: its own phase."""
        if triggers:
            piece = clean(text[: triggers[-1].start])
            self.trigger, self.trigger_before = triggers[-1], (piece,) if piece else ()
            self.under_trigger = (*before, *triggers[-1].conditions)
        if text.endswith(":"):
            spans = [text[: triggers[-1].start], text[triggers[-1].end :]] if triggers else [text]
            pieces = tuple(piece for piece in (clean(span.rstrip(":")) for span in spans) if piece)
            pieces = (*(self.offer if taken_up(text) else ()), *(before or pieces))
            self.lead = (triggers[-1] if triggers else None, () if is_choice(text) else pieces)
            self.lead_lasts, self.lead_phase = duration_of(text), named
        self._frame(text)
        if _TEST.search(text):
            self.test = (*(self.use if text.startswith("Then") else self.offer if taken_up(text) else ()), text[:200])
        if offer := _OFFER.match(text):
            what = offer["what"] if not offer["what"].startswith("use this") else ""
            self.offer = tuple(part for part in (clean(offer["before"]), what) if part)
            self.offer_phase = phase
            self.use = self.use if what else self.offer
        if friends := _SELECT_FRIENDLY.search(text):
            found = tuple(part for part in (clean(text[: friends.start()]), friends["who"]) if part)
            self.friends = (*self.friends, "or", *found) if self.friends and "instead" in text else found
        if enemy := _SELECT_ENEMY.search(text):
            self.enemy = tuple(part for part in (clean(text[: enemy.start()]), enemy["who"]) if part)
        if led := _LED.search(text):
            self.led = led[0]
        self.roll = roll_spoken_of(text) or self.roll
        if printed := offered(text):
            self.abilities, self.unused = printed, text
        if (is_choice(text) or offered(text)) and (chosen := re.search(r"\b[Ss]elect\b", text)):
            self.chosen_when = tuple(filter(None, [clean(re.sub(r"\byou can\W*$", "", text[: chosen.start()]))]))
        if paid := re.match(r"(Spend \d [^.]{3,60})\.$", text):
            self.cost = paid[1]
        self.phase, self.duration = named or self.phase, duration_of(text)
        if own := _OWN_SET.search(text):
            self.own_set = own["who"]
        for match in SETS_STATE.finditer(text):
            how = (clean(text[: match.start()]), result_before(text, match.start()), *self.enemy)
            self.states[match["state"]] = (self.duration, tuple(part for part in how if part))

    def _frame(self, text: str) -> None:
        """Headings, choices, and who has the abilities that follow."""
        if is_heading(text):
            self.heading, self.label = text, None
            if _CLOSES.fullmatch(text):
                self.heading = self.choice = self.owner = self.phase = None
        if only := _UNITS_ONLY.fullmatch(text):
            self.only = f"{only['who']} only"
        if is_choice(text):
            tested = self.test if THAT_TEST.search(text) else ()
            self.choice = "; ".join((*tested, f"if chosen: {text[:160]}"))
        if owner := _OWNER.match(text):
            who = DURATION.sub("", owner["who"] or owner["all"]).strip()
            self.owner = None if is_generic(who[:1].lower() + who[1:]) else who
            self.heading = self.label = None

    def state(self, text: str) -> tuple[Duration | None, tuple[str, ...]] | None:
        """How long the state lasts that a sentence speaks of, and what put a unit in it."""
        match = STATE.search(text)
        return self.states.get(match["state"]) if match else None


def is_heading(text: str) -> bool:
    """Tell whether a line is a heading: short, without a full stop, and no list of weapon abilities."""
    return (
        (text[-1] not in '.!?:)”’"' or text.endswith(("(Aura)", "(Psychic)")))
        and len(text) < 50
        and not text.startswith("[")
    )


def is_choice(text: str) -> bool:
    """Tell whether a sentence offers one of several abilities that stand below it."""
    return _CHOICE.search(text) is not None and offered(text) is None
