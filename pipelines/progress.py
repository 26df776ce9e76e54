"""What a person at a terminal is told while a run works. Belongs here: saying it, nothing else."""

from __future__ import annotations

import logging

_log = logging.getLogger("warledger.progress")


def say(message: str) -> None:
    """Report a step of a long run; shown where a handler is attached (``warledger run`` attaches one)."""
    _log.info(message)
