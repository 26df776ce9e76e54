"""What the models of a unit may carry at a size: their default equipment and what wargear options make of it.

Belongs here: which armaments are open to a model and how many of them a unit may have. Doesn't: reading options
(``sources``), choosing among armaments (``pipelines.loadout_choice``), which weapons are used (``loadouts``).

A model takes each unlimited option as often as it may, and at most one limited option (one that only so many models of
the unit may take): a squad's heavy weapon goes to one model, its banner to another. Items without attacks are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipelines.dimensions.prices import add_on_points, first_copies, price_of
from pipelines.dimensions.targets import smallest_size
from pipelines.dimensions.units import Unit
from pipelines.identity import singular
from pipelines.records import Cost, Items, WargearSwap, WeaponProfile

MAX_ARMAMENTS = 500
"""Armaments of one kind of model that are looked at, the nearest to the default first; three tanks have more."""


class UnknownEquipmentError(Exception):
    """The equipment can't be told; the text says why."""


@dataclass(frozen=True, slots=True)
class Armament:
    """Weapons that one model carries, by their names on the datasheet; indices of the limits it counts to."""

    weapons: Items
    limits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A number of models that may carry the same; the first armament is the default one."""

    name: str
    models: int
    armaments: tuple[Armament, ...]


@dataclass(frozen=True, slots=True)
class Arsenal:
    """All that a unit may carry at a size. ``limits``: how many models may have an armament that counts to each.

    ``points``: of the unit without the ``priced`` items; None: unknown. ``weapons``: its profiles by id. ``fires_all``:
    pistols are fired together with other weapons (MONSTER and VEHICLE). ``reason`` says why the equipment is unknown;
    there are no kinds then.
    """

    unit_id: str
    models: int
    points: int | None
    weapons: Mapping[str, WeaponProfile]
    fires_all: bool = False
    kinds: tuple[Kind, ...] = ()
    limits: tuple[int, ...] = ()
    priced: tuple[Cost, ...] = ()
    reason: str | None = None

    def points_with(self, carried: Counter[str]) -> int | None:
        """Points of the unit with these weapons; None: unknown."""
        return None if self.points is None else self.points + add_on_points(self.priced, carried)


def fires_all(keywords: Iterable[str]) -> bool:
    """Whether a unit with these keywords fires its pistols together with its other weapons."""
    return not {"MONSTER", "VEHICLE"}.isdisjoint(keywords)


def arsenals(unit: Unit) -> Iterator[Arsenal]:
    """The unit's arsenal at its smallest size, and at the largest size of each further price, the smallest first."""
    smallest, borrowed = smallest_size(unit)
    most = sum(row.max_models for row in unit.composition)
    largest: dict[int, int] = {}
    for cost in first_copies(unit.datasheet.costs):
        if cost.models < smallest:  # a price range that begins below the smallest size isn't trusted for its end
            continue
        largest[cost.points] = max(largest.get(cost.points, 0), cost.models_max or cost.models)
    for models in sorted({smallest, *(size for size in largest.values() if smallest < size <= most)}):
        known = Arsenal(
            unit.unit_id,
            models,
            price_of(unit.datasheet.costs, models),
            unit.weapons,
            fires_all=fires_all(unit.keywords),
            priced=tuple(cost for cost in unit.datasheet.costs if cost.kind == "add_on"),
        )
        try:
            if borrowed or not unit.composition:
                raise UnknownEquipmentError("the composition is unknown")
            kinds, limits = _kinds(unit, models)
            yield replace(known, kinds=kinds, limits=limits)
        except UnknownEquipmentError as unknown:
            yield replace(known, reason=str(unknown))


def _kinds(unit: Unit, models: int) -> tuple[tuple[Kind, ...], tuple[int, ...]]:
    described = {singular(weapon.weapon_name): weapon.weapon_name for weapon in unit.weapons.values()}
    limits: list[int] = []
    swaps = [
        _Swap.open_to(option.swap, models, described, limits)
        for option in unit.datasheet.wargear_options
        if option.swap is not None and _is_open(option.swap, models)
    ]
    kinds = []
    for name, count, carried in _carriers(unit, models):
        unknown = next((item for item in carried if singular(item) not in described), None)
        if unknown is not None:
            raise UnknownEquipmentError(f"the default weapon {unknown} is not described")
        default = Counter(described[singular(item)] for item in carried)
        own = [swap for swap in swaps if swap.takers in (None, singular(name))]
        kinds.append(Kind(name, count, tuple(_armaments(default, own, list(described.values())))))
    return tuple(kinds), tuple(limits)


