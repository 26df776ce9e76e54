"""Measures what the pipeline costs and prints ratios to baselines of the same run.

Belongs here: the table. Doesn't: measuring (the other modules, one a subject), judging; nothing fails because a machine
is slow.
"""

from __future__ import annotations

from benchmarks.engine import engine
from benchmarks.ingestion import ingestion
from benchmarks.scale import scale
from benchmarks.whole_runs import whole_runs


def main() -> None:
    """Print the table."""
    # Whole runs first: their peak is that of the largest child so far.
    rows = [*whole_runs(), *ingestion(), *engine(), *scale()]
    width = max(len(label) for label, _ in rows)
    for label, value in rows:
        print(f"{label:<{width}}  {value}")


if __name__ == "__main__":
    main()
