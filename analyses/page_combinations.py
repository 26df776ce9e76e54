"""What a detachment's rules and stratagems do together for one attack, as the page gets it.

Belongs here: which units a data file beside the page carries for each detachment, and what detachments without any have
instead. Doesn't: finding the combinations.
"""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from analyses.page_columns import coded, differences, records, scaled
from analyses.page_data import Ledger
from analyses.page_rules import CENTS, SITUATION

MOST_UNITS = 15  # for each detachment, phase and archetype, those that gain most, of Legends and of the others

_BEST = f"""
SELECT c.detachment_id, c.phase, c.opponent_id, c.unit_id, c.cp, c.parts, c.points_lost_without AS lost, c.effect_text,
       c.points_gained AS gained, c.expected_damage AS damage
FROM combinations AS c JOIN (
  SELECT detachment_id, phase, opponent_id, unit_id FROM (
    SELECT *, availability IS NULL AS is_current, row_number() OVER (
      PARTITION BY detachment_id, phase, opponent_id, is_current, cp ORDER BY points_gained DESC, unit_id
    ) AS place
    FROM combinations JOIN units USING (unit_id)
  )
  GROUP BY detachment_id, phase, opponent_id, unit_id, is_current
  QUALIFY min(place) = 1 OR row_number() OVER (
    PARTITION BY detachment_id, phase, opponent_id, is_current ORDER BY max(points_gained) DESC, unit_id
  ) <= {MOST_UNITS}
) AS best USING (detachment_id, phase, opponent_id, unit_id)
ORDER BY c.detachment_id, c.phase, c.opponent_id, c.unit_id, c.cp
"""
# What is compared of a detachment of which nothing is combined.
_MISSING = f"""
SELECT d.detachment_id AS id, d.name, d.faction, d.edition, list_sort(list_distinct(list(
         CASE WHEN r.source_kind = 'enhancement' THEN 'enhancement' WHEN r.side = 'defender' THEN 'defender'
              WHEN x.effect_text LIKE '%mortal wounds: %' THEN 'mortal' ELSE {SITUATION} END
       ) FILTER (x.source_id IS NOT NULL))) AS has
FROM detachments AS d
LEFT JOIN rule_uses AS r USING (detachment_id)
LEFT JOIN (SELECT DISTINCT source_id, side, way, scenario_id, effect_text FROM uplifts) AS x
  ON x.source_id = r.source_id AND x.side = r.side AND x.way = r.way
WHERE d.detachment_id NOT IN (SELECT detachment_id FROM combinations)
GROUP BY ALL ORDER BY d.name, d.faction, d.edition, id
"""


def combinations(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """A row for each detachment, phase, archetype, unit and CP: the parts used together and what each carries.

    ``parts``: the distinct names; ``used``: the distinct sets of them, by place; ``set``: each row's. Points and wounds
    are in hundredths, ``lost`` for each part in turn. ``missing``: detachments without any row, each with what it
    ``has`` that is compared one by one: scenarios, "mortal" wounds beside attacks, for the "defender", "enhancement".
    """
    rows = connection.sql(_BEST).pl()
    for name, ids, key in (
        ("detachment", ledger.detachments["id"], "detachment_id"),
        ("target", ledger.targets["id"], "opponent_id"),
        ("sheet", ledger.sheets["unit_id"], "unit_id"),
    ):
        rows = rows.join(pl.DataFrame({key: ids}).with_row_index(name), on=key)
    rows = rows.sort("detachment", "phase", "target", "sheet", "cp")
    names: dict[str, int] = {}
    used: dict[tuple[int, ...], int] = {}
    sets = [
        used.setdefault(tuple(names.setdefault(part, len(names)) for part in parts), len(used))
        for parts in rows["parts"].to_list()
    ]
    return {
        "cents": CENTS,
        "detachment": differences(rows["detachment"]),
        "phase": coded(rows["phase"]),
        "target": rows["target"].to_list(),
        "sheet": rows["sheet"].to_list(),
        "cp": rows["cp"].to_list(),
        "parts": list(names),
        "used": [list(parts) for parts in used],
        "set": sets,
        "lost": [[round(CENTS * lost) for lost in losses] for losses in rows["lost"].to_list()],
        "effect": coded(rows["effect_text"]),
        "gained": scaled(rows["gained"], CENTS),
        "damage": scaled(rows["damage"], CENTS),
        "missing": [{**row, "has": row["has"] or []} for row in records(connection, _MISSING)],
    }
