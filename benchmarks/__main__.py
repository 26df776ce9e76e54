"""Measures what the pipeline costs and prints ratios to baselines of the same run, each beside its goal.

Belongs here: the table. Doesn't: measuring (the other modules, one a subject), goals (``goals``); nothing fails because
a machine is slow. ``python -m benchmarks SUBJECT …`` measures single subjects.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence

from benchmarks.dice_trials import dice_trials
from benchmarks.engine import engine
from benchmarks.goals import Row
from benchmarks.ingestion import ingestion
from benchmarks.page import page
from benchmarks.peers import peers
from benchmarks.proof import proof
from benchmarks.scale import scale
from benchmarks.whole_runs import whole_runs

# Whole runs first: their peak is that of the largest child so far. Scale before the rest: its peak is this process's.
SUBJECTS: dict[str, Callable[[], list[Row]]] = {
    "runs": whole_runs,
    "ingestion": ingestion,
    "scale": scale,
    "engine": engine,
    "proof": proof,
    "peers": peers,
    "dice": dice_trials,
    "page": page,
}


def table(rows: Iterable[Row]) -> str:
    """Write a line for each row, below it the verdict where there is a goal, and at the end how many are met."""
    rows = list(rows)
    width = max((len(row.what) for row in rows), default=0)
    lines = []
    for row in rows:
        lines.append(f"{row.what:<{width}}  {row.measured}")
        if row.goal:
            lines.append(f"{'':<{width}}    {row.verdict()}")
    met = [row.met() for row in rows if row.met() is not None]
    return "\n".join([*lines, f"goals: {sum(map(bool, met))} of {len(met)} met"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the subjects named, or all, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed and size, beside their goals.")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    chosen = parser.parse_args(arguments).subjects or list(SUBJECTS)
    if unknown := [name for name in chosen if name not in SUBJECTS]:
        parser.error(f"no such subject: {unknown[0]!r}; there are {', '.join(SUBJECTS)}")
    print(table(row for name, subject in SUBJECTS.items() if name in chosen for row in subject()))


if __name__ == "__main__":
    main()
