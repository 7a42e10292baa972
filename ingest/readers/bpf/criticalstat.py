"""criticalstat of bcc: sections with interrupts or preemption off that took longer than a limit.

Example:
    Finding critical section with IRQ disabled for > 100us
    ===================================
    TASK: kworker/u16:5 (pid  5903 tid  5903) Total Time: 194.427  us

    Section start: __schedule -> schedule
    Section end:   _raw_spin_unlock_irq -> finish_task_switch
      trace_hardirqs_on+0xdc
      _raw_spin_unlock_irq+0x18
    ===================================

The longest section has the facts of ftrace's tracers irqsoff and preemptoff, which measure the same.
Source: tools/criticalstat.py in iovisor/bcc.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "criticalstat"
VERSION = 1
PRIORITY = 61
TITLE = "criticalstat (bcc)"
COMMAND = "criticalstat -d 500"
EXAMPLE = (
    "===================================\n"
    "TASK: kworker/u16:5 (pid  5903 tid  5903) Total Time: 194.427  us\n\n"
    "Section start: __schedule -> schedule\n"
    "Section end:   _raw_spin_unlock_irq -> finish_task_switch"
)

_BANNER = re.compile(r"^Finding critical section with (?P<what>IRQ|preempt) disabled for > \d+us\s*$")
_TASK = Pattern(
    r"^TASK: (?P<comm>.{1,32}?) \(pid\s+(?P<pid>\d{1,10}) tid\s+(?P<tid>\d{1,10})\) "
    r"Total Time: (?P<us>\d{1,12}(?:\.\d+)?)\s*us\s*$"
)
_PLACE = Pattern(r"^Section (?P<which>start|end):\s+(?P<place>\S+ -> \S+)\s*$")
_FRAME = re.compile(r"^ {1,8}(?P<name>[A-Za-z_][\w.]{0,200}|\[unknown\])(?:\+0x[0-9a-f]{1,8})?\s*$")
_RULE = re.compile(r"^={35}\s*$")
_NO_STACK = "NO STACK FOUND DUE TO COLLISION"

STARTS = (_BANNER.pattern, r"TASK: .*Total Time: ", _RULE.pattern)


class _Section(NamedTuple):
    """A section as it is printed: times in microseconds."""

    line: int
    comm: str
    pid: float
    tid: float
    us: float


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the banner, the task of a section or the rule above it is at `lines[at]`."""
    if _RULE.match(lines[at]):
        return at + 1 < len(lines) and bool(_TASK.match(lines[at + 1]))
    return bool(_BANNER.match(lines[at]) or _TASK.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in a section."""
    return any(shape.match(line) for shape in (_BANNER, _RULE, _TASK, _PLACE, _FRAME)) or _NO_STACK in line


def read(text: Text) -> Reading:
    """Read every section as a row and a stack; the longest becomes facts."""
    pasted = transcript(text)
    sections: list[_Section] = []
    places: dict[int, dict[str, str]] = {}
    stacks = StackBuilder()
    frames: list[PlacedFrame] = []
    tracer = ""
    for number, line, _ in pasted.lines:
        if frame := _FRAME.match(line):
            kind = "unknown" if frame["name"] == "[unknown]" else "kernel"
            frames.append(PlacedFrame(Frame(frame["name"], "", kind), number))
            continue
        _end_stack(stacks, frames)
        if banner := _BANNER.match(line):
            tracer = "irqsoff" if banner["what"] == "IRQ" else "preemptoff"
        elif task := _TASK.match(line):
            found = _Section(number, task["comm"], float(task["pid"]), float(task["tid"]), float(task["us"]))
            sections.append(found)
        elif (place := _PLACE.match(line)) and sections:
            places.setdefault(len(sections) - 1, {})[place["which"]] = place["place"]
        elif line.strip() and not _RULE.match(line) and _NO_STACK not in line:
            pasted.skips.add("not of a section of criticalstat", number)
    _end_stack(stacks, frames)
    rows = Rows("critical_sections")
    for at, section in enumerate(sections):
        named = places.get(at, {})
        cells: dict[str, Cell] = {
            "comm": section.comm,
            "pid": section.pid,
            "tid": section.tid,
            "duration_us": section.us,
            "started_at": named.get("start"),
            "ended_at": named.get("end"),
        }
        rows.add(section.line, cells)
    profiles: tuple[Profile, ...] = ()
    if len(stacks):
        detail = "stacks at the end of sections: they show presence, not shares"
        pasted.remark("no_weights", detail, sections[0].line if sections else text.first_line)
        profiles = (stacks.build(event="", unit="count", what="bare", has_weights=False),)
    return Reading(
        profiles=profiles,
        facts=tuple(_facts(sections, places, tracer)),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _end_stack(stacks: StackBuilder, frames: list[PlacedFrame]) -> None:
    """Add the frames of the section that ends."""
    if frames:
        stacks.add(list(frames), line=frames[0].line)
        frames.clear()


def _facts(sections: list[_Section], places: dict[int, dict[str, str]], tracer: str) -> Iterator[Fact]:
    """Yield the longest section under the names that the tracers of ftrace have."""
    if not sections:
        return
    at = max(range(len(sections)), key=lambda one: sections[one].us)
    longest = sections[at]
    lines, labels = Lines.at(longest.line), {"tracer": tracer} if tracer else {}
    yield Fact("ftrace.latency.longest_seconds", round(longest.us / 1e6, 9), lines, "seconds", labels)
    yield Fact("ftrace.latency.task", f"{longest.comm}-{longest.pid:.0f}", lines, "", labels)
    for which, name in (("start", "started"), ("end", "ended")):
        if place := places.get(at, {}).get(which):
            function = place.partition(" -> ")[0]
            yield Fact(f"ftrace.latency.{name}_at", function, lines, "", labels)
