"""What has a price or a cost and changes attacks: stratagems, enhancements, detachment rules, faction rules, abilities.

Belongs here: collecting each source's modifiers as effects, its cost, and the ways to use it. Doesn't: what an effect
changes (``applied``, ``readings``), which words name whom (``circumstances``), which units use it (``users``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from pipelines.dimensions.defences import Defences, defences
from pipelines.identity import fold
from pipelines.records import UnitAbility
from pipelines.worth.applied import Effect, in_words
from pipelines.worth.circumstances import (
    AttackTest,
    Circumstances,
    KeywordTest,
    circumstances,
    enhancement_bearers,
    keyword_set,
)
from pipelines.worth.readings import effect_of, shortened
from pipelines.worth.sizes import SizeTest, sized

Side = Literal["attacker", "defender"]
CostKind = Literal["cp", "points", "none"]
PHASES = {"shooting": "ranged", "fight": "melee"}
_STRONGER = AttackTest("S", ">", "T")
_CLOSE = re.compile(r"\bCharge move|\bEngagement Range of (?:that|one|an?|the)? ?(?:or more )?enemy", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Held:
    """One effect of a source, for ``side``, in ``phases``, under ``facts``. ``scope`` as in ``modifiers``.

    ``sizes``: how many models the user or the target has to have. ``ability``: of a leader the name of the ability.
    """

    effect: Effect
    side: Side
    phases: tuple[str, ...]
    scope: str | None
    facts: Circumstances
    sizes: tuple[SizeTest, ...] = ()
    ability: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A rules text with effects. ``cost``: CP or points, None where unknown or nothing is paid.

    ``bearer``: who may carry an enhancement. ``owners``: units that have an ability, or the ability that a faction rule
    explains. ``left_out``: why effects of it can't be compared.
    """

    kind: str
    key: str
    name: str
    edition: str
    faction: str | None
    detachment_id: str | None
    cost_kind: CostKind
    cost: int | None
    held: tuple[Held, ...]
    left_out: tuple[str, ...] = ()
    bearer: KeywordTest | None = None
    owners: tuple[str, ...] = ()
    side: Side = "attacker"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to use a source for a side: its effects that hold under the same assumptions, and what is assumed."""

    side: Side
    held: tuple[Held, ...]
    assumed: tuple[str, ...]
    label: str | None


def vocabulary(frames: Mapping[str, pl.DataFrame]) -> frozenset[str]:
    """All keywords and unit names, as the tests of circumstances compare them."""
    of_targets = frames["targets"]["keywords"].explode().drop_nulls()
    return keyword_set([*frames["unit_keywords"]["keyword"].unique(), *of_targets, *frames["units"]["name"].unique()])


def read_sources(frames: Mapping[str, pl.DataFrame]) -> list[Source]:
    """All sources whose text speaks of attacks, in the order of their tables; what wasn't read of it is left out.

    Needs the frames modifiers, stratagems, enhancements, detachment_rules, detachments, text_coverage, unit_abilities,
    unit_keywords, units and targets.
    """
    known, inherent = vocabulary(frames), _inherent(frames["unit_abilities"])
    modifiers: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in frames["modifiers"].filter(pl.col("operation").is_not_null()).iter_rows(named=True):
        modifiers[row["source_id"]].append(row)
    incomplete = frames["text_coverage"].filter(pl.col("status").is_in(["partly", "not_modelled"]))
    unread = dict(incomplete.select("source_id", "clause").drop_nulls().iter_rows())
    return [
        Source(**head, held=held, left_out=(*left_out, *_said(unread, head)), side=_side(modifiers[head["key"]]))
        for head in _heads(frames, known)
        if head["key"] in modifiers or head["key"] in unread
        for held, left_out in [
            _held(
                modifiers[head["key"]],
                known,
                is_inherent=head["key"] in inherent,
                is_borne=head["kind"] == "enhancement",
            )
        ]
    ]


def _said(unread: Mapping[str, str], head: Mapping[str, Any]) -> list[str]:
    return [unread[head["key"]]] if head["key"] in unread else []


def _inherent(unit_abilities: pl.DataFrame) -> set[str]:
    """Abilities whose protection is among the numbers of the units that have them (``targets``)."""
    texts = unit_abilities.drop_nulls(["ability_id", "text"]).filter(pl.col("kind") == "datasheet").unique("ability_id")
    found = set()
    for ability_id, name, text in texts.select("ability_id", "name", "text").iter_rows():
        read = defences([UnitAbility("datasheet", name, text=text)], one_kind=True)
        if replace(read, not_modelled=()) != Defences():
            found.add(ability_id)
    return found


def _heads(frames: Mapping[str, pl.DataFrame], known: frozenset[str]) -> Iterator[dict[str, Any]]:
    """All of ``Source`` but its effects, for every text."""
    detachments = {row["detachment_id"]: row for row in frames["detachments"].iter_rows(named=True)}

    def belonging(detachment_id: str | None) -> dict[str, Any]:
        row = detachments.get(detachment_id or "", {})
        return {"detachment_id": detachment_id, "faction": row.get("faction"), "edition": row.get("edition")}

    for row in frames["stratagems"].iter_rows(named=True):
        yield {
            **belonging(row["detachment_id"]), "kind": "stratagem", "key": row["stratagem_id"], "name": row["name"],
            "edition": row["edition"], "cost_kind": "cp", "cost": row["cp_cost"],
        }  # fmt: skip
    for row in frames["enhancements"].iter_rows(named=True):
        printed = row["eligibility_restored"] or row["eligibility_text"]
        yield {
            **belonging(row["detachment_id"]), "kind": "enhancement", "key": row["enhancement_id"], "name": row["name"],
            "cost_kind": "points", "cost": row["points"], "bearer": enhancement_bearers(printed, known),
        }  # fmt: skip
    for row in frames["detachment_rules"].iter_rows(named=True):
        yield {
            **belonging(row["detachment_id"]), "kind": "detachment_rule", "key": row["detachment_rule_id"],
            "name": row["name"], "cost_kind": "none", "cost": None,
        }  # fmt: skip
    owners = defaultdict(list)
    for unit_id, ability_id in frames["unit_abilities"].select("unit_id", "ability_id").drop_nulls().iter_rows():
        owners[ability_id].append(unit_id)
    named = defaultdict(list)
    of_faction = frames["unit_abilities"].filter(pl.col("kind") == "faction")
    for unit_id, name in of_faction.select("unit_id", "name").iter_rows():
        named[_plain_name(name)].append(unit_id)
    others = frames["text_coverage"].filter(pl.col("source_kind").is_in(["faction_rule", "ability"]))
    for row in others.iter_rows(named=True):
        yield {
            "kind": row["source_kind"], "key": row["source_id"], "name": row["name"], "edition": row["edition"],
            "faction": row["faction"], "detachment_id": None, "cost_kind": "none", "cost": None,
            "owners": tuple(
                owners.get(row["source_id"], ())
                if row["source_kind"] == "ability"
                else named.get(_plain_name(row["name"]), ())
            ),
        }  # fmt: skip


def _plain_name(name: str) -> str:
    """The name of a faction's ability without what kind it is: "Gift (Aura)"."""
    return fold(re.sub(r"\s*\([^)]*\)", "", name))


