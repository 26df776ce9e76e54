"""Which abilities are one, though they are worded differently."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.worth.sources import Source, read_sources
from pipelines.worth.wordings import one_of_each

from .world import HOME, Row, effect, rule, stratagem, unit, world

LEADING = "While this model is leading a unit"


def joined(*rules: Row, **tables: Any) -> list[Source]:
    """Sources of abilities, each of the unit of its id."""
    units = [
        unit(row["source_id"], abilities=[("datasheet", row["name"], row["source_id"], row["source_id"])])
        for row in rules
    ]
    return one_of_each(read_sources(world(units, text_coverage=rules, **tables)))


def song(key: str, condition: str | None, value: str = "+1", **changes: Any) -> Row:
    """An ability named Song with one effect."""
    return rule(key, effect("roll_mod", "hit", value, condition=condition)) | {"name": "Song"} | changes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("if it charged", "If it Charged."),
        (f"{LEADING}", "While the bearer is leading a unit"),
        ('within 6" of Glory’s gate', "within 6\" of GLORY'S gate"),
    ],
)
def test_the_same_in_other_words_is_one_ability_of_all_that_have_it(one: str, other: str) -> None:
    [source] = joined(song("a", one), song("b", other), song("c", one))
    assert (source.key, source.owners) == ("a", ("a", "b", "c"))


@pytest.mark.parametrize(
    "changes",
    [{"name": "Hymn"}, {"edition": "11e"}, {"faction": "Moon Guild"}, {"kind": "faction_rule"}],
)
def test_of_another_name_edition_or_faction_is_another(changes: Row) -> None:
    kind = {"source_kind": changes.pop("kind")} if "kind" in changes else {}
    found = joined(song("a", None), song("b", None) | changes | kind)
    assert [source.key for source in found] == ["a", "b"]


def test_what_does_something_else_is_another() -> None:
    found = joined(song("a", None), song("b", None, "-1"), song("c", "if it charged"))
    assert [(source.key, source.owners) for source in found] == [("a", ("a",)), ("b", ("b",)), ("c", ("c",))]


def test_of_what_is_left_out_nobody_knows_whether_it_is_the_same() -> None:
    unread = {"status": "partly", "clause": "not read: a verse"}
    found = joined(song("a", None, **unread), song("b", None, **unread))
    assert [source.key for source in found] == ["a", "b"]


def test_each_detachment_keeps_its_own_stratagem() -> None:
    drums = {"detachment_id": "away", "name": "Away", "faction": "Star Guild", "edition": "10e"}
    tune = effect("roll_mod", "hit", "+1")
    found = joined(
        detachments=[HOME, drums],
        stratagems=[
            stratagem("tune", tune),
            stratagem("tune", tune, detachment_id="away", stratagem_id="tune of another"),
        ],
    )
    assert [(source.key, source.detachment_id) for source in found] == [("tune", "home"), ("tune of another", "away")]
