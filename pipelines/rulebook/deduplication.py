"""One row for each distinct rules text, with every place that prints it.

Belongs here: what counts as the same text, which of two texts is a variant of the other. Doesn't: where a block
begins and ends (``sources``), what a text does (``effects``).

Texts are the same when kind, title and body are. A title that the source lost is numbered within its document, so
such texts are told apart by kind and body alone. Keys are tuples of text, from which rows get their ids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from pipelines.identity import fold
from pipelines.records import Document, RuleBlock, RuleKind, Stratagem

RuleKey = tuple[str, str, str]
"""Kind, title ("" where the source lost it), SHA-256 of the body."""

StratagemKey = tuple[str, ...]
"""Edition, folded detachment, folded name, SHA-256 of all texts."""

# Texts whose titles are made up or shared: a second text under one is another text, not another wording.
_WITHOUT_VARIANTS = frozenset({"keyword_usage", "army_list_nav", "profile_note", "enhancement", "unknown"})
_LOST_TITLE = "(untitled enhancement"


@dataclass(frozen=True, slots=True)
class Rule:
    """A canonical text. ``variant_of``: the earlier text of the same title; ``parent``: the text that holds it."""

    key: RuleKey
    title: str
    kind: RuleKind
    body: str
    body_sha256: str
    edition: str | None
    variant_of: RuleKey | None = None
    parent: RuleKey | None = None
    restored_body: str | None = None


@dataclass(frozen=True, slots=True)
class RuleOccurrence:
    """A place where a document prints a text."""

    rule: RuleKey
    document_id: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All canonical texts in the order in which the documents bring them."""

    rules: tuple[Rule, ...] = ()
    occurrences: tuple[RuleOccurrence, ...] = ()


def rule_key(block: RuleBlock) -> RuleKey:
    """The natural key of a block's text."""
    title = "" if block.title.startswith(_LOST_TITLE) else block.title
    return (block.kind, title, hashlib.sha256(block.body.encode()).hexdigest())


def deduplicate(documents: Iterable[Document]) -> Rulebook:
    """Canonical texts of the documents, in their order: an earlier text is the one that later ones vary."""
    rules: dict[RuleKey, Rule] = {}
    first_of_title: dict[tuple[str, str, str], RuleKey] = {}
    occurrences: list[RuleOccurrence] = []
    for document in documents:
        keys = [rule_key(block) for block in document.rules]
        for key, block in zip(keys, document.rules, strict=True):
            occurrences.append(RuleOccurrence(key, document.document_id, block.start_line, block.end_line))
            if key not in rules:
                parent = None if block.parent is None else keys[block.parent]
                rules[key] = _rule(key, block, document.edition, parent, first_of_title)
    return Rulebook(tuple(rules.values()), tuple(occurrences))


def _rule(
    key: RuleKey,
    block: RuleBlock,
    edition: str | None,
    parent: RuleKey | None,
    first_of_title: dict[tuple[str, str, str], RuleKey],
) -> Rule:
    variant_of = None
    if block.kind not in _WITHOUT_VARIANTS:
        first = first_of_title.setdefault((block.kind, fold(block.title), _owner(block)), key)
        variant_of = first if first != key else None
    return Rule(key, block.title, block.kind, block.body, key[2], edition, variant_of, parent, block.restored_body)


def _owner(block: RuleBlock) -> str:
    """The detachment whose stratagem or rule it is: others may use the same name for something else."""
    lines = block.body.split("\n", 2)
    if block.kind == "stratagem" and len(lines) > 1:
        return fold(lines[1].partition(" – ")[0])
    return fold(lines[0]) if block.kind == "detachment_rule" else ""


def stratagem_key(stratagem: Stratagem, edition: str | None) -> StratagemKey:
    """The natural key of a stratagem: edition, detachment, name and its texts."""
    texts = (
        stratagem.when_text,
        stratagem.target_text,
        stratagem.effect_text,
        stratagem.restrictions_text,
    )
    digest = hashlib.sha256("\x1f".join("\x1e" if text is None else text for text in texts).encode()).hexdigest()
    return (edition or "", fold(stratagem.detachment or ""), fold(stratagem.name), digest)
