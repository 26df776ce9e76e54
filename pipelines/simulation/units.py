"""Whole units: all weapons of a phase, one after the other, at one target.

Belongs here: one row for each activation and target. Doesn't: rules (``effective``), classes of weapons and targets
(``grid``), which weapons fire, in which order (``activations``), carrying the target's state from weapon to weapon
(``volleys``).

Weapons fire in order; Devastating Wounds come after all other attacks of the unit (choice 1). Blast counts the models
before any is destroyed (choice 10). Where Lethal Hits are optional, each weapon decides as it would alone (E7).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from pipelines.simulation import chains
from pipelines.simulation.activations import Mixed, Prefixes, activations
from pipelines.simulation.attached import is_led
from pipelines.simulation.distributions import MAX_SUPPORT, NOT_KEPT, LawBook
from pipelines.simulation.grid import classify_attacks, classify_targets, tested_by
from pipelines.simulation.losses import laws_of
from pipelines.simulation.repetition import MAX_STATES, NO_ANSWER, copies_of_passage
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.volleys import UNIT_METRICS, Fire

_COLUMNS = (*UNIT_METRICS, "expected_characters_destroyed", "expected_raw_damage", "law_id", "copies_to_destroy")


def simulate_units(
    loadouts: pl.DataFrame, weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet], book: LawBook | None, *, copies: bool = False,
) -> pl.DataFrame:  # fmt: skip
    """Compute units' activations of one phase against each target, exactly.

    ``loadouts``: unit_id, phase (``shooting``, ``fight``), position (order of firing), weapon_profile_id, count
    (weapons fired together; 0 fires none). Other frames: as for ``grid.simulate_grid``. ``book``: takes the laws; None:
    they aren't kept. ``copies``: also look for the number of copies that destroy the target.
    Returns unit_id, phase, target_id, scenario_id, ruleset (that of its first weapon), expected_damage,
    expected_models_destroyed, p_destroy_unit, expected_characters_destroyed (Float64, models; null where the target has
    no characters among other models), expected_raw_damage (null where the target's models differ), law_id and
    copies_to_destroy as in ``grid.GridResult``. A unit has a row in a scenario if one of its weapons of the phase has
    one; the others fire as in the plain one. Raises ValueError for a weapon that ``weapons`` lacks.
    """
    carried = loadouts.select("weapon_profile_id").unique()
    lacking = carried.join(weapons, on="weapon_profile_id", how="anti")
    if len(lacking):
        raise ValueError(f"loadouts: weapon profile {lacking['weapon_profile_id'].min()!r} is not among the weapons")
    weapons = weapons.join(carried, on="weapon_profile_id", how="semi", maintain_order="left")
    target_classes = classify_targets(targets, tested_by(weapons))
    led = np.array([is_led(target) for target in target_classes.rows], dtype=bool)
    attack_classes = classify_attacks(weapons, scenarios, rulesets, target_classes.masks, precision=bool(led.any()))
    fired = activations(loadouts, attack_classes, scenarios)
    mixed, prefixes = fired.mixed, fired.prefixes
    results = np.zeros((len(target_classes.rows), len(mixed.starts), len(_COLUMNS)))
    if results.size:
        fire = Fire(fired.volleys, attack_classes, target_classes)
        precise = mixed.any(prefixes.along(fire.precise.any(axis=1))[mixed.ends])
        parts = [_parted(prefixes, mixed, flags) for flags in (np.zeros_like(precise), precise)]
        for group in fire.alike(prefixes, passages_too=copies):
            for members, tree, part in parts[int(led[group[0]])]:
                body = fire.body(group[0], tree)
                read = body.readout
                counted = copies and read.living.shape[0] <= MAX_STATES
                after = fire.after(group, tree, part.ends, passages_too=counted)
                rows = len(members) * len(group)
                alive, dead = part(after[0]).reshape(rows, *after[0].shape[2:]), part(after[1]).reshape(rows, -1)
                state = alive[:, -1], dead[:, -1]
                found = np.zeros((rows, len(_COLUMNS)))
                found[:, : len(UNIT_METRICS)] = chains.summary(state, read)
                found[:, -4] = body.characters_destroyed(state) if led[group[0]] else np.nan
                found[:, -3] = part(fire.raw_damage(group, tree, part.ends)).ravel()
                kept = None if read.full[0] >= MAX_SUPPORT else book
                found[:, -2] = NOT_KEPT if kept is None else kept.enter(*laws_of(state, read))
                if counted:
                    found[:, -1] = copies_of_passage((alive.reshape(*dead.shape, -1, dead.shape[1]), dead))
                results[np.ix_(np.array(group), members)] = found.reshape(len(members), len(group), -1).swapaxes(0, 1)
    return _frame(fired.heads, target_classes.frame, results[:, fired.mixture])


def _parted(prefixes: Prefixes, mixed: Mixed, precise: np.ndarray) -> list[tuple[np.ndarray, Prefixes, Mixed]]:
    """Give mixtures without and with Precision apart: which they are, their tree and what is mixed of it."""
    parts = []
    for members in (np.flatnonzero(~precise), np.flatnonzero(precise)):
        if len(members):
            part = mixed.taken(members)
            tree, ends = prefixes.pruned(part.ends)
            parts.append((members, tree, part._replace(ends=ends)))
    return parts


def _frame(units: pl.DataFrame, targets: pl.DataFrame, results: np.ndarray) -> pl.DataFrame:
    """Write one row for each activation and target, targets in the order of their frame."""
    classes = targets["target_class_id"].to_numpy()
    repeated = units.select(pl.all().gather(np.tile(np.arange(len(units)), len(targets))))
    metrics = results[classes].reshape(-1, len(_COLUMNS)) if len(targets) else results.reshape(0, len(_COLUMNS))
    return repeated.with_columns(
        targets["target_id"].gather(np.repeat(np.arange(len(targets)), len(units))),
        *(pl.Series(name, column) for name, column in zip(_COLUMNS, metrics.T, strict=True)),
    ).select(
        "unit_id", "phase", "target_id", "scenario_id", "ruleset", *UNIT_METRICS,
        pl.col("expected_characters_destroyed", "expected_raw_damage").fill_nan(None),
        pl.col("law_id").cast(pl.Int32).replace(NOT_KEPT, None),
        pl.col("copies_to_destroy").cast(pl.Int32).replace(NO_ANSWER, None),
    )  # fmt: skip
