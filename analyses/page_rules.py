"""What each rule adds to the units that may use it, as the page's views of rules get it.

Belongs here: which uses, opponents and users a data file beside the page carries. Doesn't: computing what a rule adds,
and what rules add together (``page_combinations.py``).

Carried are, for each way to use a rule, phase and opponent, the users that gain most, Legends beside the others, and
for each unit the rules of each kind that add most to it; counts and means are over all users.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import polars as pl

from analyses.page_columns import coded, differences, scaled
from analyses.page_data import Ledger
from pipelines.worth.applied import Effect, in_words

MOST_USERS = 8  # for each way, phase and opponent, of Legends and of the others
MOST_RULES = 3  # for each unit, side, kind, phase and opponent
MOST_TEXTS = 20  # assumptions, or effects left out, of one way
MOST_OWNERS = 2  # named of those that have an ability
CENTS = 100  # gains travel in hundredths of a point: they are shown in tenths, and divided by prices above 10

_USES = """
SELECT source_id, side, way, source_kind AS kind, name, label, assumes, left_out, detachment_id, owners, faction,
       edition, cost_kind, cost,
       row_number() OVER (ORDER BY source_kind, name, edition, source_id, side, way) - 1 AS use
FROM rule_uses WHERE has_users ORDER BY use
"""
# ``alike``: of the users counted, those that gain as much as the first of them, to the cent.
_GROUPS = f"""
SELECT l.source_id, l.side, l.way, l.phase, l.opponent_id, l.units, l.mean_points_gained AS mean,
       count(*) FILTER (round({CENTS} * x.points_gained) = round({CENTS} * l.most_points_gained)
                        AND (u.availability IS NULL) = l.are_current) AS alike
FROM uplift_leaders AS l
JOIN uplifts AS x USING (source_id, side, way, phase, opponent_id) JOIN units AS u ON u.unit_id = x.unit_id
GROUP BY ALL
"""
# Where the attacks of uplifts AS x take place: in the scenario in which the rule counts; what grants cover is compared
# with the open.
SITUATION = f"""
CASE WHEN regexp_matches(x.effect_text, '(^|[;:] ){in_words(Effect(cover_granted=True))}(;|$)') THEN 'open'
     WHEN regexp_matches(x.effect_text, '(^|[;:] ){in_words(Effect(cover_denied=True))}(;|$)') THEN 'cover'
     ELSE x.scenario_id END
"""
# The bar of what is paid in points: what the unit itself does for as many points of its own price. Mortal wounds beside
# attacks are compared with none of them, so theirs is the unit's attack, if it has one.
_USERS = f"""
WITH carried AS (
  SELECT x.*, r.cost_kind FROM uplifts AS x JOIN rule_uses AS r USING (source_id, side, way) JOIN units USING (unit_id)
  QUALIFY row_number() OVER (
    PARTITION BY x.source_id, x.side, x.way, x.phase, x.opponent_id, availability IS NULL
    ORDER BY x.points_gained DESC NULLS LAST, x.unit_id
  ) <= {MOST_USERS} OR (x.points_gained > 0 AND row_number() OVER (
    PARTITION BY x.unit_id, x.side, r.source_kind, x.phase, x.opponent_id
    ORDER BY x.points_gained DESC NULLS LAST, x.source_id, x.way
  ) <= {MOST_RULES})
)
SELECT x.source_id, x.side, x.way, x.phase, x.opponent_id, x.unit_id, x.points_gained AS gained,
       x.effect_text AS effect,
       {SITUATION} AS situation,
       CASE WHEN x.side = 'attacker' AND x.cost_kind = 'points'
            THEN 100 * coalesce(nullif(x.expected_damage_without, 0), m.expected_damage, 0)
                 * t.points / (t.models * t.wounds) / p.points END AS bar
FROM carried AS x
LEFT JOIN (SELECT unit_id, models, min(points) AS points FROM unit_loadouts GROUP BY ALL) AS p
  ON p.unit_id = x.unit_id AND p.models = x.models
