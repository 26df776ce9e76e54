"""Canonical rules: one text however many documents print it, and what a text does to an attack.

Belongs here: what needs the rules of more than one document, and reading their effects. Doesn't: parsing documents
(``sources``), ids and rows (``dimensions``).
"""
