"""Leaders in the units that they join, hit with and without Precision: by hand and by single matchups."""

from typing import Any

import duckdb
import polars as pl
import pytest

from analyses.reports import QUERIES
from pipelines import exposure
from pipelines.dimensions.assemble import assemble
from pipelines.dimensions.frames import frame
from pipelines.engine_frames import declared_rulesets
from pipelines.exposure import leader_exposure
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.matchup import evaluate
from tests.test_durability import BLADES, GUNS, LONE, as_matchup
from warehouse.schema import tables

Row = dict[str, Any]
# Three guns, each of which takes a wound off T 4 without a save with probability 1/3.
SQUAD = LONE | {"target_id": "squad", "name": "Squad", "models": 2, "points": 40}
BOSS = LONE | {"target_id": "boss", "name": "Boss", "keywords": ["CHARACTER", "INFANTRY"], "leads": ["Squad"]}


def exposed(
    units: list[Row], attackers: list[Row] | None = None, groups: tuple[Row, ...] = (), ruleset: str | None = None
) -> pl.DataFrame:
    """``units``: rows of targets, with what the tables units and unit_leads say of each beside it."""
    beside = ("leads", "collection", "faction", "is_preferred")
    frames = {
        "targets": frame(
            "targets",
            [{k: v for k, v in each.items() if k not in beside} | {"unit_id": each["target_id"]} for each in units],
        ),
        "units": frame(
            "units",
            [
                {"unit_id": each["target_id"], "canonical_unit_id": each["target_id"], "name": each["name"],
                 "edition": each["edition"], "collection": each.get("collection", "Book"),
                 "faction": each.get("faction", "Army"), "is_preferred": each.get("is_preferred", True)}
                for each in units
            ],
        ),
        "unit_leads": frame(
            "unit_leads", [{"unit_id": e["target_id"], "leads": name} for e in units for name in e.get("leads", ())]
        ),
        "target_groups": frame("target_groups", groups),
        "attackers": frame("attackers", [GUNS] if attackers is None else attackers),
        "scenarios": assemble([]).frames["scenarios"],
    }  # fmt: skip
    others = {name: frame(name, []) for name in exposure.PAIRED_BY if name not in frames}
    return leader_exposure(frames | others, ruleset, OutcomeCache(None))


def test_a_leader_by_hand() -> None:
    # Two models stand before the leader. Without Precision he dies of three wounds, with it of one.
    [row] = exposed([SQUAD, BOSS]).iter_rows(named=True)
    all_three, any_of_three = 1 / 27, 1 - (2 / 3) ** 3
    assert row == pytest.approx(
        {
            "leader_id": "boss", "unit_id": "squad", "attacker_id": "guns", "ruleset": "10e",
            "expected_damage": 1.0, "p_destroy_unit": all_three, "p_leader_destroyed": all_three,
            "expected_damage_precision": 1.0, "p_leader_destroyed_precision": any_of_three,
            "leader_points_at_risk": 60 * (any_of_three - all_three),
        }
    )  # fmt: skip


TOUGH = BOSS | {
    "toughness": 9, "wounds": 4, "save": 2, "invulnerable_save": 4, "invulnerable_save_scope": "melee",
    "feel_no_pain": 5, "damage_minus": 1,
}  # fmt: skip
KINDS: tuple[Row, ...] = tuple(
    {"target_id": "squad", "position": position, "model_name": f"kind {position}", "models": models, "wounds": wounds,
     "save": save, "is_character": False}
    for position, (models, wounds, save) in enumerate([(2, 1, 5), (1, 2, 3)], 1)
)  # fmt: skip
DECLARED = list(assemble([]).frames["attackers"].iter_rows(named=True))


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_with_precision_the_leader_is_a_single_target_of_the_units_toughness(edition: str) -> None:
    found = exposed([SQUAD | {"edition": edition, "models": 6}, TOUGH | {"edition": edition}], DECLARED)
    assert found["attacker_id"].to_list() == sorted(each["attacker_id"] for each in DECLARED)
    for row in found.iter_rows(named=True):
        [attacker] = [each for each in DECLARED if each["attacker_id"] == row["attacker_id"]]
        matchup = as_matchup(attacker, TOUGH | {"toughness": 4}, edition)
        matchup["target"] |= {"damage_minus": 1}
        [alone] = evaluate([matchup], declared_rulesets())
        assert row["p_leader_destroyed_precision"] == pytest.approx(alone["p_destroy_unit"], abs=1e-12)
        assert row["p_leader_destroyed"] == row["p_destroy_unit"] < alone["p_destroy_unit"]