LEFT JOIN targets AS t ON t.target_id = x.opponent_id
LEFT JOIN unit_matchups AS m ON m.unit_id = x.unit_id AND m.models = x.models AND m.phase = x.phase AND m.is_best
  AND m.target_id = x.opponent_id AND m.scenario_id = 'plain'
"""
_KEY = ["source_id", "side", "way"]
_GROUP = ["use", "phase", "opponent"]


def rules(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """Ways to use rules, what they add for each phase and opponent, and the users carried.

    ``uses``: columns of each way; ``sheet`` is that of a leader, else -1; ``owners``: who has an ability. ``groups``:
    for each way, phase and opponent (an archetype, or for the defender an attacker, by place) the number and the mean
    of all users, how many of them gain as much as the first, and how many ``rows`` it has: each a user with its gain
    and its bar in hundredths of a point, the most first. ``situations``: of each text of ``effect`` the scenario in
    which it is compared; "open": what grants cover, in the open without it.
    """
    uses = connection.sql(_USES).pl()
    opponents = pl.concat(
        one.select(pl.lit(side).alias("side"), pl.col("id").alias("opponent_id")).with_row_index("opponent")
        for side, one in (("attacker", ledger.targets), ("defender", ledger.attackers))
    )
    placed = ledger.sheets.select("unit_id", "sheet")
    rows = (
        connection.sql(_USERS).pl()
        .join(uses.select("use", *_KEY), on=_KEY)
        .join(opponents, on=["side", "opponent_id"])
        .join(placed, on="unit_id")
        .sort(*_GROUP, "gained", "sheet", descending=[False, False, False, True, False], nulls_last=True)
    )  # fmt: skip
    effects = rows.select("effect", "situation").unique(maintain_order=True).with_row_index("code")
    carried = rows.group_by(*_GROUP).agg(rows=pl.len())
    groups = (
        connection.sql(_GROUPS).pl()
        .join(uses.select("use", *_KEY), on=_KEY)
        .join(opponents, on=["side", "opponent_id"])
        .join(carried, on=_GROUP)
        .sort(*_GROUP)
    )  # fmt: skip
    return {
        "cents": CENTS,
        "uses": _uses(uses, ledger),
        "groups": {
            "use": differences(groups["use"]),
            "phase": coded(groups["phase"]),
            "opponent": groups["opponent"].to_list(),
            "users": groups["units"].to_list(),
            "mean": scaled(groups["mean"], CENTS),
            "alike": groups["alike"].to_list(),
            "rows": groups["rows"].to_list(),
        },
        "rows": {
            "sheet": rows["sheet"].to_list(),
            "gained": scaled(rows["gained"], CENTS),
            "bar": scaled(rows["bar"], CENTS),
            "effect": {
                "texts": effects["effect"].to_list(),
                "codes": rows.join(effects, on=["effect", "situation"], how="left", maintain_order="left")[
                    "code"
                ].to_list(),
            },
        },
        "situations": effects["situation"].to_list(),
    }


def _uses(uses: pl.DataFrame, ledger: Ledger) -> dict[str, Any]:
    places = ledger.places
    leads = zip(uses["source_id"], uses["kind"], strict=True)
    return {
        "source": uses["source_id"].to_list(),
        "way": uses["way"].to_list(),
        "cost": uses["cost"].to_list(),
        **{name: coded(uses[name]) for name in ("side", "kind", "name", "label", "faction", "edition", "cost_kind")},
        "detachment": coded(uses["detachment_id"]),
        "owners": coded(pl.Series([_owners(names) for names in uses["owners"].to_list()], dtype=pl.String)),
        "sheet": [places.get(source, -1) if kind == "leader" else -1 for source, kind in leads],
        **{name: [texts[:MOST_TEXTS] for texts in uses[name].to_list()] for name in ("assumes", "left_out")},
    }


def _owners(names: Sequence[str]) -> str | None:
    """The first of those that have an ability, and how many more do."""
    more = [f"{len(names) - MOST_OWNERS} more"] if len(names) > MOST_OWNERS else []
    return ", ".join([*names[:MOST_OWNERS], *more]) or None
