"""Volleys fired in order at one target: the state of the unit is carried from volley to volley.

Belongs here: sequences of volleys, Devastating Wounds after all other attacks (choice 1, D3). Doesn't: which volleys
a unit fires (``activations``), what one attack does to a unit (``bodies``), whole volleys at equal models
(``passages``).

Each step of the tree of sequences is taken once for all that share it. Devastating Wounds that have to wait add an axis
of counts to the state, one for each kind of them: kinds are resolved in the order in which they first came. They may
come at once where that is the same: nothing waits already, and all that any sequence of the tree fires later does the
same as they do (equal steps of a Markov chain commute); or the unit is one model, whose losses only add up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from pipelines.simulation import bodies, chains, passages
from pipelines.simulation.activations import Prefixes, Volley
from pipelines.simulation.attached import LedBody, is_led
from pipelines.simulation.bodies import Blow, Body, Strike
from pipelines.simulation.chains import State
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


@dataclass(frozen=True)
class _Against:
    """What each volley does to target classes of one body; arrays have one entry a volley, class after class.

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
        if self.body.adds_up or not devastates.any():
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

    def settled(self, state: State, kinds: Sequence[int]) -> State:
        """Give the states [row, m, w] once all that waits, one axis [row, d, …, m, w] for each kind, has been done."""
        if kinds:
            state = self.body.unshielded(state)
        for kind in kinds:
            counted_last = np.moveaxis(state[0], 1, -3), np.moveaxis(state[1], 1, -1)
            state = chains.followed(counted_last, self.strikes[kind][0][1])
        return state


