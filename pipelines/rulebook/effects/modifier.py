"""The record of one effect. Belongs here: its fields and their closed lists. Doesn't: reading it from a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["attacker", "defender", "either"]
Phase = Literal["shooting", "fight", "any"]
AttackScope = Literal["ranged", "melee", "any"]
Scope = Literal["bearer", "model", "unit", "aura", "army", "enemy"]
Duration = Literal["attacks", "phase", "turn", "battle_round", "next_turn", "battle"]
Operation = Literal[
    "reroll", "roll_mod", "stat_mod", "grant_kw", "crit", "hit_only_on", "ignore_modifiers", "invuln", "feel_no_pain",
    "damage_reduction", "cover", "mortal_wounds", "extra_activation", "allocation",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Modifier:
    """One effect. ``operation`` is None where nothing was read; ``note`` then says why.

    ``side``: who gains by it in an attack. ``scope``: whose dice or numbers change (one model, the unit, friendly units
    around it, all units of a kind, an enemy unit). ``duration`` None: as long as its condition holds.
    """

    side: Side | None
    phase: Phase
    attack_type: AttackScope
    condition: str | None
    operation: Operation | None
    characteristic: str | None
    value: str | None
    is_modelled: bool
    note: str | None = None
    scope: Scope | None = None
    duration: Duration | None = None
