"""The exact engine: matchups in, outcomes out.

Belongs here: dice, rule sets, effective rows, signatures, damage chains; frames and mappings in and out. Doesn't:
Dagster, DuckDB, files, and what points make of an outcome.
"""
