"""Whose unit a keyword in a condition names: the user's, some of its models, or the enemy's.

Belongs here: the words around keywords that tell. Doesn't: the keywords (``keywords``), other wording (``wording``).
"""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["user", "models", "target"]

_HAS = r"(?:is|has|can|cannot|does not have)(?: not)? ?(?:an? |the )?$"
_AT = r"\btarget(?:s|ed|ing)? "
_UNIT = r"(?:an? |the )?(?:enemy )?(?:unit|model)s? "
_ASIDE = r"^(?: ⟨\d+⟩)?"  # an exclusion may stand between
# In order, the first that fits: role, how the words before end, how those behind begin.
_ROLES: tuple[tuple[Role, str, str], ...] = (
    ("models", r"", rf"{_ASIDE} (?:in|attached to) (?:this|your|that|the same|the bearer’s|this model’s) unit\b"),
    ("models", r"", rf"{_ASIDE} in (?:either|one|each|both) of "),
    ("models", r"\b(?:this|that|your) unit’s $", r""),
    ("user", r"", rf"{_ASIDE} from (?:your|you) ?(?:army|array)\b"),
    ("target", r"\benemy $", r""),
    ("target", r"\battacks made by $", r""),
    ("user", r"\bfriendly (?:other )?$", r""),
    ("user", r"\bfor each $", r"^ in your army\b"),
    ("target", rf"{_AT}(?:(?:an?|the|one|that|any|enemy|visible|closest|eligible|non-) )*$", r""),
    ("target", rf"{_AT}{_UNIT}(?:⟨\d+⟩)?that {_HAS}", r""),
    ("target", rf"{_AT}{_UNIT}without the $", r""),
    ("user", r"\bunits? from your army with the $", r"^ keyword"),
    ("target", rf"\b(?:target|that enemy (?:unit|model))(?: of that attack)? {_HAS}", r""),
    ("target", r"\ballocated to an? $", r""),
    ("target", r"\bagainst (?:an? )?$", r""),
    ("user", rf"\b(?:[Yy]our unit|[Tt]his (?:unit|model)|[Tt]he bearer(?:’s unit)?|[Tt]hat TRANSPORT) {_HAS}", r""),
    ("user", rf"\b(?:[Ii]f|[Uu]nless) (?:it|that unit) {_HAS}", r""),
    ("user", r"\bleading an? $", r""),
    ("user", r"\b[Ww]hile an? $", rf"{_ASIDE} is (?:wholly )?(?:within|~)"),
    ("user", r"^You cannot (?:target|select) an? $", r"^ (?:units? )?with this Stratagem"),
    (
        "user",
        r"(?:^|\bmodels? in |^weapons of )(?:(?:[Aa]ll|an?|each|other|another|one|[Tt]wo|three"
        r"|[Uu]p to (?:one|two|three)|your|the|selected|one of your|each of those|those|that|non-) )*$",
        r"^(?:’s unit)?(?!’)",
    ),
)
_ROLE_PATTERNS = tuple((role, re.compile(left), re.compile(right)) for role, left, right in _ROLES)
_REFERS = re.compile(r"\b[Tt](?:hat|hose) $")
_UNSURE = re.compile(rf"\b(?:it|that unit) {_HAS}")
_NEAR = re.compile(r"\b[Ww]hile an? friendly $")
_NEGATED = re.compile(
    r"(?:\bnot (?:an? )?|\bcannot |\bdoes not have the |\b[Uu]nless (?:this unit|this model|it|that unit) is an? "
    r"|\bnon- |\bwithout the |^You cannot (?:target|select) an? )$"
)
_ENEMY_FIRST = re.compile(r"\benemy (?:unit|model)|\btargets? (?:an?|the) |^unit ~? ?$|^ ?$")
_MODELS_FIRST = re.compile(r"^(?:an? )?models? (?:in (?:your|this|that|the bearer’s) unit )?$")
_OWN_FIRST = re.compile(r"^unit that [^~]*$|\b(?:[Yy]our|[Tt]his|[Tt]hat|bearer’s)(?: model’s)? (?:unit|model)\b")
_OTHERS = re.compile(
    r"^(?:one|up to \w+) (?:other )?(?:friendly\b|[^;]*\bfrom your army\b)"
    r"|(?:^|^[Ww]hile )an? (?:friendly )?[^\W\d_a-z]{2}|\bmodels? in your [^\W\d_a-z]{2}"
)
_TOGETHER = re.compile(
    r"\b(?:those|your|both|selected) (?:units|models)\b|\b(?:either|one|each|both) of (?:those|your)\b"
    r"|\byour [^\W\d_a-z]{2}"
)


def role_of(left: str, group: str, right: str, condition: str) -> Role | Literal["said"] | None:
    """Whose unit a group of keywords names, by the words around it; "said": another clause says so; None: unclear."""
    name = re.split(r" (?:unit|model)", group)[0]
    if _REFERS.search(left) and re.search(rf"\benemy {re.escape(name)}\b", condition):
        return "said"
    if _UNSURE.search(left) and "enemy" in condition:
        return None
    if _NEAR.search(left) and group.endswith(" model") and not re.search(r"\bthat [^;]*\bmodel\b", condition):
        return "said"  # "while a friendly X model is within 6" of this model, this model ..."
    for role, before, after in _ROLE_PATTERNS:
        if before.search(left) and after.search(right):
            return role
    return None


def role_of_exclusion(left: str) -> Role | None:
    """Whose unit an exclusion is about that follows no keyword: the first unit named before it."""
    if _MODELS_FIRST.search(left):
        return "models"
    if _ENEMY_FIRST.search(left):
        return "target"
    return "user" if _OWN_FIRST.search(left) else None


def is_negated(left: str) -> bool:
    """Tell whether the words before a group deny it."""
    return _NEGATED.search(left) is not None


def names_others(clause: str) -> bool:
    """Tell whether a clause names units besides the one that a text is used on: those gain by it."""
    return _OTHERS.search(clause) is not None


def used_together(condition: str) -> bool:
    """Tell whether an effect is for each of several units that are used at once."""
    return _TOGETHER.search(condition) is not None
