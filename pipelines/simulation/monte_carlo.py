"""Matchups by Monte Carlo: a second opinion on the exact engine, with standard errors.

Belongs here: single matchups and whole units' activations, repeated in batches of bounded memory; empirical laws and
their means. Doesn't: the rules (``rolls`` and ``casualties``, which share none with the exact engine), exact laws
(``outcomes``), JSON (``matchup``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from pipelines.dice import Dice
from pipelines.simulation.casualties import Casualties, last_kind, saves
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
_COUNTED = 1_000_000
"""The largest value for which observations are counted in an array; where there are larger ones, they are sorted."""
_EDITIONS = ("10e", "11e")
_TRIED, _CLEARLY = 10_000, 3


@dataclass(frozen=True)
class EmpiricalLaw:
    """In how many trials (``counts``) a count came to each of ``values``, both int64, values ascending."""

    values: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, observed: np.ndarray) -> EmpiricalLaw:
        """Count the observations, one integer from 0 on for each trial."""
        if observed.max() > _COUNTED:
            return cls(*np.unique(observed, return_counts=True))
        counts = np.bincount(observed)
        values = np.flatnonzero(counts)
        return cls(values, counts[values])

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


class Fired(NamedTuple):
    """Equal weapons of a unit fired together; ``die``: one D6 chooses among the unit's entries with its name (A6), this
    one on so many of its ``faces``."""

    matchup: Matchup
    die: str | None = None
    faces: int = 0


@dataclass(frozen=True)
class Simulation:
    """The empirical laws of one matchup or activation, by what each trial counts: attacks, hits, wounds, unsaved,
    raw_damage, damage (in wounds), models_destroyed, and for hazardous weapons hazardous_mortal_wounds.

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
    _check(trials, seed, matchups)
    return [
        _simulate(matchup, trials, np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, position]))))
        for position, matchup in enumerate(matchups)
    ]


def _check(trials: int, seed: int, matchups: Sequence[Matchup]) -> None:
    if not 1 <= trials <= MAX_TRIALS:
        raise ValueError(f"trials to simulate: must be from 1 to {MAX_TRIALS}, not {trials}")
    if seed < 0:
        raise ValueError(f"seed: must not be negative, as {seed} is")
    dice = trials * sum(_most_dice(matchup) for matchup in matchups)
    if dice > MAX_DICE:
        raise ValueError(f"{trials} trials to simulate: up to {dice:,} dice, at most {MAX_DICE:,} can be rolled")


