"""Exact laws of one die and of one activation, for many weapons at once.

Belongs here: hit, wound and save rolls as integer counts, the law of how many attacks get through. Doesn't: what
abilities mean (``effective``), what the damage does to models (``chains``).

Rolls are functions of columns that broadcast against each other: a column may hold one value for each pair, or
``attacks[:, None]`` against ``targets[None, :]``. Results are counts out of 36 (a die that may be re-rolled) or 6, of
wound rolls out of ``WOUND_TOTAL``, since the Strength may be rolled too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from pipelines.simulation.dice import Law, probabilities

Columns = Mapping[str, np.ndarray]

WOUND_TOTAL = 36 * 36
"""Wound rolls are counted out of this: 36 of the die with its re-roll times 36 of a Strength of up to two dice."""

_FACES = np.arange(1, 7)
_ONES, _FAILED, _NONCRIT = 1, 2, 3
_CHUNK = 4_000_000


Roll = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Masks of a die's faces on the last axis: success and critical; and its re-roll policy, without that axis."""


def _rolled_again(roll: Roll) -> np.ndarray:
    success, critical, reroll = roll
    policy = reroll[..., None]
    again: np.ndarray = (
        ((policy == _ONES) & (_FACES == 1))
        | ((policy == _FAILED) & ~success)
        | ((policy == _NONCRIT) & ~critical)
    )  # fmt: skip
    return again


def counts(roll: Roll) -> tuple[np.ndarray, np.ndarray]:
    """Count out of 36 the plain and the critical successes of a die, re-rolled by its policy."""
    success, critical, _ = roll
    again = _rolled_again(roll)
    rolled_again = again.sum(-1)
    plain = success & ~critical
    return (
        (plain & ~again).sum(-1) * 6 + rolled_again * plain.sum(-1),
        (critical & ~again).sum(-1) * 6 + rolled_again * critical.sum(-1),
    )


def second_counts(roll: Roll) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count out of 36 the failures that are left to a single re-roll, and what it makes plain and critical of them.

    A die that its policy has re-rolled is not re-rolled again.
    """
    success, critical, _ = roll
    open_faces = (~success & ~_rolled_again(roll)).sum(-1)
    return open_faces * 6, open_faces * (success & ~critical).sum(-1), open_faces * critical.sum(-1)


def hit_counts(attack: Columns, target: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Count out of 36 the plain and the critical hits of one attack (choices 4, 5, 12, E2, E5, E6, A1)."""
    plain, critical = counts(hit_roll(attack, target))
    automatic = attack["auto_hit"] != 0
    return np.where(automatic, 36, plain), np.where(automatic, 0, critical)


def hit_roll(attack: Columns, target: Columns) -> Roll:
    """Give the faces that hit and that hit critically, where a hit roll is made."""
    stealth = target["stealth"] != 0
    skill = np.where(stealth, attack["skill_stealth"], attack["skill"])
    own = np.where(stealth, attack["hit_mod_stealth"], attack["hit_mod"])
    other = np.where(attack["drops_target_hit_mod"] != 0, np.maximum(target["hit_mod"], 0), target["hit_mod"])
    modifier = np.clip(own + other, -attack["hit_cap"], attack["hit_cap"])
    certain = attack["crit_hit"][..., None] <= _FACES
    possible = attack["lowest_hit_roll"][..., None] <= _FACES
    success = possible & (certain | (_FACES + modifier[..., None] >= skill[..., None]))
    critical = certain | (success & (attack["crit_hit_if_success"][..., None] <= _FACES))
    return success, critical, attack["hit_reroll"]


