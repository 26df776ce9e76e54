"""What wounds do to a unit, by literal dice: saves, Damage, Feel No Pain, model by model.

Belongs here: everything after the wound rolls, for both editions. Doesn't: the dice before (``rolls``). As there,
nothing of the exact engine may be used but the values that a matchup was read into.

A unit takes attacks in an order: an attack goes to the model that is hurt already, which is the first that lives, so
that a trial knows its unit by how many models have died and what the next one has left. Characters are a rank of their
own: they take attacks once the others are gone, and those of Precision first (D1, D2). Devastating Wounds come after
all else (1, D3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.dice import NO_DICE, Dice
from pipelines.simulation.matchup import Matchup, Target
from pipelines.simulation.rolls import in_cover, is_later, never, per_trial, roll_successes, roll_sum


@dataclass
class Rank:
    """Models of a unit, in all trials, that take attacks one after the other: how many are slain, wounds that the next
    has left (0: none is left). ``of``, ``full``: kind and wounds of each in order; at the end one more of 0 wounds."""

    of: np.ndarray
    full: np.ndarray
    slain: np.ndarray
    left: np.ndarray

    @classmethod
    def unhurt(cls, kinds: list[Target], *, character: bool, trials: int) -> Rank:
        """Give the characters of a unit, or its others."""
        of = [i for i, kind in enumerate(kinds) if bool(kind.character) == character for _ in range(kind.models)]
        full = np.array([*(kinds[i].wounds for i in of), 0])
        return cls(np.array([*of, -1]), full, np.zeros(trials, dtype=np.int64), np.full(trials, full[0]))

    def lost(self) -> np.ndarray:
        """Give the wounds that each trial's models have lost."""
        lost = np.concatenate([[0], np.cumsum(self.full)])
        return lost[self.slain] + self.full[self.slain] - self.left

    def suffer(self, losses: np.ndarray, trials: np.ndarray) -> None:
        """Take losses from the next model of each of these trials, one attack each; nothing spills over."""
        left = self.left[trials] - losses
        self.slain[trials] += left <= 0
        self.left[trials] = np.where(left > 0, left, self.full[self.slain[trials]])


