"""Which samples of a profile are looked at, and how their stacks are shaped.

Example:
    Selection(t0=31.0, t1=38.5, cpus=(3,), focus=("/lru.*vec/",), merge=("asm_exc_page_fault",))

A frame pattern is the exact name of a function, or a regular expression between slashes that is found
anywhere in the name: `vfs_read`, `/^ext4_/`, `/(?i)reclaim/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ingest.model.errors import UnsupportedQueryError

MAX_PATTERNS = 20
MAX_PATTERN_CHARS = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """Everything that is set must hold; of several values in one field any will do.

    Attributes:
        t0: Seconds from the recording's first sample, inclusive.
        t1: Seconds from the recording's first sample, exclusive.
        from_sample: Position in the recording, 0-based, inclusive.
        to_sample: Position in the recording, exclusive.
        cpus: Numbers of CPUs.
        pids: Processes.
        tids: Threads.
        comms: Names of threads, exact, or how they begin: `arrow-read-*`.
        focus: Frame patterns; only samples that pass through such a frame.
        hide: Frame patterns; samples that pass through such a frame are left out.
        merge: Frame patterns; such frames vanish from stacks, their own weight goes to their callers.
        collapse_recursion: Neighbouring frames of one name are one.
        has_idle: False leaves out samples that end in an idle leaf.
        weight: The weights of the profile, or one per sample.
    """

    t0: float | None = None
    t1: float | None = None
    from_sample: int | None = None
    to_sample: int | None = None
    cpus: tuple[int, ...] = ()
    pids: tuple[int, ...] = ()
    tids: tuple[int, ...] = ()
    comms: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()
    collapse_recursion: bool = False
    has_idle: bool = True
    weight: Literal["own", "samples"] = "own"

    def __post_init__(self) -> None:
        """Refuse what no profile could answer.

        Raises:
            UnsupportedQueryError: A range ends before it begins, or there are too many or too long patterns.
        """
        if self.t0 is not None and self.t1 is not None and self.t1 < self.t0:
            raise UnsupportedQueryError(f"the time range ends before it begins: {self.t0:g} to {self.t1:g} s")
        if self.from_sample is not None and self.to_sample is not None and self.to_sample < self.from_sample:
            raise UnsupportedQueryError(
                f"the range of samples ends before it begins: {self.from_sample} to {self.to_sample}"
            )
        for name in ("focus", "hide", "merge"):
            patterns = getattr(self, name)
            if len(patterns) > MAX_PATTERNS:
                raise UnsupportedQueryError(
                    f"{name} takes at most {MAX_PATTERNS} patterns, not {len(patterns)}"
                )
            if any(len(pattern) > MAX_PATTERN_CHARS for pattern in patterns):
                raise UnsupportedQueryError(
                    f"a pattern of {name} is longer than {MAX_PATTERN_CHARS} characters"
                )

    @property
    def has_time_range(self) -> bool:
        """Whether it speaks of seconds."""
        return self.t0 is not None or self.t1 is not None

    @property
    def has_sample_range(self) -> bool:
        """Whether it speaks of positions."""
        return self.from_sample is not None or self.to_sample is not None


EVERYTHING = Selection()
