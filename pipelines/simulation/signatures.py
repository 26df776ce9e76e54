"""Equal attack sequences merged into signatures: pairs of a law of unsaved attacks and a damage chain.

Belongs here: which sequences are equal, the laws of what they bring. Doesn't: what that does to models (``losses``),
expectations (``outcomes``), rolls (``laws``).

A *sequence* is what is left of a weapon against a target: counts of faces, and indices into the laws of the number
of attacks, of Sustained Hits and of damage. A *signature* is a pair (count law, damage chain); far fewer of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import Kernel, State, Step
from pipelines.simulation.dice import Law, cap_law, constant, repeated
from pipelines.simulation.indexing import Register, distinct, split
from pipelines.simulation.laws import WOUND_TOTAL, attack_polynomials, count_laws


@dataclass(frozen=True)
class Laws:
    """What sequences refer to: (law of one weapon's attacks, weapons firing), Sustained Hits, damage kernels."""

    attacks: Register[tuple[Law, int]] = field(default_factory=Register)
    sustained: Register[Law] = field(default_factory=lambda: Register([constant(0)]))
    kernels: Register[Kernel] = field(default_factory=Register)


class Block:
    """Rows of ``Signatures.counts``: the law of their attacks [row, number] and of what one brings [row, a, d]."""

    def __init__(self, rows: np.ndarray, attacks: np.ndarray, polynomials: np.ndarray) -> None:
        self.rows, self.attacks, self.polynomials = rows, attacks, polynomials
        self.apart = polynomials.shape[2] > 1

    @cached_property
    def laws(self) -> np.ndarray:
        """P(0, 1, … unsaved attacks) as [row, a], for a block whose devastating attacks aren't kept apart."""
        return count_laws(self.attacks, self.polynomials[..., 0])

    def waiting_size(self, last: Step) -> int:
        """Give how many numbers of Devastating Wounds to come there may be, each of which does ``last``."""
        most = (self.attacks.shape[1] - 1) * (self.polynomials.shape[2] - 1)
        return 1 + (most if last.enough is None else min(most, last.enough))

    def fired(self, state: State, members: np.ndarray, step: Step, last: Step) -> State:
        """Give the states [row, d, m, w] after ``members`` have fired at the states [row, m, w], one each.

        d Devastating Wounds are still to come (each does ``last``), if they are kept apart; else d has one entry.
        """
        if self.apart:
            return chains.waiting(state, self.attacks[members], self.polynomials[members], step, last)
        alive, dead = chains.mixed(state, self.laws[members], step)
        return alive[:, None], dead[:, None]


@dataclass(frozen=True)
class Firing:
    """Blocks, and where each row of ``Signatures.counts`` lies: its block and its row in there, int64."""

    blocks: list[Block]
    block: np.ndarray
    row: np.ndarray


@dataclass(frozen=True)
class Signatures:
    """Sequences merged. ``count`` and ``chain`` index the rows of the two following tables, one entry a sequence.

    ``counts``: columns attacks, hit, critical_hit, sustained, lethal, normal, devastating, unsaved, apart;
    ``chain_rows``: columns kernel, devastating_kernel (indices into ``kernels``), wounds, models, apart.
    """

    count: np.ndarray
    chain: np.ndarray
    counts: dict[str, np.ndarray]
    chain_rows: dict[str, np.ndarray]
    kernels: list[Kernel]
    laws: Laws

    def blocks(self, rows: np.ndarray) -> list[Block]:
        """Give what rows of ``counts`` inflict, in blocks of like size."""
        used, position = np.unique(self.counts["attacks"][rows], return_inverse=True)
        numbers = [repeated(*self.laws.attacks.values[i]) for i in used]
        sizes = np.array([len(law) - 1 for law in numbers])[position]
        buckets = np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64)
        blocks = []
        for members in split([buckets, self.counts["sustained"][rows], self.counts["apart"][rows]]):
            attacks = np.zeros((len(members), sizes[members].max() + 1))
            for i, law in enumerate(position[members]):
                attacks[i, : len(numbers[law])] = numbers[law]
            columns = {name: column[rows[members]] for name, column in self.counts.items()}
            polynomials = attack_polynomials(
                columns["hit"], columns["critical_hit"], columns["lethal"], columns["normal"],
                columns["devastating"], columns["unsaved"],
                self.laws.sustained.values[columns["sustained"][0]], apart=bool(columns["apart"][0]),
            )  # fmt: skip
            blocks.append(Block(rows[members], attacks, polynomials))
        return blocks

    def firing(self, rows: np.ndarray) -> Firing:
        """Give what rows of ``counts`` inflict, found by their row."""
        blocks = self.blocks(rows)
        block_of, row_of = (np.zeros(len(self.counts["hit"]), dtype=np.int64) for _ in range(2))
        for i, block in enumerate(blocks):
            block_of[block.rows], row_of[block.rows] = i, np.arange(len(block.rows))
        return Firing(blocks, block_of, row_of)

    def steps_of(self, row: int) -> tuple[Step, Step, int, int]:
        """Give a damage chain: what a normal and a devastating attack do, wounds, models."""
        kernel, last, wounds, models = (
            int(self.chain_rows[name][row]) for name in ("kernel", "devastating_kernel", "wounds", "models")
        )
        step, after = (chains.equal_step(self.kernels[index], wounds, models) for index in (kernel, last))
        return step, after, wounds, models


