"""The engine on the default data. Belongs here: its speed and size against a plain Python function and a bare fill."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.goals import Row
from benchmarks.measure import median
from pipelines import engine_frames, matchups
from pipelines.dimensions.assemble import assemble
from pipelines.ingest import ingest
from pipelines.outcome_cache import OutcomeCache
from pipelines.paths import PROJECT
from pipelines.simulation.grid import simulate_grid

SAMPLE = 20_000


def engine() -> list[Row]:
    """The engine on the default data against a plain Python function and against filling the output."""
    dimensions = assemble(ingest([PROJECT / "raw"], community_data=True))
    weapons = engine_frames.weapon_frame(dimensions.frames, None)
    facts: list[matchups.Facts] = []
    rulesets = engine_frames.declared_rulesets()
    seconds = median(
        lambda: facts.append(
            matchups.simulate(dimensions.frames, dimensions.arsenals, weapons, rulesets, OutcomeCache(None))
        )
    )
    targets_frame, scenarios = dimensions.frames["targets"], dimensions.frames["scenarios"]
    grid_seconds = median(lambda: simulate_grid(weapons, targets_frame, scenarios, rulesets))
    count = facts[-1].matchups
    unit_rows, unit_cells = (facts[-1].frames[name].height for name in ("unit_matchups", "unit_cells"))
    sample = weapons.select("attacks", "skill", "strength", "armour_penetration", "damage").head(2000).to_dicts()
    targets = dimensions.frames["targets"].select("toughness", "save").head(SAMPLE // 2000).to_dicts()
    plain = median(lambda: [closed_form(weapon, target) for weapon in sample for target in targets])
    plain_each = plain / (len(sample) * len(targets))
    filling = median(lambda: np.ones((6, count)))
    cells = facts[-1].frames["outcome_cells"].height
    return [
        Row("engine: exact weapon matchups", f"{count:,} ({cells:,} cells, {facts[-1].signatures:,} signatures)"),
        Row("engine: exact matchups of units: archetypes; classes of units", f"{unit_rows:,}; {unit_cells:,}"),
        Row(
            "engine: seconds for weapons; with units and their choice of equipment",
            f"{grid_seconds:.2f}; {seconds:.2f}",
        ),
        Row(
            "engine: weapons, exact, against a plain Python mean of the same matchups",
            f"{plain_each / (grid_seconds / count):,.0f} × faster",
        ),
        Row("engine: weapons, against filling six columns of that length", f"{grid_seconds / filling:.1f} ×"),
        Row("engine: signatures against matchups", f"{count / facts[-1].signatures:,.0f} × fewer"),
    ]


def closed_form(weapon: dict[str, Any], target: dict[str, Any]) -> float:
    """Mean damage without abilities, modifiers and overkill: the least that any calculator does for a matchup."""

    def mean(text: str) -> float:
        dice, _, plus = text.partition("+")
        if "D" not in dice:
            return float(dice)
        number, _, sides = dice.partition("D")
        return int(number or 1) * (int(sides) + 1) / 2 + float(plus or 0)

    strength, toughness = mean(weapon["strength"]), target["toughness"]
    if strength >= 2 * toughness:
        wound = 2
    elif strength > toughness:
        wound = 3
    elif strength == toughness:
        wound = 4
    else:
        wound = 6 if 2 * strength <= toughness else 5
    hit = 1.0 if weapon["skill"] is None else (7 - weapon["skill"]) / 6
    save = min(max(target["save"] - weapon["armour_penetration"], 2), 7)
    return mean(weapon["attacks"]) * hit * (7 - wound) / 6 * (save - 1) / 6 * mean(weapon["damage"])
