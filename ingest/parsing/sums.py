"""Counts that a tool prints interval by interval: their sum becomes a fact, of the lines that were added.

Example:
    swapin prints `gnome-shell 2239 12410` and, three seconds later, `gnome-shell 2239 2496`: the fact is
    `trace.swap_ins` 14906 of gnome-shell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Sums:
    """Sums by name and labels, in the order in which they first came."""

    _counts: dict[tuple[str, tuple[tuple[str, str], ...]], list[tuple[float, int]]] = field(
        default_factory=dict
    )

    def add(self, name: str, count: float, line: int, **labels: str) -> None:
        """Add what `line` counts."""
        self._counts.setdefault((name, tuple(sorted(labels.items()))), []).append((count, line))

    def facts(self) -> Iterator[Fact]:
        """Yield a fact for each sum."""
        for (name, labels), counts in self._counts.items():
            lines = Lines(counts[0][1], counts[-1][1])
            yield Fact(name, sum(count for count, _ in counts), lines, "count", dict(labels))
