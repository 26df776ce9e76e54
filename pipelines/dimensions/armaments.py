"""Armaments of one model: what wargear options make of its default weapons.

Belongs here: which options a model may take together, and the weapons it has then. Doesn't: how many models a unit has
and what all of them carry (``arsenals``), reading options (``sources``).

A model takes each unlimited option as often as it may, and at most one limited option (one that only so many models of
the unit may take): a squad's heavy weapon goes to one model, its banner to another. What an option asks for a model
must have in the end too. Items without attacks are followed only where an option asks for them; an option that replaces
something that is neither a weapon nor wargear of the datasheet is left closed, since nothing would be given up for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from pipelines.identity import singular
from pipelines.records import CarryLimit, Datasheet, Items, WargearSwap

MAX_ARMAMENTS = 500
"""Armaments of one kind of model that are looked at, the nearest to the default first; three tanks have more."""
_ANY_WEAPON = {"ranged weapon": "ranged", "melee weapon": "melee"}
_REMARK = re.compile(r"\s*\([^()]{1,80}\)$")  # "Gloom Prism (Aura)"


@dataclass(frozen=True, slots=True)
class Armament:
    """Weapons that one model carries, by their names on the datasheet; indices of the limits it counts to."""

    weapons: Items
    limits: tuple[int, ...] = ()


class Wargear:
    """The items of a datasheet by name, in the singular or not: its weapons, and what its options ask for besides.

    A source without words for its options names items by ids, so whatever isn't a weapon there is wargear.
    """

    def __init__(self, datasheet: Datasheet) -> None:
        self.weapons = tuple(dict.fromkeys(weapon.weapon_name for weapon in datasheet.weapons))
        self._described = {singular(name): name for name in self.weapons}
        self.of_kind: dict[str, frozenset[str]] = {
            kind: frozenset(weapon.weapon_name for weapon in datasheet.weapons if weapon.attack_type == kind)
            for kind in ("ranged", "melee")
        }
        pistols = {
            weapon.weapon_name
            for weapon in datasheet.weapons
            if any(ability.ability == "pistol" for ability in weapon.abilities)
        }
        self.of_kind["pistol"] = self.of_kind["ranged"] & pistols
        self.of_kind["other_ranged"] = self.of_kind["ranged"] - pistols
        options = [(option.swap, option.text) for option in datasheet.wargear_options if option.swap is not None]
        asked, given, gained = set[str](), set[str](), set[str]()
        known = {singular(_REMARK.sub("", ability.name)) for ability in datasheet.abilities}
        for swap, text in options:
            gives = {singular(name) for items in (swap.replaces, *swap.besides) for name, _ in items}
            gained |= {singular(name) for choice in swap.choices for name, _ in choice} - gives
            asked |= gives | {singular(name) for name in (*swap.carrying, *swap.not_carrying, *swap.keeps)}
            given |= gives
            known |= gives if text is None else set()
        self._followed = (asked & (known | gained)) - self._described.keys()
        self._by_default = (given & self._followed) - gained

    def __call__(self, name: str) -> str | None:
        """The name of a weapon on the datasheet, the singular of other wargear that is followed, None of the rest."""
        single = singular(name)
        return self._described.get(single) or (single if single in self._followed else None)

    def bag(self, items: Items) -> Counter[str]:
        """The items that are followed, with their counts."""
        found: Counter[str] = Counter()
        for name, count in items:
            known = self(name)
            if known is not None:
                found[known] += count
        return found

    def carried(self, weapons: Sequence[str]) -> Counter[str]:
        """What a model has by default: these weapons (of the datasheet), and wargear that only options take away."""
        return self.bag(tuple((name, 1) for name in weapons)) | Counter(self._by_default)

    def armed(self, carried: Counter[str]) -> Items:
        """The weapons among what is carried, in the order of the datasheet."""
        return tuple((name, carried[name]) for name in self.weapons if carried[name] > 0)


@dataclass(frozen=True, slots=True)
class _Exchange:
    gives: Counter[str]
    gains: Counter[str]
    limits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """An option at a size: its exchanges with the limits each counts to."""

    takers: str | None
    exchanges: tuple[_Exchange, ...]
    times: int | None
    distinct: bool
    together: bool
    carrying: frozenset[str]
    not_carrying: frozenset[str]
    keeps: frozenset[str]
    at_most: tuple[tuple[frozenset[str], int], ...]

    @property
    def by_bearer(self) -> bool:
        """Whether it may be taken once for each of the items it asks for."""
        return self.times is None and bool(self.carrying) and not any(each.gives for each in self.exchanges)


def option_at(
    swap: WargearSwap, models: int, counts: Mapping[str, int], wargear: Wargear, limits: list[int]
) -> Option | None:
    """The option in a unit of that size; its limits are added to ``limits``. None where it isn't open.

    ``counts``: models of each kind by the singular of its name.
    """
    if not (swap.from_models or 0) <= models <= (swap.to_models or models):
        return None
    carrying = [wargear(name) for name in swap.carrying]
    if None in carrying:
        return None
    shared: tuple[int, ...] = ()
    if swap.most is not None:
        limits.append(_most(swap, swap.most, models, counts))
        shared = (len(limits) - 1,)
    each = max((step for step in swap.repeats if step[0] <= models), default=None)
    once = 1 if swap.distinct and shared else None
    own_most = each[1] if each is not None else once
    own: dict[Items, int] = {}
    exchanges = []
    for number, choice in enumerate(swap.choices):
        counted = shared
        if own_most is not None:
            if choice not in own:
                limits.append(own_most)
                own[choice] = len(limits) - 1
            counted = (*shared, own[choice])
        given = (*swap.replaces, *(swap.besides[number] if swap.besides else ()))
        exchanges += [_Exchange(gives, wargear.bag(choice), counted) for gives in _given(given, wargear)]
    return Option(
        singular(swap.takers) if swap.takers else None,
        tuple(each for each in exchanges if each.gives != each.gains),
        swap.times,
        swap.distinct,
        swap.together,
        frozenset(name for name in carrying if name),
        frozenset(name for name in map(wargear, swap.not_carrying) if name),
        frozenset(name for name in map(wargear, swap.keeps) if name),
        tuple((_limited(limit, wargear), limit.most) for limit in swap.at_most),
    )


def _most(swap: WargearSwap, most: int, models: int, counts: Mapping[str, int]) -> int:
    if swap.per_models is not None:
        counted = models if swap.per_kind is None else counts.get(singular(swap.per_kind), 0)
        return most * (counted // swap.per_models)
    return most if swap.of_models is None else most * min(models, swap.of_models) // swap.of_models


def _given(items: Items, wargear: Wargear) -> Iterator[Counter[str]]:
    """What may be given up: "a ranged weapon" is any of them. Nothing where an item isn't known."""
    alternatives = []
    for name, count in items:
        any_of = sorted(wargear.of_kind.get(_ANY_WEAPON.get(singular(name), ""), ()))
        known = any_of or [found for found in [wargear(name)] if found is not None]
        alternatives.append([(found, count) for found in known])
    for chosen in product(*alternatives):
        found: Counter[str] = Counter()
        for name, count in chosen:
            found[name] += count
        yield found


