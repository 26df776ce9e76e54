"""Runs each question of ``queries/`` into CSV and Parquet. Belongs here: reading headers and writing results.

A query file begins with comment lines ``-- question:``, ``-- grain:``, ``-- units:``, ``-- caveats:``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

QUERIES = Path(__file__).parent / "queries"
_HEADER = re.compile(r"^-- (\w+): (.*)$")
_REQUIRED = ("question", "grain", "units", "caveats")


@dataclass(frozen=True, slots=True)
class Question:
    """A query with what its header says."""

    name: str
    header: Mapping[str, str]
    sql: str


def questions() -> list[Question]:
    """All questions by name. Raises ValueError where a header lacks a part."""
    return [_question(path) for path in sorted(QUERIES.glob("*.sql"))]


def _question(path: Path) -> Question:
    sql = path.read_text(encoding="utf-8")
    header: dict[str, str] = {}
    last = None
    for line in sql.splitlines():
        if found := _HEADER.match(line):
            last = found[1]
            header[last] = found[2].strip()
        elif line.startswith("--   ") and last:
            header[last] += " " + line[2:].strip()
        else:
            break
    missing = [part for part in _REQUIRED if part not in header]
    if missing:
        raise ValueError(f"{path.name}: the header lacks {', '.join(missing)}")
    return Question(path.stem, header, sql)


def report_files(folder: Path) -> list[Path]:
    """The files that ``run_reports`` writes into a folder."""
    return [folder / f"{question.name}.{ending}" for question in questions() for ending in ("csv", "parquet")]


def run_reports(warehouse: Path, folder: Path) -> dict[str, int]:
    """Answer each question into ``folder/NAME.csv`` and ``folder/NAME.parquet``; rows by name."""
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, int] = {}
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for question in questions():
            answer = connection.sql(question.sql).pl()
            for ending, write in (("csv", answer.write_csv), ("parquet", answer.write_parquet)):
                unfinished = folder / f".{question.name}.{ending}.unfinished"
                write(unfinished)
                os.replace(unfinished, folder / f"{question.name}.{ending}")  # a reader never sees half a report
            counts[question.name] = answer.height
    return counts
