"""Stat lines and invulnerable saves of a card to ``ModelProfile`` records.

Belongs here: profiles, their labels, which model an invulnerable save belongs to. Doesn't: what its condition says
(``stat_lines``), Feel No Pain and damaged brackets, which are abilities (``sections``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bs4.element import Tag

from pipelines.identity import singular
from pipelines.records import ModelProfile
from pipelines.sources.html_page.markup import CardMarkup
from pipelines.sources.html_page.notes import Notes
from pipelines.sources.stat_lines import InvulnerableSave, read_base_size, read_invulnerable_save, with_save

_FIELDS = {
    "M": "movement",
    "T": "toughness",
    "SV": "save",
    "W": "wounds",
    "LD": "leadership",
    "OC": "objective_control",
}
# What a value may look like; a mark of a footnote may follow it.
_SHAPES = {
    "movement": re.compile(r"(?P<number>[0-9]{1,3})\+?[\"”″]?"),
    "toughness": re.compile(r"(?P<number>[0-9]{1,3})"),
    "save": re.compile(r"(?P<number>[2-9])\+?"),
    "wounds": re.compile(r"(?P<number>[0-9]{1,4})"),
    "leadership": re.compile(r"(?P<number>[0-9]{1,2})\+?"),
    "objective_control": re.compile(r"(?P<number>[0-9]{1,3})"),
}
BASE_CLASSES = ("dsModelBase", "dsModelBase2")
_NOTHING = frozenset({"-", "–", "—", "N/A"})
_INVULNERABLE = re.compile(
    r"(?:INVULNERABLE SAVE|INSV)?\s*(?P<save>\*?\s*[0-9]\s*\+?\s*\*?|[-–—]|N/A|)(?P<remark>\D.*|)",
    re.IGNORECASE | re.DOTALL,
)


def read_models(
    card: CardMarkup, unit_name: str, notes: Notes, *, base_size: str | None = None
) -> tuple[ModelProfile, ...]:
    """All profiles of a card with their invulnerable saves; none where the card prints no stat line.

    ``base_size``: the one beside the card's name, which a single profile without its own has.
    """
    containers = card.by_class("dsProfileBaseWrap") or card.by_class("dsProfileWrap")
    labels: tuple[str, ...] = ()
    models: list[ModelProfile] = []
    places: list[Tag] = []
    for container in containers:
        profile = _values(card, container)
        if not profile:
            continue
        own = tuple(label for label, _ in profile)
        labels = own if all(own) else labels if not any(own) else ()
        model = _model(labels, [value for _, value in profile], card.line_of(container), notes)
        if model is not None:
            size = _base_size(card, container)
            models.append(replace(model, model_name=_name(card, container), base_size=size))
            places.append(container)
    if len(models) == 1 and models[0].base_size is None:
        models[0] = replace(models[0], base_size=base_size)
    named = _with_distinct_names(models, unit_name, notes, card.line)
    return _with_invulnerable_saves(card, named, places, notes)


def _values(card: CardMarkup, container: Tag) -> list[tuple[str, str]]:
    """(label, value) of each characteristic; the label is empty in all profiles but the first."""
    labels = [tag for tag in card.by_class("dsCharName") if card.holds(container, tag)]
    found = []
    for value in card.by_class("dsCharValue"):
        if not card.holds(container, value):
            continue
        above = [label for label in labels if card.start(label) < card.start(value)]
        labels = [label for label in labels if card.start(label) > card.start(value)]
        # Two labels before one value: a value is missing, and which one it is can't be told.
        label = card.text(above[0]).upper() if len(above) == 1 else "?" * len(above)
        found.append((label, card.text(value)))
    return found


def _model(labels: tuple[str, ...], values: list[str], line: int, notes: Notes) -> ModelProfile | None:
    fields = [_FIELDS.get(label) for label in labels]
    if None in fields or len(set(fields)) != len(_FIELDS) or len(fields) != len(values):
        shown = " ".join(label or "(none)" for label in labels) or "none"
        message = f"{len(values)} characteristics under the labels {shown}, not under M T Sv W Ld OC"
        notes.lost("stat_line_unreadable", message, line, " ".join(values))
        return None
    read = {str(field): _number(str(field), value, line, notes) for field, value in zip(fields, values, strict=True)}
    return ModelProfile("", **read)  # type: ignore[arg-type]


def _number(field: str, value: str, line: int, notes: Notes) -> int | None:
    if value.upper() in _NOTHING:
        return None
    match = _SHAPES[field].fullmatch(value.rstrip("* "))
    if match is None:
        notes.lost("stat_value_unreadable", f"{field} {value[:40]!r} can't be read", line, value)
        return None
    if value.endswith("*"):
        notes.add("info", "stat_value_footnote", f"{field} {value[:40]!r} has a footnote that isn't read", line, value)
    return int(match["number"])


def _name(card: CardMarkup, container: Tag) -> str:
    names = [tag for tag in card.by_class("dsModelName", "dsModelNameTop") if card.holds(container, tag)]
    return card.text(names[0]) if names else ""


def _base_size(card: CardMarkup, container: Tag) -> str | None:
    """All that is printed as the base of a profile; None where nothing is."""
    printed = [card.text(tag) for tag in card.by_class(*BASE_CLASSES) if card.holds(container, tag)]
    return next((size for text in printed if (size := read_base_size(text))), None)


def _with_distinct_names(
    models: Sequence[ModelProfile], unit_name: str, notes: Notes, line: int
) -> tuple[ModelProfile, ...]:
    """A single nameless profile is the unit's; among several, nameless or same-named ones get their number."""
    if len(models) == 1:
        return (replace(models[0], model_name=models[0].model_name or unit_name),)
    named: list[ModelProfile] = []
    for number, model in enumerate(models, 1):
        name = model.model_name
        if not name or name in {other.model_name for other in named}:
            notes.add(
                "warning", "model_name_missing", f"profile {number} of {len(models)} has no name of its own", line
            )
            name = f"{name or unit_name} (profile {number})"
        named.append(replace(model, model_name=name))
    return tuple(named)


