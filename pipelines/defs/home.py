"""Dagster's home in the state folder. Belongs here: that folder and its settings; nothing of Dagster is imported."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def prepare_dagster_home(state: Path) -> Path:
    """Dagster's folder in the state folder, with the committed settings; set for this process and its children."""
    home = state.resolve() / "dagster"
    home.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(__file__).with_name("dagster.yaml"), home / "dagster.yaml")
    os.environ["DAGSTER_HOME"] = str(home)
    os.environ["DAGSTER_DISABLE_TELEMETRY"] = "true"
    return home
