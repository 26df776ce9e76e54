"""Whole units: all weapons of a phase, one after the other, at one target.

Belongs here: carrying the target's state from weapon to weapon. Doesn't: rules (``effective``), classes of weapons
and targets (``grid``), which weapons a unit carries (the caller's choice).

Weapons fire in order. Devastating Wounds that a different Feel No Pain (or unreduced damage) sets apart from the
weapon's other damage are resolved after all other attacks of the unit (choice 1), kind by kind in the order in which
kinds first came; those that do the same as other damage are resolved with their weapon. Blast counts the models
before any is destroyed (choice 10). Where Lethal Hits are optional, each weapon decides as it would alone (E7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
import polars as pl

from pipelines.simulation import chains
from pipelines.simulation.chains import State
from pipelines.simulation.grid import AttackClasses, TargetClasses, classify_attacks, classify_targets, tested_by
from pipelines.simulation.outcomes import METRICS, Laws, Register, decide_lethal, distinct, signatures, split
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.stages import Stages

UNIT_METRICS = METRICS[5:]
MAX_PENDING = 2_000_000
_ROOT = 0


class Volley(NamedTuple):
    """Equal weapons fired together."""

    attack_class: int
    weapons: int


@dataclass(frozen=True)
class _Prefixes:
    """A tree of volley sequences: node i is its parent's sequence and one more volley; parents come first.

    ``depth`` counts volleys; node 0 is the empty sequence.
    """

    parent: np.ndarray
    volley: np.ndarray
    depth: np.ndarray


def simulate_units(
    loadouts: pl.DataFrame, weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame,
    rulesets: Mapping[str, RuleSet],
) -> pl.DataFrame:  # fmt: skip
    """Compute units' activations of one phase against each target, exactly.

    ``loadouts``: unit_id, phase (``shooting``, ``fight``), position (order of firing), weapon_profile_id, count
    (weapons fired together; 0 fires none). Other frames: as for ``grid.simulate_grid``.
    Returns unit_id, phase, target_id, scenario_id, ruleset (that of its first weapon), expected_damage,
    expected_models_destroyed, p_destroy_unit. A unit has a row in a scenario if one of its weapons of the phase has
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
    rows, ends = [], []
    for head, sequence in _activations(loadouts, attack_classes, scenarios):
        node = _ROOT
        for depth, volley in enumerate(sequence, 1):
            node = nodes.index((node, volleys.index(volley), depth))
        rows.append(head)
        ends.append(node)
    prefixes = _Prefixes(*np.array(nodes.values, dtype=np.int64).T)
    used, place = np.unique(np.array(ends, dtype=np.int64), return_inverse=True)
    results = np.zeros((len(target_classes.rows), len(used), len(UNIT_METRICS)))
    if results.size:
        fire = _Fire(volleys.values, attack_classes, target_classes)
        for t in range(len(target_classes.rows)):
            results[t] = fire.at(t, prefixes, used)
    return _frame(rows, target_classes.frame, results[:, place])


def _activations(
    loadouts: pl.DataFrame, attack_classes: AttackClasses, scenarios: pl.DataFrame
) -> Iterator[tuple[tuple[str, str, str, str], list[Volley]]]:
    """Give (unit_id, phase, scenario_id, ruleset) and the volleys of each unit's activation."""
    in_scenario: dict[tuple[str, str], int] = {}
    rulesets: dict[str, str] = {}
    for weapon, scenario, ruleset, attack_class in attack_classes.frame.iter_rows():
        in_scenario[weapon, scenario] = attack_class
        rulesets[weapon] = ruleset
    columns = ["unit_id", "phase", "weapon_profile_id", "count"]
    ordered = loadouts.sort("unit_id", "phase", "position", maintain_order=True).select(columns)
    for (unit, phase), group in groupby(ordered.iter_rows(), key=lambda row: row[:2]):
        fired = [(weapon, count) for *_, weapon, count in group if count > 0]
        for scenario in scenarios["scenario_id"].to_list():
            if any((weapon, scenario) in in_scenario for weapon, _ in fired):
                volleys = [
                    Volley(in_scenario.get((weapon, scenario), attack_classes.plain[weapon]), count)
                    for weapon, count in fired
                ]
                yield (unit, phase, scenario, rulesets[fired[0][0]]), volleys


