"""Limits of a fork, and the watch that ends it above them."""

from __future__ import annotations

import math
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backend.core.errors import UnavailableError
from backend.sandbox import process_use
from backend.sandbox.fork_server import NOT_CONFINED, OUT_OF_MEMORY, OUT_OF_SPACE, Fork, SandboxCrashError

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.settings import Settings
    from backend.sandbox.layers import Policy

LOOK_SECONDS = 0.05
WRITTEN_PER_OUTPUT = 2
"""Written bytes per byte of output: temporary files count too, since what is removed but open takes space."""
IDLE_SECONDS = 600.0
MAX_ERROR_BYTES = 4000
ERRORS = "errors.txt"


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Resource limits of one computation; hitting one rejects the evidence that is read.

    How long it takes on a busy machine says nothing about the evidence: processor time is limited, and a
    process that takes none for long is taken to hang.

    Attributes:
        idle_seconds: So long it may take no processor time.
        wall_seconds: So long it may take where somebody waits for the answer.
        is_first_try: Hitting a time limit raises `TooSlowError` instead.
        policy: Which layers of the sandbox suffice.
    """

    cpu_seconds: int
    memory_bytes: int
    output_bytes: int
    idle_seconds: float = IDLE_SECONDS
    wall_seconds: float = math.inf
    is_first_try: bool = False
    policy: Policy = "best"

    @classmethod
    def of(cls, settings: Settings, *, is_heavy: bool) -> SandboxLimits:
        """Return the limits of a weight class."""
        cpu = settings.parse_heavy_cpu_seconds if is_heavy else settings.parse_cpu_seconds
        memory = settings.parse_heavy_memory_bytes if is_heavy else settings.parse_memory_bytes
        return cls(cpu, memory, settings.parse_output_bytes, policy=settings.sandbox)


class TooSlowError(Exception):
    """A computation exceeded the limits of a first try; retry it in the heavy queue."""


class LimitHitError(Exception):
    """The computation needs more than its limits; the message is the reason for people."""


class TimeUpError(LimitHitError):
    """A time limit was hit."""


@dataclass(slots=True)
class Watch:
    """Knows what a fork may use while it computes one answer."""

    fork: Fork
    what: str
    output: Path
    limits: SandboxLimits
    deadline: float = math.inf
    cpu_before: float = 0.0
    cpu_seconds: float = -1.0
    last_at_work: float = 0.0

    def begin(self, what: str) -> None:
        """Begin to count time: the next answer is `what` in the words for people."""
        self.what = what
        self.cpu_before = process_use.cpu_seconds(self.fork.pid)
        self.last_at_work = time.monotonic()
        self.deadline = self.last_at_work + self.limits.wall_seconds

    def look(self) -> None:
        """Raise when the fork uses more than its limits.

        Raises:
            LimitHitError: It does.
        """
        now = time.monotonic()
        cpu_seconds = process_use.cpu_seconds(self.fork.pid)
        if cpu_seconds != self.cpu_seconds:
            self.cpu_seconds, self.last_at_work = cpu_seconds, now
        if now - self.last_at_work > self.limits.idle_seconds:
            used = f"after {cpu_seconds:.2f} s of processor time"
            raise LimitHitError(f"{self.what} hung {used}: it took none for {self.limits.idle_seconds:g} s")
        if now > self.deadline:
            raise TimeUpError(f"{self.what} took longer than {self.limits.wall_seconds:g} s by the clock")
        if cpu_seconds - self.cpu_before > self.limits.cpu_seconds:
            raise self._cpu_up()
        if process_use.resident_bytes(self.fork.pid) > self.limits.memory_bytes:
            raise LimitHitError(_memory_reason(self.what, self.limits))
        most_written = WRITTEN_PER_OUTPUT * self.limits.output_bytes
        has_written_more = process_use.written_bytes(self.fork.pid) > most_written
        if has_written_more or process_use.used_bytes(self.output) > self.limits.output_bytes:
            raise LimitHitError(output_reason(self.what, self.limits))

    def judge(self, status: int) -> None:
        """Raise what the exit status of the fork means; 0 is success.

        Raises:
            LimitHitError: It hit a limit.
            SandboxCrashError: It crashed.
            UnavailableError: The kernel grants too few layers.
        """
        if status == 0:
            return
        if status == OUT_OF_MEMORY:
            raise LimitHitError(_memory_reason(self.what, self.limits))
        if status == OUT_OF_SPACE:
            raise LimitHitError(output_reason(self.what, self.limits))
        if status == NOT_CONFINED:
            raise UnavailableError(_last_words(self.output))
        if status == -signal.SIGXCPU:
            raise self._cpu_up()
        how = signal.Signals(-status).name if status < 0 else f"status {status}"
        raise SandboxCrashError(f"the process of {self.what} ended with {how}: {_last_words(self.output)}")

    def _cpu_up(self) -> TimeUpError:
        return TimeUpError(f"{self.what} took more than {self.limits.cpu_seconds} s of processor time")


def output_reason(what: str, limits: SandboxLimits) -> str:
    """Return the sentence for a result above its size limit."""
    return f"the result of {what} takes more than {limits.output_bytes >> 20:,} MiB"


def _memory_reason(what: str, limits: SandboxLimits) -> str:
    return f"{what} needs more than {limits.memory_bytes >> 20:,} MiB of memory"


def _last_words(output: Path) -> str:
    words = (output / ERRORS).read_bytes()[-MAX_ERROR_BYTES:].decode("utf-8", "replace").strip()
    return words.splitlines()[-1] if words else "it said nothing"
