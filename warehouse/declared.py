"""Loads what people decided: archetypes, attackers, scenarios, rule sets, precedence, from the TOML files beside this.

Belongs here: reading declared data and refusing what is malformed. Doesn't: using it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


def _read(name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{name}: {error}") from None


@cache
def archetypes() -> Mapping[str, Mapping[str, Any]]:
    """Declared targets by slug: name, stat line, models, points, keywords."""
    return _read("archetypes.toml")


@cache
def attackers() -> Mapping[str, Mapping[str, Any]]:
    """Declared reference attackers by slug: name, weapon, how many of them, points, where these come from."""
    return _read("attackers.toml")


@cache
def scenarios() -> Mapping[str, Mapping[str, Any]]:
    """Declared situations by id, the plain one first."""
    return _read("scenarios.toml")


@cache
def ruleset_parameters() -> Mapping[str, Mapping[str, Any]]:
    """Parameters of each rule set by its name (``10e``, ``11e``)."""
    return _read("rulesets.toml")


@cache
def source_precedence() -> Sequence[str]:
    """Source kinds, the most trusted first."""
    return tuple(_read("precedence.toml")["source_kinds"])


@cache
def factions() -> Mapping[str, Mapping[str, Any]]:
    """Factions by slug: name, aliases, parent."""
    return _read("factions.toml")


@cache
def corrections() -> Sequence[Mapping[str, Any]]:
    """Reviewed corrections to source data, in order."""
    return _read("corrections.toml").get("corrections", ())
