"""Texts of spans as they stand in their documents, each kept once, and a document put together again from them.

Belongs here: what identifies a verbatim text, and the way back to the bytes. Doesn't: rules as they are read, un-glued
and told apart by title (``deduplication``); encodings (``encoding``); where spans and texts are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from pipelines.encoding import encode
from pipelines.records import Document, Encoding, Newline


def text_ids(documents: Iterable[Document]) -> dict[str, str]:
    """Each distinct text of the documents' spans, in order of appearance, with its id: the SHA-256 of its UTF-8."""
    ids: dict[str, str] = {}
    for document in documents:
        for span in document.spans:
            if span.text not in ids:
                ids[span.text] = hashlib.sha256(span.text.encode()).hexdigest()
    return ids


def reconstruct(
    spans: Iterable[str], texts: Mapping[str, str], *, encoding: Encoding, byte_order_mark: bool, newline: Newline
) -> bytes:
    """The very bytes of a document.

    ``spans``: the text id of each of its spans, in their order; ``texts``: the texts by id. The rest says how its bytes
    hold the text. Raises KeyError for a span whose text is missing.
    """
    text = "".join(texts[text_id] for text_id in spans)
    return encode(text, encoding=encoding, byte_order_mark=byte_order_mark, newline=newline)
