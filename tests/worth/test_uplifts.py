"""What rules add: each row is the difference of two attacks that the engine computes on its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pipelines import outcome_cache
from pipelines.durability import durability
from pipelines.engine_frames import declared_rulesets, weapon_frame, with_groups
from pipelines.outcome_cache import OutcomeCache
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.units import simulate_units
from pipelines.worth.uplifts import uplifts

from .world import HOME, archetype, effect, enhancement, rule, stratagem, unit, volley, weapon, world

Row = dict[str, Any]
FOOT = archetype("foot", save=4, wounds=2, models=5, points=100)
TANK = archetype("tank", toughness=9, save=3, wounds=10, points=150, keywords=["VEHICLE"])
GUNS = weapon(attacks="2", skill=3, strength="5", armour_penetration=-1, damage="2", count=3)
BLADES = weapon(attack_type="melee", attacks="3", skill=3, count=5)
SQUAD = unit("Squad", GUNS, BLADES, models=5)
RIFLES = volley("rifles", count=10, armour_penetration=-1)


def computed(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    return uplifts(frames, weapon_frame(frames, None), declared_rulesets(), OutcomeCache(None))


def of(*effects: Row, units: tuple[Row, ...] = (SQUAD,), targets: tuple[Row, ...] = (), **changes: Any) -> list[Row]:
    """Rows of uplifts of one stratagem."""
    volleys = (RIFLES, volley("axes", attack_type="melee", count=5, damage="2"))
    frames = world(
        units, [FOOT, TANK], volleys, targets, detachments=[HOME], stratagems=[stratagem("tune", *effects, **changes)]
    )
    return computed(frames)["uplifts"].to_dicts()


def alone(
    gun: Row, target: Row, attacker: Row | None = None, context: dict[str, bool] | None = None
) -> tuple[float, float]:
    """Damage and models destroyed by equal weapons, by the matchups of the engine."""
    [result] = evaluate(
        [
            {
                "id": "x", "models_firing": gun["count"],
                "weapon": {
                    "type": gun["attack_type"], "A": gun["attacks"], "skill": gun["skill"], "S": gun["strength"],
                    "AP": gun["armour_penetration"], "D": gun["damage"], **dict.fromkeys(gun["abilities"], True),
                },
                "attacker": attacker or {}, "context": context or {},
                "target": {
                    "T": target["toughness"], "W": target["wounds"], "Sv": target["save"], "models": target["models"],
                    "keywords": target["keywords"],
                },
            }
        ],
        declared_rulesets(),
    )  # fmt: skip
    return result["expected_damage"], result["expected_models_destroyed"]


def single(rows: list[Row], phase: str = "shooting", opponent: str = "foot") -> Row:
    [row] = [row for row in rows if (row["phase"], row["opponent_id"]) == (phase, opponent)]
    return row


@pytest.mark.parametrize("target", [FOOT, TANK])
@pytest.mark.parametrize(
    ("made", "attacker", "text"),
    [
        (effect("roll_mod", "hit", "+1"), {"hit_mod": 1}, "hit roll +1"),
        (effect("reroll", "wound", "any"), {"wound_reroll": "failed"}, "re-roll wounds: failed"),
        (effect("stat_mod", "AP", "-1"), {"AP_improve": 1}, "AP better by 1"),
        (effect("stat_mod", "A", "+1"), {"A_bonus": 1}, "Attacks +1"),
        (effect("crit", "wound", "4"), {"crit_wound": 4}, "critical wounds on 4+"),
    ],
)
def test_an_attackers_row_is_the_difference_of_two_attacks(made: Row, attacker: Row, text: str, target: Row) -> None:
    row = single(of(made), opponent=target["target_id"])
    damage, killed = alone(GUNS, target, attacker)
    damage_without, killed_without = alone(GUNS, target)
    assert (row["expected_damage"], row["expected_damage_without"]) == pytest.approx((damage, damage_without))
    assert row["expected_models_destroyed"] == pytest.approx(killed)
    assert row["expected_models_destroyed_without"] == pytest.approx(killed_without)
    each = target["points"] / target["models"]
    assert row["points_gained"] == pytest.approx((damage - damage_without) * each / target["wounds"])
    assert row["points_destroyed_gained"] == pytest.approx((killed - killed_without) * each)
    assert row["points_gained_per_cp"] == pytest.approx(row["points_gained"])
    assert (row["effect_text"], row["models"], row["ruleset"]) == (text, 5, "10e")


def test_a_row_for_each_phase_in_which_the_unit_attacks() -> None:
    rows = of(effect("roll_mod", "hit", "+1"), units=(SQUAD, unit("Guns", GUNS), unit("Idle")))
    assert sorted({(row["unit_id"], row["phase"]) for row in rows}) == [
        ("Guns", "shooting"),
        ("Squad", "fight"),
        ("Squad", "shooting"),
    ]


def test_several_weapons_are_changed_together() -> None:
    weapons = (GUNS, weapon(damage="3", skill=5))
    better = tuple(each | {"skill": each["skill"] - 1} for each in weapons)
    plain, changed = (
        single(of(effect("roll_mod", "hit", "+1"), units=(unit("Guns", *guns),))) for guns in (weapons, better)
    )
    assert plain["expected_damage"] == pytest.approx(changed["expected_damage_without"])


def test_what_changes_nothing_gains_nothing() -> None:
    flames = weapon(skill=None, abilities=("torrent",))
    row = single(of(effect("grant_kw", "lethal_hits"), units=(unit("Flames", flames),)))
    assert (row["expected_damage"], row["points_gained"]) == pytest.approx((row["expected_damage_without"], 0.0))


def test_a_kind_of_target_that_is_not_meant_has_no_row() -> None:
    rows = of(effect("stat_mod", "D", "+1", condition="that targets a MONSTER or VEHICLE unit"), targets=(BEAST,))
    assert {row["opponent_id"] for row in rows} == {"tank"}


BEAST = {"target_id": "Beast", "unit_id": "Beast", "keywords": ["MONSTER"]}


@pytest.mark.parametrize(
    ("ability", "phase", "scenario", "gun", "context"),
    [
        ("lance", "fight", "charged", BLADES, {"charged": True}),
        ("heavy", "shooting", "stationary", GUNS, {"stationary": True}),
        ("ignores_cover", "shooting", "cover", GUNS, {"cover": True}),
    ],
)
def test_an_ability_is_compared_where_it_counts(
    ability: str, phase: str, scenario: str, gun: Row, context: dict[str, bool]
) -> None:
    row = single(of(effect("grant_kw", ability, attack_type=gun["attack_type"])), phase)
    assert row["scenario_id"] == scenario
    assert row["expected_damage"] == pytest.approx(alone(gun | {"abilities": (ability,)}, FOOT, context=context)[0])
    assert row["expected_damage_without"] == pytest.approx(alone(gun, FOOT, context=context)[0])
    assert row["points_gained"] > 0.5


def test_cover_denied_is_the_open_against_cover() -> None:
    row = single(of(effect("cover", "save", "denied", attack_type="ranged")))
    assert row["scenario_id"] == "plain"
    assert row["expected_damage"] == pytest.approx(alone(GUNS, FOOT)[0])
    assert row["expected_damage_without"] == pytest.approx(alone(GUNS, FOOT, context={"cover": True})[0])


def test_costs_make_gains_per_cp_and_per_100_points() -> None:
    hit = effect("roll_mod", "hit", "+1", scope="bearer")
    captain = unit("Captain", GUNS, keywords=("CHARACTER",))
    frames = world(
        [captain],
        [FOOT],
        detachments=[HOME],
        stratagems=[stratagem("dear", hit, cp_cost=2), stratagem("free", hit, cp_cost=0)],
        enhancements=[
            enhancement("horn", "CAPTAIN model only.", hit, points=25),
            enhancement("lost", "CAPTAIN model only.", hit, points=None),
        ],
    )
    rows = {row["source_id"]: row for row in computed(frames)["uplifts"].to_dicts()}
    gain = rows["dear"]["points_gained"]
    assert gain > 0
    assert {key: (row["points_gained_per_cp"], row["points_gained_per_100_points"]) for key, row in rows.items()} == {
        "dear": (pytest.approx(gain / 2), None),
        "free": (None, None),
        "horn": (None, pytest.approx(4 * gain)),
        "lost": (None, None),
    }


TARGET: Row = {
    "target_id": "Squad", "unit_id": "Squad", "models": 5, "wounds": 2, "save": 4, "points": 90, "toughness": 4
}  # fmt: skip


@pytest.mark.parametrize(
    ("made", "defended", "scenario"),
    [
        (effect("roll_mod", "hit", "-1"), {"hit_mod": -1}, "plain"),
        (effect("invuln", "save", "3"), {"invulnerable_save": 3}, "plain"),
        (effect("feel_no_pain", "all", "5"), {"feel_no_pain": 5}, "plain"),
        (effect("stat_mod", "AP", "+1"), {"ap_worsen": 1}, "plain"),
        (effect("cover", "save", "granted", attack_type="ranged"), {}, "cover"),
    ],
)
def test_a_defenders_row_is_the_difference_of_two_volleys_at_it(made: Row, defended: Row, scenario: str) -> None:
    row = single(of(made | {"side": "defender"}, targets=(TARGET,)), opponent="rifles")
    assert row["scenario_id"] == scenario
    frames = world((), (), [RIFLES], [TARGET, TARGET | defended | {"target_id": "made"}])
    met = frames["scenarios"].filter(pl.col("scenario_id").is_in(["plain", "cover"]))
    lost = durability(
        with_groups(frames), frames["attackers"], met, declared_rulesets(), OutcomeCache(None), copies=False
    )
    found = {(each["target_id"], each["scenario_id"]): each for each in lost.to_dicts()}
    without, with_it = found["Squad", "plain"], found["made", scenario]
    assert row["points_gained"] == pytest.approx(without["wounds_worth"] - with_it["wounds_worth"])
    assert row["points_destroyed_gained"] == pytest.approx(without["points_lost"] - with_it["points_lost"])
    assert row["points_gained"] > 0


def test_kinds_of_models_are_protected_too() -> None:
    frames = world([SQUAD], [FOOT], [RIFLES], [TARGET | {"models": 6}], detachments=[HOME],
                   stratagems=[stratagem("tune", effect("invuln", "save", "2", side="defender"))])  # fmt: skip
    kinds = [("Pipers", 5, 1), ("Boss", 1, 3)]
    groups = [
        {"target_id": "Squad", "position": place, "model_name": name, "models": models, "wounds": wounds, "save": 6,
         "is_character": False}
        for place, (name, models, wounds) in enumerate(kinds, 1)
    ]  # fmt: skip
    frames["target_groups"] = pl.DataFrame(
        {name: [row.get(name) for row in groups] for name in frames["target_groups"].columns},
        schema=frames["target_groups"].schema,
    )
    [row] = computed(frames)["uplifts"].to_dicts()
    assert row["expected_damage"] < row["expected_damage_without"] / 3  # 1/6 of the wounds instead of 5/6


def test_an_attacked_unit_without_a_price_gains_an_unknown_number_of_points() -> None:
    row = single(
        of(effect("invuln", "save", "3", side="defender"), targets=(TARGET | {"points": None},)), opponent="rifles"
    )
    assert (row["points_gained"], row["points_gained_per_cp"]) == (None, None)
    assert row["expected_damage"] < row["expected_damage_without"]


def test_a_leader_is_worth_its_weapons_and_what_it_does_for_the_unit() -> None:
    song = ("datasheet", "Song", "song", None)
    blade = weapon(attack_type="melee", attacks="5", damage="2", skill=2)
    captain = unit("Captain", blade, keywords=("CHARACTER",), leads=("Squad",), points=80, abilities=[song])
    leading = effect("roll_mod", "hit", "+1", condition="While this model is leading a unit")
    frames = world([captain, SQUAD], [FOOT], text_coverage=[rule("song", leading)])
    row = single([row for row in computed(frames)["uplifts"].to_dicts() if row["source_id"] == "Captain"], "fight")
    better = unit("Joint", BLADES | {"skill": 2}, blade | {"skill": 2}, models=5)
    joint = single(of(effect("roll_mod", "hit", "+1"), units=(better,)), "fight")["expected_damage_without"]
    assert row["expected_damage"] == pytest.approx(joint)
    assert row["expected_damage_without"] == pytest.approx(alone(BLADES, FOOT)[0])
    assert row["points_gained_per_100_points"] == pytest.approx(row["points_gained"] / 0.8)
    assert row["effect_text"] == "its own weapons; song: hit roll +1"


def test_what_a_leader_changes_names_its_abilities_and_weapons() -> None:
    names = ("song", "roar", "wall")
    knows = [("datasheet", name, name, None) for name in names]
    captain = unit("Captain", weapon(), keywords=("CHARACTER",), leads=("Squad",), points=80, abilities=knows)
    leading = "While this model is leading a unit"
    rules = [
        rule("song", effect("roll_mod", "hit", "+1", condition=leading)),
        rule("roar", effect("roll_mod", "wound", "+1", condition=leading, phase="fight", attack_type="melee")),
        rule("wall", effect("invuln", "save", "4", condition=leading, side="defender")),
    ]
    rows = computed(world([captain, SQUAD], [FOOT], [RIFLES], [TARGET], text_coverage=rules))["uplifts"].to_dicts()
    said = {(row["side"], row["phase"]): row["effect_text"] for row in rows if row["source_id"] == "Captain"}
    # It has no weapon for the Fight phase.
    assert said == {
        ("attacker", "shooting"): "its own weapons; song: hit roll +1",
        ("attacker", "fight"): "song, roar: hit roll +1; wound roll +1",
        ("defender", "shooting"): "wall: invulnerable save 4+",
    }


def test_a_leader_without_an_ability_for_its_unit_brings_its_weapons() -> None:
    captain = unit("Captain", weapon(), keywords=("CHARACTER",), leads=("Squad",), points=80)
    rows = computed(world([captain, SQUAD], [FOOT]))["uplifts"].to_dicts()
    assert [(row["phase"], row["effect_text"]) for row in rows] == [("shooting", "its own weapons")]


def test_an_ability_names_the_units_that_have_it() -> None:
    owner = unit("Pipers", weapon(), abilities=[("datasheet", "Song", "song", None)])
    frames = world(
        [owner, SQUAD], [FOOT], detachments=[HOME], stratagems=[stratagem("tune", effect("roll_mod", "hit", "+1"))],
        text_coverage=[rule("song", effect("roll_mod", "hit", "+1"))],
    )  # fmt: skip
    owners = {row["source_id"]: row["owners"] for row in computed(frames)["rule_uses"].to_dicts()}
    assert owners == {"song": ["Pipers"], "tune": []}


def test_uses_are_described_with_what_they_assume_and_leave_out() -> None:
    charged = "if your unit charged this turn"
    effects = (
        effect("roll_mod", "hit", "+1"),
        effect("roll_mod", "wound", "+1", condition=charged),
        effect("extra_activation", "fight", "1"),
        effect("roll_mod", "hit", "-1", side="defender", condition="if your unit has the VEHICLE keyword"),
    )
    frames = world([SQUAD], [FOOT, TANK], detachments=[HOME], stratagems=[stratagem("tune", *effects)])
    found = computed(frames)["rule_uses"].to_dicts()
    reason = "another activation: fight is not compared"
    assert [
        (row["side"], row["way"], row["label"], row["assumes"], row["has_users"], row["left_out"]) for row in found
    ] == [
        ("attacker", 1, None, [], True, [reason]),
        ("attacker", 2, charged, [charged], True, [reason]),
        ("defender", 1, None, [], False, [reason]),
    ]
    assert {(row["source_kind"], row["name"], row["cost_kind"], row["cost"]) for row in found} == {
        ("stratagem", "tune", "cp", 1)
    }


def test_new_prices_ask_nothing_of_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def at_prices(points: int, cp: int, engine: OutcomeCache) -> dict[str, pl.DataFrame]:
        blade = weapon(attack_type="melee", attacks="5")
        captain = unit("Captain", blade, keywords=("CHARACTER",), leads=("Squad",), points=points)
        effects = (effect("roll_mod", "hit", "+1"), effect("invuln", "save", "4", side="defender"))
        frames = world(
            [captain, SQUAD | {"points": points}], [FOOT], targets=[TARGET | {"points": points}],
            detachments=[HOME], stratagems=[stratagem("tune", *effects, cp_cost=cp)],
        )  # fmt: skip
        return uplifts(frames, weapon_frame(frames, None), declared_rulesets(), engine)

    def counted(*arguments: Any, **options: Any) -> pl.DataFrame:
        asked.append("units")
        return simulate_units(*arguments, **options)

    monkeypatch.setattr(outcome_cache, "simulate_units", counted)
    at_prices(90, 1, OutcomeCache(tmp_path))
    assert asked
    asked.clear()
    again = at_prices(120, 2, OutcomeCache(tmp_path))
    assert asked == []
    for name, found in at_prices(120, 2, OutcomeCache(None)).items():
        assert found.equals(again[name], null_equal=True), name


def test_a_rule_that_only_harms_its_user_says_so() -> None:
    worse = (effect("roll_mod", "hit", "-1"), effect("stat_mod", "AP", "+2"))
    frames = world([SQUAD], [FOOT], detachments=[HOME], stratagems=[stratagem("curse", *worse)])
    (row,) = computed(frames)["rule_uses"].to_dicts()
    assert (row["way"], row["has_users"], row["left_out"]) == (0, False, ["only harms its user"])


def test_rules_chosen_for_the_run_hold_for_everything() -> None:
    effects = (
        effect("roll_mod", "hit", "+1", attack_type="ranged"),
        effect("invuln", "save", "4", side="defender"),
        effect("mortal_wounds", "wounds", "D3", scope="enemy"),
    )
    attacked = {"unit_id": "Squad", "points": 90, "models": 5, "wounds": 2, "save": 4}
    frames = world([SQUAD], [FOOT], targets=[attacked], detachments=[HOME], stratagems=[stratagem("tune", *effects)])
    for chosen in (None, "11e"):
        weapons = weapon_frame(frames, chosen)
        found = uplifts(frames, weapons, declared_rulesets(), OutcomeCache(None), ruleset=chosen)["uplifts"]
        assert set(found.select("side", "way").iter_rows()) == {("attacker", 1), ("attacker", 2), ("defender", 1)}
        assert set(found["ruleset"]) == {chosen or "10e"}


@pytest.mark.parametrize("units", [(), (unit("Idle"),), (SQUAD,)])
def test_without_rules_there_are_no_rows(units: tuple[Row, ...]) -> None:
    assert [found.height for found in computed(world(units, [FOOT])).values()] == [0, 0, 0]


def test_mortal_wounds_are_a_way_of_their_own_and_need_no_weapon() -> None:
    effects = (effect("roll_mod", "hit", "+1"), effect("mortal_wounds", "wounds", "six D6, each 4+: 1", scope="enemy"))
    rows = of(*effects)
    grenades = [row for row in rows if row["way"] == 2]
    assert {row["phase"] for row in grenades} == {"shooting"}
    row = single(grenades, "shooting")
    assert row["effect_text"] == "mortal wounds: six D6, each 4+: 1"
    assert (row["expected_damage"], row["expected_damage_without"]) == (pytest.approx(3), 0)
    assert row["points_gained_per_cp"] == pytest.approx(3 * FOOT["points"] / (FOOT["models"] * FOOT["wounds"]))


def test_a_rule_that_cannot_be_compared_says_why() -> None:
    frames = world([SQUAD], [FOOT], detachments=[HOME], stratagems=[stratagem("again", effect("extra_activation"))])
    found = computed(frames)
    (row,) = found["rule_uses"].to_dicts()
    assert (row["side"], row["way"], row["has_users"]) == ("attacker", 0, False)
    assert row["left_out"] == ["another activation is not compared"]
    assert found["uplifts"].is_empty()


def test_stealth_is_what_the_edition_makes_of_it() -> None:
    # 10th edition: -1 to hit, beside the cover; 11th: Stealth is cover, which isn't had twice.
    hidden = (
        effect("cover", "save", "granted", side="defender", attack_type="ranged"),
        effect("roll_mod", "hit", "-1", side="defender", attack_type="ranged", note="Stealth ability"),
    )
    for edition in ("10e", "11e"):
        attacked = (TARGET | {"edition": edition},)
        covered = single(of(hidden[0], targets=attacked), opponent="rifles")["expected_damage"]
        both = single(of(*hidden, targets=attacked), opponent="rifles")["expected_damage"]
        assert (both < covered) is (edition == "10e")
        assert both <= covered


def test_what_was_not_read_of_a_text_is_left_out() -> None:
    unread = rule("tune", kind="stratagem", status="not_modelled", clause="not read: doubles its attacks")
    found = computed(world([SQUAD], [FOOT], detachments=[HOME], stratagems=[stratagem("tune")], text_coverage=[unread]))
    (row,) = found["rule_uses"].to_dicts()
    assert (row["way"], row["left_out"], row["has_users"]) == (0, ["not read: doubles its attacks"], False)
