"""Damage per point that moved between two runs, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from analyses import page_efficiency
from pipelines.storage.build import connect
from tests.analyses.small_warehouse import small_warehouse

TARGETS = ("heavy-infantry", "battle-tank")


def _row(run_id: str, points: int | None = 100, damage: float = 2.0, **more: Any) -> dict[str, Any]:
    usual = {"unit_id": "u0", "models": 5, "phase": "shooting", "target_id": TARGETS[0], "ruleset": "11e"}
    per_point = None if points is None else 100 * damage / points
    return {
        **usual, "run_id": run_id, "points": points, "expected_damage": damage, "damage_per_100_points": per_point,
        **more,
    }  # fmt: skip


def _moved(path: Path, rows: Sequence[dict[str, Any]], weapons: Sequence[str] = ()) -> dict[str, Any]:
    warehouse = small_warehouse(path / "w.duckdb", history={"history_efficiency": rows})
    with connect(warehouse) as connection:
        return page_efficiency.efficiency(connection, "r0", "r1", weapons)


def test_an_earlier_run_without_efficiency_is_said_to_have_none(tmp_path: Path) -> None:
    moved = _moved(tmp_path, [_row("r1")])
    assert (moved["known"], moved["total"], moved["rows"]) == (False, 0, [])


@pytest.mark.parametrize("damage", [2.0, 2.008])
def test_less_than_half_a_per_cent_is_no_move(tmp_path: Path, damage: float) -> None:
    moved = _moved(tmp_path, [_row("r0"), _row("r1", damage=damage)])
    assert (moved["known"], moved["total"]) == (True, 0)


def test_a_new_price_moves_both_phases_alike(tmp_path: Path) -> None:
    rows = [
        _row(run, points, phase=phase, target_id=target)
        for run, points in (("r0", 100), ("r1", 80))
        for phase, target in (("shooting", TARGETS[0]), ("fight", TARGETS[0]), ("fight", TARGETS[1]))
    ]
    moved = _moved(tmp_path, rows)
    (row,) = moved["rows"]
    assert (row["phase"], row["causes"], row["points_before"], row["points_now"]) == ("all", ["points"], 100, 80)
    assert row["change"] == [0.25, 0.25]
    assert row["mean_change"] == pytest.approx(0.25)
    assert moved["targets"] == list(TARGETS)
    assert (moved["total"], moved["units"]) == (1, 1)


@pytest.mark.parametrize(
    ("after", "weapons", "causes"),
    [
        ({"damage": 3.0}, ["u0"], ["weapons"]),
        ({"damage": 3.0}, [], ["equipment"]),
        ({"damage": 3.0, "points": 120}, [], ["points", "equipment"]),
        ({"damage": 3.0, "models": 6, "points": 120}, [], ["points", "size"]),
        ({"damage": 3.0, "ruleset": "10e"}, [], ["rules"]),
    ],
)
def test_why_it_moved(tmp_path: Path, after: dict[str, Any], weapons: list[str], causes: list[str]) -> None:
    (row,) = _moved(tmp_path, [_row("r0"), _row("r1", **after)], weapons)["rows"]
    assert row["causes"] == causes
    assert row["phase"] == "shooting"


def test_the_mean_is_of_ratios_and_leaves_out_what_takes_nothing_off(tmp_path: Path) -> None:
    rows = [
        _row("r0", target_id=TARGETS[0], damage=1.0), _row("r1", target_id=TARGETS[0], damage=4.0),
        _row("r0", target_id=TARGETS[1], damage=0.0), _row("r1", target_id=TARGETS[1], damage=1.0),
    ]  # fmt: skip
    (row,) = _moved(tmp_path, rows)["rows"]
    assert row["change"] == [3, None]
    assert row["mean_change"] == pytest.approx(3)


def test_what_has_no_price_or_no_other_side_is_left_out(tmp_path: Path) -> None:
    rows = [
        _row("r0", None), _row("r1", 80), _row("r0", unit_id="gone"), _row("r1", unit_id="u1"),
        _row("r0", unit_id="u2", damage=1.0), _row("r1", unit_id="u2"),
    ]  # fmt: skip
    assert [row["unit_id"] for row in _moved(tmp_path, rows)["rows"]] == ["u2"]


def test_the_most_moved_come_first_and_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_efficiency, "MOST_ROWS", 2)
    factors = {"u0": 1.1, "u1": 0.4, "u2": 1.5}
    rows = [_row("r0", unit_id=unit_id) for unit_id in factors]
    rows += [_row("r1", unit_id=unit_id, damage=2 * factor) for unit_id, factor in factors.items()]
    moved = _moved(tmp_path, rows)
    assert [row["unit_id"] for row in moved["rows"]] == ["u1", "u2"]
    assert (moved["total"], moved["units"]) == (3, 3)
