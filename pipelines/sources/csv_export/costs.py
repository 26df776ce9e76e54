"""Rows of the cost table as prices.

Belongs here: sizes, second prices, add-ons and the blocks for further copies of a unit. Doesn't: choosing a price.

The 11th edition puts the price of further copies into blocks, each under a row that has a text and no price
(``YOUR 1ST TO 2ND UNITS COST``). A block may stand there twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipelines.identity import singular
from pipelines.records import Cost
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import plain
from pipelines.sources.csv_export.tables import Row

_HEADER = re.compile(
    r"YOUR (?P<first>\d{1,2})(?:ST|ND|RD|TH)?\s*(?:(?:TO|-|–|AND) (?P<last>\d{1,2})(?:ST|ND|RD|TH)?|(?P<more>\+))?"
    r" *(?:UNITS?\W*)?COSTS?\W*",
    re.IGNORECASE,
)
_EVERY_HEADER = re.compile(r"(?:YOUR|EACH|EVERY|ALL) (?:UNITS? )?COSTS?\W*", re.IGNORECASE)
_SIZE = re.compile(r"(?P<least>\d{1,3})(?:\s*[-‑–]\s*(?P<most>\d{1,3}))? models?", re.IGNORECASE)
_CONDITION = re.compile(r"(?P<size>[^()]*?)\s*\((?P<condition>[^()]{1,200})\)")
_MIXED = re.compile(r"(?P<count>\d{1,3}) (?P<name>[^\d\W][^,;:]*)")
_SEVERAL = re.compile(r"\s*,\s*(?:and\s+)?(?=\d)|\s+and\s+(?=\d)|\s*\+\s*(?=\d)", re.IGNORECASE)
_PER = re.compile(r"^(?:per|each|for each|every)\s+", re.IGNORECASE)
_POINTS = re.compile(r"(?P<plus>\+)?\s*(?P<points>\d{1,5})(?:\s*(?:pts|points))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Block:
    """Which copies of the unit the prices below a header are for; ``condition``: a header of an unknown form."""

    first: int | None = None
    last: int | None = None
    condition: str | None = None


def is_tier_header(row: Row) -> bool:
    """Whether the row opens a block of prices for certain copies, which only the 11th edition has."""
    return not row["cost"] and _HEADER.fullmatch(plain(row["description"])) is not None


def read_costs(
    rows: Iterable[Row], ledger: Ledger, *, models: frozenset[str], priced_at: str | None
) -> tuple[Cost, ...]:
    """The prices of one datasheet in printed order, each once. ``models``: its models' names in ``singular`` form."""
    block = _Block()
    costs: dict[Cost, Cost] = {}
    for row in rows:
        description = plain(row["description"])
        if not row["cost"] and description:
            block = _block(description)
            ledger.note("cost_header", row.line, "" if block.condition is None else description)
            continue
        cost = _cost(description, row, block, ledger, models)
        if cost is None:
            continue
        key = replace(cost, line=None)
        if key in costs:
            ledger.drop("cost_repeated", row.line)
        else:
            costs[key] = replace(cost, priced_at=priced_at)
    return tuple(costs.values())


def _block(description: str) -> _Block:
    match = _HEADER.fullmatch(description)
    if match is not None:
        first = int(match["first"])
        return _Block(first, None if match["more"] else int(match["last"] or first))
    if _EVERY_HEADER.fullmatch(description):
        return _Block()
    return _Block(condition=description)


def _cost(description: str, row: Row, block: _Block, ledger: Ledger, models: frozenset[str]) -> Cost | None:
    amount = _POINTS.fullmatch(row["cost"])
    if amount is None or not description:
        ledger.drop("cost_unreadable", row.line, f"{description}: {row['cost']}")
        return None
    if int(amount["points"]) == 0:
        ledger.drop("price_of_zero", row.line, description)
        return None
    conditional = _CONDITION.fullmatch(description)
    condition = conditional["condition"].strip() if conditional else None
    size = _size(conditional["size"] if conditional else description, models)
    points = int(amount["points"])
    if size is None or amount["plus"]:
        item = _PER.sub("", description)
        return Cost(models=1, points=points, kind="add_on", item=item, line=row.line)
    return Cost(
        models=size[0],
        models_max=size[1],
        points=points,
        kind="base" if condition is None and block.condition is None else "alternative",
        condition=condition or block.condition,
        copies_from=block.first,
        copies_to=block.last,
        line=row.line,
    )


def _size(text: str, models: frozenset[str]) -> tuple[int, int | None] | None:
    """Models in ``5 models``, ``5-10 models`` and ``1 Sergeant and 4 Guards``; None for what counts no models.

    ``1 power fist`` is worded like ``1 Sergeant``: only the unit's own models are counted.
    """
    match = _SIZE.fullmatch(text.strip())
    if match is not None:
        return int(match["least"]), int(match["most"]) if match["most"] else None
    parts = [_MIXED.fullmatch(part) for part in _SEVERAL.split(text.strip())]
    counts = [int(part["count"]) for part in parts if part is not None and singular(part["name"]) in models]
    return (sum(counts), None) if counts and len(counts) == len(parts) else None
