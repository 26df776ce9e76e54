"""Integer indices in the place of values, and groups of equal rows.

Belongs here: numbering values, distinct rows of integer columns. Doesn't: what the values mean.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
import pyarrow as pa

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


def numbered(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give the distinct int64 values in the order in which they first come, and the number of each in there (int64).

    By hashing: some five times as fast as sorting them.
    """
    buffer = pa.py_buffer(np.ascontiguousarray(values))  # a plain array would make pyarrow import pandas
    found = pa.Array.from_buffers(pa.int64(), len(values), [None, buffer]).dictionary_encode()
    dictionary, indices = (
        np.frombuffer(part.buffers()[1], kind, len(part))
        for part, kind in ((found.dictionary, np.int64), (found.indices, np.int32))
    )
    return dictionary, indices.astype(np.int64)


def distinct(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Give the first row of each distinct combination of non-negative integers, and each row's combination.

    Combinations are numbered in the order in which they first come.
    """
    key, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        radix = int(column.max(initial=0)) + 1
        if size * radix >= 2**62:
            key = numbered(key)[1]
            size = int(key.max(initial=-1)) + 1
        key, size = key * radix + column, size * radix
    numbers = numbered(key)[1]
    return np.flatnonzero(np.diff(np.maximum.accumulate(numbers), prepend=-1)), numbers


def split(columns: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Give the rows of each distinct combination of non-negative integers; no rows, no groups."""
    if not len(columns[0]):
        return []
    _, group = distinct(columns)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
