"""Whether any line of a text has one of some marks, without a look at every line.

has_mark(["a", "b -->"], ("<--", "-->"))  ->  True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

AT_ONCE = 4096
"""Lines that are joined: a copy of all would be as large as the evidence."""


def has_mark(lines: Sequence[str], marks: Sequence[str]) -> bool:
    """Return whether a mark stands in a line; a mark that ends with a line break stands at the end of one."""
    for first in range(0, len(lines), AT_ONCE):
        text = "\n".join([*lines[first : first + AT_ONCE], ""])
        # One character is found many times faster than several, and is mostly not there.
        if any(mark[0] in text and mark in text for mark in marks):
            return True
    return False
