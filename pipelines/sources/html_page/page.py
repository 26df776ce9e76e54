"""From the text of a page to a ``Document``.

Belongs here: limits, the cards of a page, refusals, the page's title and edition, its status. Doesn't: the parts of a
card (``card``), reading files (``sources.files``).

The result depends on the text alone.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning
from bs4.builder import ParserRejectedMarkup
from bs4.element import NavigableString, Tag

from pipelines.identity import clean, fold
from pipelines.records import Datasheet, Document, Issue
from pipelines.sources.html_page.card import MisfitError, read_card
from pipelines.sources.html_page.markup import UNSHOWN, CardMarkup, classes, walk
from pipelines.sources.html_page.notes import Notes

MAX_TAGS = 400_000
MAX_DEPTH = 400
_MAX_OPEN = 100  # constructs without an end: each makes the parser look through the rest of the page

_DEFAULT_EDITION = "10e"
_EDITIONS_READ = ("10e", "11e")
_MISFIT = "unknown_html_structure"
_CARD_CLASSES = frozenset({"dsOuterFrame", "datasheet"})
_CARD_NAME = "div.dsOuterFrame.datasheet"
_PARTS = frozenset(
    {"dsH2Header", "dsProfileBaseWrap", "dsProfileWrap", "dsCharValue", "dsInvulWrap", "dsUnitCostHeader"}
)
_PRINTED_EDITION = re.compile(r"\b(?P<number>[0-9]{1,2})th edition", re.IGNORECASE)
_ADDRESS_EDITION = re.compile(r"/wh40k(?P<number>[0-9]{1,2})ed/")
_MARKUP = re.compile(r"<(?:tr|td|tbody|table)\b[^<>]{0,200}>|<div\b[^<>]{0,200}\bds[A-Z]")
_TITLE_END = re.compile(r"[\[\]\n\r\t|]")


class _RefusalError(Exception):
    """The page isn't read; ``args``: issue code, message, line."""


@dataclass(frozen=True, slots=True)
class _Title:
    text: str | None
    collection: str | None
    unit: str | None


def parse_page(text: str, *, document_id: str, path: str, byte_count: int, issues: Sequence[Issue] = ()) -> Document:
    """Parse one saved page. ``issues``: what was noted while the file was read.

    Never raises for what a page holds: one that doesn't fit is a quarantined document with one error that says why.
    """
    document = Document(
        document_id=document_id,
        path=path,
        source_kind="html_page",
        byte_count=byte_count,
        status="quarantined",
        line_count=text.count("\n") + (not text.endswith("\n")),
        issues=tuple(issues),
    )
    try:
        return _parse(text, document)
    except _RefusalError as refusal:
        code, message, line = refusal.args
    except RecursionError:
        code, message, line = _MISFIT, "elements are nested too deeply", 1
    return replace(document, issues=(*issues, Issue("error", code, message, line)))


def _parse(text: str, document: Document) -> Document:
    _check_limits(text)
    soup = _soup(text)
    _check_depth(soup)
    edition, is_printed = _edition(soup)
    notes = Notes(document.issues)
    title = _title(soup)
    cards = _cards(soup, notes)
    datasheets = _read_cards(cards, title, edition, notes)
    _note_parts_outside(soup, cards, notes)
    _note_swallowed_markup(soup, notes)
    return replace(
        document,
        status="partial" if notes.is_partial else "parsed",
        edition=edition,
        edition_source="printed" if is_printed else "declared_default",
        title=title.text,
        collection=title.collection,
        unit_name=datasheets[0].name if len(datasheets) == 1 else None,
        issues=notes.issues(),
        datasheets=datasheets,
    )


def _check_limits(text: str) -> None:
    """Refuse what would take too long to parse, or to hold in memory."""
    tags = text.count("<")
    if tags > MAX_TAGS:
        raise _RefusalError(_MISFIT, f"{tags} tags; at most {MAX_TAGS} are read", 1)
    last = text.rfind(">") + 1
    unended = {
        "tags": text.count("<", last),
        "comments": text.count("<!--", max(0, text.rfind("-->"))),
        "marked sections": text.count("<![", max(0, text.rfind("]]>"))),
    }
    for what, count in unended.items():
        if count > _MAX_OPEN:
            raise _RefusalError(_MISFIT, f"{count} {what} without an end", text.count("\n", 0, last) + 1)