@dataclass
class Casualties:
    """Units of all trials while they are attacked.

    ``others``, ``characters``: the two ranks. ``saves_ignored``, ``attacks_ignored``: how many more the unit may ignore
    (D4). ``reroll``: a re-roll of one Damage roll is in hand (A4).
    """

    rng: np.random.Generator
    others: Rank
    characters: Rank
    saves_ignored: np.ndarray
    attacks_ignored: np.ndarray
    reroll: np.ndarray

    @classmethod
    def none_yet(cls, matchup: Matchup, trials: int, rng: np.random.Generator) -> Casualties:
        """Give units that nothing has hurt, those of a matchup."""
        target, attacker = matchup.target, matchup.attacker
        kinds = _kinds(matchup)
        in_hand = "damage" in attacker.reroll_one and attacker.damage_reroll == "none"
        return cls(
            rng=rng,
            others=Rank.unhurt(kinds, character=False, trials=trials),
            characters=Rank.unhurt(kinds, character=True, trials=trials),
            saves_ignored=np.full(trials, target.ignored_failed_saves),
            attacks_ignored=np.full(trials, target.ignored_attacks),
            reroll=np.full(trials, in_hand),
        )

    def wounds_lost(self) -> np.ndarray:
        """Give the wounds that each unit has lost."""
        return self.others.lost() + self.characters.lost()

    def slain(self) -> np.ndarray:
        """Give the models that each unit has lost."""
        return self.others.slain + self.characters.slain

    def struck_alike(self, matchup: Matchup, unsaved: np.ndarray, *, last: bool) -> np.ndarray:
        """Let so many unsaved attacks strike units of equal models; give the raw damage of each trial."""
        losses = self._losses(matchup, matchup.target, np.repeat(np.arange(len(unsaved)), unsaved), last=last)
        starts = np.cumsum(unsaved) - unsaved
        trials, number = np.flatnonzero((unsaved > 0) & (self.others.left > 0)), 0
        while len(trials):
            self.others.suffer(losses[starts[trials] + number], trials)
            number += 1
            trials = trials[(unsaved[trials] > number) & (self.others.left[trials] > 0)]
        return per_trial(losses, unsaved)

    def struck_one_by_one(self, matchup: Matchup, wounds: np.ndarray, *, last: bool) -> None:
        """Let so many wounds strike units of any kind, each saved by the model that takes it unless ``last``.

        In the 11th edition all saves of the weapon are rolled first, and the lowest resolved first (D5).
        """
        starts = np.cumsum(wounds) - wounds
        faces = self.rng.integers(1, 7, size=int(wounds.sum()))
        if is_later(matchup):
            faces = faces[np.lexsort((faces, np.repeat(np.arange(len(wounds)), wounds)))]
        trials, number = np.flatnonzero((wounds > 0) & self._stands()), 0
        while len(trials):
            through = trials
            if not last:
                through = through[self._save_fails(matchup, through, faces[starts[through] + number])]
                through = _without_ignored(through, self.saves_ignored)
            through = _without_ignored(through, self.attacks_ignored)
            of = self._next(matchup, through)
            for number_of_kind, kind in enumerate(_kinds(matchup)):
                takes = through[of == number_of_kind]
                losses = self._losses(matchup, kind, takes, last=last)
                (self.characters if kind.character else self.others).suffer(losses, takes)
            number += 1
            trials = trials[(wounds[trials] > number) & self._stands()[trials]]

    def _stands(self) -> np.ndarray:
        stands: np.ndarray = (self.others.left > 0) | (self.characters.left > 0)
        return stands

    def _next(self, matchup: Matchup, trials: np.ndarray) -> np.ndarray:
        """Give the kind of the model of each of these trials that takes an attack."""
        first, then = self.others, self.characters
        if matchup.weapon.precision:
            first, then = then, first
        of_first, of_then = (rank.of[rank.slain[trials]] for rank in (first, then))
        return np.where(first.left[trials] > 0, of_first, of_then)

    def _save_fails(self, matchup: Matchup, trials: np.ndarray, faces: np.ndarray) -> np.ndarray:
        saved = np.array([[saves(matchup, kind, face) for face in range(1, 7)] for kind in _kinds(matchup)])
        fails: np.ndarray = ~saved[self._next(matchup, trials), faces - 1]
        return fails

    def _losses(self, matchup: Matchup, kind: Target, trials: np.ndarray, *, last: bool) -> np.ndarray:
        """Roll Damage and Feel No Pain, point by point, of one attack for each entry of ``trials`` (ascending)."""
        attacker = matchup.attacker
        points = _roll_points(matchup, kind, len(trials), self.rng, last=last)
        if attacker.damage_reroll == "low" or self.reroll.any():
            low = np.flatnonzero(points < _worth_keeping(matchup, kind, last=last))
            if attacker.damage_reroll == "none":
                _, first = np.unique(trials[low], return_index=True)
                low = low[first]
                low = low[self.reroll[trials[low]]]
                self.reroll[trials[low]] = False
            points[low] = _roll_points(matchup, kind, len(low), self.rng, last=last)
        fnp = _feel_no_pain(matchup, kind, last=last)
        if fnp > 6:
            return points
        return points - roll_successes(points, lambda _, face: face >= fnp, never, self.rng)[0]


def _kinds(matchup: Matchup) -> list[Target]:
    return list(matchup.target.groups) or [matchup.target]


def _without_ignored(trials: np.ndarray, ignored: np.ndarray) -> np.ndarray:
    """Let the units of these trials ignore this attack where they still may; give the trials of the others."""
    stays = ignored[trials] == 0
    ignored[trials[~stays]] -= 1
    return trials[stays]


def saves(matchup: Matchup, kind: Target, face: int) -> bool:
    """Tell whether an unmodified save roll of a model succeeds, by armour or by invulnerable save (5 to 7, E1, E9)."""
    weapon = matchup.weapon
    penetration = min(0, weapon.armour_penetration - matchup.attacker.ap_improve + kind.ap_worsen)
    change = kind.save_mod
    invulnerable = kind.invulnerable_melee if weapon.melee else kind.invulnerable_ranged
    if is_later(matchup):
        cap = matchup.rules.save_modifier_cap
        change = change if cap is None else min(cap, max(-cap, change))
        armour_change = change + penetration
    else:
        covered = in_cover(matchup) and (kind.save > 3 or penetration < 0)
        armour_change = min(1, change + penetration + covered)
        change = min(1, change)
    by_armour = kind.save <= 6 and face + armour_change >= kind.save
    by_field = invulnerable <= 6 and face + change >= invulnerable
    return face != 1 and (by_armour or by_field)


