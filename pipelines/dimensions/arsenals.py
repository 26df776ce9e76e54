"""What the models of a unit may carry at a size: their default equipment and what wargear options make of it.

Belongs here: the kinds of model of a unit at a size, how many of them may have an armament, options that all models
take or none. Doesn't: the armaments of one model (``armaments``), reading options (``sources``), choosing among
armaments (``pipelines.loadout_choice``), which weapons are used (``loadouts``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from pipelines.dimensions.armaments import Armament, Option, Wargear, after_all, armaments, option_at
from pipelines.dimensions.prices import add_on_points, first_copies, price_of
from pipelines.dimensions.targets import smallest_size
from pipelines.dimensions.units import Unit
from pipelines.identity import singular
from pipelines.records import Cost, WeaponProfile

MAX_TOGETHER = 64
"""Combinations of options for all models that are looked at."""


class UnknownEquipmentError(Exception):
    """The equipment can't be told; the text says why."""


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
    pistols are fired together with other weapons (MONSTER and VEHICLE). ``together``: the kinds of a unit whose models
    all took an option for all or none, once for each combination. ``reason`` says why the equipment is unknown; there
    are no kinds then.
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
    together: tuple[tuple[Kind, ...], ...] = ()

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
    costs = first_copies(unit.datasheet.costs)
    for cost in costs:
        if cost.models < smallest:  # a price range that begins below the smallest size isn't trusted for its end
            continue
        # Nor is one that ends just below a dearer size: price lists print sizes, and those between cost as the larger.
        is_open = cost.models == smallest and any(other.points > cost.points for other in costs)
        largest[cost.points] = max(largest.get(cost.points, 0), (not is_open and cost.models_max) or cost.models)
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
            (kinds, *together), limits = _kinds(unit, models)
            yield replace(known, kinds=kinds, together=tuple(together), limits=limits)
        except UnknownEquipmentError as unknown:
            yield replace(known, reason=str(unknown))


def _kinds(unit: Unit, models: int) -> tuple[list[tuple[Kind, ...]], tuple[int, ...]]:
    """The kinds of model without options for all models, then those with each combination of them; the limits."""
    swaps = [option.swap for option in unit.datasheet.wargear_options if option.swap is not None]
    wargear = Wargear(unit.datasheet)
    carriers = list(_carriers(unit, models))
    counts = Counter[str]()
    for name, count, weapons in carriers:
        unknown = next((item for item in weapons if wargear(item) is None), None)
        if unknown is not None:
            raise UnknownEquipmentError(f"the default weapon {unknown} is not described")
        counts[singular(name)] += count
    limits: list[int] = []
    found = (option_at(swap, models, counts, wargear, limits) for swap in swaps)
    options = [option for option in found if option is not None and option.exchanges]
    apart = [option for option in options if not option.together]
    ways = []
    for chosen in _together([option for option in options if option.together]):
        kinds = []
        for name, count, weapons in carriers:
            first = after_all(wargear.carried(weapons), [each for each in chosen if _is_for(each[0], name, counts)])
            own = [option for option in apart if _is_for(option, name, counts)]
            kinds.append(Kind(name, count, tuple(armaments(first, own, wargear))))
        if tuple(kinds) not in ways:  # options that exclude each other lead to the same
            ways.append(tuple(kinds))
    return ways, tuple(limits)


def _together(options: Sequence[Option]) -> Iterator[list[tuple[Option, int]]]:
    """Each combination of options for all models, none first; an option with the number of one of its exchanges."""
    taken = [[None, *((option, number) for number in range(len(option.exchanges)))] for option in options]
    for combination in islice(product(*taken), MAX_TOGETHER):
        yield [each for each in combination if each is not None]


def _is_for(option: Option, name: str, counts: Mapping[str, int]) -> bool:
    """Whether models of that name may take it; a name cut short counts where only one kind's name ends with it."""
    if option.takers is None or option.takers == singular(name):
        return True
    ending = [kind for kind in counts if kind.endswith(f" {option.takers}")]
    return option.takers not in counts and ending == [singular(name)]


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