class _Shot(NamedTuple):
    """One volley that follows some states. ``apart``: whether its Devastating Wounds are kept apart.

    ``law``: row of its passage or, ``apart``, of its count law; ``kind``, ``last``: as in ``_Against``; ``waits``: its
    Devastating Wounds do; ``pending``: the kinds of those that wait before it, ``before``: the row of their states.
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
        led = np.repeat(np.array([is_led(target) for target in self.targets], dtype=bool), sizes)
        self.precise = np.array([attack.precision for attack in attacks], dtype=bool)[shot] & led
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

    def body(self, target: int, prefixes: Prefixes) -> Body:
        """Give what target class ``target`` is to some sequences, and what their states mean.

        Where all their volleys have Precision, or none has, there is one order of allocation.
        """
        precise = self.precise[prefixes.used, self.starts[target]]
        if precise.any() and not precise.all():
            return LedBody(self.targets[target])
        return Body(self.targets[target], precision=bool(precise.any()))

    def alike(self, prefixes: Prefixes, *, passages_too: bool) -> list[list[int]]:
        """Give the target classes in groups that ``after`` can follow together: units of equal models, of one size.

        A group is bounded by what it follows at once; classes of other units stand alone.
        """
        groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for number, target in enumerate(self.targets):
            groups[(target.models, target.wounds) if bodies.is_plain(target) else (number,)].append(number)
        found = []
        for key, members in groups.items():
            each = 1
            if len(members) > 1:
                started = passages.axes(*key)[1] if passages_too else 1
                each = max(1, MAX_STARTED // (len(prefixes.parent) * prod(key) * started))
            found += [members[start : start + each] for start in range(0, len(members), each)]
        return found

    def _against(self, targets: Sequence[int], prefixes: Prefixes) -> _Against:
        """Give what volleys do to classes of ``alike``, volley i of the nth class at n times the volleys and i."""
        body, plain = self.body(targets[0], prefixes), bodies.is_plain(self.targets[targets[0]])
        first = self.sequence[:, self.starts[list(targets)]].T.ravel()
        if plain:
            chain = self.apart.chain[first]
            columns = [self.apart.chain_rows[name][chain] for name in ("kernel", "devastating_kernel")]
            used, kinds = np.unique(np.stack(columns), return_inverse=True)
            kinds = kinds.reshape(2, -1)
            steps = [chains.equal_step(self.apart.kernels[i], body.wounds, body.models) for i in used]
            strikes: list[Strike] = [((0, step),) for step in steps]
        else:
            start = self.starts[targets[0]]
            kinds, strikes = self._strikes(body, self.sequence[:, start : start + body.groups], start, prefixes.used)
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

    def _strikes(self, body: Body, rows: np.ndarray, start: int, used: np.ndarray) -> tuple[np.ndarray, list[Strike]]:
        """Give kinds [normal or last, volley] and strikes for a unit whose models differ or that ignores attacks.

        ``rows``: sequences [volley, group]; ``start``: the stages' row of the first group; of ``used`` volleys only.
        """
        known = Register[tuple[tuple[Blow, ...], bool, bool, bool]]()
        kinds = np.zeros((2, len(rows)), dtype=np.int64)
        for volley in used.tolist():
            normal, last = bodies.blows(self.sequences, rows[volley].tolist(), self.laws)
            ordered = bool(self.lowest_first[volley, start]) and len({blow.unsaved for blow in normal}) > 1
            precise = bool(self.precise[volley, start])
            kinds[0, volley] = known.index((tuple(normal), ordered, precise, False))
            kinds[1, volley] = known.index((tuple(last), False, precise, body.skipped > 0))  # meets no ignored save
        return kinds, [body.strike(each, lowest_first=rolled, precise=to) for each, rolled, to, _ in known.values]

    def after(self, targets: Sequence[int], prefixes: Prefixes, ends: np.ndarray, *, passages_too: bool) -> State:
        """Give the states [end, target, start, m, w] of units of classes of ``alike`` after the sequences ``ends``.

        The last start is the fresh unit; ``passages_too``: the others are those of ``passages``.
        """
        against, number = self._against(targets, prefixes), 1
        shape, size = against.body.shape, prod(against.body.shape)
        if passages_too:
            number = passages.axes(*shape)[1] if bodies.is_plain(self.targets[targets[0]]) else size
        ends = (np.arange(len(targets))[:, None] * len(prefixes.parent) + ends).ravel()
        forest = prefixes.repeated(len(targets), len(self.sequence))
        each = max(1, MAX_STARTED // (len(forest.parent) * size))
        alive, dead = passages.starts(*shape, number)
        parts = [
            self._ended(against, forest, ends, (alive[start : start + each], dead[start : start + each]))
            for start in range(0, number, each)
        ]
        alive, dead = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        order = (number, len(targets), -1)
        return np.moveaxis(alive.reshape(*order, *shape), 2, 0).swapaxes(1, 2), dead.reshape(order).transpose(2, 1, 0)

    def raw_damage(self, targets: Sequence[int], prefixes: Prefixes, ends: np.ndarray) -> np.ndarray:
        """Give the mean damage of sequences with nothing lost to overkill, [end, target]; NaN where models differ."""
        if not bodies.is_plain(self.targets[targets[0]]):
            return np.full((len(ends), len(targets)), np.nan)
        each = self._raw_damage[self.sequence[:, self.starts[list(targets)]]]
        result = np.zeros((len(prefixes.parent), len(targets)))
        for nodes in prefixes.by_depth:
            result[nodes] = result[prefixes.parent[nodes]] + each[prefixes.volley[nodes]]
        return result[ends]

    @cached_property
    def _raw_damage(self) -> np.ndarray:
        return closed_form(self.sequences, self.laws)[:, METRICS.index("expected_raw_damage")]

    def _ended(self, against: _Against, prefixes: Prefixes, ends: np.ndarray, start: State) -> State:
        """Give the states after the sequences ``ends`` from each state of ``start``, [start · end, m, w].

        ``prefixes``: one tree for each of the classes, ``ends`` nodes of any of them.
        """
        starts, nodes_each = len(start[1]), len(prefixes.parent)
        prefixes = prefixes.repeated(starts)
        ends = (np.arange(starts)[:, None] * nodes_each + ends).ravel()
        result = np.zeros((len(prefixes.parent), *start[0].shape[1:])), np.zeros(len(prefixes.parent))
        is_end = np.zeros(len(prefixes.parent), dtype=bool)
        is_end[ends] = True
        pending, row = (np.zeros(len(prefixes.parent), dtype=np.int64) for _ in range(2))
        roots = np.flatnonzero(prefixes.depth == 0)
        row[roots] = roots // nodes_each
        kinds = Register[tuple[int, ...]]([()])
        states = {0: start}
        shot_of, alike = self._shots(against, prefixes)
        for nodes in prefixes.by_depth:
            parent = prefixes.parent[nodes]
            shots = [*(column[nodes] for column in shot_of), pending[parent], row[parent]]
            first, same = distinct(shots)
            after, states, rows = self._advance(against, alike, [column[first] for column in shots], states, kinds)
            pending[nodes], row[nodes] = after[same], rows[same]
            for number, state in states.items():
                read = nodes[is_end[nodes] & (pending[nodes] == number)]
                if len(read):
                    used, place = np.unique(row[read], return_inverse=True)
                    settled = against.settled((state[0][used], state[1][used]), kinds.values[number])
                    result[0][read], result[1][read] = settled[0][place], settled[1][place]
        return result[0][ends], result[1][ends]

    def _shots(self, against: _Against, prefixes: Prefixes) -> tuple[list[np.ndarray], State]:
        """Give of each node the columns of ``_Shot`` up to ``waits``, and the passages of those not ``apart``."""
        volley, waits = prefixes.volley, against.waits(prefixes)
        devastates, kind, last = (column[volley] for column in (against.devastates, against.kind, against.last))
        apart = against.only_apart | (devastates & (waits | (last != kind)))
        law = against.apart[volley]
        together = np.flatnonzero(~apart & (prefixes.depth > 0))
        columns = [against.together[volley[together]], kind[together]]
        first, law[together] = distinct(columns)
        alike = self._passages(against, *(column[first] for column in columns))
        return [law, kind * apart, last * (devastates & apart), apart.astype(np.int64), waits.astype(np.int64)], alike

    def _passages(self, against: _Against, law: np.ndarray, kind: np.ndarray) -> State:
        """Give the passages [row, w, m, w after] of volleys of one kind each; ``law``: rows of their count laws."""
        if not len(law):
            return np.zeros((0, 1, 1, 1)), np.zeros((0, 1))
        models, wounds = against.body.shape
        counts, steps = self.counts[0], [strike[0][1] for strike in against.strikes]
        groups = split([counts.block[law], kind])
        laws = [counts.blocks[counts.block[law[members[0]]]].laws[counts.row[law[members]]] for members in groups]
        kinds = [int(kind[members[0]]) for members in groups]
        most = [chains.capped(each.shape[1] - 1, steps[i]) for i, each in zip(kinds, laws, strict=True)]
        table = passages.walked(steps, models, wounds, max(most))
        found = np.empty((len(law), *table.shape[2:]))
        for members, i, each, attacks in zip(groups, kinds, laws, most, strict=True):
            each[:, attacks] = each[:, attacks:].sum(axis=1)
            found[members] = np.tensordot(each[:, : attacks + 1], table[: attacks + 1, i], 1)
        shape = passages.axes(models, wounds)
        return found[..., :-1].reshape(len(law), shape[1], *shape), found[..., -1]

    def _advance(
        self, against: _Against, alike: State, shots: list[np.ndarray], states: dict[int, State],
        kinds: Register[tuple[int, ...]],
    ) -> tuple[np.ndarray, dict[int, State], np.ndarray]:  # fmt: skip
        """Let one volley each follow its states; those that do the same, or that have passages, go together.

        ``alike``: passages; ``shots``: columns as in ``_Shot``. Returns what the state of each waits for (an index into
        ``kinds``), the states by that, and the row of each there.
        """
        law, kind, last, apart, waits, before_kinds, before = shots
        block = self.counts[1].block[law * apart] * apart
        after, rows = np.zeros(len(law), dtype=np.int64), np.zeros(len(law), dtype=np.int64)
        parts: dict[int, list[State]] = defaultdict(list)
        sizes: dict[int, int] = defaultdict(int)
        for members in split([block, kind, last, apart, waits, before_kinds]):
            shot = _Shot(*(int(column[members[0]]) for column in shots))
            alive, dead = states[shot.pending]
            number, chosen = shot.pending, self.counts[1].blocks[block[members[0]]] if shot.apart else None
            each = max(1, MAX_PENDING // (_needed(alive[:1], chosen, against, shot) if chosen else alive[0].size))
            for start in range(0, len(members), each):
                now = members[start : start + each]
                state = alive[before[now]], dead[before[now]]
                if chosen:
                    number, state = _followed_by(against, state, chosen, self.counts[1].row[law[now]], shot, kinds)
                else:
                    state = _passed(state, (alike[0][law[now]], alike[1][law[now]]))
                parts[number].append(state)
            after[members], rows[members] = number, sizes[number] + np.arange(len(members))
            sizes[number] += len(members)
        return after, {number: _stacked(states) for number, states in parts.items()}, rows


def _passed(state: State, passage: State) -> State:
    """Give the states [row, …, m, w] after a passage each, whatever waits for the end."""
    alive, dead = state
    models, wounds = passage[0].shape[2:]
    after = passages.composed((alive.reshape(len(alive), -1, models, wounds), dead.reshape(len(dead), -1)), passage)
    return after[0].reshape(alive.shape), after[1].reshape(dead.shape)


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
