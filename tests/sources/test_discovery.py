"""From raw folders to documents: what is found, what is refused and in which words, and no traceback on any bytes."""

from __future__ import annotations

import os
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.records import Document
from pipelines.sources.discovery import discover, read_document
from pipelines.sources.files import MAX_BYTES, MAX_LINE_BYTES, MAX_LINES
from tests.sources import html_samples
from tests.sources.sheets import KEYWORDS, RANGED, assert_lossless, page, written


def test_files_are_found_sorted_and_without_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("z.txt", "b/a.txt", "README.md", "LICENSE", ".hidden", ".git/x.txt", "no-suffix"):
        (tmp_path / name).write_text(page())
    assert [path.relative_to(tmp_path).as_posix() for path in discover([tmp_path])] == ["b/a.txt", "no-suffix", "z.txt"]
    assert discover([tmp_path, tmp_path]) == discover([tmp_path])
    assert discover([tmp_path / "none"]) == []


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    raw, outside = tmp_path / "raw", tmp_path / "outside"
    raw.mkdir()
    outside.mkdir()
    secret = written(outside, page())
    (raw / "file.txt").symlink_to(secret)
    (raw / "folder").symlink_to(outside)
    written(raw, page(), "own.txt")
    (raw / "inside.txt").symlink_to(raw / "own.txt")
    documents = [read_document(path, root=raw) for path in discover([raw])]
    assert [(one.path, one.status) for one in documents] == [
        ("file.txt", "quarantined"),
        ("folder", "quarantined"),
        ("inside.txt", "parsed"),
        ("own.txt", "parsed"),
    ]
    assert [issue.code for one in documents[:2] for issue in one.issues] == ["outside_raw_folder"] * 2
    assert documents[0].document_id != documents[1].document_id
    assert "Gun Crew" not in repr(documents[0])


def test_a_link_to_itself_and_a_pipe_are_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    documents = [read_document(path, root=tmp_path) for path in discover([tmp_path])]
    assert [one.status for one in documents] == ["quarantined", "quarantined"]
    assert [one.issues[0].code for one in documents][1] == "not_a_file"


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    document = read_document(tmp_path / "gone.txt")
    assert [issue.code for issue in document.issues] == ["unreadable_file"]


def test_paths_are_shown_relative_to_their_folder(tmp_path: Path) -> None:
    assert read_document(written(tmp_path, page()), root=tmp_path).path == "page.txt"


def test_the_name_of_a_file_plays_no_part(tmp_path: Path) -> None:
    assert read_document(written(tmp_path, page(), "export.csv")).status == "parsed"
    assert read_document(written(tmp_path, "id|name|role|\n1|Boss|x|\n", "page.txt")).source_kind == "csv_export"


@pytest.mark.parametrize(
    ("data", "code", "line", "words"),
    [
        (b"", "empty_file", 1, "empty"),
        (b"\xef\xbb\xbf \n\n", "empty_file", 1, "empty"),
        (b"a\nb\0c", "binary_file", 2, "NUL"),
        (page().encode("utf-16"), "utf16_text", 1, "UTF-16"),
        (b"x" * (MAX_LINE_BYTES + 1), "line_too_long", 1, "at most"),
        (b"\n" * MAX_LINES + b"x", "too_many_lines", MAX_LINES + 1, "at most"),
        (b"<!DOCTYPE html><html></html>", "unknown_html_structure", 1, "datasheet card"),
        (b"\xef\xbb\xbfid|name|faction_id|\r\n1|x|y|", "unsupported_kind", 1, "CSV"),
        (b"Dear diary,\ntoday it rained.", "not_a_datasheet", 1, "neither weapon tables nor sections"),
        (b"Some Army - no sheet", "not_a_datasheet", 1, "neither weapon tables nor sections"),
        (b"Orks\n| No NAME | M | WS | BS | S | T | W | A | Ld | Sv |", "old_edition", 2, "8th or 9th edition"),
        (b"Orks\nWEAPON | RANGE | TYPE | S | AP | D | ABILITIES |", "old_edition", 2, "TYPE column"),
        (b"A\nRANGED WEAPONS | RANGE | TYPE | S | AP | D |", "old_edition", 2, "TYPE column"),
        (b"No\nNAME\nM\nWS\nBS\nS\nT\nW\nA\nLd\nSv\n", "old_edition", 4, "8th or 9th edition"),
        (b"Orks\n| M | WS | BS | S | T | W | A | LD | SAVE |\n| --- | --- |", "old_edition", 2, "8th or 9th edition"),
        (b"RANGE\nTYPE\nS\nAP\nD\n", "old_edition", 1, "TYPE column"),
        (b"Orks\nArmy Rules\nWaaagh!\nDetachments", "not_a_datasheet", 1, "army page without datasheets"),
        (b"Orks\nENHANCEMENTS\nBig Hat\n10", "not_a_datasheet", 1, "army page without datasheets"),
        (b"# Gun\n| A | B |\n| --- | --- |\n", "not_a_datasheet", 1, "neither weapon tables nor sections"),
        (b"| RANGED WEAPONS | RANGE | A | BS | S | AP | D | |", "unit_name_unknown", 1, "unit's name"),
        (b'Gun Crew\n| Gun | 24" | 1 | 3+ | 4 | 0 | 1 | |', "unit_name_unknown", 1, "unit's name"),
        (b"RANGED WEAPONS\nGun\n", "unit_name_unknown", 1, "unit's name"),
        ("A – B\nRANGED WEAPONS | RANGE | A | LUCK |".encode(), "not_a_datasheet", 2, "unknown columns"),
    ],
)
def test_refusals_name_line_and_reason(tmp_path: Path, data: bytes, code: str, line: int, words: str) -> None:
    document = read_document(written(tmp_path, data))
    assert document.status == "quarantined"
    (issue,) = document.issues
    assert (issue.severity, issue.code, issue.line) == ("error", code, line)
    assert words in issue.message
    assert not document.datasheets
    assert len(issue.excerpt or "") <= 200


