"""Characters among other models, some attacks going to the ones first and some to the others (Precision, choice D2).

Belongs here: the state of such a unit while weapons with and without Precision fire at it. Doesn't: units all of whose
attackers keep to one order, whose state is shorter (``bodies``).

Normal attacks may leave the others hurt and Precision the characters, so the state is a pair: how the others are, how
the characters are, each a unit of its own with its own order of allocation. As an array it is [0, s]: one model, as it
were, whose s + 1 wounds count the pairs and then the shields that are left. The unhurt unit is the last, as always.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.bodies import Blow, Body, groups_of
from pipelines.simulation.chains import State, Step
from pipelines.simulation.effective import Target

MAX_PAIRS = 2_000
"""The largest number of states; one attack is a matrix of them."""


def is_led(target: Target) -> bool:
    """Tell whether a target has characters among other models, so that Precision matters."""
    return len({bool(group.character) for group in groups_of(target)}) > 1


class _Part:
    """The characters of a unit, or its others: ``places`` among its groups; states 0 (all dead), 1, …, -1 (unhurt).

    ``left``: wounds and models that each of its groups has left, [state, group, 2].
    """

    def __init__(self, target: Target, *, character: bool) -> None:
        groups = groups_of(target)
        self.places = [place for place, group in enumerate(groups) if bool(group.character) == character]
        mine = tuple(groups[place] for place in self.places)
        self.body = Body(target._replace(groups=mine, ignored_failed_saves=0, ignored_attacks=0))
        self.living = np.flatnonzero(self.body.possible)
        alive = self.body.left.reshape(-1, len(mine), 2)[self.living]
        self.left = np.concatenate([np.zeros((1, len(mine), 2)), alive])

    def chain(self, blows: Sequence[Blow]) -> tuple[np.ndarray, int | None]:
        """Give P(state after | state before) of one wound as [before, after], and how many surely kill all."""
        step, size = self.body.step([blows[place] for place in self.places]), len(self.living)
        before = np.zeros((size, *self.body.shape))
        before.reshape(size, -1)[np.arange(size), self.living] = 1.0
        alive, dead = chains.attacked((before, np.zeros(size)), step.stays, step.deaths)
        after = np.zeros((1 + size, 1 + size))
        after[0, 0] = 1.0
        after[1:, 0], after[1:, 1:] = dead, alive.reshape(size, -1)[:, self.living]
        return after, step.enough


class LedBody(Body):
    """A unit with characters among other models, for attacks some of which are ``precise``.

    Raises ValueError for a unit of more than ``MAX_PAIRS`` states.
    """

    def __init__(self, target: Target) -> None:
        super().__init__(target)
        self._parts = tuple(_Part(target, character=character) for character in (True, False))
        self._shields = sum(kind.models for kind in self.kinds if kind.place is None)
        self._pairs = tuple(len(part.left) for part in self._parts)
        self._living = self._pairs[0] * self._pairs[1] - 1
        if self.shape[1] > MAX_PAIRS:
            raise ValueError(f"Precision against characters among others: {self.shape[1]} states, at most {MAX_PAIRS}")

    @property
    def shape(self) -> tuple[int, int]:
        """The lengths of the axes of its states."""
        return 1, self._living + self._shields

    @property
    def adds_up(self) -> bool:
        """Never: some other model is there."""
        return False

    def step(self, blows: Sequence[Blow], *, precise: bool = False) -> Step:
        """Give what one wound does, each of ``blows`` to its group; ``precise``: it goes to characters first."""
        (leaders, enough), (others, more) = (part.chain(blows) for part in self._parts)
        pair = np.zeros((*self._pairs, *self._pairs))
        led, rest = np.arange(self._pairs[0]), np.arange(self._pairs[1])
        if precise:
            pair[1:, rest, :, rest] = leaders[1:]
            pair[0, :, 0, :] = others
        else:
            pair[led, 1:, led, :] = others[1:]
            pair[:, 0, :, 0] = leaders
        first = self._parts[0 if precise else 1].places[0]
        failed, size = blows[first].unsaved, self._living
        chain = np.zeros((1 + self.shape[1],) * 2)
        chain[: 1 + size, : 1 + size] = pair.reshape(1 + size, 1 + size)
        for state in range(1 + size, len(chain)):
            chain[state, state - 1], chain[state, state] = failed / 6, (6 - failed) / 6
        surely = None if enough is None or more is None else enough + more + self._shields
        return Step(chain[1:, 1:], chain[1:, 0], surely)

    def unshielded(self, state: State) -> State:
        """Give the state once only Devastating Wounds are left, which ignored failed saves do nothing about (D4)."""
        if not self.skipped:
            return state
        alive, dead = state[0].copy(), state[1]
        first = self.shape[1] - self.skipped
        alive[..., first - 1] += alive[..., first:].sum(axis=-1)
        alive[..., first:] = 0
        return alive, dead

    @cached_property
    def left(self) -> np.ndarray:
        """Wounds and models that each group has left in each state, as [0, s, group, 2]."""
        leaders, others = self._parts
        left = np.zeros((*self._pairs, self.groups, 2))
        left[:, :, leaders.places] = leaders.left[:, None]
        left[:, :, others.places] = others.left[None, :]
        living = left.reshape(-1, self.groups, 2)[1:]
        return np.concatenate([living, np.repeat(living[-1:], self._shields, axis=0)])[None]
