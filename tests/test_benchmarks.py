"""The benchmarks run, count right and judge by their goals; how fast anything is, no test says.

Peers that come with the extra ``bench`` aren't needed here: the model that they compute is computed in fractions.
"""

import json
import math
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from benchmarks import crunch_peer, dice_model, peers, plain_loop, scale
from benchmarks.__main__ import SUBJECTS, main, table
from benchmarks.activation import NotCoveredError, read
from benchmarks.goals import Goal, Row
from benchmarks.grid import Data, Grid
from benchmarks.plain_mean import expectation
from pipelines.engine_frames import declared_rulesets
from pipelines.paths import PROJECT
from pipelines.simulation.effective import LETHAL_BEST
from pipelines.simulation.matchup import evaluate_pairs, read_matchups
from pipelines.simulation.outcomes import METRICS
from tests.simulation import samples
from tests.sources.sheets import TITLE, page, written


def test_a_load_counts_documents_and_bytes(tmp_path):
    raw = tmp_path / "raw"
    raw.mkdir()
    for number in range(3):
        written(raw, page().replace(TITLE, f"{TITLE} {number}"), f"{number}.txt")
    command = [sys.executable, "-m", "benchmarks.load", str(raw), str(tmp_path / "documents.sqlite")]
    done = subprocess.run(command, check=True, capture_output=True, cwd=PROJECT, text=True)
    figures = json.loads(done.stdout)
    assert figures["documents"] == 3
    assert 1000 < figures["table_bytes"] < figures["peak_bytes"]
    assert (tmp_path / "documents.sqlite").is_file()


# The table and its goals


@pytest.mark.parametrize(
    ("goal", "value", "met"),
    [
        (Goal(30, "×", at_least=True), 30, True),
        (Goal(30, "×", at_least=True), 29.9, False),
        (Goal(3, "×"), 3, True),
        (Goal(3, "×"), 3.1, False),
        (Goal(3, "×"), None, None),
        (None, 3, None),
    ],
)
def test_a_row_is_judged_by_its_goal(goal, value, met):
    assert Row("speed", "some", goal, value).met() is met


def test_a_verdict_states_the_goal_and_why_it_is_missed():
    goal = Goal(1000, "×", at_least=True, why="the road is long")
    assert Row("speed", "2,000 ×", goal, 2000).verdict() == "goal ≥ 1,000 ×: met"
    assert Row("speed", "20 ×", goal, 20).verdict() == "goal ≥ 1,000 ×: missed; the road is long"
    assert Row("speed", "", goal).verdict() == "goal ≥ 1,000 ×: not measured"
    assert Row("error", "2e-12", Goal(1e-12, ""), 2e-12).verdict().startswith("goal ≤ 1e-12: missed; ")
    assert Row("speed", "20 ×").verdict() == ""


def test_the_table_counts_goals_that_are_met():
    rows = [Row("a", "1", Goal(1, "s"), 1), Row("longer", "2 s", Goal(1, "s", why="slow"), 2), Row("c", "3")]
    assert table(rows) == (
        "a       1\n          goal ≤ 1 s: met\nlonger  2 s\n          goal ≤ 1 s: missed; slow\nc       3\n"
        "goals: 1 of 2 met"
    )


def test_single_subjects_can_be_measured(monkeypatch, capsys):
    for name in SUBJECTS:
        monkeypatch.setitem(SUBJECTS, name, lambda name=name: [Row(name, "measured")])
    main(["peers", "scale"])
    assert capsys.readouterr().out == "scale  measured\npeers  measured\ngoals: 0 of 0 met\n"
    with pytest.raises(SystemExit):
        main(["speed"])
    assert "no such subject: 'speed'" in capsys.readouterr().err


# Calculators


class Fractions:
    """What ``dice_model`` asks of a dice library: {outcome: probability}."""

    def die(self, weights):
        total = sum(weights.values())
        return {outcome: Fraction(weight, total) for outcome, weight in weights.items() if weight}

    def mapped(self, function, *dice):
        result = defaultdict(Fraction)
        for roll in product(*(die.items() for die in dice)):
            chance = math.prod(p for _, p in roll)
            made = function(*(face for face, _ in roll))
            for outcome, p in (made if isinstance(made, dict) else {made: Fraction(1)}).items():
                result[outcome] += chance * p
        return dict(result)

    def summed(self, number, die):
        sums = [{0: Fraction(1)}]
        for _ in range(max(number)):
            sums.append(self.mapped(lambda a, b: a + b, sums[-1], die))
        return self.mapped(lambda times: sums[times], number)

    def law(self, die):
        return die


def read_one(**given):
    [found] = read_matchups([given], declared_rulesets())
    return found


