"""Reading: thousands of dumps, a full export, reruns after a change. Belongs here: what it costs, cold and warm."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.goals import Row
from benchmarks.load import PROCESSES
from benchmarks.measure import seconds_of
from pipelines.paths import PROJECT
from tests.corpus.compose import generate

DUMPS = 2000
EXPORT = Path("data") / "wahapedia_export_2025-11"


def ingestion() -> list[Row]:
    """Loads of generated dumps, of the default input, and of the full export where it is at hand."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_dumps(Path(folder)), *_default(Path(folder)), *_export(Path(folder))]


def _load(raw: Path, cache: Path, *options: str) -> Mapping[str, float]:
    command = [sys.executable, "-m", "benchmarks.load", str(raw), str(cache), *options]
    done = subprocess.run(command, check=True, capture_output=True, cwd=PROJECT, text=True)
    figures: Mapping[str, float] = json.loads(done.stdout)
    return figures


def _dumps(folder: Path) -> list[Row]:
    raw, cache = folder / "dumps", folder / "dumps.sqlite"
    raw.mkdir()
    size = sum((raw / name).write_bytes(content) for name, content in generate(DUMPS))
    files = sorted(raw.iterdir())
    plain = seconds_of(lambda: [file.read_text(encoding="utf-8").split("\n") for file in files])
    cold = _load(raw, cache)
    _change(files[DUMPS // 2])
    warm = _load(raw, cache)
    seconds, above = cold["ingest_seconds"], cold["peak_bytes"] - cold["table_bytes"]
    speeds = (
        f"{size / 1e6 / seconds:.1f} MB/s, {size / 1e6 / cold['ingest_cpu_seconds']:.1f} MB per second of a processor"
    )
    return [
        Row(
            f"ingest: {cold['documents']:,.0f} dumps of {size / DUMPS / 1e3:.0f} kB, {PROCESSES} processes",
            f"{speeds}; {seconds:.1f} s, {seconds / plain:.0f} × splitting them into lines",
        ),
        Row(
            "ingest: of these, one changed",
            f"{warm['ingest_seconds']:.1f} s ({warm['ingest_cpu_seconds']:.1f} s of a processor), "
            f"{warm['ingest_seconds'] / seconds:.2f} of the first",
        ),
        Row(
            "ingest and dimensions: peak memory above the tables, all processes",
            f"{above / 1e6:.0f} MB, tables {cold['table_bytes'] / 1e6:.0f} MB; {size / 1e6:.0f} MB were read",
        ),
        Row("ingest: size of the cache", f"{cache.stat().st_size / 1e6:.0f} MB"),
    ]


def _default(folder: Path) -> list[Row]:
    raw, cache = folder / "raw", folder / "default.sqlite"
    shutil.copytree(PROJECT / "raw", raw)
    cold = _load(raw, cache, "--community-data")["ingest_seconds"]
    _change(next(iter(sorted(raw.glob("*.txt")))))
    warm = _load(raw, cache, "--community-data")["ingest_seconds"]
    return [Row("ingest: the default input; with one changed file", f"{cold:.2f} s; {warm:.2f} s")]


def _export(folder: Path) -> list[Row]:
    shared = os.environ.get("WARLEDGER_SHARED")
    if not shared:
        return [Row("ingest: the full export", "not measured, WARLEDGER_SHARED isn't set")]
    cold = _load(Path(shared) / EXPORT, folder / "export.sqlite")
    warm = _load(Path(shared) / EXPORT, folder / "export.sqlite")
    seconds = (cold["ingest_seconds"], cold["dimensions_seconds"], warm["ingest_seconds"])
    return [
        Row(
            "ingest: the full export; its dimensions; ingest again",
            " s; ".join(f"{each:.1f}" for each in seconds) + " s",
        )
    ]


def _change(file: Path) -> None:
    """Another price or skill is another page; a line at its end is enough to be one."""
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
