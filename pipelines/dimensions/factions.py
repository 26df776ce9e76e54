"""Which faction a name means. Belongs here: resolving spellings against the declared factions, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pipelines.identity import fold, stable_id
from warehouse.declared import factions


@cache
def _slugs() -> dict[str, str]:
    found: dict[str, str] = {}
    for slug, entry in factions().items():
        for name in (entry["name"], *entry.get("aliases", ())):
            found[fold(name)] = slug
    return found


def faction_id(name: str) -> str:
    """Id of the faction that a name means; an undeclared name is a faction of its own."""
    return _slugs().get(fold(name)) or stable_id("faction", fold(name))


def is_declared(name: str | None) -> bool:
    """Whether the name is a declared faction's."""
    return name is not None and fold(name) in _slugs()


def display_name(name: str) -> str:
    """The declared spelling, or the name itself in title case when it is printed in capitals."""
    slug = _slugs().get(fold(name))
    if slug is not None:
        return str(factions()[slug]["name"])
    return name.title() if name.isupper() else name


def most_specific(names: Iterable[str]) -> str | None:
    """Of a unit's faction keywords the one whose parent is also among them, else the first; None for none."""
    printed = list(names)
    ids = {faction_id(name) for name in printed}
    for name in printed:
        entry = factions().get(faction_id(name))
        if entry is not None and entry.get("parent") in ids:
            return name
    return printed[0] if printed else None
