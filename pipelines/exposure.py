"""How exposed leaders are: each leader in each unit that it may join, hit by one volley with and without Precision.

Belongs here: the joint unit as a target, the volley with Precision, what the leader's price makes of the difference.
Doesn't: who joins whom (``worth.users``), who takes the attacks (``simulation``), reference attackers (``durability``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from pipelines.durability import activations
from pipelines.engine_frames import as_table, declared_rulesets, with_groups
from pipelines.loadout_choice import PLAIN
from pipelines.outcome_cache import OutcomeCache
from pipelines.progress import say
from pipelines.worth.users import Users

PAIRED_BY = ("unit_keywords", "unit_leads", "detachment_rules", "stratagems", "enhancements")
"""Tables that ``worth.users.Users`` reads beside units."""
MAX_JOINT_UNITS = 20_000
"""Pairs of leader and unit up to which there are rows; the whole game has some two thousand."""

Row = dict[str, Any]
_CHARACTER = "CHARACTER"
_KEY = ["target_id", "attacker_id", "ruleset"]
_OUTCOMES = {
    "expected_damage": "expected_damage",
    "p_destroy_unit": "p_destroy_unit",
    "expected_characters_destroyed": "p_leader_destroyed",  # the leader is the only one
}
_ABILITIES = {"damage_minus": pl.Int32, "damage_half": pl.Boolean, "ap_worsen": pl.Int32}
"""What abilities do to each attack that a model takes."""


def leader_exposure(frames: Mapping[str, pl.DataFrame], ruleset: str | None, engine: OutcomeCache) -> pl.DataFrame:
    """Rows of the table leader_exposure: all joint units against all attackers in the plain scenario.

    ``frames``: units, targets, target_groups, attackers, scenarios and ``PAIRED_BY``. ``ruleset``: for all units; None:
    their own edition's. No rows where there are more than ``MAX_JOINT_UNITS`` pairs.
    """
    targets = with_groups(frames).filter(pl.col("kind") == "unit")
    joint = _joint_units(frames, targets)
    if ruleset is not None:
        joint = joint.with_columns(edition=pl.lit(ruleset))
    plain = frames["scenarios"].filter(pl.col("scenario_id") == PLAIN)
    without = _volleys(joint, frames["attackers"], plain, engine)
    precise = frames["attackers"].with_columns(pl.concat_list("abilities", pl.lit(["precision"])))
    found = (
        without.join(_volleys(joint, precise, plain, engine), on=_KEY, suffix="_precision")
        .join(joint.select("target_id", "leader_id", "unit_id", price="leader_points"), on="target_id")
        .with_columns(
            leader_points_at_risk=(pl.col("p_leader_destroyed_precision") - pl.col("p_leader_destroyed"))
            * pl.col("price")
        )
        .sort("leader_id", "unit_id", "attacker_id")
    )
    return as_table("leader_exposure", found)


def _volleys(
    joint: pl.DataFrame, attackers: pl.DataFrame, scenarios: pl.DataFrame, engine: OutcomeCache
) -> pl.DataFrame:
    """What one volley of each attacker does to each joint unit, under the rules of its edition."""
    found = activations(attackers, pl.col("count"), joint, scenarios, declared_rulesets(), engine, copies=False)
    return found.select(*_KEY, *(pl.col(name).alias(own) for name, own in _OUTCOMES.items()))


def _joint_units(frames: Mapping[str, pl.DataFrame], targets: pl.DataFrame) -> pl.DataFrame:
    """Targets as ``grid.simulate_grid`` wants them, with leader_id, unit_id, edition and leader_points.

    Units with characters of their own are left out: whom Precision would strike among several is the attacker's choice.
    """
    units: dict[str, Row] = {row["target_id"]: row for row in targets.iter_rows(named=True)}
    users = Users(frames, {unit_id: (row["models"], row["points"]) for unit_id, row in units.items()})
    pairs = [
        (units[leader.unit_id], units[led.unit_id])
        for leader in users.leaders()
        for led in users.led_by(leader)
        if not _has_characters(units[led.unit_id])
    ]
    kind = targets.schema["groups"]
    assert isinstance(kind, pl.List)
    assert isinstance(kind.inner, pl.Struct)
    group = {**{field.name: field.dtype for field in kind.inner.fields}, **_ABILITIES}
    schema: dict[str, Any] = {
        **targets.schema,
        "groups": pl.List(pl.Struct(group)),
        "leader_id": pl.String,
        "leader_points": pl.Int32,
    }
    if len(pairs) > MAX_JOINT_UNITS:
        say(f"leader_exposure: no rows, {len(pairs):,} pairs of leader and unit are more than {MAX_JOINT_UNITS:,}")
        pairs = []
    return pl.DataFrame([_joint(leader, led, list(group)) for leader, led in pairs], schema=schema)


def _has_characters(unit: Row) -> bool:
    if unit["groups"]:
        return any(group["is_character"] for group in unit["groups"])
    return _CHARACTER in unit["keywords"]


def _joint(leader: Row, led: Row, fields: Sequence[str]) -> Row:
    """A unit that a leader has joined, D9; ``fields``: of its groups."""
    abilities = {name: led[name] for name in _ABILITIES}
    groups = [group | abilities for group in led["groups"] or [{**led, "is_character": False}]]
    mine = {
        "damage_minus": led["damage_minus"] + leader["damage_minus"],
        "damage_half": led["damage_half"] or leader["damage_half"],
        "ap_worsen": led["ap_worsen"] + leader["ap_worsen"],
    }
    return {
        **led,
        "target_id": f"{leader['target_id']}|{led['target_id']}",
        "models": led["models"] + leader["models"],
        "keywords": sorted({*led["keywords"], *leader["keywords"]}),
        "stealth": led["stealth"] and leader["stealth"],
        "groups": [{name: each[name] for name in fields} for each in (*groups, leader | mine | {"is_character": True})],
        "leader_id": leader["target_id"],
        "unit_id": led["target_id"],
        "leader_points": leader["points"],
    }
