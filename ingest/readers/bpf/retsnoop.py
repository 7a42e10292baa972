"""retsnoop: kernel functions that returned an error, with the calls that led to it.

Example:
    20:19:36.372607 -> 20:19:36.372682 TID/PID 8346/8346 (simfail/simfail):

                        entry_SYSCALL_64_after_hwframe+0x63  (arch/x86/entry/entry_64.S:120:0)
                        do_syscall_64+0x35                   (arch/x86/entry/common.c:80:7)
                        . do_syscall_x64                     (arch/x86/entry/common.c:50:12)
        73us [-ENOMEM]  __x64_sys_bpf+0x1a                   (kernel/bpf/syscall.c:5067:1)
    !   50us [-ENOMEM]  array_map_alloc
    !*   2us [NULL]     bpf_map_alloc_percpu

Outermost first; `.` marks an inlined function, `!` one whose stack ended there, `*` one of which the stack is
put together from two. The last function that returned is where the error came from. Function call traces (-T)
and branch records (--lbr) are counted as skipped.
Source: src/logic.c of retsnoop.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.profile import Profile
    from ingest.model.section import Text

NAME = "retsnoop"
VERSION = 1
PRIORITY = 58
TITLE = "retsnoop"
COMMAND = "sudo retsnoop -e '*sys_bpf' -a ':kernel/bpf/*.c'"
EXAMPLE = (
    "20:19:36.372607 -> 20:19:36.372682 TID/PID 8346/8346 (simfail/simfail):\n\n"
    "                    do_syscall_64+0x35                   (arch/x86/entry/common.c:80:7)\n"
    "    73us [-ENOMEM]  __x64_sys_bpf+0x1a                   (kernel/bpf/syscall.c:5067:1)\n"
    "!   50us [-ENOMEM]  array_map_alloc"
)

_HEAD = Pattern(
    r"^\s*[0-9:.]{15} -> [0-9:.]{15} TID/PID "
    r"(?P<tid>[0-9]{1,10})/(?P<pid>[0-9]{1,10}) \((?P<comm>.+)/(?P<process>.+)\):\s*$"
)
_FRAME = Pattern(
    r"^(?P<mark>[!*]{0,2})\s+(?:(?P<us>[0-9]{1,12})us\s+\[(?P<result>[^\]\s]+)\]\s+)?(?P<inlined>\. )?"
    r"(?P<name>[A-Za-z_][A-Za-z0-9_.]*)(?:\+0x[0-9a-f]+)?(?: \[(?P<module>[A-Za-z0-9_]+)\])?"
    r"(?:\s+\((?P<source>[A-Za-z0-9_.@/ +-]+:[0-9]+(?::[0-9]+)?)\))?\s*$"
)
_CALLS = re.compile(
    r"^\s*(?:FUNCTION CALL(?: TRACE|S)\s+RESULT|-{8,}(?:\s+-{3,}){2,3}\s*$|"
    r"[→←↔◎] |\[#\d+\] |› |\.[a-z_0-9]+ = |\[\.\.\.\]\s*$|…)"
)
_MESSAGE = re.compile(
    r"^\s*(?:Receiving data\.\.\.|Detaching\.\.\.|DONE in \d+ ms|Successfully attached in \d+ ms)"
)

STARTS = (r"\s*\d\d:\d\d:\d\d\.\d{6} -> ", r"\s*Receiving data\.\.\.\s*$")


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a call is at `lines[at]`, or the message above the first."""
    if _MESSAGE.match(lines[at]):
        return any(_HEAD.match(line) for line in lines[at + 1 : at + 4])
    return bool(_HEAD.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` can occur between calls."""
    return any(shape.match(line) for shape in (_HEAD, _FRAME, _CALLS, _MESSAGE))


class _Call:
    """One recorded call: its head, its frames outermost first, and the last result."""

    def __init__(self, number: int, head: re.Match[str]) -> None:
        self.number = number
        self.head = head
        self.frames: list[PlacedFrame] = []
        self.function = ""
        self.result = ""
        self.error = ""
        self.us = 0.0
        self.last = number


def read(text: Text) -> Reading:
    """Read each call as a row and a stack; errors are counted by the innermost function that returned."""
    pasted = transcript(text)
    calls: list[_Call] = []
    for number, line, _ in pasted.lines:
        if head := _HEAD.match(line):
            calls.append(_Call(number, head))
        elif _CALLS.match(line):
            pasted.skips.add("of a function call trace or of branch records", number)
        elif calls and (frame := _FRAME.match(line)):
            _add(calls[-1], frame, number)
        elif _MESSAGE.match(line):
            pasted.skips.add("a message of the tool", number)
        elif line.strip():
            pasted.skips.add("not of a call that retsnoop recorded", number)
    rows = Rows("trace:retsnoop")
    stacks = StackBuilder()
    failures: Counter[tuple[str, str]] = Counter()
    lines: dict[tuple[str, str], Lines] = {}
    for call in calls:
        cells = {"comm": call.head["comm"], "pid": float(call.head["pid"]), "function": call.function or None}
        rows.add(call.number, {**cells, "result": call.error or call.result or None, "duration_us": call.us})
        if call.frames:
            stacks.add(call.frames[::-1], line=call.frames[0].line)
        if call.error:
            key = (call.function, call.error)
            failures[key] += 1
            first = lines.get(key, Lines.at(call.number)).first
            lines[key] = Lines(first, call.last)
    profiles: tuple[Profile, ...] = ()
    if len(stacks):
        pasted.remark(
            "no_weights", "calls that retsnoop recorded: they show presence, not shares", calls[0].number
        )
        profiles = (stacks.build(event="", unit="count", what="bare", has_weights=False),)
    return Reading(
        profiles=profiles,
        facts=tuple(
            Fact(
                "trace.failed_calls", float(count), lines[key], "count", {"function": key[0], "error": key[1]}
            )
            for key, count in failures.items()
        ),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _add(call: _Call, frame: re.Match[str], number: int) -> None:
    """Add a frame; the innermost that returned names the call, the last error is the one it failed with."""
    module = frame["module"]
    named = Frame(frame["name"], f"[{module}]", "module") if module else Frame(frame["name"], "", "kernel")
    call.frames.append(PlacedFrame(named, number))
    call.last = number
    if frame["result"] is None:
        return
    call.function, call.result = frame["name"], frame["result"]
    if frame["result"].startswith("-E"):
        call.error = frame["result"].removeprefix("-")
    if not call.us:
        call.us = float(frame["us"])