def _is_open(swap: WargearSwap, models: int) -> bool:
    return (swap.from_models or 0) <= models <= (swap.to_models or models)


def _carriers(unit: Unit, models: int) -> Iterator[tuple[str, int, Sequence[str]]]:
    """(name, number, weapon names each carries) of each kind of model present at that size."""
    counts = [row.min_models for row in unit.composition]
    missing = models - sum(counts)
    for position in sorted(
        range(len(counts)), key=lambda p: unit.composition[p].min_models - unit.composition[p].max_models
    ):
        room = unit.composition[position].max_models - counts[position]
        more = min(max(room, 0), missing)  # the kind with the most room grows first
        counts[position] += more
        missing -= more
    if missing > 0:
        counts[max(range(len(counts)), key=counts.__getitem__)] += missing
    for row, count in zip(unit.composition, counts, strict=True):
        if count == 0:
            continue
        if row.default_weapons is None:
            raise UnknownEquipmentError(f"the default equipment of {row.model_name} is unknown")
        yield row.model_name, count, row.default_weapons


def _most(swap: WargearSwap, most: int, models: int) -> int:
    if swap.per_models is not None:
        return most * (models // swap.per_models)
    return most if swap.of_models is None else most * min(models, swap.of_models) // swap.of_models


@dataclass(frozen=True, slots=True)
class _Swap:
    """An option at a size: each choice with the limits it counts to."""

    takers: str | None
    needs: Counter[str]
    choices: tuple[tuple[Counter[str], tuple[int, ...]], ...]
    times: int | None
    distinct: bool
    carrying: frozenset[str]
    not_carrying: frozenset[str]

    @classmethod
    def open_to(cls, swap: WargearSwap, models: int, described: dict[str, str], limits: list[int]) -> _Swap:
        """The option at this size; its limits are added to ``limits``."""

        def weapons(items: Items) -> Counter[str]:
            known = [(described.get(singular(name)), count) for name, count in items]
            return Counter({name: count for name, count in known if name is not None})

        shared: tuple[int, ...] = ()
        if swap.most is not None:
            limits.append(_most(swap, swap.most, models))
            shared = (len(limits) - 1,)
        choices = []
        for choice in swap.choices:
            own = shared
            if swap.distinct and shared:
                limits.append(1)
                own = (*shared, len(limits) - 1)
            choices.append((weapons(choice), own))
        return cls(
            singular(swap.takers) if swap.takers else None,
            weapons(swap.replaces),
            tuple(choices),
            swap.times,
            swap.distinct,
            frozenset(map(singular, swap.carrying)),
            frozenset(map(singular, swap.not_carrying)),
        )

    def applied(self, carried: Counter[str], default: Counter[str]) -> Iterator[tuple[Counter[str], tuple[int, ...]]]:
        """What a model that carries this carries after taking the option once; nothing where it can't."""
        names = {singular(name) for name in carried}
        if self.needs - carried or self.carrying - names or self.not_carrying & names:
            return
        for gained, limits in self.choices:
            if self.distinct and gained and gained <= carried - default:
                continue
            yield carried - self.needs + gained, limits


def _armaments(default: Counter[str], swaps: Sequence[_Swap], order: Sequence[str]) -> Iterator[Armament]:
    """All armaments that the options lead to, the default one first; weapons in ``order``, that of the datasheet."""
    found: dict[tuple[frozenset[tuple[str, int]], tuple[int, ...]], None] = {}
    waiting: list[tuple[Counter[str], tuple[int, ...], tuple[int, ...]]] = [(default, (), (0,) * len(swaps))]
    seen = set()
    for carried, limits, taken in waiting:
        key = (frozenset(carried.items()), limits)
        if (key, taken) in seen:
            continue
        seen.add((key, taken))
        if key not in found and len(found) == MAX_ARMAMENTS:
            break
        found[key] = None
        for number, swap in enumerate(swaps):
            most = sum(carried.values()) if swap.times is None else swap.times
            if taken[number] >= most:
                continue
            now = (*taken[:number], taken[number] + 1, *taken[number + 1 :])
            for after, counted in swap.applied(carried, default):
                if not counted or not limits:
                    waiting.append((after, limits or counted, now))
    free = {weapons for weapons, limits in found if not limits}
    for weapons, limits in found:
        if not limits or weapons not in free:
            yield Armament(tuple(sorted(weapons, key=lambda item: order.index(item[0]))), limits)
