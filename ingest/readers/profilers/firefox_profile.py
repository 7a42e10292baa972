"""The Firefox profiler's processed profile: what profiler.firefox.com, samply and `casebook convert` save.

Example:
    {"meta": {"interval": 1, "processType": 0, "preprocessedProfileVersion": 54}, "libs": [],
     "threads": [{"name": "main", "pid": "7", "tid": 7, "samples": {"stack": [0], "length": 1},
       "stackTable": {"frame": [0], "prefix": [null]}, "frameTable": {"func": [0]},
       "funcTable": {"name": [0], "resource": [-1]}, "stringArray": ["read"]}]}

Every thread's samples are one event; threads keep their names. Newer files hold the tables under `shared`.
Source: https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.frame_kind import classify
from ingest.parsing.documents import MAX_DEPTH, array, index, json_object, mapping, number, objects
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "firefox-profile"
VERSION = 1
TITLE = "Firefox profiler file"
EXAMPLE = (
    '{"meta": {"interval": 1, "processType": 0, "preprocessedProfileVersion": 54}, "libs": [], "threads": '
    '[{"name": "main", "pid": "7", "tid": 7, "samples": {"stack": [0], "weight": null, "length": 1}, '
    '"stackTable": {"frame": [0], "prefix": [null], "length": 1}, "frameTable": {"func": [0], "length": 1}, '
    '"funcTable": {"name": [0], "resource": [-1], "length": 1}, "stringArray": ["read"]}]}'
)
HEAD = r"(?:\xef\xbb\xbf)?\s*\{"

FEW_SAMPLES = 200
UNITS = {"samples": "samples", "tracing-ms": "ms", "bytes": "bytes"}


_OBJECT = re.compile(rb'^\{\s*"')


def claims(head: bytes) -> bool:
    """Return whether such a file begins with `head`."""
    if not _OBJECT.match(head.lstrip(b"\xef\xbb\xbf \t\r\n")):
        return False
    return b'"meta"' in head and (b'"preprocessedProfileVersion"' in head or b'"processType"' in head)


def read_document(content: bytes) -> Reading:
    """Read all threads as one profile per kind of weight.

    Raises:
        MalformedInputError: Not whole, or without samples.
    """
    document = json_object(content, "profile of the Firefox profiler")
    shared = mapping(document.get("shared"))
    skips = SkipCounter()
    builders: dict[str, StackBuilder] = {}
    for raw_thread in objects(document.get("threads")):
        _Thread(raw_thread, shared, skips).read(builders)
    profiles = [
        replace(
            builder.build(event="", unit=unit, what="cpu", has_weights=True), is_ordered=len(builders) == 1
        )
        for unit, builder in builders.items()
        if len(builder)
    ]
    if not profiles:
        raise MalformedInputError("this profile of the Firefox profiler has no samples")
    samples = sum(profile.samples for profile in profiles)
    few = Quality("few_samples", f"{samples:,.0f} samples: shares are coarse", 1)
    quality = (few,) if samples < FEW_SAMPLES else ()
    return Reading(profiles=tuple(profiles), skipped=skips.result(), quality=quality)


class _Thread:
    """The tables of one thread."""

    def __init__(self, raw_thread: Mapping[str, Any], shared: Mapping[str, Any], skips: SkipCounter) -> None:
        self._raw_thread = raw_thread
        self._shared = shared
        self._skips = skips
        self._strings = self._table("stringArray")
        self._names = array(mapping(self._table("funcTable")).get("name"))
        self._resources = array(mapping(self._table("funcTable")).get("resource"))
        self._resource_names = array(mapping(self._table("resourceTable")).get("name"))
        self._functions = array(mapping(self._table("frameTable")).get("func"))
        self._frames = array(mapping(self._table("stackTable")).get("frame"))
        self._prefixes = array(mapping(self._table("stackTable")).get("prefix"))
        self._frame_cache: dict[int, PlacedFrame] = {}

    def _table(self, name: str) -> Any:
        """Return a table of this thread, else the one that all threads share."""
        return self._raw_thread.get(name, self._shared.get(name, []))

    def _text(self, place: Any) -> str:
        strings = array(self._strings)
        at = index(place, len(strings))
        return str(strings[at]) if at is not None else ""

    def _frame(self, place: int) -> PlacedFrame:
        """Return the frame of an entry of the frame table."""
        if place not in self._frame_cache:
            function = index(self._functions[place], len(self._names))
            name = self._text(self._names[function]) if function is not None else ""
            module = ""
            if function is not None and function < len(self._resources):
                resource = index(self._resources[function], len(self._resource_names))
                module = self._text(self._resource_names[resource]) if resource is not None else ""
            frame = Frame(name or "[unknown]", module, classify(name or "[unknown]", module))
            self._frame_cache[place] = PlacedFrame(frame, 1)
        return self._frame_cache[place]

    def _stack(self, place: int | None) -> list[PlacedFrame]:
        """Return a stack, innermost first; a prefix that is not earlier is a broken table."""
        leaf_first: list[PlacedFrame] = []
        while place is not None and len(leaf_first) < MAX_DEPTH:
            frame = index(self._frames[place], len(self._functions))
            if frame is not None:
                leaf_first.append(self._frame(frame))
            above = index(self._prefixes[place], place) if place < len(self._prefixes) else None
            place = above
        return leaf_first

    def read(self, builders: dict[str, StackBuilder]) -> None:
        """Add every sample."""
        samples = mapping(self._raw_thread.get("samples"))
        stacks, weights = array(samples.get("stack")), array(samples.get("weight"))
        unit = UNITS.get(str(samples.get("weightType") or "samples"), "count")
        pid, tid = str(self._raw_thread.get("pid", "")), self._raw_thread.get("tid")
        who = Thread(
            str(self._raw_thread.get("name") or ""),
            int(pid) if pid.isdecimal() and len(pid) < 10 else -1,
            tid if isinstance(tid, int) and 0 <= tid < 1 << 31 else -1,
        )
        builder = builders.setdefault(unit, StackBuilder())
        for at, stack in enumerate(stacks):
            place = index(stack, len(self._frames))
            if place is None and stack is not None:
                self._skips.add("a sample that names a stack which is not there", 1)
                continue
            weight = number(weights[at], 1.0) if at < len(weights) else 1.0
            if weight < 0:
                self._skips.add("a sample with a negative weight", 1)
                continue
            builder.add(self._stack(place), line=1, weight=weight, thread=who)
