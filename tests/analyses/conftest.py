"""What the browser tests share: the system's Chromium and a page of the small warehouse."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from analyses.dashboard import build_dashboard
from tests.analyses.small_warehouse import HOSTILE, LONG, RIGHT_TO_LEFT, small_warehouse
from tests.analyses.visits import Visit

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip("Chromium was not found: install it to test the dashboard in a browser")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("browser")
    return build_dashboard(small_warehouse(folder / "w.duckdb"), folder / "site").as_uri()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    opened = Visit(browser, address)
    yield opened
    opened.context.close()


def _history() -> dict[str, list[dict[str, Any]]]:
    cost = {"unit_id": "u0", "unit_name": "Boyz", "position": 1, "models": 5, "kind": "base"}
    profile = {"unit_id": "u1", "weapon_name": HOSTILE, "attack_type": "ranged", "strength": "4",
               "armour_penetration": -1, "damage": "1", "abilities": HOSTILE, "weapon_profile_id": "w1"}  # fmt: skip
    shot = {"unit_id": "u0", "models": 5, "phase": "shooting", "ruleset": "11e", "expected_damage": 1.0}
    rule = {"kind": "core_ability", "body_sha256": "x"}
    return {
        "history_costs": [
            {**cost, "run_id": "r0", "points": 100}, {**cost, "run_id": "r1", "points": 80},
            {**cost, "run_id": "r0", "unit_id": "u1", "unit_name": "x", "points": 70},
            {**cost, "run_id": "r1", "unit_id": "u1", "unit_name": "x", "points": 75},
            {**cost, "run_id": "r1", "unit_id": "u3", "unit_name": "x", "points": 60},
            {**cost, "run_id": "r0", "unit_id": "gone", "unit_name": HOSTILE, "points": 60},
        ],
        "history_profiles": [{**profile, "run_id": "r0", "attacks": "2"}, {**profile, "run_id": "r1", "attacks": "D6"}],
        "history_efficiency": [
            {**shot, "run_id": run_id, "target_id": target, "points": points, "damage_per_100_points": 100 / points}
            for run_id, points in (("r0", 100), ("r1", 80)) for target in ("heavy-infantry", "battle-tank")
        ],
        "history_rules": [
            {**rule, "run_id": "r0", "rule_id": "a", "title": HOSTILE, "body": f"these models have {HOSTILE}"},
            {**rule, "run_id": "r1", "rule_id": "b", "title": HOSTILE, "body": f"these models have {RIGHT_TO_LEFT}"},
            {**rule, "run_id": "r1", "rule_id": "c", "title": LONG, "body": LONG},
        ],
    }  # fmt: skip


@pytest.fixture(scope="session")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs")
    return build_dashboard(small_warehouse(folder / "w.duckdb", history=_history()), folder / "site").as_uri()
