"""The engine's literal dice against a plain Python loop.

Belongs here: trials per second of both on one set of matchups. Doesn't: the loop (``plain_loop``), data (``grid``).
"""

from __future__ import annotations

from benchmarks import goals, plain_loop
from benchmarks.activation import Activation, NotCoveredError, read
from benchmarks.goals import Row
from benchmarks.grid import Grid, data
from benchmarks.measure import timed
from pipelines.simulation.matchup import Matchup
from pipelines.simulation.monte_carlo import simulate

SAMPLE, SEED = 40, 2
TRIALS, PLAIN_TRIALS = 100_000, 500


def dice_trials() -> list[Row]:
    """Roll the same matchups both ways."""
    matchups, activations = _drawn()
    ours = timed(lambda: simulate(matchups, TRIALS, SEED), repeats=3).processor / TRIALS
    plain = timed(lambda: [plain_loop.simulate(each, PLAIN_TRIALS, SEED) for each in activations]).processor
    plain /= PLAIN_TRIALS
    return [
        Row(
            "dice: literal dice in batches, against a plain Python loop",
            f"{len(matchups) / ours:,.0f} trials a second, {plain / ours:.0f} × as many as the loop's "
            f"{len(matchups) / plain:,.0f}, over {len(matchups)} random matchups",
            goals.MONTE_CARLO,
            plain / ours,
        )
    ]


def _drawn() -> tuple[list[Matchup], list[Activation]]:
    of = data()
    matchups, activations = [], []
    for matchup in Grid(*of.classes()).drawn(of, SEED):
        try:
            activations.append(read(matchup))
        except NotCoveredError:
            continue
        matchups.append(matchup)
        if len(matchups) == SAMPLE:
            break
    return matchups, activations
