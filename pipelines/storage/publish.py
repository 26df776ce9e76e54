"""Puts an audited file in the place of the last warehouse. Belongs here: that one atomic step and its clean-up."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path


def publish(built: Path, warehouse: Path) -> None:
    """Replace the published warehouse by the built file in one step; readers of the old one keep it to their end."""
    warehouse.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.replace(built, warehouse)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = warehouse.with_name(f".{warehouse.name}.incoming")
        shutil.copyfile(built, beside)
        os.replace(beside, warehouse)
        built.unlink()


def discard_leftovers(build_folder: Path) -> None:
    """Remove what a killed run left in the build folder."""
    for leftover in build_folder.glob("*.duckdb*"):
        leftover.unlink(missing_ok=True)
    for log in sorted(build_folder.glob("*.stages.jsonl"), key=lambda path: path.stat().st_mtime)[:-1]:
        log.unlink(missing_ok=True)  # the last one is the running run's
