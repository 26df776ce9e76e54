"""One run at a time. Belongs here: the lock that runs take; the operating system drops it when its process dies."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_held: set[Path] = set()


class RunInProgressError(Exception):
    """Another process is running the pipeline over the same state folder."""


@contextmanager
def run_lock(state: Path) -> Iterator[None]:
    """Hold the lock of a state folder; within the process that holds it already, nothing more is taken.

    Raises RunInProgressError when another process holds it.
    """
    path = (state / "run.lock").resolve()
    if path in _held:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunInProgressError("another run is in progress") from None
        _held.add(path)
        try:
            yield
        finally:
            _held.discard(path)
