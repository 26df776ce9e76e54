"""What the parts of a datasheet leave open about each other: reported, never filled by a guess.

Belongs here: an option that replaces what nobody carries. Doesn't: what a source's own text lost (the sources report
that), records that no table can hold (``fitting``), what options make of the default wargear (``armaments``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.dimensions.units import Unit
from pipelines.identity import singular
from pipelines.records import Document, Issue

Exchange = tuple[Sequence[str], Sequence[str]]
"""Names of what an option replaces, and of what it gives."""


def uncarried(
    exchanges: Sequence[Exchange], carried: Iterable[Sequence[str] | None], weapons: Iterable[str]
) -> list[str]:
    """Weapons of a datasheet that an option replaces though nobody has them: by default, or by another option.

    ``carried``: the default weapons of each kind of model; where one is None (unknown), nothing can be told.
    ``weapons``: names of the weapons described. Most likely the default wargear lacks them, and a unit that shoots
    with nothing else then never shoots.
    """
    defaults = list(carried)
    if not defaults or any(items is None for items in defaults):
        return []
    described = {singular(name) for name in weapons}
    held = {singular(name) for items in defaults for name in items or ()}
    swaps = [({singular(name) for name in gives}, {singular(name) for name in gains}) for gives, gains in exchanges]
    missing: dict[str, str] = {}
    for gives, _ in exchanges:
        for name in gives:
            item = singular(name)
            given = any(item in gains and item not in taken for taken, gains in swaps)
            if item in described and item not in held and not given:
                missing.setdefault(item, name)
    return list(missing.values())


def with_gaps(documents: Iterable[Document], units: Iterable[Unit]) -> list[Document]:
    """The documents with an issue for each of their datasheets that an option replaces what nobody carries on."""
    found: dict[str, list[Issue]] = defaultdict(list)
    for unit in units:
        options = [option for option in unit.datasheet.wargear_options if option.replaces]
        names = uncarried(
            [(option.replaces, option.gains) for option in unit.datasheet.wargear_options],
            [row.default_weapons for row in unit.composition],
            [weapon.weapon_name for weapon in unit.datasheet.weapons],
        )
        if names:
            said = f"{unit.datasheet.name}: an option replaces {', '.join(names)}, which no model carries by default"
            line = next(option.line for option in options if set(names) & set(option.replaces))
            found[unit.document.document_id].append(Issue("warning", "option_replaces_uncarried", said, line))
    return [
        replace(document, issues=(*document.issues, *found[document.document_id]))
        if document.document_id in found
        else document
        for document in documents
    ]
