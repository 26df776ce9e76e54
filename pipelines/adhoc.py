"""Single matchups for people and programs. Belongs here: reading JSON, looking names up, writing the stages in words.

Doesn't: any rule or number (``simulation.matchup``, ``simulation.monte_carlo``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import duckdb

from pipelines.engine_frames import declared_rulesets
from pipelines.identity import fold
from pipelines.simulation.effective import Context
from pipelines.simulation.matchup import Matchup, evaluate_pairs, read_matchups
from pipelines.simulation.monte_carlo import Simulation, simulate
from pipelines.simulation.profiles import not_modelled, target_keywords, target_row, weapon_against
from pipelines.storage.build import connect
from warehouse.declared import source_precedence

MAX_INPUT_CHARACTERS = 50_000_000


class NotFoundError(Exception):
    """A name means nothing in the warehouse, or several things."""


@dataclass(frozen=True)
class Trials:
    """How often to roll literal dice beside the exact answer, and the seed of the first die."""

    number: int
    seed: int = 0


def evaluate_json(text: str, trials: Trials | None = None) -> list[dict[str, Any]]:
    """Results of a JSON list of matchups, with ``trials`` each with a key ``simulated``.

    Raises ValueError, in one line, for what is no such list, and for trials beyond the limits of ``monte_carlo``.
    """
    if len(text) > MAX_INPUT_CHARACTERS:
        raise ValueError(f"more than {MAX_INPUT_CHARACTERS:,} characters of matchups")
    try:
        matchups = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("not a list of matchups: nested too deeply") from None
    read = read_matchups(matchups, declared_rulesets())
    if trials is None:
        return evaluate_pairs(read)
    simulations = simulate(read, trials.number, trials.seed)
    return [
        result | {"simulated": _simulated(simulation, trials)}
        for result, simulation in zip(evaluate_pairs(read), simulations, strict=True)
    ]


def _simulated(simulation: Simulation, trials: Trials) -> dict[str, Any]:
    estimates = {
        name: {"mean": mean, "standard_error": error} for name, (mean, error) in simulation.estimates().items()
    }
    chosen = {} if simulation.automatic is None else {"lethal_hits_automatic": simulation.automatic}
    laws = {name: simulation.laws[name].shares() for name in ("damage", "models_destroyed")}
    return {"trials": trials.number, "seed": trials.seed, **chosen, **estimates, "dist": laws}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose fields stand once. Raises ValueError for one that stands twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"field {twice[:40]!r} stands twice in one object")
    return fields


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def explain(
    warehouse: Path,
    weapon: str,
    target: str,
    *,
    models: int,
    context: Mapping[str, bool],
    ruleset: str | None,
    trials: Trials | None = None,
) -> str:
    """The stages and the distribution of a matchup between two things of the warehouse, as text.

    Raises NotFoundError where a name fits nothing or several things, ValueError where the engine refuses the sizes or
    ``monte_carlo`` the trials, UnreadableWarehouseError for a file that is no warehouse.
    """
    with connect(warehouse) as connection:
        profile = _find_weapon(connection, weapon)
        found_target = _find_target(connection, target, profile["edition"])
    rules = ruleset or profile["edition"]
    fired = weapon_against(profile, target_keywords(found_target))
    if not (context.get("visible", True) or fired.melee or fired.indirect_fire):
        raise ValueError(f"{_profile_label(profile)} has no Indirect Fire: it can't attack what is not visible")
    matchup = Matchup(
        label=_profile_label(profile),
        weapon=fired,
        target=target_row(found_target),
        rules=declared_rulesets()[rules],
        context=Context(**context),
        models_firing=models,
    )
    [result] = evaluate_pairs([matchup])
    if trials is not None:
        [simulation] = simulate([matchup], trials.number, trials.seed)
        result["simulated"] = _simulated(simulation, trials)
    circumstances = [name if on else f"not {name}" for name, on in context.items()]
    return _text(profile, found_target, models, circumstances, rules, result)


def _rows(connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
    cursor = connection.execute(query, list(parameters))
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _find_weapon(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, Any]:
    """The preferred profile that a name such as ``Hellblaster Squad (11e): Plasma incinerator – Supercharge`` means.

    Where no edition is named the user's own page counts first, then the newest edition; profiles of it that differ
    have to be told apart by the name.
    """
    unit, _, weapon = name.rpartition(":")
    rows = _rows(
        connection,
        """
        SELECT w.*, u.name AS unit, u.faction, u.edition, (
          SELECT list_sort(list((ability, value, against_keyword, condition)::VARCHAR)) FROM weapon_abilities AS a
          WHERE a.weapon_profile_id = w.weapon_profile_id) AS shape
        FROM weapon_profiles AS w JOIN units AS u USING (unit_id)
        WHERE u.is_preferred
        ORDER BY list_position(?, u.source_kind), u.edition DESC, u.faction, u.name, w.weapon_profile_id
        """,
        [list(source_precedence())],
    )
    wanted = fold(weapon)
    found = [row for row in rows if wanted in (fold(row["weapon_name"]), fold(_profile_label(row)))]
    if unit:
        found = [row for row in found if fold(unit) in (fold(row["unit"]), fold(f"{row['unit']} {row['edition']}"))]
    if not found:
        raise NotFoundError(f"no weapon {name!r} in the warehouse{_similar(name, rows)}")
    first = found[0]
    first["other_editions"] = sorted({row["edition"] for row in found} - {first["edition"]})
    found = [row for row in found if row["edition"] == first["edition"]]
    if len({str([row[key] for key in _CHARACTERISTICS]) for row in found}) > 1:
        ways = list(dict.fromkeys(f"{row['unit']} ({row['edition']}): {_profile_label(row)}" for row in found))
        raise NotFoundError(
            f"{name!r} means {len(found)} profiles that differ; say which, such as {'; '.join(ways[:4])}"
        )
    first["abilities"] = _rows(
        connection,
        """
        SELECT ability, value, coalesce(against_keyword, []) AS against_keywords, condition FROM weapon_abilities
        WHERE weapon_profile_id = ? ORDER BY position
        """,
        [first["weapon_profile_id"]],
    )
    return first


def _similar(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    unit, _, weapon = name.rpartition(":")
    names = {fold(row["weapon_name"]): row["weapon_name"] for row in rows}
    names |= {fold(f"{row['unit']}: {row['weapon_name']}"): f"{row['unit']}: {row['weapon_name']}" for row in rows}
    close = get_close_matches(fold(f"{unit}: {weapon}" if unit else weapon), names, n=3)
    return f"; did you mean {', '.join(names[key] for key in close)}?" if close else ""


_CHARACTERISTICS = (
    "attack_type",
    "attacks",
    "skill",
    "strength",
    "armour_penetration",
    "damage",
    "profile_name",
    "shape",
)


def _profile_label(row: Mapping[str, Any]) -> str:
    return f"{row['weapon_name']} – {row['profile_name']}" if row["profile_name"] else str(row["weapon_name"])


def _find_target(connection: duckdb.DuckDBPyConnection, name: str, edition: str) -> dict[str, Any]:
    rows = _rows(connection, "SELECT * FROM targets ORDER BY kind, edition = ? DESC, target_id", [edition])
    wanted = fold(name)
    for match in (
        [row for row in rows if row["target_id"] == name],
        [row for row in rows if fold(row["name"]) == wanted],
        [row for row in rows if wanted and fold(row["name"]).startswith(wanted)],
    ):
        if match:
            return match[0]
    names = {fold(row["name"]): row["name"] for row in rows} | {row["target_id"]: row["target_id"] for row in rows}
    close = [names[key] for key in get_close_matches(wanted, names, n=3)]
    hint = f"; did you mean {', '.join(close)}?" if close else '; `warledger sql "FROM targets"` lists them'
    raise NotFoundError(f"no target {name!r} in the warehouse{hint}")


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
        *(f'also in the {each}: name it as "{profile["unit"]} ({each}): …"' for each in profile["other_editions"]),
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
    simulated = result.get("simulated")
    if simulated:
        lines.append(
            f"  {'':<18}{'exact':>10}  {simulated['trials']:,} trials ± standard error, seed {simulated['seed']}"
        )
    lines += [f"  {label:<18}{result[key]:10.4f}{_beside(simulated, key, '.4f')}" for label, key in stages]
    key = "p_destroy_unit"
    lines.append(f"  {'unit destroyed':<18}{result[key]:10.2%}{_beside(simulated, key, '.2%')}")
    key = "expected_hazardous_mortal_wounds"
    if key in result:
        lines.append(f"  {'to the attacker':<18}{result[key]:10.4f} mortal wounds{_beside(simulated, key, '.4f')}")
    for label, key in (("damage", "damage"), ("models destroyed", "models_destroyed")):
        lines += ["", f"  {label:<18}probability"]
        lines += [
            f"  {value:>8}{'':10}{p:9.2%}  {'█' * round(40 * p)}" for value, p in result["dist"][key] if p >= 5e-5
        ]
    left_out = [*not_modelled(profile["abilities"]), *(target["not_modelled"] or ())]
    if left_out:
        lines += ["", f"  not modelled: {', '.join(left_out)}"]
    return "\n".join(lines) + "\n"


def _beside(simulated: Mapping[str, Any] | None, key: str, shown: str) -> str:
    """The simulated mean of one metric with its standard error, to stand beside the exact one."""
    if not simulated or key not in simulated:
        return ""
    return f"  {simulated[key]['mean']:{shown}} ± {simulated[key]['standard_error']:{shown}}"


def _ability_label(ability: Mapping[str, Any]) -> str:
    parts = [ability["ability"].replace("_", " "), "/".join(ability["against_keywords"]), ability["value"]]
    return " ".join(part for part in parts if part) + (f" ({ability['condition']})" if ability["condition"] else "")
