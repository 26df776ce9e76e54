"""Volleys fired in order at one target: the state of the unit is carried from volley to volley.

Belongs here: sequences of volleys, Devastating Wounds after all other attacks (choice 1, D3). Doesn't: which volleys
a unit fires (``units``), what one attack does to a unit (``bodies``).

Many sequences begin alike, so they form a tree, and each step is taken once for all that share it. Devastating Wounds
that have to wait add an axis of counts to the state, one for each kind of them: kinds are resolved in the order in
which they first came. They may come at once where that is the same: nothing waits already, and all that any sequence of
the tree fires later does the same as they do (equal steps of a Markov chain commute); or the unit is one model, whose
losses only add up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipelines.simulation import bodies, chains
from pipelines.simulation.bodies import Blow, Body, Strike
from pipelines.simulation.chains import State, Step
from pipelines.simulation.grid import AttackClasses, TargetClasses
from pipelines.simulation.indexing import Register, distinct, split
from pipelines.simulation.outcomes import METRICS, closed_form, decide_lethal
from pipelines.simulation.signatures import Block, Laws, signatures
from pipelines.simulation.stages import Stages

UNIT_METRICS = METRICS[5:]
MAX_PENDING = 10_000_000
"""The largest number of probabilities that the state of one sequence may have."""
MAX_STARTED = 1_000_000
"""About how many probabilities are followed at once where sequences start from every state."""
ROOT = 0


class Volley(NamedTuple):
    """Equal weapons fired together."""

    attack_class: int
    weapons: int


@dataclass(frozen=True)
class Prefixes:
    """A tree of volley sequences: node i is its parent's sequence and one more volley; parents come first.

    ``depth`` counts volleys; node 0 is the empty sequence.
    """

    parent: np.ndarray
    volley: np.ndarray
    depth: np.ndarray

    def repeated(self, times: int) -> Prefixes:
        """Give so many equal trees one behind the other, each with its own root."""
        offsets = np.arange(times)[:, None] * len(self.parent)
        parent = np.where(self.depth > 0, self.parent + offsets, self.parent)
        return Prefixes(parent.ravel(), np.tile(self.volley, times), np.tile(self.depth, times))

    @cached_property
    def by_depth(self) -> list[np.ndarray]:
        """The nodes of each depth from 1 on."""
        return [np.flatnonzero(self.depth == depth) for depth in range(1, int(self.depth.max(initial=0)) + 1)]


@dataclass(frozen=True)
class _Against:
    """What each volley does to one target class; arrays have one entry a volley.

    ``together``, ``apart``: its count law with its Devastating Wounds counted as other damage, or kept apart;
    ``only_apart``: the first says nothing here. ``kind``, ``last``: which of ``strikes`` one attack and one Devastating
    Wound does; equal numbers do the same. ``devastates``: it can inflict Devastating Wounds.
    """

    body: Body
    together: np.ndarray
    apart: np.ndarray
    only_apart: bool
    kind: np.ndarray
    last: np.ndarray
    devastates: np.ndarray
    strikes: list[Strike]

    def waits(self, prefixes: Prefixes) -> np.ndarray:
        """Tell of each node whether the Devastating Wounds of its last volley wait for the end."""
        parent, volley = prefixes.parent, prefixes.volley
        devastates = self.devastates[volley] & (prefixes.depth > 0)
        if self.body.models == 1 or not devastates.any():
            return np.zeros(len(parent), dtype=bool)
        kind, last = self.kind[volley], self.last[volley]
        least, most = np.full(len(parent), len(self.strikes)), np.full(len(parent), -1)  # kinds of all that comes later
        for nodes in prefixes.by_depth[::-1]:
            own = kind[nodes], np.where(devastates[nodes], last[nodes], kind[nodes])
            np.minimum.at(least, parent[nodes], np.minimum(least[nodes], np.minimum(*own)))
            np.maximum.at(most, parent[nodes], np.maximum(most[nodes], np.maximum(*own)))
        waits = devastates & ((least < last) | (most > last))
        holds = np.zeros(len(parent), dtype=bool)
        for nodes in prefixes.by_depth:
            waits[nodes] |= devastates[nodes] & holds[parent[nodes]]
            holds[nodes] = holds[parent[nodes]] | waits[nodes]
        return waits

    @cached_property
    def _steps(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        steps = [strike[0][1] for strike in self.strikes]
        enough = [-1 if step.enough is None else step.enough for step in steps]
        return np.stack([step.stays for step in steps]), np.stack([step.deaths for step in steps]), np.array(enough)

    def step_each(self, kinds: np.ndarray) -> Step:
        """Give one step for each of some states [row, m, w] of a unit of equal models."""
        stays, deaths, enough = (column[kinds] for column in self._steps)
        return Step(stays, deaths, None if enough.min() < 0 else int(enough.max()))

    def settled(self, state: State, kinds: Sequence[int]) -> State:
        """Give the states [row, m, w] once all that waits, one axis [row, d, …, m, w] for each kind, has been done."""
        if kinds:
            state = self.body.unshielded(state)
        for kind in kinds:
            counted_last = np.moveaxis(state[0], 1, -3), np.moveaxis(state[1], 1, -1)
            state = chains.followed(counted_last, self.strikes[kind][0][1])
        return state


class _Shot(NamedTuple):
    """One volley that follows some states: ``law``, row of its count law, ``kind`` and ``last`` as in ``_Against``.

    ``apart``: which table its count law is from; ``waits``: its Devastating Wounds do; ``pending``: the kinds of those
    that wait before it, ``before``: the row of the states that wait for them.
    """

    law: int
    kind: int
    last: int
    apart: int
    waits: int
    pending: int
    before: int


class Fire:
    """Volleys against target classes: what each does, computed once and looked up target by target."""

    def __init__(self, volleys: Sequence[Volley], attack_classes: AttackClasses, target_classes: TargetClasses) -> None:
        self.targets = target_classes.rows
        groups = [bodies.stage_rows(target) for target in self.targets]
        sizes = [len(rows) for rows in groups]
        self.starts = np.cumsum(sizes) - sizes
        variants = attack_classes.variant[[volley.attack_class for volley in volleys]]
        variants = variants[:, np.repeat(target_classes.mask, sizes)]
        weapons = np.broadcast_to(np.array([[volley.weapons] for volley in volleys]), variants.shape)
        shots, shot = distinct([variants.ravel(), weapons.ravel()])
        shot = shot.reshape(variants.shape)
        attacks = [attack_classes.variants[i] for i in variants.ravel()[shots]]
        self.lowest_first = np.array([attack.saves_lowest_first for attack in attacks], dtype=bool)[shot]
        self.laws = Laws()
        rows = [row for each in groups for row in each]
        stages = Stages(attacks, weapons.ravel()[shots].tolist(), rows, self.laws)
        sequences, self.sequence = stages.merged(shot, np.arange(len(rows))[None, :])
        self.sequences = sequences | {"lethal": decide_lethal(sequences, self.laws)}
        self._tabulate()

    def _tabulate(self) -> None:
        """Make the tables of count laws; at the end of the second: wounds before saves, for models that differ."""
        self.size = len(self.sequences["hit"])
        before_saves = self.sequences | {"unsaved": np.full(self.size, 6)}
        both = {name: np.concatenate([column, before_saves[name]]) for name, column in self.sequences.items()}
        self.together = signatures(self.sequences, self.laws)
        self.apart = signatures(both, self.laws, all_apart=True)
        plain = np.array([bodies.is_plain(target) for target in self.targets], dtype=bool)
        first = self.sequence[:, self.starts]
        devastating = first[:, plain][self.sequences["devastating"][first[:, plain]] != 0]
        kept_apart = np.concatenate([devastating, first[:, ~plain].ravel() + self.size])
        self.counts = (
            self.together.firing(np.unique(self.together.count[first[:, plain]])),
            self.apart.firing(np.unique(self.apart.count[kept_apart])),
        )

    def _against(self, target: int) -> _Against:
        body, plain = Body(self.targets[target]), bodies.is_plain(self.targets[target])
        rows = self.sequence[:, self.starts[target] : self.starts[target] + body.groups]
        first = rows[:, 0]
        if plain:
            chain = self.apart.chain[first]
            columns = [self.apart.chain_rows[name][chain] for name in ("kernel", "devastating_kernel")]
            used, kinds = np.unique(np.stack(columns), return_inverse=True)
            kinds = kinds.reshape(2, -1)
            steps = [chains.equal_step(self.apart.kernels[i], body.wounds, body.models) for i in used]
            strikes: list[Strike] = [((0, step),) for step in steps]
        else:
            kinds, strikes = self._strikes(body, rows, self.lowest_first[:, self.starts[target]])
        return _Against(
            body=body,
            together=self.together.count[first],
            apart=self.apart.count[first if plain else first + self.size],
            only_apart=not plain,
            kind=kinds[0],
            last=kinds[1],
            devastates=self.sequences["devastating"][first] != 0,
            strikes=strikes,
        )

    def _strikes(self, body: Body, rows: np.ndarray, lowest_first: np.ndarray) -> tuple[np.ndarray, list[Strike]]:
        """Give kinds [normal or last, volley] and strikes for a unit whose models differ or that ignores attacks."""
        known = Register[tuple[tuple[Blow, ...], bool, bool]]()
        kinds = np.empty((2, len(rows)), dtype=np.int64)
        for volley, each in enumerate(rows.tolist()):
            normal, last = bodies.blows(self.sequences, each, self.laws)
            ordered = bool(lowest_first[volley]) and len({blow.unsaved for blow in normal}) > 1
            kinds[0, volley] = known.index((tuple(normal), ordered, False))
            kinds[1, volley] = known.index((tuple(last), False, body.skipped > 0))  # no ignored save stops these
        return kinds, [body.strike(each, lowest_first=ordered) for each, ordered, _ in known.values]

    def at(self, target: int, prefixes: Prefixes, ends: np.ndarray) -> State:
        """Give the states [end, m, w] of a fresh unit of class ``target`` after the sequences ``ends`` (nodes)."""
        against = self._against(target)
        return self._ended(against, prefixes, ends, against.body.fresh(1))

    def steps(self, target: int, prefixes: Prefixes, ends: np.ndarray) -> np.ndarray:
        """Give what the sequences ``ends`` do to each living state of class ``target``, [end, before, after].

        States are numbered as in [m, w]: the unhurt unit is the last.
        """
        against = self._against(target)
        models, wounds = against.body.models, against.body.wounds
        size = models * wounds
        before = np.eye(size).reshape(size, models, wounds)
        each = max(1, MAX_STARTED // (len(prefixes.parent) * size))
        parts = [
            self._ended(against, prefixes, ends, (now, np.zeros(len(now))))[0].reshape(len(now), len(ends), size)
            for now in np.split(before, range(each, size, each))
        ]
        return np.concatenate(parts).transpose(1, 0, 2)

    def raw_damage(self, target: int, prefixes: Prefixes, ends: np.ndarray) -> np.ndarray:
        """Give the mean damage of the sequences with nothing lost to overkill, [end]; NaN where models differ."""
        if not bodies.is_plain(self.targets[target]):
            return np.full(len(ends), np.nan)
        each = self._raw_damage[self.sequence[:, self.starts[target]]]
        result = np.zeros(len(prefixes.parent))
        for nodes in prefixes.by_depth:
            result[nodes] = result[prefixes.parent[nodes]] + each[prefixes.volley[nodes]]
        return result[ends]

    @cached_property
    def _raw_damage(self) -> np.ndarray:
        return closed_form(self.sequences, self.laws)[:, METRICS.index("expected_raw_damage")]

    def _ended(self, against: _Against, prefixes: Prefixes, ends: np.ndarray, start: State) -> State:
        """Give the states after the sequences ``ends`` from each state of ``start``, [start · end, m, w]."""
        starts, nodes_each = len(start[1]), len(prefixes.parent)
        prefixes = prefixes.repeated(starts)
        ends = (np.arange(starts)[:, None] * nodes_each + ends).ravel()
        waits = against.waits(prefixes)
        result = np.zeros((len(prefixes.parent), *start[0].shape[1:])), np.zeros(len(prefixes.parent))
        is_end = np.zeros(len(prefixes.parent), dtype=bool)
        is_end[ends] = True
        pending, row = (np.zeros(len(prefixes.parent), dtype=np.int64) for _ in range(2))
        row[::nodes_each] = np.arange(starts)
        kinds = Register[tuple[int, ...]]([()])
        states = {0: start}
        for nodes in prefixes.by_depth:
            parent, volley = prefixes.parent[nodes], prefixes.volley[nodes]
            devastates, kind, last = (column[volley] for column in (against.devastates, against.kind, against.last))
            apart = against.only_apart | (devastates & (waits[nodes] | (last != kind)))
            shots = [
                np.where(apart, against.apart[volley], against.together[volley]), kind,
                np.where(devastates & apart, last, 0), apart.astype(np.int64), waits[nodes].astype(np.int64),
                pending[parent], row[parent],
            ]  # fmt: skip
            first, same = distinct(shots)
            after, states, rows = self._advance(against, [column[first] for column in shots], states, kinds)
            pending[nodes], row[nodes] = after[same], rows[same]
            for number, state in states.items():
                read = nodes[is_end[nodes] & (pending[nodes] == number)]
                if len(read):
                    used, place = np.unique(row[read], return_inverse=True)
                    settled = against.settled((state[0][used], state[1][used]), kinds.values[number])
                    result[0][read], result[1][read] = settled[0][place], settled[1][place]
        return result[0][ends], result[1][ends]

    def _advance(
        self, against: _Against, shots: list[np.ndarray], states: dict[int, State], kinds: Register[tuple[int, ...]]
    ) -> tuple[np.ndarray, dict[int, State], np.ndarray]:
        """Let one volley each follow its states; those of one block that do the same go together.

        ``shots``: columns as in ``_Shot``. Returns what the state of each waits for (an index into ``kinds``), the
        states by that, and the row of each there.
        """
        law, kind, last, apart, waits, before_kinds, before = shots
        block = np.where(apart != 0, self.counts[1].block[law * apart], self.counts[0].block[law * (1 - apart)])
        after, rows = np.zeros(len(law), dtype=np.int64), np.zeros(len(law), dtype=np.int64)
        parts: dict[int, list[State]] = defaultdict(list)
        sizes: dict[int, int] = defaultdict(int)
        alike = (apart == 0) & (before_kinds == 0)  # one chain, whatever their kind: a step for each row
        for members in split([block, np.where(alike, 0, kind), last, apart, waits, before_kinds]):
            shot = _Shot(*(int(column[members[0]]) for column in shots))
            counts, (alive, dead) = self.counts[shot.apart], states[shot.pending]
            chosen, place = counts.blocks[block[members[0]]], counts.row[law[members]]
            each = max(1, MAX_PENDING // _needed(alive[:1], chosen, against, shot))
            number = shot.pending
            for start in range(0, len(members), each):
                now, at = members[start : start + each], place[start : start + each]
                state = alive[before[now]], dead[before[now]]
                if alike[now[0]]:
                    state = chains.mixed(state, chosen.laws[at], against.step_each(kind[now]))
                else:
                    number, state = _followed_by(against, state, chosen, at, shot, kinds)
                parts[number].append(state)
            after[members], rows[members] = number, sizes[number] + np.arange(len(members))
            sizes[number] += len(members)
        return after, {number: _stacked(states) for number, states in parts.items()}, rows


def _needed(alive: np.ndarray, block: Block, against: _Against, shot: _Shot) -> int:
    """Give how many probabilities one sequence needs for a volley. Raises ValueError for too many."""
    last, strike = against.strikes[shot.last][0][1], against.strikes[shot.kind]
    size = alive.size * block.waiting_size(last)
    if strike[0][0]:
        size *= block.attacks.shape[1] * block.polynomials.shape[1]
    if size > MAX_PENDING:
        raise ValueError("too many Devastating Wounds of different kinds wait for the end of one activation")
    return size


def _followed_by(
    against: _Against, state: State, block: Block, place: np.ndarray, shot: _Shot, kinds: Register[tuple[int, ...]]
) -> tuple[int, State]:
    """Let volleys of one block, its rows ``place``, follow states; give also what these then wait for."""
    alive, dead = state
    shape = dead.shape
    flat = alive.reshape(-1, *alive.shape[-2:]), dead.reshape(-1)
    last = against.strikes[shot.last][0][1]
    after = bodies.fired(flat, block, np.repeat(place, flat[1].size // len(place)), against.strikes[shot.kind], last)
    if not shot.waits:
        after = chains.followed(after if after[0].shape[1] == 1 else against.body.unshielded(after), last)
        return shot.pending, (after[0].reshape(alive.shape), after[1].reshape(shape))
    alive, dead = after[0].reshape(*shape, -1, *alive.shape[-2:]), after[1].reshape(*shape, -1)
    held = kinds.values[shot.pending]
    if shot.last not in held:
        return kinds.index((*held, shot.last)), (alive, dead)
    axis = 1 + held.index(shot.last)
    return shot.pending, (_added(alive, axis, len(shape)), _added(dead, axis, len(shape)))


def _added(values: np.ndarray, axis: int, last: int) -> np.ndarray:
    """Add the count on axis ``last`` to the one on ``axis``."""
    moved = np.moveaxis(values, (axis, last), (0, 1))
    result = np.zeros((moved.shape[0] + moved.shape[1] - 1, *moved.shape[2:]))
    for more in range(moved.shape[1]):
        result[more : more + moved.shape[0]] += moved[:, more]
    return np.moveaxis(result, 0, axis)


def _stacked(parts: list[State]) -> State:
    """Put states that wait for the same kinds below each other; shorter counts end in impossible ones."""
    if len(parts) == 1:
        return parts[0]
    shape = np.max([dead.shape[1:] for _, dead in parts], axis=0).astype(np.int64).tolist()
    rows = sum(len(dead) for _, dead in parts)
    alive, dead = np.zeros((rows, *shape, *parts[0][0].shape[-2:])), np.zeros((rows, *shape))
    start = 0
    for more, gone in parts:
        place = (slice(start, start + len(gone)), *(slice(0, size) for size in gone.shape[1:]))
        alive[place], dead[place] = more, gone
        start += len(gone)
    return alive, dead
