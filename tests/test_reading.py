"""Reading many inputs: each way gives the same documents in the same order, and parses no more than needed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import reading
from pipelines.document_cache import document_cache
from pipelines.reading import read_inputs
from pipelines.records import Document
from pipelines.sources.discovery import discover
from pipelines.sources.inputs import Input, inputs
from tests.sources.csv_samples import weapon, write_export
from tests.sources.sheets import TITLE, page, written


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """An export, nine pages and a file that is none."""
    folder = tmp_path / "raw"
    write_export(folder / "export", {"Datasheets_wargear": [weapon()]})
    for number in range(9):
        written(folder, page().replace(TITLE, f"{TITLE} {number}"), f"{number}.txt")
    written(folder, "Nothing but prose.", "5 prose.txt")
    return folder


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are parsed in this process."""
    names: list[str] = []
    real = Input.read

    def counting(self: Input) -> tuple[Document, ...]:
        names.extend(path.name for path in self.files)
        return real(self)

    monkeypatch.setattr(Input, "read", counting)
    return names


def pieces(folder: Path) -> list[Input]:
    return list(inputs(folder, discover([folder])))


def read(folder: Path, cache: Path | None = None) -> list[tuple[Document, ...]]:
    with document_cache(cache) as opened:
        return read_inputs(pieces(folder), opened)


def test_each_way_gives_the_same_documents_in_the_same_order(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[str]
) -> None:
    cache = tmp_path / "documents.sqlite"
    plain = [piece.read() for piece in pieces(raw)]
    assert read(raw) == plain
    parsed.clear()
    monkeypatch.setattr(reading, "BYTES_PER_PROCESS", 1000)
    monkeypatch.setattr(reading, "_BATCH_BYTES", 2000)
    monkeypatch.setattr(reading.os, "cpu_count", lambda: 2)
    assert read(raw, cache) == plain
    assert parsed == []  # others have
    assert multiprocessing.active_children() == []
    assert read(raw, cache) == plain
    assert parsed == []


def test_a_rerun_parses_the_changed_file_alone(raw: Path, tmp_path: Path, parsed: list[str]) -> None:
    cache = tmp_path / "documents.sqlite"
    before = read(raw, cache)
    assert len(parsed) == 13
    parsed.clear()
    written(raw, page().replace(TITLE, "Iron Pact – Gun Mates"), "4.txt")
    after = read(raw, cache)
    assert parsed == ["4.txt"]
    assert [position for position in range(len(after)) if after[position] != before[position]] == [5]
    assert after[5][0].unit_name == "Gun Mates"
    parsed.clear()
    write_export(raw / "export", {"Datasheets_wargear": [weapon(A="2")]})
    read(raw, cache)
    assert parsed == ["Datasheets.csv", "Datasheets_wargear.csv", "Factions.csv"]


def test_a_payload_that_cannot_be_read_is_parsed_anew_and_replaced(
    raw: Path, tmp_path: Path, parsed: list[str]
) -> None:
    cache = tmp_path / "documents.sqlite"
    before = read(raw, cache)
    with document_cache(cache) as opened:
        opened.put(str(pieces(raw)[3].key), b"something else")
    parsed.clear()
    assert read(raw, cache) == before
    assert parsed == ["2.txt"]
    parsed.clear()
    read(raw, cache)
    assert parsed == []


def test_what_changed_while_it_was_read_is_not_kept(
    raw: Path, tmp_path: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "documents.sqlite"
    found = pieces(raw)
    old = (raw / "4.txt").read_text(encoding="utf-8")
    written(raw, page().replace(TITLE, "Iron Pact – Gun Mates"), "4.txt")
    with document_cache(cache) as opened:
        assert read_inputs(found, opened)[5][0].unit_name == "Gun Mates"
    written(raw, old, "4.txt")
    parsed.clear()
    assert read(raw, cache)[5][0].unit_name == "Gun Crew 4"
    assert parsed == ["4.txt"]


@pytest.mark.parametrize("error", [OSError("no processes here"), NotImplementedError("no semaphores")])
def test_where_no_process_can_be_started_this_one_reads(
    raw: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[str], error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    plain = read(raw)
    parsed.clear()
    monkeypatch.setattr(reading, "BYTES_PER_PROCESS", 1)
    monkeypatch.setattr(reading, "ProcessPoolExecutor", refuse)
    assert read(raw) == plain
    assert len(parsed) == 13


def test_processes_that_die_leave_the_rest_to_this_one(
    raw: Path, monkeypatch: pytest.MonkeyPatch, parsed: list[str]
) -> None:
    def first_then_broken(given: list[Input], _: int) -> Iterator[bytes]:
        yield from reading._read_batch(given[:4])
        raise reading.BrokenProcessPool("killed")

    plain = read(raw)
    parsed.clear()
    monkeypatch.setattr(reading, "BYTES_PER_PROCESS", 1)
    monkeypatch.setattr(reading, "_read_in_processes", first_then_broken)
    assert read(raw) == plain
    assert len(parsed) == 13


def test_processes_are_started_where_there_is_enough_beside_the_largest_input(
    raw: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.os, "cpu_count", lambda: 64)
    found = pieces(raw)
    sizes = sorted(piece.byte_count for piece in found)
    for per_process, processes in ((sum(sizes), 1), (sum(sizes[:-1]), 2), (1, reading.MOST_PROCESSES)):
        monkeypatch.setattr(reading, "BYTES_PER_PROCESS", per_process)
        assert reading._processes(found) == processes
    assert reading._processes([max(found, key=lambda piece: piece.byte_count)]) == 1
