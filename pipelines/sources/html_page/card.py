"""One card of a page to a ``Datasheet``.

Belongs here: the order in which a card's parts are read, what a card must have, what it lacks. Doesn't: the page around
it (``page``), the parts (``statline``, ``tables``, ``sections``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bs4.element import Tag

from pipelines.identity import clean
from pipelines.records import DamagedBracket, Datasheet, ModelProfile, UnitAbility
from pipelines.sources.html_page.lines import sections_of
from pipelines.sources.html_page.markup import CardMarkup, classes
from pipelines.sources.html_page.notes import Notes
from pipelines.sources.html_page.sections import SectionReader
from pipelines.sources.html_page.statline import BASE_CLASSES, read_models
from pipelines.sources.html_page.tables import read_tables
from pipelines.sources.stat_lines import read_base_size, read_damaged, with_feel_no_pain

_BASE = re.compile(r"⌀|[0-9] ?mm\b")
_DAMAGED = re.compile(r"DAMAGED\b", re.IGNORECASE)
_LONGEST_NAME = 120


class MisfitError(Exception):
    """The card isn't read; the text says which one and what it lacks."""


def read_card(card: CardMarkup, edition: str, notes: Notes) -> Datasheet:
    """Read a card; every text of it is then in the datasheet or in an issue. Raises MisfitError."""
    name, base_size = _header(card, notes)
    notes.about = f"card {name!r}"
    models = read_models(card, name, notes, base_size=base_size)
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
        models=_with_feel_no_pain(models, reader.abilities, notes),
        costs=costs,
        composition=tuple(reader.composition),
        keywords=tuple(reader.keywords),
        abilities=tuple(reader.abilities),
        wargear_options=reader.options,
        weapons=weapons,
        leads=reader.leads,
        line=card.line,
        availability="legends" if "sLegendary" in classes(card.root) else None,
        damaged=_damaged(reader.abilities, notes),
    )


def _header(card: CardMarkup, notes: Notes) -> tuple[str, str | None]:
    """The first text element of the card's header, which is its name, and the base size beside it."""
    headers = card.by_class("dsH2Header")
    if not headers:
        raise MisfitError(f"a card without a name (div.dsH2Header > div) at line {card.line}")
    header = headers[0]
    bases = [tag for tag in card.by_class(*BASE_CLASSES) if card.holds(header, tag)]
    sizes = [read_base_size(card.text(tag)) for tag in bases]
    inner = [tag for tag in header.find_all("div", recursive=False) if isinstance(tag, Tag)]
    direct = [string for string in card.strings(header) if string.parent is header]
    beside = clean("".join(direct))
    name = next((text for tag in inner if (text := _without(card, tag, bases))), "")
    if not name:
        name, beside = beside, ""
    card.mark(iter(direct))
    if not name or len(name) > _LONGEST_NAME:
        raise MisfitError(f"a card without a name (div.dsH2Header > div) at line {card.line}")
    if _BASE.search(beside):  # a base size that lost its element
        sizes.append(read_base_size(beside))
    elif beside:
        notes.lost("unrecognised_line", f"beside the name of the card {name!r}: {beside[:80]!r}", card.line, beside)
    return name, next((size for size in sizes if size), None)


def _without(card: CardMarkup, tag: Tag, bases: Sequence[Tag]) -> str:
    """Text of an element that is neither read already nor part of a base size."""
    if any(tag is base for base in bases):
        return ""
    fresh = [string for string in card.strings(tag) if not card.is_read(string)]
    card.mark(iter(fresh))
    return clean("".join(fresh))


def _with_feel_no_pain(
    models: tuple[ModelProfile, ...], abilities: Sequence[UnitAbility], notes: Notes
) -> tuple[ModelProfile, ...]:
    given, unread = with_feel_no_pain(models, abilities)
    for ability in unread:
        message = f"not in the stat line: {ability.name[:80]} {ability.parameter or ''}"
        notes.add("warning", "feel_no_pain_unread", message, ability.line)
    return given


def _damaged(abilities: Sequence[UnitAbility], notes: Notes) -> DamagedBracket | None:
    """The bracket that a heading of its own prints; None where there is none."""
    for ability in abilities:
        if _DAMAGED.match(ability.name):
            try:
                return read_damaged(ability.name, ability.text, ability.line)
            except ValueError as error:
                notes.add("warning", "damaged_unread", f"kept as an ability: {error}", ability.line)
    return None


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
