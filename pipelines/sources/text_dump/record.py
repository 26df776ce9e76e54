"""The record of a datasheet, from what its sections say.

Belongs here: joining the sections, and whom the datasheet describes. Doesn't: reading lines.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from pipelines.records import Datasheet, ModelProfile, NameSource
from pipelines.sources.text_dump.datasheet import DatasheetReader
from pipelines.sources.text_dump.memory import fold
from pipelines.sources.text_dump.names import infer_name, name_of_file
from pipelines.sources.text_dump.page import StatLine

_DEFAULT_EDITION = "10e"


def datasheet_record(sheet: DatasheetReader, path: str, page_collection: str | None) -> Datasheet | None:
    """What has been read, as one record; None where nothing tells the unit's name.

    ``path``: of the file that holds this datasheet alone, else empty; ``page_collection``: the collection that the
    page's first title names.
    """
    stats = stat_lines(sheet)
    named: tuple[str, NameSource] | None
    if sheet.named is not None:
        collection: str | None = sheet.named[0]
        named = sheet.named[1], "title"
    else:
        collection = page_collection or sheet.page_collection
        named = _infer_name(sheet, stats, path)
    if named is None:
        return None
    name, source = named
    factions = sheet.keywords.names(faction=True)
    own = next((keyword for keyword in factions if fold(keyword) == fold(collection or "")), None)
    has_points_section = bool(sheet.composition.costs) or "UNIT COMPOSITION" in sheet.seen
    return Datasheet(
        name=name,
        name_source=source,
        collection=collection,
        faction=own or next(iter(factions), None),
        edition=sheet.printed_edition or _DEFAULT_EDITION,
        models=_models(sheet, stats, name),
        costs=tuple(sheet.composition.costs),
        composition=tuple(sheet.composition.kinds),
        keywords=tuple(sheet.keywords.keywords),
        abilities=tuple(sheet.abilities.abilities),
        wargear_options=sheet.options.records(tuple(weapon.weapon_name for weapon in sheet.weapons)),
        weapons=tuple(sheet.weapons),
        leads=_leads(sheet),
        has_points_by_design=has_points_section or own is not None or not factions or collection is None,
        line=sheet.first + 1,
        damaged=sheet.abilities.damaged(),
    )


def stat_lines(sheet: DatasheetReader) -> list[StatLine]:
    """Those of the page's stat lines that stand in this datasheet."""
    found = sheet.page.stat_lines
    first = bisect_left(found, sheet.first, key=_index_of)
    return found[first : bisect_left(found, len(sheet.page.lines), key=_index_of)]


def _index_of(stats: StatLine) -> int:
    return stats.index


def _models(sheet: DatasheetReader, stats: list[StatLine], name: str) -> tuple[ModelProfile, ...]:
    models = [replace(one.model, model_name=one.model.model_name or name) for one in stats]
    if len(models) == 1 and models[0].base_size is None:
        models = [replace(models[0], base_size=sheet.base_size)]
    return sheet.abilities.with_feel_no_pain(models)


def _leads(sheet: DatasheetReader) -> tuple[str, ...] | None:
    if "ABILITIES" not in sheet.seen:  # without its abilities, the page says nothing of leading
        return None
    if "LEADER" not in sheet.seen:
        return ()
    return tuple(sheet.leader.units) or None


def _infer_name(sheet: DatasheetReader, stats: list[StatLine], path: str) -> tuple[str, NameSource] | None:
    """The unit's name on a page without a title, and where it is taken from."""
    above = next((one.unit_name for one in stats if one.unit_name), None)
    if above is not None:
        return above, "stat_line"
    inferred = infer_name(sheet.composition.kinds, sheet.keywords.names(faction=False))
    if inferred is not None:
        message = f"no title: the unit's name {inferred[0]!r} is taken from its composition and keywords"
        sheet.page.note("info", "unit_name_inferred", message, sheet.first + 1)
        return inferred
    name = name_of_file(path)
    if name is None:
        return None
    message = f"the page names its unit nowhere: the name {name!r} is the file's"
    sheet.page.note("warning", "unit_name_from_file", message, sheet.first + 1)
    return name, "file_name"
