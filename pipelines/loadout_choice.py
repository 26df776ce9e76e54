"""Which of the many loadouts of a unit are worth computing: for each target and phase the one that promises most.

Belongs here: choosing by expected damage among what ``dimensions.arsenals`` allows. Doesn't: exact results of what was
chosen (``pipelines.matchups``), which weapons of an armament are used (``dimensions.loadouts``).

Choosing is combinatorial, so each model's armament is picked by the damage its weapons do on their own: first the best
unlimited armament of each kind of model, then the limited ones where they gain most, as many as their limits allow. An
armament's damage in the other phase decides between equals, so a squad's best shooting loadout has good blades too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from pipelines.dimensions.armaments import Armament
from pipelines.dimensions.arsenals import Arsenal
from pipelines.dimensions.loadouts import (
    CLOSE_ABILITIES,
    DEFAULT,
    Equipment,
    Loadout,
    Rows,
    carried_by,
    default_loadout,
    equipment,
)
from pipelines.records import Items, WeaponProfile
from pipelines.simulation.grid import GridResult

MAX_LOADOUTS = 8
"""Loadouts of a unit at a size that are computed: the default one, then those that are best most often."""
PLAIN = "plain"
DIGITS = 12
"""Significant digits that count where computed values are compared."""
_TIE = 1e-6  # share of the other phase's damage that decides between armaments of equal damage


@dataclass(frozen=True, slots=True)
class WeaponWorth:
    """Expected damage of one weapon against each target, [target], in the phase it is used in.

    ``alone``: Pistols and their like, fired instead of other ranged weapons; ``on_top``: Extra Attacks.
    A weapon with ranged and melee profiles has both arrays; zeros where it has none.
    """

    shooting: np.ndarray
    fight: np.ndarray
    alone: bool = False
    on_top: bool = False


def equipped(arsenals: Sequence[Arsenal], archetypes: pl.DataFrame, grid: GridResult) -> Iterator[Equipment]:
    """Each unit at each size with its default loadout and those that promise most against some archetype."""
    damage = _plain_damage(archetypes, grid)
    for arsenal in arsenals:
        worth = _worth(arsenal, damage, archetypes.height) if arsenal.reason is None else {}
        for loadout in choose_loadouts(arsenal, worth) if worth else [default_loadout(arsenal)]:
            yield equipment(arsenal, loadout)


def rounded(values: np.ndarray) -> np.ndarray:
    """Computed values for comparisons: what differs by rounding alone is equal, on every machine."""
    return pl.Series(values.ravel()).round_sig_figs(DIGITS).to_numpy().reshape(values.shape)


def _plain_damage(archetypes: pl.DataFrame, grid: GridResult) -> dict[str, np.ndarray]:
    """Expected damage of each weapon profile in the plain scenario, [archetype], by its id, for comparisons."""
    plain = grid.attack_classes.filter(pl.col("scenario_id") == PLAIN)
    damage = rounded(grid.damage(archetypes))[plain["attack_class_id"].to_numpy()]
    return dict(zip(plain["weapon_profile_id"], damage, strict=True))


def _worth(arsenal: Arsenal, damage: Mapping[str, np.ndarray], targets: int) -> dict[str, WeaponWorth]:
    """What each weapon of the datasheet does on its own; of several profiles the best counts for each target.

    Profiles that a die chooses count with the mean of all.
    """
    found: dict[str, WeaponWorth] = {}
    by_name: dict[str, list[tuple[str, WeaponProfile]]] = {}
    for key, profile in arsenal.weapons.items():
        by_name.setdefault(profile.weapon_name, []).append((key, profile))
    for name, profiles in by_name.items():
        abilities = {ability.ability for _, profile in profiles for ability in profile.abilities}
        of_type = {
            kind: [damage[key] for key, profile in profiles if profile.attack_type == kind and key in damage]
            for kind in ("ranged", "melee")
        }
        by_die = any(profile.dice_range for _, profile in profiles)
        combined = {
            kind: (np.mean if by_die else np.max)(values, axis=0) if values else np.zeros(targets)
            for kind, values in of_type.items()
        }
        found[name] = WeaponWorth(
            combined["ranged"],
            combined["melee"],
            alone=bool(abilities & CLOSE_ABILITIES),
            on_top="extra_attacks" in abilities,
        )
    return found


def choose_loadouts(arsenal: Arsenal, worth: Mapping[str, WeaponWorth]) -> list[Loadout]:
    """The default loadout and the best ones by expected damage, at most ``MAX_LOADOUTS``, the most often best first.

    ``worth``: by the weapon's name on the datasheet. Names say what differs from the default: ``2 × Assault cannon``.
    """
    ways = [replace(arsenal, kinds=kinds) for kinds in (arsenal.kinds, *arsenal.together)]
    values = [[_values(kind.armaments, worth, fires_all=way.fires_all) for kind in way.kinds] for way in ways]
    default = default_loadout(arsenal)
    found: Counter[Rows] = Counter()
    for phase in (0, 1):
        totals = [[value[phase] + _TIE * value[1 - phase] for value in of_way] for of_way in values]
        for target in range(totals[0][0].shape[1] if totals[0] else 0):
            best = [
                _best(way, [total[:, target] for total in of_way]) for way, of_way in zip(ways, totals, strict=True)
            ]
            found[max(best, key=lambda of_way: round(of_way[0], 9))[1]] += 1  # the first of equals, so the default one
    loadouts = {default.name: default}
    for rows, _ in found.most_common():
        name = _name(carried_by(rows), default.carried)
        if len(loadouts) < MAX_LOADOUTS:
            loadouts.setdefault(name, Loadout(name, rows))
    return list(loadouts.values())


def _values(armaments: Sequence[Armament], worth: Mapping[str, WeaponWorth], *, fires_all: bool) -> np.ndarray:
    """Expected damage of one model with each armament, [phase, armament, target]."""
    return np.array(
        [[_shooting(each.weapons, worth, fires_all), _fight(each.weapons, worth)] for each in armaments]
    ).swapaxes(0, 1)


def _shooting(weapons: Items, worth: Mapping[str, WeaponWorth], fires_all: bool) -> np.ndarray:
    alone, together = (
        sum((count * worth[name].shooting for name, count in weapons if worth[name].alone is kind), _none(worth))
        for kind in (True, False)
    )
    return alone + together if fires_all else np.maximum(alone, together)


def _fight(weapons: Items, worth: Mapping[str, WeaponWorth]) -> np.ndarray:
    main, extra = _none(worth), _none(worth)
    for name, count in weapons:
        if worth[name].on_top:
            extra = extra + count * worth[name].fight
        else:
            main = np.maximum(main, worth[name].fight)
    return main + extra


def _none(worth: Mapping[str, WeaponWorth]) -> np.ndarray:
    return np.zeros_like(next(iter(worth.values())).shooting)


def _best(arsenal: Arsenal, values: Sequence[np.ndarray]) -> tuple[float, Rows]:
    """The largest total of ``values`` (of each kind's armaments) that a loadout has, and its rows."""
    left = list(arsenal.limits)
    chosen: list[Counter[int]] = []
    gains = []
    for number, (kind, value) in enumerate(zip(arsenal.kinds, values, strict=True)):
        free = [i for i, armament in enumerate(kind.armaments) if not armament.limits]
        base = max(free, key=lambda i: value[i])  # the first of equals, so the default one
        chosen.append(Counter({base: kind.models}))
        gains += [
            (float(value[i] - value[base]), number, base, i)
            for i, armament in enumerate(kind.armaments)
            if armament.limits and value[i] > value[base]
        ]
    for _, number, base, armament in sorted(gains, key=lambda gain: -gain[0]):
        limits = arsenal.kinds[number].armaments[armament].limits
        models = min(chosen[number][base], *(left[limit] for limit in limits))
        if models > 0:
            chosen[number] += Counter({armament: models})
            chosen[number][base] -= models
            for limit in limits:
                left[limit] -= models
    total = sum(count * float(values[number][i]) for number, each in enumerate(chosen) for i, count in each.items())
    return total, tuple(_rows(arsenal, chosen))


def _rows(arsenal: Arsenal, chosen: Sequence[Counter[int]]) -> Iterator[tuple[int, Items]]:
    for kind, counts in zip(arsenal.kinds, chosen, strict=True):
        yield from ((models, kind.armaments[i].weapons) for i, models in sorted(counts.items()) if models > 0)


def _name(carried: Counter[str], default: Counter[str]) -> str:
    more, fewer = carried - default, default - carried
    if more:
        return ", ".join(f"{count} × {name}" for name, count in sorted(more.items()))
    return ", ".join(f"without {count} × {name}" for name, count in sorted(fewer.items())) or DEFAULT
