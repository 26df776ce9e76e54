"""Saves that are all rolled, then resolved from the lowest die up (D5).

Belongs here: how many dice show each face, and what that does to states. Doesn't: what an attack does to a unit
(``bodies``, ``in_hand``), how many saves there are to roll (``laws``).

All that follows is linear. Before the first face all numbers of dice find the same state, and after the last one the
dice that are left do nothing: so these two faces each follow one state instead of one for each number of dice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from pipelines.simulation.chains import State

Attack = Callable[[State], State]


def by_faces(state: State, law: np.ndarray, strike: Sequence[tuple[int, Attack]]) -> State:
    """Give the states [row, d, m, w] and [row, d] after all saves were rolled and resolved from the lowest up.

    ``state``: [row, m, w] and [row]; ``law``: P(n saves, d Devastating Wounds to come) as [row or 1, n, d]; ``strike``:
    as ``bodies.Strike``, attacks as linear functions of states.
    """
    (number, attack), *later = strike
    left = 6 - number
    law = law[:, : 1 + np.flatnonzero(law.any(axis=(0, 2)))[-1]]  # those of other rows may have been longer
    state = _first(state, law, number / 6, attack)
    for place, (number, attack) in enumerate(later, 1):
        resolved = _last if place == len(later) else _next
        state, left = resolved(state, number / left, attack), left - number
    return state if later else (state[0].sum(axis=1), state[1].sum(axis=1))


@lru_cache(maxsize=256)
def _shown(dice: int, chance: float) -> np.ndarray:
    """Give P(k of n dice show a face) as [n, k], n and k from 0 to ``dice``: sums of positive numbers only."""
    shown = np.zeros((dice + 1, dice + 1))
    shown[0, 0] = 1.0
    for n in range(dice):
        shown[n + 1] = (1 - chance) * shown[n]
        shown[n + 1, 1:] += chance * shown[n, :-1]
    shown.setflags(write=False)
    return shown


def _first(state: State, law: np.ndarray, chance: float, attack: Attack) -> State:
    """Roll so many dice and let those that show a face do their damage: states [row, n left, d, m, w]."""
    most = law.shape[1] - 1
    shown = _shown(most, chance)
    alive = np.zeros((len(state[1]), *law.shape[1:], *state[0].shape[1:]))
    dead = np.zeros(alive.shape[:3])
    for k in range(most + 1):
        weight = shown[k:, k, None] * law[:, k:]
        alive[:, : most + 1 - k] += weight[..., None, None] * state[0][:, None, None]
        dead[:, : most + 1 - k] += weight * state[1][:, None, None]
        if k < most:
            state = attack(state)
    return alive, dead


def _next(state: State, chance: float, attack: Attack) -> State:
    """Let the dice that show the next face do theirs: states [row, n, d, m, w], n dice before and n left after it."""
    alive, dead = np.zeros_like(state[0]), np.zeros_like(state[1])
    most = alive.shape[1] - 1
    shown = _shown(most, chance)
    for k in range(most + 1):
        weight = shown[k:, k, None]
        alive[:, : most + 1 - k] += weight[..., None, None] * state[0]
        dead[:, : most + 1 - k] += weight * state[1]
        state = attack((state[0][:, 1:], state[1][:, 1:]))
    return alive, dead


def _last(state: State, chance: float, attack: Attack) -> State:
    """Let the dice that show the last face do theirs; the others did nothing (Horner's scheme)."""
    alive, dead = state
    shown = _shown(alive.shape[1] - 1, chance).T
    alive = (shown @ alive.reshape(*alive.shape[:2], -1)).reshape(alive.shape)
    dead = shown @ dead
    after = alive[:, -1], dead[:, -1]
    for k in range(len(shown) - 2, -1, -1):
        alive_now, dead_now = attack(after)
        after = alive_now + alive[:, k], dead_now + dead[:, k]
    return after
