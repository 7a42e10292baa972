"""pprof: the profile of Go, and of many others, as a protocol buffer, mostly gzipped (`.pb.gz`).

Example (the beginning of a Go CPU profile, decompressed):
    48 df a9 f2 fc b9 9f 80 f5 18 0a 04 08 01 10 02   time_nanos, sample_type {1: 1, 2: 2} …

A sample has a value for each type the file declares: `samples/count`, `cpu/nanoseconds`, `inuse_space/bytes`.
Each type becomes one profile; a type that is zero everywhere is left out and counted.
Source: https://github.com/google/pprof/blob/main/proto/profile.proto
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.model.errors import MalformedInputError
from ingest.model.profile import Frame
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.frame_kind import classify
from ingest.parsing.documents import MAX_DEPTH
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.profile import Profile

NAME = "pprof"
VERSION = 1
TITLE = "pprof (protocol buffer)"
EXAMPLE = "0a 04 08 01 10 02 12 03 0a 01 01 …"
HEAD = r"[^\x78-\x7f]"
"""The key of a field that a profile has, or a longer key."""

OF_A_TYPE = (b"\x08", b"\x10")
"""The fields of a type of sample begin with one of these bytes, which no text has."""

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
LAST_FIELD = 14
HEAD_FIELDS = 6
FEW_SAMPLES = 200
UNITS = {
    "nanoseconds": "ns",
    "microseconds": "us",
    "milliseconds": "ms",
    "seconds": "s",
    "bytes": "bytes",
    "count": "count",
}
# Values of Go and of gperftools that are no time on a CPU.
_WHATS = {"cpu": "cpu", "samples": "cpu", "wall": "cpu"}


class _Field(NamedTuple):
    """One field of a message: its number, and its number or bytes."""

    number: int
    value: int
    content: bytes


class _CutError(Exception):
    """The bytes end inside a field."""


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return a number and where the next field begins."""
    value = shift = 0
    while True:
        if at >= len(content) or shift > 63:
            raise _CutError
        byte = content[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7


def _fields(content: bytes) -> Iterator[_Field]:
    """Yield the fields of a message.

    Raises:
        _CutError: It ends inside a field, or is no message.
    """
    at = 0
    while at < len(content):
        tag, at = _varint(content, at)
        kind, field = tag & 7, tag >> 3
        if not field:
            raise _CutError
        if kind == VARINT:
            value, at = _varint(content, at)
            yield _Field(field, value, b"")
        elif kind == LENGTH:
            size, at = _varint(content, at)
            if at + size > len(content):
                raise _CutError
            yield _Field(field, 0, content[at : at + size])
            at += size
        elif kind in {FIXED64, FIXED32}:
            at += 8 if kind == FIXED64 else 4
            yield _Field(field, 0, b"")
        else:
            raise _CutError


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _numbers(field: _Field) -> Iterator[int]:
    """Yield a repeated number, packed or not."""
    if not field.content:
        yield field.value
        return
    at = 0
    while at < len(field.content):
        value, at = _varint(field.content, at)
        yield value


def claims(head: bytes) -> bool:
    """Return whether a pprof profile begins with `head`: its fields, a type of sample among the first."""
    if not any(byte in head for byte in OF_A_TYPE):
        return False
    fields_read = 0
    has_type = False
    try:
        for field in _fields(head):
            fields_read += 1
            if field.number > LAST_FIELD:
                return False
            if field.number == 1:
                if not field.content or any(part.number not in {1, 2} for part in _fields(field.content)):
                    return False
                has_type = True
            if has_type and fields_read >= HEAD_FIELDS:
                return True
    except _CutError:
        return has_type and fields_read >= HEAD_FIELDS
    return has_type and fields_read >= 3


class _Tables:
    """What samples refer to."""

    def __init__(self, content: bytes) -> None:
        self.strings: list[str] = []
        self.types: list[tuple[int, int]] = []
        self.samples: list[bytes] = []
        self._functions: dict[int, int] = {}
        self._mappings: dict[int, int] = {}
        self._locations: dict[int, tuple[list[int], int, int]] = {}
        self._frames: dict[int, list[PlacedFrame]] = {}
        for field in _fields(content):
            if field.number == 6:
                self.strings.append(field.content.decode("utf-8", "replace"))
            elif field.number == 1:
                self.types.append(self._pair(field.content, 1, 2))
            elif field.number == 2:
                self.samples.append(field.content)
            elif field.number == 3:
                self._mappings.update([self._pair(field.content, 1, 5)])
            elif field.number == 4:
                self._location(field.content)
            elif field.number == 5:
                self._functions.update([self._pair(field.content, 1, 2)])

    @staticmethod
    def _pair(content: bytes, first: int, second: int) -> tuple[int, int]:
        """Return two numbers of a message, 0 where one is not stated."""
        found = {field.number: field.value for field in _fields(content)}
        return found.get(first, 0), found.get(second, 0)

    def _location(self, content: bytes) -> None:
        identity = mapping = address = 0
        functions = []
        for field in _fields(content):
            if field.number == 1:
                identity = field.value
            elif field.number == 2:
                mapping = field.value
            elif field.number == 3:
                address = field.value
            elif field.number == 4:
                functions.append(self._pair(field.content, 1, 2)[0])
        self._locations[identity] = functions, mapping, address

    def text(self, place: int) -> str:
        """Return a string of the table, "" when it is not there."""
        return self.strings[place] if 0 <= place < len(self.strings) else ""

    def frames(self, location: int) -> list[PlacedFrame]:
        """Return the frames of a location, innermost (inlined) first."""
        if location not in self._frames:
            functions, mapping, address = self._locations.get(location, ([], 0, 0))
            module = self.text(self._mappings.get(mapping, 0))
            names = [self.text(self._functions.get(one, 0)) for one in functions] or [f"0x{address:x}"]
            self._frames[location] = [
                PlacedFrame(
                    Frame(name or "[unknown]", module, classify(name or "[unknown]", module, address)), 1
                )
                for name in names
            ]
        return self._frames[location]


def read_document(content: bytes) -> Reading:
    """Read one profile per type of sample.

    Raises:
        MalformedInputError: Cut off, or without samples.
    """
    try:
        tables = _Tables(content)
        return _read(tables)
    except _CutError:
        raise MalformedInputError("this pprof profile is cut off or broken") from None


def _read(tables: _Tables) -> Reading:
    skips = SkipCounter()
    builders = [StackBuilder() for _ in tables.types]
    for sample in tables.samples:
        locations: list[int] = []
        values: list[int] = []
        for field in _fields(sample):
            if field.number == 1:
                locations.extend(_numbers(field))
            elif field.number == 2:
                values.extend(_numbers(field))
        leaf_first = [frame for one in locations for frame in tables.frames(one)]
        if len(leaf_first) > MAX_DEPTH:
            skips.add(f"stacks deeper than {MAX_DEPTH:,} frames are cut at the outermost", 1)
        for builder, value in zip(builders, map(_signed, values), strict=False):
            if value < 0:
                skips.add("a negative value: the difference of two profiles", 1)
            elif value:
                builder.add(leaf_first[:MAX_DEPTH], line=1, weight=float(value))
    profiles: list[Profile] = []
    for builder, (kind, unit) in zip(builders, tables.types, strict=True):
        name, unit_name = tables.text(kind), tables.text(unit)
        if not len(builder):
            skips.add(f"the type {name}/{unit_name} is zero everywhere", 1)
            continue
        what = _WHATS.get(name, "event")
        profiles.append(
            builder.build(event=name, unit=UNITS.get(unit_name, "count"), what=what, has_weights=True)
        )
    if not profiles:
        raise MalformedInputError("this pprof profile has no samples")
    few = [
        Quality("few_samples", f"{profile.weight:,.0f} samples: shares are coarse", 1)
        for profile in profiles
        if profile.event == "samples" and profile.weight < FEW_SAMPLES
    ]
    return Reading(profiles=tuple(profiles), skipped=skips.result(), quality=tuple(few))
