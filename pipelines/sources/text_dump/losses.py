"""What a page has lost: said in its issues, since nothing else would tell.

Belongs here: sections that a datasheet lacks, texts that an index names in vain, gaps of keywords, a page that breaks
off. Doesn't: lines that aren't understood, which the readers note themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.records import DetachmentRule, Enhancement, RuleBlock, Stratagem
from pipelines.sources.text_dump.datasheet import DatasheetReader
from pipelines.sources.text_dump.dropped import may_hide_a_keyword
from pipelines.sources.text_dump.headings import KEYWORDS
from pipelines.sources.text_dump.page import Page
from pipelines.sources.text_dump.record import stat_lines
from pipelines.sources.text_dump.shapes import Piece, Shape

_SENTENCE_ENDS = (".", "!", "?", ":", '"', "”", "’", ")", "]", "*")
_UNFLAGGED_KINDS = ("core_rule", "core_ability", "weapon_ability", "profile_note", "keyword_usage", "army_list_nav")


def note_losses(sheet: DatasheetReader) -> None:
    """Say what a datasheet should have printed and didn't."""
    page, seen = sheet.page, sheet.seen
    if not stat_lines(sheet):
        page.note("info", "stat_line_missing", "the page prints no stat line: M, T, Sv, W, Ld, OC are unknown")
    if "LEADER" in seen and not sheet.leader.units:
        page.note("info", "leader_targets_lost", "the list of units that this model can be attached to is lost")
    if sheet.layout.may_lack_sections:
        missing = [name for name in ("ABILITIES", "UNIT COMPOSITION", KEYWORDS) if name not in seen]
        if missing:
            message = f"the page has lost its sections {', '.join(missing)}"
            page.note("info", "sections_missing", message, sheet.first + 1)
    elif KEYWORDS not in seen:
        page.note_partial("truncated_document", "the page ends before its KEYWORDS", len(page.lines))
    elif not sheet.keywords.names(faction=True):
        page.note_partial("truncated_document", "the page ends before its faction keywords", len(page.lines))


def flag_dropped_keywords(page: Page, rules: Sequence[RuleBlock], eligibility_restored: bool) -> None:
    """Where a page drops its faction keyword visibly, it may have dropped it without a trace elsewhere."""
    if not eligibility_restored and not any(rule.restored_body for rule in rules):
        return
    for rule in rules:
        is_core = rule.kind in _UNFLAGGED_KINDS or "\nCore – " in rule.body
        if rule.parent is None and not is_core and may_hide_a_keyword(rule.body):
            message = f"{rule.title}: a faction keyword may have been dropped here without a trace"
            page.note("info", "faction_keyword_unknown", message, rule.start_line)


def check_end(
    page: Page,
    pieces: Sequence[Piece],
    stratagems: Sequence[Stratagem],
    detachment_rules: Sequence[DetachmentRule],
    enhancements: Sequence[Enhancement],
) -> None:
    """A page that breaks off in a sentence, or that lacks texts which its indexes name, is truncated."""
    last = pieces[-1] if pieces else None
    lacking = [one.name for one in stratagems if one.rule is None]
    lacking += [one.name for one in detachment_rules if one.rule is None]
    if enhancements and all(one.rule is None for one in enhancements):
        lacking.append("all enhancements")
    if last is not None and last.shape in (Shape.PROSE, Shape.BULLET) and not last.text.endswith(_SENTENCE_ENDS):
        message = "the page breaks off in the middle of a sentence"
    elif lacking:
        message = f"texts that its indexes name are missing: {', '.join(lacking)[:160]}"
    else:
        return
    page.note_partial("truncated_document", message, len(page.lines))
