from __future__ import annotations

import pytest

from pipelines.worth.circumstances import (
    AttackTest,
    Circumstances,
    KeywordTest,
    circumstances,
    enhancement_bearers,
    is_of_leading,
    keyword_set,
    led_by,
)
from pipelines.worth.circumstances.keywords import split

VOCABULARY = keyword_set(
    [
        "STAR GUILD", "MONSTER", "VEHICLE", "INFANTRY", "MOUNTED", "CHARACTER", "FLY", "TITANIC", "WALKER", "PSYKER",
        "TRANSPORT", "MÔRN", "MÔRN THE ELDER", "OATHSWORN", "T’AK LANCERS", "ORDER OF ASH", "LANCERS", "SCRIBES",
    ]
)  # fmt: skip


def read(condition: str | None) -> Circumstances:
    return circumstances(condition, vocabulary=VOCABULARY)


def any_of(*alternatives: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(keyword_set(each) for each in alternatives)


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("STAR GUILD unit", any_of(("STAR GUILD",))),
        ("a friendly STAR GUILD VEHICLE model", any_of(("STAR GUILD", "VEHICLE"))),
        ("a model in an OATHSWORN unit from your army", any_of(("OATHSWORN",))),
        ("OATHSWORN or MOUNTED unit", any_of(("OATHSWORN",), ("MOUNTED",))),
        ("STAR GUILD INFANTRY and STAR GUILD MOUNTED units from your army", any_of(
            ("STAR GUILD", "INFANTRY"), ("STAR GUILD", "MOUNTED"))),
        ("MÔRN THE ELDER, T'AK LANCERS or SCRIBES unit", any_of(("MÔRN THE ELDER",), ("T’AK LANCERS",), ("SCRIBES",))),
        ("if your unit has the OATHSWORN keyword", any_of(("OATHSWORN",))),
        ("weapons equipped by OATHSWORN units from your army", any_of(("OATHSWORN",))),
        ("While the bearer is leading an OATHSWORN unit", any_of(("OATHSWORN",))),
        ("one friendly Oathsworn unit within 7\" of this model", any_of(("OATHSWORN",))),
        ("SCRIBES unit, or one friendly LANCERS unit within 7\" of it", any_of(("SCRIBES",), ("LANCERS",))),
        ("just after an OATHSWORN unit from your army ends a Normal move", any_of(("OATHSWORN",))),
        ("ORDER OF ASH models only", any_of(("ORDER OF ASH",))),
    ],
)  # fmt: skip
def test_who_may_use_it(condition: str, wanted: tuple[frozenset[str], ...]) -> None:
    found = read(condition)
    assert [test.any_of for test in found.user] == [wanted]
    assert (found.target, found.models, found.unread) == ((), (), ())


@pytest.mark.parametrize(
    ("condition", "wanted", "unwanted"),
    [
        ("that targets a MONSTER or VEHICLE unit", any_of(("MONSTER",), ("VEHICLE",)), ()),
        ("that targets an enemy unit (excluding MONSTERS and VEHICLES)", (), any_of(("MONSTER",), ("VEHICLE",))),
        ("that targets a Character unit", any_of(("CHARACTER",)), ()),
        ("that targets a non-VEHICLE unit", (), any_of(("VEHICLE",))),
        ("that targets a unit that can FLY", any_of(("FLY",)), ()),
        ("that targets a unit that cannot Fly", (), any_of(("FLY",))),
        ("if the target of that attack is not a MONSTER or VEHICLE", (), any_of(("MONSTER",), ("VEHICLE",))),
        ("while targeting units without the TITANIC keyword", (), any_of(("TITANIC",))),
        ("enemy VEHICLE unit (excluding TITANIC units) hit by one or more of those attacks",
         any_of(("VEHICLE",)), any_of(("TITANIC",))),
        ("enemy unit within Engagement Range of your unit (excluding MONSTERS)", (), any_of(("MONSTER",))),
    ],
)  # fmt: skip
def test_target(condition: str, wanted: tuple[frozenset[str], ...], unwanted: tuple[frozenset[str], ...]) -> None:
    found = read(condition)
    assert [(test.any_of, test.none_of) for test in found.target] == [(wanted, unwanted)]
    assert (found.user, found.models, found.unread) == ((), (), ())


