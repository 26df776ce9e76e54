"""Rows of the composition table: which models a unit has.

Belongs here: counts, alternatives, names. Doesn't: what the models carry (``loadouts``), what they cost (``costs``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.identity import singular
from pipelines.records import Composition
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import body
from pipelines.sources.csv_export.tables import Row

_MODEL = re.compile(r"(?P<least>\d{1,3})(?:\s*[-‐‑–]\s*(?P<most>\d{1,3}))?\s+(?P<name>\D.*)", re.DOTALL)
# What may stand behind a name: "– EPIC HERO", a footnote's star, a list of the models' own names, a remark.
_TAIL = re.compile(
    r"(?:\s*[–—-]\s*EPIC HERO\b.*|\s*\((?=\d|[^)]*\d).*|\s*[:\n].*|[\s*.,;]+)$", re.IGNORECASE | re.DOTALL
)
_SEVERAL = re.compile(r",\s*(?:and\s+)?(?=\d)|\s+and\s+(?=\d)")
# "10 MODELS MAXIMUM" bounds the unit, it is no kind of model.
_BOUND = re.compile(r"models? maximum\b", re.IGNORECASE)
_OR = re.compile(r"\W*or\W*", re.IGNORECASE)
_ONE_OF = re.compile(r"\W*(?:one|1) of the following\W*", re.IGNORECASE)
_PARENTHESES = re.compile(r"\([^()]*\)")


def read_composition(rows: Iterable[Row], ledger: Ledger) -> tuple[Composition, ...]:
    """The kinds of models of one datasheet, each once; of alternatives the widest bounds."""
    alternatives: list[list[Composition]] = [[]]
    each_row_is_one = False
    for row in rows:
        text = body(row["description"])
        if _OR.fullmatch(text):
            ledger.note("composition_alternative", row.line)
            alternatives.append([])
        elif _ONE_OF.fullmatch(text):
            ledger.note("composition_alternative", row.line)
            each_row_is_one = True
        else:
            models = _models(text, row.line)
            if not models:
                ledger.note("composition_note_unread", row.line)
            elif each_row_is_one and alternatives[-1]:
                alternatives.append(models)
            else:
                alternatives[-1] += models
    return _merged([models for models in alternatives if models])


def _models(text: str, line: int) -> list[Composition]:
    """``1 Sergeant and 9 Guards`` as two entries; nothing where a part has no count."""
    found = []
    for part in _SEVERAL.split(_without_numbers_in_remarks(text)):
        match = _MODEL.fullmatch(part.strip())
        if match is None or _BOUND.match(match["name"]):
            return []
        name = match["name"]
        while (shorter := _TAIL.sub("", name)) != name:
            name = shorter
        least, most = int(match["least"]), int(match["most"] or match["least"])
        found.append(Composition(name, min(least, most), max(least, most), None, line))
    return found


def _without_numbers_in_remarks(text: str) -> str:
    """Sections that a remark in parentheses counts are parts of a model, no models."""
    return _PARENTHESES.sub(lambda match: "" if any(c.isdigit() for c in match[0]) else match[0], text)


def _merged(alternatives: list[list[Composition]]) -> tuple[Composition, ...]:
    if len(alternatives) == 1:
        return tuple(_once(alternatives[0]))
    names: dict[str, Composition] = {}
    for models in alternatives:
        for model in models:
            names.setdefault(singular(model.model_name), model)
    merged = []
    for key, first in names.items():
        counts = [_counts(models, key) for models in alternatives]
        least, most = min(low for low, _ in counts), max(high for _, high in counts)
        merged.append(Composition(first.model_name, least, most, None, first.line))
    return tuple(merged)


def _counts(models: list[Composition], key: str) -> tuple[int, int]:
    own = [model for model in models if singular(model.model_name) == key]
    return sum(model.min_models for model in own), sum(model.max_models for model in own)


def _once(models: list[Composition]) -> list[Composition]:
    """A name on two lines is one kind of model with the sum of both."""
    found: dict[str, Composition] = {}
    for model in models:
        key = singular(model.model_name)
        known = found.get(key)
        if known is None:
            found[key] = model
        else:
            least, most = known.min_models + model.min_models, known.max_models + model.max_models
            found[key] = Composition(known.model_name, least, most, None, known.line)
    return list(found.values())
