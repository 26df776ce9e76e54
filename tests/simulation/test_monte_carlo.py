"""The literal dice against the exact engine and the shared cases; the false-alarm rate of ``alarms`` is a guarantee.

Seeds are fixed, so a failure is a failure each time.
"""

import ast
import dataclasses
import math
import random

import numpy as np
import pytest

from pipelines import adhoc
from pipelines.cli import main
from pipelines.dice import parse_dice
from pipelines.paths import PROJECT
from pipelines.simulation.matchup import evaluate, read_matchups
from pipelines.simulation.monte_carlo import MAX_DICE, MAX_TRIALS, EmpiricalLaw, simulate
from pipelines.simulation.rolls import never, per_trial, roll_successes

from .alarms import FALSE_ALARMS, mean_bound, raised, unlikely
from .samples import matchup

TRIALS = 20_000


def most(value):
    dice = parse_dice(value)
    return dice.rolled * dice.sides + dice.plus


def spreads(given):
    """The largest value of each metric; the smallest is at least 0."""
    weapon, attacker, target = (given.get(part, {}) for part in ("weapon", "attacker", "target"))
    groups = target.get("groups") or [{}]
    models = sum(group.get("models", target.get("models", 1)) for group in groups)
    wounds, firing = max(group.get("W", target.get("W", 1)) for group in groups), given.get("models_firing", 1)
    added = abs(attacker.get("A_bonus", 0)) + (int(weapon.get("blast", 0)) + weapon.get("cleave", 0)) * (models // 5)
    attacks = firing * (most(weapon.get("A", 1)) + most(weapon.get("rapid_fire", 0)) + added)
    hits = attacks * (1 + most(weapon.get("sustained_hits", 0)))
    damage = most(weapon.get("D", 1)) + most(weapon.get("melta", 0)) + abs(attacker.get("D_bonus", 0))
    return {
        "expected_attacks": attacks,
        "expected_hits": hits,
        "expected_wounds": hits,
        "expected_unsaved": hits,
        "expected_raw_damage": hits * damage,
        "expected_damage": models * wounds,
        "expected_models_destroyed": models,
        "expected_hazardous_mortal_wounds": 3 * firing,
    }


def comparisons(given, simulation, exact):
    """Each comparison of one matchup as (name, function of a chance: is it an alarm?)."""
    laws = {f"expected_{name}": law for name, law in simulation.laws.items()}
    for name, spread in spreads(given).items():
        if name in laws and exact.get(name) is not None:
            law, off = laws[name], abs(laws[name].estimate()[0] - exact[name])
            yield name, lambda chance, law=law, off=off, spread=spread: off > mean_bound(law, spread, chance) + 1e-9
    for name, pairs in exact["dist"].items():
        law, probabilities = simulation.laws[name], dict(map(tuple, pairs))
        yield f"dist {name}", lambda chance, law=law, p=probabilities: unlikely(law, p, chance)


def alarms(matchups, simulations, exact, parts=1):
    """Names of the comparisons that fail; ``parts`` as in ``raised``."""
    every = [
        (f"{given.get('id')}: {name}", alarm)
        for given, simulation, result in zip(matchups, simulations, exact, strict=True)
        for name, alarm in comparisons(given, simulation, result)
    ]
    return raised(every, parts)


def chosen(given, simulation):
    """The matchup with the choice of Lethal Hits that the simulated attacker made."""
    if simulation.automatic is None:
        return given
    policy = "always" if simulation.automatic else "never"
    return given | {"weapon": given["weapon"] | {"lethal_optional": policy}}


def samples(count):
    """Random matchups of both editions; some have a hazardous weapon, a large unit, models that differ."""
    result = []
    for seed in range(count):
        for edition in ("10e", "11e"):
            given = matchup(5000 + seed, edition)
            given["weapon"]["hazardous"] = seed % 4 == 0
            if seed % 5 == 0:
                given["target"]["models"] += 8
            if edition == "11e" and seed % 8 == 0:
                given["attacker"]["keywords"] = ["VEHICLE"]
            if edition == "11e" and seed % 7 == 3:
                given["attacker"]["hit_reroll"] = "failed"
                given["context"]["overwatch"] = True
            if seed % 6 == 0:
                given["weapon"] |= {"type": "ranged", "torrent": False, "indirect_fire": True}
                given["weapon"]["skill"] = 2 if seed % 12 else 4
                given["attacker"]["hit_mod"] = given["target"]["hit_mod"] = 0
                given["context"] |= {"visible": False, "stationary": True, "overwatch": False}
            if seed % 9 in (2, 5):
                mix(given, random.Random(seed))
            result.append(given)
    return result


def mix(given, r):
    """Let the target have models that differ, or attacks that it ignores, and the weapon perhaps Precision."""
    given["target"] |= {"ignore_failed_saves": r.choice([0, 0, 1]), "damage_to_zero": r.choice([0, 0, 1])}
    given["weapon"]["precision"] = r.random() < 0.4
    given["weapon"]["A"] = 4
    given["target"].pop("models")
    given["target"]["groups"] = [
        {"models": n, "W": r.choice([1, 2, 4]), "Sv": save, "FNP": r.choice([None, 5]), "character": n == 1}
        for n, save in ((1, 2), (3, 5))
    ]


@pytest.fixture(scope="module")
def rolled(rulesets):
    matchups = samples(150)
    return matchups, simulate(read_matchups(matchups, rulesets), TRIALS, seed=40)


def test_hundreds_of_random_matchups_agree(rolled, rulesets):
    matchups, simulations = rolled
    as_chosen = [chosen(*pair) for pair in zip(matchups, simulations, strict=True)]
    assert alarms(matchups, simulations, evaluate(as_chosen, rulesets)) == []


def test_the_simulated_attacker_chooses_what_the_exact_one_does_or_as_good(rolled, rulesets):
    open_choices = [pair for pair in zip(*rolled, strict=True) if pair[1].automatic is not None]
    best = evaluate([given for given, _ in open_choices], rulesets)
    taken = evaluate([chosen(*pair) for pair in open_choices], rulesets)
    chance = FALSE_ALARMS / len(open_choices)
    for (given, simulation), one, other in zip(open_choices, best, taken, strict=True):
        bound = mean_bound(simulation.laws["damage"], spreads(given)["expected_damage"], chance)
        if given["weapon"]["lethal_optional"] == "best":
            assert other["expected_damage"] >= one["expected_damage"] - 2 * bound
    assert {simulation.automatic for _, simulation in open_choices} == {True, False}


@pytest.mark.parametrize("name", ["oracle/cases.json", "oracle/cases_11e.json"])
def test_shared_cases_agree_in_all_seven_laws(name, shared_cases, rulesets):
    cases = shared_cases(name)
    matchups = [case["matchup"] | {"id": case["id"]} for case in cases]
    exact = [
        {key: value["value"] for key, value in case["exact"].items() if key != "dist"}
        | {"dist": {key: law["value"] for key, law in case["exact"]["dist"].items()}}
        for case in cases
    ]
    simulations = simulate(read_matchups(matchups, rulesets), TRIALS, seed=41)
    assert len(exact[0]["dist"]) == 7
    assert alarms(matchups, simulations, exact) == []


OTHER_VALUES = {
    "cover_effect": {"save": "skill", "skill": "save"},
    "stealth_effect": {"hit_roll": "cover", "cover": "hit_roll"},
    "cover_denied_save": {3: 2, None: 3},
    "save_total_cap": {1: None, None: 1},
    "indirect_hit_modifier": {-1: 0, 0: -1},
    "indirect_failing_rolls": {1: 3, 5: 4},
    "plunging_fire_skill": {0: 1, 1: 0},
}
READ_FROM_MATCHUPS = {"devastating_reduced", "save_modifier_cap"}  # the dice follow these, whatever they are
NOT_REACHED = {  # what needs fields or circumstances that the edition's matchups don't have
    "10e": {
        "hazardous_large_keywords", "hazardous_wounds_large", "indirect_failing_rolls_spotted", "plunging_fire_skill",
        "psychic_drops_penalties",
    },
    "11e": {"cover_denied_save"},  # cover changes no save there
}  # fmt: skip


def altered(rules, name):
    value = getattr(rules, name)
    if name in OTHER_VALUES:
        return OTHER_VALUES[name][value]
    if isinstance(value, bool):
        return not value
    return value[:1] if isinstance(value, tuple) else value + 1


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_each_parameter_of_a_rule_set_is_noticed_when_it_is_wrong(edition, rolled, rulesets):
    matchups, simulations = rolled
    of_edition = [
        (chosen(*pair), pair[1])
        for pair in zip(matchups, simulations, strict=True)
        if pair[0].get("ruleset", "10e") == edition
    ]
    parts = [tuple(zip(*of_edition[start : start + 15], strict=True)) for start in range(0, len(of_edition), 15)]
    unnoticed = set()
    rules = rulesets[edition]
    for field in dataclasses.fields(rules):
        if field.name in READ_FROM_MATCHUPS | {"name", "has_ability_values"}:
            continue
        wrong = dict(rulesets) | {edition: dataclasses.replace(rules, **{field.name: altered(rules, field.name)})}
        if not any(alarms(given, dice, evaluate(given, wrong), len(parts)) for given, dice in parts):
            unnoticed.add(field.name)
    assert unnoticed == NOT_REACHED[edition]


def test_a_mean_that_is_off_by_two_percent_is_noticed(rulesets):
    """The power of the check on one ordinary matchup: 2 % of its damage among 100,000 trials."""
    given = {
        "id": "bolters",
        "models_firing": 10,
        "weapon": {"A": 2, "D": 2},
        "target": {"W": 2, "Sv": 4, "models": 10},
    }
    simulations = simulate(read_matchups([given], rulesets), 100_000, seed=42)
    [result] = evaluate([given], rulesets)
    assert alarms([given], simulations, [result]) == []
    for factor in (0.98, 1.02):
        wrong = result | {"expected_damage": result["expected_damage"] * factor}
        assert alarms([given], simulations, [wrong]) == ["bolters: expected_damage"]


def test_a_law_that_moves_two_percent_of_its_weight_is_noticed(rulesets):
    given = {"id": "bolters", "models_firing": 10, "weapon": {"A": 2}, "target": {"W": 2, "models": 10}}
    simulations = simulate(read_matchups([given], rulesets), 100_000, seed=43)
    [result] = evaluate([given], rulesets)
    law = dict(map(tuple, result["dist"]["damage"]))
    law[10], law[7] = law[10] - 0.02, law[7] + 0.02
    wrong = result | {"dist": {"damage": list(law.items())}}
    assert alarms([given], simulations, [wrong]) == ["bolters: dist damage"]


def test_values_that_are_impossible_are_noticed(rulesets):
    given = {"id": "one", "target": {"W": 3}}
    simulations = simulate(read_matchups([given], rulesets), 100, seed=1)
    [result] = evaluate([given], rulesets)
    wrong = result | {"dist": {"damage": [[0, 0.5], [3, 0.5]]}}
    assert alarms([given], simulations, [wrong]) == ["one: dist damage"]


def test_equal_seeds_give_equal_dice_whatever_the_batches(rulesets, monkeypatch):
    given = read_matchups([matchup(seed, "11e") for seed in range(5)], rulesets)
    first, again, other = (simulate(given, 2000, seed) for seed in (7, 7, 8))
    assert [s.estimates() for s in first] == [s.estimates() for s in again]
    assert [s.estimates() for s in first] != [s.estimates() for s in other]
    monkeypatch.setattr("pipelines.simulation.monte_carlo._BATCH_DICE", 500)
    in_batches = simulate(given, 2000, 7)
    for simulation in in_batches:
        assert {int(law.counts.sum()) for law in simulation.laws.values()} == {2000}


def test_laws_add_up():
    law = EmpiricalLaw.of(np.array([3, 1, 3])) + EmpiricalLaw.of(np.array([2, 3]))
    assert law.shares() == [[1, 0.2], [2, 0.2], [3, 0.6]]
    mean, error = law.estimate()
    assert mean == pytest.approx(2.4)
    assert error == pytest.approx(math.sqrt(0.64 / 5))


@pytest.mark.parametrize("large", [7, 10**6, 10**6 + 1, 10**15])
def test_a_law_counts_values_of_any_size(large):
    law = EmpiricalLaw.of(np.array([large, 0, large, 5]))
    assert (law.values.tolist(), law.counts.tolist()) == ([0, 5, large], [1, 1, 2])


def test_sums_of_groups_are_right_where_the_running_total_wraps_round():
    values = np.array([250, 5, 0, 200, 55, 1, 9], dtype=np.uint8)
    assert per_trial(values, np.array([0, 2, 0, 3, 2, 0])).tolist() == [0, 255, 0, 255, 10, 0]
    assert per_trial(values[:0], np.array([0, 0])).tolist() == [0, 0]


@pytest.mark.parametrize("many", [65_535, 65_536, 200_000])
def test_dice_of_one_trial_are_counted_however_many_they_are(many):
    dice, rng = np.array([2, many, 0, 1]), np.random.default_rng(1)
    plain, critical = roll_successes(dice, lambda _, face: face > 1, lambda _, face: face > 1, rng, reroll="failed")
    assert plain.tolist() == [0, 0, 0, 0]
    assert critical[1] == pytest.approx(many * 35 / 36, abs=6 * math.sqrt(many * 35) / 36)
    plain, critical = roll_successes(dice, lambda *_: True, never, rng)
    assert (plain.tolist(), critical.tolist()) == (dice.tolist(), [0, 0, 0, 0])
    plain, critical = roll_successes(dice, lambda *_: True, lambda _, face: face == 6, rng)
    assert (plain + critical).tolist() == dice.tolist()
    assert critical[1] == pytest.approx(many / 6, abs=6 * math.sqrt(many * 5) / 6)


@pytest.mark.parametrize(("trials", "seed", "message"), [(0, 0, "from 1 to"), (MAX_TRIALS + 1, 0, "from 1 to"),
                                                       (1, -1, "seed: must not be negative")])  # fmt: skip
def test_trials_are_bounded(trials, seed, message, rulesets):
    with pytest.raises(ValueError, match=message):
        simulate(read_matchups([{}], rulesets), trials, seed)


def test_dice_in_all_are_bounded(rulesets):
    large = {"models_firing": 100, "weapon": {"A": 100, "D": "100D6"}, "target": {"W": 1}}
    with pytest.raises(ValueError, match=f"at most {MAX_DICE:,} can be rolled"):
        simulate(read_matchups([large], rulesets), 10_000, 0)


def test_a_rule_set_of_no_known_edition_is_refused(rulesets):
    given = read_matchups([{}], {"10e": dataclasses.replace(rulesets["10e"], name="9e")})
    with pytest.raises(ValueError, match="'9e' can't be simulated"):
        simulate(given, 10, 0)


def test_no_rules_are_shared_with_the_exact_engine():
    """The dice may see what a matchup's fields say, no module of the engine and no parameter of a rule set."""
    for name in ("monte_carlo", "rolls", "casualties"):
        tree = ast.parse((PROJECT / "pipelines" / "simulation" / f"{name}.py").read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        own = {f"pipelines.simulation.{module}" for module in ("matchup", "rolls", "casualties")}
        assert {module for module in imported if module.startswith("pipelines")} <= {"pipelines.dice", *own}
        parameters = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "rules"
        }
        assert parameters <= READ_FROM_MATCHUPS | {"name"}
        derived = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & {"attack", "result"}
        assert not derived


def test_the_dice_know_every_field_of_a_matchup(rulesets):
    """A field that the engine learns must be rolled too."""
    known = set()
    for name in ("monte_carlo", "rolls", "casualties"):
        tree = ast.parse((PROJECT / "pipelines" / "simulation" / f"{name}.py").read_text(encoding="utf-8"))
        known |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    [given] = read_matchups([{}], rulesets)
    parts = (given.weapon, given.attacker, given.context)
    fields = {field.name for part in parts for field in dataclasses.fields(part)} | set(given.target._fields)
    assert fields - known == set()


def test_json_results_carry_the_simulated_means_beside_the_exact_ones():
    text = '[{"id": "a", "weapon": {"hazardous": true}}, {"target": {"W": 2}}]'
    plain = adhoc.evaluate_json(text)
    both = adhoc.evaluate_json(text, adhoc.Trials(4000, 3))
    for exact, result in zip(plain, both, strict=True):
        simulated = result.pop("simulated")
        assert result == exact
        assert (simulated["trials"], simulated["seed"]) == (4000, 3)
        for name in [key for key in exact if key.startswith(("expected", "p_"))]:
            assert abs(simulated[name]["mean"] - exact[name]) <= 6 * simulated[name]["standard_error"] + 1e-12
        assert sum(share for _, share in simulated["dist"]["damage"]) == pytest.approx(1)
    assert "simulated" not in plain[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--simulate", "0"], "must be from 1 to"),
        (["--simulate", "99999999999"], "must be from 1 to"),
        (["--simulate", "10", "--seed", "-4"], "must not be negative"),
        (["--seed", "4"], "--seed goes with --simulate"),
    ],
)
def test_the_command_refuses_trials_in_one_line(arguments, said, tmp_path, capsys):
    (tmp_path / "in.json").write_text("[{}]")
    assert main(["matchup", "--json", str(tmp_path / "in.json"), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_the_command_prints_simulated_means_for_people(published, capsys):
    arguments = ["matchup", "Kapricus Defenders: Magna-rail cannon", "heavy-tank", "--stationary", "--ruleset", "10e"]
    arguments += ["--warehouse", str(published.warehouse)]
    assert main(arguments) == 0
    plain = capsys.readouterr().out
    assert main([*arguments, "--simulate", "1000", "--seed", "5"]) == 0
    said = capsys.readouterr().out
    assert "1,000 trials ± standard error, seed 5" in said
    [hits] = [line for line in said.splitlines() if line.startswith("  hits ")]
    exact, mean, sign, error = hits.split()[1:]
    assert sign == "±"
    assert abs(float(mean) - float(exact)) < 6 * float(error)
    assert "±" not in plain
