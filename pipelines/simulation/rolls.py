"""Attacks by literal dice, from their number to wounds: every rule read from its text anew.

Belongs here: rolling each die, for both editions. Doesn't: saves and damage (``casualties``), how often all is repeated
(``monte_carlo``). Nothing of the exact engine may be used here but the values that a matchup was read into, nor a rule
set's parameters but the readings that a matchup may state: else one mistake could hide in both.

Between two steps a trial is only a count of dice, so all dice of a step lie in one flat array, trial after trial.
Rules: the core rules' attack sequence and the numbered choices of the oracle's schema (1 to 19, E1 to E16),
and A1 to A9 of ``docs/how_we_compute.md``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pipelines.dice import Dice
from pipelines.simulation.matchup import Matchup

Faces = Callable[[int, int], bool]
"""Tells of a variant of the roll and an unmodified face whether it does what is asked."""

_ONE_VARIANT = np.zeros(1, dtype=np.int64)


def roll_number(matchup: Matchup, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Roll the number of attacks (10, 11, E4): at least 1 for each weapon, before or after what is added."""
    weapon, context, firing = matchup.weapon, matchup.context, matchup.models_firing
    if not weapon.may_target:
        return np.zeros(trials, dtype=np.int64)
    apart = firing if weapon.attacks.rolled or weapon.rapid_fire.rolled else 1  # equal numbers need no dice
    number = roll_sum(weapon.attacks, trials * apart, rng) + matchup.attacker.attacks_bonus
    added = np.zeros_like(number)
    if context.half_range and not weapon.melee:
        added += roll_sum(weapon.rapid_fire, trials * apart, rng)
    each_five = matchup.target.models // 5
    if is_later(matchup):
        number = np.maximum(number, 1) + added + (weapon.blast + weapon.cleave) * each_five
    else:
        number = np.maximum(number + added + (each_five if weapon.blast else 0), 1)
    return number.reshape(trials, apart).sum(axis=1) * (firing // apart)


def roll_hits(matchup: Matchup, attacks: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Roll to hit (4, 5, 11 to 13, E1 to E3, E5, E6, E12 to E14)."""
    weapon, attacker, target, context = matchup.weapon, matchup.attacker, matchup.target, matchup.context
    if weapon.torrent or weapon.skill is None:
        return attacks, np.zeros_like(attacks)
    later, ranged = is_later(matchup), not weapon.melee
    unseen = ranged and weapon.indirect_fire and not context.visible
    overwatch = ranged and context.overwatch
    of_roll = [attacker.hit_mod, target.hit_mod, -1 if attacker.damaged else 0]
    of_skill = [attacker.skill_improve]
    if weapon.heavy and ranged and context.stationary:
        of_roll.append(1)
    if later:
        if in_cover(matchup):
            of_skill.append(-1)
        if context.plunging_fire and ranged and context.visible:
            of_skill.append(1)
        if weapon.psychic:
            of_roll = [change for change in of_roll if change > 0]
            of_skill = [change for change in of_skill if change > 0]
    else:
        of_roll += [-1] * (unseen + (ranged and target.stealth))
    skill = min(6, max(2, weapon.skill - sum(of_skill)))
    change = min(1, max(-1, sum(of_roll)))

    misses = 1
    if later and unseen:
        misses = 3 if context.stationary and context.spotted else 5
    if overwatch:
        misses = 5
    no_rerolls = later and (unseen or overwatch)
    sure = 6 if attacker.crit_hit_only_if_successful else attacker.crit_hit
    critical = 4 if weapon.conversion and ranged and context.long_range else 6

    def hits(_: int, face: int) -> bool:
        return face > misses and (face == 6 or face >= sure or face + change >= skill)

    return roll_successes(
        attacks,
        hits,
        lambda _, face: hits(_, face) and face >= min(critical, attacker.crit_hit),
        rng,
        reroll="none" if no_rerolls else attacker.hit_reroll,
        one_more="hit" in attacker.reroll_one and not no_rerolls,
    )


def roll_wounds(matchup: Matchup, hits: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Roll to wound (4, 5, 16, 17, A1, A2); a Strength with dice is rolled for each wound roll."""
    weapon, attacker, target = matchup.weapon, matchup.attacker, matchup.target
    sum_of_changes = attacker.wound_mod + target.wound_mod + (weapon.lance and matchup.context.charged)

    def wounds(strength: int, face: int) -> bool:
        toughness, strength = target.toughness, max(1, strength + attacker.strength_bonus)
        change = min(1, max(-1, sum_of_changes - (target.wound_minus_if_stronger and strength > toughness)))
        return face == 6 or face >= sure or (face != 1 and face + change >= _needed(strength, toughness))

    sure = weapon.anti if attacker.crit_wound_only_if_successful else min(attacker.crit_wound, weapon.anti)
    critical = min(attacker.crit_wound, weapon.anti)
    return roll_successes(
        hits,
        wounds,
        lambda strength, face: wounds(strength, face) and face >= critical,
        rng,
        reroll="failed" if weapon.twin_linked and attacker.wound_reroll != "noncrit" else attacker.wound_reroll,
        one_more="wound" in attacker.reroll_one,
        variants=roll_sum(weapon.strength, int(hits.sum()) if weapon.strength.rolled else 1, rng),
    )


def _needed(strength: int, toughness: int) -> int:
    if strength == toughness:
        return 4
    if strength > toughness:
        return 3 if strength < 2 * toughness else 2
    return 5 if 2 * strength > toughness else 6


def roll_hazardous(matchup: Matchup, trials: int, rng: np.random.Generator) -> np.ndarray:
    """Roll one Hazardous test for each weapon, and give the mortal wounds of each trial (14, E11)."""
    fails, wounds = 1, 3
    if is_later(matchup):
        fails, wounds = 2, 3 if matchup.attacker.keywords & {"MONSTER", "VEHICLE"} else 1
    tests = rng.integers(1, 7, size=(trials, matchup.models_firing), dtype=np.uint8)
    return (tests <= fails).sum(axis=1) * wounds


def in_cover(matchup: Matchup) -> bool:
    """Tell whether the target has the benefit of cover against this weapon (11, 13, E1, E3, E5)."""
    weapon, context = matchup.weapon, matchup.context
    if weapon.melee or weapon.ignores_cover:
        return False
    stealth = is_later(matchup) and bool(matchup.target.stealth)
    return context.cover or stealth or (weapon.indirect_fire and not context.visible)


def is_later(matchup: Matchup) -> bool:
    """Tell whether the 11th edition's rules hold."""
    return matchup.rules.name == "11e"


def roll_successes(
    dice: np.ndarray, succeeds: Faces, critical: Faces, rng: np.random.Generator, *, reroll: str = "none",
    one_more: bool = False, variants: np.ndarray = _ONE_VARIANT,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Roll ``dice[i]`` dice for each trial i; give how many of each are plain and how many critical successes.

    ``one_more``: one failure of each trial that ``reroll`` leaves is re-rolled too. ``variants``: what the two
    functions are told beside the face, one number for all dice or one for each.
    """
    known, variant = np.unique(variants, return_inverse=True)
    tables = [[(int(v), face) for face in range(1, 7)] for v in known]
    criticals = np.array([critical(*each) for table in tables for each in table], dtype=bool)
    plain = np.array([succeeds(*each) for table in tables for each in table], dtype=bool) & ~criticals
    again = {
        "none": np.zeros_like(plain),
        "ones": np.arange(len(plain)) % 6 == 0,
        "failed": ~(plain | criticals),
        "noncrit": ~criticals,
    }[reroll]
    rolled: np.ndarray = rng.integers(0, 6, size=int(dice.sum()), dtype=np.uint8)
    if len(known) > 1:
        rolled = rolled + variant * 6
    picked_up = np.flatnonzero(again.take(rolled)) if again.any() else np.zeros(0, dtype=np.int64)
    if one_more:
        failed = np.flatnonzero(~(again | plain | criticals).take(rolled))
        _, first = np.unique(np.searchsorted(np.cumsum(dice), failed, side="right"), return_index=True)
        picked_up = np.concatenate([picked_up, failed[first]])
    if len(picked_up):
        rolled[picked_up] += rng.integers(0, 6, size=len(picked_up), dtype=np.uint8) - rolled[picked_up] % 6
    # One integer counts both, critical ones in its upper half; few trials have dice enough for the wider one.
    kind, bits = ("uint32", 16) if dice.max(initial=0) < 1 << 16 else ("uint64", 32)
    both = per_trial((plain + criticals * (1 << bits)).astype(kind).take(rolled), dice).astype(np.int64)
    return both & ((1 << bits) - 1), both >> bits


def never(_: int, face: int) -> bool:
    """Tell that no face is critical."""
    return False


def roll_sum(dice: Dice, times: int, rng: np.random.Generator) -> np.ndarray:
    """Roll an expression, never below 0."""
    total = np.full(times, dice.plus, dtype=np.int64)
    for _ in range(dice.rolled):
        total += rng.integers(1, dice.sides + 1, size=times, dtype=np.uint8)
    return np.maximum(total, 0)


def per_trial(values: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Give sums of consecutive groups of ``values``, ``sizes[i]`` of them in the i-th, of the type of ``values``."""
    running = np.zeros(len(values) + 1, dtype=values.dtype)
    np.cumsum(values, dtype=values.dtype, out=running[1:])  # may wrap round: differences don't mind
    return np.diff(running.take(np.cumsum(sizes)), prepend=running[:1])
