"""What the engine answered before isn't computed again, and a cache never changes an answer or stops a run."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipelines import engine_frames, matchups, outcome_cache
from pipelines.dimensions.assemble import assemble
from pipelines.outcome_cache import OutcomeCache, engine_version
from pipelines.paths import PROJECT
from pipelines.records import Composition, Cost, Datasheet
from tests.builders import datasheet, document, weapon

PISTOL, FIST = weapon("Pistol", damage="2"), weapon("Fist", attack_type="melee", range_inches=None)


def squad(points: int = 80, **changes: Any) -> Datasheet:
    fields: dict[str, Any] = {
        "costs": (Cost(5, points),),
        "composition": (Composition("Intercessor", 5, 5, ("Bolt rifle", "Fist")),),
        "weapons": (weapon(), FIST),
    }
    return datasheet(**(fields | changes))


def simulated(sheet: Datasheet, engine: OutcomeCache) -> matchups.Facts:
    dimensions = assemble([document(sheet)])
    weapons = engine_frames.weapon_frame(dimensions.frames, None)
    rules = engine_frames.declared_rulesets()
    return matchups.simulate(dimensions.frames, dimensions.arsenals, weapons, rules, engine)


def assert_same(one: matchups.Facts, other: matchups.Facts) -> None:
    assert one.signatures == other.signatures
    for name, frame in one.frames.items():
        assert frame.equals(other.frames[name], null_equal=True), name


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the engine's functions, as often as they are called."""
    calls: list[str] = []

    def counted(name: str) -> None:
        function = getattr(outcome_cache, name)

        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            return function(*arguments, **options)

        monkeypatch.setattr(outcome_cache, name, call)

    counted("simulate_grid")
    counted("simulate_units")
    return calls


def test_new_prices_simulate_nothing(tmp_path: Path, computed: list[str]) -> None:
    simulated(squad(points=80), OutcomeCache(tmp_path))
    assert set(computed) == {"simulate_grid", "simulate_units"}
    computed.clear()
    again = simulated(squad(points=100), OutcomeCache(tmp_path))
    assert computed == []
    assert again.frames["unit_matchups"]["points"].unique().to_list() == [100]
    assert_same(again, simulated(squad(points=100), OutcomeCache(None)))


@pytest.mark.parametrize(
    "changes",
    [
        {"weapons": (weapon(armour_penetration=-2), FIST)},
        {"weapons": (weapon(), PISTOL, FIST)},
        {"edition": "11e"},
    ],
    ids=["a characteristic", "a weapon more", "other rules"],
)
def test_what_dice_see_is_computed_anew(tmp_path: Path, computed: list[str], changes: dict[str, Any]) -> None:
    simulated(squad(), OutcomeCache(tmp_path))
    computed.clear()
    again = simulated(squad(**changes), OutcomeCache(tmp_path))
    assert "simulate_grid" in computed
    assert_same(again, simulated(squad(**changes), OutcomeCache(None)))


def test_another_version_of_the_engine_computes_anew_and_drops_the_old_answers(
    tmp_path: Path, computed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated(squad(), OutcomeCache(tmp_path))
    computed.clear()
    monkeypatch.setattr(outcome_cache, "engine_version", lambda: "next")
    simulated(squad(), OutcomeCache(tmp_path))
    assert set(computed) == {"simulate_grid", "simulate_units"}
    assert all(file.name.startswith("next-") for file in tmp_path.iterdir())


DAMAGE = {
    "cut": lambda content: content[:-100],
    "empty": lambda content: b"",
    "one bit": lambda content: content[:-50] + bytes([content[-50] ^ 1]) + content[-49:],
    "prose": lambda content: b"Dear diary,\n",
    "other names": lambda content: content.replace(b'"rows"', b'"owsr"').replace(b'"cells"', b'"sellc"'),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_said_in_one_line_and_computed_anew(
    tmp_path: Path, computed: list[str], caplog: pytest.LogCaptureFixture, damage: Any
) -> None:
    first = simulated(squad(), OutcomeCache(tmp_path))
    files = sorted(tmp_path.iterdir())
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    computed.clear()
    with caplog.at_level(logging.INFO):
        again = simulated(squad(), OutcomeCache(tmp_path))
    assert len(computed) == len(files)
    said = [record.message for record in caplog.records]
    assert sorted(line.split(": ")[0] for line in said) == [str(file) for file in files]
    assert all("\n" not in line for line in said)
    assert_same(first, again)
    computed.clear()
    simulated(squad(), OutcomeCache(tmp_path))
    assert computed == []


def test_a_folder_that_can_not_be_written_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    with caplog.at_level(logging.INFO):
        simulated(squad(), OutcomeCache(tmp_path / "file" / "outcomes"))
    assert "outcomes can't be kept here" in caplog.text


def test_the_longest_unused_answers_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {f"{engine_version()}-{name}": age for name, age in (("old", 3), ("older", 4), ("young", 2))}
    for name, age in kinds.items():
        (tmp_path / name).write_bytes(bytes(1000))
        os.utime(tmp_path / name, ns=(10**18 - age * 10**9,) * 2)
    simulated(squad(), OutcomeCache(tmp_path))
    answers = [file for file in tmp_path.iterdir() if file.name not in kinds]
    assert len(answers) + len(kinds) == len(list(tmp_path.iterdir()))
    monkeypatch.setattr(outcome_cache, "MAX_BYTES", sum(file.stat().st_size for file in answers) + 2500)
    for file in answers:
        file.unlink()
    simulated(squad(), OutcomeCache(tmp_path))
    assert {file.name.rpartition("-")[2] for file in tmp_path.iterdir() if file.name in kinds} == {"young", "old"}


KEY = """
import polars as pl
from pipelines.engine_frames import declared_rulesets
from pipelines.outcome_cache import _key
print(_key({"x": pl.DataFrame({"a": [["b"], []], "c": [None, 1.5]})}, declared_rulesets(), {"kind": "x"}))
"""


def test_a_key_is_the_same_in_every_process() -> None:
    def key(seed: str) -> str:
        environment = os.environ | {"PYTHONHASHSEED": seed}
        ended = subprocess.run(
            [sys.executable, "-c", KEY], capture_output=True, check=True, env=environment, cwd=PROJECT
        )
        return ended.stdout.decode()

    assert key("1") == key("2")


def test_the_engines_files_are_all_that_it_imports() -> None:
    script = "import sys; import pipelines.simulation.grid, pipelines.simulation.units; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=PROJECT, text=True)
    own = {name for name in ended.stdout.split() if name.startswith(("pipelines.", "warehouse", "analyses"))}
    files = {path for pattern in outcome_cache.ENGINE_FILES for path in PROJECT.glob(pattern)}
    hashed = {".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__") for path in files}
    assert own <= hashed
