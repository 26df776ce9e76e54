"""``wh40kdc``'s crunch, the community data set's own calculator of expectations: matchups in its words.

Belongs here: what it is given for a matchup, and its stages under our names. Doesn't: measuring, judging (``peers``).
It computes the 11th edition's cover (a penalty to hit), so that cover of the 10th has no word in it, nor have critical
thresholds, re-rolls of non-critical dice, overwatch, unseen targets, halved Damage.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from wh40kdc.cruncher import crunch
from wh40kdc.data.dataset import Dataset

from benchmarks.activation import NotCoveredError
from pipelines.dice import Dice
from pipelines.simulation.effective import Attacker
from pipelines.simulation.matchup import Matchup

_STAGES = {
    "attacks": "expected_attacks",
    "hits": "expected_hits",
    "wounds": "expected_wounds",
    "unsaved": "expected_unsaved",
    "after-fnp": "expected_raw_damage",
    "models-killed": "expected_models_destroyed",
}
_FLAGS = ("lethal_hits", "devastating_wounds", "twin_linked", "ignores_cover", "torrent", "heavy")
_WITH_VALUE = ("sustained_hits", "rapid_fire", "melta")
_REROLLS = {"ones": "ones", "failed": "all-failures"}
_ANY = "anything"
_BY_HAND = {"kind": "manual"}


@cache
def catalogue() -> Dataset:
    """Give its own data, where it looks abilities up."""
    return Dataset.embedded()


def computed(given: dict[str, Any]) -> dict[str, Any]:
    """Compute one matchup in its words."""
    answer: dict[str, Any] = crunch(given, catalogue())
    return answer


def expectations(matchup: Matchup) -> dict[str, float]:
    """Give the expectations that it has. Raises NotCoveredError for what its interface can't say.

    Its unsaved wounds leave devastating ones out, so of such weapons they are no figure of ours.
    """
    stages = {stage["name"]: float(stage["expected"]) for stage in computed(in_its_words(matchup))["stages"]}
    figures = {ours: stages[name] for name, ours in _STAGES.items()}
    if matchup.weapon.devastating_wounds:
        del figures["expected_unsaved"]
    return figures


def in_its_words(matchup: Matchup) -> dict[str, Any]:
    """Give crunch's input for a matchup. Raises NotCoveredError for what its interface can't say."""
    _check(matchup)
    weapon, target, context = matchup.weapon, matchup.target, matchup.context
    ranged, keywords = not weapon.melee, {} if weapon.anti > 6 else {"keywords": [_ANY]}
    stats = {
        name: _stat(dice) for name, dice in zip("ASD", (weapon.attacks, weapon.strength, weapon.damage), strict=True)
    }
    stats["AP"] = weapon.armour_penetration
    if weapon.skill is not None:
        stats["BS" if ranged else "WS"] = weapon.skill
    profile = {"range": 24 if ranged else "Melee", "stats": stats, "keywords": _abilities(matchup)}
    body = {"T": target.toughness, "Sv": target.save, "W": target.wounds}
    invulnerable = target.invulnerable_ranged if ranged else target.invulnerable_melee
    if invulnerable <= 6:
        body["invuln_sv"] = invulnerable
    return {
        "attacker": {"weapon": {"id": "weapon", "profiles": [profile]}, "profileIndex": 0},
        "target": {
            "unit": {"id": "unit", "profiles": [body], **keywords},
            "profileIndex": 0,
            "modelCount": target.models,
        },
        "modelsFiring": matchup.models_firing,
        "buffs": _buffs(matchup),
        "context": {
            "phase": "shooting" if ranged else "fight",
            "withinHalfRange": context.half_range and ranged,
            "attackerStationary": context.stationary and ranged,
        },
    }


def _stat(dice: Dice) -> int | str:
    return str(dice) if dice.rolled else dice.plus


def _abilities(matchup: Matchup) -> list[dict[str, Any]]:
    weapon = matchup.weapon
    slugs: dict[str, dict[str, Any]] = {name: {} for name in _FLAGS if getattr(weapon, name)}
    if weapon.skill is None:
        slugs["torrent"] = {}
    slugs |= {name: {"value": _stat(dice)} for name in _WITH_VALUE if any(dice := getattr(weapon, name))}
    if weapon.blast:
        slugs["blast"] = {"value": weapon.blast}
    if weapon.anti <= 6:
        slugs["anti"] = {"target_keyword": _ANY, "threshold": weapon.anti}
    return [{"keyword_id": name.replace("_", "-"), "parameters": values} for name, values in slugs.items()]


def _buffs(matchup: Matchup) -> list[dict[str, Any]]:
    weapon, attacker, target = matchup.weapon, matchup.attacker, matchup.target
    stealth = bool(target.stealth) and not weapon.melee
    values = {
        "attacks-mod": [attacker.attacks_bonus],
        "hit-mod": [attacker.hit_mod, target.hit_mod, -stealth, -attacker.damaged],
        "wound-mod": [attacker.wound_mod, target.wound_mod, weapon.lance and matchup.context.charged],
        "strength-mod": [attacker.strength_bonus],
        "ap-mod": [target.ap_worsen - attacker.ap_improve],
        "save-mod": [target.save_mod],
        "damage-mod": [attacker.damage_bonus],
        "damage-reduction": [target.damage_minus],
    }
    buffs: list[dict[str, Any]] = [
        {"type": name, "value": int(value)} for name, each in values.items() for value in each if value
    ]
    for roll, reroll in (("hit", attacker.hit_reroll), ("wound", attacker.wound_reroll)):
        if reroll != "none":
            buffs.append({"type": "reroll", "roll": roll, "subset": _REROLLS[reroll]})
    fnp = target.fnp_melee if weapon.melee else target.fnp_ranged
    for scope, threshold in (("all", fnp), ("mortal", target.fnp_devastating)):
        if threshold <= 6:
            buffs.append({"type": "feel-no-pain", "scope": scope, "threshold": threshold})
    return [{"source": _BY_HAND, "contribution": buff} for buff in buffs]


def _check(matchup: Matchup) -> None:
    weapon, attacker, target, context = matchup.weapon, matchup.attacker, matchup.target, matchup.context
    unseen = weapon.indirect_fire and not context.visible
    given, known = attacker, Attacker(
        hit_mod=attacker.hit_mod, wound_mod=attacker.wound_mod, damaged=attacker.damaged,
        hit_reroll=attacker.hit_reroll, wound_reroll=attacker.wound_reroll, attacks_bonus=attacker.attacks_bonus,
        strength_bonus=attacker.strength_bonus, damage_bonus=attacker.damage_bonus, ap_improve=attacker.ap_improve,
    )  # fmt: skip
    left_out = {
        "another edition's rules": matchup.rules.name != "10e",
        "critical thresholds, re-rolls of one die": given != known,
        "re-rolls of non-critical dice": "noncrit" in (attacker.hit_reroll, attacker.wound_reroll),
        "cover of the 10th edition": not weapon.melee and not weapon.ignores_cover and (context.cover or unseen),
        "an unseen target": unseen,
        "overwatch": context.overwatch and not weapon.melee,
        "Conversion": weapon.conversion and context.long_range,
        "a modifier with a condition": bool(target.wound_minus_if_stronger),
        "halved Damage": bool(target.damage_half),
        "models that differ": bool(target.groups),
        "attacks that are ignored": bool(target.ignored_failed_saves or target.ignored_attacks),
        "a target that the weapon can't attack": not weapon.may_target,
    }
    for what, there in left_out.items():
        if there:
            raise NotCoveredError(what)
