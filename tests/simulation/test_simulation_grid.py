"""Grids and units against single matchups and the exact reference."""

import random

import polars as pl
import pytest

from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS
from pipelines.simulation.profiles import not_modelled
from pipelines.simulation.units import UNIT_METRICS, simulate_units

from .reference import unit_reference
from .samples import as_matchup, target_frame, targets, weapon_frame, weapons

WEAPONS, TARGETS = weapons(120, seed=1), targets(60, seed=2)


@pytest.fixture(scope="module")
def grid(rulesets, scenarios):
    return simulate_grid(weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)


@pytest.fixture(scope="module")
def rows(grid):
    joined = grid.attack_classes.join(grid.cells, on="attack_class_id").join(grid.target_classes, on="target_class_id")
    return joined.join(grid.outcomes, on="outcome_id")


def test_random_cells_equal_single_matchups(rows, scenarios, rulesets):
    by_weapon = {row["weapon_profile_id"]: row for row in WEAPONS}
    by_target = {row["target_id"]: row for row in TARGETS}
    by_scenario = {row["scenario_id"]: row for row in scenarios.to_dicts()}
    sample = rows.sample(600, seed=3).to_dicts()
    matchups = [
        as_matchup(by_weapon[r["weapon_profile_id"]], by_target[r["target_id"]], by_scenario[r["scenario_id"]])
        for r in sample
    ]
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
    left_out = [ability("sustained_hits"), ability("anti", None, ["FLY"]), ability("conversion"), ability("cleave")]
    assert not_modelled(left_out) == ["anti", "cleave", "conversion", "sustained_hits"]
    assert not_modelled([ability("rapid_fire", "x")]) == ["rapid_fire"]


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
    units = simulate_units(
        pl.DataFrame(loadout("u", (weapon["weapon_profile_id"], 3))), weapon_frame([weapon]), target_frame([target]),
        scenarios.head(1), rulesets,
    )  # fmt: skip
    assert (units["expected_damage"].item() > 0) == (attacks > 0)


def test_probabilities_stay_probabilities(rows):
    assert rows["p_destroy_unit"].is_between(0, 1).all()


def loadout(unit, *lines, phase="shooting"):
    return [
        {"unit_id": unit, "phase": phase, "position": position, "weapon_profile_id": weapon, "count": count}
        for position, (weapon, count) in enumerate(lines)
    ]


def test_one_weapon_is_its_matchup(rulesets, scenarios, rows):
    frame = pl.DataFrame([row for w in WEAPONS for row in loadout(w["weapon_profile_id"], (w["weapon_profile_id"], 1))])
    units = simulate_units(frame, weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)
    keys = ["weapon_profile_id", "target_id", "scenario_id", "ruleset"]
    both = units.rename({"unit_id": "weapon_profile_id"}).join(rows, on=keys, suffix="_alone")
    assert len(both) == len(units) == len(rows)
    for name in UNIT_METRICS:
        assert (both[name] - both[f"{name}_alone"]).abs().max() < 1e-12


def test_weapons_in_order_equal_the_reference(rulesets, scenarios):
    chance = random.Random(7)
    many = {"sustained_hits", "rapid_fire"}
    small = [w for w in WEAPONS if w["attacks"] in ("1", "2") and not many & {a["ability"] for a in w["abilities"]}]
    small += [w for w in WEAPONS if w["attacks"] == "1"]
    lines = {}
    for number in range(25):
        edition = chance.choice(["10e", "11e"])
        able = [w for w in small if w["ruleset"] == edition]
        lines[f"u{number}"] = [(w, chance.choice([1, 1, 2])) for w in chance.sample(able, 2)]
    frame = pl.DataFrame(
        [
            row
            for unit, fired in lines.items()
            for row in loadout(unit, *((w["weapon_profile_id"], n) for w, n in fired))
        ]
    )
    chosen = [t for t in TARGETS if t["wounds"] * t["models"] <= 10][:6]
    chosen += [t for t in TARGETS if t["feel_no_pain_scope"] == "mortal" and t["feel_no_pain"]][:4]
    units = simulate_units(frame, weapon_frame(WEAPONS), target_frame(chosen), scenarios, rulesets)
    plain = scenarios.row(0, named=True)
    by_target = {target["target_id"]: target for target in chosen}
    for row in units.filter(pl.col("scenario_id") == "plain").sample(60, seed=5).to_dicts():
        fired = lines[row["unit_id"]]
        exact = unit_reference([as_matchup(w, by_target[row["target_id"]], plain, n) for w, n in fired])
        for name in UNIT_METRICS:
            assert row[name] == pytest.approx(float(exact[name]), abs=1e-12), (row, fired)


def test_devastating_wounds_wait_for_the_other_weapons(rulesets, scenarios):
    base = WEAPONS[0] | {"ruleset": "10e", "attack_type": "ranged", "attacks": "2", "strength": "8", "skill": 3}
    base |= {"armour_penetration": -2, "damage": "2"}
    kinds = [
        base | {"weapon_profile_id": "a", "abilities": [ability("devastating_wounds")]},
        base | {"weapon_profile_id": "b", "abilities": [], "damage": "1"},
        base | {"weapon_profile_id": "c", "abilities": [ability("devastating_wounds")], "damage": "D3"},
    ]
    target = TARGETS[0] | {"wounds": 3, "models": 2, "feel_no_pain": 4, "feel_no_pain_scope": "mortal"}
    frame = pl.DataFrame(loadout("u", ("a", 1), ("b", 1), ("c", 1), ("a", 1)))
    row = simulate_units(frame, weapon_frame(kinds), target_frame([target]), scenarios.head(1), rulesets).row(
        0, named=True
    )
    plain = scenarios.row(0, named=True)
    fired = [as_matchup(kinds[kind], target, plain) for kind in (0, 1, 2, 0)]
    exact = unit_reference(fired, last=[0, 3, 2])
    for name in UNIT_METRICS:
        assert row[name] == pytest.approx(float(exact[name]), abs=1e-12), name


def test_units_need_known_weapons(rulesets, scenarios):
    frame = pl.DataFrame(loadout("u", ("nothing", 1)))
    with pytest.raises(ValueError, match="'nothing'"):
        simulate_units(frame, weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)
