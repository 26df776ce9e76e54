"""What signatures do to a unit of equal models: the law of the wounds it loses.

Belongs here: one matrix product for each damage chain, means of laws. Doesn't: one attack's damage (``chains``),
which sequences share a signature (``signatures``), storing laws (``distributions``).

Wounds lost say all: attacks never spill over, and a wounded model takes the next one, so with W wounds a model
``lost // W`` models are destroyed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import Readout, State
from pipelines.simulation.indexing import split
from pipelines.simulation.signatures import Firing, Signatures

_CHUNK = 8_000_000


def loss_laws(
    merged: Signatures, firing: Firing, count: np.ndarray, chain: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Give the laws of pairs of a count law and a chain, in groups of one chain: (pairs, P(0, 1, … wounds lost)).

    ``count``, ``chain``: int64 of one length, rows of the tables of ``merged``. Laws are float64 [pair, wounds lost],
    cut off where more wounds can't be lost; every pair comes once.
    """
    apart = merged.chain_rows["apart"] != 0
    groups: dict[int, list[np.ndarray]] = {}
    for pairs in split([chain, firing.block[count]]):
        here = int(chain[pairs[0]])
        if not apart[here]:
            groups.setdefault(here, []).append(pairs)
            continue
        step, last, wounds, models = merged.steps_of(here)
        block = firing.blocks[firing.block[count[pairs[0]]]]
        fired = block.fired(chains.fresh(len(pairs), models, wounds), firing.row[count[pairs]], step, last)
        yield pairs, wounds_lost(chains.followed(fired, last))
    used = np.array(list(groups), dtype=np.int64)
    most = [max(firing.blocks[firing.block[count[g[0]]]].laws.shape[1] - 1 for g in groups[here]) for here in groups]
    for here, table in _chain_tables(merged, used, np.array(most, dtype=np.int64)):
        pairs = np.concatenate(groups[here])
        yield pairs, _counted(firing, count[pairs], len(table)) @ table


def _counted(firing: Firing, count: np.ndarray, width: int) -> np.ndarray:
    """Give P(0, 1, … unsaved attacks) of count laws, sorted by block, as [row, width]; the last: so many or more."""
    result = np.zeros((len(count), width))
    starts = np.flatnonzero(np.diff(firing.block[count], prepend=-1))
    for rows in np.split(np.arange(len(count)), starts[1:]):
        law = firing.blocks[firing.block[count[rows[0]]]].laws[firing.row[count[rows]]]
        result[rows[0] : rows[-1] + 1, : law.shape[1]] = law[:, :width]
        if law.shape[1] > width:
            result[rows[0] : rows[-1] + 1, -1] += law[:, width:].sum(axis=1)
    return result


def _chain_tables(merged: Signatures, used: np.ndarray, most: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Give for each chain of ``used`` P(0, 1, … wounds lost) after 0, 1, …, ``most`` unsaved attacks, [a, wounds lost].

    A table ends where the unit is certainly dead. Models that so few attacks can't reach are left out of it.
    """
    rows = {name: column[used] for name, column in merged.chain_rows.items()}
    columns = (rows[name].tolist() for name in ("kernel", "wounds", "models"))
    steps = np.array(
        [
            chains.most_attacks_survived(merged.kernels[kernel], wounds, models, attacks)
            for kernel, wounds, models, attacks in zip(*columns, most.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    bucket = np.ceil(np.log2(steps + 1)).astype(np.int64)
    reached = np.minimum(rows["models"], 1 << bucket)
    for group in split([rows["wounds"], reached, bucket]):
        wounds, models = int(rows["wounds"][group[0]]), int(reached[group[0]])
        size = max(1, _CHUNK // ((int(steps[group].max()) + 1) * (models * wounds + 1)))
        for members in np.split(group, range(size, len(group), size)):
            each = [chains.transition(merged.kernels[kernel], wounds) for kernel in rows["kernel"][members]]
            stays, deaths = (np.stack(parts) for parts in zip(*each, strict=True))
            walk = chains.states(chains.fresh(len(members), models, wounds), stays, deaths, int(steps[members].max()))
            laws = np.stack([wounds_lost(state) for state in walk], axis=1)
            for member, table in zip(members, laws, strict=True):
                yield int(used[member]), table[: steps[member] + 1]


def wounds_lost(state: State) -> np.ndarray:
    """Give P(0, 1, … wounds lost) as [..., wounds lost], of a unit of equal models."""
    alive, dead = state
    living = alive.reshape(*alive.shape[:-2], -1)[..., ::-1]
    return np.concatenate([living, dead[..., None]], axis=-1)


def models_destroyed(lost: np.ndarray, wounds: int) -> np.ndarray:
    """Give P(0, 1, … models destroyed) from P(0, 1, … wounds lost), on the last axis."""
    return np.add.reduceat(lost, np.arange(0, lost.shape[-1], wounds), axis=-1)


def laws_of(state: State, read: Readout) -> tuple[np.ndarray, np.ndarray]:
    """Give the laws of wounds lost and of models destroyed, each as [row, value], of states [row, m, w]."""
    living, dead = state[0].reshape(len(state[1]), -1), state[1]
    laws = []
    for values, full in zip(read.living.T.astype(np.int64), read.full, strict=True):
        law = np.zeros((len(dead), int(full) + 1))
        order = np.argsort(values, kind="stable")
        met, first = np.unique(values[order], return_index=True)
        law[:, met] = np.add.reduceat(living[:, order], first, axis=1)
        law[:, -1] += dead
        laws.append(law)
    return laws[0], laws[1]


def means(lost: np.ndarray, wounds: int, models: int) -> np.ndarray:
    """Give expected wounds lost, expected models destroyed and P(unit destroyed) as [..., 3]."""
    number = np.arange(lost.shape[-1])
    values = np.stack([number, number // wounds, number == wounds * models], axis=-1).astype(float)
    # Sums of thousands of products end a few units of the last place above what is possible.
    return np.minimum(lost @ values, [wounds * models, models, 1])
