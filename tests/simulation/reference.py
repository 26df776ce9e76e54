"""A second opinion: matchups by enumeration of faces in exact fractions, shares no code with the engine.

Slow and plain on purpose. Written from the rules and the numbered choices of the matchup schema.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
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


def die(success, critical, reroll, one=False):
    """{(what it comes to, whether the single re-roll ``one`` was used): p} of one die."""
    law = defaultdict(Fraction)
    for first in FACES:
        again = {
            "none": False,
            "ones": first == 1,
            "failed": not success(first),
            "noncrit": not critical(first),
        }[reroll]
        used = one and not again and not success(first)
        for face, p in [(f, Fraction(1, 36)) for f in FACES] if again or used else [(first, Fraction(1, 6))]:
            law["crit" if critical(face) else "plain" if success(face) else "fail", used] += p
    return dict(law)


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
        parts = [keep(a.get("hit_mod", 0)), keep(t.get("hit_mod", 0)), keep(-int(a.get("damaged", False)))]
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

        only = a.get("crit_hit_only_if_successful")
        conversion = ranged and w.get("conversion") and c.get("long_range")

        def hits(face):
            return face > fails and (face == 6 or (face >= crit_hit and not only) or face + hit_mod >= skill)

        def critical(face):
            return hits(face) and (face >= crit_hit or face == 6 or bool(conversion and face >= 4))

        one = set(a.get("reroll_one", ()))
        if new and (unseen or overwatch):
            one -= {"hit"}

        def hit_law(in_hand):
            return {("plain", False): ONE} if auto else die(hits, critical, reroll, in_hand and "hit" in one)

        self.one, self.hit_law = one, hit_law
        self.hit, self.crit = (hit_law(False).get((kind, False), Fraction(0)) for kind in ("plain", "crit"))
        self.sustained = roll(w.get("sustained_hits", 0))
        self.lethal = bool(w.get("lethal_hits")) and w.get("lethal_optional") != "never" if lethal is None else lethal

        anti = min([6] + [x["value"] for x in w.get("anti", []) if x["keyword"] in t.get("keywords", [])])
        crit_wound, only_wound = a.get("crit_wound", 6), a.get("crit_wound_only_if_successful")
        wound_reroll = a.get("wound_reroll", "none")
        if w.get("twin_linked") and wound_reroll != "noncrit":
            wound_reroll = "failed"

        def wound_law(in_hand):
            law = defaultdict(Fraction)
            for rolled, p in roll(w["S"]).items():
                s, tough = max(1, rolled + a.get("S_bonus", 0)), t["T"]
                need = 2 if s >= 2 * tough else 3 if s > tough else 4 if s == tough else 6 if 2 * s <= tough else 5
                parts = [a.get("wound_mod", 0), t.get("wound_mod", 0)]
                if w.get("lance") and c.get("charged"):
                    parts.append(1)
                if t.get("wound_minus_if_S_gt_T") and s > tough:
                    parts.append(-1)
                change = max(-1, min(1, sum(parts)))
                sure = anti if only_wound else min(anti, crit_wound)

                def wounds(f, sure=sure, need=need - change):
                    return f > 1 and (f >= sure or f >= need)

                def deep(f, sure=sure, wounds=wounds):
                    return f >= sure or (wounds(f) and f >= crit_wound)

                for key, q in die(wounds, deep, wound_reroll, in_hand and "wound" in one).items():
                    law[key] += p * q
            return dict(law)

        self.wound_law = cache(wound_law)
        self.wound, self.crit_wound = (wound_law(False).get((kind, False), Fraction(0)) for kind in ("plain", "crit"))
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
        if a.get("damage_reroll") == "low":
            self.one -= {"damage"}
            self.normal, self.last = self.rerolled(self.normal), self.rerolled(self.last)

    def low(self, kind):
        """{damage: p} of Damage rolls after which an unhurt model expects to lose less than by a new roll."""
        damage, ignored = kind

        def loss(points):
            return self.wounds - sum(left * p for left, p in suffered(self.wounds, points, ignored).items())

        average = sum(loss(points) * p for points, p in damage.items())
        return {points: p for points, p in damage.items() if loss(points) < average}

    def rerolled(self, kind):
        damage, ignored = kind
        low = self.low(kind)
        law = {points: p * sum(low.values()) for points, p in damage.items()}
        for points in damage.keys() - low.keys():
            law[points] += damage[points]
        return law, ignored

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
                for w, r in suffered(left, points, ignored).items():
                    alive = (models, w) if w else (models - 1, self.wounds if models > 1 else 0)
                    result[alive] += p * q * r
        return dict(result)

    def struck_in_hand(self, in_hand, used, kind):
        """The states with a re-roll of Damage in hand and without, after one more attack."""
        damage, ignored = kind
        low = self.low(kind)
        again = {points: p * sum(low.values()) for points, p in damage.items()}
        kept = {points: p for points, p in damage.items() if points not in low}
        dead = {state: p for state, p in in_hand.items() if not state[0]}
        living = {state: p for state, p in in_hand.items() if state[0]}
        after = plain_sum([self.struck(used, kind), self.struck(living, (again, ignored)), dead])
        return self.struck(living, (kept, ignored)), after

    def one_attack_in_hand(self, hit, wound):
        """{(hit re-roll still in hand, wound re-roll still in hand, hits, wounds, normal, devastating): p}."""
        result = defaultdict(Fraction)
        for (kind, used), p in self.hit_law(hit).items():
            left = hit and not used
            if kind == "fail":
                result[left, wound, 0, 0, 0, 0] += p
            for extra, q in (self.sustained if kind == "crit" else {0: ONE}).items() if kind != "fail" else ():
                automatic = kind == "crit" and self.lethal
                rolled = {(wound, 0, 0, 0): ONE}
                if automatic:
                    rolled = {(wound, 1, 1, 0): self.fail, (wound, 1, 0, 0): 1 - self.fail}
                for _ in range(extra + (not automatic)):
                    rolled = self.one_wound_roll(rolled)
                for (w, wounds, n, d), r in rolled.items():
                    result[left, w, 1 + extra, wounds, n, d] += p * q * r
        return dict(result)

    def one_wound_roll(self, states):
        result = defaultdict(Fraction)
        for (in_hand, wounds, n, d), p in states.items():
            for (kind, used), q in self.wound_law(in_hand).items():
                left = in_hand and not used
                if kind == "fail":
                    result[left, wounds, n, d] += p * q
                elif kind == "crit" and self.devastating:
                    result[left, wounds + 1, n, d + 1] += p * q
                else:
                    result[left, wounds + 1, n + 1, d] += p * q * self.fail
                    result[left, wounds + 1, n, d] += p * q * (1 - self.fail)
        return dict(result)

    def activation_in_hand(self):
        """Mean hits and wounds, and {(normal, devastating): p}, of all attacks, one after the other."""
        total = plus(*[self.attacks] * self.firing)
        one = {hands: self.one_attack_in_hand(*hands) for hands in product((False, True), repeat=2)}
        hits = wounds = Fraction(0)
        result, now = defaultdict(Fraction), {("hit" in self.one, "wound" in self.one, 0, 0): ONE}
        for number in range(max(total) + 1):
            goes_on = sum(p for attacks, p in total.items() if attacks > number)
            after = defaultdict(Fraction)
            for (hit, wound, n, d), p in now.items():
                result[n, d] += total.get(number, 0) * p
                for (left, still, more_hits, more_wounds, i, j), q in one[hit, wound].items() if goes_on else ():
                    after[left, still, n + i, d + j] += p * q
                    hits, wounds = hits + goes_on * p * q * more_hits, wounds + goes_on * p * q * more_wounds
            now = after
        return hits, wounds, dict(result)


def suffered(left, points, ignored):
    """{wounds left: p} of a model after so many points of damage."""
    wounds = {left: ONE}
    for _ in range(points):
        step = defaultdict(Fraction)
        for w, p in wounds.items():
            step[w] += p * (ignored if w else 1)
            if w:
                step[w - 1] += p * (1 - ignored)
        wounds = step
    return {w: p for w, p in wounds.items() if p}


def joint(parts):
    total = {(0, 0): ONE}
    for law in parts:
        step = defaultdict(Fraction)
        for ((n, d), p), ((i, j), q) in product(total.items(), law.items()):
            step[n + i, d + j] += p * q
        total = dict(step)
    return total


def resolve(sequence):
    """Final {(models, wounds of the first): p} of a sequence; Devastating Wounds come after all else."""
    states, final = {(sequence.models, sequence.wounds): ONE}, defaultdict(Fraction)
    counts = sequence.counts()
    if sequence.normal == sequence.last:
        counts = {(k, 0): p for k, p in mapped(counts, sum).items()}
    for number in range(max(n for n, _ in counts) + 1):
        states = sequence.struck(states, sequence.normal) if number else states
        for (n, d), p in counts.items():
            if n == number:
                after = states
                for _ in range(d):
                    after = sequence.struck(after, sequence.last)
                for state, q in after.items():
                    final[state] += p * q
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
    damage = [
        (outcome_in_hand(s) if s.one else summarise(resolve(s), s.models, s.wounds))["expected_damage"]
        for s in (automatic, rolled)
    ]
    return rolled if damage[1] > damage[0] * (1 + Fraction(1, 10**9)) else automatic


def outcome_in_hand(s):
    """All expectations and distributions of a sequence with single re-rolls in hand."""
    hits, wounds, counts = s.activation_in_hand()
    in_hand = {(s.models, s.wounds): ONE} if "damage" in s.one else {}
    start = in_hand, {} if in_hand else {(s.models, s.wounds): ONE}
    apart = s.normal != s.last
    after, raw, walked = defaultdict(Fraction), Fraction(0), {(0, 0): start}

    def raw_roll(kind, hand):
        """Mean raw damage of one roll and P(the re-roll is in hand after it)."""
        damage, ignored = kind
        mean, low = sum(k * p for k, p in damage.items()), s.low(kind)
        gain = sum((mean - k) * p for k, p in low.items())
        return (mean + hand * gain) * (1 - ignored), hand * (1 - sum(low.values()))

    for (n, d), p in counts.items():
        rolls = [s.normal] * n + [s.last] * d if apart else [s.normal] * (n + d)
        hand = Fraction(bool(in_hand))
        for kind in rolls:
            more, hand = raw_roll(kind, hand)
            raw += p * more
        key = (n, d) if apart else (n + d, 0)
        for known in range(key[0] + key[1] + 1):
            prefix = (min(known, key[0]), max(known - key[0], 0))
            if prefix not in walked:
                before = (prefix[0] - (not prefix[1]), max(prefix[1] - 1, 0))
                walked[prefix] = s.struck_in_hand(*walked[before], rolls[known - 1])
        for state, q in plain_sum(walked[key]).items():
            after[state] += p * q
    return {
        "expected_attacks": sum(k * p for k, p in s.attacks.items()) * s.firing,
        "expected_hits": hits,
        "expected_wounds": wounds,
        "expected_unsaved": sum((n + d) * p for (n, d), p in counts.items()),
        "expected_raw_damage": raw,
    } | summarise(after, s.models, s.wounds)


def plain_sum(laws):
    total = defaultdict(Fraction)
    for law in laws:
        for value, p in law.items():
            total[value] += p
    return dict(total)


def outcome(s):
    """All expectations and distributions of a sequence."""
    if s.one:
        return outcome_in_hand(s)
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
    } | summarise(resolve(s), s.models, s.wounds)


def matchup_reference(matchup):
    """All expectations (fractions) and distributions of a matchup."""
    return outcome(chosen(matchup))
