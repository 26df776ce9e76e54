"""A second opinion: matchups by enumeration of faces in exact fractions, shares no code with the engine.

Slow and plain on purpose. Written from the rules and the numbered choices of the matchup schema.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

FACES = range(1, 7)
ONE = Fraction(1)


def roll(text, minimum=0):
    """{value: probability} of a dice expression."""
    text = str(text).upper().replace(" ", "")
    plus = 0
    for sign in "+-":
        if sign in text:
            text, number = text.split(sign)
            plus = int(sign + number)
    if "D" not in text:
        return {max(int(text) + plus, minimum): ONE}
    count, sides = text.split("D")
    count, sides = int(count or 1), int(sides)
    law = defaultdict(Fraction)
    for faces in product(range(1, sides + 1), repeat=count):
        law[max(sum(faces) + plus, minimum)] += Fraction(1, sides**count)
    return dict(law)


def plus(*laws):
    total = {0: ONE}
    for law in laws:
        step = defaultdict(Fraction)
        for (a, p), (b, q) in product(total.items(), law.items()):
            step[a + b] += p * q
        total = dict(step)
    return total


def mapped(law, function):
    result = defaultdict(Fraction)
    for value, p in law.items():
        result[function(value)] += p
    return dict(result)


def die(success, critical, reroll):
    """P(plain success), P(critical) of one die."""
    plain = crit = Fraction(0)
    for first in FACES:
        again = {
            "none": False,
            "ones": first == 1,
            "failed": not success(first),
            "noncrit": not critical(first),
        }[reroll]
        for face, p in [(f, Fraction(1, 36)) for f in FACES] if again else [(first, Fraction(1, 6))]:
            if critical(face):
                crit += p
            elif success(face):
                plain += p
    return plain, crit


class Sequence:
    """Everything about one matchup that the dice need."""

    def __init__(self, m, lethal=None):
        w = {"type": "ranged", "A": 1, "skill": 3, "S": 4, "AP": 0, "D": 1} | m.get("weapon", {})
        a, t, c = (
            m.get("attacker", {}),
            {"T": 4, "W": 1, "Sv": 7, "models": 1} | m.get("target", {}),
            m.get("context", {}),
        )
        new = m.get("ruleset") == "11e"
        readings = m.get("rules", {})
        ranged = w["type"] == "ranged"
        unseen = ranged and bool(w.get("indirect_fire")) and not c.get("visible", True)
        cover = ranged and (bool(c.get("cover")) or unseen or (new and bool(t.get("stealth"))))
        cover = cover and not w.get("ignores_cover")
        overwatch = ranged and bool(c.get("overwatch"))
        fives = t["models"] // 5
        self.wounds, self.models = t["W"], t["models"]

        bonus = a.get("A_bonus", 0)
        rapid = roll(w.get("rapid_fire", 0)) if ranged and c.get("half_range") else {0: ONE}
        per_five = {(int(w.get("blast", 0)) + w.get("cleave", 0)) * fives: ONE}
        if new:
            own = mapped(plus(roll(w["A"]), {bonus: ONE}), lambda x: max(x, 1))
            self.attacks = plus(own, rapid, per_five)
        else:
            self.attacks = mapped(plus(roll(w["A"]), {bonus: ONE}, rapid, per_five), lambda x: max(x, 1))
        self.firing = m.get("models_firing", 1)

        psychic = new and w.get("psychic")
        keep = (lambda x: max(x, 0)) if psychic else (lambda x: x)
        parts = [keep(a.get("hit_mod", 0)), keep(t.get("hit_mod", 0))]
        if ranged and w.get("heavy") and c.get("stationary"):
            parts.append(1)
        if not new and ranged and t.get("stealth"):
            parts.append(-1)
        if not new and unseen:
            parts.append(-1)
        hit_mod = max(-1, min(1, sum(parts)))
        auto = w.get("torrent") or w["skill"] is None
        skill = w["skill"]
        if new and not auto:
            skill -= keep(a.get("skill_improve", 0))
            if cover and not psychic:
                skill += 1
            if ranged and c.get("plunging_fire") and c.get("visible", True):
                skill -= 1
            skill = max(2, min(6, skill))
        fails = 1
        if new and unseen:
            fails = 3 if c.get("stationary") and c.get("spotted") else 5
        if overwatch:
            fails = 5
        crit_hit = a.get("crit_hit", 6)
        reroll = a.get("hit_reroll", "none")
        if new and (unseen or overwatch):
            reroll = "none"

        def critical(face):
            return face > fails and face >= crit_hit

        def hits(face):
            return face > fails and (face == 6 or face >= crit_hit or face + hit_mod >= skill)

        self.hit, self.crit = (ONE, Fraction(0)) if auto else die(hits, critical, reroll)
        self.sustained = roll(w.get("sustained_hits", 0))
        self.lethal = bool(w.get("lethal_hits")) and w.get("lethal_optional") != "never" if lethal is None else lethal

        s, tough = max(1, w["S"] + a.get("S_bonus", 0)), t["T"]
        need = 2 if s >= 2 * tough else 3 if s > tough else 4 if s == tough else 6 if 2 * s <= tough else 5
        parts = [a.get("wound_mod", 0), t.get("wound_mod", 0)]
        if w.get("lance") and c.get("charged"):
            parts.append(1)
        if t.get("wound_minus_if_S_gt_T") and s > tough:
            parts.append(-1)
        wound_mod = max(-1, min(1, sum(parts)))
        crit_wound = min(
            [a.get("crit_wound", 6)] + [x["value"] for x in w.get("anti", []) if x["keyword"] in t.get("keywords", [])]
        )
        reroll = a.get("wound_reroll", "none")
        if w.get("twin_linked") and reroll != "noncrit":
            reroll = "failed"
        self.wound, self.crit_wound = die(
            lambda f: f > 1 and (f == 6 or f >= crit_wound or f + wound_mod >= need), lambda f: f >= crit_wound, reroll
        )
        self.devastating = bool(w.get("devastating_wounds"))

        ap = min(0, w["AP"] - a.get("AP_improve", 0) + t.get("AP_worsen", 0))
        save_mod = t.get("save_mod", 0)
        cap = readings.get("save_cap")
        if cap is not None:
            save_mod = max(-cap, min(cap, save_mod))
        armour = ap + save_mod
        if not new:
            armour += int(cover and not (t["Sv"] <= 3 and ap == 0))
            armour, save_mod = min(armour, 1), min(save_mod, 1)
        inv = t.get("Inv") or 7
        self.fail = Fraction(
            sum(
                not (f > 1 and ((t["Sv"] < 7 and f + armour >= t["Sv"]) or (inv < 7 and f + save_mod >= inv)))
                for f in FACES
            ),
            6,
        )

        melta = roll(w.get("melta", 0)) if ranged and c.get("half_range") else {0: ONE}
        d_bonus, half, minus = a.get("D_bonus", 0), t.get("damage_half"), t.get("damage_minus", 0)
        rolled = roll(w["D"], 1)

        def damage(half, minus):
            law = defaultdict(Fraction)
            for (d, p), (x, q) in product(rolled.items(), melta.items()):
                up = max(d_bonus, 0) + x
                down = min(d_bonus, 0) - minus
                value = Fraction(d + up, 2 if half else 1) if new else Fraction(d, 2 if half else 1) + up
                law[max(1, -((-(value + down)) // 1))] += p * q
            return dict(law)

        fnp = t.get("FNP") or 7
        fnp_last = min(fnp, t.get("FNP_mortal") or 7)
        reduced = not new or readings.get("devastating_reduced", True)
        self.normal = (damage(half, minus), Fraction(7 - fnp, 6))
        self.last = (damage(half, minus) if reduced else damage(False, 0), Fraction(7 - fnp_last, 6))

    def attack_law(self):
        """{(normal, devastating): p} of one attack, and its mean hits and wounds."""
        if self.devastating:
            wounded = {(1, 0): self.wound * self.fail, (0, 1): self.crit_wound}
        else:
            wounded = {(1, 0): (self.wound + self.crit_wound) * self.fail}
        wounded[0, 0] = 1 - sum(wounded.values())
        automatic = {(1, 0): self.fail, (0, 0): 1 - self.fail}
        law = defaultdict(Fraction)
        law[0, 0] += 1 - self.hit - self.crit
        for key, p in wounded.items():
            law[key] += self.hit * p
        for extra, p in self.sustained.items():
            parts = [automatic if self.lethal else wounded] + [wounded] * extra
            for key, q in joint(parts).items():
                law[key] += self.crit * p * q
        return dict(law)

    def counts(self):
        total = plus(*[self.attacks] * self.firing)
        each = self.attack_law()
        result, power, done = defaultdict(Fraction), {(0, 0): ONE}, 0
        for number in range(max(total) + 1):
            while done < number:
                power, done = joint([power, each]), done + 1
            for key, p in power.items():
                result[key] += total.get(number, 0) * p
        return dict(result)

    def struck(self, states, kind):
        damage, ignored = kind
        result = defaultdict(Fraction)
        for (models, left), p in states.items():
            if models == 0:
                result[0, 0] += p
                continue
            for points, q in damage.items():
                wounds = {left: p * q}
                for _ in range(points):
                    step = defaultdict(Fraction)
                    for w, r in wounds.items():
                        if w == 0:
                            step[0] += r
                        else:
                            step[w] += r * ignored
                            step[w - 1] += r * (1 - ignored)
                    wounds = step
                for w, r in wounds.items():
                    alive = (models, w) if w else (models - 1, self.wounds if models > 1 else 0)
                    result[alive] += r
        return dict(result)


def joint(parts):
    total = {(0, 0): ONE}
    for law in parts:
        step = defaultdict(Fraction)
        for ((n, d), p), ((i, j), q) in product(total.items(), law.items()):
            step[n + i, d + j] += p * q
        total = dict(step)
    return total


def resolve(sequences, last=None):
    """Final {(models, wounds of the first): p} of sequences fired in order.

    Devastating Wounds whose damage or Feel No Pain differs come after all else, in the order of indices ``last``.
    """
    first = sequences[0]
    waiting = {(): {(first.models, first.wounds): ONE}}
    for sequence in sequences:
        counts = sequence.counts()
        if sequence.normal == sequence.last:
            counts = {(k, 0): p for k, p in mapped(counts, sum).items()}
        after = defaultdict(lambda: defaultdict(Fraction))
        for pending, states in waiting.items():
            now, done = states, 0
            for number in range(max(n for n, _ in counts) + 1):
                while done < number:
                    now, done = sequence.struck(now, sequence.normal), done + 1
                for (n, d), p in counts.items():
                    if n == number:
                        for state, q in now.items():
                            after[(*pending, d)][state] += p * q
        waiting = after
    final = defaultdict(Fraction)
    for pending, states in waiting.items():
        for index in last or range(len(sequences)):
            for _ in range(pending[index]):
                states = sequences[index].struck(states, sequences[index].last)
        for state, p in states.items():
            final[state] += p
    return dict(final)


def summarise(final, models, wounds):
    lost, destroyed = defaultdict(Fraction), defaultdict(Fraction)
    for (alive, left), p in final.items():
        lost[models * wounds - (max(alive - 1, 0) * wounds + left)] += p
        destroyed[models - alive] += p
    return {
        "expected_damage": sum(k * p for k, p in lost.items()),
        "expected_models_destroyed": sum(k * p for k, p in destroyed.items()),
        "p_destroy_unit": destroyed.get(models, Fraction(0)),
        "dist": {"damage": dict(lost), "models_destroyed": dict(destroyed)},
    }


def chosen(matchup):
    """The sequence, optional Lethal Hits decided by expected damage."""
    w = matchup.get("weapon", {})
    best = matchup.get("ruleset") == "11e" and w.get("lethal_hits") and w.get("lethal_optional", "best") == "best"
    if not best or not w.get("devastating_wounds"):
        return Sequence(matchup)
    automatic, rolled = Sequence(matchup, True), Sequence(matchup, False)
    damage = [summarise(resolve([s]), s.models, s.wounds)["expected_damage"] for s in (automatic, rolled)]
    return rolled if damage[1] > damage[0] * (1 + Fraction(1, 10**9)) else automatic


def matchup_reference(matchup):
    """All expectations (fractions) and distributions of a matchup."""
    s = chosen(matchup)
    attacks = sum(k * p for k, p in s.attacks.items()) * s.firing
    extra = sum(k * p for k, p in s.sustained.items())
    rolls = s.hit + s.crit * (extra + (0 if s.lethal else 1))
    automatic = s.crit if s.lethal else 0
    last = rolls * s.crit_wound if s.devastating else 0
    wounds = rolls * (s.wound + s.crit_wound)
    normal = (wounds - last + automatic) * s.fail

    def mean(kind):
        return sum(k * p for k, p in kind[0].items()) * (1 - kind[1])

    return {
        "expected_attacks": attacks,
        "expected_hits": attacks * (s.hit + s.crit * (1 + extra)),
        "expected_wounds": attacks * (wounds + automatic),
        "expected_unsaved": attacks * (normal + last),
        "expected_raw_damage": attacks * (normal * mean(s.normal) + last * mean(s.last)),
    } | summarise(resolve([s]), s.models, s.wounds)


def unit_reference(matchups, last=None):
    """Expectations of several weapons fired in order at the target of the first; ``last`` as in ``resolve``."""
    sequences = [chosen(matchup) for matchup in matchups]
    return summarise(resolve(sequences, last), sequences[0].models, sequences[0].wounds)
