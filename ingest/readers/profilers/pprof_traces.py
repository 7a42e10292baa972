"""`pprof -traces`: every stack with its weight, between rules.

Example:
    Type: delay
    -----------+-------------------------------------------------------
       41.20s   sync.(*Mutex).Lock
                 example.com/app/cache.(*Store).Get

Source: google/pprof, internal/report/report.go (printTraces).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.frame_kind import classify
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.shapes import Lines
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

AHEAD = 8
UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "mins": 60.0, "hrs": 3600.0}
WHATS = {"cpu": "cpu", "delay": "offcpu", "contentions": "offcpu"}

_RULE = re.compile(r"^-{5,}\+-{5,}\s*$")
_HEADER = re.compile(r"^(?:File|Type|Time|Duration|Build ID|PeriodType|Period|Comment):? ?(?P<value>.*)$")
_FIRST = Pattern(
    r"^\s+(?P<value>\d+(?:\.\d+)?)(?P<unit>ns|us|µs|ms|s|mins|hrs|[kMGT]?B)?\s{2,}(?P<name>\S.*?)\s*$"
)
_NEXT = re.compile(r"^\s{8,}(?P<name>[^\s\d-]\S*(?: \(inline\))?)\s*$")
_LABEL = re.compile(r"^\s+\S+:\s+\S+.*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces(Lines):
    """Stacks between rules."""

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the first rule, with a stack below, is at `lines[at]` or a few headers further."""
        ahead = list(lines[at : at + AHEAD])
        while ahead and not _RULE.match(ahead[0]):
            if not _HEADER.match(ahead[0]):
                return False
            ahead.pop(0)
        return any(_FIRST.match(line) for line in ahead[1:3])

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur among stacks."""
        shapes = (_RULE, _HEADER, _FIRST, _NEXT, _LABEL)
        return not line.strip() or any(one.match(line) for one in shapes)


def read(text: Text) -> Reading:
    """Read every stack as one sample with its weight; times in seconds."""
    pasted = transcript(text)
    builder = StackBuilder()
    frames: list[PlacedFrame] = []
    weight, kind, is_timed = 0.0, "", False

    def close() -> None:
        if frames:
            builder.add(list(frames), line=frames[0].line, weight=weight)
            frames.clear()

    for number, line, _ in pasted.lines:
        if _RULE.match(line):
            close()
        elif found := _FIRST.match(line):
            close()
            unit = found["unit"] or ""
            is_timed = is_timed or unit in UNITS
            weight = float(found["value"] or 0) * UNITS.get(unit, 1.0)
            frames.append(_frame(found["name"] or "", number))
        elif frames and (below := _NEXT.match(line)):
            frames.append(_frame(below["name"], number))
        elif header := _HEADER.match(line):
            kind = header["value"] if line.startswith("Type:") else kind
        elif line.strip() and not _LABEL.match(line):
            pasted.skips.add("not a frame", number)
    close()
    if not len(builder):
        return Reading(skipped=pasted.skips.result(), quality=tuple(pasted.quality))
    what, unit = WHATS.get(kind, "event"), "s" if is_timed else "count"
    profile = builder.build(event=kind, unit=unit, what=what, has_weights=True)
    return Reading(profiles=(profile,), skipped=pasted.skips.result(), quality=tuple(pasted.quality))


def _frame(name: str, line: int) -> PlacedFrame:
    plain = name.removesuffix(" (inline)")
    return PlacedFrame(Frame(plain, "", classify(plain, "")), line)


FORMAT = Traces(
    name="pprof-traces",
    version=1,
    title="pprof -traces",
    command="go tool pprof -traces http://ADDRESS/debug/pprof/mutex",
    example="Type: cpu\n-----------+-----------------\n      1.20s   main.parse\n             main.main",
    first=Pattern(
        r"^(?:-{5,}\+-{5,}\s*|(?:File|Type|Time|Duration|Build ID|PeriodType|Period|Comment):(?: .*)?)$"
    ),
    read=read,
)
