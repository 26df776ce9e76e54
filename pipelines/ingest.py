"""Reads everything there is to read: raw folders and the community data set.

Belongs here: which documents a run sees, and its fingerprint. Doesn't: understanding any of them (``sources``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from pipelines import __version__
from pipelines.paths import PROJECT
from pipelines.records import Document
from pipelines.sources.community import is_bundle, read_bundle, read_community_dataset
from pipelines.sources.csv_export import export_files, is_export, read_export
from pipelines.sources.discovery import discover, read_document
from pipelines.sources.files import read_raw

# Code and declared data; not everything below, since the dashboard is written there too.
_OWN_FILES = (
    "pipelines/**/*.py", "warehouse/*.py", "warehouse/*.toml", "analyses/*.py", "analyses/queries/*.sql",
    "analyses/page/**/*",
)  # fmt: skip


class NothingReadableError(Exception):
    """A raw folder is missing, or nothing in the raw folders could be read."""


class StrictError(Exception):
    """A document was quarantined and the run was told not to go on without it."""


def raw_files(raw: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """(folder, file) of each input file. Raises NothingReadableError for a folder that is not there."""
    for folder in raw:
        if not folder.is_dir():
            raise NothingReadableError(f"{folder}: no such folder of raw input")
        yield from ((folder, file) for file in discover([folder]))


def ingest(raw: Sequence[Path], *, community_data: bool, strict: bool = False) -> list[Document]:
    """All documents, one per distinct content, files first; further paths of the same content stand in other_paths.

    Raises NothingReadableError where no file holds a datasheet, StrictError where strict and one is quarantined.
    """
    found: dict[str, Document] = {}
    for folder in raw:
        for document in _documents(folder):
            if len(raw) > 1:  # two folders may hold files of the same name
                document = replace(document, path=f"{folder}/{document.path}")
            found[document.document_id] = _same_content(found.get(document.document_id), document)
    documents = list(found.values())
    if not any(document.datasheets for document in documents):
        first = next((issue for document in documents for issue in document.issues if issue.severity == "error"), None)
        because = f": {documents[0].path}:{first.line or 1}: {first.message}" if first else ""
        raise NothingReadableError(f"no readable datasheet under {', '.join(map(str, raw))}{because}")
    refused = [document for document in documents if document.status == "quarantined"]
    if strict and refused:
        named = "; ".join(f"{document.path}: {document.issues[-1].message}" for document in refused[:5])
        raise StrictError(f"{len(refused)} quarantined: {named}")
    if not community_data:
        return documents
    package = read_community_dataset()
    return documents if package.document_id in found else [*documents, package]


def _documents(raw_folder: Path) -> Iterator[Document]:
    """Documents of one raw folder: a folder of export tables is one source, every other file a document of its own."""
    files = [file for _, file in raw_files([raw_folder])]
    exports = sorted({file.parent for file in files if file.suffix.casefold() == ".csv"})
    taken: set[Path] = set()
    for folder in filter(is_export, exports):
        taken |= set(export_files(folder))
        yield from read_export(folder, root=raw_folder)
    yield from (_document(file, raw_folder) for file in files if file not in taken)


def _document(file: Path, raw_folder: Path) -> Document:
    if file.suffix.casefold() == ".json":
        raw = read_raw(file, root=raw_folder)
        readable = raw.text is not None or raw.issues[-1].code == "line_too_long"  # JSON may well be one line
        if readable and is_bundle(content := file.read_bytes()):
            return read_bundle(content, raw.path)
    return read_document(file, root=raw_folder)


def _same_content(known: Document | None, document: Document) -> Document:
    """Of documents with equal bytes the newer, with the paths of all; tables beside an export's may still differ."""
    if known is None:
        return document
    first, second = sorted((known, document), key=lambda each: (each.dated or "", each is known))
    return replace(second, other_paths=(*second.other_paths, *first.other_paths, first.path))


def fingerprint(raw: Sequence[Path], *, ruleset: str, community_data: bool) -> str:
    """SHA-256 over the raw files, the declared data, the code, the packages that matter and the options."""
    digest = hashlib.sha256(json.dumps([__version__, ruleset, community_data]).encode())
    for package in ("wh40kdc", "polars", "duckdb", "numpy", "beautifulsoup4"):
        digest.update(version(package).encode())
    for path in sorted(path for pattern in _OWN_FILES for path in PROJECT.glob(pattern) if path.is_file()):
        digest.update(str(path.relative_to(PROJECT)).encode() + path.read_bytes())
    for folder, file in raw_files(raw):
        digest.update(_content(folder, file))
    return digest.hexdigest()


def raw_fingerprint(raw: Sequence[Path]) -> str:
    """SHA-256 over names and contents of the raw files."""
    return hashlib.sha256(b"".join(_content(folder, file) for folder, file in raw_files(raw))).hexdigest()


def _content(folder: Path, file: Path) -> bytes:
    """Name and hash of a file, read with the limits and refusals of the sources."""
    return f"{file.relative_to(folder)}\0{read_raw(file, root=folder).document_id}\n".encode("utf-8", "replace")
