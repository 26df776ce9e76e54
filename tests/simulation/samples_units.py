"""Random whole activations: as frames of the warehouse, as matchups fired in order, and the engine's answers."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import groupby, product
from math import prod

import polars as pl

from pipelines.simulation.distributions import LawBook
from pipelines.simulation.units import simulate_units

from .samples import as_matchup, target_frame, targets, weapon_frame, weapons

NOT_STATED = dict.fromkeys(
    ("invulnerable_save", "invulnerable_save_scope", "feel_no_pain", "feel_no_pain_scope")
) | {"is_character": False}  # fmt: skip
PLAIN_SCENARIO = {"visible": True} | dict.fromkeys(
    ("half_range", "long_range", "stationary", "charged", "cover"), False
)
KINDS = ("alike", "single", "led", "kinds", "ignores", "led_ignores")
"""Of targets: equal models; one model; characters among others; several kinds without; one that ignores attacks."""


def ability(slug, value=None, keywords=()):
    return {"ability": slug, "value": value, "against_keywords": list(keywords), "condition": None}


AUTO = {  # torrent, wounds T 4 on 2+, no save against it
    "ruleset": "10e", "attack_type": "ranged", "attacks": "1", "skill": None, "strength": "8",
    "armour_penetration": -6, "damage": "1", "abilities": [ability("torrent")],
}  # fmt: skip
DEEP = AUTO | {  # 5/6 devastate
    "abilities": [ability("torrent"), ability("devastating_wounds"), ability("anti", "2", ["INFANTRY"])]
}
PLAIN_TARGET = {
    "target_id": "t", "toughness": 4, "save": 3, "invulnerable_save": None, "invulnerable_save_scope": None,
    "wounds": 2, "feel_no_pain": None, "feel_no_pain_scope": None, "models": 2, "keywords": ["INFANTRY"],
    "stealth": False, "damage_minus": 0, "damage_half": False,
}  # fmt: skip


@dataclass(frozen=True)
class Activation:
    """What a unit fires, in order: (weapon, count, die, faces of it), and its target, both as ``samples`` has them."""

    name: str
    lines: tuple[tuple[dict, int, str | None, int | None], ...]
    target: dict

    def rolled(self):
        """(chance, [(weapon, count) in order]) for each roll of the dice that choose profiles."""
        dice = {}
        for place, (_, _, die, _) in enumerate(self.lines):
            if die:
                dice.setdefault(die, []).append(place)
        for taken in product(*dice.values()):
            fired = [line[:2] for place, line in enumerate(self.lines) if line[2] is None or place in taken]
            yield prod(self.lines[place][3] / 6 for place in taken), fired

    def matchups(self, scenario):
        """Every line as a matchup, in the schema's names."""
        return [as_mixed_matchup(weapon, self.target, scenario, count) for weapon, count, *_ in self.lines]

    def options(self, scenario):
        """(chance, matchups in order) for each roll of the dice that choose profiles."""
        for chance, fired in self.rolled():
            yield chance, [as_mixed_matchup(weapon, self.target, scenario, count) for weapon, count in fired]


PER_TARGET = 4


