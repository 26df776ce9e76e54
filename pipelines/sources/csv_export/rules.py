"""Rows of the stratagem, detachment, enhancement and ability tables.

Belongs here: texts of rules by their fields. Doesn't: what a text does (``rulebook``), abilities of one datasheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pipelines.records import DetachmentRule, Enhancement, RuleBlock, Stratagem
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import body, plain
from pipelines.sources.csv_export.tables import Row

_FIELD = re.compile(r"^(WHEN|TRIGGER|TARGET|EFFECT|RESTRICTIONS?)\s*:[ ]?", re.MULTILINE)
_TYPE = re.compile(r"(?P<detachment>.+?)\s+[–—-]\s+(?P<type>.+)")
_TYPE_TAIL = re.compile(r"\s*\bStratagem$")
_CORE = re.compile(r"core(?: stratagem)?", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,2}")
_ELIGIBILITY = re.compile(r"(?P<who>[^.]{0,200}?\bonly\.)\s+(?P<rule>.+)", re.DOTALL)
_POINTS = re.compile(r"\+?\s*(\d{1,4})")


def read_stratagems(
    rows: Iterable[Row], factions: Mapping[str, str], ledger: Ledger
) -> tuple[tuple[Stratagem, ...], dict[str, int], tuple[RuleBlock, ...]]:
    """Stratagems, their positions by the export's id, and the rules that stand among them without type or price."""
    stratagems: list[Stratagem] = []
    positions: dict[str, int] = {}
    rules: list[RuleBlock] = []
    for row, name in _named(rows, ledger):
        cost = _NUMBER.fullmatch(row["cp_cost"])
        if cost is None and not row["cp_cost"] and not row["type"]:
            ledger.note("stratagem_as_rule", row.line, name)
            rules.append(RuleBlock(name, "faction_rule", _whole_text(row), row.line, row.line))
        elif cost is None:
            ledger.drop("row_unreadable", row.line, f"{name}: {row['cp_cost']} CP")
        else:
            positions[row["id"]] = len(stratagems)
            stratagems.append(_stratagem(row, name, int(cost[0]), factions, ledger))
    return tuple(stratagems), positions, tuple(rules)


def _named(rows: Iterable[Row], ledger: Ledger) -> Iterator[tuple[Row, str]]:
    """Rows with their names; rows without one are counted as empty."""
    for row in rows:
        if name := plain(row["name"]):
            yield row, name
        else:
            ledger.drop("row_empty", row.line)


def _whole_text(row: Row) -> str:
    return "\n".join(part for part in (body(row["legend"]), body(row["description"])) if part)


def _stratagem(row: Row, name: str, cp_cost: int, factions: Mapping[str, str], ledger: Ledger) -> Stratagem:
    printed = plain(row["type"])
    match = _TYPE.fullmatch(printed)
    owner, kind = (match["detachment"], match["type"]) if match else (None, printed)
    is_core = owner is not None and _CORE.fullmatch(owner) is not None
    detachment = plain(row["detachment"]) or ("Core" if is_core else owner)
    parts = _FIELD.split(body(row["description"]))
    fields: dict[str, str] = {}
    for field, text in zip(parts[1::2], parts[2::2], strict=True):
        fields.setdefault(field.removesuffix("S"), text.strip())
    when = fields.get("WHEN") or fields.get("TRIGGER")
    if not (when and fields.get("TARGET") and fields.get("EFFECT")):
        ledger.note("stratagem_field_missing", row.line, name)
    # Without any field the text still says what the stratagem does.
    effect = fields.get("EFFECT") or (None if fields else parts[0].strip())
    return Stratagem(
        name=name,
        cp_cost=cp_cost,
        detachment=detachment,
        type=_TYPE_TAIL.sub("", kind) or kind,
        is_core=is_core,
        when_text=when or None,
        target_text=fields.get("TARGET") or None,
        effect_text=effect or None,
        restrictions_text=fields.get("RESTRICTION") or None,
        flavour=body(row["legend"]) or None,
        line=row.line,
        faction=factions.get(row["faction_id"]),
    )


def read_detachment_rules(
    rows: Iterable[Row], factions: Mapping[str, str], ledger: Ledger
) -> tuple[DetachmentRule, ...]:
    """The rules of detachments."""
    found = []
    for row, name in _named(rows, ledger):
        detachment, text = plain(row["detachment"]) or None, body(row["description"]) or None
        faction = factions.get(row["faction_id"])
        found.append(DetachmentRule(name, detachment, text, line=row.line, faction=faction))
    return tuple(found)


def read_enhancements(rows: Iterable[Row], factions: Mapping[str, str], ledger: Ledger) -> tuple[Enhancement, ...]:
    """Enhancements with who may have them and what they do; a price of 0 (Boarding Actions) is none."""
    found = []
    for row, name in _named(rows, ledger):
        points = _POINTS.fullmatch(row["cost"])
        if points is not None and int(points[1]) == 0:
            ledger.note("enhancement_without_points", row.line)
        text = body(row["description"])
        match = _ELIGIBILITY.fullmatch(text)
        found.append(
            Enhancement(
                name=name,
                points=(int(points[1]) or None) if points else None,
                detachment=plain(row["detachment"]) or None,
                eligibility_text=match["who"] if match else None,
                description=(match["rule"] if match else text) or None,
                flavour=body(row["legend"]) or None,
                text_match="certain" if text else "missing",
                line=row.line,
                faction=factions.get(row["faction_id"]),
            )
        )
    return tuple(found)


def read_shared_abilities(rows: Iterable[Row], ledger: Ledger) -> tuple[RuleBlock, ...]:
    """The texts of core abilities (of no faction) and of factions' rules, one block for each row."""
    found = []
    for row, name in _named(rows, ledger):
        kind = "faction_rule" if row["faction_id"] else "core_ability"
        found.append(RuleBlock(name, kind, _whole_text(row), row.line, row.line))  # type: ignore[arg-type]
    return tuple(found)
