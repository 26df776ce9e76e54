"""What a wargear option lets models do: who may take it, how often, what is given up and gained.

Belongs here: the fixed forms of the three parts of an option's sentence. Doesn't: cutting a sentence into these parts
(``wargear_options``), footnotes (``wargear_footnotes``), what a unit may carry in the end (``dimensions.arsenals``).

The grammar of the part that says who, after an optional ``For every 5 models in this unit,``, ``If this unit contains
10 models,`` or ``If the Sergeant is (not) equipped with an X,``:

======================================  ==========================================
this model, any number of models        every model that can
all models in this unit                 all or none
the Sergeant, 1 Trooper, up to 2 X      models of this name; so many of them
each, any number of this model(’s X)    as often as it has what is replaced
2 of this model(’s X), of the Boss(’s)  so often
for each X this model is equipped with  as often as it has an X
this unit, it, a Trooper                one model for the unit
======================================  ==========================================

and behind a name ``equipped with an X`` or ``that is not equipped with an X``. What is gained may be a list to choose
from, a fixed part and one of a list, two different ones of a list; behind an ``or`` another exchange. What is replaced
may be ``an X or a Y``. What fits no form gives None: a wrong reading is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from pipelines.identity import fold, singular
from pipelines.records import CarryLimit, Items, WargearSwap

_NUMBERS = {"one": 1, "on": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = r"[0-9]{1,2}|one|two|three|four|five"
_PER = re.compile(
    rf"For (?:every|each) (?P<per>{_COUNT}) (?P<kind>[^,]{{1,60}}?) in (?:this|the) unit,? (?P<rest>.+)", re.IGNORECASE
)
_IF_SIZE = re.compile(
    r"If (?:this|the) unit contains (?:only )?(?P<size>[0-9]{1,2})(?P<bound> or more| or fewer)? models[,:]? "
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_IF_EQUIPPED = re.compile(
    r"If (?P<who>this model|(?:this unit[’']s|the) [^,]{2,60}?) is (?P<denied>not )?equipped with "
    r"(?P<what>[^,;:]{2,120})(?:, it)?",
    re.IGNORECASE,
)
_EQUIPPED = re.compile(
    r"(?P<who>.+?) (?:that (?:is|are) )?(?P<denied>not )?equipped with (?:either )?(?P<what>[^,;:]{2,120})",
    re.IGNORECASE,
)
_FOR_EACH = re.compile(r"For each (?P<what>[^,]{2,60}) this model is equipped with, it", re.IGNORECASE)
_OF_THIS_MODEL = re.compile(
    rf"(?:(?P<each>each|any number)|(?P<times>{_COUNT})) of (?:this model|the (?P<name>.+))", re.IGNORECASE
)
_EVERY = re.compile(r"(?:any numbers? of|each) (?P<name>.+?)(?: in (?:this|the) unit)?", re.IGNORECASE)
_ALL = re.compile(r"all (?:of the |the )?(?P<name>[^,]+?) in (?:this|the) unit", re.IGNORECASE)
_SOME = re.compile(
    rf"(?:up to )?(?P<most>{_COUNT}|an?) (?:other )?(?P<name>[^\W\d].*?)(?: in (?:this|the) unit)?", re.IGNORECASE
)
_NAMED = re.compile(r"(?!(?:If|For|All|An?) )(?:[Tt]he |[Tt]his unit[’']s )?(?P<name>[A-Z].*)")
_MODELS = re.compile(r"(?:models?|(?P<name>.+?)(?: models?)?)", re.IGNORECASE)
_LIST_OF = re.compile(
    rf"(?:(?P<first>.+?) and )?(?:(?:up to )?(?P<times>{_COUNT}|on)|(?P<any>any)) of the following[*†]*"
    r"(?: in addition to any other weapons)?(?:,? (?:and|but) (?:can|cannot) take duplicates?)?[*†]*"
    r"\s*[:;]*[*†]*(?: -)?\s*(?P<list>.+)",
    re.IGNORECASE,
)
_TWO_OF = re.compile(
    r"(?:(?:either )?(?P<other>[^:]+?),? or )?two different (?:weapons|options) from the following list[*†]*:?[*†]*"
    r"(?: -)?\s*(?P<list>.+)",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"up to (?P<times>[0-9]) (?P<name>[^\W\d][^:;.!?,]{1,80})", re.IGNORECASE)
# Another exchange behind "or": (given up, if anything) and what is gained.
_OR_ELSE = re.compile(
    r",? or (?:can )?(?:have (?:its|their) (?P<had>[^:;]+?) replaced with|"
    r"replace (?:(?:its|their) )?(?P<old>[^:;]+?) with|be equipped with) (?=[0-9]|one of)",
    re.IGNORECASE,
)
_DISTINCT = re.compile(
    r"duplicates are not allowed|cannot (?:take|select|have|be equipped with) duplicates(?! of this piece)",
    re.IGNORECASE,
)
_ANY_OF = re.compile(r"any of the following", re.IGNORECASE)
_ONCE = re.compile(
    r"(?:- |\b)[0-9] (?P<name>[^()0-9•◦-]{2,80}?) \(it cannot take duplicates of this piece", re.IGNORECASE
)
_FIXED = re.compile(r"(?:that|this) model[’']?s (?P<name>[^.()\[\]]{2,80}?) cannot be replaced", re.IGNORECASE)
_ASIDE = re.compile(
    r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|(?<=\.) (?:That|This) model[’'][^.]{1,80} cannot be replaced\.?"
)
_FOOTNOTE = re.compile(r"\s[*†][^*†]*$")
_BETWEEN_CHOICES = re.compile(r"\s+[-•◦]\s+|\s*;\s*|\s+or\s+(?=(?:[0-9]{1,2}|an?)\s)")
_BETWEEN_COUNTED = re.compile(r"\s*,\s*(?:and\s+)?(?=[0-9])|\s+and\s+(?=[0-9])")
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ITEM = re.compile(
    rf"(?:(?P<count>{_COUNT}|an?) )?(?:of (?:its|their) )?(?:additional )?(?P<name>[’']?[^\W\d][^:;.!?]{{1,80}})",
    re.IGNORECASE,
)
_NO_ARTICLE = re.compile(r"^(?:[0-9]{1,2}|an?|one|the|its|their)\s+", re.IGNORECASE)
# What no name of an item holds: the sentence goes on in a way that wasn't understood.
_NO_NAME = re.compile(r"\b(?:replaced?|equipped|following|can|cannot|models?|or)\b", re.IGNORECASE)

_Trade = tuple[Items, Items]  # given up, gained


class _UnreadableError(Exception):
    """A part fits no form."""


@lru_cache(maxsize=4096)  # the pages of a faction print the same options
def read_swap(who: str, given_up: str | None, gained: str, weapon_names: tuple[str, ...] = ()) -> WargearSwap | None:
    """Read the three parts of an option; ``given_up`` None: nothing is replaced. None where a part isn't understood."""
    try:
        swap = _who(who)
        fixed = tuple(match["name"] for match in _FIXED.finditer(gained))
        once = tuple(CarryLimit(1, (match["name"].strip(),)) for match in _ONCE.finditer(gained))
        trades, times = _trades(given_up, gained, weapon_names)
    except _UnreadableError:
        return None
    if times != 1:
        swap = replace(swap, times=times)
    given = [gives for gives, _ in trades]
    alike = len(set(given)) == 1
    return replace(
        swap,
        replaces=given[0] if alike else (),
        besides=() if alike else tuple(given),
        choices=tuple(gains for _, gains in trades),
        distinct=_DISTINCT.search(gained) is not None or _ANY_OF.match(gained) is not None,
        keeps=fixed,
        at_most=once,
    )