def covered(number):
    """Random matchups of the 10th edition that the plain rules cover, with what they read."""
    found = []
    for seed in range(number):
        given = samples.matchup(seed, "10e")
        given["attacker"] |= {"damage_reroll": "none", "reroll_one": []}
        given["attacker"] |= {"crit_hit_only_if_successful": False, "crit_wound_only_if_successful": False}
        given["weapon"] |= {"conversion": False, "S": given["target"]["T"] + seed % 5 - 2}
        found.append(read_one(**given))
    return [(matchup, read(matchup)) for matchup in found]


def test_the_model_for_dice_libraries_equals_the_engine():
    for matchup, given in covered(120):
        [exact] = evaluate_pairs([matchup])
        law = Fractions().law(dice_model.wounds_lost(given, Fractions()))
        assert {lost: float(p) for lost, p in law.items()} == pytest.approx(dict(exact["dist"]["damage"]), abs=1e-12)
        found = dice_model.expectations(given, Fractions())
        assert found == pytest.approx({name: exact[name] for name in METRICS}, abs=1e-12), given


def test_the_plain_loop_agrees_with_the_engine():
    """Within 6 standard errors, and a little for what is too rare to be rolled; seeds are fixed."""
    trials = 3000
    for matchup, given in covered(40):
        [exact] = evaluate_pairs([matchup])
        counts = plain_loop.simulate(given, trials, seed=1)
        for name in plain_loop.COUNTED:
            values, times = (np.array(list(each)) for each in (counts[name].keys(), counts[name].values()))
            mean = values @ times / trials
            error = math.sqrt((values - mean) ** 2 @ times) / trials
            assert abs(mean - exact[f"expected_{name}"]) <= 6 * error + 0.02, (given, name)
        assert set(counts["damage"]) <= {lost for lost, _ in exact["dist"]["damage"]}


def test_the_model_is_right_on_the_shared_edge_cases(shared_dir):
    cases = json.loads((shared_dir / peers.EDGE_CASES).read_text(encoding="utf-8"))
    for case in cases:
        found = dice_model.expectations(read(read_one(**case["matchup"])), Fractions())
        assert found == pytest.approx({name: case["expect"][name] for name in METRICS}, abs=1e-9), case["id"]


@pytest.mark.parametrize(
    "given",
    [
        {"ruleset": "11e"},
        {"target": {"groups": [{"models": 1}, {"models": 2, "W": 2}]}},
        {"target": {"ignore_failed_saves": 1}},
        {"attacker": {"reroll_one": ["hit"]}},
        {"attacker": {"damage_reroll": "low"}},
        {"weapon": {"S": "2D6"}},
        {"weapon": {"conversion": True}, "context": {"long_range": True}},
        {"attacker": {"crit_hit_only_if_successful": True}},
    ],
)
def test_what_the_plain_rules_leave_out_is_said(given):
    with pytest.raises(NotCoveredError):
        read(read_one(**given))


def test_crunch_is_given_what_its_interface_can_say():
    """Its expectations are ours up to the damage; where damage is lost on dead models, they aren't."""
    weapon = {"A": "D6", "skill": 4, "S": 4, "AP": -1, "D": "D3", "sustained_hits": "D3", "twin_linked": True}
    more = {"rapid_fire": 2, "melta": 1, "heavy": True, "anti": [{"keyword": "BEAST", "value": 5}], "blast": True}
    matchup = read_one(
        weapon=weapon | more,
        attacker={"hit_reroll": "ones", "wound_mod": 1, "A_bonus": 1, "S_bonus": 1, "D_bonus": 1, "AP_improve": 1},
        target={"T": 9, "W": 4, "Sv": 3, "Inv": 5, "FNP": 5, "models": 10, "keywords": ["BEAST"], "stealth": True},
        context={"half_range": True, "stationary": True},
        models_firing=2,
    )
    exact, found = peers.ours(matchup), crunch_peer.expectations(matchup)
    apart = {name for name in found if abs(found[name] - exact[name]) > 1e-12}
    assert apart == {"expected_models_destroyed"}
    lascannons = read_one(weapon={"A": 4, "S": 12, "AP": -3, "D": "D6+1"}, target={"T": 3, "Sv": 5, "models": 10})
    assert crunch_peer.expectations(lascannons)["expected_models_destroyed"] == pytest.approx(10)
    assert peers.ours(lascannons)["expected_models_destroyed"] == pytest.approx(20 / 9)


def test_crunch_reads_melee_torrent_and_devastating_wounds():
    weapon = {"type": "melee", "A": 6, "devastating_wounds": True, "lethal_hits": True}
    melee = read_one(weapon=weapon, target={"Sv": 4})
    torrent = read_one(weapon={"A": 6, "skill": None, "torrent": True}, target={"FNP_mortal": 4, "Sv": 4})
    for matchup in (melee, torrent):
        exact, found = peers.ours(matchup), crunch_peer.expectations(matchup)
        assert found["expected_raw_damage"] == pytest.approx(exact["expected_raw_damage"], abs=1e-12)
    assert "expected_unsaved" not in crunch_peer.expectations(melee)
    assert "expected_unsaved" in crunch_peer.expectations(torrent)


