"""Weapon profiles, targets and scenarios as frames have them, read into what the rules work on.

Belongs here: ability slugs, which of them the engine models, abilities bound to keywords. Doesn't: what an ability
does (``effective``); reading printed text (the sources do that).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pipelines.dice import parse_dice
from pipelines.simulation.effective import MAX_STRENGTH_DICE, NO_ROLL, Target, Weapon

FLAGS = frozenset(
    {
        "torrent", "heavy", "lance", "lethal_hits", "devastating_wounds", "twin_linked", "ignores_cover",
        "indirect_fire", "hazardous", "psychic", "conversion", "precision",
    }
)  # fmt: skip
DICE = frozenset({"sustained_hits", "rapid_fire", "melta"})
"""Abilities that need a number or dice."""
PER_FIVE = frozenset({"blast", "cleave"})
WITHOUT_EFFECT = frozenset({"assault", "pistol", "extra_attacks", "one_shot", "close_quarters"})
"""Abilities that change no die of an activation: when or how often the weapon may be used."""
HUNTER = "hunter"
"""The profile may only target units with one of the named keywords."""

Ability = Mapping[str, Any]


def not_modelled(abilities: Iterable[Ability]) -> list[str]:
    """Give the slugs, sorted, of abilities that the engine doesn't simulate.

    ``abilities``: structs with ability, value, against_keywords, condition. Not simulated are abilities that the
    engine doesn't know and those that lack a readable value; abilities that change no die don't count.
    """
    return sorted({str(ability["ability"]) for ability in abilities if not ability_is_modelled(ability)})


def strength_is_modelled(printed: str) -> bool:
    """Tell whether the engine can roll a Strength as it is printed."""
    return parse_dice(printed).rolled <= MAX_STRENGTH_DICE


def tested_keywords(abilities: Iterable[Ability]) -> frozenset[str]:
    """Give the keywords of a target that decide over a weapon's abilities."""
    named: set[str] = set()
    for ability in abilities:
        named.update(_upper(ability.get("against_keywords") or ()))
        named.update(_condition(ability.get("condition"))[1])
    return frozenset(named)


def applies(ability: Ability, keywords: frozenset[str]) -> bool:
    """Tell whether an ability counts against a target with these keywords (in capitals)."""
    wanted, named = _condition(ability.get("condition"))
    if named and bool(named & keywords) != wanted:
        return False
    return ability["ability"] != "anti" or bool(keywords & frozenset(_upper(ability["against_keywords"])))


def weapon_against(profile: Mapping[str, Any], keywords: frozenset[str]) -> Weapon:
    """Read a weapon profile as it stands against a target with these keywords (E15, and Anti-X).

    ``profile``: attack_type, attacks, strength, damage (text or number), skill (None = automatic hits),
    armour_penetration, abilities. The same ability several times counts once, at the attacker's choice: the higher
    mean, of several Anti the lowest threshold. Raises ValueError where a characteristic can't be read.
    """
    fields: dict[str, Any] = {"may_target": _may_target(profile["abilities"] or (), keywords)}
    for ability in profile["abilities"] or ():
        slug = ability["ability"]
        if (
            slug in WITHOUT_EFFECT
            or slug == HUNTER
            or not ability_is_modelled(ability)
            or not applies(ability, keywords)
        ):
            continue
        if slug in FLAGS:
            fields[slug] = True
        elif slug in PER_FIVE:
            fields[slug] = max(fields.get(slug, 0), int(ability["value"] or 1))
        elif slug in DICE:
            dice = parse_dice(ability["value"])
            known = fields.setdefault(slug, dice)
            fields[slug] = max(known, dice, key=lambda d: d.rolled * (d.sides + 1) / 2 + d.plus)
        else:
            fields["anti"] = min(fields.get("anti", NO_ROLL), _threshold(ability["value"]) or NO_ROLL)
    try:
        return Weapon(
            melee=profile["attack_type"] == "melee",
            attacks=parse_dice(profile["attacks"]),
            skill=None if profile["skill"] is None else int(profile["skill"]),
            strength=parse_dice(profile["strength"]),
            armour_penetration=int(profile["armour_penetration"] or 0),
            damage=parse_dice(profile["damage"]),
            **fields,
        )
    except ValueError as error:
        raise ValueError(f"weapon profile {profile['weapon_profile_id']!r}: {error}") from None


