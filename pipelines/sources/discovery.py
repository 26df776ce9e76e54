"""Finding raw files and turning each into a ``Document``.

Belongs here: which files of a raw folder are input, and the way from one file to its document. Doesn't: decoding
(``files``), telling kinds apart (``sniff``), parsing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipelines.encoding import one_newline
from pipelines.records import Document, Issue
from pipelines.sources.files import RawFile, read_raw
from pipelines.sources.html_page import parse_page
from pipelines.sources.sniff import sniff
from pipelines.sources.text_dump import NoDatasheetError, parse_text

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
    document = _quarantined(raw, raw.issues) if raw.text is None else _document(raw, raw.text)
    return replace(document, encoding=raw.encoding, byte_order_mark=raw.byte_order_mark, newline=raw.newline)


def _document(raw: RawFile, verbatim: str) -> Document:
    text = one_newline(verbatim)
    sniffed = sniff(text)
    if sniffed.refusal is not None:
        code, message, line = sniffed.refusal
        excerpt = text.split("\n", line)[line - 1].strip()[:200]
        issues = (*raw.issues, Issue("error", code, message, line, excerpt))
        return _quarantined(raw, issues, sniffed.kind)
    if sniffed.kind == "html_page":
        return parse_page(
            text, document_id=raw.document_id, path=raw.path, byte_count=raw.byte_count, issues=raw.issues
        )
    try:
        return parse_text(
            verbatim, document_id=raw.document_id, path=raw.path, byte_count=raw.byte_count, issues=raw.issues
        )
    except NoDatasheetError as error:  # what passed the sniffing and still is no page
        excerpt = text.split("\n", error.line)[error.line - 1].strip()[:200]
        return _quarantined(raw, (*raw.issues, Issue("error", error.code, str(error), error.line, excerpt)))


def _line_count(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def _quarantined(raw: RawFile, issues: tuple[Issue, ...], kind: str = "text_dump") -> Document:
    return Document(
        document_id=raw.document_id,
        path=raw.path,
        source_kind=kind,  # type: ignore[arg-type]
        byte_count=raw.byte_count,
        status="quarantined",
        line_count=None if raw.text is None else _line_count(one_newline(raw.text)),
        issues=issues,
    )
