"""Weapon tables of a page to ``WeaponProfile`` records.

Belongs here: header, name row and profile row of the two weapon tables. Doesn't: other sections, single values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pipelines.records import AttackType, WeaponProfile
from pipelines.sources.text_dump.memory import clean
from pipelines.sources.text_dump.page import Page
from pipelines.sources.values import CELL_READERS, COLUMNS
from pipelines.sources.weapon_abilities import parse_weapon_abilities, split_weapon_name

_HEADER = re.compile(r"(RANGED|MELEE) WEAPONS *\| *(.+)")
_ROW = re.compile(r"\|\s*[^|\s][^|]{0,200}\|\s*(?:[0-9]{1,3}\s*[\"”″]|Melee|N/A)\s*\|.*", re.IGNORECASE)
_NAME_ROW = re.compile(r"\|\s*[^|\s][^|]{0,200}\|[\s|]{3,}")
_CELL_VALUE = re.compile(r"[-−–+]?[0-9dD][0-9dD+\s]{0,6}[\"”″+]?|Melee|N/A|[-–—]", re.IGNORECASE)
_NAME = re.compile(r"(?P<name>[^\[]*?)\s*(?:\[(?P<abilities>[^\]]*)\]?\s*)?")
_PROFILE_SEPARATOR = " – "
_MARKERS = " ➤►•"


@dataclass(frozen=True, slots=True)
class Header:
    """Which table, and what its columns after the name mean, in printed order."""

    attack_type: AttackType | None
    columns: tuple[str, ...]


# Where a table has lost its header, the printed order and the range tell what its rows say.
LOST_HEADER = Header(None, ("range_inches", "attacks", "skill", "strength", "armour_penetration", "damage"))


def read_header(text: str) -> Header | None:
    """The header of a weapon table, or None; unknown columns make it none."""
    if "WEAPONS" not in text[:20]:
        return None
    match = _HEADER.fullmatch(clean(text))
    if match is None:
        return None
    names = [cell.strip() for cell in match[2].split("|")]
    columns = [COLUMNS.get(name, "") for name in names if name]
    if sorted(columns) != sorted(CELL_READERS):
        return None
    return Header("ranged" if match[1] == "RANGED" else "melee", tuple(columns))


def is_weapon_row(text: str) -> bool:
    """A row with a name, a range and further cells, told without its header."""
    return text.startswith("|") and text.count("|") > 6 and _ROW.fullmatch(text) is not None


def is_name_row(text: str) -> bool:
    """A row with a weapon's name and no values."""
    return text.startswith("|") and text.count("|") > 6 and _NAME_ROW.fullmatch(text) is not None


def is_value(text: str) -> bool:
    """A cell that holds a characteristic rather than a name."""
    return len(text) <= 10 and _CELL_VALUE.fullmatch(text) is not None


class WeaponTable:
    """Reads the rows of one table; a weapon is printed twice, as a bare name row and as a profile row."""

    def __init__(
        self, page: Page, header: Header, weapons: list[WeaponProfile], *, is_glued: bool, has_blanks: bool = True
    ) -> None:
        """Start below a header; what is read is added to ``weapons``.

        ``is_glued``: abilities stand behind the name without brackets, and where not ``has_blanks`` without blanks.
        """
        self._page = page
        self._header = header
        self._is_glued = is_glued
        self._has_blanks = has_blanks
        self._has_strays = False
        self._named: tuple[str, int] | None = None
        self._weapons = weapons

    def read_row(self, text: str, line: int) -> None:
        """Read one row that begins with a pipe."""
        cells = [cell.strip() for cell in text.strip().strip("|").split("|", 40)]
        name, values = clean(cells[0]), cells[1:]
        if not any(values):
            self._page.mark(line, "weapon", f"weapon:{name.partition('[')[0].strip()}")
            self.close()
            self._named = (name, line)
            return
        match = _NAME.fullmatch(name)
        if match is None or not match["name"]:
            self._page.note_unknown("weapon_row_unreadable", "a weapon row without a readable name", line)
            return
        printed, abilities = match["name"], match["abilities"]
        attack_type = self._attack_type(values, line)
        if self._is_glued and abilities is None:
            printed, abilities = split_weapon_name(printed, attack_type, glued=not self._has_blanks)
        self._page.mark(line, "weapon", f"weapon:{printed}")
        self._check_name(name, line)
        self._add(printed, abilities, attack_type, values, line)

    def close(self) -> None:
        """Note a name row that no profile row follows."""
        if self._named is not None:
            name, line = self._named
            self._page.note_partial("weapon_profile_missing", f"{name[:80]!r} has a name row and no profile", line)
        self._named = None

    def _check_name(self, name: str, line: int) -> None:
        if self._named is not None and self._named[0].casefold() != name.casefold():
            message = f"profile row {name[:80]!r} follows name row {self._named[0][:80]!r}"
            self._page.note("warning", "weapon_rows_disagree", message, line)
        self._named = None

    def _attack_type(self, values: list[str], line: int) -> AttackType:
        """The table's, unless a row's range says that the header in between is lost."""
        own = self._header.attack_type
        place = self._header.columns.index("range_inches")
        printed = values[place].casefold() if len(values) > place else ""
        told: AttackType | None = "melee" if printed == "melee" else "ranged" if printed[:1].isdigit() else own
        if own is not None and told != own and not self._has_strays:
            self._has_strays = True
            message = f"{told} weapons under the header of {own} ones: told by their range"
            self._page.note("warning", "weapon_header_lost", message, line)
        return told or "ranged"

    def _add(self, name: str, printed_abilities: str | None, kind: AttackType, values: list[str], line: int) -> None:
        read: dict[str, Any] = {}
        for column, cell in zip(self._header.columns, values, strict=False):
            try:
                read[column] = CELL_READERS[column](cell)
            except ValueError as error:
                self._page.note("warning", "weapon_value_unreadable", f"{name[:80]}: {column}: {error}", line)
                return
        if len(read) < len(CELL_READERS):
            missing = ", ".join(sorted(set(CELL_READERS) - set(read)))
            self._page.note("warning", "weapon_value_missing", f"{name[:80]}: no cell for {missing}", line)
            return
        surplus = [cell for cell in values[len(self._header.columns) :] if cell]
        if surplus:
            message = f"{name[:80]}: more cells than columns: {', '.join(surplus)[:80]!r}"
            self._page.note("warning", "weapon_value_surplus", message, line)
        abilities, issues = parse_weapon_abilities(printed_abilities or "", line=line)
        self._page.add_issues(issues)
        weapon, _, profile = name.strip(_MARKERS).partition(_PROFILE_SEPARATOR)
        self._weapons.append(
            WeaponProfile(
                weapon_name=weapon,
                profile_name=profile or None,
                attack_type=kind,
                abilities=abilities,
                line=line,
                **read,
            )
        )
