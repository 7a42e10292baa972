"""Computes on untrusted evidence in a confined process with resource limits.

The child writes a directory. Of a reading: `report.json`, validated here, and reading folders, validated when
loaded; of all else: `result.json`. Hitting a limit rejects evidence with a reason, and raises for a result;
a crash is a bug of ours and raises.
"""

from __future__ import annotations

import json
import os
import selectors
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from backend.core import tracing
from backend.sandbox.fork_server import ARGUMENTS, PART, REPORT, RESULT, SandboxCrashError, forked
from backend.sandbox.report import ReadEvidence, Report
from backend.sandbox.watch import (
    ERRORS,
    LOOK_SECONDS,
    LimitHitError,
    SandboxLimits,
    TimeUpError,
    TooSlowError,
    Watch,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MAX_REPORT_BYTES = 256 << 20
MAX_PROGRESS_LINE_BYTES = 4096

__all__ = [
    "PART",
    "LimitHitError",
    "SandboxCrashError",
    "SandboxLimits",
    "Source",
    "TooSlowError",
    "compute",
    "read_in_sandbox",
    "read_several_in_sandbox",
]


class Source(NamedTuple):
    """A file to read: its bytes as they were received, and what the sender said about it.

    Attributes:
        name: Its name.
        captured_path: Its path on the captured machine, "" when unknown.
    """

    path: Path
    name: str
    captured_path: str


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


def read_several_in_sandbox(
    sources: Sequence[Source],
    *,
    output: Path,
    limits: SandboxLimits,
    seconds: float,
    check: Callable[[], None] | None = None,
) -> list[ReadEvidence]:
    """Read small files one after the other in one child, each into a numbered directory below `output`.

    Args:
        sources: The files; the first is always read.
        output: An empty directory.
        limits: What all of them together may use.
        seconds: After this time no further file is begun.
        check: Called periodically; if it raises, the child is killed and the exception propagates.

    Returns:
        What was read of the first files, in their order.

    Raises:
        LimitHitError: They need more than `limits`.
        SandboxCrashError: The child crashed.
        TooSlowError: They exceeded the limits of a first try.
        UnavailableError: The kernel grants too few layers.
    """
    files = [source._asdict() | {"path": str(source.path)} for source in sources]
    _write_arguments(output, {"files": files, "seconds": seconds}, [source.path for source in sources])
    with Path(os.devnull).open("rb") as nothing:
        _run(
            {"computation": "read several", "what": "reading"}, nothing.fileno(), output, limits, None, check
        )
    places = (output / str(number) for number in range(len(sources)))
    return [_report(place) for place in takewhile(lambda place: (place / REPORT).exists(), places)]


def compute(
    computation: str,
    arguments: Mapping[str, object],
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
    _write_arguments(output, arguments, readable)
    with Path(os.devnull).open("rb") as nothing:
        request = {**(unsaved or {}), "computation": computation, "what": what}
        _run(request, nothing.fileno(), output, limits, on_progress, check)
    try:
        return json.loads((output / RESULT).read_bytes().decode("utf-8", "surrogatepass"))
    except (OSError, ValueError) as error:
        raise SandboxCrashError(f"the result of {computation} cannot be read: {error}") from error


def _write_arguments(output: Path, arguments: Mapping[str, object], readable: Sequence[Path]) -> None:
    given = {**arguments, "readable": [str(path) for path in readable]}
    text = json.dumps(given, allow_nan=False, separators=(",", ":"))
    (output / ARGUMENTS).write_text(text, encoding="utf-8", errors="surrogatepass")


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
            tracing.span(f"child: {request['what']}", computation=request["computation"]),
            forked(request, [given, progress_end, words.fileno()]) as fork,
        ):
            os.close(progress_end)
            progress_end = -1
            watch = Watch(fork, request["what"], output, limits)
            _wait(watch, Progress(progress_pipe, on_progress), check)
        if any(path.is_symlink() for path in output.rglob("*")):
            raise SandboxCrashError("the output contains a symbolic link")
    except TimeUpError as hit:
        if limits.is_first_try:
            raise TooSlowError(str(hit)) from None
        raise
    finally:
        os.close(progress_pipe)
        if progress_end >= 0:
            os.close(progress_end)


def _wait(watch: Watch, progress: Progress, check: Callable[[], None] | None) -> None:
    """Return when the fork has exited successfully."""
    watch.begin(watch.what)
    with selectors.DefaultSelector() as selector:
        selector.register(progress.pipe, selectors.EVENT_READ)
        selector.register(watch.fork.control, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select(LOOK_SECONDS)}
            if watch.fork.control in ready:
                watch.judge(watch.fork.hear_status())
                return
            if progress.pipe in ready and not progress.hear():
                selector.unregister(progress.pipe)
            if check is not None:
                check()
            watch.look()


@dataclass(slots=True)
class Progress:
    """Progress messages of a fork."""

    pipe: int
    on_progress: Callable[[float], None] | None
    line: bytes = b""

    def hear(self) -> bool:
        """Read a message; False when the output of the fork is closed."""
        read = os.read(self.pipe, 1 << 16)
        if not read:
            return False
        *lines, rest = (self.line + read).split(b"\n")
        self.line = rest[-MAX_PROGRESS_LINE_BYTES:]
        if lines and self.on_progress is not None:
            try:
                share = float(json.loads(lines[-1])["share"])
            except (ValueError, KeyError, TypeError):
                raise SandboxCrashError("the fork sent a malformed progress message") from None
            self.on_progress(min(max(share, 0.0), 1.0))
        return True


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
