"""Text that no other format knows: kept, searchable, citable.

Example:
    [Tue Sep 24 21:20:54 2024] [info] Memcached operation exceeded 20ms :operation="set" latency="1354.68"

Nothing is read out: what a sentence means is for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.registry import Text

NAME = "text"
VERSION = 1
TITLE = "Text"
EXAMPLE = "It got slow after Tuesday's deploy."


def begins(lines: Sequence[str], at: int) -> bool:
    """Say whether there is text at all."""
    return bool(lines[at].strip())


def continues(line: str) -> bool:
    """Say that any line is text."""
    del line
    return True


def read(text: Text) -> Reading:
    """Return an empty reading: the lines themselves are what is kept."""
    del text
    return Reading()