def _number(text: str) -> int:
    return _NUMBERS.get(text.lower()) or int(text)


def _who(phrase: str) -> WargearSwap:
    swap = WargearSwap((), ())
    phrase = phrase.strip()
    if match := _FOR_EACH.fullmatch(phrase):
        return replace(swap, carrying=(match["what"],), times=None)
    if match := _PER.fullmatch(phrase):
        swap, phrase = replace(swap, per_models=_number(match["per"]), per_kind=_kind(match["kind"])), match["rest"]
    elif match := _IF_SIZE.fullmatch(phrase):
        size, bound = int(match["size"]), (match["bound"] or "").strip()
        swap = replace(
            swap, from_models=None if bound == "or fewer" else size, to_models=None if bound == "or more" else size
        )
        phrase = match["rest"]
    if match := _IF_EQUIPPED.fullmatch(phrase) or _EQUIPPED.fullmatch(phrase):
        names = tuple(_NO_ARTICLE.sub("", part) for part in re.split(r",? (?:and|or) |, ", match["what"]))
        denied = match["denied"] is not None
        if (" or " in match["what"] and not denied) or (" and " in match["what"] and denied):
            raise _UnreadableError
        swap = replace(swap, not_carrying=names) if denied else replace(swap, carrying=names)
        phrase = match["who"]
    return _subject(swap, phrase.removesuffix(","))


