"""A second opinion on what happens to a unit: model by model, weapon by weapon, in exact fractions.

Slow and plain on purpose, shares no code with the engine. A state is what every model has left, in the order in which
models take attacks, with what may still be ignored. Hits and wounds come from ``reference``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod

from .reference import FACES, Sequence, chosen, suffered

PER_GROUP = ("W", "Sv", "Inv", "FNP", "FNP_mortal", "save_mod", "AP_worsen", "damage_half", "damage_minus")


class Weapon:
    """One volley at a unit: how many wounds it may bring, and what a wound does to a model of each group."""

    def __init__(self, matchup, lethal=None):
        """``lethal``: whether critical hits wound automatically; None: as the weapon would choose alone, at the first
        group's models."""
        self.target = target = matchup["target"]
        groups = target.get("groups") or [{"models": target.get("models", 1)}]
        whole = target | {"models": sum(group["models"] for group in groups)}
        against = [{**whole, **{k: v for k, v in group.items() if k in PER_GROUP}} for group in groups]
        alone = matchup | {"target": against[0]}
        first = chosen(alone) if lethal is None else Sequence(alone, lethal)
        self.groups = [Sequence(matchup | {"target": each}, first.lethal) for each in against]
        first.fail = Fraction(1)  # wounds before their saves
        counts = first.activation_in_hand()[2] if first.one else first.counts()
        self.law = {key: p for key, p in counts.items() if p}
        self.rerolls = "damage" in first.one
        self.saves_sorted = matchup.get("ruleset") == "11e"
        self.precise = bool(matchup.get("weapon", {}).get("precision"))


class Unit:
    def __init__(self, target):
        groups = target.get("groups") or [target]
        order = sorted(range(len(groups)), key=lambda i: bool(groups[i].get("character")))
        self.characters = {i for i, group in enumerate(groups) if group.get("character")}
        self.order = [i for i in order for _ in range(groups[i].get("models", 1))]
        self.full = [groups[i].get("W", target.get("W", 1)) for i in self.order]
        self.start = (target.get("ignore_failed_saves", 0), target.get("damage_to_zero", 0), tuple(self.full), False)

    def fresh(self, weapon):
        """{state: p} before a weapon has fired; a state ends with whether a re-roll of Damage is in hand."""
        return {(*self.start[:3], weapon.rerolls): Fraction(1)}

    def victim(self, models, weapon):
        """The model that takes the next attack: one that is hurt already, else the first in order; characters only
        once no others are left, with Precision the others only once no characters are."""
        alive = [i for i, left in enumerate(models) if left]
        alive = [i for i in alive if (self.order[i] in self.characters) == weapon.precise] or alive
        hurt = [i for i in alive if models[i] < self.full[i]]
        return (hurt or alive or [None])[0]

    def kind(self, weapon):
        """What a Devastating Wound of a weapon does to each model, however many wounds it has left, and to whom."""
        laws = [weapon.precise and 0 < len(self.characters) < len(set(self.order))]
        for place, full in sorted({(self.order[i], self.full[i]) for i in range(len(self.full))}):
            damage, ignored = weapon.groups[place].last
            for left in range(1, full + 1):
                law = defaultdict(Fraction)
                for points, p in damage.items():
                    for after, q in suffered(left, points, ignored).items():
                        law[after] += p * q
                laws.append(dict(law))
        return laws

    def damaged(self, state, weapon, *, last):
        """{state: p} after an attack that got through."""
        saves, attacks, models, in_hand = state
        victim = self.victim(models, weapon)
        if victim is None:
            return {state: Fraction(1)}
        if saves and not last:
            return {(saves - 1, attacks, models, in_hand): Fraction(1)}
        if attacks:
            return {(saves, attacks - 1, models, in_hand): Fraction(1)}
        group = weapon.groups[self.order[victim]]
        damage, ignored = kind = group.last if last else group.normal
        low = group.low(kind) if in_hand else {}
        rolls = [(points, p, in_hand) for points, p in damage.items() if points not in low]
        rolls += [(points, p * sum(low.values()), False) for points, p in damage.items() if low]
        result = defaultdict(Fraction)
        for points, p, still in rolls:
            for left, q in suffered(models[victim], points, ignored).items():
                result[saves, attacks, (*models[:victim], left, *models[victim + 1 :]), still] += p * q
        return dict(result)

    def after_wound(self, states, weapon):
        """A wound that is saved, or not, by the model that takes it."""
        result = defaultdict(Fraction)
        for state, p in states.items():
            victim = self.victim(state[2], weapon)
            fail = weapon.groups[self.order[victim]].fail if victim is not None else Fraction(1)
            result[state] += p * (1 - fail)
            for after, q in self.damaged(state, weapon, last=False).items():
                result[after] += p * fail * q
        return {state: p for state, p in result.items() if p}

    def after_wounds(self, states, weapon, number):
        if not weapon.saves_sorted or number == 0:
            for _ in range(number):
                states = self.after_wound(states, weapon)
            return states
        result = defaultdict(Fraction)
        for dice in combinations_with_replacement(FACES, number):
            ways = Fraction(factorial(number), prod(map(factorial, Counter(dice).values())) * 6**number)
            now = states
            for face in dice:
                now = self.after_die(now, weapon, face)
            for state, p in now.items():
                result[state] += ways * p
        return dict(result)

    def after_die(self, states, weapon, face):
        result = defaultdict(Fraction)
        for state, p in states.items():
            victim = self.victim(state[2], weapon)
            if victim is None or face > 6 * weapon.groups[self.order[victim]].fail:
                result[state] += p
                continue
            for after, q in self.damaged(state, weapon, last=False).items():
                result[after] += p * q
        return dict(result)


