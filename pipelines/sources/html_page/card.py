"""One card of a page to a ``Datasheet``.

Belongs here: the order in which a card's parts are read, what a card must have, what it lacks. Doesn't: the page around
it (``page``), the parts (``statline``, ``tables``, ``sections``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bs4.element import Tag

from pipelines.identity import clean
from pipelines.records import Datasheet, ModelProfile, UnitAbility
from pipelines.sources.html_page.lines import sections_of
from pipelines.sources.html_page.markup import CardMarkup, classes
from pipelines.sources.html_page.notes import Notes
from pipelines.sources.html_page.sections import SectionReader
from pipelines.sources.html_page.statline import read_models
from pipelines.sources.html_page.tables import read_tables

_BASE_CLASSES = ("dsModelBase", "dsModelBase2")
_FEEL_NO_PAIN = "feel no pain"
_THRESHOLD = re.compile(r"([2-6])\+")
_LONGEST_NAME = 120


class MisfitError(Exception):
    """The card isn't read; the text says which one and what it lacks."""


def read_card(card: CardMarkup, edition: str, notes: Notes) -> Datasheet:
    """Read a card; every text of it is then in the datasheet or in an issue. Raises MisfitError."""
    name = _name(card)
    notes.about = f"card {name!r}"
    models = read_models(card, name, notes)
    weapons, costs, has_table = read_tables(card, notes)
    if not models and not weapons:
        raise MisfitError(f"card {name!r}: no weapon table and no stat line")
    reader = SectionReader(card, notes, weapons)
    reader.read(sections_of(card))
    _note_missing(card, reader, notes, bool(models), has_table, bool(costs))
    return Datasheet(
        name=name,
        collection=None,
        faction=None,
        edition=edition,
        models=_with_feel_no_pain(models, reader.abilities),
        costs=costs,
        composition=tuple(reader.composition),
        keywords=tuple(reader.keywords),
        abilities=tuple(reader.abilities),
        wargear_options=reader.options,
        weapons=weapons,
        leads=reader.leads,
        line=card.line,
        availability="legends" if "sLegendary" in classes(card.root) else None,
    )


def _name(card: CardMarkup) -> str:
    """The first text element of the card's header; the base size beside it is read too."""
    headers = card.by_class("dsH2Header")
    if not headers:
        raise MisfitError(f"a card without a name (div.dsH2Header > div) at line {card.line}")
    header = headers[0]
    bases = [tag for tag in card.by_class(*_BASE_CLASSES) if card.holds(header, tag)]
    for tag in bases:
        card.text(tag)
    inner = [tag for tag in header.find_all("div", recursive=False) if isinstance(tag, Tag)]
    direct = [string for string in card.strings(header) if string.parent is header]
    name = next((text for tag in inner if (text := _without(card, tag, bases))), "") or clean("".join(direct))
    card.mark(iter(direct))
    if not name or len(name) > _LONGEST_NAME:
        raise MisfitError(f"a card without a name (div.dsH2Header > div) at line {card.line}")
    return name


def _without(card: CardMarkup, tag: Tag, bases: Sequence[Tag]) -> str:
    """Text of an element that is neither read already nor part of a base size."""
    if any(tag is base for base in bases):
        return ""
    fresh = [string for string in card.strings(tag) if not card.is_read(string)]
    card.mark(iter(fresh))
    return clean("".join(fresh))


def _with_feel_no_pain(models: tuple[ModelProfile, ...], abilities: Sequence[UnitAbility]) -> tuple[ModelProfile, ...]:
    """Feel No Pain is printed as a core ability with its threshold; it counts for all models."""
    thresholds = [
        int(match[1])
        for ability in abilities
        if ability.name.casefold() == _FEEL_NO_PAIN and (match := _THRESHOLD.fullmatch(ability.parameter or ""))
    ]
    return tuple(replace(model, feel_no_pain=min(thresholds)) for model in models) if thresholds else models


def _note_missing(
    card: CardMarkup, reader: SectionReader, notes: Notes, has_models: bool, has_table: bool, has_costs: bool
) -> None:
    """Say what the card should hold and doesn't."""
    lacking = [name for name in ("ABILITIES", "UNIT COMPOSITION", "KEYWORDS") if name not in reader.seen]
    if not any(keyword.is_faction_keyword for keyword in reader.keywords):
        lacking.append("FACTION KEYWORDS")
    if not has_models:
        lacking.insert(0, "stat line")
    unarmed = reader.has_default_weapons and all(row.default_weapons == () for row in reader.composition)
    if not has_table and not unarmed:
        lacking.insert(0, "weapon table")
    if lacking:
        notes.lost("section_missing", f"no {', no '.join(lacking)}", card.line)
    if not has_costs:
        notes.add("info", "costs_missing", "no price is printed", card.line)
