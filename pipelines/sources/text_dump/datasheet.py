"""The datasheet's own sections, from the title to the faction keywords.

Belongs here: weapons, options, abilities, composition, costs, leader, keywords. Doesn't: the indexes that follow and
the rules text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace

from pipelines.identity import clean, singular
from pipelines.records import (
    Composition,
    Cost,
    Datasheet,
    Keyword,
    ModelProfile,
    UnitAbility,
    WargearOption,
    WeaponProfile,
)
from pipelines.sources.text_dump.headings import (
    BASE_SIZE,
    COST_ROW,
    FACTION_KEYWORDS,
    INDEX_HEADINGS,
    KEYWORD_LINE,
    KEYWORDS,
    SECTION_HEADINGS,
    read_title,
)
from pipelines.sources.text_dump.layouts import Layout
from pipelines.sources.text_dump.names import infer_name, name_of_file
from pipelines.sources.text_dump.page import Page, StatLine
from pipelines.sources.text_dump.shapes import is_title, keyword_usage, opens_block
from pipelines.sources.text_dump.vocabulary import fold, load_vocabulary
from pipelines.sources.text_dump.weapons import (
    LOST_HEADER,
    Header,
    WeaponTable,
    is_name_row,
    is_weapon_row,
    read_header,
)
from pipelines.sources.wargear_options import is_list_item, parse_wargear_option

_CORE = re.compile(r"(?P<name>.*?)(?:\s+(?P<parameter>[0-9]*[dD]?[0-9]+(?:\s*\+\s*[0-9]+)?(?:\"|\+)?))?")
# "Example" and "Note" introduce sentences of an ability, no further one.
_ABILITY_NAME = r"(?!(?:Example|Note|Designer.s Note):)[‘’“]?[^\W\d_a-zß-öø-ÿ][^.:]{0,70}?(?:\s\([^)]{1,40}\))?"
_GLUED_ABILITY = re.compile(rf"(?:(?<=[.!?\"”)])|(?<=[.!?]’))(?={_ABILITY_NAME}: )")
_ABILITY = re.compile(rf"(?P<name>{_ABILITY_NAME}): ?(?P<text>.+)", re.DOTALL)
_DOTTED_ABILITY = re.compile(r"(?P<name>[^:.]{2,40}\.[^:]{2,40}): (?P<text>.+)", re.DOTALL)
_COMPOSITION = re.compile(r"(?P<least>[0-9]{1,3})(?:\s*[-–]\s*(?P<most>[0-9]{1,3}))?\s+(?P<name>\D.*)")
_NAME_TAIL = re.compile(r"\s*(?:– EPIC HERO|:.*)$")  # "Model – EPIC HERO", "Models:Name of oneName of another"
_SEVERAL = re.compile(r"(?:,\s*|\s+and\s+)(?=[0-9]{1,3}(?:\s*[-–]\s*[0-9]{1,3})?\s)")
_EQUIPPED = re.compile(r"(?P<who>.{1,100}?) (?:is|are|has|have)(?: each)? equipped with:? ?(?P<items>.+?)\.?")
_NUMBER = re.compile(r"[0-9]{1,4}")
_CONDITION = re.compile(r"\((?P<condition>[^()]{1,120})\)")
_DAMAGED = re.compile(r"DAMAGED: .{1,60}")
_EDITION = re.compile(r"(?:Warhammer 40,000\W+)?(?P<number>1[0-9])th edition", re.IGNORECASE)
_DATE = re.compile(r"(?:last )?updated?:? (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})", re.IGNORECASE)
_FEEL_NO_PAIN = re.compile(
    r"feel no pain (?P<value>[2-6])\+(?P<mortal> \(?(?:against )?mortal wounds(?: only)?\)?)?", re.IGNORECASE
)
_BULLETS = "-•◦■ "

Section = Callable[[str, int], None]
"""Reads one line of a section: its text and its number."""


def _items(text: str) -> list[str]:
    return [clean(item) for item in text.split(",") if item.strip(" ,")]


def _dotted_ability(text: str) -> re.Match[str] | None:
    """An ability whose name holds full stops ("One. Two. Three: …"), told by its title case."""
    match = _DOTTED_ABILITY.fullmatch(text)
    return match if match is not None and is_title(match["name"].replace(".", "")) else None


def _index_of(stats: StatLine) -> int:
    return stats.index


class DatasheetReader:
    """Reads the datasheet sections of a page; ``run`` returns the index of the first line after them."""

    def __init__(self, page: Page, default_edition: str, layout: Layout, first: int) -> None:
        """Start at the line of index ``first``, the first of a datasheet."""
        self._page = page
        self._default_edition = default_edition
        self._layout = layout
        self._first = first
        self.printed_edition: str | None = None
        self.dated: str | None = None
        self.title: str | None = None
        self.page_collection: str | None = None
        self._named: tuple[str, str] | None = None  # collection and unit of the title
        self._weapons: list[WeaponProfile] = []
        self._options: list[tuple[int, list[str]]] = []
        self._abilities: list[UnitAbility] = []
        self._compositions: list[Composition] = []
        self._costs: list[Cost] = []
        self._keywords: list[Keyword] = []
        self._is_alternative = False
        self._leads: list[str] | None = None
        self._seen: set[str] = set()
        self._has_brackets = True
        self._sections: dict[str, Section] = {
            "WARGEAR OPTIONS": self._option,
            "ABILITIES": self._ability_line,
            "WARGEAR ABILITIES": self._wargear_ability,
            "UNIT COMPOSITION": self._composition,
            "LEADER": self._leader,
        }

    def run(self) -> int:
        """Read from the title on; return the index of the first line that belongs to the indexes or the rules."""
        lines = self._page.lines
        index = self._read_title()
        self._has_brackets = not self._layout.glues_abilities and self._has_bracketed_rows(index)
        last_heading = self._last_heading(index)
        section: Section | None = None
        table: WeaponTable | None = None
        while index < len(lines):
            text, line = lines[index].strip(), index + 1
            if not text:
                index += 1
                continue
            if "  " in text:
                text = clean(text)
            if table is not None and not text.startswith("|"):
                table.close()
            header = read_header(text)
            if text in INDEX_HEADINGS:
                break
            if text.startswith(FACTION_KEYWORDS):
                index = self._faction_keywords(index)
                break
            if header is not None:
                self._page.mark(line, "weapon_table_header")
                table, section = self._table(header), None
            elif text.startswith(("RANGED WEAPONS", "MELEE WEAPONS")) or (text[0] != "|" and text.count("|") > 5):
                table, section = None, self._unknown  # columns that aren't known: rows below them say nothing
                self._unknown(text, line)
            elif _DAMAGED.fullmatch(text):
                table, section = None, self._special
                self._open_special(text, line)
            elif text in self._sections and not self._opens_rules(index, last_heading):
                table, section = None, self._sections[text]
                self._seen.add(text)
                self._page.mark(line, "heading")
            elif text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text):
                table, section = None, self._more_keywords
                self._keyword_line(text, line)
            elif text.startswith("|") and COST_ROW.fullmatch(text) and section != self._composition:
                table, section = None, None
                self._cost(text, line)
            elif table is not None and text.startswith("|"):
                table.read_row(text, line)
            elif section != self._unknown and (is_weapon_row(text) or is_name_row(text)):
                table, section = self._table_without_header(line), None
                table.read_row(text, line)
            elif self._opens_rules(index, last_heading, within=section):
                break
            elif section is not None:
                section(text, line)
            else:
                self._outside(text, line)
            index += 1
        if table is not None:
            table.close()
        return index

    def _read_title(self) -> int:
        """Mark the title, if the page has one; return the index of the line after it."""
        lines = self._page.lines
        index = next((at for at in range(self._first, len(lines)) if lines[at].strip()), self._first)
        text = clean(lines[index]) if index < len(lines) else ""
        self._named = read_title(text)
        if self._named is None and not self._is_page_heading(text, index):
            return self._first
        self._page.mark(index + 1, "title")
        self.title = text
        return index + 1

    def _is_page_heading(self, text: str, index: int) -> bool:
        """A page of many datasheets may begin with their collection alone."""
        if self._first or not is_title(text) or text in SECTION_HEADINGS or text in INDEX_HEADINGS:
            return False
        is_heading = bool(self._page.stat_lines) and self._page.stat_lines[-1].index > index
        if is_heading:
            self.page_collection = text
        return is_heading

    def _has_bracketed_rows(self, first: int) -> bool:
        """Whether abilities stand in brackets: in layouts that print rows without brackets, some row has none."""
        if self._layout not in (Layout.HEADERLESS, Layout.UNTITLED, Layout.UNPIPED):
            return True
        rows = [line for line in self._page.lines[first:] if line.startswith("|") and is_weapon_row(line.strip())]
        return not rows or any("[" in row for row in rows)

    def _table(self, header: Header) -> WeaponTable:
        has_blanks = self._layout is not Layout.MARKDOWN
        return WeaponTable(self._page, header, self._weapons, is_glued=not self._has_brackets, has_blanks=has_blanks)

    def _table_without_header(self, line: int) -> WeaponTable:
        self._page.note("warning", "weapon_header_lost", "weapon rows without a header: told by their range", line)
        return self._table(LOST_HEADER)

    def _last_heading(self, first: int) -> int:
        """The last line that can only belong to a datasheet; behind it the rules may begin without a heading."""
        lines = self._page.lines
        if not self._layout.may_lack_sections:
            return len(lines)
        for index in range(first, len(lines)):
            if lines[index].strip() in INDEX_HEADINGS or lines[index].startswith(FACTION_KEYWORDS):
                return len(lines)
        owned = [
            index
            for index in range(first, len(lines))
            if (text := lines[index].strip()) in SECTION_HEADINGS[:4]
            or (text.startswith(KEYWORDS) and KEYWORD_LINE.fullmatch(text))
            or (text.startswith("|") and (COST_ROW.fullmatch(text) or is_weapon_row(text)))
        ]
        return owned[-1] if owned else first

    def _opens_rules(self, index: int, last_heading: int, *, within: Section | None = None) -> bool:
        """Whether the rules begin here, on a page that has lost the headings before them.

        Within abilities, whose names have the shape of a title, only a title that the vocabulary knows opens them.
        """
        if index <= last_heading:
            return False
        text = self._page.lines[index].strip()
        if text in ("ABILITIES", "UNIT COMPOSITION"):
            return False
        if keyword_usage(text) is not None:
            return True
        may_be_named = within in (self._ability_line, self._wargear_ability, self._special, self._option)
        if may_be_named and fold(text) not in load_vocabulary().titles:
            return False
        return is_title(text) and opens_block(self._page.lines, index + 1)

    def datasheet(self, path: str, page_collection: str | None) -> Datasheet | None:
        """What has been read, as one record; None where nothing tells the unit's name.

        ``page_collection``: the collection that the page's first title names.
        """
        stat_lines = self._stat_lines()
        if self._named is not None:
            collection: str | None = self._named[0]
            name: str | None = self._named[1]
        else:
            collection = page_collection or self.page_collection
            name = self._infer_name(stat_lines, path)
        if name is None:
            return None
        factions = [keyword.keyword for keyword in self._keywords if keyword.is_faction_keyword]
        faction = next((keyword for keyword in factions if fold(keyword) == fold(collection or "")), None)
        if faction is None and factions:
            faction = factions[0]
        has_points_section = bool(self._costs) or "UNIT COMPOSITION" in self._seen
        belongs_to_faction = (
            faction is None or collection is None or fold(collection) in {fold(one) for one in factions}
        )
        if "ABILITIES" not in self._seen:  # without its abilities, the page says nothing of leading
            leads = None
        elif "LEADER" in self._seen:
            leads = tuple(self._leads) if self._leads else None
        else:
            leads = ()
        return Datasheet(
            name=name,
            collection=collection,
            faction=faction,
            edition=self.printed_edition or self._default_edition,
            models=self._models(stat_lines, name),
            costs=tuple(self._costs),
            composition=tuple(self._compositions),
            keywords=tuple(self._keywords),
            abilities=tuple(self._abilities),
            wargear_options=self._read_options(),
            weapons=tuple(self._weapons),
            leads=leads,
            has_points_by_design=has_points_section or belongs_to_faction,
            line=self._first + 1,
        )

    def _models(self, stat_lines: list[StatLine], name: str) -> tuple[ModelProfile, ...]:
        """The stat lines with their names, and with the Feel No Pain that the core abilities print."""
        models = [replace(stats.model, model_name=stats.model.model_name or name) for stats in stat_lines]
        printed = [ability for ability in self._abilities if ability.kind == "core"]
        for match in (_FEEL_NO_PAIN.fullmatch(f"{one.name} {one.parameter or ''}".strip()) for one in printed):
            if match is not None:
                scope = "mortal" if match["mortal"] else None
                models = [replace(one, feel_no_pain=int(match["value"]), feel_no_pain_scope=scope) for one in models]
        return tuple(models)

    def _stat_lines(self) -> list[StatLine]:
        found = self._page.stat_lines
        first = bisect_left(found, self._first, key=_index_of)
        return found[first : bisect_left(found, len(self._page.lines), key=_index_of)]

    def _infer_name(self, stat_lines: list[StatLine], path: str) -> str | None:
        """The unit's name on a page without a title, from where it stands."""
        above = next((stats.unit_name for stats in stat_lines if stats.unit_name), None)
        if above is not None:
            return above
        line = self._first + 1
        name = infer_name(self._compositions, [word.keyword for word in self._keywords if not word.is_faction_keyword])
        if name is not None:
            message = f"no title: the unit's name {name!r} is taken from its composition and keywords"
            self._page.note("info", "unit_name_inferred", message, line)
            return name
        name = name_of_file(path)
        if name is not None:
            message = f"the page names its unit nowhere: the name {name!r} is the file's"
            self._page.note("warning", "unit_name_from_file", message, line)
        return name

    def note_losses(self) -> None:
        """Say what the page should have printed and didn't."""
        page = self._page
        if not self._stat_lines():
            page.note("info", "stat_line_missing", "the page prints no stat line: M, T, Sv, W, Ld, OC are unknown")
        if "LEADER" in self._seen and not self._leads:
            page.note("info", "leader_targets_lost", "the list of units that this model can be attached to is lost")
        if self._layout.may_lack_sections:
            missing = [name for name in ("ABILITIES", "UNIT COMPOSITION", KEYWORDS) if name not in self._seen]
            if missing:
                message = f"the page has lost its sections {', '.join(missing)}"
                page.note("info", "sections_missing", message, self._first + 1)
        elif KEYWORDS not in self._seen:
            self._truncated("the page ends before its KEYWORDS")
        elif not any(keyword.is_faction_keyword for keyword in self._keywords):
            self._truncated("the page ends before its faction keywords")

    def _truncated(self, message: str) -> None:
        self._page.note_partial("truncated_document", message, len(self._page.lines))

    def _unknown(self, text: str, line: int) -> None:
        self._page.note_unknown("unrecognised_line", f"not understood at this place: {text[:80]!r}", line)

    def _outside(self, text: str, line: int) -> None:
        """A line below a weapon table or the title that no section owns."""
        if BASE_SIZE.fullmatch(text):
            self._page.mark(line, "base_size")
        elif edition := _EDITION.fullmatch(text):
            self._page.mark(line, "edition")
            self.printed_edition = f"{edition['number']}e"
        elif date := _DATE.fullmatch(text):
            self._page.mark(line, "date")
            self.dated = date["date"]
        elif self._weapons and not text.startswith("|") and not is_title(text):
            self._page.mark(line, "weapon_footnote")
        else:
            self._unknown(text, line)

    def _option(self, text: str, line: int) -> None:
        sentence = clean(text.lstrip(_BULLETS))
        if fold(sentence) == "none":
            self._page.mark(line, "wargear_option")
        elif self._options and is_list_item(sentence):
            self._options[-1][1].append(sentence)
            self._page.mark(line, "wargear_option", f"wargear_option:{len(self._options)}")
        elif sentence.startswith("*"):
            self._page.mark(line, "wargear_footnote")
        elif text[0] in _BULLETS or " can " in sentence:
            self._options.append((line, [sentence]))
            self._page.mark(line, "wargear_option", f"wargear_option:{len(self._options)}")
        else:
            self._special(text, line)

    def _read_options(self) -> tuple[WargearOption, ...]:
        names = tuple(weapon.weapon_name for weapon in self._weapons)
        options = []
        for position, (line, parts) in enumerate(self._options, 1):
            text = " - ".join(parts)
            option = parse_wargear_option(text, position, line=line, weapon_names=names)
            if option.action is None:
                self._page.note("info", "wargear_option_unstructured", "kept as text: its form isn't known", line)
            options.append(replace(option, text="\n- ".join(parts)))
        return tuple(options)

    def _ability_line(self, text: str, line: int) -> None:
        if text.startswith("CORE:"):
            self._page.mark(line, "core_abilities")
            for item in _items(text[5:]):
                match = _CORE.fullmatch(item)
                name, parameter = (match["name"], match["parameter"]) if match else (item, None)
                self._abilities.append(UnitAbility("core", name, parameter, None, line))
        elif text.startswith("FACTION:"):
            self._page.mark(line, "faction_abilities")
            self._abilities += [UnitAbility("faction", name, None, None, line) for name in _items(text[8:])]
        else:
            self._named_abilities("datasheet", text, line)

    def _wargear_ability(self, text: str, line: int) -> None:
        self._named_abilities("wargear", text, line)

    def _named_abilities(self, kind: str, text: str, line: int) -> None:
        """One or several abilities on a line: the next name is glued to the sentence before it."""
        start = 0
        seams = [match.start() for match in _GLUED_ABILITY.finditer(text)]
        for end in [*seams, len(text)]:
            self._named_ability(kind, text[start:end], line, start)
            start = end

    def _named_ability(self, kind: str, text: str, line: int, offset: int) -> None:
        match = _ABILITY.fullmatch(text) or _dotted_ability(text)
        last = self._abilities[-1] if self._abilities else None
        if match is not None and not text.startswith(("- ", "|")):
            ability = UnitAbility(kind, clean(match["name"]), None, clean(match["text"]), line)  # type: ignore[arg-type]
            self._abilities.append(ability)
        elif last is not None and last.text is not None and not text.isupper():
            self._extend_last_ability(text)
        else:
            self._special(text, line)
            return
        column = 1 if offset == 0 else offset + 1
        self._page.mark(line, f"{kind}_ability", f"ability:{self._abilities[-1].name}", column)

    def _special(self, text: str, line: int) -> None:
        """A heading in capitals opens an ability of its own (``SUPREME COMMANDER``); its text follows."""
        if text.isupper() and is_title(text):
            self._open_special(text, line)
        elif self._abilities and self._abilities[-1].text is not None:
            self._extend_last_ability(text)
            self._page.mark(line, "datasheet_ability", f"ability:{self._abilities[-1].name}")
        else:
            self._unknown(text, line)

    def _open_special(self, heading: str, line: int) -> None:
        self._abilities.append(UnitAbility("datasheet", clean(heading), None, "", line))
        self._page.mark(line, "datasheet_ability", f"ability:{clean(heading)}")

    def _extend_last_ability(self, text: str) -> None:
        last = self._abilities[-1]
        self._abilities[-1] = replace(last, text=f"{last.text}\n{clean(text)}" if last.text else clean(text))

    def _composition(self, text: str, line: int) -> None:
        if text.startswith("|"):
            self._cost(text, line)
            return
        sentence = clean(text.lstrip(_BULLETS))
        equipped = _EQUIPPED.fullmatch(sentence)
        if equipped is not None:
            self._page.mark(line, "default_equipment")
            self._equip(equipped["who"], equipped["items"])
            return
        if sentence == "OR":
            self._page.mark(line, "unit_composition")
            self._is_alternative = True
            return
        parts = _SEVERAL.split(sentence)
        models = [_COMPOSITION.fullmatch(part) for part in parts]
        if not all(models):
            opens_ability = text.isupper() and is_title(text)
            if opens_ability or (self._abilities and self._abilities[-1].text == ""):
                self._special(text, line)
            else:
                self._page.mark(line, "composition_note")
                self._page.note("info", "composition_note_unread", "kept out of the composition: no count", line)
            return
        self._page.mark(line, "unit_composition")
        for match in models:
            if match is not None:
                least, most = int(match["least"]), int(match["most"] or match["least"])
                self._add_composition(Composition(_NAME_TAIL.sub("", match["name"]), least, most, None, line))

    def _add_composition(self, entry: Composition) -> None:
        """Add an entry; behind an OR, a model that is there already gets the wider bounds."""
        for at, known in enumerate(self._compositions):
            if self._is_alternative and singular(known.model_name) == singular(entry.model_name):
                least = min(known.min_models, entry.min_models)
                most = max(known.max_models, entry.max_models)
                self._compositions[at] = replace(known, min_models=least, max_models=most)
                return
        self._compositions.append(entry)

    def _equip(self, who: str, items: str) -> None:
        weapons = tuple(clean(item) for item in re.split(r";", items) if item.strip())
        folded = fold(who)
        everyone = folded.startswith(("this ", "every model", "each model", "all models"))
        self._compositions = [
            replace(entry, default_weapons=weapons)
            if everyone or singular(entry.model_name) in singular(who)
            else entry
            for entry in self._compositions
        ]

    def _cost(self, text: str, line: int) -> None:
        cells = [clean(cell) for cell in text.strip("|").split("|", 8)]
        label, price = cells[0], cells[1] if len(cells) > 1 else ""
        self._page.mark(line, "unit_cost")
        points = _NUMBER.fullmatch(price.lstrip("+"))
        if points is None:
            self._page.note("warning", "cost_unreadable", f"{label[:60]!r} costs {price[:40]!r}: not a number", line)
            return
        condition = _CONDITION.search(label)
        counts = [int(number) for number in _NUMBER.findall(_CONDITION.sub("", label))]
        spoken = condition["condition"] if condition else None
        if price.startswith("+"):
            self._costs.append(Cost(1, int(points[0]), kind="add_on", condition=spoken, item=label, line=line))
        elif counts:
            kind = "alternative" if spoken else "base"
            span = re.match(r"([0-9]+)\s*[-–]\s*([0-9]+)", label)
            models, most = (int(span[1]), int(span[2])) if span else (sum(counts), None)
            self._costs.append(
                Cost(models, int(points[0]), models_max=most, kind=kind, condition=spoken, line=line)  # type: ignore[arg-type]
            )
        else:
            self._page.note("warning", "cost_unreadable", f"{label[:60]!r} names no number of models", line)

    def _leader(self, text: str, line: int) -> None:
        if self._leads is None:
            self._leads = []
        if text.isupper() and is_title(text) and self._heads_a_text(line):
            self._special(text, line)
            return
        if self._abilities and self._abilities[-1].text == "":
            self._special(text, line)
            return
        self._page.mark(line, "leader")
        lead, colon, rest = text.partition(":")
        names = rest if colon else lead
        if not colon and not text.startswith(tuple(_BULLETS)) and text.endswith((".", ";")):
            return  # a sentence about leading, not a unit
        self._leads += [
            clean(name) for name in re.split(r"\s*(?:,|;|•|■|- )\s*", names.strip(_BULLETS)) if name.strip()
        ]

    def _heads_a_text(self, line: int) -> bool:
        """Whether a heading's text follows rather than the list of units."""
        following = self._page.lines[line].strip() if line < len(self._page.lines) else ""
        return following.endswith(".")

    def _keyword_line(self, text: str, line: int) -> None:
        self._seen.add(KEYWORDS)
        self._page.mark(line, "keywords")
        match = KEYWORD_LINE.fullmatch(text)
        if match is None:
            return
        model = self._model_of(match["scope"])
        for item in _items(match["list"]):
            before, colon, keyword = item.rpartition(":")
            if colon:  # "ALL MODELS: A, B CAPTAIN: C" – the name of the next model is glued to the keyword before
                last, name = self._split_at_model(before)
                self._add_keywords(last, model, line)
                model = self._model_of(name)
            self._add_keywords(keyword, model, line)

    @staticmethod
    def _model_of(scope: str | None) -> str | None:
        return None if scope is None or fold(scope) == "all models" else clean(scope)

    def _split_at_model(self, text: str) -> tuple[str, str]:
        """A keyword and the model name behind it; without a known name, all of it is the name."""
        for entry in self._compositions:
            name = entry.model_name.upper().rstrip("SZ")
            at = text.upper().rfind(name)
            if at > 0 and len(text) - at <= len(name) + 1:
                return text[:at], text[at:]
        return "", text

    def _more_keywords(self, text: str, line: int) -> None:
        """Keywords that the line break of the list has pushed below it."""
        if text.isupper() and is_title(text.replace(",", "")):
            self._page.mark(line, "keywords")
            self._add_keywords(text, None, line)
        else:
            self._unknown(text, line)

    def _add_keywords(self, listed: str, model: str | None, line: int, *, faction: bool = False) -> None:
        for name in _items(listed):
            keyword = Keyword(name.upper(), faction, model, line)
            known = (keyword.keyword, faction, model)
            if known not in {(entry.keyword, entry.is_faction_keyword, entry.model_name) for entry in self._keywords}:
                self._keywords.append(keyword)

    def _faction_keywords(self, index: int) -> int:
        """Read the heading at ``index`` and the names below it; return the index of the first line after them."""
        lines = self._page.lines
        self._page.mark(index + 1, "heading")
        self._add_keywords(lines[index].strip()[len(FACTION_KEYWORDS) :], None, index + 1, faction=True)
        index += 1
        while index < len(lines):
            text = lines[index].strip()
            if text.strip(" ,") and (text in INDEX_HEADINGS or not self._is_faction_keyword(text, index)):
                break
            self._page.mark(index + 1, "faction_keywords")
            self._add_keywords(text, None, index + 1, faction=True)
            index += 1
        return index

    def _is_faction_keyword(self, text: str, index: int) -> bool:
        """In capitals, and no title of the rules text: a title has a sentence under it."""
        if text.upper() != text or len(text) > 120:
            return False
        following = next((line.strip() for line in self._page.lines[index + 1 : index + 3] if line.strip()), "")
        return not following or following.upper() == following or keyword_usage(following) is not None