def signatures(sequences: dict[str, np.ndarray], laws: Laws, *, all_apart: bool = False) -> Signatures:
    """Merge sequences that inflict the same law of unsaved attacks through the same damage chain.

    ``sequences``: int64 arrays of one length named as ``stages.Stages.merged`` gives them; lethal is decided (0 or 1).
    ``all_apart``: keep Devastating Wounds apart where they do the same as other damage, too: something else may come
    between.
    """
    s = sequences
    kernels, kernel = _short_kernels(s["kernel"], s["wounds"], laws)
    devastating_kernel = _short_kernels(s["devastating_kernel"], s["wounds"], laws, kernels)[1]
    devastates = s["devastating"] != 0
    normal = np.where(devastates, s["wound"], s["wound"] + s["critical_wound"]) * s["unsaved"]
    devastating = np.where(devastates, s["critical_wound"] * 6, 0)
    apart = (devastating > 0) & (all_apart | (kernel != devastating_kernel))
    any_critical = s["critical_hit"] > 0
    counts = {
        "attacks": s["attacks"],
        "hit": s["hit"],
        "critical_hit": s["critical_hit"],
        "sustained": np.where(any_critical, s["sustained"], 0),
        "lethal": np.where(any_critical, s["lethal"], 0),
        "normal": normal,
        "devastating": devastating,
        "unsaved": s["unsaved"],
        "apart": apart.astype(np.int64),
    }
    first, count = distinct(_count_key(counts))
    chain_rows = {
        "kernel": kernel,
        "devastating_kernel": np.where(apart, devastating_kernel, kernel),
        "wounds": s["wounds"],
        "models": s["models"],
        "apart": counts["apart"],
    }
    first_chain, chain = distinct(list(chain_rows.values()))
    return Signatures(
        count=count,
        chain=chain,
        counts={name: column[first] for name, column in counts.items()},
        chain_rows={name: column[first_chain] for name, column in chain_rows.items()},
        kernels=kernels.values,
        laws=laws,
    )


def _count_key(counts: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Equal keys, equal count laws: without Sustained Hits one integer out of 216 WOUND_TOTAL says all of an attack."""
    apart = counts["apart"] != 0
    normal = np.where(apart, counts["normal"], counts["normal"] + counts["devastating"])
    automatic = np.where(counts["lethal"] != 0, WOUND_TOTAL * counts["unsaved"], normal)
    simple = ~apart & (counts["sustained"] == 0)
    success = counts["hit"] * normal + counts["critical_hit"] * automatic
    return [
        counts["attacks"],
        counts["sustained"],
        counts["apart"],
        np.where(simple, success, counts["hit"]),
        np.where(simple, 0, counts["critical_hit"]),
        np.where(simple, 0, normal),
        np.where(apart, counts["devastating"], 0),
        np.where(simple | (counts["lethal"] == 0), 0, counts["unsaved"] + 1),
    ]


def _short_kernels(
    kernel: np.ndarray, wounds: np.ndarray, laws: Laws, short: Register[Kernel] | None = None
) -> tuple[Register[Kernel], np.ndarray]:
    """Cut damage that exceeds a model's wounds, which merges kernels; with Feel No Pain each point counts."""
    short = short or Register()
    first, inverse = distinct([kernel, wounds])
    ids = []
    for i in first:
        damage, fnp = laws.kernels.values[kernel[i]]
        ids.append(short.index(Kernel(cap_law(damage, int(wounds[i])) if fnp > 6 else damage, fnp)))
    return short, np.array(ids, dtype=np.int64)[inverse]
