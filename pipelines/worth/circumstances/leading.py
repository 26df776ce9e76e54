"""Whether a clause says who leads, and whom: the owner of a rule another unit, or another model the user's own unit.

Belongs here: the words about leading. Doesn't: which units may be led by whom (``pipelines.worth.users``).
"""

from __future__ import annotations

import re

from pipelines.worth.circumstances.keywords import GROUP, KeywordTest, keyword_test, known_in_capitals, named

_OWN_UNIT = r"(?:this|your)(?: (?:model|unit)[’']s)? unit\b"
_LEADING = re.compile(rf"\b(?:lead(?:s|ing)?|led|join(?:s|ed)?|attached)\b(?! (?:to )?{_OWN_UNIT})")
_LEADS = rf"(?P<who>an? [^;]+?) (?:is leading|leads) {_OWN_UNIT}"
_LED_BY = r"(?:this|your) unit is (?:being )?led by (?P<by>an? [^;]+?)"
# From the clause's beginning to its end or a comma: what follows an "or" is only one of two ways to meet it.
_LED = re.compile(rf"(?:[Ww]hile|[Ii]f) (?:{_LEADS}|{_LED_BY})(?=,|$)(?!,? or\b)")
_ATTACHED = re.compile(rf"(?:(?:one|an?) )?{GROUP.pattern}(?<= Attached unit)(?! or\b)")  # a unit with a leader


def is_of_leading(clause: str) -> bool:
    """Tell whether an assumption is that the owner of a rule leads a unit."""
    return _LEADING.search(clause) is not None and led_by(clause, frozenset()) is None


def led_by(clause: str, vocabulary: frozenset[str]) -> KeywordTest | None:
    """Who has to lead the user's unit; None: a clause asks for no leader. Words that aren't known ask for anyone."""
    if _ATTACHED.match(clause):
        return KeywordTest()
    said = _LED.match(clause)
    if said is None:
        return None
    group = GROUP.search(known_in_capitals(f"{said['who'] or said['by']} model", vocabulary))
    test = keyword_test(named(group[0]).runs, (), vocabulary) if group else KeywordTest()
    return KeywordTest() if test.unknown else test
