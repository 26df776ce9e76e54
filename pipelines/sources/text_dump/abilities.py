"""The abilities of a datasheet, and damaged brackets, which are printed as one.

Belongs here: the sections of abilities, and headings in capitals that open an ability of their own. Doesn't: weapon
abilities, the texts of core and faction abilities, which are rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pipelines.records import DamagedBracket, ModelProfile, UnitAbility
from pipelines.sources.stat_lines import read_damaged, with_feel_no_pain
from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.sections import items, note_not_understood
from pipelines.sources.text_dump.shapes import is_title

_CORE = re.compile(
    r"(?P<name>.*?)(?:\s+(?P<parameter>[0-9]*[dD]?[0-9]+(?:\s*\+\s*[0-9]+)?(?:\"|\+)?"
    r"(?:\s+\([^()]{1,80}\)|\s+against .{1,80})?))?"
)
# "Example" and "Note" introduce sentences of an ability, no further one.
_NAME = r"(?!(?:Example|Note|Designer.s Note):)[‘’“]?[^\W\d_a-zß-öø-ÿ][^.:]{0,70}?(?:\s\([^)]{1,40}\))?"
_GLUED = re.compile(rf"(?:(?<=[.!?\"”)])|(?<=[.!?]’))(?={_NAME}: )")
_ABILITY = re.compile(rf"(?P<name>{_NAME}): ?(?P<text>.+)", re.DOTALL)
_DOTTED_ABILITY = re.compile(r"(?P<name>[^:.]{2,40}\.[^:]{2,40}): (?P<text>.+)", re.DOTALL)
_DAMAGED = re.compile(
    r"(?P<heading>(?i:DAMAGED: [0-9][0-9–‑ -]{0,8}WOUNDS? (?:REMAINING|LEFT))|DAMAGED: .{1,60}$)[.:]?\s*(?P<text>.*)"
)


def _dotted_ability(text: str) -> re.Match[str] | None:
    """An ability whose name holds full stops ("One. Two. Three: …"), told by its title case."""
    match = _DOTTED_ABILITY.fullmatch(text)
    return match if match is not None and is_title(match["name"].replace(".", "")) else None


def damaged_heading(text: str) -> re.Match[str] | None:
    """``DAMAGED: 1-5 WOUNDS REMAINING``; the sentence below it may be glued to it as ``text``."""
    return _DAMAGED.fullmatch(text) if text[:9].upper() == "DAMAGED: " else None


class AbilityReader:
    """Reads lines of abilities into ``abilities``."""

    def __init__(self, page: Page) -> None:
        """Start without any."""
        self._page = page
        self.abilities: list[UnitAbility] = []

    @property
    def awaits_text(self) -> bool:
        """Whether the last ability is a heading whose text is still to come."""
        return bool(self.abilities) and self.abilities[-1].text == ""

    def read(self, text: str, line: int) -> None:
        """A line of ABILITIES: core abilities, faction abilities, or abilities with their texts."""
        if text.startswith("CORE:"):
            self._page.mark(line, "core_abilities")
            for item in items(text[5:]):
                match = _CORE.fullmatch(item)
                name, parameter = (match["name"], match["parameter"]) if match else (item, None)
                self.abilities.append(UnitAbility("core", name, parameter, None, line))
        elif text.startswith("FACTION:"):
            self._page.mark(line, "faction_abilities")
            self.abilities += [UnitAbility("faction", name, None, None, line) for name in items(text[8:])]
        else:
            self._named("datasheet", text, line)

    def read_wargear(self, text: str, line: int) -> None:
        """A line of WARGEAR ABILITIES."""
        self._named("wargear", text, line)

    def _named(self, kind: Literal["datasheet", "wargear"], text: str, line: int) -> None:
        """One or several abilities on a line: the next name is glued to the sentence before it."""
        start = 0
        seams = [match.start() for match in _GLUED.finditer(text)]
        for end in [*seams, len(text)]:
            self._named_one(kind, text[start:end], line, start)
            start = end

    def _named_one(self, kind: Literal["datasheet", "wargear"], text: str, line: int, offset: int) -> None:
        match = _ABILITY.fullmatch(text) or _dotted_ability(text)
        last = self.abilities[-1] if self.abilities else None
        if match is not None and not text.startswith(("- ", "|")):
            self.abilities.append(UnitAbility(kind, clean(match["name"]), None, clean(match["text"]), line))
        elif last is not None and last.text is not None and not text.isupper():
            self._extend(text)
        else:
            self.read_special(text, line)
            return
        column = 1 if offset == 0 else offset + 1
        self._page.mark(line, f"{kind}_ability", f"ability:{self.abilities[-1].name}", column)

    def read_special(self, text: str, line: int) -> None:
        """A heading in capitals opens an ability of its own (``SUPREME COMMANDER``); its text follows."""
        if text.isupper() and is_title(text):
            self._open(text, "", line)
        elif self.abilities and self.abilities[-1].text is not None:
            self._extend(text)
            self._page.mark(line, "datasheet_ability", f"ability:{self.abilities[-1].name}")
        else:
            note_not_understood(self._page, text, line)

    def open_damaged(self, heading: re.Match[str], line: int) -> None:
        """A damaged bracket is an ability that its heading names."""
        self._open(heading["heading"], heading["text"], line)

    def _open(self, heading: str, text: str, line: int) -> None:
        name = clean(heading)
        self.abilities.append(UnitAbility("datasheet", name, None, clean(text), line))
        self._page.mark(line, "datasheet_ability", f"ability:{name}")

    def _extend(self, text: str) -> None:
        last = self.abilities[-1]
        self.abilities[-1] = replace(last, text=f"{last.text}\n{clean(text)}" if last.text else clean(text))

    def with_feel_no_pain(self, models: Sequence[ModelProfile]) -> tuple[ModelProfile, ...]:
        """The stat lines with the Feel No Pain that the core abilities print; what doesn't fit them is noted."""
        given, unread = with_feel_no_pain(models, self.abilities)
        for ability in unread:
            message = f"not in the stat line: {ability.name[:80]} {(ability.parameter or '')[:80]}"
            self._page.note("warning", "feel_no_pain_unread", message, ability.line)
        return given

    def damaged(self) -> DamagedBracket | None:
        """The damaged bracket, if the datasheet has one; one without its wounds is noted."""
        for ability in self.abilities:
            if ability.kind == "datasheet" and damaged_heading(ability.name):
                try:
                    return read_damaged(ability.name, ability.text, ability.line)
                except ValueError as error:
                    self._page.note("warning", "damaged_unread", f"kept as an ability: {error}", ability.line)
        return None