def _soup(text: str) -> BeautifulSoup:
    if "<" not in text:
        raise _RefusalError(_MISFIT, "no HTML: there is no tag in it", 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
            return BeautifulSoup(text, "html.parser")
    except (ParserRejectedMarkup, AssertionError, ValueError) as error:
        raise _RefusalError(_MISFIT, f"no HTML that can be parsed: {str(error)[:100]}", 1) from error


def _check_depth(soup: BeautifulSoup) -> None:
    depth = 0
    for event, node in walk(soup):
        if event == "enter":
            depth += 1
            if depth > MAX_DEPTH:
                line = node.sourceline if isinstance(node, Tag) else None
                raise _RefusalError(_MISFIT, f"elements nested more than {MAX_DEPTH} deep", line or 1)
        elif event == "exit":
            depth -= 1


def _edition(soup: BeautifulSoup) -> tuple[str, bool]:
    """The edition that the page's own description or address names, and whether there is one."""
    said = [str(tag.get("content") or "") for tag in soup.find_all("meta")]
    said += [str(tag.get("href") or "") for tag in soup.find_all("link", rel="canonical")]
    said += [tag.get_text() for tag in soup.find_all("title")]
    for pattern in (_ADDRESS_EDITION, _PRINTED_EDITION):
        match = next((found for text in said if (found := pattern.search(text[:2000]))), None)
        if match is not None:
            edition = f"{int(match['number'])}e"
            if edition not in _EDITIONS_READ:
                message = f"a page of the {match['number']}th edition; only {' and '.join(_EDITIONS_READ)} are read"
                raise _RefusalError("old_edition", message, 1)
            return edition, True
    return _DEFAULT_EDITION, False


def _title(soup: BeautifulSoup) -> _Title:
    """The heading of the page, or its title: ``Collection – Unit``, or the collection alone."""
    for tag in (*soup.find_all("h1"), *soup.find_all("title")):
        text = clean(_TITLE_END.split(tag.get_text().strip(), maxsplit=1)[0][:300])
        if text:
            collection, dash, unit = text.partition(" – ")
            return _Title(text, collection, unit.strip() if dash else None)
    return _Title(None, None, None)


def _cards(soup: BeautifulSoup, notes: Notes) -> list[Tag]:
    cards = [
        node
        for event, node in walk(soup)
        if event == "enter" and isinstance(node, Tag) and _CARD_CLASSES.issubset(classes(node))
    ]
    if not cards:
        raise _RefusalError(_MISFIT, f"no datasheet card ({_CARD_NAME})", 1)
    frames = {id(card) for card in cards}
    for card in cards:
        if any(id(parent) in frames for parent in card.parents):
            notes.lost("card_nested", "a card inside another one: an end tag is missing above", card.sourceline)
    for card in cards:  # each is read on its own
        card.extract()
    return cards


def _read_cards(cards: Sequence[Tag], title: _Title, edition: str, notes: Notes) -> tuple[Datasheet, ...]:
    datasheets: list[Datasheet] = []
    misfits: list[tuple[str, int]] = []
    for card in cards:
        markup = CardMarkup(card)
        try:
            datasheets.append(read_card(markup, edition, notes))
        except MisfitError as misfit:
            misfits.append((str(misfit), markup.line))
        notes.about = None
    if not datasheets:
        raise _RefusalError(_MISFIT, "; ".join(message for message, _ in misfits)[:500], misfits[0][1])
    for message, line in misfits:
        notes.is_partial = True
        notes.add("error", _MISFIT, f"{message}: the card is left out", line)
    if title.collection is None:
        notes.add("warning", "collection_unknown", "the page has no title that names the collection of its datasheets")
    elif len(cards) == 1 and title.unit is not None and fold(title.unit) != fold(datasheets[0].name):
        message = f"the page is titled {title.unit[:80]!r}, its card {datasheets[0].name[:80]!r}"
        notes.add("warning", "title_disagrees", message, datasheets[0].line)
    return _distinct([_in_collection(datasheet, title.collection) for datasheet in datasheets], notes)


def _in_collection(datasheet: Datasheet, collection: str | None) -> Datasheet:
    factions = [keyword.keyword for keyword in datasheet.keywords if keyword.is_faction_keyword]
    folded = fold(collection) if collection else None
    own = next((keyword for keyword in factions if fold(keyword) == folded), None)
    belongs = not factions or collection is None or own is not None
    return replace(
        datasheet,
        collection=collection,
        faction=own or (factions[0] if factions else None),
        has_points_by_design=bool(datasheet.costs) or bool(datasheet.composition) or belongs,
    )


def _distinct(datasheets: Sequence[Datasheet], notes: Notes) -> tuple[Datasheet, ...]:
    """Two cards of one name get different keys, by their order on the page."""
    found: dict[tuple[str, str | None], list[Datasheet]] = {}
    kept: list[Datasheet] = []
    for datasheet in datasheets:
        same = found.setdefault((fold(datasheet.name), datasheet.faction), [])
        if same:
            message = f"{datasheet.name[:80]!r} is printed {len(same) + 1} times"
            notes.add("warning", "datasheet_repeated", message, datasheet.line)
            datasheet = replace(datasheet, source_key=f"{fold(datasheet.name)} {len(same) + 1}")
        same.append(datasheet)
        kept.append(datasheet)
    return tuple(kept)


def _note_parts_outside(soup: BeautifulSoup, cards: Sequence[Tag], notes: Notes) -> None:
    """Parts of a datasheet outside all cards: a card ends too early, or its frame is lost."""
    inside: Tag | None = None
    for event, node in walk(soup):
        if not isinstance(node, Tag):
            continue
        if event == "exit" and node is inside:
            inside = None
        elif event == "enter" and inside is None:
            part = next((name for name in classes(node) if name in _PARTS or name.startswith("wTable")), None)
            if part is not None and node.get_text(strip=True):
                inside = node
                notes.lost("part_outside_card", f"a part of a datasheet ({part}) outside all cards", node.sourceline)


def _note_swallowed_markup(soup: BeautifulSoup, notes: Notes) -> None:
    """A script without an end swallows what follows; then its text holds parts of a datasheet."""
    for tag in soup.find_all(sorted(UNSHOWN)):
        if _MARKUP.search("".join(part for part in tag.contents if isinstance(part, NavigableString))):
            notes.lost("markup_in_script", f"parts of a datasheet inside <{tag.name}>", tag.sourceline)
