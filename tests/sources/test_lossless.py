"""Each text dump comes back byte for byte from its spans and their texts, whatever state it is in."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pipelines.paths import PROJECT
from pipelines.sources.discovery import read_document
from tests.corpus import compose
from tests.sources.sheets import assert_lossless, page, parse, written

SAMPLES = sorted((PROJECT / "raw").glob("*.txt"))
MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_sample_dumps(path: Path) -> None:
    assert_lossless(read_document(path), path.read_bytes())


def test_real_dumps_in_all_layouts(shared_dir: Path) -> None:
    paths = [*shared_dir.glob("dumps/*.txt"), *shared_dir.glob("layouts/*/*.txt")]
    assert len(paths) >= 48
    for path in paths:
        assert_lossless(read_document(path), path.read_bytes())


def test_equal_texts_are_one_object_in_memory() -> None:
    first, second = parse(page()), parse(f"{page()}\n")
    assert [span.text is other.text for span, other in zip(first.spans, second.spans, strict=True)] == [
        *[True] * (len(first.spans) - 1),
        False,
    ]


# --- dumps that people and programs have changed

_FACTS, _GLOSSARY = compose.load_facts(), compose.load_glossary()
_FORCE = _FACTS["leagues-of-votann_kapricus-defenders"]
BASES = [page(), f"{page()}\n{page().replace('Gun Crew', 'Gun Post')}"] + [
    compose.compose(_FORCE, _GLOSSARY, layout=layout)[:4000] for layout in compose.LAYOUTS
]
# Line breaks for Unicode alone, white space, marks without width, what breaks off a table, beyond one UTF-16 unit.
ODD = "\u2028\u2029\x0b\x0c\x1c\x85 \t\u00a0\u3000\u200b\ufeff\u00ad|#*:.\u0301é’–𝔊"
Lines = list[str]


def _at(lines: Lines, place: int) -> int:
    return place % len(lines)


def _drop(lines: Lines, place: int, _: int, __: str) -> None:
    if len(lines) > 1:
        del lines[_at(lines, place)]


def _double(lines: Lines, place: int, _: int, __: str) -> None:
    lines.insert(_at(lines, place), lines[_at(lines, place)])


def _swap(lines: Lines, place: int, other: int, _: str) -> None:
    first, second = _at(lines, place), _at(lines, other)
    lines[first], lines[second] = lines[second], lines[first]


def _join(lines: Lines, place: int, _: int, odd: str) -> None:
    if len(lines) > 1:
        at = _at(lines[:-1], place)
        lines[at : at + 2] = [lines[at] + odd * (place % 2) + lines[at + 1]]


def _split(lines: Lines, place: int, column: int, odd: str) -> None:
    line = lines[_at(lines, place)]
    at = column % (len(line) + 1)
    lines[_at(lines, place) : _at(lines, place) + 1] = [line[:at] + odd, odd * (column % 2) + line[at:]]


def _insert(lines: Lines, place: int, column: int, odd: str) -> None:
    line = lines[_at(lines, place)]
    at = column % (len(line) + 1)
    lines[_at(lines, place)] = line[:at] + odd + line[at:]


def _drop_character(lines: Lines, place: int, column: int, _: str) -> None:
    line = lines[_at(lines, place)]
    at = column % (len(line) + 1)
    lines[_at(lines, place)] = line[:at] + line[at + 1 :]


def _swap_characters(lines: Lines, place: int, column: int, _: str) -> None:
    line = lines[_at(lines, place)]
    at = column % (len(line) + 1)
    lines[_at(lines, place)] = line[:at] + line[at : at + 2][::-1] + line[at + 2 :]


def _pad(lines: Lines, place: int, _: int, odd: str) -> None:
    lines[_at(lines, place)] = f" {odd}{lines[_at(lines, place)]}{odd} "


def _blank(lines: Lines, place: int, _: int, odd: str) -> None:
    lines.insert(_at(lines, place), odd * (place % 3))


MUTATIONS: list[Callable[[Lines, int, int, str], None]] = [
    _drop, _double, _swap, _join, _split, _insert, _drop_character, _swap_characters, _pad, _blank,
]  # fmt: skip
PLACES = st.integers(0, 2000)
CHANGES = st.lists(st.tuples(st.sampled_from(MUTATIONS), PLACES, PLACES, st.sampled_from(ODD)), min_size=1, max_size=12)
BREAKS = st.one_of(
    st.sampled_from([["\n"], ["\r\n"], ["\r"]]), st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=2, max_size=7)
)


def _windows(text: str) -> bytes:
    """In Windows-1252, a byte without a meaning for what it lacks."""
    return b"".join(char.encode("cp1252", "ignore") or b"\x9d" for char in text)


@st.composite
def mutated_dumps(draw: Callable[[Any], Any]) -> bytes:
    lines = draw(st.sampled_from(BASES)).split("\n")
    for change, place, other, odd in draw(CHANGES):
        change(lines, place, other, odd)
    breaks = cycle(draw(BREAKS))
    end = draw(st.sampled_from(["", "\n", "\n\n", " \n\t"]))
    text = "".join(next(breaks) if char == "\n" else char for char in "\n".join(lines) + end)
    body = _windows(text) if draw(st.integers(0, 3)) == 0 else text.encode()
    return MARK * draw(st.sampled_from([0, 0, 1, 2])) + body


@given(mutated_dumps())
@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.data_too_large])
def test_mutated_dumps(tmp_path: Path, data: bytes) -> None:
    document = read_document(written(tmp_path, data))
    assume(document.status != "quarantined")
    assert_lossless(document, data)
