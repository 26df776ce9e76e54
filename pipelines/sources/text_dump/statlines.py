"""Stat lines of a page to ``ModelProfile`` records: printed one cell per line, or as a Markdown table.

Belongs here: characteristics, invulnerable saves with their condition, the names that stand above them. Doesn't:
weapons and what else has rows.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace

from pipelines.identity import singular
from pipelines.records import ModelProfile
from pipelines.sources.stat_lines import read_base_size, read_invulnerable_save, with_save
from pipelines.sources.text_dump.headings import BASE_SIZE, INDEX_HEADINGS, is_heading, read_title
from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page, StatLine
from pipelines.sources.text_dump.shapes import is_title
from pipelines.sources.values import parse_characteristic

_FIELDS = {
    "M": "movement", "T": "toughness", "SV": "save", "W": "wounds", "LD": "leadership", "OC": "objective_control",
}  # fmt: skip
_INVULNERABLE = re.compile(r"\|?\s*INV(?:ULNERABLE|\.)? SAVE\b[\s|:]*(?P<value>[^|]*?)[\s|]*", re.IGNORECASE)
_INVULNERABLE_COLUMNS = frozenset({"INV", "INVSV", "INV SV", "INVULN", "INVULNERABLE SAVE", "INV SAVE"})
_NAME_COLUMNS = frozenset({"", "NAME", "MODEL", "UNIT"})
_VALUE = re.compile(r"(?:[0-9]{1,3}\s*\+?\s*[\"”″]?\s*\*?|[-–—]|N/A)")
_CONDITION = re.compile(r"\*.{3,200}|against (?:ranged|melee) attacks.{0,80}|[^.|]{1,80} only\.?", re.IGNORECASE)
_LONGEST_SAVE = 120


def _invulnerable(text: str) -> re.Match[str] | None:
    return _INVULNERABLE.fullmatch(text) if len(text) < _LONGEST_SAVE else None


def _is_label(text: str) -> bool:
    return text.upper() in _FIELDS


def _base_size(cells: list[tuple[int, str]], at: int) -> str | None:
    """The base size that stands in the cell ``at``, as read; None where none does."""
    is_size = 0 <= at < len(cells) and BASE_SIZE.fullmatch(cells[at][1])
    return read_base_size(cells[at][1]) if is_size else None


class StatLineFinder:
    """Finds and claims all stat lines of a page, each with its names, base size and invulnerable save."""

    def __init__(self, page: Page, *, is_markdown: bool) -> None:
        """Start with the page's lines; what is found is kept in ``page.stat_lines``."""
        self._page = page
        self._is_markdown = is_markdown

    def run(self) -> None:
        """Read the page once."""
        lines = self._page.lines
        if self._is_markdown:
            places = [index for index, line in enumerate(lines) if "|" in line]
        else:
            places = [index for index, line in enumerate(lines) if len(text := line.strip()) < 3 and _is_label(text)]
        if not places:
            return
        cells = [(index, clean(line)) for index, line in enumerate(lines) if line.strip()]
        after = 0
        for place in places:
            at = bisect_left(cells, (place, ""))
            if at >= after:
                after = (self._table(cells, at) if self._is_markdown else self._block(cells, at)) or at + 1

    def _block(self, cells: list[tuple[int, str]], at: int) -> int | None:
        """A block of label and value in turn, and the blocks of values alone that follow it."""
        labels: list[str] = []
        values: list[str] = []
        end = at
        while (
            end + 1 < len(cells)
            and (label := cells[end][1].upper()) in _FIELDS
            and label not in labels
            and _VALUE.fullmatch(cells[end + 1][1])
        ):
            labels.append(label)
            values.append(cells[end + 1][1])
            end += 2
        if len(labels) < 3 or "T" not in labels:
            return None
        start, name, unit = self._names_above(cells, at)
        model = self._model(name, labels, values, cells[at][0] + 1, _base_size(cells, at - 1))
        end, model = self._invulnerable(cells, end, model)
        place = len(self._page.stat_lines)
        self._add(cells[start:end], cells[start][0], model, unit)
        while (following := self._further(cells, end, labels)) is not None:
            end = following
        if len(self._page.stat_lines) > place + 1 and unit == name:  # of several models, the one name is a model's
            self._page.stat_lines[place] = replace(self._page.stat_lines[place], unit_name=None)
        return end

    def _further(self, cells: list[tuple[int, str]], at: int, labels: list[str]) -> int | None:
        """A further model: its name, its base size, its values without labels."""
        if at >= len(cells) or not self._is_name(cells[at][1]):
            return None
        size = _base_size(cells, at + 1)
        start = at + 1 if size is None else at + 2
        values = [text for _, text in cells[start : start + len(labels)]]
        if len(values) < len(labels) or not all(map(_VALUE.fullmatch, values)):
            return None
        model = self._model(cells[at][1], labels, values, cells[start][0] + 1, size)
        end, model = self._invulnerable(cells, start + len(labels), model)
        self._add(cells[at:end], cells[at][0], model, None)
        return end

    def _names_above(self, cells: list[tuple[int, str]], at: int) -> tuple[int, str | None, str | None]:
        """Where a stat line's names begin, the model's name and the unit's, if each has a line."""
        start = at if _base_size(cells, at - 1) is None else at - 1
        names: list[str] = []
        while start and len(names) < 2 and self._is_name(cells[start - 1][1]) and self._adjoin(cells, start):
            # Below the faction's keywords a name in capitals is one of them.
            if names and cells[start - 1][1].isupper():
                break
            start -= 1
            names.append(cells[start][1])
        if not names:
            return start, None, None
        return start, names[0], names[-1]

    def _adjoin(self, cells: list[tuple[int, str]], at: int) -> bool:
        """Whether nothing is printed between a cell and the one before it: no line of noise either."""
        between = self._page.raw_lines[cells[at - 1][0] + 1 : cells[at][0]]
        return not any(line.strip() for line in between)

    def _is_name(self, text: str) -> bool:
        return (
            is_title(text)
            and not is_heading(text)
            and text not in INDEX_HEADINGS
            and read_title(text) is None
            and text.upper() not in _FIELDS
            and _invulnerable(text) is None
            and " WEAPONS" not in text
        )

    def _table(self, cells: list[tuple[int, str]], at: int) -> int | None:
        """A table of stat lines, and the invulnerable save below it."""
        columns = [cell.strip().upper().strip("* ") for cell in cells[at][1].strip("|").split("|")]
        known = [column for column in columns if column in _FIELDS]
        if "|" not in cells[at][1] or len(known) < 4 or not {"T", "W"} <= set(known):
            return None
        start, name, unit = self._names_above(cells, at)
        end = at + 1
        found: list[ModelProfile] = []
        while end < len(cells) and (row := self._row(cells[end][1], columns)) is not None:
            (own, size), values, save = row
            model = self._model(own or (None if found else name), known, values, cells[end][0] + 1, size)
            found.append(self._with_save(model, save, None, cells[end][0] + 1))
            end += 1
        if not found:
            return None
        named = start < at and (unit is None or all(model.model_name for model in found))
        if len(found) == 1 and found[0].base_size is None:
            found[0] = replace(found[0], base_size=_base_size(cells, at - 1))
        end, found[-1] = self._invulnerable(cells, end, found[-1])
        self._add(cells[start:end], cells[start][0], found[0], unit if named or unit else None)
        for model in found[1:]:
            self._page.stat_lines.append(StatLine(cells[start][0], model, None))
        return end

    @staticmethod
    def _row(text: str, columns: list[str]) -> tuple[tuple[str, str | None], list[str], str] | None:
        """Name and base size, values and invulnerable save of a row; the size may stand behind the name."""
        if "|" not in text:
            return None
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        if len(cells) < len(columns):
            return None
        by_column = list(zip(columns, cells, strict=False))
        values = [cell for column, cell in by_column if column in _FIELDS]
        if not all(_VALUE.fullmatch(value) for value in values):
            return None
        name = next((cell for column, cell in by_column if column in _NAME_COLUMNS and cell), "")
        size = BASE_SIZE.search(name)
        named = (name, None) if size is None else (name[: size.start()].rstrip(), read_base_size(size[0]))
        save = next((cell for column, cell in by_column if column in _INVULNERABLE_COLUMNS), "")
        return named, values, save

    def _model(
        self, name: str | None, labels: list[str], values: list[str], line: int, base_size: str | None
    ) -> ModelProfile:
        read: dict[str, int | None] = {}
        for label, value in zip(labels, values, strict=True):
            try:
                read[_FIELDS[label]] = parse_characteristic(value, least=1 if label in ("T", "SV", "W") else 0)
            except ValueError as error:
                self._page.note("warning", "stat_value_unreadable", f"{label}: {error}", line)
        missing = [label for label in _FIELDS if label not in labels]
        if missing:
            self._page.note("warning", "stat_value_missing", f"the stat line has no {', '.join(missing)}", line)
        return ModelProfile(name or "", base_size=base_size, **read)  # type: ignore[arg-type]

    def _invulnerable(self, cells: list[tuple[int, str]], at: int, model: ModelProfile) -> tuple[int, ModelProfile]:
        """The save below a stat line, with the condition below that."""
        match = _invulnerable(cells[at][1]) if at < len(cells) else None
        if match is None:
            return at, model
        line, value = cells[at][0] + 1, match["value"]
        star = "*" if value == "*" else ""
        at += 1
        if value in ("", "*") and at < len(cells) and _VALUE.fullmatch(cells[at][1]):
            value = cells[at][1] + star
            at += 1
        condition = None
        if at < len(cells) and _CONDITION.fullmatch(cells[at][1]) and not is_heading(cells[at][1]):
            condition = cells[at][1]
            at += 1
        return at, self._with_save(model, value, condition, line)

    def _with_save(self, model: ModelProfile, printed: str, condition: str | None, line: int) -> ModelProfile:
        try:
            save = read_invulnerable_save(printed, condition or "")
        except ValueError as error:
            self._page.note("warning", "stat_value_unreadable", str(error), line)
            return model
        if save is None:
            return model
        if save.unread == "":
            self._page.note("warning", "save_condition_unread", f"{save.value}+ with a lost condition", line)
        elif save.unread:
            self._page.note("info", "save_condition_unread", f"{save.value}+: {save.unread[:120]}", line)
        if save.only is not None and singular(save.only) not in singular(model.model_name):
            self._page.note("warning", "save_condition_unread", f"{save.value}+ for {save.only[:60]} only", line)
            return model
        if save.excluding is not None and singular(save.excluding) in singular(model.model_name):
            return model
        return with_save(model, save)

    def _add(self, cells: list[tuple[int, str]], index: int, model: ModelProfile, unit: str | None) -> None:
        for at, _ in cells:
            self._page.claim(at, "stat_line", f"model:{model.model_name}" if model.model_name else None)
        self._page.stat_lines.append(StatLine(index, model, unit))
