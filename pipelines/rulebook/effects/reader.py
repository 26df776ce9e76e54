"""Reads one text, sentence by sentence, into modifiers.

Belongs here: putting phrase, side and conditions together, and saying what is left unread. Doesn't: patterns of phrases
(``rolls``, ``grants``, ``wounds``), sides (``placing``), conditions around a phrase (``conditions``), what a sentence
takes up from others (``memory``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipelines.rulebook.effects.conditions import DURATION, Clause, clauses, duration_of, taken_up
from pipelines.rulebook.effects.grants import offered, protections, weapon_abilities
from pipelines.rulebook.effects.memory import THAT_TEST, Memory, Placed, is_choice, is_heading
from pipelines.rulebook.effects.modifier import AttackScope, Duration, Modifier, Phase
from pipelines.rulebook.effects.placing import INHERITS, place
from pipelines.rulebook.effects.rolls import (
    Found,
    characteristic_changes,
    criticals,
    damage_reductions,
    ignored_modifiers,
    rerolls,
    roll_modifiers,
)  # fmt: skip
from pipelines.rulebook.effects.subjects import (
    Referents,
    Trigger,
    is_generic_subject,
    is_own_set,
    scope_of,
    spoken_attack_type,
)  # fmt: skip
from pipelines.rulebook.effects.wording import ABOUT_DAMAGE, Sentence, sentences, spelled
from pipelines.rulebook.effects.wounds import (
    added_to_roll,
    extra_activations,
    mortal_wounds,
    result_before,
    roll_spoken_of,
)  # fmt: skip

_LONGEST = 4000  # characters of a sentence that is read; none of the game's comes near it
_DENIED = re.compile(r"\b(?:cannot|not|never|loses?|no longer|without|instead of|ignore[sd]?)\b[^,]{0,40}$")
_THAT_ENEMY = re.compile(r"\b(?:that|the selected) enemy (?:[A-Z]{2,} )*(?:unit|model)\b|\btargets? that unit\b")
_TESTS = re.compile(r"\btake an? [\w-]+ test\b")
_INSTEAD = re.compile(r"[^.,;:]{0,140}\binstead\b(?! of)")
_COUNTED = re.compile(r"\bfor (?:each|every) (?!\d(?:-\d|\+)?[,:])")
_COUNTS = re.compile(r"For (?:each|every) (?!\d|enemy |friendly |unit |[^\W\d_a-z]{2})")
_COMMANDS = re.compile(
    r"(?<![a-z] )\b(?:[Ii]mprove|[Ww]orsen|[Aa]dd|[Ss]ubtract|[Rr]e-roll|[Cc]hange|[Hh]alve)\b"
    rf"[^;:]*(?:{ABOUT_DAMAGE.pattern})"
)
_USUAL: dict[Phase, AttackScope] = {"shooting": "ranged", "fight": "melee", "any": "any"}
CHANGES_ROLL = "changes the roll"
REPLACES = "instead: replaces the row before, doesn't add to it"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a text's frame says: WHEN gives phase and conditions, TARGET whose unit it is (``target``, a condition).

    ``is_charge``: it is used in a Charge phase, of whose turn only the Fight phase is left.
    """

    phase: Phase = "any"
    is_charge: bool = False
    conditions: tuple[str, ...] = ()
    target: str | None = None
    target_text: str = ""


