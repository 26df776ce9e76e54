"""Segmentation of the rules text into blocks.

Belongs here: where a block begins and ends, of what kind it is, which blocks are pieces of others. Doesn't: what a
block says (``details``).

A block is opened by a title followed by text, by a keyword-usage sentence, a profile note, a stratagem's three head
lines or a detachment line; everything up to the next opening belongs to it. A title that the vocabulary doesn't know
opens a block all the same, when it has the shape of one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pipelines.records import RuleKind
from pipelines.sources.text_dump.memory import fold
from pipelines.sources.text_dump.shapes import BODY, Piece, Shape, keyword_usage
from pipelines.sources.text_dump.vocabulary import Vocabulary

_NAV_TITLE = "Army List"
_NAV_SECOND_LINE = "Datasheets collated"
_NOTE_TITLE = "(untitled: select one of its profiles)"
_ORPHAN_TITLE = "(untitled text)"
_DROPPED = "<dropped>"
_WITHOUT_TEXT = ("keyword_usage", "army_list_nav", "profile_note")  # blocks of a single sentence, or of headings


@dataclass(slots=True)
class Block:
    """Pieces ``first`` to ``end`` (exclusive) of the rules text; ``has_title``: the first of them is the title."""

    kind: RuleKind
    title: str
    first: int
    end: int
    has_title: bool = True
    parent: int | None = None
    in_vocabulary: bool = True
    stray_titles: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Names:
    """What the document's own indexes and datasheet say of the names to come, folded."""

    enhancements: frozenset[str] = frozenset()
    faction_abilities: frozenset[str] = frozenset()
    core_abilities: frozenset[str] = frozenset()


