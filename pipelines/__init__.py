"""Warledger's pipeline: raw dumps in, an audited DuckDB warehouse of exact matchups out.

Belongs here: the steps of the pipeline, one package a step (see ``docs/architecture.md``).
Doesn't: the schema and declared data (``warehouse/``), the questions asked of the result (``analyses/``).
"""

__version__ = "0.1.0"
