"""The best that rules do together within some command points, and how many combinations are looked at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl
import pytest

from pipelines.engine_frames import declared_rulesets, weapon_frame
from pipelines.outcome_cache import OutcomeCache
from pipelines.worth import combinations
from pipelines.worth.applied import NOTHING, Effect
from pipelines.worth.combinations import MAX_CHOICES, Part, combined
from pipelines.worth.uplifts import uplifts

from .world import HOME, archetype, effect, stratagem, unit, weapon, world

Row = dict[str, Any]
HIT, WOUND, MORE = Effect(hit_mod=1), Effect(wound_mod=1), Effect(attacks_bonus=1)
FOOT = archetype("foot", save=5, wounds=2, models=5, points=100)
SQUAD = unit("Squad", weapon(attacks="2", armour_penetration=-1, count=4), models=4)


def ways(*parts: Part, budget: int = 3) -> list[tuple[tuple[int, ...], int]]:
    """Ways and cost of each combination."""
    return [(each.ways, each.cost) for each in combined(parts, budget)]


def test_all_that_the_budget_allows() -> None:
    parts = Part(0, "a", 1, HIT), Part(1, "b", 2, WOUND), Part(2, "c", 1, MORE)
    assert sorted(ways(*parts)) == [((0,), 1), ((0, 1), 3), ((0, 2), 2), ((1,), 2), ((1, 2), 3), ((2,), 1)]
    assert sorted(ways(*parts, budget=1)) == [((0,), 1), ((2,), 1)]
    assert ways(*parts, budget=0) == []


def test_one_way_of_each_source_and_the_cheapest_of_equals() -> None:
    assert sorted(ways(Part(0, "a", 1, HIT), Part(1, "a", 1, WOUND))) == [((0,), 1), ((1,), 1)]
    assert ways(Part(0, "a", 2, HIT), Part(1, "b", 1, HIT), budget=2) == [((1,), 1)]
    assert ways(Part(0, "a", 1, NOTHING)) == []


def test_without_a_part_the_others_are_left() -> None:
    both = next(each for each in combined([Part(0, "a", 1, HIT), Part(1, "b", 1, WOUND)]) if len(each.ways) == 2)
    assert both.effect == Effect(hit_mod=1, wound_mod=1)
    assert both.without == (WOUND, HIT)


def test_sources_beyond_the_bound_are_not_combined() -> None:
    free = [Part(number, f"s{number}", 0, Effect(strength_bonus=2**number)) for number in range(60)]
    found = combined(free)
    assert len(found) == MAX_CHOICES - 1
    assert {way for each in found for way in each.ways} == set(range(6))


def computed(*rules: Row, units: Iterable[Row] = (SQUAD,)) -> dict[str, pl.DataFrame]:
    frames = world(units, [FOOT], detachments=[HOME], stratagems=rules)
    return uplifts(frames, weapon_frame(frames, None), declared_rulesets(), OutcomeCache(None))


def test_the_best_for_each_number_of_cp_and_what_each_part_carries() -> None:
    aim, push = effect("roll_mod", "hit", "+1"), effect("stat_mod", "S", "+1")
    found = computed(stratagem("aim", aim), stratagem("push", push), stratagem("late", push, cp_cost=2))
    rows = {row["cp"]: row for row in found["combinations"].to_dicts()}
    single = {row["source_id"]: row["points_gained"] for row in found["uplifts"].to_dicts()}
    assert sorted(rows) == [1, 2]  # whatever 3 CP buy does no more
    assert rows[1]["points_gained"] == pytest.approx(max(single.values()))
    both = rows[2]
    assert both["source_ids"] == ["aim", "push"]
    assert both["points_lost_without"] == pytest.approx(
        [both["points_gained"] - single["push"], both["points_gained"] - single["aim"]]
    )
    assert both["points_gained_per_cp"] == pytest.approx(both["points_gained"] / 2)
    assert both["effect_text"] == "hit roll +1; Strength +1"


def test_what_rules_do_for_nothing_is_not_counted_for_the_points_spent() -> None:
    aim, push = effect("roll_mod", "hit", "+1"), effect("stat_mod", "S", "+1")
    found = computed(stratagem("free", aim, cp_cost=0), stratagem("paid", push, cp_cost=2))
    free, paid = sorted(found["combinations"].to_dicts(), key=lambda row: row["cp"])
    assert (free["parts"], paid["parts"]) == (["free"], ["free", "paid"])
    assert free["points_gained_per_cp"] is None
    assert paid["points_gained_per_cp"] == pytest.approx((paid["points_gained"] - free["points_gained"]) / 2)
    assert paid["points_gained_per_cp"] == pytest.approx(paid["points_lost_without"][1] / 2)


def test_units_beyond_the_bound_have_no_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    guns = weapon(attacks="2")
    rule, units = stratagem("aim", effect("roll_mod", "hit", "+1")), [unit(name, guns) for name in ("A", "B", "C")]
    assert sorted(computed(rule, units=units)["combinations"]["unit_id"]) == ["A", "B", "C"]
    monkeypatch.setattr(combinations, "MAX_OPEN", 2)
    found = computed(rule, units=units)
    assert found["combinations"].height == 2
    assert found["uplifts"].height == 3
