"""Readers of raw input: each turns what it finds into the records of ``pipelines.records`` and nothing else.

Belongs here: one module or package for each kind of source, and the parsing of printed values that they share.
Doesn't: ids, deduplication, storage.
"""
