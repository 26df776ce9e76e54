"""Which of their weapons and profiles units use: for each target and scenario those that promise most.

Belongs here: choosing by the damage that weapons do on their own, what is chosen somewhere, and its name. Doesn't:
which choices there are (``dimensions.loadouts``), which loadouts are computed (``loadout_choice``), exact results of
what was chosen (``unit_matchups``).

Of a weapon's profiles the most damaging one is used, of a slot's options the one whose weapons do most together, and of
the bearers that stand for the same unit the one that does most in all its slots. What differs by rounding alone is
equal. What is equal alone may differ beside other weapons (three weak shots waste less on a wounded model than one
strong one), so the first and the last of equal profiles and options are both in question; of equal bearers the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from pipelines.dimensions.loadouts import Equipment
from pipelines.loadout_choice import DIGITS, PLAIN, rounded
from pipelines.simulation.grid import GridResult

MAX_CELLS = 4_000_000
"""About how many choices times targets and scenarios are compared at once."""
_CHOICE = {
    "bearer": pl.String, "phase": pl.String, "slot": pl.Int64, "option": pl.Int64, "weapon": pl.Int64,
    "position": pl.Int64, "weapon_profile_id": pl.String, "count": pl.Int64, "die": pl.String, "die_faces": pl.Int64,
}  # fmt: skip
_LEVELS = (["unit", "phase"], ["bearer"], ["slot"], ["option"], ["weapon", "by_die"])
_ATTACKS = {"bearer": pl.String, "phase": pl.String, "scenario_id": pl.String}
_ABSENT = -1.0


def choice_frame(equipped: Sequence[Equipment], *, rivals: bool = False) -> pl.DataFrame:
    """All choices as a frame: the columns of ``loadouts.Choice`` and unit (String), for whom a bearer stands.

    ``rivals``: all loadouts of a unit stand for it, and the best one counts; else each stands for itself.
    """
    chosen = [(each, choice) for each in equipped for choice in each.choices]
    columns = {name: [getattr(choice, name) for _, choice in chosen] for name in _CHOICE}
    unit = [each.unit_id if rivals else choice.bearer for each, choice in chosen]
    return pl.DataFrame({**columns, "unit": unit}, schema={**_CHOICE, "unit": pl.String})


def exactly(column: str) -> pl.Expr:
    """A computed column for comparisons, as ``loadout_choice.rounded``."""
    return pl.col(column).round_sig_figs(DIGITS)


def uses(
    choices: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, grid: GridResult
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give the distinct uses of weapons that are best somewhere, and where bearers attack.

    ``choices``: of ``choice_frame``; ``targets``, ``scenarios``: some of those of ``grid``. Returns variant (String),
    bearer, phase, position, weapon_profile_id, count, die, die_faces, the same profile in several slots at its first
    place; and bearer, phase, scenario_id for each scenario that can change something for one of the bearer's weapons.
    """
    if choices.is_empty():
        return _variants(choices.with_columns(use=pl.lit(0))), pl.DataFrame(schema=_ATTACKS)
    damage = grid.damage(targets)
    profile = {name: number for number, name in enumerate(choices["weapon_profile_id"].unique().sort())}
    classes = _classes(list(profile), scenarios, grid)
    parts = [
        _chosen(part, profile, classes, scenarios["visible"].to_list(), damage)
        for part in _batches(choices, len(targets) * len(scenarios))
    ]
    variants = pl.concat([_variants(used) for used, _ in parts])
    attacks = pl.concat([attacks for _, attacks in parts])
    names = scenarios.select("scenario_id", scenario=pl.int_range(pl.len()))
    return (
        variants.sort("variant", "phase", "position"),
        attacks.join(names, on="scenario", maintain_order="left").select(list(_ATTACKS)),
    )


