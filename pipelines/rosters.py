"""What an army list does: its units against every archetype, exactly, with the weapons that the list names.

Belongs here: finding a list's units and weapons in a warehouse, handing weapons to models, summing up. Doesn't: list
formats (``sources.roster``), choosing among weapons and computing (``matchups``), printing (``cli``).

A list counts weapons by unit, not by model. They are handed out in the order of the list, weapons of one kind (pistols,
other ranged weapons, melee weapons) going round the models, so that each has its share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from pipelines.dimensions.arsenals import fires_all
from pipelines.dimensions.loadouts import CLOSE_ABILITIES, Equipment, Rows, UnknownEquipmentError, choices
from pipelines.engine_frames import declared_rulesets, weapon_frame
from pipelines.identity import fold, singular
from pipelines.loadout_choice import PLAIN
from pipelines.records import Items, WeaponAbility, WeaponProfile
from pipelines.sources.roster import Roster, RosterUnit
from pipelines.storage.build import connect
from pipelines.unit_matchups import best_activations
from pipelines.weapon_choice import choice_frame


@dataclass(frozen=True, slots=True)
class RosterReport:
    """Frames of a list's results, and what was left out and why.

    ``units``: position, unit, models, points, share_of_points, unit_id, best_phase, best_against, wounds_worth (there).
    ``matchups``: position, unit, phase, target_id, target, used, expected_damage, expected_models_destroyed,
    p_destroy_unit, wounds_worth. ``targets``: phase, target_id, target, expected_damage, wounds_worth (of the whole
    list, each unit at a target of its own), units_that_destroy_it (alone, with a chance of at least one half).
    ``wounds_worth``: the wounds taken in points of the target (its price / its wounds in all) per 100 points of the
    attacker; it compares targets of one model with targets of many. Null where a price is unknown.
    """

    roster: Roster
    units: pl.DataFrame
    matchups: pl.DataFrame
    targets: pl.DataFrame
    left_out: tuple[str, ...]


def report(warehouse: Path, roster: Roster) -> RosterReport:
    """Compute a list against every archetype in the plain scenario.

    Raises UnreadableWarehouseError for a file that is no warehouse.
    """
    with connect(warehouse) as connection:
        known = connection.sql(
            "SELECT unit_id, name, faction FROM units WHERE is_preferred ORDER BY edition DESC, unit_id"
        ).pl()
        found = [_find(unit, roster.faction, known) for unit in roster.units]
        frames = _frames(connection, [unit_id for unit_id in found if unit_id is not None])
    left_out: list[str] = []
    equipped: list[Equipment] = []
    for position, (unit, unit_id) in enumerate(zip(roster.units, found, strict=True)):
        if unit_id is None:
            left_out.append(f"{unit.name}: no such unit in the warehouse")
        else:
            equipped += _equipment(position, unit, unit_id, frames, left_out)
    outcomes = best_activations(
        choice_frame(equipped),
        frames["targets"],
        frames["scenarios"],
        weapon_frame(frames, None),
        frames["weapon_profiles"],
        declared_rulesets(),
    )
    return _summed(roster, found, outcomes, frames["targets"], tuple(left_out))


def _find(unit: RosterUnit, faction: str | None, known: pl.DataFrame) -> str | None:
    """The preferred unit of that name: of the list's faction before others, of the newest edition before older ones."""
    names = {fold(name) for name in unit.names}
    rows = [row for row in known.iter_rows(named=True) if fold(row["name"]) in names]
    own = [row for row in rows if faction is not None and fold(row["faction"] or "") == fold(faction)]
    return str((own or rows)[0]["unit_id"]) if rows else None


def _frames(connection: duckdb.DuckDBPyConnection, unit_ids: Sequence[str]) -> dict[str, pl.DataFrame]:
    """What the engine needs of these units, the archetypes and the plain scenario."""
    connection.register("wanted", pl.DataFrame({"unit_id": unit_ids}, schema={"unit_id": pl.String}))
    of_units = ("units", "unit_keywords", "weapon_profiles")
    frames = {
        name: connection.sql(f"FROM {name} SEMI JOIN wanted USING (unit_id) ORDER BY rowid").pl() for name in of_units
    }
    frames["weapon_abilities"] = connection.sql(
        "FROM weapon_abilities SEMI JOIN (FROM weapon_profiles SEMI JOIN wanted USING (unit_id)) "
        "USING (weapon_profile_id)"
    ).pl()
    frames["targets"] = connection.sql("FROM targets WHERE kind = 'archetype' ORDER BY rowid").pl()
    frames["scenarios"] = connection.sql("FROM scenarios WHERE scenario_id = $plain", params={"plain": PLAIN}).pl()
    return frames


def _equipment(
    position: int, unit: RosterUnit, unit_id: str, frames: Mapping[str, pl.DataFrame], left_out: list[str]
) -> list[Equipment]:
    weapons = _weapons(unit_id, frames)
    names = {singular(weapon.weapon_name): weapon.weapon_name for weapon in weapons.values()}
    carried = Counter[str]()
    for item, count in unit.wargear:
        if singular(item) in names:
            carried[names[singular(item)]] += count
        else:
            left_out.append(f"{unit.name}: {item} has no attacks in the warehouse")
    keywords = set(frames["unit_keywords"].filter(pl.col("unit_id") == unit_id)["keyword"])
    kinds = {name: _kind(name, weapons) for name in carried}
    rows = hand_out(unit.models, tuple(carried.items()), kinds)
    bearer = str(position)
    try:
        found = tuple(choices(bearer, weapons, rows, fires_all=fires_all(keywords)))
    except UnknownEquipmentError as unknown:
        left_out.append(f"{unit.name}: {unknown}")
        return []
    return [Equipment(unit_id, unit.models, unit.points, bearer, found)]


