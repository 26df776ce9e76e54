import hashlib

import pytest

from pipelines.records import Span
from pipelines.rulebook.verbatim import reconstruct, text_ids
from tests.builders import document


def spans(*texts: str) -> tuple[Span, ...]:
    return tuple(Span(line, 1, line + 1, 1, "core_rule", text) for line, text in enumerate(texts, 1))


def test_a_text_is_kept_once_however_many_documents_print_it() -> None:
    first = document(path="a.txt", spans=spans("One.\n", "Two.\n", "One.\n"))
    second = document(path="b.txt", spans=spans("Two.\n", "Two. \n"))
    ids = text_ids([first, second])
    assert list(ids) == ["One.\n", "Two.\n", "Two. \n"]
    assert ids["One.\n"] == hashlib.sha256(b"One.\n").hexdigest()


@pytest.mark.parametrize(
    ("order", "newline", "mark", "expected"),
    [
        ("abab", "lf", False, b"One.\n Two Two.One.\n Two Two."),
        ("a", "crlf", True, b"\xef\xbb\xbfOne.\r\n Two"),
        ("ba", "cr", False, b" Two.One.\r Two"),
    ],
)
def test_spans_and_texts_give_the_bytes(order: str, newline: str, mark: bool, expected: bytes) -> None:
    texts = {"a": "One.\n Two", "b": " Two."}
    assert reconstruct(order, texts, encoding="utf-8", byte_order_mark=mark, newline=newline) == expected  # type: ignore[arg-type]


def test_a_missing_text_is_no_empty_one() -> None:
    with pytest.raises(KeyError):
        reconstruct(["a", "b"], {"a": "One."}, encoding="utf-8", byte_order_mark=False, newline="lf")
