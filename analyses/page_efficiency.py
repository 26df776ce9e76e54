"""Which units' damage per point moved between two published runs, by how much against which archetype, and why.

Belongs here: comparing the efficiency that two runs published. Doesn't: prices, profiles and texts that changed, which
are in ``page_changes.py``.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import duckdb

from analyses.page_columns import plain

MOST_ROWS = 1000
LEAST_MOVE = 0.005  # a change of damage per point or of damage that counts as one

_KNOWN = "SELECT count(*) > 0 FROM history_efficiency WHERE run_id = $before"
_TARGETS = "SELECT target_id FROM targets WHERE kind = 'archetype' ORDER BY rowid"
_MOVED = f"""
WITH sides AS (
  SELECT a.unit_id, a.phase, a.target_id, b.points AS points_before, a.points AS points_now,
         b.models AS models_before, a.models AS models_now, b.ruleset <> a.ruleset AS other_rules,
         b.expected_damage AS damage_before, a.expected_damage AS damage_now,
         b.damage_per_100_points AS before, a.damage_per_100_points AS now
  FROM history_efficiency AS b JOIN history_efficiency AS a USING (unit_id, phase, target_id)
  WHERE b.run_id = $before AND a.run_id = $after AND b.points IS NOT NULL AND a.points IS NOT NULL
),
moved AS (
  SELECT unit_id, phase, min(points_before) AS points_before, min(points_now) AS points_now,
         min(models_before) AS models_before, min(models_now) AS models_now,
         bool_or(points_before <> points_now) AS other_points, bool_or(other_rules) AS other_rules,
         bool_or(abs(damage_now - damage_before) > {LEAST_MOVE} * greatest(damage_now, damage_before)) AS other_damage,
         avg(ln(now / before)) FILTER (now > 0 AND before > 0) AS mean_step,
         map(list(target_id), list(CASE WHEN now > 0 AND before > 0 THEN now / before - 1 END)) AS change
  FROM sides GROUP BY unit_id, phase
  HAVING bool_or(abs(now - before) > {LEAST_MOVE} * greatest(now, before))
)
SELECT m.unit_id, u.name AS unit, u.faction, u.edition, m.phase, m.points_before, m.points_now, m.models_before,
       m.models_now, m.other_points, m.other_rules, m.other_damage, exp(m.mean_step) - 1 AS mean_change, m.change
FROM moved AS m JOIN units AS u USING (unit_id)
ORDER BY abs(m.mean_step) DESC NULLS LAST, unit, m.unit_id, m.phase
"""


def efficiency(
    connection: duckdb.DuckDBPyConnection, before: str, after: str, other_weapons: Collection[str]
) -> dict[str, Any]:
    """What moved from one run to another, the most first, a row for each unit and phase; one for both where only the
    price moved, which moves them alike.

    ``other_weapons``: units whose weapon profiles differ. ``known``: whether the earlier run kept its efficiency;
    ``total`` rows of so many ``units``, of which ``rows`` has the first; ``targets``: the archetypes of each row's
    ``change``, the share by which damage per point moved, None where either side takes nothing off.
    """
    [(known,)] = connection.execute(_KNOWN, {"before": before}).fetchall()
    targets = [target_id for (target_id,) in connection.execute(_TARGETS).fetchall()]
    answer = connection.execute(_MOVED, {"before": before, "after": after})
    names = [column[0] for column in answer.description or ()]
    found = [_row(dict(zip(names, row, strict=True)), targets, other_weapons) for row in answer.fetchall()]
    rows = _merged(found)
    return {
        "known": known,
        "total": len(rows),
        "targets": targets,
        "units": len({row["unit_id"] for row in rows}),
        "rows": rows[:MOST_ROWS],
    }


def _row(row: dict[str, Any], targets: list[str], other_weapons: Collection[str]) -> dict[str, Any]:
    """A row with why it moved, as far as the histories tell, and its changes in the order of the targets."""
    change = row.pop("change")
    causes = {
        "points": row.pop("other_points"),
        "size": row["models_before"] != row["models_now"],
        "rules": row.pop("other_rules"),
        "weapons": row["unit_id"] in other_weapons,
    }
    found = [cause for cause, holds in causes.items() if holds]
    if row.pop("other_damage") and not set(found) - {"points"}:
        found.append("equipment")
    return {
        **row,
        "mean_change": plain(row["mean_change"]),
        "causes": found,
        "change": [plain(change.get(one)) for one in targets],
    }


def _merged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a unit whose price alone moved become one, of phase ``all``."""
    kept: dict[Any, dict[str, Any]] = {}
    for row in rows:
        by_price = row["causes"] == ["points"]
        key = (row["unit_id"], row["points_before"], row["points_now"], None if by_price else row["phase"])
        if by_price and key in kept:
            change = zip(kept[key]["change"], row["change"], strict=True)
            kept[key] |= {"phase": "all", "change": [there if here is None else here for here, there in change]}
        else:
            kept[key] = row
    return list(kept.values())
