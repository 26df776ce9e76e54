"""Rows of the abilities and keywords tables, and the damaged bracket beside a datasheet.

Belongs here: what a datasheet has by name. Doesn't: what an ability does, the texts of core abilities (``rules``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pipelines.identity import fold
from pipelines.records import DamagedBracket, Keyword, UnitAbility
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import body, plain
from pipelines.sources.csv_export.tables import Row
from pipelines.sources.stat_lines import read_damaged

# Of the types printed, those that are no ability of the datasheet itself; the rest name a place on the page.
_Kind = Literal["core", "faction", "datasheet", "wargear"]
_KINDS: Mapping[str, _Kind] = {
    "core": "core",
    "faction": "faction",
    "wargear": "wargear",
    "wargear profile": "wargear",
}
_SCOPE = re.compile(r"\s+(?:models?|only|models? only)$", re.IGNORECASE)
_EVERYONE = frozenset({"all", "all models", "every model"})


def read_abilities(rows: Iterable[Row], names: Mapping[str, str], ledger: Ledger) -> tuple[UnitAbility, ...]:
    """The abilities of one datasheet. ``names``: those of shared abilities by id."""
    abilities: list[UnitAbility] = []
    for row in rows:
        name = names.get(row["ability_id"]) or plain(row["name"])
        if not name:
            ledger.drop("without_rule" if row["ability_id"] else "row_empty", row.line, row["ability_id"])
            continue
        kind: _Kind = _KINDS.get(row["type"].casefold(), "datasheet")
        parameter = plain(row["parameter"]) or None
        model = _model_name(row["model"])
        if model is not None:
            parameter = f"{parameter or ''} ({model} only)".strip()
        abilities.append(UnitAbility(kind, name, parameter, body(row["description"]) or None, row.line))
    return tuple(abilities)


def damaged_ability(row: Row) -> tuple[UnitAbility, ...]:
    """The bracket of a damaged model as the ability that pages print; ``parameter``: the wounds left."""
    wounds = plain(row["damaged_w"])
    if not wounds:
        return ()
    name = f"Damaged: {wounds} wounds remaining"
    return (UnitAbility("datasheet", name, wounds, body(row["damaged_description"]) or None, row.line),)


def read_bracket(row: Row, ledger: Ledger) -> DamagedBracket | None:
    """The bracket of a damaged model by its wounds and what changes then; None where the row has none."""
    wounds = plain(row["damaged_w"])
    if not wounds:
        return None
    try:
        return read_damaged(wounds, body(row["damaged_description"]), row.line)
    except ValueError:
        ledger.note("damaged_unread", row.line, f"{plain(row['name'])}: {wounds}")
        return None


def read_keywords(rows: Iterable[Row], ledger: Ledger) -> tuple[Keyword, ...]:
    """The keywords of one datasheet, in capitals and each once."""
    keywords: dict[tuple[str, bool, str | None], Keyword] = {}
    for row in rows:
        name = plain(row["keyword"]).upper()
        if not name:
            ledger.drop("row_empty", row.line)
            continue
        is_faction = row["is_faction_keyword"].casefold() in ("true", "1", "yes", "y", "wahr")
        model = _model_name(row["model"])
        if (name, is_faction, model) in keywords:
            ledger.drop("exact_duplicate", row.line)
        else:
            keywords[name, is_faction, model] = Keyword(name, is_faction, model, row.line)
    return tuple(keywords.values())


def _model_name(cell: str) -> str | None:
    """Whose keyword it is; None for every model's."""
    name = plain(cell)
    if not name or fold(name) in _EVERYONE:
        return None
    return _SCOPE.sub("", name)
