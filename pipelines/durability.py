"""What it takes to destroy a target: every target against every declared reference attacker.

Belongs here: giving the engine reference attackers and targets, and what points make of its answers. Doesn't: rules
and dice (``simulation``), which attackers there are (``warehouse/attackers.toml``), what units do (``matchups``).

A reference attacker is a volley: so many equal weapons at a price. What the volley does to a target is computed whole;
how much it takes to destroy the target is counted in single weapons, one after the other, at their share of the price,
so that no target seems tough only because whole volleys are dear.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from pipelines.engine_frames import CHARACTERISTICS, declared_rulesets, with_groups
from pipelines.loadout_choice import PLAIN
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.rulesets import RuleSet
from pipelines.sources.weapon_abilities import parse_weapon_ability
from warehouse.schema import tables

_PHASES = {"ranged": "shooting", "melee": "fight"}
_ABILITY = pl.Struct(
    {"ability": pl.String, "value": pl.String, "against_keywords": pl.List(pl.String), "condition": pl.String}
)
_KEY = ["target_id", "attacker_id", "scenario_id", "ruleset"]
_VOLLEY = ("expected_damage", "expected_models_destroyed", "p_destroy_unit")


def unit_durability(frames: Mapping[str, pl.DataFrame], ruleset: str | None, engine: OutcomeCache) -> pl.DataFrame:
    """Rows of the table unit_durability: all targets against all attackers in the plain scenario.

    ``frames``: targets, target_groups, attackers, scenarios. ``ruleset``: for all targets; None: their own edition's.
    """
    targets = with_groups(frames)
    if ruleset is not None:
        targets = targets.with_columns(edition=pl.lit(ruleset))
    plain = frames["scenarios"].filter(pl.col("scenario_id") == PLAIN)
    found = durability(targets, frames["attackers"], plain, declared_rulesets(), engine)
    schema = tables()["unit_durability"].polars_schema
    return found.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def durability(
    targets: pl.DataFrame,
    attackers: pl.DataFrame,
    scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
    *,
    copies: bool = True,
) -> pl.DataFrame:
    """Compute what each reference attacker does to each target, exactly, and what destroys the target.

    ``targets``: the columns of ``grid.simulate_grid`` with ``groups``, if there are any (List[Struct], as
    ``engine_frames.with_groups`` gives them); target_id may be any string, once; edition (String, the rule set that it
    is attacked under; null: each of ``rulesets``); points (price of its ``models``; null: unknown). ``attackers``: rows
    of the table attackers. ``scenarios``: rows of the table scenarios, the plain one among them. ``copies``: also look
    for what destroys a target, which is most of the work; without it the last three columns are null.

    Returns one row for each target, attacker, scenario and rule set, in this order; where a scenario changes nothing
    for an attacker, as in the plain one; none where the attacker can't attack. Columns:

    - target_id, attacker_id, scenario_id, ruleset (String);
    - expected_damage (Float64, wounds), expected_models_destroyed (Float64), p_destroy_unit (Float64): of one volley;
    - points_lost (Float64): expected_models_destroyed x points / models; points_lost_per_100_points: per 100 points of
      the attacker;
    - wounds_worth (Float64, points): expected_damage x points / wounds of the whole target, in which a wounded tank has
      lost something too; wounds_worth_per_100_points: per 100 points of the attacker;
    - weapons_to_destroy (Int32): fewest weapons of the attacker that, one after the other, destroy the target with at
      least 80 % probability (``repetition``); null: no answer, more than 1,000;
    - points_to_destroy (Float64): weapons_to_destroy x points of the attacker / its weapons;
      points_to_destroy_per_100_points: per 100 points of the target.

    What needs an unknown price is null. Raises ValueError as ``grid.simulate_grid`` and for a rule set that is unknown.
    """
    unknown = set(targets["edition"].drop_nulls()) - rulesets.keys()
    if unknown:
        raise ValueError(f"targets: unknown rule set {min(unknown)!r}")
    found = _outcomes(targets, attackers, scenarios, rulesets, engine, copies=copies)
    order = {name: frame[name] for name, frame in zip(_KEY, (targets, attackers, scenarios), strict=False)}
    return _priced(found, targets, attackers).sort(
        *(pl.col(name).cast(pl.Enum(ids)) for name, ids in order.items()), "ruleset"
    )


def _outcomes(
    targets: pl.DataFrame,
    attackers: pl.DataFrame,
    scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
    *,
    copies: bool,
) -> pl.DataFrame:
    """What a volley does and, with ``copies``, how many of its weapons destroy the target."""
    volleys = activations(attackers, pl.col("count"), targets, scenarios, rulesets, engine, copies=False)
    volleys = _everywhere(volleys, scenarios).select(*_KEY, *_VOLLEY)
    if not copies:
        return volleys.with_columns(weapons_to_destroy=pl.lit(None, pl.Int32))
    singles = activations(attackers, pl.lit(1), targets, scenarios, rulesets, engine, copies=True)
    singles = _everywhere(singles, scenarios).select(*_KEY, weapons_to_destroy="copies_to_destroy")
    return volleys.join(singles, on=_KEY, how="left")


def activations(
    attackers: pl.DataFrame,
    count: pl.Expr,
    targets: pl.DataFrame,
    scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
    engine: OutcomeCache,
    *,
    copies: bool,
) -> pl.DataFrame:
    """What ``count`` weapons of each attacker do: columns of ``units.simulate_units``, attacker_id for unit_id.

    Each target is attacked under the rule set of its edition, where that is null under each of ``rulesets``. Frames as
    for ``durability``.
    """
    loadouts = attackers.select(
        pl.col("attacker_id").alias("unit_id"),
        pl.col("attack_type").replace_strict(_PHASES).alias("phase"),
        pl.lit(1).alias("position"),
        pl.col("attacker_id").alias("weapon_profile_id"),
        count.cast(pl.Int64).alias("count"),
    )
    parts = []
    for name in rulesets:
        weapons = weapon_rows(attackers.with_columns(ruleset=pl.lit(name)))
        attacked = targets.filter(pl.col("edition").fill_null(name) == name)
        parts.append(engine.units(loadouts, weapons, attacked, scenarios, rulesets, None, copies=copies))
    return pl.concat(parts).rename({"unit_id": "attacker_id"})


def weapon_rows(attackers: pl.DataFrame) -> pl.DataFrame:
    """Weapons of the attackers as ``grid.simulate_grid`` wants them; ``attackers`` has the column ruleset too."""
    abilities = [[_ability(printed) for printed in each] for each in attackers["abilities"]]
    return attackers.select(
        pl.col("attacker_id").alias("weapon_profile_id"),
        "ruleset",
        *CHARACTERISTICS,
        pl.Series("abilities", abilities, dtype=pl.List(_ABILITY)),
    )


def _ability(printed: str) -> dict[str, Any]:
    ability, problem = parse_weapon_ability(printed)
    if problem is not None:
        raise ValueError(f"attackers: {problem[1]}")
    return {name: getattr(ability, name) for name in ("ability", "value", "against_keywords", "condition")}


def _everywhere(found: pl.DataFrame, scenarios: pl.DataFrame) -> pl.DataFrame:
    """The rows with those of the plain scenario in scenarios that change nothing, but where none can attack."""
    plain = found.filter(pl.col("scenario_id") == PLAIN).drop("scenario_id")
    seen = scenarios.filter(pl.col("visible")).select("scenario_id")
    unchanged = plain.join(seen, how="cross").join(found, on=_KEY, how="anti")
    return pl.concat([found, unchanged.select(found.columns)])


def _priced(outcomes: pl.DataFrame, targets: pl.DataFrame, attackers: pl.DataFrame) -> pl.DataFrame:
    """The outcomes with what points make of them."""
    prices = targets.select("target_id", "points", "models", all_wounds=_all_wounds(targets))
    volleys = attackers.select("attacker_id", "count", price="points")
    per_volley = 100 / pl.col("price")
    return (
        outcomes.join(prices, on="target_id")
        .join(volleys, on="attacker_id")
        .with_columns(
            points_lost=pl.col("expected_models_destroyed") * pl.col("points") / pl.col("models"),
            wounds_worth=pl.col("expected_damage") * pl.col("points") / pl.col("all_wounds"),
            points_to_destroy=pl.col("weapons_to_destroy") * pl.col("price") / pl.col("count"),
        )
        .select(
            *_KEY,
            *_VOLLEY,
            "points_lost",
            (pl.col("points_lost") * per_volley).alias("points_lost_per_100_points"),
            "wounds_worth",
            (pl.col("wounds_worth") * per_volley).alias("wounds_worth_per_100_points"),
            "weapons_to_destroy",
            "points_to_destroy",
            (100 * pl.col("points_to_destroy") / pl.col("points")).alias("points_to_destroy_per_100_points"),
        )
    )


def _all_wounds(targets: pl.DataFrame) -> pl.Expr:
    """Wounds of all models of a target."""
    alike = pl.col("models") * pl.col("wounds")
    if "groups" not in targets.columns:
        return alike
    each = pl.element().struct.field("models") * pl.element().struct.field("wounds")
    return pl.coalesce(pl.col("groups").list.eval(each).list.sum(), alike)
