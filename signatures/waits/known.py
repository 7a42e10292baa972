"""The wait graph of a host, built once: judging, the overview and the pages of a case ask for the same."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from signatures.waits.graph import built
from signatures.waits.model import WaitGraph

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.waits.observed import ItemLike

_KNOWN: dict[tuple[int, ...], tuple[tuple[ItemLike, ...], WaitGraph]] = {}
"""Graphs by the identities of their items, as long as the first of these lives."""


def graph_of(items: Iterable[ItemLike]) -> WaitGraph:
    """Return the wait graph of the readings of one host."""
    items = tuple(items)
    if not items:
        return WaitGraph()
    key = tuple(map(id, items))
    if key not in _KNOWN:
        graph = built(items)
        weakref.finalize(items[0], _KNOWN.pop, key, None)
        # The others are held: their identities are theirs as long as the key is known.
        _KNOWN[key] = items[1:], graph
    return _KNOWN[key][1]
