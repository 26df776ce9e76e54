"""What modifiers do to the numbers of an attack: from rows of ``modifiers`` to what the engine is given.

Belongs here: one effect and sums of several, on the attacking and on the attacked side, in the engine's terms; what
can't be put in these terms says why. Doesn't: under which circumstances a modifier holds (``circumstances``), dice.

Caps (+1 to hit, ...) are the engine's. What only counts in circumstances (Lance, Heavy, cover) is compared in a
scenario in which it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, NamedTuple

from pipelines.simulation.effective import DAMAGE_REROLLS, NO_ROLL, REROLLS
from pipelines.simulation.grid import ATTACKER_COLUMNS
from pipelines.simulation.profiles import WITHOUT_EFFECT, ability_is_modelled
from pipelines.worth.mortal_wounds import mortal_wounds_law

PLAIN, COVER = "plain", "cover"
_SCENARIO_OF = {"lance": "charged", "heavy": "stationary", "ignores_cover": COVER, "rapid_fire": "half_range",
                "melta": "half_range"}  # fmt: skip
_CHANGES_NO_DAMAGE = (WITHOUT_EFFECT | {"hazardous"}) - {"precision"}
_NUMBER = re.compile(r"[+-]?\d+")
_SET = re.compile(r"=(-?\d+)")
_PROFILE = {"A": "attacks", "S": "strength", "D": "damage", "AP": "armour_penetration", "BS": "skill", "WS": "skill"}


class Effect(NamedTuple):
    """All that modifiers change, on either side; the default changes nothing.

    The first fields are those of ``simulation.effective.Attacker``; ``sets``: (column of a weapon profile, value);
    ``grants``: (ability, value, against keywords); ``mortal_wounds``: beside the attack, as modifiers word them. From
    ``target_hit_mod`` on they concern the attacked unit, as columns of ``targets``.
    """

    hit_mod: int = 0
    wound_mod: int = 0
    hit_reroll: int = 0  # place in REROLLS
    wound_reroll: int = 0
    damage_reroll: int = 0  # place in DAMAGE_REROLLS
    crit_hit: int = 6
    crit_wound: int = 6
    attacks_bonus: int = 0
    strength_bonus: int = 0
    damage_bonus: int = 0
    ap_improve: int = 0
    skill_improve: int = 0
    sets: frozenset[tuple[str, int]] = frozenset()
    grants: frozenset[tuple[str, str | None, tuple[str, ...]]] = frozenset()
    mortal_wounds: frozenset[str] = frozenset()
    cover_granted: bool = False
    cover_denied: bool = False
    target_hit_mod: int = 0
    target_wound_mod: int = 0
    wound_minus_if_stronger: bool = False
    ap_worsen: int = 0
    toughness_bonus: int = 0
    wounds_bonus: int = 0
    save_improve: int = 0
    save: int = NO_ROLL
    invulnerable_save: int = NO_ROLL
    feel_no_pain: int = NO_ROLL
    feel_no_pain_mortal: int = NO_ROLL
    damage_minus: int = 0
    damage_half: bool = False

    @property
    def scenarios(self) -> tuple[str, str]:
        """The scenarios without and with the effect in which it can count."""
        if self.cover_granted:
            return PLAIN, COVER
        if self.cover_denied:
            return COVER, PLAIN
        needed = next((_SCENARIO_OF[slug] for slug, *_ in sorted(self.grants) if slug in _SCENARIO_OF), PLAIN)
        return needed, needed

    @property
    def only_harms(self) -> bool:
        """Whether it makes the user's own numbers worse and none better: what is paid, not what is bought."""
        value: Any
        for name, value, default in zip(self._fields, self, Effect(), strict=True):
            if value == default:
                continue
            if name not in _ADDED or (value > 0) is not (name in _BETTER_LOWER):
                return False
        return self != NOTHING


NOTHING = Effect()
_LOWEST = ("crit_hit", "crit_wound", "save", "invulnerable_save", "feel_no_pain", "feel_no_pain_mortal")
_ADDED = (
    "hit_mod", "wound_mod", "attacks_bonus", "strength_bonus", "damage_bonus", "ap_improve", "skill_improve",
    "target_hit_mod", "target_wound_mod", "ap_worsen", "toughness_bonus", "wounds_bonus", "save_improve",
    "damage_minus",
)  # fmt: skip
_BETTER_LOWER = ("target_hit_mod", "target_wound_mod")


def together(effects: Iterable[Effect], *, of_one_source: bool = False) -> Effect:
    """What several effects do together: numbers add up, of re-rolls, thresholds and saves the best counts.

    ``of_one_source``: where a source changes a number twice, the second replaces the first ("instead"), so the larger
    change counts alone.
    """

    def joined(one: Effect, other: Effect) -> Effect:
        return Effect(
            *(_joined(name, a, b, of_one_source) for name, a, b in zip(Effect._fields, one, other, strict=True))
        )

    return reduce(joined, effects, NOTHING)


