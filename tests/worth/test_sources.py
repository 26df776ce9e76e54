"""Sources of rules: what each costs and does, and the ways to use it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from pipelines.worth.applied import Effect
from pipelines.worth.sizes import SizeTest
from pipelines.worth.sources import Source, read_sources, ways

from .world import HOME, HOST, effect, enhancement, rule, stratagem, unit, world

MODEL = unit("Pipers", keywords=("INFANTRY", "STAR GUILD"))


def sources(*units: dict[str, Any], **rules: Any) -> dict[str, Source]:
    found = read_sources(world(units or [MODEL], detachments=[HOME], **rules))
    return {source.key: source for source in found}


def of_stratagem(*effects: dict[str, Any]) -> Source:
    return sources(stratagems=[stratagem("tune", *effects)])["tune"]


def effects_of(source: Source) -> list[Effect]:
    return [each.effect for each in source.held]


def test_what_each_kind_costs_and_where_it_belongs() -> None:
    hit = effect("roll_mod", "hit", "+1")
    found = sources(
        stratagems=[stratagem("tune", hit, cp_cost=2), stratagem("core", hit, detachment_id=None, is_core=True)],
        enhancements=[enhancement("horn", "PIPERS model only.", hit), enhancement("lost", None, hit, points=None)],
        detachment_rules=[{"detachment_rule_id": "march", "detachment_id": "home", "name": "March", "effects": (hit,)}],
        text_coverage=[rule("song", hit)],
    )
    assert {
        key: (each.kind, each.cost_kind, each.cost, each.faction, each.edition, each.detachment_id)
        for key, each in found.items()
    } == {
        "tune": ("stratagem", "cp", 2, HOST, "10e", "home"),
        "core": ("stratagem", "cp", 1, None, "10e", None),
        "horn": ("enhancement", "points", 20, HOST, "10e", "home"),
        "lost": ("enhancement", "points", None, HOST, "10e", "home"),
        "march": ("detachment_rule", "none", None, HOST, "10e", "home"),
        "song": ("ability", "none", None, None, "10e", None),
    }
    assert found["horn"].bearer is not None
    assert found["lost"].bearer is None


def test_a_text_without_effects_is_no_source() -> None:
    assert sources(stratagems=[stratagem("tune"), stratagem("lost", effect("reroll") | {"operation": None})]) == {}


@pytest.mark.parametrize(
    ("phase", "attack_type", "phases"),
    [
        ("any", "any", ("shooting", "fight")),
        ("shooting", "any", ("shooting",)),
        ("any", "melee", ("fight",)),
        ("fight", "ranged", ()),
    ],
)
def test_phases(phase: str, attack_type: str, phases: tuple[str, ...]) -> None:
    [each] = of_stratagem(effect("roll_mod", "hit", "+1", phase=phase, attack_type=attack_type)).held
    assert each.phases == phases


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("with a drone cannon", "named weapons: drone cannon"),
        ("PIPERS unit; a PIPERS model in your unit", "some models only: a PIPERS model in your unit"),
        ("on a 4+", "depends on a roll: 4+"),
        ("while firing Overwatch", "Fire Overwatch only"),
        ("if a Critical Hit is scored", "not understood"),
        ("UNHEARD unit", "unknown keyword: UNHEARD"),
        ("with a Strength characteristic of 4", "depends on the attack: Strength = 4"),
        ("that targets a unit that is Below Half-strength", "targets are at full strength"),
    ],
)
def test_what_is_left_out_has_a_reason(condition: str, reason: str) -> None:
    source = of_stratagem(effect("roll_mod", "hit", "+1", condition=condition), effect("roll_mod", "wound", "+1"))
    assert effects_of(source) == [Effect(wound_mod=1)]
    [left_out] = source.left_out
    assert left_out.startswith(reason)


def test_greater_strength_is_the_one_condition_on_an_attack_that_targets_know() -> None:
    stronger = "if the Strength characteristic of that attack is greater than the Toughness characteristic of your unit"
    source = of_stratagem(effect("roll_mod", "wound", "-1", side="defender", condition=stronger))
    assert effects_of(source) == [Effect(wound_minus_if_stronger=True)]


def test_what_may_be_either_side_counts_for_the_attacker() -> None:
    [each] = of_stratagem(effect("reroll", "hit", "1", side="either")).held
    assert each.side == "attacker"


def test_sizes_are_taken_out_of_what_is_assumed() -> None:
    [each] = of_stratagem(
        effect("reroll", "hit", "1", condition="that targets a unit that contains 6 or more models")
    ).held
    assert (each.sizes, each.facts.assumed) == ((SizeTest("target", 6),), ())


@pytest.mark.parametrize(("kind", "owners"), [("faction", ("Pipers",)), ("datasheet", ())])
def test_a_faction_rule_is_of_the_units_with_the_faction_ability_of_its_name(
    kind: str, owners: tuple[str, ...]
) -> None:
    sings = unit("Pipers", abilities=[(kind, "Great Song (Aura)", None, None)])
    found = sources(sings, text_coverage=[rule("Great song", effect("reroll", "hit", "1"), kind="faction_rule")])
    assert found["Great song"].owners == owners


def test_protection_among_the_numbers_of_its_unit_counts_once() -> None:
    text = "Each time an attack targets this unit, subtract 1 from the Hit roll."
    hard = effect("roll_mod", "hit", "-1", side="defender")
    known = unit("Pipers", abilities=[("datasheet", "Haze", "haze", text)])
    other = unit("Drummers", abilities=[("datasheet", "Fog", "fog", f"While it is dark, {text}")])
    found = sources(known, other, text_coverage=[rule("haze", hard), rule("fog", hard)])
    assert (effects_of(found["haze"]), found["haze"].left_out) == ([], ("already among the unit’s own numbers",))
    assert effects_of(found["fog"]) == [Effect(target_hit_mod=-1)]


def described(source: Source) -> list[tuple[str, list[Effect], tuple[str, ...], str | None]]:
    return [(way.side, [each.effect for each in way.held], way.assumed, way.label) for way in ways(source)]


HIT, WOUND, CRIT = Effect(hit_mod=1), Effect(wound_mod=1), Effect(crit_hit=5)


def test_one_way_where_nothing_is_assumed_or_all_the_same() -> None:
    charged = "if your unit charged this turn"
    plain = of_stratagem(effect("roll_mod", "hit", "+1"), effect("roll_mod", "wound", "+1"))
    assert described(plain) == [("attacker", [HIT, WOUND], (), None)]
    same = of_stratagem(
        effect("roll_mod", "hit", "+1", condition=charged), effect("roll_mod", "wound", "+1", condition=charged)
    )
    assert described(same) == [("attacker", [HIT, WOUND], (charged,), None)]


def test_a_further_condition_is_a_further_way_with_all_that_holds_then() -> None:
    charged = "if your unit charged this turn"
    source = of_stratagem(effect("roll_mod", "hit", "+1"), effect("roll_mod", "wound", "+1", condition=charged))
    assert described(source) == [
        ("attacker", [HIT], (), None),
        ("attacker", [HIT, WOUND], (charged,), charged),
    ]


def test_each_side_has_its_ways() -> None:
    source = of_stratagem(effect("roll_mod", "hit", "+1"), effect("roll_mod", "hit", "-1", side="defender"))
    assert [(side, label) for side, _, _, label in described(source)] == [("attacker", None), ("defender", None)]


def test_options_exclude_each_other_and_rows_of_one_hold_together() -> None:
    source = of_stratagem(
        effect("roll_mod", "hit", "+1", condition="if chosen: select one; Loud Tune"),
        effect("crit", "hit", "5", condition="if chosen: select one; Loud Tune"),
        effect("roll_mod", "wound", "+1", condition="if chosen: select one; Low Tune"),
    )
    assert described(source) == [
        ("attacker", [HIT, CRIT], (), "Loud Tune"),
        ("attacker", [WOUND], (), "Low Tune"),
    ]


def test_one_of_several_abilities_is_chosen() -> None:
    choice = "one of: [LANCE] or [LETHAL HITS]"
    source = of_stratagem(
        effect("grant_kw", "lance", condition=choice), effect("grant_kw", "lethal_hits", condition=choice)
    )
    assert [(len(held), label) for _, held, _, label in described(source)] == [
        (1, f"{choice} (lance)"),
        (1, f"{choice} (lethal hits)"),
    ]


def test_no_effect_no_way() -> None:
    assert ways(of_stratagem(effect("roll_mod", "hit", "+1", condition="on a 4+"))) == []


def test_rows_are_in_the_order_of_their_tables() -> None:
    hit = effect("roll_mod", "hit", "+1")
    frames = world(
        [MODEL],
        detachments=[HOME],
        stratagems=[stratagem("b", hit), stratagem("a", hit)],
        text_coverage=[rule("c", hit)],
    )
    frames["modifiers"] = frames["modifiers"].sort(pl.col("source_id"))
    assert [source.key for source in read_sources(frames)] == ["b", "a", "c"]


def test_a_drawback_counts_beside_a_gain_but_is_no_way_of_its_own() -> None:
    tired = "if your unit is tired"
    source = of_stratagem(effect("stat_mod", "D", "+1"), effect("roll_mod", "hit", "-1", condition=tired))
    assert [(len(way.held), way.label) for way in ways(source)] == [(1, None), (2, tired)]
    assert ways(of_stratagem(effect("roll_mod", "hit", "-1"))) == []


def test_the_option_is_named_where_it_is_the_only_one_of_its_side() -> None:
    source = of_stratagem(
        effect("roll_mod", "hit", "+1", condition="if chosen: select one; Loud Tune"),
        effect("roll_mod", "hit", "-1", side="defender", condition="if chosen: select one; Low Tune"),
    )
    assert [(way.side, way.label) for way in ways(source)] == [("attacker", "Loud Tune"), ("defender", "Low Tune")]
