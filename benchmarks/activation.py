"""An activation as somebody with the rules at hand sees it: which faces of each die do what.

Belongs here: reading a matchup of the 10th edition into faces and dice, for the baselines that the engine is compared
with. Doesn't: rolling them (``plain_loop``), their laws (``dice_model``). Nothing of the engine is used but the values
that a matchup was read into; the numbers in brackets are those of the choices in ``docs/how_we_compute.md``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pipelines.dice import NO_DICE, Dice
from pipelines.simulation.matchup import Matchup

FACES = frozenset(range(1, 7))
_NONE = 7
"""No die shows it: a save or a Feel No Pain that isn't there."""


class NotCoveredError(ValueError):
    """These plain rules, or a peer's interface, have no words for a matchup."""


class Roll(NamedTuple):
    """A die: the faces that succeed, those of them that are critical, those that are rolled again once."""

    success: frozenset[int]
    critical: frozenset[int]
    again: frozenset[int]


class Activation(NamedTuple):
    """What is rolled. ``hit`` None: all attacks hit. Each weapon has ``attacks`` + ``more`` + ``bonus``, at least 1.

    ``saved``: faces that save. ``half``, ``add``, ``minus`` change Damage. Feel No Pain: 7 = none.
    """

    firing: int
    attacks: Dice
    more: Dice
    bonus: int
    hit: Roll | None
    sustained: Dice
    lethal: bool
    wound: Roll
    devastating: bool
    saved: frozenset[int]
    damage: Dice
    melta: Dice
    half: bool
    add: int
    minus: int
    fnp: int
    fnp_devastating: int
    wounds: int
    models: int

    def points(self, damage: int, melta: int) -> int:
        """Give the Damage of one attack from its dice (8): halved, added to, less ``minus``, rounded up, at least 1."""
        twice = max(damage, 1) * (1 if self.half else 2)
        return max(1, (twice + 2 * (melta + self.add - self.minus) + 1) // 2)


def read(matchup: Matchup) -> Activation:
    """Read a matchup. Raises NotCoveredError for what these rules leave out."""
    _check(matchup)
    weapon, attacker, target, context = matchup.weapon, matchup.attacker, matchup.target, matchup.context
    near = context.half_range and not weapon.melee
    fnp = target.fnp_melee if weapon.melee else target.fnp_ranged
    return Activation(
        firing=matchup.models_firing,
        attacks=weapon.attacks,
        more=weapon.rapid_fire if near else NO_DICE,
        bonus=attacker.attacks_bonus + (target.models // 5 if weapon.blast else 0),
        hit=_hit(matchup),
        sustained=weapon.sustained_hits,
        lethal=weapon.lethal_hits,
        wound=_wound(matchup),
        devastating=weapon.devastating_wounds,
        saved=_saved(matchup),
        damage=weapon.damage,
        melta=weapon.melta if near else NO_DICE,
        half=bool(target.damage_half),
        add=attacker.damage_bonus,
        minus=target.damage_minus,
        fnp=fnp,
        fnp_devastating=min(fnp, target.fnp_devastating),
        wounds=target.wounds,
        models=target.models,
    )


def _check(matchup: Matchup) -> None:
    weapon, attacker, target = matchup.weapon, matchup.attacker, matchup.target
    left_out = {
        "another edition": matchup.rules.name != "10e",
        "models that differ": bool(target.groups),
        "attacks that are ignored": bool(target.ignored_failed_saves or target.ignored_attacks),
        "single re-rolls": bool(attacker.reroll_one) or attacker.damage_reroll != "none",
        "Strength with dice": bool(weapon.strength.rolled),
        "Conversion": weapon.conversion and matchup.context.long_range,
        "critical only if successful": attacker.crit_hit_only_if_successful or attacker.crit_wound_only_if_successful,
        "a target that the weapon can't attack": not weapon.may_target,
    }
    for what, there in left_out.items():
        if there:
            raise NotCoveredError(what)


def _roll(succeeds: Callable[[int], bool], critical_from: int, reroll: str) -> Roll:
    success = frozenset(filter(succeeds, FACES))
    critical = frozenset(face for face in success if face >= critical_from)
    again = {"none": frozenset[int](), "ones": frozenset({1}), "failed": FACES - success, "noncrit": FACES - critical}
    return Roll(success, critical, again[reroll])


def _hit(matchup: Matchup) -> Roll | None:
    """Read the hit roll (4, 5, 11 to 13)."""
    weapon, attacker, target, context = matchup.weapon, matchup.attacker, matchup.target, matchup.context
    if weapon.torrent or weapon.skill is None:
        return None
    skill, critical = weapon.skill, attacker.crit_hit
    change = attacker.hit_mod + target.hit_mod - attacker.damaged
    if not weapon.melee:
        unseen = weapon.indirect_fire and not context.visible
        change += (weapon.heavy and context.stationary) - bool(target.stealth) - unseen
        if context.overwatch:
            return _roll(lambda face: face == 6, 6, attacker.hit_reroll)
    change = min(1, max(-1, change))
    return _roll(lambda face: _passes(face, change, skill, critical), critical, attacker.hit_reroll)


def _wound(matchup: Matchup) -> Roll:
    """Read the wound roll (4, 5, 16, 17)."""
    weapon, attacker, target = matchup.weapon, matchup.attacker, matchup.target
    strength, toughness = max(1, weapon.strength.plus + attacker.strength_bonus), target.toughness
    if strength >= 2 * toughness:
        needed = 2
    elif 2 * strength <= toughness:
        needed = 6
    else:
        needed = 4 + (strength < toughness) - (strength > toughness)
    change = attacker.wound_mod + target.wound_mod + (weapon.lance and matchup.context.charged)
    change = min(1, max(-1, change - (bool(target.wound_minus_if_stronger) and strength > toughness)))
    critical = min(attacker.crit_wound, weapon.anti)
    twin = weapon.twin_linked and attacker.wound_reroll != "noncrit"
    reroll = "failed" if twin else attacker.wound_reroll
    return _roll(lambda face: _passes(face, change, needed, critical), critical, reroll)


def _passes(face: int, change: int, needed: int, critical: int) -> bool:
    return face != 1 and (face == 6 or face >= critical or face + change >= needed)


def _saved(matchup: Matchup) -> frozenset[int]:
    """Read the faces that save, by armour or by invulnerable save (5 to 7)."""
    weapon, target, context = matchup.weapon, matchup.target, matchup.context
    penetration = min(0, weapon.armour_penetration - matchup.attacker.ap_improve + target.ap_worsen)
    unseen = weapon.indirect_fire and not context.visible
    sheltered = not weapon.melee and not weapon.ignores_cover and (context.cover or unseen)
    cover = sheltered and not (target.save <= 3 and penetration == 0)
    armour_change, field_change = min(1, penetration + cover + target.save_mod), min(1, target.save_mod)
    invulnerable = target.invulnerable_melee if weapon.melee else target.invulnerable_ranged

    def saves(face: int) -> bool:
        by_armour = target.save < _NONE and face + armour_change >= target.save
        return face != 1 and (by_armour or (invulnerable < _NONE and face + field_change >= invulnerable))

    return frozenset(filter(saves, FACES))
