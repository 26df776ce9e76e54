"""Datasheets of all sources as unit rows: ids, canonical units, precedence, stat lines joined where a source has none.

Belongs here: one row per datasheet and its children. Doesn't: prices of a size, targets, loadouts (``targets``,
``loadouts``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipelines.dimensions.factions import display_name, faction_id, is_declared, most_specific
from pipelines.dimensions.frames import Row
from pipelines.identity import fold, singular, stable_id
from pipelines.records import (
    Composition,
    Datasheet,
    Document,
    Issue,
    ModelProfile,
    UnitAbility,
    WeaponProfile,
)  # fmt: skip
from warehouse.declared import source_precedence


@dataclass(frozen=True, slots=True)
class Unit:
    """A datasheet with its ids and what was joined to it from another source."""

    unit_id: str
    canonical_unit_id: str
    faction_id: str | None
    document: Document
    datasheet: Datasheet
    models: tuple[ModelProfile, ...]
    composition: tuple[Composition, ...]
    stat_source: str | None
    default_weapons_source: str | None
    weapons: Mapping[str, WeaponProfile]
    stand_in: Datasheet | None = None
    is_preferred: bool = False

    @property
    def edition(self) -> str:
        """Edition of the datasheet."""
        return self.datasheet.edition

    @property
    def keywords(self) -> tuple[str, ...]:
        """Keywords of the whole unit, faction keywords included, in capitals and without repeats."""
        names = (keyword.keyword for keyword in self.datasheet.keywords if keyword.model_name is None)
        return tuple(dict.fromkeys(names))

    @property
    def has_stealth(self) -> bool:
        """Whether the datasheet lists the Stealth ability."""
        return any(fold(ability.name) == "stealth" for ability in self.datasheet.abilities)


_Described = tuple[Document, Datasheet]
_Reference = Mapping[tuple[str, str], Sequence[_Described]]


@dataclass(slots=True)
class Conformed:
    """Units of current documents, and all documents with their final status."""

    units: list[Unit] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)


def conform(documents: Sequence[Document]) -> Conformed:
    """Give every datasheet its ids, retire superseded documents, join stat lines, and mark preferred rows."""
    current, documents = _without_superseded(documents)
    reference = _reference_index(current)
    units = [_unit(document, datasheet, reference) for document, datasheet in current]
    return Conformed(units=_mark_preferred(units), documents=list(documents))


def unit_key(document: Document, datasheet: Datasheet) -> str:
    """Id of a datasheet: source kind, edition, collection, faction and the source's own id or the folded name."""
    return stable_id(
        "unit",
        document.source_kind,
        datasheet.edition,
        _collection_key(datasheet),
        _faction_key(datasheet),
        datasheet.source_key or fold(datasheet.name),
    )


def _faction_name(datasheet: Datasheet) -> str | None:
    printed = [keyword.keyword for keyword in datasheet.keywords if keyword.is_faction_keyword]
    if is_declared(datasheet.faction):
        printed = [str(datasheet.faction), *printed]
    return most_specific(printed) or datasheet.faction


def _faction_key(datasheet: Datasheet) -> str | None:
    name = _faction_name(datasheet)
    return faction_id(name) if name else None


def _collection_key(datasheet: Datasheet) -> str | None:
    """None for a faction's own book, whatever it is called there; else the folded collection."""
    if datasheet.collection is None or is_declared(datasheet.collection):
        return None
    return fold(datasheet.collection)


def _without_superseded(
    documents: Sequence[Document],
) -> tuple[list[_Described], Sequence[Document]]:
    """Of documents of one kind that describe the same datasheet the newest stays: by its date, else the later path.

    A document with many datasheets is superseded when each of them is; until then it gives those only it has.
    """
    newest: dict[str, _Described] = {}
    losers: dict[str, Document] = {}
    for document in sorted(documents, key=lambda each: (each.dated or "", each.path)):
        for datasheet in document.datasheets:
            key = unit_key(document, datasheet)
            if key in newest and newest[key][0].document_id != document.document_id:
                losers[newest[key][0].document_id] = document
            newest[key] = (document, datasheet)
    still_needed = {document.document_id for document, _ in newest.values()}
    final = [
        _superseded(document, losers[document.document_id])
        if document.document_id in losers.keys() - still_needed
        else document
        for document in documents
    ]
    return list(newest.values()), final


