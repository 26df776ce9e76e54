"""Abilities that are one though datasheets word them differently: "FLY" and "Fly", "this model" and "the bearer".

Belongs here: which sources do the same under the same circumstances, and what is kept of them. Doesn't: texts that are
the same (their ability_id is), what an effect is (``applied``), rules of detachments: each has its own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import replace

from pipelines.identity import fold
from pipelines.worth.sources import Held, Source

_OWNER = re.compile(r"\bthis model\b", re.IGNORECASE)


def one_of_each(sources: Iterable[Source]) -> list[Source]:
    """Sources in their order, those abilities as one that do the same for name, edition and faction.

    Only where all of their texts is compared: of what was left out nobody knows whether it is the same. The first of
    them stands for all, with its key and the owners of all.
    """
    found: dict[Hashable, list[Source]] = defaultdict(list)
    for source in sources:
        is_known = source.kind == "ability" and source.held and not source.left_out
        found[_meaning(source) if is_known else (source.kind, source.key)].append(source)
    return [
        replace(same[0], owners=tuple(dict.fromkeys(owner for source in same for owner in source.owners)))
        for same in found.values()
    ]


def _meaning(source: Source) -> Hashable:
    held = tuple(_said(each) for each in source.held)
    return source.kind, fold(source.name), source.edition, source.faction, held


def _said(held: Held) -> Hashable:
    """All that a held effect is, clauses without what is only spelling."""
    facts = held.facts
    words = (*facts.assumed, facts.option or "", facts.one_of or "")
    clauses = tuple(fold(_OWNER.sub("the bearer", clause)) for clause in words)
    return replace(held, facts=replace(facts, assumed=(), option=None, one_of=None)), clauses