class Segmenter:
    """Cuts a list of pieces into blocks, in one pass."""

    def __init__(self, pieces: Sequence[Piece], vocabulary: Vocabulary, names: Names) -> None:
        """Prepare for one document's rules text."""
        self._pieces = pieces
        self._vocabulary = vocabulary
        self._names = names
        self._blocks: list[Block] = []
        self._current: int | None = None  # the top-level block being read
        self._nested: int | None = None  # the nested block being read
        self._enhancements = 0
        self._is_open_for_text = False  # the next piece of text goes on with the current block
        self._stratagems = frozenset(
            index - 1
            for index, piece in enumerate(pieces[:-1])
            if piece.shape is Shape.CP and index and pieces[index + 1].shape is Shape.STRATAGEM_TYPE
        )

    def run(self) -> list[Block]:
        """Return the blocks in printed order, a nested block after its parent."""
        repeated = self._repeated_titles()
        index = 0
        while index < len(self._pieces):
            if self._is_open_for_text and self._pieces[index].shape in BODY and index not in self._stratagems:
                index += 1
                continue
            opened = self._open_nested(index, repeated) or self._open(index)
            index = self._append(index) if opened is None else opened
        for block in self._blocks:
            if not block.end:
                block.end = len(self._pieces)
        return self._blocks

    def _shape(self, index: int) -> Shape | None:
        return self._pieces[index].shape if 0 <= index < len(self._pieces) else None

    def _is_titled(self, index: int) -> bool:
        """A title with text under it, or one that heads the army list."""
        return self._shape(index) is Shape.TITLE and self._shape(index + 1) in BODY

    def _repeated_titles(self) -> frozenset[int]:
        """Indexes of titles that come twice with nothing but such titles between: pieces of the block around them."""
        places: dict[str, list[int]] = defaultdict(list)
        openings: list[int] = []
        for index, piece in enumerate(self._pieces):
            if piece.shape is Shape.TITLE and index not in self._stratagems:
                folded = fold(piece.text)
                if folded not in self._vocabulary.titles and self._shape(index + 1) is not Shape.DETACHMENT:
                    places[folded].append(index)
                elif self._shape(index + 1) in BODY or self._shape(index + 1) is Shape.DETACHMENT:
                    openings.append(index)
            elif piece.shape in (Shape.KEYWORD_USAGE, Shape.PROFILE_NOTE) or index in self._stratagems:
                openings.append(index)
        openings += [at[0] for at in places.values() if len(at) == 1 and self._is_titled(at[0])]
        openings.sort()
        found: set[int] = set()
        for at in places.values():
            for first, second in pairwise(at):
                if not _any_between(openings, first, second):
                    found.update((first, second))
        return frozenset(found)

    def _open_nested(self, index: int, repeated: frozenset[int]) -> int | None:
        piece = self._pieces[index]
        if self._current is None or piece.shape is not Shape.TITLE or index in self._stratagems:
            return None
        parent = self._blocks[self._current]
        known_parents = self._vocabulary.nested.get(fold(piece.text))
        if known_parents is not None:
            if fold(parent.title) not in known_parents:
                return None
        elif index not in repeated or parent.kind in ("stratagem", "keyword_usage", "army_list_nav", "enhancement"):
            return None
        self._close_nested(index)
        self._nested = len(self._blocks)
        self._is_open_for_text = False  # where a nested block ends, its text tells
        self._blocks.append(Block("nested_rule", piece.text, index, 0, parent=self._current))
        if known_parents is None:
            self._blocks[-1].in_vocabulary = False
        return index + 1

    def _open(self, index: int) -> int | None:
        """Open a top-level block at the piece, if one begins here; return the index of its first unread piece."""
        piece = self._pieces[index]
        shape = piece.shape
        if index in self._stratagems:
            return self._begin(index, "stratagem", piece.text, 3)
        if shape is Shape.KEYWORD_USAGE:
            return self._begin(index, "keyword_usage", _usage_title(piece.text), 1, has_title=False)
        if shape is Shape.PROFILE_NOTE:
            return self._begin(index, "profile_note", _NOTE_TITLE, 1, has_title=False)
        if shape is Shape.DETACHMENT and self._shape(index + 1) in BODY:
            self._enhancements += 1
            title = f"(untitled enhancement #{self._enhancements:02d})"
            return self._begin(index, "enhancement", title, 1, has_title=False)
        if shape is not Shape.TITLE:
            return None
        if piece.text == _NAV_TITLE and self._text(index + 1).startswith(_NAV_SECOND_LINE):
            return self._begin(index, "army_list_nav", piece.text, 2)
        if self._shape(index + 1) is Shape.DETACHMENT and self._shape(index + 2) in BODY:
            kind: RuleKind = "enhancement" if fold(piece.text) in self._names.enhancements else "detachment_rule"
            return self._begin(index, kind, piece.text, 2)
        if self._is_titled(index):
            return self._begin_titled(index)
        return None

    def _begin_titled(self, index: int) -> int:
        title = self._pieces[index].text
        folded = fold(title)
        kind = self._vocabulary.titles.get(folded)
        if folded in self._names.faction_abilities:
            kind = "faction_rule"
        elif kind is None and folded in self._names.core_abilities:
            kind = "core_ability"
        begun = self._begin(index, kind or self._guess(title, self._text(index + 1)), title, 1)
        self._blocks[-1].in_vocabulary = kind is not None
        return begun

    @staticmethod
    def _guess(title: str, text: str) -> RuleKind:
        if "Weapons with [" in text:
            return "weapon_ability"
        if "Army Faction is" in text:
            return "faction_rule"
        return "core_ability" if title.isupper() else "core_rule"

    def _begin(self, index: int, kind: RuleKind, title: str, head: int, *, has_title: bool = True) -> int:
        self._close(index)
        self._current = len(self._blocks)
        self._is_open_for_text = kind not in _WITHOUT_TEXT
        self._blocks.append(Block(kind, title, index, 0, has_title))
        return index + head

    def _append(self, index: int) -> int:
        """Give the piece to the open block, or to one without a title where none may take it."""
        shape = self._pieces[index].shape
        if self._current is None or not self._may_take(self._blocks[self._current], shape):
            self._begin(index, "unknown", _ORPHAN_TITLE, 1, has_title=False)
            return index + 1
        if self._nested is not None and self._ends_nested(index):
            self._close_nested(index)
        if shape is Shape.TITLE:
            self._blocks[self._current].stray_titles.append(index)
        return index + 1

    @staticmethod
    def _may_take(block: Block, shape: Shape) -> bool:
        if block.kind in ("keyword_usage", "army_list_nav"):
            return shape in (Shape.CATEGORY, Shape.TITLE)
        return block.kind != "profile_note"

    def _ends_nested(self, index: int) -> bool:
        """A list that no colon announces, under paragraphs, is the summary of the block around them."""
        if self._shape(index) is not Shape.BULLET:
            return False
        before = self._pieces[index - 1]
        return before.shape is Shape.PROSE and not before.text.endswith(":")

    def _close(self, index: int) -> None:
        self._close_nested(index)
        if self._current is not None:
            self._blocks[self._current].end = index
        self._current = None

    def _close_nested(self, index: int) -> None:
        if self._nested is not None:
            self._blocks[self._nested].end = index
        self._nested = None

    def _text(self, index: int) -> str:
        return self._pieces[index].text if index < len(self._pieces) else ""


def _any_between(sorted_indexes: Sequence[int], first: int, second: int) -> bool:
    position = bisect_right(sorted_indexes, first)
    return position < len(sorted_indexes) and sorted_indexes[position] < second


def _usage_title(sentence: str) -> str:
    match = keyword_usage(sentence)
    names = match["keywords"].strip() if match else ""
    if not names:
        names = _DROPPED
    elif names.startswith("and "):
        names = f"{_DROPPED} {names}"
    return f"(keyword usage: {names})"
