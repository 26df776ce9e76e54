"""Breaks one rule of the engine at a time and shows that the rule tests notice: ``python -m tests.simulation.mutants``.

``mutations.toml`` lists what is broken. Each mutation replaces one text in a temporary copy of the package; the tree
itself is never touched. The tests of this folder run against the copy until the first fails, without the shared
folder: cases of ours and the rational reference on random matchups. The Monte Carlo and the properties stand aside, so
that they don't hide a missing exact case. Exit code 1: a mutant survived, a mutation no longer applies (its text isn't
there exactly as often as stated), or the tests fail on the unbroken copy. Words as arguments choose mutations by rule.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipelines.paths import PROJECT

from .test_quick_rules import VARIABLE, write_answers

COPIED = ("pipelines", "warehouse", "tests/simulation", "tests/__init__.py", "tests/conftest.py", "pyproject.toml")
MUTATED = ("pipelines/simulation/*.py", "warehouse/rulesets.toml")
SECOND_OPINION = {"monte_carlo.py", "rolls.py", "casualties.py"}
QUICK_TESTS = (
    "tests/simulation/test_simulation_matchup.py::test_closed_form",
    "tests/simulation/test_quick_rules.py",
    "tests/simulation/test_simulation_profiles.py",
    "tests/simulation/test_simulation_grid.py",
    "tests/simulation/test_simulation_activations.py",
    "tests/simulation/test_simulation_passages.py",
)
TIMEOUT_SECONDS = 600
_PASSED, _FAILED = 0, 1


class NoVerdictError(Exception):
    """The tests could not say anything about a copy: the mutation doesn't apply, or nothing could be run."""


@dataclass(frozen=True)
class Mutation:
    """``text`` becomes ``replacement``; the text stands ``of`` times in the mutated files, the ``nth`` is replaced."""

    rule: str
    text: str
    replacement: str
    nth: int = 1
    of: int = 1

    def apply(self, root: Path) -> None:
        """Break the copy under ``root``. Raises NoVerdictError where the text isn't there as often as stated."""
        files = {path: path.read_text(encoding="utf-8") for path in mutated_files(root)}
        sought = re.compile(re.escape(self.text))
        places = [(path, match.start()) for path, text in files.items() for match in sought.finditer(text)]
        if len(places) != self.of or self.text == self.replacement:
            raise NoVerdictError(f"no longer applies: {self.text!r} stands {len(places)} times, not {self.of}")
        path, start = places[self.nth - 1]
        text = files[path]
        path.write_text(text[:start] + self.replacement + text[start + len(self.text) :], encoding="utf-8")


def mutations() -> list[Mutation]:
    """All declared mutations."""
    with (Path(__file__).parent / "mutations.toml").open("rb") as file:
        return [Mutation(**fields) for fields in tomllib.load(file)["mutation"]]


def mutated_files(root: Path) -> list[Path]:
    """The files of a copy that mutations may break, in a fixed order."""
    found = [path for pattern in MUTATED for path in sorted(root.glob(pattern))]
    return [path for path in found if path.name not in SECOND_OPINION]


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the package and its rule tests that may be broken."""
    with tempfile.TemporaryDirectory(prefix="warledger-mutant-") as folder:
        root = Path(folder)
        for name in COPIED:
            source, destination = PROJECT / name, root / name
            if source.is_dir():
                shutil.copytree(source, destination, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                destination.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, destination)
        yield root


@cache
def answers() -> str:
    """The exact answers that ``test_quick_rules`` compares with, worked out by the references once a process."""
    with tempfile.TemporaryDirectory(prefix="warledger-answers-") as folder:
        path = Path(folder) / "answers.json"
        write_answers(path)
        return path.read_text(encoding="utf-8")


def first_failure(mutation: Mutation | None, tests: Sequence[str] = QUICK_TESTS) -> str | None:
    """The first test that fails on a copy with this mutation, None where all pass.

    Raises NoVerdictError where the mutation doesn't apply, or the tests don't run, which proves nothing.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("WARLEDGER_", "PYTEST"))}
    with copied() as root:
        if mutation:
            mutation.apply(root)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-rfE", "-p", "no:cacheprovider", "--tb=no", *tests]
        environment |= {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", VARIABLE: str(root / "answers.json")}
        if tests == QUICK_TESTS:
            (root / "answers.json").write_text(answers(), encoding="utf-8")
        try:
            run = subprocess.run(
                command, cwd=root, env=environment, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise NoVerdictError(f"no answer in {TIMEOUT_SECONDS} s") from None
    if run.returncode == _PASSED:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) \S*::(\S+)", run.stdout, re.MULTILINE)
    if run.returncode != _FAILED or not failed:
        raise NoVerdictError(f"the tests didn't run: {(run.stdout + run.stderr).strip()[-300:]}")
    return failed[1]


def main(words: Sequence[str], tests: Sequence[str] = QUICK_TESTS) -> int:
    """Try the mutations and print a line for each; 1 where one isn't noticed or proves nothing."""
    chosen = [mutation for mutation in mutations() if not words or any(word in mutation.rule for word in words)]
    if not chosen:
        print("no such mutation")
        return 1
    try:
        broken = first_failure(None, tests)
    except NoVerdictError as error:
        broken = str(error)
    if broken:
        print(f"the unbroken engine fails: {broken}")
        return 1
    noticed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutation, (verdict, good) in zip(chosen, pool.map(lambda each: _verdict(each, tests), chosen), strict=True):
            noticed += good
            said = "noticed " if good else "NO PROOF" if verdict else "SURVIVED"
            print(f"{said}  {mutation.rule}: {verdict}", flush=True)
    print(f"{noticed} of {len(chosen)} mutants noticed")
    return int(noticed < len(chosen))


def _verdict(mutation: Mutation, tests: Sequence[str]) -> tuple[str, bool]:
    try:
        failure = first_failure(mutation, tests)
    except NoVerdictError as error:
        return str(error), False
    return failure or "", failure is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
