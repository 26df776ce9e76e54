"""What a unit fires and fights with by default: the choices open to it, weapon by weapon.

Belongs here: which weapons a unit at its smallest size carries and which of them exclude each other. Doesn't: choosing
(that depends on the target, see ``pipelines.matchups``), wargear options.

The rules behind it: each model shoots with its Pistols or with all its other ranged weapons (MONSTER and VEHICLE
models with all); a model fights with one melee weapon and with those that have Extra Attacks on top; of a weapon with
several profiles one is used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipelines.dimensions.prices import add_on_points, price_of
from pipelines.dimensions.targets import smallest_size
from pipelines.dimensions.units import Unit
from pipelines.identity import fold
from pipelines.records import WeaponProfile

Phase = Literal["shooting", "fight"]
_CLOSE_ABILITIES = {"pistol", "close_quarters"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One profile that may be used: of a weapon's profiles one, of a slot's options one."""

    unit_id: str
    phase: Phase
    slot: int
    option: int
    weapon: int
    position: int
    weapon_profile_id: str
    count: int


@dataclass(frozen=True, slots=True)
class Equipment:
    """A unit's default equipment at its smallest size; ``reason`` says why it is unknown, then there are no choices."""

    unit_id: str
    models: int
    points: int | None
    choices: tuple[Choice, ...] = ()
    reason: str | None = None


class _UnknownEquipmentError(Exception):
    """The equipment can't be told; the text says why."""


def default_equipment(unit: Unit) -> Equipment:
    """The choices of a unit's default equipment at its smallest size."""
    models, borrowed = smallest_size(unit)
    points = price_of(unit.datasheet.costs, models)
    try:
        if borrowed or not unit.composition:
            raise _UnknownEquipmentError("the composition is unknown")
        rows = list(_equipped_rows(unit, models))
        carried = [name for count, names in rows for name in names for _ in range(count)]
        if points is not None:
            points += add_on_points(unit.datasheet.costs, carried)
        return Equipment(unit.unit_id, models, points, tuple(_choices(unit, rows)))
    except _UnknownEquipmentError as unknown:
        return Equipment(unit.unit_id, models, points, reason=str(unknown))


def _equipped_rows(unit: Unit, models: int) -> Iterator[tuple[int, Sequence[str]]]:
    """(number of models, weapon names each carries) for each kind of model present at that size."""
    counts = [row.min_models for row in unit.composition]
    missing = models - sum(counts)
    if missing > 0:  # the smallest priced size lies above the minima: fill the kind with the most room
        room = [row.max_models - row.min_models for row in unit.composition]
        counts[room.index(max(room))] += missing
    for row, count in zip(unit.composition, counts, strict=True):
        if count == 0:
            continue
        if row.default_weapons is None:
            raise _UnknownEquipmentError(f"the default equipment of {row.model_name} is unknown")
        yield count, row.default_weapons


_Profiles = list[tuple[str, WeaponProfile]]


def _choices(unit: Unit, rows: Iterable[tuple[int, Sequence[str]]]) -> Iterator[Choice]:
    by_name: dict[str, _Profiles] = defaultdict(list)
    for key, weapon in unit.weapons.items():
        by_name[fold(weapon.weapon_name)].append((key, weapon))
    order = {key: position for position, key in enumerate(unit.weapons, start=1)}
    slot = 0
    for count, names in rows:
        carried = {name: (by_name.get(fold(name), []), number) for name, number in Counter(names).items()}
        for name, (profiles, _) in carried.items():
            if not profiles:
                raise _UnknownEquipmentError(f"the default weapon {name} is not described")
            if any(weapon.dice_range for _, weapon in profiles):
                raise _UnknownEquipmentError(f"the profile of {name} is chosen by a die")
        for phase, options in (*_shooting(unit, carried), *_fighting(carried)):
            slot += 1
            for option, weapons in enumerate(options):
                for number, (profiles, copies) in enumerate(weapons):
                    for key, _ in profiles:
                        yield Choice(unit.unit_id, phase, slot, option, number, order[key], key, count * copies)


_Carried = Mapping[str, tuple[_Profiles, int]]
_Weapons = list[tuple[_Profiles, int]]
_Slot = tuple[Phase, list[_Weapons]]


def _of_type(carried: _Carried, attack_type: str) -> _Weapons:
    found = [
        ([entry for entry in profiles if entry[1].attack_type == attack_type], n) for profiles, n in carried.values()
    ]
    return [(profiles, n) for profiles, n in found if profiles]


def _has(profiles: _Profiles, abilities: set[str]) -> bool:
    return any(ability.ability in abilities for _, weapon in profiles for ability in weapon.abilities)


def _shooting(unit: Unit, carried: _Carried) -> Iterator[_Slot]:
    ranged = _of_type(carried, "ranged")
    close = [weapon for weapon in ranged if _has(weapon[0], _CLOSE_ABILITIES)]
    others = [weapon for weapon in ranged if not _has(weapon[0], _CLOSE_ABILITIES)]
    options = [ranged] if {"MONSTER", "VEHICLE"} & set(unit.keywords) else [others, close]
    options = [option for option in options if option]
    if options:
        yield "shooting", options


def _fighting(carried: _Carried) -> Iterator[_Slot]:
    melee = _of_type(carried, "melee")
    extra = [weapon for weapon in melee if _has(weapon[0], {"extra_attacks"})]
    main = [[(profiles, 1)] for profiles, _ in melee if not _has(profiles, {"extra_attacks"})]
    if main:
        yield "fight", main
    if extra:
        yield "fight", [extra]
