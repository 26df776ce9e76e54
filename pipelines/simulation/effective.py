"""Effective rows: all that the rules make of a weapon, its user and the circumstances, and of a target.

Belongs here: what each ability, modifier and circumstance changes, edition by edition. Doesn't: rolling dice
(``laws``), reading JSON (``matchup``) or frames (``grid``). Rules: the core rules' attack sequence; where their text
leaves room, the numbered choices of the oracle's schema (1 to 19 for the 10th edition, E1 to E16 for the 11th), and
A1 to A9 of ``docs/how_we_compute.md``.

Equal rows have equal outcomes, so what cannot matter is brought to one form: a torrent weapon has no skill.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pipelines.dice import NO_DICE, ONE, Dice
from pipelines.simulation.dice import Law, add_laws, constant, dice_law, floor_law
from pipelines.simulation.rulesets import RuleSet

REROLLS = ("none", "ones", "failed", "noncrit")
DAMAGE_REROLLS = ("none", "low")
"""Damage rolls re-rolled: none, or each from which a new roll expects to take more wounds off an unhurt model (A3)."""
ROLLS = ("hit", "wound", "damage")
CONVERSION_CRITICAL = 4
MAX_STRENGTH_DICE = 2
"""More dice would not be counts out of ``laws.WOUND_TOTAL``; no weapon of the game has them."""
LETHAL_NO, LETHAL_AUTOMATIC, LETHAL_BEST = 0, 1, 2
NO_CAP = 1000
_STRENGTH_4 = Dice(0, 0, 4)
NO_ROLL = 7


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon profile as it stands against one target: abilities bound to keywords are already decided.

    ``skill`` None: hits automatically. ``anti``: unmodified wound roll that is critical, 7 = none.
    ``blast``, ``cleave``: extra attacks per five models, 0 = no such ability. ``may_target`` False: no attacks.
    Raises ValueError for a Strength of more than ``MAX_STRENGTH_DICE`` dice.
    """

    melee: bool = False
    attacks: Dice = ONE
    skill: int | None = 3
    strength: Dice = _STRENGTH_4
    armour_penetration: int = 0
    damage: Dice = ONE
    torrent: bool = False
    heavy: bool = False
    lance: bool = False
    lethal_hits: bool = False
    lethal_policy: str = "best"
    devastating_wounds: bool = False
    twin_linked: bool = False
    ignores_cover: bool = False
    indirect_fire: bool = False
    precision: bool = False
    hazardous: bool = False
    psychic: bool = False
    conversion: bool = False
    blast: int = 0
    cleave: int = 0
    sustained_hits: Dice = NO_DICE
    rapid_fire: Dice = NO_DICE
    melta: Dice = NO_DICE
    anti: int = NO_ROLL
    may_target: bool = True

    def __post_init__(self) -> None:
        if self.strength.rolled > MAX_STRENGTH_DICE:
            raise ValueError(f"strength {self.strength}: at most {MAX_STRENGTH_DICE} dice can be computed")


