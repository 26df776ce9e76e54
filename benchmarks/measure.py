"""Measuring: time and memory. Belongs here: what every benchmark uses. Doesn't: what is measured."""

from __future__ import annotations

import os
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

_REPEATS = 5
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # of getrusage, in bytes
_STATUS = Path("/proc/self/status")


def seconds_of(work: Callable[[], Any]) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def median(work: Callable[[], Any]) -> float:
    """Seconds of a call on the clock, the median of several."""
    return timed(work).wall


class Seconds(NamedTuple):
    """What a call took: on the clock, and of the processor (all threads of this process)."""

    wall: float
    processor: float


def timed(work: Callable[[], Any], repeats: int = _REPEATS) -> Seconds:
    """Measure a call several times; give the median of each."""
    taken = []
    for _ in range(repeats):
        processor, wall = time.process_time(), time.perf_counter()
        work()
        taken.append((time.perf_counter() - wall, time.process_time() - processor))
    return Seconds(*map(statistics.median, zip(*taken, strict=True)))


def cpu_seconds() -> float:
    """Processor time of this process and of its ended children."""
    return sum(os.times()[:4])


def peak_bytes() -> int:
    """The most memory that this process has had, in bytes."""
    if _STATUS.is_file():  # getrusage counts what the process was before it became this one
        found = re.search(r"VmHWM:\s*(\d+) kB", _STATUS.read_text())
        if found:
            return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def peak_bytes_of_children() -> int:
    """The most memory that any of the ended child processes had, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _RSS_UNIT
