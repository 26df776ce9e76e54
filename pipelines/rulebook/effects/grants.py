"""Phrases that give weapons an ability or models a protection. Belongs here: their patterns and what they are said of.

Doesn't: on whose side that is (``subjects``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.rulebook.effects.modifier import AttackScope
from pipelines.rulebook.effects.rolls import Found, characteristics
from pipelines.sources.weapon_abilities import KNOWN_ABILITIES, parse_weapon_ability

STEALTH = "Stealth ability"
COVER = "Benefit of Cover"

_SUBJECT = re.compile(
    r"(?:^|[,:;.]|\band\b|\binstead\b|\bwhile\b[^,]{3,60}?,)\s*(?P<subject>(?:(?!\band\b)[^,:;.]){1,160}?)\s*$"
)
_LISTED = re.compile(
    r"(?:\b[^\W\d_a-z][^\sa-z,]*(?: [^\W\d_a-z][^\sa-z,]*)*(?: units?| models?)?(?: \([^)]{1,60}\))?(?:,| and| or|, "
    r"and) )+$"
)
_WEAPONS_LISTED = re.compile(
    r"(?:(?<=, )|(?<=^))(?:\b(?:(?!\b(?:the|that|th[io]se?|your|next|end|of|phase|turn|rounds?|until|if|while|when|"
    r"each|select|improve|add|fourth"
    r"|third|attacks|is|are|it)\b)[a-z’ -]){3,40}(?:,| and) )+$"
)
_ARMED = re.compile(r"\b(?:[Aa]ll )?(?:[Rr]anged |[Mm]elee )?(?:Psychic )?[Ww]eapons equipped by (?:models in )?$")


def subject(text: str, before: int) -> tuple[str, int]:
    """What stands before a verb, back to the comma, colon or "and", and where it begins; "?" if nothing does.

    A list of keywords before it ("X, Y and Z units") belongs to it.
    """
    match = _SUBJECT.search(text, max(0, before - 200), before)
    if match is None or not match["subject"].strip():
        return "?", before
    begin = match.start("subject")
    listed = None
    if re.match(r"[^\W\d_a-z]{2}", match["subject"]):
        listed = _LISTED.search(text, max(0, begin - 300), begin)
    elif " equipped by " in match["subject"]:
        listed = _WEAPONS_LISTED.search(text, max(0, begin - 300), begin)
    begin = listed.start() if listed else begin
    if listed and (armed := _ARMED.search(text, max(0, begin - 80), begin)):
        begin = armed.start()
    return text[begin:before].strip(), begin


def _shared_subject(text: str, before: int) -> tuple[str, int]:
    """The subject, or that of an earlier verb: "models have a save and have the Benefit of Cover"."""
    own, clause = subject(text, before)
    earlier = list(re.finditer(r"\b(?:have|has) ", text[:before]))
    if re.search(r" (?:have|has) ", own):
        return re.split(r" (?:have|has) ", own)[0], before
    if earlier and (own == "?" or re.fullmatch(r"(?:you|also|in addition)", own)):
        shared, begin = subject(text, earlier[-1].start())
        return shared, (begin if own == "?" else clause)
    return own, clause


def _supposed(text: str, said_of: str, at: int) -> bool:
    """Tell whether "has" stands in a condition: "if a weapon has the ability already"."""
    supposing = r"(?:[Ii]f|[Ww]hile|[Uu]nless|[Ww]hen)\b"
    piece = re.split(r"[,:;.]", text[:at])[-1].strip()
    return re.match(supposing, said_of) is not None or (said_of == "?" and re.match(supposing, piece) is not None)


_ABILITY = r"\[[^\]]{2,40}\]"
_HAVE = re.compile(
    rf"(?:have|has|gains?|and) (?:both |the )*(?P<printed>{_ABILITY}(?:(?:,|;| and| or|, and)? (?:the )?{_ABILITY})*)"
    r"(?: weapon)?(?: abilit(?:y|ies))?"
)
_CHOSEN = re.compile(
    r"(?:have|has|gains?) (?:that|the selected|the chosen|those|the selected weapon) abilit(?:y|ies)"
    rf"(?::\s*(?P<printed>{_ABILITY}(?:[;,]? {_ABILITY})*))?"
)
_OFFERED = re.compile(
    rf"\b[Ss]elect\b[^\[.]{{0,200}}(?P<printed>{_ABILITY}(?:(?:,|;| and| or|, or)? (?:the )?{_ABILITY})+)"
)


def _abilities(printed: str) -> Iterator[tuple[str, str | None]]:
    for one in re.findall(r"\[([^\]]+)\]", printed):
        ability, problem = parse_weapon_ability(one)
        if ability.ability not in KNOWN_ABILITIES or problem is not None:
            continue
        value = ability.value
        if ability.against_keywords:
            value = f"{'/'.join(ability.against_keywords)} {value}+"
        yield ability.ability, value


def offered(text: str) -> str | None:
    """The weapon abilities that a sentence lets the player choose from, as printed."""
    match = _OFFERED.search(text)
    return match["printed"] if match else None


def weapon_abilities(text: str, choice: str | None = None) -> Iterator[Found]:
    """Weapon abilities that are given. ``choice``: those offered before, for "have the selected ability"."""
    for match in _HAVE.finditer(text):
        if match[0].startswith("and") and not re.search(r"\b(?:have|has|gains?)\b", text[: match.start()]):
            continue
        said_of, clause = _shared_subject(text, match.start())
        if _supposed(text, said_of, match.start()):
            continue
        either = f"one of: {match['printed']}" if " or " in match["printed"] else None
        for ability, value in _abilities(match["printed"]):
            yield Found("grant_kw", ability, value, match.start(), match.end(), said_of, clause, condition=either)
    for match in _CHOSEN.finditer(text):
        said_of, clause = subject(text, match.start())
        printed = match["printed"] or choice or offered(text) or ""
        for ability, value in _abilities(printed):
            yield Found(
                "grant_kw", ability, value, match.start(), match.end(), said_of, clause, condition=f"one of: {printed}"
            )


_SET = re.compile(
    r"(?:have|has|and) an? (?P<name>Save|Attacks|Strength|Damage|Toughness|Wounds|Ballistic Skill|Weapon Skill"
    r"|Armour Penetration) characteristic of (?P<n>-?\d+)\+?"
)
_INVULNERABLE = re.compile(
    r"(?:have|has|and) an? (?P<n>[2-6])\+ invulnerable save(?P<scope> against (?:ranged|melee) attacks)?"
)
_FEEL_NO_PAIN = re.compile(
    r"(?:have|has|and)(?: also have| has)? the Feel No Pain (?P<n>[2-6])\+ ability"
    r"(?P<scope> against (?:(?:[Pp]sychic [Aa]ttacks|[a-z ]{0,20}) (?:and|or) )?mortal wounds"
    r"(?: and (?:[Pp]sychic [Aa]ttacks|attacks? with Psychic weapons))?)?"
)
_AGAINST_MORTAL = re.compile(r"Against (?:[Pp]sychic [Aa]ttacks and )?mortal wounds\b")
_HAS_STEALTH = re.compile(
    r"(?:have|has|and)(?: the)? (?:[A-Z][\w\" ’-]{2,30}?(?:,| and) )?(?:the )?Stealth(?: and [A-Z][\w ]+?| ability)? "
    r"abilit(?:y|ies)"
    r"|(?:have|has|and) the Stealth ability"
)
_HAS_COVER = re.compile(rf"(?P<verb>have|has|and|(?:cannot|can not|do not|does not) have) the {COVER}")


def protections(text: str) -> Iterator[Found]:
    """Saves, Feel No Pain, Stealth and cover that models have, and characteristics that are set."""
    for match in _SET.finditer(text):
        said_of, clause = _shared_subject(text, match.start())
        for name in characteristics(match["name"]):
            yield Found("stat_mod", name, "=" + match["n"], match.start(), match.end(), said_of, clause)
    for match in _INVULNERABLE.finditer(text):
        said_of, clause = _shared_subject(text, match.start())
        against: AttackScope | None = None
        if match["scope"]:
            against = "ranged" if "ranged" in match["scope"] else "melee"
        yield Found("invuln", "save", match["n"], match.start(), match.end(), said_of, clause, attack_type=against)
    for match in _FEEL_NO_PAIN.finditer(text):
        said_of, clause = _shared_subject(text, match.start())
        scope = "mortal" if match["scope"] or _AGAINST_MORTAL.match(text) else "all"
        yield Found("feel_no_pain", scope, match["n"], match.start(), match.end(), said_of, clause)
    for match in _HAS_STEALTH.finditer(text):
        said_of, clause = _shared_subject(text, match.start())
        yield Found("roll_mod", "hit", "-1", match.start(), match.end(), said_of, clause, STEALTH, attack_type="ranged")
    for match in _HAS_COVER.finditer(text):
        value = "denied" if "not" in match["verb"] else "granted"
        said_of, clause = _shared_subject(text, match.start())
        if _supposed(text, said_of, match.start()):
            continue
        yield Found("cover", "save", value, match.start(), match.end(), said_of, clause, attack_type="ranged")