@dataclass(frozen=True, slots=True)
class Attacker:
    """What the firing unit's rules add. Re-rolls: one of ``REROLLS``; thresholds are unmodified rolls.

    ``crit_…_only_if_successful``: a roll that reaches the threshold is critical only where it succeeds anyway (A1).
    ``reroll_one``: of which kinds of roll, from ``ROLLS``, one may be re-rolled in the activation (A4).
    """

    hit_mod: int = 0
    wound_mod: int = 0
    hit_reroll: str = "none"
    wound_reroll: str = "none"
    crit_hit: int = 6
    crit_wound: int = 6
    crit_hit_only_if_successful: bool = False
    crit_wound_only_if_successful: bool = False
    damage_reroll: str = "none"
    reroll_one: frozenset[str] = field(default_factory=frozenset)
    attacks_bonus: int = 0
    strength_bonus: int = 0
    damage_bonus: int = 0
    ap_improve: int = 0
    skill_improve: int = 0
    damaged: bool = False
    keywords: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of an attack; ``long_range``: far enough for Conversion."""

    half_range: bool = False
    long_range: bool = False
    stationary: bool = False
    charged: bool = False
    cover: bool = False
    visible: bool = True
    overwatch: bool = False
    spotted: bool = False
    plunging_fire: bool = False


class Target(NamedTuple):
    """A target's effective row; saves and Feel No Pain of 7 mean none.

    ``fnp_devastating`` acts on Devastating Wounds where better than the Feel No Pain of the attack's type.
    ``groups``: rows of the kinds of models, where they differ (each has its own saves, wounds, Feel No Pain, reductions
    and ``models``, but the unit's Toughness; ``character`` is only told there); ``bodies`` reads them.
    ``ignored_failed_saves``: the damage of the first so many failed saves of an activation is 0; ``ignored_attacks``:
    of the first that would do damage.
    """

    toughness: int = 4
    wounds: int = 1
    save: int = NO_ROLL
    invulnerable_ranged: int = NO_ROLL
    invulnerable_melee: int = NO_ROLL
    fnp_ranged: int = NO_ROLL
    fnp_melee: int = NO_ROLL
    fnp_devastating: int = NO_ROLL
    models: int = 1
    stealth: int = 0
    hit_mod: int = 0
    wound_mod: int = 0
    wound_minus_if_stronger: int = 0
    save_mod: int = 0
    ap_worsen: int = 0
    damage_half: int = 0
    damage_minus: int = 0
    character: int = 0
    ignored_failed_saves: int = 0
    ignored_attacks: int = 0
    groups: tuple[Any, ...] = ()


class Attack(NamedTuple):
    """An attacking weapon's effective row; laws aside, every field is an integer.

    Number of attacks of one weapon: ``max(1, attacks_floored + per_five_floored * k) + attacks_added +
    per_five_added * k``, k = models of the target // 5. ``…_stealth``: the value against a target with Stealth.
    ``lowest_hit_roll``: smaller unmodified rolls fail. ``crit_…_if_success``: at most ``crit_…``, critical where the
    roll succeeds. ``damage_divided`` is what a halving halves, ``damage_added`` comes after. ``armour_penetration``
    isn't yet held to at most 0: the target may still worsen it. ``reroll_one_…``: such a re-roll is in hand.
    ``saves_lowest_first``: the rule set's order of saves. ``precision``: wounds go to characters first.
    """

    melee: int
    attacks_floored: Law
    attacks_added: Law
    per_five_floored: int
    per_five_added: int
    auto_hit: int
    skill: int
    skill_stealth: int
    hit_mod: int
    hit_mod_stealth: int
    hit_cap: int
    drops_target_hit_mod: int
    hit_reroll: int
    reroll_one_hit: int
    crit_hit: int
    crit_hit_if_success: int
    lowest_hit_roll: int
    sustained: Law
    lethal: int
    strength: Law
    wound_mod: int
    wound_cap: int
    wound_reroll: int
    reroll_one_wound: int
    crit_wound: int
    crit_wound_if_success: int
    devastating: int
    devastating_reduced: int
    armour_penetration: int
    save_cover: int
    cover_denied_save: int
    save_total_cap: int
    save_modifier_cap: int
    damage_divided: Law
    damage_added: Law
    damage_reroll: int
    reroll_one_damage: int
    saves_lowest_first: int
    precision: int


def effective_attack(weapon: Weapon, attacker: Attacker, context: Context, rules: RuleSet) -> Attack:
    """Reduce a weapon, its user and the circumstances to the row that the dice see."""
    ranged = not weapon.melee
    unseen = ranged and weapon.indirect_fire and not context.visible
    covered = ranged and (context.cover or unseen) and not weapon.ignores_cover
    hit = _hit_fields(weapon, attacker, context, rules, covered=covered, unseen=unseen)
    attacks_floored, attacks_added, per_five_floored, per_five_added = _attacks(weapon, attacker, context, rules)
    damage_divided, damage_added = _damage(weapon, attacker, context, rules)
    wound_reroll = attacker.wound_reroll
    if weapon.twin_linked and wound_reroll != "noncrit":
        wound_reroll = "failed"
    crit_wound, crit_wound_if_success = _critical(attacker.crit_wound, only=attacker.crit_wound_only_if_successful)
    crit_wound = min(crit_wound, weapon.anti)
    return Attack(
        melee=int(weapon.melee),
        attacks_floored=attacks_floored,
        attacks_added=attacks_added,
        per_five_floored=per_five_floored,
        per_five_added=per_five_added,
        **hit,
        strength=floor_law(add_laws(dice_law(weapon.strength, 0), constant(attacker.strength_bonus)), 1),
        wound_mod=attacker.wound_mod + (weapon.lance and context.charged),
        wound_cap=rules.wound_modifier_cap,
        wound_reroll=REROLLS.index(wound_reroll),
        reroll_one_wound=int("wound" in attacker.reroll_one),
        crit_wound=crit_wound,
        crit_wound_if_success=min(crit_wound, crit_wound_if_success),
        devastating=int(weapon.devastating_wounds),
        devastating_reduced=int(rules.devastating_reduced or not weapon.devastating_wounds),
        armour_penetration=weapon.armour_penetration - attacker.ap_improve,
        save_cover=int(covered and rules.cover_effect == "save"),
        cover_denied_save=rules.cover_denied_save or 0,
        save_total_cap=NO_CAP if rules.save_total_cap is None else rules.save_total_cap,
        save_modifier_cap=NO_CAP if rules.save_modifier_cap is None else rules.save_modifier_cap,
        damage_divided=damage_divided,
        damage_added=damage_added,
        damage_reroll=DAMAGE_REROLLS.index(attacker.damage_reroll),
        reroll_one_damage=int("damage" in attacker.reroll_one),
        saves_lowest_first=int(rules.saves_lowest_first),
        precision=int(weapon.precision),
    )


def hazardous_mortal_wounds(weapon: Weapon, attacker: Attacker, weapons_firing: int, rules: RuleSet) -> float:
    """Give the mortal wounds that the attacker expects from Hazardous tests, one for each weapon (14, E11)."""
    large = attacker.keywords & set(rules.hazardous_large_keywords)
    wounds = rules.hazardous_wounds_large if large else rules.hazardous_wounds
    return weapons_firing * rules.hazardous_failing_rolls * wounds / 6 if weapon.hazardous else 0.0


def _hit_fields(
    weapon: Weapon, attacker: Attacker, context: Context, rules: RuleSet, *, covered: bool, unseen: bool
) -> dict[str, Any]:
    """Everything about the hit roll (choices 2 to 5, 11 to 13, E1 to E3, E5 to E7, E12 to E14)."""
    if weapon.torrent or weapon.skill is None:
        return dict.fromkeys(
            (
                "skill", "skill_stealth", "hit_mod", "hit_mod_stealth", "hit_cap", "drops_target_hit_mod",
                "hit_reroll", "reroll_one_hit",
            ),
            0,
        ) | {
            "auto_hit": 1, "crit_hit": 6, "crit_hit_if_success": 6, "lowest_hit_roll": 1, "sustained": constant(0),
            "lethal": LETHAL_NO,
        }  # fmt: skip
    ranged = not weapon.melee
    drops = weapon.psychic and rules.psychic_drops_penalties
    overwatch = ranged and context.overwatch
    worst = 0 if drops else -NO_CAP

    stealthy = ranged and not (weapon.ignores_cover and rules.stealth_effect == "cover")
    covered_by_stealth = covered or (stealthy and rules.stealth_effect == "cover")
    skill = weapon.skill - max(attacker.skill_improve, worst)
    if ranged and context.plunging_fire and context.visible:
        skill -= rules.plunging_fire_skill
    penalty = int(rules.cover_effect == "skill" and not drops)

    hit_mod = max(attacker.hit_mod, worst) + max(-attacker.damaged, worst)
    hit_mod += weapon.heavy and ranged and context.stationary
    hit_mod += max(rules.indirect_hit_modifier, worst) if unseen else 0
    stealth_penalty = int(stealthy and rules.stealth_effect == "hit_roll" and not drops)

    lowest = 2
    if unseen:
        spotted = context.stationary and context.spotted
        lowest = 1 + (rules.indirect_failing_rolls_spotted if spotted else rules.indirect_failing_rolls)
    if overwatch:
        lowest = 6
    rerolls = (rules.overwatch_rerolls or not overwatch) and (rules.indirect_rerolls or not unseen)
    crit_hit, if_success = _critical(attacker.crit_hit, only=attacker.crit_hit_only_if_successful)
    if weapon.conversion and ranged and context.long_range:
        if_success = min(if_success, CONVERSION_CRITICAL)
    crit_hit = max(crit_hit, lowest)
    return {
        "auto_hit": 0,
        "skill": _held(skill + penalty * covered),
        "skill_stealth": _held(skill + penalty * covered_by_stealth),
        "hit_mod": hit_mod,
        "hit_mod_stealth": hit_mod - stealth_penalty,
        "hit_cap": rules.hit_modifier_cap,
        "drops_target_hit_mod": int(drops),
        "hit_reroll": REROLLS.index(attacker.hit_reroll) if rerolls else 0,
        "reroll_one_hit": int(rerolls and "hit" in attacker.reroll_one),
        "crit_hit": crit_hit,
        "crit_hit_if_success": min(max(if_success, lowest), crit_hit),
        "lowest_hit_roll": lowest,
        "sustained": dice_law(weapon.sustained_hits, 0),
        "lethal": _lethal(weapon, rules),
    }


def _critical(threshold: int, *, only: bool) -> tuple[int, int]:
    """Give from which unmodified roll on a die is critical in any case, and where it succeeds (A1)."""
    return (6, threshold) if only else (threshold, 6)


def _held(skill: int) -> int:
    return min(max(skill, 2), 6)


def _lethal(weapon: Weapon, rules: RuleSet) -> int:
    if not weapon.lethal_hits or (rules.lethal_hits_optional and weapon.lethal_policy == "never"):
        return LETHAL_NO
    choice = rules.lethal_hits_optional and weapon.lethal_policy == "best" and weapon.devastating_wounds
    return LETHAL_BEST if choice else LETHAL_AUTOMATIC


def _attacks(weapon: Weapon, attacker: Attacker, context: Context, rules: RuleSet) -> tuple[Law, Law, int, int]:
    """Give the parts of the number of attacks before and after the minimum of 1 (choice 10, E4)."""
    if not weapon.may_target:
        return constant(0), constant(-1), 0, 0  # the minimum of 1 is taken away again
    own = add_laws(dice_law(weapon.attacks, 0), constant(attacker.attacks_bonus))
    rapid = dice_law(weapon.rapid_fire, 0) if not weapon.melee and context.half_range else constant(0)
    # Values of Blast and Cleave X mean nothing to an edition that doesn't have them (a newer weapon under older rules).
    per_five = weapon.blast + weapon.cleave if rules.has_ability_values else min(weapon.blast, 1)
    if rules.attacks_minimum_first:
        return floor_law(own, 1), rapid, 0, per_five
    total = add_laws(own, rapid)
    return (total, constant(0), per_five, 0) if total[0] < 1 else (total, constant(0), 0, per_five)


def _damage(weapon: Weapon, attacker: Attacker, context: Context, rules: RuleSet) -> tuple[Law, Law]:
    """Give what a halving of Damage halves, and what is added to the result (choice 8, E10)."""
    own = dice_law(weapon.damage, 1)
    melta = dice_law(weapon.melta, 0) if not weapon.melee and context.half_range else constant(0)
    if rules.damage_additions_halved:
        halved = add_laws(add_laws(own, melta), constant(max(attacker.damage_bonus, 0)))
        return halved, constant(min(attacker.damage_bonus, 0))
    return own, add_laws(melta, constant(attacker.damage_bonus))
