"""From the text of a page to a ``Document``.

Belongs here: the order of the sections, building rule blocks, the document's status. Doesn't: reading files
(``sources.files``), the grammar of single sections.

The result depends on the text alone: no clock, no other document, no state.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.identity import clean
from pipelines.records import DetachmentRule, Document, Enhancement, Issue, RuleBlock, Stratagem, UnitAbility
from pipelines.sources.text_dump.blocks import Block, Names, Segmenter
from pipelines.sources.text_dump.datasheet import TITLE, DatasheetReader
from pipelines.sources.text_dump.details import DetailReader, fold_copies
from pipelines.sources.text_dump.dropped import may_hide_a_keyword, restore
from pipelines.sources.text_dump.indexes import Indexes, IndexReader
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.shapes import Piece, Shape, cut_pieces
from pipelines.sources.text_dump.vocabulary import fold, load_vocabulary
from pipelines.sources.text_dump.weapons import read_header

_DEFAULT_EDITION = "10e"
_SENTENCE_ENDS = (".", "!", "?", ":", '"', "”", "’", ")", "]", "*")
_UNFLAGGED_KINDS = ("core_rule", "core_ability", "weapon_ability", "profile_note", "keyword_usage", "army_list_nav")


def parse_text(text: str, *, document_id: str, path: str, byte_count: int, issues: Sequence[Issue] = ()) -> Document:
    """Parse one page. ``issues``: what was noted while the file was read."""
    page = Page(text)
    page.add_issues(tuple(issues))
    title = next((line for line in page.lines if line.strip()), "")
    match = TITLE.fullmatch(clean(title))
    if match is None:
        raise ValueError("a page begins with its title, 'Collection – Unit'")
    _leave_further_pages(page)
    collection, name = match["collection"].strip(), match["unit"].strip()
    reader = DatasheetReader(page, _DEFAULT_EDITION)
    first = reader.run()
    reader.note_losses()
    sheet = reader.datasheet(name, collection)
    index_reader = IndexReader(page, first)
    first = index_reader.run()
    indexes = index_reader.indexes
    factions = [keyword.keyword for keyword in sheet.keywords if keyword.is_faction_keyword]
    keyword = factions[0] if len(factions) == 1 else None
    rules, blocks, pieces = _read_rules(page, first, indexes, sheet.abilities, keyword)
    details = DetailReader(page, rules, indexes, keyword)
    stratagems, detachment_rules = details.stratagems(), details.detachment_rules()
    enhancements = details.enhancements()
    _mark_rules(page, rules, blocks, pieces, {one.rule: one.name for one in enhancements if one.rule is not None})
    _flag_dropped_keywords(page, rules, any(one.eligibility_restored for one in enhancements))
    _check_end(page, pieces, stratagems, detachment_rules, enhancements)
    spans = page.spans()
    return Document(
        document_id=document_id,
        path=path,
        source_kind="text_dump",
        byte_count=byte_count,
        status="partial" if page.is_partial else "parsed",
        edition=sheet.edition,
        edition_source="printed" if reader.printed_edition else "declared_default",
        dated=reader.dated,
        title=clean(title),
        collection=collection,
        unit_name=name,
        line_count=page.line_count,
        spans=spans,
        issues=page.issues(),
        datasheets=(sheet,),
        rules=rules,
        stratagems=stratagems,
        detachment_rules=detachment_rules,
        enhancements=enhancements,
    )


def _leave_further_pages(page: Page) -> None:
    """A document holds one page: a second title with its sections below is left unread, and said so."""
    for index in range(2, len(page.lines) - 1):
        line = page.lines[index]
        if " – " in line and TITLE.fullmatch(clean(line)) and read_header(page.lines[index + 1].strip()) is not None:
            page.note("warning", "further_page", "a second page begins here; a document holds one", index + 1)
            page.cut(index)
            return


def _read_rules(
    page: Page, first: int, indexes: Indexes, abilities: Sequence[UnitAbility], keyword: str | None
) -> tuple[tuple[RuleBlock, ...], list[Block], list[Piece]]:
    vocabulary = load_vocabulary()
    names = Names(
        frozenset(fold(name) for name, _, _ in indexes.enhancements),
        frozenset(fold(ability.name) for ability in abilities if ability.kind == "faction"),
        frozenset(fold(ability.name) for ability in abilities if ability.kind == "core"),
    )
    pieces = cut_pieces(page.lines, first, vocabulary.categories)
    blocks = Segmenter(pieces, vocabulary, names).run()
    return tuple(_rule(page, block, pieces, keyword) for block in blocks), blocks, pieces


def _rule(page: Page, block: Block, pieces: Sequence[Piece], keyword: str | None) -> RuleBlock:
    start = pieces[block.first]
    lines = [clean(piece.text) for piece in pieces[block.first + block.has_title : block.end]]
    if block.kind == "stratagem":
        lines, differing = fold_copies(lines)
        if differing:
            message = f"{block.title}: the second printing of its fields differs"
            page.note("warning", "stratagem_copy_differs", message, start.line)
    if block.kind == "unknown":
        page.note("warning", "text_without_title", "a text under no title; kept as a block of unknown kind", start.line)
        page.is_partial = True
    elif not block.in_vocabulary:
        message = f"{block.title!r} isn't in the vocabulary; read as {block.kind}"
        page.note("info", "title_not_in_vocabulary", message, start.line)
    for stray in block.stray_titles:
        message = f"{pieces[stray].text!r} looks like a title but has no text; kept within {block.title!r}"
        page.note("info", "heading_without_text", message, pieces[stray].line)
    for piece in pieces[block.first : block.end]:
        if piece.shape is Shape.RESIDUE and block.parent is None:
            page.note("info", "table_lost", f"{block.title}: a table is lost, only its frame is left", piece.line)
    title, body, end_line = clean(block.title), "\n".join(lines), pieces[block.end - 1].line
    return RuleBlock(title, block.kind, body, start.line, end_line, block.parent, restore(body, keyword))


def _mark_rules(
    page: Page,
    rules: Sequence[RuleBlock],
    blocks: Sequence[Block],
    pieces: Sequence[Piece],
    enhancement_names: dict[int, str],
) -> None:
    """Spans of the rules text: a block, the nested pieces in it, and the rest of the block behind them."""
    for at, (rule, block) in enumerate(zip(rules, blocks, strict=True)):
        start = pieces[block.first]
        page.mark(start.line, rule.kind, _entity(at, rule, enhancement_names), start.column)
        if block.parent is not None and block.end < blocks[block.parent].end:
            after, parent = pieces[block.end], rules[block.parent]
            page.mark(after.line, parent.kind, _entity(block.parent, parent, enhancement_names), after.column)


def _entity(at: int, rule: RuleBlock, enhancement_names: dict[int, str]) -> str | None:
    if rule.kind == "enhancement":
        name = enhancement_names.get(at)
        return f"enhancement:{name}" if name else None
    if rule.kind in ("stratagem", "detachment_rule"):
        return f"{rule.kind}:{rule.title}"
    return None if rule.kind == "unknown" else f"rule:{rule.title}"


def _flag_dropped_keywords(page: Page, rules: Sequence[RuleBlock], eligibility_restored: bool) -> None:
    """Where a page drops its faction keyword visibly, it may have dropped it without a trace elsewhere."""
    if not eligibility_restored and not any(rule.restored_body for rule in rules):
        return
    for rule in rules:
        is_core = rule.kind in _UNFLAGGED_KINDS or "\nCore – " in rule.body
        if rule.parent is None and not is_core and may_hide_a_keyword(rule.body):
            message = f"{rule.title}: a faction keyword may have been dropped here without a trace"
            page.note("info", "faction_keyword_unknown", message, rule.start_line)


def _check_end(
    page: Page,
    pieces: Sequence[Piece],
    stratagems: Sequence[Stratagem],
    detachment_rules: Sequence[DetachmentRule],
    enhancements: Sequence[Enhancement],
) -> None:
    """A page that breaks off in a sentence, or that lacks texts which its indexes name, is truncated."""
    last = pieces[-1] if pieces else None
    lacking = [one.name for one in stratagems if one.rule is None]
    lacking += [one.name for one in detachment_rules if one.rule is None]
    if enhancements and all(one.rule is None for one in enhancements):
        lacking.append("all enhancements")
    if last is not None and last.shape in (Shape.PROSE, Shape.BULLET) and not last.text.endswith(_SENTENCE_ENDS):
        message = "the page breaks off in the middle of a sentence"
    elif lacking:
        message = f"texts that its indexes name are missing: {', '.join(lacking)[:160]}"
    else:
        return
    page.note("warning", "truncated_document", message, len(page.lines))
    page.is_partial = True
