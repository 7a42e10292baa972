"""The text of `perf script`: one head per sample, then its stack, innermost frame first.

Examples:
    arrow-read-23 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:
            ffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])
                    891f5 start_thread+0x305 (/usr/lib/x86_64-linux-gnu/libc.so.6)

    java 19983 cycles:
    ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])

           false 39654 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])

One profile per event. Every head is one sample, with or without a stack; what is no sample is counted.

Sources: tools/perf/builtin-script.c, tools/perf/util/evsel_fprintf.c; the header is perf_header__fprintf_info
in tools/perf/util/header.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Quality, Reading
from ingest.native import PerfScriptText
from ingest.native.foreign_lines import foreign_to_perf_script
from ingest.parsing.profile_quality import course

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.section import Text
    from ingest.native.parsers import Comment, EventSamples, PerfScriptParts

NAME = "perf-script"
VERSION = 3
PRIORITY = 10
TITLE = "perf script"
COMMAND = "perf script -i perf.data"
EXAMPLE = (
    "arrow-read-23 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:\n"
    "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])"
)

FEW_SAMPLES = 200
UNKNOWN_SHARE = 0.2
DEEP_SHARE = 0.01
_BATCH_LINES = 65_536

_HEAD = re.compile(
    r"""(?x) ^ [ \t]*+ (?:\S.{0,60}?[ \t]++)??                     # comm, if the rest does not fit alone
        (?: (?:-1|\d{1,10})(?:/(?:-1|\d{1,10}))? (?P<cpu> [ \t]+\[\d{1,5}\])?
            (?: [ \t]+[\w.]{1,6})? (?P<time> [ \t]+\d+\.\d{3,9}:)
          | (?:-1|\d{1,10})(?:/(?:-1|\d{1,10}))? (?:[ \t]+\[\d{1,5}\])?
            (?=[ \t]+(?:\d+[ \t]+)?[A-Za-z_]\S*:(?:[ \t]|$))
        )
        (?P<rest> .*) $"""
)
_EVENT = re.compile(r"^[ \t]*(?:\d+[ \t]+)?(?P<event>[A-Za-z_{][^\s]*):(?P<tail>(?:[ \t].*)?)$")
_RECORD = re.compile(r"(?:^|[ \t])PERF_RECORD_[A-Z_0-9]+")
_FRAME = re.compile(r"^[ \t]*[0-9a-f]{1,16}(?:[ \t]+(?P<symbol>\S.*))?$")
_INDENTED_FRAME = re.compile(r"^[ \t]+[0-9a-f]{1,16}(?:[ \t]+\S.*)?$")
_INLINE = re.compile(r"(?:^|[ \t])[0-9a-f]{1,16}[ \t]+[^\s|=]\S*")
_WHOLE_INLINE = re.compile(r"^[ \t]*[0-9a-f]{6,16}[ \t]+\S+(?:[ \t]+\(.*\))?[ \t]*$")
_BARE_ROW = re.compile(r"^[ \t]*\S.{0,15}?(?P<column>[ ]{2,}[0-9a-f]{5,16})[ ]\S")
_COLUMN_WIDTH = 18
_FENCE = re.compile(r"^# ={8}\s*$")
_CAPTURED = re.compile(r"^# captured on *:")
# `freq = 1` says that the number is a frequency, not a period.
_FREQUENCY = re.compile(r"\{ sample_period, sample_freq \} = (\d{1,9}),.* freq = 1(?:,|$)")
_LOOK_AHEAD = 400


_LOOSE_HEAD = r"[ \t]*(?:\S.*[ \t])?(?:-1|\d+)(?:/(?:-1|\d+))?(?:[ \t]+\[\d+\])?"
STARTS = (
    r"# (?:={8}|captured on)",
    rf"{_LOOSE_HEAD}(?:[ \t]+[\w.]+)?[ \t]+\d+\.\d{{3,9}}:",
    rf"{_LOOSE_HEAD}[ \t]+(?:\d+[ \t]+)?[A-Za-z_]\S*:(?:[ \t]|$)",
    r"[ \t]*\S.* {2,}[0-9a-f]{5,16} \S",
)


CONTINUES = (_INDENTED_FRAME.pattern,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a `perf script` text starts at `lines[at]`: header, head and stack, or record."""
    line = lines[at]
    if line.startswith("#"):
        is_header = _FENCE.match(line) or _CAPTURED.match(line)
        return bool(is_header) and _heads_a_script(lines, at)
    return _is_sample(lines, at)


def _heads_a_script(lines: Sequence[str], at: int) -> bool:
    """Return whether the first lines behind perf's header are samples; `perf report` has the same header."""
    for index in range(at, min(at + _LOOK_AHEAD, len(lines))):
        line = lines[index]
        if line.strip() and not line.startswith("#"):
            return _is_sample(lines, index)
    return False


def _is_sample(lines: Sequence[str], at: int) -> bool:
    """Return whether `lines[at]` heads a sample; without a time its stack must follow at once."""
    line = lines[at]
    head = _HEAD.match(line)
    if not head:
        return all(_is_row(other) for other in lines[at : at + 3]) and len(lines) > at + 2
    rest = head["rest"]
    if head["time"] and _RECORD.search(rest):
        return True
    following = next((other for other in lines[at + 1 : at + 4] if other.strip()), "")
    has_stack = bool(_FRAME.match(following)) and not _HEAD.match(following)
    if head["time"] is None:
        return _is_timeless(rest) and (has_stack or bool(_WHOLE_INLINE.match(_tail(rest))))
    if has_stack or _INLINE.search(_tail(rest)):
        return True
    return bool(_EVENT.match(rest)) and (head["cpu"] is not None or _is_timed_head(following))


