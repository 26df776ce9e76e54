"""Which volleys units fire in which scenario, and how sequences share their beginnings."""

import numpy as np
import polars as pl

from pipelines.simulation.activations import ROOT, Mixed, Volley, activations
from pipelines.simulation.grid import AttackClasses

PLAIN = {"gun": 0, "sword": 1, "mortar": 2}
ROWS = [("gun", "plain", 0), ("sword", "plain", 1), ("mortar", "plain", 2), ("gun", "near", 3), ("mortar", "unseen", 4)]
SCENARIOS = pl.DataFrame({"scenario_id": ["plain", "near", "unseen"], "visible": [True, True, False]})


def fired(*lines, scenarios=SCENARIOS, **more):
    """Activations of lines (unit_id, position, weapon_profile_id, count)."""
    names = ("unit_id", "position", "weapon_profile_id", "count")
    loadouts = pl.DataFrame([dict(zip(names, line, strict=True)) for line in lines]).with_columns(
        phase=pl.lit("shooting"), **{name: pl.Series(values) for name, values in more.items()}
    )
    classes = AttackClasses(
        frame=pl.DataFrame(
            [(weapon, scenario, "11e" if weapon == "mortar" else "10e", number) for weapon, scenario, number in ROWS],
            schema=["weapon_profile_id", "scenario_id", "ruleset", "attack_class_id"],
            orient="row",
        ),
        variants=[],
        variant=np.zeros((5, 1), dtype=np.int64),
        plain=PLAIN,
    )
    return activations(loadouts, classes, scenarios)


def sequences(found):
    """(unit, scenario): [(P, volleys)] of each activation."""
    tree = found.prefixes

    def volleys(node):
        return () if node == ROOT else (*volleys(tree.parent[node]), found.volleys[tree.volley[node]])

    sizes = np.diff(found.mixed.starts, append=len(found.mixed.part))
    mixtures = [
        [(found.mixed.chance[i], volleys(found.mixed.ends[found.mixed.part[i]])) for i in range(start, start + size)]
        for start, size in zip(found.mixed.starts, sizes, strict=True)
    ]
    heads = found.heads.select("unit_id", "scenario_id").rows()
    return {head: mixtures[i] for head, i in zip(heads, found.mixture, strict=True)}


def test_weapons_fire_in_order_those_that_a_scenario_changes_nothing_for_as_in_the_plain_one():
    found = fired(("a", 2, "sword", 1), ("a", 1, "gun", 3), ("a", 3, "gun", 0), ("b", 1, "sword", 1))
    assert sequences(found) == {
        ("a", "plain"): [(1.0, (Volley(0, 3), Volley(1, 1)))],
        ("a", "near"): [(1.0, (Volley(3, 3), Volley(1, 1)))],
        ("b", "plain"): [(1.0, (Volley(1, 1),))],
    }


def test_at_an_unseen_target_only_those_fire_that_can():
    found = fired(("a", 1, "gun", 1), ("a", 2, "mortar", 2))
    assert sequences(found)["a", "unseen"] == [(1.0, (Volley(4, 2),))]


def test_the_first_weapon_fired_names_the_rules():
    found = fired(("a", 1, "gun", 0), ("a", 2, "mortar", 1), ("a", 3, "gun", 1))
    assert set(found.heads["ruleset"]) == {"11e"}


def test_sequences_share_their_beginning_and_equal_activations_are_one():
    found = fired(
        ("a", 1, "gun", 1), ("a", 2, "sword", 1), ("b", 1, "gun", 1), ("b", 2, "mortar", 1), ("c", 1, "gun", 1),
        ("c", 2, "sword", 1), scenarios=SCENARIOS.head(1),
    )  # fmt: skip
    assert len(found.prefixes.parent) == 4  # nothing, the gun, and each second weapon
    assert found.mixture.tolist() == [0, 1, 0]


def test_a_die_mixes_its_profiles():
    found = fired(
        ("a", 1, "gun", 1), ("a", 2, "sword", 1), ("a", 3, "mortar", 1), ("b", 1, "gun", 2),
        scenarios=SCENARIOS.head(1), die=[None, "die", "die", None], die_faces=[None, 2, 4, None],
    )  # fmt: skip
    assert sequences(found) == {
        ("a", "plain"): [(2 / 6, (Volley(0, 1), Volley(1, 1))), (4 / 6, (Volley(0, 1), Volley(2, 1)))],
        ("b", "plain"): [(1.0, (Volley(0, 2),))],
    }
    values = np.arange(len(found.mixed.ends), dtype=float)
    first, second, alone = values[found.mixed.part]
    assert found.mixed(values).tolist() == [first * 2 / 6 + second * 4 / 6, alone]


def test_two_dice_choose_apart():
    found = fired(
        ("a", 1, "gun", 1), ("a", 2, "sword", 1), ("a", 3, "mortar", 1), ("a", 4, "gun", 2),
        scenarios=SCENARIOS.head(1), die=["one", "one", "other", "other"], die_faces=[2, 4, 3, 3],
    )  # fmt: skip
    half = [(Volley(2, 1),), (Volley(0, 2),)]
    assert sequences(found)["a", "plain"] == [
        (chance / 6 * 3 / 6, (first, *second))
        for chance, first in ((2, Volley(0, 1)), (4, Volley(1, 1)))
        for second in half
    ]


def test_nothing_fired_is_no_activation():
    found = fired(("a", 1, "gun", 0))
    assert (len(found.heads), len(found.mixture), len(found.mixed.starts)) == (0, 0, 0)
    assert len(fired(("a", 1, "gun", 1), scenarios=SCENARIOS.head(0)).heads) == 0


def test_some_mixtures_can_be_taken_by_themselves():
    mixed = Mixed.of(np.array([5, 2, 5]), np.array([0.5, 0.5, 1.0]), np.array([2, 1]))
    taken = mixed.taken(np.array([1]))
    assert (taken.ends.tolist(), taken.part.tolist(), taken.chance.tolist()) == ([5], [0], [1.0])
    assert mixed.any(np.array([True, False])).tolist() == [True, False]