def _roll_points(matchup: Matchup, kind: Target, number: int, rng: np.random.Generator, *, last: bool) -> np.ndarray:
    melta = roll_sum(_melta(matchup), number, rng)
    return _points(matchup, kind, roll_sum(matchup.weapon.damage, number, rng), melta, last=last)


def _melta(matchup: Matchup) -> Dice:
    return matchup.weapon.melta if matchup.context.half_range and not matchup.weapon.melee else NO_DICE


def _points(matchup: Matchup, kind: Target, rolled: np.ndarray, melta: np.ndarray, *, last: bool) -> np.ndarray:
    """Modify Damage rolls: halve, add, subtract, round up; the 11th edition adds before it halves (8, E8, E10)."""
    bonus, later = matchup.attacker.damage_bonus, is_later(matchup)
    reduced = not (last and later and not matchup.rules.devastating_reduced)
    halves = 2 * np.maximum(rolled, 1)  # counted in half points
    more = 2 * (melta + (max(bonus, 0) if later else bonus))
    if later:
        halves = halves + more
    if kind.damage_half and reduced:
        halves = halves // 2
    if not later:
        halves = halves + more
    less = (kind.damage_minus if reduced else 0) - (min(bonus, 0) if later else 0)
    return np.maximum((halves - 2 * less + 1) // 2, 1)


def _feel_no_pain(matchup: Matchup, kind: Target, *, last: bool) -> int:
    fnp = kind.fnp_melee if matchup.weapon.melee else kind.fnp_ranged
    return min(fnp, kind.fnp_devastating) if last else fnp


def _worth_keeping(matchup: Matchup, kind: Target, *, last: bool) -> int:
    """Give the least Damage that is kept: an unhurt model loses as much by it as by a new roll on average (A3)."""
    (rolls, chance), (more, other) = _chances(matchup.weapon.damage), _chances(_melta(matchup))
    points = _points(matchup, kind, rolls[:, None], more[None, :], last=last)
    fails = min(6, _feel_no_pain(matchup, kind, last=last) - 1) / 6
    left = np.zeros((int(points.max()) + 1, kind.wounds + 1))  # [points suffered, wounds left]
    left[0, -1] = 1
    for number in range(1, len(left)):
        left[number] = left[number - 1] * (1 - fails)
        left[number, :-1] += left[number - 1, 1:] * fails
        left[number, 0] += left[number - 1, 0] * fails
    lost = left @ np.arange(kind.wounds, -1, -1)
    average = (lost[points] * chance[:, None] * other).sum()
    return min(int(value) for value in points.ravel() if lost[value] >= average - 1e-9)


def _chances(dice: Dice) -> tuple[np.ndarray, np.ndarray]:
    """Give the values of a roll and their probabilities."""
    chances = np.ones(1)
    for _ in range(dice.rolled):
        chances = np.convolve(chances, np.full(dice.sides, 1 / dice.sides))
    return np.maximum(dice.plus + dice.rolled + np.arange(len(chances)), 0), chances


def last_kind(matchup: Matchup) -> tuple[object, ...]:
    """Give whom a Devastating Wound strikes and what it does to each kind of models; what is equal is one kind (D3)."""
    kinds = _kinds(matchup)
    does: list[object] = [matchup.weapon.precision and len({bool(kind.character) for kind in kinds}) > 1]
    for kind in kinds:
        fnp, law = _feel_no_pain(matchup, kind, last=True), {}
        (rolls, chance), (more, other) = _chances(matchup.weapon.damage), _chances(_melta(matchup))
        points = _points(matchup, kind, rolls[:, None], more[None, :], last=True)
        counted = np.minimum(points, kind.wounds) if fnp > 6 else points
        for value in np.unique(counted).tolist():
            law[value] = round(float((chance[:, None] * other)[counted == value].sum()), 12)
        does.append((fnp, tuple(law.items())))
    return tuple(does)