@pytest.mark.parametrize("edition", ["10e", "11e"])
def test_a_joint_unit_is_the_matchup_at_all_its_kinds_of_models(edition: str) -> None:
    found = exposed([SQUAD | {"edition": edition, "models": 3}, TOUGH | {"edition": edition}], DECLARED, KINDS)
    kinds = [{"models": each["models"], "W": each["wounds"], "Sv": each["save"]} for each in KINDS]
    rows = found.rows(named=True)
    assert len(rows) == len(DECLARED)
    for row in rows:
        [attacker] = [each for each in DECLARED if each["attacker_id"] == row["attacker_id"]]
        shielded = 4 if attacker["attack_type"] == "melee" else None
        leader = {"W": 4, "Sv": 2, "Inv": shielded, "FNP": 5, "damage_minus": 1, "character": True}
        matchup = as_matchup(attacker, TOUGH | {"toughness": 4}, edition)
        matchup["target"] = {"T": 4, "keywords": ["INFANTRY"], "groups": [*kinds, leader]}
        precise = matchup | {"weapon": matchup["weapon"] | {"precision": True}}
        plain, pinned = evaluate([matchup, precise], declared_rulesets())
        for name, of_all in (("", plain), ("_precision", pinned)):
            assert row[f"expected_damage{name}"] == pytest.approx(of_all["expected_damage"], abs=1e-12)
            assert row[f"p_leader_destroyed{name}"] == pytest.approx(of_all["groups"][-1]["p_destroyed"], abs=1e-12)
        assert row["p_destroy_unit"] == pytest.approx(plain["p_destroy_unit"], abs=1e-12)


def damage(*units: Row, attacker: Row = GUNS) -> tuple[float, float]:
    [row] = exposed(list(units), [attacker]).iter_rows(named=True)
    return row["expected_damage"], row["expected_damage_precision"]


def test_whose_abilities_hold_for_whom() -> None:
    big = SQUAD | {"wounds": 12}, BOSS | {"wounds": 12}  # nothing is lost to overkill
    cannon = GUNS | {"damage": "4"}
    assert damage(*big, attacker=cannon) == pytest.approx((4, 4))
    less = {"damage_minus": 1}
    assert damage(big[0], big[1] | less, attacker=cannon) == pytest.approx((4, 3))  # the leader's own
    assert damage(big[0] | less, big[1], attacker=cannon) == pytest.approx(
        (3, 3)
    )  # the unit's, the leader is part of it
    assert damage(big[0] | less, big[1] | less, attacker=cannon) == pytest.approx((3, 2))
    half = {"damage_half": True}
    assert damage(big[0], big[1] | half, attacker=cannon) == pytest.approx((4, 2))
    worse = {"hit_mod": -1}
    assert damage(big[0] | worse, big[1]) == pytest.approx((3 / 4, 3 / 4))
    assert damage(big[0], big[1] | worse) == pytest.approx((1, 1))
    hidden = {"stealth": True}
    assert damage(big[0] | hidden, big[1]) == damage(big[0], big[1] | hidden) == pytest.approx((1, 1))
    assert damage(big[0] | hidden, big[1] | hidden) == pytest.approx((3 / 4, 3 / 4))