def _superseded(document: Document, by: Document) -> Document:
    issue = Issue(
        "info",
        "superseded",
        f"{by.path} describes the same datasheet and is newer ({_why_newer(document, by)})",
        excerpt=document.title,
    )
    return replace(document, status="superseded", issues=(*document.issues, issue))


def _why_newer(document: Document, by: Document) -> str:
    return f"dated {by.dated}" if by.dated != document.dated else "its path comes later"


def _reference_index(current: Iterable[_Described]) -> _Reference:
    """Current datasheets with stat lines of faction books by (faction id of any faction keyword, folded name)."""
    index: dict[tuple[str, str], list[_Described]] = defaultdict(list)
    for document, datasheet in current:
        if datasheet.models and _collection_key(datasheet) is None:
            for faction in _faction_ids(datasheet):
                index[faction, fold(datasheet.name)].append((document, datasheet))
    return index


def _stand_in(datasheet: Datasheet, reference: _Reference) -> _Described | None:
    """Who describes the unit with a stat line: of its own edition first, then by declared precedence, then by date."""
    rank = {kind: position for position, kind in enumerate(source_precedence())}
    for faction in _faction_ids(datasheet):
        if found := reference.get((faction, fold(datasheet.name))):
            return max(
                found,
                key=lambda each: (
                    each[1].edition == datasheet.edition, -rank[each[0].source_kind], each[0].dated or "",
                ),
            )  # fmt: skip
    return None


def _faction_ids(datasheet: Datasheet) -> list[str]:
    names = [keyword.keyword for keyword in datasheet.keywords if keyword.is_faction_keyword]
    own = _faction_name(datasheet)
    return list(dict.fromkeys(faction_id(name) for name in ([own] if own else []) + names))


def _unit(document: Document, datasheet: Datasheet, reference: _Reference) -> Unit:
    unit_id = unit_key(document, datasheet)
    models, stand_in = datasheet.models, None
    stat_source: str | None = document.source_kind if models else None
    if not models and (stand_in := _stand_in(datasheet, reference)):
        models = _with_printed_feel_no_pain(datasheet, stand_in[1].models)
        stat_source = f"{_source_label(stand_in)} by faction keyword and name"
    composition, weapons_source = _composition(document, datasheet, stand_in)
    own_faction = _faction_key(datasheet)
    return Unit(
        unit_id=unit_id,
        canonical_unit_id=stable_id("canonical_unit", _collection_key(datasheet), own_faction, fold(datasheet.name)),
        faction_id=own_faction,
        document=document,
        datasheet=datasheet,
        models=models,
        composition=composition,
        stat_source=stat_source,
        default_weapons_source=weapons_source,
        weapons=_weapon_ids(unit_id, datasheet.weapons),
        stand_in=stand_in[1] if stand_in else None,
    )


def _source_label(described: _Described) -> str:
    return f"{described[0].source_kind} ({described[1].edition})"


def _with_printed_feel_no_pain(datasheet: Datasheet, models: tuple[ModelProfile, ...]) -> tuple[ModelProfile, ...]:
    """Stat lines joined from elsewhere take Feel No Pain from the datasheet's own list of abilities."""
    printed = [
        int(ability.parameter.strip().rstrip("+"))
        for ability in datasheet.abilities
        if fold(ability.name) == "feel no pain"
        and ability.parameter
        and ability.parameter.strip().rstrip("+").isdigit()
    ]
    return tuple(replace(model, feel_no_pain=min(printed)) for model in models) if printed else models


def _composition(
    document: Document, datasheet: Datasheet, stand_in: _Described | None
) -> tuple[tuple[Composition, ...], str | None]:
    """The datasheet's composition; default weapons it doesn't print come from the stand-in's, by weapon name."""
    if all(row.default_weapons is not None for row in datasheet.composition):
        return datasheet.composition, document.source_kind if datasheet.composition else None
    if stand_in is None or not datasheet.has_points_by_design:
        return datasheet.composition, None
    own = {fold(weapon.weapon_name): weapon.weapon_name for weapon in datasheet.weapons}
    rows = []
    for row in datasheet.composition:
        weapons = _weapons_of_model(row, datasheet, stand_in[1])
        known = weapons is not None and all(fold(name) in own for name in weapons)
        rows.append(replace(row, default_weapons=tuple(own[fold(name)] for name in weapons or ()) if known else None))
    complete = all(row.default_weapons is not None for row in rows)
    return tuple(rows), f"{_source_label(stand_in)} by model and weapon name" if complete else None


