"""Effects read from texts beside the community data's structured abilities of the same detachment and name.

The two differ in edition, so that some texts differ; where both have an effect they should mostly be the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import pytest

from pipelines.identity import fold
from pipelines.records import Document, Enhancement, Stratagem
from pipelines.rulebook.effects import Modifier, enhancement_effects, stratagem_effects
from pipelines.sources.weapon_abilities import parse_weapon_ability

pytest.importorskip("wh40kdc")

Tokens = set[tuple[Any, ...]]
_ROLLS = ("hit", "wound", "damage", "save")
_STATS = ("A", "S", "AP", "D", "T", "W", "BS", "WS")
_SAME = {"Sv": "Sv", "SV": "Sv", **{name: name for name in _STATS}}


def slug(name: str | None) -> str:
    plain = re.sub(r"\s*\((?:Aura|Psychic|Upgrade)[^)]*\)|[’']", "", fold(name or ""), flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def structured(node: Any) -> Iterator[tuple[Any, ...]]:
    """What an effect tree of the community data does, conditions left out."""
    if isinstance(node, list):
        for one in node:
            yield from structured(one)
    if not isinstance(node, dict):
        return
    change = node.get("modifier") if isinstance(node.get("modifier"), dict) else {}
    yield from leaf(str(node.get("type")), change or {})
    for name, value in node.items():
        if name not in ("condition", "modifier"):
            yield from structured(value)


def leaf(kind: str, change: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    roll, value = change.get("roll"), str(change.get("value", "")).lstrip("-")
    if kind == "keyword-grant":
        yield from (("ability", parse_weapon_ability(keyword)[0].ability) for keyword in change.get("keywords", ()))
    elif kind == "stat-modifier" and change.get("incoming") and change.get("stat") == "D":
        yield ("damage", value)
    elif kind == "stat-modifier" and change.get("stat") in _SAME:
        yield ("number", _SAME[change["stat"]], value)
    elif "ignore-modifiers" in str(change.get("operation")) or kind == "modifier-immunity":
        yield ("ignore",)
    elif kind == "roll-modifier" and ("critical_on" in change or change.get("operation") == "crit-on"):
        yield ("critical", roll, str(change.get("critical_on", value)))
    elif kind == "roll-modifier" and roll in _ROLLS:
        yield ("roll", roll, value)
    elif kind == "re-roll" and roll in _ROLLS:
        yield ("reroll", roll)
    elif kind == "feel-no-pain":
        yield ("feel no pain", str(change.get("threshold")))
    elif kind == "invulnerable-save":
        yield ("invulnerable", str(change.get("invuln_sv", change.get("threshold"))))
    elif kind == "mortal-wounds":
        yield ("mortal wounds",)
    elif kind == "fight-on-death" or "shoot-as-if" in str(change.get("grant_type")):
        yield ("activation",)


def read(modifiers: tuple[Modifier, ...]) -> Tokens:
    """The same of what was read, in the same words."""
    found: Tokens = set()
    for one in modifiers:
        value = (one.value or "").lstrip("+-=")
        match one.operation:
            case "grant_kw":
                found.add(("ability", one.characteristic))
            case "roll_mod" if one.note == "Stealth ability":
                found.add(("ability", "stealth"))
            case "roll_mod":
                found.add(("roll", one.characteristic, value))
            case "stat_mod":
                found.add(("number", one.characteristic, value))
            case "damage_reduction":
                found.add(("damage", value))
            case "reroll" if one.characteristic in _ROLLS:
                found.add(("reroll", one.characteristic))
            case "crit":
                found.add(("critical", one.characteristic, value))
            case "invuln":
                found.add(("invulnerable", value))
            case "feel_no_pain":
                found.add(("feel no pain", value))
            case "ignore_modifiers":
                found.add(("ignore",))
            case "mortal_wounds":
                found.add(("mortal wounds",))
            case "extra_activation":
                found.add(("activation",))
    return found


def community() -> dict[tuple[type, str, str], Tokens]:
    """Tokens of each structured stratagem and enhancement by detachment and name."""
    bundle = json.loads(files("wh40kdc").joinpath("_bundle.json").read_text(encoding="utf-8"))
    abilities = {ability["ability_id"]: ability for ability in bundle["abilities"]}
    known: dict[tuple[type, str, str], Tokens] = {}
    for kind, listed in ((Stratagem, bundle["stratagems"]), (Enhancement, bundle["enhancements"])):
        for one in listed:
            effect = (abilities.get(one.get("ability_id")) or {}).get("effect")
            if effect:
                known[kind, one["detachment_id"], slug(one["name"])] = set(structured(effect))
    return known


def test_most_effects_agree_with_the_structured_abilities_of_the_same_name(
    real_export: Callable[[str], Sequence[Document]],
) -> None:
    known = community()
    counts = {"equal": 0, "more read": 0, "fewer read": 0, "different": 0, "only read": 0, "only structured": 0}
    for document in real_export("wahapedia_export_2025-11"):
        for one in (*document.stratagems, *document.enhancements):
            theirs = known.pop((type(one), slug(one.detachment), slug(one.name)), None)
            if theirs is None:
                continue
            own = read(stratagem_effects(one) if isinstance(one, Stratagem) else enhancement_effects(one))
            if own and theirs:
                equal, more, fewer = own == theirs, own > theirs, own < theirs
                counts["equal" if equal else "more read" if more else "fewer read" if fewer else "different"] += 1
            elif own or theirs:
                counts["only read" if own else "only structured"] += 1
    both = sum(counts[name] for name in ("equal", "more read", "fewer read", "different"))
    assert both > 200, counts
    assert counts["equal"] / both > 0.85, counts
    assert counts["different"] / both < 0.08, counts
