"""Single matchups as JSON: reading and checking their fields, writing their results.

Belongs here: the schema of a matchup, its defaults, limits and error messages. Doesn't: any rule (``effective``) or
number (``outcomes``); files and printing are the caller's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipelines.dice import MAX_NUMBER, NO_DICE, ONE, Dice, parse_dice
from pipelines.simulation.bodies import Body, is_plain, resolve_body
from pipelines.simulation.chains import State
from pipelines.simulation.effective import (
    DAMAGE_REROLLS,
    MAX_STRENGTH_DICE,
    NO_ROLL,
    REROLLS,
    ROLLS,
    Attack,
    Attacker,
    Context,
    Target,
    Weapon,
    effective_attack,
    hazardous_mortal_wounds,
)
from pipelines.simulation.outcomes import METRICS, decide_lethal, final_states, resolve
from pipelines.simulation.rerolls import resolve_in_hand
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.signatures import Laws
from pipelines.simulation.stages import Stages

MAX_UNSAVED = 10_000
"""The largest number of attacks, extra hits included, of one matchup."""
MAX_STEPS = 5_000_000_000
"""The largest product of attacks, the target's wounds in all and the wounds of a model."""
MAX_STEPS_APART = 150_000_000
"""The largest product of attacks, the same with extra hits, and wounds in all, where Devastating Wounds differ."""
MAX_STEPS_IN_HAND = 20_000_000
"""The largest product of attacks and the same with extra hits, where a single re-roll is in hand."""
MAX_SAVES_SORTED = 1_000
"""The largest number of saves that are resolved lowest first."""
MAX_STEPS_SORTED = 1_000_000_000
"""The largest product of their square, of Devastating Wounds, wounds in all and the wounds of a model."""
MAX_GROUPS = 20
MAX_IGNORED = 20
MAX_MODELS = 1_000
MAX_WOUNDS = 250
MAX_STATES = 20_000
"""The largest number of models times wounds of a target."""

_BLOCK = 128
Reader = Callable[[Any], Any]
Schema = dict[str, tuple[str, Any, Reader]]


def evaluate(matchups: Sequence[Mapping[str, Any]], rulesets: Mapping[str, RuleSet]) -> list[dict[str, Any]]:
    """Give the exact outcome of each matchup, in input order.

    ``matchups``: mappings as in the matchup schema (every field optional; ``ruleset`` names a key of ``rulesets``,
    default ``10e``). Each result has ``id``, the eight ``METRICS`` as floats (damage in wounds, the last a
    probability), for hazardous weapons ``expected_hazardous_mortal_wounds``, and ``dist``: for ``damage`` and
    ``models_destroyed`` a list of [value, probability], impossible values left out.
    Raises ValueError naming the matchup and the field for unknown fields, unreadable or impossible values, and
    sizes beyond this module's limits.
    """
    return evaluate_pairs(read_matchups(matchups, rulesets))


def read_matchups(matchups: Sequence[Mapping[str, Any]], rulesets: Mapping[str, RuleSet]) -> list[Matchup]:
    """Read and check matchups of the JSON schema. Raises ValueError as ``evaluate`` does."""
    if isinstance(matchups, (Mapping, str)) or not isinstance(matchups, Sequence):
        raise ValueError("expected a list of matchups")
    return [_read_matchup(matchup, position, rulesets) for position, matchup in enumerate(matchups)]