def _joined(name: str, one: Any, other: Any, of_one_source: bool) -> Any:
    if isinstance(one, frozenset):
        return one | other
    if name in _LOWEST:
        return min(one, other)
    if name in _ADDED:
        return max(one, other, key=abs) if of_one_source else one + other
    return max(one, other)


def effect_of(modifier: Mapping[str, Any]) -> Effect | str:
    """What a row of ``modifiers`` (side, operation, characteristic, value) changes, or why it can't be compared.

    Not compared is what isn't an attack's number (another activation) nor a roll for mortal wounds, what the engine
    doesn't know, and values that aren't numbers.
    """
    operation, value = modifier["operation"], modifier["value"] or ""
    if operation is None:
        return "not read"
    read = _READERS.get((operation, modifier["side"])) or _READERS.get((operation, None))
    found = read(modifier["characteristic"] or "", value) if read else None
    if found is None:
        return f"{operation} {modifier['characteristic'] or ''} {value}".strip() + " is not compared"
    return NOTHING._replace(**found)


_Change = dict[str, Any]


def _reroll(characteristic: str, value: str) -> _Change | None:
    if characteristic == "damage" and value == "any":
        return {"damage_reroll": 1}
    policy = {"1": REROLLS.index("ones"), "any": REROLLS.index("failed")}.get(value)
    if policy is None or characteristic not in ("hit", "wound"):
        return None
    return {f"{characteristic}_reroll": policy}


def _attack_roll(characteristic: str, value: str) -> _Change | None:
    return {f"{characteristic}_mod": int(value)} if _is_roll(characteristic, value) else None


def _roll_against(characteristic: str, value: str) -> _Change | None:
    return {f"target_{characteristic}_mod": int(value)} if _is_roll(characteristic, value) else None


def _is_roll(characteristic: str, value: str) -> bool:
    return characteristic in ("hit", "wound") and _NUMBER.fullmatch(value) is not None


def _attack_stat(characteristic: str, value: str) -> _Change | None:
    if characteristic not in _PROFILE:
        return None
    if match := _SET.fullmatch(value):
        number = int(match[1])
        return {"sets": frozenset({(_PROFILE[characteristic], -abs(number) if characteristic == "AP" else number)})}
    if not _NUMBER.fullmatch(value):
        return None
    # A better AP, BS or WS is a smaller number; the engine counts improvements.
    names = {"A": "attacks_bonus", "S": "strength_bonus", "D": "damage_bonus"}
    improved = {"AP": "ap_improve", "BS": "skill_improve", "WS": "skill_improve"}
    if characteristic in improved:
        return {improved[characteristic]: -int(value)}
    return {names[characteristic]: int(value)}


def _target_stat(characteristic: str, value: str) -> _Change | None:
    if characteristic == "Sv" and (match := _SET.fullmatch(value)):
        return {"save": int(match[1])}
    if not _NUMBER.fullmatch(value):
        return None
    number = int(value)
    if characteristic == "AP":
        return {"ap_worsen": number} if number > 0 else None
    if characteristic == "D":
        return {"damage_minus": -number} if number < 0 else None
    known = {"T": "toughness_bonus", "W": "wounds_bonus"}
    if characteristic == "Sv":
        return {"save_improve": -number}
    return {known[characteristic]: number} if characteristic in known else None


def _grant(slug: str, value: str) -> _Change | None:
    against: tuple[str, ...] = ()
    number: str | None = value or None
    if slug == "anti":
        keyword, _, number = value.rpartition(" ")
        against = tuple(keyword.split("/")) if keyword else ()
    if slug in _CHANGES_NO_DAMAGE:
        return None
    ability = {"ability": slug, "value": number, "against_keywords": list(against), "condition": None}
    return {"grants": frozenset({(slug, number, against)})} if ability_is_modelled(ability) else None


def _critical(characteristic: str, value: str) -> _Change | None:
    return {f"crit_{characteristic}": int(value)} if _is_roll(characteristic, value) else None


def _mortal_wounds(characteristic: str, value: str) -> _Change | None:
    return {"mortal_wounds": frozenset({value})} if mortal_wounds_law([value], 1) is not None else None


def _invulnerable(characteristic: str, value: str) -> _Change | None:
    return {"invulnerable_save": int(value)} if value.isdecimal() else None


def _feel_no_pain(characteristic: str, value: str) -> _Change | None:
    name = {"all": "feel_no_pain", "mortal": "feel_no_pain_mortal"}.get(characteristic)
    return {name: int(value)} if name and value.isdecimal() else None


def _less_damage(characteristic: str, value: str) -> _Change | None:
    if value == "half":
        return {"damage_half": True}
    return {"damage_minus": -int(value)} if re.fullmatch(r"-\d", value) else None


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