def labels(variants: pl.DataFrame, weapon_profiles: pl.DataFrame) -> pl.DataFrame:
    """Names of variants such as ``4 × Bolt rifle, 1 × Plasma pistol (supercharge)``; a die's choice is said.

    Columns: variant, phase, used.
    """
    names = weapon_profiles.select(
        "weapon_profile_id",
        name=pl.when(pl.col("profile_name").is_null())
        .then(pl.col("weapon_name"))
        .otherwise(pl.format("{} ({})", "weapon_name", "profile_name")),
        on_die=pl.when(pl.col("dice_range").is_not_null())
        .then(pl.format(" on {}", "dice_range"))
        .otherwise(pl.lit("")),
    )
    return (
        variants.join(names, on="weapon_profile_id")
        .sort("variant", "phase", "position")
        .group_by(["variant", "phase"], maintain_order=True)
        .agg(pl.format("{} × {}{}", "count", "name", "on_die").str.join(", ").alias("used"))
    )


def _classes(profiles: list[str], scenarios: pl.DataFrame, grid: GridResult) -> tuple[np.ndarray, np.ndarray]:
    """The class of attacks of each profile, [profile] in the plain scenario, [profile, scenario] in each; -1: none."""
    rows = grid.attack_classes.join(
        pl.DataFrame({"weapon_profile_id": profiles}, schema={"weapon_profile_id": pl.String}).with_row_index("row"),
        on="weapon_profile_id",
    )
    plain, found = np.full(len(profiles), -1), np.full((len(profiles), len(scenarios)), -1)
    of_plain = rows.filter(pl.col("scenario_id") == PLAIN)
    plain[of_plain["row"].to_numpy()] = of_plain["attack_class_id"].to_numpy()
    known = rows.join(scenarios.select("scenario_id").with_row_index("column"), on="scenario_id")
    found[known["row"].to_numpy(), known["column"].to_numpy()] = known["attack_class_id"].to_numpy()
    return plain, found


