"""The ``loadout`` cell of a datasheet: what each kind of model carries by default.

Belongs here: its sentences, and which models and weapons they mean. Doesn't: options to change it (``options``).

A model whose equipment the cell doesn't tell for certain keeps None: nothing is guessed from a similar name. An item
that is neither a weapon nor an ability of the datasheet stays in the list, so that whoever reads it sees it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipelines.identity import fold, singular
from pipelines.records import Composition, UnitAbility, WeaponProfile
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import lines
from pipelines.sources.csv_export.names import same_model, without_unit
from pipelines.sources.csv_export.tables import Row

_SENTENCE = re.compile(
    r"(?P<who>[^:;]{1,160}?) (?:is|are|has|have)(?: (?P<how>each|both|all|additionally|also))*"
    r" equipped with\s*:?\s*(?P<items>.*)"
)
# A sentence glued to the one before it on a line, told by its subject and verb.
_GLUED = re.compile(r"(?<=\.)\s*(?=(?:The|Every|Each|All|This|\d+) [^.;:]{0,100}? (?:is|are) equipped with)")
_ALL = re.compile(
    r"(?:this|every|each|all)(?: of)?(?: the| these)? ?(?:models?|units?)?(?: in (?:this|the) unit)?", re.I
)
_OTHERS = re.compile(r"(?:every|each|all|the) others? ?(?:models?)?|the other models", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:(?:and )?(?:the|every|each|all|this|an?)(?: of the)? )?(?P<count>\d{1,2} )?(?P<name>.+)", re.I
)
_SPLIT_SUBJECT = re.compile(r"(?:,\s*|\s+)and (?:the |every |each |all )?|,\s*", re.IGNORECASE)
_COUNT = re.compile(r"(?P<count>\d{1,2})\s*[x×]?\s+(?P<name>.+)", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^()]{1,80}\)$")  # "Gloom Prism (Aura)"
_NOTHING = frozenset({"nothing", "none", "no weapon"})


@dataclass(frozen=True, slots=True)
class _Clause:
    """One sentence; ``models``: the indexes of the composition it covers, ``count``: how many of them it says."""

    models: tuple[int, ...]
    count: int | None
    weapons: tuple[str, ...]
    is_additional: bool


def read_loadout(
    row: Row,
    composition: tuple[Composition, ...],
    weapons: Sequence[WeaponProfile],
    abilities: Sequence[UnitAbility],
    ledger: Ledger,
) -> tuple[Composition, ...]:
    """The composition with what its models carry, where that is told for certain."""
    items = _Items(weapons, abilities)
    clauses = [clause for sentence in _sentences(row["loadout"]) for clause in _clauses(sentence, composition, items)]
    told = tuple(_equipped(at, entry, clauses, composition) for at, entry in enumerate(composition))
    if items.unknown:
        ledger.note("loadout_item_unknown", row.line, f"{row['name']}: {', '.join(items.unknown)}")
    if any(entry.default_weapons is None for entry in told):
        missing = ", ".join(entry.model_name for entry in told if entry.default_weapons is None)
        ledger.note("loadout_unread", row.line, f"{row['name']}: {missing}")
    return told


def _sentences(cell: str) -> Iterable[re.Match[str]]:
    for line in lines(cell):
        for sentence in _GLUED.split(line):
            match = _SENTENCE.fullmatch(sentence.strip())
            if match is not None:
                yield match


def _keys(name: str) -> tuple[str, str]:
    """A name in the singular, and so without blanks: ``las pistols`` is ``laspistol``."""
    return singular(name), singular(fold(name).replace(" ", ""))


class _Items:
    """Names of items as this datasheet's weapons."""

    def __init__(self, weapons: Sequence[WeaponProfile], abilities: Sequence[UnitAbility]) -> None:
        names = [weapon.weapon_name for weapon in reversed(weapons)]
        self._own = {fold(name): name for name in names}
        self._similar = {key: name for name in names for key in _keys(name)}
        self._wargear = {fold(_REMARK.sub("", ability.name)) for ability in abilities}
        self.unknown: dict[str, None] = {}

    def weapons(self, text: str) -> tuple[str, ...]:
        """The weapons of a list, each as often as the list counts it; wargear without attacks is left out."""
        found: list[str] = []
        for piece in text.split(";"):
            for part in self._parts(piece.strip(" .*")):
                found += self._named(part)
        return tuple(found)

    def _parts(self, piece: str) -> list[str]:
        """A piece as it is where it names something, else cut at its commas and then at its "and"."""
        if not piece or self._is_known(piece):
            return [piece] if piece else []
        for pattern in (r",\s*(?:and\s+)?", r"\s+and\s+"):
            parts = [part.strip() for part in re.split(pattern, piece) if part.strip()]
            if len(parts) > 1 and (pattern[0] == "," or all(self._is_known(part) for part in parts)):
                return [known for part in parts for known in self._parts(part)]
        return [piece]

    def _is_known(self, text: str) -> bool:
        name = _COUNT.sub(lambda match: match["name"], text) if _COUNT.fullmatch(text) else text
        return any(self._weapon(each) is not None for each in (text, name))

    def _weapon(self, name: str) -> str | None:
        exact = self._own.get(fold(name))
        return exact or next((self._similar[key] for key in _keys(name) if key in self._similar), None)

    def _named(self, text: str) -> list[str]:
        counted = _COUNT.fullmatch(text)
        for name, count in ((text, 1), (counted["name"], int(counted["count"])) if counted else (text, 1)):
            own = self._weapon(name)
            if own is not None:
                return [own] * count
        name = counted["name"] if counted else text
        folded = fold(name)
        if folded in _NOTHING or folded in self._wargear:
            return []
        self.unknown[name] = None
        return [name] * (int(counted["count"]) if counted else 1)


