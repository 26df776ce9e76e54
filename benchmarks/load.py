"""One load in a process of its own: ``python -m benchmarks.load FOLDER CACHE [--community-data]`` prints its figures.

Belongs here: ingest and dimensions as a run does them, with what they cost. Doesn't: making input, comparing loads.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from benchmarks.measure import cpu_seconds, peak_bytes, peak_bytes_of_children
from pipelines import reading
from pipelines.dimensions.assemble import assemble
from pipelines.ingest import fingerprint, ingest

PROCESSES = 2


def main() -> None:
    """Load, and print the figures as JSON: seconds and bytes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--community-data", action="store_true")
    given = parser.parse_args()
    reading.MOST_PROCESSES = PROCESSES
    started, before = time.perf_counter(), cpu_seconds()
    fingerprint([given.folder], ruleset="", community_data=given.community_data)
    documents = ingest([given.folder], community_data=given.community_data, cache=given.cache)
    ingested, worked = time.perf_counter(), cpu_seconds()
    reading_peak = peak_bytes() + PROCESSES * peak_bytes_of_children()
    frames = assemble(documents).frames
    figures = {
        "documents": len(documents),
        "ingest_seconds": ingested - started,
        "ingest_cpu_seconds": worked - before,
        "dimensions_seconds": time.perf_counter() - ingested,
        "peak_bytes": max(reading_peak, peak_bytes()),
        "table_bytes": sum(frame.estimated_size() for frame in frames.values()),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
