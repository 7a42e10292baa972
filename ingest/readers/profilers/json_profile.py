"""Profiles in JSON: `perf data convert --to-json`, OTLP profiles of OpenTelemetry, heap profiles of V8.

Examples:
    {"linux-perf-json-version": 1, "headers": {…}, "samples": [{"timestamp": 1, "pid": 77, "comm": "app",
      "callchain": [{"ip": "0xffffffff81", "symbol": "clear_page_erms", "dso": "[kernel.kallsyms]"}]}]}
    {"head": {"callFrame": {"functionName": "(root)"}, "selfSize": 0, "children": [{…}]}, "samples": []}
    {"resourceProfiles": [{"scopeProfiles": [{"profiles": [
      {"sample": [{"stackIndex": 1, "values": ["61"]}]}]}]}],
     "dictionary": {"stringTable": […], "functionTable": […], "locationTable": […], "stackTable": […]}}

Before its stack table, an OTLP sample named a range of `locationIndices`; before its dictionary, each
profile had tables of its own. Numbers of 64 bits are strings there.
Sources: Linux, tools/perf/util/data-convert-json.c; opentelemetry-proto,
profiles/v1development/profiles.proto; the HeapProfiler domain of the DevTools protocol.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading
from ingest.native.frame_kind import classify
from ingest.parsing.documents import MAX_DEPTH, array, identity, json_object, mapping, objects
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.shapes import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HEAP = re.compile(rb'^\{\s*"head"\s*:\s*\{')
PERF, OTLP = b'"linux-perf-json-version"', b'"resourceProfiles"'
FEW_SAMPLES = 200
UNITS = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s", "bytes": "bytes"}
MOST_DIGITS = 15


def _claims(head: bytes) -> bool:
    """Return whether such a document begins with `head`."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    is_of_heap = HEAP.match(first) and b'"callFrame"' in first and b'"selfSize"' in first
    return bool(is_of_heap) or (first.startswith(b"{") and (PERF in head or OTLP in head))


def _read_document(content: bytes) -> Reading:
    """Read every sample with a stack as one profile, or as one for each type of sample of OTLP.

    Raises:
        MalformedInputError: Not whole, or without a stack.
    """
    document = json_object(content, "JSON profile")
    if "resourceProfiles" in document:
        builders = _otlp(document)
    elif "head" in document:
        builders = {("allocated", "bytes"): _heap(document)}
    else:
        builders = {("", "samples"): _perf(document)}
    profiles = tuple(
        replace(
            builder.build(
                event=event, unit=unit, what="event" if unit == "bytes" else "cpu", has_weights=True
            ),
            is_ordered="linux-perf-json-version" in document,
        )
        for (event, unit), builder in builders.items()
        if len(builder)
    )
    if not profiles:
        raise MalformedInputError("this JSON profile has no sample with a stack")
    count = sum(len(one) for one in builders.values())
    few = Quality("few_samples", f"{count:,} stacks: shares are coarse", 1)
    return Reading(profiles=profiles, quality=(few,) if count < FEW_SAMPLES else ())


def _perf(document: Mapping[str, Any]) -> StackBuilder:
    builder = StackBuilder()
    for sample in objects(document.get("samples")):
        names = [
            (str(one.get("symbol") or one.get("ip") or ""), str(one.get("dso") or ""))
            for one in objects(sample.get("callchain"))
        ]
        pid, tid = identity(sample.get("pid")), identity(sample.get("tid"))
        thread = Thread(str(sample.get("comm") or ""), pid, tid)
        _add(builder, names, 1.0, thread)
    return builder


def _heap(document: Mapping[str, Any]) -> StackBuilder:
    """Return the stacks that allocate, with the bytes that each still holds."""
    builder = StackBuilder()
    callers: tuple[tuple[str, str], ...] = ()
    open_nodes = [(mapping(document["head"]), callers)]
    while open_nodes:
        node, callers = open_nodes.pop()
        call = mapping(node.get("callFrame"))
        own = (str(call.get("functionName") or "(anonymous)"), str(call.get("url") or ""))
        stack = (own, *callers)[:MAX_DEPTH]
        size = _whole(node.get("selfSize"))
        if size > 0:
            _add(builder, stack, float(size), Thread("", -1, -1))
        open_nodes += [(one, stack) for one in objects(node.get("children"))]
    return builder


