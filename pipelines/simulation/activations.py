"""Which volleys each unit fires in each scenario, as a tree of sequences.

Belongs here: the order of a unit's weapons, which of them attack in a scenario, rolls that choose profiles. Doesn't:
what volleys do (``volleys``), classes of weapons (``grid``), which weapons a unit carries (the caller's choice).

Many sequences begin alike, so they form a tree. Where a die chooses a weapon's profile, one roll does for all such
weapons, and the outcome is the mean over the die (A6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
import polars as pl

from pipelines.simulation.grid import AttackClasses
from pipelines.simulation.indexing import distinct, split

ROOT = 0
_HEAD = ("unit_id", "phase", "scenario_id", "ruleset")
_OPTIONAL = {"die": pl.String, "die_faces": pl.Int64}


class Volley(NamedTuple):
    """Equal weapons fired together."""

    attack_class: int
    weapons: int


@dataclass(frozen=True)
class Prefixes:
    """A tree of volley sequences: node i is its parent's sequence and one more volley; parents come first.

    ``depth`` counts volleys; node 0 is the empty sequence. Several trees may stand one behind the other.
    """

    parent: np.ndarray
    volley: np.ndarray
    depth: np.ndarray

    def repeated(self, times: int, volleys: int = 0) -> Prefixes:
        """Give so many equal trees one behind the other, each with its own root.

        ``volleys``: by how much the numbers of the volleys rise from tree to tree.
        """
        number = np.arange(times)[:, None]
        grows = self.depth > 0
        parent = np.where(grows, self.parent + number * len(self.parent), self.parent)
        volley = np.where(grows, self.volley + number * volleys, self.volley)
        return Prefixes(parent.ravel(), volley.ravel(), np.tile(self.depth, times))

    @cached_property
    def by_depth(self) -> list[np.ndarray]:
        """The nodes of each depth from 1 on."""
        return [np.flatnonzero(self.depth == depth) for depth in range(1, int(self.depth.max(initial=0)) + 1)]

    @cached_property
    def used(self) -> np.ndarray:
        """The volleys that come in it, ascending."""
        return np.unique(self.volley[self.depth > 0])

    def along(self, volleys: np.ndarray) -> np.ndarray:
        """Tell of each node whether one of the volleys that are True in ``volleys`` comes in its sequence."""
        met = np.zeros(len(self.parent), dtype=bool)
        for nodes in self.by_depth:
            met[nodes] = met[self.parent[nodes]] | volleys[self.volley[nodes]]
        return met

    def pruned(self, ends: np.ndarray) -> tuple[Prefixes, np.ndarray]:
        """Give the tree of the sequences ``ends`` alone, and what these are in it."""
        kept = np.zeros(len(self.parent), dtype=bool)
        kept[ROOT] = kept[ends] = True
        for nodes in self.by_depth[::-1]:
            kept[self.parent[nodes[kept[nodes]]]] = True
        number = np.cumsum(kept) - 1
        return Prefixes(number[self.parent[kept]], self.volley[kept], self.depth[kept]), number[ends]


class Mixed(NamedTuple):
    """Sequences that a die chooses among: mixture i is ``part[starts[i]]``, … of ``ends`` (nodes), by ``chance``."""

    ends: np.ndarray
    part: np.ndarray
    chance: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, nodes: np.ndarray, chance: np.ndarray, sizes: np.ndarray) -> Mixed:
        """Give mixtures of so many sequences each, whose nodes and chances lie end to end."""
        ends, part = np.unique(nodes, return_inverse=True)
        return cls(ends, part, chance, np.cumsum(sizes) - sizes)

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Give the mean over the die of linear values [end, …], such as probabilities of states, as [mixture, …]."""
        if len(self.part) == len(self.starts):
            return values[self.part]
        weighted = values[self.part] * self.chance.reshape(-1, *[1] * (values.ndim - 1))
        return np.add.reduceat(weighted, self.starts, axis=0)

    def taken(self, members: np.ndarray) -> Mixed:
        """Give some of the mixtures, ``members`` ascending."""
        sizes = np.diff(self.starts, append=len(self.part))
        kept = np.repeat(np.isin(np.arange(len(sizes)), members), sizes)
        return Mixed.of(self.ends[self.part[kept]], self.chance[kept], sizes[members])

    def any(self, ends: np.ndarray) -> np.ndarray:
        """Tell of each mixture whether one of its sequences is True in ``ends``, [end]."""
        found: np.ndarray = np.logical_or.reduceat(ends[self.part], self.starts)
        return found


class Activations(NamedTuple):
    """Distinct activations: row i of ``heads`` (unit_id, phase, scenario_id, ruleset) is mixture ``mixture[i]``."""

    heads: pl.DataFrame
    mixture: np.ndarray
    mixed: Mixed
    prefixes: Prefixes
    volleys: list[Volley]


