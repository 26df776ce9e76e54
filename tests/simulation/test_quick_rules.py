"""The rules in seconds: the engine against answers of the rational references to random matchups, and closed forms.

``mutants`` runs this file against each mutant, with the answers worked out once (``MUTANT_ANSWERS`` names their file).
"""

import json
import os
import random
from itertools import cycle
from pathlib import Path

import pytest

from pipelines.simulation.effective import Target, Weapon
from pipelines.simulation.matchup import Matchup, evaluate, evaluate_pairs
from pipelines.simulation.profiles import target_row, weapon_against

from .reference import matchup_reference
from .reference_units import activation_reference, unit_reference
from .samples import matchup
from .samples_units import PLAIN_SCENARIO, activations, fire, rare

TOLERANCE = 1e-11
VARIABLE = "MUTANT_ANSWERS"
PLAIN, MIXED = 160, 30
ACTIVATIONS, COPIES = [*activations(48, seed=5), *rare()], (1, 2, 1, 1)
MORE_THAN_ENOUGH = {  # more Devastating Wounds, kept apart from other damage, than the unit can take
    "ruleset": "11e",
    "weapon": {"A": 3, "D": 3, "sustained_hits": 3, "devastating_wounds": True},
    "target": {"W": 2, "models": 2, "damage_minus": 2},
    "rules": {"devastating_reduced": False},
}

IN_HAND = [  # a Damage roll that is low for some models only, saves that are resolved in another order
    {
        "ruleset": edition,
        "weapon": {"A": 3, "S": 8, "skill": 2, "AP": -1, "D": "D6"},
        "attacker": {"reroll_one": ["damage"]},
        "target": {"groups": [{"models": 2, "W": 2, "Sv": 6}, {"models": 1, "W": 6, "Sv": 3}]},
    }
    for edition in ("10e", "11e")
]


def write_answers(path: Path) -> None:
    """Write matchups and their exact answers: metrics and laws as floats."""
    answered = [(given, matchup_reference(given)) for edition in ("10e", "11e") for given in plain(edition)]
    answered.append((MORE_THAN_ENOUGH, matchup_reference(MORE_THAN_ENOUGH)))
    several = [*IN_HAND, *mixed("10e"), *mixed("11e")]
    answered += [(given, unit_reference([given])) for given in several]
    fired = [
        activation_reference(given.options(PLAIN_SCENARIO), copies)
        for given, copies in zip(ACTIVATIONS, cycle(COPIES), strict=False)
    ]
    answers = {
        "matchups": [{"given": given, "exact": as_floats(exact)} for given, exact in answered],
        "activations": [[as_floats(exact) for exact in after] for after in fired],
    }
    path.write_text(json.dumps(answers))


def plain(edition):
    """Random matchups of an edition; what is rarely drawn is drawn more often."""
    for seed in range(PLAIN):
        given = matchup(seed, edition)
        given["models_firing"] = 1
        if seed % 8 != 0:
            given["attacker"].pop("reroll_one", None)  # slow for the reference
        if seed % 5 == 1:
            given["weapon"] |= {"type": "ranged", "torrent": False, "indirect_fire": True, "skill": 2 + seed % 3}
            given["context"] |= {"visible": False, "stationary": seed % 2 == 0, "overwatch": False}
        if seed % 5 == 2:
            given["context"]["overwatch"] = True
            given["attacker"]["hit_reroll"] = "failed"
        if seed % 5 == 3:
            given["weapon"]["torrent"] = False
            given["attacker"]["damaged"] = True
        if seed % 5 == 4:
            given["weapon"] |= {"type": "ranged", "torrent": False, "heavy": True}
            given["attacker"]["hit_mod"], given["target"]["hit_mod"] = 1, -1
            given["context"] |= {"stationary": True, "overwatch": False}
        if seed % 6 == 3:
            given["weapon"]["anti"] = [{"keyword": "FLY", "value": 5}, {"keyword": "MONSTER", "value": 3}]
            given["target"]["keywords"] = ["FLY", "MONSTER"]
        if seed % 20 == 10:
            given["weapon"]["S"], given["attacker"]["S_bonus"], given["target"]["T"] = 1, -1, 1
        yield given


def mixed(edition):
    """Random matchups at units whose models differ or that ignore attacks."""
    for seed in range(MIXED):
        r = random.Random(f"mixed {edition} {seed}")
        given = matchup(5000 + seed, edition)
        given["models_firing"] = 1
        given["weapon"] |= {"A": 2, "blast": False, "rapid_fire": 0, "sustained_hits": r.choice([0, 0, 1])}
        given["weapon"] |= {"precision": r.random() < 0.4, "devastating_wounds": r.random() < 0.5, "cleave": 0}
        if edition == "10e":
            del given["weapon"]["cleave"]
        given["target"] |= {"ignore_failed_saves": r.choice([0, 0, 1]), "damage_to_zero": r.choice([0, 0, 1])}
        del given["target"]["models"]
        given["target"]["groups"] = [
            {"models": 1, "W": r.choice([2, 3]), "Sv": 2, "FNP": r.choice([None, 5]), "character": r.random() < 0.7},
            {"models": 2, "W": r.choice([1, 2]), "Sv": r.choice([4, 5])},
        ]
        yield given