def _weapons_of_model(row: Composition, datasheet: Datasheet, stand_in: Datasheet) -> tuple[str, ...] | None:
    if row.default_weapons is not None:
        return row.default_weapons
    if len(datasheet.composition) == 1 == len(stand_in.composition):
        return stand_in.composition[0].default_weapons
    wanted = singular(row.model_name)
    return next((other.default_weapons for other in stand_in.composition if singular(other.model_name) == wanted), None)


def _weapon_ids(unit_id: str, weapons: Iterable[WeaponProfile]) -> Mapping[str, WeaponProfile]:
    """Profiles by id; a second profile of the same name that differs gets a number, an equal one is dropped."""
    found: dict[str, WeaponProfile] = {}
    copies: dict[tuple[Any, ...], list[WeaponProfile]] = defaultdict(list)
    for weapon in weapons:
        profile = fold(weapon.profile_name) if weapon.profile_name else None
        key = (weapon.attack_type, fold(weapon.weapon_name), profile, weapon.dice_range)
        unplaced = replace(weapon, line=None)
        if unplaced in copies[key]:
            continue
        copies[key].append(unplaced)
        found[stable_id("weapon", unit_id, *key, len(copies[key]))] = weapon
    return found


def _mark_preferred(units: Sequence[Unit]) -> list[Unit]:
    """One preferred row for each canonical unit and edition.

    Declared precedence of source kinds decides; within a kind the newer document, a unit in regular play, the first.
    """
    rank = {kind: position for position, kind in enumerate(source_precedence())}
    best: dict[tuple[str, str], tuple[tuple[int, str, bool], Unit]] = {}
    for unit in units:
        key = (unit.canonical_unit_id, unit.edition)
        merit = (-rank[unit.document.source_kind], unit.document.dated or "", unit.datasheet.availability is None)
        if key not in best or merit > best[key][0]:
            best[key] = (merit, unit)
    preferred = {unit.unit_id for _, unit in best.values()}
    return [replace(unit, is_preferred=unit.unit_id in preferred) for unit in units]


def ability_id(edition: str, ability: UnitAbility) -> str | None:
    """Id of an ability's text, the same for all units that have it; None where only its name is printed."""
    return stable_id("ability", edition, fold(ability.name), ability.text) if (ability.text or "").strip() else None


def unit_rows(units: Sequence[Unit]) -> dict[str, list[Row]]:
    """Rows of units, their children and factions, by table."""
    rows: dict[str, list[Row]] = defaultdict(list)
    factions: dict[str, str] = {}
    for unit in units:
        name = _faction_name(unit.datasheet)
        if name is not None and unit.faction_id is not None:
            factions.setdefault(unit.faction_id, display_name(name))
        rows["units"].append(_unit_row(unit, factions.get(unit.faction_id or "")))
        rows["unit_models"] += _model_rows(unit)
        if unit.datasheet.damaged is not None:
            rows["unit_damaged_brackets"].append(
                {"unit_id": unit.unit_id, **_fields(unit.datasheet.damaged, _BRACKET_FIELDS)}
            )
        costs = [replace(cost, priced_at=cost.priced_at or unit.document.dated) for cost in unit.datasheet.costs]
        rows["unit_costs"] += _numbered(unit, costs, _COST_FIELDS)
        rows["unit_composition"] += _composition_rows(unit)
        rows["unit_keywords"] += _keyword_rows(unit)
        abilities = _numbered(unit, unit.datasheet.abilities, ("kind", "name", "parameter", "text"))
        ids = [ability_id(unit.edition, ability) for ability in unit.datasheet.abilities]
        rows["unit_abilities"] += [{**row, "ability_id": key} for row, key in zip(abilities, ids, strict=True)]
        rows["unit_leads"] += [
            {"unit_id": unit.unit_id, "leads": name} for name in dict.fromkeys(unit.datasheet.leads or ())
        ]
        rows["wargear_options"] += _option_rows(unit)
        rows["weapon_profiles"] += _weapon_rows(unit)
        rows["weapon_abilities"] += _weapon_ability_rows(unit)
    rows["factions"] = [{"faction_id": key, "name": name} for key, name in sorted(factions.items())]
    return rows


