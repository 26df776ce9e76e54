"""What a person at a terminal is told while a run works. Belongs here: saying it, nothing else."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_SECONDS_BETWEEN = 5.0

_log = logging.getLogger("warledger.progress")
Item = TypeVar("Item")


def say(message: str) -> None:
    """Report a step of a long run; shown where a handler is attached (``warledger run`` attaches one)."""
    _log.info(message)


def counted(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """The items as they come; every few seconds it is said how many have come."""
    said = time.monotonic()
    for number, item in enumerate(items, 1):
        yield item
        if (now := time.monotonic()) - said >= _SECONDS_BETWEEN:
            said = now
            say(f"{number:,} of {total:,} {what}")
