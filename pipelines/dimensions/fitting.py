"""Records that don't fit the described tables, or that nobody could compute, become issues instead of failed runs.

Belongs here: holding records against the schema's own limits, whatever source they come from. Doesn't: reading printed
text (the sources refuse what they can't read), checks over whole tables (the gate).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from pipelines.dice import parse_dice
from pipelines.records import Datasheet, Document, Issue, WeaponProfile
from warehouse.schema import Column, tables

MAX_ATTACKS = 120
"""Attacks of one weapon, and the largest value of an ability: ten times what the game prints."""
DICE_FIELDS = ("attacks", "strength", "damage")
"""Characteristics of a weapon that may be rolled."""
EDITIONS = tables()["units"].column("edition").values

_DATASHEET_PARTS = {
    "models": "unit_models",
    "costs": "unit_costs",
    "composition": "unit_composition",
    "keywords": "unit_keywords",
    "abilities": "unit_abilities",
    "wargear_options": "wargear_options",
    "weapons": "weapon_profiles",
}
_DOCUMENT_PARTS = {"stratagems": "stratagems", "enhancements": "enhancements"}

Record = TypeVar("Record")


def fitted(documents: Iterable[Document]) -> list[Document]:
    """Documents without the records that don't fit; each is reported, a document of no known edition is quarantined."""
    return [_document(document) for document in documents]


def _document(document: Document) -> Document:
    strange = next((sheet.edition for sheet in document.datasheets if sheet.edition not in EDITIONS), None)
    if strange is not None:
        issue = Issue("error", "unknown_edition", f"edition {strange!r} is none of {', '.join(EDITIONS)}", 1)
        return replace(document, status="quarantined", datasheets=(), rules=(), stratagems=(), detachment_rules=(),
                       enhancements=(), edition=None, issues=(*document.issues, issue))  # fmt: skip
    issues: list[Issue] = [*_automatic_hits(document), *_repeated_models(document)]
    datasheets = tuple(_datasheet(datasheet, issues) for datasheet in document.datasheets)
    parts: dict[str, Any] = {
        name: _kept(getattr(document, name), table, "", issues) for name, table in _DOCUMENT_PARTS.items()
    }
    if not issues:
        return document
    return replace(document, datasheets=datasheets, issues=(*document.issues, *issues), **parts)


def _automatic_hits(document: Document) -> Iterator[Issue]:
    """Weapons without a skill that aren't Torrent: automatic hits, but perhaps a value was lost."""
    for datasheet in document.datasheets:
        for weapon in datasheet.weapons:
            if weapon.skill is None and not any(ability.ability == "torrent" for ability in weapon.abilities):
                message = (
                    f"{datasheet.name}: {weapon.weapon_name} has no skill and isn't Torrent; it hits automatically"
                )
                yield Issue("info", "automatic_hits", message, weapon.line)


def _repeated_models(document: Document) -> Iterator[Issue]:
    """Stat lines under a name that another of the unit has: a table of models holds the first of them."""
    for datasheet in document.datasheets:
        for name, count in Counter(model.model_name for model in datasheet.models).items():
            if count > 1:
                message = f"{datasheet.name}: {count} stat lines are called {name}; the first is kept"
                yield Issue("warning", "stat_line_repeated", message, datasheet.line)


def _datasheet(datasheet: Datasheet, issues: list[Issue]) -> Datasheet:
    before, of = len(issues), f"{datasheet.name}: "
    parts: dict[str, Any] = {
        name: _kept(getattr(datasheet, name), table, of, issues) for name, table in _DATASHEET_PARTS.items()
    }
    if datasheet.damaged is not None and not _kept([datasheet.damaged], "unit_damaged_brackets", of, issues):
        parts["damaged"] = None
    return replace(datasheet, **parts) if len(issues) > before else datasheet


def _kept(records: Sequence[Record], table: str, of: str, issues: list[Issue]) -> tuple[Record, ...]:
    kept = []
    for record in records:
        problem = next(_problems(record, table), None)
        if problem is None:
            kept.append(record)
        else:
            line = getattr(record, "line", None)
            what = getattr(record, "weapon_name", None) or getattr(record, "name", None) or table.replace("_", " ")
            issues.append(Issue("warning", "value_out_of_range", f"{of}{what}: {problem}; left out", line))
    return tuple(kept)


def _problems(record: Any, table: str) -> Iterator[str]:
    stated = {field.name for field in fields(record)}
    for column in tables()[table].columns:
        if column.name in stated and (problem := _problem(column, getattr(record, column.name))):
            yield problem
    if isinstance(record, WeaponProfile):
        yield from _too_much(record)


def limit_problem(table: str, name: str, value: Any) -> str | None:
    """Why a table can't hold a value in a column; None where it can, or has no such column."""
    column = next((column for column in tables()[table].columns if column.name == name), None)
    return _problem(column, value) if column is not None else None


def _problem(column: Column, value: Any) -> str | None:
    if value is None:
        return None if column.null else f"{column.name} is missing"
    if column.values and value not in column.values:
        return f"{column.name} is {value!r}"
    if (column.min is not None and value < column.min) or (column.max is not None and value > column.max):
        return f"{column.name} is {value}"
    return None


def _too_much(weapon: WeaponProfile) -> Iterator[str]:
    """What the engine couldn't read, or couldn't compute in bounded time."""
    for name in DICE_FIELDS:
        if problem := dice_problem(name, getattr(weapon, name)):
            yield problem
    for ability in weapon.abilities:
        # Abilities that can't be read are kept, not simulated.
        if ability.value and _is_dice(ability.value) and (problem := dice_problem(ability.ability, ability.value)):
            yield problem


def _is_dice(text: str) -> bool:
    try:
        parse_dice(text)
    except ValueError:
        return False
    return True


def dice_problem(name: str, text: str) -> str | None:
    """Why the engine can't compute a weapon with this number; None where it can."""
    try:
        dice = parse_dice(text)
    except ValueError as error:
        return f"{name}: {error}"
    if dice.rolled * dice.sides + dice.plus > MAX_ATTACKS:
        return f"{name} is {text}, more than {MAX_ATTACKS} can't be computed"
    return None
