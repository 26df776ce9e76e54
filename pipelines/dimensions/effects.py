"""Effects read from rules texts and how far each text was read, as rows with ids.

Belongs here: which texts are read, and the rows of ``modifiers`` and ``text_coverage``. Doesn't: what a text does
(``rulebook.effects``), the ids of stratagems, enhancements and detachments (``rules``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from pipelines.dimensions.frames import Row
from pipelines.dimensions.units import Unit, ability_id
from pipelines.identity import stable_id
from pipelines.rulebook.effects import Modifier, ability_effects, coverage


@dataclass(frozen=True, slots=True)
class Source:
    """A text that effects are read from. ``kind`` and ``key`` name its row; ``text`` None: the source has none."""

    kind: str
    key: str
    name: str
    faction: str | None
    edition: str | None
    text: str | None


def effect_rows(source: Source, modifiers: Iterable[Modifier]) -> dict[str, list[Row]]:
    """Rows of ``modifiers`` and the one of ``text_coverage`` of a text; NULL ``clause``: nothing is missing."""
    found = list(modifiers)
    covered = coverage(source.text, found)
    return {
        "modifiers": [
            {
                "modifier_id": stable_id("modifier", source.key, position),
                "source_kind": source.kind,
                "source_id": source.key,
                **asdict(modifier),
            }
            for position, modifier in enumerate(found)
        ],
        "text_coverage": [
            {
                "source_kind": source.kind,
                "source_id": source.key,
                "name": source.name,
                "faction": source.faction,
                "edition": source.edition,
                **asdict(covered),
            }
        ],
    }


def ability_sources(units: Iterable[tuple[Unit, str | None]]) -> list[Source]:
    """The distinct abilities with a text of units, each with its faction's name; None where factions share the text."""
    found: dict[str, Source] = {}
    for unit, faction in units:
        for ability in unit.datasheet.abilities:
            key = ability_id(unit.edition, ability)
            if key is None:
                continue
            known = found.get(key)
            shared = known is not None and known.faction != faction
            found[key] = Source("ability", key, ability.name, None if shared else faction, unit.edition, ability.text)
    return list(found.values())


def ability_rows(units: Iterable[tuple[Unit, str | None]]) -> dict[str, list[Row]]:
    """Rows of ``modifiers`` and ``text_coverage`` of the abilities of units."""
    rows: dict[str, list[Row]] = {"modifiers": [], "text_coverage": []}
    for source in ability_sources(units):
        for table, some in effect_rows(source, ability_effects(source.text)).items():
            rows[table] += some
    return rows
