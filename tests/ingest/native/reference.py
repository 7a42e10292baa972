"""A slow and obvious reader of regular `perf script` text, to hold the fast one to.

It knows one shape: a head `comm pid[/tid] [cpu] time: [period] event:`, one frame a line, a blank line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

HEAD = re.compile(
    r"^(?P<comm>\S.*?)\s+(?:(?P<pid>\d+)/)?(?P<tid>\d+)(?:\s+\[(?P<cpu>\d+)\])?\s+(?P<time>\d+\.\d+):"
    r"\s+(?:(?P<period>\d+)\s+)?(?P<event>[^\s:]+(?::[^\s:]+)*):\s*$"
)
FRAME = re.compile(
    r"^\s+[0-9a-f]+ (?P<name>.*?)(?:\+0x[0-9a-f]+)? \((?P<module>[^()]*(?:\([^()]*\))?[^()]*)\)$"
)


class Sample(NamedTuple):
    """One sample, its stack outermost first."""

    event: str
    comm: str
    pid: int
    tid: int
    cpu: int
    time: float
    period: float | None
    line: int
    stack: tuple[tuple[str, str], ...]


def read(text: str) -> list[Sample]:
    """Return every sample of a regular text; a line of another shape is an error."""
    samples: list[Sample] = []
    head, at, stack = None, 0, []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        if not line:
            if head is not None:
                samples.append(_sample(head, at, stack))
            head, stack = None, []
        elif head is None:
            head, at = HEAD.match(line), number
            assert head is not None, line
        else:
            frame = FRAME.match(line)
            assert frame is not None, line
            stack.append((frame["name"] or "[unknown]", frame["module"]))
    return samples


def _sample(head: re.Match[str], line: int, stack: list[tuple[str, str]]) -> Sample:
    return Sample(
        event=head["event"],
        comm=head["comm"],
        pid=int(head["pid"] or -1),
        tid=int(head["tid"]),
        cpu=int(head["cpu"] or -1),
        time=float(head["time"]),
        period=float(head["period"]) if head["period"] else None,
        line=line,
        stack=tuple(reversed(stack)),
    )
