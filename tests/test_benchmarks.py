"""The benchmarks run and count right; how fast anything is, no test says."""

import json
import subprocess
import sys
from pathlib import Path

from pipelines.paths import PROJECT
from tests.sources.sheets import TITLE, page, written


def test_a_load_counts_documents_and_bytes(tmp_path: Path) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    for number in range(3):
        written(raw, page().replace(TITLE, f"{TITLE} {number}"), f"{number}.txt")
    command = [sys.executable, "-m", "benchmarks.load", str(raw), str(tmp_path / "documents.sqlite")]
    done = subprocess.run(command, check=True, capture_output=True, cwd=PROJECT, text=True)
    figures = json.loads(done.stdout)
    assert figures["documents"] == 3
    assert 1000 < figures["table_bytes"] < figures["peak_bytes"]
    assert (tmp_path / "documents.sqlite").is_file()
