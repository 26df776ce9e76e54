"""What modifiers do to the numbers of an attack: effects, alone and together, as what the engine is given.

Belongs here: one effect and sums of several, on the attacking and on the attacked side, in the engine's terms and in
words. Doesn't: reading rows of ``modifiers`` (``readings``), under which circumstances they hold (``circumstances``).

Caps (+1 to hit, ...) are the engine's. What only counts in circumstances (Lance, Heavy, cover) is compared in a
scenario in which it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, NamedTuple

from pipelines.dice import parse_dice
from pipelines.simulation.effective import DAMAGE_REROLLS, NO_ROLL, REROLLS
from pipelines.simulation.grid import ATTACKER_COLUMNS

PLAIN, COVER = "plain", "cover"
_AT_RANGE = {"heavy": "stationary", "ignores_cover": COVER, "rapid_fire": "half_range", "melta": "half_range"}
_SCENARIO_OF = {"lance": "charged", **_AT_RANGE}


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
    stealth: bool = False
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
    def in_melee(self) -> Effect:
        """What is left of it in the Fight phase, where abilities that count at range only do nothing."""
        return self._replace(grants=frozenset(grant for grant in self.grants if grant[0] not in _AT_RANGE))

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
_LOWEST = ("crit_hit", "crit_wound", "save", "invulnerable_save", "feel_no_pain")
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
    if name == "sets":
        return _best_sets(one | other)
    if name == "grants":
        return _best_grants(one | other)
    if isinstance(one, frozenset):
        return one | other
    if name in _LOWEST:
        return min(one, other)
    if name in _ADDED:
        return max(one, other, key=abs) if of_one_source else one + other
    return max(one, other)


_Grant = tuple[str, str | None, tuple[str, ...]]


def _best_grants(grants: frozenset[_Grant]) -> frozenset[_Grant]:
    """Of the same ability several times the one that counts: the higher mean, of Anti the lowest threshold (E15)."""
    best: dict[tuple[str, tuple[str, ...]], str | None] = {}
    for slug, value, against in sorted(grants, key=str):
        known = best.setdefault((slug, against), value)
        if known is not None and value is not None and _counts_before(slug, value, known):
            best[slug, against] = value
    return frozenset((slug, value, against) for (slug, against), value in best.items())


def _counts_before(slug: str, value: str, known: str) -> bool:
    if slug == "anti":
        return value < known
    means = [dice.rolled * (dice.sides + 1) / 2 + dice.plus for dice in map(parse_dice, (value, known))]
    return means[0] > means[1]


def _best_sets(sets: frozenset[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    """Of several values of one characteristic the best for the attacker."""
    best: dict[str, int] = {}
    for column, number in sets:
        better = min if column in ("skill", "armour_penetration") else max
        best[column] = better(best.get(column, number), number)
    return frozenset(best.items())


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
    if "toughness" in row:  # what a unit has as a whole
        changed |= {
            "toughness": max(row["toughness"] + effect.toughness_bonus, 1),
            "hit_mod": row["hit_mod"] + effect.target_hit_mod,
            "wound_mod": row["wound_mod"] + effect.target_wound_mod,
            "wound_minus_if_stronger": row["wound_minus_if_stronger"] or effect.wound_minus_if_stronger,
            "ap_worsen": row["ap_worsen"] + effect.ap_worsen,
            "damage_minus": row["damage_minus"] + effect.damage_minus,
            "damage_half": row["damage_half"] or effect.damage_half,
            "stealth": row["stealth"] or effect.stealth,
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
    "skill_improve": "skill better by", "stealth": "Stealth", "cover_granted": "cover", "cover_denied": "no cover",
    "target_hit_mod": "attackers’ hit roll", "target_wound_mod": "attackers’ wound roll",
    "wound_minus_if_stronger": "-1 to be wounded by greater Strength", "ap_worsen": "attackers’ AP worse by",
    "toughness_bonus": "Toughness", "wounds_bonus": "Wounds", "save_improve": "save better by", "save": "save",
    "invulnerable_save": "invulnerable save", "feel_no_pain": "Feel No Pain",
    "damage_minus": "attackers’ Damage less by",
    "damage_half": "attackers’ Damage halved",
}  # fmt: skip
