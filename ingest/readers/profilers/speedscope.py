"""A speedscope file, in which many profilers export: PerfView, py-spy, rbspy, samply, speedscope itself.

Example:
    {"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [{"name": "a"}]},
     "profiles": [{"type": "sampled", "name": "main", "unit": "none", "samples": [[0]], "weights": [2]}]}

An `evented` profile records when frames open and close: the time between two events weighs on what is open.
Every profile of the file is one profile here; a file that this program wrote also holds single
threads, which are parts of its first profile and are left out.
Source: https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading, SkipCounter
from ingest.native.frame_kind import classify
from ingest.parsing.documents import MAX_DEPTH, array, index, json_object, mapping, number, objects
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.shapes import Document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.profile import Profile

SCHEMA = b"speedscope.app/file-format-schema.json"
HEAD_BYTES = 4096
UNITS = {
    "nanoseconds": "ns",
    "microseconds": "us",
    "milliseconds": "ms",
    "seconds": "s",
    "bytes": "bytes",
    "none": "samples",
}
EVERYONE = "All threads"
FEW_SAMPLES = 200


def _claims(head: bytes) -> bool:
    """Return whether a speedscope file begins with `head`: its schema, or profiles of its two kinds."""
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    if SCHEMA in head:
        return True
    return b'"shared"' in head and b'"frames"' in head and (b'"evented"' in head or b'"sampled"' in head)


def _read_document(content: bytes) -> Reading:
    """Read every profile.

    Raises:
        MalformedInputError: Not whole, without frames, or with events out of order.
    """
    document = json_object(content, "speedscope file")
    frames = [_frame(one) for one in objects(mapping(document.get("shared")).get("frames"))]
    if not frames:
        raise MalformedInputError("this speedscope file has no shared frames")
    skips = SkipCounter()
    profiles = []
    is_ours = document.get("exporter") == "casebook"
    for document_of in objects(document.get("profiles")):
        name = str(document_of.get("name") or "")
        if is_ours and not name.startswith(EVERYONE):
            skips.add("one thread of a profile that is read whole", 1)
            continue
        profile = _profile(document_of, name, frames, skips)
        if profile is not None:
            profiles.append(profile)
    if not profiles:
        raise MalformedInputError("this speedscope file has no samples")
    samples = sum(profile.samples for profile in profiles)
    few = Quality("few_samples", f"{samples:,.0f} samples: shares are coarse", 1)
    return Reading(
        profiles=tuple(profiles),
        skipped=skips.result(),
        quality=(few,) if samples < FEW_SAMPLES else (),
    )


def _frame(row: Mapping[str, Any]) -> Frame:
    name, module = str(row.get("name") or "[unknown]"), str(row.get("file") or "")
    return Frame(name, module, classify(name, module))


def _profile(
    raw: Mapping[str, Any], name: str, frames: Sequence[Frame], skips: SkipCounter
) -> Profile | None:
    """Return one profile, None when nothing was sampled."""
    builder = StackBuilder()
    thread = Thread("" if name.startswith(EVERYONE) else name, -1, -1)
    if raw.get("type") == "evented":
        _evented(raw, frames, builder, thread, name)
    elif raw.get("type") == "sampled":
        _sampled(raw, frames, builder, thread, skips)
    else:
        skips.add(f"a profile of the unknown type {raw.get('type')!r}", 1)
    if not len(builder):
        return None
    unit = UNITS.get(str(raw.get("unit")), "count")
    profile = builder.build(event="", unit=unit, what="cpu", has_weights=True)
    return replace(profile, is_ordered=True)


def _sampled(
    raw: Mapping[str, Any],
    frames: Sequence[Frame],
    builder: StackBuilder,
    thread: Thread,
    skips: SkipCounter,
) -> None:
    weights = array(raw.get("weights"))
    for at, stack in enumerate(array(raw.get("samples"))):
        found = [frames[place] for one in array(stack) if (place := index(one, len(frames))) is not None]
        if len(found) != len(array(stack)):
            skips.add("a sample that names a frame which is not there", 1)
        weight = number(weights[at], 1.0) if at < len(weights) else 1.0
        if weight < 0:
            skips.add("a sample with a negative weight", 1)
            continue
        builder.add(_innermost_first(found), line=1, weight=weight, thread=thread)


def _innermost_first(root_first: Sequence[Frame]) -> list[PlacedFrame]:
    return [PlacedFrame(frame, 1) for frame in root_first[: -MAX_DEPTH - 1 : -1]]


def _evented(
    raw: Mapping[str, Any], frames: Sequence[Frame], builder: StackBuilder, thread: Thread, name: str
) -> None:
    """Turn opening and closing into weights.

    Raises:
        MalformedInputError: A frame closes that is not the innermost, or time runs backwards.
    """
    stack: list[int] = []
    before = number(raw.get("startValue"))
    for event in objects(raw.get("events")):
        at, place = number(event.get("at")), index(event.get("frame"), len(frames))
        if place is None or event.get("type") not in {"O", "C"}:
            raise MalformedInputError(
                f"the profile {name!r} has an event that is neither opening nor closing"
            )
        if at < before:
            raise MalformedInputError(
                f"the profile {name!r} has events out of order: {at:g} after {before:g}"
            )
        if stack and at > before:
            builder.add(
                _innermost_first([frames[one] for one in stack]), line=1, weight=at - before, thread=thread
            )
        before = at
        if event["type"] == "O":
            stack.append(place)
        elif stack and stack[-1] == place:
            stack.pop()
        else:
            raise MalformedInputError(
                f"the profile {name!r} closes {frames[place].name!r}, which is not innermost"
            )


FORMAT = Document(
    name="speedscope",
    title="speedscope file",
    example='{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames":'
    ' [{"name": "a"}]}, '
    '"profiles": [{"type": "sampled", "name": "main", "unit": "none", "startValue": 0, "endValue": 2, '
    '"samples": [[0]], "weights": [2]}]}',
    head=r"(?:\xef\xbb\xbf)?\s*\{",
    claims=_claims,
    read_document=_read_document,
)
