"""The engine against the exact rational reference. Belongs here: its largest error over random matchups.

Doesn't: the reference and the matchups (``tests.simulation``), what is asserted of them (the tests).
"""

from __future__ import annotations

from benchmarks import goals
from benchmarks.goals import Row
from pipelines.engine_frames import declared_rulesets
from pipelines.simulation.matchup import evaluate
from pipelines.simulation.outcomes import METRICS
from tests.simulation.reference import matchup_reference
from tests.simulation.samples import matchup

SAMPLE = 100
"""Matchups of each edition, other ones than the tests draw."""
FIRST = 10_000


def proof() -> list[Row]:
    """Compare every expectation and law of random matchups that use any field."""
    given = [matchup(seed, edition) for edition in ("10e", "11e") for seed in range(FIRST, FIRST + SAMPLE)]
    worst = 0.0
    for each, found in zip(given, evaluate(given, declared_rulesets()), strict=True):
        exact = matchup_reference(each)
        worst = max(worst, *(abs(found[name] - exact[name]) for name in METRICS))
        for name, law in found["dist"].items():
            got, right = dict(map(tuple, law)), exact["dist"][name]
            worst = max(worst, *(abs(got.get(value, 0) - right.get(value, 0)) for value in {*got, *right}))
    return [
        Row(
            "proof: largest error against the rational reference",
            f"{worst:.0e} in expectations and laws of {len(given)} random matchups",
            goals.ERROR,
            float(worst),
        )
    ]
