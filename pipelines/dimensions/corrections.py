"""Declared corrections to what sources say.

Belongs here: reading an entry and refusing a wrong one, applying it, reporting one that no longer applies. Doesn't: the
entries (``warehouse/corrections.toml`` has them and explains their form), choosing between sources (precedence does).
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pipelines.dimensions.fitting import DICE_FIELDS, EDITIONS, dice_problem, limit_problem
from pipelines.dimensions.frames import Row
from pipelines.identity import fold, stable_id
from pipelines.records import (
    Composition,
    Cost,
    DamagedBracket,
    Datasheet,
    Document,
    Issue,
    Keyword,
    ModelProfile,
    SourceKind,
    UnitAbility,
    WargearOption,
    WeaponAbility,
    WeaponProfile,
)

# Kind of record: its class, the field of the datasheet that holds it, the table that limits its values.
_RECORDS: Mapping[str, tuple[type, str | None, str]] = {
    "datasheet": (Datasheet, None, "units"),
    "stat_line": (ModelProfile, "models", "unit_models"),
    "weapon": (WeaponProfile, "weapons", "weapon_profiles"),
    "weapon_ability": (WeaponAbility, "weapons", "weapon_abilities"),
    "cost": (Cost, "costs", "unit_costs"),
    "composition": (Composition, "composition", "unit_composition"),
    "keyword": (Keyword, "keywords", "unit_keywords"),
    "ability": (UnitAbility, "abilities", "unit_abilities"),
    "wargear_option": (WargearOption, "wargear_options", "wargear_options"),
    "damaged_bracket": (DamagedBracket, "damaged", "unit_damaged_brackets"),
}
_NOT_CORRECTED = frozenset({"line", "source_key"})  # where a fact stands in its source, not what it says
_REQUIRED = ("document", "unit", "record", "field", "reason", "reference")
_OPTIONAL = ("faction", "collection", "source_key", "where", "from", "from_nothing", "to", "to_nothing")
_SELECTORS = ("source_kind", "path", "title", "edition")
_WHOLE_GAME = ("csv_export", "community_dataset")  # kinds of sources from which no unit should be missing


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry. ``document``, ``unit`` and ``where``: what has to be equal (names folded; a path may hold ``*``)."""

    number: int
    document: Mapping[str, str]
    unit: Mapping[str, str]
    record: str
    where: Mapping[str, Any]
    field: str
    before: Any
    after: Any
    reason: str
    reference: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """Documents as corrected, and the rows of ``corrections``: one for each entry and document it is about."""

    documents: list[Document]
    rows: list[Row]


def read_corrections(entries: Sequence[Mapping[str, Any]]) -> tuple[Correction, ...]:
    """Entries of the file in order. Raises ValueError, one line that names the entry, for one that is wrong."""
    found = []
    if not isinstance(entries, (list, tuple)) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ValueError("corrections.toml: each entry stands under its own [[corrections]]")
    for number, entry in enumerate(entries, 1):
        try:
            found.append(_read(number, entry))
        except ValueError as error:
            raise ValueError(f"corrections.toml, entry {number} ({entry.get('unit', 'no unit')}): {error}") from None
    return tuple(found)


def _read(number: int, entry: Mapping[str, Any]) -> Correction:
    if unknown := [name for name in entry if name not in _REQUIRED + _OPTIONAL]:
        raise ValueError(f"{unknown[0]!r} is nothing that a correction has")
    for name in _REQUIRED:
        if name != "document" and not (isinstance(entry.get(name), str) and entry[name].strip()):
            raise ValueError(f"{name} is missing")
    record, field = entry["record"], entry["field"]
    if record not in _RECORDS:
        raise ValueError(f"{record!r} is no kind of record; there are {', '.join(_RECORDS)}")
    fields = _fields(_RECORDS[record][0])
    if field not in fields:
        raise ValueError(f"{field!r} is no field of a {record} that can be corrected")
    before, after = _value(entry, "from", fields[field]), _value(entry, "to", fields[field])
    if before == after:
        raise ValueError("from and to are the same")
    if problem := limit_problem(_RECORDS[record][2], field, after) or _no_value(record, field, after):
        raise ValueError(f"to: {problem}")
    return Correction(
        number=number,
        document=_document(entry.get("document")),
        unit=_unit(entry),
        record=record,
        where=_where(entry.get("where", {}), record),
        field=field,
        before=before,
        after=after,
        reason=entry["reason"],
        reference=entry["reference"],
    )


