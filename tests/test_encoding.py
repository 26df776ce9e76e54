from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.encoding import Decoded, decode, encode
from pipelines.records import Newline

MARK = b"\xef\xbb\xbf"


def encoded(found: Decoded) -> bytes:
    return encode(found.text, encoding=found.encoding, byte_order_mark=found.byte_order_mark, newline=found.newline)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Decoded("", "utf-8", False, "lf")),
        ("a – b\n".encode(), Decoded("a – b\n", "utf-8", False, "lf")),
        (MARK + b"a\r\nb\r\n", Decoded("a\nb\n", "utf-8", True, "crlf")),
        (b"a\rb\r\r", Decoded("a\nb\n\n", "utf-8", False, "cr")),
        (b"a\r\nb\n", Decoded("a\r\nb\n", "utf-8", False, "mixed")),
        (b"a\r\r\n", Decoded("a\r\r\n", "utf-8", False, "mixed")),
        (MARK + MARK + b"a", Decoded("\ufeffa", "utf-8", True, "lf")),
        (b"D\xeave\x92s\r\n", Decoded("Dêve’s\n", "windows-1252", False, "crlf", 1)),
        (MARK + b"a\x9d\x81\xff", Decoded("a\x9d\x81ÿ", "windows-1252", True, "lf", 1)),
        ("a\x0cb\u2028c\x85".encode(), Decoded("a\x0cb\u2028c\x85", "utf-8", False, "lf")),
    ],
)
def test_what_bytes_say(data: bytes, expected: Decoded) -> None:
    assert decode(data) == expected
    assert encoded(expected) == data


def test_each_byte_has_a_character_of_its_own() -> None:
    every = bytes(range(256))
    found = decode(every)
    assert (found.encoding, found.newline, len(set(found.text))) == ("windows-1252", "mixed", 256)
    assert encoded(found) == every


@given(
    st.lists(
        st.one_of(st.sampled_from([MARK, b"\r", b"\n", b"\r\n", b"\x81", "é\u2028".encode()]), st.binary(max_size=4))
    ).map(b"".join)
)
def test_any_bytes_come_back(data: bytes) -> None:
    found = decode(data)
    assert found.newline in get_args(Newline)
    assert ("\r" in found.text) == (found.newline == "mixed")
    assert encoded(found) == data


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError):
        encode("Ā", encoding="windows-1252", byte_order_mark=False, newline="lf")
