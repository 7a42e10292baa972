"""Reads of files of the running kernel end: in time, in size and in number."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cli.evidence.bounded_reads import BoundedReads, StuckReadError, content_of


def test_a_read_that_waits_for_another_is_given_up_in_time(tmp_path):
    os.mkfifo(tmp_path / "stuck")
    begun = time.monotonic()
    with pytest.raises(StuckReadError, match=r"did not end within 0\.2 s"):
        content_of(tmp_path / "stuck", seconds=0.2)
    assert time.monotonic() - begun < 60


def test_a_file_without_end_is_read_up_to_its_limit():
    assert len(content_of(Path("/dev/zero"), most=3_000_000)) == 3_000_000


def test_a_directory_ends_when_its_time_or_its_patience_is_over(tmp_path):
    assert BoundedReads().why_spent() == ""
    assert "took 0 s" in BoundedReads(seconds=0.0).why_spent()
    os.mkfifo(tmp_path / "stuck")
    stuck = BoundedReads(most_stuck=2, each_seconds=0.1)
    for left in ("", "reads of 2 files did not end"):
        with pytest.raises(StuckReadError):
            stuck.content(tmp_path / "stuck")
        assert left in stuck.why_spent()
    assert "reads of 2 files did not end" in stuck.why_spent()
