"""Rules texts, detachments, stratagems and enhancements, as rows with ids.

Belongs here: ids and links, and handing each text on to be read. Doesn't: what counts as the same text or what a text
does (``rulebook``), rows of what it does (``effects``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pipelines.dimensions.effects import Source, ability_rows, effect_rows
from pipelines.dimensions.factions import display_name
from pipelines.dimensions.frames import Row
from pipelines.dimensions.units import Unit
from pipelines.identity import fold, stable_id
from pipelines.records import DetachmentRule, Document, Enhancement, Stratagem
from pipelines.rulebook.deduplication import Rule, Rulebook, RuleKey, deduplicate, stratagem_key
from pipelines.rulebook.effects import (
    ability_effects,
    detachment_rule_effects,
    enhancement_effects,
    stratagem_effects,
)  # fmt: skip

_CORE = "core"
_STRATAGEM_FIELDS = (
    "name", "cp_cost", "detachment", "type", "is_core", "when_text", "target_text", "effect_text",
    "restrictions_text",
)  # fmt: skip


def rule_rows(documents: Sequence[Document], units: Sequence[Unit]) -> dict[str, list[Row]]:
    """Rows of rules, occurrences, detachments, stratagems, enhancements and what they and abilities do.

    ``documents``: superseded and quarantined ones are left out; ``units``: those of the current documents.
    """
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
    _add_faction_rules(rows, rulebook, detachments)
    _extend(rows, ability_rows((unit, detachments.faction_of(unit.document.document_id, unit)) for unit in units))
    for name, key in _KEYS.items():
        rows[name] = list({row[key]: row for row in rows[name]}.values())
    return rows


_KEYS = {
    "detachment_rules": "detachment_rule_id", "enhancements": "enhancement_id", "modifiers": "modifier_id",
    "text_coverage": "source_id",
}  # fmt: skip


def _extend(rows: dict[str, list[Row]], more: Mapping[str, Sequence[Row]]) -> None:
    for table, some in more.items():
        rows[table] += some


def _add_faction_rules(rows: dict[str, list[Row]], rulebook: Rulebook, detachments: _Detachments) -> None:
    """What the rules of whole factions do, under the faction of the first document that prints them."""
    printed: dict[RuleKey, str] = {}
    for occurrence in rulebook.occurrences:
        printed.setdefault(occurrence.rule, occurrence.document_id)
    for rule in rulebook.rules:
        if rule.kind == "faction_rule":
            faction = detachments.faction_of(printed.get(rule.key, ""))
            source = Source("faction_rule", _rule_id(rule.key), rule.title, faction, rule.edition, rule.body)
            _extend(rows, effect_rows(source, ability_effects(rule.body)))


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

    def faction_of(self, document_id: str, unit: Unit | None = None) -> str | None:
        """Name of a unit's faction, or of that of a document's last datasheet."""
        faction = unit.datasheet.faction if unit is not None else self._factions.get(document_id)
        return display_name(faction) if faction else None

    def faction(self, detachment_id: str | None) -> str | None:
        """Name of a detachment's faction; None for Core and for none."""
        return self._rows[detachment_id]["faction"] if detachment_id is not None else None

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
            detachment_id = detachments.id_of(stratagem, document)
            rows["stratagems"].append(
                {
                    **{name: getattr(stratagem, name) for name in _STRATAGEM_FIELDS},
                    "stratagem_id": stratagem_id,
                    "detachment_id": detachment_id,
                    "edition": document.edition,
                }
            )
            texts = (stratagem.effect_text, stratagem.restrictions_text)
            source = Source(
                "stratagem", stratagem_id, stratagem.name, detachments.faction(detachment_id), document.edition,
                "\n".join(filter(None, texts)) if stratagem.effect_text else None,
            )  # fmt: skip
            _extend(rows, effect_rows(source, stratagem_effects(stratagem)))
    for unit in units:
        listed = ids.get(unit.document.document_id, [])
        indexes = unit.datasheet.stratagems
        own = listed if indexes is None else [listed[index] for index in indexes]
        rows["unit_stratagems"] += [
            {"unit_id": unit.unit_id, "stratagem_id": stratagem_id} for stratagem_id in dict.fromkeys(own)
        ]


def _stratagem_id(stratagem: Stratagem, document: Document) -> str:
    return stable_id("stratagem", *stratagem_key(stratagem, document.edition))


def _add_detachment_rules(rows: dict[str, list[Row]], document: Document, detachments: _Detachments) -> None:
    for rule in document.detachment_rules:
        detachment_id = detachments.id_of(rule, document)
        rule_id = stable_id("detachment_rule", document.edition, detachment_id, fold(rule.name))
        rows["detachment_rules"].append(
            {"detachment_rule_id": rule_id, "detachment_id": detachment_id, "name": rule.name, "text": rule.text}
        )
        faction = detachments.faction(detachment_id)
        source = Source("detachment_rule", rule_id, rule.name, faction, document.edition, rule.text)
        _extend(rows, effect_rows(source, detachment_rule_effects(rule)))


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
        faction = detachments.faction(detachment_id)
        source = Source(
            "enhancement", enhancement_id, enhancement.name, faction, document.edition, enhancement.description
        )
        _extend(rows, effect_rows(source, enhancement_effects(enhancement)))
