"""The sections that say what a unit may do: WARGEAR OPTIONS and LEADER.

Belongs here: finding the sentences and lists of these sections. Doesn't: what a sentence means
(``sources.wargear_options``).
"""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.records import WargearOption
from pipelines.sources.text_dump.abilities import AbilityReader
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.sections import BULLETS
from pipelines.sources.text_dump.shapes import is_title
from pipelines.sources.wargear_footnotes import with_footnotes
from pipelines.sources.wargear_options import is_list_item, parse_wargear_option

_BETWEEN_UNITS = re.compile(r"\s*(?:,|;|•|■|- )\s*")


class OptionReader:
    """Reads the lines of WARGEAR OPTIONS."""

    def __init__(self, page: Page, abilities: AbilityReader) -> None:
        """Start without any; what is no option goes to ``abilities``."""
        self._page = page
        self._abilities = abilities
        self._options: list[tuple[int, list[str]]] = []  # line, sentence and the choices listed below it
        self._footnotes: list[str] = []

    def read(self, text: str, line: int) -> None:
        """One line: an option, a choice of the option above it, or a footnote."""
        sentence = clean(text.lstrip(BULLETS))
        if fold(sentence) == "none":
            self._page.mark(line, "wargear_option")
        elif self._options and is_list_item(sentence):
            self._options[-1][1].append(sentence)
            self._page.mark(line, "wargear_option", f"wargear_option:{len(self._options)}")
        elif sentence.startswith("*"):
            self._page.mark(line, "wargear_footnote")
            self._footnotes.append(sentence)
        elif text[0] in BULLETS or " can " in sentence:
            self._options.append((line, [sentence]))
            self._page.mark(line, "wargear_option", f"wargear_option:{len(self._options)}")
        else:
            self._abilities.read_special(text, line)

    def records(self, weapon_names: tuple[str, ...]) -> tuple[WargearOption, ...]:
        """The options as records; the names of the datasheet's weapons are kept in one piece."""
        options = []
        for position, (line, parts) in enumerate(self._options, 1):
            option = parse_wargear_option(" - ".join(parts), position, line=line, weapon_names=weapon_names)
            if option.action is None:
                self._page.note("info", "wargear_option_unstructured", "kept as text: its form isn't known", line)
            options.append(replace(option, text="\n- ".join(parts)))
        return with_footnotes(options, self._footnotes)


class LeaderReader:
    """Reads the lines of LEADER into ``units``, the names of those that the model can be attached to."""

    def __init__(self, page: Page, abilities: AbilityReader) -> None:
        """Start without any; an ability below the list goes to ``abilities``."""
        self._page = page
        self._abilities = abilities
        self.units: list[str] = []

    def read(self, text: str, line: int) -> None:
        """One line: a sentence about leading, or names of units."""
        is_heading = text.isupper() and is_title(text) and self._heads_a_text(line)
        if is_heading or self._abilities.awaits_text:
            self._abilities.read_special(text, line)
            return
        self._page.mark(line, "leader")
        lead, colon, rest = text.partition(":")
        names = rest if colon else lead
        if not colon and not text.startswith(tuple(BULLETS)) and text.endswith((".", ";")):
            return  # a sentence about leading, not a unit
        self.units += [clean(name) for name in _BETWEEN_UNITS.split(names.strip(BULLETS)) if name.strip()]

    def _heads_a_text(self, line: int) -> bool:
        """Whether a heading's text follows rather than the list of units."""
        following = self._page.lines[line].strip() if line < len(self._page.lines) else ""
        return following.endswith(".")
