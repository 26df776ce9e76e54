"""The stages of an attack as small tables: distinct attack fields against distinct target fields.

Belongs here: which fields a stage looks at, and its outcome as integers. Doesn't: merging whole sequences
(``outcomes``). A stage (hit, wound, save, number of attacks, damage) sees few fields, so that its table stays small
however many weapons and targets there are; a pair of rows is five look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

from pipelines.simulation.chains import Kernel, damage_law
from pipelines.simulation.dice import Law, add_laws, constant, floor_law, reroll_below
from pipelines.simulation.effective import Attack, Target
from pipelines.simulation.indexing import Register, distinct, numbered
from pipelines.simulation.laws import (
    Columns,
    failed_save_counts,
    hit_counts,
    hit_roll,
    low_damage,
    second_counts,
    wound_counts,
)
from pipelines.simulation.signatures import Laws

_HIT = (
    "auto_hit", "skill", "skill_stealth", "hit_mod", "hit_mod_stealth", "hit_cap", "drops_target_hit_mod",
    "hit_reroll", "crit_hit", "crit_hit_if_success", "lowest_hit_roll", "sustained", "lethal",
)  # fmt: skip
_WOUND = (
    "strength", "wound_mod", "wound_cap", "wound_reroll", "crit_wound", "crit_wound_if_success", "devastating",
)  # fmt: skip
_SAVE = ("melee", "armour_penetration", "save_cover", "cover_denied_save", "save_total_cap", "save_modifier_cap")
_NUMBER = ("attacks_floored", "attacks_added", "per_five_floored", "per_five_added")
_DAMAGE = ("melee", "damage_divided", "damage_added", "devastating", "devastating_reduced", "damage_reroll")

_HIT_TARGET = ("stealth", "hit_mod")
_WOUND_TARGET = ("toughness", "wound_mod", "wound_minus_if_stronger")
_SAVE_TARGET = ("save", "invulnerable_ranged", "invulnerable_melee", "save_mod", "ap_worsen")
_CHUNK = 50_000
"""How many pairs are looked up at once: what stays in a processor's cache."""
_DAMAGE_TARGET = ("fnp_ranged", "fnp_melee", "fnp_devastating", "damage_half", "damage_minus")


@dataclass(frozen=True)
class Stage:
    """``table[attack[a], target[t]]`` is the row of ``outcomes`` for attack row a and target row t."""

    attack: np.ndarray
    target: np.ndarray
    table: np.ndarray
    outcomes: dict[str, np.ndarray]

    def lookup(self, attack_rows: np.ndarray, target_rows: np.ndarray) -> np.ndarray:
        """Give the outcome rows of pairs; the two index arrays broadcast."""
        starts = self.attack * self.table.shape[1]
        return self.table.ravel().take(starts.take(attack_rows) + self.target.take(target_rows))


