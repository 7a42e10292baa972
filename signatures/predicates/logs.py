"""`log`: kernel log records by class and fields.

A record found is a record; a record missing means something only where the log is known to cover the capture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import normalise
from signatures.observation import MAX_EXEMPLARS, Cited, Reason, Sighting, State, sighted, unknown
from signatures.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.reading import LogRecord, Reading
    from signatures.questions import LogCondition


def observe(condition: LogCondition, reading: Reading) -> Iterator[Sighting]:
    """Yield what the log of one reading says, once per cgroup where records name them."""
    if not reading.log_records:
        return
    found = [record for record in reading.log_records if _is_chosen(condition, record)]
    groups: dict[str, list[LogRecord]] = {}
    for record in found:
        cgroup = str(record.fields.get("cgroup") or "") if condition.at else ""
        groups.setdefault(cgroup, []).append(record)
    if not groups:
        yield _none(condition)
    for cgroup, records in groups.items():
        yield _some(condition, records, cgroup)


def _is_chosen(condition: LogCondition, record: LogRecord) -> bool:
    if record.kind not in condition.kinds:
        return False
    return all(
        record.fields.get(name) is not None and is_any(normalise(str(record.fields[name])), wanted)
        for name, wanted in condition.fields
    )


def _none(condition: LogCondition) -> Sighting:
    if condition.bound.at_most is not None and not condition.needs_coverage:
        return sighted(0.0, condition.bound)
    return unknown(
        Reason.ABSENT, "no such record, and the log is not known to cover the capture", observed=0.0
    )


def _some(condition: LogCondition, records: list[LogRecord], cgroup: str) -> Sighting:
    values = [record.fields.get(condition.measure) for record in records] if condition.measure else []
    numbers = [float(value) for value in values if isinstance(value, float | int)]
    if condition.measure and not numbers:
        return unknown(Reason.UNPARSABLE, f"no {condition.measure} in the record")
    value = max(numbers) if condition.measure else float(len(records))
    uptimes = [record.uptime for record in records if record.uptime is not None]
    citations = tuple(Cited(record.lines.first, record.lines.last) for record in records[-MAX_EXEMPLARS:])
    found = sighted(
        value,
        condition.bound,
        cgroup=cgroup,
        citations=citations,
        note=condition.measure or "records",
        uptime=max(uptimes, default=None),
    )
    if found.state is State.FALSE and condition.bound.at_least is not None and not condition.measure:
        return unknown(
            Reason.TOO_FEW,
            f"{value:g} so far",
            observed=value,
            threshold=found.threshold,
            distance=found.distance,
            citations=citations,
            cgroup=cgroup,
        )
    return found