def target_row(row: Mapping[str, Any]) -> Target:
    """Read a target: toughness, save, the invulnerable saves, wounds, feel_no_pain with their scopes, models, stealth.

    Absent values mean none; what an entry of ``groups`` doesn't state is the unit's. Raises ValueError naming the
    target for an unknown scope or a size that isn't positive.
    """
    fnp, fnp_scope = row.get("feel_no_pain") or NO_ROLL, row.get("feel_no_pain_scope")
    for name in ("invulnerable_save_scope", "improved_invulnerable_save_scope", "feel_no_pain_scope"):
        if row.get(name) not in (None, "ranged", "melee", "mortal"):
            raise ValueError(f"target {row['target_id']!r}: {name}: unknown scope {row[name]!r}")
    for name in ("toughness", "wounds", "models"):
        if not isinstance(row[name], int) or row[name] < 1:
            raise ValueError(f"target {row['target_id']!r}: {name} must be at least 1, not {row[name]!r}")
    groups = tuple(target_row({**row, **group, "groups": None}) for group in row.get("groups") or ())
    return Target(
        toughness=row["toughness"],
        wounds=row["wounds"],
        models=row["models"],
        save=_none_beyond_6(row.get("save")),
        invulnerable_ranged=_invulnerable(row, "ranged"),
        invulnerable_melee=_invulnerable(row, "melee"),
        fnp_ranged=_none_beyond_6(fnp) if fnp_scope in (None, "ranged") else NO_ROLL,
        fnp_melee=_none_beyond_6(fnp) if fnp_scope in (None, "melee") else NO_ROLL,
        fnp_devastating=_none_beyond_6(fnp) if fnp_scope == "mortal" else NO_ROLL,
        stealth=int(bool(row.get("stealth"))),
        damage_half=int(bool(row.get("damage_half"))),
        damage_minus=row.get("damage_minus") or 0,
        hit_mod=row.get("hit_mod") or 0,
        wound_mod=row.get("wound_mod") or 0,
        wound_minus_if_stronger=int(bool(row.get("wound_minus_if_stronger"))),
        ap_worsen=row.get("ap_worsen") or 0,
        character=int(bool(row.get("is_character"))),
        groups=groups,
        ignored_failed_saves=row.get("ignored_failed_saves") or 0,
        ignored_attacks=row.get("ignored_attacks") or 0,
    )


def target_keywords(row: Mapping[str, Any]) -> frozenset[str]:
    """Give a target's keywords in capitals."""
    return frozenset(_upper(row.get("keywords") or ()))


def _invulnerable(row: Mapping[str, Any], attack_type: str) -> int:
    """Give the best invulnerable save that holds against attacks of a type; the defender chooses."""
    names = ("invulnerable_save", "improved_invulnerable_save")
    held = [row.get(name) for name in names if row.get(f"{name}_scope") in (None, attack_type)]
    return min(map(_none_beyond_6, held), default=NO_ROLL)


def _none_beyond_6(roll: int | None) -> int:
    return min(roll, NO_ROLL) if roll else NO_ROLL


def _threshold(value: str | None) -> int | None:
    match = re.fullmatch(r"\s*([2-6])\s*\+?\s*", str(value or ""))
    return int(match[1]) if match else None


def ability_is_modelled(ability: Ability) -> bool:
    """Tell whether the engine knows what an ability does, and its value can be read."""
    slug, value = ability["ability"], ability.get("value")
    if slug in FLAGS or slug in WITHOUT_EFFECT:
        return True
    if slug in PER_FIVE:
        return str(value or (1 if slug == "blast" else "")).isdecimal()
    if slug == HUNTER:
        return bool(ability.get("against_keywords"))
    if slug == "anti":
        return bool(ability.get("against_keywords")) and _threshold(value) is not None
    if slug not in DICE or value is None:
        return False
    try:
        parse_dice(value)
    except ValueError:
        return False
    return True


def _condition(condition: str | None) -> tuple[bool, frozenset[str]]:
    """Read ``VEHICLE``, ``MONSTER/VEHICLE`` or ``non-MONSTER/VEHICLE``: must the target have one, and of which."""
    text = (condition or "").strip().upper()
    negated = re.match(r"NON[- ]", text)
    names = re.split(r"\s*(?:/|,|\bOR\b)\s*", text[4:] if negated else text)
    return negated is None, frozenset(_upper(name for name in names if name))


def _may_target(abilities: Iterable[Ability], keywords: frozenset[str]) -> bool:
    """Tell whether a profile may target a unit with these keywords; several Hunter abilities name alternatives."""
    hunted = [_upper(ability["against_keywords"]) for ability in abilities if ability["ability"] == HUNTER]
    return not hunted or any(keywords & frozenset(names) for names in hunted)


def _upper(names: Iterable[str]) -> list[str]:
    return [" ".join(name.upper().split()) for name in names]
