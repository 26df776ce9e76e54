"""The damage chain: what unsaved attacks, one after the other, do to a unit.

Belongs here: the loss of one attack, wounded model first, no spill from model to model, Feel No Pain point by point
(choices 1, 8, 9, E8, E10). Doesn't: how many attacks get through (``laws``), models that differ (``bodies``).

A unit of M models with W wounds has M * W + 1 states: the wounds left in all. They are kept as an array [m, w],
m + 1 models left of which the first has w + 1 wounds, and the dead unit apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from pipelines.simulation.dice import Law, add_laws, constant, floor_law, halve_law, largest

State = tuple[np.ndarray, np.ndarray]
"""Probabilities of the living states [..., m, w] and of the dead unit [...]."""


class Kernel(NamedTuple):
    """One attack's damage law and the Feel No Pain against it, 7 = none."""

    damage: Law
    fnp: int


class Step(NamedTuple):
    """What one attack does to the model that takes it.

    ``stays``: [w, w after] while it lives, ``deaths``: P(its death) as [w]; where models differ, [1, m, w, w after]
    and [m, w]; for units [row, m, w] that take different attacks, [row, w, w after] and [row, w]. ``enough``: so many
    attacks certainly destroy a fresh unit; None: no number does.
    """

    stays: np.ndarray
    deaths: np.ndarray
    enough: int | None


@cache
def damage_law(divided: Law, added: Law, *, half: bool, minus: int) -> Law:
    """Give the Damage of one attack: halved, added to, subtracted from, rounded up, at least 1."""
    base = halve_law(divided) if half else divided
    return floor_law(add_laws(add_laws(base, added), constant(-minus)), 1)


@cache
def loss_law(kernel: Kernel, wounds: int) -> np.ndarray:
    """Give P(one attack takes 0, 1, …, ``wounds`` - 1, at least ``wounds`` wounds) from enough wounds, as float64."""
    lowest, weights = kernel.damage
    pierce, sides = (kernel.fnp - 1, 6) if kernel.fnp < 7 else (1, 1)
    loss = [0] * (wounds + 1)
    top = largest(kernel.damage)
    for i, weight in enumerate(weights):
        points = lowest + i
        scale = weight * sides ** (top - points)
        if sides == 1:
            loss[min(points, wounds)] += scale
            continue
        for lost in range(points + 1):
            ways = comb(points, lost) * pierce**lost * (sides - pierce) ** (points - lost)
            loss[min(lost, wounds)] += scale * ways
    total = sum(weights) * sides**top
    return np.array([ways / total for ways in loss])


@lru_cache(maxsize=1024)
def transition(kernel: Kernel, wounds: int) -> tuple[np.ndarray, np.ndarray]:
    """Give what one attack does to the wounded model: [w, w after] while it lives, and P(its death) as [w]."""
    losses = loss_law(kernel, wounds)
    before, after = np.indices((wounds, wounds))
    stays = np.where(after <= before, losses[before - after], 0.0)
    deaths = np.cumsum(losses[::-1])[-2::-1]
    return stays, np.ascontiguousarray(deaths)


