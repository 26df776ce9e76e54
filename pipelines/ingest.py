"""Reads everything there is to read: raw folders and the community data set.

Belongs here: which documents a run sees, and its fingerprint. Doesn't: reading many of them (``reading``),
understanding any of them (``sources``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pipelines import __version__
from pipelines.document_cache import document_cache
from pipelines.reading import read_inputs
from pipelines.records import Document
from pipelines.sources.discovery import discover
from pipelines.sources.inputs import content_id, inputs, package_input
from pipelines.versions import code_version

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


def ingest(
    raw: Sequence[Path], *, community_data: bool, strict: bool = False, cache: Path | None = None
) -> list[Document]:
    """All documents, one per distinct content, files first; further paths of the same content stand in other_paths.

    ``cache``: the file that keeps parsed documents from run to run. Raises NothingReadableError where no file holds a
    datasheet, StrictError where strict and one is quarantined.
    """
    documents, package = _read(raw, community_data, cache)
    if not any(document.datasheets for document in documents):
        first = next((issue for document in documents for issue in document.issues if issue.severity == "error"), None)
        because = f": {documents[0].path}:{first.line or 1}: {first.message}" if first else ""
        raise NothingReadableError(f"no readable datasheet under {', '.join(map(str, raw))}{because}")
    refused = [document for document in documents if document.status == "quarantined"]
    if strict and refused:
        named = "; ".join(f"{document.path}: {document.issues[-1].message}" for document in refused[:5])
        raise StrictError(f"{len(refused)} quarantined: {named}")
    known = {document.document_id for document in documents}
    return documents + [document for document in package if document.document_id not in known]


def _read(raw: Sequence[Path], community_data: bool, cache: Path | None) -> tuple[list[Document], Sequence[Document]]:
    """Documents of the raw folders, each content once, and those of the community data set."""
    pieces = [(folder, piece) for folder in raw for piece in inputs(folder, [file for _, file in raw_files([folder])])]
    package = [package_input()] if community_data else []
    with document_cache(cache) as opened:
        read = read_inputs([*(piece for _, piece in pieces), *package], opened)
    found: dict[str, Document] = {}
    for (folder, _), documents in zip(pieces, read, strict=False):
        for document in documents:
            if len(raw) > 1:  # two folders may hold files of the same name
                document = replace(document, path=f"{folder}/{document.path}")
            found[document.document_id] = _same_content(found.get(document.document_id), document)
    return list(found.values()), [document for documents in read[len(pieces) :] for document in documents]


def _same_content(known: Document | None, document: Document) -> Document:
    """Of documents with equal bytes the newer, with the paths of all; tables beside an export's may still differ."""
    if known is None:
        return document
    first, second = sorted((known, document), key=lambda each: (each.dated or "", each is known))
    return replace(second, other_paths=(*second.other_paths, *first.other_paths, first.path))


def fingerprint(raw: Sequence[Path], *, ruleset: str, community_data: bool) -> str:
    """SHA-256 over the raw files, the declared data, the code, the packages that matter and the options."""
    options = json.dumps([__version__, ruleset, community_data])
    packages = ("wh40kdc", "polars", "duckdb", "numpy", "beautifulsoup4")
    digest = hashlib.sha256(code_version(_OWN_FILES, packages, options).encode())
    for folder, file in raw_files(raw):
        digest.update(_content(folder, file))
    return digest.hexdigest()


def raw_fingerprint(raw: Sequence[Path]) -> str:
    """SHA-256 over names and contents of the raw files."""
    return hashlib.sha256(b"".join(_content(folder, file) for folder, file in raw_files(raw))).hexdigest()


def _content(folder: Path, file: Path) -> bytes:
    """Name and hash of a file; of one that isn't read the name alone."""
    return f"{file.relative_to(folder)}\0{content_id(file, folder)}\n".encode("utf-8", "replace")
