"""Payloads kept from run to run: found again, bounded, and never a reason to stop."""

from __future__ import annotations

import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines import document_cache as module
from pipelines.document_cache import KEPT_RUNS, PARSER_FILES, document_cache
from pipelines.paths import PROJECT
from tests.sources import csv_samples, html_samples
from tests.sources.sheets import page, written


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "documents.sqlite"


def run(file: Path, *put: str, get: tuple[str, ...] = (), payload: bytes = b"payload") -> list[bytes | None]:
    """One run over the cache; what it got."""
    with document_cache(file) as cache:
        found = [cache.get(key) for key in get]
        for key in put:
            cache.put(key, payload)
    return found


def rows(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        kept = connection.execute("SELECT key FROM documents ORDER BY key").fetchall()
        assert connection.execute("SELECT key FROM uses ORDER BY key").fetchall() == kept
    return [key for (key,) in kept]


def test_what_was_put_is_found_by_later_runs(file: Path) -> None:
    assert run(file, "a", "b", get=("a",)) == [None]
    assert run(file, get=("a", "b", "c")) == [b"payload", b"payload", None]
    assert rows(file) == ["a", "b"]


def test_without_a_file_nothing_is_found_and_nothing_kept() -> None:
    with document_cache(None) as cache:
        cache.put("a", b"payload")
        assert cache.get("a") is None


def test_another_version_of_the_parser_finds_nothing_and_drops_the_old(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(file, "a", "b")
    monkeypatch.setattr(module, "parser_version", lambda: "next")
    assert run(file, "a", get=("a", "b")) == [None, None]
    assert rows(file) == ["a"]
    assert run(file, get=("a",)) == [b"payload"]


def test_what_the_last_runs_did_not_use_is_dropped(file: Path) -> None:
    run(file, "old", "used")
    for number in range(KEPT_RUNS - 1):
        run(file, f"new {number}", get=("used",))
    assert "old" in rows(file)
    run(file, "last", get=("used",))
    assert rows(file) == ["last", *(f"new {number}" for number in range(KEPT_RUNS - 1)), "used"]


def test_beyond_the_bound_those_used_longest_ago_go_and_the_file_shrinks(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    payload = os.urandom(100_000)
    run(file, "a", "b", "c", payload=payload)
    size = file.stat().st_size
    run(file, get=("b",))
    monkeypatch.setattr(module, "MAX_BYTES", 150_000)
    run(file, get=("c",))
    assert rows(file) == ["c"]
    assert file.stat().st_size < size / 2


def test_a_run_that_is_killed_leaves_what_it_committed_and_harms_nothing(file: Path) -> None:
    script = f"""
import os
from pathlib import Path
from pipelines import document_cache
from pipelines.document_cache import _COMMIT_EVERY, DocumentCache
document_cache.parser_version = lambda: {module.parser_version()!r}
cache = DocumentCache(Path({str(file)!r}))
for number in range(_COMMIT_EVERY + 10):
    cache.put(str(number), b"payload")
os._exit(1)
"""
    subprocess.run([sys.executable, "-c", script], check=False, cwd=PROJECT)
    assert run(file, get=("0", str(module._COMMIT_EVERY))) == [b"payload", None]


def test_readers_and_writers_at_once(file: Path) -> None:
    run(file, "a")
    with document_cache(file) as first, document_cache(file) as second:
        assert first.get("a") == second.get("a") == b"payload"
        first.put("b", b"payload")
        assert second.get("b") is None
    assert run(file, get=("b",)) == [b"payload"]


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_file_is_said_once_ignored_and_replaced_by_the_next_run(
    file: Path, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with caplog.at_level(logging.INFO, "warledger.progress"):
        assert run(file, "a", "b", get=("a", "b")) == [None, None]
    [said] = caplog.messages
    assert str(file) in said
    run(file, "a")
    assert run(file, get=("a",)) == [b"payload"]


def test_a_file_damaged_in_its_middle_is_ignored(file: Path) -> None:
    keys = [str(number) for number in range(200)]
    run(file, *keys, payload=os.urandom(3000))
    content = bytearray(file.read_bytes())
    content[4096:-4096] = b"\xff" * (len(content) - 8192)
    file.write_bytes(content)
    assert run(file, get=tuple(keys)) == [None] * 200
    run(file, "a")
    assert run(file, get=("a",)) == [b"payload"]


def test_a_database_of_another_form_is_replaced(file: Path) -> None:
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE documents (x)")
    run(file, "a")
    run(file, "a")
    assert run(file, get=("a",)) == [b"payload"]


@pytest.mark.parametrize("place", ["folder", "in a file"])
def test_a_place_that_cannot_be_used_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture, place: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    where = tmp_path / "folder" if place == "folder" else tmp_path / "file" / "documents.sqlite"
    with caplog.at_level(logging.INFO, "warledger.progress"):
        assert run(where, "a", "b", get=("a",)) == [None]
    assert len(caplog.messages) == 1
    assert (tmp_path / "file").read_text() == "x"


def test_a_file_that_another_process_holds_is_left_alone(
    file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(file, "a")
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path: real(path, timeout=0))
    holder = real(file)
    holder.execute("BEGIN EXCLUSIVE")
    with caplog.at_level(logging.INFO, "warledger.progress"):
        assert run(file, "b", get=("a",)) == [None]
    assert len(caplog.messages) == 1
    holder.rollback()
    assert run(file, get=("a",)) == [b"payload"]


PARSE_EVERYTHING = """
import sys
from pathlib import Path

opened = set()
sys.addaudithook(lambda event, values: opened.add(str(values[0])) if event == "open" else None)

from pipelines.sources.discovery import discover
from pipelines.sources.inputs import inputs, package_input

folder = Path(sys.argv[1])
documents = [each for piece in [*inputs(folder, discover([folder])), package_input()] for each in piece.read()]
assert {each.source_kind for each in documents if each.datasheets} == {
    "text_dump", "html_page", "csv_export", "community_dataset",
}
modules = {str(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)}
data = {path for path in opened if not path.endswith((".py", ".pyc"))}
print("\\n".join(modules | data))
"""


def test_the_parsers_version_covers_all_that_parsing_opens(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    written(raw, page(), "page.txt")
    written(raw, html_samples.page(html_samples.card()), "page.html")
    csv_samples.write_export(raw / "export", {"Datasheets_wargear": [csv_samples.weapon()]})
    done = subprocess.run(
        [sys.executable, "-c", PARSE_EVERYTHING, str(raw)], check=True, cwd=PROJECT, capture_output=True, text=True
    )
    used = {Path(line) for line in done.stdout.splitlines()}
    own = {path for path in used if path.is_relative_to(PROJECT) and not path.is_relative_to(Path(sys.prefix))}
    covered = {path for pattern in PARSER_FILES for path in PROJECT.glob(pattern)}
    assert PROJECT / "warehouse" / "vocabulary.toml" in own
    assert own - covered == set()
