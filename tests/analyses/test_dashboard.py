"""The page as a file: what is in it, what it may load, and that names from a source stay data."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import duckdb
import pytest

from analyses import dashboard
from analyses.dashboard import build_dashboard, content_security_policy, dashboard_files, stamp_of
from pipelines.storage.build import UnreadableWarehouseError, create
from tests.analyses.small_warehouse import HOSTILE, NAMES, small_warehouse


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


def test_one_page_of_modest_size_and_its_data_files(page: Path) -> None:
    assert page.name == "index.html"
    written = sorted(path for path in page.parent.rglob("*") if path.is_file())
    assert written == sorted(dashboard_files(page.parent))
    assert page.stat().st_size < 1_000_000


def test_a_data_file_is_one_call_without_names(page: Path, text: str) -> None:
    stamps = json.loads(_element(text, "data"))["files"]
    files = [path for path in dashboard_files(page.parent) if path.suffix == ".js"]
    assert sorted(path.stem for path in files) == sorted(stamps)
    for path in files:
        found = re.fullmatch(
            r'warledgerData\("(\w+)", "([0-9a-f]{16})"((?:, "[A-Za-z0-9+/=]+")+)\);\n', path.read_text(encoding="utf-8")
        )
        assert found
        assert (found[1], found[2]) == (path.stem, stamps[path.stem])
        parts = re.findall(r'"([^"]+)"', found[3])
        assert found[2] == stamp_of(parts)
        assert all(gzip.decompress(base64.b64decode(part)) for part in parts)


def test_nothing_is_loaded_from_anywhere(text: str) -> None:
    assert not re.search(r"""(?:src|href|action|srcset)\s*=\s*["']?\s*(?:https?:)?//""", text, re.IGNORECASE)
    assert not re.search(r"@import|url\(", text)
    assert "data:image/svg+xml" in text


def test_the_policy_allows_exactly_the_texts_of_the_page(text: str) -> None:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found
    policy = found[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'; script-src 'self' 'sha256-")
    assert policy.count("'self'") == 1
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
    assert "'self'" not in policy
    assert "img-src data:" in policy


def test_names_stand_in_the_packed_data_only(text: str) -> None:
    assert "pwned" not in text
    assert all("pwned" in _element(text, part) for part in ("data", "details"))
    assert "Ancient Ancient" not in text
    data = json.loads(_element(text, "data"))
    assert sorted(data["sheets"]["name"]) == sorted(NAMES)


def test_outcomes_survive_the_packing(text: str) -> None:
    data = json.loads(_element(text, "data"))
    outcomes = data["outcomes"]
    units = []
    for step in outcomes["unit"]:
        units.append(step + (units[-1] if units else 0))
    assert len(units) == 5 * 2 * 2 + 2 * 2
    names = [data["sheets"]["name"][sheet] for sheet in data["units"]["sheet"]]
    seen = {
        (names[unit], outcomes["phase"]["texts"][phase], data["targets"]["id"][target],
         data["scenarios"]["id"][scenario]): damage
        for unit, phase, target, scenario, damage in zip(
            units, outcomes["phase"]["codes"], outcomes["target"], outcomes["scenario"], outcomes["damage"], strict=True
        )
    }  # fmt: skip
    assert seen["Boyz", "fight", "battle-tank", "plain"] == 1
    assert seen[HOSTILE, "shooting", "heavy-infantry", "plain"] == pytest.approx(1 + 3 / 7, rel=1e-4)
    assert seen[HOSTILE, "shooting", "heavy-infantry", "cover"] == pytest.approx(1 + 2 / 7, rel=1e-4)


def test_a_missing_price_stays_missing(text: str) -> None:
    data = json.loads(_element(text, "data"))
    sheet = data["sheets"]["name"].index("=HYPERLINK(1)")
    assert data["units"]["points"][data["units"]["sheet"].index(sheet)] is None


def test_same_warehouse_same_page(page: Path, tmp_path: Path) -> None:
    warehouse = page.parent.parent / "w.duckdb"
    again = build_dashboard(warehouse, tmp_path)
    for first, second in zip(dashboard_files(page.parent), dashboard_files(again.parent), strict=True):
        assert first.read_bytes() == second.read_bytes()


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
