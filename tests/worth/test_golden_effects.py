"""The real dumps' rules, as the pipeline reads them, give the exact values worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from pipelines.dimensions.assemble import assemble
from pipelines.engine_frames import declared_rulesets, weapon_frame
from pipelines.ingest import ingest
from pipelines.outcome_cache import OutcomeCache
from pipelines.worth.applied import NOTHING, Effect, target_columns, together
from pipelines.worth.attacks import Base, attacks_with
from pipelines.worth.sources import Source, read_sources, ways

from .world import archetype

CANNON, SHOTGUN = ("HYLas rotary cannon", "2"), ("Bolt shotgun", "1")
"""Name and Damage: the dumps differ in that of the cannon."""
POWER_ARMOUR = archetype("t4", save=3, edition=None)
TANK = archetype("t10", toughness=10, save=3)

SPENT = "If you spent YP during this use of this Stratagem"
VECTORS = [
    ("HUNTR’S MARK", None, CANNON, POWER_ARMOUR, Fraction(49, 27)),
    ("ANCESTRAL SENTENCE", SPENT, CANNON, POWER_ARMOUR, Fraction(5, 3)),
    ("Prioritised Efficiency", "Hostile Acquisition", CANNON, POWER_ARMOUR, Fraction(5, 3)),
    ("RANGER TACTICS", None, CANNON, POWER_ARMOUR, Fraction(2)),
    ("EXPOSED FLAWS", None, CANNON, POWER_ARMOUR, Fraction(16, 9)),
    ("VOID HARDENED", None, CANNON, POWER_ARMOUR, Fraction(8, 9)),
    ("WEAVEWËRKE BUTTRESS", None, CANNON, POWER_ARMOUR, Fraction(1)),
    ("GO TO GROUND", None, CANNON, POWER_ARMOUR, Fraction(8, 9)),
    ("DISPERSED FORMATION", None, CANNON, POWER_ARMOUR, Fraction(2, 3)),
    ("SKEINWROUGHT PHYSIOLOGY", None, CANNON, POWER_ARMOUR, Fraction(8, 9)),
    ("PAN-SPECTRAL SWEEP", None, SHOTGUN, TANK, Fraction(4, 27)),
]
"""Rule, start of the label of its way, weapon, target, expected unsaved attacks."""

COMPARED = {
    "HUNTR’S MARK", "ANCESTRAL SENTENCE", "RANGER TACTICS", "EXPOSED FLAWS", "ILLUMINATED PRIORITY",
    "SUPERIOR CRAFTSMANSHIP", "HONOUR OF THE HOLD", "PAYMENT IN KIND", "PAN-SPECTRAL SWEEP", "WEAVEWËRKE BUTTRESS",
    "VOID HARDENED", "GO TO GROUND", "DISPERSED FORMATION", "SKEINWROUGHT PHYSIOLOGY",
    "Bastion Shield", "Oathbound Speculator", "Iron Ambassador", "Piledriver", "Trivärg Cyber Implant",
    "Methodical Annihilation", "Mobile Sensor Relays",
}  # fmt: skip
NOT_COMPARED = {
    "EPIC CHALLENGE": "the ability precision is not compared",
    "FIRE OVERWATCH": "hits only on 6 is not compared",
    "COMMAND RE-ROLL": "re-roll hit: one die is not compared",
    "Quake Supervisor": "not understood: one of those ARTILLERY units",
    "Optimal Application": "unknown keyword: BRÔKHYR",
}
"""Of the 17 stratagems, 6 enhancements and 3 detachment rules that change an attack; with the start of a reason."""


@pytest.fixture(scope="module")
def dumps(shared_dir: Path) -> Mapping[str, pl.DataFrame]:
    return assemble(ingest([shared_dir / "dumps"], community_data=False)).frames


def by_name(dumps: Mapping[str, pl.DataFrame]) -> dict[str, list[Source]]:
    found: dict[str, list[Source]] = {}
    for source in read_sources(dumps):
        found.setdefault(source.name, []).append(source)
    return found


@pytest.mark.parametrize(("rule", "label", "weapon", "target", "unsaved"), VECTORS, ids=[row[0] for row in VECTORS])
def test_exact_values(
    dumps: Mapping[str, pl.DataFrame],
    rule: str,
    label: str | None,
    weapon: tuple[str, str],
    target: dict[str, object],
    unsaved: Fraction,
) -> None:
    found = [way for source in by_name(dumps)[rule] for way in ways(source)]
    [way] = [each for each in found if (each.label or "").startswith(label or "") and (label or each.label is None)]
    made = together((each.effect for each in way.held), of_one_source=True)
    assert attacked(dumps, weapon, target, made) == pytest.approx(float(unsaved * int(weapon[1])), abs=1e-9)


def attacked(
    dumps: Mapping[str, pl.DataFrame], weapon: tuple[str, str], target: dict[str, object], made: Effect
) -> float:
    """Expected damage of one weapon of the dumps at a target that it can't destroy, both with an effect."""
    profiles = dumps["weapon_profiles"]
    [weapon_id] = profiles.filter((pl.col("weapon_name") == weapon[0]) & (pl.col("damage") == weapon[1]))[
        "weapon_profile_id"
    ]
    lines = {"activation": [0], "position": [1], "weapon_profile_id": [weapon_id], "count": [1], "die": [None]}
    types = {"activation": pl.Int32, "position": pl.Int32, "die": pl.String, "die_faces": pl.Int64}
    base = Base(pl.DataFrame(), pl.DataFrame(lines | {"die_faces": [None]}, schema_overrides=types))
    row = dict.fromkeys(dumps["targets"].columns) | target
    targets = pl.DataFrame([target_columns(made, row)], schema=dumps["targets"].schema)
    needed = pl.DataFrame({"activation": [0], "effect": [1], "scenario_id": [made.scenarios[1]]}).cast(
        {"activation": pl.Int32, "effect": pl.Int32}
    )
    [outcome] = attacks_with(
        needed, base, [NOTHING, made], weapon_frame(dumps, None), targets, dumps["scenarios"], declared_rulesets(),
        OutcomeCache(None),
    ).to_dicts()  # fmt: skip
    return float(outcome["expected_damage"])


def test_every_rule_that_changes_an_attack_is_compared_or_has_a_reason(dumps: Mapping[str, pl.DataFrame]) -> None:
    found = by_name(dumps)
    assert {name for name in COMPARED if not any(ways(source) for source in found[name])} == set()
    for name, reason in NOT_COMPARED.items():
        for source in found[name]:
            assert ways(source) == []
            assert any(each.startswith(reason) for each in source.left_out), (name, source.left_out)
    assert len(COMPARED) + len(NOT_COMPARED) == 17 + 6 + 3
