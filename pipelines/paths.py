"""Where things lie. Belongs here: default places and the environment variables that move them; nothing is opened."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
STATE = PROJECT / ".warledger"


@dataclass(frozen=True, slots=True)
class Places:
    """The folders and files of a run."""

    raw: tuple[Path, ...]
    warehouse: Path
    dashboard: Path
    state: Path

    @property
    def document_cache(self) -> Path:
        """The file that keeps parsed documents from run to run."""
        return self.state / "documents.sqlite"

    @property
    def outcome_cache(self) -> Path:
        """The folder that keeps the engine's answers from run to run."""
        return self.state / "outcomes"


def places(
    raw: tuple[Path, ...] = (),
    warehouse: Path | None = None,
    dashboard: Path | None = None,
    state: Path | None = None,
) -> Places:
    """Options first, then ``WARLEDGER_RAW``, ``_WAREHOUSE``, ``_DASHBOARD``, ``_STATE``, then the defaults."""
    return Places(
        raw=raw or (_from_environment("WARLEDGER_RAW", PROJECT / "raw"),),
        warehouse=warehouse or _from_environment("WARLEDGER_WAREHOUSE", PROJECT / "warehouse" / "warledger.duckdb"),
        dashboard=dashboard or _from_environment("WARLEDGER_DASHBOARD", PROJECT / "analyses" / "dashboard"),
        state=state or _from_environment("WARLEDGER_STATE", STATE),
    )


def _from_environment(name: str, default: Path) -> Path:
    value = os.environ.get(name)
    return Path(value) if value else default
