"""Client of the template process: starts programs as forks of a process that imported the service.

Started on demand, and replaced when it has died; see `backend.core.supervisor.template_process`.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from backend.core.supervisor.processes import end_now, end_with_parent, start_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from backend.core.supervisor.processes import Program

COMMAND = [sys.executable, "-m", "backend.core.supervisor.template_process"]
ENVIRONMENT = {"PYTHONUNBUFFERED": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""A thread of the template would be missing in its forks."""
START_SECONDS = 300.0
MAX_ANSWER_BYTES = 4096
UNKNOWN_STATUS = 1
"""Reported for a fork whose template died; the fork is killed, so that no second one runs beside it."""


class Forked:
    """A fork that runs a program; has what the supervisor uses of `subprocess.Popen`."""

    def __init__(self, status: socket.socket) -> None:
        """Wait for the pid of the fork.

        Raises:
            OSError: The template ended instead, or did not answer.
        """
        self._status = status
        self._returncode: int | None = None
        answer = self._hear(START_SECONDS)
        if answer is None or "pid" not in answer:
            status.close()
            raise OSError("the process that starts the others ended")
        self.pid: int = answer["pid"]
        self._ticks = start_ticks(self.pid)

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""
        return self._ended(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit status.

        Raises:
            subprocess.TimeoutExpired: It still runs after `timeout` seconds.
        """
        status = self._ended(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
        return status

    def _ended(self, timeout: float | None) -> int | None:
        if self._returncode is None:
            answer = self._hear(timeout)
            if answer is not None:
                if "status" not in answer:
                    end_now(self.pid, self._ticks)
                self._returncode = answer.get("status", UNKNOWN_STATUS)
                self._status.close()
        return self._returncode

    def _hear(self, timeout: float | None) -> dict[str, Any] | None:
        """Return the next message, an empty one when the template ended; None when none came in time."""
        readable, _, _ = select.select([self._status], [], [], timeout)
        if not readable:
            return None
        message = self._status.recv(MAX_ANSWER_BYTES)
        answer: dict[str, Any] = json.loads(message) if message else {}
        return answer


class Template:
    """The template process of one supervisor."""

    def __init__(self, modules: Sequence[str], environment: Mapping[str, str]) -> None:
        """Import `modules` in a process with `environment` added to ours."""
        self._command = [*COMMAND, "{descriptor}", *modules]
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def start(self) -> None:
        """Start importing; call from the main thread, whose end it would follow."""
        self.stop()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            words = [str(theirs.fileno()) if word == "{descriptor}" else word for word in self._command]
            self._process = subprocess.Popen(
                words,
                env={**os.environ, **self._environment, **ENVIRONMENT},
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - the supervisor has one thread
            )

    def fork(self, program: Program, log: int) -> Forked:
        """Start `program`, `python -m MODULE ARGUMENT...`, with its output to the descriptor `log`.

        Raises:
            OSError: No fork was possible.
        """
        if self._process is None or self._process.poll() is not None:
            self.start()
        assert self._control is not None  # noqa: S101 - set by start
        request = {
            "command": list(program.command),
            "environment": dict(program.environment),
            "numbers": list(program.fds),
        }
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                socket.send_fds(
                    self._control, [json.dumps(request).encode()], [theirs.fileno(), log, *program.fds]
                )
            except OSError:
                ours.close()
                raise
        return Forked(ours)

    def stop(self) -> None:
        """End it; forks that still run are killed by the kernel."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        self._control, self._process = None, None