def _clauses(sentence: re.Match[str], composition: Sequence[Composition], items: _Items) -> list[_Clause]:
    """What a sentence says, by subject: "The A and every B" has two."""
    weapons = items.weapons(sentence["items"])
    is_additional = sentence["how"] in ("additionally", "also")
    who = sentence["who"].strip()
    if _OTHERS.fullmatch(who):
        return [_Clause((), None, weapons, is_additional)]
    if _ALL.fullmatch(who):
        return [_Clause(tuple(range(len(composition))), None, weapons, is_additional)]
    whole = _subject(who, composition)
    subjects = [whole] if whole[0] else [_subject(part, composition) for part in _SPLIT_SUBJECT.split(who)]
    return [_Clause(models, count, weapons, is_additional) for models, count in subjects if models]


def _subject(text: str, composition: Sequence[Composition]) -> tuple[tuple[int, ...], int | None]:
    match = _SUBJECT.fullmatch(text.strip())
    if match is None:
        return (), None
    name = without_unit(match["name"])
    models = tuple(at for at, entry in enumerate(composition) if same_model(name, entry.model_name))
    return models, int(match["count"]) if match["count"] else None


def _equipped(
    at: int, entry: Composition, clauses: Sequence[_Clause], composition: Sequence[Composition]
) -> Composition:
    """An entry with its weapons: told where all clauses about it agree and cover all of its models."""
    own = [clause for clause in clauses if at in clause.models and not clause.is_additional]
    # A sentence about this kind of model alone is an exception to one about every model.
    narrow = [clause for clause in own if len(clause.models) < len(composition)] or own
    if not narrow:
        narrow = [clause for clause in clauses if not clause.models and not clause.is_additional]
    if not narrow or len({clause.weapons for clause in narrow}) > 1:
        return entry
    counted = [clause.count for clause in narrow if clause.count is not None]
    if len(counted) == len(narrow) and not entry.max_models <= sum(counted):
        return entry
    extra = tuple(
        weapon for clause in clauses if clause.is_additional and at in clause.models for weapon in clause.weapons
    )
    return replace(entry, default_weapons=narrow[0].weapons + extra)
