"""From integer-coded attack sequences to expectations and distributions.

Belongs here: the metrics of sequences, the choice of optional Lethal Hits (E7). Doesn't: rules (``effective``), rolls
(``laws``), merging sequences (``signatures``), what they do to models (``losses``, ``chains``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import State
from pipelines.simulation.dice import mean
from pipelines.simulation.distributions import LawBook
from pipelines.simulation.effective import LETHAL_AUTOMATIC, LETHAL_BEST, LETHAL_NO
from pipelines.simulation.indexing import distinct
from pipelines.simulation.laws import WOUND_TOTAL
from pipelines.simulation.losses import loss_laws, means, models_destroyed
from pipelines.simulation.repetition import copies_needed
from pipelines.simulation.signatures import Firing, Laws, Signatures, signatures

METRICS = (
    "expected_attacks", "expected_hits", "expected_wounds", "expected_unsaved", "expected_raw_damage",
    "expected_damage", "expected_models_destroyed", "p_destroy_unit",
)  # fmt: skip
"""Columns of an outcome: means of counts, damage in wounds, and a probability."""

BETTER = 1 + 1e-9
"""A choice must do better by this factor than the plain one (E7)."""


def decide_lethal(sequences: dict[str, np.ndarray], laws: Laws) -> np.ndarray:
    """Give lethal 0 or 1 for each sequence: where it is the attacker's choice, what does more damage (E7).

    The wound roll must be better by more than one part in 10^9, else the automatic wound is taken.
    """
    lethal = sequences["lethal"].copy()
    open_rows = np.flatnonzero(lethal == LETHAL_BEST)
    lethal[open_rows] = LETHAL_AUTOMATIC
    if len(open_rows):
        chosen = {name: column[open_rows] for name, column in sequences.items()}
        column = METRICS.index("expected_damage")
        rolled, automatic = (
            resolve(chosen | {"lethal": np.full(len(open_rows), choice)}, laws).metrics[:, column]
            for choice in (LETHAL_NO, LETHAL_AUTOMATIC)
        )
        lethal[open_rows[rolled > automatic * BETTER]] = LETHAL_NO
    return lethal


@dataclass(frozen=True)
class Outcomes:
    """Outcomes of sequences.

    ``metrics``: float64 [sequence, metric] in the order of ``METRICS``; ``signature``: each sequence's pair of a count
    law and a damage chain, which ``count`` and ``chain`` list as rows of the tables of ``merged``; ``laws``: in groups
    of one chain, (pairs, P(0, 1, … wounds lost) as [pair, wounds lost]).
    """

    metrics: np.ndarray
    signature: np.ndarray
    merged: Signatures
    firing: Firing
    count: np.ndarray
    chain: np.ndarray
    laws: list[tuple[np.ndarray, np.ndarray]]

    def law_ids(self, book: LawBook) -> np.ndarray:
        """Enter the laws into a book and give each sequence's number in there, int64."""
        ids = np.zeros(len(self.count), dtype=np.int64)
        for pairs, law in self.laws:
            wounds = int(self.merged.chain_rows["wounds"][self.chain[pairs[0]]])
            ids[pairs] = book.enter(law, models_destroyed(law, wounds))
        return ids[self.signature]

    def copies(self) -> np.ndarray:
        """Give the copies of each sequence that probably destroy the unit, int64, as ``repetition`` says."""
        return copies_needed(self.merged, self.firing, self.count, self.chain)[self.signature]


def resolve(sequences: dict[str, np.ndarray], laws: Laws) -> Outcomes:
    """Give the outcomes of sequences named as ``stages.Stages.merged`` gives them, lethal decided (0 or 1)."""
    merged = signatures(sequences, laws)
    first, signature = distinct([merged.chain, merged.count])
    count, chain = merged.count[first], merged.chain[first]
    firing = merged.firing(np.unique(count))
    losses, kept = np.empty((len(first), 3)), []
    for pairs, law in loss_laws(merged, firing, count, chain):
        wounds, models = (int(merged.chain_rows[name][chain[pairs[0]]]) for name in ("wounds", "models"))
        losses[pairs] = means(law, wounds, models)
        kept.append((pairs, law))
    metrics = np.concatenate([closed_form(sequences, laws), losses[signature]], axis=1)
    return Outcomes(metrics, signature, merged, firing, count, chain, kept)


def closed_form(s: dict[str, np.ndarray], laws: Laws) -> np.ndarray:
    """Give the first five metrics in closed form: attacks, hits, wounds, unsaved, damage before any overkill."""
    attacks = np.array([mean(law) * times for law, times in laws.attacks.values])[s["attacks"]]
    extra = np.array([mean(law) for law in laws.sustained.values])[s["sustained"]]
    damage = np.array([mean(kernel.damage) * min(kernel.fnp - 1, 6) / 6 for kernel in laws.kernels.values])
    rolls = s["hit"] + s["critical_hit"] * (extra + (s["lethal"] == 0))
    automatic = s["critical_hit"] * (s["lethal"] != 0)
    wounds = rolls * (s["wound"] + s["critical_wound"]) / WOUND_TOTAL
    devastating = rolls * s["critical_wound"] * (s["devastating"] != 0) / WOUND_TOTAL
    unsaved = (wounds - devastating + automatic) * s["unsaved"] / 6
    return np.stack(
        [
            attacks,
            attacks * (s["hit"] + s["critical_hit"] * (1 + extra)) / 36,
            attacks * (wounds + automatic) / 36,
            attacks * (unsaved + devastating) / 36,
            attacks * (unsaved * damage[s["kernel"]] + devastating * damage[s["devastating_kernel"]]) / 36,
        ],
        axis=1,
    )


def final_states(sequences: dict[str, np.ndarray], laws: Laws) -> list[State]:
    """Give the state of the target after each sequence, lethal decided: [m, w] and the probability of its death."""
    merged = signatures(sequences, laws)
    result = []
    for count, chain in zip(merged.count, merged.chain, strict=True):
        step, last, wounds, models = merged.steps_of(chain)
        (block,) = merged.blocks(np.array([count]))
        alive, dead = chains.followed(block.fired(chains.fresh(1, models, wounds), np.array([0]), step, last), last)
        result.append((alive[0], dead[0]))
    return result