def _limited(limit: CarryLimit, wargear: Wargear) -> frozenset[str]:
    if not limit.names:
        return wargear.of_kind[limit.kind]
    return frozenset(name for name in map(wargear, limit.names) if name)


@dataclass(frozen=True, slots=True)
class _State:
    """A model on its way through the options; of ``locked`` it must keep so many, ``banned`` it must not gain."""

    carried: Counter[str]
    limits: tuple[int, ...]
    taken: tuple[int, ...]
    locked: Items = ()
    banned: frozenset[str] = frozenset()

    @property
    def key(self) -> tuple[object, ...]:
        return frozenset(self.carried.items()), self.limits, self.taken, self.locked, self.banned


def armaments(default: Counter[str], options: Sequence[Option], wargear: Wargear) -> Iterator[Armament]:
    """All armaments that the options lead to, the default one first."""
    found: dict[tuple[Items, tuple[int, ...]], None] = {}
    waiting = [_State(default, (), (0,) * len(options))]
    seen = set()
    for state in waiting:
        if state.key in seen:
            continue
        seen.add(state.key)
        key = (wargear.armed(state.carried), state.limits)
        if key not in found and len(found) == MAX_ARMAMENTS:
            break
        found[key] = None
        waiting += _next(state, default, options)
    free = {weapons for weapons, limits in found if not limits}
    for weapons, limits in found:
        if not limits or weapons not in free:
            yield Armament(weapons, limits)


def after_all(default: Counter[str], chosen: Sequence[tuple[Option, int]]) -> Counter[str]:
    """What a model carries that took these options (each with the exchange of that number) where it can."""
    carried = default
    for option, number in chosen:
        exchange = option.exchanges[number]
        if not exchange.gives - carried and _may_take(option, carried):
            carried = carried - exchange.gives + exchange.gains
    return carried


def _may_take(option: Option, carried: Counter[str]) -> bool:
    return option.carrying <= carried.keys() and not option.not_carrying & carried.keys()


def _next(state: _State, default: Counter[str], options: Sequence[Option]) -> Iterator[_State]:
    """The states behind one more option."""
    for number, option in enumerate(options):
        most = sum(state.carried.values()) if option.times is None else option.times
        if state.taken[number] >= most or not _may_take(option, state.carried):
            continue
        taken = (*state.taken[:number], state.taken[number] + 1, *state.taken[number + 1 :])
        for exchange in option.exchanges:
            if exchange.gives - state.carried or (exchange.limits and state.limits):
                continue
            if option.distinct and exchange.gains and exchange.gains <= state.carried - default:
                continue
            after = state.carried - exchange.gives + exchange.gains
            following = replace(
                state,
                carried=after,
                limits=exchange.limits or state.limits,
                taken=taken,
                locked=_locked(state, option, exchange, after),
                banned=state.banned | (option.not_carrying - after.keys()),
            )
            if _holds(following, options):
                yield following


def _locked(state: _State, option: Option, exchange: _Exchange, after: Counter[str]) -> Items:
    """What an option asks for stays: one of each, besides what it adds of the same."""
    own = {name: min(after[name], 1 + exchange.gains[name]) for name in option.carrying | option.keeps}
    locked = Counter(dict(state.locked)) | Counter({name: count for name, count in own.items() if count > 0})
    return tuple(sorted(locked.items()))


def _holds(state: _State, options: Sequence[Option]) -> bool:
    """Whether all that the options taken ask for is still so."""
    if any(state.carried[name] < count for name, count in state.locked) or state.banned & state.carried.keys():
        return False
    for option, times in zip(options, state.taken, strict=True):
        if times == 0:
            continue
        if option.by_bearer and times > min(state.carried[name] for name in option.carrying):
            return False
        if any(sum(state.carried[name] for name in names) > most for names, most in option.at_most):
            return False
    return True
