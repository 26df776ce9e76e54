"""From integer-coded attack sequences to expectations and distributions.

Belongs here: merging equal sequences into signatures, one matrix product for each damage chain, the choice of
optional Lethal Hits (E7). Doesn't: rules (``effective``), rolls (``laws``), what damage does (``chains``).

A *sequence* is what is left of a weapon against a target: counts of faces, and indices into the laws of the number
of attacks, of Sustained Hits and of damage. A *signature* is a pair (count law, damage chain); far fewer of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np

from pipelines.simulation import chains
from pipelines.simulation.chains import Kernel, State
from pipelines.simulation.dice import Law, cap_law, constant, mean, repeated
from pipelines.simulation.effective import LETHAL_AUTOMATIC, LETHAL_BEST, LETHAL_NO
from pipelines.simulation.laws import attack_polynomials, count_laws

METRICS = (
    "expected_attacks", "expected_hits", "expected_wounds", "expected_unsaved", "expected_raw_damage",
    "expected_damage", "expected_models_destroyed", "p_destroy_unit",
)  # fmt: skip
"""Columns of an outcome: means of counts, damage in wounds, and a probability."""

_BETTER = 1 + 1e-9
T = TypeVar("T", bound=Hashable)


class Register(Generic[T]):
    """Values in the order in which they first came, and the index of each."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self.values: list[T] = []
        self._index: dict[T, int] = {}
        for value in values:
            self.index(value)

    def index(self, value: T) -> int:
        """Give the index of a value, new or known."""
        if value not in self._index:
            self._index[value] = len(self.values)
            self.values.append(value)
        return self._index[value]


@dataclass(frozen=True)
class Laws:
    """What sequences refer to: (law of one weapon's attacks, weapons firing), Sustained Hits, damage kernels."""

    attacks: Register[tuple[Law, int]] = field(default_factory=Register)
    sustained: Register[Law] = field(default_factory=lambda: Register([constant(0)]))
    kernels: Register[Kernel] = field(default_factory=Register)


