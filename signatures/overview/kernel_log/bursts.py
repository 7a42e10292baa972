"""Messages of a disk that came together: those of one queue, those within a second.

togetherness(alarm)  ->  "all on queue 2, within one second"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.overview.kernel_log.chain import Alarm

AREA = "storage"
LEAST = 3
"""Messages from which on it is no chance that they are of one queue."""

BURST_SECONDS = 1.0


def togetherness(alarm: Alarm) -> str:
    """Return what the records have in common beside their device; "" for few, and for other areas."""
    records = [one.record for one in alarm.places]
    if alarm.log_class.area != AREA or len(records) < LEAST:
        return ""
    parts = []
    queues = {one.fields.get("queue") for one in records}
    if len(queues) == 1 and isinstance(queue := queues.pop(), float):
        parts.append(f"all on queue {queue:.0f}")
    uptimes = [one.uptime for one in records if one.uptime is not None]
    if len(uptimes) == len(records) and max(uptimes) - min(uptimes) < BURST_SECONDS:
        parts.append("within one second")
    return ", ".join(parts)
