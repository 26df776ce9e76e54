"""Random but repeatable matchups, weapons and targets, and the frames that hold them."""

import random

import polars as pl

KEYWORDS = ("INFANTRY", "VEHICLE", "MONSTER", "FLY")
WEAPON_FLAGS = (
    "torrent", "heavy", "lance", "lethal_hits", "devastating_wounds", "twin_linked", "ignores_cover", "indirect_fire",
    "conversion",
)  # fmt: skip
ABILITIES = pl.List(
    pl.Struct(
        {"ability": pl.String, "value": pl.String, "against_keywords": pl.List(pl.String), "condition": pl.String}
    )
)


def matchup(seed: int, edition: str) -> dict:
    """A small random matchup that uses any field."""
    r = random.Random(f"{edition}{seed}")
    rare = lambda value, other, p=0.25: value if r.random() < p else other  # noqa: E731
    weapon = {
        "type": r.choice(["ranged", "ranged", "melee"]),
        "A": r.choice([1, 2, 3, "D3", "D3+1"]),
        "skill": r.choice([2, 3, 4, 5]),
        "S": r.choice([3, 4, 5, 8, 12, "2D6", "D6+6", "D3"]),
        "AP": r.choice([0, -1, -2, -4]),
        "D": r.choice([1, 2, 3, "D3", "D6", "D6-1", "D3+3"]),
        "sustained_hits": rare(r.choice([1, 2, "D3"]), 0),
        "rapid_fire": rare(r.choice([1, "D3"]), 0),
        "melta": rare(r.choice([2, "D3"]), 0),
        "blast": rare(True, False),
    } | {flag: rare(True, False) for flag in WEAPON_FLAGS}
    if r.random() < 0.3:
        weapon["anti"] = [{"keyword": r.choice(KEYWORDS[:2]), "value": r.choice([2, 3, 4, 5])}]
    attacker = {
        "hit_mod": r.choice([-1, 0, 0, 1]),
        "wound_mod": r.choice([-1, 0, 0, 1]),
        "hit_reroll": r.choice(["none", "none", "ones", "failed", "noncrit"]),
        "wound_reroll": r.choice(["none", "none", "ones", "failed", "noncrit"]),
        "crit_hit": rare(5, 6),
        "crit_wound": rare(5, 6),
        "crit_hit_only_if_successful": rare(True, False),
        "crit_wound_only_if_successful": rare(True, False),
        "damage_reroll": rare("low", "none"),
        "A_bonus": r.choice([-1, 0, 0, 1]),
        "S_bonus": r.choice([-1, 0, 0, 1]),
        "D_bonus": r.choice([-1, 0, 0, 1]),
        "AP_improve": r.choice([-1, 0, 0, 1]),
    }
    target = {
        "T": r.choice([3, 4, 5, 8, 10]),
        "W": r.choice([1, 2, 3, 6]),
        "Sv": r.choice([2, 3, 4, 6, 7]),
        "Inv": rare(r.choice([2, 4, 5, 6]), None),
        "FNP": rare(r.choice([4, 5, 6]), None),
        "FNP_mortal": rare(r.choice([3, 4, 5]), None),
        "models": r.choice([1, 2, 3, 5]),
        "keywords": r.sample(KEYWORDS, 2),
        "stealth": rare(True, False),
        "hit_mod": rare(-1, 0),
        "wound_mod": rare(-1, 0),
        "wound_minus_if_S_gt_T": rare(True, False),
        "save_mod": r.choice([-1, 0, 0, 1, 2]),
        "AP_worsen": rare(1, 0),
        "damage_half": rare(True, False),
        "damage_minus": rare(1, 0),
    }
    context = {flag: r.random() < 0.4 for flag in ("half_range", "stationary", "charged", "cover", "visible")}
    context["overwatch"], context["long_range"] = r.random() < 0.1, r.random() < 0.4
    result = {"id": f"{edition}-{seed}", "models_firing": r.choice([1, 1, 2]), "weapon": weapon}
    if edition == "11e":
        weapon |= {"blast": r.choice([False, 1, 2]), "cleave": rare(1, 0), "psychic": rare(True, False)}
        weapon["lethal_optional"] = r.choice(["best", "best", "always", "never"])
        attacker["skill_improve"] = r.choice([-1, 0, 0, 1])
        context |= {"spotted": r.random() < 0.5, "plunging_fire": rare(True, False)}
        result |= {"ruleset": "11e", "rules": {"devastating_reduced": r.random() < 0.5, "save_cap": rare(1, None)}}
    if r.random() < 0.25:
        attacker["reroll_one"] = r.sample(["hit", "wound", "damage"], r.choice([1, 1, 2, 3]))
    return result | {"attacker": attacker, "target": target, "context": context}


def _ability(slug, value=None, keywords=(), condition=None):
    return {"ability": slug, "value": value, "against_keywords": list(keywords), "condition": condition}