def activations(loadouts: pl.DataFrame, attack_classes: AttackClasses, scenarios: pl.DataFrame) -> Activations:
    """Give the activations of units, by unit, phase and scenario; ``loadouts``: as for ``units.simulate_units``."""
    lines = _lines(loadouts, attack_classes, scenarios)
    names, counts = (lines[name].to_numpy().astype(np.int64) for name in ("attack_class_id", "count"))
    first, volley = distinct([names, counts])
    volleys = [Volley(*each) for each in zip(names[first].tolist(), counts[first].tolist(), strict=True)]
    owner, chance, sequence, line = _rolls(lines)
    prefixes, node = _tree(sequence, volley[line], len(owner))
    heads = lines.unique("activation", keep="first", maintain_order=True)
    sizes = np.bincount(owner, minlength=len(heads))
    place = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = []
    for values in (node + 1, np.unique(chance, return_inverse=True)[1] + 1):
        padded = np.zeros((len(heads), int(sizes.max(initial=0))), dtype=np.int64)
        padded[owner, place] = values
        columns += list(padded.T)
    first, mixture = distinct(columns) if len(heads) else (np.zeros(0, dtype=np.int64),) * 2
    kept = np.isin(owner, first)
    return Activations(
        heads.select(_HEAD), mixture, Mixed.of(node[kept], chance[kept], sizes[first]), prefixes, volleys
    )


def _lines(loadouts: pl.DataFrame, attack_classes: AttackClasses, scenarios: pl.DataFrame) -> pl.DataFrame:
    """Give what is fired, in order, numbered by ``activation``: a unit has one in a scenario that changes a weapon.

    Its other weapons fire as in the plain scenario, unless the target can't be seen.
    """
    plain = pl.DataFrame(
        {"weapon_profile_id": list(attack_classes.plain), "plain": list(attack_classes.plain.values())},
        schema={"weapon_profile_id": pl.String, "plain": pl.Int64},
    )
    classes = attack_classes.frame.select("weapon_profile_id", "scenario_id", "attack_class_id")
    rules = attack_classes.frame.select("weapon_profile_id", "ruleset").unique("weapon_profile_id")
    seen = pl.col("visible") if "visible" in scenarios.columns else pl.lit(value=True)
    fired = (
        loadouts.with_columns(
            pl.lit(None, dtype).alias(name) for name, dtype in _OPTIONAL.items() if name not in loadouts.columns
        )
        .filter(pl.col("count") > 0)
        .sort("unit_id", "phase", "position", maintain_order=True)
        .join(plain, on="weapon_profile_id", maintain_order="left")
        .join(rules, on="weapon_profile_id", how="left", maintain_order="left")
        .with_columns(unit=pl.struct("unit_id", "phase").rle_id())
        .with_columns(pl.col("ruleset").first().over("unit"), line=pl.int_range(pl.len()))
    )
    changes = pl.col("attack_class_id").is_not_null()
    return (
        fired.join(scenarios.select("scenario_id", seen=seen, scenario=pl.int_range(pl.len())), how="cross")
        .join(classes, on=["weapon_profile_id", "scenario_id"], how="left")
        .sort("unit", "scenario", "line")
        .filter(changes.any().over("unit", "scenario"))
        .filter(pl.col("seen") | changes)
        .with_columns(pl.coalesce("attack_class_id", "plain"), activation=pl.struct("unit", "scenario").rle_id())
    )


def _rolls(lines: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Give the activation and P of each sequence of volleys, one for each roll of the dice that choose profiles; then
    the sequence and the line of each volley, in order."""
    activation = lines["activation"].to_numpy().astype(np.int64)
    by_die = set(lines.filter(pl.col("die").is_not_null())["activation"].to_list())
    owners, chances, sizes, kept = [], [], [], []
    if not by_die:
        number = int(activation.max(initial=-1)) + 1
        return np.arange(number), np.ones(number), activation, np.arange(len(lines))
    rolled = lines.select("die", "die_faces").rows()
    for of_one in split([activation]):
        owner = int(activation[of_one[0]])
        rolls = _rolled([rolled[line] for line in of_one]) if owner in by_die else [(1.0, range(len(of_one)))]
        for chance, places in rolls:
            owners.append(owner)
            chances.append(chance)
            sizes.append(len(places))
            kept.append(of_one[list(places)])
    return np.array(owners), np.array(chances), np.repeat(np.arange(len(sizes)), sizes), np.concatenate(kept)


def _rolled(fired: list[tuple[str | None, int | None]]) -> Iterator[tuple[float, Sequence[int]]]:
    """Give P and which volleys are fired, in order, for each roll of the dice that choose profiles: (die, faces)."""
    dice: dict[str, list[int]] = {}
    for place, (die, _) in enumerate(fired):
        if die is not None:
            dice.setdefault(die, []).append(place)
    for chosen in product(*dice.values()):
        kept = [place for place, (die, _) in enumerate(fired) if die is None or place in chosen]
        yield prod((fired[place][1] or 0) / 6 for place in chosen), kept


def _tree(sequence: np.ndarray, volley: np.ndarray, number: int) -> tuple[Prefixes, np.ndarray]:
    """Give the tree of ``number`` sequences and the node of each; ``sequence`` of each volley ascends."""
    sizes = np.bincount(sequence, minlength=number)
    starts = np.cumsum(sizes) - sizes
    node, total = np.zeros(number, dtype=np.int64), 1
    columns = [[np.array([-1])], [np.array([-1])], [np.array([0])]]
    for depth in range(int(sizes.max(initial=0))):
        here = np.flatnonzero(sizes > depth)
        parents, fired = node[here], volley[starts[here] + depth]
        first, same = distinct([parents, fired])
        for column, values in zip(columns, (parents[first], fired[first], np.full(len(first), depth + 1)), strict=True):
            column.append(values)
        node[here] = total + same
        total += len(first)
    return Prefixes(*(np.concatenate(column) for column in columns)), node
