"""What the figures ought to be: the goals of the engine, and the verdict on each measured figure.

Belongs here: goals, and why one is missed where it is. Doesn't: measuring. Ratios compare the same work in one process.
"""

from __future__ import annotations

from typing import NamedTuple


class Goal(NamedTuple):
    """A bound on a figure. ``at_least``: else at most; ``why``: what stands in the way, said where it is missed."""

    bound: float
    unit: str
    at_least: bool = False
    why: str = ""

    def __str__(self) -> str:
        """Write the bound, as in ``≥ 1,000 ×``."""
        bound = f"{self.bound:,.10g}" if self.bound >= 1e-3 else f"{self.bound:.0e}"
        return f"{'≥' if self.at_least else '≤'} {bound} {self.unit}".rstrip()

    def met_by(self, value: float) -> bool:
        """Tell whether a figure is within the bound."""
        return value >= self.bound if self.at_least else value <= self.bound


class Row(NamedTuple):
    """What was measured, the figures in words, and the one that a goal bounds (None: it couldn't be measured)."""

    what: str
    measured: str
    goal: Goal | None = None
    value: float | None = None

    def met(self) -> bool | None:
        """Tell whether the goal is met; None where there is none, or no figure."""
        return None if self.goal is None or self.value is None else self.goal.met_by(self.value)

    def verdict(self) -> str:
        """Give the goal and whether it is met, with the reason where it isn't; empty without a goal."""
        if self.goal is None:
            return ""
        missed = f"missed; {self.goal.why or 'the reason is not known yet'}"
        return f"goal {self.goal}: {({None: 'not measured', True: 'met', False: missed})[self.met()]}"


SIGNATURES = Goal(100, "× fewer", at_least=True)
CLOSED_PYTHON = Goal(400, "×", at_least=True)
CLOSED_FILLING = Goal(
    3, "×", why="merging the class pairs' sequences takes as long as filling, before a number is copied"
)
CLOSED_DUCKDB = Goal(
    20,
    "×",
    at_least=True,
    why="most of our time goes into the first touch of a new output of 2 GB, which a busy memory slows down; the join "
    "is measured on a table of 2 million rows",
)
EXACT_CLOSED = Goal(
    8,
    "×",
    why="the closed form takes little longer than filling its output; a fifth of the laws' time goes into groups of "
    "Devastating Wounds that wait, resolved one by one",
)
EXACT_SECONDS = Goal(5, "s")
ICEPOOL = Goal(
    1000,
    "×",
    at_least=True,
    why="it is given its shortest way, without a chain where each attack takes as much; attack by attack it needs some "
    "five times as long. On our side 2,000 damage chains are set up one by one",
)
CRUNCH = Goal(1000, "×", at_least=True)
ERROR = Goal(1e-12, "")
MONTE_CARLO = Goal(30, "×", at_least=True)
MEMORY = Goal(
    0.3,
    "GB above the output",
    why="half of it is Python with its packages and the tables, there before the engine begins; the rest is the "
    "sequence of each class pair and the laws of all signatures",
)
WHOLE_MEMORY = Goal(3, "GB")
WAREHOUSE = Goal(300, "MB")
ONE_TARGET = Goal(0.3, "s")
PAGE_READY = Goal(1.2, "s")
PAGE_FILTER = Goal(120, "ms")
