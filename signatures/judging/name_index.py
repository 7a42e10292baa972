"""The names of a profile, looked up by pattern: what is plain or a prefix costs what its answer is large."""

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
"""No name goes on with it: whatever begins alike stands before it."""


class NameIndex:
    """Names and where they stand."""

    def __init__(self, names: Sequence[str]) -> None:
        """Sort `names`; equal ones are found together."""
        self._places = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
        self._sorted = [names[place] for place in self._places]

    def matching(self, pattern: str) -> NDArray[np.int64]:
        """Return the places of the names that match: plain, `prefix*`, or with `*` anywhere."""
        prefix, star, rest = pattern.partition("*")
        start = bisect_left(self._sorted, prefix)
        if not star:
            return self._places[start : bisect_right(self._sorted, pattern, lo=start)]
        end = bisect_left(self._sorted, prefix + _LAST, lo=start)
        return self._places[list(self._inside(pattern, start, end))] if rest else self._places[start:end]

    def _inside(self, pattern: str, start: int, end: int) -> Iterator[int]:
        """Yield which of the sorted names from `start` to `end` match: only those with its longest part."""
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
        """All names, a line break behind each, so that no part is found across two."""
        return "\n".join(self._sorted)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each name begins in the text; the last is its end."""
        return [0, *accumulate(len(name) + 1 for name in self._sorted)]
