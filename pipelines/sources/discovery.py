"""Finding raw files and turning each into a ``Document``.

Belongs here: which files of a raw folder are input, and the way from one file to its document. Doesn't: decoding
(``files``), telling kinds apart (``sniff``), parsing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pipelines.records import Document, Issue
from pipelines.sources.files import RawFile, read_raw
from pipelines.sources.sniff import sniff
from pipelines.sources.text_dump import parse_text

_IGNORED_PREFIXES = (".", "README", "LICENSE", "LICENCE")


def discover(raw_dirs: Sequence[Path]) -> list[Path]:
    """All input files below the folders, sorted and each once; hidden files and READMEs are no input.

    A link to a file is listed, wherever it leads: ``read_document`` refuses one that leaves its folder. Linked
    folders are not entered; one that leads out of its folder is listed, so that it is refused by name.
    """
    found: dict[Path, None] = {}
    for root in raw_dirs:
        for folder, folders, files in os.walk(root, followlinks=False):
            here = Path(folder)
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            linked = [name for name in folders if (here / name).is_symlink() and _leaves(here / name, root)]
            for name in [*files, *linked]:
                if not name.upper().startswith(_IGNORED_PREFIXES):
                    found[here / name] = None
    return sorted(found)


def _leaves(path: Path, root: Path) -> bool:
    try:
        return not path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True


def read_document(path: Path, *, root: Path | None = None) -> Document:
    """Read one file; what can't be read becomes a quarantined document that says why, never an exception.

    ``root``: the raw folder the file lies in; a link out of it is refused and paths are stored relative to it.
    """
    raw = read_raw(path, root=root)
    if raw.text is None:
        return _quarantined(raw, raw.issues)
    sniffed = sniff(raw.text)
    if sniffed.refusal is not None:
        code, message, line = sniffed.refusal
        excerpt = raw.text.split("\n", line)[line - 1].strip()[:200]
        issues = (*raw.issues, Issue("error", code, message, line, excerpt))
        return _quarantined(raw, issues, sniffed.kind)
    try:
        return parse_text(
            raw.text, document_id=raw.document_id, path=raw.path, byte_count=raw.byte_count, issues=raw.issues
        )
    except ValueError as error:  # what passed the sniffing and still is no page
        return _quarantined(raw, (*raw.issues, Issue("error", "not_a_datasheet", str(error), 1)))


def _quarantined(raw: RawFile, issues: tuple[Issue, ...], kind: str = "text_dump") -> Document:
    return Document(
        document_id=raw.document_id,
        path=raw.path,
        source_kind=kind,  # type: ignore[arg-type]
        byte_count=raw.byte_count,
        status="quarantined",
        line_count=None if raw.text is None else raw.text.count("\n") + (not raw.text.endswith("\n")),
        issues=issues,
    )
