"""The element tree of one card, and which of its texts have been read.

Belongs here: walking elements without recursion, looking them up by class or tag, texts with their lines, the record of
what was read. Doesn't: the meaning of any class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from typing import Literal

from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from pipelines.identity import clean

Event = tuple[Literal["enter", "text", "exit"], PageElement]

BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset", "footer", "form", "h1"}
    | {"h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table"}
    | {"tbody", "td", "tfoot", "th", "thead", "tr", "ul"}
)
UNSHOWN = frozenset({"script", "style"})
CELL_ENDS = frozenset({"td", "th", "tr", "tbody", "thead", "tfoot", "table"})

# Some class names of the pages are spelled with Cyrillic letters (dsLeftСol); either spelling is the same class.
_LOOKALIKES = str.maketrans("АВСЕНКМОРТХасеорх", "ABCEHKMOPTXaceopx")


def classes(tag: Tag) -> tuple[str, ...]:
    """Class names of an element, look-alike letters folded."""
    value = tag.get("class") or ()
    names = value.split() if isinstance(value, str) else value
    return tuple(str(name).translate(_LOOKALIKES) for name in names)


def is_keyword_span(tag: Tag) -> bool:
    """Whether an element sets a keyword or weapon ability off (``kwb``, ``kwbw``, ``kwb2``)."""
    return any(name.startswith("kwb") for name in classes(tag))


def walk(root: Tag, skip: Callable[[Tag], bool] = lambda _: False) -> Iterator[Event]:
    """Elements and texts below ``root`` in document order, what a reader never sees left out.

    ``root`` itself yields no event. ``skip``: elements that are left out with all they hold.
    """
    stack: list[tuple[Tag, Iterator[PageElement]]] = [(root, iter(root.contents))]
    while stack:
        tag, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if stack:
                yield "exit", tag
        elif isinstance(child, Tag):
            if child.name not in UNSHOWN and not skip(child):
                yield "enter", child
                stack.append((child, iter(child.contents)))
        elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
            yield "text", child  # preformatted are comments and declarations


class CardMarkup:
    """A card's elements, looked up by class and by tag, and its texts. What ``text`` returns counts as read."""

    def __init__(self, card: Tag) -> None:
        """Index a card in one pass."""
        self.root = card
        self.line: int = card.sourceline or 1
        self._by_class: dict[str, list[Tag]] = defaultdict(list)
        self._by_tag: dict[str, list[Tag]] = defaultdict(list)
        self._extent: dict[int, tuple[int, int]] = {}
        self._line_of: dict[int, int] = {}
        self._read: set[int] = set()
        self._index(card)

    def _index(self, card: Tag) -> None:
        entered: dict[int, int] = {}
        line = self.line
        for position, (event, node) in enumerate(walk(card)):
            if event == "text":
                self._line_of[id(node)] = line + _leading_newlines(str(node))
                line += str(node).count("\n")
            elif event == "exit":
                self._extent[id(node)] = (entered[id(node)], position)
            elif isinstance(node, Tag):
                entered[id(node)] = position
                line = node.sourceline or line
                self._by_tag[node.name].append(node)
                for name in classes(node):
                    self._by_class[name].append(node)

    def by_class(self, *names: str) -> list[Tag]:
        """Elements of any of these classes, in document order."""
        found = {id(tag): tag for name in names for tag in self._by_class.get(name, ())}
        return sorted(found.values(), key=self.start)

    def by_tag(self, name: str) -> list[Tag]:
        """Elements of this name, in document order."""
        return self._by_tag.get(name, [])

    def start(self, tag: Tag) -> int:
        """Position of an element in the document; it grows from element to element."""
        return self._extent[id(tag)][0]

    def holds(self, outer: Tag, inner: Tag) -> bool:
        """Whether one element lies in another, or is it."""
        first, last = self._extent[id(outer)]
        return first <= self.start(inner) <= last

    def peek(self, tag: Tag, stop: Collection[str] = ()) -> str:
        """Text of an element without counting it as read; elements named in ``stop`` are left out."""
        return self._render(self._texts(tag, stop))

    def text(self, tag: Tag, stop: Collection[str] = ()) -> str:
        """Text of an element as a reader sees it; it counts as read."""
        pieces = list(self._texts(tag, stop))
        self.mark(piece for piece in pieces if isinstance(piece, NavigableString))
        return self._render(iter(pieces))

    def mark(self, strings: Iterator[NavigableString]) -> None:
        """Count these texts as read."""
        self._read.update(id(string) for string in strings)

    def is_read(self, string: PageElement) -> bool:
        """Whether a text went into a record or an issue."""
        return id(string) in self._read

    def line_of(self, node: PageElement) -> int:
        """Line on which a text or an element begins."""
        if isinstance(node, Tag):
            return node.sourceline or self.line
        return self._line_of.get(id(node), self.line)

    def strings(self, tag: Tag, stop: Collection[str] = ()) -> list[NavigableString]:
        """Texts of an element."""
        return [piece for piece in self._texts(tag, stop) if isinstance(piece, NavigableString)]

    @staticmethod
    def _texts(tag: Tag, stop: Collection[str]) -> Iterator[NavigableString | str]:
        """Texts, and a blank wherever a reader sees one that isn't written."""
        after_keyword = False
        for event, node in walk(tag, lambda inner: inner.name in stop):
            if event == "text" and isinstance(node, NavigableString):
                after_keyword = False
                yield node
            elif isinstance(node, Tag):
                if node.name in BLOCKS:
                    yield " "
                elif is_keyword_span(node):
                    # The words of one keyword may stand in spans of their own, with nothing between them.
                    if event == "enter" and after_keyword:
                        yield " "
                    after_keyword = event == "exit"

    @staticmethod
    def _render(pieces: Iterator[NavigableString | str]) -> str:
        return clean("".join(str(piece) for piece in pieces))


def _leading_newlines(text: str) -> int:
    return text[: len(text) - len(text.lstrip())].count("\n")
