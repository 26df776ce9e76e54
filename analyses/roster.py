"""An army list's report as text, as tables and as a page.

Belongs here: showing a ``RosterReport``. Doesn't: computing it (``pipelines.rosters``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pipelines.rosters import RosterReport

_PAGE = Path(__file__).parent / "page"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
PHASES = {"shooting": "Shooting", "fight": "Fighting"}
NOTE = (
    "Worth: the wounds taken, in points of the target, per 100 points of the attacker. Plain scenario, one activation, "
    "each unit at a target of its own; abilities, stratagems and range are not in it."
)


def weakest(report: RosterReport) -> str | None:
    """The target that the list does least to for its points, in its better phase; None where no price is known."""
    best_phase = report.targets.group_by("target", maintain_order=True).agg(pl.col("wounds_worth").max())
    least = best_phase.drop_nulls().sort("wounds_worth", maintain_order=True).head(1)
    return None if least.is_empty() else f"{least['target'].item()} ({least['wounds_worth'].item():.1f})"


def as_text(report: RosterReport) -> str:
    """The report for people, in columns."""
    roster = report.roster
    named = ", ".join(part for part in (roster.faction, *roster.detachments) if part)
    lines = [
        f"{roster.name}: {_points(roster.points)} in {len(roster.units)} units" + (f" – {named}" if named else ""), "",
        f"  {'unit':<40}{'models':>7}{'points':>8}{'share':>7}{'worth':>8}  best at",
    ]  # fmt: skip
    for unit in report.units.iter_rows(named=True):
        share = "" if unit["share_of_points"] is None else f"{unit['share_of_points']:.0%}"
        at = f"{PHASES[unit['best_phase']].lower()}: {unit['best_against']}" if unit["best_phase"] else "–"
        lines.append(
            f"  {unit['unit'][:39]:<40}{unit['models']:>7}{unit['points'] or '–':>8}{share:>7}"
            f"{_number(unit['wounds_worth'], 1):>8}  {at}"
        )
    for phase, shown in PHASES.items():
        lines += ["", f"  {shown:<52}{'wounds':>8}{'worth':>8}{'units that destroy it':>24}"]
        for row in report.targets.filter(pl.col("phase") == phase).iter_rows(named=True):
            lines.append(
                f"  {row['target'][:51]:<52}{row['expected_damage']:>8.2f}{_number(row['wounds_worth'], 1):>8}"
                f"{row['units_that_destroy_it']:>24}"
            )
    if (least := weakest(report)) is not None:
        lines += ["", f"  weakest matchup: {least}"]
    lines += ["", f"  {NOTE}"]
    lines += [f"  left out: {reason}" for reason in report.left_out]
    lines += [f"  the importer says: {warning}" for warning in roster.warnings]
    return "\n".join(lines) + "\n"


def write(report: RosterReport, folder: Path) -> list[Path]:
    """Write ``index.html`` and each table as CSV and Parquet; returns the paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_written(folder / name, content) for name, content in _files(report)]


def _files(report: RosterReport) -> Iterator[tuple[str, str | pl.DataFrame]]:
    yield "index.html", _page(report)
    for name, table in (("units", report.units), ("matchups", report.matchups), ("targets", report.targets)):
        yield f"roster_{name}.csv", table
        yield f"roster_{name}.parquet", table


def _written(path: Path, content: str | pl.DataFrame) -> Path:
    unfinished = path.with_name(f".{path.name}.unfinished")
    if isinstance(content, str):
        unfinished.write_text(content, encoding="utf-8")
    elif path.suffix == ".csv":
        content.write_csv(unfinished)
    else:
        content.write_parquet(unfinished)
    os.replace(unfinished, path)  # a reader never sees half a file
    return path


def _page(report: RosterReport) -> str:
    environment = Environment(
        loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": _number, "points": _points}
    return environment.get_template("roster.html.j2").render(
        roster=report.roster,
        units=report.units.to_dicts(),
        targets={shown: report.targets.filter(pl.col("phase") == phase).to_dicts() for phase, shown in PHASES.items()},
        matchups=report.matchups.partition_by("position", "unit", as_dict=True, maintain_order=True),
        phases=PHASES,
        weakest=weakest(report),
        left_out=report.left_out,
        note=NOTE,
        policy=_POLICY,
    )


def _points(points: int | None) -> str:
    return "points unknown" if points is None else f"{points} points"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"
