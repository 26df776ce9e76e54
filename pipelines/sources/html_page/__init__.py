"""Reader of saved HTML datasheet pages. Experimental: written from a description, never tried on a real page.

Belongs here: cards of a page, their parts and sections, to records. Doesn't: reading files, other sources, rules texts
of stratagems and detachments, which this reader names as unread.

What it does not find or not understand it says: a page or card that doesn't fit is refused with what was missing, and
every text of a card that went into no record is an issue with its line.
"""

from pipelines.sources.html_page.page import parse_page

__all__ = ["parse_page"]
