"""Chrome's trace events and V8's CPU profiles: what DevTools, `node --cpu-prof` and `--trace-events` save.

Examples:
    {"traceEvents":[{"pid":4,"tid":4,"ts":1100,"ph":"X","dur":250,"name":"V8.GCScavenger"}]}
    {"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2]}],"startTime":0,"endTime":9,
     "samples":[2],"timeDeltas":[9]}

An event weighs the microseconds that no event inside it takes. A CPU profile's sample weighs the time until
the next. `(idle)`, `(program)` and `(garbage collector)` are V8's own names and stay.
Source: the Trace Event Format document; https://chromedevtools.github.io/devtools-protocol/tot/Profiler/
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.model.errors import MalformedInputError
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Reading, SkipCounter
from ingest.parsing.documents import MAX_DEPTH, array, identity, index, json_object, mapping, number, objects
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ingest.model.profile import Profile

NAME = "chrome-trace"
VERSION = 1
TITLE = "Chrome trace, V8 CPU profile"
EXAMPLE = (
    '{"traceEvents":[{"pid":4,"tid":4,"ts":1100,"ph":"X","dur":250,"cat":"v8","name":"V8.GCScavenger"'
    ',"args":{}}]}'
)
HEAD = r"(?:\xef\xbb\xbf)?\s*[\[{]"

_TRACE = re.compile(rb'^\{\s*"(?:[^"\\]|\\.)*"\s*:')
_EVENTS = re.compile(rb'"traceEvents"\s*:\s*\[')
_EVENT_ARRAY = re.compile(rb'^\[\s*\{[^{}]*"ph"\s*:\s*"[A-Za-z(){}]"')
_PROFILE = re.compile(rb'^\{\s*"nodes"\s*:\s*\[\s*\{')


class _Open(NamedTuple):
    """An event that has begun."""

    name: str
    begin: float
    end: float | None


def claims(head: bytes) -> bool:
    """Return whether such a document begins with `head`."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if first.startswith(b"["):
        found = _EVENT_ARRAY.match(first)
        return bool(found) and b'"pid"' in first and b'"ts"' in first
    if _TRACE.match(first) and _EVENTS.search(first):
        return True
    return bool(_PROFILE.match(first)) and b'"callFrame"' in first and b'"functionName"' in first


def read_document(content: bytes) -> Reading:
    """Read it as one profile in microseconds.

    Raises:
        MalformedInputError: Not whole, or without anything that took time.
    """
    document = _document(content)
    skips = SkipCounter()
    builder = StackBuilder()
    if "traceEvents" in document:
        _events(document["traceEvents"], builder, skips)
    else:
        _cpu_profile(document, builder, skips)
    if not len(builder):
        raise MalformedInputError("no event in this trace took any time")
    profile: Profile = builder.build(event="", unit="us", what="cpu", has_weights=True)
    return Reading(profiles=(replace(profile, is_ordered="nodes" in document),), skipped=skips.result())


def _document(content: bytes) -> Mapping[str, Any]:
    """Return the document; of an array of events, which may lack its end, the object that holds it."""
    bare = content.lstrip(b"\xef\xbb\xbf \t\r\n").rstrip(b" \t\r\n,")
    if bare.startswith(b"["):
        content = b'{"traceEvents":' + bare + (b"}" if bare.endswith(b"]") else b"]}")
    return json_object(content, "Chrome trace or CPU profile")


def _placed_frames(names: Iterable[tuple[str, str]]) -> list[PlacedFrame]:
    """Return frames, innermost first, of code made at run time."""
    return [PlacedFrame(Frame(name, module, "jit"), 1) for name, module in names]


def _events(events: Any, builder: StackBuilder, skips: SkipCounter) -> None:
    """Add every event's own time, thread by thread."""
    named: dict[tuple[int, int], str] = {}
    by_thread: dict[tuple[int, int], list[tuple[float, int, Mapping[str, Any]]]] = {}
    for ordinal, event in enumerate(objects(events)):
        pid, tid = identity(event.get("pid")), identity(event.get("tid"))
        phase = event.get("ph")
        if phase == "M" and event.get("name") == "thread_name":
            named[pid, tid] = str(mapping(event.get("args")).get("name") or "")
        elif phase in {"X", "B", "E"}:
            by_thread.setdefault((pid, tid), []).append((number(event.get("ts")), ordinal, event))
        elif phase != "M":
            skips.add(f"events of the phase {str(phase)[:20]!r}, which have no duration", 1)
    for (pid, tid), timed in by_thread.items():
        thread = Thread(named.get((pid, tid), ""), pid, tid)
        timed.sort(key=lambda one: (one[0], -number(one[2].get("dur")), one[1]))
        _thread(timed, builder, thread, skips)


def _thread(
    timed: list[tuple[float, int, Mapping[str, Any]]],
    builder: StackBuilder,
    thread: Thread,
    skips: SkipCounter,
) -> None:
    """Walk one thread in the order of time; the time between two edges weighs on what is open."""
    stack: list[_Open] = []
    now = 0.0

    def until(at: float) -> float:
        weight = at - now
        if stack and weight > 0:
            names = [(one.name, "") for one in stack[: -MAX_DEPTH - 1 : -1]]
            builder.add(_placed_frames(names), line=1, weight=weight, thread=thread)
        return max(at, now)

    for at, _, event in timed:
        while stack and (end := stack[-1].end) is not None and end <= at:
            now = until(end)
            stack.pop()
        now = until(at) if stack else at
        if event["ph"] == "E":
            if stack and stack[-1].end is None:
                stack.pop()
            else:
                skips.add("an end without a beginning", 1)
            continue
        duration = number(event.get("dur")) if event["ph"] == "X" else None
        stack.append(_Open(str(event.get("name") or "?"), at, None if duration is None else at + duration))
    while stack:
        end = stack[-1].end
        if end is None:
            skips.add("a beginning without an end", 1)
        else:
            now = until(end)
        stack.pop()


def _cpu_profile(document: Mapping[str, Any], builder: StackBuilder, skips: SkipCounter) -> None:
    """Add every sample of a CPU profile."""
    nodes = {one["id"]: one for one in objects(document.get("nodes")) if identity(one.get("id")) >= 0}
    parents = {
        child: parent
        for parent, node in nodes.items()
        for child in array(node.get("children"))
        if identity(child) >= 0
    }
    for node in nodes.values():
        if identity(node.get("parent")) >= 0:
            parents[node["id"]] = node["parent"]
    samples, deltas = array(document.get("samples")), array(document.get("timeDeltas"))
    frames_of: dict[int, list[PlacedFrame]] = {}
    thread = Thread("", -1, -1)
    for at, sample in enumerate(samples):
        if identity(sample) < 0 or sample not in nodes:
            skips.add("a sample that names a node which is not there", 1)
            continue
        if sample not in frames_of:
            frames_of[sample] = _placed_frames(_names(sample, nodes, parents))
        following = index(at + 1, len(deltas))
        weight = number(deltas[following]) if following is not None else 0.0
        if weight < 0:
            skips.add("a sample whose time runs backwards", 1)
            continue
        builder.add(frames_of[sample], line=1, weight=weight, thread=thread)


def _names(
    node: int, nodes: Mapping[int, Mapping[str, Any]], parents: Mapping[int, int]
) -> list[tuple[str, str]]:
    """Return names and files from `node` outwards, without `(root)`; a loop ends at the depth limit."""
    names: list[tuple[str, str]] = []
    at: int | None = node
    while at is not None and at in nodes and len(names) < MAX_DEPTH:
        frame = mapping(nodes[at].get("callFrame"))
        name = str(frame.get("functionName") or "(anonymous)")
        if name != "(root)":
            names.append((name, str(frame.get("url") or "").rpartition("/")[2]))
        at = parents.get(at)
    return names