def attacker_columns(effect: Effect) -> dict[str, Any]:
    """The values of ``grid.ATTACKER_COLUMNS``."""
    return {
        **{name: getattr(effect, name) for name in ATTACKER_COLUMNS},
        "hit_reroll": REROLLS[effect.hit_reroll],
        "wound_reroll": REROLLS[effect.wound_reroll],
        "damage_reroll": DAMAGE_REROLLS[effect.damage_reroll],
    }


def target_columns(effect: Effect, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of ``targets`` or ``target_groups`` with the effect; saves stay as good as they were."""
    save = min(max(row["save"] - effect.save_improve, 2), effect.save)
    changed: dict[str, Any] = {"save": save, "wounds": max(row["wounds"] + effect.wounds_bonus, 1)}
    held, scope = row["invulnerable_save"], row["invulnerable_save_scope"]
    if effect.invulnerable_save < NO_ROLL:
        if held is None or held >= effect.invulnerable_save:
            changed |= {"invulnerable_save": effect.invulnerable_save, "invulnerable_save_scope": None}
        elif scope is not None:  # the better one holds against some attacks, the new one against the others
            changed |= {"improved_invulnerable_save": held, "improved_invulnerable_save_scope": scope,
                        "invulnerable_save": effect.invulnerable_save, "invulnerable_save_scope": None}  # fmt: skip
    pain, mortal = effect.feel_no_pain, row["feel_no_pain_scope"] == "mortal"
    if pain < (NO_ROLL if row["feel_no_pain"] is None or mortal else row["feel_no_pain"]):
        changed |= {"feel_no_pain": pain, "feel_no_pain_scope": None}
    elif (row["feel_no_pain"] is None or mortal) and effect.feel_no_pain_mortal < (row["feel_no_pain"] or NO_ROLL):
        changed |= {"feel_no_pain": effect.feel_no_pain_mortal, "feel_no_pain_scope": "mortal"}
    if "toughness" in row:  # what a unit has as a whole
        changed |= {
            "toughness": max(row["toughness"] + effect.toughness_bonus, 1),
            "hit_mod": row["hit_mod"] + effect.target_hit_mod,
            "wound_mod": row["wound_mod"] + effect.target_wound_mod,
            "wound_minus_if_stronger": row["wound_minus_if_stronger"] or effect.wound_minus_if_stronger,
            "ap_worsen": row["ap_worsen"] + effect.ap_worsen,
            "damage_minus": row["damage_minus"] + effect.damage_minus,
            "damage_half": row["damage_half"] or effect.damage_half,
        }
    return {**row, **changed}


def in_words(effect: Effect) -> str:
    """An effect in a line for people, such as ``hit +1; wound re-roll ones; lethal hits``."""
    said: list[str] = []
    value: Any
    for name, value, default in zip(Effect._fields, effect, NOTHING, strict=True):
        if value == default:
            continue
        label = _WORDS.get(name, name.replace("_", " "))
        if name in ("hit_reroll", "wound_reroll"):
            said.append(f"{label} {REROLLS[value]}")
        elif name == "sets":
            said += [f"{column.replace('_', ' ')} = {number}" for column, number in sorted(value)]
        elif name == "grants":
            said += [
                " ".join(filter(None, (slug.replace("_", " "), "/".join(against), number)))
                for slug, number, against in sorted(value, key=str)
            ]
        elif name == "mortal_wounds":
            said.append(f"{label}: {', '.join(sorted(value))}")
        elif isinstance(value, bool) or name == "damage_reroll":
            said.append(label)
        elif name in _LOWEST:
            said.append(f"{label} {value}+")
        else:
            said.append(f"{label} {value}" if label.endswith(" by") else f"{label} {value:+d}")
    return "; ".join(said)


_WORDS = {
    "hit_mod": "hit roll", "wound_mod": "wound roll", "hit_reroll": "re-roll hits:", "wound_reroll": "re-roll wounds:",
    "damage_reroll": "re-roll damage", "crit_hit": "critical hits on", "crit_wound": "critical wounds on",
    "attacks_bonus": "Attacks", "strength_bonus": "Strength", "damage_bonus": "Damage", "ap_improve": "AP better by",
    "skill_improve": "skill better by", "cover_granted": "cover", "cover_denied": "no cover",
    "target_hit_mod": "attackers’ hit roll", "target_wound_mod": "attackers’ wound roll",
    "wound_minus_if_stronger": "-1 to be wounded by greater Strength", "ap_worsen": "attackers’ AP worse by",
    "toughness_bonus": "Toughness", "wounds_bonus": "Wounds", "save_improve": "save better by", "save": "save",
    "invulnerable_save": "invulnerable save", "feel_no_pain": "Feel No Pain",
    "feel_no_pain_mortal": "Feel No Pain against mortal wounds", "damage_minus": "attackers’ Damage less by",
    "damage_half": "attackers’ Damage halved",
}  # fmt: skip
