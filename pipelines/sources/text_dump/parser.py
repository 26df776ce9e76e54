"""From the text of a page to a ``Document``.

Belongs here: the order of the sections, building rule blocks, the document's status. Doesn't: reading files
(``sources.files``), the grammar of single sections.

The result depends on the text alone: no clock, no other document, no state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipelines.records import (
    Datasheet,
    DetachmentRule,
    Document,
    Enhancement,
    Issue,
    RuleBlock,
    Stratagem,
    UnitAbility,
)
from pipelines.sources.text_dump.blocks import Block, Names, Segmenter
from pipelines.sources.text_dump.boundaries import datasheet_starts
from pipelines.sources.text_dump.datasheet import DatasheetReader
from pipelines.sources.text_dump.details import DetailReader, Elsewhere, is_detachment_detail, read_body
from pipelines.sources.text_dump.dropped import restore
from pipelines.sources.text_dump.indexes import Indexes, IndexReader
from pipelines.sources.text_dump.layouts import Layout, layout_of, straighten
from pipelines.sources.text_dump.losses import check_end, flag_dropped_keywords, note_losses
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.record import datasheet_record
from pipelines.sources.text_dump.shapes import Piece, Shape, cut_pieces
from pipelines.sources.text_dump.vocabulary import load_vocabulary
from pipelines.sources.text_dump.weapons import is_name_row, is_weapon_row, read_header

_MOST_DATASHEETS = 1000  # of one page; a faction has some 150


class NoDatasheetError(ValueError):
    """A text that looked like a page and holds no datasheet: ``code`` and ``line`` say why and where."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code = code
        self.line = line


@dataclass(slots=True)
class _Part:
    """One datasheet of a page with its indexes and the rules text up to the next datasheet."""

    sheet: Datasheet
    title: str | None
    printed_edition: str | None
    dated: str | None
    indexes: Indexes
    keyword: str | None
    pieces: list[Piece]
    blocks: list[Block]
    rules: tuple[RuleBlock, ...]
    offset: int  # of its first block among all blocks of the page
    end: int


def parse_text(text: str, *, document_id: str, path: str, byte_count: int, issues: Sequence[Issue] = ()) -> Document:
    """Parse one page. ``issues``: what was noted while the file was read. Raises NoDatasheetError."""
    page = Page(text)
    page.add_issues(tuple(issues))
    layout = layout_of(page.lines)
    if layout is None:
        raise NoDatasheetError("not_a_datasheet", "no datasheet: neither weapon tables nor sections", 1)
    straighten(page, layout)
    parts = _read_parts(page, layout, path)
    rules = tuple(rule for part in parts for rule in part.rules)
    content = _Content()
    elsewhere = _elsewhere(parts, rules) if len(parts) > 1 else None
    sheets = [_read_texts(page, part, rules, elsewhere, content) for part in parts]
    first = parts[0]
    printed = next((part.printed_edition for part in parts if part.printed_edition), None)
    return Document(
        document_id=document_id,
        path=path,
        source_kind="text_dump",
        byte_count=byte_count,
        status="partial" if page.is_partial else "parsed",
        edition=first.sheet.edition,
        edition_source="printed" if printed else "declared_default",
        dated=next((part.dated for part in parts if part.dated), None),
        title=first.title,
        collection=first.sheet.collection,
        unit_name=first.sheet.name,
        line_count=page.line_count,
        spans=page.spans(),
        issues=page.issues(),
        datasheets=tuple(sheets),
        rules=rules,
        stratagems=tuple(content.stratagems),
        detachment_rules=tuple(content.detachment_rules),
        enhancements=tuple(content.enhancements),
    )


@dataclass(slots=True)
class _Content:
    stratagems: list[Stratagem] = field(default_factory=list)
    detachment_rules: list[DetachmentRule] = field(default_factory=list)
    enhancements: list[Enhancement] = field(default_factory=list)


def _read_parts(page: Page, layout: Layout, path: str) -> list[_Part]:
    """Read each datasheet of the page; one that nothing names is left out, and said so."""
    starts = datasheet_starts(page)
    parts: list[_Part] = []
    collection: str | None = None
    known: set[tuple[str, str]] = set()
    ends = [*starts, page.line_count][: _MOST_DATASHEETS + 1]
    for start, end in pairwise(ends):
        page.limit(end)
        checkpoint = page.checkpoint()
        reader = DatasheetReader(page, layout, start)
        first = reader.run()
        sheet = datasheet_record(reader, path if len(starts) == 1 else "", collection)
        if sheet is None and len(starts) > 1:
            page.forget(checkpoint, start)
            page.note_unknown("unit_name_unknown", "a datasheet that nothing on the page names; left out", start + 1)
            continue
        if sheet is None:
            message = "the page has no title, and neither composition nor keywords tell the unit's name"
            raise NoDatasheetError("unit_name_unknown", message, start + 1)
        collection = collection or sheet.collection
        key = (fold(sheet.collection or ""), fold(sheet.name))
        if key in known:
            page.forget(checkpoint, start)
            message = f"{sheet.name} is described a second time; the first description counts"
            page.note_unknown("datasheet_repeated", message, start + 1)
            continue
        known.add(key)
        note_losses(reader)
        offset = parts[-1].offset + len(parts[-1].rules) if parts else 0
        parts.append(_part(page, reader, sheet, first, end, offset))
    if not parts:
        raise NoDatasheetError("unit_name_unknown", "nothing on the page names the units of its datasheets", 1)
    page.limit(page.line_count)
    if ends[-1] < page.line_count:
        page.forget(page.checkpoint(), ends[-1])
        message = f"a page of more than {_MOST_DATASHEETS} datasheets; the rest is left out"
        page.note_unknown("too_many_datasheets", message, ends[-1] + 1)
    return parts


