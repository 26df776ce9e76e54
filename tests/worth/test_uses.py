"""Who uses what against whom."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.applied import Effect
from pipelines.worth.sources import read_sources
from pipelines.worth.users import Users, leader_sources
from pipelines.worth.uses import MAX_HELD, Uses, collect_uses

from .world import HOME, archetype, effect, rule, sizes, stratagem, unit, volley, weapon, world

Row = dict[str, Any]
FOOT, TANK = archetype("foot", models=10), archetype("tank", keywords=["VEHICLE"])
VOLLEYS = (volley("guns"), volley("blades", attack_type="melee"))
GUNNERS = unit("Gunners", weapon(), weapon(attack_type="melee"), keywords=("INFANTRY", "GUILD"))
RIDERS = unit("Riders", weapon(), keywords=("MOUNTED", "GUILD"))


def uses(*effects: Row, units: tuple[Row, ...] = (GUNNERS, RIDERS)) -> Uses:
    frames = world(units, [FOOT, TANK], VOLLEYS, detachments=[HOME], stratagems=[stratagem("tune", *effects)])
    return collect_uses(
        read_sources(frames), Users(frames, sizes(frames)), frames["targets"].head(2), frames["attackers"]
    )


def rows(found: Uses) -> list[tuple[int, str, str, str, Effect]]:
    """Way, phase, unit, opponent and effect, sorted."""
    read = found.rows.select("way", "phase", "unit_id", "opponent_id", "effect").iter_rows()
    return sorted((*row[:4], found.effects.values[row[4]]) for row in read)


def test_an_attackers_effect_counts_against_archetypes_in_its_phases() -> None:
    found = rows(uses(effect("roll_mod", "hit", "+1", phase="shooting")))
    assert found == [
        (0, "shooting", name, opponent, Effect(hit_mod=1))
        for name in ("Gunners", "Riders")
        for opponent in ("foot", "tank")
    ]


def test_a_defenders_effect_counts_against_reference_attackers_of_the_phase() -> None:
    found = rows(uses(effect("invuln", "save", "4", side="defender", condition="that targets a VEHICLE unit")))
    made = Effect(invulnerable_save=4)
    assert found == [
        (0, phase, name, attacker, made)
        for phase, attacker in (("fight", "blades"), ("shooting", "guns"))
        for name in ("Gunners", "Riders")
    ]


@pytest.mark.parametrize(
    ("condition", "opponents"),
    [
        ("that targets a VEHICLE unit", ["tank"]),
        ("that targets an enemy unit (excluding VEHICLES)", ["foot"]),
        ("that targets an enemy unit that contains 6 or more models", ["foot"]),
        ("that targets an INFANTRY unit that contains 11 or more models", []),
    ],
)
def test_whom_it_counts_against(condition: str, opponents: list[str]) -> None:
    found = rows(uses(effect("roll_mod", "hit", "+1", phase="shooting", condition=condition), units=(RIDERS,)))
    assert [opponent for *_, opponent, _ in found] == opponents


def test_units_and_opponents_have_what_is_for_them_of_one_way() -> None:
    found = rows(
        uses(
            effect("roll_mod", "hit", "+1", phase="shooting"),
            effect("roll_mod", "wound", "+1", phase="shooting", condition="that targets a VEHICLE unit"),
            effect("crit", "hit", "5", phase="shooting", condition="if your unit has the MOUNTED keyword"),
        )
    )
    assert [row[2:] for row in found] == [
        ("Gunners", "foot", Effect(hit_mod=1)),
        ("Gunners", "tank", Effect(hit_mod=1, wound_mod=1)),
        ("Riders", "foot", Effect(hit_mod=1, crit_hit=5)),
        ("Riders", "tank", Effect(hit_mod=1, wound_mod=1, crit_hit=5)),
    ]


def test_in_the_fight_phase_what_counts_at_range_only_is_left_out() -> None:
    found = rows(uses(effect("grant_kw", "ignores_cover"), effect("grant_kw", "lethal_hits"), units=(GUNNERS,)))
    lethal, both = (Effect(grants=frozenset((slug, None, ()) for slug in slugs))
                    for slugs in (("lethal_hits",), ("ignores_cover", "lethal_hits")))  # fmt: skip
    assert {(phase, made) for _, phase, _, _, made in found} == {("fight", lethal), ("shooting", both)}
    assert {row[1] for row in rows(uses(effect("grant_kw", "heavy"), units=(GUNNERS,)))} == {"shooting"}


def test_a_text_of_countless_effects_is_compared_up_to_a_bound_and_says_so() -> None:
    conditions = [f"if your unit is within range of marker {number}" for number in range(MAX_HELD + 100)]
    found = uses(*(effect("roll_mod", "hit", "+1", phase="shooting", condition=each) for each in conditions))
    assert len(found.ways) == MAX_HELD
    assert found.ways[0][0].left_out == (f"more than {MAX_HELD} effects",)


def test_comparisons_beyond_the_bound_are_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.worth.uses.MAX_PAIRS", 4)
    one, two = (stratagem(name, effect("roll_mod", "hit", "+1", phase="shooting")) for name in ("one", "two"))
    frames = world([GUNNERS, RIDERS], [FOOT, TANK], VOLLEYS, detachments=[HOME], stratagems=[one, two])
    found = collect_uses(read_sources(frames), Users(frames, sizes(frames)), frames["targets"], frames["attackers"])
    assert [source.left_out for source, _ in found.ways] == [(), ("more than 4 comparisons",)]
    assert set(found.rows["way"]) == {0}


def test_more_against_larger_units_replaces_what_is_given_against_smaller_ones() -> None:
    found = rows(
        uses(
            effect(
                "stat_mod", "A", "+1", phase="fight", condition="that targets a unit that contains 5 or more models"
            ),
            effect(
                "stat_mod", "A", "+2", phase="fight", condition="that targets a unit that contains 10 or more models"
            ),
            units=(GUNNERS,),
        )
    )
    assert [row[3:] for row in found] == [("foot", Effect(attacks_bonus=2))]


def test_a_leader_joins_with_its_weapons_where_none_of_its_abilities_counts() -> None:
    song = ("datasheet", "Song", "song", None)
    captain = unit("Captain", weapon(), keywords=("CHARACTER",), leads=("Gunners",), abilities=[song])
    melee = effect("roll_mod", "hit", "+1", attack_type="melee", condition="While this model is leading a unit")
    frames = world([captain, GUNNERS], [FOOT], detachments=[HOME], text_coverage=[rule("song", melee)])
    users = Users(frames, sizes(frames))
    leaders = leader_sources(users, read_sources(frames))
    found = collect_uses(leaders, users, frames["targets"], frames["attackers"])
    assert rows(found) == [
        (0, "fight", "Gunners", "foot", Effect(hit_mod=1)),
        (0, "shooting", "Gunners", "foot", Effect()),
    ]
    assert set(found.rows["joined_by"]) == {"Captain"}


def test_whom_an_assumption_cannot_hold_for_uses_no_way_that_takes_it_to_hold() -> None:
    """Who is never led has what is given anyway, but not as a user of what is given where a leader leads."""
    bard = unit("Bard", weapon(), keywords=("CHARACTER", "GUILD"), leads=("Riders",))
    led = effect("roll_mod", "hit", "+1", phase="shooting", condition="While a CHARACTER leads your unit")
    found = uses(effect("roll_mod", "wound", "+1", phase="shooting"), led, units=(GUNNERS, RIDERS, bard))
    whom = {(way, unit_id) for way, _, unit_id, *_ in rows(found)}
    assert whom == {(0, "Bard"), (0, "Gunners"), (0, "Riders"), (1, "Bard"), (1, "Riders")}
