"""Under which circumstances a modifier holds: its free-text condition (``modifiers.condition``), read clause by clause.

Belongs here: which units, targets, weapons and attacks a condition names. Doesn't: applying a modifier, telling whether
a clause about the state of the game ("charged this turn") is true: that is assumed, and said.

``reader`` takes a condition's clauses one by one: ``wording`` tells what says nothing, names an option or is mentioned
by the way; ``attacks`` takes out weapons and characteristics; ``keywords`` splits what stands in capitals; ``roles``
tells whose unit that is, ``leading`` who leads it. A clause that limits an effect in words that aren't understood makes
it unread, not unlimited.
"""

from pipelines.worth.circumstances.attacks import AttackTest
from pipelines.worth.circumstances.keywords import KeywordTest, keyword_set
from pipelines.worth.circumstances.leading import is_of_leading, led_by
from pipelines.worth.circumstances.reader import Circumstances, circumstances, enhancement_bearers

__all__ = [
    "AttackTest",
    "Circumstances",
    "KeywordTest",
    "circumstances",
    "enhancement_bearers",
    "is_of_leading",
    "keyword_set",
    "led_by",
]
