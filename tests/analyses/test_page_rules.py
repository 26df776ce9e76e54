"""What rules add, alone and together, and what lasts, as the page gets them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import duckdb
import pytest

from analyses.page_combinations import MOST_UNITS, combinations
from analyses.page_data import Ledger, page_data, read_ledger
from analyses.page_durability import durability
from analyses.page_rules import MOST_OWNERS, MOST_RULES, MOST_USERS, rules
from pipelines.storage.build import connect, create
from tests.analyses.small_rules import COMBINATIONS, HOSTILE, RULE_USES, UPLIFTS
from tests.analyses.small_warehouse import small_warehouse


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(small_warehouse(tmp_path_factory.mktemp("rules") / "w.duckdb")) as opened:
        yield opened


@pytest.fixture(scope="module")
def ledger(connection: duckdb.DuckDBPyConnection) -> Ledger:
    return read_ledger(connection)


def _texts(coded: dict[str, Any]) -> list[str | None]:
    return [None if code < 0 else coded["texts"][code] for code in coded["codes"]]


def _groups(found: dict[str, Any], ledger: Ledger) -> dict[tuple[str, str, int, str, int], list[tuple[str, Any, Any]]]:
    """For each source, side, way, phase and opponent: each user's id, gain and bar."""
    uses, groups, rows = found["uses"], found["groups"], found["rows"]
    ids = ledger.sheets["unit_id"].to_list()
    users = list(zip((ids[sheet] for sheet in rows["sheet"]), rows["gained"], rows["bar"], strict=True))
    ends = list(accumulate(groups["rows"]))
    sides, phases = _texts(uses["side"]), _texts(groups["phase"])
    return {
        (uses["source"][use], str(sides[use]), uses["way"][use], str(phases[place]), groups["opponent"][place]):
            users[end - count : end]
        for place, (use, end, count) in enumerate(zip(accumulate(groups["use"]), ends, groups["rows"], strict=True))
    }  # fmt: skip


def _crowd(rule_count: int, unit_count: int) -> dict[str, list[dict[str, Any]]]:
    """Stratagems that every unit may use, each worth more than the one before, and to each unit more."""
    usual = RULE_USES[1]
    uses = [{**usual, "source_id": f"r{rule}", "name": f"Rule {rule}"} for rule in range(rule_count)]
    gains = [
        {**UPLIFTS[0], "source_id": f"r{rule}", "unit_id": f"u{unit}", "points_gained": 100.0 * rule + unit}
        for rule in range(rule_count)
        for unit in range(unit_count)
    ]
    together = [
        {**COMBINATIONS[0], "unit_id": f"u{unit}", "cp": cp, "points_gained": float(unit + cp)}
        for unit in range(unit_count)
        for cp in (1, 2)
    ]
    return {"rule_uses": uses, "uplifts": gains, "combinations": together}


def test_users_stand_by_their_rule_and_opponent_the_best_first(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger
) -> None:
    found = rules(connection, ledger)
    groups = _groups(found, ledger)
    infantry, tank = 0, 1
    shot = groups["s1", "attacker", 1, "shooting", infantry]
    assert shot == [("u0", 1000, None), ("u1", 400, None), ("u4", None, None)]
    assert groups["s1", "attacker", 1, "fight", infantry] == [("u0", 3000, None)]
    assert groups["s1", "attacker", 1, "shooting", tank] == [("u0", -125, None)]
    assert groups["s2", "attacker", 2, "shooting", infantry] == [("u2", 1650, None)]
    attackers = ledger.attackers["id"].to_list()
    assert attackers == ["rifles", "blades"]
    assert groups["s2", "defender", 1, "shooting", attackers.index("rifles")] == [("u0", 700, None)]
    assert groups["s2", "defender", 1, "fight", attackers.index("blades")] == [("u0", 900, None)]
    assert len(groups) == 9
    first = list(groups).index(("s1", "attacker", 1, "shooting", infantry))
    assert [found["groups"][name][first] for name in ("users", "mean", "alike")] == [3, 700, 1]


