"""Laws kept, and how often an activation must be repeated, against single matchups and against each other."""

import math

import numpy as np
import polars as pl
import pytest

from pipelines.simulation.distributions import MAX_SUPPORT, NOT_KEPT, PERCENTILES, LawBook
from pipelines.simulation.grid import simulate_grid
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.repetition import CERTAINTY, MAX_COPIES, NO_ANSWER, copies_of_passage
from pipelines.simulation.units import simulate_units

from .samples import target_frame, targets, weapon_frame, weapons, with_matchups

WEAPONS, TARGETS = weapons(80, seed=21), targets(40, seed=22)
KEYS = ["weapon_profile_id", "target_id", "scenario_id", "ruleset"]


@pytest.fixture(scope="module")
def grid(rulesets, scenarios):
    return simulate_grid(weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets)


@pytest.fixture(scope="module")
def rows(grid):
    joined = grid.attack_classes.join(grid.cells, on="attack_class_id").join(grid.target_classes, on="target_class_id")
    return joined.join(grid.outcomes, on="outcome_id").join(grid.book.frame(), on="law_id")


@pytest.fixture(scope="module")
def alone(rulesets, scenarios):
    """Units of one weapon each, and a book with their laws."""
    book = LawBook()
    frame = pl.DataFrame([line(w["weapon_profile_id"], w["weapon_profile_id"]) for w in WEAPONS])
    units = simulate_units(frame, weapon_frame(WEAPONS), target_frame(TARGETS), scenarios, rulesets, book, copies=True)
    return units.rename({"unit_id": "weapon_profile_id"}).join(book.frame(), on="law_id")


def line(unit, weapon, position=1, count=1):
    return {
        "unit_id": unit, "phase": "shooting", "position": position, "weapon_profile_id": weapon, "count": count,
    }  # fmt: skip


def test_laws_and_percentiles_are_those_of_single_matchups(rows, scenarios, rulesets):
    sample, matchups = with_matchups(rows, WEAPONS, TARGETS, scenarios, 300)
    for row, result in zip(sample, evaluate(matchups, rulesets), strict=True):
        for name, kept in (("damage", row["damage"]), ("models_destroyed", row["models"])):
            exact = {value: p for value, p in result["dist"][name] if p > 1e-37}
            assert {value: p for value, p in enumerate(kept) if p > 1e-37} == pytest.approx(exact, rel=2**-24)
            for percent in PERCENTILES:
                sums = np.cumsum([exact.get(value, 0) for value in range(len(kept))])
                assert row[f"{name.split('_')[0]}_p{percent}"] == np.flatnonzero(sums >= percent / 100 - 1e-6)[0]


def test_a_law_is_no_longer_than_its_support_and_sums_to_1(rows, grid):
    laws = grid.book.frame()
    for name in ("damage", "models"):
        assert laws.schema[name] == pl.List(pl.Float32)
        assert (laws[name].list.last() > 0).all()
        assert (laws[name].list.eval(pl.element().cast(pl.Float64)).list.sum() - 1).abs().max() < 1e-6
    means = rows.with_columns(
        mean=pl.col("damage").list.eval(pl.element().cast(pl.Float64) * pl.int_range(pl.len())).list.sum()
    )
    assert (means["mean"] - means["expected_damage"]).abs().max() < 1e-5


def test_equal_laws_are_kept_once():
    book = LawBook()
    law = np.array([[0.5, 0.25, 0.25, 0.0], [0.5, 0.25, 0.25, 0.0], [1.0, 0.0, 0.0, 0.0]])
    assert book.enter(law, np.array([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])) == [0, 1, 2]
    assert book.enter(law[:, :3], np.array([[0.5, 0.5], [0.75, 0.25], [1.0, 0.0]])) == [0, 1, 2]
    assert book.frame().select("law_id", "damage", "models", "damage_p50", "damage_p90").rows() == [
        (0, [0.5, 0.25, 0.25], [0.5, 0.5], 0, 2),
        (1, [0.5, 0.25, 0.25], [0.75, 0.25], 0, 2),
        (2, [1.0], [1.0], 0, 0),
    ]


def test_laws_beyond_the_limit_are_not_kept():
    book = LawBook()
    assert book.enter(np.ones((2, MAX_SUPPORT + 1)), np.ones((2, 1))) == [NOT_KEPT, NOT_KEPT]
    assert book.frame().is_empty()