def test_a_large_file_of_one_line_is_refused_quickly_and_without_reading_it_whole(tmp_path: Path) -> None:
    path = written(tmp_path, b"")
    with path.open("wb") as stream:
        for _ in range(50):
            stream.write(b"x" * 1024 * 1024)
    tracemalloc.start()
    began = time.perf_counter()
    document = read_document(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [issue.code for issue in document.issues] == ["file_too_large"]
    assert document.byte_count == 50 * 1024 * 1024 > MAX_BYTES
    assert len(document.document_id) == 64
    assert peak < 8 * 1024 * 1024
    assert time.perf_counter() - began < 5


def test_a_page_at_the_limits_is_read_in_bounded_time(tmp_path: Path) -> None:
    filler = (
        ["x" * (MAX_LINE_BYTES - 1)] * 20 + ["not | known"] * 20_000 + ["each time a model in your unit " * 400] * 20
    )
    began = time.perf_counter()
    document = read_document(written(tmp_path, page(RANGED, filler, KEYWORDS, ["STRATAGEMS"], ["Hit Roll"], filler)))
    assert document.status == "partial"
    assert len(document.issues) <= 1000
    assert time.perf_counter() - began < 20


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    plain = read_document(written(tmp_path, page(), "a"))
    marked = read_document(written(tmp_path, b"\xef\xbb\xbf" + page().encode(), "b"))
    assert (marked.status, marked.title, marked.spans) == ("parsed", plain.title, plain.spans)


def test_windows_1252_is_read_with_a_warning(tmp_path: Path) -> None:
    document = read_document(written(tmp_path, page().replace("Siege Line", "Dêlve’s Line").encode("cp1252")))
    assert document.status == "parsed"
    assert [(issue.severity, issue.code) for issue in document.issues][-1] == ("warning", "not_utf8")
    assert document.stratagems[0].detachment == "Dêlve’s Line"


def assert_sound(document: Document, data: bytes) -> None:
    assert document.status in ("parsed", "partial", "quarantined")
    if document.status != "quarantined":
        assert document.datasheets
        if document.source_kind == "text_dump":
            assert_lossless(document, data)
        return
    assert document.issues[-1].severity == "error"
    assert not document.datasheets
    assert not document.spans


FRAGMENTS = [f"{line}\n".encode() for line in page().split("\n")] + [
    b"\xef\xbb\xbf", b"\xff\xfe", b"\r\n", b"\r", b"\0", b"\x81", b"\xe2\x80\xa8", b"\x0c", b"<html>", b"id|name|role|",
    b"RANGE | TYPE | S | AP | D", b"# Gun Crew\n", b"```", b"| --- | --- |\n", b"M\nT\nSv\nW\nLd\nOC\n",
]  # fmt: skip
WHOLE = [page().encode(), html_samples.page().encode()]
PIECES = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.tuples(st.sampled_from(WHOLE), st.integers(0, 400), st.integers(0, 4000)).map(
        lambda cut: cut[0][cut[1] : cut[2]]
    ),
    st.binary(max_size=40),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "replace")),
)


@given(st.one_of(st.binary(max_size=400), st.lists(PIECES, max_size=20).map(b"".join)))
@settings(max_examples=500, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_a_document(tmp_path: Path, data: bytes) -> None:
    assert_sound(read_document(written(tmp_path, data)), data)


@given(
    st.lists(st.tuples(st.integers(0, 1000), st.binary(min_size=1, max_size=3)), min_size=1, max_size=8), st.booleans()
)
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_pages_give_a_document(tmp_path: Path, damage: list[tuple[int, bytes]], cut: bool) -> None:
    whole = bytearray(page().encode())
    for at, scrap in damage:
        whole[at : at + len(scrap)] = scrap
    data = bytes(whole[: damage[0][0]] if cut else whole)
    assert_sound(read_document(written(tmp_path, data)), data)
