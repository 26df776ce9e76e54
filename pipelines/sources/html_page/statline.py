"""Stat lines and invulnerable saves of a card to ``ModelProfile`` records.

Belongs here: profiles, their labels, which model an invulnerable save belongs to and against what. Doesn't: Feel No
Pain, which is an ability (``sections``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bs4.element import Tag

from pipelines.identity import fold
from pipelines.records import ModelProfile
from pipelines.sources.html_page.markup import CardMarkup
from pipelines.sources.html_page.notes import Notes

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
_NOTHING = frozenset({"-", "–", "—", "N/A"})
_INVULNERABLE = re.compile(
    r"(?:INVULNERABLE SAVE|INSV)?\s*(?P<star>\*?)\s*(?P<value>[2-6])\+?\s*(?P<star2>\*?)\s*(?P<note>.*)", re.IGNORECASE
)
_NO_SAVE = re.compile(r"(?:INVULNERABLE SAVE|INSV)?\s*(?:[-–—]|N/A)?", re.IGNORECASE)
_THRESHOLD = re.compile(r"([2-6])\+")
_ONE_MODEL = re.compile(r"(?P<who>.{1,100}?)(?: models?)? only\.?", re.IGNORECASE)
_EXCLUDING = re.compile(r"excluding (?:the )?(?P<who>.{1,100}?)\.?", re.IGNORECASE)


def read_models(card: CardMarkup, unit_name: str, notes: Notes) -> tuple[ModelProfile, ...]:
    """All profiles of a card with their invulnerable saves; none where the card prints no stat line."""
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
            models.append(replace(model, model_name=_name(card, container)))
            places.append(container)
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
    for tag in card.by_class("dsModelBase", "dsModelBase2"):
        if card.holds(container, tag):
            card.text(tag)  # the base size; the record model has no place for it
    names = [tag for tag in card.by_class("dsModelName", "dsModelNameTop") if card.holds(container, tag)]
    return card.text(names[0]) if names else ""


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


@dataclass(frozen=True, slots=True)
class _Save:
    value: int
    scope: str | None
    models: frozenset[int]


def _with_invulnerable_saves(
    card: CardMarkup, models: tuple[ModelProfile, ...], places: Sequence[Tag], notes: Notes
) -> tuple[ModelProfile, ...]:
    saves: list[_Save] = []
    for wrap, text in _printed_saves(card):
        line = card.line_of(wrap)
        above = [at for at, place in enumerate(places) if card.start(place) < card.start(wrap)]
        save = _save(text, models, above[-1] if above else None, line, notes)
        if save is not None:
            saves.append(save)
            if len(models) > 1 and save.models == {len(models) - 1} and len(saves) == 1:
                message = f"printed below the last of {len(models)} profiles: read as that model's alone"
                notes.add("warning", "invulnerable_save_placed", message, line, text)
    read = list(models)
    for save in saves:
        for at in save.models:
            if read[at].invulnerable_save is not None:
                message = f"also {save.value}+ against {save.scope or 'all'} attacks"
                notes.add("info", "scoped_invulnerable_dropped", message, card.line)
            else:
                read[at] = replace(read[at], invulnerable_save=save.value, invulnerable_save_scope=save.scope)
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


def _save(text: str, models: Sequence[ModelProfile], at: int | None, line: int, notes: Notes) -> _Save | None:
    """Read a save; ``at``: the profile above it. A remark says against what it counts, or for which model."""
    match = _INVULNERABLE.fullmatch(text)
    if match is None:
        if _NO_SAVE.fullmatch(text) is None:
            notes.lost("invulnerable_save_unreadable", f"{text[:60]!r} can't be read", line, text)
        return None
    if at is None:
        notes.lost("invulnerable_save_unreadable", "an invulnerable save that stands below no profile", line, text)
        return None
    value, note = int(match["value"]), match["note"].strip("* ")
    scopes = [scope for scope in ("ranged", "melee") if f"{scope} attack" in note.casefold()]
    threshold = _THRESHOLD.search(note)
    if "improved" in note.casefold() or (threshold and int(threshold[1]) != value):
        notes.add("info", "scoped_invulnerable_dropped", f"{value}+, and better in a case: {note[:100]!r}", line, text)
        return _Save(value, None, frozenset({at}))
    if len(scopes) == 1:
        return _Save(value, scopes[0], frozenset({at}))
    if one := _ONE_MODEL.fullmatch(note) or _EXCLUDING.fullmatch(note):
        return _save_of_some(value, one, models, line, notes)
    if note:
        notes.add("info", "invulnerable_save_note", f"kept; its remark isn't read: {note[:100]!r}", line, text)
    elif match["star"] or match["star2"]:
        notes.add("warning", "invulnerable_save_condition_unknown", "marked as conditional; on what isn't said", line)
    return _Save(value, None, frozenset({at}))


def _save_of_some(
    value: int, match: re.Match[str], models: Sequence[ModelProfile], line: int, notes: Notes
) -> _Save | None:
    """A save of one model among several: it is given to a profile of that name and to no other."""
    who = fold(match["who"])
    named = {at for at, model in enumerate(models) if fold(model.model_name) == who}
    if not named:
        message = f"{value}+ for some models only ({match[0][:80]!r}), which have no profile: given to none"
        notes.add("warning", "invulnerable_save_one_model", message, line, match[0])
        return None
    excluded = match.re is _EXCLUDING
    return _Save(value, None, frozenset(set(range(len(models))) - named if excluded else named))