class Stages:
    """All stages of a set of attack rows against a set of target rows."""

    def __init__(self, attacks: Sequence[Attack], firing: Sequence[int], targets: Sequence[Target], laws: Laws) -> None:
        """``firing``: how many equal weapons each attack row stands for. Laws that occur are entered in ``laws``."""
        numbers = [(*_pick(a, _NUMBER), n) for a, n in zip(attacks, firing, strict=True)]
        self.laws = laws
        self.stages = (
            _stage([_pick(a, _HIT) for a in attacks], [_pick(t, _HIT_TARGET) for t in targets], self._hit),
            _stage([_pick(a, _WOUND) for a in attacks], [_pick(t, _WOUND_TARGET) for t in targets], _wound),
            _stage([_pick(a, _SAVE) for a in attacks], [_pick(t, _SAVE_TARGET) for t in targets], _save),
            _stage(numbers, [(t.models // 5,) for t in targets], self._number),
            _stage([_pick(a, _DAMAGE) for a in attacks], _damage_targets(attacks, targets), self._damage),
            _stage([()] * len(attacks), [(t.wounds, t.models) for t in targets], _body),
        )

    def merged(self, attack_rows: np.ndarray, target_rows: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Give the distinct sequences of the pairs, by column, and each pair's sequence.

        Columns, int64 of one length: attacks, hit, critical_hit, sustained, lethal, wound, critical_wound, devastating,
        unsaved, kernel, devastating_kernel, wounds, models.
        """
        key = np.zeros(np.broadcast_shapes(attack_rows.shape, target_rows.shape), dtype=np.int64)
        each = max(1, _CHUNK * len(key) // max(1, key.size))
        for start in range(0, len(key), each):
            now = slice(start, start + each)
            part = key[now]
            attacks, targets = (rows[now] if len(rows) == len(key) else rows for rows in (attack_rows, target_rows))
            for stage in self.stages:
                part *= len(next(iter(stage.outcomes.values())))
                part += stage.lookup(attacks, targets)
        distinct_keys, inverse = numbered(key.ravel())
        sequences: dict[str, np.ndarray] = {}
        for stage in reversed(self.stages):
            distinct_keys, rows = np.divmod(distinct_keys, len(next(iter(stage.outcomes.values()))))
            sequences |= {name: column[rows] for name, column in stage.outcomes.items()}
        return sequences, inverse.reshape(key.shape)

    def _hit(self, attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
        hit, critical = hit_counts(*_broadcast(_HIT, attacks, _HIT_TARGET, targets))
        sustained = np.array([self.laws.sustained.index(row[_HIT.index("sustained")]) for row in attacks])[:, None]
        lethal = np.array([row[_HIT.index("lethal")] for row in attacks])[:, None]
        return {
            "hit": hit,
            "critical_hit": critical,
            "sustained": np.where(critical > 0, sustained, 0),
            "lethal": np.where(critical > 0, lethal, 0),
        }

    def _number(self, attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
        register = self.laws.attacks
        table = [[register.index((_attacks_law(row, fives), row[-1])) for (fives,) in targets] for row in attacks]
        return {"attacks": np.array(table)}

    def _damage(self, attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
        pairs = [[self._kernels(row, target) for target in targets] for row in attacks]
        table = np.array(pairs, dtype=np.int64).reshape(len(attacks), len(targets), 2)
        return {"kernel": table[..., 0], "devastating_kernel": table[..., 1]}

    def _kernels(self, attack: tuple[Any, ...], target: tuple[Any, ...]) -> tuple[int, int]:
        melee, divided, added, devastating, reduced, reroll = attack
        fnp_ranged, fnp_melee, fnp_devastating, half, minus, wounds = target
        fnp = fnp_melee if melee else fnp_ranged

        def index(law: Law, fnp: int) -> int:
            again = reroll_below(law, low_damage(law, fnp, wounds)) if reroll else law
            return self.laws.kernels.index(Kernel(again, fnp))

        law = damage_law(divided, added, half=bool(half), minus=minus)
        kernel = index(law, fnp)
        if not devastating:
            return kernel, kernel
        unreduced = damage_law(divided, added, half=False, minus=0)
        return kernel, index(law if reduced else unreduced, min(fnp, fnp_devastating))


def second_rolls(attack: Attack, target: Target) -> tuple[list[int], list[int]]:
    """Give what a single re-roll of a failed roll brings: (failures left to it, plain, critical) to hit and to wound.

    Counts out of 36 and out of ``laws.WOUND_TOTAL``; zeros where no such re-roll is in hand.
    """
    columns, others = _broadcast(_HIT, [_pick(attack, _HIT)], _HIT_TARGET, [_pick(target, _HIT_TARGET)])
    hit = second_counts(hit_roll(columns, others))
    columns, others = _broadcast(_WOUND, [_pick(attack, _WOUND)], _WOUND_TARGET, [_pick(target, _WOUND_TARGET)])
    wound = wound_counts(columns, others, [attack.strength], second_counts)
    return (
        [int(count.item()) * attack.reroll_one_hit for count in hit],
        [int(count.item()) * attack.reroll_one_wound for count in wound],
    )


def _pick(row: Attack | Target, names: tuple[str, ...]) -> tuple[Any, ...]:
    return _getter(names)(row)


@cache
def _getter(names: tuple[str, ...]) -> Callable[[Attack | Target], tuple[Any, ...]]:
    return attrgetter(*names)


def _stage(
    attacks: Sequence[tuple[Any, ...]],
    targets: Sequence[tuple[Any, ...]],
    outcome: Callable[[list[tuple[Any, ...]], list[tuple[Any, ...]]], dict[str, np.ndarray]],
) -> Stage:
    attack_rows, target_rows = Register[tuple[Any, ...]](), Register[tuple[Any, ...]]()
    attack = np.array([attack_rows.index(row) for row in attacks], dtype=np.int64)
    target = np.array([target_rows.index(row) for row in targets], dtype=np.int64)
    columns = outcome(attack_rows.values, target_rows.values)
    shape = (len(attack_rows.values), len(target_rows.values))
    flat = {name: np.broadcast_to(column, shape).ravel().astype(np.int64) for name, column in columns.items()}
    first, table = distinct(list(flat.values()))
    return Stage(attack, target, table.reshape(shape), {name: column[first] for name, column in flat.items()})


def _broadcast(
    attack_names: tuple[str, ...],
    attacks: list[tuple[Any, ...]],
    target_names: tuple[str, ...],
    targets: list[tuple[Any, ...]],
) -> tuple[Columns, Columns]:
    def columns(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
        values = zip(*rows, strict=True)
        return {name: np.array(value) for name, value in zip(names, values, strict=True) if isinstance(value[0], int)}

    return (
        {name: column[:, None] for name, column in columns(attack_names, attacks).items()},
        {name: column[None, :] for name, column in columns(target_names, targets).items()},
    )


def _wound(attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
    columns = _broadcast(_WOUND, attacks, _WOUND_TARGET, targets)
    wound, critical = wound_counts(*columns, [row[_WOUND.index("strength")] for row in attacks])
    devastating = np.array([row[_WOUND.index("devastating")] for row in attacks])[:, None] * (critical > 0)
    return {
        "wound": np.where(devastating, wound, wound + critical),
        "critical_wound": np.where(devastating, critical, 0),
        "devastating": devastating,
    }


def _save(attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
    return {"unsaved": failed_save_counts(*_broadcast(_SAVE, attacks, _SAVE_TARGET, targets))}


def _damage_targets(attacks: Sequence[Attack], targets: Sequence[Target]) -> list[tuple[Any, ...]]:
    """Give what the damage stage looks at; a model's wounds matter to re-rolls of Damage only."""
    rerolled = any(attack.damage_reroll for attack in attacks)
    return [(*_pick(target, _DAMAGE_TARGET), target.wounds if rerolled else 0) for target in targets]


def _body(attacks: list[tuple[Any, ...]], targets: list[tuple[Any, ...]]) -> dict[str, np.ndarray]:
    wounds, models = np.array(targets).reshape(-1, 2).T
    return {"wounds": wounds[None, :], "models": models[None, :]}


def _attacks_law(row: tuple[Any, ...], fives: int) -> Law:
    floored, added, per_five_floored, per_five_added, _ = row
    first = floor_law(add_laws(floored, constant(per_five_floored * fives)), 1)
    return add_laws(first, add_laws(added, constant(per_five_added * fives)))
