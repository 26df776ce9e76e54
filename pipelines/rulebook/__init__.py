"""Canonical rules: one text however many documents print it, and what a text does to an attack.

Belongs here: what needs the rules of more than one document, and reading their effects. Doesn't: parsing documents
(``sources``), ids of rows and tables (``storage``).
"""

from pipelines.rulebook.deduplication import (
    CanonicalStratagem,
    Rule,
    Rulebook,
    RuleOccurrence,
    deduplicate,
    rule_key,
    stratagem_key,
)
from pipelines.rulebook.effects import Modifier, detachment_rule_effects, enhancement_effects, stratagem_effects

__all__ = [
    "CanonicalStratagem",
    "Modifier",
    "Rule",
    "RuleOccurrence",
    "Rulebook",
    "deduplicate",
    "detachment_rule_effects",
    "enhancement_effects",
    "rule_key",
    "stratagem_effects",
    "stratagem_key",
]