@lru_cache(maxsize=1024)
def equal_step(kernel: Kernel, wounds: int, models: int) -> Step:
    """Give what one unsaved attack does to a unit of equal models."""
    surely = kernel.fnp > 6
    return Step(*transition(kernel, wounds), models * -(-wounds // kernel.damage[0]) if surely else None)


def fresh(batch: int, models: int, wounds: int) -> State:
    """Give the state of units that nothing has hurt."""
    alive = np.zeros((batch, models, wounds))
    alive[:, -1, -1] = 1.0
    return alive, np.zeros(batch)


def attacked(state: State, stays: np.ndarray, deaths: np.ndarray) -> State:
    """Give the state after one more attack; ``stays`` and ``deaths`` as in ``Step``."""
    alive, dead = state
    if stays.ndim == 2:  # one product, not one for each row
        flat = alive.reshape(-1, len(stays))
        after, slain = (flat @ stays).reshape(alive.shape), (flat @ deaths).reshape(alive.shape[:-1])
    elif stays.ndim == 3:
        after = alive @ stays
        slain = (alive @ deaths[..., None])[..., 0]
    else:
        after = (alive[..., None, :] @ stays)[..., 0, :]
        slain = (alive * deaths).sum(axis=-1)
    after[..., :-1, -1] += slain[..., 1:]
    return after, dead + slain[..., 0]


def states(state: State, stays: np.ndarray, deaths: np.ndarray, attacks: int) -> Iterator[State]:
    """Give the states after 0, 1, …, ``attacks`` attacks."""
    yield state
    for _ in range(attacks):
        state = attacked(state, stays, deaths)
        yield state


def mixed(state: State, law: np.ndarray, step: Step) -> State:
    """Give the states [row, m, w] after a random number of attacks, P(0, 1, … of them) as [row, a]."""
    most = capped(law.shape[1] - 1, step)
    alive, dead = np.zeros_like(state[0]), np.zeros_like(state[1])
    for number, (alive_now, dead_now) in enumerate(states(state, step.stays, step.deaths, most)):
        weight = law[:, number] if number < most else law[:, most:].sum(axis=1)
        alive += weight[:, None, None] * alive_now
        dead += weight * dead_now
    return alive, dead


def waiting(state: State, attacks: np.ndarray, polynomials: np.ndarray, step: Step, last: Step) -> State:
    """Give the states [row, d, m, w] and [row, d] after the normal attacks, d Devastating ones still to come.

    ``attacks``: P(number of attacks = 0, 1, …) as [row, number]; ``polynomials``: P(one attack brings a normal and d
    devastating ones) as [row, a, d]; ``step`` and ``last``: what a normal and a devastating one does. One step of the
    chain is one attack, whatever it brings. More devastating attacks than surely destroy the unit count as so many.
    """
    most, each = attacks.shape[1] - 1, polynomials.shape[2] - 1
    kept = capped(most * each, last) + 1
    rows, models, wounds = state[0].shape
    now = state[0][:, None], state[1][:, None]
    alive, dead = np.zeros((rows, kept, models, wounds)), np.zeros((rows, kept))
    for number in range(most + 1):
        known = now[1].shape[1]
        alive[:, :known] += attacks[:, number, None, None, None] * now[0]
        dead[:, :known] += attacks[:, number, None] * now[1]
        if number < most:
            now = _one_attack(now, polynomials, step, kept)
    return alive, dead


def capped(attacks: int, step: Step) -> int:
    """Give the number of attacks after which nothing changes any more, at most ``attacks``."""
    return attacks if step.enough is None else min(attacks, step.enough)


def _one_attack(state: State, polynomials: np.ndarray, step: Step, kept: int) -> State:
    rows, known, models, wounds = state[0].shape
    alive = np.zeros((rows, min(known + polynomials.shape[2] - 1, kept), models, wounds))
    dead = np.zeros(alive.shape[:2])
    for a in range(polynomials.shape[1]):
        if a:
            state = attacked(state, step.stays, step.deaths)
        for d in np.flatnonzero(polynomials[:, a].any(axis=0)):
            weight = polynomials[:, a, d, None]
            fits = max(min(known, alive.shape[1] - d), 0)
            alive[:, d : d + fits] += (weight[..., None, None] * state[0])[:, :fits]
            dead[:, d : d + fits] += (weight * state[1])[:, :fits]
            if fits < known:
                alive[:, -1] += weight[..., None] * state[0][:, fits:].sum(axis=1)
                dead[:, -1] += weight[:, 0] * state[1][:, fits:].sum(axis=1)
    return alive, dead


def followed(state: State, step: Step) -> State:
    """Give the states after the attacks that the last axis before [m, w] counts; that axis goes (Horner's scheme)."""
    alive, dead = state
    after = alive[..., -1, :, :], dead[..., -1]
    for number in range(alive.shape[-3] - 2, -1, -1):
        alive_now, dead_now = attacked(after, step.stays, step.deaths)
        after = alive_now + alive[..., number, :, :], dead_now + dead[..., number]
    return after


def most_attacks_survived(kernel: Kernel, wounds: int, models: int, attacks: int) -> int:
    """Give after how many unsaved attacks a unit is certainly dead, at most ``attacks``."""
    return capped(attacks, equal_step(kernel, wounds, models))


class Readout(NamedTuple):
    """Wounds lost and models destroyed in each living state as [m * w, 2], and in the dead unit."""

    living: np.ndarray
    full: tuple[float, float]


@cache
def readout(models: int, wounds: int) -> Readout:
    """Give what the states of a unit of equal models mean."""
    m, w = np.indices((models, wounds))
    lost = np.stack([models * wounds - m * wounds - w - 1, models - m - 1], axis=-1)
    return Readout(lost.reshape(-1, 2).astype(float), (float(models * wounds), float(models)))


def summary(state: State, read: Readout | None = None) -> np.ndarray:
    """Give expected wounds lost, expected models destroyed and P(unit destroyed) as [..., 3].

    ``read``: what the states mean where models differ.
    """
    alive, dead = state
    models, wounds = alive.shape[-2:]
    living, full = read or readout(models, wounds)
    means = alive.reshape(*alive.shape[:-2], models * wounds) @ living + dead[..., None] * full
    # Sums of thousands of products end a few units of the last place above what is possible.
    return np.minimum(np.concatenate([means, dead[..., None]], axis=-1), [*full, 1])