def test_user_target_and_state_together() -> None:
    found = read(
        'STAR GUILD unit (excluding LANCERS units) that is within 7" of a friendly PSYKER model; '
        "that targets a MONSTER unit; if your unit Remained Stationary this turn"
    )
    assert [(test.any_of, test.none_of) for test in found.user] == [(any_of(("STAR GUILD",)), any_of(("LANCERS",)))]
    assert [test.any_of for test in found.target] == [any_of(("MONSTER",))]
    assert found.assumed == (
        'STAR GUILD unit (excluding LANCERS units) that is within 7" of a friendly PSYKER model',
        "if your unit Remained Stationary this turn",
    )


def test_exclusion_behind_the_army_belongs_to_the_unit_before_it() -> None:
    (test,) = read("a STAR GUILD model from your army (excluding LANCERS models)").user
    assert test.meets(keyword_set(["Star Guild", "Infantry"]))
    assert not test.meets(keyword_set(["Star Guild", "Lancers"]))
    assert not test.meets(keyword_set(["Infantry"]))


def test_denied_keyword_excludes() -> None:
    (test,) = read("if your unit does not have the VEHICLE or MONSTER keyword").user
    assert test.meets(keyword_set(["INFANTRY"]))
    assert not test.meets(keyword_set(["INFANTRY", "MONSTER"]))


@pytest.mark.parametrize(
    ("condition", "wanted", "unwanted"),
    [
        ("a SCRIBES model in your unit", any_of(("SCRIBES",)), ()),
        ("melee weapons equipped by non-CHARACTER models in this unit", (), any_of(("CHARACTER",))),
        ("melee weapons equipped by models (excluding CHARACTERS) in your unit", (), any_of(("CHARACTER",))),
    ],
)
def test_only_some_models(
    condition: str, wanted: tuple[frozenset[str], ...], unwanted: tuple[frozenset[str], ...]
) -> None:
    found = read(f"STAR GUILD unit; {condition}")
    assert [(test.any_of, test.none_of) for test in found.models] == [(wanted, unwanted)]
    assert [test.any_of for test in found.user] == [any_of(("STAR GUILD",))]


@pytest.mark.parametrize(
    "condition",
    [
        "While a SCRIBES model is leading this unit",
        "if it disembarked from a TRANSPORT this turn",
        'If your unit is within 7" of one or more friendly OATHSWORN units',
        "just after an enemy unit destroys a SCRIBES model from your army",
        'If a friendly VEHICLE model is destroyed within 7" of this model',
        "While this unit contains one or more PSYKER models",
        "that targets a unit within half range",
        "if the target is on a ridge or your unit has the OATHSWORN keyword",
    ],
)
def test_names_by_the_way_are_assumed_with_their_clause(condition: str) -> None:
    assert read(condition) == Circumstances(assumed=(condition,))


@pytest.mark.parametrize(
    "condition",
    [None, "in this phase", "unit that has yet to shoot in this phase", "that targets that enemy unit",
     "all ranged weapons of models in your unit"],
)  # fmt: skip
def test_what_says_nothing_is_left_out(condition: str | None) -> None:
    assert read(condition) == Circumstances()


@pytest.mark.parametrize(
    ("condition", "weapons"),
    [
        ("Torrent weapons equipped by models in your unit", "Torrent weapons"),
        ("ranged weapons (excluding Blast weapons) equipped by models in your unit",
         "ranged weapons (excluding Blast weapons)"),
        ("all [HEAVY] weapons equipped by models in this unit", "[heavy] weapons"),
        ("ash rifles, ash pistols and flares equipped by models in your unit", "ash rifles, ash pistols and flares"),
        ("one ember lance equipped by the bearer; that weapon", "one ember lance"),
        ("this model’s ember lance", "ember lance"),
        ("with its ember lance that targets a VEHICLE unit", "ember lance"),
        ("against Psychic Attacks", "Psychic weapons"),
        ("melee weapons equipped by models in your unit; such weapons", None),
    ],
)  # fmt: skip
def test_weapons(condition: str, weapons: str | None) -> None:
    found = read(condition)
    assert (found.weapons, found.unread, found.assumed) == (weapons, (), ())