class _Fire:
    """Volleys against target classes: what each does, computed once and looked up target by target."""

    def __init__(self, volleys: Sequence[Volley], attack_classes: AttackClasses, target_classes: TargetClasses) -> None:
        laws = Laws()
        variants = attack_classes.variant[[volley.attack_class for volley in volleys]][:, target_classes.mask]
        weapons = np.array([volley.weapons for volley in volleys], dtype=np.int64)
        shots, shot = distinct([variants.ravel(), np.broadcast_to(weapons[:, None], variants.shape).ravel()])
        stages = Stages(
            [attack_classes.variants[i] for i in variants.ravel()[shots]],
            np.broadcast_to(weapons[:, None], variants.shape).ravel()[shots].tolist(),
            target_classes.rows,
            laws,
        )
        sequences, sequence = stages.merged(shot.reshape(variants.shape), np.arange(len(target_classes.rows))[None, :])
        self.merged = signatures(sequences | {"lethal": decide_lethal(sequences, laws)}, laws)
        self.count, self.chain = self.merged.count[sequence], self.merged.chain[sequence]
        self.targets = target_classes.rows
        self.block, self.row = (np.zeros(len(self.merged.counts["hit"]), dtype=np.int64) for _ in range(2))
        self.blocks = self.merged.blocks(np.unique(self.merged.count))
        for i, block in enumerate(self.blocks):
            self.block[block.rows], self.row[block.rows] = i, np.arange(len(block.rows))

    def at(self, target: int, prefixes: _Prefixes, ends: np.ndarray) -> np.ndarray:
        """Give the ``UNIT_METRICS`` of target class ``target`` after the sequences ``ends`` (nodes), [end, metric]."""
        count, chain = self.count[:, target], self.chain[:, target]
        apart = self.merged.chain_rows["apart"][chain] != 0
        models, wounds = self.targets[target].models, self.targets[target].wounds
        result = np.zeros((len(prefixes.parent), len(UNIT_METRICS)))
        split = np.zeros(len(prefixes.parent), dtype=bool)
        state = chains.fresh(1, models, wounds)
        state_of = np.zeros(len(prefixes.parent), dtype=np.int64)
        for depth in range(1, int(prefixes.depth.max(initial=0)) + 1):
            nodes = np.flatnonzero(prefixes.depth == depth)
            parent, volley = prefixes.parent[nodes], prefixes.volley[nodes]
            split[nodes] = split[parent] | apart[volley]
            nodes, parent, volley = (column[~split[nodes]] for column in (nodes, parent, volley))
            if len(nodes):
                first, state_of[nodes] = distinct([state_of[parent], count[volley], chain[volley]])
                state = self._advance(state, state_of[parent[first]], count[volley[first]], chain[volley[first]])
                result[nodes] = chains.summary(state)[state_of[nodes]]
        for node in ends[split[ends]]:
            result[node] = self._resolve_apart(prefixes, int(node), count, chain, models, wounds)
        return result[ends]

    def _advance(self, state: State, before: np.ndarray, count: np.ndarray, chain: np.ndarray) -> State:
        """Let one volley each follow the states ``before``; volleys of one chain go together."""
        alive = np.empty((len(before), *state[0].shape[1:]))
        dead = np.empty(len(before))
        for members in split([chain, self.block[count]]):
            earlier = state[0][before[members]], state[1][before[members]]
            after, gone = self._fired(earlier, count[members], int(chain[members[0]]))
            alive[members], dead[members] = after[:, 0], gone[:, 0]
        return alive, dead

    def _fired(self, state: State, count: np.ndarray, chain: int) -> State:
        """Let volleys of one block and one chain follow the states, one each."""
        kernel, *_ = self.merged.chain_of(chain)
        return self.blocks[self.block[count[0]]].fired(state, self.row[count], kernel)

    def _resolve_apart(
        self, prefixes: _Prefixes, node: int, count: np.ndarray, chain: np.ndarray, models: int, wounds: int
    ) -> np.ndarray:
        """Follow one sequence with Devastating Wounds that wait for the end: one axis of counts for each kernel."""
        volleys: list[int] = []
        while node:
            volleys.insert(0, int(prefixes.volley[node]))
            node = int(prefixes.parent[node])
        waiting = Register[int]()
        alive, dead = (part[0] for part in chains.fresh(1, models, wounds))
        for volley in volleys:
            pending = alive.shape[:-2]
            flat = alive.reshape(-1, models, wounds), dead.reshape(-1)
            if flat[0].size * self.blocks[self.block[count[volley]]].most_apart > MAX_PENDING:
                raise ValueError("too many Devastating Wounds of different kinds wait for the end of one activation")
            after, gone = self._fired(flat, np.repeat(count[volley], len(flat[1])), int(chain[volley]))
            after, gone = after.reshape(*pending, -1, models, wounds), gone.reshape(*pending, -1)
            if not self.merged.chain_rows["apart"][chain[volley]]:
                alive, dead = after[..., 0, :, :], gone[..., 0]
                continue
            axis = waiting.index(int(self.merged.chain_rows["devastating_kernel"][chain[volley]]))
            if axis == len(pending):
                alive, dead = after, gone
            else:
                alive = _added(after, axis, len(pending))
                dead = _added(gone, axis, len(pending))
        for kernel in waiting.values:
            first_last = np.moveaxis(alive, 0, -3), np.moveaxis(dead, 0, -1)
            alive, dead = chains.followed(first_last, self.merged.kernels[kernel])
        return chains.summary((alive, dead))


def _added(values: np.ndarray, axis: int, last: int) -> np.ndarray:
    """Add the count on axis ``last`` to the one on ``axis``."""
    moved = np.moveaxis(values, (axis, last), (0, 1))
    result = np.zeros((moved.shape[0] + moved.shape[1] - 1, *moved.shape[2:]))
    for more in range(moved.shape[1]):
        result[more : more + moved.shape[0]] += moved[:, more]
    return np.moveaxis(result, 0, axis)


def _frame(rows: list[tuple[str, str, str, str]], targets: pl.DataFrame, results: np.ndarray) -> pl.DataFrame:
    """Write one row for each activation and target, targets in the order of their frame."""
    names = ("unit_id", "phase", "scenario_id", "ruleset")
    units = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    classes = targets["target_class_id"].to_numpy()
    repeated = units.select(pl.all().gather(np.tile(np.arange(len(units)), len(targets))))
    metrics = results[classes].reshape(-1, len(UNIT_METRICS)) if len(targets) else results.reshape(0, 3)
    return repeated.with_columns(
        targets["target_id"].gather(np.repeat(np.arange(len(targets)), len(units))),
        *(pl.Series(name, column) for name, column in zip(UNIT_METRICS, metrics.T, strict=True)),
    ).select("unit_id", "phase", "target_id", "scenario_id", "ruleset", *UNIT_METRICS)
