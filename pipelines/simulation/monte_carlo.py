"""Matchups by Monte Carlo: a second opinion on the exact engine, with standard errors.

Belongs here: repeating an activation in batches of bounded memory, empirical laws and their means. Doesn't: the rules
(``rolls`` and ``casualties``, which share none with the exact engine), exact laws (``outcomes``), JSON (``matchup``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.dice import Dice
from pipelines.simulation.casualties import Casualties, saves
from pipelines.simulation.matchup import Matchup
from pipelines.simulation.rolls import (
    is_later,
    never,
    per_trial,
    roll_hazardous,
    roll_hits,
    roll_number,
    roll_successes,
    roll_sum,
    roll_wounds,
)

MAX_TRIALS = 10_000_000
MAX_DICE = 20_000_000_000
"""The largest number of dice that one call may have to roll, some minutes of work."""

_BATCH_DICE = 1_000_000
_EDITIONS = ("10e", "11e")
_TRIED, _CLEARLY = 10_000, 3


@dataclass(frozen=True)
class EmpiricalLaw:
    """In how many trials (``counts``) a count came to each of ``values``, both int64, values ascending."""

    values: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, observed: np.ndarray) -> EmpiricalLaw:
        """Count the observations, one integer for each trial."""
        return cls(*np.unique(observed, return_counts=True))

    def __add__(self, other: EmpiricalLaw) -> EmpiricalLaw:
        values, place = np.unique(np.concatenate([self.values, other.values]), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, place, np.concatenate([self.counts, other.counts]))
        return EmpiricalLaw(values, counts)

    def estimate(self) -> tuple[float, float]:
        """Give the mean and its standard error."""
        trials = self.counts.sum()
        mean = float(self.values @ self.counts / trials)
        return mean, float(np.sqrt((self.values - mean) ** 2 @ self.counts) / trials)

    def shares(self) -> list[list[float]]:
        """Give [value, share of the trials]."""
        return [
            [v, n / int(self.counts.sum())] for v, n in zip(self.values.tolist(), self.counts.tolist(), strict=True)
        ]


@dataclass(frozen=True)
class Simulation:
    """The empirical laws of one matchup, by what each trial counts: attacks, hits, wounds, unsaved, raw_damage,
    damage (in wounds), models_destroyed, and for hazardous weapons hazardous_mortal_wounds.

    ``automatic``: critical hits with Lethal Hits wounded without a roll, where that was the attacker's choice.
    """

    laws: dict[str, EmpiricalLaw]
    models: int
    automatic: bool | None

    def estimates(self) -> dict[str, tuple[float, float]]:
        """Give (mean, standard error) of each ``expected_…`` metric and of ``p_destroy_unit``."""
        destroyed = self.laws["models_destroyed"]
        all_dead = EmpiricalLaw((destroyed.values == self.models).astype(np.int64), destroyed.counts)
        result = {f"expected_{name}": law.estimate() for name, law in self.laws.items()}
        return result | {"p_destroy_unit": all_dead.estimate()}


def simulate(matchups: Sequence[Matchup], trials: int, seed: int) -> list[Simulation]:
    """Roll each matchup ``trials`` times. Equal seeds and positions in the list give equal results.

    Raises ValueError for trials outside 1 to ``MAX_TRIALS``, a negative seed, more than ``MAX_DICE`` dice in all, a
    rule set that is none of the two editions.
    """
    if not 1 <= trials <= MAX_TRIALS:
        raise ValueError(f"trials to simulate: must be from 1 to {MAX_TRIALS}, not {trials}")
    if seed < 0:
        raise ValueError(f"seed: must not be negative, as {seed} is")
    dice = trials * sum(_most_dice(matchup) for matchup in matchups)
    if dice > MAX_DICE:
        raise ValueError(f"{trials} trials to simulate: up to {dice:,} dice, at most {MAX_DICE:,} can be rolled")
    return [
        _simulate(matchup, trials, np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, position]))))
        for position, matchup in enumerate(matchups)
    ]


def _simulate(matchup: Matchup, trials: int, rng: np.random.Generator) -> Simulation:
    weapon, later = matchup.weapon, is_later(matchup)
    if matchup.rules.name not in _EDITIONS:
        raise ValueError(f"{matchup.label}: rule set {matchup.rules.name!r} can't be simulated, only {_EDITIONS}")
    automatic = weapon.lethal_hits and not (later and weapon.lethal_policy == "never")
    # The attacker's choice (E7); rolling to wound can only pay where a critical wound is worth more.
    if automatic and later and weapon.lethal_policy == "best" and weapon.devastating_wounds:
        automatic = _automatic_is_as_good(matchup, max(trials, _TRIED), rng)
    laws = _repeated(matchup, trials, rng, automatic=automatic)
    return Simulation(laws, matchup.target.models, automatic if weapon.lethal_hits and later else None)


def _automatic_is_as_good(matchup: Matchup, trials: int, rng: np.random.Generator) -> bool:
    """Try automatic wounds and wound rolls for critical hits, as E7 chooses: rolls only where clearly better."""
    (automatic, error), (rolled, other_error) = (
        _repeated(matchup, trials, rng, automatic=choice)["damage"].estimate() for choice in (True, False)
    )
    return rolled - automatic <= _CLEARLY * float(np.hypot(error, other_error))


def _repeated(matchup: Matchup, trials: int, rng: np.random.Generator, *, automatic: bool) -> dict[str, EmpiricalLaw]:
    laws: dict[str, EmpiricalLaw] = {}
    batch = max(1, _BATCH_DICE // _most_dice(matchup))
    for start in range(0, trials, batch):
        rolled = _activations(matchup, min(batch, trials - start), rng, automatic=automatic)
        new = {name: EmpiricalLaw.of(observed) for name, observed in rolled.items()}
        laws = {name: laws[name] + law for name, law in new.items()} if laws else new
    return laws


def _activations(matchup: Matchup, trials: int, rng: np.random.Generator, *, automatic: bool) -> dict[str, np.ndarray]:
    """Roll one batch of activations; every count is one integer for each trial.

    ``automatic``: critical hits wound without a roll. Where models differ or attacks may be ignored, what is unsaved
    depends on who takes it, and raw damage has no meaning: both are left out.
    """
    weapon, target = matchup.weapon, matchup.target
    attacks = roll_number(matchup, trials, rng)
    hits, critical_hits = roll_hits(matchup, attacks, rng)
    extra = per_trial(roll_sum(weapon.sustained_hits, int(critical_hits.sum()), rng), critical_hits)
    wounds, critical_wounds = roll_wounds(matchup, hits + extra + (0 if automatic else critical_hits), rng)
    if automatic:
        wounds = wounds + critical_hits
    result = {"attacks": attacks, "hits": hits + critical_hits + extra, "wounds": wounds + critical_wounds}
    devastating = critical_wounds if weapon.devastating_wounds else np.zeros_like(critical_wounds)
    to_save = wounds + critical_wounds - devastating
    unit = Casualties.none_yet(matchup, trials, rng)
    if target.groups or target.ignored_failed_saves or target.ignored_attacks:
        unit.struck_one_by_one(to_save, last=False)
        unit.struck_one_by_one(devastating, last=True)
    else:
        saved, _ = roll_successes(to_save, lambda _, face: saves(matchup, target, face), never, rng)
        raw = unit.struck_alike(to_save - saved, last=False) + unit.struck_alike(devastating, last=True)
        result |= {"unsaved": to_save - saved + devastating, "raw_damage": raw}
    result |= {"damage": unit.wounds_lost(), "models_destroyed": unit.slain}
    if weapon.hazardous:
        result["hazardous_mortal_wounds"] = roll_hazardous(matchup, trials, rng)
    return result


def _most_dice(matchup: Matchup) -> int:
    """Give about the most dice of one kind that one trial can need: attacks with extra hits, points of damage."""
    weapon, target = matchup.weapon, matchup.target
    added = max(0, matchup.attacker.attacks_bonus) + (weapon.blast + weapon.cleave) * (target.models // 5)
    attacks = matchup.models_firing * (_most(weapon.attacks) + _most(weapon.rapid_fire) + added + 1)
    points = _most(weapon.damage) + _most(weapon.melta) + abs(matchup.attacker.damage_bonus)
    return attacks * (1 + _most(weapon.sustained_hits)) * max(1, points)


def _most(dice: Dice) -> int:
    return dice.rolled * dice.sides + max(dice.plus, 0)
