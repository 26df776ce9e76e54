"""Every weapon profile against every target in every scenario that matters, by classes.

Belongs here: merging rows with equal effects into classes, the grid of class against class. Doesn't: rules
(``effective``), reading rows (``profiles``), numbers (``outcomes``), whole units (``units``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pipelines.simulation.distributions import NOT_KEPT, LawBook
from pipelines.simulation.effective import Attack, Attacker, Context, Target, Weapon, effective_attack
from pipelines.simulation.indexing import Register
from pipelines.simulation.outcomes import METRICS, decide_lethal, resolve
from pipelines.simulation.profiles import target_keywords, target_row, tested_keywords, weapon_against
from pipelines.simulation.repetition import NO_ANSWER
from pipelines.simulation.rulesets import RuleSet
from pipelines.simulation.signatures import Laws
from pipelines.simulation.stages import Stages

CONTEXT_FLAGS = (
    "half_range", "long_range", "stationary", "charged", "cover", "visible", "overwatch", "spotted", "plunging_fire",
)  # fmt: skip
"""Columns of a scenario that the engine reads; those that are absent have their default."""

PROFILE_COLUMNS = ("ruleset", "attack_type", "attacks", "strength", "damage", "skill", "armour_penetration")
ATTACKER_COLUMNS = (
    "hit_mod", "wound_mod", "hit_reroll", "wound_reroll", "damage_reroll", "crit_hit", "crit_wound", "attacks_bonus",
    "strength_bonus", "damage_bonus", "ap_improve", "skill_improve",
)  # fmt: skip
"""Columns of a weapon that its user's rules add, as fields of ``effective.Attacker``; absent or NULL: their default."""
TARGET_COLUMNS = (
    "toughness", "save", "invulnerable_save", "invulnerable_save_scope", "improved_invulnerable_save",
    "improved_invulnerable_save_scope", "wounds", "feel_no_pain", "feel_no_pain_scope", "models", "stealth",
    "damage_half", "damage_minus", "hit_mod", "wound_mod", "wound_minus_if_stronger", "ap_worsen", "groups",
    "ignored_failed_saves", "ignored_attacks",
)  # fmt: skip

_PLAIN = Context()


@dataclass(frozen=True)
class GridResult:
    """The outcomes of a grid; join ``attack_classes`` and ``target_classes`` to ``cells``, ``cells`` to ``outcomes``.

    - ``attack_classes``: weapon_profile_id, scenario_id, ruleset, attack_class_id (Int32); one row per weapon and
      scenario in which the scenario can change something for it, and always its plain one.
    - ``target_classes``: target_id, target_class_id (Int32); one row per target.
    - ``cells``: attack_class_id, target_class_id, outcome_id (Int32), sorted by target, then attack class.
    - ``outcomes``: outcome_id (Int32), ``outcomes.METRICS`` (Float64, damage in wounds), law_id (Int32, a row of the
      book's frame; null: the law isn't kept) and copies_to_destroy (Int32, null: no answer, see ``repetition``).
    - ``book``: the laws of the outcomes.
    - ``signature_count``: distinct pairs of (law of unsaved attacks, damage chain) that were computed.
    """

    attack_classes: pl.DataFrame
    target_classes: pl.DataFrame
    cells: pl.DataFrame
    outcomes: pl.DataFrame
    book: LawBook
    signature_count: int

    def damage(self, targets: pl.DataFrame) -> np.ndarray:
        """Give the expected damage of each class of attacks to some of the targets, float64 [attack class, target]."""
        of_target = targets.select("target_id").join(self.target_classes, on="target_id", maintain_order="left")
        met, place = np.unique(of_target["target_class_id"].to_numpy(), return_inverse=True)
        dtype = self.cells.schema["target_class_id"]
        columns = pl.DataFrame({"target_class_id": pl.Series(met, dtype=dtype)}).with_row_index("column")
        cells = self.cells.join(columns, on="target_class_id").join(
            self.outcomes.select("outcome_id", "expected_damage"), on="outcome_id"
        )
        found = np.zeros((self.attack_classes["attack_class_id"].n_unique(), len(met)))
        found[cells["attack_class_id"].to_numpy(), cells["column"].to_numpy()] = cells["expected_damage"].to_numpy()
        return found[:, place]


@dataclass(frozen=True)
class TargetClasses:
    """Distinct targets: ``rows[i]`` with the keywords ``masks[mask[i]]``; ``frame`` has target_id, target_class_id."""

    frame: pl.DataFrame
    rows: list[Target]
    mask: np.ndarray
    masks: list[frozenset[str]]


@dataclass(frozen=True)
class AttackClasses:
    """Distinct attacks: class i is ``variants[variant[i, k]]`` against targets with keyword mask k.

    ``frame``: as ``GridResult.attack_classes``; ``plain``: each weapon's class in the plain scenario.
    """

    frame: pl.DataFrame
    variants: list[Attack]
    variant: np.ndarray
    plain: dict[str, int]