def distinct(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Give the first row of each distinct combination of non-negative integers, and each row's combination."""
    key, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        radix = int(column.max(initial=0)) + 1
        if size * radix >= 2**62:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            size = int(key.max(initial=0)) + 1
        key, size = key * radix + column, size * radix
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse


def split(columns: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Give the rows of each distinct combination of non-negative integers; no rows, no groups."""
    if not len(columns[0]):
        return []
    _, group = distinct(columns)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)


class Block:
    """Rows of ``Signatures.counts``: the law of their attacks [row, number] and of what one brings [row, a, d]."""

    def __init__(self, rows: np.ndarray, attacks: np.ndarray, polynomials: np.ndarray) -> None:
        self.rows, self.attacks, self.polynomials = rows, attacks, polynomials
        self.apart = polynomials.shape[2] > 1
        self.most_apart = (attacks.shape[1] - 1) * (polynomials.shape[2] - 1) + 1

    @cached_property
    def laws(self) -> np.ndarray:
        """P(0, 1, … unsaved attacks) as [row, a], for a block whose devastating attacks aren't kept apart."""
        return count_laws(self.attacks, self.polynomials[..., 0])

    def fired(self, state: State, members: np.ndarray, kernel: Kernel) -> State:
        """Give the states [row, d, m, w] after ``members`` have fired at the states [row, m, w], one each.

        d Devastating Wounds are still to come, if they are kept apart; else d has one entry.
        """
        if self.apart:
            return chains.waiting(state, self.attacks[members], self.polynomials[members], kernel)
        alive, dead = chains.mixed(state, self.laws[members], kernel)
        return alive[:, None], dead[:, None]


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

    def chain_of(self, row: int) -> tuple[Kernel, Kernel, int, int]:
        """Give a damage chain: kernel of normal and of devastating attacks, wounds, models."""
        kernel, last, wounds, models = (
            int(self.chain_rows[name][row]) for name in ("kernel", "devastating_kernel", "wounds", "models")
        )
        return self.kernels[kernel], self.kernels[last], wounds, models


def signatures(sequences: dict[str, np.ndarray], laws: Laws) -> Signatures:
    """Merge sequences that inflict the same law of unsaved attacks through the same damage chain.

    ``sequences``: int64 arrays of one length named as ``stages.Stages.merged`` gives them; lethal is decided (0 or 1).
    """
    s = sequences
    kernels, kernel = _short_kernels(s["kernel"], s["wounds"], laws)
    devastating_kernel = _short_kernels(s["devastating_kernel"], s["wounds"], laws, kernels)[1]
    devastates = s["devastating"] != 0
    normal = np.where(devastates, s["wound"], s["wound"] + s["critical_wound"]) * s["unsaved"]
    devastating = np.where(devastates, s["critical_wound"] * 6, 0)
    apart = (devastating > 0) & (kernel != devastating_kernel)
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
    """Equal keys, equal count laws: without Sustained Hits one integer out of 7776 says all about an attack."""
    apart = counts["apart"] != 0
    normal = np.where(apart, counts["normal"], counts["normal"] + counts["devastating"])
    automatic = np.where(counts["lethal"] != 0, 36 * counts["unsaved"], normal)
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
            resolve(chosen | {"lethal": np.full(len(open_rows), choice)}, laws)[0][:, column]
            for choice in (LETHAL_NO, LETHAL_AUTOMATIC)
        )
        lethal[open_rows[rolled > automatic * _BETTER]] = LETHAL_NO
    return lethal


def resolve(sequences: dict[str, np.ndarray], laws: Laws) -> tuple[np.ndarray, int]:
    """Give the outcomes [row, metric] in the order of ``METRICS``, lethal decided, and the number of signatures."""
    merged = signatures(sequences, laws)
    first, inverse = distinct([merged.chain, merged.count])
    losses = _chain_losses(merged, merged.count[first], merged.chain[first])
    return np.concatenate([_stages(sequences, laws), losses[inverse]], axis=1), len(first)


def _stages(s: dict[str, np.ndarray], laws: Laws) -> np.ndarray:
    """Give the first five metrics in closed form: attacks, hits, wounds, unsaved, damage before any overkill."""
    attacks = np.array([mean(law) * times for law, times in laws.attacks.values])[s["attacks"]]
    extra = np.array([mean(law) for law in laws.sustained.values])[s["sustained"]]
    damage = np.array([mean(kernel.damage) * min(kernel.fnp - 1, 6) / 6 for kernel in laws.kernels.values])
    rolls = s["hit"] + s["critical_hit"] * (extra + (s["lethal"] == 0))
    automatic = s["critical_hit"] * (s["lethal"] != 0)
    wounding = s["wound"] + s["critical_wound"]
    devastating = rolls * s["critical_wound"] * (s["devastating"] != 0) / 36
    unsaved = (rolls * wounding / 36 - devastating + automatic) * s["unsaved"] / 6
    return np.stack(
        [
            attacks,
            attacks * (s["hit"] + s["critical_hit"] * (1 + extra)) / 36,
            attacks * (rolls * wounding / 36 + automatic) / 36,
            attacks * (unsaved + devastating) / 36,
            attacks * (unsaved * damage[s["kernel"]] + devastating * damage[s["devastating_kernel"]]) / 36,
        ],
        axis=1,
    )


def _chain_losses(merged: Signatures, count: np.ndarray, chain: np.ndarray) -> np.ndarray:
    """Give wounds lost, models destroyed and P(unit destroyed) of each pair of a count law and a chain."""
    blocks = merged.blocks(np.unique(count))
    block_of, row_of = (np.zeros(len(merged.counts["hit"]), dtype=np.int64) for _ in range(2))
    for i, block in enumerate(blocks):
        block_of[block.rows], row_of[block.rows] = i, np.arange(len(block.rows))
    together = merged.chain_rows["apart"][chain] == 0
    most = np.zeros(len(merged.chain_rows["wounds"]), dtype=np.int64)
    sizes = np.array([0 if block.apart else block.laws.shape[1] - 1 for block in blocks], dtype=np.int64)
    np.maximum.at(most, chain, sizes[block_of[count]])
    tables = _chain_tables(merged, np.unique(chain[together]), most)

    result = np.empty((len(count), 3))
    for pairs in split([block_of[count], chain]):
        block, members, here = blocks[block_of[count[pairs[0]]]], row_of[count[pairs]], chain[pairs[0]]
        if block.apart:
            kernel, last, wounds, models = merged.chain_of(here)
            fired = block.fired(chains.fresh(len(pairs), models, wounds), members, kernel)
            result[pairs] = chains.summary(chains.followed(fired, last))
            continue
        law, table = block.laws[members], tables[here][: block.laws.shape[1]]
        kept = len(table)
        result[pairs] = law[:, :kept] @ table
        if kept < law.shape[1]:
            result[pairs] += law[:, kept:].sum(axis=1)[:, None] * table[-1]
    return result


def _chain_tables(merged: Signatures, used: np.ndarray, most: np.ndarray) -> dict[int, np.ndarray]:
    """Give the losses of the chains ``used`` after 0, 1, … unsaved attacks, as [a, 3].

    ``most``: the largest a of each chain; the table ends where the unit is certainly dead.
    """
    rows = {name: column[used] for name, column in merged.chain_rows.items()}
    steps = np.array(
        [
            chains.most_attacks_survived(merged.kernels[kernel], wounds, models, attacks)
            for kernel, wounds, models, attacks in zip(
                *(rows[name].tolist() for name in ("kernel", "wounds", "models")), most[used].tolist(), strict=True
            )
        ],
        dtype=np.int64,
    )
    tables = {}
    for members in split([rows["wounds"], rows["models"], np.ceil(np.log2(steps + 1)).astype(np.int64)]):
        wounds, models = int(rows["wounds"][members[0]]), int(rows["models"][members[0]])
        each = [chains.transition(merged.kernels[kernel], wounds) for kernel in rows["kernel"][members]]
        stays, deaths = (np.stack(parts) for parts in zip(*each, strict=True))
        walk = chains.states(chains.fresh(len(members), models, wounds), stays, deaths, int(steps[members].max()))
        summaries = np.stack([chains.summary(state) for state in walk], axis=1)
        for member, table in zip(members, summaries, strict=True):
            tables[int(used[member])] = table[: steps[member] + 1]
    return tables


def final_states(sequences: dict[str, np.ndarray], laws: Laws) -> list[State]:
    """Give the state of the target after each sequence, lethal decided: [m, w] and the probability of its death."""
    merged = signatures(sequences, laws)
    result = []
    for count, chain in zip(merged.count, merged.chain, strict=True):
        kernel, last, wounds, models = merged.chain_of(chain)
        (block,) = merged.blocks(np.array([count]))
        alive, dead = chains.followed(block.fired(chains.fresh(1, models, wounds), np.array([0]), kernel), last)
        result.append((alive[0], dead[0]))
    return result
