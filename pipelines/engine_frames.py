"""What the engine is given: dimension frames as weapons and targets that it can resolve, and table rows of its answers.

Belongs here: the engine's columns out of the tables', what of a weapon the engine leaves out. Doesn't: rules and dice
(``simulation``), asking the engine (``matchups``, ``durability``, ``worth``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from pipelines.dimensions.frames import frame
from pipelines.simulation.effective import Attacker, Weapon, hazardous_mortal_wounds
from pipelines.simulation.profiles import not_modelled, strength_is_modelled
from pipelines.simulation.rulesets import RuleSet
from warehouse.declared import ruleset_parameters

CHARACTERISTICS = (
    pl.col("attack_type", "attacks", "strength", "damage"),
    pl.col("skill", "armour_penetration").cast(pl.Int64),
)
"""Columns of a weapon in the tables as the engine reads them."""


def declared_rulesets() -> dict[str, RuleSet]:
    """The declared rule sets by name. Raises ValueError for a parameter that is missing, unknown or of a wrong type."""
    return {name: RuleSet.from_mapping(name, entry) for name, entry in ruleset_parameters().items()}


def weapon_frame(frames: Mapping[str, pl.DataFrame], ruleset: str | None) -> pl.DataFrame:
    """Weapon profiles as the engine wants them, under the rules of their own edition or one for all.

    Columns: weapon_profile_id, ruleset, attack_type, attacks, strength, damage (text), skill, armour_penetration,
    abilities (list of structs ability, value, against_keywords, condition).
    """
    editions = frames["units"].select("unit_id", "edition")
    abilities = (
        frames["weapon_abilities"]
        .sort("weapon_profile_id", "position")
        .with_columns(
            pl.col("against_keyword").fill_null(pl.lit([], dtype=pl.List(pl.String))).alias("against_keywords")
        )
        .group_by("weapon_profile_id", maintain_order=True)
        .agg(pl.struct("ability", "value", "against_keywords", "condition").alias("abilities"))
    )
    return (
        frames["weapon_profiles"]
        .join(editions, on="unit_id", how="left")
        .join(abilities, on="weapon_profile_id", how="left")
        .select(
            "weapon_profile_id",
            (pl.lit(ruleset) if ruleset else pl.col("edition")).alias("ruleset"),
            *CHARACTERISTICS,
            pl.col("abilities").fill_null(pl.lit([], dtype=abilities.schema["abilities"])),
        )
    )


def simulated(weapons: pl.DataFrame) -> pl.DataFrame:
    """The weapons that the engine can resolve."""
    able = [strength for strength in weapons["strength"].unique() if strength_is_modelled(strength)]
    return weapons.filter(pl.col("strength").is_in(able))


def mark_weapons(
    frames: Mapping[str, pl.DataFrame], weapons: pl.DataFrame, rulesets: Mapping[str, RuleSet]
) -> pl.DataFrame:
    """Weapon profiles with what the engine leaves out of them, and what no target changes: One Shot, Hazardous."""
    keywords = frames["unit_keywords"].filter(pl.col("model_name").is_null()).group_by("unit_id").agg("keyword")
    bearers = frames["weapon_profiles"].select("weapon_profile_id", "unit_id").join(keywords, on="unit_id", how="left")
    marks = [
        {
            "weapon_profile_id": row["weapon_profile_id"],
            "not_modelled": _left_out(row) or None,
            "is_one_shot": any(ability["ability"] == "one_shot" for ability in row["abilities"]),
            "expected_hazardous_mortal_wounds": _hazardous(row, rulesets[row["ruleset"]]),
        }
        for row in weapons.join(bearers, on="weapon_profile_id", how="left").iter_rows(named=True)
    ]
    schema = frames["weapon_profiles"].schema
    found = pl.DataFrame(marks, schema={name: schema[name] for name in _MARKS})
    return (
        frames["weapon_profiles"].drop(_MARKS[1:]).join(found, on="weapon_profile_id", how="left").select(list(schema))
    )


_MARKS = ("weapon_profile_id", "not_modelled", "is_one_shot", "expected_hazardous_mortal_wounds")


def _left_out(row: Mapping[str, Any]) -> list[str]:
    return not_modelled(row["abilities"]) + ([] if strength_is_modelled(row["strength"]) else ["rolled_strength"])


def _hazardous(row: Mapping[str, Any], rules: RuleSet) -> float | None:
    if not any(ability["ability"] == "hazardous" for ability in row["abilities"]):
        return None
    bearer = Attacker(keywords=frozenset(row["keyword"] or ()))
    return hazardous_mortal_wounds(Weapon(hazardous=True), bearer, 1, rules)


def with_groups(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Targets with their kinds of models, in order of allocation, as a list of structs; NULL where all are alike."""
    groups = (
        frames["target_groups"]
        .sort("target_id", "position")
        .group_by("target_id", maintain_order=True)
        .agg(pl.struct(pl.exclude("target_id", "position", "model_name")).alias("groups"))
    )
    return frames["targets"].join(groups, on="target_id", how="left", maintain_order="left")


def as_table(table: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with exactly the columns of a table, in its types; NULL where ``rows`` lacks one."""
    schema = frame(table, []).schema
    missing = {name: pl.lit(None, dtype=dtype) for name, dtype in schema.items() if name not in rows.columns}
    return rows.with_columns(**missing).select(pl.col(name).cast(dtype) for name, dtype in schema.items())
