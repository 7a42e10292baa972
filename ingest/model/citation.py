"""Where something was read: lines of one evidence."""

from __future__ import annotations

from typing import NamedTuple


class Lines(NamedTuple):
    """A range of 1-based lines of the decoded evidence, both ends included."""

    first: int
    last: int

    @classmethod
    def at(cls, line: int) -> Lines:
        """Return the range that holds `line` alone."""
        return cls(line, line)
