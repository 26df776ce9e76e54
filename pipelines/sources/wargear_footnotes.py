"""Footnotes below wargear options: what else a model or a unit may not do.

Belongs here: the fixed forms of a footnote and which options its mark (``*``, ``**``) stands at. Doesn't: the options'
own sentences (``wargear_options``).

A footnote that isn't understood restricts its options in an unknown way, so these count as not understood either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipelines.records import CarryLimit, WargearOption, WargearSwap

_MARK = re.compile(r"(?P<mark>[*†]+) ?(?P<text>.+)", re.DOTALL)
_MARKED_ITEM = re.compile(r"^(?:- )?(?:[0-9]{1,2} )?(?P<names>[^*†\n]+?)\.?(?P<mark>[*†]+)$", re.MULTILINE)
_TIMES = {"once": 1, "twice": 2}
_LARGEST_UNIT = 100
_ITEM = r"(?:an? )?(?P<{}>[^.,]{{2,60}}?)"

_SAME = r"You cannot select the same (?:weapon|option)(?: from this list)? more than (?P<most>once|twice) per unit"
_REPEATS = re.compile(
    rf"{_SAME}(?:,? unless (?:it|this unit) contains (?P<size>\d{{1,2}}) models, in which case you cannot select the "
    r"same (?:weapon|option)(?: from this list)? more than (?P<then>once|twice) per unit)?"
)
_PER_MODELS = re.compile(r"To a maximum of (?P<most>\d{1,2}) per (?P<per>\d{1,2}) models in this unit")
_KEPT = re.compile(r"(?:That|This) model[’']s (?P<name>.+?) cannot be replaced")
_KEPT_GAIN = re.compile(r"This weapon cannot be replaced")
_BEARER_KEPT = re.compile(r"That .+? cannot then be replaced")
_EXCLUSIVE = re.compile(
    r"(?:A|This|The s[oa]me) model (?:can only take one of these options|cannot be equipped with more than one of "
    r"these wargear options)|You cannot select both of these options for the same model|These options cannot be taken "
    r"on the same model"
)
_NOT_WITH = re.compile(
    rf"A model can only take one of these options, and cannot be equipped with {_ITEM.format('one')} or "
    rf"{_ITEM.format('other')}"
)
_ONE_EACH = re.compile(
    r"Maximum (?:1|one) per model|(?:This|Each) model cannot have duplicates of these pieces of wargear"
)
_NOT_BOTH = re.compile(
    rf"(?:This model cannot|No model can) be equipped with both {_ITEM.format('one')} and {_ITEM.format('other')}"
    r"(?: at the same time)?"
)
_NO_MORE = re.compile(
    r"(?:This|Each) model cannot be equipped with more than (?P<most>\d) (?P<name>[^.,]{2,60})"
    r"(?:, and it cannot be equipped with more than (?P<most2>\d) (?P<name2>[^.,]{2,60}))?"
)
_ONE_PISTOL = re.compile(
    r"This model can only be equipped with two ranged weapons if one of them is a Pistol "
    r"\(and it can only have one Pistol\)"
)
_REMARK = re.compile(r"Designer[’']s Note\b.*|The rules for .+ can be found on .+", re.DOTALL)


def with_footnotes(options: Iterable[WargearOption], footnotes: Iterable[str]) -> tuple[WargearOption, ...]:
    """The options of one datasheet, each with what the footnotes of its marks forbid (without swap: unreadable).

    A footnote whose mark stands nowhere belongs to the option whose text it follows.
    """
    found = list(options)
    for footnote in footnotes:
        match = _MARK.fullmatch(footnote.strip())
        if match is None:
            continue
        marked = [n for n, option in enumerate(found) if _is_marked(option, match["mark"])]
        marked = marked or [n for n, option in enumerate(found) if footnote.strip() in (option.text or "")]
        for n in marked:
            swap = found[n].swap
            if swap is not None:
                items = _marked_items(found[n], match["mark"])
                found[n] = replace(found[n], swap=_heeding(swap, match["text"], items, [found[m] for m in marked]))
    return tuple(found)


def _own_text(option: WargearOption) -> str:
    """The text of an option without the footnotes below it."""
    return "\n".join(line for line in (option.text or "").split("\n") if not line.startswith(("*", "†")))


def _is_marked(option: WargearOption, mark: str) -> bool:
    return re.search(rf"(?<![*†]){re.escape(mark)}(?![*†])", _own_text(option)) is not None


def _marked_items(option: WargearOption, mark: str) -> tuple[str, ...]:
    """Names in the option's list that the mark stands at."""
    below = _own_text(option).partition("\n")[2]
    names = [match["names"] for match in _MARKED_ITEM.finditer(below) if match["mark"] == mark]
    return tuple(re.sub(r"^(?:\d{1,2}|an?) ", "", part) for name in names for part in re.split(r",? and |, ", name))


