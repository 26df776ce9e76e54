"""The table of rules is true: each test that it names exists, each module too, and every known ability has a row."""

import ast
import re

import pytest

from pipelines.paths import PROJECT
from pipelines.simulation.profiles import HUNTER
from pipelines.sources.weapon_abilities import KNOWN_ABILITIES

PAGE = (PROJECT / "docs" / "how_we_compute.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| rule ")
]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def named_in_tests() -> set[str]:
    """Names of test functions and of cases, in this project's tests: ``case("name", …)``, ``id="name"``."""
    found = set()
    for path in (PROJECT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.add(node.name)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "case":
                found.update(each.value for each in node.args[:1] if isinstance(each, ast.Constant))
    return found


KNOWN = named_in_tests()
FILES = {
    name
    for path in (PROJECT / "tests").rglob("test_*.py")
    for name in (path.name, path.relative_to(PROJECT).as_posix())
}


def test_the_tables_have_rows() -> None:
    assert len(ROWS) > len(KNOWN_ABILITIES)
    assert {len(row) for row in ROWS} == {6}


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:60] for row in ROWS])
def test_named_tests_and_modules_exist(row: list[str]) -> None:
    *_, modules, tests = row
    assert quoted(tests)
    for name in quoted(tests):
        pattern = re.compile(".*".join(map(re.escape, name.split("…"))))
        assert name in FILES or any(pattern.fullmatch(known) for known in KNOWN), name
    for module in quoted(modules):
        places = [PROJECT / "pipelines" / folder / f"{module}.py" for folder in ("simulation", "")]
        assert any(place.exists() for place in places), module


def test_every_known_ability_has_a_row() -> None:
    named = {name for row in ROWS for name in quoted(row[0])}
    assert sorted((KNOWN_ABILITIES | {HUNTER}) - named) == []
