"""Parsed documents kept from run to run, so that a rerun parses only what changed.

Belongs here: one SQLite file of payloads by key, its bounds, and that it never stops a run. Doesn't: what a payload is
(``sources.serialization``), what a key covers (``sources.inputs``), when it is asked (``reading``).
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from pipelines.progress import say
from pipelines.versions import code_version

KEPT_RUNS = 5
"""Documents that none of the last so many runs used are dropped,"""
MAX_BYTES = 1024**3
"""and those used longest ago where all are more than this; so are all of another version of the parser."""

PARSER_FILES = (
    "pipelines/sources/**/*.py", "pipelines/__init__.py", "pipelines/records.py", "pipelines/encoding.py",
    "pipelines/identity.py", "pipelines/dice.py", "warehouse/__init__.py", "warehouse/vocabulary.toml",
)  # fmt: skip
"""Whatever a parsed document depends on besides its input; a test holds this against what parsing really opens."""

_FORM = 1  # of the file
_COMMIT_EVERY = 256
_TABLES = (
    "CREATE TABLE documents (key TEXT PRIMARY KEY, version TEXT NOT NULL, bytes INTEGER NOT NULL, payload BLOB)",
    # Apart from the payloads: noting a use must not write them anew.
    "CREATE TABLE uses (key TEXT PRIMARY KEY, run INTEGER NOT NULL) WITHOUT ROWID",
    f"PRAGMA user_version = {_FORM}",
)
_DROP = (
    "DELETE FROM documents WHERE version <> :version",
    "DELETE FROM documents WHERE key NOT IN (SELECT key FROM uses WHERE run > :run - :kept)",
    """
    DELETE FROM documents WHERE key IN (
        SELECT key FROM (
            SELECT key, sum(bytes) OVER (ORDER BY run DESC, key) AS total FROM documents JOIN uses USING (key)
        ) WHERE total > :most
    )
    """,
    "DELETE FROM uses WHERE key NOT IN (SELECT key FROM documents)",
)

Answer = TypeVar("Answer")


@cache
def parser_version() -> str:
    """SHA-256 over the code and data that parse, and the versions of what they use."""
    return code_version(PARSER_FILES, ("beautifulsoup4",), str(sys.version_info[:2]))


class DocumentCache:
    """Payloads by key. Where the file can't be used that is said once, and nothing is found and nothing kept."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._used: set[str] = set()
        self._unsaved = 0
        if file is not None:
            with self._forgiving(file):
                file.parent.mkdir(parents=True, exist_ok=True)
                self._connection = sqlite3.connect(file)
                _prepare(self._connection)

    def get(self, key: str) -> bytes | None:
        """The payload that was put under the key by this version of the parser, None where there is none."""
        query = "SELECT payload FROM documents WHERE key = ? AND version = ?"
        row = self._attempt(lambda connection: connection.execute(query, (key, parser_version())).fetchone())
        if row is None or not isinstance(row[0], bytes):
            return None
        self._used.add(key)
        return row[0]

    def put(self, key: str, payload: bytes) -> None:
        """Keep the payload for later runs."""
        insert = "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)"
        self._attempt(lambda connection: connection.execute(insert, (key, parser_version(), len(payload), payload)))
        self._used.add(key)
        self._unsaved += 1
        if self._unsaved % _COMMIT_EVERY == 0:
            self._attempt(sqlite3.Connection.commit)

    def close(self) -> None:
        """Note what this run used, drop what is out of bounds, and let go of the file."""
        if self._used:
            self._attempt(self._settle)
        self._let_go()

    def _settle(self, connection: sqlite3.Connection) -> None:
        connection.commit()
        [run] = connection.execute("SELECT 1 + coalesce(max(run), 0) FROM uses").fetchone()
        connection.executemany("INSERT OR REPLACE INTO uses VALUES (?, ?)", [(key, run) for key in sorted(self._used)])
        bounds = {"version": parser_version(), "run": run, "kept": KEPT_RUNS, "most": MAX_BYTES}
        for statement in _DROP:
            connection.execute(statement, bounds)
        connection.commit()

    def _attempt(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer | None:
        if self._connection is not None and self._file is not None:
            with self._forgiving(self._file):
                return work(self._connection)
        return None

    @contextmanager
    def _forgiving(self, file: Path) -> Iterator[None]:
        """After an error this run does without the cache; a damaged file is removed, so that the next one has one."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self._let_go()
            say(f"{file}: parsed documents can't be kept here: {error}")
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                for leftover in (file, file.with_name(f"{file.name}-journal")):
                    with suppress(OSError):
                        leftover.unlink()

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file. Raises sqlite3.DatabaseError for a file that is something else."""
    connection.execute("PRAGMA auto_vacuum = FULL")  # a smaller cache is a smaller file
    if _form(connection) == _FORM:
        return
    connection.execute("BEGIN IMMEDIATE")
    if _form(connection) != _FORM:  # nor has another process made them meanwhile
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
            raise sqlite3.DatabaseError("of another form")
        for statement in _TABLES:
            connection.execute(statement)
    connection.commit()


def _form(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def document_cache(file: Path | None) -> Iterator[DocumentCache]:
    """The cache in a file, for one run; with None for the file, one that keeps nothing."""
    opened = DocumentCache(file)
    try:
        yield opened
    finally:
        opened.close()
