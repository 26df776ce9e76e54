"""Whole units: all weapons of a phase, one after the other, at one target.

Belongs here: the order of a unit's weapons, one row for each activation and target. Doesn't: rules (``effective``),
classes of weapons and targets (``grid``), carrying the target's state from weapon to weapon (``volleys``), which
weapons a unit carries (the caller's choice).

Weapons fire in order; Devastating Wounds come after all other attacks of the unit (choice 1). Blast counts the models
before any is destroyed (choice 10). Where Lethal Hits are optional, each weapon decides as it would alone (E7). Where
a die chooses a weapon's profile, one roll does for all such weapons, and the outcome is the mean over the die (A6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby, product
from math import prod
from typing import NamedTuple

import numpy as np
import polars as pl

from pipelines.simulation import chains
from pipelines.simulation.bodies import Body
from pipelines.simulation.distributions import MAX_SUPPORT, NOT_KEPT, LawBook
from pipelines.simulation.grid import AttackClasses, classify_attacks, classify_targets, tested_by
from pipelines.simulation.indexing import Register
from pipelines.simulation.losses import laws_of
from pipelines.simulation.repetition import MAX_STATES, NO_ANSWER, copies_of_step
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.volleys import ROOT, UNIT_METRICS, Fire, Prefixes, Volley

_COLUMNS = (*UNIT_METRICS, "expected_raw_damage", "law_id", "copies_to_destroy")


def simulate_units(
    loadouts: pl.DataFrame, weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet], book: LawBook, *, copies: bool = False,
) -> pl.DataFrame:  # fmt: skip
    """Compute units' activations of one phase against each target, exactly.

    ``loadouts``: unit_id, phase (``shooting``, ``fight``), position (order of firing), weapon_profile_id, count
    (weapons fired together; 0 fires none). Other frames: as for ``grid.simulate_grid``. ``book``: takes the laws.
    ``copies``: also look for the number of copies that destroy the target.
    Returns unit_id, phase, target_id, scenario_id, ruleset (that of its first weapon), expected_damage,
    expected_models_destroyed, p_destroy_unit, expected_raw_damage (null where the target's models differ), law_id and
    copies_to_destroy as in ``grid.GridResult``. A unit has a row in a scenario if one of its weapons of the phase has
    one; the others fire as in the plain one. Raises ValueError for a weapon that ``weapons`` lacks.
    """
    fired = loadouts.select("weapon_profile_id").unique()
    lacking = fired.join(weapons, on="weapon_profile_id", how="anti")
    if len(lacking):
        raise ValueError(f"loadouts: weapon profile {lacking['weapon_profile_id'].min()!r} is not among the weapons")
    weapons = weapons.join(fired, on="weapon_profile_id", how="semi", maintain_order="left")
    target_classes = classify_targets(targets, tested_by(weapons))
    attack_classes = classify_attacks(weapons, scenarios, rulesets, target_classes.masks)
    volleys, nodes = Register[Volley](), Register[tuple[int, int, int]]([(-1, -1, 0)])
    rows, mixtures, place = [], Register[tuple[tuple[int, float], ...]](), []
    for head, activations in groupby(_activations(loadouts, attack_classes, scenarios), key=lambda each: each[0]):
        mixture = []
        for _, chance, sequence in activations:
            node = ROOT
            for depth, volley in enumerate(sequence, 1):
                node = nodes.index((node, volleys.index(volley), depth))
            mixture.append((node, chance))
        rows.append(head)
        place.append(mixtures.index(tuple(mixture)))
    prefixes = Prefixes(*np.array(nodes.values, dtype=np.int64).T)
    mixed = _Mixed.of(mixtures.values)
    results = np.zeros((len(target_classes.rows), len(mixtures.values), len(_COLUMNS)))
    if results.size:
        fire = Fire(volleys.values, attack_classes, target_classes)
        for t, target in enumerate(target_classes.rows):
            read = Body(target).readout
            alive, dead = fire.at(t, prefixes, mixed.ends)
            state = mixed(alive), mixed(dead)
            results[t, :, : len(UNIT_METRICS)] = chains.summary(state, read)
            results[t, :, -3] = mixed(fire.raw_damage(t, prefixes, mixed.ends))
            results[t, :, -2] = book.enter(*laws_of(state, read)) if read.full[0] < MAX_SUPPORT else NOT_KEPT
            if copies and read.living.shape[0] <= MAX_STATES:
                results[t, :, -1] = copies_of_step(mixed(fire.steps(t, prefixes, mixed.ends)))
    return _frame(rows, target_classes.frame, results[:, np.array(place, dtype=np.int64)])


class _Mixed(NamedTuple):
    """Activations that a die chooses among: mixture i is ``part[starts[i]]``, … of ``ends`` (nodes), by ``chance``."""

    ends: np.ndarray
    part: np.ndarray
    chance: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, mixtures: list[tuple[tuple[int, float], ...]]) -> _Mixed:
        """Lay (node, chance) of all mixtures end to end."""
        sizes = np.array([len(mixture) for mixture in mixtures], dtype=np.int64)
        flat = [each for mixture in mixtures for each in mixture]
        ends, part = np.unique(np.array([node for node, _ in flat], dtype=np.int64), return_inverse=True)
        return cls(ends, part, np.array([chance for _, chance in flat]), np.cumsum(sizes) - sizes)

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Give the mean over the die of linear values [end, …], such as probabilities of states, as [mixture, …]."""
        if len(self.part) == len(self.starts):
            return values[self.part]
        weighted = values[self.part] * self.chance.reshape(-1, *[1] * (values.ndim - 1))
        return np.add.reduceat(weighted, self.starts, axis=0)


def _activations(
    loadouts: pl.DataFrame, attack_classes: AttackClasses, scenarios: pl.DataFrame
) -> Iterator[tuple[tuple[str, str, str, str], float, list[Volley]]]:
    """Give (unit_id, phase, scenario_id, ruleset), P and the volleys of each of a unit's activations, one for each roll
    of the dice that choose profiles."""
    in_scenario: dict[tuple[str, str], int] = {}
    rulesets: dict[str, str] = {}
    for weapon, scenario, ruleset, attack_class in attack_classes.frame.iter_rows():
        in_scenario[weapon, scenario] = attack_class
        rulesets[weapon] = ruleset
    optional = {"die": pl.lit(None, pl.String), "die_faces": pl.lit(None, pl.Int64)}
    loadouts = loadouts.with_columns(**{name: null for name, null in optional.items() if name not in loadouts.columns})
    columns = ["unit_id", "phase", "weapon_profile_id", "count", "die", "die_faces"]
    ordered = loadouts.sort("unit_id", "phase", "position", maintain_order=True).select(columns)
    unseen = set(scenarios.filter(~pl.col("visible"))["scenario_id"]) if "visible" in scenarios.columns else set()
    for (unit, phase), group in groupby(ordered.iter_rows(), key=lambda row: row[:2]):
        fired = [row[2:] for row in group if row[3] > 0]
        for scenario in scenarios["scenario_id"].to_list():
            able = [each for each in fired if scenario not in unseen or (each[0], scenario) in in_scenario]
            if any((weapon, scenario) in in_scenario for weapon, *_ in able):
                for chance, rolled in _rolled(able):
                    volleys = [
                        Volley(in_scenario.get((weapon, scenario), attack_classes.plain[weapon]), count)
                        for weapon, count in rolled
                    ]
                    yield (unit, phase, scenario, rulesets[fired[0][0]]), chance, volleys


def _rolled(fired: list[tuple[str, int, str | None, int | None]]) -> Iterator[tuple[float, list[tuple[str, int]]]]:
    """Give P and (weapon, count) in order, for each roll of the dice that choose profiles."""
    dice: dict[str, list[int]] = {}
    for place, (_, _, die, _) in enumerate(fired):
        if die is not None:
            dice.setdefault(die, []).append(place)
    for chosen in product(*dice.values()):
        kept = [each[:2] for place, each in enumerate(fired) if each[2] is None or place in chosen]
        yield prod((fired[place][3] or 0) / 6 for place in chosen), kept


def _frame(rows: list[tuple[str, str, str, str]], targets: pl.DataFrame, results: np.ndarray) -> pl.DataFrame:
    """Write one row for each activation and target, targets in the order of their frame."""
    names = ("unit_id", "phase", "scenario_id", "ruleset")
    units = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    classes = targets["target_class_id"].to_numpy()
    repeated = units.select(pl.all().gather(np.tile(np.arange(len(units)), len(targets))))
    metrics = results[classes].reshape(-1, len(_COLUMNS)) if len(targets) else results.reshape(0, len(_COLUMNS))
    return repeated.with_columns(
        targets["target_id"].gather(np.repeat(np.arange(len(targets)), len(units))),
        *(pl.Series(name, column) for name, column in zip(_COLUMNS, metrics.T, strict=True)),
    ).select(
        "unit_id", "phase", "target_id", "scenario_id", "ruleset", *UNIT_METRICS,
        pl.col("expected_raw_damage").fill_nan(None),
        pl.col("law_id").cast(pl.Int32).replace(NOT_KEPT, None),
        pl.col("copies_to_destroy").cast(pl.Int32).replace(NO_ANSWER, None),
    )  # fmt: skip
