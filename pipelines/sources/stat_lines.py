"""What a stat line says beyond its six characteristics, read alike in every source.

Belongs here: invulnerable saves with their conditions, Feel No Pain, damaged brackets, base sizes: printed text to the
fields of records. Doesn't: where a source prints them, single cells (``values``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipelines.identity import clean, singular
from pipelines.records import DamagedBracket, ModelProfile, UnitAbility

LONGEST_CONDITION = 300  # patterns with several gaps would crawl over a hostile cell

_SAVE = re.compile(r"(?P<star>\*?)\s*(?P<value>[1-9])\s*\+?\s*(?P<star2>\*{0,2})")
_NO_SAVE = frozenset({"", "-", "–", "—", "N/A"})
_AGAINST = re.compile(r"\bagainst (?:an? )?(?P<kind>ranged|melee) attacks?\b")
_THRESHOLD = re.compile(r"\b([2-6])\+")
_ONLY = re.compile(r"\W*(?P<model>\w.*?)(?: models?)? only\W*", re.IGNORECASE)
_EXCLUDING = re.compile(r"\W*excluding (?:the )?(?P<model>\w.*?)\W*", re.IGNORECASE)
_FEEL_NO_PAIN = re.compile(r"([2-6])\s*\+?\s*(?P<condition>.*)")
_MORTAL = re.compile(r"\W*(?:against )?(?:mortal wounds?|devastating wounds)(?: only)?\W*", re.IGNORECASE)
_WOUNDS_LEFT = re.compile(r"\b(?P<least>[0-9]{1,3})(?:\s*[-‐‑–—]\s*(?P<most>[0-9]{1,3}))?(?![0-9])")
_WORSE_TO_HIT = re.compile(r"subtract (?P<by>[0-9]) from the hit roll")
_WORSE_CONTROL = re.compile(r"subtract (?P<by>[0-9]{1,2}) from (?:its|(?:this|that) model.?s) objective control")
_BASE_FRAME = re.compile(r"^[\s(\[⌀Ø∅]+|[\s)\]]+$")


@dataclass(frozen=True, slots=True)
class InvulnerableSave:
    """A printed save: ``value`` within ``scope``, ``improved`` against the attacks of ``improved_scope``.

    ``only``, ``excluding``: the model that alone has it, or alone lacks it. ``unread``: a condition that says more
    than these fields hold; "" for a star whose condition isn't printed.
    """

    value: int
    scope: str | None = None
    improved: int | None = None
    improved_scope: str | None = None
    only: str | None = None
    excluding: str | None = None
    unread: str | None = None


def read_invulnerable_save(printed: str, remark: str = "") -> InvulnerableSave | None:
    """Read a save such as ``4+`` or ``5*`` and the remark beside it; None for ``-`` and 7+, which are no save.

    Raises ValueError for what is no save at all.
    """
    text = printed.strip()
    if text.upper() in _NO_SAVE:
        return None
    match = _SAVE.fullmatch(text)
    if match is None or match["value"] in "189":
        raise ValueError(f"not an invulnerable save: {text[:40]!r}")
    value = int(match["value"])
    if value == 7:
        return None
    condition = clean(remark)[:LONGEST_CONDITION].strip("* ")
    if not condition:
        return InvulnerableSave(value, unread="" if match["star"] or match["star2"] else None)
    return _conditional(value, condition)


def _conditional(value: int, condition: str) -> InvulnerableSave:
    scopes = {match["kind"] for match in _AGAINST.finditer(condition.casefold())}
    thresholds = {int(number) for number in _THRESHOLD.findall(condition)}
    if len(scopes) == 1:
        scope = scopes.pop()
        if thresholds <= {value}:
            return InvulnerableSave(value, scope)
        if len(thresholds) == 1 and min(thresholds) < value:
            return InvulnerableSave(value, improved=min(thresholds), improved_scope=scope)
    elif not scopes and (only := _ONLY.fullmatch(condition)):
        return InvulnerableSave(value, only=only["model"])
    elif not scopes and (excluding := _EXCLUDING.fullmatch(condition)):
        return InvulnerableSave(value, excluding=excluding["model"])
    return InvulnerableSave(value, unread=condition)


def save_by_attack(everything: int | None, ranged: int | None, melee: int | None) -> InvulnerableSave | None:
    """The save of a source that states up to three values: against everything, ranged and melee attacks."""
    against = {
        scope: min(values)
        for scope, own in (("ranged", ranged), ("melee", melee))
        if (values := [value for value in (everything, own) if value is not None])
    }
    if len(against) < 2:
        return next((InvulnerableSave(value, scope) for scope, value in against.items()), None)
    better = min(against, key=lambda scope: against[scope])
    worst, best = max(against.values()), against[better]
    return InvulnerableSave(worst) if worst == best else InvulnerableSave(worst, None, best, better)


def with_save(model: ModelProfile, save: InvulnerableSave) -> ModelProfile:
    """The stat line with a save that it has."""
    return replace(
        model,
        invulnerable_save=save.value,
        invulnerable_save_scope=save.scope,
        improved_invulnerable_save=save.improved,
        improved_invulnerable_save_scope=save.improved_scope,
    )


def with_feel_no_pain(
    models: Sequence[ModelProfile], abilities: Iterable[UnitAbility]
) -> tuple[tuple[ModelProfile, ...], list[UnitAbility]]:
    """The stat lines with the Feel No Pain that core abilities print, in its scope, and those that can't be read."""
    given, unread = tuple(models), []
    for ability in abilities:
        if ability.kind != "core" or singular(ability.name) != "feel no pain":
            continue
        found = _with_one(given, (ability.parameter or "")[:LONGEST_CONDITION])
        if found is None:
            unread.append(ability)
        else:
            given = found
    return given, unread


