"""Single matchups for people and programs. Belongs here: reading JSON, looking names up, writing the stages in words.

Doesn't: any rule or number (``simulation.matchup``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from pipelines.identity import fold
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.profiles import DICE, FLAGS, PER_FIVE, applies, not_modelled, target_keywords
from pipelines.simulation.rulesets import RuleSet
from pipelines.storage.build import UnreadableWarehouseError, connect
from warehouse.declared import ruleset_parameters

MAX_INPUT_CHARACTERS = 50_000_000


class NotFoundError(Exception):
    """A name means nothing in the warehouse, or several things."""


def rulesets() -> dict[str, RuleSet]:
    """The declared rule sets by name."""
    return {name: RuleSet.from_mapping(name, entry) for name, entry in ruleset_parameters().items()}


def evaluate_json(text: str) -> list[dict[str, Any]]:
    """Results of a JSON list of matchups. Raises ValueError, in one line, for what is no such list."""
    if len(text) > MAX_INPUT_CHARACTERS:
        raise ValueError(f"more than {MAX_INPUT_CHARACTERS:,} characters of matchups")
    try:
        matchups = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("not a list of matchups: nested too deeply") from None
    return evaluate(matchups, rulesets())


def explain(
    warehouse: Path,
    weapon: str,
    target: str,
    *,
    models: int,
    context: Mapping[str, bool],
    ruleset: str | None,
) -> str:
    """The stages and the distribution of a matchup between two things of the warehouse, as text.

    Raises NotFoundError where a name fits nothing or several things, ValueError where the engine refuses the sizes.
    """
    try:
        with connect(warehouse) as connection:
            weapons = [_find_weapon(connection, weapon)]
            found_target = _find_target(connection, target, weapons[0]["edition"])
    except UnreadableWarehouseError as error:
        raise NotFoundError(str(error)) from None
    profile = weapons[0]
    rules = ruleset or profile["edition"]
    matchup = {
        "ruleset": rules,
        "models_firing": models,
        "weapon": _weapon_fields(profile, target_keywords(found_target), rules),
        "target": _target_fields(found_target, profile["attack_type"]),
        "context": dict(context),
    }
    [result] = evaluate([matchup], rulesets())
    return _text(profile, found_target, models, [name for name, on in context.items() if on], rules, result)


def _rows(connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
    cursor = connection.execute(query, list(parameters))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _find_weapon(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, Any]:
    unit, _, weapon = name.rpartition(":")
    rows = _rows(
        connection,
        """
        SELECT w.*, u.name AS unit, u.faction, u.edition FROM weapon_profiles AS w JOIN units AS u USING (unit_id)
        WHERE u.is_preferred ORDER BY u.edition DESC, u.faction, u.name, w.weapon_profile_id
        """,
    )
    wanted = fold(weapon)
    found = [row for row in rows if wanted in (fold(row["weapon_name"]), fold(_profile_label(row)))]
    if unit:
        found = [row for row in found if fold(row["unit"]) == fold(unit)]
    if not found:
        raise NotFoundError(f"no weapon {name!r} in the warehouse")
    shapes = {tuple(row[key] for key in _CHARACTERISTICS) for row in found}
    if len(shapes) > 1:
        some = ", ".join(f"{row['unit']}: {_profile_label(row)}" for row in found[:4])
        raise NotFoundError(f"{name!r} means {len(found)} profiles that differ; say which, such as {some}")
    row = found[0]
    row["abilities"] = _rows(
        connection,
        """
        SELECT ability, value, coalesce(against_keyword, []) AS against_keywords, condition FROM weapon_abilities
        WHERE weapon_profile_id = ? ORDER BY position
        """,
        [row["weapon_profile_id"]],
    )
    return row


_CHARACTERISTICS = ("attack_type", "attacks", "skill", "strength", "armour_penetration", "damage", "profile_name")


def _profile_label(row: Mapping[str, Any]) -> str:
    return f"{row['weapon_name']} – {row['profile_name']}" if row["profile_name"] else str(row["weapon_name"])


def _find_target(connection: duckdb.DuckDBPyConnection, name: str, edition: str) -> dict[str, Any]:
    rows = _rows(connection, "SELECT * FROM targets ORDER BY kind, edition = ? DESC, target_id", [edition])
    wanted = fold(name)
    for match in (
        [row for row in rows if row["target_id"] == name],
        [row for row in rows if fold(row["name"]) == wanted],
        [row for row in rows if fold(row["name"]).startswith(wanted)],
    ):
        if match:
            return match[0]
    raise NotFoundError(f"no target {name!r} in the warehouse")


def _weapon_fields(profile: Mapping[str, Any], keywords: frozenset[str], ruleset: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "type": profile["attack_type"],
        "A": profile["attacks"],
        "skill": profile["skill"],
        "S": int(profile["strength"]),
        "AP": profile["armour_penetration"],
        "D": profile["damage"],
        "anti": [],
    }
    later = ruleset == "11e"
    for ability in profile["abilities"]:
        slug, value = ability["ability"], ability["value"]
        if not_modelled([ability]) or not applies(ability, keywords):
            continue
        if slug in FLAGS and (later or slug != "psychic"):
            fields[slug] = True
        elif slug in DICE:
            fields[slug] = value
        elif slug == "blast":
            fields[slug] = int(value or 1) if later else True
        elif slug in PER_FIVE and later:
            fields[slug] = int(value)
        elif slug == "anti":
            fields["anti"] += [{"keyword": name, "value": int(value)} for name in ability["against_keywords"]]
    return fields


def _target_fields(target: Mapping[str, Any], attack_type: str) -> dict[str, Any]:
    scoped = target["invulnerable_save_scope"] not in (None, attack_type)
    mortal = target["feel_no_pain_scope"] == "mortal"
    return {
        "T": target["toughness"],
        "W": target["wounds"],
        "Sv": target["save"],
        "Inv": None if scoped else target["invulnerable_save"],
        "FNP": None if mortal else target["feel_no_pain"],
        "FNP_mortal": target["feel_no_pain"] if mortal else None,
        "models": target["models"],
        "keywords": target["keywords"],
        "stealth": target["stealth"],
    }


def _text(
    profile: Mapping[str, Any],
    target: Mapping[str, Any],
    models: int,
    context: Sequence[str],
    ruleset: str,
    result: Mapping[str, Any],
) -> str:
    situation = ", ".join(name.replace("_", " ") for name in context) or "plain"
    skill = f"{profile['skill']}+" if profile["skill"] else "automatic"
    lines = [
        f"{models} × {_profile_label(profile)} of {profile['unit']} ({profile['faction']}, {profile['edition']})",
        f"  A {profile['attacks']}  {skill}  S {profile['strength']}  AP {profile['armour_penetration']}"
        f"  D {profile['damage']}  {', '.join(_ability_label(each) for each in profile['abilities'])}".rstrip(),
        f"against {target['name']}: {target['models']} models, T {target['toughness']}, Sv {target['save']}+, "
        f"W {target['wounds']}",
        f"situation: {situation}; rules: {ruleset}",
        "",
    ]
    stages = (
        ("attacks", "expected_attacks"),
        ("hits", "expected_hits"),
        ("wounds", "expected_wounds"),
        ("unsaved", "expected_unsaved"),
        ("raw damage", "expected_raw_damage"),
        ("damage", "expected_damage"),
        ("models destroyed", "expected_models_destroyed"),
    )
    lines += [f"  {label:<18}{result[key]:10.4f}" for label, key in stages]
    lines.append(f"  {'unit destroyed':<18}{result['p_destroy_unit']:10.2%}")
    if "expected_hazardous_mortal_wounds" in result:
        lines.append(f"  {'to the attacker':<18}{result['expected_hazardous_mortal_wounds']:10.4f} mortal wounds")
    for label, key in (("damage", "damage"), ("models destroyed", "models_destroyed")):
        lines += ["", f"  {label:<18}probability"]
        lines += [
            f"  {value:>8}{'':10}{p:9.2%}  {'█' * round(40 * p)}" for value, p in result["dist"][key] if p >= 5e-5
        ]
    left_out = not_modelled(profile["abilities"])
    if left_out:
        lines += ["", f"  not modelled: {', '.join(left_out)}"]
    return "\n".join(lines) + "\n"


def _ability_label(ability: Mapping[str, Any]) -> str:
    parts = [ability["ability"].replace("_", " "), "/".join(ability["against_keywords"]), ability["value"]]
    return " ".join(part for part in parts if part) + (f" ({ability['condition']})" if ability["condition"] else "")
