"""A profile as it is looked at: the samples that a selection takes, and the tree of their stacks.

Example:
    view = View(profile, Selection(cpus=(3,), merge=("/^asm_/",)))
    view.total_weight, view.by_name.total

Everything is weighed on the whole profile; `ingest.export` turns answers of the core into documents.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.frames.idle import is_idle_leaf
from ingest.model.errors import UnsupportedQueryError
from ingest.model.selection import EVERYTHING, Selection
from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.model.profile import Profile


class _CoreQuery(NamedTuple):
    """Selection for the core: flags are one byte per frame or thread, times are on the recording's clock."""

    first: int
    end: int | None
    time: tuple[float, float] | None
    cpus: list[int] | None
    is_thread: bytes | None
    is_idle: bytes | None
    focus: bytes | None
    hide: bytes | None
    merge: bytes | None
    collapse: NDArray[np.int32] | None


class Names(NamedTuple):
    """What the names of a view weigh, in their order.

    Attributes:
        own: Weight of samples that end in it.
        total: Weight of samples that pass through it, each once.
        is_there: It occurs in a selected stack.
    """

    own: NDArray[np.float64]
    total: NDArray[np.float64]
    is_there: NDArray[np.bool_]


class View:
    """The samples and stacks that a selection takes out of a profile.

    Attributes:
        profile: All of the recording.
        selection: What is looked at.
        core: The tree and samples, weighed; answers questions in columns of bytes.
        names: The distinct names of the profile's frames.
        name_of_frame: F int32 indices into `names`.
    """

    def __init__(self, profile: Profile, selection: Selection = EVERYTHING) -> None:
        """Weigh what `selection` takes.

        Raises:
            CannotAnswerError: The recording has no clock or no order though one is needed, or a pattern is
                broken.
        """
        self.profile = profile
        self.selection = selection
        numbers: dict[str, int] = {}
        self.name_of_frame = np.array(
            [numbers.setdefault(frame.name, len(numbers)) for frame in profile.frames], dtype=np.int32
        )
        self.names = tuple(numbers)
        if selection.weight == "samples":
            profile = replace(profile, sample_weight=profile.sample_count)
        self.core = _core.View(profile, self._core_query(selection))

    @property
    def unit(self) -> str:
        """What a weight counts."""
        return "samples" if self.selection.weight == "samples" else self.profile.unit

    @property
    def total_weight(self) -> float:
        """Weight of everything selected, in `unit`; samples without a stack too."""
        return self.core.total_weight

    @property
    def total_samples(self) -> float:
        """How many samples are selected."""
        return self.core.total_samples

    @property
    def rows(self) -> int:
        """Number of nodes and samples in memory."""
        nodes, samples = self.core.size
        return nodes + samples

    def class_of(self, pattern: str) -> bytes:
        """Return one byte per frame: 1 where its name is what `pattern` means.

        Raises:
            UnsupportedQueryError: The pattern is no regular expression.
        """
        if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/"):
            return self.found(pattern[1:-1])
        names = np.array([name == pattern for name in self.names], dtype=np.uint8)
        return self._of_frames(names)

    def found(self, expression: str) -> bytes:
        """Return one byte per frame: 1 where the regular expression is found in its name.

        Raises:
            UnsupportedQueryError: It is no regular expression.
        """
        return self._of_frames(np.frombuffer(matching(expression, self.names), dtype=np.uint8))

    @cached_property
    def by_name(self) -> Names:
        """What every name weighs."""
        own, total, is_there = self.core.by_name(self.name_of_frame, len(self.names))
        return Names(
            np.frombuffer(own, dtype="<f8"),
            np.frombuffer(total, dtype="<f8"),
            np.frombuffer(is_there, dtype=np.bool_),
        )

    def ranks(self) -> NDArray[np.int32]:
        """Return the place of every frame when they are sorted by name."""
        frames = self.profile.frames
        names = sorted(range(len(frames)), key=lambda at: frames[at].name)
        ranks = np.empty(len(names), dtype=np.int32)
        ranks[names] = np.arange(len(names), dtype=np.int32)
        return ranks

    def _of_frames(self, names: NDArray[np.uint8]) -> bytes:
        return names[self.name_of_frame].tobytes() if len(names) else b""

    def _any_of(self, patterns: Sequence[str]) -> bytes | None:
        if not patterns:
            return None
        classes = [np.frombuffer(self.class_of(pattern), dtype=np.uint8) for pattern in patterns]
        return bytes(np.bitwise_or.reduce(np.stack(classes)))

    def _core_query(self, selection: Selection) -> _CoreQuery:
        profile = self.profile
        if selection.has_sample_range and not profile.is_ordered:
            raise UnsupportedQueryError(
                "the samples of this profile have no order: no range of them can be taken"
            )
        if selection.cpus and profile.sample_cpu is None:
            raise UnsupportedQueryError("this recording does not say on which CPU its samples were taken")
        return _CoreQuery(
            first=selection.from_sample or 0,
            end=selection.to_sample,
            time=self._times(selection),
            cpus=list(selection.cpus) or None,
            is_thread=self._threads(selection),
            is_idle=None if selection.has_idle else self._idle(),
            focus=self._any_of(selection.focus),
            hide=self._any_of(selection.hide),
            merge=self._any_of(selection.merge),
            collapse=self.name_of_frame if selection.collapse_recursion else None,
        )

    def _times(self, selection: Selection) -> tuple[float, float] | None:
        if not selection.has_time_range:
            return None
        origin = first_time(self.profile)
        if origin is None:
            raise UnsupportedQueryError("this recording has no clock: no range of seconds can be taken")
        begin = -np.inf if selection.t0 is None else origin + selection.t0
        end = np.inf if selection.t1 is None else origin + selection.t1
        return float(begin), float(end)

    def _threads(self, selection: Selection) -> bytes | None:
        if not (selection.pids or selection.tids or selection.comms):
            return None
        prefixes = tuple(comm[:-1] for comm in selection.comms if comm.endswith("*") and len(comm) > 1)
        return bytes(
            (not selection.pids or thread.pid in selection.pids)
            and (not selection.tids or thread.tid in selection.tids)
            and (not selection.comms or thread.comm in selection.comms or thread.comm.startswith(prefixes))
            for thread in self.profile.threads
        )

    def _idle(self) -> bytes:
        return idle_frames(self.profile).astype(np.uint8).tobytes()


def matching(expression: str, names: Sequence[str]) -> bytes:
    """Return one byte per name: 1 where the regular expression is found in it.

    Raises:
        UnsupportedQueryError: It is no regular expression, or one that would take too much memory.
    """
    try:
        # Names are what a stranger sent: half of a surrogate pair is no text that Rust takes.
        return _core.found(expression, [name.encode("utf-8", "replace").decode() for name in names])
    except ValueError as error:
        reason = " ".join(line.strip() for line in str(error).splitlines() if line.strip())
        raise UnsupportedQueryError(
            f"/{expression}/ is no regular expression that can be used: {reason}"
        ) from error


def first_time(profile: Profile) -> float | None:
    """Return the time of the earliest sample on the recording's clock, None without one."""
    times = profile.sample_time
    if times is None or not len(times) or np.isnan(times).all():
        return None
    return float(np.nanmin(times))


def idle_frames(profile: Profile) -> NDArray[np.bool_]:
    """Return F: the function means a CPU without work when it is the innermost of a stack."""
    return np.array([is_idle_leaf(frame.name) for frame in profile.frames], dtype=np.bool_)