def _subject(swap: WargearSwap, phrase: str) -> WargearSwap:
    plain = fold(phrase)
    if plain == "this model":
        return swap
    if plain in ("this unit", "it"):
        return replace(swap, most=1)
    if match := _ALL.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]), together=True)
    if match := _OF_THIS_MODEL.fullmatch(phrase):
        takers = _kind(match["name"]) if match["name"] else None
        return replace(swap, takers=takers, times=None if match["each"] else _number(match["times"]))
    if match := _EVERY.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]))
    if match := _SOME.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]), most=_number(match["most"]))
    if match := _NAMED.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]))
    raise _UnreadableError


def _kind(name: str) -> str | None:
    match = _MODELS.fullmatch(name.strip())
    if match is None or re.search(r"\b(?:can|if|that|which|of this|of the)\b", name):
        raise _UnreadableError
    return match["name"]


def _trades(given_up: str | None, gained: str, weapon_names: tuple[str, ...]) -> tuple[list[_Trade], int]:
    """All exchanges that an option names, and how often a taker may make one."""
    parts: list[tuple[str | None, str]] = []
    rest = _ASIDE.sub("", _FOOTNOTE.sub("", f" {gained}")).strip()
    given: str | None = given_up
    while match := _OR_ELSE.search(rest):
        parts.append((given, rest[: match.start()]))
        given, rest = match["had"] or match["old"], rest[match.end() :]
    parts.append((given, rest))
    trades, often = [], set()
    for gives, gains in parts:
        choices, times = _choices(gains, weapon_names)
        often.add(times)
        alternatives = _given(gives, weapon_names) if gives else [()]
        trades += [(alternative, choice) for alternative in alternatives for choice in choices]
    if len(often) > 1:
        raise _UnreadableError
    return trades, often.pop()


def _given(phrase: str, weapon_names: tuple[str, ...]) -> list[Items]:
    """What is given up: one set of items, or one of several behind "or"; "A or B and C" could mean two things."""
    known = {fold(name) for name in weapon_names}
    if fold(_NO_ARTICLE.sub("", phrase)) in known:
        return [(_item(phrase),)]
    parts = re.split(r",? or ((?:its|their) )?", phrase.strip(" ,"))
    if len(parts) > 1 and " and " in phrase and not all(parts[1::2]):
        raise _UnreadableError
    return [_items(part, weapon_names) for part in parts[::2]]


def _items(phrase: str, weapon_names: tuple[str, ...]) -> Items:
    """``1 axe and 2 bows``; where no counts tell the items apart, a name of several words may hold an "and"."""
    known = {singular(name) for name in weapon_names}

    def pieces(text: str) -> Sequence[str]:
        if singular(_NO_ARTICLE.sub("", text)) in known:
            return [text]
        parts = _AND.split(text)
        counted = text[0].isdigit()
        return [text] if counted and not all(singular(_NO_ARTICLE.sub("", part)) in known for part in parts) else parts

    if singular(_NO_ARTICLE.sub("", phrase)) in known:
        return (_item(phrase),)
    return tuple(_item(part) for whole in _BETWEEN_COUNTED.split(phrase) for part in pieces(whole))


def _item(text: str) -> tuple[str, int]:
    match = _ITEM.fullmatch(text.strip(" .,*†"))
    if match is None or _NO_NAME.search(match["name"]):
        raise _UnreadableError
    return match["name"].strip(), _number(match["count"]) if match["count"] else 1


def _choices(phrase: str, weapon_names: tuple[str, ...]) -> tuple[list[Items], int]:
    """The alternatives, and how often a taker may choose among them."""
    if match := _UP_TO.fullmatch(phrase.rstrip(". ")):
        return [((match["name"].strip(), 1),)], int(match["times"])
    if match := _TWO_OF.match(phrase):
        listed = _listed(match["list"], weapon_names)
        other = _listed(match["other"], weapon_names) if match["other"] else []
        return [*other, *(first + second for first, second in combinations(listed, 2))], 1
    if match := _LIST_OF.match(phrase):
        listed = _listed(match["list"], weapon_names)
        first = _items(match["first"], weapon_names) if match["first"] else ()
        times = len(listed) if match["any"] else _number(match["times"])
        if first and times != 1:
            raise _UnreadableError
        return [first + choice for choice in listed], times
    if "following" in phrase:
        raise _UnreadableError
    return _listed(phrase, weapon_names), 1


def _listed(phrase: str, weapon_names: tuple[str, ...]) -> list[Items]:
    parts = [part.strip(" -•◦:") for part in _BETWEEN_CHOICES.split(phrase)]
    return [_items(part, weapon_names) for part in parts if part]