def _no_value(record: str, field: str, value: Any) -> str | None:
    """What is wrong with a value that no record could hold, whatever its type."""
    if isinstance(value, str) and not value.strip():
        return f"{field} is empty"
    if record == "datasheet" and field == "edition" and value not in EDITIONS:
        return f"edition is {value!r}"
    return dice_problem(field, value) if record == "weapon" and field in DICE_FIELDS else None


def _unit(entry: Mapping[str, Any]) -> Mapping[str, str]:
    selectors = {name: entry[name] for name in ("unit", "faction", "collection", "source_key") if name in entry}
    if strange := next((name for name, value in selectors.items() if not isinstance(value, str)), None):
        raise ValueError(f"{strange} can't be {selectors[strange]!r}")
    return selectors


def _document(selectors: Any) -> Mapping[str, str]:
    if not isinstance(selectors, dict) or selectors.get("source_kind") not in get_args(SourceKind):
        raise ValueError(f"document needs a source_kind, one of {', '.join(get_args(SourceKind))}")
    if unknown := [name for name in selectors if name not in _SELECTORS or not isinstance(selectors[name], str)]:
        raise ValueError(f"document: {unknown[0]!r} is none of the texts {', '.join(_SELECTORS)}")
    return selectors


def _where(conditions: Any, record: str) -> Mapping[str, Any]:
    known = _fields(_RECORDS[record][0]) | (_fields(WeaponProfile) if record == "weapon_ability" else {})
    if not isinstance(conditions, dict):
        raise ValueError(f"where is a table of fields and values, not {conditions!r}")
    if unknown := [name for name in conditions if name not in known]:
        raise ValueError(f"where: {unknown[0]!r} is no field of a {record}")
    found = {name: tuple(value) if isinstance(value, list) else value for name, value in conditions.items()}
    for name, value in found.items():
        if not _is_of(value, known[name]):
            raise ValueError(f"where: {name} can't be {value!r}")
    return found


def _fields(record: type) -> dict[str, Any]:
    """Fields with plain values, by name, with their types."""
    hints = get_type_hints(record)
    return {name: hint for name, hint in hints.items() if name not in _NOT_CORRECTED and _is_plain(hint)}


def _is_plain(hint: Any) -> bool:
    if get_origin(hint) in (Union, types.UnionType):
        return all(map(_is_plain, get_args(hint)))
    return hint in (int, str, bool, type(None), tuple[str, ...]) or get_origin(hint) is Literal


