"""A version of a part of the code. Belongs here: nothing but that hash, for whatever keeps what the code gave."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.metadata import version

from pipelines.paths import PROJECT


def code_version(patterns: Iterable[str], packages: Iterable[str], *more: str) -> str:
    """SHA-256 over the project's files that fit a pattern, the installed versions of packages, and more texts."""
    named = [*more, *(f"{package} {version(package)}" for package in packages)]
    digest = hashlib.sha256("\0".join(named).encode())
    for path in sorted({path for pattern in patterns for path in PROJECT.glob(pattern) if path.is_file()}):
        digest.update(f"\0{path.relative_to(PROJECT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
