"""How often an activation must be repeated until it has probably destroyed its target.

Belongs here: the smallest number of equal activations, one after the other at the same unit, that destroys it with
at least ``CERTAINTY``. Doesn't: one activation (``losses``, ``units``), prices (``pipelines.matchups``).

Copies fire one after the other, each a whole activation, and the wounded model carries over; Blast counts the models
before any is destroyed, for every copy. Attacks never spill over to the next model, so a unit of equal models dies
when each in turn has taken its number of unsaved attacks: their sum is a convolution, as is what n copies bring.

P(the unit outlives n copies) is sum s[a] [x^a] G(x)^n, s[a] = P(it outlives a unsaved attacks), G the generating
function of one copy's unsaved attacks. Its coefficients are read off a circle (Abate and Whitt, Numerical inversion
of probability generating functions, 1992), where powers are products of numbers; n is found bit by bit. The error is
below 1e-9; 0.8 itself is no value of dice, whose probabilities are fractions of powers of 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pipelines.simulation import chains, passages
from pipelines.simulation.chains import Kernel, State
from pipelines.simulation.indexing import split
from pipelines.simulation.signatures import Firing, Signatures

CERTAINTY = 0.8
MAX_COPIES = 1000
"""Copies looked for; a target that needs more has no answer."""
MAX_ATTACKS = 1024
"""Unsaved attacks followed; a target that may outlive more has no answer."""
MAX_STATES = 128
"""States of a target followed as a matrix, where attacks don't just add up; one with more has no answer."""
NO_ANSWER = 0
_TAIL = 1e-11
_BITS = MAX_COPIES.bit_length()
_CHUNK = 500_000
_FOLLOWED = 1_000_000


