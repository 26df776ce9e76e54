"""What tests of several folders share: the folder of real material, and one published warehouse of the sample input."""

import fcntl
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from pipelines.cli import main
from pipelines.paths import PROJECT
from pipelines.records import Document
from pipelines.sources.csv_export import read_export

# The same examples on each machine and in each run, and none fails for being slow on a busy one.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real dumps, golden answers and right values, outside the repository."""
    folder = os.environ.get("WARLEDGER_SHARED")
    if not folder:
        pytest.skip("WARLEDGER_SHARED isn't set: it names the folder with dumps/, golden/ and oracle/")
    return Path(folder)


@pytest.fixture(scope="session")
def real_export(shared_dir: Path) -> Callable[[str], Sequence[Document]]:
    """The documents of an export by its folder's name, read once."""

    @cache
    def read(name: str) -> Sequence[Document]:
        folder = shared_dir / "data" / name
        return tuple(read_export(folder, root=folder.parent))

    return read


@dataclass(frozen=True)
class Published:
    """A run of the command on the sample input, with its own places."""

    warehouse: Path
    dashboard: Path


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests keep away from the project's own state folder, warehouse and dashboard."""
    folder = tmp_path_factory.mktemp("state")
    os.environ["WARLEDGER_STATE"] = str(folder / "state")
    os.environ["WARLEDGER_WAREHOUSE"] = str(folder / "warledger.duckdb")
    os.environ["WARLEDGER_DASHBOARD"] = str(folder / "dashboard")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The sample input of raw/ with community data, run once for all tests that only read, in whichever process."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "published"
    warehouse, dashboard = folder / "warehouse.duckdb", folder / "dashboard"
    arguments = ("--raw", str(PROJECT / "raw"), "--warehouse", str(warehouse), "--dashboard", str(dashboard))
    with (shared / "published.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["run", *arguments]) == 0  # the processes that come later find that nothing has changed
    return Published(warehouse, dashboard)
