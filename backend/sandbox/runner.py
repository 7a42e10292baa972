"""Computes on untrusted evidence in a confined process with resource limits.

The child writes a directory. Of a reading: `report.json`, validated here, and reading folders, validated when
loaded; of all else: `result.json`. Hitting a limit rejects evidence with a reason, and raises for a result;
a crash is a bug of ours and raises.
"""

from __future__ import annotations

import json
import math
import os
import selectors
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from backend.core.errors import UnavailableError
from backend.sandbox import process_use
from backend.sandbox.fork_server import (
    ARGUMENTS,
    NOT_CONFINED,
    OUT_OF_MEMORY,
    OUT_OF_SPACE,
    PART,
    REPORT,
    RESULT,
    Fork,
    SandboxCrashError,
    forked,
)
from backend.sandbox.report import ReadEvidence, Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from backend.core.settings import Settings
    from backend.sandbox.layers import Policy

LOOK_SECONDS = 0.05
WRITTEN_PER_OUTPUT = 2
"""Written bytes per byte of output: temporary files count too, since what is removed but open takes space."""
IDLE_SECONDS = 600.0
MAX_REPORT_BYTES = 256 << 20
MAX_PROGRESS_LINE_BYTES = 4096
MAX_ERROR_BYTES = 4000
ERRORS = "errors.txt"

__all__ = [
    "PART",
    "LimitHitError",
    "SandboxCrashError",
    "SandboxLimits",
    "TooSlowError",
    "compute",
    "read_in_sandbox",
]


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


class _TimeUpError(LimitHitError):
    """A time limit was hit."""


