"""The whole grid: every weapon against every target in eight contexts, read once, and single matchups drawn from it.

Belongs here: the data that ``scale``, ``peers`` and ``dice_trials`` measure. Doesn't: measuring.

The data are those of an export below the folder that ``WARLEDGER_SHARED`` names, or without it the default data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from pipelines import engine_frames
from pipelines.dimensions.assemble import assemble
from pipelines.ingest import ingest
from pipelines.loadout_choice import PLAIN
from pipelines.paths import PROJECT
from pipelines.simulation import outcomes
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.effective import Attack, Context, Target
from pipelines.simulation.grid import AttackClasses, TargetClasses, classify_attacks, classify_targets, tested_by
from pipelines.simulation.matchup import Matchup
from pipelines.simulation.profiles import target_keywords, target_row, weapon_against
from pipelines.simulation.signatures import Laws
from pipelines.simulation.stages import Stages

EXPORT = "data/wahapedia_export_2025-11"


class Data(NamedTuple):
    """Where the data come from, in words, and their frames: all dimensions, the weapons, the targets."""

    source: str
    frames: Mapping[str, pl.DataFrame]
    weapons: pl.DataFrame
    targets: pl.DataFrame

    def classes(self) -> tuple[TargetClasses, AttackClasses]:
        """Merge equal targets and equal weapons."""
        met = classify_targets(self.targets, tested_by(self.weapons))
        return met, classify_attacks(self.weapons, contexts(), engine_frames.declared_rulesets(), met.masks)


@cache
def data() -> Data:
    """Read the export, or without it the default data."""
    export = Path(os.environ.get("WARLEDGER_SHARED", "")) / EXPORT
    if export.is_dir():
        source, frames = "the export", assemble(ingest([export], community_data=False)).frames
    else:
        source, frames = "the default data", assemble(ingest([PROJECT / "raw"], community_data=True)).frames
    return Data(source, frames, engine_frames.simulated(engine_frames.weapon_frame(frames, None)), frames["targets"])


def contexts() -> pl.DataFrame:
    """Scenarios: half range or not, unmoved and charging or not, cover or not."""
    flags = product((False, True), repeat=3)
    rows = [
        {
            "scenario_id": PLAIN if not any(each) else f"{number}",
            "applies_to": "any",
            "half_range": each[0],
            "stationary": each[1],
            "charged": each[1],
            "cover": each[2],
            "visible": True,
        }
        for number, each in enumerate(flags)
    ]
    return pl.DataFrame(rows)


class Grid:
    """Class pairs, what is computed of them, and all matchups expanded from it."""

    def __init__(self, targets: TargetClasses, attacks: AttackClasses) -> None:
        self.targets, self.attacks = targets, attacks
        plain = pl.DataFrame({"weapon_profile_id": list(attacks.plain), "plain": list(attacks.plain.values())})
        rows = plain.join(contexts().select("scenario_id"), how="cross").join(
            attacks.frame, on=["weapon_profile_id", "scenario_id"], how="left"
        )
        self.rows = rows.select(pl.coalesce("attack_class_id", "plain")).to_series().to_numpy().astype(np.int64)
        self.columns = targets.frame["target_class_id"].to_numpy().astype(np.int64)

    def _sequences(self) -> tuple[dict[str, np.ndarray], np.ndarray, Laws]:
        laws = Laws()
        stages = Stages(self.attacks.variants, [1] * len(self.attacks.variants), self.targets.rows, laws)
        variant = self.attacks.variant[:, self.targets.mask].T
        sequences, cells = stages.merged(variant, np.arange(len(self.targets.rows))[:, None])
        return sequences | {"lethal": outcomes.decide_lethal(sequences, laws)}, cells, laws

    def signatures(self) -> outcomes.Outcomes:
        """Give the law of wounds lost and its means for each signature, and the signature of each outcome."""
        sequences, _, laws = self._sequences()
        return outcomes.resolve(sequences, laws)

    def closed(self) -> tuple[np.ndarray, np.ndarray]:
        """Unsaved attacks and damage before overkill of each outcome, [outcome, 2], and the outcome of each cell."""
        sequences, cells, laws = self._sequences()
        return outcomes.closed_form(sequences, laws)[:, 3:5], cells

    def drawn(self, of: Data, seed: int) -> Iterator[Matchup]:
        """Give one matchup for each signature, whatever its context, in random order."""
        sequences, cells, laws = self._sequences()
        signature = outcomes.resolve(sequences, laws).signature[cells]
        _, first = np.unique(signature, return_index=True)
        for cell in np.random.default_rng(seed).permutation(first):
            yield self._matchup(of, *divmod(int(cell), signature.shape[1]))

    def _matchup(self, of: Data, target_class: int, attack_class: int) -> Matchup:
        """Give some weapon of a class in some context against some target of a class."""
        plain = ((weapon, PLAIN) for weapon, number in self.attacks.plain.items() if number == attack_class)
        rows = self.attacks.frame.filter(pl.col("attack_class_id") == attack_class)
        weapon_id, scenario_id = next(plain, None) or rows.select("weapon_profile_id", "scenario_id").row(0)
        target_id = self.targets.frame.filter(pl.col("target_class_id") == target_class)["target_id"][0]
        weapon, target, scenario = (
            frame.row(by_predicate=pl.col(name) == value, named=True)
            for frame, name, value in (
                (of.weapons, "weapon_profile_id", weapon_id),
                (of.targets, "target_id", target_id),
                (contexts(), "scenario_id", scenario_id),
            )
        )
        flags: dict[str, Any] = {each.name: scenario[each.name] for each in fields(Context) if each.name in scenario}
        return Matchup(
            label=f"{weapon_id}, {scenario_id}, {target_id}",
            weapon=weapon_against(weapon, target_keywords(target)),
            target=target_row(target),
            rules=engine_frames.declared_rulesets()[weapon["ruleset"]],
            context=Context(**flags),
        )

    def pairs(self, number: int, seed: int) -> Iterator[tuple[Attack, Target]]:
        """Give the effective rows of so many random matchups."""
        rng = np.random.default_rng(seed)
        for row, column in zip(rng.choice(self.rows, number), rng.choice(self.columns, number), strict=True):
            variant = self.attacks.variant[row, self.targets.mask[column]]
            yield self.attacks.variants[variant], self.targets.rows[column]

    def resolved(self) -> tuple[outcomes.Outcomes, LawBook]:
        """Outcomes, and the book of their laws."""
        sequences, _, laws = self._sequences()
        resolved, book = outcomes.resolve(sequences, laws), LawBook()
        resolved.law_ids(book)
        return resolved, book

    def exact(self) -> tuple[np.ndarray, np.ndarray]:
        """Damage and models destroyed of each outcome, its law and copies computed, and the outcome of each cell."""
        sequences, cells, laws = self._sequences()
        resolved = outcomes.resolve(sequences, laws)
        resolved.law_ids(LawBook())
        resolved.copies()
        return resolved.metrics[:, 5:7], cells

    def means(self) -> tuple[np.ndarray, np.ndarray]:
        """As ``exact``, without entering the laws into a book and without copies."""
        sequences, cells, laws = self._sequences()
        return outcomes.resolve(sequences, laws).metrics[:, 5:7], cells

    def expanded(self, found: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Two numbers for every matchup, [2, weapon row, target]: whole rows of a class are copied."""
        numbers, cells = found
        result = np.empty((len(numbers.T), len(self.rows), len(self.columns)))
        for values, filled in zip(numbers.T, result, strict=True):
            of_class = np.ascontiguousarray(values).take(cells).T.take(self.columns, axis=1)
            of_class.take(self.rows, axis=0, out=filled, mode="clip")  # other modes would fill a copy first
        return result
