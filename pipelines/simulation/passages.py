"""What whole volleys do to a unit in whatever state, and doing one after the other.

Belongs here: *passages*, their composition. Doesn't: one attack (``chains``), which volleys there are (``volleys``).

Attacks never spill over, so what equal models suffer doesn't depend on how many stand behind the first: it is enough to
know the states after a volley from each state of the first model, all others unhurt, [row, w, m, w after], and P(dead)
from there, [row, w]. Losses of one model only add up, as those of models with one wound do: its wounds count as such
models (``axes``). Any other unit is one model of as many wounds as it has states, nothing being known of their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import State, Step

_CHUNK = 50_000
"""How many probabilities are composed at once: what stays in a processor's cache."""


def axes(models: int, wounds: int) -> tuple[int, int]:
    """Give the lengths of [m, w] in passages of a unit of equal models."""
    return (wounds, 1) if models == 1 else (models, wounds)


def starts(models: int, wounds: int, number: int) -> State:
    """Give the states [row, m, w] in which passages start, of a unit with such states: the last ``number`` of them."""
    size = models * wounds
    return np.eye(size)[size - number :].reshape(-1, models, wounds), np.zeros(number)


def walked(steps: Sequence[Step], models: int, wounds: int, attacks: int) -> np.ndarray:
    """Give the passages of 0, 1, …, ``attacks`` attacks of each kind as [attack, kind, w, m · w after and, last, dead].

    ``steps``: what one attack of each kind does to a unit of equal models.
    """
    first = axes(models, wounds)[1]
    alive, dead = starts(models, wounds, first)
    every = np.tile(alive, (len(steps), 1, 1)), np.tile(dead, len(steps))
    stays, deaths = (
        np.repeat(np.stack(parts), first, axis=0)
        for parts in ([step.stays for step in steps], [step.deaths for step in steps])
    )
    result = np.empty((attacks + 1, len(steps), first, models * wounds + 1))
    for number, (alive, dead) in enumerate(chains.states(every, stays, deaths, attacks)):
        result[number, ..., :-1] = alive.reshape(len(steps), first, -1)
        result[number, ..., -1] = dead.reshape(len(steps), first)
    return result


def composed(first: State, second: State) -> State:
    """Give the states after both: ``first`` as [row, start, m, w], [row, start], ``second`` a passage for each row.

    Sums and products of positive numbers only, so small probabilities keep their relative precision.
    """
    rows, size = len(first[1]), max(first[0][0].size, second[0][0].size) if len(first[1]) else 1
    each = max(1, _CHUNK // size)
    alive, dead = np.empty_like(first[0]), np.empty_like(first[1])
    for start in range(0, rows, each):
        now = slice(start, start + each)
        alive[now], dead[now] = _composed((first[0][now], first[1][now]), (second[0][now], second[1][now]))
    return alive, dead


def _composed(first: State, second: State) -> State:
    (alive, dead), (after, slain) = first, second
    models, wounds = alive.shape[2:]
    beyond = np.cumsum(after.sum(axis=-1), axis=-1)  # P(at most so many of the models after the first are left)
    lethal = slain[..., None] + np.concatenate([beyond[..., -2::-1], np.zeros_like(slain)[..., None]], axis=-1)
    dead = dead + np.einsum("rsmw,rwm->rs", alive, lethal)
    if models == 1:
        return (alive[:, :, 0] @ after[:, :, 0])[:, :, None], dead
    alive, after = (np.ascontiguousarray(each.transpose(1, 2, 3, 0)) for each in (alive, after))
    result = np.zeros_like(alive)
    for slays in range(models):
        for w in range(wounds):
            result[:, : models - slays] += alive[:, slays:, w, None] * after[w, models - 1 - slays]
    return result.transpose(3, 0, 1, 2), dead