def read_in_sandbox(
    path: Path,
    *,
    output: Path,
    limits: SandboxLimits,
    name: str,
    captured_path: str = "",
    part_bytes: int = 0,
    on_progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> ReadEvidence:
    """Read the evidence at `path` into reading folders below `output`, an empty directory.

    Args:
        path: The bytes as they were received.
        output: Directory for the answer.
        limits: What it may use.
        name: File name that the sender gave.
        captured_path: Path on the captured machine, "" when unknown.
        part_bytes: Read at most this much of the text, up to the end of a sample, and leave it as `PART` in
            `output`; 0 reads all.
        on_progress: Called with the share read, 0..1.
        check: Called periodically; if it raises, the child is killed and the exception propagates.

    Raises:
        SandboxCrashError: The child crashed.
        TooSlowError: It exceeded the limits of a first try.
        UnavailableError: The kernel grants too few layers.
    """
    request = {
        "computation": "read",
        "what": "reading",
        "name": name,
        "captured_path": captured_path,
        "part_bytes": part_bytes,
    }
    try:
        with path.open("rb") as evidence:
            _run(request, evidence.fileno(), output, limits, on_progress, check)
    except LimitHitError as hit:
        return _rejected(path, name, captured_path, str(hit))
    return _report(output)


def compute(
    computation: str,
    arguments: dict[str, Any],
    *,
    what: str,
    output: Path,
    limits: SandboxLimits,
    readable: Sequence[Path] = (),
    unsaved: Mapping[str, Any] | None = None,
    on_progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Any:
    """Run a computation of `backend.sandbox.child` and return its result, JSON values.

    Args:
        computation: Its name.
        arguments: Its arguments, JSON values.
        what: What it is in the words for people: "the analysis".
        output: An empty directory; what the computation writes beside its result stays there.
        limits: What it may use.
        readable: Files and directories that it may read.
        unsaved: Arguments that no file may hold, at most 60 KB: keys.
        on_progress: Called with the share done, 0..1.
        check: Called periodically; if it raises, the child is killed and the exception propagates.

    Raises:
        LimitHitError: It needs more than its limits.
        SandboxCrashError: The child crashed.
        TooSlowError: It exceeded the limits of a first try.
        UnavailableError: The kernel grants too few layers.
    """
    given = {**arguments, "readable": [str(path) for path in readable]}
    text = json.dumps(given, allow_nan=False, separators=(",", ":"))
    (output / ARGUMENTS).write_text(text, encoding="utf-8", errors="surrogatepass")
    with Path(os.devnull).open("rb") as nothing:
        request = {**(unsaved or {}), "computation": computation, "what": what}
        _run(request, nothing.fileno(), output, limits, on_progress, check)
    try:
        return json.loads((output / RESULT).read_bytes().decode("utf-8", "surrogatepass"))
    except (OSError, ValueError) as error:
        raise SandboxCrashError(f"the result of {computation} cannot be read: {error}") from error


def _run(  # noqa: PLR0917 - one request and how to watch it
    request: dict[str, Any],
    given: int,
    output: Path,
    limits: SandboxLimits,
    on_progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
) -> None:
    """Run one request in a fork and return when it has succeeded."""
    (output / "tmp").mkdir()
    request |= {
        "output": str(output),
        "cpu_seconds": limits.cpu_seconds,
        "memory_bytes": limits.memory_bytes,
        "output_bytes": limits.output_bytes,
        "sandbox": limits.policy,
    }
    progress_pipe, progress_end = os.pipe()
    try:
        with (
            (output / ERRORS).open("wb") as words,
            forked(request, [given, progress_end, words.fileno()]) as fork,
        ):
            os.close(progress_end)
            progress_end = -1
            _Watch(fork, request["what"], progress_pipe, output, limits, on_progress, check).wait()
        if any(path.is_symlink() for path in output.rglob("*")):
            raise SandboxCrashError("the output contains a symbolic link")
    except _TimeUpError as hit:
        if limits.is_first_try:
            raise TooSlowError(str(hit)) from None
        raise
    finally:
        os.close(progress_pipe)
        if progress_end >= 0:
            os.close(progress_end)


@dataclass(slots=True)
class _Watch:
    """Waits for the fork and kills it above its limits."""

    fork: Fork
    what: str
    progress: int
    output: Path
    limits: SandboxLimits
    on_progress: Callable[[float], None] | None
    check: Callable[[], None] | None
    line: bytes = b""
    cpu_seconds: float = -1.0
    last_at_work: float = 0.0

    def wait(self) -> None:
        """Return when the fork has exited successfully."""
        deadline = time.monotonic() + self.limits.wall_seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.progress, selectors.EVENT_READ)
            selector.register(self.fork.control, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select(LOOK_SECONDS)}
                if self.fork.control in ready:
                    self._judge(self.fork.hear_status())
                    return
                if self.progress in ready and not self._hear():
                    selector.unregister(self.progress)
                self._look(deadline)
                if self.check is not None:
                    self.check()

    def _look(self, deadline: float) -> None:
        now = time.monotonic()
        cpu_seconds = process_use.cpu_seconds(self.fork.pid)
        if cpu_seconds != self.cpu_seconds:
            self.cpu_seconds, self.last_at_work = cpu_seconds, now
        if now - self.last_at_work > self.limits.idle_seconds:
            used = f"after {cpu_seconds:.2f} s of processor time"
            raise LimitHitError(f"{self.what} hung {used}: it took none for {self.limits.idle_seconds:g} s")
        if now > deadline:
            raise _TimeUpError(f"{self.what} took longer than {self.limits.wall_seconds:g} s by the clock")
        if process_use.resident_bytes(self.fork.pid) > self.limits.memory_bytes:
            raise LimitHitError(_memory_reason(self.what, self.limits))
        most_written = WRITTEN_PER_OUTPUT * self.limits.output_bytes
        has_written_more = process_use.written_bytes(self.fork.pid) > most_written
        if has_written_more or process_use.used_bytes(self.output) > self.limits.output_bytes:
            raise LimitHitError(_output_reason(self.what, self.limits))

    def _hear(self) -> bool:
        """Read a progress message of the fork; False when its output is closed."""
        progress_pipe = os.read(self.progress, 1 << 16)
        if not progress_pipe:
            return False
        *lines, rest = (self.line + progress_pipe).split(b"\n")
        self.line = rest[-MAX_PROGRESS_LINE_BYTES:]
        if lines and self.on_progress is not None:
            try:
                share = float(json.loads(lines[-1])["share"])
            except (ValueError, KeyError, TypeError):
                raise SandboxCrashError("the fork sent a malformed progress message") from None
            self.on_progress(min(max(share, 0.0), 1.0))
        return True

    def _judge(self, status: int) -> None:
        if status == 0:
            return
        if status == OUT_OF_MEMORY:
            raise LimitHitError(_memory_reason(self.what, self.limits))
        if status == OUT_OF_SPACE:
            raise LimitHitError(_output_reason(self.what, self.limits))
        if status == NOT_CONFINED:
            raise UnavailableError(_last_words(self.output))
        if status == -signal.SIGXCPU:
            raise _TimeUpError(f"{self.what} took more than {self.limits.cpu_seconds} s of processor time")
        how = signal.Signals(-status).name if status < 0 else f"status {status}"
        raise SandboxCrashError(f"the process of {self.what} ended with {how}: {_last_words(self.output)}")


def _memory_reason(what: str, limits: SandboxLimits) -> str:
    return f"{what} needs more than {limits.memory_bytes >> 20:,} MiB of memory"


def _output_reason(what: str, limits: SandboxLimits) -> str:
    return f"the result of {what} takes more than {limits.output_bytes >> 20:,} MiB"


def _last_words(output: Path) -> str:
    words = (output / ERRORS).read_bytes()[-MAX_ERROR_BYTES:].decode("utf-8", "replace").strip()
    return words.splitlines()[-1] if words else "it said nothing"


def _rejected(path: Path, name: str, captured_path: str, reason: str) -> ReadEvidence:
    return ReadEvidence(
        name=name,
        captured_path=captured_path,
        sha256="",
        size_bytes=path.stat().st_size,
        line_count=0,
        state="rejected",
        reason=reason,
        host="",
        skipped=[],
        sections=[],
        members=[],
    )


def _report(output: Path) -> ReadEvidence:
    report = output / REPORT
    try:
        if report.stat().st_size > MAX_REPORT_BYTES:
            raise SandboxCrashError("the report is too long")
        return Report.model_validate_json(report.read_bytes()).evidence
    except (OSError, ValidationError) as error:
        raise SandboxCrashError(f"the report cannot be read: {error}") from error
