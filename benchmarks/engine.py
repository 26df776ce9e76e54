"""How fast the engine is: ratios of times taken in one process, medians of five runs.

Usage: ``python benchmarks/engine.py [WEAPONS [TARGETS]]``. Rows are drawn at random (seeded) from the values that
stand in real profiles; a full export is about 5,100 weapons and 1,100 targets.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from pipelines.simulation.grid import GridResult, simulate_grid
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS
from pipelines.simulation.rulesets import RuleSet

WAREHOUSE = Path(__file__).parents[1] / "warehouse"
RUNS = 5
SAMPLE = 300

_ABILITY = pl.Struct(
    {"ability": pl.String, "value": pl.String, "against_keywords": pl.List(pl.String), "condition": pl.String}
)
_SHARES = {
    "blast": 0.1, "devastating_wounds": 0.09, "twin_linked": 0.09, "ignores_cover": 0.07, "torrent": 0.08,
    "heavy": 0.06, "lethal_hits": 0.05, "lance": 0.01, "indirect_fire": 0.02,
}  # fmt: skip
_VALUES = {"sustained_hits": ("1", "1", "2", "D3"), "rapid_fire": ("1", "2", "3"), "melta": ("2", "2", "4")}


def weapon_frame(count: int) -> pl.DataFrame:
    """Random ranged and melee profiles of the 10th edition."""
    r = random.Random(1)

    def ability(slug: str, value: str | None = None, keywords: tuple[str, ...] = ()) -> dict[str, Any]:
        return {"ability": slug, "value": value, "against_keywords": list(keywords), "condition": None}

    rows = []
    for number in range(count):
        abilities = [ability(slug) for slug, share in _SHARES.items() if r.random() < share]
        abilities += [ability(slug, r.choice(values)) for slug, values in _VALUES.items() if r.random() < 0.08]
        if r.random() < 0.1:
            abilities.append(ability("anti", r.choice("234"), (r.choice(["INFANTRY", "VEHICLE", "MONSTER", "FLY"]),)))
        torrent = any(each["ability"] == "torrent" for each in abilities)
        rows.append(
            {
                "weapon_profile_id": f"weapon {number}",
                "ruleset": "10e",
                "attack_type": r.choice(["ranged", "ranged", "melee"]),
                "attacks": r.choice(["1", "1", "2", "3", "4", "5", "6", "D3", "D6", "D6+1", "D6+3", "2D6", "10"]),
                "strength": str(r.choice([3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14])),
                "damage": r.choice(["1", "1", "1", "2", "2", "3", "D3", "D6", "D6+1", "D6+2"]),
                "skill": None if torrent else r.choice([2, 3, 3, 4, 4, 5]),
                "armour_penetration": -r.choice([0, 0, 1, 1, 2, 3, 4]),
                "abilities": abilities,
            }
        )
    return pl.DataFrame(rows, schema_overrides={"skill": pl.Int64, "abilities": pl.List(_ABILITY)})


def target_frame(count: int) -> pl.DataFrame:
    """Random targets at their smallest size."""
    r = random.Random(2)
    rows = []
    for number in range(count):
        large = r.random() < 0.35
        rows.append(
            {
                "target_id": f"target {number}",
                "toughness": r.choice([8, 9, 10, 11, 12]) if large else r.choice([3, 3, 4, 4, 5, 6]),
                "save": r.choice([2, 3, 3]) if large else r.choice([2, 3, 3, 4, 5, 6]),
                "invulnerable_save": r.choice([None, None, None, 4, 5, 6]),
                "invulnerable_save_scope": None,
                "wounds": r.choice([8, 9, 10, 11, 12, 13, 14, 16, 18, 22])
                if large
                else r.choice([1, 1, 2, 2, 3, 4, 5]),
                "feel_no_pain": r.choice([None] * 12 + [5, 6]),
                "feel_no_pain_scope": None,
                "models": 1 if large else r.choice([1, 1, 3, 5, 5, 10, 10, 20]),
                "keywords": ["VEHICLE" if large else "INFANTRY", *r.choice([[], [], ["FLY"], ["MONSTER"]])],
                "stealth": r.random() < 0.05,
            }
        )
    return pl.DataFrame(
        rows, schema_overrides=dict.fromkeys(["invulnerable_save_scope", "feel_no_pain_scope"], pl.String)
    )


def scenario_frame() -> pl.DataFrame:
    """Give the project's scenarios."""
    unset = dict.fromkeys(("half_range", "stationary", "charged", "cover"), False)
    tables = tomllib.loads((WAREHOUSE / "scenarios.toml").read_text(encoding="utf-8"))
    return pl.DataFrame([unset | {"scenario_id": name} | values for name, values in tables.items()])


def median_seconds(work: Callable[[], Any]) -> float:
    """Time a piece of work ``RUNS`` times."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def expand(grid: GridResult) -> np.ndarray:
    """Fill one output array with a metric of every matchup, from the classes."""
    attacks = grid.attack_classes["attack_class_id"].to_numpy()
    targets = grid.target_classes["target_class_id"].to_numpy()
    cells = grid.cells["outcome_id"].to_numpy().reshape(targets.max() + 1, attacks.max() + 1)
    return grid.outcomes["expected_damage"].to_numpy()[cells][targets][:, attacks]


def main(weapon_count: int, target_count: int) -> None:
    """Print the measures."""
    tables = tomllib.loads((WAREHOUSE / "rulesets.toml").read_text(encoding="utf-8"))
    rulesets = {name: RuleSet.from_mapping(name, values) for name, values in tables.items()}
    weapons, targets, scenarios = weapon_frame(weapon_count), target_frame(target_count), scenario_frame()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grid = simulate_grid(weapons, targets, scenarios, rulesets)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    seconds = median_seconds(lambda: simulate_grid(weapons, targets, scenarios, rulesets))
    matchups = len(grid.attack_classes) * len(targets)
    filling = median_seconds(lambda: expand(grid))
    single = [{"weapon": {"A": "D6", "S": 5, "AP": -1, "D": 2}, "target": {"T": 4, "W": 2, "Sv": 3, "models": 5}}]
    alone = median_seconds(lambda: evaluate(single * SAMPLE, rulesets)) / SAMPLE
    print(f"matchups                      {matchups:12,d}  exact, {len(METRICS)} metrics each")
    print(
        f"class cells                   {len(grid.cells):12,d}  {matchups / len(grid.cells):.0f} x fewer than matchups"
    )
    print(f"signatures                    {grid.signature_count:12,d}  {matchups / grid.signature_count:.0f} x fewer")
    print(f"engine                        {seconds:12.2f}  s, {seconds / matchups * 1e9:.0f} ns a matchup")
    print(f"filling one output array      {filling:12.2f}  s, the engine takes {seconds / filling:.1f} x that")
    print(f"one matchup with its law      {alone * 1e3:12.2f}  ms, {alone / (seconds / matchups):,.0f} x the grid's")
    print(f"memory above the start        {peak:12.0f}  MB")


if __name__ == "__main__":
    main(*(int(value) for value in [*sys.argv[1:], *("5100", "1100")[len(sys.argv) - 1 :]]))