def _with_invulnerable_saves(
    card: CardMarkup, models: tuple[ModelProfile, ...], places: Sequence[Tag], notes: Notes
) -> tuple[ModelProfile, ...]:
    saves: list[tuple[InvulnerableSave, frozenset[int]]] = []
    for wrap, text in _printed_saves(card):
        line = card.line_of(wrap)
        above = [at for at, place in enumerate(places) if card.start(place) < card.start(wrap)]
        save = _save(text, bool(above), line, notes)
        if save is None:
            continue
        holders = _holders(save, models, above[-1], line, notes)
        saves.append((save, holders))
        if len(models) > 1 and holders == {len(models) - 1} and len(saves) == 1:
            message = f"printed below the last of {len(models)} profiles: read as that model's alone"
            notes.add("warning", "invulnerable_save_placed", message, line, text)
    read = list(models)
    for save, holders in saves:
        for at in holders:
            if read[at].invulnerable_save is not None:
                message = f"also {save.value}+ against {save.scope or 'all'} attacks"
                notes.add("info", "scoped_invulnerable_dropped", message, card.line)
            else:
                read[at] = with_save(read[at], save)
    return tuple(read)


def _printed_saves(card: CardMarkup) -> list[tuple[Tag, str]]:
    """Each printed save with the remark below it."""
    boxes = card.by_class("dsInvulWrap") or card.by_class("dsCharInvulValue")
    remarks = [tag for tag in card.by_class("dsInvulComment") if not any(card.holds(box, tag) for box in boxes)]
    found = []
    for at, box in enumerate(boxes):
        end = card.start(boxes[at + 1]) if at + 1 < len(boxes) else None
        below = [tag for tag in remarks if card.start(tag) > card.start(box) and (end is None or card.start(tag) < end)]
        found.append((box, " ".join([card.text(box), *(card.text(tag) for tag in below)]).strip()))
    return found


def _save(text: str, has_profile: bool, line: int, notes: Notes) -> InvulnerableSave | None:
    """Read a box; what can't be read, and a box that stands below no profile, is lost and said."""
    match = _INVULNERABLE.fullmatch(text)
    try:
        if match is None:
            raise ValueError(f"{text[:60]!r} can't be read")
        save = read_invulnerable_save(match["save"], match["remark"])
        if not match["save"] and match["remark"].strip():
            raise ValueError(f"{text[:60]!r} can't be read")
        if save is not None and not has_profile:
            raise ValueError("an invulnerable save that stands below no profile")
    except ValueError as error:
        notes.lost("invulnerable_save_unreadable", str(error), line, text)
        return None
    if save is not None and save.unread:
        message = f"kept; its remark isn't read: {save.unread[:100]!r}"
        notes.add("info", "invulnerable_save_note", message, line, text)
    elif save is not None and save.unread == "":
        notes.add("warning", "invulnerable_save_condition_unknown", "marked as conditional; on what isn't said", line)
    return save


def _holders(
    save: InvulnerableSave, models: Sequence[ModelProfile], at: int, line: int, notes: Notes
) -> frozenset[int]:
    """The profiles that have a save: the one above it, or those that its remark names or leaves over."""
    who = save.only or save.excluding
    if who is None:
        return frozenset({at})
    named = {at for at, model in enumerate(models) if singular(model.model_name) == singular(who)}
    if not named:
        message = f"{save.value}+ for some models only ({who[:80]!r}), which have no profile: given to none"
        notes.add("warning", "invulnerable_save_one_model", message, line, who)
        return frozenset()
    return frozenset(named if save.only else set(range(len(models))) - named)