@pytest.mark.parametrize(
    "given",
    [
        {"ruleset": "11e"},
        {"attacker": {"crit_hit": 5}},
        {"attacker": {"wound_reroll": "noncrit"}},
        {"attacker": {"damage_reroll": "low"}},
        {"context": {"cover": True}},
        {"context": {"overwatch": True}},
        {"weapon": {"indirect_fire": True, "ignores_cover": True}, "context": {"visible": False}},
        {"weapon": {"conversion": True}, "context": {"long_range": True}},
        {"target": {"wound_minus_if_S_gt_T": True}},
        {"target": {"damage_half": True}},
        {"target": {"groups": [{"models": 1}, {"models": 2, "W": 2}]}},
        {"target": {"damage_to_zero": 1}},
    ],
)
def test_what_crunch_has_no_word_for_is_said(given):
    with pytest.raises(NotCoveredError):
        crunch_peer.expectations(read_one(**given))


def test_a_calculator_is_judged_by_the_figures_that_it_has():
    figures = [None, {"raw_damage": 2.0}, {"models_destroyed": 1.25}, {"raw_damage": 2.5}]
    right = {"expected_raw_damage": 2.0, "expected_models_destroyed": 1.0}
    cases = [peers.Case(f"case {number}", number, right) for number in range(len(figures))]

    def calculator(number):
        if figures[number] is None:
            raise NotCoveredError
        return {f"expected_{name}": value for name, value in figures[number].items()}

    assert peers.judged(calculator, cases) == (
        "expresses 3 of 4; all its figures right in 1, damage before overkill in 2, models destroyed in 2; "
        "largest error 0.5 (expected_raw_damage of case 3)"
    )


def test_without_packages_and_cases_nothing_is_measured(monkeypatch):
    monkeypatch.delitem(sys.modules, "benchmarks.libraries", raising=False)
    monkeypatch.setitem(sys.modules, "icepool", None)
    monkeypatch.delenv("WARLEDGER_SHARED", raising=False)
    assert peers.libraries() == []
    [row] = peers._library_rows([], 1.0)
    assert row.verdict() == "goal ≥ 1,000 ×: not measured"
    assert [row.measured for row in peers._edge_rows()] == ["not measured: WARLEDGER_SHARED isn't set"]


# Matchups drawn from the grid


def rounded(row):
    return [round(value, 9) for value in row]


def test_one_matchup_of_each_signature_is_drawn():
    weapons, targets = samples.weapons(25, seed=4), samples.targets(6, seed=5)
    of = Data("random ones", {}, samples.weapon_frame(weapons), samples.target_frame(targets))
    grid = Grid(*of.classes())
    outcomes = grid.signatures()
    _, first = np.unique(outcomes.signature, return_index=True)
    drawn = evaluate_pairs(list(grid.drawn(of, seed=1)))
    found, right = [[result[name] for name in METRICS[5:]] for result in drawn], outcomes.metrics[first, 5:].tolist()
    assert len(found) == len(right) > 100
    for one, other in zip(sorted(found, key=rounded), sorted(right, key=rounded), strict=True):
        assert one == pytest.approx(other, abs=1e-9)
    assert [each.label for each in grid.drawn(of, seed=1)] == [each.label for each in grid.drawn(of, seed=1)]


def test_the_plain_mean_is_the_closed_form_of_the_grid():
    weapons, targets = samples.weapons(40, seed=6), samples.targets(10, seed=7)
    of = Data("random ones", {}, samples.weapon_frame(weapons), samples.target_frame(targets))
    grid = Grid(*of.classes())
    output = grid.expanded(grid.closed())
    compared = 0
    for row, attack_class in enumerate(grid.rows):
        for column, target_class in enumerate(grid.columns):
            attack = grid.attacks.variants[grid.attacks.variant[attack_class, grid.targets.mask[target_class]]]
            if attack.lethal != LETHAL_BEST:
                found = expectation(attack, grid.targets.rows[target_class])
                assert found == pytest.approx(output[:, row, column], abs=1e-12)
                compared += 1
    assert compared > 1000
    assert len(list(grid.pairs(7, seed=1))) == 7


def test_duckdb_joins_every_weapon_in_every_context(monkeypatch):
    weapons, targets = samples.weapons(5, seed=6), samples.targets(4, seed=7)
    of = Data("random ones", {}, samples.weapon_frame(weapons), samples.target_frame(targets))
    monkeypatch.setattr(scale, "SAMPLE", 100)
    left, right = scale._sql_rows(of)
    assert (left.height, right.height) == (40, 2)
    assert scale._cross_join(left, right) == 80