class Reader:
    """Reads one text; ``modifiers`` has what was read and, without an operation, what wasn't."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._named = Referents(setting.target_text)
        self._memory = Memory()
        self.modifiers: list[Modifier] = []

    def read(self, text: str) -> None:
        """Read a text's sentences in order."""
        for sentence in sentences(spelled(text)):
            if len(sentence.text) > _LONGEST:
                self._unread("any", f"too long a sentence: {sentence.text[:200]}")
                continue
            self._read_sentence(sentence)
            self._named.remember(sentence.text)
        if self._memory.unused is not None:
            self._unread(self._setting.phase, f"not read: {self._memory.unused[:300]}")

    def _read_sentence(self, sentence: Sentence) -> None:
        text = sentence.text
        self._memory.open(sentence)
        triggers = self._named.triggers(text)
        found = sorted(self._phrases(text), key=lambda one: (one.start, one.begin))
        around = clauses(text, found, triggers)
        phase = self._phase(sentence)
        for one, clause in zip(found, around, strict=True):
            self._add(sentence, one, place(sentence, one, triggers, found, self._memory, self._named), clause, phase)
        self._note_unread(text, found, triggers, around, phase)
        self._memory.close(text, triggers, around[0].before if around else (), phase, phase_of(text))

    def _phrases(self, text: str) -> Iterator[Found]:
        for phrases in (
            rerolls, roll_modifiers, characteristic_changes, damage_reductions, criticals, ignored_modifiers,
            protections, extra_activations,
        ):  # fmt: skip
            yield from phrases(text)
        yield from weapon_abilities(text, self._memory.abilities)
        yield from mortal_wounds(text, self._memory.roll)

    def _phase(self, sentence: Sentence) -> Phase:
        """The phase a sentence's effects hold in: what lasts beyond a phase holds in those after it too."""
        text = sentence.text
        lasts = self._lasts(text)
        if lasts == "turn" and self._setting.is_charge:
            return "fight"
        phase = phase_of(text) or (self._memory.offer_phase if taken_up(text) else None)
        if (
            phase is None
            and not self._setting.target_text
            and (duration_of(text) in ("phase", "attacks") or INHERITS.search(text))
        ):
            phase = self._memory.phase
        if sentence.is_bullet and self._memory.lead_lasts == "phase":
            phase = phase or self._memory.lead_phase
        phase = phase or self._setting.phase
        return (
            "any"
            if lasts not in (None, "phase", "attacks", "turn") or (lasts == "turn" and phase == "shooting")
            else phase
        )

    def _lasts(self, text: str) -> Duration | None:
        """How long a sentence's effects last: by itself, or by the state of a unit that it speaks of."""
        state = self._memory.state(text)
        return duration_of(text) or (state[0] if state else None)

    def _add(self, sentence: Sentence, one: Found, placed: Placed, clause: Clause, phase: Phase) -> None:
        text = sentence.text
        reason = self._refused(text, one, clause) or (placed.reason if placed.side is None else None)
        if reason is not None or placed.side is None:
            self._unread(phase, f"{reason}: {text[:300]}")
            return
        attack_type = one.attack_type or placed.attack_type or spoken_attack_type(" ".join(clause.after))
        attack_type, phase = self._out_of_turn(text, one, clause, placed) or (attack_type or _USUAL[phase], phase)
        condition = "; ".join(dict.fromkeys(part for part in self._conditions(sentence, one, clause, placed) if part))
        lasts = self._lasts(text) or (self._memory.duration if INHERITS.search(text) else None)
        lasts = lasts or (self._memory.lead_lasts if sentence.is_bullet else None)
        row = Modifier(
            placed.side, phase, attack_type, condition or None, one.operation, one.characteristic,
            one.value, True, REPLACES if _INSTEAD.match(text, one.end) else one.note,
            "enemy" if placed.is_enemy else scope_of(placed.who, text), lasts,
        )  # fmt: skip
        if one.condition is not None and one.condition.startswith("one of: ["):
            self._memory.unused = None
        if row not in self.modifiers:
            self.modifiers.append(row)

    def _out_of_turn(self, text: str, one: Found, clause: Clause, placed: Placed) -> tuple[AttackScope, Phase] | None:
        """Kind and phase of attacks that are made out of turn."""
        if one.operation == "extra_activation" and one.characteristic in ("shooting", "fight"):
            return ("ranged", "shooting") if one.characteristic == "shooting" else ("melee", "fight")
        if one.operation == "hit_only_on" and "as if it were the Fight phase" in text:
            return "melee", "fight"
        if taken_up(text) and any("as if it were your Shooting phase" in part for part in self._memory.offer):
            return "ranged", "shooting"
        overwatch = "Overwatch" in " ".join((*clause.before, *clause.after, *placed.conditions))
        return ("ranged", "shooting") if overwatch or one.operation == "hit_only_on" else None

    @staticmethod
    def _refused(text: str, one: Found, clause: Clause) -> str | None:
        """Why a phrase isn't read whoever it is about: it is denied, or its number is counted in play."""
        chunk = re.split("[,:;]", text[max(0, one.begin - 80) : one.begin])[-1]
        if one.operation not in ("cover", "ignore_modifiers", "extra_activation") and _DENIED.search(chunk):
            return "denied or replaced"
        counted = any(_COUNTED.search(part) for part in (one.subject, *clause.after)) or _COUNTS.match(text)
        number = one.operation in ("roll_mod", "stat_mod") and one.note is None
        return "a number that is counted" if counted and number else None

    def _conditions(self, sentence: Sentence, one: Found, clause: Clause, placed: Placed) -> Iterator[str | None]:
        text, memory = sentence.text, self._memory
        own = not is_own_set(placed.who) or "your unit" in placed.who
        under_choice = (memory.heading or memory.label) is not None or sentence.is_bullet or memory.lead != (None, ())
        yield from self._setting.conditions
        yield memory.cost
        yield memory.only
        if memory.choice and (under_choice or re.search(r"\bselected\b|\bchosen\b", placed.who)):
            yield memory.choice
        yield memory.heading
        yield memory.label
        yield f"option {memory.option}" if memory.option and memory.choice else None
        yield memory.owner if own else None
        if own or placed.is_enemy or one.operation in ("mortal_wounds", "cover"):
            yield self._setting.target
        yield from memory.offer if taken_up(text) else ()
        yield from memory.lead[1]
        if any(THAT_TEST.search(part) for part in clause.before) and not _TESTS.search(text):
            yield from memory.test
        yield memory.led if re.match(r"While that unit\b|If that unit\b", text) else None
        yield from clause.before
        yield from placed.conditions
        if one.condition and one.condition.startswith("one of: ["):
            yield from memory.chosen_when
        yield one.condition
        said_of = DURATION.sub("", one.subject).strip(" ,")
        if one.operation not in ("mortal_wounds", "extra_activation") and not is_generic_subject(said_of):
            yield said_of if said_of not in ("", "?", "that attack") else None
        spoken = (*placed.conditions, *clause.before, *clause.after, one.subject)
        if state := memory.state(text):
            yield from state[1]
        elif placed.is_enemy or any(_THAT_ENEMY.search(part) for part in spoken):
            yield from memory.enemy
        if one.operation not in ("mortal_wounds", "extra_activation"):
            yield result_before(text, one.begin)
        if re.search(
            r"\bselected\b|\bthat (?:friendly |[A-Z]{2,} )*(?:unit|model|TRANSPORT)\b|\byour [A-Z]{2,} [A-Z ]*unit\b",
            placed.who,
        ):
            yield from memory.friends
        if any(re.search(r"\bsuch an? (?:unit|model)\b", part) for part in spoken):
            yield memory.own_set
        yield from clause.after

    def _note_unread(
        self, text: str, found: Sequence[Found], triggers: Sequence[Trigger], around: Sequence[Clause], phase: Phase
    ) -> None:
        """Say which sentence speaks of damage in words that no phrase, trigger or condition took up."""
        read = [(one.start, one.end) for one in found]
        read += [(one.begin, min(one.start, one.begin + len(one.subject))) for one in found]
        read += [(one.start, one.end) for one in triggers if found or "can use this" in text]
        read += [span for clause in around for span in clause.spans if not _COMMANDS.search(text[span[0] : span[1]])]
        added = added_to_roll(text)
        rolled = any(one.operation in ("mortal_wounds", "extra_activation") for one in found)
        if added and (rolled or "additional D6" in added):
            self._unread(phase, f"{CHANGES_ROLL}: {added}")
        if "Lone Operative" in text:
            self._unread(phase, "Lone Operative restricts who may be a target; no part of an attack")
        if (
            is_heading(text)
            or not _mentions(text, read)
            or (not found and (offered(text) or is_choice(text) or roll_spoken_of(text)))
        ):
            return
        self._unread(phase, f"not read: {text[:300]}")

    def _unread(self, phase: Phase, note: str) -> None:
        row = Modifier(None, phase, "any", None, None, None, None, False, note)
        if row not in self.modifiers:
            self.modifiers.append(row)


def phase_of(text: str) -> Phase | None:
    """The phase a text names, leaving out until when something lasts."""
    text = re.sub(r"\b(?:previous|last|next) (?:Shooting|Fight) phase", "", text)
    text = re.sub(r"\b[Uu]ntil the (?:end|start) of [^,.]{0,40}? phase\b|as if it were your Shooting phase", "", text)
    shooting = re.search(r"\bShooting phase|selected to shoot", text)
    fight = re.search(r"\bFight phase|selected to (?:shoot or )?fight", text)
    if shooting and fight:
        return "any"
    if shooting:
        return "shooting"
    return "fight" if fight else None


def _mentions(text: str, read: Sequence[tuple[int, int]]) -> bool:
    """Tell whether words about damage stand outside what was read."""
    return any(
        not any(start < match.end() and match.start() < end for start, end in read)
        for match in ABOUT_DAMAGE.finditer(text)
    )
