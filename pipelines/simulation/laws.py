"""Exact laws of one die and of one activation, for many weapons at once.

Belongs here: hit, wound and save rolls as integer counts, the law of how many attacks get through. Doesn't: what
abilities mean (``effective``), what the damage does to models (``chains``).

Rolls are functions of columns that broadcast against each other: a column may hold one value for each pair, or
``attacks[:, None]`` against ``targets[None, :]``. Results are counts out of 36 (a die that may be re-rolled) or 6.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipelines.simulation.dice import Law, probabilities

Columns = Mapping[str, np.ndarray]

_FACES = np.arange(1, 7)
_ONES, _FAILED, _NONCRIT = 1, 2, 3
_CHUNK = 4_000_000


def _counts(success: np.ndarray, critical: np.ndarray, reroll: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Count out of 36 the plain and the critical successes of a die; the last axis of the masks is its faces."""
    policy = reroll[..., None]
    again = (
        ((policy == _ONES) & (_FACES == 1))
        | ((policy == _FAILED) & ~success)
        | ((policy == _NONCRIT) & ~critical)
    )  # fmt: skip
    rolled_again = again.sum(-1)
    plain = success & ~critical
    return (
        (plain & ~again).sum(-1) * 6 + rolled_again * plain.sum(-1),
        (critical & ~again).sum(-1) * 6 + rolled_again * critical.sum(-1),
    )


def hit_counts(attack: Columns, target: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Count out of 36 the plain and the critical hits of one attack (choices 4, 5, 12, E2, E5, E6)."""
    stealth = target["stealth"] != 0
    skill = np.where(stealth, attack["skill_stealth"], attack["skill"])
    own = np.where(stealth, attack["hit_mod_stealth"], attack["hit_mod"])
    other = np.where(attack["drops_target_hit_mod"] != 0, np.maximum(target["hit_mod"], 0), target["hit_mod"])
    modifier = np.clip(own + other, -attack["hit_cap"], attack["hit_cap"])
    critical = attack["crit_hit"][..., None] <= _FACES
    possible = attack["lowest_hit_roll"][..., None] <= _FACES
    success = possible & (critical | (_FACES + modifier[..., None] >= skill[..., None]))
    critical, success = np.broadcast_arrays(critical, success)
    plain, critical_hits = _counts(success, critical, attack["hit_reroll"])
    automatic = attack["auto_hit"] != 0
    return np.where(automatic, 36, plain), np.where(automatic, 0, critical_hits)


def wound_counts(attack: Columns, target: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Count out of 36 the plain and the critical wounds of one hit (wound table: choice 16; 5 and 17)."""
    strength, toughness = np.broadcast_arrays(attack["strength"], target["toughness"])
    needed = np.select(
        [strength >= 2 * toughness, strength > toughness, strength == toughness, 2 * strength > toughness],
        [2, 3, 4, 5],
        default=6,
    )
    minus = (target["wound_minus_if_stronger"] != 0) & (strength > toughness)
    modifier = np.clip(attack["wound_mod"] + target["wound_mod"] - minus, -attack["wound_cap"], attack["wound_cap"])
    critical = attack["crit_wound"][..., None] <= _FACES
    success = critical | ((_FACES > 1) & (_FACES + modifier[..., None] >= needed[..., None]))
    critical, success = np.broadcast_arrays(critical, success)
    return _counts(success, critical, attack["wound_reroll"])


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


def attack_polynomials(
    hit: np.ndarray, critical: np.ndarray, lethal: np.ndarray, normal: np.ndarray, devastating: np.ndarray,
    unsaved: np.ndarray, sustained: Law, *, apart: bool,
) -> np.ndarray:  # fmt: skip
    """Give the law of what one attack inflicts, for rows that share the law of Sustained Hits.

    ``hit``, ``critical`` out of 36 of the attack; ``normal`` (unsaved) and ``devastating`` out of 216 of a wound roll;
    ``unsaved`` out of 6 of an automatic wound. Returns P(a normal, d devastating unsaved attacks) as [row, a, d];
    not ``apart``: both are counted in a, and d has one entry.
    """
    one = _linear(216 - normal - devastating, normal, devastating, 216, apart=apart)
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
        law = attacks[now, most, None, None]
        for number in range(most - 1, -1, -1):
            law = _product(law, polynomials[now, :, None])
            law[:, 0, 0] += attacks[now, number]
        result[now] = law[..., 0]
    return result
