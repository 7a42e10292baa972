"""Which name of a head a word of a row stands below, where both have another number of words.

Caller   Avg Spin  Count   Max spin Total spin        names of two words: the right edges of the rows
foo+0x2e     3675      5       5468      18379        tell which words are one name
->  Caller, `Avg Spin`, Count, `Max spin`, `Total spin`
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import number_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST_FIT = 0.6
"""Of the lines below a head that have its cells."""

LEAST_ALIGNED, MOST_ALIGNED = 3, 2_000
"""Rows that are read by where their words stand."""

MOST_WORDS = 60
"""Words of a head that are put together."""

_WORD = re.compile(r"\S+")


def aligned(head: str, lines: Sequence[str], below: Sequence[int]) -> dict[int, list[str]]:
    """Return the cells of rows with fewer words than the head has, each below the nearest name."""
    names = [(found.start(), found.end()) for found in _WORD.finditer(head)]
    found: dict[int, list[str]] = {}
    for at in below[:MOST_ALIGNED]:
        words = [(one.start(), one.end(), one[0]) for one in _WORD.finditer(lines[at])]
        if not LEAST_FIT * len(names) <= len(words) < len(names):
            return {}
        places = _nearest(names, [word[:2] for word in words])
        cells = [""] * len(names)
        for place, word in zip(places, words, strict=True):
            cells[place] = word[2]
        found[at] = cells
    return found if len(found) >= LEAST_ALIGNED else {}


def _nearest(names: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each word the name that it stands below, in order, with the least distance in all."""
    best: list[tuple[int, list[int]]] = [(0, []), *((1 << 30, list[int]()) for _ in words)]
    for place, (start, end) in enumerate(names):
        for count in range(min(place + 1, len(words)), 0, -1):
            left, right = words[count - 1]
            cost = best[count - 1][0] + min(abs(left - start), abs(right - end))
            if cost < best[count][0]:
                best[count] = (cost, [*best[count - 1][1], place])
    return best[-1][1]


def under_edges(
    head: str, lines: Sequence[str], below: Sequence[int]
) -> tuple[list[str], dict[int, list[str]]]:
    """Return names of several words, and the cells of rows whose words end where they end; else nothing."""
    words = list(_WORD.finditer(head))
    first = list(_WORD.finditer(lines[below[0]])) if below else []
    if not 3 <= len(first) < len(words) <= MOST_WORDS or any(number_of(one[0]) for one in words):
        return [], {}
    ends = [one.end() for one in first]
    rows = {at: list(_WORD.finditer(lines[at])) for at in below[:MOST_ALIGNED]}
    alike = {at: own for at, own in rows.items() if [one.end() for one in own] == ends}
    if len(alike) < 2:
        return [], {}
    names = [""] * len(ends)
    for word in words:
        place = next((at for at, end in enumerate(ends) if end >= word.end()), len(ends) - 1)
        names[place] = f"{names[place]} {word[0]}".strip()
    if not all(names):
        return [], {}
    return names, {at: [one[0] for one in own] for at, own in alike.items()}