@pytest.mark.parametrize(
    ("condition", "test"),
    [
        ("if the Strength characteristic of that attack is greater than the Toughness characteristic of your unit",
         AttackTest("S", ">", "T")),
        ("if the Strength characteristic of that attack is less than or equal to that unit’s Toughness characteristic",
         AttackTest("S", "<=", "T")),
        ("it whose Strength is greater than its Toughness", AttackTest("S", ">", "T")),
        ("with a Damage characteristic of 1", AttackTest("D", "=", 1)),
        ("with a Strength characteristic of 5 or less", AttackTest("S", "<=", 5)),
    ],
)  # fmt: skip
def test_characteristics_of_the_attack(condition: str, test: AttackTest) -> None:
    assert read(condition) == Circumstances(attack=(test,))


@pytest.mark.parametrize(
    "condition",
    [
        "on a Critical Wound",
        "such a weapon",
        "If this model is equipped with two axes",
        "Bodyguard models in that unit",
        "a Lamp Bearer model in this unit",
        "If your unit has an unmodified Toughness characteristic of 6 or less",
        "SCRIBES unit and one LANCERS unit",
        "each time a PSYKER unit fails that test",
        "against Psychic Attacks and attacks made by MONSTER models",
        "weapons equipped by models in this unit (excluding flares, lamps",
        "OATHSWORN",  # a heading that is a keyword: perhaps for units with it only
        "STAR GUILD " * 400,
    ],
)
def test_limits_in_other_words_are_unread(condition: str) -> None:
    found = read(condition)
    assert found.unread
    assert (found.user, found.target, found.assumed) == ((), (), ())


def test_words_that_are_no_keywords_are_met_by_nothing_and_said() -> None:
    found = read("LANCERS or FABLED LANCERS unit; that targets a unit (excluding GHOST units)")
    lancers, ghosts = found.user[0], found.target[0]
    assert lancers.meets(keyword_set(["LANCERS"]))
    assert not lancers.meets(keyword_set(["FABLED LANCER"]))
    assert not ghosts.meets(keyword_set(["MONSTER"]))
    assert found.unknown == ("FABLED LANCERS", "GHOST")


def test_units_selected_besides_the_one_it_is_used_on_gain_by_it() -> None:
    found = read('SCRIBES unit; one friendly LANCERS unit within 7" of your unit')
    assert [test.any_of for test in found.user] == [any_of(("LANCERS",))]


def test_when_names_the_user_only_where_target_does_not() -> None:
    found = read("just after a SCRIBES unit from your army ends a Charge move; LANCERS unit")
    assert [test.any_of for test in found.user] == [any_of(("LANCERS",))]


def test_units_used_together_each_gain() -> None:
    found = read("SCRIBES unit and one LANCERS unit; a model in either of your units")
    assert [test.any_of for test in found.user] == [any_of(("SCRIBES",), ("LANCERS",))]


@pytest.mark.parametrize(
    ("condition", "option", "one_of"),
    [
        ("if chosen: Select one of the following:; option 2", "option 2", None),
        ("if chosen: Select one of the chants below.; Chant of Embers; option 3", "Chant of Embers", None),
        ("if chosen: Chants: Select one of these:; Chants; option 3", "Chants; option 3", None),
        ("one of: [LANCE] or [HEAVY]", None, "one of: [LANCE] or [HEAVY]"),
    ],
)
def test_options(condition: str, option: str | None, one_of: str | None) -> None:
    found = read(condition)
    assert (found.option, found.one_of, found.unread) == (option, one_of, ())


def test_bullets_under_one_heading_hold_together_unless_the_heading_names_the_choice() -> None:
    below = [read(f"if chosen: Select a chant.; Chant of Embers; option {n}").option for n in (1, 2)]
    apart = [read(f"if chosen: Chants: Select one:; Chants; option {n}").option for n in (1, 2)]
    assert below[0] == below[1]
    assert apart[0] != apart[1]


