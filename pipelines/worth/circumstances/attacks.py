"""Which attacks a clause names: by their weapons and by their characteristics.

Belongs here: taking these words out of a clause. Doesn't: units (``keywords``, ``roles``), finding the weapons meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pipelines.worth.circumstances.keywords import GROUP

Relation = Literal["=", ">", "<", ">=", "<="]

EXCLUSION = re.compile(r" ?[(\[]excluding (?P<what>[^)\]]*)(?P<end>[)\]]|$)|, but no (?P<but>[^;]*)")
_RELATIONS: dict[str, Relation] = {
    "greater than or equal to": ">=", "greater than": ">", "less than or equal to": "<=", "less than": "<",
    "equal to": "=",
}  # fmt: skip
_AGAINST_TOUGHNESS = re.compile(
    r"(?:\bif |\band )?the Strength characteristic of that attack is "
    r"(?P<relation>(?:greater|less) ?than(?: or equal to)?|equal to) "
    r"(?:the Toughness characteristic of (?:the|that|your|this) [\w’]+(?: [\w’]+){0,3}?"
    r"|(?:this|that|your) (?:unit|model)’s Toughness characteristic)(?=$|,| and\b)"
    r"|\bwhose Strength is (?P<than>(?:greater|less) than) its Toughness\b"
)
_OF_ATTACK = re.compile(
    r"(?:against attacks )?\b(?:with|that has|that have) an? (?:unmodified )?(?P<what>Damage|Strength) "
    r"characteristic of (?P<number>\d+)(?: or (?P<bound>less|more))?(?=$|,| and\b| that\b)"
)
_BOUNDS: dict[str | None, Relation] = {None: "=", "less": "<=", "more": ">="}
_NAMES = {"S": "Strength", "D": "Damage", "T": "the target’s Toughness"}
_PLAIN = r"(?:(?:all|the|its|one or more|[Rr]anged|[Mm]elee|and) )*[Ww]eapons?"
_EQUIPPED = re.compile(
    r"^(?P<before>(?:(?:While|If|Once|Each|In|At|When|if|when) [^,;]+, )?"
    r"(?:after selecting targets for |select |and )?)(?P<weapons>.+?) equipped by (?P<who>.+)$"
)
_WITH = re.compile(
    r"(?:(?:^(?:made )?|\b(?:is|was) made )with an? |\bwith its )"
    r"(?P<weapons>(?:(?!characteristic|abilit)[^,;(])+?)(?= that | and | \(|$)"
)
_OWN_WEAPON = re.compile(
    r"^(?:its|[Tt]his (?:model|unit)’s|[Yy]our model’s|[Tt]he bearer’s) "
    r"(?P<weapons>(?!.*(?:models?|units?|abilit\w+|characteristics?|attacks?)$)[\w’ -]+)$"
)
_PLAIN_WEAPONS = re.compile(rf"^(?:(?:your unit’s|All) )?{_PLAIN}(?: (?:of|in)\b)?")
_PSYCHIC = re.compile(r"\b(?:against )?(?:an? )?Psychic Attacks?\b(?P<others> and attacks\b)?")
_REFERRED = re.compile(
    r"(?:made )?(?:with )?(?:[Tt]hat|[Tt]his|such an?|[Ss]uch|[Tt]hose|[Tt]hese|those two) (?:ranged |melee )?weapons?"
)
_ALL_WEAPONS = re.compile(
    r"(?:^|; )(?:all |the )?(?:[Rr]anged |[Mm]elee )weapons (?:of|equipped by) models in (?:your|this) unit(?:; |$)"
)
_LIMITING = re.compile(
    r"\b(?:Strength|Toughness|Damage|Wounds|Save|Armour Penetration|Attacks) characteristic|\bequipped with\b"
    r"|\bweapons?\b|\bnon-"
)


@dataclass(frozen=True, slots=True)
class AttackTest:
    """A condition on a characteristic of the attack; ``than``: a number, or T for the target's Toughness."""

    characteristic: Literal["S", "D"]
    relation: Relation
    than: int | Literal["T"]

    def __str__(self) -> str:
        """Such as ``Strength >= Toughness``."""
        return f"{_NAMES[self.characteristic]} {self.relation} {_NAMES.get(str(self.than), self.than)}"


def attack_tests(text: str) -> tuple[list[AttackTest], str]:
    """Conditions on the characteristics of an attack, and the text without them."""
    tests = []
    for match in _AGAINST_TOUGHNESS.finditer(text):
        relation = re.sub(r"(?<=[rs]) ?than", " than", match["relation"] or match["than"])
        tests.append(AttackTest("S", _RELATIONS[relation], "T"))
    for match in _OF_ATTACK.finditer(text):
        tests.append(
            AttackTest("D" if match["what"] == "Damage" else "S", _BOUNDS[match["bound"]], int(match["number"]))
        )
    return tests, _OF_ATTACK.sub("", _AGAINST_TOUGHNESS.sub("", text))


def named_weapons(text: str) -> tuple[str | None, str, bool]:
    """Words for weapons where a clause names only some of a type, the clause without them, and whether it is clear."""
    if psychic := _PSYCHIC.search(text):
        return "Psychic weapons", _PSYCHIC.sub("", text), psychic["others"] is None
    exclusions = [match for match in EXCLUSION.finditer(text) if _excludes_weapons(text[: match.start()], match[0])]
    if any(match["end"] == "" for match in exclusions):
        return None, text, False
    for exclusion in exclusions:
        text = text.replace(exclusion[0], "")
    words: str | None = None
    if match := _EQUIPPED.fullmatch(text):
        text, words = f"{match['before']}{match['who']}", match["weapons"]
    elif match := _OWN_WEAPON.fullmatch(text):
        text, words = "", match["weapons"]
    elif match := _WITH.search(text):
        text, words = text[: match.start()] + text[match.end() :], match["weapons"]
    elif match := _PLAIN_WEAPONS.match(text):
        text, words = text[match.end() :], "weapons"
    if not exclusions and (words is None or re.fullmatch(_PLAIN, words)):
        return None, text, True
    words = re.sub(r"^(?:an?|all) ", "", words or "weapons")
    return " ".join([words, *(match[0].strip() for match in exclusions)]), text, True


def _excludes_weapons(before: str, exclusion: str) -> bool:
    """Tell whether an exclusion is of weapons: no keyword in it, and a weapon named before it."""
    return (
        re.search(r"\b[Ww]eapons?\b|\bequipped by\b", before) is not None
        and GROUP.search(exclusion) is None
        and re.search(r"\b(?:models?|units?|attacks)\b", exclusion) is None
    )


def refers_to_weapons(clause: str) -> bool:
    """Tell whether a clause names weapons by pointing at another ("that weapon")."""
    return _REFERRED.fullmatch(clause) is not None


def names_all_weapons(condition: str) -> bool:
    """Tell whether a condition has a clause of all ranged or all melee weapons, that "such weapons" may point at."""
    return _ALL_WEAPONS.search(condition) is not None


def limits_attacks(rest: str) -> bool:
    """Tell whether what is left of a clause limits attacks or users by weapons or characteristics."""
    return _LIMITING.search(rest) is not None
