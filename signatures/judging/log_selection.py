"""Records of a kernel log that a condition selects: by class, text and fields."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.catalogue.log_classes import classes_by_name
from ingest.frames import normalise
from ingest.native.linear import Pattern
from signatures.language.patterns import is_any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sized

    from ingest.model.reading import Cell, LogRecord
    from signatures.language.conditions import FrameSet

EARLY_SECONDS = 10.0
"""Uptime in which drivers reset the devices that the firmware left running."""

FEW_LINES = 8
"""Lines of one event; more are a storm."""

BEHIND = " ← "
"""Stands between a function and the one that called it."""

OF_CLASS = ("class", "subsystem", "severity", "level")
"""Fields of every record that has a class."""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class LogSelection(NamedTuple):
    """Which records are meant.

    Attributes:
        kinds: Classes of the records; () for any.
        text: Regular expression that the message contains; "" for any.
        fields: Field to the patterns of its value.
    """

    kinds: tuple[str, ...]
    text: str
    fields: tuple[tuple[str, FrameSet], ...]

    def among(self, records: Iterable[LogRecord]) -> list[LogRecord]:
        """Return the records that are meant, with the fields that the text names."""
        if self.kinds:
            records = [record for record in records if record.kind in self.kinds]
            if not _at_boot().isdisjoint(self.kinds):
                records = _without_firmware(records)
        if self.text:
            records = list(self._with_text(records))
        for name, wanted in self.fields:
            records = _with_field(records, name, wanted)
        return list(records)

    def _with_text(self, records: Iterable[LogRecord]) -> Iterator[LogRecord]:
        search = compiled(self.text).search
        for record in records:
            found = search(record.message)
            if found is not None:
                named = {name: _cell(value) for name, value in found.groupdict().items() if value is not None}
                yield record._replace(fields={**record.fields, **named}) if named else record


def _without_firmware(records: list[LogRecord]) -> list[LogRecord]:
    """Return the records without the few of a boot that are noted there: no driver had the device yet."""
    early = [record for record in records if _is_noted(record)]
    later = [record for record in records if not _is_noted(record)]
    kinds = {record.kind for record in later}
    is_noted = early and is_few(early) and not any(one.kind in kinds for one in early)
    return later if is_noted else records


def is_few(records: Sized) -> bool:
    """Return whether lines may be of one event of a boot; more are a storm."""
    return len(records) <= FEW_LINES


def _is_noted(record: LogRecord) -> bool:
    is_early = record.uptime is not None and record.uptime < EARLY_SECONDS
    return is_early and record.kind in _at_boot()


@cache
def _at_boot() -> frozenset[str]:
    """Return the classes that are no alarm when they were printed once in a boot."""
    return frozenset(name for name, one in classes_by_name().items() if one.noted == "at boot")


def _with_field(records: Iterable[LogRecord], name: str, wanted: FrameSet) -> list[LogRecord]:
    """Return the records with one of the `wanted` values in a field; a log repeats few values."""
    known: dict[Cell, bool] = {None: False}
    found: list[LogRecord] = []
    for record in records:
        value = _value(record, name)
        is_wanted = known.get(value)
        if is_wanted is None:
            is_wanted = known[value] = any(is_any(normalise(part), wanted) for part in _parts(value))
        if is_wanted:
            found.append(record)
    return found


def once(records: Iterable[LogRecord]) -> list[LogRecord]:
    """Return the records without those that print an event again, as drivers do while one hang lasts."""
    printed: set[tuple[str, Cell, Cell]] = set()
    kept: list[LogRecord] = []
    for record in records:
        event = record.fields.get("event")
        if event is not None:
            key = (record.kind, record.fields.get("device"), event)
            if key in printed:
                continue
            printed.add(key)
        kept.append(record)
    return kept


@lru_cache(maxsize=512)
def compiled(text: str) -> Pattern:
    """Return the compiled expression; it is broken when its first use raises `ValueError`."""
    return Pattern(text)


def _value(record: LogRecord, name: str) -> Cell:
    """Return a field, or what the class of the record says."""
    if name == "class":
        return record.kind
    return record.fields.get(name, getattr(record, name, None) if name in OF_CLASS else None)


def _cell(text: str) -> float | str:
    """Return a named group as a number when it is one."""
    return float(text) if _NUMBER.fullmatch(text) else text


def _parts(value: Cell) -> tuple[str, ...]:
    """Return a value as text, and the functions of a call path: `nfs_*` is none of `kernfs_fop_read`."""
    text = f"{value:g}" if isinstance(value, float | int) else str(value)
    return (text, *text.removeprefix("probably ").split(BEHIND)) if BEHIND in text else (text,)
