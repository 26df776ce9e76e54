"""What else the clauses of a condition say: nothing, an option's name, a name by the way, an unlisted limit.

Belongs here: patterns of whole clauses and of what is left of them. Doesn't: whose unit a keyword names (``roles``),
weapons and characteristics (``attacks``).
"""

from __future__ import annotations

import re

from pipelines.worth.circumstances.keywords import GROUP

_GROUP = f"(?:{GROUP.pattern})"
_THE = (
    r"(?:(?:an?|one|two|one or more|the|any|this|that|your|each|every|any number of)\b ?)?"
    r"(?:other |another |friendly |enemy |visible )*"
)
_NOT_YET = (
    r"ha(?:s|ve) (?:yet to (?:shoot|fight|shoot or fight)|not been selected to (?:shoot|fight|shoot or fight))"
    r"(?: in)? (?:this|that) phase"
)
_NOTHING = re.compile(
    r"|that targets (?:that|an|the|the selected|your) (?:enemy )?unit|(?:that |an )?enemy unit|against (?:that unit|it)"
    rf"|(?:enemy )?unit from your opponent’s army|in this phase|(?:that )?(?:unit|models?)(?: in it)?"
    rf"|unit that {_NOT_YET}|models? in (?:it|them)"
    r"|a model in (?:that enemy unit|(?:one|either|each) of (?:your|those) units|each of your units)"
    r"|both of (?:those|your) units|an? (?:friendly )?model|is allocated to an enemy model|that (?:unit|model)"
    r"|(?:[Ii]n this phase )?your unit(?: in this phase)?|one of (?:its|your unit’s) models(?: in this phase)?"
    r"|an? (?:ranged|melee) attack of (?:a model in )?this unit|against ranged attacks models in your unit"
    r"|In your Shooting phase|In the Fight phase|that targets the attacking unit|a friendly unit"
    r"|for the rest of the turn"
)
_REST = re.compile(
    r"(?:\s|[,.()⟨⟩-]|’s|\b(?:an?|one|[Tt]wo|[Uu]p to (?:one|two|three)|[Aa]ll|each|every|other|another|that|those|your"
    r"|the|or|and|enemy|friendly|visible|[Mm]odels?|units?|in|this|of|it|its|their|for|only|from your ?army|your army"
    r"|which|with|these|them|selected|[Ee]ach time|has been|targets?|targeting|while|against|attacks?|keywords?|is|has"
    r"|have|does|not|can|cannot|[Ii]f|Unless|no|both|bearer’s|bearer|among those targets|in this phase|also|When"
    rf"|leading|[Yy]ou|Stratagem|attached to|with this|non|allocated to|made by|(?:that )?{_NOT_YET}"
    r"|(?:that )?(?:was|were) selected as (?:the|a) targets? of one or more of the attacking units?’? ?s? attacks)\b)*"
)
OVERWATCH = re.compile(
    r",? ?\b(?:while|when) (?:firing Overwatch|resolving that Stratagem)"
    r"|\b(?:target|select) (?:this|the|your|that) [^,;]{1,60} (?:with|for) the (?:Fire )?Overwatch Stratagem"
)
_EITHER = re.compile(
    r"\b(?:and/or|or) (?:if |your |that |the |this |it |its |is |was |has |Battle-shocked\b|while )"
    r"|\bBattle-shocked or (?:an? )?"
)
# Names that say where or why, not who: the clause around them is assumed with them.
BY_THE_WAY = re.compile(
    rf"\bwithin [^,;()]*? ?of (?:and visible to |or visible to )?{_THE}{_GROUP}(?: from your army)?"
    rf"|\bvisible to {_THE}{_GROUP}(?: in your unit)?"
    rf"|\b(?:disembark\w*|left|embarked|was embarked) (?:from |within |in )?{_THE}{_GROUP}(?: this turn)?"
    r"|\b(?:is|are) leading (?:this|your|that) [\w’ ]*?unit\b"
    rf"|\b[Ww]hile {_THE}{_GROUP}(?: (?:is|are) leading (?:this|your|that)(?: model’s)? unit| leads your unit)"
    rf"|\b(?:or )?[Ii]f {_THE}{_GROUP} is (?:leading (?:this|your|that) unit|destroyed\b)"
    rf"|\b(?:contains?|in the same unit as|includes?|[Ww]hile one or more) {_THE}{_GROUP}"
    rf"|\bbecause of (?:this|your) {_GROUP}|\bdestroy(?:s|ed) (?:one or more |an? |your ){_GROUP}(?: from your army)?"
    r"|\bhit by one or more (?:of those )?(?:\w+ )?[Aa]ttacks"
    r"(?: (?:made (?:with|by) [^,;()]+|that had the[^,;()]*))?(?: \(including [^)]*\))?"
    rf"|\bone or more {_GROUP} from your army (?=(?:is|are) currently)|\bone or more friendly {_GROUP} (?=(?:is|are) )"
    rf"|\byour army (?:does not |do not )?include[^;]*|\b[Yy]our Army Faction is {_GROUP}"
    rf"|\b[Tt]his {_GROUP}(?! (?:unit|model)’s)|\b(?:or within [^)]*? )?if (?:this|that) model is TITANIC"
    r"|\bmust take an? [\w-]+ test, .*|^You can(?:not|) (?!target an?\b|select an?\b).*"
)
_HEADING = re.compile(
    r"option \d+|[+]?\d\+?|\[[^\]]*\]"
    r"|(?!(?:Once|Each|When|While|If|In|At|After|Until|Select|Unless|Psychic|This|That|The|Models|Weapons|Two|Up|"
    r"You|For|All|An?) )[^\W\d_a-z][\w’'!-]*(?:,? (?:of|the|and|to|in|for|[^\W\d_a-z][\w’'!-]*|\[[^\]]*\]))*"
    r"(?: \((?:Aura|Psychic)\))?"
)
_SOME = re.compile(
    r"\bCritical (?:Hit|Wound)\b|\bunmodified (?:Hit|Wound) roll\b|\balready ha(?:ve|s)\b"
    r"|\b(?:Bodyguard|other|selected) models?\b|\banother model\b|\bthat are(?: not)? equipped\b"
    r"|^(?:an? |all |the |[Ww]eapons equipped by )?(?:[A-Z][a-z][\w’-]* )+models? in (?:this|your|that)\b"
)


def says_nothing(clause: str) -> bool:
    """Tell whether a clause says nothing that could fail to hold: "that targets that enemy unit"."""
    return _NOTHING.fullmatch(clause) is not None


def says_nothing_more(rest: str) -> bool:
    """Tell whether what is left of a clause says nothing about the state of the game."""
    return _REST.fullmatch(rest) is not None


def is_heading(clause: str) -> bool:
    """Tell whether a clause is a heading or a label: a name, not a condition."""
    return _HEADING.fullmatch(clause) is not None


def only_some(clause: str) -> bool:
    """Tell whether a clause limits an effect to attacks that score a critical, or to models that no keyword names."""
    return _SOME.search(clause) is not None


def gives_alternative(rest: str) -> bool:
    """Tell whether a clause holds under one of two conditions, of which one is about the state of the game."""
    return _EITHER.search(rest) is not None
