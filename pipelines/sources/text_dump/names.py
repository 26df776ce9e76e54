"""The name of a unit on a page without a title.

Belongs here: choosing among the names that a datasheet prints elsewhere, and the file's as the last resort. Doesn't:
reading those sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from pipelines.identity import singular
from pipelines.records import Composition, NameSource
from pipelines.sources.text_dump.vocabulary import load_vocabulary

_FILE_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[-'’][^\W\d_]+)*(?:[ _-][^\W\d_]+(?:[-'’][^\W\d_]+)*){0,7}")
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
_SMALL_WORDS = frozenset({"of", "the", "and", "in", "with", "on", "da", "de", "a", "an", "for", "to"})


def infer_name(compositions: Sequence[Composition], keywords: Sequence[str]) -> tuple[str, NameSource] | None:
    """The keyword that the models' names share, the only kind of model, or the only keyword of its own; its source."""
    general = load_vocabulary().general_keywords
    own = [word for word in dict.fromkeys(keywords) if singular(word) not in general]
    models = [singular(entry.model_name) for entry in compositions]
    scored = [(_shared_words(word, models), word.count(" "), -at, word) for at, word in enumerate(own)]
    shares, blanks, _, best = max(scored, default=(0, 0, 0, ""))
    if len(models) == 1:
        named_so = any(singular(word) == models[0] for word in own)
        is_model = named_so or not shares or not blanks or _words(best) <= _words(models[0])
        if is_model:
            return _IN_BRACKETS.sub("", compositions[0].model_name), "composition"
        return _in_title_case(best), "keywords"
    for word in own:
        if singular(word) in models and " " in word:
            return _in_title_case(word), "keywords"
    # Keywords may split the name: SKITARII, RANGERS.
    words = {part for word in own for part in _words(word)}
    for entry, model in reversed(list(zip(compositions, models, strict=True))):
        if " " in model and not blanks and _words(model) <= words:
            return entry.model_name, "composition"
    if shares:
        return _in_title_case(best), "keywords"
    return (_in_title_case(own[0]), "keywords") if len(own) == 1 else None


def name_of_file(path: str) -> str | None:
    """A file's name where it looks like a unit's: words in title case, no digits."""
    stem = PurePosixPath(path).stem
    if _FILE_NAME.fullmatch(stem) is None:
        return None
    words = re.split(r"[ _]", stem)
    if any(word[0].islower() and word not in _SMALL_WORDS for word in words if word):
        return None
    return " ".join(words)


def _words(name: str) -> set[str]:
    return {singular(word) for word in name.split()}


def _shared_words(keyword: str, models: Sequence[str]) -> int:
    return sum(1 for model in models if _words(keyword) & _words(model))


def _in_title_case(keyword: str) -> str:
    words = [word if word.lower() in _SMALL_WORDS else word.capitalize() for word in keyword.lower().split()]
    name = " ".join("-".join(part[:1].upper() + part[1:] for part in word.split("-")) for word in words)
    return name[:1].upper() + name[1:]
