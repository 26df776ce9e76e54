"""The expectation of one matchup as a plain Python function computes it: the baseline of the engine's closed form.

Belongs here: that function, from the same effective rows on as the engine's, with all of their abilities. Doesn't:
measuring (``scale``). Nothing of the engine is used but those rows.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from pipelines.simulation.effective import REROLLS, Attack, Target

Law = tuple[int, tuple[int, ...]]
"""Lowest value, and the ways to get it and each higher one."""


def expectation(a: Attack, t: Target) -> tuple[float, float]:
    """Give expected unsaved attacks and damage before overkill. Where Lethal Hits are a choice, they wound."""
    fives = t.models // 5
    attacks = _mean(a.attacks_floored, lambda n: max(1, n + a.per_five_floored * fives))
    attacks += _mean(a.attacks_added) + a.per_five_added * fives
    hit, critical = (1.0, 0.0) if a.auto_hit else _hits(a, t)
    lowest, ways = a.strength
    wound, critical_wound = _wounds(a, t, lowest)
    if len(ways) > 1:
        rolls = [_wounds(a, t, lowest + number) for number in range(len(ways))]
        wound, critical_wound = (
            sum(each * weight for each, weight in zip(chances, ways, strict=True)) / sum(ways)
            for chances in zip(*rolls, strict=True)
        )
    wound_rolls = hit + critical * (_mean(a.sustained) + (not a.lethal))
    automatic = critical if a.lethal else 0.0
    devastating = wound_rolls * critical_wound if a.devastating else 0.0
    unsaved = (wound_rolls * (wound + critical_wound) - devastating + automatic) * _unsaved(a, t)
    fnp = t.fnp_melee if a.melee else t.fnp_ranged
    damage = unsaved * _damage(a, t, reduced=True) * min(fnp - 1, 6) / 6
    if devastating:
        last = min(fnp, t.fnp_devastating)
        damage += devastating * _damage(a, t, reduced=bool(a.devastating_reduced)) * min(last - 1, 6) / 6
    return attacks * (unsaved + devastating), attacks * damage


def _mean(law: Law, of: Callable[[int], float] = float) -> float:
    lowest, ways = law
    if len(ways) == 1:
        return of(lowest)
    return sum(of(lowest + i) * weight for i, weight in enumerate(ways)) / sum(ways)


def _hits(a: Attack, t: Target) -> tuple[float, float]:
    skill, own = (a.skill_stealth, a.hit_mod_stealth) if t.stealth else (a.skill, a.hit_mod)
    change = own + (max(t.hit_mod, 0) if a.drops_target_hit_mod else t.hit_mod)
    change = max(-a.hit_cap, min(a.hit_cap, change))
    needed = max(a.lowest_hit_roll, min(a.crit_hit, skill - change))
    return _die(needed, min(a.crit_hit, max(needed, a.crit_hit_if_success)), REROLLS[a.hit_reroll])


def _wounds(a: Attack, t: Target, strength: int) -> tuple[float, float]:
    if strength >= 2 * t.toughness:
        needed = 2
    elif strength > t.toughness:
        needed = 3
    elif strength == t.toughness:
        needed = 4
    else:
        needed = 5 if 2 * strength > t.toughness else 6
    change = a.wound_mod + t.wound_mod - (t.wound_minus_if_stronger and strength > t.toughness)
    change = max(-a.wound_cap, min(a.wound_cap, change))
    needed = max(2, min(a.crit_wound, needed - change))
    return _die(needed, min(a.crit_wound, max(needed, a.crit_wound_if_success)), REROLLS[a.wound_reroll])


def _die(needed: int, critical: int, reroll: str) -> tuple[float, float]:
    """Give the chances of a plain and of a critical success of a die that succeeds from ``needed`` on."""
    best = max(0, 7 - critical)
    plain = max(0, 7 - needed - best)
    again = {"none": 0, "ones": 1, "failed": 6 - plain - best, "noncrit": 6 - best}[reroll]
    kept = 0 if reroll == "noncrit" else plain
    return (kept + again * plain / 6) / 6, (best + again * best / 6) / 6


def _unsaved(a: Attack, t: Target) -> float:
    penetration = min(0, a.armour_penetration + t.ap_worsen)
    cover = a.save_cover and not (t.save <= a.cover_denied_save and penetration == 0)
    own = max(-a.save_modifier_cap, min(a.save_modifier_cap, t.save_mod))
    armour = t.save - min(a.save_total_cap, penetration + bool(cover) + own) if t.save <= 6 else 7
    field = t.invulnerable_melee if a.melee else t.invulnerable_ranged
    if field <= 6:
        armour = min(armour, field - min(a.save_total_cap, own))
    return (6 - max(0, min(5, 7 - armour))) / 6


def _damage(a: Attack, t: Target, *, reduced: bool) -> float:
    half, minus = (t.damage_half, t.damage_minus) if reduced else (0, 0)

    def points(rolled: int) -> float:
        return _mean(a.damage_added, lambda more: max(1, (ceil(rolled / 2) if half else rolled) + more - minus))

    return _mean(a.damage_divided, points)
