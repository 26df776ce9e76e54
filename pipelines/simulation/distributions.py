"""Laws kept: each distinct one once, single precision, no longer than its support.

Belongs here: merging equal laws, the frame that holds them. Doesn't: computing laws (``losses``, ``units``).

A probability is stored within one part in 2^24 (below 1e-38 within 1e-45); expectations are taken from the double
precision before it is rounded. Laws that agree to that precision are one law.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa

MAX_SUPPORT = 4096
"""Longest law kept, in values; no target of the game comes near it."""
NOT_KEPT = -1
PERCENTILES = (10, 50, 90)
_PRECISION = 1e-6


class LawBook:
    """Distinct pairs of a law of wounds lost and a law of models destroyed, numbered as they first came."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def enter(self, lost: np.ndarray, destroyed: np.ndarray) -> list[int]:
        """Give the number of each pair of laws, new or known; ``NOT_KEPT`` for laws longer than ``MAX_SUPPORT``.

        ``lost``: P(0, 1, … wounds lost) as [row, value], ``destroyed``: P(0, 1, … models destroyed) as [row, value].
        """
        if lost.shape[1] > MAX_SUPPORT:
            return [NOT_KEPT] * len(lost)
        lost, destroyed = lost.astype(np.float32), destroyed.astype(np.float32)
        lengths, model_lengths = _lengths(lost), _lengths(destroyed)
        values = np.concatenate([model_lengths[:, None].astype(np.float32), lost, destroyed], axis=1)
        kept = np.concatenate(
            [
                np.ones((len(lost), 1), dtype=bool),
                np.arange(lost.shape[1]) < lengths[:, None],
                np.arange(destroyed.shape[1]) < model_lengths[:, None],
            ],
            axis=1,
        )
        raw = values[kept].tobytes()
        ends = np.cumsum(4 * (1 + lengths + model_lengths)).tolist()
        known = self._known
        return [known.setdefault(raw[a:b], len(known)) for a, b in zip([0, *ends[:-1]], ends, strict=True)]

    def absorbed(self, other: LawBook) -> list[int]:
        """Enter the laws of another book and give the number of each in this one."""
        known = self._known
        return [known.setdefault(law, len(known)) for law in other._known]

    def packed(self) -> pl.Series:
        """Give the laws as they are kept, one binary value each, in the order of their numbers."""
        return pl.Series(list(self._known), dtype=pl.Binary)

    @classmethod
    def unpacked(cls, laws: pl.Series) -> LawBook:
        """Give the book that ``packed`` these."""
        book = cls()
        book._known = {law: number for number, law in enumerate(laws.to_list())}
        return book

    def frame(self) -> pl.DataFrame:
        """Give one row a law: law_id (Int32), damage and models (List(Float32)), percentiles (Int32).

        ``damage``: P(0, 1, … wounds lost), ``models``: P(0, 1, … models destroyed); columns such as ``damage_p10``: the
        smallest value that at least 10 % of activations don't exceed, cumulative probabilities taken within 1e-6.
        """
        flat = np.frombuffer(b"".join(self._known), dtype=np.float32)
        sizes = np.array([len(law) // 4 for law in self._known], dtype=np.int64)
        starts = np.cumsum(sizes) - sizes
        model_sizes = flat[starts].astype(np.int64)
        place = np.arange(len(flat)) - np.repeat(starts, sizes)
        of_models = place >= np.repeat(sizes - model_sizes, sizes)
        columns: dict[str, pl.Series] = {"law_id": pl.Series(np.arange(len(sizes)), dtype=pl.Int32)}
        percentiles: dict[str, pl.Series] = {}
        parts = {
            "damage": (flat[~of_models & (place > 0)], sizes - model_sizes - 1),
            "models": (flat[of_models], model_sizes),
        }
        for name, (values, lengths) in parts.items():
            columns[name] = _lists(values, lengths)
            below = _cumulative(values, lengths)
            for percent in PERCENTILES:
                beyond = (below < percent / 100 - _PRECISION).astype(np.int64)
                reached = np.add.reduceat(beyond, np.cumsum(lengths) - lengths) if len(lengths) else lengths
                percentiles[f"{name}_p{percent}"] = pl.Series(reached, dtype=pl.Int32)
        return pl.DataFrame(columns | percentiles)


def _lengths(laws: np.ndarray) -> np.ndarray:
    """Give the length of each row without trailing zeros."""
    return laws.shape[1] - (laws[:, ::-1] > 0).argmax(axis=1)


def _cumulative(flat: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Give the sums of each law up to each value, laws of these sizes one behind the other."""
    sums = np.cumsum(flat, dtype=np.float64)
    before = np.concatenate([[0.0], sums])[np.cumsum(sizes) - sizes]
    return sums - np.repeat(before, sizes)


def _lists(flat: np.ndarray, sizes: np.ndarray) -> pl.Series:
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    values = pa.Array.from_buffers(pa.float32(), len(flat), [None, pa.py_buffer(np.ascontiguousarray(flat))])
    lists = pa.Array.from_buffers(
        pa.large_list(pa.float32()), len(sizes), [None, pa.py_buffer(ends)], children=[values]
    )
    return pl.Series(lists)
