"""Long texts to profiles: fed in chunks, parsed without the interpreter lock.

Example:
    parser = PerfScriptText()
    for chunk in chunks:
        parser.feed(chunk)
    profiles = parser.finish().profiles
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.frames.kernel_entries import KERNEL_ENTRIES
from ingest.model.errors import LimitExceededError
from ingest.model.limits import DEFAULT
from ingest.model.profile import Frame, Profile, Thread
from ingest.model.reading import Skipped
from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Iterable

# Software events and tracepoints count things that happen; a share of them is no share of CPU time.
_CLOCKS = ("cycles", "cpu-clock", "task-clock", "cpu_clk", "clockticks", "ibs_op")


class Comment(NamedTuple):
    """One `# key : value` line of perf's file header."""

    key: str
    value: str
    line: int


class EventSamples(NamedTuple):
    """One event's profile; `deep_samples` have as many frames as perf records at most."""

    profile: Profile
    deep_samples: int


class PerfScriptParts(NamedTuple):
    """All of a `perf script` text; lines are 0 where there is nothing to cite."""

    events: tuple[EventSamples, ...]
    comments: tuple[Comment, ...]
    skipped: tuple[Skipped, ...]
    lost: float
    lost_line: int
    cut_line: int

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """One profile per event, in the order of first samples."""
        return tuple(event.profile for event in self.events)


class FoldedParts(NamedTuple):
    """All of a folded text; `cut_line` is 0 where no frame is cut."""

    profile: Profile
    skipped: tuple[Skipped, ...]
    cut_line: int


class PerfScriptText:
    """Reads `perf script` text; chunks may break lines anywhere."""

    def __init__(
        self, *, first_line: int = 1, line_bytes: int = DEFAULT.line_bytes, threads: int = 0
    ) -> None:
        """Begin at `first_line`; refuse lines longer than `line_bytes`; 0 threads are one per CPU.

        What is read does not depend on the number of threads.
        """
        self._core = _core.PerfScript(first_line, line_bytes, threads)
        self._line_bytes = line_bytes

    def feed(self, chunk: bytes) -> None:
        """Read more text.

        Raises:
            LimitExceededError: A line is too long.
        """
        try:
            self._core.feed(chunk)
        except _core.LineTooLongError as error:
            raise _too_long(error, self._line_bytes) from error

    def finish(self) -> PerfScriptParts:
        """Return everything read.

        Raises:
            LimitExceededError: The last line is too long.
        """
        try:
            result = self._core.finish()
        except _core.LineTooLongError as error:
            raise _too_long(error, self._line_bytes) from error
        return PerfScriptParts(
            events=tuple(EventSamples(_event(raw), raw["deep_samples"]) for raw in result["profiles"]),
            comments=tuple(Comment(*comment) for comment in result["comments"]),
            skipped=_skipped(result["skipped"]),
            lost=result["lost"],
            lost_line=result["lost_line"],
            cut_line=result["cut_line"],
        )


class FoldedText:
    """Reads folded stacks; chunks may break lines anywhere."""

    def __init__(self, *, first_line: int = 1, line_bytes: int = DEFAULT.line_bytes) -> None:
        """Begin at `first_line`; refuse lines longer than `line_bytes`."""
        self._core = _core.Folded(first_line, line_bytes, KERNEL_ENTRIES)
        self._line_bytes = line_bytes

    def feed(self, chunk: bytes) -> None:
        """Read more text.

        Raises:
            LimitExceededError: A line is too long.
        """
        try:
            self._core.feed(chunk)
        except _core.LineTooLongError as error:
            raise _too_long(error, self._line_bytes) from error

    def finish(self) -> FoldedParts:
        """Return everything read.

        Raises:
            LimitExceededError: The last line is too long.
        """
        try:
            result = self._core.finish()
        except _core.LineTooLongError as error:
            raise _too_long(error, self._line_bytes) from error
        raw = result["profile"]
        weight = np.frombuffer(raw["sample_weight"], dtype="<f8")
        profile = _profile(raw, unit="samples", weight=weight, count=weight, is_ordered=result["is_ordered"])
        return FoldedParts(profile, _skipped(result["skipped"]), result["cut_line"])