def _held(
    rows: Iterable[Mapping[str, Any]], known: frozenset[str], *, is_inherent: bool, is_borne: bool
) -> tuple[tuple[Held, ...], tuple[str, ...]]:
    found, left_out = [], []
    for row in rows:
        facts = circumstances(row["condition"], vocabulary=known)
        sizes: tuple[SizeTest, ...] = ()
        reason = "already among the unit’s own numbers" if is_inherent and row["side"] == "defender" else None
        if row["side"] != "defender":
            facts, sizes, reason = sized(facts, row["condition"])
        mortal = row["operation"] == "mortal_wounds"
        if mortal:  # they are the unit's, whichever of its models throws the grenade
            facts = replace(facts, models=())
        effect = reason or _with_attack(effect_of(row), facts, row["condition"] or "")
        if isinstance(effect, str):
            left_out.append(effect)
            continue
        sides: tuple[Side, ...] = ("attacker",) if row["side"] == "either" else (row["side"],)
        scope = ("bearer" if is_borne else "unit") if mortal else row["scope"]
        found += [Held(effect, side, _phases(row), scope, facts, sizes) for side in sides]
    return tuple(found), tuple(dict.fromkeys(left_out))


def _side(rows: Iterable[Mapping[str, Any]]) -> Side:
    sides = {row["side"] for row in rows}
    return "defender" if sides == {"defender"} else "attacker"


