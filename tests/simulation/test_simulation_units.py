"""Whole units: weapons in order, Devastating Wounds last, targets whose models differ; by hand and by the reference."""

from dataclasses import replace

import polars as pl
import pytest

from pipelines.simulation import volleys
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.units import simulate_units
from pipelines.simulation.volleys import UNIT_METRICS

from .reference_units import activation_reference
from .samples import as_matchup, target_frame, targets, weapon_frame, weapons
from .samples_units import AUTO, DEEP, KINDS, PER_TARGET, PLAIN_SCENARIO, PLAIN_TARGET, ability, activations, grouped
from .samples_units import fire as fire_all

WEAPONS, TARGETS = weapons(120, seed=1), targets(60, seed=2)
TOLERANCE = 1e-12


def loadout(unit, *lines, phase="shooting"):
    return [
        {"unit_id": unit, "phase": phase, "position": position, "weapon_profile_id": weapon, "count": count}
        for position, (weapon, count) in enumerate(lines)
    ]


def fire(lines, armoury, against, scenarios, rulesets):
    """Rows of activations: ``lines`` by unit, weapons and targets as in ``samples``."""
    frame = pl.DataFrame([row for unit, fired in lines.items() for row in loadout(unit, *fired)])
    return simulate_units(frame, weapon_frame(armoury), target_frame(against), scenarios, rulesets, LawBook())


def test_one_weapon_is_its_matchup(rulesets, scenarios):
    grid = simulate_grid(weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)
    joined = grid.attack_classes.join(grid.cells, on="attack_class_id").join(grid.target_classes, on="target_class_id")
    alone = joined.join(grid.outcomes, on="outcome_id")
    lines = {w["weapon_profile_id"]: [(w["weapon_profile_id"], 1)] for w in WEAPONS}
    units = fire(lines, WEAPONS, TARGETS, scenarios, rulesets).rename({"unit_id": "weapon_profile_id"})
    both = units.join(alone, on=["weapon_profile_id", "target_id", "scenario_id", "ruleset"], suffix="_alone")
    assert len(both) == len(units) == len(alone)
    for name in UNIT_METRICS:
        assert (both[name] - both[f"{name}_alone"]).abs().max() < TOLERANCE


def losses(rows):
    return [rows[name].item() for name in UNIT_METRICS]


