"""Text that no other format recognises: stored, searchable, citable.

Examples:
    [Tue Sep 24 21:20:54 2024] [info] Memcached operation exceeded 20ms :operation="set" latency="1354.68"
    2026-11-21T10:00:01.250Z WARN query took 812 ms
    ps aux hangs since ten, top works

Prose is not interpreted, except for two things that no tool prints: which tool a person reports as hanging
(`hangs`), and durations in application logs (`latencies`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.readers.logs.text import hangs, latencies

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "text"
VERSION = 3
TITLE = "Text"
EXAMPLE = "It got slow after Tuesday's deploy. ps aux hangs."


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether there is text at all."""
    return bool(lines[at].strip())


def continues(line: str) -> bool:
    """Say that any line is text."""
    del line
    return True


def read(text: Text) -> Reading:
    """Return hanging tools and durations."""
    hang_reading = hangs.read(text)
    stated = latencies.read(text)
    return replace(stated, facts=(*hang_reading.facts, *stated.facts))
