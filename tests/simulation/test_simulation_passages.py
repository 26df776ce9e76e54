"""Whole volleys as passages, against the chain of single attacks from every state of a unit."""

import numpy as np
import pytest

from pipelines.simulation import chains, passages
from pipelines.simulation.chains import Kernel
from pipelines.simulation.dice import constant
from pipelines.simulation.repetition import CERTAINTY, copies_of_passage

D3, D6 = (1, (1, 1, 1)), (1, (1,) * 6)
SHAPES = [(1, 6), (4, 1), (3, 2), (2, 3)]
FIRST, SECOND = np.array([0.25, 0.5, 0.0, 0.25]), np.array([0.5, 0.125, 0.125, 0.125, 0.125])


def steps_of(models, wounds):
    kernels = [Kernel(constant(1), 7), Kernel(D3, 7), Kernel(D6, 5)]
    return [chains.equal_step(kernel, wounds, models) for kernel in kernels]


def passage(law, kind, models, wounds):
    """One passage [1, w, m, w after] and [1, w]."""
    table = np.tensordot(law, passages.walked(steps_of(models, wounds), models, wounds, len(law) - 1), 1)[kind]
    shape = passages.axes(models, wounds)
    return table[None, :, :-1].reshape(1, shape[1], *shape), table[None, :, -1]


def one_by_one(state, law, kind, models, wounds):
    """The states after a random number of attacks, each followed in the plain chain."""
    step = steps_of(models, wounds)[kind]
    walk = list(chains.states(state, step.stays, step.deaths, len(law) - 1))
    return tuple(sum(chance * each[part] for chance, each in zip(law, walk, strict=True)) for part in (0, 1))


@pytest.mark.parametrize(("models", "wounds"), SHAPES)
@pytest.mark.parametrize(("kind", "later"), [(0, 1), (1, 2), (2, 2)])
def test_volleys_as_passages_do_from_every_state_what_their_attacks_do(models, wounds, kind, later):
    size = models * wounds
    every = np.eye(size).reshape(size, models, wounds), np.zeros(size)
    expected = one_by_one(one_by_one(every, FIRST, kind, models, wounds), SECOND, later, models, wounds)
    first, second = passage(FIRST, kind, models, wounds), passage(SECOND, later, models, wounds)
    both = passages.composed(first, second)
    shape = passages.axes(models, wounds)
    states = every[0].reshape(1, size, *shape), every[1][None]
    for alive, dead in (
        passages.composed(states, both),
        passages.composed(passages.composed(states, first), second),
    ):
        assert alive.reshape(size, models, wounds) == pytest.approx(expected[0], abs=1e-15)
        assert dead[0] == pytest.approx(expected[1], abs=1e-15)
        assert ((alive.reshape(expected[0].shape) == 0) == (expected[0] == 0)).all()


def test_what_is_impossible_stays_impossible_and_small_chances_stay_exact():
    rare = np.array([1 - 1e-30, 1e-30])
    twice = passages.composed(passage(rare, 0, 2, 1), passage(rare, 0, 2, 1))
    assert twice[1][0, 0] == pytest.approx(1e-60, rel=1e-12)
    assert passages.composed(passage(rare, 0, 3, 1), passage(rare, 0, 3, 1))[1][0, 0] == 0


def test_passages_of_states_without_an_order_are_composed_as_any_markov_chain():
    random = np.random.default_rng(6)
    first, second = random.dirichlet(np.ones(6), size=(2, 3, 5))  # [row, state, state after and, last, dead]
    alive, dead = passages.composed(*((each[:, :, None, :-1], each[..., -1]) for each in (first, second)))
    assert alive[:, :, 0] == pytest.approx(first[..., :-1] @ second[..., :-1], abs=1e-15)
    assert alive.sum(axis=(2, 3)) + dead == pytest.approx(np.ones((3, 5)), abs=1e-15)


@pytest.mark.parametrize("rows", [1, 700])
def test_many_rows_are_composed_like_each_alone(rows):
    random = np.random.default_rng(5)
    first, second = ((random.random((rows, 2, 40, 2)), random.random((rows, 2))) for _ in range(2))
    together = passages.composed(first, second)
    row = rows - 1
    alone = passages.composed((first[0][row:], first[1][row:]), (second[0][row:], second[1][row:]))
    assert together[0][row:] == pytest.approx(alone[0])
    assert together[1][row:] == pytest.approx(alone[1])


@pytest.mark.parametrize(("models", "wounds"), [*SHAPES, (10, 2)])
@pytest.mark.parametrize("kind", [0, 1, 2])
def test_so_many_copies_of_a_passage_destroy_the_unit_and_one_less_does_not(models, wounds, kind):
    (copies,) = copies_of_passage(passage(FIRST, kind, models, wounds))
    state = chains.fresh(1, models, wounds)
    for _ in range(copies - 1):
        state = one_by_one(state, FIRST, kind, models, wounds)
    assert state[1][0] < CERTAINTY
    assert one_by_one(state, FIRST, kind, models, wounds)[1][0] >= CERTAINTY
