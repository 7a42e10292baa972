"""What the records of an alarm name: device, CPU, task, unit, bank, status; and how many events they are of.

named(hard_lockup, records, "hard lockup: a CPU handled no interrupts for over 10 s")  ->  "; CPUs 0, 2, 4"

The rows are `deciding_fields.yaml`: which field of which class is said, and of which classes one event is
printed in several lines.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.language.number_format import value_words
from signatures.overview.kernel_log.device_paths import printed_device

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import Cell, LogRecord

_TABLE = Path(__file__).parents[1] / "deciding_fields.yaml"


class Row(TypedDict):
    """A field that is said of classes, or of all classes of an area; the table says what each key is."""

    field: str
    words: str
    many: str
    of: list[str]
    find: NotRequired[str]
    beside: NotRequired[list[str]]
    least: NotRequired[float]
    means: NotRequired[dict[str, str]]


class Incidents(TypedDict):
    """The longest gap within one event, and the classes whose events have several lines."""

    seconds: float
    classes: list[str]


@cache
def rows() -> tuple[Row, ...]:
    """Return the fields in the order in which they are said."""
    return tuple(cast("list[Row]", table(_TABLE)["fields"]))


@cache
def _incidents() -> Incidents:
    return cast("Incidents", table(_TABLE)["incidents"])


@cache
def _rows_of(name: str, area: str, *, is_beside: bool = False) -> tuple[Row, ...]:
    return tuple(
        row for row in rows() if (name in row["of"] or area in row["of"]) and ("beside" in row) is is_beside
    )


def named(log_class: LogClass, records: Sequence[LogRecord], said: str) -> str:
    """Return `; …` with what records of one class name and the sentence `said` does not; "" for nothing."""
    return _stated([(row, records) for row in _rows_of(log_class.name, log_class.area)], said)


def named_beside(log_class: LogClass, record: LogRecord, near: Sequence[LogRecord], said: str) -> str:
    """Return `; …` with what lines beside an alarm say of the same device: registers, bits, members left."""
    close = [one for one in beside(record, near) if _is_of_one(record, one)]
    found = _rows_of(log_class.name, log_class.area, is_beside=True)
    return _stated([(row, [one for one in close if one.kind in row["beside"]]) for row in found], said)


def beside(record: LogRecord, near: Sequence[LogRecord]) -> list[LogRecord]:
    """Return the records that stand close enough to one to belong to it."""
    lines: int = table(_TABLE)["beside_lines"]
    return [one for one in near if -lines <= one.lines.first - record.lines.last <= lines]


def _is_of_one(record: LogRecord, other: LogRecord) -> bool:
    """Return whether two records do not name two devices: `ata3` and `ata3.00` are one."""
    names = (str(each.fields.get("device") or "") for each in (record, other))
    one, another = (name if ":" in name else name.partition(".")[0] for name in names)
    return not one or not another or one == another


def _stated(found: Sequence[tuple[Row, Sequence[LogRecord]]], said: str) -> str:
    most: int = table(_TABLE)["shown"]
    parts = []
    for row, records in found:
        cells = dict.fromkeys(_words(one, row) for one in records)
        values = [one for one in cells if one and not _is_said(one, said)]
        template = row["words"] if len(values) == 1 else row["many"]
        if values and template:
            more = f" and {len(values) - most} more" if len(values) > most else ""
            parts.append(template.format(", ".join(values[:most]) + more))
    return f"; {', '.join(parts)}" if parts else ""


def _words(record: LogRecord, row: Row) -> str:
    """Return the value of a field in words, with what it means; "" without one."""
    name, value = row["field"], _value(record, row)
    if value is None and name == "device":
        return printed_device(record.message)
    if value is None or (isinstance(value, float) and not row.get("least", value) <= value):
        return ""
    text = f"{value:,.0f}" if isinstance(value, float) else str(value).strip()
    meanings = [words for one, words in row.get("means", {}).items() if _pattern(one).search(text)]
    return f"{text} ({', '.join(meanings)})" if meanings else text


def _value(record: LogRecord, row: Row) -> Cell | None:
    """Return the value of a record: of its field, or of what a row finds in its message."""
    if "find" not in row:
        return record.fields.get(row["field"])
    found = _pattern(row["find"]).search(record.message)
    return next(filter(None, found.groups()), None) if found else None


@cache
def _pattern(text: str) -> Pattern:
    return Pattern(text)


def _is_said(value: str, said: str) -> bool:
    """Return whether a sentence has the value as a word, not as a part of one or of a number."""
    at = said.find(value)
    while at >= 0:
        beside = said[max(0, at - 1) : at] + said[at + len(value) :][:1]
        if not any(letter.isalnum() or letter in "_." for letter in beside):
            return True
        at = said.find(value, at + 1)
    return False


def is_event_of_lines(log_class: LogClass) -> bool:
    """Return whether one event of a class is printed in several lines."""
    return log_class.name in _incidents()["classes"]


def events(log_class: LogClass, records: Sequence[LogRecord]) -> int:
    """Return how many events records are of: lines of one device with short gaps are of one.

    A line whose stamp is cut off is of the event of its device. Without any times every line is an event, as
    for classes that print one line each.
    """
    if not is_event_of_lines(log_class):
        return len(records)
    times = [_time(one) for one in records]
    if not any(one is not None for one in times):
        return len(records)
    last: dict[str, float | None] = {}
    found = 0
    for record, time in zip(records, times, strict=True):
        device = str(record.fields.get("device") or "")
        before = last.get(device)
        is_same = device in last and (
            time is None or before is None or 0 <= time - before <= _incidents()["seconds"]
        )
        found += not is_same
        last[device] = before if time is None else time
    return found


def _time(record: LogRecord) -> float | None:
    return record.uptime if record.uptime is not None else record.at


def count_words(events: int, lines: int, records: Sequence[LogRecord]) -> str:
    """Return `3 times`; of events with several lines `3 times in 40 minutes, 214 lines`, or `214 lines`."""
    if events == lines:
        return f"{events} times"
    if events == 1:
        return f"{lines} lines"
    known = [time for one in records if (time := _time(one)) is not None]
    span = f" in {value_words(max(known) - min(known), 'seconds')}" if known else ""
    return f"{events} times{span}, {lines} lines"