def simulate_activation(fired: Sequence[Fired], trials: int, seed: int, *, copies: int = 1) -> Simulation:
    """Roll a whole unit's activation ``trials`` times: its weapons in order, all at the target of the first.

    ``copies``: so many equal units fire one after the other. Laws: damage and models_destroyed; ``automatic`` is None.
    Raises ValueError as ``simulate`` does.
    """
    _check(trials, seed, [each.matchup for each in fired] * copies)
    rng = np.random.Generator(np.random.SFC64(seed))
    choices = [_chooses_automatic(_alone(each.matchup), trials, rng) for each in fired]
    batch = max(1, _BATCH_DICE // sum(_most_dice(each.matchup) for each in fired))

    def roll(size: int) -> dict[str, np.ndarray]:
        unit = Casualties.none_yet(fired[0].matchup, size, rng)
        for _ in range(copies):
            _fire_all(unit, fired, choices, size, rng)
        return {"damage": unit.wounds_lost(), "models_destroyed": unit.slain()}

    return Simulation(_repeated(roll, trials, batch), fired[0].matchup.target.models, None)


def _alone(matchup: Matchup) -> Matchup:
    """Give the matchup by which a weapon of a unit chooses what its Lethal Hits do: its models all of the first kind
    that is listed (D6)."""
    target = matchup.target
    first = target.groups[0] if target.groups else target
    return replace(matchup, target=first._replace(models=target.models, ignored_failed_saves=0, ignored_attacks=0))


def _fire_all(
    unit: Casualties, fired: Sequence[Fired], automatic: Sequence[bool], trials: int, rng: np.random.Generator
) -> None:
    """Let all weapons fire, then their Devastating Wounds strike, kind by kind as these first came (D3)."""
    dice: dict[str, tuple[np.ndarray, int]] = {}
    fires = np.ones((trials, len(fired)), dtype=bool)
    devastating = np.zeros((trials, len(fired)), dtype=np.int64)
    for place, ((matchup, die, faces), choice) in enumerate(zip(fired, automatic, strict=True)):
        if die is not None:
            rolled, taken = dice.get(die) or (rng.integers(1, 7, size=trials), 0)
            fires[:, place] = (rolled > taken) & (rolled <= taken + faces)
            dice[die] = rolled, taken + faces
        volley = _roll_volley(matchup, trials, rng, automatic=choice, fires=fires[:, place])
        unit.struck_one_by_one(matchup, volley.to_save, last=False)
        devastating[:, place] = volley.devastating
    for pattern in np.unique(fires, axis=0):
        mine = (fires == pattern).all(axis=1)
        waiting: dict[tuple[object, ...], list[int]] = {}
        for place in np.flatnonzero(pattern).tolist():
            if fired[place].matchup.weapon.devastating_wounds:
                waiting.setdefault(last_kind(fired[place].matchup), []).append(place)
        for place in chain.from_iterable(waiting.values()):
            unit.struck_one_by_one(fired[place].matchup, devastating[:, place] * mine, last=True)


def _simulate(matchup: Matchup, trials: int, rng: np.random.Generator) -> Simulation:
    automatic = _chooses_automatic(matchup, trials, rng)
    chosen = matchup.weapon.lethal_hits and is_later(matchup)
    return Simulation(
        _of_matchup(matchup, trials, rng, automatic=automatic), matchup.target.models, automatic if chosen else None
    )


def _chooses_automatic(matchup: Matchup, trials: int, rng: np.random.Generator) -> bool:
    """Tell whether critical hits wound without a roll: Lethal Hits, and not declined."""
    weapon, later = matchup.weapon, is_later(matchup)
    if matchup.rules.name not in _EDITIONS:
        raise ValueError(f"{matchup.label}: rule set {matchup.rules.name!r} can't be simulated, only {_EDITIONS}")
    automatic = weapon.lethal_hits and not (later and weapon.lethal_policy == "never")
    # The attacker's choice (E7); rolling to wound can only pay where a critical wound is worth more.
    if automatic and later and weapon.lethal_policy == "best" and weapon.devastating_wounds:
        automatic = _automatic_is_as_good(matchup, max(trials, _TRIED), rng)
    return automatic


def _automatic_is_as_good(matchup: Matchup, trials: int, rng: np.random.Generator) -> bool:
    """Try automatic wounds and wound rolls for critical hits, as E7 chooses: rolls only where clearly better."""
    (automatic, error), (rolled, other_error) = (
        _of_matchup(matchup, trials, rng, automatic=choice)["damage"].estimate() for choice in (True, False)
    )
    return rolled - automatic <= _CLEARLY * float(np.hypot(error, other_error))


def _of_matchup(matchup: Matchup, trials: int, rng: np.random.Generator, *, automatic: bool) -> dict[str, EmpiricalLaw]:
    batch = max(1, _BATCH_DICE // _most_dice(matchup))
    return _repeated(lambda size: _activations(matchup, size, rng, automatic=automatic), trials, batch)


def _repeated(roll: Callable[[int], dict[str, np.ndarray]], trials: int, batch: int) -> dict[str, EmpiricalLaw]:
    """Give the laws of what ``roll`` observes in so many trials, rolled in batches."""
    laws: dict[str, EmpiricalLaw] = {}
    for start in range(0, trials, batch):
        new = {name: EmpiricalLaw.of(observed) for name, observed in roll(min(batch, trials - start)).items()}
        laws = {name: laws[name] + law for name, law in new.items()} if laws else new
    return laws


class _Rolled(NamedTuple):
    """What equal weapons fired together come to, one integer for each trial: wounds ``to_save`` and ``devastating``
    ones; ``counts``: attacks, hits, wounds."""

    counts: dict[str, np.ndarray]
    to_save: np.ndarray
    devastating: np.ndarray


def _roll_volley(
    matchup: Matchup, trials: int, rng: np.random.Generator, *, automatic: bool, fires: np.ndarray | None = None
) -> _Rolled:
    """Roll attacks, hits and wounds. ``automatic``: critical hits wound without a roll; ``fires``: in which trials."""
    weapon = matchup.weapon
    attacks = roll_number(matchup, trials, rng)
    if fires is not None:
        attacks = attacks * fires
    hits, critical_hits = roll_hits(matchup, attacks, rng)
    extra = per_trial(roll_sum(weapon.sustained_hits, int(critical_hits.sum()), rng), critical_hits)
    wounds, critical_wounds = roll_wounds(matchup, hits + extra + (0 if automatic else critical_hits), rng)
    if automatic:
        wounds = wounds + critical_hits
    counts = {"attacks": attacks, "hits": hits + critical_hits + extra, "wounds": wounds + critical_wounds}
    devastating = critical_wounds if weapon.devastating_wounds else np.zeros_like(critical_wounds)
    return _Rolled(counts, wounds + critical_wounds - devastating, devastating)


def _activations(matchup: Matchup, trials: int, rng: np.random.Generator, *, automatic: bool) -> dict[str, np.ndarray]:
    """Roll one batch of one matchup; every count is one integer for each trial.

    Where models differ or attacks may be ignored, what is unsaved depends on who takes it, and raw damage has no
    meaning: both are left out.
    """
    target = matchup.target
    result, to_save, devastating = _roll_volley(matchup, trials, rng, automatic=automatic)
    unit = Casualties.none_yet(matchup, trials, rng)
    if target.groups or target.ignored_failed_saves or target.ignored_attacks:
        unit.struck_one_by_one(matchup, to_save, last=False)
        unit.struck_one_by_one(matchup, devastating, last=True)
    else:
        saved, _ = roll_successes(to_save, lambda _, face: saves(matchup, target, face), never, rng)
        raw = unit.struck_alike(matchup, to_save - saved, last=False)
        raw = raw + unit.struck_alike(matchup, devastating, last=True)
        result |= {"unsaved": to_save - saved + devastating, "raw_damage": raw}
    result |= {"damage": unit.wounds_lost(), "models_destroyed": unit.slain()}
    if matchup.weapon.hazardous:
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
