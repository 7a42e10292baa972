"""The worker's end of the parsers' process: started when first needed, asked to fork, replaced when it dies.

One per worker process; what is asked of it is asked one after the other.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT = "report.json"
OUT_OF_MEMORY = 71
OUT_OF_SPACE = 72

CHILD = "backend.sandbox.child"
MAX_ANSWER_BYTES = 4096
QUIET = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""All that the child gets of our environment: nothing secret, and one thread until it is alone."""


class SandboxCrashError(Exception):
    """The reading process crashed or broke the rules of its report: a bug of ours, whatever the evidence."""


class Fork:
    """One fork that reads one evidence."""

    def __init__(self, control: socket.socket) -> None:
        """Hear from the process that forks which pid it made."""
        self.control = control
        self.status: int | None = None
        self.pid = int(_hear(control)["pid"])
        self._handle = os.pidfd_open(self.pid)

    def hear_status(self) -> int:
        """Return how it ended; waits for it."""
        if self.status is None:
            self.status = int(_hear(self.control)["status"])
        return self.status

    def end(self) -> None:
        """Kill it if it still runs, and wait for its end."""
        if self.status is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            self.hear_status()

    def close(self) -> None:
        """Forget it."""
        os.close(self._handle)


class _Forker:
    """The process that forks."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", CHILD, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                cwd="/",
                env=QUIET,
                pass_fds=(theirs.fileno(),),
            )

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        self.control.close()
        self._process.kill()
        self._process.wait()


_forkers: dict[int, _Forker] = {}
_lock = threading.Lock()


@contextmanager
def forked(request: dict[str, Any], descriptors: list[int]) -> Iterator[Fork]:
    """Have `request` read in a fork; it is killed when the block ends before it does.

    Raises:
        SandboxCrashError: The process that forks died.
    """
    with _lock:
        control = _forker().control
        try:
            socket.send_fds(control, [json.dumps(request).encode()], descriptors)
            fork = Fork(control)
        except (OSError, SandboxCrashError) as error:
            _close()
            raise SandboxCrashError(f"no fork could be made: {error}") from error
        try:
            yield fork
        finally:
            try:
                fork.end()
            except SandboxCrashError:
                _close()
                raise
            finally:
                fork.close()


def _forker() -> _Forker:
    forker = _forkers.get(os.getpid())
    if forker is None or not forker.is_alive:
        _close()
        forker = _forkers[os.getpid()] = _Forker()
    return forker


def _close() -> None:
    forker = _forkers.pop(os.getpid(), None)
    if forker is not None:
        forker.close()


def _hear(control: socket.socket) -> dict[str, Any]:
    try:
        answer = control.recv(MAX_ANSWER_BYTES)
    except OSError as error:
        raise SandboxCrashError(f"the process that forks is away: {error}") from error
    if not answer:
        raise SandboxCrashError("the process that forks has ended")
    heard: dict[str, Any] = json.loads(answer)
    return heard
