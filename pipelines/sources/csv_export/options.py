"""Rows of the options table as wargear options.

Belongs here: cutting a cell into its sentence and choices, footnotes. Doesn't: the forms of a sentence
(``wargear_options``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pipelines.identity import fold
from pipelines.records import WargearOption
from pipelines.sources.csv_export.ledger import Ledger
from pipelines.sources.csv_export.markup import lines
from pipelines.sources.csv_export.tables import Row
from pipelines.sources.wargear_footnotes import with_footnotes
from pipelines.sources.wargear_options import each_sentence, parse_wargear_option


def read_options(rows: Iterable[Row], ledger: Ledger, weapon_names: tuple[str, ...]) -> tuple[WargearOption, ...]:
    """The options of one datasheet; a footnote belongs to the text of the option above it."""
    options: list[WargearOption] = []
    footnotes: list[str] = []
    for row in rows:
        parts = [part.removeprefix("- ") for part in lines(row["description"])]
        if not parts:
            ledger.drop("row_empty", row.line)
        elif len(parts) == 1 and fold(parts[0]) == "none":
            ledger.drop("no_option", row.line)
        elif options and (row["button"] == "*" or parts[0].startswith("*")):
            ledger.note("option_footnote", row.line)
            note = "\n".join(parts)
            note = note if note.startswith("*") else f"* {note}"
            footnotes.append(note)
            options[-1] = replace(options[-1], text=f"{options[-1].text}\n{note}")
        else:
            for own in each_sentence(parts):
                number = len(options) + 1
                option = parse_wargear_option(" - ".join(own), number, line=row.line, weapon_names=weapon_names)
                options.append(replace(option, text="\n- ".join(own)))
    read = with_footnotes(options, footnotes)
    for option in read:
        if option.swap is None and option.line is not None:
            ledger.note("wargear_option_unstructured", option.line, (option.text or "")[:60])
    return read
