"""Averages since boot: what vmstat, iostat and mpstat print first, which is no look at now.

Example:
    `vmstat` without an interval prints 12 % of stolen CPU time: the mean of weeks, of which nothing need be
    true today. Counts of tasks and sizes of memory in the same row are of the moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ingest.model.reading import Reading

_AVERAGES = ("_share", "_per_second", "_ms", "disk.queue_length")
"""How the names of averages end."""


def is_since_boot(fact_name: str, reading: Reading) -> bool:
    """Return whether a fact of a reading is an average since boot."""
    return fact_name.endswith(_AVERAGES) and "since_boot" in reading.quality_names