def activations(count, seed, *, large=False):
    """Random activations of both editions, ``PER_TARGET`` at each target, of all ``KINDS`` one after the other.

    Some begin as another at the same target does. They are small enough for the reference unless ``large``.
    """
    r = random.Random(seed)
    armoury = [armed(weapon, r, large=large) for weapon in weapons(300, seed)]
    bodies = [t for t in targets(200, seed) if t["models"] > 1 and t["wounds"] <= 3]
    result, lines, able, target = [], [], [], {}
    for number in range(count):
        place, again = divmod(number, PER_TARGET)
        if not again:
            target = shaped(r.choice(bodies), KINDS[place % len(KINDS)], r, times=3 if large else 1)
            target["target_id"] = f"t{place}"
            able = [weapon for weapon in armoury if weapon["ruleset"] == ("10e", "11e")[place // len(KINDS) % 2]]
        if again in (0, 2):
            chosen = r.sample(able, 2)
            lines = [(each, r.choice([1, 2]) if large or each["attacks"] == "1" else 1, None, None) for each in chosen]
            if r.random() < 0.3:
                faces = r.choice([1, 2, 3])
                for weapon, chosen in zip(r.sample(able, 2), (faces, 6 - faces), strict=True):
                    lines.insert(r.choice([0, len(lines)]), (weapon, 1, "d", chosen))
        else:
            lines = [*lines, (r.choice([r.choice(able), lines[0][0]]), 1, None, None)]
        result.append(Activation(f"a{number}", tuple(lines), target))
    return result


def armed(weapon, r, *, large):
    """The weapon, sometimes with Precision or Blast, often with Devastating Wounds; with few attacks unless ``large``.

    None with a choice between these and Lethal Hits is ``large``: literal dice might choose otherwise.
    """
    many = () if large else ("sustained_hits", "rapid_fire", "blast")
    kept = [a for a in weapon["abilities"] if a["ability"] not in many]
    if r.random() < (0.3 if large else 0.45):  # too many kinds of them at once are refused
        kept.append(ability("devastating_wounds"))
    if r.random() < 0.4:
        kept.append(ability("precision"))
    if r.random() < 0.2:
        kept.append(ability("blast"))
    if large:
        slugs = {a["ability"] for a in kept}
        declined = {"lethal_hits"} if "devastating_wounds" in slugs else set()
        return weapon | {"abilities": [a for a in kept if a["ability"] not in declined]}
    return weapon | {"attacks": r.choice("12"), "abilities": kept}


def shaped(target, kind, r, *, times=1):
    """The target made one of ``KINDS``, with few models, ``times`` as many where they aren't single ones."""
    if kind == "single":
        return target | {"models": 1, "wounds": r.choice([3, 5]) * times}
    if kind == "alike":
        many = {"models": 5, "wounds": 1} if r.random() < 0.3 else {"models": r.choice([2, 3])}
        return target | many | {"models": many["models"] * times}
    if kind in ("ignores", "led_ignores"):
        target = target | {"ignored_failed_saves": r.choice([0, 1, 1]), "ignored_attacks": r.choice([0, 1])}
    if kind == "ignores":
        return target | {"models": 2 * times}
    size, wounds = r.choice([(1, 2), (2, 1), (2, 2), (4, 1)])
    others = [{"models": size * times, "wounds": wounds, "save": r.choice([3, 4, 6])}]
    if kind == "kinds" or r.random() < 0.3:
        others.append({"models": 1, "wounds": r.choice([1, 3]), "save": r.choice([2, 5])})
    leader = {"models": 1, "wounds": r.choice([2, 4]), "save": r.choice([2, 4]), "is_character": True}
    if r.random() < 0.5:
        leader |= {"invulnerable_save": 4, "feel_no_pain": 5, "feel_no_pain_scope": r.choice([None, "mortal"])}
    return grouped(target, others if kind == "kinds" else r.sample([*others, leader], len(others) + 1))


def grouped(target, groups):
    """A target with kinds of models, whose fields that aren't stated are empty."""
    return target | {
        "models": sum(group["models"] for group in groups),
        "groups": [NOT_STATED | each for each in groups],
    }


def as_mixed_matchup(weapon, target, scenario, firing=1):
    """A matchup at any target, in the schema's names."""
    given = as_matchup(weapon, target, scenario, firing)
    ignored = {"ignore_failed_saves": "ignored_failed_saves", "damage_to_zero": "ignored_attacks"}
    given["target"] |= {name: target[own] for name, own in ignored.items() if target.get(own)}
    if target.get("groups"):
        names = {"models": "models", "wounds": "W", "save": "Sv", "invulnerable_save": "Inv"}
        del given["target"]["models"]
        given["target"]["groups"] = [
            {own: each[name] for name, own in names.items()}
            | {"character": each["is_character"]}
            | {"FNP_mortal" if each["feel_no_pain_scope"] == "mortal" else "FNP": each["feel_no_pain"]}
            | {"FNP" if each["feel_no_pain_scope"] == "mortal" else "FNP_mortal": None}
            for each in target["groups"]
        ]
    return given


def fire(given, scenarios, rulesets, *, copies=False):
    """What the engine says of each activation in the plain scenario: its row and its laws."""
    plain = scenarios.filter(pl.col("scenario_id") == "plain")
    result = []
    for target_id, same in groupby(given, key=lambda each: each.target["target_id"]):
        some = list(same)
        lines = [
            {"unit_id": each.name, "phase": "shooting", "position": place, "count": count, "die": die,
             "die_faces": faces, "weapon_profile_id": weapon["weapon_profile_id"]}
            for each in some for place, (weapon, count, die, faces) in enumerate(each.lines)
        ]  # fmt: skip
        frame = pl.DataFrame(lines, schema_overrides={"die": pl.String, "die_faces": pl.Int64})
        armoury = {weapon["weapon_profile_id"]: weapon for each in some for weapon, *_ in each.lines}
        book, struck = LawBook(), target_frame([some[0].target])
        rows = simulate_units(frame, weapon_frame(list(armoury.values())), struck, plain, rulesets, book, copies=copies)
        assert rows["target_id"].unique().to_list() == [target_id]
        by_name = {row["unit_id"]: row for row in rows.join(book.frame(), on="law_id", how="left").to_dicts()}
        result += [by_name[each.name] for each in some]
    return result


def rare():
    """Activations by hand: Blast at a unit led by a character, Devastating Wounds that do the same to any model, a
    weapon that finds a wounded model."""
    led = grouped(
        PLAIN_TARGET,
        [{"models": 4, "wounds": 1, "save": 4}, {"models": 1, "wounds": 2, "is_character": True, "save": 4}],
    )
    blast = AUTO | {
        "weapon_profile_id": "blast",
        "armour_penetration": 0,
        "abilities": [ability("torrent"), ability("blast")],
    }
    kinds = grouped(PLAIN_TARGET, [{"models": 2, "wounds": 2, "save": 4}, {"models": 1, "wounds": 1, "save": 4}])
    deep = [DEEP | {"weapon_profile_id": f"deep {damage}", "damage": damage} for damage in "314"]
    return [
        Activation("blast", ((blast, 1, None, None), (blast, 1, None, None)), led | {"target_id": "led"}),
        Activation(
            "hurt", ((AUTO | {"weapon_profile_id": "one"}, 1, None, None),) * 2, PLAIN_TARGET | {"target_id": "hurt"}
        ),
        Activation("deep", tuple((weapon, 1, None, None) for weapon in deep), kinds | {"target_id": "kinds"}),
    ]