def test_die_and_overwatch() -> None:
    found = read("STAR GUILD unit; while firing Overwatch; on a 4+")
    assert (found.on_roll, found.in_overwatch, found.assumed) == ("4+", True, ())


@pytest.mark.parametrize(
    ("text", "wanted", "unwanted"),
    [
        ("STAR GUILD INFANTRY model only.", any_of(("STAR GUILD", "INFANTRY")), ()),
        ("SCRIBES or PSYKER model only.", any_of(("SCRIBES",), ("PSYKER",)), ()),
        ("STAR GUILD model only (excluding MOUNTED models).", any_of(("STAR GUILD",)), any_of(("MOUNTED",))),
        ("STAR GUILD model (excluding MOUNTED models) only.", any_of(("STAR GUILD",)), any_of(("MOUNTED",))),
        ("Môrn the Elder only.", any_of(("MÔRN THE ELDER",)), ()),
    ],
)
def test_bearers(text: str, wanted: tuple[frozenset[str], ...], unwanted: tuple[frozenset[str], ...]) -> None:
    assert enhancement_bearers(text, VOCABULARY) == KeywordTest(wanted, unwanted)


@pytest.mark.parametrize("text", [None, "", "model only.", "SCRIBES model with the Deep Strike ability only."])
def test_bearers_that_are_not_understood(text: str | None) -> None:
    assert enhancement_bearers(text, VOCABULARY) is None


def test_names_are_looked_for_up_to_a_number_of_words() -> None:
    """So that a page of capitals costs words, not the cube of words."""
    short, long = (" ".join(["QUARTZ"] * number) for number in (12, 13))
    known = keyword_set([short, long])
    assert split(short, known) == keyword_set([short])
    assert split(long, known) is None


@pytest.mark.parametrize(
    ("clause", "leads"),
    [
        ("While this model is leading a unit", True),
        ("While the bearer leads a PIPERS unit", True),
        ("while it is attached to a unit", True),
        ("a Leadership characteristic of 5+", False),
        ("While it is misled", False),
        ("if a CHARACTER is leading this unit", False),
        ("While a PIPER model is leading this model’s unit", False),
        ("While this unit is led by a CHARACTER", False),
    ],
)
def test_leading(clause: str, leads: bool) -> None:
    assert is_of_leading(clause) is leads


@pytest.mark.parametrize(
    ("clause", "any_of"),
    [
        ("While a CHARACTER leads your unit", {frozenset({"character"})}),
        ("If a PIPERS CHARACTER is leading your unit", {frozenset({"piper", "character"})}),
        ("while a friendly Tech-Priest model is leading this model’s unit", {frozenset({"tech priest"})}),
        ("While a CHARACTER or HERO model is leading this unit", {frozenset({"character"}), frozenset({"hero"})}),
        ("While this unit is led by a HERO", {frozenset({"hero"})}),
        ("While a Nobody Known is leading this unit", set()),
        ("PIPERS Attached unit", set()),
    ],
)
def test_a_unit_is_led_by_whom_a_clause_names(clause: str, any_of: set[frozenset[str]]) -> None:
    known = keyword_set(["CHARACTER", "PIPERS", "HERO", "TECH-PRIEST"])
    found = led_by(clause, known)
    assert found is not None
    assert set(found.any_of) == any_of


@pytest.mark.parametrize(
    "clause",
    [
        "While this model is leading a unit",
        "If this unit has ten models, or if a CHARACTER is leading this unit",
        "While a CHARACTER is leading this unit or it stood still",
        "excluding units that are not part of an Attached unit",
        "PIPERS unit",
    ],
)
def test_no_leader_is_asked_for(clause: str) -> None:
    assert led_by(clause, keyword_set(["CHARACTER", "PIPERS"])) is None


def test_an_attached_unit_is_taken_to_be_one() -> None:
    known = keyword_set(["PIPERS"])
    assert circumstances("PIPERS Attached unit", vocabulary=known).assumed == ("PIPERS Attached unit",)
    assert circumstances("PIPERS unit", vocabulary=known).assumed == ()