def test_what_is_paid_in_points_has_a_bar(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    """Two wounds of 8 points each for 80 points of the unit: 20 points' worth for 100."""
    groups = _groups(rules(connection, ledger), ledger)
    assert groups["e1", "attacker", 1, "shooting", 0] == [("u0", 1000, 2000), ("u1", 100, 2000)]
    assert groups["u3", "attacker", 1, "shooting", 0] == [("u0", 830, 2000)]


def test_a_use_has_its_cost_its_owner_and_what_is_assumed(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger
) -> None:
    uses = rules(connection, ledger)["uses"]
    assert "s9" not in uses["source"]
    assert sorted(set(uses["source"])) == ["e1", "s1", "s2", "u3"]
    hostile = uses["source"].index("s1")
    assert (uses["assumes"][hostile], uses["left_out"][hostile]) == ([HOSTILE], [HOSTILE])
    assert (_texts(uses["name"])[hostile], _texts(uses["detachment"])[hostile]) == (HOSTILE, "d2")
    assert (uses["cost"][hostile], _texts(uses["cost_kind"])[hostile]) == (1, "cp")
    assert _texts(uses["faction"])[hostile] is None
    leads = dict(zip(uses["source"], uses["sheet"], strict=True))
    assert ledger.sheets["unit_id"][leads["u3"]] == "u3"
    assert [leads[source] for source in ("e1", "s1", "s2")] == [-1, -1, -1]


def test_many_users_are_bounded_and_counted(tmp_path: Path) -> None:
    """Of the least rules only the best users are carried; of each unit its best rules stay."""
    rule_count, unit_count = MOST_RULES + 1, MOST_UNITS + 3
    names = [f"Unit {unit}" for unit in range(unit_count)]
    path = small_warehouse(tmp_path / "w.duckdb", names=names, rules=_crowd(rule_count, unit_count))
    with connect(path) as connection:
        ledger = read_ledger(connection)
        found = rules(connection, ledger)
        groups = _groups(found, ledger)
        together = combinations(connection, ledger)
    assert found["groups"]["users"] == [unit_count] * rule_count
    assert found["groups"]["mean"] == [round(100 * (100 * rule + (unit_count - 1) / 2)) for rule in range(rule_count)]
    least = groups["r0", "attacker", 1, "shooting", 0]
    assert [user for user, *_ in least] == [f"u{unit_count - 1 - place}" for place in range(MOST_USERS)]
    assert all(len(groups[f"r{rule}", "attacker", 1, "shooting", 0]) == unit_count for rule in range(1, rule_count))
    kept = {ledger.sheets["unit_id"][sheet] for sheet in together["sheet"]}
    assert kept == {f"u{unit}" for unit in range(unit_count - MOST_UNITS, unit_count)}
    assert len(together["sheet"]) == 2 * MOST_UNITS


def test_a_combination_has_its_parts_and_what_each_carries(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger
) -> None:
    found = combinations(connection, ledger)
    ids = ledger.sheets["unit_id"].to_list()
    rows = {
        (ids[sheet], cp): ([found["parts"][part] for part in found["used"][used]], lost, gained, damage)
        for sheet, cp, used, lost, gained, damage in zip(
            *(found[name] for name in ("sheet", "cp", "set", "lost", "gained", "damage")), strict=True
        )
    }
    assert rows == {
        ("u0", 1): (["Charge"], [600], 600, 275),
        ("u0", 2): (["Charge", HOSTILE], [325, 550], 1000, 325),
        ("u1", 1): (["Charge"], [700], 700, 288),
    }
    detachments = ledger.detachments["id"].to_list()
    assert sorted(detachments) == ["d1", "d2"]
    assert [detachments[place] for place in accumulate(found["detachment"])] == ["d1"] * 3
    assert [(one["id"], one["has"]) for one in found["missing"]] == [("d2", ["plain"]), ("d3", [])]


def test_durability_of_each_attacker_and_the_median(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> None:
    """20 rifles of 65 points for ten: 130 points, 162.5 for each 100 of 80; 16 blades: 160 points, 200."""
    found = durability(connection, ledger)
    assert [ledger.sheets["unit_id"][sheet] for sheet in found["sheet"]] == ["u0"]
    assert (found["models"], found["points"], found["median"]) == ([5], [80], [181])
    assert found["by_attacker"] == {
        "weapons": [[20], [16]], "damage": [[150], [150]], "destroyed": [[50], [50]], "p": [[0.25], [0.25]],
    }  # fmt: skip


def test_the_page_knows_attackers_detachments_and_coverage(
    connection: duckdb.DuckDBPyConnection, ledger: Ledger
) -> None:
    data = page_data(connection, ledger)
    assert [one["name"] for one in data["attackers"]] == ["Rifles (S4 AP0 D1)", "Blades (S5 AP-1 D1)"]
    assert [one["id"] for one in data["detachments"]] == ["d2", "d1"]
    covered = {
        (one["kind"], one["faction"]): (one["about_damage"], one["modelled"], one["partly"]) for one in data["coverage"]
    }
    assert covered == {
        ("ability", "Orks"): (1, 0, 1), ("stratagem", "Orks"): (1, 1, 0), ("stratagem", HOSTILE): (1, 0, 0),
    }  # fmt: skip


def test_a_warehouse_without_rows_has_none(tmp_path: Path) -> None:
    create(tmp_path / "w.duckdb", {})
    with connect(tmp_path / "w.duckdb") as connection:
        ledger = read_ledger(connection)
        assert rules(connection, ledger)["rows"]["sheet"] == []
        assert combinations(connection, ledger)["sheet"] == []
        assert durability(connection, ledger)["by_attacker"] == {"weapons": [], "damage": [], "destroyed": [], "p": []}


def _abilities(*owners: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Abilities of one name, each of other units."""
    usual = {**RULE_USES[1], "source_kind": "ability", "name": "Song", "cost_kind": "none", "cost": None}
    uses = [{**usual, "source_id": f"a{place}", "owners": names} for place, names in enumerate(owners)]
    return {"rule_uses": uses, "uplifts": [{**UPLIFTS[0], "source_id": use["source_id"]} for use in uses]}


def test_abilities_of_one_name_have_the_units_that_tell_them_apart(tmp_path: Path) -> None:
    names = [f"Unit {unit}" for unit in range(MOST_OWNERS + 2)]
    path = small_warehouse(tmp_path / "w.duckdb", rules=_abilities([HOSTILE], names, []))
    with connect(path) as connection:
        uses = rules(connection, read_ledger(connection))["uses"]
    assert _texts(uses["owners"]) == [HOSTILE, f"{', '.join(names[:MOST_OWNERS])}, 2 more", None]


def test_mortal_wounds_have_the_attack_of_the_unit_as_their_bar(tmp_path: Path) -> None:
    """By u1 1 + 3/7 wounds of 8 points, for 80 points of it; by what has no attack none."""
    [bought] = [use for use in RULE_USES if use["source_id"] == "e1"]
    bolt = {**UPLIFTS[9], "effect_text": "mortal wounds: 3", "expected_damage_without": 0.0}
    gains = [{**bolt, "unit_id": "u1"}, {**bolt, "unit_id": "u1", "phase": "charge"}]
    path = small_warehouse(tmp_path / "w.duckdb", rules={"rule_uses": [bought], "uplifts": gains})
    with connect(path) as connection:
        ledger = read_ledger(connection)
        groups = _groups(rules(connection, ledger), ledger)
    bars = {phase: bar for (_, _, _, phase, _), [(_, _, bar)] in groups.items()}
    assert bars == {"shooting": round(100 * 100 * (1 + 3 / 7) * 8 / 80), "charge": 0}


@pytest.mark.parametrize(
    ("effect", "scenario", "situation"),
    [
        ("hit roll +1", "plain", "plain"),
        ("AP better by 1; ignores cover", "cover", "cover"),
        ("no cover", "plain", "cover"),
        ("Big Plan: ignores cover; no cover", "plain", "cover"),
        ("cover; invulnerable save 6+", "cover", "open"),
        ("Stealth; cover", "cover", "open"),
        ("lance", "charged", "charged"),
    ],
)
def test_a_gain_has_the_situation_in_which_it_is_compared(
    tmp_path: Path, effect: str, scenario: str, situation: str
) -> None:
    gains = [{**UPLIFTS[0], "effect_text": effect, "scenario_id": scenario}]
    path = small_warehouse(tmp_path / "w.duckdb", rules={"uplifts": gains})
    with connect(path) as connection:
        found = rules(connection, read_ledger(connection))
    assert [found["situations"][code] for code in found["rows"]["effect"]["codes"]] == [situation]
    assert found["rows"]["effect"]["texts"] == [effect]


def test_users_that_gain_the_same_are_counted_without_legends(tmp_path: Path) -> None:
    """Of three units two gain 10, the last less; a fourth, of Legends, gains 10 too, a fifth more."""
    gained = (10.0, 10.001, 9.0, 10.0, 12.0)
    legends = {unit: {"availability": "legends"} for unit in (3, 4)}
    gains = [{**UPLIFTS[0], "unit_id": f"u{unit}", "points_gained": points} for unit, points in enumerate(gained)]
    path = small_warehouse(tmp_path / "w.duckdb", legends, rules={"uplifts": gains})
    with connect(path) as connection:
        groups = rules(connection, read_ledger(connection))["groups"]
    assert (groups["users"], groups["alike"], groups["rows"]) == ([3], [2], [5])


def test_legends_take_no_place_of_others(tmp_path: Path) -> None:
    """Of the least rule the best are carried, of Legends, which all gain more, and of the others."""
    each = MOST_USERS + 1
    legends = {unit: {"availability": "legends"} for unit in range(each, 2 * each)}
    names = [f"Unit {unit}" for unit in range(2 * each)]
    path = small_warehouse(tmp_path / "w.duckdb", legends, names=names, rules=_crowd(MOST_RULES + 1, 2 * each))
    with connect(path) as connection:
        ledger = read_ledger(connection)
        groups = _groups(rules(connection, ledger), ledger)
    least = [user for user, *_ in groups["r0", "attacker", 1, "shooting", 0]]
    assert least == [f"u{unit}" for unit in range(2 * each - 1, -1, -1) if unit not in (0, each)]


def test_the_best_for_each_cp_is_carried(tmp_path: Path) -> None:
    """One unit gains most for 1 CP, though many gain more for 2."""
    unit_count = MOST_UNITS + 2
    dear = [{**COMBINATIONS[0], "unit_id": f"u{unit}", "cp": 2, "points_gained": 50.0} for unit in range(1, unit_count)]
    cheap = [{**COMBINATIONS[0], "unit_id": "u0", "cp": 1, "points_gained": 20.0}]
    names = [f"Unit {unit}" for unit in range(unit_count)]
    path = small_warehouse(tmp_path / "w.duckdb", names=names, rules={"combinations": [*dear, *cheap]})
    with connect(path) as connection:
        ledger = read_ledger(connection)
        found = combinations(connection, ledger)
    carried = [(ledger.sheets["unit_id"][sheet], cp) for sheet, cp in zip(found["sheet"], found["cp"], strict=True)]
    assert len(carried) == MOST_UNITS + 1
    assert ("u0", 1) in carried


def test_a_detachment_without_a_combination_says_what_is_compared_of_it(tmp_path: Path) -> None:
    uses = [{**use, "detachment_id": "d2"} for use in RULE_USES if use["source_id"] != "u3"]
    said = {"s1": {"scenario_id": "charged", "effect_text": "lance"}, "s2": {"effect_text": "mortal wounds: D3"}}
    gains = [{**row, **said.get(row["source_id"], {})} for row in UPLIFTS if row["source_id"] != "u3"]
    rows = {"combinations": COMBINATIONS, "rule_uses": uses, "uplifts": gains}
    with connect(small_warehouse(tmp_path / "w.duckdb", rules=rows)) as connection:
        missing = combinations(connection, read_ledger(connection))["missing"]
    assert {one["id"]: one["has"] for one in missing} == {
        "d2": ["charged", "defender", "enhancement", "mortal"], "d3": [],
    }  # fmt: skip
