"""The graph of assets, so that a change of it shows in review. Renew: python -m tests.defs.test_graph"""

import json
from pathlib import Path
from typing import Any

from pipelines.definitions import build_defs

SNAPSHOT = Path(__file__).with_name("graph.json")


def graph() -> dict[str, Any]:
    definitions = build_defs()
    resolved = definitions.get_repository_def().asset_graph
    assets = {
        node.key.to_user_string(): {
            "description": node.description,
            "group": node.group_name,
            "parents": sorted(parent.to_user_string() for parent in node.parent_keys),
        }
        for node in resolved.asset_nodes
    }
    checks = sorted(f"{key.asset_key.to_user_string()}: {key.name}" for key in resolved.asset_check_keys)
    jobs = sorted(job.name for job in definitions.get_repository_def().get_all_jobs() if not job.name.startswith("__"))
    return {"assets": assets, "checks": checks, "jobs": jobs}


def test_the_graph_is_the_reviewed_one() -> None:
    assert graph() == json.loads(SNAPSHOT.read_text(encoding="utf-8"))


def test_every_asset_says_what_a_row_is() -> None:
    for name, asset in graph()["assets"].items():
        assert asset["description"].startswith("One row per"), name


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(graph(), indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")
