"""Rows of the models table as stat lines.

Belongs here: characteristics, and which stat line a save is given to. Doesn't: what a save's condition says
(``stat_lines``), how many models there are (``compositions``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pipelines.identity import singular
from pipelines.records import ModelProfile, UnitAbility
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.csv_export.tables import Row
from pipelines.sources.stat_lines import read_base_size, read_invulnerable_save, with_feel_no_pain, with_save

_NUMBER = re.compile(r"([0-9]{1,3})\s*\+?\s*[\"”″]?\s*(\*)?")
_NOTHING = frozenset({"", "-", "–", "—", "N/A"})


def read_models(rows: Iterable[Row], unit_name: str, ledger: Ledger) -> tuple[ModelProfile, ...]:
    """The stat lines of one datasheet in printed order; a nameless one is the unit's."""
    return tuple(_with_own_save(row, _model(row, plain(row["name"]) or unit_name, ledger), ledger) for row in rows)


def _model(row: Row, name: str, ledger: Ledger) -> ModelProfile:
    return ModelProfile(
        model_name=name,
        movement=_number(row, "m", ledger),
        toughness=_number(row, "t", ledger, least=1),
        save=_number(row, "sv", ledger, least=1),
        wounds=_number(row, "w", ledger, least=1),
        leadership=_number(row, "ld", ledger),
        objective_control=_number(row, "oc", ledger),
        base_size=read_base_size(plain(row["base_size"]), plain(row["base_size_descr"])),
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


def _with_own_save(row: Row, model: ModelProfile, ledger: Ledger) -> ModelProfile:
    """The stat line with its save; one line for all models must not give one model's save to all."""
    try:
        save = read_invulnerable_save(row["inv_sv"], plain(row["inv_sv_descr"]))
    except ValueError:
        ledger.note("characteristic_unread", row.line, f"inv_sv {row['inv_sv']}")
        return model
    name = singular(model.model_name)
    if save is None or (save.excluding is not None and singular(save.excluding) == name):
        return model
    if save.only is not None and singular(save.only) not in name:
        said = f"{model.model_name}: {save.value}+ for {save.only} only"
        ledger.note("invulnerable_condition_kept_out", row.line, said)
        return model
    if save.unread is not None or save.excluding is not None:
        said = save.unread or (f"excluding {save.excluding}" if save.excluding else "the condition is missing")
        ledger.note("invulnerable_condition_unread", row.line, f"{model.model_name}: {row['inv_sv']}, {said}")
    return with_save(model, save)


def with_core_abilities(
    models: Sequence[ModelProfile], abilities: Iterable[UnitAbility], ledger: Ledger
) -> tuple[ModelProfile, ...]:
    """The stat lines with the Feel No Pain that the datasheet's core abilities print."""
    given, unread = with_feel_no_pain(models, abilities)
    for ability in unread:
        ledger.note("feel_no_pain_unread", ability.line or 0, f"{ability.name} {ability.parameter or ''}")
    return given
