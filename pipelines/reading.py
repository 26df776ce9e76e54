"""Reads many inputs: from the cache what it holds, the rest in several processes where there is enough of it.

Belongs here: in which way an input is read. Doesn't: what it says (``sources``), how payloads are kept
(``document_cache``). Documents come from payloads whichever way was taken, so there is one way to their end.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait

from pipelines.document_cache import DocumentCache
from pipelines.progress import counted, say
from pipelines.records import Document
from pipelines.sources.inputs import Input
from pipelines.sources.serialization import Decoder, PayloadError, encode

BYTES_PER_PROCESS = 4 * 1024 * 1024
"""What there must be for each further process before starting it pays: more than half a second of parsing."""
MOST_PROCESSES = 8

_BATCH_BYTES = 512 * 1024


def read_inputs(inputs: Sequence[Input], cache: DocumentCache) -> list[tuple[Document, ...]]:
    """Documents of each input, in the order of the inputs; equal strings are shared."""
    decoder = Decoder()
    keys = [each.key for each in inputs]
    with _collector_paused():
        found = [_kept(key, cache, decoder) for key in keys]
    missing = [position for position, documents in enumerate(found) if documents is None]
    if len(missing) < len(inputs):
        say(f"{len(missing):,} of {len(inputs):,} sources are new or changed")
    payloads = encoded([inputs[position] for position in missing])
    for position, payload in zip(missing, counted(payloads, len(missing), "sources read"), strict=True):
        documents = found[position] = decoder.decode(payload)
        key = keys[position]
        if key is not None and inputs[position].holds(documents):
            cache.put(key, payload)
    return [documents for documents in found if documents is not None]


def encoded(inputs: Sequence[Input]) -> Iterator[bytes]:
    """Payload of each input, in order; read in this process where others don't pay or can't be started."""
    done = 0
    processes = _processes(inputs)
    if processes > 1:
        try:
            for payload in _read_in_processes(inputs, processes):
                yield payload
                done += 1
        except (BrokenProcessPool, OSError, ImportError, NotImplementedError) as error:
            say(f"reading in one process: {type(error).__name__} {error}")
    yield from map(_read, inputs[done:])


def _kept(key: str | None, cache: DocumentCache, decoder: Decoder) -> tuple[Document, ...] | None:
    payload = cache.get(key) if key is not None else None
    if payload is None:
        return None
    try:
        return decoder.decode(payload)
    except PayloadError:
        return None  # it is read anew and put in the place of this


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Records hold no cycles; looking for some among millions of them takes as long as making them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _processes(inputs: Sequence[Input]) -> int:
    if multiprocessing.current_process().daemon:  # these may start none
        return 1
    sizes = [each.byte_count for each in inputs]
    beside_the_largest = sum(sizes) - max(sizes, default=0)
    return min(os.cpu_count() or 1, MOST_PROCESSES, 1 + beside_the_largest // BYTES_PER_PROCESS)


def _read_in_processes(inputs: Sequence[Input], processes: int) -> Iterator[bytes]:
    # Not forked: this process has threads.
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"), initializer=_start)
    try:
        with _collector_paused():  # while the documents are taken out; the parsing, which leaves cycles, is elsewhere
            for payloads in pool.map(_read_batch, _batches(inputs)):
                yield from payloads
    finally:
        pool.shutdown(cancel_futures=True)


def _start() -> None:
    """Leave an interruption to the parent, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _batches(inputs: Sequence[Input]) -> Iterator[list[Input]]:
    """The inputs in order, in pieces worth sending to a process."""
    batch: list[Input] = []
    for each in inputs:
        batch.append(each)
        if sum(one.byte_count for one in batch) >= _BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def _read_batch(inputs: Sequence[Input]) -> list[bytes]:
    return [_read(each) for each in inputs]


def _read(each: Input) -> bytes:
    return encode(each.read())
