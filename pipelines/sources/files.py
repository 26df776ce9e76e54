"""Reading one raw file safely: limits, decoding, and a refusal in one clear issue.

Belongs here: everything between a path and a text. Doesn't: the encodings (``encoding``), what the text means.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from pipelines.encoding import UTF8_MARK, decode
from pipelines.records import Encoding, Issue, Newline

MAX_BYTES = 16 * 1024 * 1024
MAX_LINE_BYTES = 256 * 1024
MAX_LINES = 400_000

HTML_START = re.compile(r"\s*<(?:!--|(?:!doctype html|html|head|body|div|table|meta|\?xml)\b)", re.IGNORECASE)
"""How a page begins; one may stand in a single line, however long that is."""

_CHUNK = 1024 * 1024
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file as read: ``text`` is None when it was refused, and the last issue then says why.

    Line breaks of ``text`` are LF unless kinds are mixed; ``encoding.encode`` with the last three gives the bytes.
    """

    document_id: str
    path: str
    byte_count: int
    text: str | None
    issues: tuple[Issue, ...]
    encoding: Encoding | None = None
    byte_order_mark: bool | None = None
    newline: Newline | None = None


def read_raw(path: Path, *, root: Path | None = None) -> RawFile:
    """Read and decode one file; never raises for what it finds there.

    ``document_id`` is the SHA-256 of the bytes; of the path, for a file that may not or can't be read.
    """
    shown = display_path(path, root)
    try:
        if root is not None and not path.resolve().is_relative_to(root.resolve()):
            return _unread(shown, "outside_raw_folder", "a link that leads out of the raw folder; not followed")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return _unread(shown, "not_a_file", "not a regular file")
        with path.open("rb") as stream:
            if status.st_size > MAX_BYTES:
                digest, size = _digest(stream.fileno())
                return RawFile(digest, shown, size, None, (_too_large(size),))
            data = stream.read(MAX_BYTES + 1)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        return _unread(shown, "unreadable_file", f"can't be read: {reason}")
    if len(data) > MAX_BYTES:
        return RawFile(hashlib.sha256(data).hexdigest(), shown, len(data), None, (_too_large(len(data)),))
    return decoded_file(data, shown)


def display_path(path: Path, root: Path | None) -> str:
    """The path as it is shown and stored: relative to the raw folder where it lies in one, with slashes."""
    shown = path.relative_to(root) if root is not None and path.is_relative_to(root) else path
    return shown.as_posix().encode("utf-8", "replace").decode("utf-8")


def decoded_file(data: bytes, shown: str) -> RawFile:
    """The bytes of one file as a text, refused where they aren't one that this project reads; any size is decoded."""
    document_id = hashlib.sha256(data).hexdigest()
    refusal = _refusal(data)
    if refusal is not None:
        return RawFile(document_id, shown, len(data), None, (refusal,))
    found = decode(data)
    issues: tuple[Issue, ...] = ()
    if found.foreign_byte is not None:
        body = data.removeprefix(UTF8_MARK)
        line = _one_newline(body[: found.foreign_byte]).count(b"\n") + 1
        byte = f"byte {found.foreign_byte} ({body[found.foreign_byte]:#04x})"
        issues = (Issue("warning", "not_utf8", f"not UTF-8 at {byte}; read as Windows-1252", line),)
    return RawFile(
        document_id, shown, len(data), found.text, issues, found.encoding, found.byte_order_mark, found.newline
    )


def _refusal(data: bytes) -> Issue | None:
    if not data.removeprefix(UTF8_MARK).strip():
        return Issue("error", "empty_file", "the file is empty", 1)
    if data.startswith(_UTF16_MARKS):
        return Issue("error", "utf16_text", "UTF-16 text; save it as UTF-8", 1)
    nul = data.find(b"\0")
    if nul >= 0:
        line = _one_newline(data[:nul]).count(b"\n") + 1
        return Issue("error", "binary_file", f"binary data (a NUL byte at {nul}), not a text", line)
    data = _one_newline(data)
    lines = data.count(b"\n") + 1
    if lines > MAX_LINES:
        return Issue("error", "too_many_lines", f"{lines} lines; at most {MAX_LINES} are read", MAX_LINES + 1)
    head = data.removeprefix(UTF8_MARK).lstrip()[:80].decode("latin-1")
    if len(data) > MAX_LINE_BYTES and HTML_START.match(head) is None:
        for number, content in enumerate(data.split(b"\n"), 1):
            if len(content) > MAX_LINE_BYTES:
                message = f"a line of {len(content)} bytes; at most {MAX_LINE_BYTES} are read"
                return Issue("error", "line_too_long", message, number, content[:200].decode("utf-8", "replace"))
    return None


def _one_newline(data: bytes) -> bytes:
    """CRLF and CR count as one line break, as LF does."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _too_large(size: int) -> Issue:
    return Issue("error", "file_too_large", f"{size} bytes; at most {MAX_BYTES} are read", 1)


def _unread(shown: str, code: str, message: str) -> RawFile:
    digest = hashlib.sha256(f"unread:{shown}".encode()).hexdigest()
    return RawFile(digest, shown, 0, None, (Issue("error", code, message),))


def _digest(descriptor: int) -> tuple[str, int]:
    """SHA-256 and size of an open file, read in pieces from its beginning."""
    digest, size = hashlib.sha256(), 0
    while chunk := os.pread(descriptor, _CHUNK, size):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size
