"""Whole activations by literal dice: order, carried wounds, Devastating Wounds last, Precision, chosen profiles.

The false-alarm rate is that of ``alarms``; seeds are fixed.
"""

import dataclasses

import numpy as np
import pytest

from pipelines.simulation.casualties import Casualties
from pipelines.simulation.matchup import read_matchups
from pipelines.simulation.monte_carlo import EmpiricalLaw, Fired, simulate_activation

from .alarms import FALSE_ALARMS, mean_bound, raised, unlikely
from .samples_units import KINDS, PER_TARGET, PLAIN_SCENARIO, activations, fire

ACTIVATIONS = activations(10 * len(KINDS) * PER_TARGET, seed=31, large=True)
TRIALS = 20_000


def rolled(given, rulesets, seed, *, trials=TRIALS, copies=1):
    matchups = read_matchups(given.matchups(PLAIN_SCENARIO), rulesets)
    fired = [Fired(each, die, faces or 0) for each, (*_, die, faces) in zip(matchups, given.lines, strict=True)]
    return simulate_activation(fired, trials, seed, copies=copies)


def comparisons(unit, simulation, row):
    """Each comparison of one activation with a row of the engine, as ``raised`` takes them."""
    for name, metric in (("damage", "damage"), ("models_destroyed", "models")):
        law, exact, chances = simulation.laws[name], row[metric], dict(enumerate(row[metric]))
        off, most = abs(law.estimate()[0] - row[f"expected_{name}"]), len(exact) - 1
        yield f"{unit}: mean {name}", lambda chance, law=law, off=off, n=most: off > mean_bound(law, n, chance) + 1e-9
        yield f"{unit}: law {name}", lambda chance, law=law, p=chances: unlikely(law, p, chance)


def alarms(given, simulations, exact):
    pairs = zip(given, simulations, exact, strict=True)
    return raised([each for given, dice, row in pairs for each in comparisons(given.name, dice, row)])


@pytest.fixture(scope="module")
def dice(rulesets):
    return [rolled(given, rulesets, seed) for seed, given in enumerate(ACTIVATIONS)]


def test_hundreds_of_random_activations_agree(dice, scenarios, rulesets):
    assert len(ACTIVATIONS) >= 200
    assert alarms(ACTIVATIONS, dice, fire(ACTIVATIONS, scenarios, rulesets)) == []


def characters_rolled(given, rulesets, seed):
    """The empirical law of the characters destroyed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Casualties, "slain", lambda unit: unit.characters.slain)
        return rolled(given, rulesets, seed).laws["models_destroyed"]


def character_alarms(laws, exact):
    chance, most = FALSE_ALARMS / len(laws), 1  # in each of these units there is one
    return [
        row["unit_id"]
        for law, row in zip(laws, exact, strict=True)
        if abs(law.estimate()[0] - row["expected_characters_destroyed"]) > mean_bound(law, most, chance) + 1e-9
    ]


def test_characters_destroyed_agree_with_the_dice(scenarios, rulesets):
    led = [each for each in ACTIVATIONS if any(group["is_character"] for group in each.target.get("groups", ()))]
    assert {weapon["ruleset"] for each in led for weapon, *_ in each.lines} == {"10e", "11e"}
    assert len(led) >= 60
    laws = [characters_rolled(given, rulesets, seed) for seed, given in enumerate(led)]
    assert character_alarms(laws, fire(led, scenarios, rulesets)) == []
    imprecise = [dataclasses.replace(given, lines=tuple(without("precision")(given))) for given in led]
    assert len(character_alarms(laws, fire(imprecise, scenarios, rulesets))) > 10  # it would be noticed


def without(slug):
    def change(weapon):
        return weapon | {"abilities": [each for each in weapon["abilities"] if each["ability"] != slug]}

    return lambda given: [(change(weapon), *line) for weapon, *line in given.lines]


WRONG = {
    "fired in the opposite order": lambda given: given.lines[::-1],
    "Precision ignored": without("precision"),
    "the die chooses the other profile": lambda given: [(*line[:3], line[2] and 6 - line[3]) for line in given.lines],
    "Devastating Wounds ignored": without("devastating_wounds"),
    "Blast ignored": without("blast"),
    "a weapon forgotten": lambda given: given.lines[:-1],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_rule_of_activations_that_is_wrong_is_noticed(name, dice, scenarios, rulesets):
    """The power of the comparison: what the engine says of another activation raises alarms."""
    wrong = [dataclasses.replace(given, lines=tuple(WRONG[name](given))) for given in ACTIVATIONS[:96]]
    assert alarms(wrong, dice[:96], fire(wrong, scenarios, rulesets))


def test_copies_fire_one_after_the_other(scenarios, rulesets):
    """As many copies as the engine says destroy the target with 80 % certainty, and one less don't."""
    given = [each for each in activations(60, seed=32) if not each.target.get("ignored_failed_saves")]
    rows = fire(given, scenarios, rulesets, copies=True)
    several = [(each, row["copies_to_destroy"] or 0) for each, row in zip(given, rows, strict=True)]
    several = [(each, copies) for each, copies in several if 2 <= copies <= 20][:15]
    assert len(several) == 15
    chance = FALSE_ALARMS / (2 * len(several))
    for seed, (each, copies) in enumerate(several):
        for number, enough in ((copies, True), (copies - 1, False)):
            simulation = rolled(each, rulesets, seed, copies=number)
            slain = simulation.laws["models_destroyed"]
            destroyed = EmpiricalLaw.of(np.repeat(slain.values, slain.counts) == simulation.models)
            off = mean_bound(destroyed, 1, chance)
            mean = destroyed.estimate()[0]
            assert mean > 0.8 - off if enough else mean < 0.8 + off