def weapons(count: int, seed: int) -> list[dict]:
    """Random weapon profiles as the warehouse has them."""
    r = random.Random(seed)
    rows = []
    for number in range(count):
        abilities = [_ability(flag) for flag in WEAPON_FLAGS if r.random() < 0.15]
        abilities += [
            _ability(slug, r.choice(["1", "2", "D3"]))
            for slug in ("sustained_hits", "rapid_fire", "melta")
            if r.random() < 0.2
        ]
        if r.random() < 0.3:
            abilities.append(_ability("anti", r.choice("2345"), r.sample(KEYWORDS, r.choice([1, 2]))))
        if r.random() < 0.2:
            abilities.append(_ability("blast"))
        ruleset = r.choice(["10e", "11e"])
        if ruleset == "11e" and r.random() < 0.4:
            condition = r.choice(["VEHICLE", "non-MONSTER/VEHICLE"])
            abilities.append(_ability(r.choice(["lethal_hits", "devastating_wounds"]), condition=condition))
        rows.append(
            {
                "weapon_profile_id": f"w{number}",
                "ruleset": ruleset,
                "attack_type": r.choice(["ranged", "ranged", "melee"]),
                "attacks": r.choice(["1", "2", "4", "D3", "D6", "2D6", "d6 + 1"]),
                "strength": r.choice(["3", "4", "5", "8", "12", "2D6", "D6+6"]),
                "damage": r.choice(["1", "2", "3", "D3", "D6", "D6+1"]),
                "skill": r.choice([2, 3, 4, 5, None]),
                "armour_penetration": r.choice([0, -1, -2, -4]),
                "abilities": abilities,
            }
        )
    return rows


def weapon_frame(rows: list[dict]) -> pl.DataFrame:
    text = ("weapon_profile_id", "ruleset", "attack_type", "attacks", "strength", "damage")
    schema = dict.fromkeys(text, pl.String) | {"skill": pl.Int64, "armour_penetration": pl.Int64}
    return pl.DataFrame(rows, schema=schema | {"abilities": ABILITIES})


def targets(count: int, seed: int) -> list[dict]:
    """Random targets as the warehouse has them."""
    r = random.Random(seed)
    return [
        {
            "target_id": f"t{number}",
            "toughness": r.choice([3, 4, 5, 8, 11]),
            "save": r.choice([2, 3, 4, 6, 7, None]),
            "invulnerable_save": r.choice([None, None, 4, 5]),
            "invulnerable_save_scope": r.choice([None, None, "ranged", "melee"]),
            "wounds": r.choice([1, 2, 3, 10]),
            "feel_no_pain": r.choice([None, None, 5, 6]),
            "feel_no_pain_scope": r.choice([None, None, "mortal"]),
            "models": r.choice([1, 3, 5, 10]),
            "keywords": r.sample(KEYWORDS, 2),
            "stealth": r.random() < 0.2,
            "damage_minus": r.choice([0, 0, 1]),
            "damage_half": r.random() < 0.1,
        }
        for number in range(count)
    ]


def target_frame(rows: list[dict]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema_overrides={"invulnerable_save_scope": pl.String, "feel_no_pain_scope": pl.String})


def with_matchups(rows, weapons: list[dict], targets: list[dict], scenarios, number: int) -> tuple[list, list]:
    """So many random rows of a grid, and the matchup of each."""
    by_weapon = {weapon["weapon_profile_id"]: weapon for weapon in weapons}
    by_target = {target["target_id"]: target for target in targets}
    by_scenario = {scenario["scenario_id"]: scenario for scenario in scenarios.to_dicts()}
    sample = rows.sample(number, seed=3).to_dicts()
    matchups = [
        as_matchup(by_weapon[r["weapon_profile_id"]], by_target[r["target_id"]], by_scenario[r["scenario_id"]])
        for r in sample
    ]
    return sample, matchups


def as_matchup(weapon: dict, target: dict, scenario: dict, firing: int = 1) -> dict:
    """The same pair as JSON; abilities bound to keywords are given only where they apply."""
    fields = {"anti": []}
    for ability in weapon["abilities"]:
        slug, condition = ability["ability"], ability["condition"]
        if condition == "VEHICLE" and "VEHICLE" not in target["keywords"]:
            continue
        if condition == "non-MONSTER/VEHICLE" and {"MONSTER", "VEHICLE"} & set(target["keywords"]):
            continue
        if slug == "anti":
            fields["anti"] += [{"keyword": k, "value": int(ability["value"])} for k in ability["against_keywords"]]
        else:
            fields[slug] = ability["value"] or True
    scope, fnp_scope = target["invulnerable_save_scope"], target["feel_no_pain_scope"]
    inv = target["invulnerable_save"] if scope in (None, weapon["attack_type"]) else None
    mortal = fnp_scope == "mortal"
    flags = ("half_range", "long_range", "stationary", "charged", "cover", "visible")
    return {
        "ruleset": weapon["ruleset"],
        "models_firing": firing,
        "weapon": {
            "type": weapon["attack_type"],
            "A": weapon["attacks"],
            "skill": weapon["skill"],
            "S": weapon["strength"],
            "AP": weapon["armour_penetration"],
            "D": weapon["damage"],
        }
        | fields,
        "target": {
            "T": target["toughness"],
            "W": target["wounds"],
            "Sv": target["save"] or 7,
            "Inv": inv,
            "FNP": None if mortal else target["feel_no_pain"],
            "FNP_mortal": target["feel_no_pain"] if mortal else None,
            "models": target["models"],
            "keywords": target["keywords"],
            "stealth": target["stealth"],
            "damage_minus": target["damage_minus"],
            "damage_half": target["damage_half"],
        },
        "context": {flag: scenario[flag] for flag in flags},
    }