def wound_counts(
    attack: Columns, target: Columns, strengths: Sequence[Law], count: Callable[[Roll], tuple[np.ndarray, ...]] = counts
) -> tuple[np.ndarray, ...]:
    """Count out of ``WOUND_TOTAL`` the plain and the critical wounds of one hit, or what else ``count`` counts.

    ``strengths``: the law of each attack row's Strength, rolled anew for each wound roll (A2).
    """
    values = np.zeros((len(strengths), max(len(law[1]) for law in strengths)), dtype=np.int64)
    weights = np.zeros_like(values)
    for row, (lowest, ways) in enumerate(strengths):
        values[row, : len(ways)] = lowest + np.arange(len(ways))
        weights[row, : len(ways)] = np.array(ways) * (36 // sum(ways))
    total: tuple[np.ndarray, ...] = ()
    for value, weight in zip(values.T, weights.T, strict=True):
        rows = np.flatnonzero(weight)
        part = count(_wound_roll({name: column[rows] for name, column in attack.items()}, target, value[rows, None]))
        total = total or tuple(np.zeros((len(strengths), column.shape[1]), dtype=np.int64) for column in part)
        for column, more in zip(total, part, strict=True):
            column[rows] += weight[rows, None] * more
    return total


def _wound_roll(attack: Columns, target: Columns, strengths: np.ndarray) -> Roll:
    """Give the faces that wound and that wound critically (wound table: choice 16; 5, 17 and A1)."""
    strength, toughness = np.broadcast_arrays(strengths, target["toughness"])
    needed = np.select(
        [strength >= 2 * toughness, strength > toughness, strength == toughness, 2 * strength > toughness],
        [2, 3, 4, 5],
        default=6,
    )
    minus = (target["wound_minus_if_stronger"] != 0) & (strength > toughness)
    modifier = np.clip(attack["wound_mod"] + target["wound_mod"] - minus, -attack["wound_cap"], attack["wound_cap"])
    certain = attack["crit_wound"][..., None] <= _FACES
    success = certain | ((_FACES > 1) & (_FACES + modifier[..., None] >= needed[..., None]))
    critical = certain | (success & (attack["crit_wound_if_success"][..., None] <= _FACES))
    return success, critical, attack["wound_reroll"]


def failed_save_counts(attack: Columns, target: Columns) -> np.ndarray:
    """Count out of 6 the saving throws that fail (choices 5 to 7, E1, E9)."""
    penetration = np.minimum(attack["armour_penetration"] + target["ap_worsen"], 0)
    denied = (target["save"] <= attack["cover_denied_save"]) & (penetration == 0)
    cover = (attack["save_cover"] != 0) & ~denied
    cap = attack["save_modifier_cap"]
    own = np.clip(target["save_mod"], -cap, cap)
    armour = np.minimum(penetration + cover + own, attack["save_total_cap"])
    invulnerable = np.where(attack["melee"] != 0, target["invulnerable_melee"], target["invulnerable_ranged"])
    return 6 - np.maximum(
        _saving_faces(target["save"], armour),
        _saving_faces(invulnerable, np.minimum(own, attack["save_total_cap"])),
    )


def _saving_faces(save: np.ndarray, modifier: np.ndarray) -> np.ndarray:
    return np.where(save > 6, 0, np.clip(7 - (save - modifier), 0, 5))


def low_damage(damage: Law, fnp: int, wounds: int) -> int:
    """Give the Damage below which a new roll expects to take more off an unhurt model (A3); its lowest value: none.

    ``damage``: the law of one attack's Damage after all modifiers; ``fnp``: Feel No Pain, 7 = none.
    """
    lowest, weights = damage
    losses = [_expected_loss(lowest + i, fnp, wounds) for i in range(len(weights))]
    average = sum((loss * weight for loss, weight in zip(losses, weights, strict=True)), Fraction()) / sum(weights)
    return lowest + next(i for i, loss in enumerate(losses) if loss >= average)


@cache
def _expected_loss(points: int, fnp: int, wounds: int) -> Fraction:
    if fnp > 6:
        return Fraction(min(points, wounds))
    ways = (comb(points, lost) * (fnp - 1) ** lost * (7 - fnp) ** (points - lost) for lost in range(points + 1))
    return Fraction(sum(min(lost, wounds) * way for lost, way in enumerate(ways)), 6**points)


def attack_polynomials(
    hit: np.ndarray, critical: np.ndarray, lethal: np.ndarray, normal: np.ndarray, devastating: np.ndarray,
    unsaved: np.ndarray, sustained: Law, *, apart: bool,
) -> np.ndarray:  # fmt: skip
    """Give the law of what one attack inflicts, for rows that share the law of Sustained Hits.

    ``hit``, ``critical`` out of 36 of the attack; ``normal`` (unsaved) and ``devastating`` out of 6 ``WOUND_TOTAL`` of
    a wound roll; ``unsaved`` out of 6 of an automatic wound. Returns P(a normal, d devastating unsaved attacks) as
    [row, a, d]; not ``apart``: both are counted in a, and d has one entry.
    """
    total = 6 * WOUND_TOTAL
    one = _linear(total - normal - devastating, normal, devastating, total, apart=apart)
    automatic = _linear(6 - unsaved, unsaved, np.zeros_like(unsaved), 6, apart=apart)
    extra = np.zeros((len(hit), 1, 1))
    for weight in probabilities(sustained)[::-1]:
        extra = _product(extra, one)
        extra[:, 0, 0] += weight
    first = np.where((lethal != 0)[:, None, None], automatic, one)
    result = _product(first, extra) * (critical / 36)[:, None, None]
    result[:, : one.shape[1], : one.shape[2]] += one * (hit / 36)[:, None, None]
    result[:, 0, 0] += (36 - hit - critical) / 36
    return result


def _linear(none: np.ndarray, normal: np.ndarray, devastating: np.ndarray, total: int, *, apart: bool) -> np.ndarray:
    """Give the law [row, a, d] of one roll: nothing, a normal or a devastating unsaved attack, out of ``total``."""
    result = np.zeros((len(none), 2, 2 if apart else 1))
    result[:, 0, 0] = none / total
    result[:, 1, 0] = normal / total
    if apart:
        result[:, 0, 1] = devastating / total
    else:
        result[:, 1, 0] = (normal + devastating) / total
    return result


def _product(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Multiply polynomials row by row; ``second`` should be the shorter one."""
    rows, a, d = first.shape
    result = np.zeros((rows, a + second.shape[1] - 1, d + second.shape[2] - 1))
    for i in range(second.shape[1]):
        for j in range(second.shape[2]):
            result[:, i : i + a, j : j + d] += first * second[:, i : i + 1, j : j + 1]
    return result


def count_laws(attacks: np.ndarray, polynomials: np.ndarray) -> np.ndarray:
    """Give the law of how many unsaved attacks a random number of equal, independent attacks brings.

    ``attacks``: P(number of attacks = 0, 1, …) as [row, number]; ``polynomials``: P(one attack brings 0, 1, …) as
    [row, a]. Returns [row, a]. Sums and products of positive numbers only (Horner's scheme), so small probabilities
    keep their relative precision and impossible counts are exactly 0.
    """
    rows, most = len(attacks), attacks.shape[1] - 1
    result = np.zeros((rows, most * (polynomials.shape[1] - 1) + 1))
    chunk = max(1, _CHUNK // result.shape[1])
    for start in range(0, rows, chunk):
        now = slice(start, start + chunk)
        result[now] = joint_laws(attacks[now], polynomials[now, :, None])[..., 0]
    return result


def joint_laws(attacks: np.ndarray, polynomials: np.ndarray) -> np.ndarray:
    """Give the law of a normal and d devastating attacks as [row, a, d]: ``count_laws`` of two counts at once."""
    most = attacks.shape[1] - 1
    law = attacks[:, most, None, None]
    for number in range(most - 1, -1, -1):
        law = _product(law, polynomials)
        law[:, 0, 0] += attacks[:, number]
    return law
