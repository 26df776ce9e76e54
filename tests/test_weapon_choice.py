"""Which weapons are used: against an enumeration that shares nothing with it, with ties, rivals and unseen targets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import polars as pl
import pytest

from pipelines import weapon_choice
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import GridResult
from pipelines.weapon_choice import uses

Rows = list[dict[str, Any]]
TARGETS = pl.DataFrame({"target_id": ["t0", "t1", "t2"]})
SCENARIOS = pl.DataFrame({"scenario_id": ["plain", "cover", "unseen"], "visible": [True, True, False]})


def grid_of(damage: dict[tuple[str, str], tuple[float, ...]]) -> GridResult:
    """A grid of what each profile does to each target in a scenario; each row a class, each target two classes on."""
    numbers = {key: number for number, key in enumerate(damage)}
    classes = pl.DataFrame(
        [(profile, scenario, "10e", number) for (profile, scenario), number in numbers.items()],
        schema=["weapon_profile_id", "scenario_id", "ruleset", "attack_class_id"],
        orient="row",
    )
    cells = pl.DataFrame(
        [(number, 2 * target) for number in numbers.values() for target in range(len(TARGETS))],
        schema=["attack_class_id", "target_class_id"],
        orient="row",
    ).with_columns(outcome_id=pl.int_range(pl.len()))
    outcomes = pl.DataFrame({"expected_damage": [float(d) for key in numbers for d in damage[key]]})
    return GridResult(
        classes,
        TARGETS.with_columns(target_class_id=pl.Series([0, 2, 4])),
        cells,
        outcomes.with_row_index("outcome_id").cast({"outcome_id": pl.Int64}),
        LawBook(),
        0,
    )


def choice(profile: str, **changes: Any) -> dict[str, Any]:
    usual = {"bearer": "b", "unit": "b", "phase": "shooting", "slot": 0, "option": 0, "weapon": 0, "position": 1,
             "weapon_profile_id": profile, "count": 1, "die": None, "die_faces": None}  # fmt: skip
    return usual | changes


def frame(rows: Rows) -> pl.DataFrame:
    types = {"bearer": pl.String, "unit": pl.String, "phase": pl.String, "weapon_profile_id": pl.String,
             "die": pl.String}  # fmt: skip
    return pl.DataFrame(
        {name: pl.Series([row[name] for row in rows], dtype=types.get(name, pl.Int64)) for name in choice("x")}
    )


def found(rows: Rows, grid: GridResult) -> set[tuple[str, frozenset[tuple[str, int]]]]:
    """The uses by bearer and phase, as sets of profiles with their counts."""
    variants, _ = uses(frame(rows), TARGETS, SCENARIOS, grid)
    by_name = variants.group_by("variant", "phase", "bearer").agg("weapon_profile_id", "count")
    return {
        (f"{row['bearer']} {row['phase']}", frozenset(zip(row["weapon_profile_id"], row["count"], strict=True)))
        for row in by_name.iter_rows(named=True)
    }


def enumerated(
    rows: Rows, damage: dict[tuple[str, str], tuple[float, ...]]
) -> set[tuple[str, frozenset[tuple[str, int]]]]:
    """The same by trying every use of every bearer against each target in each scenario."""
    result = set()
    for unit, phase in {(row["unit"], row["phase"]) for row in rows}:
        own = [row for row in rows if (row["unit"], row["phase"]) == (unit, phase)]
        for scenario, visible in SCENARIOS.iter_rows():
            for target in range(len(TARGETS)):
                best: list[tuple[float, str, Rows]] = []
                for bearer in dict.fromkeys(row["bearer"] for row in own):
                    carried = [row for row in own if row["bearer"] == bearer]
                    if not any((row["weapon_profile_id"], scenario) in damage for row in carried):
                        continue
                    able = [
                        (row, figures[target] * row["count"] * (row["die_faces"] or 6) / 6)
                        for row in carried
                        if (figures := _figures(row["weapon_profile_id"], scenario, damage, visible=visible))
                    ]
                    best += [(sum(d for _, d in use), bearer, [row for row, _ in use]) for use in _uses(able)]
                if best:
                    top = max(total for total, *_ in best)
                    [(_, bearer, use)] = [each for each in best if each[0] == top]
                    counted: dict[str, int] = {}
                    for row in use:
                        counted[row["weapon_profile_id"]] = counted.get(row["weapon_profile_id"], 0) + row["count"]
                    result.add((f"{bearer} {phase}", frozenset(counted.items())))
    return result


def _figures(
    profile: str, scenario: str, damage: dict[tuple[str, str], tuple[float, ...]], *, visible: bool
) -> tuple[float, ...] | None:
    return damage.get((profile, scenario), damage[profile, "plain"] if visible else None)


def _uses(able: list[tuple[dict[str, Any], float]]) -> Iterator[list[tuple[dict[str, Any], float]]]:
    """Every use: of each slot an option, of each of its weapons a profile, or all that a die chooses among."""
    slots = []
    for slot in sorted({row["slot"] for row, _ in able}):
        ways = []
        for option in sorted({row["option"] for row, _ in able if row["slot"] == slot}):
            weapons = []
            here = [each for each in able if (each[0]["slot"], each[0]["option"]) == (slot, option)]
            for weapon in sorted({row["weapon"] for row, _ in here}):
                profiles = [each for each in here if each[0]["weapon"] == weapon]
                weapons.append([profiles] if profiles[0][0]["die"] else [[each] for each in profiles])
            ways += [[each for part in parts for each in part] for parts in product(*weapons)]
        slots.append(ways)
    for parts in product(*slots):
        yield [each for part in parts for each in part]


@pytest.mark.parametrize("rivals", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_what_promises_most_is_used(seed: int, rivals: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weapon_choice, "MAX_CELLS", 30)  # several batches
    r = random.Random(seed)
    profiles = [f"p{number}" for number in range(14)]
    damage = {
        (profile, scenario): tuple(r.random() for _ in range(len(TARGETS)))
        for profile in profiles
        for scenario in SCENARIOS["scenario_id"]
        if scenario == "plain" or r.random() < 0.4
    }
    rows: Rows = []
    for unit, bearer, phase in product(range(3), range(2), ("shooting", "fight")):
        for slot in range(r.choice([1, 2, 3])):
            for option, weapon in product(range(r.choice([1, 2])), range(r.choice([1, 2]))):
                die = f"d{slot} {option} {weapon}" if r.random() < 0.2 else None
                for _ in range(r.choice([1, 1, 2, 3])):
                    name = f"u{unit} {bearer}"
                    rows.append(choice(
                        r.choice(profiles), bearer=name, unit=f"u{unit}" if rivals else name, phase=phase, slot=slot,
                        option=option, weapon=weapon, count=r.choice([1, 2, 5]), die=die,
                        die_faces=r.choice([1, 3]) if die else None, position=len(rows),
                    ))  # fmt: skip
    distinct = {(row["bearer"], row["phase"], row["slot"], row["weapon_profile_id"]): row for row in rows}
    rows = list(distinct.values())  # else options would be equal
    assert found(rows, grid_of(damage)) == enumerated(rows, damage)


def test_both_of_two_equal_profiles_are_in_question() -> None:
    """Alone they do the same; beside other weapons one may waste less."""
    grid = grid_of({(profile, "plain"): (1.0, 1.0 + 1e-15, 1.0) for profile in ("focused", "saturation", "third")})
    rows = [choice("focused"), choice("saturation", position=2)]
    assert found(rows, grid) == {
        ("b shooting", frozenset({("focused", 1)})),
        ("b shooting", frozenset({("saturation", 1)})),
    }
    # Of equal bearers the first is enough: what it uses is the same.
    rivals = [choice("focused", bearer=bearer, unit="u") for bearer in ("z", "a")]
    assert found(rivals, grid) == {("z shooting", frozenset({("focused", 1)}))}


def test_a_profile_in_several_slots_stands_at_its_first_place() -> None:
    grid = grid_of({("p", "plain"): (1, 1, 1), ("q", "plain"): (2, 2, 2)})
    rows = [choice("q", slot=1, position=2), choice("p", slot=2, position=3, count=4), choice("p", slot=0, position=1)]
    variants, attacks = uses(frame(rows), TARGETS, SCENARIOS, grid)
    assert variants.select("variant", "weapon_profile_id", "position", "count").rows() == [
        ("b:5xp+1xq", "p", 1, 5),
        ("b:5xp+1xq", "q", 2, 1),
    ]
    assert attacks.rows() == [("b", "shooting", "plain")]


def test_a_weapon_that_only_cover_changes_attacks_there_and_only_indirect_fire_at_what_is_unseen() -> None:
    grid = grid_of(
        {
            ("gun", "plain"): (3, 3, 3),
            ("gun", "cover"): (1, 1, 1),
            ("mortar", "plain"): (2, 2, 2),
            ("mortar", "unseen"): (1, 1, 1),
        }
    )
    rows = [choice("gun", weapon=0), choice("mortar", weapon=0, position=2)]
    assert {next(iter(use))[0] for _, use in found(rows, grid)} == {"gun", "mortar"}
    _, attacks = uses(frame(rows), TARGETS, SCENARIOS, grid)
    assert attacks["scenario_id"].to_list() == ["plain", "cover", "unseen"]
    assert found(rows[:1], grid) == {("b shooting", frozenset({("gun", 1)}))}


def test_no_choices_no_uses() -> None:
    variants, attacks = uses(frame([]), TARGETS, SCENARIOS, grid_of({("p", "plain"): (1, 1, 1)}))
    assert variants.is_empty()
    assert attacks.is_empty()
    assert variants.columns[:3] == ["variant", "bearer", "phase"]