def test_devastating_wounds_come_after_weapons_fired_later(rulesets, scenarios):
    # Both wound (25/36): D 2 kills one model, then the devastating 1 hurts the other. The other way round the 2 would
    # finish the hurt model and one point less would be lost.
    armoury = [DEEP | {"weapon_profile_id": "deep"}, AUTO | {"weapon_profile_id": "two", "damage": "2"}]
    found = fire({"u": [("deep", 1), ("two", 1)]}, armoury, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert losses(found) == pytest.approx([(25 * 3 + 5 * 2 + 5) / 36, 5 / 6, 0], abs=TOLERANCE)
    plain = [AUTO | {"weapon_profile_id": "deep"}, armoury[1]]  # the same, not devastating: in order
    found = fire({"u": [("deep", 1), ("two", 1)]}, plain, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert losses(found) == pytest.approx([(25 * 2 + 5 * 2 + 5) / 36, 5 / 6, 0], abs=TOLERANCE)


def test_devastating_wounds_wait_for_each_other_too(rulesets, scenarios):
    # Three wounds (125/216): the plain 1 first, then the devastating 1 (a model dies), then the devastating 2.
    armoury = [
        DEEP | {"weapon_profile_id": "a"},
        AUTO | {"weapon_profile_id": "b"},
        DEEP | {"weapon_profile_id": "c", "damage": "2"},
    ]
    lines = {"u": [("a", 1), ("b", 1), ("c", 1)]}
    found = fire(lines, armoury, [PLAIN_TARGET], scenarios.head(1), rulesets)
    assert found["p_destroy_unit"].item() == pytest.approx(125 / 216, abs=TOLERANCE)


def test_each_weapon_sees_the_models_at_the_start(rulesets, scenarios):
    # The first weapon kills a model of five with 5/6; Blast of the second still counts five.
    blast = AUTO | {"weapon_profile_id": "blast", "abilities": [ability("torrent"), ability("blast")]}
    target = PLAIN_TARGET | {"wounds": 1, "models": 5}
    lines = {"u": [("one", 1), ("blast", 1)], "late": [("blast", 1), ("one", 1)]}
    found = fire(lines, [AUTO | {"weapon_profile_id": "one"}, blast], [target], scenarios.head(1), rulesets)
    assert found["expected_damage"].to_list() == pytest.approx([3 * 5 / 6] * 2, abs=TOLERANCE)


def test_groups_are_hurt_in_order_by_weapon_after_weapon(rulesets, scenarios):
    # One attack each; the first model (W 1) dies of the first wound. The second (W 3, 2+ against AP 0) is hurt by the
    # second wound if its save fails.
    target = grouped(PLAIN_TARGET, [{"models": 1, "wounds": 1, "save": 7}, {"models": 1, "wounds": 3, "save": 2}])
    armoury = [
        AUTO | {"weapon_profile_id": name, "armour_penetration": 0, "damage": damage}
        for name, damage in (("a", "1"), ("b", "3"))
    ]
    found = fire({"u": [("a", 1), ("b", 1)]}, armoury, [target], scenarios.head(1), rulesets)
    two, one = 25 / 36, 10 / 36
    assert losses(found) == pytest.approx([two * (1 + 3 / 6) + one, two * (1 + 1 / 6) + one, two / 6], abs=TOLERANCE)
    assert found["expected_raw_damage"].item() is None


def test_ignored_attacks_are_those_of_the_whole_activation(rulesets, scenarios):
    # Three wounds. The first failed save is the first weapon's; a Devastating Wound waits and isn't ignored.
    names = ("deep", "one", "two")
    armoury = [
        weapon | {"weapon_profile_id": name, "damage": damage}
        for name, weapon, damage in zip(names, (DEEP, AUTO, AUTO), ("1", "1", "2"), strict=True)
    ]
    lines = {"all": [(name, 1) for name in names], "deep": [("deep", 2)], "last": [("one", 1), ("deep", 1)]}
    saves = PLAIN_TARGET | {"wounds": 1, "models": 3, "ignored_failed_saves": 1}
    found = fire(lines, armoury, [saves], scenarios.head(1), rulesets).sort("unit_id")
    assert found["expected_damage"].to_list() == pytest.approx([5 / 6 + 25 / 36, 10 / 6, 5 / 6], abs=TOLERANCE)
    alone = fire({"u": [("deep", 1), ("one", 1)]}, armoury, [saves], scenarios.head(1), rulesets)
    assert alone["expected_damage"].item() == pytest.approx(5 / 6, abs=TOLERANCE)
    attacks = PLAIN_TARGET | {"wounds": 1, "models": 3, "ignored_attacks": 1}
    found = fire(lines, armoury, [attacks], scenarios.head(1), rulesets).sort("unit_id")
    three, two = 125 / 216, 75 / 216
    assert found["expected_damage"].to_list() == pytest.approx([2 * three + two, 25 / 36, 25 / 36], abs=TOLERANCE)


LED = grouped(
    PLAIN_TARGET,
    [{"models": 1, "wounds": 3, "save": 7, "is_character": True}, {"models": 1, "wounds": 1, "save": 7}],
)


def precise(weapon):
    return weapon | {"abilities": [*weapon["abilities"], ability("precision")]}


def test_precision_and_other_weapons_in_one_activation(rulesets, scenarios):
    # Precision takes 1 of the character's 3 wounds; the other weapon kills the bodyguard, whoever is hurt, and then the
    # character.
    armoury = [precise(AUTO) | {"weapon_profile_id": "p"}, AUTO | {"weapon_profile_id": "n", "damage": "3"}]
    lines = {"pn": [("p", 1), ("n", 1)], "np": [("n", 1), ("p", 1)], "pnn": [("p", 1), ("n", 1), ("n", 1)]}
    for edition in ("10e", "11e"):
        weapons_of_edition = [weapon | {"ruleset": edition} for weapon in armoury]
        rows = fire(lines, weapons_of_edition, [LED], scenarios.head(1), rulesets).sort("unit_id")
        both, first = (
            [60 / 36, 5 / 6, 0],
            [125 * 4 + 25 * (4 + 2 + 2) + 5 * (1 + 1 + 1), 125 * 2 + 25 * (2 + 1 + 1) + 10],
        )
        assert losses(rows[:1]) == pytest.approx(both, abs=TOLERANCE)
        assert losses(rows[1:2]) == pytest.approx(both, abs=TOLERANCE)
        assert losses(rows[2:]) == pytest.approx([first[0] / 216, first[1] / 216, 25 / 36], abs=TOLERANCE)


def test_devastating_wounds_of_precision_strike_the_character(rulesets, scenarios):
    armoury = [precise(DEEP) | {"weapon_profile_id": "deep", "damage": "3"}, AUTO | {"weapon_profile_id": "n"}]
    rows = fire({"u": [("deep", 1), ("n", 1)]}, armoury, [LED], scenarios.head(1), rulesets)
    assert losses(rows) == pytest.approx([5 / 6 * 3 + 5 / 6, 10 / 6, 25 / 36], abs=TOLERANCE)


def test_characters_destroyed_are_told_where_others_are_there_too(rulesets, scenarios):
    # One attack (5/6 wounds): the bodyguard dies of it, with Precision the character. Two: the bodyguard, then the
    # character. Two of which one has Precision: both.
    armoury = [
        weapon | {"weapon_profile_id": name, "damage": "3"} for name, weapon in (("p", precise(AUTO)), ("n", AUTO))
    ]
    lines = {"n": [("n", 1)], "nn": [("n", 2)], "np": [("n", 1), ("p", 1)], "p": [("p", 1)]}
    alone = PLAIN_TARGET | {"target_id": "alone", "groups": None}
    alike = LED | {"target_id": "alike", "groups": [group | {"is_character": True} for group in LED["groups"]]}
    against = [{"groups": None} | target for target in (LED, alone, alike)]
    for edition in ("10e", "11e"):
        of_edition = [weapon | {"ruleset": edition} for weapon in armoury]
        rows = fire(lines, of_edition, against, scenarios.head(1), rulesets).sort("target_id", "unit_id")
        slain = dict(rows.group_by("target_id").agg("expected_characters_destroyed").iter_rows())
        assert slain["t"] == pytest.approx([0, 25 / 36, 5 / 6, 5 / 6], abs=TOLERANCE)
        assert slain["alone"] == slain["alike"] == [None] * 4


def test_what_else_is_computed_changes_no_answer(rulesets, scenarios):
    """Precision of a weapon and characters of a target concern nobody else."""
    armoury = [precise(DEEP) | {"weapon_profile_id": "p"}, AUTO | {"weapon_profile_id": "n", "damage": "D3"}]
    armoury.append(DEEP | {"weapon_profile_id": "d", "damage": "2"})
    lines = {"a": [("d", 1), ("n", 1), ("p", 1), ("d", 1)], "b": [("n", 2), ("d", 1)]}
    other = PLAIN_TARGET | {"target_id": "other", "wounds": 3, "models": 3, "groups": None}
    together = fire(lines, armoury, [LED, other], scenarios.head(1), rulesets)
    alone = [
        fire({unit: fired}, armoury, [{"groups": LED["groups"]} | target], scenarios.head(1), rulesets)
        for target in (LED, other) for unit, fired in lines.items()
    ]  # fmt: skip
    for name in UNIT_METRICS:
        assert together[name].to_list() == pytest.approx(pl.concat(alone)[name].to_list(), abs=TOLERANCE)


def test_targets_with_too_many_pairs_are_an_error(rulesets, scenarios):
    many = grouped(PLAIN_TARGET, [{"models": 70, "wounds": 5, "save": 3}, LED["groups"][0] | {"wounds": 9}])
    armoury = [precise(AUTO) | {"weapon_profile_id": "p"}, AUTO | {"weapon_profile_id": "n"}]
    with pytest.raises(ValueError, match="Precision against characters among others: 3509 states, at most 2000"):
        fire({"u": [("p", 1), ("n", 1)]}, armoury, [many], scenarios.head(1), rulesets)
    alone = fire({"p": [("p", 1)]}, armoury, [many], scenarios.head(1), rulesets)  # one order: no pairs
    assert losses(alone) == pytest.approx([5 / 6, 0, 0], abs=TOLERANCE)


ACTIVATIONS = activations(96, seed=11)


@pytest.fixture(scope="module")
def found(rulesets, scenarios):
    return fire_all(ACTIVATIONS, scenarios, rulesets)


@pytest.mark.parametrize("kind", KINDS)
def test_activations_equal_the_reference(kind, found):
    for number, (given, row) in enumerate(zip(ACTIVATIONS, found, strict=True)):
        if KINDS[number // PER_TARGET % len(KINDS)] != kind:
            continue
        assert_equal_to_the_reference(given, row)


def assert_equal_to_the_reference(given, row):
    [exact] = activation_reference(given.options(PLAIN_SCENARIO))
    for name in UNIT_METRICS:
        assert row[name] == pytest.approx(float(exact[name]), abs=TOLERANCE), given
    slain = exact["expected_characters_destroyed"]
    expected = None if slain is None else pytest.approx(float(slain), abs=TOLERANCE)
    assert row["expected_characters_destroyed"] == expected, given
    for name, law in (("damage", row["damage"]), ("models_destroyed", row["models"])):
        expected = {value: float(p) for value, p in exact["dist"][name].items() if p}
        assert {value: p for value, p in enumerate(law) if p} == pytest.approx(expected, rel=2**-22), given


@pytest.mark.parametrize("all_of_them", [True, False], ids=["all", "some"])
def test_precision_of_all_weapons_or_some_equals_the_reference(all_of_them, rulesets, scenarios):
    """Where all weapons have Precision one order of allocation is followed, else pairs of characters and others."""
    led = [each for each in activations(96, seed=12) if is_led_by(each.target)]
    assert {weapon["ruleset"] for each in led for weapon, *_ in each.lines} == {"10e", "11e"}
    assert len(led) >= 30
    for each in led:
        plain = {"abilities": [a for a in each.lines[0][0]["abilities"] if a["ability"] != "precision"]}
        first = each.lines[0][0] | plain | {"weapon_profile_id": "first"}
        lines = [(precise(weapon), *line) for weapon, *line in each.lines]
        given = replace(each, lines=tuple(lines if all_of_them else [(first, *each.lines[0][1:]), *lines[1:]]))
        [row] = fire_all([given], scenarios, rulesets)
        assert_equal_to_the_reference(given, row)


def is_led_by(target):
    return any(group["is_character"] for group in target.get("groups") or ())


def test_kinds_of_devastating_wounds_come_in_the_order_in_which_they_first_came(rulesets, scenarios):
    base = AUTO | {"attacks": "2", "skill": 3, "armour_penetration": -2, "damage": "2"}
    armoury = [
        base | {"weapon_profile_id": "a", "abilities": [ability("devastating_wounds")]},
        base | {"weapon_profile_id": "b", "abilities": [], "damage": "1"},
        base | {"weapon_profile_id": "c", "abilities": [ability("devastating_wounds")], "damage": "D3"},
    ]
    target = PLAIN_TARGET | {"wounds": 3, "feel_no_pain": 4, "feel_no_pain_scope": "mortal"}
    lines = {"u": [("a", 1), ("b", 1), ("c", 1), ("a", 1)]}
    found = fire(lines, armoury, [target], scenarios.head(1), rulesets)
    plain = scenarios.row(0, named=True)
    [exact] = activation_reference([(1, [as_matchup(armoury[kind], target, plain) for kind in (0, 1, 2, 0)])])
    assert losses(found) == pytest.approx([float(exact[name]) for name in UNIT_METRICS], abs=TOLERANCE)


def test_too_many_kinds_that_wait_are_an_error(rulesets, scenarios, monkeypatch):
    monkeypatch.setattr(volleys, "MAX_PENDING", 10_000)
    deep = [ability("devastating_wounds")]
    armoury = [
        AUTO | {"weapon_profile_id": f"w{d}", "attacks": "9", "skill": 3, "damage": str(d), "abilities": deep}
        for d in range(1, 6)
    ]
    target = PLAIN_TARGET | {"wounds": 10, "models": 10, "feel_no_pain": 5}
    with pytest.raises(ValueError, match="Devastating Wounds of different kinds"):
        fire({"u": [(w["weapon_profile_id"], 1) for w in armoury]}, armoury, [target], scenarios.head(1), rulesets)


def test_hunter_profiles_of_a_unit_do_nothing_to_other_targets(rulesets, scenarios):
    hunter = AUTO | {"weapon_profile_id": "h", "ruleset": "11e", "abilities": [ability("hunter", None, ["MONSTER"])]}
    for keywords, hurts in ((["INFANTRY"], False), (["MONSTER"], True)):
        found = fire({"u": [("h", 3)]}, [hunter], [PLAIN_TARGET | {"keywords": keywords}], scenarios.head(1), rulesets)
        assert (found["expected_damage"].item() > 0) == hurts


def test_units_need_known_weapons(rulesets, scenarios):
    with pytest.raises(ValueError, match="'nothing'"):
        fire({"u": [("nothing", 1)]}, WEAPONS, TARGETS, scenarios, rulesets)


def test_no_units_and_no_weapons_are_no_rows(rulesets, scenarios):
    nobody = pl.DataFrame(schema=pl.DataFrame(loadout("u", ("deep", 1))).schema)
    armoury = weapon_frame([DEEP | {"weapon_profile_id": "deep"}])
    for carried in (armoury, armoury.clear()):
        rows = simulate_units(nobody, carried, target_frame([PLAIN_TARGET]), scenarios, rulesets, LawBook())
        assert rows.is_empty()
        assert rows.schema["expected_damage"] == pl.Float64


@pytest.mark.parametrize("copies", [False, True])
def test_targets_met_together_fare_as_alone(rulesets, scenarios, monkeypatch, copies):
    """Of one size or of several, of equal models or not, however many are followed at once."""
    given = activations(240, seed=5)
    armoury = {weapon["weapon_profile_id"]: weapon for each in given for weapon, *_ in each.lines}
    lines = [
        {"unit_id": each.name, "phase": "shooting", "position": place, "count": count, "die": die,
         "die_faces": faces, "weapon_profile_id": weapon["weapon_profile_id"]}
        for each in given for place, (weapon, count, die, faces) in enumerate(each.lines)
    ]  # fmt: skip
    struck = list({each.target["target_id"]: each.target for each in given}.values())
    assert len({(target["models"], target["wounds"]) for target in struck}) < len(struck)
    frame = pl.DataFrame(lines, schema_overrides={"die": pl.String, "die_faces": pl.Int64})
    armoury = weapon_frame(list(armoury.values()))

    def met(some):
        return simulate_units(frame, armoury, target_frame(some), scenarios.head(1), rulesets, None, copies=copies)

    order = ["unit_id", "phase", "target_id"]
    together = met(struck).sort(order)
    monkeypatch.setattr(volleys, "MAX_STARTED", 1)  # each alone
    alone = met(struck).sort(order)
    for name in (*UNIT_METRICS, "expected_characters_destroyed", "expected_raw_damage"):
        assert together[name].is_null().equals(alone[name].is_null())
        assert ((together[name] - alone[name]).abs().max() or 0) < TOLERANCE
    assert together["copies_to_destroy"].equals(alone["copies_to_destroy"])
    one = met(struck[7:8]).sort(order)
    of_one = together.filter(pl.col("target_id") == struck[7]["target_id"])
    assert (one["expected_damage"] - of_one["expected_damage"]).abs().max() < TOLERANCE
