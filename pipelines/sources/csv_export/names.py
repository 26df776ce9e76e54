"""Names of models and weapons as different tables of one export spell them.

Belongs here: comparing a plural with its singular, a count with a name. Doesn't: names across sources (``identity``).
"""

from __future__ import annotations

import re

from pipelines.identity import singular

_UNIT = re.compile(r"\s+(?:models?|units?)$")


def without_unit(name: str) -> str:
    """``Boss Nob model`` is ``Boss Nob``."""
    return _UNIT.sub("", name)


def same_model(subject: str, name: str) -> bool:
    """Whether a subject (``the Boss Nob``) means a model of that name, whatever the number of either."""
    return singular(without_unit(subject)) == singular(without_unit(name))
