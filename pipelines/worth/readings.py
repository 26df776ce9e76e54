"""One row of ``modifiers`` read as an effect on the numbers of an attack, or why it can't be compared.

Belongs here: the sign rules of the game, which operations have a place in the engine, and how large their numbers may
be. Doesn't: what effects do together and to an attack (``applied``), circumstances (``circumstances``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipelines.dice import parse_dice
from pipelines.rulebook.effects.grants import STEALTH
from pipelines.simulation.effective import REROLLS
from pipelines.simulation.profiles import WITHOUT_EFFECT, ability_is_modelled
from pipelines.worth.applied import NOTHING, Effect
from pipelines.worth.mortal_wounds import mortal_wounds_law

MAX_CHANGE = 20
"""The largest number that a rule may add, set or give: more than the game prints, and computed in bounded time."""
_LONGEST_SAID = 200  # characters of a reason
# No archetype has a character among others; what Hazardous does is the user's own loss.
_CHANGES_NO_DAMAGE = WITHOUT_EFFECT | {"hazardous", "precision"}
_NUMBER = re.compile(r"[+-]?\d{1,3}")
_SET = re.compile(r"=(-?\d{1,3})")
_ADDED = {"A": "attacks_bonus", "S": "strength_bonus", "D": "damage_bonus"}
_IMPROVED = {"AP": "ap_improve", "BS": "skill_improve", "WS": "skill_improve"}
_WORDS = {
    "reroll": "re-roll {what}: {value}", "roll_mod": "{what} roll {value}", "stat_mod": "{what} {value}",
    "grant_kw": "the ability {what} {value}", "crit": "critical {what} on {value}+",
    "hit_only_on": "hits only on {value}", "ignore_modifiers": "ignoring modifiers: {what}",
    "invuln": "invulnerable save {value}+", "feel_no_pain": "Feel No Pain {value}+ ({what} wounds)",
    "damage_reduction": "Damage reduced: {value}", "cover": "cover {value}", "mortal_wounds": "mortal wounds: {value}",
    "extra_activation": "another activation: {what}",
}  # fmt: skip
_ROLLED = range(2, 7)  # a 1 always fails, a 7 can't be rolled
_SETS = {
    "A": ("attacks", range(1, MAX_CHANGE + 1)), "S": ("strength", range(1, MAX_CHANGE + 1)),
    "D": ("damage", range(1, MAX_CHANGE + 1)), "AP": ("armour_penetration", range(-MAX_CHANGE, 1)),
    "BS": ("skill", _ROLLED), "WS": ("skill", _ROLLED),
}  # fmt: skip


def effect_of(modifier: Mapping[str, Any]) -> Effect | str:
    """What a row of ``modifiers`` (side, operation, characteristic, value) changes, or why it can't be compared.

    Not compared is what isn't an attack's number (another activation) nor a roll for mortal wounds, what the engine
    doesn't know, values that aren't numbers, numbers beyond ``MAX_CHANGE`` or that no die can show, and what no
    opponent here can show: Precision, Feel No Pain against mortal wounds only.
    """
    operation, value = modifier["operation"], modifier["value"] or ""
    if operation is None:
        return "not read"
    if modifier.get("note") == STEALTH:  # what it does is the edition's: a penalty, or cover
        return NOTHING._replace(stealth=True)
    read = _READERS.get((operation, modifier["side"])) or _READERS.get((operation, None))
    found = read(modifier["characteristic"] or "", value) if read else None
    if found is None:
        return f"{shortened(_in_words(operation, modifier['characteristic'] or '', value))} is not compared"
    return NOTHING._replace(**found)


def _in_words(operation: str, characteristic: str, value: str) -> str:
    what, amount = characteristic.replace("_", " "), value.replace("_", " ")
    return _WORDS.get(operation, "{operation}").format(what=what, value=amount, operation=operation).strip(" :")


def shortened(words: str) -> str:
    """Words of a text within a reason."""
    return words if len(words) <= _LONGEST_SAID else words[:_LONGEST_SAID] + "…"


_Change = dict[str, Any]


def _number(value: str) -> int | None:
    number = int(value) if _NUMBER.fullmatch(value) else None
    return number if number is not None and abs(number) <= MAX_CHANGE else None


def _set_to(value: str) -> int | None:
    match = _SET.fullmatch(value)
    return int(match[1]) if match else None


def _rolled(value: str) -> int | None:
    number = _number(value)
    return number if number in _ROLLED else None


def _reroll(characteristic: str, value: str) -> _Change | None:
    if characteristic == "damage" and value == "any":
        return {"damage_reroll": 1}
    policy = {"1": REROLLS.index("ones"), "any": REROLLS.index("failed")}.get(value)
    if policy is None or characteristic not in ("hit", "wound"):
        return None
    return {f"{characteristic}_reroll": policy}


def _attack_roll(characteristic: str, value: str) -> _Change | None:
    number = _number(value)
    return {f"{characteristic}_mod": number} if number is not None and characteristic in ("hit", "wound") else None


def _roll_against(characteristic: str, value: str) -> _Change | None:
    found = _attack_roll(characteristic, value)
    return None if found is None else {f"target_{name}": number for name, number in found.items()}


def _attack_stat(characteristic: str, value: str) -> _Change | None:
    if (number := _set_to(value)) is not None and characteristic in _SETS:
        column, allowed = _SETS[characteristic]
        number = -abs(number) if characteristic == "AP" else number
        return {"sets": frozenset({(column, number)})} if number in allowed else None
    if (number := _number(value)) is None:
        return None
    if characteristic in _IMPROVED:  # a better AP, BS or WS is a smaller number; the engine counts improvements
        return {_IMPROVED[characteristic]: -number}
    return {_ADDED[characteristic]: number} if characteristic in _ADDED else None


def _target_stat(characteristic: str, value: str) -> _Change | None:
    if characteristic == "Sv" and (save := _set_to(value)) is not None:
        return {"save": save} if save in _ROLLED else None
    number = _number(value)
    if number is None:
        return None
    if characteristic == "AP":
        return {"ap_worsen": number} if number > 0 else None
    if characteristic == "D":
        return {"damage_minus": -number} if number < 0 else None
    if characteristic == "Sv":
        return {"save_improve": -number}
    known = {"T": "toughness_bonus", "W": "wounds_bonus"}
    return {known[characteristic]: number} if characteristic in known else None


def _grant(slug: str, value: str) -> _Change | None:
    against: tuple[str, ...] = ()
    number: str | None = value or None
    if slug == "anti":
        keyword, _, number = value.rpartition(" ")
        against = tuple(keyword.split("/")) if keyword else ()
    elif number is not None and _is_too_much(number):
        return None
    if slug in _CHANGES_NO_DAMAGE:
        return None
    ability = {"ability": slug, "value": number, "against_keywords": list(against), "condition": None}
    return {"grants": frozenset({(slug, number, against)})} if ability_is_modelled(ability) else None


def _is_too_much(value: str) -> bool:
    """Tell whether an ability's value can't be read, or is more than is computed."""
    try:
        dice = parse_dice(value)
    except ValueError:
        return True
    return dice.rolled * dice.sides + dice.plus > MAX_CHANGE


def _critical(characteristic: str, value: str) -> _Change | None:
    number = _rolled(value)
    return {f"crit_{characteristic}": number} if number and characteristic in ("hit", "wound") else None


def _mortal_wounds(characteristic: str, value: str) -> _Change | None:
    return {"mortal_wounds": frozenset({value})} if mortal_wounds_law([value], 1) is not None else None


def _invulnerable(characteristic: str, value: str) -> _Change | None:
    number = _rolled(value)
    return {"invulnerable_save": number} if number else None


def _feel_no_pain(characteristic: str, value: str) -> _Change | None:
    number = _rolled(value)
    return {"feel_no_pain": number} if number and characteristic == "all" else None


def _less_damage(characteristic: str, value: str) -> _Change | None:
    if value == "half":
        return {"damage_half": True}
    number = _number(value)
    return {"damage_minus": -number} if number is not None and number < 0 else None


def _cover(characteristic: str, value: str) -> _Change | None:
    return {"cover_denied" if value == "denied" else "cover_granted": True}


_READERS = {
    ("reroll", "attacker"): _reroll,
    ("reroll", "either"): _reroll,
    ("roll_mod", "attacker"): _attack_roll,
    ("roll_mod", "defender"): _roll_against,
    ("stat_mod", "attacker"): _attack_stat,
    ("stat_mod", "defender"): _target_stat,
    ("grant_kw", "attacker"): _grant,
    ("crit", "attacker"): _critical,
    ("mortal_wounds", "attacker"): _mortal_wounds,
    ("invuln", "defender"): _invulnerable,
    ("feel_no_pain", "defender"): _feel_no_pain,
    ("damage_reduction", "defender"): _less_damage,
    ("cover", None): _cover,
}
