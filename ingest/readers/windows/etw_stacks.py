"""Stacks of Windows' own tracing, as `xperf -i trace.etl -symbols -a dumper` writes them, one event a line.

Example:
    SampledProfile,      36765,  svchost.exe (1100),  1668, 0x81c3617b, 0, sechost.dll!ScSvcctrlThreadW, halmacpi.dll!f, 1, Unbatched
             Stack,      36765,       1668,   1, 0x81c3617b,     halmacpi.dll!HalpDispatchSoftwareInterrupt
             Stack,      36765,       1668,   2, 0x81ceec6f,     ntoskrnl.exe!KiSwapThread

A stack belongs to the sample of the same microsecond and thread, and may follow much later; stacks of other events
(context switches, waits) are counted. Innermost frame first.
Source: the columns are those of the dumper's own header; github.com/google/UIforETW, xperf_to_collapsedstacks.py.
"""  # noqa: E501 - the sample is a line as it is printed

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import Frame, Profile, Thread
from ingest.model.reading import Quality, Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.profile_quality import course
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "etw-stacks"
VERSION = 1
TITLE = "Windows trace stacks (xperf)"
COMMAND = "cat ./dumper.csv"
EXAMPLE = (
    "SampledProfile,      36765,     svchost.exe (1100),       1668, 0x81c3617b,   0,"
    "      sechost.dll!ScSvcctrlThreadW,     ntoskrnl.exe!KiSwapThread,     1, Unbatched\n"
    "         Stack,      36765,       1668,   1, 0x81c3617b,     ntoskrnl.exe!KiSwapThread"
)
FEW_SAMPLES = 200

_SAMPLE = Pattern(
    r"^\s*SampledProfile,\s*(?P<at>\d{1,18}),\s*(?P<comm>[^,]*?)\s*\(\s*(?P<pid>-?\d{1,10})\),\s*(?P<tid>\d{1,10}),"
    r"\s*0x[0-9a-fA-F]+,\s*(?P<cpu>\d{1,5}),\s*(?P<rest>.*)$"
)
_STACK = Pattern(
    r"^\s*Stack,\s*(?P<at>\d{1,18}),\s*(?P<tid>\d{1,10}),\s*\d+,\s*0x[0-9a-fA-F]+,\s*(?P<frame>\S.*?)\s*$"
)
_TAIL = re.compile(r",\s*(?P<count>\d{1,9}),\s*\w+\s*$")
_HEAD = re.compile(r"^\s*[A-Z][\w/ -]*,\s+TimeStamp,")
_EVENT = re.compile(r"^\s*[A-Z][\w/ -]*,\s*\d+,")
_FENCE = re.compile(r"^(?:BeginHeader|EndHeader|OS Version: .*)\s*$")
_KERNEL = re.compile(r"^(?:nt(?:oskrnl|krnl\w*)\.exe|hal\w*\.dll|win32k\w*\.sys)$", re.IGNORECASE)


class _Sample(NamedTuple):
    """One sample, and its callers after its stack is read."""

    line: int
    thread: Thread
    at: float
    cpu: int
    weight: float
    frames: list[PlacedFrame]


STARTS = (r"\s*(?:BeginHeader|SampledProfile,|Stack,)",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a dump starts at `lines[at]`: its header, a sample or a stack."""
    line = lines[at]
    if line.strip() == "BeginHeader":
        return any(_HEAD.match(below) for below in lines[at + 1 : at + 4])
    return bool(_SAMPLE.match(line) or _STACK.match(line))


def continues(line: str) -> bool:
    """Return whether `line` is an event or part of the header."""
    return bool(_EVENT.match(line) or _HEAD.match(line) or _FENCE.match(line))


def _frame(printed: str) -> Frame:
    """Read `image!function`; the function is an address where there were no symbols."""
    image, separator, name = printed.partition("!")
    if not separator:
        return Frame(printed, "", "unknown")
    if _KERNEL.match(image):
        return Frame(name, image, "kernel")
    return Frame(name, image, "module" if image.lower().endswith(".sys") else "user")


def _sample(found: re.Match[str], line: int) -> _Sample:
    """Read a sample; its own function precedes the count, and may hold commas."""
    tail = _TAIL.search(found["rest"])
    named = found["rest"][: tail.start()] if tail else found["rest"]
    own = named.rsplit(",  ", 1)[-1].strip()
    thread = Thread(found["comm"], int(found["pid"]), int(found["tid"]))
    frames = [PlacedFrame(_frame(own), line)] if own else []
    return _Sample(
        line, thread, int(found["at"]) / 1e6, int(found["cpu"]), float(tail["count"]) if tail else 1.0, frames
    )


def read(text: Text) -> Reading:
    """Read the samples with their stacks, in the order of their time."""
    pasted = transcript(text)
    samples: list[_Sample] = []
    waiting: dict[tuple[str, str], _Sample] = {}
    with_stack: set[int] = set()
    for number, line, _ in pasted.lines:
        if found := _SAMPLE.match(line):
            if found["pid"] == "0":
                pasted.skips.add("a sample of an idle CPU", number)
                continue
            samples.append(_sample(found, number))
            waiting[found["at"], found["tid"]] = samples[-1]
        elif found := _STACK.match(line):
            owner = waiting.get((found["at"], found["tid"]))
            if owner is None:
                pasted.skips.add("a frame of another event's stack", number)
                continue
            if owner.line not in with_stack:
                with_stack.add(owner.line)
                owner.frames.clear()
            owner.frames.append(PlacedFrame(_frame(found["frame"]), number))
        elif _EVENT.match(line):
            pasted.skips.add("another event", number)
        elif line.strip() and not _HEAD.match(line) and not _FENCE.match(line):
            pasted.skips.add("not an event of the dumper", number)
    quality = tuple(pasted.quality)
    if not samples:
        return Reading(skipped=pasted.skips.result(), quality=quality)
    profile = _profile(sorted(samples, key=lambda sample: sample.at))
    if profile.samples < FEW_SAMPLES:
        detail = f"{profile.samples:,.0f} samples: shares are coarse"
        quality += (Quality("few_samples", detail, samples[0].line),)
    return Reading(profiles=(profile,), skipped=pasted.skips.result(), quality=(*quality, *course(profile)))


def _profile(samples: Sequence[_Sample]) -> Profile:
    builder = StackBuilder()
    for sample in samples:
        builder.add(
            sample.frames, line=sample.line, weight=sample.weight, count=sample.weight, thread=sample.thread
        )
    built = builder.build(event="SampledProfile", unit="samples", what="cpu", has_weights=True)
    return replace(
        built,
        sample_time=np.array([sample.at for sample in samples], dtype=np.float64),
        sample_cpu=np.array([sample.cpu for sample in samples], dtype=np.int32),
        is_ordered=True,
    )
