"""Cells of tables that hold names, and the lines that end a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

MAX_ROWS = 5000
MOST_LOOKS = 16
"""Tables that a row may belong to, on average of a text: rows look like headers, too."""

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


class Rows:
    """The rows below the headers of a text, read in time linear in the text.

    A row that looks like a header begins a table of its own, whose rows are those of the table around it.
    With the same columns they are read once.
    """

    def __init__(self, text: bytes) -> None:
        """Nothing is read yet."""
        self._text = text
        self._left = MAX_ROWS + MOST_LOOKS * text.count(b"\n")
        self._read: dict[Hashable, tuple[int, bool]] = {}

    def below(self, columns: Hashable, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield start and bytes of each row from `start` on that was not read with these columns.

        The caller stops at the end of the table.
        """
        end, goes_on = self._read.get(columns, (0, False))
        if start < end:
            if not goes_on:
                return
            start = end
        for _ in range(min(MAX_ROWS, self._left)):
            self._left -= 1
            end = self._text.find(b"\n", start)
            end = end if end >= 0 else len(self._text)
            self._read[columns] = (end + 1, False)
            yield start, self._text[start:end]
            start = end + 1
            if start > len(self._text):
                return
        self._read[columns] = (start, True)


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
