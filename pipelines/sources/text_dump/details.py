"""What the blocks of the rules text say: stratagems, detachment rules, enhancements.

Belongs here: the inner grammar of a block and joining it with the indexes. Doesn't: finding blocks (``blocks``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from pipelines.records import DetachmentRule, Enhancement, RuleBlock, Stratagem
from pipelines.sources.text_dump.alignment import align
from pipelines.sources.text_dump.dropped import restore
from pipelines.sources.text_dump.indexes import Indexes
from pipelines.sources.text_dump.memory import clean, fold, rule_remembered
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.shapes import type_line

_FIELD = re.compile(r"(?:^|(?<=[.!?\"”’)]))(WHEN|TARGET|EFFECT|RESTRICTIONS):[ ]?", re.MULTILINE)
_ELIGIBILITY = re.compile(r"(?P<who>[^.]{0,200}?\bonly\.)\s+(?P<rule>.+)", re.DOTALL)
_MODEL_LINE = re.compile(r"(?:model|unit)s? ")
_DETACHMENT = " Detachment"


@rule_remembered
def read_body(printed: str, is_stratagem: bool) -> tuple[str, bool]:
    """The text of a block line by line, and whether the second printing of a stratagem's fields differs.

    Of that second printing only lines that differ are kept.
    """
    lines = [clean(line) for line in printed.split("\n")]
    lines, differing = _fold_copies(lines) if is_stratagem else (lines, [])
    return "\n".join(lines), bool(differing)


def _fold_copies(lines: list[str]) -> tuple[list[str], list[str]]:
    """Fold the second printing of a stratagem's fields away; return the lines kept and those that differ from it."""
    at = next((index for index, line in enumerate(lines) if line.startswith("TARGET:")), None)
    if at is None:
        return lines, []
    again = next((index for index in range(at + 1, len(lines)) if lines[index].startswith("TARGET:")), None)
    if again is None:
        return lines, []
    first = set(lines[at:again])
    differing = [line for line in lines[again:] if line not in first]
    return lines[:again] + differing, differing


@dataclass(frozen=True, slots=True)
class _Text:
    """What the text of a stratagem says; ``fields`` by their names in capitals."""

    cp: int
    detachment: str
    type: str
    fields: Mapping[str, str]
    flavour: str | None


@rule_remembered
def _read_stratagem(body: str) -> _Text:
    head, _, rest = body.partition("\n")
    second, _, rest = rest.partition("\n")
    match = type_line(second)
    parts = _FIELD.split(rest)
    fields: dict[str, str] = {}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        fields.setdefault(name, text.strip())
    detachment, kind = (match["detachment"], match["type"]) if match else ("", "")
    return _Text(int(head[:-2]), detachment, kind, MappingProxyType(fields), parts[0].strip() or None)


@dataclass(frozen=True, slots=True)
class _Detail:
    name: str
    text: _Text
    rule: int
    line: int


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What a page prints below its other datasheets: folded titles to blocks, and the names that their indexes list."""

    stratagems: dict[str, int] = field(default_factory=dict)
    detachment_rules: dict[str, int] = field(default_factory=dict)
    listed: frozenset[str] = frozenset()


def is_detachment_detail(rule: RuleBlock) -> bool:
    """Whether a block is the text of a detachment's rule."""
    return rule.kind == "detachment_rule" and rule.body.partition("\n")[0].endswith(_DETACHMENT)