def simulate_grid(
    weapons: pl.DataFrame, targets: pl.DataFrame, scenarios: pl.DataFrame, rulesets: Mapping[str, RuleSet]
) -> GridResult:
    """Compute one bearer's one activation of each weapon profile against each target.

    ``weapons``: weapon_profile_id, ruleset, attack_type, attacks, strength, damage (text), skill (null: hits
    automatically), armour_penetration, abilities: List[Struct{ability, value, against_keywords, condition}].
    ``targets``: target_id, toughness, save, invulnerable_save, invulnerable_save_scope, wounds, feel_no_pain,
    feel_no_pain_scope, models, keywords: List[String], stealth; optionally the other ``TARGET_COLUMNS``, of which a
    grid leaves out groups (List[Struct] of what kinds of models have of their own, in order of allocation) and ignored
    attacks: whole units know these.
    ``scenarios``: scenario_id, applies_to (``ranged``, ``melee``, ``any``) and ``CONTEXT_FLAGS`` (bool).
    Raises ValueError for an unknown rule set, an unreadable characteristic or an impossible target.
    """
    target_classes = classify_targets(targets, tested_by(weapons))
    attack_classes = classify_attacks(weapons, scenarios, rulesets, target_classes.masks)
    book = LawBook()
    outcome, outcomes, signature_count = _outcomes(attack_classes, target_classes, book)
    targets_in_grid, attacks_in_grid = outcome.shape
    cells = {
        "attack_class_id": np.tile(np.arange(attacks_in_grid, dtype=np.int32), targets_in_grid),
        "target_class_id": np.repeat(np.arange(targets_in_grid, dtype=np.int32), attacks_in_grid),
        "outcome_id": outcome.astype(np.int32).ravel(),
    }
    return GridResult(attack_classes.frame, target_classes.frame, pl.DataFrame(cells), outcomes, book, signature_count)


def _outcomes(attacks: AttackClasses, targets: TargetClasses, book: LawBook) -> tuple[np.ndarray, pl.DataFrame, int]:
    """Give each class's outcome against each class as [target, attack], the outcomes, and the number of signatures."""
    variant = attacks.variant[:, targets.mask].T
    if not variant.size:
        nothing = np.zeros((2, 0), dtype=np.int64)
        return np.zeros(variant.shape, dtype=np.int64), _outcome_frame(np.zeros((0, len(METRICS))), *nothing), 0
    laws = Laws()
    stages = Stages(attacks.variants, [1] * len(attacks.variants), targets.rows, laws)
    sequences, outcome = stages.merged(variant, np.arange(len(targets.rows))[:, None])
    sequences["lethal"] = decide_lethal(sequences, laws)
    resolved = resolve(sequences, laws)
    outcomes = _outcome_frame(resolved.metrics, resolved.law_ids(book), resolved.copies())
    return outcome, outcomes, len(resolved.count)


def _outcome_frame(metrics: np.ndarray, law_ids: np.ndarray, copies: np.ndarray) -> pl.DataFrame:
    columns = dict(zip(METRICS, metrics.T, strict=True)) | {"law_id": law_ids, "copies_to_destroy": copies}
    return pl.DataFrame({"outcome_id": np.arange(len(metrics)), **columns}).with_columns(
        pl.col("outcome_id").cast(pl.Int32),
        pl.col("law_id").replace(NOT_KEPT, None).cast(pl.Int32),
        pl.col("copies_to_destroy").replace(NO_ANSWER, None).cast(pl.Int32),
    )


def tested_by(weapons: pl.DataFrame) -> frozenset[str]:
    """Give the target keywords that decide over an ability of some weapon."""
    return frozenset().union(
        *(tested_keywords(abilities or ()) for abilities in weapons["abilities"].unique().to_list())
    )


def classify_targets(targets: pl.DataFrame, tested: frozenset[str]) -> TargetClasses:
    """Merge targets that no weapon can tell apart; of their keywords only the ``tested`` ones matter."""
    rows, masks = Register[tuple[Target, int]](), Register[frozenset[str]]()
    columns = [name for name in ("target_id", "keywords", *TARGET_COLUMNS) if name in targets.columns]
    classes = [
        rows.index((target_row(row), masks.index(target_keywords(row) & tested)))
        for row in targets.select(columns).iter_rows(named=True)
    ]
    return TargetClasses(
        frame=targets.select("target_id", pl.Series("target_class_id", classes, dtype=pl.Int32)),
        rows=[row for row, _ in rows.values],
        mask=np.array([mask for _, mask in rows.values], dtype=np.int64),
        masks=masks.values,
    )


