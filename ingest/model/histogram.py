"""A histogram as bucket bounds and counts, with the line of every bucket."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.model.citation import Lines


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts in B buckets, ascending.

    Attributes:
        name: The name as printed (`@hold_us`).
        unit: `ns`, `us`, `ms`, `s`, `bytes`… when the name or banner states it, else "".
        lows: B inclusive lower bounds.
        highs: B exclusive upper bounds; inf where open.
        counts: B counts.
        bucket_lines: B 1-based lines.
        key: The map key, "" when there is none.
        probe: Probe or syscall named by the banner or script of the same section, else "".
    """

    name: str
    unit: str
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    counts: tuple[float, ...]
    bucket_lines: tuple[int, ...]
    key: str = ""
    probe: str = ""

    @property
    def lines(self) -> Lines:
        """The range from the first to the last bucket."""
        return Lines(self.bucket_lines[0], self.bucket_lines[-1])
