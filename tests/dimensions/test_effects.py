"""Rows of effects and of how far texts were read."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import polars as pl
import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.records import DetachmentRule, Enhancement, RuleBlock, Stratagem, UnitAbility
from tests.builders import datasheet, document
from warehouse.schema import tables

MARCHING = "Each time a unit from your army makes an attack, add 1 to the Hit roll."
WOUNDS = "Add 1 to the bearer’s Wounds characteristic."
GUARDED = UnitAbility(
    "datasheet", "Guarded", text="Each time an attack targets this unit, subtract 1 from the Hit roll."
)
BARE = UnitAbility("core", "Stealth")


def stratagem(name: str, effect: str | None, limits: str | None = None) -> Stratagem:
    return Stratagem(name, 1, "Drummers", "Wargear", False, "Fight phase.", "One unit.", effect, limits)


@pytest.fixture(scope="module")
def frames() -> dict[str, pl.DataFrame]:
    sheets = (
        datasheet("Drums", abilities=(GUARDED, BARE)),
        datasheet("Fifes", abilities=(GUARDED, UnitAbility("wargear", "Glad", text="Be glad."))),
    )
    one = replace(
        document(*sheets),
        stratagems=(
            stratagem("SAVE", "Models in your unit have a 4+ invulnerable save."),
            stratagem("SWAP", "Swap the dice of a Hit roll.", "Models in your unit are glad."),
            stratagem("LOST", None),
        ),
        enhancements=(Enhancement("Drumstick", 10, "Drummers", description=WOUNDS),),
        detachment_rules=(DetachmentRule("Beat", "Drummers", "You can re-roll Charge rolls."),),
        rules=(
            RuleBlock("March", "faction_rule", MARCHING, 1, 2),
            RuleBlock("Turns", "core_rule", MARCHING, 3, 4),
        ),
    )  # fmt: skip
    return dict(assemble([one]).frames)


def test_each_text_has_one_row_of_coverage(frames: dict[str, pl.DataFrame]) -> None:
    found = frames["text_coverage"].sort("source_kind", "name")
    assert found.select("source_kind", "name", "status").rows() == [
        ("ability", "Glad", "not_about_damage"),
        ("ability", "Guarded", "modelled"),
        ("detachment_rule", "Beat", "not_about_damage"),
        ("enhancement", "Drumstick", "modelled"),
        ("faction_rule", "March", "modelled"),
        ("stratagem", "LOST", "no_text"),
        ("stratagem", "SAVE", "modelled"),
        ("stratagem", "SWAP", "not_modelled"),
    ]
    assert found.filter(pl.col("name") == "SWAP")["clause"].to_list() == ["not read: Swap the dice of a Hit roll."]
    assert set(found["source_id"]) == set(frames["modifiers"]["source_id"])


def test_rows_say_whose_text_they_are_of(frames: dict[str, pl.DataFrame]) -> None:
    kinds = {
        "stratagem": ("stratagems", "stratagem_id"), "enhancement": ("enhancements", "enhancement_id"),
        "detachment_rule": ("detachment_rules", "detachment_rule_id"), "faction_rule": ("rules", "rule_id"),
        "ability": ("unit_abilities", "ability_id"),
    }  # fmt: skip
    for kind, (table, key) in kinds.items():
        of_kind = set(frames["modifiers"].filter(pl.col("source_kind") == kind)["source_id"])
        assert of_kind
        assert of_kind <= set(frames[table][key])


def test_units_share_the_row_of_an_equal_ability(frames: dict[str, pl.DataFrame]) -> None:
    abilities = frames["unit_abilities"].sort("unit_id", "position")
    ids = dict(abilities.group_by("name").agg(pl.col("ability_id").n_unique()).rows())
    assert ids == {"Guarded": 1, "Stealth": 1, "Glad": 1}
    assert abilities.filter(pl.col("name") == "Stealth")["ability_id"].to_list() == [None]


def test_shares_by_kind_and_faction(frames: dict[str, pl.DataFrame]) -> None:
    view = tables()["text_coverage_shares"].view
    assert view is not None
    with duckdb.connect() as connection:
        connection.register("text_coverage", frames["text_coverage"])
        shares = connection.sql(view).pl()
    row = shares.filter(source_kind="stratagem").to_dicts()[0]
    assert (row["texts"], row["about_damage"], row["modelled"], row["no_text"], row["share_modelled"]) == (
        3,
        2,
        1,
        1,
        0.5,
    )
    rule = shares.filter(source_kind="detachment_rule").to_dicts()[0]
    assert (rule["about_damage"], rule["share_modelled"]) == (0, None)
    assert shares["faction"].null_count() == 0
