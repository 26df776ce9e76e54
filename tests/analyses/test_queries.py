"""Answers to the questions of ``analyses/queries``: each runs, and says what it is about without a look elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analyses.reports import questions, run_reports
from tests.analyses.small_rules import RULE_USES, UPLIFTS
from tests.analyses.small_warehouse import small_warehouse


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    run_reports(small_warehouse(folder / "w.duckdb"), folder)
    return folder


def rows(folder: Path, question: str) -> list[dict[str, Any]]:
    return pl.read_parquet(folder / f"{question}.parquet").to_dicts()


@pytest.mark.parametrize("question", [question.name for question in questions()])
def test_an_answer_is_the_same_as_table_and_as_text(answers: Path, question: str) -> None:
    table = pl.read_parquet(answers / f"{question}.parquet")
    text = pl.read_csv(answers / f"{question}.csv", infer_schema=False)
    assert (text.columns, text.height) == (table.columns, table.height)


def test_rules_of_one_name_tell_whose_they_are(tmp_path: Path) -> None:
    """Of every army, and of two detachments."""
    owners = [
        ("c", None, None, "Core"),
        ("h", "d1", "Orks", "War Horde"),
        ("k", "d3", "Orks", "Without a compared rule"),
    ]
    uses, gains, stratagems = [], [], []
    for key, detachment_id, faction, detachment in owners:
        uses.append(
            RULE_USES[1] | {"source_id": key, "detachment_id": detachment_id, "faction": faction, "name": "Armour"}
        )
        gains.append(UPLIFTS[0] | {"source_id": key})
        stratagems.append(
            {"stratagem_id": key, "name": "Armour", "cp_cost": 1, "edition": "11e",
             "detachment": detachment, "is_core": detachment_id is None, "type": "Battle Tactic"}
        )  # fmt: skip
    rules = {"rule_uses": uses, "uplifts": gains, "stratagems": stratagems, "unit_stratagems": ()}
    run_reports(small_warehouse(tmp_path / "w.duckdb", rules=rules), tmp_path)
    found = [(row["faction"], row["detachment"]) for row in rows(tmp_path, "best_stratagems")]
    assert found == [("every faction", "Core"), ("Orks", "War Horde"), ("Orks", "Without a compared rule")]


def test_an_enhancement_has_its_detachment(answers: Path) -> None:
    [owner] = {(row["faction"], row["detachment"]) for row in rows(answers, "best_enhancements")}
    assert owner == ("Orks", "War Horde")


def test_a_leader_tells_what_it_does_and_with_which_weapons(answers: Path) -> None:
    [row] = rows(answers, "best_leaders")
    assert (row["leader"], row["unit"]) == ("A leader", "Boyz")
    assert row["effect_text"] == "its own weapons; Big Plan: hit roll +1"
    assert row["leader_weapons"] == "5 × Shoota"


def test_a_defending_leader_adds_no_weapons(tmp_path: Path) -> None:
    leads, gains = RULE_USES[-1], UPLIFTS[-1]
    wall = {"side": "defender", "opponent_id": "rifles", "effect_text": "Wall: save better by 1"}
    rules = {"rule_uses": [leads | {"side": "defender"}], "uplifts": [gains | wall]}
    run_reports(small_warehouse(tmp_path / "w.duckdb", rules=rules), tmp_path)
    [row] = rows(tmp_path, "best_leaders")
    assert (row["effect_text"], row["leader_weapons"]) == ("Wall: save better by 1", None)


def test_the_bar_of_mortal_wounds_is_the_attack_of_the_unit(tmp_path: Path) -> None:
    """Without the rule nothing is suffered by it, though u1 shoots: 1 + 3/7 wounds of 8 points, for 80 points of it."""
    [bought] = [use for use in RULE_USES if use["source_id"] == "e1"]
    bolt = {"effect_text": "mortal wounds: 3", "expected_damage_without": 0.0, "unit_id": "u1"}
    gained = [row | bolt for row in UPLIFTS if row["source_id"] == "e1"][:1]
    run_reports(small_warehouse(tmp_path / "w.duckdb", rules={"rule_uses": [bought], "uplifts": gained}), tmp_path)
    [row] = rows(tmp_path, "best_enhancements")
    assert row["unit_per_100_points"] == pytest.approx(100 * (1 + 3 / 7) * 8 / 80)


def test_what_is_not_hazardous_does_nothing_to_its_own_unit(answers: Path) -> None:
    for question in ("best_units_per_point", "best_weapons_by_activation"):
        found = {row["hazardous_mortal_wounds"] for row in rows(answers, question)}
        assert found == {0.0}


def test_units_without_known_equipment_stand_once_with_their_sizes(tmp_path: Path) -> None:
    usual = {"phase": "shooting", "position": 0, "reason": "the equipment is unknown"}
    unknown = [{**usual, "unit_id": "u1", "models": 10}, {**usual, "unit_id": "u1", "models": 5}]
    rules = {"unit_loadouts": [*unknown, {**usual, "unit_id": "u0", "reason": "the composition is unknown"}]}
    run_reports(small_warehouse(tmp_path / "w.duckdb", rules=rules), tmp_path)
    found = [(row["reason"], row["sizes"]) for row in rows(tmp_path, "unknown_equipment")]
    assert found == [("the composition is unknown", None), ("the equipment is unknown", "5, 10")]


def test_each_stratagem_of_a_unit_stands_once_though_several_sheets_describe_it(tmp_path: Path) -> None:
    listed = [{"unit_id": unit, "stratagem_id": "s1"} for unit in ("u0", "u1")]
    path = small_warehouse(
        tmp_path / "w.duckdb", changes={1: {"is_preferred": False}}, rules={"unit_stratagems": listed}
    )
    run_reports(path, tmp_path)
    assert [row["unit"] for row in rows(tmp_path, "stratagems_by_unit")] == ["Boyz"]
