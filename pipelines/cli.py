"""The ``warledger`` command. Belongs here: arguments, output, exit codes. Doesn't: work.

Exit codes: 0 done; 1 the gate refused, or ``--strict`` and a document was quarantined; 2 anything the user has to
mend: a usage error, missing or unreadable input, no warehouse yet, another run in progress.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pipelines import __version__
from pipelines.paths import PROJECT, places

DONE, REFUSED, USAGE = 0, 1, 2
_CIRCUMSTANCES = (
    "half_range", "long_range", "stationary", "charged", "cover", "overwatch", "spotted", "plunging_fire",
)  # fmt: skip


class UserError(Exception):
    """Something the user has to mend, said in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parsed = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = parsed.command
    try:
        return command(parsed)
    except UserError as error:
        print(f"warledger: {error}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        print("warledger: interrupted; a published warehouse stays readable", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="warledger",
        description="Points-efficiency analytics for tabletop wargamers: raw datasheet dumps to exact matchups.",
    )
    parser.add_argument("--version", action="version", version=f"warledger {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_run(commands)
    _add_matchup(commands)
    _add_sql(commands)
    _add_roster(commands)
    schema = commands.add_parser("schema", help="the data dictionary: every table, column, type, unit, meaning")
    schema.add_argument("--format", choices=["text", "markdown"], default="text")
    schema.set_defaults(command=_schema)
    dev = commands.add_parser("dev", help="the Dagster UI over the same definitions")
    dev.add_argument("--port", type=int, default=3000)
    dev.set_defaults(command=_dev)
    return parser


def _add_warehouse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--warehouse", type=Path, metavar="FILE", help="the DuckDB file (WARLEDGER_WAREHOUSE)")


def _add_run(commands: Any) -> None:
    run = commands.add_parser("run", help="the main job: raw input to warehouse, simulation, reports, dashboard")
    run.add_argument("--raw", type=Path, action="append", default=[], metavar="DIR", help="raw input, repeatable")
    _add_warehouse(run)
    run.add_argument("--dashboard", type=Path, metavar="DIR", help="where pages and reports go")
    run.add_argument("--ruleset", choices=["10e", "11e"], help="one rule set for all weapons instead of their own")
    run.add_argument("--no-community-data", action="store_true", help="only the raw input and declared archetypes")
    run.add_argument("--strict", action="store_true", help="fail where a document is quarantined")
    run.add_argument("--force", action="store_true", help="run even where nothing has changed")
    run.set_defaults(command=_run)


def _add_matchup(commands: Any) -> None:
    matchup = commands.add_parser(
        "matchup",
        help="ad-hoc matchups",
        description="With --json: a JSON list of matchups in, a list of results out. Else: a weapon against a target, "
        'both looked up in the warehouse; "UNIT: WEAPON" and "WEAPON – PROFILE" narrow the search.',
    )
    matchup.add_argument("weapon", nargs="?", help="name of a weapon")
    matchup.add_argument("target", nargs="?", help="name or id of an archetype or a unit")
    matchup.add_argument("--json", metavar="FILE", help="read matchups from a file, or - for standard input")
    matchup.add_argument("--models", type=int, metavar="N", help="models firing the weapon (default 1)")
    for flag in _CIRCUMSTANCES:
        matchup.add_argument(f"--{flag.replace('_', '-')}", action="store_true")
    matchup.add_argument("--unseen", action="store_true", help="the target is not visible (Indirect Fire)")
    matchup.add_argument("--ruleset", choices=["10e", "11e"], help="rules to use (default: the weapon's edition)")
    matchup.add_argument("--simulate", type=int, metavar="N", help="also roll N times; means and standard errors")
    matchup.add_argument("--seed", type=int, metavar="N", help="seed of the simulated dice (default 0)")
    _add_warehouse(matchup)
    matchup.set_defaults(command=_matchup)


def _add_sql(commands: Any) -> None:
    sql = commands.add_parser("sql", help="a read-only query on the published warehouse")
    sql.add_argument("query")
    sql.add_argument("--format", choices=["table", "csv", "json", "parquet"], default="table")
    _add_warehouse(sql)
    sql.set_defaults(command=_sql)


def _add_roster(commands: Any) -> None:
    roster = commands.add_parser(
        "roster",
        help="what an army list does to every archetype, unit by unit",
        description="Reads an army list in any format that the community package imports: the GW app's text, "
        "NewRecruit (text, JSON), ListForge (text, link), Rosterizer.",
    )
    roster.add_argument("file", metavar="FILE", help="the list, or - for standard input")
    roster.add_argument("--out", type=Path, metavar="DIR", help="also write the tables and a page there")
    _add_warehouse(roster)
    roster.set_defaults(command=_roster)


def _run(parsed: argparse.Namespace) -> int:
    from pipelines.ingest import NothingReadableError, StrictError
    from pipelines.run import Request, RunFailedError, UnusablePlaceError, run
    from pipelines.storage.lock import RunInProgressError
    from pipelines.storage.release import GateRefusedError

    started = time.perf_counter()
    _show_progress(started)
    request = Request(
        places=places(tuple(parsed.raw), parsed.warehouse, parsed.dashboard),
        ruleset=parsed.ruleset or "",
        community_data=not parsed.no_community_data,
        strict=parsed.strict,
        force=parsed.force,
    )
    try:
        ran = run(request)
    except (NothingReadableError, RunInProgressError, UnusablePlaceError) as error:
        raise UserError(str(error)) from None
    except (GateRefusedError, StrictError) as error:
        print(f"warledger: {error}; the last good warehouse is untouched", file=sys.stderr)
        return REFUSED
    except RunFailedError as error:
        raise UserError(str(error)) from None
    page = request.places.dashboard / "index.html"
    if ran:
        print(f"done in {time.perf_counter() - started:.1f} s: {request.places.warehouse}, {page}")
    else:
        print(f"nothing has changed since the last run: {request.places.warehouse}, {page} (--force runs anyway)")
    return DONE


def _show_progress(started: float) -> None:
    class Elapsed(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return f"[{time.perf_counter() - started:6.1f} s] {record.getMessage()}"

    handler = logging.StreamHandler()
    handler.setFormatter(Elapsed())
    progress = logging.getLogger("warledger.progress")
    progress.setLevel(logging.INFO)
    progress.propagate = False
    progress.handlers = [handler]


def _published(parsed: argparse.Namespace) -> Path:
    warehouse = places(warehouse=parsed.warehouse).warehouse
    if not warehouse.is_file():
        raise UserError(f"{warehouse}: no warehouse there yet; `warledger run` makes one")
    return warehouse


def _sql(parsed: argparse.Namespace) -> int:
    import duckdb

    from pipelines.storage.build import UnreadableWarehouseError
    from pipelines.storage.query import write_result

    try:
        write_result(_published(parsed), parsed.query, parsed.format, sys.stdout)
    except UnreadableWarehouseError as error:
        raise UserError(str(error)) from None
    except duckdb.Error as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        hint = next((line for line in lines[1:] if line.startswith(("Did you mean", "Candidate"))), "")
        raise UserError(f"{lines[0]} {hint}".strip()) from None
    except ValueError as error:
        raise UserError(str(error)) from None
    return DONE


def _schema(parsed: argparse.Namespace) -> int:
    from warehouse.dictionary import as_markdown, as_text

    sys.stdout.write(as_markdown() if parsed.format == "markdown" else as_text())
    return DONE


def _dev(parsed: argparse.Namespace) -> int:
    from pipelines.defs.home import prepare_dagster_home

    prepare_dagster_home(places().state)
    command = [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions", "-p", str(parsed.port)]
    # Its own process group: Dagster's children outlive a signal that only their parent gets.
    server = subprocess.Popen(command, cwd=PROJECT, start_new_session=True)
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: os.killpg(server.pid, signal.SIGTERM))
    server.wait()
    return DONE


def _matchup(parsed: argparse.Namespace) -> int:
    import duckdb

    from pipelines import adhoc
    from pipelines.storage.build import UnreadableWarehouseError

    if parsed.seed is not None and parsed.simulate is None:
        raise UserError("--seed goes with --simulate N")
    trials = None if parsed.simulate is None else adhoc.Trials(parsed.simulate, parsed.seed or 0)
    try:
        if parsed.json:
            if (
                parsed.weapon
                or parsed.target
                or parsed.models is not None
                or parsed.ruleset
                or any(getattr(parsed, flag) for flag in (*_CIRCUMSTANCES, "unseen"))
            ):
                raise UserError("--json takes no weapon, no target and no circumstances: the matchups say their own")
            text = _read_text(parsed.json)
            print(json.dumps(adhoc.evaluate_json(text, trials), allow_nan=False))
            return DONE
        if not (parsed.weapon and parsed.target):
            raise UserError("matchup takes a weapon and a target, or --json FILE")
        context = {flag: True for flag in _CIRCUMSTANCES if getattr(parsed, flag)}
        if parsed.unseen:
            context["visible"] = False
        sys.stdout.write(
            adhoc.explain(
                _published(parsed),
                parsed.weapon,
                parsed.target,
                models=1 if parsed.models is None else parsed.models,
                context=context,
                ruleset=parsed.ruleset,
                trials=trials,
            )
        )
    except duckdb.Error as error:
        raise UserError(f"no warehouse of this version: {str(error).splitlines()[0]}") from None
    except (ValueError, adhoc.NotFoundError, UnreadableWarehouseError) as error:
        raise UserError(str(error)) from None
    return DONE


def _roster(parsed: argparse.Namespace) -> int:
    import duckdb

    from analyses.roster import as_text, write
    from pipelines.rosters import report
    from pipelines.sources.roster import UnreadableRosterError, read_roster
    from pipelines.storage.build import UnreadableWarehouseError

    text = _read_text(parsed.file)
    try:
        found = report(_published(parsed), read_roster(text))
        sys.stdout.write(as_text(found))
        if parsed.out is not None:
            print(f"\nwritten: {', '.join(str(path) for path in write(found, parsed.out))}")
    except UnreadableRosterError as error:
        raise UserError(f"{parsed.file}: {error}") from None
    except duckdb.Error as error:
        raise UserError(f"no warehouse of this version: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise UserError(f"{parsed.out}: can't be written: {error.strerror}") from None
    except UnreadableWarehouseError as error:
        raise UserError(str(error)) from None
    return DONE


def _read_text(path: str) -> str:
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise UserError(f"{path}: {reason}") from None


if __name__ == "__main__":
    sys.exit(main())
