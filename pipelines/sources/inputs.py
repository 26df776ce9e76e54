"""What there is to read, piece by piece, and the way from each piece to its documents.

Belongs here: the pieces of a raw folder – a file, the tables of an export – and the installed package; what tells
whether a piece has changed. Doesn't: which files are input (``discovery``), understanding them, keeping what was read.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipelines.records import Document
from pipelines.sources.community import is_bundle, package_bundle, read_bundle, read_community_dataset
from pipelines.sources.csv_export import export_files, is_export, read_export
from pipelines.sources.discovery import read_document
from pipelines.sources.files import display_path, read_raw


@dataclass(frozen=True, slots=True)
class Input:
    """What is read by itself. ``files`` lie in ``root`` or are links in it; those of an export in one folder.

    ``contents``: SHA-256 of each file's bytes, None for a file that isn't read.
    """

    kind: Literal["file", "export", "package"]
    root: Path
    files: tuple[Path, ...]
    contents: tuple[str | None, ...]
    byte_count: int

    @property
    def key(self) -> str | None:
        """Changes with whatever the documents depend on, the parser apart; None where that can't be told."""
        if None in self.contents:
            return None
        paths = [display_path(path, self.root) for path in self.files]
        if self.kind == "package":
            paths = [package_bundle()[1]]
        return hashlib.sha256(json.dumps([self.kind, paths, self.contents]).encode()).hexdigest()

    def read(self) -> tuple[Document, ...]:
        """Its documents; what can't be read is one that says why, never an exception."""
        [file, *_] = self.files
        if self.kind == "export":
            return tuple(read_export(file.parent, root=self.root))
        if self.kind == "package":
            return (read_community_dataset(),)
        return (_read_file(file, self.root),)

    def holds(self, documents: Sequence[Document]) -> bool:
        """Whether the documents are of the very contents, and not of what a file has become since."""
        return {document.document_id for document in documents} == set(self.contents)


def inputs(folder: Path, files: Sequence[Path]) -> Iterator[Input]:
    """The pieces that a raw folder's files make up: a folder of export tables is one, every other file another."""
    taken: set[Path] = set()
    for place in sorted({file.parent for file in files if file.suffix.casefold() == ".csv"}):
        if is_export(place):
            tables = export_files(place)
            taken.update(tables)
            yield _input("export", folder, tables)
    yield from (_input("file", folder, [file]) for file in files if file not in taken)


def package_input() -> Input:
    """The installed community data set."""
    bundle, _ = package_bundle()
    return _input("package", bundle.parent, [bundle])


def content_id(path: Path, root: Path) -> str | None:
    """SHA-256 of a file's bytes, a document's id; None for one that ``read_raw`` doesn't read whatever it holds."""
    return _digest(path, root)[0]


def _input(kind: Literal["file", "export", "package"], root: Path, files: Sequence[Path]) -> Input:
    digests = [_digest(file, root) for file in files]
    return Input(kind, root, tuple(files), tuple(found for found, _ in digests), sum(size for _, size in digests))


def _digest(path: Path, root: Path) -> tuple[str | None, int]:
    try:
        if not path.resolve().is_relative_to(root.resolve()) or not stat.S_ISREG(path.stat().st_mode):
            return None, 0
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest(), stream.tell()
    except (OSError, RuntimeError, ValueError):
        return None, 0


def _read_file(file: Path, root: Path) -> Document:
    if file.suffix.casefold() == ".json":
        raw = read_raw(file, root=root)
        readable = raw.text is not None or raw.issues[-1].code == "line_too_long"  # JSON may well be one line
        if readable and is_bundle(content := file.read_bytes()):
            return read_bundle(content, raw.path)
    return read_document(file, root=root)