_COST_FIELDS = (
    "models", "models_max", "points", "kind", "condition", "item", "copies_from", "copies_to", "priced_at",
)  # fmt: skip
_MODEL_FIELDS = (
    "model_name", "movement", "toughness", "save", "invulnerable_save", "invulnerable_save_scope",
    "improved_invulnerable_save", "improved_invulnerable_save_scope", "wounds", "leadership", "objective_control",
    "feel_no_pain", "feel_no_pain_scope", "base_size",
)  # fmt: skip
_BRACKET_FIELDS = ("wounds_from", "wounds_to", "hit_modifier", "objective_control_modifier", "text")
_WEAPON_FIELDS = (
    "weapon_name", "profile_name", "dice_range", "attack_type", "range_inches", "attacks", "skill", "strength",
    "armour_penetration", "damage", "line",
)  # fmt: skip


def _fields(record: object, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _numbered(unit: Unit, records: Iterable[object], names: Sequence[str]) -> list[Row]:
    return [
        {"unit_id": unit.unit_id, "position": position, **_fields(record, names)}
        for position, record in enumerate(records, start=1)
    ]


def _unit_row(unit: Unit, faction: str | None) -> Row:
    return {
        "unit_id": unit.unit_id,
        "document_id": unit.document.document_id,
        "name": unit.datasheet.name,
        "name_source": unit.datasheet.name_source if unit.datasheet.source_key is None else "dataset",
        "collection": unit.datasheet.collection,
        "faction_id": unit.faction_id,
        "faction": faction,
        "edition": unit.edition,
        "source_kind": unit.document.source_kind,
        "canonical_unit_id": unit.canonical_unit_id,
        "is_preferred": unit.is_preferred,
        "stealth": unit.has_stealth,
        "availability": unit.datasheet.availability,
        "line": unit.datasheet.line,
    }


def _model_rows(unit: Unit) -> list[Row]:
    if not unit.models:
        return [{"unit_id": unit.unit_id, "model_name": unit.datasheet.name}]
    rows = {model.model_name: _fields(model, _MODEL_FIELDS) for model in reversed(unit.models)}
    return [{"unit_id": unit.unit_id, "stat_source": unit.stat_source, **row} for row in reversed(rows.values())]


def _composition_rows(unit: Unit) -> list[Row]:
    rows: dict[str, Row] = {}
    for row in unit.composition:
        rows.setdefault(
            row.model_name,
            {
                "unit_id": unit.unit_id,
                **_fields(row, ("model_name", "min_models", "max_models")),
                "default_weapons": None if row.default_weapons is None else list(row.default_weapons),
                "default_weapons_source": unit.default_weapons_source,
            },
        )
    return list(rows.values())


def _keyword_rows(unit: Unit) -> list[Row]:
    rows = {
        (keyword.model_name, keyword.keyword, keyword.is_faction_keyword): {
            "unit_id": unit.unit_id,
            **_fields(keyword, ("model_name", "keyword", "is_faction_keyword")),
        }
        for keyword in unit.datasheet.keywords
    }
    return list(rows.values())


def _option_rows(unit: Unit) -> list[Row]:
    return [
        {
            "unit_id": unit.unit_id,
            "position": position,
            **_fields(option, ("text", "action", "quantity", "eligibility")),
            "replaces": list(option.replaces) or None,
            "gains": list(option.gains) or None,
        }
        for position, option in enumerate(unit.datasheet.wargear_options, start=1)
    ]


def _weapon_rows(unit: Unit) -> list[Row]:
    return [
        {"weapon_profile_id": key, "unit_id": unit.unit_id, **_fields(weapon, _WEAPON_FIELDS)}
        for key, weapon in unit.weapons.items()
    ]


def _weapon_ability_rows(unit: Unit) -> list[Row]:
    return [
        {
            "weapon_profile_id": key,
            "position": position,
            **_fields(ability, ("ability", "value", "condition", "printed")),
            "against_keyword": list(ability.against_keywords) or None,
        }
        for key, weapon in unit.weapons.items()
        for position, ability in enumerate(weapon.abilities, start=1)
    ]