@dataclass(frozen=True)
class Matchup:
    """A weapon fired by some models at a target under a rule set, read and within this module's limits.

    Raises ValueError, which begins with ``label``, for sizes beyond the limits.
    """

    label: str
    weapon: Weapon
    target: Target
    rules: RuleSet
    attacker: Attacker = field(default_factory=Attacker)
    context: Context = field(default_factory=Context)
    models_firing: int = 1
    id: Any = None

    def __post_init__(self) -> None:
        if not 1 <= self.models_firing <= MAX_MODELS:
            raise ValueError(f"{self.label}: models_firing: must be from 1 to {MAX_MODELS}, not {self.models_firing}")
        _check_size(self)

    @property
    def attack(self) -> Attack:
        """The weapon's effective row."""
        return effective_attack(self.weapon, self.attacker, self.context, self.rules)

    def result(self, metrics: Sequence[float | None], state: State, body: Body | None = None) -> dict[str, Any]:
        """Write the result object; ``body``: what the state means where models differ or attacks are ignored."""
        result: dict[str, Any] = {"id": self.id, **dict(zip(METRICS, metrics, strict=True))}
        if self.weapon.hazardous:
            result["expected_hazardous_mortal_wounds"] = hazardous_mortal_wounds(
                self.weapon, self.attacker, self.models_firing, self.rules
            )
        if body is None:
            return result | {"dist": _distribution(state)}
        groups = {"groups": body.by_group(state)} if self.target.groups else {}
        return result | groups | {"dist": body.distribution(state)}


def evaluate_pairs(matchups: Sequence[Matchup]) -> list[dict[str, Any]]:
    """Give the exact outcome of each matchup that was read already, as ``evaluate`` does."""
    results: list[dict[str, Any]] = [{}] * len(matchups)
    together = []
    for position, m in enumerate(matchups):
        if m.attacker.reroll_one:
            results[position] = m.result(*resolve_in_hand(m.attack, m.models_firing, m.target))
        elif not is_plain(m.target):
            results[position] = m.result(*resolve_body(m.attack, m.models_firing, m.target))
        else:
            together.append(position)
    for start in range(0, len(together), _BLOCK):
        block = together[start : start + _BLOCK]
        for position, result in zip(block, _evaluate_block([matchups[i] for i in block]), strict=True):
            results[position] = result
    return results


def _evaluate_block(matchups: Sequence[Matchup]) -> list[dict[str, Any]]:
    laws = Laws()
    rows = np.arange(len(matchups))
    stages = Stages(
        [m.attack for m in matchups], [m.models_firing for m in matchups], [m.target for m in matchups], laws
    )
    sequences, inverse = stages.merged(rows, rows)
    sequences["lethal"] = decide_lethal(sequences, laws)
    outcomes = resolve(sequences, laws).metrics
    states = final_states(sequences, laws)
    return [
        m.result(outcomes[sequence].tolist(), states[sequence])
        for m, sequence in zip(matchups, inverse.tolist(), strict=True)
    ]


def _distribution(state: State) -> dict[str, list[list[float]]]:
    alive, dead = state
    damage = [float(dead), *alive.ravel().tolist()][::-1]
    destroyed = [*alive.sum(axis=1).tolist()[::-1], float(dead)]
    return {
        "damage": [[value, p] for value, p in enumerate(damage) if p > 0],
        "models_destroyed": [[value, p] for value, p in enumerate(destroyed) if p > 0],
    }


def _read_matchup(matchup: Any, position: int, rulesets: Mapping[str, RuleSet]) -> Matchup:
    """Read and check one matchup of the JSON schema."""
    given_id = matchup.get("id") if isinstance(matchup, Mapping) else None
    label = f"matchup {_shown(given_id)}" if given_id is not None else f"matchup number {position + 1}"
    if not isinstance(matchup, Mapping):
        raise ValueError(f"{label}: expected an object, not {_shown(matchup)}")
    name = matchup.get("ruleset", "10e")
    if not isinstance(name, str) or name not in rulesets:
        raise ValueError(f"{label}: ruleset: {_shown(name)} is none of {', '.join(sorted(rulesets))}")
    rules = rulesets[name]
    later = rules.has_ability_values
    top = _read(label, "", matchup, _TOP | (_TOP_11E if later else {}))
    weapon = _read(label, "weapon", top["weapon"], _WEAPON | (_WEAPON_11E if later else {}))
    attacker = _read(label, "attacker", top["attacker"], _ATTACKER | (_ATTACKER_11E if later else {}))
    target = _read(label, "target", top["target"], _TARGET)
    context = _read(label, "context", top["context"], _CONTEXT | (_CONTEXT_11E if later else {}))
    if later:
        rules = rules.replace(**_read(label, "rules", top["rules"], _readings(rules)))
    keywords = target.pop("keywords")
    thresholds = [each["value"] for each in _anti(label, weapon.pop("anti")) if each["keyword"] in keywords]
    return Matchup(
        label=label,
        id=given_id,
        weapon=Weapon(**weapon, anti=min(thresholds, default=NO_ROLL)),
        target=_target(label, target, top["target"]),
        rules=rules,
        attacker=Attacker(**attacker),
        context=Context(**context),
        models_firing=top["models_firing"],
    )


