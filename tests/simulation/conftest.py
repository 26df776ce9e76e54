import json

import polars as pl
import pytest

from pipelines.engine_frames import declared_rulesets
from warehouse import declared


@pytest.fixture(scope="session")
def rulesets():
    return declared_rulesets()


@pytest.fixture(scope="session")
def scenarios():
    unset = dict.fromkeys(("half_range", "long_range", "stationary", "charged", "cover"), False) | {"visible": True}
    rows = [unset | {"scenario_id": name} | values for name, values in declared.scenarios().items()]
    return pl.DataFrame(rows).select("scenario_id", "applies_to", *unset)


@pytest.fixture(scope="session")
def shared_cases(shared_dir):
    def read(name):
        cases = json.loads((shared_dir / name).read_text(encoding="utf-8"))
        return cases if isinstance(cases, list) else cases["cases"]

    return read
