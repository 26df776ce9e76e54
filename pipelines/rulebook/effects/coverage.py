"""How far a text was read: wholly, in part, not at all, or it isn't about damage.

Belongs here: the status and the clause that is missing. Doesn't: which words are about damage
(``wording.ABOUT_DAMAGE``), counting over texts (the warehouse's views).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pipelines.rulebook.effects.modifier import Modifier
from pipelines.rulebook.effects.reader import CHANGES_ROLL
from pipelines.rulebook.effects.wording import ABOUT_DAMAGE, sentences, spelled

Status = Literal["modelled", "partly", "not_modelled", "not_about_damage", "no_text"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """``clause``: the first that speaks of damage and wasn't read, with the reason; None where nothing is missing."""

    status: Status
    clause: str | None = None


def coverage(text: str | None, modifiers: Iterable[Modifier]) -> Coverage:
    """The status of a text from the modifiers that were read from it."""
    if text is None or not text.strip():
        return Coverage("no_text")
    rows = list(modifiers)
    unread = [row.note for row in rows if not row.is_modelled and row.note and _speaks_of_damage(row.note)]
    if any(row.is_modelled for row in rows):
        return Coverage("partly", unread[0]) if unread else Coverage("modelled")
    if unread:
        return Coverage("not_modelled", unread[0])
    about = next((one.text for one in sentences(spelled(text)) if ABOUT_DAMAGE.search(one.text)), None)
    return Coverage("not_modelled", f"not read: {about[:300]}") if about else Coverage("not_about_damage")


def _speaks_of_damage(note: str) -> bool:
    return note.startswith(CHANGES_ROLL) or ABOUT_DAMAGE.search(note) is not None
