"""Reads a condition's clauses into what they say together.

Belongs here: the order in which a clause's parts are taken out, and what clauses come to together. Doesn't: patterns
(``attacks``, ``keywords``, ``leading``, ``roles``, ``wording``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from pipelines.worth.circumstances.attacks import (
    EXCLUSION,
    AttackTest,
    attack_tests,
    limits_attacks,
    named_weapons,
    names_all_weapons,
    refers_to_weapons,
)
from pipelines.worth.circumstances.keywords import (
    GROUP,
    KeywordTest,
    excluded,
    keyword_test,
    known_in_capitals,
    named,
    split,
)
from pipelines.worth.circumstances.leading import led_by
from pipelines.worth.circumstances.roles import (
    Role,
    is_negated,
    names_others,
    role_of,
    role_of_exclusion,
    used_together,
)
from pipelines.worth.circumstances.wording import (
    BY_THE_WAY,
    OVERWATCH,
    gives_alternative,
    is_heading,
    only_some,
    says_nothing,
    says_nothing_more,
)

_LONGEST = 4000  # characters of a condition that is read; none of the game's comes near it
_ON_ROLL = re.compile(r"on an? (?P<roll>\d(?:\+|-\d)?)")
_ABILITY = re.compile(r"\[[^\]]*\]")
_PLACE = re.compile(r"⟨(\d+)⟩")
_PLACE_BEHIND = re.compile(r"(?: from your army)? ⟨(\d+)⟩")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a condition says. All of ``user``, ``models``, ``target`` and ``attack`` have to be met.

    user: the unit it is used on, or whose attacks they are; for a defender's effect the unit that is attacked. Where
        it is led, the keywords of unit and leader together
    models: which models of that unit it is for; () for all
    target: the enemy unit: the target of an attacker's effect, whose attack it is for a defender's
    weapons: words that name only certain weapons; None: all of the attack type
    attack: conditions on characteristics of the attack
    assumed: clauses about the state of the game, verbatim
    unread: clauses that limit it to units, weapons or attacks in words that aren't understood: it can't be compared
    option: of several rows of one source, those with the same text here hold together, others exclude each other
    one_of: rows of one source with the same text here exclude each other
    on_roll: the die it needs, "4+" or "2-5"
    in_overwatch: it holds for attacks of Fire Overwatch only
    """

    user: tuple[KeywordTest, ...] = ()
    models: tuple[KeywordTest, ...] = ()
    target: tuple[KeywordTest, ...] = ()
    weapons: str | None = None
    attack: tuple[AttackTest, ...] = ()
    assumed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    option: str | None = None
    one_of: str | None = None
    on_roll: str | None = None
    in_overwatch: bool = False

    @property
    def unknown(self) -> tuple[str, ...]:
        """Words in capitals that can't be split into known keywords."""
        return tuple(words for test in (*self.user, *self.models, *self.target) for words in test.unknown)


@lru_cache(maxsize=16384)
def circumstances(condition: str | None, *, vocabulary: frozenset[str]) -> Circumstances:
    """Read a condition, its clauses joined by semicolons. ``vocabulary``: all known keywords, by ``keyword_set``."""
    if condition is not None and len(condition) > _LONGEST:
        return Circumstances(unread=(condition[:_LONGEST],))
    reading = _Reading(condition or "", vocabulary)
    for clause in (condition or "").split("; "):
        reading.read(clause.strip())
    return reading.result()


@lru_cache(maxsize=4096)
def enhancement_bearers(eligibility_text: str | None, vocabulary: frozenset[str]) -> KeywordTest | None:
    """Which models may bear an enhancement ("X model only."); None where the text is lost or isn't understood."""
    text = " ".join((eligibility_text or "").split()).strip(" .")
    text = known_in_capitals(f"one {text}", vocabulary).removeprefix("one ")
    exclusions = [excluded(match["what"] or "") for match in EXCLUSION.finditer(text)]
    who = re.fullmatch(rf"(?P<group>{GROUP.pattern}) only", EXCLUSION.sub("", text))
    if who is None or None in exclusions:
        return None
    unwanted = [words for exclusion in exclusions for words in exclusion or ()]
    return keyword_test(named(who["group"]).runs, unwanted, vocabulary)


