"""What a wargear option lets models do: who may take it, how often, what is given up and gained.

Belongs here: the fixed forms of the three parts of an option's sentence. Doesn't: cutting a sentence into these parts
(``wargear_options``), counting what a unit may carry in the end (``dimensions.loadouts``).

The grammar of the part that says who, after an optional ``For every 5 models in this unit,`` or ``If this unit
contains 10 models,``:

====================================  ==========================================
this model, any number of models      every model that can
all models in this unit               all or none
the Sergeant, 1 Trooper, up to 2 X    models of this name; so many of them
each, any number of this model(’s X)  as often as it has what is replaced
2 of this model(’s X)                 so often
this unit, it                         one model for the unit
====================================  ==========================================

and behind a name ``equipped with an X`` or ``that is not equipped with an X``. What fits no form gives None: a wrong
reading is worse than none.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from pipelines.identity import fold
from pipelines.records import Items, WargearSwap

_NUMBERS = {"one": 1, "on": 1, "a": 1, "an": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_COUNT = r"[0-9]{1,2}|one|two|three|four|five"
_PER = re.compile(rf"For every (?P<per>{_COUNT}) models in (?:this|the) unit,? (?P<rest>.+)", re.IGNORECASE)
_IF_SIZE = re.compile(
    r"If (?:this|the) unit contains (?:only )?(?P<size>[0-9]{1,2})(?P<bound> or more| or fewer)? models[,:]? "
    r"(?P<rest>.+)",
    re.IGNORECASE,
)
_EQUIPPED = re.compile(
    r"(?P<who>.+?) (?:that (?:is|are) )?(?P<denied>not )?equipped with (?:either )?(?P<what>[^,;:]{2,120})",
    re.IGNORECASE,
)
_OF_THIS_MODEL = re.compile(rf"(?:(?P<each>each|any number)|(?P<times>{_COUNT})) of this model", re.IGNORECASE)
_EVERY = re.compile(r"(?:any numbers? of|each) (?P<name>.+?)(?: in (?:this|the) unit)?", re.IGNORECASE)
_ALL = re.compile(r"all (?:of the |the )?(?P<name>[^,]+?) in (?:this|the) unit", re.IGNORECASE)
_SOME = re.compile(
    rf"(?:up to )?(?P<most>{_COUNT}) (?:other )?(?P<name>[^\W\d].*?)(?: in (?:this|the) unit)?", re.IGNORECASE
)
_NAMED = re.compile(r"(?!(?:If|For|All|An?) )(?:[Tt]he )?(?P<name>[A-Z].*)")
_MODELS = re.compile(r"(?:models?|(?P<name>.+?)(?: models?)?)", re.IGNORECASE)
_LIST_OF = re.compile(
    rf"(?:up to )?(?P<times>{_COUNT}|on) of the following[*†]*(?:,? (?:and|but) (?:can|cannot) take duplicates?)?[*†]*"
    r"\s*[:;]?[*†]*(?: -)?\s*(?P<list>.+)",
    re.IGNORECASE,
)
_UP_TO = re.compile(r"up to (?P<times>[0-9]) (?P<name>[^\W\d][^:;.!?,]{1,80})", re.IGNORECASE)
_DISTINCT = re.compile(r"duplicates are not allowed|cannot (?:take|select|have) duplicates", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]{0,200}\)|(?<=\.) That model[’'][^.]{1,80} cannot be replaced\.?")
_FOOTNOTE = re.compile(r"\s[*†][^*†]*$")
_BETWEEN_CHOICES = re.compile(r"\s+[-•◦]\s+|\s*;\s*|\s+or\s+(?=(?:[0-9]{1,2}|an?)\s)")
_BETWEEN_COUNTED = re.compile(r"\s*,\s*(?:and\s+)?(?=[0-9])|\s+and\s+(?=[0-9])")
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_ITEM = re.compile(
    rf"(?:(?P<count>{_COUNT}|an?) )?(?:of (?:its|their) )?(?P<name>[^\W\d][^:;.!?]{{1,80}})", re.IGNORECASE
)


class _UnreadableError(Exception):
    """A part fits no form."""


@lru_cache(maxsize=4096)  # the pages of a faction print the same options
def read_swap(who: str, given_up: str | None, gained: str, weapon_names: tuple[str, ...] = ()) -> WargearSwap | None:
    """Read the three parts of an option; ``given_up`` None: nothing is replaced. None where a part isn't understood."""
    try:
        choices, times = _choices(gained, weapon_names)
        swap = replace(_who(who), replaces=_given(given_up, weapon_names) if given_up else (), choices=choices)
    except _UnreadableError:
        return None
    if times != 1:
        swap = replace(swap, times=times)
    return replace(swap, distinct=_DISTINCT.search(gained) is not None)