def test_a_unit_of_one_weapon_has_its_laws_and_needs_as_many_copies(rows, alone):
    """Two ways: powers of generating functions there, powers of a matrix here."""
    both = alone.join(rows, on=KEYS, suffix="_weapon")
    assert len(both) == len(alone) == len(rows)
    assert both["copies_to_destroy"].equals(both["copies_to_destroy_weapon"], null_equal=True)
    assert both["copies_to_destroy"].n_unique() > 100
    assert (both["expected_raw_damage"] - both["expected_raw_damage_weapon"]).abs().max() < 1e-12
    for name in ("damage", "models"):
        longest = both.select(pl.max_horizontal(pl.col(name, f"{name}_weapon").list.len())).to_series()
        assert (longest - both[name].list.len()).max() <= 1  # a last value may be rounded to 0 on one side
        assert all(
            a == pytest.approx(b, rel=1e-6, abs=1e-12)
            for a, b in zip(both[name].to_list(), both[f"{name}_weapon"].to_list(), strict=True)
            if len(a) == len(b)
        )


def test_one_copy_is_enough_where_one_activation_is(rows):
    assert ((rows["copies_to_destroy"] == 1).fill_null(value=False) == (rows["p_destroy_unit"] >= CERTAINTY)).all()


def test_so_many_copies_destroy_the_unit_and_one_less_does_not(rows, rulesets, scenarios):
    """Fired as one unit's weapons, where no Devastating Wounds make copies differ from weapons in order."""
    waits = {
        w["weapon_profile_id"] for w in WEAPONS if any(a["ability"] == "devastating_wounds" for a in w["abilities"])
    }
    plain = scenarios.filter(pl.col("scenario_id") == "plain")
    some = (
        rows.filter(
            (pl.col("scenario_id") == "plain")
            & pl.col("copies_to_destroy").is_between(2, 30)
            & ~pl.col("weapon_profile_id").is_in(waits)
        )
        .sample(25, seed=4)
        .to_dicts()
    )
    lines = [
        line(f"{number}:{row['target_id']}:{copies}", row["weapon_profile_id"], position)
        for number, row in enumerate(some)
        for copies in (row["copies_to_destroy"] - 1, row["copies_to_destroy"])
        for position in range(copies)
    ]
    units = simulate_units(
        pl.DataFrame(lines), weapon_frame(WEAPONS), target_frame(TARGETS), plain, rulesets, LawBook()
    )
    chance = {(row["unit_id"], row["target_id"]): row["p_destroy_unit"] for row in units.to_dicts()}
    for number, row in enumerate(some):
        target, copies = row["target_id"], row["copies_to_destroy"]
        assert chance[f"{number}:{target}:{copies - 1}", target] < CERTAINTY
        assert chance[f"{number}:{target}:{copies}", target] >= CERTAINTY


SINGLE = {
    "weapon_profile_id": "w", "ruleset": "10e", "attack_type": "ranged", "attacks": "1", "strength": "4",
    "damage": "1", "skill": 4, "armour_penetration": 0, "abilities": [],
}  # fmt: skip
BODY = {
    "target_id": "t", "toughness": 4, "save": 7, "invulnerable_save": None, "invulnerable_save_scope": None,
    "wounds": 1, "feel_no_pain": None, "feel_no_pain_scope": None, "models": 1, "keywords": [], "stealth": False,
    "damage_minus": 0, "damage_half": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("skill", "toughness", "save", "chance"),
    [(4, 4, 7, 1 / 4), (6, 8, 7, 1 / 36), (6, 8, 2, 1 / 216), (None, 2, 7, 5 / 6)],
)
def test_copies_of_a_single_attack_follow_the_geometric_law(rulesets, scenarios, skill, toughness, save, chance):
    weapon, target = SINGLE | {"skill": skill}, BODY | {"toughness": toughness, "save": save}
    result = simulate_grid(weapon_frame([weapon]), target_frame([target]), scenarios.head(1), rulesets)
    expected = math.ceil(math.log(1 - CERTAINTY) / math.log(1 - chance))
    assert result.outcomes["copies_to_destroy"].to_list() == [expected]


def test_no_answer_beyond_the_limit(rulesets, scenarios):
    hard = BODY | {"toughness": 8, "save": 2, "models": 5}  # 1 in 216 for each of five models: some 1,450 copies
    result = simulate_grid(weapon_frame([SINGLE | {"skill": 6}]), target_frame([hard]), scenarios.head(1), rulesets)
    assert result.outcomes["copies_to_destroy"].to_list() == [None]


def test_copies_of_a_step_count_up_to_the_limit():
    chances = np.array([0.5, 1 - 0.2 ** (1 / 1000) * 0.999_999, 1 - 0.2 ** (1 / 1001) * 0.999_999, 0.0])
    assert copies_of_passage(((1 - chances)[:, None, None, None], chances[:, None])).tolist() == [
        3,
        MAX_COPIES,
        NO_ANSWER,
        NO_ANSWER,
    ]