def _read(label: str, section: str, given: Any, schema: Schema) -> dict[str, Any]:
    """Read one object: ``schema`` gives each field's own name here, its default, and its reader."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{label}: {section}: expected an object, not {_shown(given)}")
    path = f"{section}." if section else ""
    values = {own: default for own, default, _ in schema.values()}
    for name, value in given.items():
        if name not in schema:
            shown = name if name.isidentifier() and len(name) <= 40 else _shown(name)
            raise ValueError(f"{label}: {path}{shown}: unknown field")
        own, _, reader = schema[name]
        try:
            values[own] = reader(value)
        except ValueError as error:
            raise ValueError(f"{label}: {path}{name}: {error}") from None
    return values


def _anti(label: str, given: list[Any]) -> list[dict[str, Any]]:
    schema: Schema = {"keyword": ("keyword", None, _keyword), "value": ("value", None, _number(2, 6))}
    read = [_read(label, f"weapon.anti[{position}]", item, schema) for position, item in enumerate(given)]
    for position, item in enumerate(read):
        for name, value in item.items():
            if value is None:
                raise ValueError(f"{label}: weapon.anti[{position}].{name}: missing")
    return read


def _check_size(matchup: Matchup) -> None:
    w, t, bonus = matchup.weapon, matchup.target, matchup.attacker.attacks_bonus
    extra = (w.blast + w.cleave) * (t.models // 5)
    attacks = matchup.models_firing * (_most(w.attacks) + _most(w.rapid_fire) + max(bonus, 0) + extra)
    unsaved = attacks * (1 + _most(w.sustained_hits))
    states = t.models * t.wounds
    if matchup.attacker.reroll_one and attacks * unsaved > MAX_STEPS_IN_HAND:
        raise ValueError(f"{matchup.label}: attacker.reroll_one: too large: up to {attacks} attacks")
    if unsaved > MAX_UNSAVED:
        raise ValueError(
            f"{matchup.label}: models_firing, weapon.A: too large: up to {unsaved} attacks and extra hits, "
            f"at most {MAX_UNSAVED} can be computed"
        )
    differ = t.fnp_devastating < t.fnp_ranged or not matchup.rules.devastating_reduced or not is_plain(t)
    if t.groups and matchup.rules.saves_lowest_first:
        waiting = unsaved + 1 if w.devastating_wounds else 1
        if unsaved > MAX_SAVES_SORTED or unsaved**2 * waiting * states * t.wounds > MAX_STEPS_SORTED:
            raise ValueError(f"{matchup.label}: target.groups: too large: up to {unsaved} saves rolled together")
    if unsaved * states * t.wounds > MAX_STEPS or (
        w.devastating_wounds and differ and attacks * unsaved * states > MAX_STEPS_APART
    ):
        raise ValueError(
            f"{matchup.label}: models_firing, target.models: too large: {attacks} attacks at a unit of {states} wounds"
        )
    if states > MAX_STATES:
        raise ValueError(
            f"{matchup.label}: target.models, target.W: too large: {t.models} x {t.wounds} wounds, "
            f"at most {MAX_STATES} can be computed"
        )


def _target(label: str, fields: dict[str, Any], given: Mapping[str, Any]) -> Target:
    """Read a target; what a group doesn't state is as the target has it."""
    groups = fields.pop("groups")
    if not groups:
        return _target_row(fields)
    if "models" in given:
        raise ValueError(f"{label}: target.models: each of target.groups states its own")
    rows = []
    for position, group in enumerate(groups):
        of_group = {name: (own, fields.get(own, default), reader) for name, (own, default, reader) in _GROUP.items()}
        read = _read(label, f"target.groups[{position}]", group, of_group)
        rows.append(_target_row(fields | {"ignored_failed_saves": 0, "ignored_attacks": 0} | read))
    whole = _target_row(fields)
    return whole._replace(
        models=sum(row.models for row in rows), wounds=max(row.wounds for row in rows), groups=tuple(rows)
    )