def _heeding(
    swap: WargearSwap, footnote: str, items: tuple[str, ...], marked: Sequence[WargearOption]
) -> WargearSwap | None:
    """The swap under a footnote; None where the footnote isn't understood."""
    if _REMARK.fullmatch(footnote):
        return swap
    heeding: WargearSwap | None = swap
    for sentence in re.split(r"(?<=\.)\s+", footnote):
        if heeding is not None:
            heeding = _under(heeding, sentence.strip(" ."), items, marked)
    return heeding


def _under(
    swap: WargearSwap, sentence: str, items: tuple[str, ...], marked: Sequence[WargearOption]
) -> WargearSwap | None:
    if match := _REPEATS.fullmatch(sentence):
        then = ((int(match["size"]), _TIMES[match["then"]]),) if match["size"] else ()
        return replace(swap, repeats=((0, _TIMES[match["most"]]), *then))
    if match := _PER_MODELS.fullmatch(sentence):
        most, per = int(match["most"]), int(match["per"])
        steps = range(1, _LARGEST_UNIT // per + 1) if per else ()
        return replace(swap, repeats=((0, 0), *((per * n, most * n) for n in steps)))
    if match := _KEPT.fullmatch(sentence):
        return replace(swap, keeps=(*swap.keeps, match["name"]))
    if _KEPT_GAIN.fullmatch(sentence):
        return replace(swap, keeps=(*swap.keeps, *items))
    if _BEARER_KEPT.fullmatch(sentence):  # one with a bearer says itself what it must go on carrying
        return swap if swap.carrying else None
    if match := _ONE_PISTOL.fullmatch(sentence):
        return _limited(swap, CarryLimit(1, kind="pistol"), CarryLimit(1, kind="other_ranged"))
    if _ONE_EACH.fullmatch(sentence):
        return _limited(swap, *(CarryLimit(1, (item,)) for item in items))
    if match := _NOT_WITH.fullmatch(sentence):
        swap = replace(swap, not_carrying=(*swap.not_carrying, match["one"], match["other"]))
        return _limited(swap, CarryLimit(1, _gained(marked)))
    if _EXCLUSIVE.fullmatch(sentence):
        return _limited(swap, CarryLimit(1, _gained(marked)))
    if match := _NOT_BOTH.fullmatch(sentence):
        return _limited(swap, CarryLimit(1, (match["one"], match["other"])))
    if match := _NO_MORE.fullmatch(sentence):
        limits = [(match["most"], match["name"])]
        limits += [(match["most2"], match["name2"])] if match["most2"] else []
        return _limited(swap, *(CarryLimit(int(most), _names_of(name)) for most, name in limits))
    return None


def _limited(swap: WargearSwap, *limits: CarryLimit) -> WargearSwap:
    return replace(swap, at_most=tuple(dict.fromkeys((*swap.at_most, *limits))))


def _gained(options: Sequence[WargearOption]) -> tuple[str, ...]:
    found = (name for option in options if option.swap for choice in option.swap.choices for name, _ in choice)
    return tuple(dict.fromkeys(found))


def _names_of(name: str) -> tuple[str, ...]:
    """No names: every ranged weapon."""
    return () if name == "ranged weapons" else (name,)
