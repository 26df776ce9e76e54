"""Who uses what against whom: sources paired with units and opponents.

Belongs here: which effects each way to use a source has for each unit that may use it, phase and opponent. Doesn't:
what an effect is (``applied``), whose a source is (``sources``), computing (``attacks``, ``uplifts``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import polars as pl

from pipelines.simulation.indexing import Register
from pipelines.worth.applied import NOTHING, Effect, together
from pipelines.worth.circumstances import keyword_set
from pipelines.worth.sources import PHASES, Held, Source, Way, ways
from pipelines.worth.users import User, Users

MAX_HELD = 32
"""Effects of one source that are compared, in the order of its text; no text of the game has half as many."""
MAX_PAIRS = 3_000_000
"""Comparisons in all: almost four times what the whole game takes."""
_USE: dict[str, Any] = {
    "way": pl.Int32, "joined_by": pl.String, "phase": pl.String, "effect": pl.Int32, "unit_id": pl.List(pl.String),
    "opponent_id": pl.List(pl.String), "abilities": pl.String,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Uses:
    """Who uses what against whom.

    ``rows``: way and effect (numbers in ``ways`` and ``effects``), joined_by (unit_id of a leader; null: none), phase,
    unit_id, opponent_id, abilities (names of those of a leader that have the effect; null: none); one row for each.
    ``ways``: each with its source.
    """

    rows: pl.DataFrame
    ways: list[tuple[Source, Way]]
    effects: Register[Effect] = field(default_factory=lambda: Register([NOTHING]))


def collect_uses(sources: Iterable[Source], users: Users, targets: pl.DataFrame, attackers: pl.DataFrame) -> Uses:
    """Pair each way of each source with the units that may use it and the opponents it counts against.

    ``targets``: archetypes with their keywords; ``attackers``: rows of the table attackers. What is beyond
    ``MAX_HELD`` and ``MAX_PAIRS`` is told in ``left_out`` of its source.
    """
    opponents: dict[str, dict[str, list[_Opponent]]] = {
        "attacker": {phase: list(_archetypes(targets)) for phase in PHASES},
        "defender": {
            phase: [_Opponent(row) for row in attackers.filter(pl.col("attack_type") == kind)["attacker_id"]]
            for phase, kind in PHASES.items()
        },
    }
    found = Uses(pl.DataFrame(schema=_USE), [])
    rows: list[tuple[object, ...]] = []
    pairs = 0
    for each in sources:
        source = _bounded(each)
        pool = users.pool(source)
        leader = source.key if source.kind == "leader" else None
        for way in ways(source):
            used = [
                (phase, *use)
                for phase in PHASES
                for use in _effects(source, way, phase, users, pool, opponents[way.side][phase])
            ]
            number, more = len(found.ways), sum(len(units) * len(met) for *_, units, met, _ in used)
            if pairs + more > MAX_PAIRS:
                found.ways.append((_without(source, f"more than {MAX_PAIRS:,} comparisons"), way))
                continue
            pairs += more
            found.ways.append((source, way))
            rows += [(number, leader, phase, found.effects.index(effect), *whom) for phase, effect, *whom in used]
    uses = pl.DataFrame(rows, schema=_USE, orient="row").explode("unit_id").explode("opponent_id")
    return replace(found, rows=uses)


def _bounded(source: Source) -> Source:
    if len(source.held) <= MAX_HELD:
        return source
    return replace(_without(source, f"more than {MAX_HELD} effects"), held=source.held[:MAX_HELD])


def _without(source: Source, reason: str) -> Source:
    return replace(source, left_out=(*source.left_out, reason))


class _Opponent(NamedTuple):
    """Whom attacks meet: an archetype with its keywords and models, or a reference attacker, of whom none is known."""

    opponent_id: str
    keywords: frozenset[str] | None = None
    models: int = 0

    def is_meant(self, held: Held) -> bool:
        """Tell whether an effect counts against it; that a reference attacker is of the kind it needs is assumed."""
        if self.keywords is None:
            return True
        sizes = (test for test in held.sizes if test.of == "target")
        return all(test.meets(self.keywords) for test in held.facts.target) and all(
            test.meets(self.models) for test in sizes
        )


def _archetypes(targets: pl.DataFrame) -> Iterator[_Opponent]:
    for target_id, keywords, models in targets.select("target_id", "keywords", "models").iter_rows():
        yield _Opponent(target_id, keyword_set(keywords or ()), models)


def _effects(
    source: Source, way: Way, phase: str, users: Users, pool: Sequence[User], opponents: Iterable[_Opponent]
) -> Iterator[tuple[Effect, list[str], list[str], str | None]]:
    """Give each effect that a way has in a phase, the units that have it, against whom, and of which abilities."""
    held = [each for each in way.held if phase in each.phases]
    # A leader adds its weapons to those it joins, whatever its abilities do.
    joins = source.kind == "leader" and way.side == "attacker"
    whose: dict[str, list[int]] = {user.unit_id: [] for user in pool} if joins else {}
    for place, each in enumerate(held):
        for user in users.using(source, each, pool, way.assumed):
            whose.setdefault(user.unit_id, []).append(place)
    against = {
        opponent.opponent_id: [place for place, each in enumerate(held) if opponent.is_meant(each)]
        for opponent in opponents
    }
    for own, units in _grouped(whose):
        for met, several in _grouped(against):
            both = [held[place] for place in own if place in met]
            effect = together((each.effect for each in both), of_one_source=True)
            effect = effect if phase == "shooting" else effect.in_melee
            abilities = dict.fromkeys(each.ability for each in both if each.ability) if effect != NOTHING else ()
            if joins or effect != NOTHING:
                yield effect, units, several, ", ".join(abilities) or None


def _grouped(places: Mapping[str, list[int]]) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, own in places.items():
        groups.setdefault(tuple(own), []).append(name)
    yield from groups.items()
