"""Index of function names by pattern: exact names and prefixes by binary search, `*` by substring search."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_LAST = "\U0010ffff"
"""Greatest character: sorts after every name with the same prefix."""


class NameIndex:
    """Sorted names with their positions."""

    def __init__(self, names: Sequence[str]) -> None:
        """Sort `names`; equal names are adjacent."""
        self._order = sorted(range(len(names)), key=names.__getitem__)
        self._sorted = [names[place] for place in self._order]

    @cached_property
    def _positions(self) -> NDArray[np.int64]:
        return np.array(self._order, dtype=np.int64)

    def has(self, pattern: str) -> bool:
        """Return whether a name matches: exact, `prefix*`, or `*` anywhere."""
        start, end, is_sought = self._range(pattern)
        return any(True for _ in self._inside(pattern, start, end)) if is_sought else start < end

    def matching(self, pattern: str) -> NDArray[np.int64]:
        """Return the positions of matching names: exact, `prefix*`, or `*` anywhere."""
        start, end, is_sought = self._range(pattern)
        places = list(self._inside(pattern, start, end)) if is_sought else slice(start, end)
        return self._positions[places]

    def _range(self, pattern: str) -> tuple[int, int, bool]:
        """Return first and end of the names that may match, and whether these are yet to be searched."""
        prefix, star, rest = pattern.partition("*")
        start = bisect_left(self._sorted, prefix)
        if not star:
            return start, bisect_right(self._sorted, pattern, lo=start), False
        return start, bisect_left(self._sorted, prefix + _LAST, lo=start), bool(rest)

    def _inside(self, pattern: str, start: int, end: int) -> Iterator[int]:
        """Yield the matching sorted names from `start` to `end`; searches for the longest literal part."""
        longest = max(pattern.split("*"), key=len)
        at = start
        while at < end:
            found = self._text.find(longest, self._starts[at], self._starts[end])
            if found < 0:
                return
            at = bisect_right(self._starts, found)
            if is_any(self._sorted[at - 1], (pattern,)):
                yield at - 1

    @cached_property
    def _text(self) -> str:
        """All names, separated by line breaks so that no match spans two."""
        return "\n".join(self._sorted)

    @cached_property
    def _starts(self) -> list[int]:
        """Offset of each name in the text, then the end of the text."""
        return [0, *accumulate(len(name) + 1 for name in self._sorted)]
