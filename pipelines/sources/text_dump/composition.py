"""The section UNIT COMPOSITION: the models of a unit, what they carry, what they cost.

Belongs here: kinds of models with their counts, default equipment, rows of costs, which may stand elsewhere too.
Doesn't: options, stat lines.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.identity import singular
from pipelines.records import Composition, Cost
from pipelines.sources.text_dump.abilities import AbilityReader
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.sections import BULLETS
from pipelines.sources.text_dump.shapes import is_title

_KIND = re.compile(r"(?P<least>[0-9]{1,3})(?:\s*[-–]\s*(?P<most>[0-9]{1,3}))?\s+(?P<name>\D.*)")
_NAME_TAIL = re.compile(r"\s*(?:– EPIC HERO|:.*)$")  # "Model – EPIC HERO", "Models:Name of oneName of another"
_SEVERAL = re.compile(r"(?:,\s*|\s+and\s+)(?=[0-9]{1,3}(?:\s*[-–]\s*[0-9]{1,3})?\s)")
_EQUIPPED = re.compile(r"(?P<who>.{1,100}?) (?:is|are|has|have)(?: each)? equipped with:? ?(?P<items>.+?)\.?")
_NUMBER = re.compile(r"[0-9]{1,4}")
_SPAN = re.compile(r"([0-9]+)\s*[-–]\s*([0-9]+)")
_CONDITION = re.compile(r"\((?P<condition>[^()]{1,120})\)")


class CompositionReader:
    """Reads lines of the section into ``kinds`` of models and ``costs``."""

    def __init__(self, page: Page, abilities: AbilityReader) -> None:
        """Start without any; an ability below the section's last line goes to ``abilities``."""
        self._page = page
        self._abilities = abilities
        self._is_alternative = False
        self.kinds: list[Composition] = []
        self.costs: list[Cost] = []

    def read(self, text: str, line: int) -> None:
        """One line: a cost, equipment, an OR, or kinds of models."""
        if text.startswith("|"):
            self.read_cost(text, line)
            return
        sentence = clean(text.lstrip(BULLETS))
        equipped = _EQUIPPED.fullmatch(sentence) if " equipped with" in sentence else None
        if equipped is not None:
            self._page.mark(line, "default_equipment")
            self._equip(equipped["who"], equipped["items"])
        elif sentence == "OR":
            self._page.mark(line, "unit_composition")
            self._is_alternative = True
        else:
            self._read_kinds(text, sentence, line)

    def _read_kinds(self, text: str, sentence: str, line: int) -> None:
        matches = [_KIND.fullmatch(part) for part in _SEVERAL.split(sentence)]
        kinds = [match for match in matches if match is not None]
        if len(kinds) < len(matches):
            if (text.isupper() and is_title(text)) or self._abilities.awaits_text:
                self._abilities.read_special(text, line)
            else:
                self._page.mark(line, "composition_note")
                self._page.note("info", "composition_note_unread", "kept out of the composition: no count", line)
            return
        self._page.mark(line, "unit_composition")
        for match in kinds:
            least, most = int(match["least"]), int(match["most"] or match["least"])
            self._add(Composition(_NAME_TAIL.sub("", match["name"]), least, most, None, line))

    def _add(self, entry: Composition) -> None:
        """Add a kind; behind an OR, one that is there already gets the wider bounds."""
        for at, known in enumerate(self.kinds):
            if self._is_alternative and singular(known.model_name) == singular(entry.model_name):
                least = min(known.min_models, entry.min_models)
                most = max(known.max_models, entry.max_models)
                self.kinds[at] = replace(known, min_models=least, max_models=most)
                return
        self.kinds.append(entry)

    def _equip(self, who: str, listed: str) -> None:
        weapons = tuple(clean(item) for item in listed.split(";") if item.strip())
        everyone = fold(who).startswith(("this ", "every model", "each model", "all models"))
        self.kinds = [
            replace(entry, default_weapons=weapons)
            if everyone or singular(entry.model_name) in singular(who)
            else entry
            for entry in self.kinds
        ]

    def read_cost(self, text: str, line: int) -> None:
        """A row ``| 5 models | 80 |``, ``| Item | +10 |``."""
        cells = [clean(cell) for cell in text.strip("|").split("|", 8)]
        label, price = cells[0], cells[1] if len(cells) > 1 else ""
        self._page.mark(line, "unit_cost")
        printed = _NUMBER.fullmatch(price.lstrip("+"))
        if printed is None:
            self._page.note("warning", "cost_unreadable", f"{label[:60]!r} costs {price[:40]!r}: not a number", line)
            return
        points = int(printed[0])
        condition = _CONDITION.search(label)
        counts = [int(number) for number in _NUMBER.findall(_CONDITION.sub("", label))]
        spoken = condition["condition"] if condition else None
        if price.startswith("+"):
            self.costs.append(Cost(1, points, kind="add_on", condition=spoken, item=label, line=line))
        elif counts:
            span = _SPAN.match(label)
            models, most = (int(span[1]), int(span[2])) if span else (sum(counts), None)
            kind = "alternative" if spoken else "base"
            cost = Cost(models, points, models_max=most, kind=kind, condition=spoken, line=line)  # type: ignore[arg-type]
            self.costs.append(cost)
        else:
            self._page.note("warning", "cost_unreadable", f"{label[:60]!r} names no number of models", line)
