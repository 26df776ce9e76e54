"""The exact law of an activation as it would be written with a dice library: one model, any library.

Belongs here: the way from faces to wounds lost, in a library's own operations, the shortest that gives the whole law.
Doesn't: the rules (``activation``), the libraries (``libraries``).

The number of unsaved attacks is a sum of equal dice; wounds lost follow from that number alone, attack by attack.
Where each attack does the same (a fixed Damage), or a model has one wound, no chain of attacks is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from benchmarks.activation import FACES, Activation, Roll
from pipelines.dice import Dice

Die = Any
"""A library's own object; an outcome is an integer."""

_APART = 1 << 16
"""A devastating attack, where it is counted apart from others in one number."""
_D6 = dict.fromkeys(sorted(FACES), 1)


class Library(Protocol):
    """What a dice library does."""

    def die(self, weights: Mapping[int, int]) -> Die:
        """Give a die of these outcomes."""

    def mapped(self, function: Callable[..., Any], *dice: Die) -> Die:
        """Roll dice and give what a function makes of them, an outcome or another die."""

    def summed(self, number: Die, die: Die) -> Die:
        """Roll a number, then a die so many times, and add those up."""

    def law(self, die: Die) -> dict[int, Fraction]:
        """Give the probability of each outcome."""


def wounds_lost(a: Activation, library: Library) -> Die:
    """Give the law of wounds that the unit loses; the models destroyed are this divided by the wounds of one."""
    apart = a.devastating and a.fnp != a.fnp_devastating
    count = library.summed(_number(a, library), _unsaved(a, library, _APART if apart else 1))
    loss = library.mapped(lambda points: min(points, a.wounds), _loss(a, a.fnp, library))
    if not apart and a.wounds == 1:
        return library.mapped(lambda lost: min(lost, a.models), library.summed(count, loss))
    losses = library.law(loss)
    if not apart and len(losses) == 1:
        (each,) = losses
        kill, whole = -(-a.wounds // each), a.models * a.wounds
        return library.mapped(lambda n: min(n // kill * a.wounds + n % kill * each, whole), count)
    return _chained(a, library, count, loss)


def _chained(a: Activation, library: Library, count: Die, loss: Die) -> Die:
    whole = a.models * a.wounds

    def after(lost: int, points: int) -> int:
        return min(lost + min(points, a.wounds - lost % a.wounds), whole)

    numbers = [divmod(code, _APART) for code in library.law(count)]
    states = [library.die({0: 1})]
    while len(states) <= max(normal for _, normal in numbers) and set(library.law(states[-1])) != {whole}:
        states.append(library.mapped(after, states[-1], loss))
    last = _loss(a, a.fnp_devastating, library)

    def state(code: int) -> Die:
        devastating, normal = divmod(code, _APART)
        result = states[min(normal, len(states) - 1)]
        for _ in range(devastating):
            result = library.mapped(after, result, last)
        return result

    return library.mapped(state, count)


def expectations(a: Activation, library: Library) -> dict[str, float]:
    """Give all eight expectations of a matchup."""
    attacks = _mean(library, _number(a, library))
    once, loss = (_mean(library, _loss(a, fnp, library)) for fnp in (a.fnp_devastating, a.fnp))
    law = library.law(wounds_lost(a, library))
    none, one, save = library.die({0: 1}), library.die({1: 1}), _save(a, library)

    def each(normal: Die, devastating: Die) -> Fraction:
        return attacks * _mean(library, _attack(a, library, _wound(a, library, normal, devastating), normal))

    figures = {
        "expected_attacks": attacks,
        "expected_hits": attacks * _mean(library, _attack(a, library, one, one)),
        "expected_wounds": each(one, one),
        "expected_unsaved": each(save, one),
        "expected_raw_damage": each(save, none) * loss + each(none, one) * once,
        "expected_damage": sum(lost * p for lost, p in law.items()),
        "expected_models_destroyed": sum(lost // a.wounds * p for lost, p in law.items()),
        "p_destroy_unit": law.get(a.models * a.wounds, 0),
    }
    return {name: float(value) for name, value in figures.items()}


def _number(a: Activation, library: Library) -> Die:
    attacks, more = _sum(a.attacks, library), _sum(a.more, library)
    one = library.mapped(lambda n, m: max(1, n + m + a.bonus), attacks, more)
    return one if a.firing == 1 else library.summed(library.die({a.firing: 1}), one)


def _unsaved(a: Activation, library: Library, devastating: int) -> Die:
    save = _save(a, library)
    return _attack(a, library, _wound(a, library, save, library.die({devastating: 1})), save)


def _attack(a: Activation, library: Library, wound: Die, automatic: Die) -> Die:
    """Give what comes of an attack, if this comes of a wound roll and that of an automatic wound."""
    hit = a.hit
    if hit is None:
        return wound
    critical = automatic if a.lethal else wound
    if a.sustained.rolled or a.sustained.plus:
        extra = library.summed(_sum(a.sustained, library), wound)
        critical = library.mapped(lambda first, more: first + more, critical, extra)
    return library.mapped(
        lambda face: critical if face in hit.critical else wound if face in hit.success else 0, _rolled(hit, library)
    )


def _wound(a: Activation, library: Library, normal: Die, devastating: Die) -> Die:
    wound = a.wound

    def comes(face: int) -> Die:
        if face not in wound.success:
            return 0
        return devastating if a.devastating and face in wound.critical else normal

    return library.mapped(comes, _rolled(wound, library))


def _save(a: Activation, library: Library) -> Die:
    return library.mapped(lambda face: int(face not in a.saved), library.die(_D6))


def _rolled(roll: Roll, library: Library) -> Die:
    d6 = library.die(_D6)
    return library.mapped(lambda face: d6 if face in roll.again else face, d6) if roll.again else d6


def _sum(dice: Dice, library: Library) -> Die:
    plus = dice.plus
    if not dice.rolled:
        return library.die({plus: 1})
    faces = library.die(dict.fromkeys(range(1, dice.sides + 1), 1))
    return library.mapped(lambda n: max(n + plus, 0), library.summed(library.die({dice.rolled: 1}), faces))


def _loss(a: Activation, fnp: int, library: Library) -> Die:
    """Give the wounds that one attack would take from a model that has enough."""
    points = library.mapped(a.points, _sum(a.damage, library), _sum(a.melta, library))
    return points if fnp > 6 else library.summed(points, library.die({0: 7 - fnp, 1: fnp - 1}))


def _mean(library: Library, die: Die) -> Fraction:
    return sum((Fraction(value) * p for value, p in library.law(die).items()), Fraction())
