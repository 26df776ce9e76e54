"""The page as a file: what is in it, what it may load, and that names from a source stay data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses import dashboard
from analyses.dashboard import build_dashboard, content_security_policy
from pipelines.dimensions.frames import frame
from pipelines.storage.build import UnreadableWarehouseError, create

HOSTILE = "<img src=x onerror=\"window.pwned='unit'\"></script><script>window.pwned='script'</script>"
LONG = "Ancient " * 1250
RIGHT_TO_LEFT = "\u202eמלחמה كتيبة"
LONG_LOADOUT = ", ".join(f"{count} × Shoota of pattern {count}" for count in range(2, 30))
MOMENT = datetime(2026, 11, 30, 12, 0)
NAMES = ("Boyz", HOSTILE, LONG, RIGHT_TO_LEFT, "=HYPERLINK(1)")


def _unit(number: int, name: str, edition: str = "11e") -> dict[str, Any]:
    return {
        "unit_id": f"u{number}",
        "document_id": "d1",
        "name": name,
        "name_source": "dataset",
        "collection": "Orks",
        "faction_id": "orks" if number % 2 == 0 else "hostile",
        "faction": "Orks" if number % 2 == 0 else HOSTILE,
        "edition": edition,
        "source_kind": "community_dataset",
        "canonical_unit_id": f"c{number}",
        "is_preferred": True,
        "stealth": False,
    }


def _outcome(number: int, phase: str, target: str, scenario: str, points: int | None) -> dict[str, Any]:
    """More damage with each number; against the tank only the first unit ever destroys the model."""
    damage = 1 + number * (2 if scenario == "cover" else 3) / 7
    destroyed = damage / 2 if target == "heavy-infantry" else 0.4 * (number == 0)
    return {
        "unit_id": f"u{number}",
        "models": 5,
        "loadout": {0: LONG_LOADOUT, 1: f"5 × {HOSTILE}"}.get(number, "5 × Shoota"),
        "phase": phase,
        "target_id": target,
        "scenario_id": scenario,
        "ruleset": "11e",
        "expected_damage": damage,
        "expected_models_destroyed": destroyed,
        "p_destroy_unit": min(1, 0.01 * number),
        "points": points,
        "damage_per_100_points": None if points is None else 100 * damage / points,
        "points_destroyed_per_100_points": None if points is None else 100 * destroyed * 16 / points,
    }


def small_warehouse(
    path: Path, changes: Mapping[int, dict[str, Any]] | None = None, names: Sequence[str] = NAMES
) -> Path:
    """Five units, two targets, two scenarios of which cover changes something for two units; one unit has no price.

    ``changes`` to unit rows by number; ``names`` of other units, or more.
    """
    units = [{**_unit(number, name), **(changes or {}).get(number, {})} for number, name in enumerate(names)]
    targets = [
        {"target_id": name, "name": f"{name} (T5 3+ W2, 5 models)", "kind": "archetype", "toughness": 5, "save": 3,
         "wounds": 2, "models": 5, "points": 80, "keywords": ["INFANTRY"], "is_simplified": False, "stealth": False}
        for name in ("heavy-infantry", "battle-tank")
    ]  # fmt: skip
    scenarios = [
        {"scenario_id": name, "name": name.title(), "description": name, "half_range": False, "stationary": False,
         "charged": False, "cover": name == "cover", "applies_to": "any"}
        for name in ("plain", "cover")
    ]  # fmt: skip
    outcomes = [
        _outcome(number, phase, target["target_id"], scenario, None if number == 4 else 80 + number)
        for number in range(len(names))
        for phase in ("shooting", "fight")
        for target in targets
        for scenario in ("plain", "cover")
        if scenario == "plain" or (phase == "shooting" and number < 2)
    ]
    profile = {"weapon_profile_id": "w1", "unit_id": "u0", "weapon_name": HOSTILE, "attack_type": "ranged",
               "range_inches": 18, "attacks": "D6", "skill": 5, "strength": "4", "armour_penetration": 0,
               "damage": "1"}  # fmt: skip
    create(
        path,
        {
            "runs": frame("runs", [{"run_id": "r1", "started_at": MOMENT, "finished_at": MOMENT, "code_version": "0", "input_fingerprint": "f", "rows_in": 1, "rows_out": 1}]),  # noqa: E501
            "run_stages": frame("run_stages", [{"run_id": "r1", "stage": "ingest", "seconds": 0.5, "rows": 3}]),
            "gate_results": frame("gate_results", [{"suite": "rules", "expectation": HOSTILE, "table_name": "units", "column_name": "*", "success": False, "observed": "1", "reason": "a test"}]),  # noqa: E501
            "documents": frame("documents", [{"document_id": "d1", "path": HOSTILE, "source_kind": "text_dump", "byte_count": 1, "status": "quarantined"}]),  # noqa: E501
            "factions": frame("factions", [{"faction_id": "orks", "name": "Orks"}, {"faction_id": "hostile", "name": HOSTILE}]),  # noqa: E501
            "units": frame("units", units),
            "unit_keywords": frame("unit_keywords", [{"unit_id": f"u{n}", "keyword": "INFANTRY", "is_faction_keyword": False} for n in range(3)]),  # noqa: E501
            "targets": frame("targets", targets),
            "scenarios": frame("scenarios", scenarios),
            "unit_matchups": frame("unit_matchups", outcomes),
            "weapon_profiles": frame("weapon_profiles", [profile]),
            "stratagems": frame("stratagems", [{"stratagem_id": "s1", "name": HOSTILE, "cp_cost": 1, "type": "Battle Tactic", "is_core": True, "edition": "11e", "effect_text": HOSTILE}]),  # noqa: E501
            "unit_stratagems": frame("unit_stratagems", [{"unit_id": "u0", "stratagem_id": "s1"}]),
        },
    )  # fmt: skip
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dashboard")
    return build_dashboard(small_warehouse(folder / "w.duckdb"), folder / "site")


@pytest.fixture(scope="module")
def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _element(text: str, name: str) -> str:
    found = re.search(rf'<script type="application/octet-stream" id="{name}">([^<]*)</script>', text)
    assert found
    return gzip.decompress(base64.b64decode(found[1])).decode()


def test_one_file_of_modest_size(page: Path) -> None:
    assert page.name == "index.html"
    assert [path.name for path in page.parent.iterdir()] == ["index.html"]
    assert page.stat().st_size < 1_000_000


def test_nothing_is_loaded_from_anywhere(text: str) -> None:
    assert not re.search(r"""(?:src|href|action|srcset)\s*=\s*["']?\s*(?:https?:)?//""", text, re.IGNORECASE)
    assert not re.search(r"@import|url\(", text)
    assert "data:image/svg+xml" in text


