"""The questions asked of a published warehouse, and the pages that show the answers.

Belongs here: SQL with its question (``queries/``), reports, the dashboard. Doesn't: anything that computes an outcome;
this package reads the warehouse only.
"""
