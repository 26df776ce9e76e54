"""The DuckDB side: a warehouse is written to a new file, audited, and only then published in place of the last one.

Belongs here: connections, loading, the gate, publishing, the lock. Doesn't: what the rows mean.
"""