@dataclass
class _Reading:
    """The clauses of a condition as they are read. ``used_on``, ``events``: units that TARGET and WHEN name."""

    condition: str
    vocabulary: frozenset[str]
    tests: dict[Role, list[KeywordTest]] = field(default_factory=lambda: {"user": [], "models": [], "target": []})
    used_on: list[KeywordTest] = field(default_factory=list)
    events: list[KeywordTest] = field(default_factory=list)
    has_others: bool = False
    weapons: list[str] = field(default_factory=list)
    referred: list[str] = field(default_factory=list)
    attack: list[AttackTest] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    one_of: list[str] = field(default_factory=list)
    rolls: list[str] = field(default_factory=list)
    in_overwatch: bool = False

    def read(self, clause: str) -> None:
        """Read one clause into what it says."""
        if says_nothing(clause):
            return
        if clause.startswith("one of: ") or (self.one_of and _ABILITY.fullmatch(clause)):
            self.one_of.append(clause)
        elif clause.startswith("if chosen: "):
            self.chosen.append(clause)
        elif is_heading(clause):  # one that is a keyword may mean units with it
            is_keyword = clause.isupper() and split(clause, self.vocabulary) is not None
            (self.unread if is_keyword else self.labels).append(clause)
        elif roll := _ON_ROLL.fullmatch(clause):
            self.rolls.append(roll["roll"])
        elif refers_to_weapons(clause):
            self.referred.append(clause)
        elif only_some(known_in_capitals(clause, self.vocabulary)):
            self.unread.append(clause)
        else:
            self._read_words(clause)

    def result(self) -> Circumstances:
        """What the clauses say together."""
        users = list(self.tests["user"])
        if not self.has_others:
            users += self.used_on or ([] if users else self.events)
        elif "; or; " in self.condition:  # one of two selections, each with conditions of its own
            self.unread.append("or")
        if self.referred and not self.weapons and not names_all_weapons(self.condition):
            self.unread += self.referred
        for different in (dict.fromkeys(self.weapons), dict.fromkeys(self.rolls)):
            self.unread += different if len(different) > 1 else ()
        models, target = self.tests["models"], self.tests["target"]
        user, models, target = (list(dict.fromkeys(tests)) for tests in (users, models, target))
        return Circumstances(
            tuple(user), tuple(models), tuple(target), self.weapons[0] if self.weapons else None,
            tuple(dict.fromkeys(self.attack)), tuple(dict.fromkeys(self.assumed)), tuple(dict.fromkeys(self.unread)),
            self._option(), "; ".join(self.one_of) or None, self.rolls[0] if self.rolls else None, self.in_overwatch,
        )  # fmt: skip

    def _option(self) -> str | None:
        """The alternative's name: its heading (what stands below holds together), else its number, else the choice."""
        titles = tuple(choice.removeprefix("if chosen: ") for choice in self.chosen)
        names = [
            label
            for label in self.labels
            if not label.startswith("option ") and not any(title.startswith(f"{label}:") for title in titles)
        ]
        return "; ".join(names or self.labels or self.chosen) or None

    def _read_words(self, clause: str) -> None:
        text = re.sub(r"\s*\(see [^)]*\)|^\d\+(?=[A-Z])", "", clause)
        text = re.sub(r"\[(?!excluding)[^\]]*\]", lambda match: match[0].lower(), text).replace("non-", "non- ")
        text = known_in_capitals(text, self.vocabulary)
        in_overwatch = OVERWATCH.search(text) is not None
        attack, text = attack_tests(OVERWATCH.sub("", text))
        weapons, text, is_clear = named_weapons(BY_THE_WAY.sub("~", text))
        tests, text = self._named_units(text)
        limited = limits_attacks(text) or ("weapon" in clause and "[" in text)
        either = (bool(tests) or bool(attack)) and gives_alternative(text) and not GROUP.match(clause)
        if tests is None or not is_clear or limited or (either and weapons):
            self.unread.append(clause)
            return
        self.in_overwatch |= in_overwatch
        if either:  # the other of two conditions may hold instead
            self.assumed.append(clause)
            return
        self.has_others |= names_others(clause) and any(role == "user" for role, _ in tests)
        for role, test in tests:
            self._tests_for(role, clause).append(test)
        self.attack += attack
        self.weapons += [weapons] if weapons else []
        if not says_nothing_more(text):
            self.assumed.append(clause)

    def _tests_for(self, role: Role, clause: str) -> list[KeywordTest]:
        if role == "user" and clause.startswith("just after "):
            return self.events
        return self.used_on if role == "user" and GROUP.match(clause) else self.tests[role]

    def _named_units(self, text: str) -> tuple[list[tuple[Role, KeywordTest]] | None, str]:
        """Tests of the units a clause names, None where one isn't understood; and the clause without them."""
        text, exclusions = _put_aside(text)
        if "(excluding" in text:
            return None, text
        tests: list[tuple[Role, KeywordTest]] = []
        for match in GROUP.finditer(text):
            left, right = text[: match.start()], text[match.end() :]
            role, group = role_of(left, match[0], right, self.condition), named(match[0])
            if role == "said":
                continue
            place = _PLACE_BEHIND.match(right)
            unwanted = exclusions.pop(int(place[1])) if place else ()
            test = keyword_test(group.runs, unwanted, self.vocabulary)
            if is_negated(left):
                test = keyword_test((), (*group.runs, *unwanted), self.vocabulary)
            alone = not group.is_pair or used_together(self.condition)
            second = role == "user" and any(one == "user" and other.any_of for one, other in tests)
            if role is None or not alone or second or _contradicts(test):
                return None, text
            tests.append((role, test))
            if role == "user" and led_by(match[0], self.vocabulary) is not None:
                self.assumed.append(match[0])
        for place in _PLACE.finditer(text):
            if int(place[1]) in exclusions:
                roles = {one for one, _ in tests}
                whose = role_of_exclusion(text[: place.start()]) or (roles.pop() if len(roles) == 1 else None)
                if whose is None:
                    return None, text
                tests.append((whose, keyword_test((), exclusions[int(place[1])], self.vocabulary)))
        return tests, _PLACE.sub("", GROUP.sub("", text)).replace("non- ", "")


def _put_aside(text: str) -> tuple[str, dict[int, tuple[str, ...]]]:
    """A clause with numbered places for its exclusions of keywords, ~ for others, and the keywords by number."""
    exclusions: dict[int, tuple[str, ...]] = {}

    def place(match: re.Match[str]) -> str:
        what = excluded(match["what"] or match["but"] or "")
        if what is None or match["end"] == "":
            return match[0] if GROUP.search(match[0]) else " ~"
        exclusions[len(exclusions)] = what
        return f" ⟨{len(exclusions) - 1}⟩"

    return EXCLUSION.sub(place, text), exclusions


def _contradicts(test: KeywordTest) -> bool:
    """Tell whether a test excludes what it asks for: the exclusion belongs to one alternative only."""
    return any(wanted >= each for wanted in test.any_of for each in test.none_of if each)
