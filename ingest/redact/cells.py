"""Cells of tables that hold names, and the lines that end a table."""

from __future__ import annotations

import re
from typing import NamedTuple

_ENDS = re.compile(
    rb"[#$] |\[?[\w.-]+@[^#$]{1,60}[#$] |[\w.:~-]{1,40}[#$>] \S"  # a command at its prompt
    rb"|#?\S+ ?= |[A-Za-z_ -]+:(?:\s{2,}\S|\s*$)|\s+\w+: \S+\s*$"  # a setting, a key
    rb"|[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} \S+ "  # a log
)
_BRANCHES = re.compile(rb"(?:\xe2[\x94\x95][\x80-\xbf]|[|`])[-\xe2\x94\x95\x80-\xbf]*")
"""Lines of a tree before a name: `├─sda1`, `|-sda1`."""


class Cell(NamedTuple):
    """A token in the place of a name in a table: start, end (exclusive) and kind.

    Attributes:
        is_certain: Whether it is one; a word of the vocabulary may be none.
    """

    start: int
    end: int
    kind: str
    is_certain: bool = True


def column_of(row: bytes, at: int) -> int:
    """Return the number of the character at byte `at`, which is what a title stands above."""
    return at if row.isascii() else at - sum(0x80 <= byte < 0xC0 for byte in row[:at])


def is_behind_a_table(row: bytes) -> bool:
    """Return whether a line is no row: a command, a setting, a key or a message."""
    return not row.strip() or _ENDS.match(row) is not None


def without_branches(cell: bytes) -> int:
    """Return where the name in a cell begins, behind the lines of a tree."""
    found = _BRANCHES.match(cell)
    return found.end() if found else 0
