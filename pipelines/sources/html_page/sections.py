"""The sections of a card: abilities, wargear options, composition, leader, keywords.

Belongs here: what the lines under each heading mean. Doesn't: finding headings and lines (``lines``), tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from pipelines.identity import clean, fold, singular
from pipelines.records import Composition, Keyword, UnitAbility, WargearOption, WeaponProfile
from pipelines.sources.html_page.lines import KEYWORD_HEADING, Line, Section
from pipelines.sources.html_page.markup import CardMarkup
from pipelines.sources.html_page.notes import Notes
from pipelines.sources.wargear_footnotes import with_footnotes
from pipelines.sources.wargear_options import is_list_item, parse_wargear_option

NOT_READ = frozenset(
    {
        "STRATAGEMS",
        "DETACHMENT ABILITY",
        "DETACHMENT ABILITIES",
        "DETACHMENT RULE",
        "DETACHMENT RULES",
        "ENHANCEMENTS",
        "LED BY",
    }
)
_BULLETS = "-•◦■* "
_NOISE = re.compile(r"\W*|This datasheet does not meet the selection criteria\b.{0,120}")
_PROFILE_NOTE = re.compile(r"Before selecting targets\b.{0,200}")
_WEAPON_HEADING = re.compile(r".*(?:RANGED|MELEE) WEAPONS.*")
_LISTED = re.compile(r"(?P<kind>CORE|FACTION)\s*:\s*(?P<list>.*)")
_CORE = re.compile(
    r"(?P<name>.*?)(?:\s+(?P<parameter>[0-9]*[dD]?[0-9]+(?:\s*\+\s*[0-9]+)?(?:[\"”]|\+)?(?:\s*\([^()]{1,100}\))?))?"
)
_COMPOSITION = re.compile(r"(?P<least>[0-9]{1,3})(?:\s*[-–]\s*(?P<most>[0-9]{1,3}))?\s+(?P<name>\D.*)")
_NAME_TAIL = re.compile(r"\s*(?:[–-] EPIC HERO|:.*)$")
_SEVERAL = re.compile(r"(?:,\s*|\s+and\s+)(?=[0-9]{1,3}(?:\s*[-–]\s*[0-9]{1,3})?\s)")
_LOST_PRICE = re.compile(r"(?:[0-9]{1,3} models?(?: \([^()]{1,120}\))?|\+?[0-9]{1,4}|YOUR .{1,40} COSTS?)")
_EQUIPPED = re.compile(r"(?P<who>.{1,100}?) (?:is|are|has|have)(?: each)? equipped with\s*:?\s*(?P<items>.+?)\.?")
_LONGEST_SENTENCE = 2000


class SectionReader:
    """Reads sections one after the other; what a card says is then in the attributes."""

    def __init__(self, card: CardMarkup, notes: Notes, weapons: tuple[WeaponProfile, ...]) -> None:
        """Start with the weapons, whose names options refer to."""
        self._card = card
        self._notes = notes
        self._weapon_names = tuple(weapon.weapon_name for weapon in weapons)
        self.abilities: list[UnitAbility] = []
        self.composition: list[Composition] = []
        self.keywords: list[Keyword] = []
        self.options: tuple[WargearOption, ...] = ()
        self.seen: set[str] = set()
        self.has_default_weapons = False
        self._leads: list[str] = []
        self._not_read: dict[str, int] = {}

    @property
    def leads(self) -> tuple[str, ...] | None:
        """Units that this model can be attached to; None where the card doesn't say."""
        if "LEADER" in self.seen:
            return tuple(self._leads) or None
        return () if "ABILITIES" in self.seen else None

    def read(self, sections: list[Section]) -> None:
        """Read all sections, composition first: keywords name its models."""
        readers: dict[str, Callable[[Section], None]] = {
            "": self._outside,
            "ABILITIES": self._read_abilities,
            "WARGEAR ABILITIES": self._read_abilities,
            "WARGEAR OPTIONS": self._read_options,
            "UNIT COMPOSITION": self._read_composition,
            "LEADER": self._read_leader,
            "KEYWORDS": self._read_keywords,
            "FACTION KEYWORDS": self._read_keywords,
        }
        for section in sorted(sections, key=lambda each: each.heading != "UNIT COMPOSITION"):
            self.seen.add(section.heading)
            if section.heading in NOT_READ:
                self._skip(section)
            else:
                readers.get(section.heading, self._read_special)(section)
        if self._not_read:
            names = ", ".join(self._not_read)
            self._notes.add("info", "section_not_read", f"left unread: {names}", min(self._not_read.values()))
        if "LEADER" in self.seen and not self._leads:
            self._notes.add("info", "leader_targets_lost", "LEADER without a list of units", self._card.line)

    def _mark(self, line: Line) -> None:
        self._card.mark(iter(line.strings))

    def _unknown(self, line: Line) -> None:
        self._mark(line)
        if _NOISE.fullmatch(line.text) is None:
            message = f"not understood at this place: {line.text[:80]!r}"
            self._notes.lost("unrecognised_line", message, line.number, line.text)

    def _skip(self, section: Section) -> None:
        for line in section.lines:
            self._mark(line)
        self._not_read.setdefault(section.heading, section.line)

    def _outside(self, section: Section) -> None:
        for line in section.lines:
            if _PROFILE_NOTE.fullmatch(line.text):
                self._mark(line)
            else:
                self._unknown(line)

    def _read_abilities(self, section: Section) -> None:
        kind: Literal["datasheet", "wargear"] = "wargear" if section.heading.startswith("WARGEAR") else "datasheet"
        box = None  # the element that the last named ability stands in
        for line in section.lines:
            listed = _LISTED.fullmatch(line.text)
            name = line.lead.rstrip()
            if listed is not None:
                self._read_listed(listed, line)
                box = None
            elif name.endswith(":") and name.strip(": ") and len(name) <= 120:
                text = clean(line.text[len(name) :])
                self.abilities.append(UnitAbility(kind, clean(name.rstrip(": ")), None, text, line.number))
                self._mark(line)
                box = line.box
            elif box == line.box or (box is not None and line.depth):
                self._extend_ability(line)
            else:
                self._unknown(line)
        for ability in self.abilities:
            if ability.text == "":
                self._notes.lost("ability_text_missing", f"{ability.name[:80]!r} has no text", ability.line)

    def _read_listed(self, match: re.Match[str], line: Line) -> None:
        """``CORE: Deadly Demise D3, Scouts 6"`` and ``FACTION: …``."""
        self._mark(line)
        for item in (clean(part) for part in re.split(r"[,;]", match["list"]) if part.strip(" ,;")):
            core = _CORE.fullmatch(item) if match["kind"] == "CORE" else None
            if core is not None and core["name"]:
                self.abilities.append(UnitAbility("core", core["name"], core["parameter"], None, line.number))
            else:
                kind: Literal["core", "faction"] = "core" if match["kind"] == "CORE" else "faction"
                self.abilities.append(UnitAbility(kind, item, None, None, line.number))

    def _extend_ability(self, line: Line) -> None:
        last = self.abilities[-1]
        text = f"- {line.text}" if line.depth else line.text
        self.abilities[-1] = replace(last, text=f"{last.text}\n{text}" if last.text else text)
        self._mark(line)

    def _read_special(self, section: Section) -> None:
        """A heading of its own, such as DAMAGED or TRANSPORT: an ability of that name."""
        if not section.lines or _WEAPON_HEADING.fullmatch(section.heading):
            message = f"a heading without its text: {section.heading[:80]!r}"
            self._notes.lost("unrecognised_line", message, section.line)
            self._outside(section)
            return
        self.abilities.append(UnitAbility("datasheet", section.heading, None, "", section.line))
        for line in section.lines:
            self._extend_ability(line)
        if not section.heading.startswith(("DAMAGED:", "TRANSPORT")):
            message = f"the section {section.heading[:80]!r} is read as an ability"
            self._notes.add("info", "section_read_as_ability", message, section.line)

    def _read_options(self, section: Section) -> None:
        groups: list[tuple[Line, list[str]]] = []
        footnotes: list[str] = []
        for line in section.lines:
            sentence = clean(line.text.lstrip("-•◦■ "))
            if fold(sentence) == "none":
                self._mark(line)
            elif groups and (line.depth > groups[-1][0].depth or is_list_item(sentence)):
                groups[-1][1].append(sentence)
                self._mark(line)
            elif sentence.startswith("*"):
                self._mark(line)
                footnotes.append(sentence)
                self._notes.add("info", "wargear_option_note", f"a note isn't read: {sentence[:80]!r}", line.number)
            elif " can " in sentence or line.depth:
                groups.append((line, [sentence]))
                self._mark(line)
            else:
                self._unknown(line)
        options = (
            self._option(line.number, parts, position)
            for position, (line, parts) in enumerate(groups, len(self.options) + 1)
        )
        self.options += with_footnotes(options, footnotes)

    def _option(self, line: int, parts: list[str], position: int) -> WargearOption:
        option = parse_wargear_option(" - ".join(parts), position, line=line, weapon_names=self._weapon_names)
        if option.action is None:
            message = f"kept as text: {parts[0][:80]!r}"
            self._notes.add("info", "wargear_option_unstructured", message, line)
        return replace(option, text="\n- ".join(parts))

    def _read_composition(self, section: Section) -> None:
        is_alternative = False
        for line in section.lines:
            sentence = clean(line.text.lstrip(_BULLETS))
            short = sentence if len(sentence) <= _LONGEST_SENTENCE else ""
            equipped = _EQUIPPED.fullmatch(short)
            models = [_COMPOSITION.fullmatch(part) for part in _SEVERAL.split(short)]
            self._mark(line)
            if equipped is not None:
                self._equip(equipped["who"], equipped["items"], line)
            elif sentence == "OR":
                is_alternative = True
            elif _LOST_PRICE.fullmatch(sentence):
                message = f"{sentence!r}: a price row that lost its row or its price"
                self._notes.lost("cost_unreadable", message, line.number, sentence)
            elif all(models):
                for match in models:
                    if match is not None:
                        self._add_models(match, line, is_alternative)
            elif _NOISE.fullmatch(sentence) is None:
                message = f"kept out of the composition: {sentence[:80]!r}"
                self._notes.add("info", "composition_note_unread", message, line.number, sentence)

    def _add_models(self, match: re.Match[str], line: Line, is_alternative: bool) -> None:
        """Add a kind of model; behind an OR, one that is there already gets the wider bounds."""
        least, most = int(match["least"]), int(match["most"] or match["least"])
        entry = Composition(_NAME_TAIL.sub("", match["name"]).strip(), least, max(least, most), None, line.number)
        for at, known in enumerate(self.composition):
            if is_alternative and singular(known.model_name) == singular(entry.model_name):
                least, most = min(known.min_models, least), max(known.max_models, most)
                self.composition[at] = replace(known, min_models=least, max_models=most)
                return
        self.composition.append(entry)

    def _equip(self, who: str, items: str, line: Line) -> None:
        self.has_default_weapons = True
        names = tuple(clean(item).rstrip(".") for item in items.split(";") if item.strip(" ."))
        weapons = () if [fold(name) for name in names] == ["nothing"] else names
        folded = fold(who)
        keys = {at: singular(row.model_name) for at, row in enumerate(self.composition)}
        if folded.startswith(("this ", "every model", "each model", "all models", "the model")):
            chosen = set(keys)
        else:
            chosen = {at for at, key in keys.items() if key and key in singular(who)}
            # "Boss Nob" names the Boss Nob, not the Nob.
            chosen -= {at for at in chosen for other in chosen if keys[at] != keys[other] and keys[at] in keys[other]}
        if not chosen:
            message = f"equipment of {who[:80]!r}, which is no model of the composition"
            self._notes.lost("default_weapons_unmatched", message, line.number, line.text)
        for at in chosen:
            self.composition[at] = replace(self.composition[at], default_weapons=weapons)

    def _read_leader(self, section: Section) -> None:
        for line in section.lines:
            self._mark(line)
            _, colon, rest = line.text.partition(":")
            is_sentence = not line.depth and (colon or line.text.endswith((".", ";")))
            listed = rest if is_sentence and colon else "" if is_sentence else line.text
            names = re.split(r"\s*[,;•■]\s*", listed.strip(_BULLETS))
            self._leads += [clean(name).rstrip(".") for name in names if name.strip(" .")]

    def _read_keywords(self, section: Section) -> None:
        is_faction = section.heading.startswith("FACTION")
        model: str | None = None
        for line in section.lines:
            self._mark(line)
            heading = KEYWORD_HEADING.fullmatch(line.text)
            if heading is not None and heading["scope"]:
                model = _scope(heading["scope"])
            for item in re.split(r"[,;]", heading["list"] if heading is not None else line.text):
                before, colon, keyword = item.rpartition(":")
                if colon:  # the name of the next model, perhaps glued to the keyword before it
                    last, name = self._split_at_model(before)
                    self._add_keyword(last, model, line, is_faction)
                    model = _scope(name)
                self._add_keyword(keyword, model, line, is_faction)

    def _split_at_model(self, text: str) -> tuple[str, str]:
        for entry in self.composition:
            name = entry.model_name.upper().removesuffix("S")
            at = text.upper().rfind(name)
            if at > 0 and len(text.rstrip()) - at <= len(name) + 1:
                return text[:at], text[at:]
        return "", text

    def _add_keyword(self, text: str, model: str | None, line: Line, is_faction: bool) -> None:
        name = clean(text).upper()
        known = {(entry.keyword, entry.is_faction_keyword, entry.model_name) for entry in self.keywords}
        if not name.strip("]. ") or (name, is_faction, model) in known:
            return
        if len(name) > 80 or name.endswith("."):
            message = f"not a keyword: {name[:80]!r}"
            self._notes.lost("unrecognised_line", message, line.number, line.text)
            return
        self.keywords.append(Keyword(name, is_faction, model, line.number))


def _scope(name: str) -> str | None:
    return None if fold(name) == "all models" else clean(name)