def copies_needed(merged: Signatures, firing: Firing, count: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Give for each pair of a count law and a chain the copies that destroy the unit with ``CERTAINTY``.

    ``count``, ``chain``: as for ``losses.loss_laws``. Returns int64, 1 to ``MAX_COPIES``, or ``NO_ANSWER``.
    """
    result = np.full(len(count), NO_ANSWER, dtype=np.int64)
    apart = merged.chain_rows["apart"] != 0
    outlived = _survivals(merged)
    for pairs in _alike(firing, outlived, count, chain):
        result[pairs] = _added_up(firing, outlived, count[pairs], chain[pairs])
    for pairs in split([chain, firing.block[count]]):
        if apart[chain[pairs[0]]]:
            result[pairs] = _followed(merged, firing, count[pairs], int(chain[pairs[0]]))
    return result


def copies_of_passage(passage: State) -> np.ndarray:
    """Give the copies that destroy the unit with ``CERTAINTY``, 0 if none do, where one copy is a passage.

    ``passage``: as in ``passages``, [row, w, m, w after] and [row, w]; a fresh unit is in the last state.
    """
    rows = np.arange(len(passage[1]))
    levels = []
    for _ in range(_BITS):
        levels.append((rows, passage))
        lives = passage[1][:, -1] < CERTAINTY
        if not lives.any():
            break
        rows, passage = rows[lives], (passage[0][lives], passage[1][lives])
        passage = passages.composed(passage, passage)
    copies = np.zeros(len(levels[0][0]), dtype=np.int64)
    alive, dead = chains.fresh(len(copies), *levels[0][1][0].shape[2:])  # after the copies counted so far
    alive, dead = alive[:, None], dead[:, None]
    for level in range(len(levels) - 1, -1, -1):
        rows, passage = levels[level]
        after = passages.composed((alive[rows], dead[rows]), passage)
        lives = after[1][:, 0] < CERTAINTY
        alive[rows[lives]], dead[rows[lives]] = after[0][lives], after[1][lives]
        copies[rows[lives]] += 1 << level
    return _held(copies + 1)


@lru_cache(maxsize=4096)
def survival(kernel: Kernel, wounds: int, models: int) -> np.ndarray | None:
    """Give P(a unit of fresh models outlives a unsaved attacks), a = 0, 1, …, to the last that isn't negligible.

    None if that is beyond ``MAX_ATTACKS``.
    """
    one = _attacks_to_slay(kernel, wounds)
    if one is None or models * np.flatnonzero(one)[0] > MAX_ATTACKS:
        return None
    total = np.ones(1)
    for bit in f"{models:b}":
        total = np.convolve(total, total)
        if bit == "1":
            total = np.convolve(total, one)
        total = total[: MAX_ATTACKS + 2]
    outlived = 1 - np.cumsum(total)
    outlived = outlived[: np.flatnonzero(outlived > _TAIL)[-1] + 1]
    return outlived if len(outlived) <= MAX_ATTACKS else None


@lru_cache(maxsize=4096)
def _attacks_to_slay(kernel: Kernel, wounds: int) -> np.ndarray | None:
    """Give P(the a-th unsaved attack destroys a fresh model), a = 0, 1, …; None beyond ``MAX_ATTACKS``."""
    stays, deaths = chains.transition(kernel, wounds)
    alive = np.zeros(wounds)
    alive[-1] = 1.0
    law = [0.0]
    while alive.sum() > _TAIL / 1000:
        if len(law) > MAX_ATTACKS:
            return None
        law.append(float(alive @ deaths))
        alive = alive @ stays
    return np.array(law)


def _survivals(merged: Signatures) -> np.ndarray:
    """Give ``survival`` of each chain as [chain, attacks]; zeros where it has no answer or other attacks wait."""
    columns = (merged.chain_rows[name].tolist() for name in ("kernel", "wounds", "models", "apart"))
    laws = [
        None if apart else survival(merged.kernels[kernel], wounds, models)
        for kernel, wounds, models, apart in zip(*columns, strict=True)
    ]
    result = np.zeros((len(laws), max((len(law) for law in laws if law is not None), default=0)))
    for row, law in enumerate(laws):
        if law is not None:
            result[row, : len(law)] = law
    return result


def _alike(firing: Firing, outlived: np.ndarray, count: np.ndarray, chain: np.ndarray) -> Iterator[np.ndarray]:
    """Give the pairs with an answer in batches whose chains are about as long and whose copies about as many."""
    brought = np.zeros(len(firing.block))
    for block in firing.blocks:
        if not block.apart:
            brought[block.rows] = block.laws @ np.arange(block.laws.shape[1])
    lengths = (outlived > 0).sum(axis=1)[chain]
    copies = outlived.sum(axis=1)[chain] / np.maximum(brought[count], 1e-9)  # mean attacks to the end / a copy's
    bits = np.log2(np.maximum(copies, 1)).clip(0, _BITS).astype(np.int64)
    size = (2 * np.log2(np.maximum(lengths, 1))).astype(np.int64)
    answered = np.flatnonzero(lengths)
    for members in split([size[answered], bits[answered] // 2]):
        pairs = answered[members[np.argsort(count[answered[members]], kind="stable")]]
        each = max(1, _CHUNK // int(lengths[pairs].max()))
        yield from np.split(pairs, range(each, len(pairs), each))


def _added_up(firing: Firing, outlived: np.ndarray, count: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """As ``copies_needed``, for chains that have an answer."""
    used, law = np.unique(count, return_inverse=True)
    met, alive = np.unique(chain, return_inverse=True)
    length = int((outlived[met] > 0).sum(axis=1).max())
    points = 2 * length
    radius = _TAIL ** (1 / points)  # what is folded back onto a coefficient is smaller by radius ** points
    laws = {i: firing.blocks[i].laws for i in np.unique(firing.block[used]).tolist()}
    bring = np.zeros((max(each.shape[1] for each in laws.values()) + points, len(used)))
    for i, each in laws.items():
        here = np.flatnonzero(firing.block[used] == i)
        bring[: each.shape[1], here] = (each[firing.row[used[here]]] * radius ** np.arange(each.shape[1])).T
    power = np.fft.rfft(bring[: len(bring) // points * points].reshape(-1, points, len(used)).sum(axis=0), axis=0)
    weights = outlived[met, :length].T * radius ** -np.arange(length)[:, None]
    weight = np.fft.rfft(weights, n=points, axis=0).conj() / points
    weight[1:-1] *= 2  # the other half of the circle
    left = weight[:, alive]  # its sum, the real part, is P(the unit outlives the copies counted so far)
    powers = [power]
    while len(powers) < _BITS and (_outlived(powers[-1][:, law] * left)).any():
        powers.append(powers[-1] * powers[-1])
    copies = np.zeros(len(count), dtype=np.int64)
    for bit in range(len(powers) - 1, -1, -1):
        after = powers[bit][:, law] * left
        more = _outlived(after)
        copies[more] += 1 << bit
        np.copyto(left, after, where=more)
    return _held(copies + 1)


def _outlived(points: np.ndarray) -> np.ndarray:
    return points.real.sum(axis=0) > 1 - CERTAINTY


def _followed(merged: Signatures, firing: Firing, count: np.ndarray, chain: int) -> np.ndarray:
    """As ``copies_needed``, for count laws of one block whose Devastating Wounds wait for the rest of a copy."""
    step, last, wounds, models = merged.steps_of(chain)
    if wounds * models > MAX_STATES:
        return np.full(len(count), NO_ANSWER, dtype=np.int64)
    block = firing.blocks[firing.block[count[0]]]
    shape = passages.axes(models, wounds)
    before = passages.starts(models, wounds, shape[1])
    each = max(1, _FOLLOWED // (before[0].size * block.waiting_size(last)))
    copies = []
    for rows in np.split(firing.row[count], range(each, len(count), each)):
        every = np.tile(before[0], (len(rows), 1, 1)), np.tile(before[1], len(rows))
        alive, dead = chains.followed(block.fired(every, np.repeat(rows, shape[1]), step, last), last)
        copies.append(copies_of_passage((alive.reshape(len(rows), shape[1], *shape), dead.reshape(len(rows), -1))))
    return np.concatenate(copies)


def _held(copies: np.ndarray) -> np.ndarray:
    return np.where(copies > MAX_COPIES, NO_ANSWER, copies)
