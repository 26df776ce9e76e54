"""Under which conditions a phrase holds, as its sentence says them, and for how long.

Belongs here: what stands before a phrase ("if your unit charged, ...") and after it ("... while targeting a VEHICLE").
Doesn't: conditions that other sentences, WHEN or TARGET give (``reader``, ``texts``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.rulebook.effects.modifier import Duration
from pipelines.rulebook.effects.rolls import Found
from pipelines.rulebook.effects.subjects import Trigger

DURATION = re.compile(
    r"\b(?:[Uu]ntil the (?P<edge>end|start) of (?P<whose>the|your|that|its|their|each|this)(?P<next> next)?(?: "
    r"[A-Z]?[\w’]+){0,2}? "
    r"(?P<what>phase|turn|battle round|battle)\b|[Uu]ntil (?:the attacking unit|those attacks|that unit|it) (?:has|"
    r"have|are|is) "
    r"(?:finished|resolved|been resolved)[^,.]{0,60}|[Ww]hile resolving those attacks|[Ww]hen resolving those attacks)"
)
_CONDITIONAL = re.compile(
    r"\b(?:if|while|when|whenever|each time|once|until|unless|after|during|at the|from the|provided|against|select|"
    r"otherwise"
    r"|first time|spend|in (?:a|your|the|each|any)|within|on a Critical|just)\b",
    re.IGNORECASE,
)
_BENIGN = re.compile(
    r"(?:\s*\b(?:instead|as well|too|against (?:that|those) attacks?|for that attack|of that attack|made for (?:it|"
    r"that unit|that attack)"
    r"|made against that attack|against it|to score a hit|, instead of (?:only )?(?:a|an unmodified)? ?6))*"
)
_TRAILING = re.compile(
    r"\s*(?P<text>(?:but )?(?:only )?(?:if|while|whilst|as long as|unless|when|whenever|against|provided|for|from|in|"
    r"that|until|with|within"
    r"|made|to|during|on|after|excluding)\b.*)",
    re.DOTALL,
)
_TRAILING_AFTER_COMMA = re.compile(
    r"\s*(?:,|\()\s*(?P<text>(?:but )?(?:only )?(?:if|while|unless|provided|except|excluding|but)\b.*)", re.DOTALL
)
_TRAILING_ENDS = re.compile(
    r",? and, |, and\b|, until\b|, each time\b|, you\b|[;:]|\.(?=\s|$)|, (?:add|improve|re-roll|models|ranged|melee)\b"
)
_TAKEN_UP = re.compile(r"^(?:If|When) (?:you|it|they|that unit|that model|doing) (?:do|does|so)\b,?\s*(?:then\b,?\s*)?")
_IDLE = re.compile(
    r"\b[Rr]oll (?:a number of D6 equal to [^,.:;]{0,120}|\w+ D6(?: for (?:each|every) [^,.:;]{1,200})?)|\bspend up "
    r"to \w+ and\b"
    r"|(?:, )?\b(?:[Oo]n an?|[Ff]or each) \d(?:-\d|\+)?(?=[,:])|,? ?(?:and )?the bearer has the [\w ]+ ability"
    r"|,? (?:adding|subtracting) \d[^:;.]{0,200}|,? or roll \w+ D6[^:;.]{0,200}|,? rolling \w+ additional[^:;.]{0,200}"
)


_EFFECT = re.compile(r"(?:add|subtract|improve|worsen|re-roll)\b(?![^,;]*\b(?:if|while|unless)\b)", re.IGNORECASE)


def duration_of(sentence: str) -> Duration | None:
    """How long what a sentence gives lasts; None where it doesn't say."""
    match = DURATION.search(sentence)
    if match is None:
        return None
    if match["what"] is None:
        return "attacks"
    if match["next"] or match["edge"] == "start":
        return "battle_round" if match["what"] == "battle round" else "next_turn"
    return match["what"].replace(" ", "_")  # type: ignore[return-value]


def taken_up(sentence: str) -> bool:
    """Tell whether a sentence goes on from what was offered before: "If you do, ..."."""
    return _TAKEN_UP.match(sentence) is not None


