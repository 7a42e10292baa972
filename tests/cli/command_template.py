"""The command `casebook` as a program that forks from a process which has its modules.

A test that runs many commands of a page as they are written pays for their imports once. Each command is a
process of its own all the same, with the arguments, directory, environment and streams of its caller.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
PROGRAM = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
call = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(server, [call], [0, 1, 2])
sys.exit(int(server.recv(16) or b"70"))
"""
MODULES = (
    "backend.accounts.service",
    "backend.client",
    "cli.comparison.build_pair",
    "cli.evidence.analysis",
    "cli.service.judgement_wait",
    "cli.service.token_store",
    "cli.service.uploads",
    "signatures.reporting.signature_list",
)
"""Besides those of the commands themselves."""

CALL_BYTES = 1 << 17


@contextmanager
def forked_commands() -> Iterator[Path]:
    """Yield a directory with the program `casebook`, whose path is short: addresses have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="casebook-") as folder:
        address = str(Path(folder) / "socket")
        program = Path(folder) / "casebook"
        program.write_text(PROGRAM.format(python=sys.executable, address=address))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        command = [sys.executable, "-m", __name__, address]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as server:
            try:
                assert server.stdout is not None
                assert server.stdout.readline() == b"ready\n"
                yield Path(folder)
            finally:
                server.terminate()


def main(address: str) -> None:
    """Import what commands use, and run each call in a process of its own until stopped."""
    cli = importlib.import_module("cli")
    for module in (*(entry.module for entry in cli.COMMANDS.values()), *MODULES):
        importlib.import_module(module)
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        os.write(1, b"ready\n")
        # Whoever runs a call is waited for by the process that answers it.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            caller, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                _answer(caller, cli.main)
            caller.close()


def _answer(caller: socket.socket, command: Callable[[], object]) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    call, descriptors, _, _ = socket.recv_fds(caller, CALL_BYTES, 3)
    child = os.fork()
    if child == 0:
        caller.close()
        words, folder, environment = json.loads(call)
        _run(command, words, folder, environment, descriptors)
    _, status = os.waitpid(child, 0)
    caller.send(str(os.waitstatus_to_exitcode(status) % 256).encode())
    os._exit(0)


def _run(
    command: Callable[[], object],
    words: list[str],
    folder: str,
    environment: dict[str, str],
    descriptors: list[int],
) -> NoReturn:
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["casebook", *words]
    status = 1
    try:
        command()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        sys.excepthook(*sys.exc_info())
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main(sys.argv[1])