def classify_attacks(
    weapons: pl.DataFrame, scenarios: pl.DataFrame, rulesets: Mapping[str, RuleSet], masks: list[frozenset[str]],
    *, precision: bool = False,
) -> AttackClasses:  # fmt: skip
    """Merge (weapon, scenario) rows that have the same effect on every target.

    A scenario can change something for a weapon where its effective row differs from that of the plain scenario
    against some target, or where not every weapon can attack and it can (a target that is not visible, Indirect Fire);
    other (weapon, scenario) rows don't exist. Classes are numbered in order of first occurrence. ``precision``: whether
    Precision can matter, as it does to characters among other models only.
    """
    unknown = set(weapons["ruleset"].unique().to_list()) - set(rulesets)
    if unknown:
        raise ValueError(f"weapons: unknown rule set {sorted(map(str, unknown))[0]!r}")
    contexts = [
        (row["scenario_id"], row["applies_to"], Context(**{k: row[k] for k in CONTEXT_FLAGS if k in row}))
        for row in scenarios.iter_rows(named=True)
    ]
    variants, classes = Register[Attack](), Register[bytes]()
    plain: list[int] = []
    rows: list[tuple[int, str, int]] = []
    # Equal profiles, and equal users of them, are told apart by polars: turning rows into Python values takes longer.
    profiles = _equal(weapons, [*PROFILE_COLUMNS, "abilities"])
    read = [
        _read(profile, rulesets[profile["ruleset"]], tuple(masks), precision=precision)
        for profile in profiles.drop("ids").iter_rows(named=True)
    ]
    own = [name for name in ATTACKER_COLUMNS if name in weapons.columns]
    number = profiles.select(pl.col("ids").alias("weapon_profile_id"), profile=pl.int_range(pl.len()))
    used = weapons.join(number.explode("weapon_profile_id"), on="weapon_profile_id", maintain_order="left")
    users = _equal(used, ["profile", *own])
    for place, user in enumerate(users.drop("ids").iter_rows(named=True)):
        attacker = Attacker(**{name: user[name] for name in own if user[name] is not None})
        of_plain, in_scenario = _rows_of(read[user["profile"]], attacker, contexts, variants, classes)
        plain.append(of_plain)
        rows += [(place, *row) for row in in_scenario]
    weapon = users.select(
        pl.col("ids").alias("weapon_profile_id"), plain=pl.Series(plain, dtype=pl.Int32), number=pl.int_range(pl.len())
    ).explode("weapon_profile_id")
    frame = pl.DataFrame(
        rows, schema={"number": pl.Int64, "scenario_id": pl.String, "attack_class_id": pl.Int32}, orient="row"
    )
    ordered = weapons.select("weapon_profile_id", "ruleset").join(weapon, on="weapon_profile_id", maintain_order="left")
    return AttackClasses(
        frame=ordered.join(frame, on="number", maintain_order="left_right").select(
            "weapon_profile_id", "scenario_id", "ruleset", "attack_class_id"
        ),
        variants=variants.values,
        variant=np.frombuffer(b"".join(classes.values), dtype=np.int64).reshape(len(classes.values), len(masks)),
        plain=dict(ordered.select("weapon_profile_id", "plain").iter_rows()),
    )


def _equal(weapons: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Give each distinct combination of columns once, its first weapon_profile_id and all of them as ``ids``."""
    return weapons.group_by(columns, maintain_order=True).agg(
        pl.first("weapon_profile_id"), ids=pl.col("weapon_profile_id")
    )


class _Read(NamedTuple):
    """A profile read: as it stands against keyword masks, each once, and which of these each mask is."""

    rules: RuleSet
    attack_type: str
    against: list[Weapon]
    place: np.ndarray


def _read(
    profile: Mapping[str, Any], rules: RuleSet, masks: tuple[frozenset[str], ...], *, precision: bool
) -> _Read:  # fmt: skip
    seen, place = _told_apart(tested_keywords(profile["abilities"] or ()), masks)
    against = [weapon_against(profile, keywords) for keywords in seen]
    if not precision:
        against = [replace(weapon, precision=False) if weapon.precision else weapon for weapon in against]
    return _Read(rules, profile["attack_type"], against, place)


def _rows_of(
    weapon: _Read, attacker: Attacker, contexts: list[tuple[str, str, Context]], variants: Register[Attack],
    classes: Register[bytes],
) -> tuple[int, list[tuple[str, int]]]:  # fmt: skip
    """Give a weapon's class in the plain scenario, and the scenarios in which it has a row with its class in each."""

    def variant_row(context: Context) -> bytes:
        rows = [
            variants.index(effective_attack(against, attacker, context, weapon.rules)) for against in weapon.against
        ]
        return np.array(rows, dtype=np.int64)[weapon.place].tobytes()

    plain = variant_row(_PLAIN)
    indirect = any(against.indirect_fire for against in weapon.against)
    result = []
    for scenario_id, applies_to, context in contexts:
        if applies_to in ("any", weapon.attack_type):
            row = plain if context == _PLAIN else variant_row(context)
            if context == _PLAIN or row != plain or (not context.visible and indirect):
                result.append((scenario_id, classes.index(row)))
    return classes.index(plain), result


@lru_cache(maxsize=256)
def _told_apart(
    tested: frozenset[str], masks: tuple[frozenset[str], ...]
) -> tuple[tuple[frozenset[str], ...], np.ndarray]:
    """Give what some abilities see of keyword masks, each once, and which of these each mask is."""
    seen = Register[frozenset[str]]()
    place = np.array([seen.index(mask & tested) for mask in masks], dtype=np.int64)
    return tuple(seen.values), place