def _is_of(value: Any, hint: Any) -> bool:
    if get_origin(hint) in (Union, types.UnionType):
        return any(_is_of(value, each) for each in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    return type(value) is hint


def _value(entry: Mapping[str, Any], name: str, hint: Any) -> Any:
    """The value of ``from`` or ``to``; ``from_nothing = true`` stands for a value that isn't there."""
    is_nothing = entry.get(f"{name}_nothing", False)
    if is_nothing not in (True, False) or (name in entry) is bool(is_nothing):
        raise ValueError(f"either {name} or {name}_nothing = true is needed")
    value = None if is_nothing else entry[name]
    value = tuple(value) if isinstance(value, list) else value
    if not _is_of(value, hint):
        raise ValueError(f"{name}: {entry['field']} can't be {'nothing' if is_nothing else repr(value)}")
    return value


def corrected(documents: Sequence[Document], corrections: Iterable[Correction]) -> Corrected:
    """Apply each correction to each document it is about; one that changes nothing there is an issue of it."""
    result, rows = list(documents), []
    for correction in corrections:
        for position, document in enumerate(result):
            if not _is_about(correction, document):
                continue
            changed, outcome = _applied(document, correction)
            if outcome is None:
                continue
            if outcome:
                said = f"{_label(correction)}: {outcome}"
                issue = Issue("warning", "correction_outdated", said, excerpt=correction.reference)
                changed = replace(document, issues=(*document.issues, issue))
            result[position] = changed
            rows.append(_row(correction, document, outcome))
    return Corrected(result, rows)


def _is_about(correction: Correction, document: Document) -> bool:
    """Whether a document is among those that the correction names and holds datasheets."""
    wanted = correction.document
    return (
        bool(document.datasheets)
        and document.source_kind == wanted["source_kind"]
        and fnmatchcase(document.path, wanted.get("path", "*"))
        and ("title" not in wanted or fold(document.title or "") == fold(wanted["title"]))
        and ("edition" not in wanted or document.edition == wanted["edition"])
    )


def _applied(document: Document, correction: Correction) -> tuple[Document, str | None]:
    """The document and how it went: "" applied, a text that says why not, None where the document isn't meant."""
    sheets = [(at, sheet) for at, sheet in enumerate(document.datasheets) if _is_unit(correction, sheet)]
    if not sheets:
        is_meant = document.source_kind in _WHOLE_GAME or len(correction.document) > 1
        return document, "the unit is gone" if is_meant else None
    datasheets, seen = list(document.datasheets), []
    for at, sheet in sheets:
        datasheets[at], values = _of_datasheet(sheet, correction)
        seen += values
    if tuple(datasheets) != document.datasheets:
        return replace(document, datasheets=tuple(datasheets)), ""
    if not seen:
        return document, f"no such {correction.record.replace('_', ' ')}"
    shown = ", ".join(dict.fromkeys(_text(value) or "nothing" for value in seen))
    return document, f"it is {shown} now, not {_text(correction.before) or 'nothing'}"


def _is_unit(correction: Correction, sheet: Datasheet) -> bool:
    own = {"unit": sheet.name, "faction": sheet.faction, "collection": sheet.collection, "source_key": sheet.source_key}
    return all(fold(own[name] or "") == fold(value) for name, value in correction.unit.items())


def _of_datasheet(sheet: Datasheet, correction: Correction) -> tuple[Datasheet, list[Any]]:
    """The datasheet with its matching records corrected, and the values that these had."""
    seen: list[Any] = []
    attribute = _RECORDS[correction.record][1]
    if attribute is None:
        return _of_record(sheet, correction, seen), seen
    held = getattr(sheet, attribute)
    if attribute == "damaged":
        return replace(sheet, damaged=held and _of_record(held, correction, seen)), seen
    if correction.record == "weapon_ability":
        parts = tuple(_of_weapon(weapon, correction, seen) for weapon in held)
    else:
        parts = tuple(_of_record(record, correction, seen) for record in held)
    changes: dict[str, Any] = {attribute: parts}
    return replace(sheet, **changes), seen


def _of_weapon(weapon: WeaponProfile, correction: Correction, seen: list[Any]) -> WeaponProfile:
    own = {name: value for name, value in correction.where.items() if name in _fields(WeaponProfile)}
    if not _matches(weapon, own):
        return weapon
    inner = replace(correction, where={name: value for name, value in correction.where.items() if name not in own})
    return replace(weapon, abilities=tuple(_of_record(ability, inner, seen) for ability in weapon.abilities))


def _of_record(record: Any, correction: Correction, seen: list[Any]) -> Any:
    if not _matches(record, correction.where):
        return record
    value = getattr(record, correction.field)
    seen.append(value)
    return replace(record, **{correction.field: correction.after}) if value == correction.before else record


def _matches(record: Any, where: Mapping[str, Any]) -> bool:
    found = ((getattr(record, name), wanted) for name, wanted in where.items())
    return all(
        fold(value) == fold(wanted) if isinstance(value, str) and isinstance(wanted, str) else value == wanted
        for value, wanted in found
    )


def _row(correction: Correction, document: Document, outcome: str | None) -> Row:
    return {
        "correction_id": stable_id("correction", document.document_id, correction.number),
        "document_id": document.document_id,
        "path": document.path,
        "source_kind": document.source_kind,
        "unit": correction.unit["unit"],
        "faction": correction.unit.get("faction"),
        "record": correction.record,
        "selector": ", ".join(f"{name} = {_text(value)}" for name, value in correction.where.items()) or None,
        "field": correction.field,
        "from_value": _text(correction.before),
        "to_value": _text(correction.after),
        "reason": correction.reason,
        "reference": correction.reference,
        "applied": not outcome,
        "outcome": outcome or "applied",
    }


def _label(correction: Correction) -> str:
    unit = correction.unit
    faction = f" ({unit['faction']})" if "faction" in unit else ""
    which = "".join(f" {_text(value)}" for value in correction.where.values())
    return f"{unit['unit']}{faction}, {correction.record.replace('_', ' ')}{which}, {correction.field}"


def _text(value: Any) -> str | None:
    """A value as the warehouse shows it; None for nothing."""
    return None if value is None else ", ".join(value) if isinstance(value, tuple) else str(value)