def _tail(rest: str) -> str:
    """Return the text after the event, all of it if no event is named."""
    event = _EVENT.match(rest)
    return event["tail"] if event else rest


def _is_timeless(rest: str) -> bool:
    """Return whether a head without time may go on so: an event, and nothing or one frame behind it."""
    event = _EVENT.match(rest)
    if not event or event["event"].count("(") != event["event"].count(")"):
        return False
    return not event["tail"].strip() or bool(_WHOLE_INLINE.match(event["tail"]))


def _is_timed_head(line: str) -> bool:
    head = _HEAD.match(line)
    return bool(head and head["time"] is not None and _EVENT.match(head["rest"]))


def _is_row(line: str) -> bool:
    """Return whether a line has perf's columns comm, address and symbol: `-F comm,ip,sym` without stacks."""
    row = _BARE_ROW.match(line)
    return bool(row and len(row["column"]) == _COLUMN_WIDTH)


def continues(line: str) -> bool:
    """Return whether `line` can occur inside: a frame, a head, a record, a comment."""
    if _INDENTED_FRAME.match(line) or line.startswith("#"):
        return True
    head = _HEAD.match(line)
    if head and (head["time"] is not None or _is_timeless(head["rest"])):
        return True
    return bool(_FRAME.match(line) and line.endswith(")")) or bool(_RECORD.search(line)) or _is_row(line)


def read(text: Text) -> Reading:
    """Read one section."""
    section = stream(text.first_line)
    for start in range(0, len(text.lines), _BATCH_LINES):
        batch = "\n".join(text.lines[start : start + _BATCH_LINES])
        section.feed(batch.encode("utf-8", "replace"))
        section.feed(b"\n")
    return section.finish()


class Stream:
    """A section that is read piece by piece."""

    def __init__(self, first_line: int) -> None:
        """Begin at line `first_line`."""
        self._parser = PerfScriptText(first_line=first_line)

    def feed(self, text: bytes) -> None:
        """Read more text."""
        self._parser.feed(text)

    def finish(self) -> Reading:
        """Return everything read."""
        return _reading(self._parser.finish())


def stream(first_line: int) -> Stream:
    """Begin a section at line `first_line`."""
    return Stream(first_line)


foreign = foreign_to_perf_script


def _reading(parts: PerfScriptParts) -> Reading:
    return Reading(
        profiles=parts.profiles,
        facts=tuple(_facts(parts.comments)),
        skipped=parts.skipped,
        quality=tuple(_quality(parts)),
    )


def _facts(comments: Iterable[Comment]) -> Iterator[Fact]:
    """Yield host, kernel and recording facts from perf's file header."""
    texts = {
        "hostname": "host.name",
        "os release": "kernel.release",
        "cpudesc": "cpu.model",
        "cmdline": "perf.cmdline",
    }
    counts = {"nrcpus online": "cpu.online", "nrcpus avail": "cpu.possible"}
    for key, value, line in comments:
        if key in texts and value:
            yield Fact(texts[key], value, Lines.at(line))
        elif key in counts and value.isdecimal():
            yield Fact(counts[key], float(value), Lines.at(line), unit="count")
        elif key == "event" and (named := re.match(r"name = ([^,]+)", value)):
            yield Fact("perf.event", named[1].strip(), Lines.at(line))
            if frequency := _FREQUENCY.search(value):
                yield Fact("perf.samples_per_second", float(frequency[1]), Lines.at(line), unit="per_second")


def _quality(parts: PerfScriptParts) -> Iterator[Quality]:
    if parts.lost:
        yield Quality("lost_events", f"perf lost {parts.lost:,.0f} events while recording", parts.lost_line)
    if parts.cut_line:
        yield Quality("cut_off", "the text ends in the middle of a sample", parts.cut_line)
    for event in parts.events:
        if len(event.profile.sample_line) and not event.profile.frames:
            detail = f"no sample of {event.profile.event or 'the event'} has a stack"
            yield Quality("unknown_frames", detail, int(event.profile.sample_line[0]))
        elif event.profile.what == "cpu":
            yield from _quality_of(event)


def _quality_of(event: EventSamples) -> Iterator[Quality]:
    """Yield what weakens a profile of CPU time."""
    profile = event.profile
    total = len(profile.sample_node)
    name = profile.event or "the event"
    first_line = int(profile.sample_line[0])
    if "cpu-clock" in profile.event or "task-clock" in profile.event:
        detail = f"{name} is a timer: time with interrupts off is charged to where they come on again"
        yield Quality("skid", detail, first_line)
    if total < FEW_SAMPLES:
        yield Quality("few_samples", f"{total} samples of {name}: shares are coarse", first_line)
    unknown = _unknown_leaves(profile)
    if total and unknown > UNKNOWN_SHARE * total:
        detail = f"{unknown / total:.0%} of the samples of {name} end in a function without a name"
        yield Quality("unknown_frames", detail, first_line)
    if total >= FEW_SAMPLES and not any(frame.kind in {"kernel", "module"} for frame in profile.frames):
        detail = f"no kernel frame in {total:,} samples of {name}: recorded in user mode only"
        yield Quality("user_only", detail, first_line)
    if event.deep_samples > DEEP_SHARE * total:
        detail = f"{event.deep_samples:,} stacks of {name} are cut at 127 frames: their callers are missing"
        yield Quality("truncated_stacks", detail, first_line)
    yield from course(profile)


def _unknown_leaves(profile: Profile) -> int:
    """Count the samples whose innermost frame has no name."""
    if not profile.frames:
        return 0
    is_unknown = np.array([frame.name == "[unknown]" for frame in profile.frames])
    nodes = profile.sample_node[profile.sample_node >= 0]
    return int(is_unknown[profile.node_frame[nodes]].sum())