def test_the_joint_unit_has_the_keywords_and_the_models_of_both() -> None:
    big = SQUAD | {"wounds": 9, "models": 4}, BOSS | {"wounds": 9, "keywords": ["CHARACTER", "PSYKER"]}
    assert damage(*big, attacker=GUNS | {"abilities": ["anti-psyker 2+"]}) == pytest.approx((5 / 3, 5 / 3))
    assert damage(*big, attacker=GUNS | {"abilities": ["blast"]}) == pytest.approx((2, 2))  # five models


@pytest.mark.parametrize(
    "changes",
    [{"leads": ["Others"]}, {"leads": []}, {"edition": "11e"}, {"collection": "Another"}, {"faction": "Another"},
     {"is_preferred": False}, {"models": 2}],
)  # fmt: skip
def test_who_may_not_join(changes: Row) -> None:
    found = exposed([SQUAD, BOSS | changes])
    assert found.is_empty()
    assert found.schema == tables()["leader_exposure"].polars_schema


def test_units_with_characters_of_their_own_are_left_out() -> None:
    assert exposed([SQUAD | {"keywords": ["CHARACTER"]}, BOSS]).is_empty()
    champion = KINDS[0], KINDS[1] | {"is_character": True}
    assert exposed([SQUAD, BOSS], groups=champion).is_empty()
    assert not exposed([SQUAD, BOSS], groups=KINDS).is_empty()


def test_without_a_price_there_are_dice_but_no_points() -> None:
    [row] = exposed([SQUAD, BOSS | {"points": None}]).iter_rows(named=True)
    assert row["leader_points_at_risk"] is None
    assert row["p_leader_destroyed_precision"] > 0


def test_every_pair_against_every_attacker_under_its_edition_or_the_one_chosen() -> None:
    units = [SQUAD, BOSS, SQUAD | {"target_id": "late", "edition": "11e"}, BOSS | {"target_id": "z", "edition": "11e"}]
    keys = ["leader_id", "unit_id", "attacker_id", "ruleset"]
    pairs = [("boss", "squad", "10e"), ("z", "late", "11e")]
    expected = [(leader, unit, name, own) for leader, unit, own in pairs for name in ("blades", "guns")]
    assert exposed(units, [GUNS, BLADES]).select(keys).rows() == expected
    chosen = exposed(units, [GUNS, BLADES], ruleset="11e")
    assert chosen.select(keys).rows() == [(*row[:3], "11e") for row in expected]


def test_more_pairs_than_are_followed_have_no_rows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(exposure, "MAX_JOINT_UNITS", 1)
    caplog.set_level("INFO", "warledger.progress")
    assert exposed([SQUAD, BOSS]).height == 1
    assert exposed([SQUAD, BOSS, BOSS | {"target_id": "boss 2"}]).is_empty()
    [said] = caplog.messages
    assert "2 pairs of leader and unit are more than 1" in said


def test_the_report_ranks_within_each_attacker() -> None:
    units = [SQUAD, BOSS, BOSS | {"target_id": "dear", "name": "Dear", "points": 90},
             BOSS | {"target_id": "free", "name": "Free", "points": None}]  # fmt: skip
    found = exposed(units, [GUNS, BLADES])
    assert found.height == 6
    described = {
        "leader_exposure": found,
        "attackers": frame("attackers", [GUNS, BLADES | {"name": "Blades"}]),
        "units": frame("units", [{"unit_id": u["target_id"], "name": u["name"], "edition": "10e"} for u in units]),
        "targets": frame("targets", [{k: v for k, v in u.items() if k != "leads"} for u in units]),
    }
    with duckdb.connect() as connection:
        for name, rows in described.items():
            connection.register(name, rows.to_arrow())
        rows = connection.sql((QUERIES / "leaders_at_risk.sql").read_text(encoding="utf-8")).pl()
    assert rows.select("attacker", "rank", "leader", "unit_points").rows() == [
        (attacker, rank, leader, 40) for attacker in ("Blades", "Guns") for rank, leader in ((1, "Dear"), (2, "Boss"))
    ]
