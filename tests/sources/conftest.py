import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real dumps and golden answers, outside the repository."""
    folder = os.environ.get("WARLEDGER_SHARED")
    if not folder:
        pytest.skip("WARLEDGER_SHARED isn't set: it names the folder with dumps/ and golden/")
    return Path(folder)
