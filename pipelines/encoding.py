"""Bytes to text and back: character encoding, byte-order mark, line breaks.

Belongs here: both directions, side by side, so that each undoes the other. Doesn't: which bytes are refused and in
which words (``sources.files``), where a text's pieces are kept (``rulebook.verbatim``).
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from pipelines.records import Encoding, Newline

UTF8_MARK = b"\xef\xbb\xbf"

# The WHATWG Encoding Standard's windows-1252: the five bytes that Python's cp1252 lacks stand for the same code point.
_WINDOWS_1252 = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
_TO_WINDOWS_1252 = codecs.charmap_build(_WINDOWS_1252)
_LINE_BREAKS: dict[Newline, str] = {"crlf": "\r\n", "cr": "\r"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and how its bytes held it. ``foreign_byte``: where the bytes stop being UTF-8, behind the first mark."""

    text: str
    encoding: Encoding
    byte_order_mark: bool
    newline: Newline
    foreign_byte: int | None = None


def decode(data: bytes) -> Decoded:
    """Decode any bytes, as UTF-8 or else as Windows-1252; ``encode`` gives them back.

    One byte-order mark is taken off, a second is a character of the text. Line breaks become LF where all are of one
    kind, and stay as they are where kinds are mixed. A text without any counts as ``lf``.
    """
    has_mark = data.startswith(UTF8_MARK)
    body = data.removeprefix(UTF8_MARK)
    encoding: Encoding = "utf-8"
    foreign_byte = None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        encoding, foreign_byte = "windows-1252", error.start
        text = codecs.charmap_decode(body, "strict", _WINDOWS_1252)[0]
    newline = _newline_of(text)
    return Decoded(text if newline == "mixed" else one_newline(text), encoding, has_mark, newline, foreign_byte)


def encode(text: str, *, encoding: Encoding, byte_order_mark: bool, newline: Newline) -> bytes:
    """The bytes that ``decode`` read as this text. Raises UnicodeEncodeError for what the encoding can't hold."""
    if newline in _LINE_BREAKS:
        text = text.replace("\n", _LINE_BREAKS[newline])
    body = text.encode("utf-8") if encoding == "utf-8" else codecs.charmap_encode(text, "strict", _TO_WINDOWS_1252)[0]
    return UTF8_MARK + body if byte_order_mark else body


def one_newline(text: str) -> str:
    """The text with one kind of line break: CRLF, CR and LF each count as one."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _newline_of(text: str) -> Newline:
    if "\r" not in text:
        return "lf"
    both = text.count("\r\n")
    counts: dict[Newline, int] = {"crlf": both, "cr": text.count("\r") - both, "lf": text.count("\n") - both}
    found = [kind for kind, count in counts.items() if count]
    return found[0] if len(found) == 1 else "mixed"
