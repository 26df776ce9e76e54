"""The parser's vocabulary: names of rules by kind, from ``warehouse/vocabulary.toml``.

Belongs here: loading it and looking names up. Doesn't: the names themselves, or any learning from documents.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import warehouse
from pipelines.identity import singular
from pipelines.records import RuleKind
from pipelines.sources.text_dump.memory import fold


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Folded names: ``titles`` to their kind, ``nested`` to the folded titles of the blocks that may hold them.

    ``general_keywords``: keywords that name no unit, folded and in the singular.
    """

    version: str
    titles: dict[str, RuleKind]
    nested: dict[str, frozenset[str]]
    categories: frozenset[str]
    general_keywords: frozenset[str]


@cache
def load_vocabulary() -> Vocabulary:
    """Read the vocabulary once."""
    data = tomllib.loads((Path(warehouse.__file__).parent / "vocabulary.toml").read_text(encoding="utf-8"))
    titles: dict[str, RuleKind] = {}
    for kind, names in data["titles"].items():
        for name in names:
            titles.setdefault(fold(name), cast(RuleKind, kind))
    nested = {fold(name): frozenset(fold(parent) for parent in parents) for name, parents in data["nested"].items()}
    general = frozenset(singular(name) for name in data["general_keywords"])
    return Vocabulary(data["version"], titles, nested, frozenset(data["category_headings"]), general)
