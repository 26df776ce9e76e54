"""The compact form of outcome laws: how an attack can turn out, for the ranked units and for each weapon.

Belongs here: which laws the page carries and how they are rounded. Doesn't: computing a law.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import duckdb
import polars as pl

from analyses.page_data import Ledger

MOST_LAW_NUMBERS = 1_500_000  # probabilities in a file; beyond it, the plain scenario's laws only, or none
LAW_SCALE = 1000

_LAWS = """
SELECT law_id, damage, models, damage_p10, damage_p50, damage_p90, models_p10, models_p50, models_p90
FROM outcome_laws WHERE law_id IN (SELECT law_id FROM wanted)
"""
_PERCENTILES = ("damage_p10", "damage_p50", "damage_p90", "models_p10", "models_p50", "models_p90")
# Weapons of a class have equal dice, so that a class has one law against each archetype.
_WEAPON_LAWS = """
SELECT DISTINCT a.attack_class_id, tc.target_id, o.law_id
FROM attack_classes AS a
JOIN outcome_cells AS c USING (attack_class_id)
JOIN target_classes AS tc USING (target_class_id)
JOIN targets AS t USING (target_id)
JOIN outcomes AS o USING (outcome_id)
WHERE t.kind = 'archetype' AND a.scenario_id = 'plain'
"""


def unit_laws(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """For each outcome in the ledger's order the indices of its two laws and its percentiles, -1 where there is none.

    Laws are lists of thousandths; -1 stands for a probability above nothing that rounds to nothing.
    """
    plain = [scenario == "plain" for scenario in ledger.scenarios["id"]]
    is_plain = pl.Series([plain[scenario] for scenario in ledger.outcomes["scenario"]], dtype=pl.Boolean)
    return _laws(connection, ledger.outcomes["law_id"], is_plain)


def weapon_laws(connection: duckdb.DuckDBPyConnection, ledger: Ledger) -> dict[str, Any]:
    """The same for each class of weapons and each archetype in turn, in the plain scenario.

    ``class_of``: each weapon's place among the classes, in the ledger's order; -1 where it meets nothing.
    """
    classes = ledger.weapons["attack_class_id"].unique().drop_nulls().sort()
    class_of = {class_id: place for place, class_id in enumerate(classes)}
    rows = (
        pl.DataFrame({"attack_class_id": classes})
        .join(ledger.targets.select(target_id="id"), how="cross", maintain_order="left_right")
        .join(connection.sql(_WEAPON_LAWS).pl(), on=["attack_class_id", "target_id"], how="left", maintain_order="left")
    )
    return {
        "class_of": [-1 if class_id is None else class_of[class_id] for class_id in ledger.weapons["attack_class_id"]],
        **_laws(connection, rows["law_id"], pl.repeat(True, rows.height, dtype=pl.Boolean, eager=True)),
    }


def _laws(connection: duckdb.DuckDBPyConnection, law_ids: pl.Series, is_plain: pl.Series) -> dict[str, Any]:
    wanted = pl.DataFrame({"law_id": law_ids, "is_plain": is_plain})
    connection.register("wanted", wanted.select("law_id").unique())
    laws = connection.sql(_LAWS).pl()
    connection.unregister("wanted")
    kept = _within_bounds(wanted, laws)
    carried = wanted.select(law_id=pl.when(kept).then("law_id"))
    known = carried.unique(maintain_order=True).join(laws, on="law_id", maintain_order="left")
    coded = {kind: _coded_laws(known[kind].to_list()) for kind in ("damage", "models")}
    known = known.with_columns(*(pl.Series(kind, codes, dtype=pl.Int64) for kind, (_, codes) in coded.items()))
    rows = carried.join(known, on="law_id", how="left", maintain_order="left").fill_null(-1)
    return {
        "scale": LAW_SCALE,
        "complete": bool(kept.all()),
        **{kind: {"laws": distinct, "codes": rows[kind].to_list()} for kind, (distinct, _) in coded.items()},
        **{name: rows[name].to_list() for name in _PERCENTILES},
    }


def _within_bounds(wanted: pl.DataFrame, laws: pl.DataFrame) -> pl.Series:
    """Which outcomes' laws the page carries: all, those of the plain scenario, or none."""
    lengths = laws.select("law_id", numbers=pl.col("damage").list.len() + pl.col("models").list.len())
    for kept in (pl.Series([True] * wanted.height, dtype=pl.Boolean), wanted["is_plain"]):
        distinct = wanted.filter(kept).select("law_id").unique()
        if (distinct.join(lengths, on="law_id")["numbers"].sum() or 0) <= MOST_LAW_NUMBERS:
            return kept
    return pl.Series([False] * wanted.height, dtype=pl.Boolean)


def _coded_laws(laws: Sequence[Sequence[float]]) -> tuple[list[list[int]], list[int]]:
    """The distinct laws once they are rounded, and the place of each law among them."""
    distinct: dict[tuple[int, ...], int] = {}
    codes = [distinct.setdefault(_thousandths(law), len(distinct)) for law in laws]
    return [list(law) for law in distinct], codes


def _thousandths(law: Sequence[float]) -> tuple[int, ...]:
    """Differences of the rounded tails, so that both P(k) and P(at least k) are within one thousandth."""
    tails = [*accumulate(reversed(law))][::-1]
    rounded = [LAW_SCALE, *(round(LAW_SCALE * tail) for tail in tails[1:]), 0]
    steps = pairwise(rounded)
    return tuple(
        -1 if here == after and share > 0 else here - after for share, (here, after) in zip(law, steps, strict=True)
    )
