"""The warehouse's schema and declared data.

Belongs here: what the tables are, what the gate expects, and the facts that people decide (archetypes, rule sets,
scenarios, precedence, vocabulary), as data with small loaders. Doesn't: code that moves rows (``pipelines``).
"""
