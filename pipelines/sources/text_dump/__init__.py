"""Parser of text dumps of datasheet pages.

Belongs here: the grammar of the page layout, section by section. Doesn't: reading files, other sources, and anything
that needs more than one document (``rulebook``).
"""

from pipelines.sources.text_dump.parser import NoDatasheetError, parse_text

__all__ = ["NoDatasheetError", "parse_text"]
