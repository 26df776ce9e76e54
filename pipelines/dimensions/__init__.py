"""Conformed dimensions: records of all sources become rows with ids, one per thing, ready for the warehouse.

Belongs here: ids, canonical units, precedence, joined stat lines, prices of a size, targets and loadouts. Doesn't:
reading sources (``sources``), rules texts' identity (``rulebook``), anything that rolls dice (``simulation``).
"""
