"""What the records of an alarm name: device, CPU, task, unit, bank, status; and how many events they are of.

named(hard_lockup, records, "hard lockup: a CPU handled no interrupts for over 10 s")  ->  "; CPUs 0, 2, 4"

The rows are `deciding_fields.yaml`: which field of which class is said, and of which classes one event is
printed in several lines.
"""

from __future__ import annotations

import re
from collections import Counter
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
ANY = "any"
_NUMBERS = re.compile(r"(?<![a-f])(?:0x)?[a-f]*[0-9][0-9a-f]*")


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
    """What is one event.

    Attributes:
        seconds: The longest gap within one.
        gaps: Longer ones, by class.
        classes: Those whose events have several lines.
        lasting: Those that a device enters once.
    """

    seconds: float
    gaps: dict[str, float]
    classes: list[str]
    lasting: list[str]


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
    """Return how many events records are of.

    Lines of one device with short gaps are of one event where the class prints several for each. For other
    classes they are as many events as the message that came most often: a shutdown of XFS is three
    messages, each of them once. What a device enters once is one event of each. A line whose stamp is cut off
    is of the event of its device.
    """
    if log_class.name in _incidents()["lasting"]:
        return max(1, len({_device(one) for one in records} - {""}))
    groups = _together(records, _incidents()["gaps"].get(log_class.name, _incidents()["seconds"]))
    if is_event_of_lines(log_class) and any(_time(one) is not None for one in records):
        return len(groups)
    return sum(max(Counter(map(_shape, group)).values()) for group in groups)


def _together(records: Sequence[LogRecord], gap: float) -> list[list[LogRecord]]:
    """Return the records in groups of one device without longer gaps; one that names none is of any."""
    groups: list[list[LogRecord]] = []
    last: dict[str, tuple[list[LogRecord], float | None]] = {}
    for record in records:
        time, device = _time(record), _device(record)
        known = [one for name in ((device, "") if device else (ANY,)) if (one := last.get(name))]
        near = next((one for one in known if _is_near(one[1], time, gap)), None)
        group = near[0] if near else []
        if not near:
            groups.append(group)
        group.append(record)
        last[device] = last[ANY] = (group, near[1] if near and time is None else time)
    return groups


def _is_near(before: float | None, time: float | None, gap: float) -> bool:
    return time is None or before is None or 0 <= time - before <= gap


def _device(record: LogRecord) -> str:
    return str(record.fields.get("device") or "")


def _shape(record: LogRecord) -> str:
    """Return the message of a record without its numbers and what it names: a kill of two tasks is two."""
    shape = record.message
    for value in record.fields.values():
        if isinstance(value, str) and value:
            shape = shape.replace(value, "#")
    return _NUMBERS.sub("#", shape)


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
