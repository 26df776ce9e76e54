"""Who may use a rule: units by army and edition, bearers of enhancements, leaders and the units they join.

Belongs here: units as users of rules, whom leaders lead, whose attacks an effect of a source changes. Doesn't: sources
and their effects (``sources``), opponents (``uses``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from pipelines.identity import fold, singular
from pipelines.worth.circumstances import KeywordTest, is_of_leading, keyword_set, led_by
from pipelines.worth.sources import Held, Source, vocabulary

_AROUND = {"aura", "enemy"}
_WIDE = {"army", *_AROUND}
_NO_BEARER = keyword_set(["EPIC HERO"])
_VEHICLE, _WALKER = singular("VEHICLE"), singular("WALKER")
_CARRIED = re.compile(r"^(?!.*\b(?:enemy|target\w*|or)\b).*\bdisembark")
_OTHER_GAME = "combat patrol"  # a collection of its own rules and detachments
_TEXTS = {
    "stratagems": ("when_text", "target_text", "effect_text", "restrictions_text"),
    "enhancements": ("eligibility_text", "eligibility_restored", "description"), "detachment_rules": ("text",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class User:
    """A unit that may use rules: its smallest size with the price, keywords (``keyword_set``) and whom it leads.

    ``collection`` and ``faction`` by ``singular``.
    """

    unit_id: str
    name: str
    canonical: str
    edition: str
    collection: str
    faction: str
    faction_name: str | None
    models: int
    points: int | None
    keywords: frozenset[str]
    leads: frozenset[str] = frozenset()


def leader_sources(users: Users, sources: Iterable[Source]) -> list[Source]:
    """Each leader as a source: its price, and what its abilities do for the unit that it leads."""
    abilities = defaultdict(list)
    for source in sources:
        if source.kind == "ability":
            for unit_id in source.owners:
                abilities[unit_id].append(source)
    return [_leader(user, abilities[user.unit_id]) for user in users.leaders() if users.led_by(user)]


def _leader(user: User, abilities: Iterable[Source]) -> Source:
    held = []
    for name, each in ((source.name, each) for source in abilities for each in source.held):
        others = tuple(clause for clause in each.facts.assumed if not is_of_leading(clause))
        if each.scope == "unit" and len(others) < len(each.facts.assumed):
            held.append(replace(each, facts=replace(each.facts, assumed=others), ability=name))
    left_out = tuple(f"{source.name}: {reason}" for source in abilities for reason in source.left_out)
    return Source(
        "leader", user.unit_id, user.name, user.edition, user.faction_name, None, "points", user.points, tuple(held),
        left_out,
    )  # fmt: skip


class Users:
    """Who may use what: preferred units by edition and army, one row for each unit of a collection."""

    def __init__(self, frames: Mapping[str, pl.DataFrame], sizes: Mapping[str, tuple[int, int | None]]) -> None:
        """``sizes``: the smallest size and its price of each unit that can be compared; others use nothing."""
        keywords = dict(frames["unit_keywords"].group_by("unit_id").agg("keyword").iter_rows())
        leads = dict(frames["unit_leads"].group_by("unit_id").agg("leads").iter_rows())
        self._all = [
            User(
                row["unit_id"], row["name"], row["canonical_unit_id"], row["edition"],
                singular(row["collection"] or ""), singular(row["faction"] or ""), row["faction"],
                *sizes[row["unit_id"]], keyword_set([*keywords.get(row["unit_id"], ()), row["name"]]),
                frozenset(map(singular, leads.get(row["unit_id"], ()))),
            )
            for row in frames["units"].filter("is_preferred").iter_rows(named=True)
            if row["unit_id"] in sizes and fold(row["collection"] or "") != _OTHER_GAME
        ]  # fmt: skip
        self._by_edition = {edition: self._of(edition) for edition in {user.edition for user in self._all}}
        self._by_id = {user.unit_id: user for user in self._all}
        self._books: dict[str, set[str]] = defaultdict(set)
        for user in self._all:
            self._books[user.faction].add(user.collection)
        self._named = _factions_named(frames, self._books)
        self._led: dict[str, list[User]] = {}
        self._vocabulary = vocabulary(frames)
        self._tell_leaders = {(user.edition, user.collection) for user in self._all if user.leads}
        self._leaders: dict[str, list[User]] = defaultdict(list)
        for leader in self._all:
            for user in self.led_by(leader):
                self._leaders[user.unit_id].append(leader)

    def _of(self, edition: str) -> list[User]:
        """Units in an edition; one that has no datasheet in it stands in with its other one."""
        chosen: dict[str, User] = {}
        for user in self._all:
            if user.canonical not in chosen or user.edition == edition:
                chosen[user.canonical] = user
        return list(chosen.values())

    def leaders(self) -> list[User]:
        """Units of one model that join others."""
        return [user for user in self._all if user.leads and user.models == 1]

    def led_by(self, leader: User) -> list[User]:
        """Units of its edition, collection and army that a leader may join; never itself."""
        if leader.unit_id not in self._led:
            self._led[leader.unit_id] = [
                user
                for user in self._all
                if singular(user.name) in leader.leads
                and user is not leader
                and (user.edition, user.collection) == (leader.edition, leader.collection)
                and (
                    user.faction == leader.faction or user.faction in leader.keywords or leader.faction in user.keywords
                )
            ]
        return self._led[leader.unit_id]

    def pool(self, source: Source) -> list[User]:
        """Units of the source's army; of a leader those that it may join, of an ability those that have it."""
        if source.kind == "leader":
            return self.led_by(self._by_id[source.key])
        if source.kind == "ability":
            return [self._by_id[unit_id] for unit_id in source.owners if unit_id in self._by_id]
        units = self._by_edition.get(source.edition, self._all)
        if source.owners:
            owners = set(source.owners)
            armies = {user.faction for user in units if user.unit_id in owners}
            return [user for user in units if user.faction in armies]
        if source.faction is None:
            return units if source.kind == "stratagem" and source.detachment_id is None else []
        return self._army(units, singular(source.faction), source.detachment_id)

    def _army(self, units: Iterable[User], faction: str, detachment_id: str | None) -> list[User]:
        """Units of a faction, and those of its books with its keyword: chapters that have units of their own.

        A detachment whose texts name a chapter isn't for another one's units: an army is of one chapter.
        """
        army = [
            user
            for user in units
            if user.faction == faction or (faction in user.keywords and user.collection in self._books[faction])
        ]
        named = self._named.get(detachment_id or "", frozenset()) & ({user.faction for user in army} - {faction})
        return [user for user in army if not named or user.faction == faction or user.faction in named]

    def using(self, source: Source, held: Held, pool: Sequence[User], taken: Iterable[str] = ()) -> list[User]:
        """Those of the source's army whose attacks, or attacks at whom, an effect changes.

        ``taken``: what is taken to hold besides the effect's own assumptions; whom it can't hold for is left out too.
        """
        meant = self._meant(source, held, pool)
        assumed = dict.fromkeys((*held.facts.assumed, *taken))
        if held.scope == "model":  # one model of a unit
            meant = [user for user in meant if user.models == 1]
        if any(map(_CARRIED.search, assumed)):  # of vehicles only walkers have transports
            meant = [user for user in meant if _VEHICLE not in user.keywords or _WALKER in user.keywords]
        led = [] if source.kind == "ability" else [led_by(clause, self._vocabulary) for clause in assumed]
        for test in filter(None, led):  # a datasheet that itself speaks of its leader has one
            meant = [user for user in meant if self._may_be_led(user, test)]
        sizes = [test for test in held.sizes if test.of == "user"]
        return [
            user
            for user in meant
            if all(test.meets(user.keywords) for test in held.facts.user)
            and all(test.meets(user.models) for test in sizes)
        ]

    def _may_be_led(self, user: User, by: KeywordTest) -> bool:
        """Tell whether a unit is one with a leader that a test means: as the led one, or as that leader's own part.

        Where no source says who leads, it is taken to be.
        """
        if (user.edition, user.collection) not in self._tell_leaders:
            return True
        leaders = [*self._leaders[user.unit_id], *([user] if self.led_by(user) else [])]
        return any(by.meets(leader.keywords) for leader in leaders)

    def _meant(self, source: Source, held: Held, pool: Sequence[User]) -> list[User]:
        if source.kind == "faction_rule" and source.owners and held.scope not in _AROUND:
            owners = set(source.owners)
            return [user for user in pool if user.unit_id in owners]
        if source.kind == "enhancement" and held.scope not in _WIDE:
            test = source.bearer
            bearers = [user for user in pool if test and self._may_bear(user) and test.meets(user.keywords)]
            return self._own_or_led(source, held, bearers, pool)
        if source.kind == "ability":
            return [] if held.scope in _WIDE else self._own_or_led(source, held, list(pool), self._all)
        return list(pool)

    def _own_or_led(self, source: Source, held: Held, owners: Sequence[User], among: Iterable[User]) -> list[User]:
        """The owners of a rule, the units that they may lead, or both."""
        leading = any(map(is_of_leading, held.facts.assumed))
        if held.scope in ("bearer", "model") or (source.kind == "ability" and not leading):
            return [user for user in owners if user.models == 1 or held.scope != "bearer"]
        led_ids = {user.unit_id for owner in owners for user in self.led_by(owner)}
        led = [user for user in among if user.unit_id in led_ids]
        return led if leading else [*owners, *(user for user in led if user not in owners)]

    @staticmethod
    def _may_bear(user: User) -> bool:
        return singular("CHARACTER") in user.keywords and not _NO_BEARER & user.keywords


def _factions_named(frames: Mapping[str, pl.DataFrame], factions: Iterable[str]) -> dict[str, frozenset[str]]:
    """Factions (by ``singular``) that the texts of each detachment name."""
    texts: dict[str, list[str]] = defaultdict(list)
    for table, columns in _TEXTS.items():
        printed = frames[table].drop_nulls("detachment_id").select("detachment_id", *columns)
        for detachment_id, *words in printed.iter_rows():
            texts[detachment_id] += [word for word in words if word]
    known = [faction for faction in factions if faction]
    found = {}
    for detachment_id, words in texts.items():
        spoken = f" {singular(' '.join(words))} "
        found[detachment_id] = frozenset(faction for faction in known if f" {faction} " in spoken)
    return found