def _target_row(fields: Mapping[str, Any]) -> Target:
    fields = dict(fields)
    invulnerable, fnp = fields.pop("invulnerable"), fields.pop("fnp")
    return Target(
        **{name: int(value) for name, value in fields.items()},  # type: ignore[arg-type]
        invulnerable_ranged=invulnerable,
        invulnerable_melee=invulnerable,
        fnp_ranged=fnp,
        fnp_melee=fnp,
    )


def _most(dice: Dice) -> int:
    return dice.rolled * dice.sides + max(dice.plus, 0)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _number(lowest: int, highest: int, absent: int | None = None) -> Reader:
    """Read an integer between two bounds; null means ``absent`` where that is given."""

    def read(value: Any) -> int:
        if value is None and absent is not None:
            return absent
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"expected a whole number, not {_shown(value)}")
        if not lowest <= value <= highest:
            raise ValueError(f"must be {lowest} to {highest}, not {_shown(value)}")
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, not {_shown(value)}")
    return value


def _dice(value: Any) -> Dice:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"expected a number or dice, not {_shown(value)}")
    return parse_dice(value)


def _strength(value: Any) -> Dice:
    dice = _dice(value)
    if dice.rolled > MAX_STRENGTH_DICE:
        raise ValueError(f"at most {MAX_STRENGTH_DICE} dice, not {_shown(value)}")
    return dice


def _choice(*allowed: str) -> Reader:
    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}, not {_shown(value)}")
        return str(value)

    return read


