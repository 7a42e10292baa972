"""Which file a traced system call reads.

After `openat(AT_FDCWD, "/proc/3311/cmdline", O_RDONLY) = 6` the call `read(6, ` reads /proc/3311/cmdline;
`strace -y` prints the path itself: `read(6</proc/3311/cmdline>, `.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from ingest.model.citation import Lines
from ingest.model.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONG_SECONDS = 1.0
"""Seconds after which a call that had not returned counts, wherever the text ends."""

LINES_AFTER = 2
"""Lines of other threads, which go on although the call ends them first."""

_ENDS_THREADS = frozenset(("execve", "execveat", "exit_group"))

_OPENS = frozenset(("open", "openat", "openat2"))
_READS = frozenset(("read", "pread64", "readv", "preadv", "preadv2", "getdents64"))
_QUOTED = re.compile(r'"(?P<path>/[^"]{0,500})"')
_AWAITED = re.compile(r"^\s*\[?\{fd=(?P<number>\d{1,9})(?:<(?P<path>/[^>]{0,500})>)?")
_NUMBER = re.compile(r"^\s*(?P<number>\d{1,9})(?:<(?P<path>/[^>]{0,500})>)?")
_RESULT = re.compile(r"^(?P<number>\d{1,9})(?:<(?P<path>/[^>]{0,500})>)?(?:\s|$)")
_OF_PROCESS = re.compile(r"^/proc/(?P<pid>\d{1,10})(?:/task/\d{1,10})?/(?P<file>\w+)$")


class OpenFiles:
    """The files that the traced tasks have open: one table, as threads share it."""

    def __init__(self) -> None:
        """Start with no file open."""
        self._paths: dict[str, str] = {}

    def take(self, call: str, args: str, result: str | None) -> None:
        """Follow one call that returned."""
        if call in _OPENS and result and (number := _RESULT.match(result)):
            path = _QUOTED.search(args)
            self._paths[number["number"]] = number["path"] or (path["path"] if path else "")
        elif call == "close" and (number := _NUMBER.match(args)):
            self._paths.pop(number["number"], None)

    def read_by(self, call: str, args: str) -> str:
        """Return the path that a call opens or reads, "" when it is not known or it does something else."""
        if call in _OPENS:
            path = _QUOTED.search(args)
            return path["path"] if path else ""
        number = _NUMBER.match(args) if call in _READS else None
        return (number["path"] or self._paths.get(number["number"], "")) if number else ""

    def awaited(self, args: str) -> str:
        """Return the path of the file that a call is about: the first of `poll`, else its first argument."""
        number = _AWAITED.match(args) or _NUMBER.match(args)
        return (number["path"] or self._paths.get(number["number"], "")) if number else ""


class Call(Protocol):
    """One traced call."""

    @property
    def time(self) -> float | None:
        """Seconds of its stamp, on the clock of the trace."""

    @property
    def pid(self) -> float:
        """The task, or a number below 0."""

    @property
    def call(self) -> str:
        """Name of the system call."""

    @property
    def args(self) -> str:
        """The arguments as printed."""

    @property
    def result(self) -> str | None:
        """What it returned, with a path if that is printed."""

    @property
    def is_unfinished(self) -> bool:
        """Whether it had not returned."""


def unfinished_reads(calls: Sequence[tuple[Call, int]]) -> Iterator[Fact]:
    """Yield the reads of files of `/proc/PID` that are the last call of a task and had not returned.

    A call in the middle without a result is a line that was cut.
    """
    files = OpenFiles()
    last = {call.pid: line for call, line in calls}
    for call, line in calls:
        if not call.is_unfinished:
            files.take(call.call, call.args, call.result)
        elif last[call.pid] == line and (found := _OF_PROCESS.match(files.read_by(call.call, call.args))):
            labels = {"path": found[0], "pid": found["pid"], "file": found["file"]}
            yield Fact("strace.unfinished_read", 1.0, Lines.at(line), "count", labels)


def _is_entry(args: str) -> bool:
    """Return whether a line ends where strace waits for what the kernel fills in: `read(6, `."""
    return not args.strip() or args.rstrip().endswith(",")


def unfinished_calls(calls: Sequence[tuple[Call, int]], *, is_stopped: bool) -> Iterator[Fact]:
    """Yield the last call of each task that had not returned, with the seconds since; 0 where no stamp says.

    Args:
        calls: Calls with their lines, in their order.
        is_stopped: Somebody stopped the trace; else the text may only be cut. A call with the result `?`
            ended with its process.
    """
    files = OpenFiles()
    last = {call.pid: line for call, line in calls}
    last_line = max((line for _, line in calls), default=0)
    end = max((call.time for call, _ in calls if call.time is not None), default=None)
    for call, line in calls:
        if not call.is_unfinished:
            files.take(call.call, call.args, call.result)
        elif last[call.pid] == line and call.result is None:
            seconds = end - call.time if end is not None and call.time is not None else 0.0
            is_passed = call.call in _ENDS_THREADS and last_line - line >= LINES_AFTER
            if not (is_stopped or _is_entry(call.args) or seconds >= LONG_SECONDS or is_passed):
                continue
            labels = {"call": call.call, "end": "stopped" if is_stopped else "cut"}
            if path := files.read_by(call.call, call.args):
                labels["path"] = path
            if call.pid >= 0:
                labels["pid"] = f"{call.pid:.0f}"
            yield Fact("strace.unfinished_call", max(seconds, 0.0), Lines.at(line), "seconds", labels)
