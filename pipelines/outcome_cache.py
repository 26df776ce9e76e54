"""Answers of the engine kept from run to run: what changes nothing that dice see, such as prices, simulates nothing.

Belongs here: what an answer depends on, one file for each, their bounds, and that they never stop a run. Doesn't:
computing answers (``simulation``), what points make of them (``matchups``).

Whole answers are kept, not single outcomes: most of a run's time goes into finding out which outcomes it needs, so that
outcomes looked up one by one would save little of it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from pipelines.progress import say
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import CONTEXT_FLAGS, TARGET_COLUMNS, GridResult, simulate_grid
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.units import simulate_units
from pipelines.versions import code_version

MAX_BYTES = 300_000_000
"""Answers used longest ago are dropped where all are more than this; so are all of another version of the engine."""

ENGINE_FILES = ("pipelines/simulation/*.py", "pipelines/dice.py")
_LAWS = "laws"

Frames = dict[str, pl.DataFrame]


@cache
def engine_version() -> str:
    """SHA-256 over the code of the engine and the versions of what it uses."""
    return code_version(ENGINE_FILES, ("numpy", "polars"))[:16]


class OutcomeCache:
    """The engine, asked through what it answered before. ``folder`` None: nothing is kept.

    A file that can't be read or written is said in one line, and its answer computed.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def grid(
        self, weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, rulesets: Mapping[str, RuleSet]
    ) -> GridResult:
        """As ``grid.simulate_grid``."""
        targets, scenarios = _seen(targets, scenarios)
        key = _key({"weapons": weapons, "targets": targets, "scenarios": scenarios}, rulesets, {"kind": "grid"})
        if (kept := self._read(key)) is not None:
            book = LawBook.unpacked(kept.pop(_LAWS)["law"])
            count = kept.pop("signatures")["count"].item()
            return GridResult(**kept, book=book, signature_count=count)
        result = simulate_grid(weapons, targets, scenarios, rulesets)
        frames = {
            "attack_classes": result.attack_classes,
            "target_classes": result.target_classes,
            "cells": result.cells,
            "outcomes": result.outcomes,
            "signatures": pl.DataFrame({"count": [result.signature_count]}),
            _LAWS: pl.DataFrame({"law": result.book.packed()}),
        }
        self._write(key, frames)
        return result

    def units(
        self, loadouts: pl.DataFrame, weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame,
        rulesets: Mapping[str, RuleSet], book: LawBook | None, *, copies: bool,
    ) -> pl.DataFrame:  # fmt: skip
        """As ``units.simulate_units``."""
        targets, scenarios = _seen(targets, scenarios)
        weapons = weapons.join(loadouts, on="weapon_profile_id", how="semi", maintain_order="left")
        frames = {"loadouts": loadouts, "weapons": weapons, "targets": targets, "scenarios": scenarios}
        key = _key(frames, rulesets, {"kind": "units", "copies": copies, "laws": book is not None})
        if (kept := self._read(key)) is not None:
            rows, own = kept["rows"], LawBook.unpacked(kept[_LAWS]["law"])
        else:
            own = LawBook()
            taking = None if book is None else own
            rows = simulate_units(loadouts, weapons, targets, scenarios, rulesets, taking, copies=copies)
            self._write(key, {"rows": rows, _LAWS: pl.DataFrame({"law": own.packed()})})
        if book is None:
            return rows
        numbers = pl.Series(book.absorbed(own), dtype=pl.Int32)
        return rows.with_columns(law_id=numbers.gather(rows["law_id"]))

    def _read(self, key: str) -> Frames | None:
        if self._folder is None or not (file := self._folder / f"{key}.frames").exists():
            return None
        try:
            frames = _parsed(file.read_bytes())
            os.utime(file)
        except (OSError, ValueError) as error:
            say(f"{file}: ignored, kept outcomes can't be read: {error}")
            return None
        return frames

    def _write(self, key: str, frames: Frames) -> None:
        if self._folder is None:
            return
        file = self._folder / f"{key}.frames"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            unfinished = file.with_suffix(f".{os.getpid()}.unfinished")
            unfinished.write_bytes(_joined(frames))
            os.replace(unfinished, file)
            self._bound()
        except OSError as error:
            say(f"{file}: outcomes can't be kept here: {error}")

    def _bound(self) -> None:
        """Drop what is of another version or, the longest unused first, too much; the newest answer stays."""
        assert self._folder is not None
        files = sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime_ns, reverse=True)
        total = 0
        for place, file in enumerate(files):
            total += file.stat().st_size
            if place and (total > MAX_BYTES or not file.name.startswith(engine_version())):
                file.unlink(missing_ok=True)


def _seen(targets: pl.DataFrame, scenarios: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Targets and scenarios with only the columns that the engine reads."""
    return (
        targets.select([name for name in ("target_id", "keywords", *TARGET_COLUMNS) if name in targets.columns]),
        scenarios.select([name for name in ("scenario_id", "applies_to", *CONTEXT_FLAGS) if name in scenarios.columns]),
    )


def _key(frames: Frames, rulesets: Mapping[str, RuleSet], options: Mapping[str, Any]) -> str:
    """Give the name of the answer to these questions: the engine's version and a SHA-256 of all that it depends on."""
    rules = {name: {k: _plain(v) for k, v in asdict(each).items()} for name, each in rulesets.items()}
    digest = hashlib.sha256(json.dumps([rules, options], sort_keys=True).encode())
    for name, frame in frames.items():
        content = io.BytesIO()
        frame.rechunk().write_ipc(content)
        digest.update(f"\0{name} {len(content.getvalue())}\0".encode() + content.getvalue())
    return f"{engine_version()}-{digest.hexdigest()}"


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else value


def _joined(frames: Frames) -> bytes:
    """Write frames behind two lines: the SHA-256 of all that follows, and their names with sizes in bytes."""
    parts = []
    for frame in frames.values():
        content = io.BytesIO()
        frame.write_ipc(content, compression="zstd")
        parts.append(content.getvalue())
    sizes = dict(zip(frames, map(len, parts), strict=True))
    body = b"\n".join([json.dumps(sizes).encode(), b"".join(parts)])
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _parsed(content: bytes) -> Frames:
    """Read what ``_joined`` wrote. Raises ValueError for anything else."""
    digest, _, body = content.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise ValueError("damaged")
    sizes, _, rest = body.partition(b"\n")
    frames, start = {}, 0
    for name, size in json.loads(sizes).items():
        frames[name] = pl.read_ipc(io.BytesIO(rest[start : start + size]))
        start += size
    return frames
