"""What is said while a run works."""

import logging

import pytest

from pipelines import progress
from pipelines.progress import counted


def test_counting_says_how_far_it_is_every_few_seconds(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(range(0, 1000, 2))
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(now)))
    with caplog.at_level(logging.INFO, "warledger.progress"):
        assert list(counted("abcdefgh", 8, "sources read")) == list("abcdefgh")
    assert caplog.messages == ["3 of 8 sources read", "6 of 8 sources read"]


def test_counting_short_work_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "warledger.progress"):
        assert list(counted(range(1000), 1000, "sources read")) == list(range(1000))
    assert caplog.messages == []
