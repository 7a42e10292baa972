"""Template process: imports the service once; each of its forks runs one program of the supervisor.

python -m backend.core.supervisor.template_process FD MODULE...

Importing the service takes 2 to 3 CPU seconds, which each of its processes would spend; forks start at once
and share the memory of what was imported. A request comes over the socket pair `FD`, with the descriptors of
a status socket, of the log and of what the program inherits under the given numbers:

    {"command": ["python", "-m", "cli", "reap"], "environment": {}, "stop_signal": 15, "numbers": []}

The status socket receives the pid at once, and at the end the exit status as `subprocess` has it:

    {"pid": 4711}
    {"status": 0}

The template imports only: it starts no thread and opens nothing that a fork would share by mistake. It ends
when the supervisor closes the socket, after its forks; when it dies before them, the kernel kills them, since
a worker that only stopped accepting jobs would go on with its own for hours.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import runpy
import selectors
import shlex
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from setproctitle import setproctitle

from backend.core.supervisor.processes import end_with_parent

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_REQUEST_BYTES = 1 << 16
MAX_DESCRIPTORS = 16
FREE_NUMBERS = 512
"""From here on no descriptor has its number yet."""


class _Running(NamedTuple):
    """A fork, and the socket that receives its exit status."""

    pid: int
    status: socket.socket


class _Fork(Exception):  # noqa: N818 - unwinds a fork to the start of the program, no error
    def __init__(self, request: Mapping[str, Any], descriptors: list[int]) -> None:
        self.request = request
        self.descriptors = descriptors


def serve(control: socket.socket) -> None:
    """Fork for each request until the supervisor closes `control`.

    Raises:
        _Fork: In a fork, which has closed all that belongs to the template.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        try:
            while True:
                for key, _ in selector.select():
                    if isinstance(key.data, _Running):
                        selector.unregister(key.fd)
                        os.close(key.fd)
                        _report_end(key.data)
                    else:
                        message, descriptors, *_ = socket.recv_fds(
                            control, MAX_REQUEST_BYTES, MAX_DESCRIPTORS
                        )
                        if not message:
                            return
                        running = _fork(json.loads(message), descriptors)
                        selector.register(os.pidfd_open(running.pid), selectors.EVENT_READ, running)
        except _Fork:
            for key in selector.get_map().values():
                if isinstance(key.data, _Running):
                    os.close(key.fd)
                    key.data.status.close()
            control.close()
            raise


def _fork(request: Mapping[str, Any], descriptors: list[int]) -> _Running:
    status = socket.socket(fileno=descriptors.pop(0))
    template = os.getpid()
    pid = os.fork()
    if pid == 0:
        status.close()
        os.setsid()
        end_with_parent(signal.SIGKILL)
        if os.getppid() != template:
            os._exit(1)
        raise _Fork(request, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    status.send(json.dumps({"pid": pid}).encode())
    return _Running(pid, status)


def _report_end(running: _Running) -> None:
    _, status = os.waitpid(running.pid, 0)
    with running.status:
        try:
            running.status.send(json.dumps({"status": os.waitstatus_to_exitcode(status)}).encode())
        except BrokenPipeError:
            # The supervisor no longer waits for it.
            return


def _run(request: Mapping[str, Any], descriptors: list[int]) -> None:
    """Be the program of a request: `python -m MODULE ARGUMENT...`."""
    numbers = [sys.stdout.fileno(), sys.stderr.fileno(), *request["numbers"]]
    log, *inherited = (_moved(descriptor) for descriptor in descriptors)
    for number, descriptor in zip(numbers, [log, log, *inherited], strict=True):
        os.dup2(descriptor, number)
    for descriptor in (log, *inherited):
        os.close(descriptor)
    os.environ.update(request["environment"])
    setproctitle(shlex.join(request["command"]))
    _, _, module, *arguments = request["command"]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _moved(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, FREE_NUMBERS)
    os.close(descriptor)
    return moved


def main(descriptor: int, modules: list[str]) -> None:
    """Import `modules`, then fork on request."""
    end_with_parent()
    for module in modules:
        importlib.import_module(module)
    # What is frozen is not visited by a collection, which would copy the memory that forks share.
    gc.collect()
    gc.freeze()
    try:
        serve(socket.socket(fileno=descriptor))
    except _Fork as fork:
        begun = fork
    else:
        return
    _run(begun.request, begun.descriptors)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
