"""Client of the fork server, one per process: started on demand, replaced when it dies.

Each request brings its own socket for the answers, so requests of several threads run side by side.
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

from signatures import engines

if TYPE_CHECKING:
    from collections.abc import Iterator

REPORT = "report.json"
ARGUMENTS = "arguments.json"
RESULT = "result.json"
FINDINGS = "findings.json"
PART = "part"
LAYERS = "layers.json"
OUT_OF_MEMORY = 71
OUT_OF_SPACE = 72
NOT_CONFINED = 73

FOR_CASES = "cases"
"""Second argument of a fork server that warms up for cases."""

COMMAND = [sys.executable, "-I", "-m", "backend.sandbox.engine"]
MAX_ANSWER_BYTES = 4096
QUIET = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Environment of the server: no secrets, one thread before confinement."""


class SandboxCrashError(Exception):
    """A fork crashed or left a malformed result: a bug of ours, whatever the evidence."""


class Fork:
    """A fork that computes one answer."""

    def __init__(self, control: socket.socket) -> None:
        """Receive the pid of the fork, and a descriptor of it, which stays valid when it ends at once.

        Args:
            control: The socket of this request; closed by `close`.
        """
        self.control = control
        self.status: int | None = None
        message, [self._handle] = _hear(control, descriptors=1)
        self.pid = int(message["pid"])

    def hear_status(self) -> int:
        """Wait for the end of the fork and return its exit status."""
        if self.status is None:
            self.status = int(_hear(self.control)[0]["status"])
        return self.status

    def kill(self) -> None:
        """Kill it if it still runs."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def end(self) -> None:
        """Kill it if it still runs, and wait for its end."""
        if self.status is None:
            self.kill()
            self.hear_status()

    def close(self) -> None:
        """Close the descriptor and the socket."""
        os.close(self._handle)
        self.control.close()


_options = {"is_for_cases": False}


def expect_cases() -> None:
    """Have the fork servers of this process warm up for reading and judging what people send."""
    _options["is_for_cases"] = True


class _Forker:
    """The fork server process."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [*COMMAND, str(theirs.fileno()), *([FOR_CASES] if _options["is_for_cases"] else [])],
                stdin=subprocess.DEVNULL,
                cwd="/",
                env=QUIET | engines.environment(),
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
    """Run `request` in a fork, killed when the block ends first.

    Args:
        request: Its JSON values, at most 64 KiB.
        descriptors: Input, progress and errors of the fork.

    Raises:
        SandboxCrashError: The fork server died.
    """
    fork = _fork(request, descriptors)
    try:
        yield fork
    finally:
        try:
            fork.end()
        finally:
            fork.close()


def _fork(request: dict[str, Any], descriptors: list[int]) -> Fork:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with theirs, _lock:
            control = _forker().control
            socket.send_fds(control, [json.dumps(request).encode()], [*descriptors, theirs.fileno()])
        return Fork(ours)
    except (OSError, SandboxCrashError) as error:
        ours.close()
        raise SandboxCrashError(f"no fork could be made: {error}") from error


def _forker() -> _Forker:
    forker = _forkers.get(os.getpid())
    if forker is None or not forker.is_alive:
        _close()
        forker = _forkers[os.getpid()] = _Forker()
    return forker


def close() -> None:
    """End the fork server of this process, if it has one."""
    with _lock:
        _close()


def _close() -> None:
    forker = _forkers.pop(os.getpid(), None)
    if forker is not None:
        forker.close()


def _hear(control: socket.socket, *, descriptors: int = 0) -> tuple[dict[str, Any], list[int]]:
    """Return a message of the fork server, and the `descriptors` that come with it."""
    try:
        answer, received, _, _ = socket.recv_fds(control, MAX_ANSWER_BYTES, descriptors)
    except OSError as error:
        raise SandboxCrashError(f"the fork server is unreachable: {error}") from error
    if not answer:
        raise SandboxCrashError("the fork server has exited")
    if len(received) != descriptors:
        raise SandboxCrashError("the fork server sent no descriptor")
    return json.loads(answer), received
