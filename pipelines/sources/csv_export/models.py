"""Rows of the models table as stat lines.

Belongs here: characteristics, conditional invulnerable saves, Feel No Pain. Doesn't: how many models there are
(``compositions``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipelines.identity import singular
from pipelines.records import ModelProfile, UnitAbility
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.csv_export.tables import Row

_NUMBER = re.compile(r"([0-9]{1,3})\s*\+?\s*[\"”″]?\s*(\*)?")
_NOTHING = frozenset({"", "-", "–", "—", "N/A"})
_AGAINST = re.compile(r"against (?P<kind>ranged|melee) attacks")
_THRESHOLD = re.compile(r"([2-6])\+")
_ONLY = re.compile(r"\W*(?P<model>.+?)(?: models?)? only\W*")
_FEEL_NO_PAIN = re.compile(r"([2-6])\s*\+?\s*(?P<condition>.*)")
_MORTAL = re.compile(r"\W*(?:against )?(?:mortal wounds?|devastating wounds)(?: only)?\W*", re.IGNORECASE)

_LONGEST_CONDITION = 300  # patterns with several gaps would crawl over a hostile cell


def read_models(rows: Iterable[Row], unit_name: str, ledger: Ledger) -> tuple[ModelProfile, ...]:
    """The stat lines of one datasheet in printed order; a nameless one is the unit's."""
    return tuple(_model(row, plain(row["name"]) or unit_name, ledger) for row in rows)


def _model(row: Row, name: str, ledger: Ledger) -> ModelProfile:
    invulnerable, scope = _invulnerable(row, name, ledger)
    return ModelProfile(
        model_name=name,
        movement=_number(row, "m", ledger),
        toughness=_number(row, "t", ledger, least=1),
        save=_number(row, "sv", ledger, least=1),
        invulnerable_save=invulnerable,
        invulnerable_save_scope=scope,
        wounds=_number(row, "w", ledger, least=1),
        leadership=_number(row, "ld", ledger),
        objective_control=_number(row, "oc", ledger),
    )


def _number(row: Row, column: str, ledger: Ledger, least: int = 0) -> int | None:
    """``6"``, ``20+"``, ``3+``, ``5*`` as their number; nothing and what is no number as None."""
    cell = row[column].upper()
    if cell in _NOTHING:
        return None
    match = _NUMBER.fullmatch(cell)
    value = int(match[1]) if match else -1
    if match is None or value < least:
        ledger.note("characteristic_unread", row.line, f"{column.upper()} {row[column]}")
        return None
    if match[2]:
        ledger.note("characteristic_starred", row.line, f"{column.upper()} {row[column]}")
    return value


def _invulnerable(row: Row, name: str, ledger: Ledger) -> tuple[int | None, str | None]:
    """The invulnerable save with its scope; a condition that can't be kept in the stat line is noted."""
    value = _number_of(row["inv_sv"])
    condition = plain(row["inv_sv_descr"])[:_LONGEST_CONDITION]
    if value is None or not 2 <= value <= 6:
        if row["inv_sv"].upper() not in _NOTHING and value != 7:
            ledger.note("characteristic_unread", row.line, f"inv_sv {row['inv_sv']}")
        return None, None
    if not condition.strip(" *"):
        if "*" in row["inv_sv"]:
            ledger.note("invulnerable_condition_unread", row.line, f"{name}: {row['inv_sv']} without its condition")
        return value, None
    against = _AGAINST.search(condition.casefold())
    printed = {int(number) for number in _THRESHOLD.findall(condition)}
    if against is not None and printed <= {value}:
        return value, against["kind"]
    only = _ONLY.fullmatch(condition)
    if only is not None and against is None:
        # A line of the named model's own is its save already; one line for all models must not give it to all.
        if singular(only["model"]) in singular(name):
            return value, None
        ledger.note("invulnerable_condition_kept_out", row.line, f"{name}: {value}+ for {only['model']} only")
        return None, None
    ledger.note("invulnerable_condition_unread", row.line, f"{name}: {condition}")
    return value, None


def _number_of(cell: str) -> int | None:
    match = _NUMBER.fullmatch(cell)
    return int(match[1]) if match else None


def with_feel_no_pain(
    models: tuple[ModelProfile, ...], abilities: Iterable[UnitAbility], ledger: Ledger
) -> tuple[ModelProfile, ...]:
    """The stat lines with the Feel No Pain that the datasheet's core abilities print, in its scope."""
    for ability in abilities:
        if ability.kind != "core" or singular(ability.name) != "feel no pain":
            continue
        match = _FEEL_NO_PAIN.fullmatch((ability.parameter or "")[:_LONGEST_CONDITION])
        condition = match["condition"].strip(" ()*") if match else ""
        only = _ONLY.fullmatch(condition)
        if match is None:
            ledger.note("feel_no_pain_unread", ability.line or 0, f"{ability.name} {ability.parameter or ''}")
        elif not condition:
            models = tuple(_better(model, int(match[1]), None) for model in models)
        elif _MORTAL.fullmatch(condition):
            models = tuple(_better(model, int(match[1]), "mortal") for model in models)
        elif only is not None and any(_is_model(only["model"], model) for model in models):
            models = tuple(
                _better(model, int(match[1]), None) if _is_model(only["model"], model) else model for model in models
            )
        else:
            ledger.note("feel_no_pain_unread", ability.line or 0, f"{ability.name} {ability.parameter or ''}")
    return models


def _is_model(wanted: str, model: ModelProfile) -> bool:
    return singular(wanted) == singular(model.model_name)


def _better(model: ModelProfile, value: int, scope: str | None) -> ModelProfile:
    """One value has a place: the one against everything rather than against mortal wounds, then the better one."""
    known = model.feel_no_pain
    if known is not None and (scope, value) != (None, min(value, known)) and model.feel_no_pain_scope is None:
        return model
    if known is not None and scope is not None and model.feel_no_pain_scope is not None and known <= value:
        return model
    return replace(model, feel_no_pain=value, feel_no_pain_scope=scope)