def _weapons(unit_id: str, frames: Mapping[str, pl.DataFrame]) -> dict[str, WeaponProfile]:
    abilities: dict[str, list[WeaponAbility]] = {}
    for row in frames["weapon_abilities"].iter_rows(named=True):
        abilities.setdefault(row["weapon_profile_id"], []).append(WeaponAbility(row["ability"], row["value"]))
    names = (
        "weapon_name",
        "attack_type",
        "attacks",
        "strength",
        "damage",
        "skill",
        "armour_penetration",
        "profile_name",
        "dice_range",
    )
    return {
        row["weapon_profile_id"]: WeaponProfile(
            **{name: row[name] for name in names}, abilities=tuple(abilities.get(row["weapon_profile_id"], ()))
        )
        for row in frames["weapon_profiles"].filter(pl.col("unit_id") == unit_id).iter_rows(named=True)
    }


def _kind(name: str, weapons: Mapping[str, WeaponProfile]) -> str:
    profiles = [weapon for weapon in weapons.values() if weapon.weapon_name == name]
    if all(weapon.attack_type == "melee" for weapon in profiles):
        return "melee"
    close = any(ability.ability in CLOSE_ABILITIES for weapon in profiles for ability in weapon.abilities)
    return "close" if close else "ranged"


def hand_out(models: int, wargear: Items, kinds: Mapping[str, str]) -> Rows:
    """Hand a unit's weapons to its models, those of one kind going round; equal models together.

    ``hand_out(3, (("Fist", 1), ("Knife", 2)), {"Fist": "melee", "Knife": "melee"})`` gives one model the fist and two
    a knife each.
    """
    carried: list[Counter[str]] = [Counter() for _ in range(models)]
    at = Counter[str]()
    for name, count in wargear:
        each, more = divmod(count, models)
        for offset in range(models):
            number = each + (1 if offset < more else 0)
            if number:
                carried[(at[kinds[name]] + offset) % models][name] += number
        at[kinds[name]] += more
    rows = Counter(tuple((name, model[name]) for name, _ in wargear if model[name]) for model in carried)
    return tuple((number, items) for items, number in rows.items() if items)


def _summed(
    roster: Roster,
    found: Sequence[str | None],
    outcomes: pl.DataFrame,
    targets: pl.DataFrame,
    left_out: tuple[str, ...],
) -> RosterReport:
    listed = pl.DataFrame(
        {
            "position": range(len(roster.units)),
            "unit": [unit.name for unit in roster.units],
            "models": [unit.models for unit in roster.units],
            "points": [unit.points for unit in roster.units],
            "unit_id": found,
        },
        schema={"position": pl.Int64, "unit": pl.String, "models": pl.Int64, "points": pl.Int64, "unit_id": pl.String},
    )
    per_wound = pl.col("points") / (pl.col("models") * pl.col("wounds"))
    matchups = (
        outcomes.with_columns(position=pl.col("bearer").cast(pl.Int64))
        .join(listed.select("position", "unit", "points"), on="position")
        .join(
            targets.select("target_id", target="name", per_wound=per_wound, order=pl.int_range(pl.len())),
            on="target_id",
        )
        .with_columns(worth=pl.col("expected_damage") * pl.col("per_wound"))
        .with_columns(wounds_worth=100 * pl.col("worth") / pl.col("points"))
        .sort("position", "phase", "order")
    )
    best = (
        matchups.sort("wounds_worth", descending=True, nulls_last=True)
        .unique("position", keep="first", maintain_order=True)
        .select("position", "wounds_worth", best_against="target", best_phase="phase")
    )
    # A list's own total may name the game's size: what its units add up to counts, where all prices are known.
    priced = listed["points"].sum() if listed["points"].null_count() == 0 else None
    total = priced or roster.points or None
    by_target = (
        matchups.group_by("order", "target_id", "target", "phase")
        .agg(
            pl.col("expected_damage").sum(),
            pl.col("worth").sum(),
            units_that_destroy_it=(pl.col("p_destroy_unit") >= 0.5).sum(),
        )
        .with_columns(wounds_worth=100 * pl.col("worth") / total)
        .sort("phase", "order")
    )
    return RosterReport(
        roster,
        listed.join(best, on="position", how="left")
        .with_columns(share_of_points=pl.col("points") / total)
        .select(
            "position", "unit", "models", "points", "share_of_points", "unit_id", "best_phase", "best_against",
            "wounds_worth",
        )
        .sort("position"),
        matchups.select(
            "position", "unit", "phase", "target_id", "target", "used", "expected_damage", "expected_models_destroyed",
            "p_destroy_unit", "wounds_worth",
        ),
        by_target.select(
            "phase", "target_id", "target", "expected_damage", "wounds_worth", "units_that_destroy_it"
        ),
        left_out,
    )  # fmt: skip