def test_the_policy_allows_exactly_the_texts_of_the_page(text: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found
    policy = found[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    script = text.rpartition("<script>")[2].removesuffix("</html>\n")
    script = script[: script.index("</script>")]
    style = text.partition("<style>")[2].partition("</style>")[0]
    for inline in (script, style, _element(text, "library")):
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_policy_names_each_hash() -> None:
    policy = content_security_policy(scripts=("a", "b"), styles=())
    assert policy.count("sha256-") == 2
    assert "img-src data:" in policy


def test_names_stand_in_the_packed_data_only(text: str) -> None:
    assert "pwned" not in text
    assert "Ancient Ancient" not in text
    data = json.loads(_element(text, "data"))
    assert sorted(data["units"]["name"]) == sorted(NAMES)


def test_outcomes_survive_the_packing(text: str) -> None:
    data = json.loads(_element(text, "data"))
    outcomes = data["outcomes"]
    units = []
    for step in outcomes["unit"]:
        units.append(step + (units[-1] if units else 0))
    assert len(units) == 5 * 2 * 2 + 2 * 2
    seen = {
        (data["units"]["name"][unit], outcomes["phase"]["texts"][phase], data["targets"]["id"][target],
         data["scenarios"]["id"][scenario]): damage
        for unit, phase, target, scenario, damage in zip(
            units, outcomes["phase"]["codes"], outcomes["target"], outcomes["scenario"], outcomes["damage"], strict=True
        )
    }  # fmt: skip
    assert seen["Boyz", "fight", "battle-tank", "plain"] == 1
    assert seen[HOSTILE, "shooting", "heavy-infantry", "plain"] == pytest.approx(1 + 3 / 7, rel=1e-4)
    assert seen[HOSTILE, "shooting", "heavy-infantry", "cover"] == pytest.approx(1 + 2 / 7, rel=1e-4)


def test_a_missing_price_stays_missing(text: str) -> None:
    units = json.loads(_element(text, "data"))["units"]
    assert units["points"][units["name"].index("=HYPERLINK(1)")] is None


def test_same_warehouse_same_page(page: Path, tmp_path: Path) -> None:
    warehouse = page.parent.parent / "w.duckdb"
    again = build_dashboard(warehouse, tmp_path)
    assert again.read_bytes() == page.read_bytes()


def test_a_warehouse_without_rows_gives_a_page(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    assert build_dashboard(tmp_path / "w.duckdb", tmp_path / "site").stat().st_size > 100_000


def test_a_file_that_is_no_warehouse_is_named(tmp_path: Path) -> None:
    (tmp_path / "w.duckdb").write_text("not a warehouse")
    with pytest.raises(UnreadableWarehouseError, match=r"w\.duckdb"):
        build_dashboard(tmp_path / "w.duckdb", tmp_path / "site")
    with pytest.raises(UnreadableWarehouseError, match=r"none\.duckdb"):
        build_dashboard(tmp_path / "none.duckdb", tmp_path / "site")
    assert not (tmp_path / "none.duckdb").exists()
    assert not (tmp_path / "site").exists()


def test_a_warehouse_of_another_version_is_named(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("ALTER TABLE run_stages RENAME TO elsewhere")
    with pytest.raises(UnreadableWarehouseError, match="run the pipeline again"):
        build_dashboard(tmp_path / "w.duckdb", tmp_path / "site")


def test_a_script_that_would_end_its_element_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "bad.js").write_text("const x = '</script>';")
    monkeypatch.setattr(dashboard, "PAGE", tmp_path)
    monkeypatch.setattr(dashboard, "SCRIPTS", ("bad.js",))
    with pytest.raises(ValueError, match="end their element"):
        dashboard._script()


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, None), (1.0, 1), (0.123456789, 0.12346), (True, True), ("1", "1"), (1.6e-11, 1.6e-11)],
)
def test_plain_values(value: Any, expected: Any) -> None:
    assert dashboard._plain(value) == expected
