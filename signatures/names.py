"""The names of a profile, looked up by pattern; only patterns with a `*` inside look at all of them."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from signatures.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = re.compile(r"[*?\[]")


class NameIndex:
    """Names and where they stand."""

    def __init__(self, names: Sequence[str]) -> None:
        """Sort `names`; equal ones are found together."""
        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(names):
            self._places.setdefault(name, []).append(place)
        self._sorted = sorted(self._places)

    def matching(self, pattern: str) -> list[int]:
        """Return the places of the names that match: plain, `prefix*`, or with `*` anywhere."""
        if "*" not in pattern:
            return self._places.get(pattern, [])
        prefix = _PLAIN.split(pattern, maxsplit=1)[0]
        is_prefix = pattern == f"{prefix}*"
        found = []
        for name in self._sorted[bisect_left(self._sorted, prefix) :]:
            if not name.startswith(prefix):
                break
            if is_prefix or is_any(name, (pattern,)):
                found += self._places[name]
        return found
