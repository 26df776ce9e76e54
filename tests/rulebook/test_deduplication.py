"""Canonical texts: on the real dumps (outside the repository) and on small documents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pipelines.records import Document, RuleBlock, Stratagem
from pipelines.rulebook.deduplication import Rulebook, deduplicate, rule_key, stratagem_key
from pipelines.sources.discovery import discover, read_document


@pytest.fixture(scope="module")
def real_documents(shared_dir: Path) -> list[Document]:
    dumps = shared_dir / "dumps"
    return [read_document(path, root=dumps) for path in discover([dumps])]


@pytest.fixture(scope="module")
def rulebook(real_documents: list[Document]) -> Rulebook:
    return deduplicate(real_documents)


def test_the_totals_of_the_real_dumps(rulebook: Rulebook) -> None:
    nested = {rule.key for rule in rulebook.rules if rule.parent is not None}
    top = [rule for rule in rulebook.rules if rule.parent is None]
    assert len(rulebook.occurrences) == 209
    assert sum(occurrence.rule not in nested for occurrence in rulebook.occurrences) == 191
    assert len(top) == 116
    assert len({(rule.kind, rule.title) for rule in top}) == 113
    assert len(nested) == 8


def test_each_kind_of_the_real_dumps(rulebook: Rulebook) -> None:
    kinds = {rule.key: rule.kind for rule in rulebook.rules}
    occurrences = Counter(kinds[occurrence.rule] for occurrence in rulebook.occurrences)
    texts = Counter(kinds.values())
    assert {kind: (occurrences[kind], texts[kind]) for kind in texts} == {
        "core_rule": (53, 23),
        "core_ability": (9, 7),
        "weapon_ability": (14, 10),
        "faction_rule": (3, 2),
        "profile_note": (3, 1),
        "stratagem": (57, 35),
        "detachment_rule": (8, 5),
        "enhancement": (16, 16),
        "keyword_usage": (26, 16),
        "army_list_nav": (2, 1),
        "nested_rule": (18, 8),
    }


def test_the_variants_of_the_real_dumps(rulebook: Rulebook) -> None:
    rules = {rule.key: rule for rule in rulebook.rules}
    variants = [rule for rule in rulebook.rules if rule.variant_of is not None and rule.parent is None]
    assert [rule.title for rule in variants] == ["Hazardous", "FIRE OVERWATCH", "SCOUTS"]
    assert [rules[rule.variant_of].title for rule in variants if rule.variant_of] == [rule.title for rule in variants]


def test_the_stratagems_of_the_real_dumps(real_documents: list[Document]) -> None:
    keys = [stratagem_key(each, document.edition) for document in real_documents for each in document.stratagems]
    assert (len(keys), len(set(keys))) == (57, 35)


def test_every_block_has_its_canonical_text(rulebook: Rulebook) -> None:
    assert len(rulebook.occurrences) == 209
    assert {occurrence.rule for occurrence in rulebook.occurrences} == {rule.key for rule in rulebook.rules}


def document(name: str, *rules: RuleBlock, stratagems: tuple[Stratagem, ...] = ()) -> Document:
    return Document(name, name, "text_dump", 1, "parsed", edition="10e", rules=rules, stratagems=stratagems)


def block(title: str, body: str, kind: str = "core_rule", parent: int | None = None) -> RuleBlock:
    return RuleBlock(title, kind, body, 1, 2, parent)  # type: ignore[arg-type]


def test_the_same_text_is_one_rule_with_two_places() -> None:
    book = deduplicate([document("a", block("Run", "Fast.")), document("b", block("Run", "Fast."))])
    assert [(rule.title, rule.body, rule.edition) for rule in book.rules] == [("Run", "Fast.", "10e")]
    assert [(one.document_id, one.start_line, one.end_line) for one in book.occurrences] == [("a", 1, 2), ("b", 1, 2)]


def test_the_later_text_of_a_title_varies_the_earlier() -> None:
    first, second = block("Run", "Fast."), block("Run", "Faster.")
    book = deduplicate([document("a", first), document("b", second)])
    assert [rule.variant_of for rule in book.rules] == [None, rule_key(first)]
    assert deduplicate([document("b", second), document("a", first)]).rules[1].variant_of == rule_key(second)


@pytest.mark.parametrize("kind", ["keyword_usage", "army_list_nav", "profile_note"])
def test_made_up_titles_have_no_variants(kind: str) -> None:
    book = deduplicate([document("a", block("(t)", "One.", kind), block("(t)", "Two.", kind))])
    assert [rule.variant_of for rule in book.rules] == [None, None]


def test_stratagems_of_two_detachments_are_no_variants() -> None:
    bodies = [f"1CP\n{name} – Wargear Stratagem\nEFFECT: {name}." for name in ("Red Line", "Blue Line")]
    book = deduplicate([document("a", *(block("HOLD", body, "stratagem") for body in bodies))])
    assert [rule.variant_of for rule in book.rules] == [None, None]


def test_lost_titles_are_numbered_by_document_and_do_not_count() -> None:
    text = "Red Line Detachment\nMood.\nmodel only. Run."
    blocks = [block(f"(untitled enhancement #{number:02d})", text, "enhancement") for number in (1, 7)]
    assert len(deduplicate([document("a", blocks[0]), document("b", blocks[1])]).rules) == 1


def test_a_nested_piece_names_its_parent() -> None:
    outer, inner = block("Run", "Fast.\nTrip\nFall."), block("Trip", "Fall.", "nested_rule", 0)
    book = deduplicate([document("a", outer, inner)])
    assert book.rules[1].parent == rule_key(outer)


def test_stratagems_are_one_for_each_wording() -> None:
    one = Stratagem("HOLD", 1, "Red Line", "Wargear", False, when_text="Now.", line=5)
    same = Stratagem("Hold", 1, "RED LINE", "Wargear", False, when_text="Now.", line=9)
    other = Stratagem("HOLD", 1, "Red Line", "Wargear", False, when_text="Later.", line=5)
    assert stratagem_key(one, "10e") == stratagem_key(same, "10e")
    assert len({stratagem_key(one, "10e"), stratagem_key(other, "10e"), stratagem_key(one, "11e")}) == 3