def _part(page: Page, reader: DatasheetReader, sheet: Datasheet, first: int, end: int, offset: int) -> _Part:
    index_reader = IndexReader(page, first)
    first = index_reader.run()
    factions = [keyword.keyword for keyword in sheet.keywords if keyword.is_faction_keyword]
    keyword = factions[0] if len(factions) == 1 else None
    _note_rows_in_rules(page, first)
    rules, blocks, pieces = _read_rules(page, first, index_reader.indexes, sheet.abilities, keyword)
    return _Part(
        sheet=sheet,
        title=reader.title,
        printed_edition=reader.printed_edition,
        dated=reader.dated,
        indexes=index_reader.indexes,
        keyword=keyword,
        pieces=pieces,
        blocks=blocks,
        rules=_moved(rules, offset),
        offset=offset,
        end=end,
    )


def _moved(rules: tuple[RuleBlock, ...], offset: int) -> tuple[RuleBlock, ...]:
    """The blocks with their parents counted over the whole page."""
    if not offset:
        return rules
    return tuple(rule if rule.parent is None else replace(rule, parent=rule.parent + offset) for rule in rules)


def _note_rows_in_rules(page: Page, first: int) -> None:
    """Weapon rows below a datasheet belong to none: no rule may swallow them."""
    for index in range(first, len(page.lines)):
        if "|" not in page.lines[index]:
            continue
        text = page.lines[index].strip()
        if is_weapon_row(text) or is_name_row(text) or read_header(text) is not None:
            message = "a weapon row within the rules text belongs to no datasheet"
            page.note_partial("weapon_row_outside", message, index + 1)
            page.claim(index, "unknown")


def _elsewhere(parts: Sequence[_Part], rules: Sequence[RuleBlock]) -> Elsewhere:
    """The texts of a whole page, for a datasheet whose index names what stands below another."""
    listed = {fold(entry.name) for part in parts for entry in part.indexes.stratagems}
    listed |= {fold(name) for part in parts for name, _ in part.indexes.detachment_abilities}
    numbered = list(enumerate(rules))[::-1]
    return Elsewhere(
        {fold(rule.title): at for at, rule in numbered if rule.kind == "stratagem"},
        {fold(rule.title): at for at, rule in numbered if is_detachment_detail(rule)},
        frozenset(listed),
    )


def _read_texts(
    page: Page, part: _Part, rules: Sequence[RuleBlock], elsewhere: Elsewhere | None, content: _Content
) -> Datasheet:
    """Join the indexes of one datasheet with its texts; return the datasheet with the stratagems that it lists."""
    page.limit(part.end)
    own = range(part.offset, part.offset + len(part.rules))
    details = DetailReader(page, rules, part.indexes, part.keyword, own, elsewhere)
    stratagems, detachment_rules = details.stratagems(), details.detachment_rules()
    enhancements = details.enhancements()
    names = {one.rule - part.offset: one.name for one in enhancements if one.rule is not None}
    _mark_rules(page, part.rules, part.blocks, part.pieces, names)
    flag_dropped_keywords(page, part.rules, any(one.eligibility_restored for one in enhancements))
    check_end(page, part.pieces, stratagems, detachment_rules, enhancements)
    listed = len(content.stratagems)
    content.stratagems += stratagems
    content.detachment_rules += detachment_rules
    content.enhancements += enhancements
    if elsewhere is None:
        return part.sheet
    return replace(part.sheet, stratagems=tuple(range(listed, len(content.stratagems))))


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
    printed = "\n".join([piece.text for piece in pieces[block.first + block.has_title : block.end]])
    body, differs = read_body(printed, block.kind == "stratagem")
    if differs:
        message = f"{block.title}: the second printing of its fields differs"
        page.note("warning", "stratagem_copy_differs", message, start.line)
    if block.kind == "unknown":
        page.note_partial("text_without_title", "a text under no title; kept as a block of unknown kind", start.line)
    elif not block.in_vocabulary:
        message = f"{block.title!r} isn't in the vocabulary; read as {block.kind}"
        page.note("info", "title_not_in_vocabulary", message, start.line)
    for stray in block.stray_titles:
        message = f"{pieces[stray].text!r} looks like a title but has no text; kept within {block.title!r}"
        page.note("info", "heading_without_text", message, pieces[stray].line)
    if block.parent is None and "|" in printed:
        for piece in pieces[block.first : block.end]:
            if piece.shape is Shape.RESIDUE:
                page.note("info", "table_lost", f"{block.title}: a table is lost, only its frame is left", piece.line)
    title, end_line = clean(block.title), pieces[block.end - 1].line
    restored = restore(body, keyword) if keyword is not None else None
    return RuleBlock(title, block.kind, body, start.line, end_line, block.parent, restored)


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