def _otlp(document: Mapping[str, Any]) -> dict[tuple[str, str], StackBuilder]:
    """Return the stacks by type and unit of their samples."""
    found: dict[tuple[str, str], StackBuilder] = {}
    shared = mapping(document.get("dictionary"))
    for resource in objects(document.get("resourceProfiles")):
        thread = Thread(_service(resource), -1, -1)
        for scope in objects(resource.get("scopeProfiles")):
            for profile in objects(scope.get("profiles")):
                tables = _Tables(shared or profile, profile)
                types = profile.get("sampleType")
                kind = mapping(types[0] if isinstance(types, list) and types else types)
                name = (tables.text(kind.get("typeStrindex")), tables.text(kind.get("unitStrindex")))
                builder = found.setdefault((name[0], UNITS.get(name[1], "samples")), StackBuilder())
                for sample in objects(profile.get("sample") or profile.get("samples")):
                    values = array(sample.get("values") or sample.get("value"))
                    weight = float(max(0, _whole(values[0]))) if values else 1.0
                    is_counted = name[1] in {"count", "samples", ""}
                    _add(builder, tables.stack(sample), weight, thread, is_counted=is_counted)
    return found


def _service(resource: Mapping[str, Any]) -> str:
    """Return the name of the program, which its resource states, "" without one."""
    for one in objects(mapping(resource.get("resource")).get("attributes")):
        if one.get("key") in {"service.name", "process.executable.name"}:
            return str(mapping(one.get("value")).get("stringValue") or "")
    return ""


class _Tables:
    """The tables that the samples of a profile refer to."""

    def __init__(self, tables: Mapping[str, Any], profile: Mapping[str, Any]) -> None:
        self._strings = array(tables.get("stringTable"))
        self._functions = array(tables.get("functionTable"))
        self._locations = array(tables.get("locationTable"))
        self._mappings = array(tables.get("mappingTable"))
        self._stacks = array(tables.get("stackTable"))
        self._ranges = array(profile.get("locationIndices"))

    def text(self, at: Any) -> str:
        found = _at(self._strings, at)
        return found if isinstance(found, str) else ""

    def stack(self, sample: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return functions and modules, the innermost first."""
        if "stackIndex" in sample:
            places = array(mapping(_at(self._stacks, sample["stackIndex"])).get("locationIndices"))
        elif self._ranges:
            start = max(0, _whole(sample.get("locationsStartIndex")))
            places = self._ranges[start : start + max(0, _whole(sample.get("locationsLength")))]
        else:
            places = array(sample.get("locationIndex"))
        locations = (mapping(_at(self._locations, at)) for at in places[:MAX_DEPTH])
        return [frame for location in locations for frame in self._frames(location)]

    def _frames(self, location: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        module = self.text(mapping(_at(self._mappings, location.get("mappingIndex"))).get("filenameStrindex"))
        lines = list(objects(location.get("line") or location.get("lines")))
        for line in lines:
            function = mapping(_at(self._functions, line.get("functionIndex")))
            yield self.text(function.get("nameStrindex")), module
        if not lines and (address := _whole(location.get("address"))) > 0:
            yield f"0x{address:x}", module


def _add(
    builder: StackBuilder,
    names: Sequence[tuple[str, str]],
    weight: float,
    thread: Thread,
    *,
    is_counted: bool = False,
) -> None:
    frames = [PlacedFrame(Frame(name, module, classify(name, module)), 1) for name, module in names if name]
    if frames:
        count = weight if is_counted else 1.0
        builder.add(frames[:MAX_DEPTH], line=1, weight=weight, count=count, thread=thread)


def _whole(value: Any) -> int:
    """Return a whole number, which may be a string; 0 for anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else 0


def _at(values: Sequence[Any], at: Any) -> Any:
    place = _whole(at)
    return values[place] if 0 <= place < len(values) else None


FORMAT = Document(
    name="json-profile",
    version=1,
    title="profile in JSON (perf data convert, OTLP, heap of V8)",
    example='{"linux-perf-json-version": 1, "samples": [{"callchain": [{"symbol": "a", "dso": "b"}]}]}',
    head=r"(?:\xef\xbb\xbf)?\s*\{",
    claims=_claims,
    read_document=_read_document,
)