def unit_reference(matchups):
    """Expectations and distributions of one matchup, optional Lethal Hits chosen by its real target."""
    (matchup,) = matchups
    unit = Unit(matchup["target"])
    if is_open(matchup):
        automatic, rolled = (
            summary(unit, fired(unit, [weapon], unit.fresh(weapon)))
            for weapon in (Weapon(matchup, lethal) for lethal in (True, False))
        )
        better = rolled["expected_damage"] > automatic["expected_damage"] * (1 + Fraction(1, 10**9))
        return rolled if better else automatic
    weapon = Weapon(matchup)
    return summary(unit, fired(unit, [weapon], unit.fresh(weapon)))


def activation_reference(options, copies=1):
    """Expectations and distributions after 1, 2, …, ``copies`` equal activations, the wounded models carried over.

    ``options``: (chance, matchups fired in order) for each roll of the dice that choose profiles. Devastating Wounds
    come after all else, kind by kind in the order in which the kinds first came; those that do the same to every model
    are of one kind. Each weapon chooses optional Lethal Hits as it would alone.
    """
    options = [(Fraction(chance).limit_denominator(36), [Weapon(each) for each in fired]) for chance, fired in options]
    unit = Unit(options[0][1][0].target)
    states, results = {unit.start: Fraction(1)}, []
    for _ in range(copies):
        after = defaultdict(Fraction)
        for chance, weapons in options:
            for state, p in fired(unit, weapons, states).items():
                after[state] += chance * p
        states = dict(after)
        results.append(summary(unit, states))
    return results


def is_open(matchup):
    """Whether the attacker may choose what critical hits do."""
    weapon = matchup.get("weapon", {})
    optional = matchup.get("ruleset") == "11e" and weapon.get("lethal_optional", "best") == "best"
    return bool(optional and weapon.get("lethal_hits") and weapon.get("devastating_wounds"))


def fired(unit, weapons, start):
    """{state: p} after weapons in order, from {state: p}."""
    deep = [i for i, weapon in enumerate(weapons) if any(d for _, d in weapon.law)]
    kinds = [unit.kind(weapons[i]) for i in deep]
    last = sorted(deep, key=lambda i: kinds.index(kinds[deep.index(i)]))
    waiting = {(): start}
    for weapon in weapons:
        after = defaultdict(lambda: defaultdict(Fraction))
        for pending, states in waiting.items():
            known = {}
            for (n, d), p in weapon.law.items():
                if n not in known:
                    known[n] = unit.after_wounds(states, weapon, n)
                for state, q in known[n].items():
                    after[(*pending, d)][state] += p * q
        waiting = after
    final = defaultdict(Fraction)
    for pending, states in waiting.items():
        for index in last:
            for _ in range(pending[index]):
                step = defaultdict(Fraction)
                for state, p in states.items():
                    for after, q in unit.damaged(state, weapons[index], last=True).items():
                        step[after] += p * q
                states = step
        for state, p in states.items():
            final[state] += p
    return dict(final)


def summary(unit, final):
    groups = [defaultdict(Fraction) for _ in set(unit.order)]
    lost, slain = defaultdict(Fraction), defaultdict(Fraction)
    for (_, _, models, _), p in final.items():
        lost[sum(unit.full) - sum(models)] += p
        slain[models.count(0)] += p
        for i, law in enumerate(groups):
            mine = [(left, full) for left, full, of in zip(models, unit.full, unit.order, strict=True) if of == i]
            law["expected_damage"] += p * sum(full - left for left, full in mine)
            law["expected_models_destroyed"] += p * sum(left == 0 for left, _ in mine)
            law["p_destroyed"] += p * all(left == 0 for left, _ in mine)
    return {
        "expected_damage": sum(k * p for k, p in lost.items()),
        "expected_models_destroyed": sum(k * p for k, p in slain.items()),
        "p_destroy_unit": slain.get(len(unit.order), Fraction(0)),
        "expected_characters_destroyed": _among_others(unit, groups),
        "dist": {"damage": dict(lost), "models_destroyed": dict(slain)},
        "groups": [dict(law) for law in groups],
    }


def _among_others(unit, groups):
    """Characters destroyed on average; None for a unit all or none of whose models are."""
    if not 0 < len(unit.characters) < len(groups):
        return None
    return sum(groups[i]["expected_models_destroyed"] for i in unit.characters)