class DetailReader:
    """Joins the indexes of a page with the texts of its blocks."""

    def __init__(
        self,
        page: Page,
        rules: Sequence[RuleBlock],
        indexes: Indexes,
        faction_keyword: str | None,
        own: range | None = None,
        elsewhere: Elsewhere | None = None,
    ) -> None:
        """Start with all blocks of a page; ``own``: those below this datasheet."""
        self._page = page
        self._rules = rules
        self._own = [(at, rules[at]) for at in (range(len(rules)) if own is None else own)]
        self._indexes = indexes
        self._keyword = faction_keyword
        self._elsewhere = elsewhere or Elsewhere()

    def stratagems(self) -> tuple[Stratagem, ...]:
        """The index in its order, each with its text; then texts that the index doesn't name."""
        details = [self._stratagem(at, rule) for at, rule in self._own if rule.kind == "stratagem"]
        exact = {(fold(one.name), fold(one.text.detachment)): one for one in reversed(details)}
        by_name = {fold(one.name): one for one in reversed(details)}
        used: set[int] = set()
        found: list[Stratagem] = []
        for entry in self._indexes.stratagems:
            folded = fold(entry.name)
            detail = exact.get((folded, fold(entry.detachment))) or by_name.get(folded)
            if detail is None and folded in self._elsewhere.stratagems:
                at = self._elsewhere.stratagems[folded]
                detail = self._stratagem(at, self._rules[at])
            if detail is None:
                self._page.note("info", "stratagem_text_missing", f"{entry.name}: listed without its text", entry.line)
            else:
                used.add(detail.rule)
                text = detail.text
                if (text.cp, fold(text.detachment), text.type) != (entry.cp, fold(entry.detachment), entry.type):
                    message = f"{entry.name}: the index says {entry.cp}CP {entry.detachment} – {entry.type}"
                    self._page.note("warning", "stratagem_disagrees", message, detail.line)
            found.append(_stratagem(entry.name, entry.cp, entry.detachment, entry.type, entry.line, detail))
        for detail in details:
            if detail.rule not in used and fold(detail.name) not in self._elsewhere.listed:
                message = f"{detail.name}: has a text but stands in no index"
                self._page.note("info", "stratagem_not_in_index", message, detail.line)
                text = detail.text
                found.append(_stratagem(detail.name, text.cp, text.detachment, text.type, detail.line, detail))
        return tuple(found)

    def _stratagem(self, at: int, rule: RuleBlock) -> _Detail:
        text = _read_stratagem(rule.body)
        for name in ("WHEN", "TARGET", "EFFECT"):
            if not text.fields.get(name):
                self._page.note("warning", "stratagem_field_missing", f"{rule.title}: no {name}", rule.start_line)
        return _Detail(rule.title, text, at, rule.start_line)

    def detachment_rules(self) -> tuple[DetachmentRule, ...]:
        """The index in its order, each with its text; then texts that the index doesn't name."""
        details = {fold(rule.title): at for at, rule in reversed(self._own) if is_detachment_detail(rule)}
        found = []
        for name, line in self._indexes.detachment_abilities:
            at = details.pop(fold(name), self._elsewhere.detachment_rules.get(fold(name)))
            if at is None:
                message = f"{name}: listed without its text, so its detachment is unknown"
                self._page.note("info", "detachment_rule_text_missing", message, line)
                found.append(DetachmentRule(name, None, None, None, line))
            else:
                found.append(self._detachment_rule(name, line, at))
        for at in sorted(details.values()):
            rule = self._rules[at]
            if fold(rule.title) in self._elsewhere.listed:
                continue
            message = f"{rule.title}: has a text but stands in no index"
            self._page.note("info", "detachment_rule_not_in_index", message, rule.start_line)
            found.append(self._detachment_rule(rule.title, rule.start_line, at))
        return tuple(found)

    def _detachment_rule(self, name: str, line: int, at: int) -> DetachmentRule:
        head, *lines = self._rules[at].body.split("\n")
        text = "\n".join(lines[1:] if len(lines) > 1 else lines)  # the first of several paragraphs is flavour
        return DetachmentRule(name, head.removesuffix(_DETACHMENT), text or None, at, line)

    def enhancements(self) -> tuple[Enhancement, ...]:
        """The index in its order; texts under a name of their own first, nameless ones aligned with the rest."""
        blocks = [(at, rule) for at, rule in self._own if rule.kind == "enhancement"]
        titled = {fold(rule.title): at for at, rule in blocks if not rule.title.startswith("(")}
        nameless = [(at, rule) for at, rule in blocks if rule.title.startswith("(")]
        listed = self._indexes.enhancements
        open_names = [place for place, (name, _, _) in enumerate(listed) if fold(name) not in titled]
        texts = [self._alignable(rule) for _, rule in nameless]
        matches = dict(zip(open_names, align([listed[place][:2] for place in open_names], texts), strict=True))
        for _, rule in nameless[len(open_names) :]:
            message = "an enhancement text for which the index has no name"
            self._page.note("warning", "enhancement_text_unmatched", message, rule.start_line)
        found = []
        for place, (name, points, line) in enumerate(listed):
            match = matches.get(place)
            if match is None:
                found.append(self._enhancement(name, points, line, titled[fold(name)], "certain"))
            elif match.text is None:
                message = f"{name}: no text of this enhancement is left"
                self._page.note("info", "enhancement_text_missing", message, line)
                found.append(Enhancement(name, points, match.detachment, text_match="missing", line=line))
            else:
                at = nameless[match.text][0]
                if match.certainty == "inferred":
                    message = f"{name}: which text is its own follows from the order alone"
                    self._page.note("info", "enhancement_text_inferred", message, self._rules[at].start_line)
                found.append(self._enhancement(name, points, line, at, match.certainty))
        return tuple(found)

    @staticmethod
    def _alignable(rule: RuleBlock) -> tuple[str, str]:
        head, _, rest = rule.body.partition("\n")
        return head.removesuffix(_DETACHMENT), rest

    def _enhancement(self, name: str, points: int | None, line: int, at: int, certainty: str) -> Enhancement:
        detachment, words = self._alignable(self._rules[at])
        lines = words.split("\n")
        start = next((place for place, text in enumerate(lines) if _ELIGIBILITY.match(text)), min(1, len(lines) - 1))
        match = _ELIGIBILITY.fullmatch("\n".join(lines[start:]))
        who, rule = (match["who"], match["rule"]) if match else (None, "\n".join(lines[start:]))
        return Enhancement(
            name=name,
            points=points,
            detachment=detachment,
            eligibility_text=who,
            eligibility_restored=self._restored(who),
            description=rule,
            flavour="\n".join(lines[:start]) or None,
            text_match=certainty,  # type: ignore[arg-type]
            rule=at,
            line=line,
        )

    def _restored(self, who: str | None) -> str | None:
        if who is None or self._keyword is None or _MODEL_LINE.match(who) is None:
            return None
        return restore(who, self._keyword)


def _stratagem(name: str, cp: int, detachment: str, kind: str, line: int, detail: _Detail | None) -> Stratagem:
    fields: Mapping[str, str] = detail.text.fields if detail else {}
    return Stratagem(
        name=name,
        cp_cost=cp,
        detachment=detachment,
        type=kind,
        is_core=detachment == "Core",
        when_text=fields.get("WHEN") or None,
        target_text=fields.get("TARGET") or None,
        effect_text=fields.get("EFFECT") or None,
        restrictions_text=fields.get("RESTRICTIONS") or None,
        flavour=detail.text.flavour if detail else None,
        rule=detail.rule if detail else None,
        line=line,
    )
