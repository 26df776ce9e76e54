"""Rules texts, detachments, stratagems, enhancements and the effects read from them, as rows with ids.

Belongs here: ids and links. Doesn't: what counts as the same text or what a text does (``rulebook``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from pipelines.dimensions.factions import display_name
from pipelines.dimensions.frames import Row
from pipelines.dimensions.units import Unit
from pipelines.identity import fold, stable_id
from pipelines.records import DetachmentRule, Document, Enhancement, Stratagem
from pipelines.rulebook.deduplication import Rule, Rulebook, RuleKey, deduplicate, stratagem_key
from pipelines.rulebook.effects import (
    Modifier,
    detachment_rule_effects,
    enhancement_effects,
    stratagem_effects,
)

_CORE = "core"
_STRATAGEM_FIELDS = (
    "name", "cp_cost", "detachment", "type", "is_core", "when_text", "target_text", "effect_text",
    "restrictions_text",
)  # fmt: skip


def rule_rows(documents: Sequence[Document], units: Sequence[Unit]) -> dict[str, list[Row]]:
    """Rows of rules, occurrences, detachments, stratagems, enhancements and modifiers, from current documents."""
    current = [document for document in documents if document.status in ("parsed", "partial")]
    rulebook = deduplicate(current)
    detachments = _Detachments(units)
    rows: dict[str, list[Row]] = defaultdict(list)
    rows["rules"] = [_rule_row(rule) for rule in _parents_first(rulebook)]
    rows["rule_occurrences"] = [
        {
            "rule_id": _rule_id(occurrence.rule),
            "document_id": occurrence.document_id,
            "start_line": occurrence.start_line,
            "end_line": occurrence.end_line,
        }
        for occurrence in rulebook.occurrences
    ]
    _add_stratagems(rows, current, units, detachments)
    for document in current:
        _add_detachment_rules(rows, document, detachments)
    for document in current:
        _add_enhancements(rows, document, detachments)
    rows["detachments"] = detachments.rows()
    for name in ("detachment_rules", "enhancements", "modifiers"):
        rows[name] = list({next(iter(row.values())): row for row in rows[name]}.values())
    return rows


class _Detachments:
    """The detachments named so far, by edition, faction and name."""

    def __init__(self, units: Iterable[Unit]) -> None:
        self._factions = {unit.document.document_id: unit.datasheet.faction for unit in units}
        self._rows: dict[str, Row] = {}

    def id_of(self, record: Stratagem | DetachmentRule | Enhancement, document: Document) -> str | None:
        """Id of the detachment a record names; None for Core and for none.

        Its faction is the record's own, or that of the one datasheet the document describes.
        """
        name = record.detachment
        if name is None or fold(name) == _CORE:
            return None
        one_sheet = len(document.datasheets) == 1
        faction = record.faction or (self._factions.get(document.document_id) if one_sheet else None)
        shown = display_name(faction) if faction else None
        key = stable_id("detachment", document.edition, fold(shown or ""), fold(name))
        self._rows.setdefault(key, {"detachment_id": key, "name": name, "faction": shown, "edition": document.edition})
        return key

    def rows(self) -> list[Row]:
        """Rows of all detachments named."""
        return list(self._rows.values())


def _rule_id(key: RuleKey) -> str:
    return stable_id("rule", *key)


def _parents_first(rulebook: Rulebook) -> list[Rule]:
    """Rules in an order in which each comes after those it refers to."""
    rules = {rule.key: rule for rule in rulebook.rules}
    placed: dict[RuleKey, None] = {}

    def place(key: RuleKey) -> None:
        for earlier in (rules[key].parent, rules[key].variant_of):
            if earlier is not None and earlier != key and earlier not in placed:
                place(earlier)
        placed[key] = None

    for key in rules:
        if key not in placed:
            place(key)
    return [rules[key] for key in placed]


def _rule_row(rule: Rule) -> Row:
    return {
        "rule_id": _rule_id(rule.key),
        "title": rule.title,
        "kind": rule.kind,
        "body": rule.body,
        "body_sha256": rule.body_sha256,
        "restored_body": rule.restored_body,
        "variant_of": _rule_id(rule.variant_of) if rule.variant_of else None,
        "parent_rule_id": _rule_id(rule.parent) if rule.parent else None,
        "edition": rule.edition,
    }


def _add_stratagems(
    rows: dict[str, list[Row]], current: Sequence[Document], units: Sequence[Unit], detachments: _Detachments
) -> None:
    """One row per distinct stratagem, and the units whose own document lists it."""
    ids: dict[str, list[str]] = {}
    seen: set[str] = set()
    for document in current:
        ids[document.document_id] = [_stratagem_id(stratagem, document) for stratagem in document.stratagems]
        for stratagem, stratagem_id in zip(document.stratagems, ids[document.document_id], strict=True):
            if stratagem_id in seen:
                continue
            seen.add(stratagem_id)
            rows["stratagems"].append(
                {
                    **{name: getattr(stratagem, name) for name in _STRATAGEM_FIELDS},
                    "stratagem_id": stratagem_id,
                    "detachment_id": detachments.id_of(stratagem, document),
                    "edition": document.edition,
                }
            )
            rows["modifiers"] += _modifier_rows("stratagem", stratagem_id, stratagem_effects(stratagem))
    for unit in units:
        listed = ids.get(unit.document.document_id, [])
        indexes = unit.datasheet.stratagems
        own = listed if indexes is None else [listed[index] for index in indexes]
        rows["unit_stratagems"] += [
            {"unit_id": unit.unit_id, "stratagem_id": stratagem_id} for stratagem_id in dict.fromkeys(own)
        ]


def _stratagem_id(stratagem: Stratagem, document: Document) -> str:
    return stable_id("stratagem", *stratagem_key(stratagem, document.edition))


def _modifier_rows(source_kind: str, source_id: str, modifiers: Iterable[Modifier]) -> list[Row]:
    return [
        {
            "modifier_id": stable_id("modifier", source_id, position),
            "source_kind": source_kind,
            "source_id": source_id,
            **asdict(modifier),
        }
        for position, modifier in enumerate(modifiers)
    ]


def _add_detachment_rules(rows: dict[str, list[Row]], document: Document, detachments: _Detachments) -> None:
    for rule in document.detachment_rules:
        detachment_id = detachments.id_of(rule, document)
        rule_id = stable_id("detachment_rule", document.edition, detachment_id, fold(rule.name))
        rows["detachment_rules"].append(
            {"detachment_rule_id": rule_id, "detachment_id": detachment_id, "name": rule.name, "text": rule.text}
        )
        rows["modifiers"] += _modifier_rows("detachment_rule", rule_id, detachment_rule_effects(rule))


def _add_enhancements(rows: dict[str, list[Row]], document: Document, detachments: _Detachments) -> None:
    for enhancement in document.enhancements:
        detachment_id = detachments.id_of(enhancement, document)
        enhancement_id = stable_id("enhancement", document.edition, detachment_id, fold(enhancement.name))
        rows["enhancements"].append(
            {
                "enhancement_id": enhancement_id,
                **{
                    name: getattr(enhancement, name)
                    for name in (
                        "name",
                        "points",
                        "detachment",
                        "eligibility_text",
                        "eligibility_restored",
                        "description",
                        "text_match",
                    )
                },
                "detachment_id": detachment_id,
            }
        )
        rows["modifiers"] += _modifier_rows("enhancement", enhancement_id, enhancement_effects(enhancement))