def _number(text: str) -> int:
    return _NUMBERS.get(text.lower()) or int(text)


def _who(phrase: str) -> WargearSwap:
    swap = WargearSwap((), ())
    phrase = phrase.strip()
    if match := _PER.fullmatch(phrase):
        swap, phrase = replace(swap, per_models=_number(match["per"])), match["rest"]
    elif match := _IF_SIZE.fullmatch(phrase):
        size, bound = int(match["size"]), (match["bound"] or "").strip()
        swap = replace(
            swap, from_models=None if bound == "or fewer" else size, to_models=None if bound == "or more" else size
        )
        phrase = match["rest"]
    if match := _EQUIPPED.fullmatch(phrase):
        names = tuple(_NO_ARTICLE.sub("", part) for part in re.split(r",? (?:and|or) |, ", match["what"]))
        denied = match["denied"] is not None
        if " or " in match["what"] and not denied:
            raise _UnreadableError
        swap = replace(swap, not_carrying=names) if denied else replace(swap, carrying=names)
        phrase = match["who"]
    return _subject(swap, phrase.removesuffix(","))


_NO_ARTICLE = re.compile(r"^(?:[0-9]{1,2}|an?|one|the|its|their)\s+", re.IGNORECASE)


def _subject(swap: WargearSwap, phrase: str) -> WargearSwap:
    plain = fold(phrase)
    if plain == "this model":
        return swap
    if plain in ("this unit", "it"):
        return replace(swap, most=1)
    if match := _ALL.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]), together=True)
    if match := _OF_THIS_MODEL.fullmatch(phrase):
        return replace(swap, times=None if match["each"] else _number(match["times"]))
    if match := _EVERY.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]))
    if match := _SOME.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]), most=_number(match["most"]))
    if match := _NAMED.fullmatch(phrase):
        return replace(swap, takers=_kind(match["name"]))
    raise _UnreadableError


def _kind(name: str) -> str | None:
    match = _MODELS.fullmatch(name.strip())
    if match is None or re.search(r"\b(?:can|if|that|which|of this)\b", name):
        raise _UnreadableError
    return match["name"]


def _given(phrase: str, weapon_names: tuple[str, ...]) -> Items:
    if re.search(r"\bor\b", phrase):
        raise _UnreadableError
    return _items(phrase.strip(" ,"), weapon_names)


def _items(phrase: str, weapon_names: tuple[str, ...]) -> Items:
    """``1 axe and 2 bows``; where no counts tell the items apart, a name of several words may hold an "and"."""
    if fold(_NO_ARTICLE.sub("", phrase)) in {fold(name) for name in weapon_names}:
        return (_item(phrase),)
    counted = _BETWEEN_COUNTED.split(phrase)
    return tuple(_item(part) for whole in counted for part in ([whole] if whole[0].isdigit() else _AND.split(whole)))


def _item(text: str) -> tuple[str, int]:
    match = _ITEM.fullmatch(text.strip(" .,*†"))
    if match is None:
        raise _UnreadableError
    return match["name"].strip(), _number(match["count"]) if match["count"] else 1


def _choices(phrase: str, weapon_names: tuple[str, ...]) -> tuple[tuple[Items, ...], int]:
    """The alternatives, and how often a taker may choose among them."""
    phrase, times = _ASIDE.sub("", _FOOTNOTE.sub("", f" {phrase}")).strip(), 1
    if match := _UP_TO.fullmatch(phrase.rstrip(". ")):
        return (((match["name"].strip(), 1),),), int(match["times"])
    if match := _LIST_OF.match(phrase):
        times, phrase = _number(match["times"]), match["list"]
    elif "following" in phrase:
        raise _UnreadableError
    parts = [part.strip(" -•◦:") for part in _BETWEEN_CHOICES.split(phrase)]
    return tuple(_items(part, weapon_names) for part in parts if part), times
