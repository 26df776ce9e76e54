"""Army lists, in every format that the community package imports, as records.

Belongs here: what an imported list says of its units. Doesn't: finding these units in the warehouse, computing
anything (``pipelines.rosters``). The formats themselves are the package's: the GW app's text, NewRecruit, ListForge …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.identity import fold
from pipelines.records import Items

MAX_CHARACTERS = 1_000_000
MAX_UNITS = 200
MAX_COUNT = 1_000
"""Models of a unit, and weapons of a kind that a unit carries."""


class UnreadableRosterError(Exception):
    """The text is no army list that the package knows."""


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """A unit of a list. ``names``: those it may have in a warehouse, the data set's first; ``wargear`` as listed."""

    names: tuple[str, ...]
    models: int
    points: int | None
    wargear: Items
    enhancement: str | None = None

    @property
    def name(self) -> str:
        """The name to show."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Roster:
    """An army list. ``points`` as the list states them, else summed up; ``warnings``: what the importer noticed."""

    name: str
    format: str
    faction: str | None
    detachments: tuple[str, ...]
    points: int | None
    units: tuple[RosterUnit, ...]
    warnings: tuple[str, ...] = ()


def read_roster(text: str) -> Roster:
    """Read an army list. Raises UnreadableRosterError for a text that is none, has no units, or is out of bounds."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableRosterError(f"{len(text)} characters; at most {MAX_CHARACTERS} are read")
    from wh40kdc import Dataset, try_import_roster  # imported here: it loads the whole data set

    dataset = Dataset.embedded()
    found: Mapping[str, Any] = try_import_roster(text, dataset)
    if not found.get("ok"):
        raise UnreadableRosterError(f"no army list in a known format: {found['message']}")
    roster = found["roster"]
    faction_id = _faction_of(roster, dataset)

    def name_of(unit_id: str | None) -> str | None:
        known = dataset.units.get_in_faction(unit_id or "", faction_id)
        return known.name if known else None

    units = tuple(_unit(unit, name_of) for unit in roster["units"])
    if not units:
        raise UnreadableRosterError("an army list without units")
    if len(units) > MAX_UNITS:
        raise UnreadableRosterError(f"{len(units)} units; at most {MAX_UNITS} are read")
    points = roster.get("points") or {}
    return Roster(
        name=str(roster.get("name") or "Army list"),
        format=str(found["format"]),
        faction=faction.name if (faction := dataset.factions.get(faction_id)) else None,
        detachments=tuple(each["ref"]["raw_name"] for each in roster.get("detachments") or ()),
        points=points.get("total_reported") or points.get("total_computed"),
        units=units,
        warnings=tuple(_warning(each) for each in (roster.get("diagnostics") or {}).get("warnings") or ()),
    )


def _faction_of(roster: Mapping[str, Any], dataset: Any) -> str:
    """The faction that has most of the list's units; the importer's own answer decides between equals.

    The importer takes a name that holds another for it: "Space Marines" for Chaos Space Marines.
    """
    names = {fold(unit["ref"].get("raw_name") or "") for unit in roster["units"]}
    listed = Counter(unit.faction_id for unit in dataset.units.all if fold(unit.name) in names)
    said = roster.get("faction_id") or ""
    return max({*listed, said}, key=lambda faction: (listed[faction], faction == said, faction))


def _unit(unit: Mapping[str, Any], name_of: Callable[[str | None], str | None]) -> RosterUnit:
    reference = unit["ref"]
    named = (name_of(reference.get("id")), reference.get("raw_name"))
    names = tuple(dict.fromkeys(name for name in named if name)) or ("a unit without a name",)
    wargear: Counter[str] = Counter()
    for item in unit.get("wargear") or ():
        wargear[str(item["ref"].get("raw_name"))] += int(item["count"])
    models = max(int(unit.get("model_count") or 1), 1)
    for count, what in ((models, "models"), *((count, name) for name, count in wargear.items())):
        if count > MAX_COUNT:
            raise UnreadableRosterError(f"{names[0]}: {count} × {what}; at most {MAX_COUNT} are read")
    enhancement = unit.get("enhancement")
    points = unit.get("points")
    return RosterUnit(
        names=names,
        models=models,
        points=points if points and points > 0 else None,
        wargear=tuple(wargear.items()),
        enhancement=enhancement["raw_name"] if enhancement else None,
    )


def _warning(entry: Mapping[str, Any]) -> str:
    named = f"{entry['raw_name']}: " if entry.get("raw_name") else ""
    return f"{named}{entry['message']}"
