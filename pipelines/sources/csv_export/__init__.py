"""The CSV export of a public rules site: a folder of tables, one source.

Belongs here: that export in all its published schemas, and the copies that people have edited. Doesn't: finding the
folder (``discovery``), pages of the same site (``text_dump``), choosing between sources.

Tables are told by their columns and read by column name, so neither file names nor column order matter. Lines of
records are lines of the table that they come from: a weapon's of Datasheets_wargear, a stratagem's of Stratagems.
Of each file every row is accounted for: kept, or counted under the reason why not (``ledger``).
"""

from pipelines.sources.csv_export.export import DEFAULT_EDITION, export_files, is_export, read_export
from pipelines.sources.csv_export.ledger import account_lines

__all__ = ["DEFAULT_EDITION", "account_lines", "export_files", "is_export", "read_export"]
