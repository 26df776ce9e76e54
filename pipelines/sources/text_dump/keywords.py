"""The keywords of a datasheet and of its faction.

Belongs here: lines of keywords, those of single models, the faction keywords and where they end. Doesn't: what
keywords do, names inferred from them (``names``).
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.records import Composition, Keyword
from pipelines.sources.text_dump.headings import FACTION_KEYWORDS, INDEX_HEADINGS, KEYWORD_LINE
from pipelines.sources.text_dump.memory import clean, fold
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.sections import items, note_not_understood
from pipelines.sources.text_dump.shapes import is_title, keyword_usage

_LONGEST = 120


class KeywordReader:
    """Reads lines of keywords into ``keywords``."""

    def __init__(self, page: Page) -> None:
        """Start without any."""
        self._page = page
        self.keywords: list[Keyword] = []
        self._known: set[tuple[str, bool, str | None]] = set()

    def names(self, *, faction: bool) -> list[str]:
        """The keywords of the faction, or all others."""
        return [keyword.keyword for keyword in self.keywords if keyword.is_faction_keyword is faction]

    def read(self, text: str, line: int, kinds: Sequence[Composition]) -> None:
        """``KEYWORDS: A, B``, or ``KEYWORDS – ALL MODELS: A, B MODEL: C`` with the names of ``kinds``."""
        self._page.mark(line, "keywords")
        match = KEYWORD_LINE.fullmatch(text)
        if match is None:
            return
        model = _model_of(match["scope"])
        for item in items(match["list"]):
            before, colon, keyword = item.rpartition(":")
            if colon:  # "ALL MODELS: A, B CAPTAIN: C" – the name of the next model is glued to the keyword before
                last, name = _split_at_model(before, kinds)
                self._add(last, model, line)
                model = _model_of(name)
            self._add(keyword, model, line)

    def read_more(self, text: str, line: int) -> None:
        """Keywords that the line break of the list has pushed below it."""
        if text.isupper() and is_title(text.replace(",", "")):
            self._page.mark(line, "keywords")
            self._add(text, None, line)
        else:
            note_not_understood(self._page, text, line)

    def read_faction(self, index: int) -> int:
        """Read the heading at ``index`` and the names below it; return the index of the first line after them."""
        lines = self._page.lines
        self._page.mark(index + 1, "heading")
        self._add(lines[index].strip()[len(FACTION_KEYWORDS) :], None, index + 1, faction=True)
        index += 1
        while index < len(lines):
            text = lines[index].strip()
            if text.strip(" ,") and (text in INDEX_HEADINGS or not self._is_faction_keyword(text, index)):
                break
            self._page.mark(index + 1, "faction_keywords")
            self._add(text, None, index + 1, faction=True)
            index += 1
        return index

    def _is_faction_keyword(self, text: str, index: int) -> bool:
        """In capitals, and no title of the rules text: a title has a sentence under it."""
        if text.upper() != text or len(text) > _LONGEST:
            return False
        following = next((line.strip() for line in self._page.lines[index + 1 : index + 3] if line.strip()), "")
        return not following or following.upper() == following or keyword_usage(following) is not None

    def _add(self, listed: str, model: str | None, line: int, *, faction: bool = False) -> None:
        for name in items(listed):
            keyword = Keyword(name.upper(), faction, model, line)
            known = (keyword.keyword, faction, model)
            if known not in self._known:
                self._known.add(known)
                self.keywords.append(keyword)


def _model_of(scope: str | None) -> str | None:
    return None if scope is None or fold(scope) == "all models" else clean(scope)


def _split_at_model(text: str, kinds: Sequence[Composition]) -> tuple[str, str]:
    """A keyword and the model name behind it; without a known name, all of it is the name."""
    for entry in kinds:
        name = entry.model_name.upper().rstrip("SZ")
        at = text.upper().rfind(name)
        if at > 0 and len(text) - at <= len(name) + 1:
            return text[:at], text[at:]
    return "", text
