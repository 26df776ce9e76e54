import json
import tomllib
from pathlib import Path

import polars as pl
import pytest

from pipelines.simulation.rulesets import RuleSet

WAREHOUSE = Path(__file__).parents[2] / "warehouse"


@pytest.fixture(scope="session")
def rulesets():
    tables = tomllib.loads((WAREHOUSE / "rulesets.toml").read_text(encoding="utf-8"))
    return {name: RuleSet.from_mapping(name, values) for name, values in tables.items()}


@pytest.fixture(scope="session")
def scenarios():
    tables = tomllib.loads((WAREHOUSE / "scenarios.toml").read_text(encoding="utf-8"))
    unset = dict.fromkeys(("half_range", "stationary", "charged", "cover"), False)
    rows = [unset | {"scenario_id": name} | values for name, values in tables.items()]
    return pl.DataFrame(rows).select("scenario_id", "applies_to", *unset)


@pytest.fixture(scope="session")
def shared_cases(shared_dir):
    def read(name):
        cases = json.loads((shared_dir / name).read_text(encoding="utf-8"))
        return cases if isinstance(cases, list) else cases["cases"]

    return read