def _keyword(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected a keyword, not {_shown(value)}")
    return " ".join(value.upper().split())


def _list(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list, not {_shown(value)}")
    return list(value)


def _groups(value: Any) -> list[Any]:
    groups = _list(value)
    if len(groups) > MAX_GROUPS:
        raise ValueError(f"at most {MAX_GROUPS}, not {len(groups)}")
    return groups


def _keywords(value: Any) -> frozenset[str]:
    return frozenset(_keyword(item) for item in _list(value))


def _skill(value: Any) -> int | None:
    return None if value is None else int(_number(2, 6)(value))


def _cap(value: Any) -> int | None:
    return None if value is None else int(_number(0, 100)(value))


def _blast(value: Any) -> int:
    return int(value) if isinstance(value, bool) else int(_number(0, 100)(value))


_modifier = _number(-100, 100)
_roll = _number(2, 6)
_optional_roll = _number(2, NO_ROLL, absent=NO_ROLL)


def _same(*names: str, default: Any, reader: Reader) -> Schema:
    return {name: (name, default, reader) for name in names}


_TOP: Schema = {
    "id": ("id", None, lambda value: value),
    "models_firing": ("models_firing", 1, _number(1, MAX_MODELS)),
    "ruleset": ("ruleset", "10e", lambda value: value),
    **_same("weapon", "attacker", "target", "context", default={}, reader=lambda value: value),
}
_TOP_11E: Schema = _same("rules", default={}, reader=lambda value: value)
_WEAPON: Schema = {
    "type": ("melee", False, lambda value: _choice("ranged", "melee")(value) == "melee"),
    "A": ("attacks", ONE, _dice),
    "skill": ("skill", 3, _skill),
    "S": ("strength", Dice(0, 0, 4), _strength),
    "AP": ("armour_penetration", 0, _number(-100, 0)),
    "D": ("damage", ONE, _dice),
    "blast": ("blast", 0, lambda value: int(_flag(value))),
    **_same("sustained_hits", "rapid_fire", "melta", default=NO_DICE, reader=_dice),
    **_same(
        "torrent", "heavy", "lance", "lethal_hits", "devastating_wounds", "twin_linked", "ignores_cover",
        "indirect_fire", "hazardous", "conversion", "precision", default=False, reader=_flag,
    ),
    "anti": ("anti", [], _list),
}  # fmt: skip
_WEAPON_11E: Schema = {
    "blast": ("blast", 0, _blast),
    "cleave": ("cleave", 0, _number(0, 100)),
    "psychic": ("psychic", False, _flag),
    "lethal_optional": ("lethal_policy", "best", _choice("best", "always", "never")),
}
_ATTACKER: Schema = {
    **_same("hit_mod", "wound_mod", default=0, reader=_modifier),
    **_same("hit_reroll", "wound_reroll", default="none", reader=_choice(*REROLLS)),
    **_same("crit_hit", "crit_wound", default=6, reader=_roll),
    **_same("crit_hit_only_if_successful", "crit_wound_only_if_successful", default=False, reader=_flag),
    "damaged": ("damaged", False, _flag),
    "damage_reroll": ("damage_reroll", "none", _choice(*DAMAGE_REROLLS)),
    "reroll_one": ("reroll_one", frozenset(), lambda value: frozenset(map(_choice(*ROLLS), _list(value)))),
    "A_bonus": ("attacks_bonus", 0, _modifier),
    "S_bonus": ("strength_bonus", 0, _modifier),
    "D_bonus": ("damage_bonus", 0, _modifier),
    "AP_improve": ("ap_improve", 0, _modifier),
}
_ATTACKER_11E: Schema = {
    "skill_improve": ("skill_improve", 0, _modifier),
    "keywords": ("keywords", frozenset(), _keywords),
}
_TARGET: Schema = {
    "T": ("toughness", 4, _number(1, MAX_NUMBER)),
    "W": ("wounds", 1, _number(1, MAX_WOUNDS)),
    "Sv": ("save", NO_ROLL, _number(2, 100, absent=NO_ROLL)),
    "Inv": ("invulnerable", NO_ROLL, _optional_roll),
    "FNP": ("fnp", NO_ROLL, _optional_roll),
    "FNP_mortal": ("fnp_devastating", NO_ROLL, _optional_roll),
    "models": ("models", 1, _number(1, MAX_MODELS)),
    "keywords": ("keywords", frozenset(), _keywords),
    "stealth": ("stealth", False, _flag),
    **_same("hit_mod", "wound_mod", "save_mod", "AP_worsen", "damage_minus", default=0, reader=_modifier),
    "wound_minus_if_S_gt_T": ("wound_minus_if_stronger", False, _flag),
    "damage_half": ("damage_half", False, _flag),
    "AP_worsen": ("ap_worsen", 0, _modifier),
    "ignore_failed_saves": ("ignored_failed_saves", 0, _number(0, MAX_IGNORED)),
    "damage_to_zero": ("ignored_attacks", 0, _number(0, MAX_IGNORED)),
    "groups": ("groups", [], _groups),
}
_GROUP: Schema = {
    **{
        name: _TARGET[name]
        for name in (
            "W", "Sv", "Inv", "FNP", "FNP_mortal", "models", "save_mod", "AP_worsen", "damage_minus", "damage_half",
        )
    },
    "character": ("character", False, _flag),
}  # fmt: skip
_CONTEXT: Schema = {
    **_same("half_range", "long_range", "stationary", "charged", "cover", "overwatch", default=False, reader=_flag),
    "visible": ("visible", True, _flag),
}
_CONTEXT_11E: Schema = _same("spotted", "plunging_fire", default=False, reader=_flag)


def _readings(rules: RuleSet) -> Schema:
    """Give the readings of rules in doubt that a matchup may state, by default as the rule set has them."""
    return {
        "devastating_reduced": ("devastating_reduced", rules.devastating_reduced, _flag),
        "save_cap": ("save_modifier_cap", rules.save_modifier_cap, _cap),
    }