def _batches(choices: pl.DataFrame, columns: int) -> Iterator[pl.DataFrame]:
    """Choices in order, some units at a time, with the group of each row at each level: unit, bearer, slot, …."""
    by_die = pl.when(pl.col("die").is_not_null()).then(pl.col("weapon_profile_id")).alias("by_die")
    rows = choices.with_columns(by_die, order=pl.col("bearer").rle_id())
    rows = rows.sort("unit", "phase", "order", "slot", "option", "weapon", "by_die", maintain_order=True)
    within: list[str] = []
    for number, level in enumerate(_LEVELS):
        within += level
        rows = rows.with_columns(pl.struct(within).rle_id().cast(pl.Int64).alias(f"level_{number}"))
    size = max(1, MAX_CELLS // max(1, columns))
    batch = pl.int_range(pl.len()).min().over("level_0") // size
    yield from (part for _, part in rows.group_by(batch, maintain_order=True))


def _chosen(
    rows: pl.DataFrame,
    profiles: Mapping[str, int],
    classes: tuple[np.ndarray, np.ndarray],
    visible: Sequence[bool],
    damage: np.ndarray,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of each use of weapons that is best somewhere (``use`` numbers them); the scenarios of each bearer.

    A weapon that a scenario doesn't change attacks as in the plain one, but not where the target can't be seen.
    """
    profile = rows["weapon_profile_id"].replace_strict(profiles, return_dtype=pl.Int64).to_numpy()
    levels = [rows[f"level_{number}"].to_numpy() for number in range(len(_LEVELS))]
    levels = [level - level[0] for level in levels]
    times = (rows["count"] * rows["die_faces"].fill_null(6) / 6).to_numpy()
    plain, own = classes[0][profile], classes[1][profile]
    bearers = _starts(levels[1])
    changed = np.logical_or.reduceat(own >= 0, bearers)
    masks = []
    for scenario, seen in enumerate(visible):
        attack = np.where((own[:, scenario] < 0) & seen, plain, own[:, scenario])
        able = (attack >= 0) & changed[levels[1], scenario]
        score = np.where(able[:, None], times[:, None] * damage[attack], _ABSENT)
        masks += [_best(score, levels, last=last) for last in (False, True)]
    mask = np.concatenate(masks, axis=1)
    of_bearer = np.split(np.arange(len(mask)), bearers[1:])
    used = [use for members in of_bearer for use in _distinct_sets(mask[members], members)]
    number = np.repeat(np.arange(len(used)), [len(use) for use in used])
    attacks = np.argwhere(changed)
    return (
        rows[np.concatenate(used)].select(*_CHOICE, use=pl.Series(number, dtype=pl.Int64)),
        rows[bearers[attacks[:, 0]]].select("bearer", "phase", scenario=pl.Series(attacks[:, 1], dtype=pl.Int64)),
    )


def _best(score: np.ndarray, levels: Sequence[np.ndarray], *, last: bool) -> np.ndarray:
    """Which rows are used for each target, [row, target], by their damage; ``_ABSENT`` for what can't attack.

    ``last``: of equal profiles and options the last one instead of the first.
    """
    unit, bearer, slot, option, weapon = levels
    weapons, options, slots, bearers = (_starts(level) for level in (weapon, option, slot, bearer))
    profile_chosen = _one_best(score, weapon, last=last)
    of_option = _added(np.maximum.reduceat(score, weapons), option[weapons])
    option_chosen = _one_best(of_option, slot[options], last=last)
    of_bearer = _added(np.maximum.reduceat(of_option, _starts(slot[options])), bearer[slots])
    bearer_chosen = _one_best(of_bearer, unit[bearers])
    return profile_chosen & option_chosen[option] & bearer_chosen[bearer]


def _starts(group: np.ndarray) -> np.ndarray:
    """The first row of each group; ``group`` ascends."""
    return np.flatnonzero(np.diff(group, prepend=-1))


def _added(values: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Sums over the rows of each group; what is absent adds nothing, a group of which all is absent is so too."""
    starts = _starts(group)
    total = np.add.reduceat(np.maximum(values, 0), starts)
    return np.where(np.maximum.reduceat(values, starts) == _ABSENT, _ABSENT, total)


def _one_best(values: np.ndarray, group: np.ndarray, *, last: bool = False) -> np.ndarray:
    """Which row of each group has the largest value in each column, one of equals; none where all is absent."""
    chosen = values != _ABSENT
    size = np.diff(_starts(group), append=len(group))
    contested = np.flatnonzero(np.repeat(size, size) > 1)
    if not len(contested):
        return chosen
    compared = rounded(values[contested])
    starts = _starts(group[contested])
    number = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(contested)))
    best = (compared == np.maximum.reduceat(compared, starts)[number]) & chosen[contested]
    taken = np.zeros((len(starts), values.shape[1]), dtype=bool)
    place = np.arange(len(contested)) - starts[number]
    for now in sorted(range(int(place.max()) + 1), reverse=last):
        rows = np.flatnonzero(place == now)
        best[rows] &= ~taken[number[rows]]
        taken[number[rows]] |= best[rows]
    chosen[contested] = best
    return chosen


def _distinct_sets(mask: np.ndarray, rows: np.ndarray) -> Iterator[np.ndarray]:
    """The distinct sets of rows that some column of ``mask`` [row, column] has."""
    somewhere = mask[:, mask.any(axis=0)]
    if somewhere.shape[1] and (somewhere == somewhere[:, :1]).all():
        somewhere = somewhere[:, :1]
    if somewhere.size:
        yield from (rows[column] for column in np.unique(somewhere, axis=1).T)


def _variants(used: pl.DataFrame) -> pl.DataFrame:
    """The uses by name: the same profile in several slots is resolved together, at its first place."""
    profiles = (
        used.group_by("use", "bearer", "phase", "weapon_profile_id")
        .agg(pl.col("count").sum(), pl.col("position").min(), pl.col("die", "die_faces").first())
        .sort("use", "position")
    )
    names = profiles.group_by("use", maintain_order=True).agg(
        pl.first("bearer"), variant=pl.format("{}x{}", "count", "weapon_profile_id").str.join("+")
    )
    return (
        profiles.join(names.select("use", variant=pl.format("{}:{}", "bearer", "variant")), on="use")
        .unique(["variant", "phase", "weapon_profile_id"])
        .select("variant", "bearer", "phase", "position", "weapon_profile_id", "count", "die", "die_faces")
    )