def _with_one(models: tuple[ModelProfile, ...], parameter: str) -> tuple[ModelProfile, ...] | None:
    match = _FEEL_NO_PAIN.fullmatch(parameter)
    if match is None:
        return None
    value, condition = int(match[1]), match["condition"].strip(" ()*")
    if not condition or _MORTAL.fullmatch(condition):
        return tuple(_better(model, value, "mortal" if condition else None) for model in models)
    only = _ONLY.fullmatch(condition)
    if only is None or not any(_is_model(only["model"], model) for model in models):
        return None
    return tuple(_better(model, value, None) if _is_model(only["model"], model) else model for model in models)


def _is_model(wanted: str, model: ModelProfile) -> bool:
    return singular(wanted) == singular(model.model_name)


def _better(model: ModelProfile, value: int, scope: str | None) -> ModelProfile:
    """One value has a place: the one against everything rather than against mortal wounds, then the better one."""
    known = model.feel_no_pain
    if known is not None and (scope, value) != (None, min(value, known)) and model.feel_no_pain_scope is None:
        return model
    if known is not None and scope is not None and model.feel_no_pain_scope is not None and known <= value:
        return model
    return replace(model, feel_no_pain=value, feel_no_pain_scope=scope)


def read_damaged(wounds: str, text: str | None, line: int | None = None) -> DamagedBracket:
    """A bracket from the wounds left (``1-5``, ``DAMAGED: 1-5 WOUNDS REMAINING``) and the text of what changes then.

    Raises ValueError where ``wounds`` names none.
    """
    match = _WOUNDS_LEFT.search(wounds[:LONGEST_CONDITION])
    least, most = (int(match["least"]), int(match["most"] or match["least"])) if match else (0, 0)
    if not 1 <= least <= most:
        raise ValueError(f"no wounds left in {wounds[:40]!r}")
    said = clean(text or "").casefold()
    hit, control = _WORSE_TO_HIT.search(said), _WORSE_CONTROL.search(said)
    return DamagedBracket(
        wounds_from=least,
        wounds_to=most,
        hit_modifier=-int(hit["by"]) if hit else None,
        objective_control_modifier=-int(control["by"]) if control else None,
        text=text or None,
        line=line,
    )


def read_base_size(printed: str, remark: str = "") -> str | None:
    """``(⌀32mm)`` is ``32mm``; a remark on it (another base for some models) follows behind a semicolon."""
    parts = [_BASE_FRAME.sub("", clean(text)) for text in (printed, remark)]
    return "; ".join(part for part in parts if part) or None
