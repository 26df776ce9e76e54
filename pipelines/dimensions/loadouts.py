"""Which weapons of a loadout exclude each other: the choices open to its bearers, weapon by weapon.

Belongs here: which profiles may be used together. Doesn't: what a unit may carry (``arsenals``), choosing (that depends
on the target, see ``pipelines.loadout_choice`` and ``pipelines.matchups``).

The rules behind it: each model shoots with its Pistols or with all its other ranged weapons (MONSTER and VEHICLE
models with all); a model fights with one melee weapon and with those that have Extra Attacks on top; of a weapon with
several profiles one is used: the player's choice, or that of a D6 rolled once for all such weapons of the unit.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pipelines.dimensions.arsenals import Arsenal, UnknownEquipmentError
from pipelines.identity import fold
from pipelines.records import Items, WeaponProfile

Phase = Literal["shooting", "fight"]
CLOSE_ABILITIES = {"pistol", "close_quarters"}
_FACES = re.compile(r"([1-6])(?:\s*[-–]\s*([1-6]))?")


@dataclass(frozen=True, slots=True)
class Choice:
    """One profile that may be used: of a weapon's profiles one, of a slot's options one.

    ``bearer``: a unit at a size with a loadout.
    ``die``: the weapon whose profile a D6 chooses, ``die_faces`` of them this one; None: the player chooses.
    """

    bearer: str
    phase: Phase
    slot: int
    option: int
    weapon: int
    position: int
    weapon_profile_id: str
    count: int
    die: str | None = None
    die_faces: int | None = None


Rows = tuple[tuple[int, Items], ...]
"""What the models of a unit carry: (number of models, weapons of each with their counts)."""
DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Loadout:
    """What a unit carries; ``name`` is "default" or says what differs from it."""

    name: str
    rows: Rows

    @property
    def carried(self) -> Counter[str]:
        """Weapons of the whole unit with their counts."""
        return carried_by(self.rows)


@dataclass(frozen=True, slots=True)
class Equipment:
    """A unit at a size with a loadout; ``reason`` says why what it may use is unknown, then there are no choices."""

    unit_id: str
    models: int
    points: int | None
    loadout: str
    choices: tuple[Choice, ...] = ()
    reason: str | None = None

    @property
    def bearer(self) -> str:
        """The key of its choices."""
        return f"{self.unit_id} {self.models} {self.loadout}"


def carried_by(rows: Rows) -> Counter[str]:
    """Weapons of all models with their counts."""
    return sum((Counter({name: models * count for name, count in weapons}) for models, weapons in rows), Counter())


def default_loadout(arsenal: Arsenal) -> Loadout:
    """What a unit carries without any option taken."""
    return Loadout(DEFAULT, tuple((kind.models, kind.armaments[0].weapons) for kind in arsenal.kinds))


def equipment(arsenal: Arsenal, loadout: Loadout) -> Equipment:
    """The choices open to the bearers of a loadout."""
    known = Equipment(arsenal.unit_id, arsenal.models, arsenal.points_with(loadout.carried), loadout.name)
    if arsenal.reason is not None:
        return replace(known, reason=arsenal.reason)
    try:
        return replace(
            known, choices=tuple(choices(known.bearer, arsenal.weapons, loadout.rows, fires_all=arsenal.fires_all))
        )
    except UnknownEquipmentError as unknown:
        return replace(known, reason=str(unknown))


_Profiles = list[tuple[str, WeaponProfile]]


def choices(bearer: str, weapons: Mapping[str, WeaponProfile], rows: Rows, *, fires_all: bool) -> Iterator[Choice]:
    """The profiles that may be used. ``weapons``: profiles by id; names in ``rows`` are theirs.

    Raises UnknownEquipmentError where a die chooses among profiles that don't cover it.
    """
    by_name: dict[str, _Profiles] = defaultdict(list)
    for key, weapon in weapons.items():
        by_name[fold(weapon.weapon_name)].append((key, weapon))
    order = {key: position for position, key in enumerate(weapons, start=1)}
    slot = 0
    for count, items in rows:
        carried = {name: (by_name[fold(name)], number) for name, number in items}
        by_die = {fold(name): _faces(name, profiles) for name, (profiles, _) in carried.items()}
        for phase, options in (*_shooting(carried, fires_all=fires_all), *_fighting(carried)):
            slot += 1
            for option, used in enumerate(options):
                for number, (profiles, copies) in enumerate(used):
                    for key, profile in profiles:
                        die = fold(profile.weapon_name)
                        yield Choice(
                            bearer, phase, slot, option, number, order[key], key, count * copies,
                            *((die, by_die[die][key]) if by_die[die] else ()),
                        )  # fmt: skip


def _faces(name: str, profiles: _Profiles) -> dict[str, int]:
    """How many faces of a D6 choose each profile, none where no die does; together they must be all six."""
    if not any(weapon.dice_range for _, weapon in profiles):
        return {}
    ranges = {key: _FACES.fullmatch((weapon.dice_range or "").strip()) for key, weapon in profiles}
    faces = {
        key: list(range(int(found[1]), int(found[2] or found[1]) + 1)) if found else [] for key, found in ranges.items()
    }
    if sorted(face for some in faces.values() for face in some) != [1, 2, 3, 4, 5, 6]:
        raise UnknownEquipmentError(f"the die results that choose the profile of {name} are not six")
    return {key: len(some) for key, some in faces.items()}


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


def _shooting(carried: _Carried, *, fires_all: bool) -> Iterator[_Slot]:
    ranged = _of_type(carried, "ranged")
    close = [weapon for weapon in ranged if _has(weapon[0], CLOSE_ABILITIES)]
    others = [weapon for weapon in ranged if not _has(weapon[0], CLOSE_ABILITIES)]
    options = [ranged] if fires_all else [others, close]
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
