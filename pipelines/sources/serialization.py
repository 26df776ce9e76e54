"""Documents as bytes and back: what goes from process to process and lies in the cache.

Belongs here: the form of these bytes – MessagePack of the records, compressed. Doesn't: where they go. The form follows
the dataclasses by itself; reading it back makes records of the declared types, and runs no code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import zstandard

from pipelines.records import Document

MAX_BYTES = 1024**3
"""Of one payload, uncompressed."""

_LARGEST_INTEGER = 2**63 - 1
_packer = msgspec.msgpack.Encoder()
_unpacker = msgspec.msgpack.Decoder(tuple[Document, ...])
_compressor = zstandard.ZstdCompressor(level=1, write_checksum=True)
_decompressor = zstandard.ZstdDecompressor()

_Slot = tuple[Callable[[Any], Any], Callable[[Any, Any], None]]


class PayloadError(ValueError):
    """Bytes that are no documents in this form."""


def encode(documents: tuple[Document, ...]) -> bytes:
    """Documents as bytes; an integer beyond 64 bits becomes the largest there is, which no table takes either."""
    return _compressor.compress(_packed(documents))


def check(document: Document) -> None:
    """Raises ValueError where a value isn't of the declared type: for sources that bring types of their own."""
    _unpacker.decode(_packed((document,)))


class Decoder:
    """Turns bytes into documents that share their equal strings: most texts stand on every page."""

    def __init__(self) -> None:
        self._strings: dict[str, str] = {}

    def decode(self, payload: bytes) -> tuple[Document, ...]:
        """The documents that were encoded. Raises PayloadError for anything else."""
        try:
            if not 0 <= zstandard.frame_content_size(payload) <= MAX_BYTES:
                raise PayloadError("of no stated size, or too large")
            documents = _unpacker.decode(_decompressor.decompress(payload))
        except (zstandard.ZstdError, msgspec.MsgspecError, RecursionError) as error:
            raise PayloadError(str(error)) from None
        self._share(documents)
        return documents

    def _share(self, records: tuple[object, ...]) -> None:
        """Put the first of equal strings in the place of each: the records are new, nobody else has them yet."""
        shared = self._strings.setdefault
        texts, parts = _slots(type(records[0])) if records else ((), ())  # type: ignore[arg-type]
        for record in records:
            for get, put in texts:
                text = get(record)
                if text is not None:
                    put(record, shared(text, text))
            for get, _ in parts:
                value = get(record)
                if value:
                    self._share(value if type(value) is tuple else (value,))


@cache
def _slots(record: type) -> tuple[tuple[_Slot, ...], tuple[_Slot, ...]]:
    """Getters and setters of a record's texts, and of the records it holds; lists of names are left as they are."""
    texts, parts = [], []
    for name, hint in get_type_hints(record).items():
        slot = (getattr(record, name).__get__, getattr(record, name).__set__)
        is_tuple = get_origin(hint) is tuple
        kinds = get_args(hint) or (hint,)
        if str in kinds and not is_tuple:
            texts.append(slot)
        elif any(map(is_dataclass, kinds)):
            parts.append(slot)
    return tuple(texts), tuple(parts)


def _packed(documents: tuple[Document, ...]) -> bytes:
    try:
        return _packer.encode(documents)
    except OverflowError:
        return _packer.encode(_within_64_bits(documents))


def _within_64_bits(value: Any) -> Any:
    if type(value) is int:
        return max(-_LARGEST_INTEGER, min(value, _LARGEST_INTEGER))
    if type(value) is tuple:
        return tuple(map(_within_64_bits, value))
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field.name: _within_64_bits(getattr(value, field.name)) for field in fields(value)})
    return value
