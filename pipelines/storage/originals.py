"""The documents of a published warehouse as they were. Belongs here: fetching what their bytes are put together from.

Doesn't: putting them together (``rulebook.verbatim``).
"""

from __future__ import annotations

from pathlib import Path

from pipelines.rulebook.verbatim import reconstruct
from pipelines.storage.build import connect


class NoOriginalError(LookupError):
    """The warehouse holds no text of the document; the message says why."""


def read_original(warehouse: Path, document_id: str) -> bytes:
    """The bytes of the text dump with this id (the SHA-256 of those bytes).

    Raises NoOriginalError for an id that isn't there, and for documents whose text isn't kept: quarantined ones and
    sources other than text dumps. Raises UnreadableWarehouseError for a file that is no warehouse.
    """
    with connect(warehouse) as connection:
        found = connection.execute(
            "SELECT path, status, source_kind, encoding, byte_order_mark, newline FROM documents WHERE document_id = ?",
            [document_id],
        ).fetchone()
        if found is None:
            raise NoOriginalError(f"no document {document_id[:64]!r}")
        path, status, kind, encoding, byte_order_mark, newline = found
        spans = connection.execute(
            "SELECT text_id, text FROM document_spans JOIN texts USING (text_id) WHERE document_id = ?"
            " ORDER BY start_line, start_column",
            [document_id],
        ).fetchall()
    if not spans:
        raise NoOriginalError(f"{path}: the text of a {status} {kind} isn't kept")
    return reconstruct(
        [text_id for text_id, _ in spans],
        dict(spans),
        encoding=encoding,
        byte_order_mark=byte_order_mark,
        newline=newline,
    )
