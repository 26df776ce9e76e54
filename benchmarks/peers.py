"""Other calculators beside the engine: how fast, and on the shared edge cases how often right.

Belongs here: the rows. Doesn't: what each is given (``dice_model``, ``libraries``, ``crunch_peer``), data (``grid``).

The dice libraries compute the whole law of wounds lost, crunch expectations only; each gets its input ready made, from
the faces that succeed on. Ours is the processor time of all signatures or matchups of the grid, divided by how many.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import crunch_peer, dice_model, goals
from benchmarks.activation import NotCoveredError, read
from benchmarks.goals import Row
from benchmarks.grid import Grid, contexts, data
from benchmarks.measure import timed
from pipelines.engine_frames import declared_rulesets
from pipelines.simulation.matchup import Matchup, evaluate_pairs, read_matchups
from pipelines.simulation.outcomes import METRICS

SAMPLE, SEED = 200, 1
RIGHT = 1e-9
EDGE_CASES = "edge_cases.json"
_DAMAGE, _DESTROYED = "expected_raw_damage", "expected_models_destroyed"

Calculator = Callable[[Matchup], Mapping[str, float]]
"""Gives figures named as ``METRICS``, those that it has. Raises NotCoveredError for what it can't express."""


class Case(NamedTuple):
    """A matchup with the right values of its figures."""

    name: str
    matchup: Matchup
    right: Mapping[str, float]


def peers() -> list[Row]:
    """Measure each peer on a sample of the grid, and judge it, and ours, on the edge cases."""
    of = data()
    grid = Grid(*of.classes())
    signatures, count = len(grid.signatures().count), of.weapons.height * of.targets.height * contexts().height
    each_signature = timed(grid.signatures).processor / signatures
    each_matchup = timed(lambda: grid.expanded(grid.means())).processor / count
    return [
        Row(
            f"peers: ours, exact laws of {of.source}",
            f"{each_signature * 1e6:.1f} µs for each of {signatures:,} signatures, "
            f"{each_matchup * 1e9:.1f} ns for each of {count:,} matchups",
        ),
        *_library_rows(list(islice(_covered(grid.drawn(of, SEED), read), SAMPLE)), each_signature),
        _crunch_row(list(islice(_covered(grid.drawn(of, SEED), crunch_peer.in_its_words), SAMPLE)), each_matchup),
        *_edge_rows(),
    ]


def libraries() -> list[Any]:
    """Give the dice libraries that are installed: none without the extra ``bench``."""
    try:
        from benchmarks.libraries import Dyce, Icepool
    except ModuleNotFoundError:
        return []
    return [Icepool(), Dyce()]


def judged(calculator: Calculator, cases: Iterable[Case]) -> str:
    """Say how many cases a calculator can express, how many it gets right, and its largest error."""
    cases = list(cases)
    expressed = []
    for case in cases:
        with suppress(NotCoveredError):
            given = calculator(case.matchup)
            expressed.append((case, {name: abs(given[name] - case.right[name]) for name in METRICS if name in given}))
    worst, where = max(((error, f"{name} of {case.name}") for case, each in expressed for name, error in each.items()))
    right = {name: sum(each.get(name, 0) <= RIGHT for _, each in expressed) for name in (_DAMAGE, _DESTROYED)}
    whole = sum(max(each.values()) <= RIGHT for _, each in expressed)
    return (
        f"expresses {len(expressed)} of {len(cases)}; all its figures right in {whole}, damage before overkill in "
        f"{right[_DAMAGE]}, models destroyed in {right[_DESTROYED]}; largest error {worst:.2g}"
        f"{f' ({where})' if worst > RIGHT else ''}"
    )


def ours(matchup: Matchup) -> dict[str, float]:
    """Give the engine's own figures."""
    [result] = evaluate_pairs([matchup])
    return {name: result[name] for name in METRICS}


def _covered(matchups: Iterable[Matchup], reader: Callable[[Matchup], Any]) -> Iterable[tuple[Matchup, Any]]:
    """Give the matchups that a reader can express, each with what it makes of it."""
    for matchup in matchups:
        try:
            yield matchup, reader(matchup)
        except NotCoveredError:
            continue


def _library_rows(sample: list[tuple[Matchup, Any]], each_signature: float) -> list[Row]:
    rows = [_library_row(library, sample, each_signature) for library in libraries()]
    return rows or [Row("peers: icepool and dyce", "not measured, they come with the extra bench", goals.ICEPOOL)]


def _library_row(library: Any, sample: list[tuple[Matchup, Any]], each_signature: float) -> Row:
    work = timed(lambda: [dice_model.wounds_lost(given, library) for _, given in sample])
    seconds = work.processor / len(sample)
    apart = max(
        abs(dice_model.expectations(given, library)[name] - value)
        for matchup, given in sample
        for name, value in ours(matchup).items()
    )
    return Row(
        f"peers: {library.name}, exact law, for each signature",
        f"{seconds * 1e3:.2f} ms over {len(sample)} random ones, ours {seconds / each_signature:,.0f} × faster; "
        f"its figures are ours within {apart:.0e}",
        goals.ICEPOOL if library.name == "icepool" else None,
        seconds / each_signature,
    )


def _crunch_row(sample: list[tuple[Matchup, Any]], each_matchup: float) -> Row:
    seconds = timed(lambda: [crunch_peer.computed(given) for _, given in sample]).processor / len(sample)
    return Row(
        "peers: wh40kdc's crunch, expectations, for each matchup",
        f"{seconds * 1e6:.0f} µs over {len(sample)} random ones, our exact laws {seconds / each_matchup:,.0f} × faster",
        goals.CRUNCH,
        seconds / each_matchup,
    )


def _edge_rows() -> list[Row]:
    shared = os.environ.get("WARLEDGER_SHARED")
    if not shared:
        return [Row("peers: the shared edge cases", "not measured: WARLEDGER_SHARED isn't set")]
    given = json.loads((Path(shared) / EDGE_CASES).read_text(encoding="utf-8"))
    matchups = read_matchups([case["matchup"] for case in given], declared_rulesets())
    cases = [Case(case["id"], matchup, case["expect"]) for case, matchup in zip(given, matchups, strict=True)]
    calculators: dict[str, Calculator] = {"ours": ours, "wh40kdc's crunch": crunch_peer.expectations}
    for library in libraries():
        calculators[f"our faces in {library.name}"] = _with(library)
    return [Row(f"peers: edge cases, {name}", judged(each, cases)) for name, each in calculators.items()]


def _with(library: dice_model.Library) -> Calculator:
    return lambda matchup: dice_model.expectations(read(matchup), library)
