"""Which units may use a rule: armies, editions, bearers, leaders and the units they join."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.sources import Source, read_sources, ways
from pipelines.worth.users import Users, leader_sources

from .world import HOME, HOST, OTHERS, archetype, effect, enhancement, rule, sizes, stratagem, unit, weapon, world

Row = dict[str, Any]
HIT = effect("roll_mod", "hit", "+1")


def armed(name: str, **changes: Any) -> Row:
    changes["keywords"] = ("STAR GUILD", *changes.get("keywords", ("INFANTRY",)))
    return unit(name, weapon(), **changes)


def read(units: list[Row], **rules: Any) -> tuple[Users, list[Source]]:
    frames = world(units, [archetype("wall")], detachments=[HOME], **rules)
    return Users(frames, sizes(frames)), read_sources(frames)


def users(units: list[Row], **rules: Any) -> list[str]:
    """Names of the units that use the one effect of the one source."""
    found, [source] = read(units, **rules)
    [held] = source.held
    return [user.name for user in found.using(source, held, found.pool(source))]


def test_a_stratagem_is_for_its_army_and_those_its_condition_names() -> None:
    units = [armed("Pipers"), armed("Riders", keywords=("MOUNTED",)), unit("Strangers", weapon(), faction=OTHERS)]
    assert users(units, stratagems=[stratagem("tune", HIT)]) == ["Pipers", "Riders"]
    mounted = HIT | {"condition": "STAR GUILD MOUNTED unit"}
    assert users(units, stratagems=[stratagem("tune", mounted)]) == ["Riders"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("STAR GUILD unit that disembarked from a TRANSPORT this turn", ["Pipers", "Walker"]),
        ("if it disembarked from a TRANSPORT this turn", ["Pipers", "Walker"]),
        ("if it disembarked from a TRANSPORT or was set up this turn", ["Pipers", "Walker", "Tank"]),
        ("that targets an enemy unit that disembarked this turn", ["Pipers", "Walker", "Tank"]),
        ("if your unit charged this turn", ["Pipers", "Walker", "Tank"]),
    ],
)
def test_no_tank_leaves_a_transport(condition: str, expected: list[str]) -> None:
    units = [
        armed("Pipers"), armed("Walker", keywords=("VEHICLE", "WALKER")), armed("Tank", keywords=("VEHICLE",)),
        unit("Wagon", weapon(), keywords=("VEHICLE", "TRANSPORT"), faction=OTHERS),
    ]  # fmt: skip
    assert users(units, stratagems=[stratagem("tune", HIT | {"condition": condition})]) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("While a CHARACTER leads your unit", ["Pipers", "Captain", "Singers", "Bard"]),
        ("If a MOUNTED CHARACTER is leading your unit", ["Singers", "Bard"]),
        ("STAR GUILD Attached unit", ["Pipers", "Captain", "Singers", "Bard"]),
        ("While a CHARACTER leads your unit, or if it stood still", ["Pipers", "Captain", "Walker", "Singers", "Bard"]),
    ],
)
def test_a_led_unit_is_one_that_may_be_led(condition: str, expected: list[str]) -> None:
    units = [
        armed("Pipers"), armed("Captain", keywords=("CHARACTER",), leads=("Pipers",)),
        armed("Walker", keywords=("VEHICLE",)), armed("Singers"),
        armed("Bard", keywords=("MOUNTED", "CHARACTER"), leads=("Singers",)),
    ]  # fmt: skip
    assert users(units, stratagems=[stratagem("tune", HIT | {"condition": condition})]) == expected


def test_where_no_source_says_who_leads_a_unit_is_taken_to_be_led() -> None:
    led = HIT | {"condition": "While a CHARACTER leads your unit"}
    units = [armed("Pipers", keywords=("CHARACTER",))]
    assert users(units, stratagems=[stratagem("tune", led)]) == ["Pipers"]


def test_a_core_stratagem_is_for_everyone_what_belongs_nowhere_for_nobody() -> None:
    units = [armed("Pipers"), armed("Strangers", faction=OTHERS)]
    core = stratagem("core", HIT, detachment_id=None, is_core=True)
    assert users(units, stratagems=[core]) == ["Pipers", "Strangers"]
    assert users(units, enhancements=[enhancement("horn", "INFANTRY model only.", HIT, detachment_id=None)]) == []


def test_units_with_the_armys_keyword_belong_to_it_where_they_stand_in_its_book() -> None:
    chapter = armed("Grey Pipers", faction="Grey Chapter")
    allies = armed("Hired Pipers", faction=OTHERS, collection=OTHERS)
    assert users([armed("Pipers"), chapter, allies], stratagems=[stratagem("tune", HIT)]) == ["Pipers", "Grey Pipers"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("One unit.", ["Pipers", "Grey", "Red"]), ("One RED CHAPTER unit.", ["Pipers", "Red"])],
)
def test_a_detachment_of_a_chapter_is_not_for_another_chapter(text: str, expected: list[str]) -> None:
    units = [armed("Pipers"), armed("Grey", faction="Grey Chapter"), armed("Red", faction="Red Chapter")]
    assert users(units, stratagems=[stratagem("tune", HIT, target_text=text)]) == expected


def test_a_unit_without_a_datasheet_in_the_edition_stands_in_with_its_other_one() -> None:
    both = [armed("Pipers 11e", edition="11e", canonical="pipers"), armed("Pipers 10e", canonical="pipers")]
    units = [*both, armed("Newcomers", edition="11e")]
    assert users(units, stratagems=[stratagem("tune", HIT)]) == ["Pipers 10e", "Newcomers"]


def test_neither_combat_patrol_nor_what_is_not_preferred_nor_what_has_no_attacks() -> None:
    units = [
        armed("Pipers"),
        armed("Patrol", collection="Combat Patrol"),
        armed("Old", is_preferred=False),
        unit("Idle"),
    ]
    assert users(units, stratagems=[stratagem("tune", HIT)]) == ["Pipers"]


CAPTAIN = armed("Captain", keywords=("CHARACTER",), leads=("Pipers",))
HERO = armed("Hero", keywords=("CHARACTER", "EPIC HERO"), leads=("Pipers",))
STAFF = armed("Staff", keywords=("CHARACTER",), models=4)
SQUAD = armed("Pipers", models=5)
ARMY = [CAPTAIN, HERO, STAFF, SQUAD, armed("Drummers", models=5)]


@pytest.mark.parametrize(
    ("scope", "condition", "expected"),
    [
        ("bearer", None, ["Captain"]),
        ("unit", None, ["Captain", "Staff", "Pipers"]),
        ("unit", "While the bearer is leading a unit", ["Pipers"]),
        ("aura", None, ["Captain", "Hero", "Staff", "Pipers", "Drummers"]),
        ("enemy", None, ["Captain", "Hero", "Staff", "Pipers", "Drummers"]),
    ],
)
def test_who_gains_by_an_enhancement(scope: str, condition: str | None, expected: list[str]) -> None:
    made = effect("roll_mod", "hit", "+1", scope=scope, condition=condition)
    assert users(ARMY, enhancements=[enhancement("horn", "CHARACTER model only.", made)]) == expected


@pytest.mark.parametrize(("eligibility", "expected"), [("STAFF model only.", ["Staff"]), (None, [])])
def test_who_may_bear_it(eligibility: str | None, expected: list[str]) -> None:
    assert users(ARMY, enhancements=[enhancement("horn", eligibility, HIT)]) == expected


@pytest.mark.parametrize(
    ("scope", "condition", "expected"),
    [
        ("unit", None, ["Captain"]),
        ("model", None, ["Captain"]),
        ("unit", "While this model is leading a unit", ["Pipers"]),
        ("aura", None, []),
    ],
)
def test_who_gains_by_an_ability(scope: str, condition: str | None, expected: list[str]) -> None:
    captain = CAPTAIN | {"abilities": [("datasheet", "Song", "song", None)]}
    made = effect("roll_mod", "hit", "+1", scope=scope, condition=condition)
    assert users([captain, SQUAD], text_coverage=[rule("song", made)]) == expected


@pytest.mark.parametrize(("scope", "expected"), [("army", ["Pipers"]), ("aura", ["Pipers", "Drummers"])])
def test_who_gains_by_a_faction_rule(scope: str, expected: list[str]) -> None:
    sings = SQUAD | {"abilities": [("faction", "Song", None, None)]}
    units = [sings, armed("Drummers"), armed("Strangers", faction=OTHERS)]
    made = effect("roll_mod", "hit", "+1", scope=scope)
    assert users(units, text_coverage=[rule("Song", made, kind="faction_rule")]) == expected


def test_a_faction_rule_of_nobody_is_for_nobody_one_of_a_faction_for_it() -> None:
    lost = rule("Song", HIT, kind="faction_rule")
    assert users([SQUAD], text_coverage=[lost]) == []
    assert users([SQUAD], text_coverage=[lost | {"faction": HOST}]) == ["Pipers"]


def test_a_number_of_models_is_asked_of_the_user() -> None:
    large = HIT | {"condition": "If your unit contains 10 or more models"}
    units = [SQUAD, armed("Horde", models=10)]
    assert users(units, stratagems=[stratagem("tune", large)]) == ["Horde"]


def test_leaders_join_units_they_name_of_their_edition_book_and_army() -> None:
    captain = CAPTAIN | {"leads": ("Pipers", "Grey Pipers", "Moon Pipers", "Hired Pipers")}
    units = [
        captain, SQUAD, armed("Drummers"), armed("Grey Pipers", faction="Grey Chapter"),
        unit("Moon Pipers", weapon(), faction=OTHERS), armed("Hired Pipers", collection=OTHERS),
    ]  # fmt: skip
    found, _ = read(units)
    [leader] = found.leaders()
    assert [user.name for user in found.led_by(leader)] == ["Pipers", "Grey Pipers"]


def test_leaders_may_join_each_other_but_not_themselves() -> None:
    first, second = (unit(name, weapon(), leads=("First", "Second")) for name in ("First", "Second"))
    found, _ = read([first, second])
    assert {user.name: [led.name for led in found.led_by(user)] for user in found.leaders()} == {
        "First": ["Second"],
        "Second": ["First"],
    }


def test_a_leader_is_a_source_with_what_its_abilities_do_for_the_unit_it_leads() -> None:
    song = ("datasheet", "Song", "song", None)
    captain = CAPTAIN | {"abilities": [song], "points": 70}
    leading = "While this model is leading a unit"
    found, sources = read(
        [captain, SQUAD, armed("Loner", leads=("Nobody",))],
        text_coverage=[
            rule(
                "song",
                effect("roll_mod", "hit", "+1", condition=leading),
                effect("roll_mod", "wound", "+1", condition=f"{leading}; if it charged this turn"),
                effect("crit", "hit", "5", scope="model"),
                effect("reroll", "attacks", "any"),
            )
        ],
    )
    [source] = leader_sources(found, sources)
    assert (source.kind, source.key, source.cost_kind, source.cost) == ("leader", "Captain", "points", 70)
    assert source.left_out == ("song: re-roll attacks: any is not compared",)
    assert [(len(way.held), way.label) for way in ways(source)] == [
        (1, None),
        (2, "if it charged this turn"),
    ]
    assert [user.name for user in found.pool(source)] == ["Pipers"]