@dataclass(frozen=True, slots=True)
class Clause:
    """Conditions around a phrase, and the stretch of the sentence that they stand in."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


def clauses(sentence: str, found: Sequence[Found], triggers: Sequence[Trigger]) -> list[Clause]:
    """What is said around each phrase; phrases and triggers in order of their place.

    What stands before a phrase holds for it and those after it; what follows it closely, for it alone and those that
    "and" ties to it.
    """
    blocks = sorted({(one.begin, one.end) for one in found} | {(one.start, one.end) for one in triggers})
    after = [_trailing(sentence, one, blocks) for one in found]
    for position in range(len(found) - 2, -1, -1):
        between = sentence[found[position].end : max(found[position].end, found[position + 1].begin)]
        apart = re.match(r"\s*(?:as well|instead)\b", sentence[found[position + 1].end :])
        if (
            after[position][0] is None
            and not apart
            and re.fullmatch(r"(?:,|\s|\band\b|\bor\b|\byou can\b|\bthe\b)*", between)
        ):
            after[position] = after[position + 1]
    read = []
    for one, (behind, span) in zip(found, after, strict=True):
        before, spans = [], [span] if span else []
        since = _other_branch(sentence, one, found)
        for start, end in _gaps(sentence, one.begin, blocks, [each[1] for each in after if each[1]]):
            piece = clean(sentence[start:end])
            if piece and start >= since:
                before.append(piece)
                spans.append((start, end))
        read.append(Clause(tuple(before), (behind,) if behind else (), tuple(spans)))
    return read


def _other_branch(sentence: str, one: Found, found: Sequence[Found]) -> int:
    """Where the branch begins that a phrase stands in: after "..., or if" what was said before doesn't hold for it."""
    ends = [other.end for other in found if other.end <= one.begin]
    return max(ends) if ends and re.match(r",? or\b,? ", sentence[max(ends) : one.begin]) else 0


def _trailing(
    sentence: str, one: Found, blocks: Sequence[tuple[int, int]]
) -> tuple[str | None, tuple[int, int] | None]:
    start = one.end
    if benign := _BENIGN.match(sentence, start):
        start = benign.end()
    limit = min((begin for begin, _ in blocks if begin >= one.end), default=len(sentence))
    match = _TRAILING.match(sentence, start, limit)
    if match is None and limit == len(sentence):
        match = _TRAILING_AFTER_COMMA.match(sentence, start, limit)
    if match is None:
        return None, None
    stop = _TRAILING_ENDS.search(match["text"])
    text = match["text"][: stop.start()] if stop else match["text"]
    span = (match.start("text"), match.start("text") + len(text))
    text = re.sub(r"(?:\band\b|[\s,()])+$", "", DURATION.sub("", text)).strip()
    return (text or None), span


def _gaps(
    sentence: str, until: int, blocks: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Stretches before a place that no phrase, no trigger and no condition after a phrase covers."""
    gaps, at = [], 0
    for start, end in sorted([*blocks, *taken]):
        if start >= until:
            break
        if start > at:
            gaps.append((at, min(start, until)))
        at = max(at, end)
    if at < until:
        gaps.append((at, until))
    return gaps


def clean(text: str) -> str:
    """A condition without durations, dice and joining words; "" where it is none."""
    text = _IDLE.sub("", DURATION.sub("", _TAKEN_UP.sub("", text.strip())))
    text = re.sub(r"\s*([,:;])(?:\s*(?:and|then|or)?\s*[,:;])+", r"\1", text)
    text = re.sub(r"^.*?:\s*(?=(?:While|If|Each|When|Once|In|At|During|After)\b)", "", text)
    text = re.sub(
        r"^(?:[\s,;:.]|\b(?:and|then|in addition|instead|as well|you can|that attack)\b)+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    text = re.sub(r"(?:[\s,;:(]|\b(?:and|then|you can|it|they|a successful|an?|when doing so)\b)+$", "", text)
    text = text.strip()
    return text if _CONDITIONAL.search(text) and not _EFFECT.match(text) else ""
