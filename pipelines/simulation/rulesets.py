"""The parameters in which editions of the game differ, as one record.

Belongs here: the meaning of each parameter and reading it from a mapping. Doesn't: the values (the warehouse
folder states them, callers load it), nor how a parameter acts on an attack (``effective``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One edition's attack sequence. Optional integers: None means that the rule doesn't exist.

    - ``cover_effect``: Benefit of Cover betters the ``save`` by 1 or worsens the attack's ``skill`` by 1.
    - ``cover_denied_save``: saves of this value or better get no cover against AP 0.
    - ``stealth_effect``: Stealth is -1 to the ``hit_roll``, or gives ``cover``.
    - ``hit_modifier_cap``, ``wound_modifier_cap``: the sum of modifiers is held to ± this.
    - ``save_total_cap``: AP, cover and other modifiers together never better a save by more than this.
    - ``save_modifier_cap``: modifiers of the save roll, without AP, are held to ± this.
    - ``lethal_hits_optional``: the attacker may roll to wound instead.
    - ``attacks_minimum_first``: A with its bonus is at least 1, before Rapid Fire, Blast and Cleave are added.
    - ``damage_additions_halved``: additions to Damage come before its division, not after.
    - ``devastating_reduced``: the target's reductions of Damage act on Devastating Wounds too.
    - ``hazardous_failing_rolls``: a Hazardous test of this or less fails; ``hazardous_wounds``: mortal wounds of a
      failed test; ``hazardous_wounds_large``: the same where all models have one of ``hazardous_large_keywords``.
    - ``indirect_hit_modifier``, ``indirect_failing_rolls``, ``indirect_failing_rolls_spotted``, ``indirect_rerolls``:
      Indirect Fire at a target that is not visible; unmodified rolls up to the second (third: unit stationary and
      target spotted) fail, hit re-rolls allowed or not. It always gives cover.
    - ``saves_lowest_first``: all saves of a weapon are rolled and resolved from the lowest up; else one by one.
    - ``overwatch_rerolls``: hit re-rolls are allowed in overwatch.
    - ``psychic_drops_penalties``: a Psychic attack drops what worsens its skill or hit roll.
    - ``plunging_fire_skill``: by how much plunging fire betters the skill.
    - ``has_ability_values``: Blast X, Cleave X and the other additions of the 11th edition can be stated.
    """

    name: str
    cover_effect: str
    stealth_effect: str
    hit_modifier_cap: int
    wound_modifier_cap: int
    lethal_hits_optional: bool
    attacks_minimum_first: bool
    damage_additions_halved: bool
    devastating_reduced: bool
    hazardous_failing_rolls: int
    hazardous_wounds: int
    hazardous_wounds_large: int
    hazardous_large_keywords: tuple[str, ...]
    indirect_hit_modifier: int
    indirect_failing_rolls: int
    indirect_failing_rolls_spotted: int
    indirect_rerolls: bool
    saves_lowest_first: bool
    overwatch_rerolls: bool
    psychic_drops_penalties: bool
    plunging_fire_skill: int
    has_ability_values: bool
    cover_denied_save: int | None = None
    save_total_cap: int | None = None
    save_modifier_cap: int | None = None

    @classmethod
    def from_mapping(cls, name: str, values: Mapping[str, Any]) -> RuleSet:
        """Build a rule set from plain values, lists standing for tuples.

        Raises ValueError that names the parameter when one is missing, unknown or of the wrong type.
        """
        fields = {field.name: field for field in dataclasses.fields(cls) if field.name != "name"}
        for key, value in values.items():
            if key not in fields:
                raise ValueError(f"rule set {name!r}: unknown parameter {key!r}")
            expected = str(fields[key].type).split("[")[0].split(" |")[0]
            if type(value).__name__ not in {expected, "list" if expected == "tuple" else expected}:
                raise ValueError(f"rule set {name!r}: parameter {key!r} must be {fields[key].type}, not {value!r}")
        missing = [key for key, field in fields.items() if field.default is dataclasses.MISSING and key not in values]
        if missing:
            raise ValueError(f"rule set {name!r}: parameter {missing[0]!r} is missing")
        for key, allowed in (("cover_effect", ("save", "skill")), ("stealth_effect", ("hit_roll", "cover"))):
            if values[key] not in allowed:
                raise ValueError(f"rule set {name!r}: parameter {key!r} must be one of {allowed}, not {values[key]!r}")
        read: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
        return cls(name=name, **read)

    def replace(self, **changes: Any) -> RuleSet:
        """Give the same rule set with some readings changed."""
        return dataclasses.replace(self, **changes)
