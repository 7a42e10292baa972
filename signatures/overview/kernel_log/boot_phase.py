"""Whether a record was printed while its machine booted: by its uptime, else since the log says it began.

is_of_boot(placed, boots_in(records), 60.0)  ->  True
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.model.reading import LogRecord
    from signatures.judging.scope import Item
    from signatures.overview.kernel_log.chain import Placed

FIRST_WORDS = "Linux version "
"""The message with which a boot begins."""


def is_of_boot(one: Placed, boots: Mapping[int, Sequence[float]], seconds: float) -> bool:
    """Return whether a record is of the first seconds of a boot."""
    record = one.record
    if record.uptime is not None:
        return record.uptime < seconds
    time = time_of(record)
    begun = boots.get(id(one.item), ())
    return time is not None and any(0 <= time - start < seconds for start in begun)


def boots_in(records: Iterable[tuple[LogRecord, Item]]) -> dict[int, list[float]]:
    """Return when each log says that a boot began, by its item."""
    found: dict[int, list[float]] = defaultdict(list)
    for record, item in records:
        if record.message.startswith(FIRST_WORDS) and (time := time_of(record)) is not None:
            found[id(item)].append(time)
    return found


def time_of(record: LogRecord) -> float | None:
    """Return the first of uptime, wall time and monotonic time that a record has, in seconds."""
    return next((one for one in (record.uptime, record.at, record.clock) if one is not None), None)