def _phases(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The phases of the attacks that a modifier changes; of mortal wounds in no phase of attacks, the nearer one."""
    if row["operation"] == "mortal_wounds" and row["phase"] == "any":
        return ("fight",) if _CLOSE.search(row["condition"] or "") else ("shooting",)
    return tuple(
        phase
        for phase, attack_type in PHASES.items()
        if row["phase"] in (phase, "any") and row["attack_type"] in (attack_type, "any")
    )


def _with_attack(effect: Effect | str, facts: Circumstances, condition: str) -> Effect | str:
    """The effect with conditions on the attack itself, or why it can't be compared under its circumstances."""
    if isinstance(effect, str):
        return effect
    if reason := _not_comparable(facts, condition):
        return reason
    if facts.attack == (_STRONGER,) and effect == Effect(target_wound_mod=-1):
        return Effect(wound_minus_if_stronger=True)
    return f"depends on the attack: {facts.attack[0]}" if facts.attack else effect


def _not_comparable(facts: Circumstances, condition: str) -> str | None:
    """Why an effect can't be compared: it isn't for all attacks of a unit, or its circumstances aren't understood."""
    reasons = {
        "named weapons": facts.weapons,
        "some models only": facts.models and _of_models(condition),
        "depends on a roll": facts.on_roll,
        "Fire Overwatch only": facts.in_overwatch and "hits on unmodified 6",
        "not understood": "; ".join(facts.unread),
        "unknown keyword": "; ".join(facts.unknown),
    }
    return next((f"{reason}: {words}" for reason, words in reasons.items() if words), None)


def _of_models(condition: str) -> str:
    """The clause that says which models, the last that speaks of any."""
    return shortened(next((clause for clause in reversed(condition.split("; ")) if "model" in clause), condition))


def ways(source: Source) -> list[Way]:
    """The ways to use a source: one for each distinct set of assumptions, and for each of exclusive options.

    Mortal wounds beside attacks are a way of their own. A way has all effects whose assumptions are among its own, one
    at least no drawback; ``label`` names its option, and what tells it from the others of its side.
    """
    found: list[Way] = []
    kinds: tuple[tuple[Side, bool], ...] = (("attacker", False), ("attacker", True), ("defender", False))
    for side, is_mortal in kinds:
        held = [each for each in source.held if each.side == side and bool(each.effect.mortal_wounds) is is_mortal]
        needs = [_needs(each) for each in held]
        common = frozenset.intersection(*(frozenset(each.facts.assumed) for each in held)) if held else frozenset()
        # A leader's weapons join the attack whatever else holds.
        always = [frozenset[str]()] if source.kind == "leader" and side == "attacker" and not is_mortal else []
        for need in dict.fromkeys([*always, *needs]):
            members = tuple(each for each, own in zip(held, needs, strict=True) if own <= need)
            if members and all(each.effect.only_harms for each in members):
                continue
            extra = sorted(need if always else need - common)
            if is_mortal and any(way.side == side for way in found):
                extra.append("mortal wounds")
            label = "; ".join(extra) or None
            assumed = tuple(dict.fromkeys(clause for each in members for clause in each.facts.assumed))
            found.append(Way(side, members, assumed, label))
    return found


def _needs(held: Held) -> frozenset[str]:
    """What must hold or be chosen; rows of an option hold together, those of ``one_of`` exclude each other."""
    chosen = {held.facts.option} if held.facts.option else set()
    alternative = {f"{held.facts.one_of} ({in_words(held.effect)})"} if held.facts.one_of else set()
    return frozenset({*held.facts.assumed, *chosen, *alternative})