def parse_perf_script(chunks: Iterable[bytes], first_line: int = 1) -> PerfScriptParts:
    """Read a whole `perf script` text.

    Raises:
        LimitExceededError: A line is too long.
    """
    parser = PerfScriptText(first_line=first_line)
    for chunk in chunks:
        parser.feed(chunk)
    return parser.finish()


def parse_folded(chunks: Iterable[bytes], first_line: int = 1) -> FoldedParts:
    """Read a whole text of folded stacks.

    Raises:
        LimitExceededError: A line is too long.
    """
    parser = FoldedText(first_line=first_line)
    for chunk in chunks:
        parser.feed(chunk)
    return parser.finish()


def is_tracepoint(event: str) -> bool:
    """Return whether `event` is `system:name`, not a name with modifiers (`cycles:uppp`)."""
    system, colon, name = event.partition(":")
    is_word = system.replace("_", "").isalnum() and name.replace("_", "").isalnum()
    return bool(colon) and is_word and not set(name) <= set("ukhHGpPSDWeIbR")


def _what(event: str) -> str:
    """Return `cpu` for events that sample CPU time, `event` for counted happenings."""
    if not event:
        return "cpu"
    lower = event.lower()
    return "cpu" if not is_tracepoint(event) and any(clock in lower for clock in _CLOCKS) else "event"


def _event(raw: _core.RawProfile) -> Profile:
    """Return one event of a `perf script` text, weighed by period when every sample states one."""
    size = len(raw["sample_node"]) // 4
    ones = np.ones(size)
    weight = np.frombuffer(raw["sample_weight"], dtype="<f8") if raw["has_periods"] and size else ones
    unit = f"period:{raw['event']}" if raw["has_periods"] and size else "samples"
    return _profile(raw, unit=unit, weight=weight, count=ones, is_ordered=True)


def _profile(
    raw: _core.RawProfile,
    *,
    unit: str,
    weight: np.typing.NDArray[np.float64],
    count: np.typing.NDArray[np.float64],
    is_ordered: bool,
) -> Profile:
    time, cpu = raw["sample_time"], raw["sample_cpu"]
    return Profile(
        event=raw["event"],
        unit=unit,
        frames=tuple(Frame(*frame) for frame in raw["frames"]),
        node_parent=np.frombuffer(raw["node_parent"], dtype="<i4"),
        node_frame=np.frombuffer(raw["node_frame"], dtype="<i4"),
        node_line=np.frombuffer(raw["node_line"], dtype="<i4"),
        sample_node=np.frombuffer(raw["sample_node"], dtype="<i4"),
        sample_weight=weight,
        sample_count=count,
        sample_time=None if time is None or not time else np.frombuffer(time, dtype="<f8"),
        sample_cpu=None if cpu is None else np.frombuffer(cpu, dtype="<i4"),
        sample_thread=np.frombuffer(raw["sample_thread"], dtype="<i4"),
        sample_line=np.frombuffer(raw["sample_line"], dtype="<i4"),
        threads=tuple(Thread(*thread) for thread in raw["threads"]),
        is_ordered=is_ordered,
        has_weights=True,
        what=_what(raw["event"]),
    )


def _skipped(rows: list[tuple[str, int, int]]) -> tuple[Skipped, ...]:
    return tuple(sorted((Skipped(*row) for row in rows), key=lambda row: row.first_line))


def _too_long(error: Exception, line_bytes: int) -> LimitExceededError:
    message = f"a line is longer than {line_bytes:,} bytes: this is not line-oriented text"
    return LimitExceededError(message, line=int(error.args[0]))