def as_floats(exact):
    numbers = {name: value for name, value in exact.items() if name not in ("dist", "groups")}
    result = {name: value if value is None else float(value) for name, value in numbers.items()}
    laws = {name: sorted((k, float(p)) for k, p in law.items() if p) for name, law in exact["dist"].items()}
    return result | {"dist": laws}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    given = os.environ.get(VARIABLE)
    path = Path(given) if given else tmp_path_factory.mktemp("answers") / "answers.json"
    if not given:
        write_answers(path)
    return json.loads(path.read_text())


def test_answers_of_the_references(answers, rulesets):
    answers = answers["matchups"]
    results = evaluate([answer["given"] for answer in answers], rulesets)
    for answer, result in zip(answers, results, strict=True):
        exact = answer["exact"]
        laws = exact.pop("dist")
        exact.pop("expected_characters_destroyed", None)  # told of whole units only
        assert {name: result[name] for name in exact} == pytest.approx(exact, abs=TOLERANCE)
        for name, law in laws.items():
            assert dict(map(tuple, result["dist"][name])) == pytest.approx(dict(map(tuple, law)), abs=TOLERANCE)


def test_answers_of_the_references_to_whole_activations(answers, scenarios, rulesets):
    for given, after, found in zip(
        ACTIVATIONS, answers["activations"], fire(ACTIVATIONS, scenarios, rulesets, copies=True), strict=True
    ):
        exact = after[0]
        laws = exact.pop("dist")
        assert {name: found[name] for name in exact} == pytest.approx(exact, abs=TOLERANCE)
        for name, law in (("damage", found["damage"]), ("models_destroyed", found["models"])):
            assert {k: p for k, p in enumerate(law) if p} == pytest.approx(dict(map(tuple, laws[name])), rel=2**-22)
        if not given.target.get("ignored_failed_saves"):
            enough = [copies for copies, each in enumerate(after, 1) if each["p_destroy_unit"] >= 0.8]
            copies = found["copies_to_destroy"]
            assert copies == enough[0] if enough else copies is None or copies > len(after)


@pytest.mark.parametrize(
    ("ruleset", "keywords", "wounds"),
    [("10e", None, 3 * 1 / 6), ("11e", [], 1 * 2 / 6), ("11e", ["INFANTRY"], 2 / 6), ("11e", ["VEHICLE"], 3 * 2 / 6)],
)
def test_hazardous(ruleset, keywords, wounds, rulesets):
    attacker = {} if keywords is None else {"keywords": keywords}
    given = {"ruleset": ruleset, "models_firing": 4, "weapon": {"hazardous": True}, "attacker": attacker}
    [result] = evaluate([given], rulesets)
    assert result["expected_hazardous_mortal_wounds"] == pytest.approx(4 * wounds)


@pytest.mark.parametrize(("melee", "scope", "ignored"), [(True, "melee", 1 / 3), (False, "melee", 0),
                                                         (True, "ranged", 0), (False, "ranged", 1 / 3)])  # fmt: skip
def test_feel_no_pain_and_invulnerable_saves_hold_against_their_type_of_attack(melee, scope, ignored, rulesets):
    row = {"target_id": "t", "toughness": 4, "save": None, "wounds": 3, "models": 1}
    row |= {"feel_no_pain": 5, "feel_no_pain_scope": scope, "invulnerable_save": 4, "invulnerable_save_scope": scope}
    given = Matchup(label="m", weapon=Weapon(melee=melee), target=target_row(row), rules=rulesets["10e"])
    [result] = evaluate_pairs([given])
    saved = 1 / 2 if ignored else 0
    assert result["expected_raw_damage"] == pytest.approx(2 / 3 * 1 / 2 * (1 - saved) * (1 - ignored))


def test_of_an_ability_named_twice_the_better_one_counts(rulesets):
    named = {"ability": "sustained_hits", "against_keywords": [], "condition": None}
    profile = {"weapon_profile_id": "w", "attack_type": "melee", "attacks": "6", "strength": "4", "damage": "1"}
    profile |= {"skill": 3, "armour_penetration": 0}
    for values, hits in ((("1", "2"), 6), (("2", "1"), 6), (("1", "1"), 5), (("1", "D3"), 6)):
        weapon = weapon_against(profile | {"abilities": [named | {"value": value} for value in values]}, frozenset())
        [result] = evaluate_pairs([Matchup(label="m", weapon=weapon, target=Target(), rules=rulesets["10e"])])
        assert result["expected_hits"] == pytest.approx(hits)
