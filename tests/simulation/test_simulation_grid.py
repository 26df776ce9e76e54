"""Grids and units against single matchups and the exact reference."""

import polars as pl
import pytest

from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS
from pipelines.simulation.profiles import not_modelled

from .samples import target_frame, targets, weapon_frame, weapons, with_matchups

WEAPONS, TARGETS = weapons(120, seed=1), targets(60, seed=2)


@pytest.fixture(scope="module")
def grid(rulesets, scenarios):
    return simulate_grid(weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)


@pytest.fixture(scope="module")
def rows(grid):
    joined = grid.attack_classes.join(grid.cells, on="attack_class_id").join(grid.target_classes, on="target_class_id")
    return joined.join(grid.outcomes, on="outcome_id")


def test_random_cells_equal_single_matchups(rows, scenarios, rulesets):
    sample, matchups = with_matchups(rows, WEAPONS, TARGETS, scenarios, 600)
    for row, result in zip(sample, evaluate(matchups, rulesets), strict=True):
        for name in METRICS:
            assert row[name] == pytest.approx(result[name], abs=1e-12), (row, name)


def test_shapes(grid, rows):
    assert grid.cells.schema == dict.fromkeys(("attack_class_id", "target_class_id", "outcome_id"), pl.Int32)
    assert grid.cells.equals(grid.cells.sort("target_class_id", "attack_class_id"))
    assert grid.attack_classes.schema["attack_class_id"] == grid.target_classes.schema["target_class_id"] == pl.Int32
    assert len(grid.target_classes) == len(TARGETS)
    assert len(rows) == len(grid.attack_classes) * len(TARGETS)
    assert 0 < grid.signature_count <= len(grid.outcomes)
    assert all(grid.outcomes.schema[name] == pl.Float64 for name in METRICS)


def test_plain_rows_exist_always_and_others_where_they_matter(grid):
    scenarios_of = dict(grid.attack_classes.group_by("weapon_profile_id").agg("scenario_id").iter_rows())
    for weapon in WEAPONS:
        found = set(scenarios_of[weapon["weapon_profile_id"]])
        slugs = {ability["ability"] for ability in weapon["abilities"]}
        ranged, automatic = weapon["attack_type"] == "ranged", weapon["skill"] is None or "torrent" in slugs
        assert "plain" in found
        assert ("half_range" in found) == (ranged and bool(slugs & {"rapid_fire", "melta"}))
        assert ("stationary" in found) == (ranged and "heavy" in slugs and not automatic)
        assert ("charged" in found) == ("lance" in slugs)
        covered = ranged and "ignores_cover" not in slugs and not (weapon["ruleset"] == "11e" and automatic)
        assert ("cover" in found) == covered


def test_unknown_ruleset_and_unreadable_profile_are_errors(rulesets, scenarios):
    for change, message in (({"ruleset": "9e"}, "rule set '9e'"), ({"damage": "D7"}, "'w0'.*D7")):
        with pytest.raises(ValueError, match=message):
            simulate_grid(weapon_frame([WEAPONS[0] | change]), target_frame(TARGETS), scenarios, rulesets)


def test_empty_frames_give_empty_results(rulesets, scenarios):
    for weapon_rows, target_rows in ((0, 5), (5, 0)):
        weapon, target = weapon_frame(WEAPONS[:weapon_rows]), target_frame(TARGETS).head(target_rows)
        assert simulate_grid(weapon, target, scenarios, rulesets).cells.is_empty()


def ability(slug, value=None, keywords=(), condition=None):
    return {"ability": slug, "value": value, "against_keywords": list(keywords), "condition": condition}


def test_not_modelled_lists_what_is_left_out():
    assert not_modelled([ability("pistol"), ability("torrent"), ability("blast"), ability("melta", "2")]) == []
    left_out = [ability("sustained_hits"), ability("anti", None, ["FLY"]), ability("bubblechukka"), ability("cleave")]
    assert not_modelled(left_out) == ["anti", "bubblechukka", "cleave", "sustained_hits"]
    assert not_modelled([ability("rapid_fire", "x")]) == ["rapid_fire"]


def test_abilities_that_change_no_die(rulesets, scenarios):
    quiet = [
        ability(slug) for slug in ("assault", "pistol", "precision", "extra_attacks", "one_shot", "close_quarters")
    ]
    armoury = [WEAPONS[0] | {"abilities": []}, WEAPONS[0] | {"weapon_profile_id": "quiet", "abilities": quiet}]
    grid = simulate_grid(weapon_frame(armoury), target_frame(TARGETS), scenarios, rulesets)
    plain = grid.attack_classes.filter(pl.col("scenario_id") == "plain")
    assert plain["attack_class_id"].n_unique() == 1


def test_the_same_ability_twice_counts_once(rulesets, scenarios):
    def hits(*abilities):
        weapon = WEAPONS[0] | {"attack_type": "melee", "skill": 3, "attacks": "6", "abilities": list(abilities)}
        result = simulate_grid(weapon_frame([weapon]), target_frame(TARGETS[:1]), scenarios.head(1), rulesets)
        return result.outcomes["expected_hits"].to_list()

    assert hits(ability("sustained_hits", "1"), ability("sustained_hits", "1")) == pytest.approx([5])


@pytest.mark.parametrize(("keywords", "attacks"), [(["INFANTRY"], 0), (["MONSTER"], 7), (["VEHICLE", "FLY"], 7)])
def test_hunter_profiles_make_no_attacks_at_other_targets(rulesets, scenarios, keywords, attacks):
    hunter = [ability("hunter", keywords=["MONSTER"]), ability("hunter", keywords=["VEHICLE"]), ability("blast", "2")]
    weapon = WEAPONS[0] | {"ruleset": "11e", "attacks": "5", "abilities": hunter}
    target = TARGETS[0] | {"keywords": keywords, "models": 5}
    result = simulate_grid(weapon_frame([weapon]), target_frame([target]), scenarios.head(1), rulesets)
    [outcome] = result.outcomes.to_dicts()
    assert outcome["expected_attacks"] == attacks
    assert (outcome["expected_damage"] > 0) == (attacks > 0)


def test_probabilities_stay_probabilities(rows):
    assert rows["p_destroy_unit"].is_between(0, 1).all()
