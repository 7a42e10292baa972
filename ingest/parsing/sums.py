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

    _sums: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[float, int, int]] = field(default_factory=dict)

    def add(self, name: str, count: float, line: int, **labels: str) -> None:
        """Add what `line` counts."""
        key = (name, tuple(sorted(labels.items())))
        total, first, _ = self._sums.get(key, (0.0, line, line))
        self._sums[key] = (total + count, first, line)

    def facts(self) -> Iterator[Fact]:
        """Yield a fact for each sum."""
        for (name, labels), (total, first, last) in self._sums.items():
            yield Fact(name, total, Lines(first, last), "count", dict(labels))
