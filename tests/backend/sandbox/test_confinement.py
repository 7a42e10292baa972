"""Confinement: what a sandboxed process can no longer do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import ctypes, fcntl, os, signal, socket, sys, termios, threading
from pathlib import Path
from backend.sandbox import confinement
from backend.sandbox.code_paths import code_paths

inside, outside, parent = Path(sys.argv[1]), Path(sys.argv[2]), os.getppid()
evidence = os.open(outside / "evidence", os.O_RDONLY)
confinement.limit(cpu_seconds=5, file_bytes=1 << 20, open_files=64)
layers = confinement.confine(readable=code_paths(), writable=[inside])
assert layers.is_complete, layers
libc = ctypes.CDLL(None, use_errno=True)
def check(answer):
    if answer != 0:
        raise OSError(ctypes.get_errno(), "refused")
try:
    exec(sys.argv[3])
except OSError as error:
    print(type(error).__name__)
else:
    print("done")
"""


def attempt(tmp_path: Path, code: str) -> str:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "evidence").write_text("main 1\n")
    (outside / "secret").write_text("hunter2\n")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(inside), str(outside), code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


ATTEMPTS = {
    "read a file of the service": "(outside / 'secret').read_text()",
    "read a file of the machine": "Path('/etc/passwd').read_text()",
    "write a file elsewhere": "(outside / 'new').write_text('x')",
    "delete a file": "(outside / 'secret').unlink()",
    "alter the evidence": "(outside / 'evidence').write_text('altered')",
    "fill the disk, also by files that are removed and open": "(inside / 'big').write_bytes(bytes(2 << 20))",
    "open a TCP socket": "socket.socket()",
    "open a unix socket": "socket.socket(socket.AF_UNIX)",
    "run a program": "os.execv('/bin/true', ['true'])",
    "fork": "os.fork()",
    "run a shell": "os.system('true') == 0 or (_ for _ in ()).throw(PermissionError())",
    "signal the worker": "os.kill(parent, 0)",
    "mount a file system": "check(libc.mount(b'none', bytes(inside), b'tmpfs', 0, None))",
    "trace another process": "check(libc.ptrace(16, parent, 0, 0))",
    "enter another namespace": "check(libc.unshare(0x10000000))",
    "open a file to everybody (`chmod`)": "(outside / 'secret').chmod(0o666)",
    "truncate a file": "os.truncate(outside / 'secret', 0)",
    "type into the terminal (`TIOCSTI`)": "fcntl.ioctl(0, termios.TIOCSTI, b'x')",
    "attach shared memory": "check(libc.shmget(4711, 4096, 0o1666) < 0)",
    "have the kernel signal the worker (`F_SETOWN`)": "fcntl.fcntl(1, fcntl.F_SETOWN, parent)",
    "slow the worker down (`setpriority`)": "os.setpriority(os.PRIO_PROCESS, parent, 19)",
    "keep the worker off the processors": "os.sched_setaffinity(parent, {0})",
    "watch files (`inotify`)": "check(libc.inotify_init1(0) < 0)",
    "read the log of the kernel": "check(libc.klogctl(10, None, 0) < 0)",
    "hold memory that no limit counts (`memfd_create`)": "os.memfd_create('x')",
}
"""What evidence that took over its parser may try; `docs/security.md` says what refuses each."""


@pytest.mark.parametrize("name", ATTEMPTS)
def test_it_is_refused(tmp_path: Path, name: str):
    assert attempt(tmp_path, ATTEMPTS[name]) in {"PermissionError", "OSError"}


def test_every_attempt_is_in_the_table_of_the_document_and_no_other():
    page = (Path(__file__).parents[3] / "docs/security.md").read_text()
    table = page.split("| attempt |")[1].split("\n\n")[0]
    attempts = [row.split("|")[1].strip() for row in table.splitlines()[2:]]
    assert attempts == list(ATTEMPTS)


@pytest.mark.parametrize(
    "code",
    [
        "assert os.read(evidence, 99) == b'main 1\\n'",
        "(inside / 'new').mkdir(); (inside / 'new' / 'a').write_text('x'); (inside / 'new' / 'a').unlink()",
        "t = threading.Thread(target=print); t.start(); t.join()",
        "import lz4.frame, numpy",
    ],
)
def test_system_calls_of_parsing_are_allowed(tmp_path: Path, code: str):
    assert attempt(tmp_path, code).endswith("done")


def test_a_command_confines_itself_in_ten_milliseconds_of_processor_time():
    program = """
import os, time
from backend.sandbox import confinement
from backend.sandbox.code_paths import code_paths
began = time.process_time()
layers = confinement.confine(readable=code_paths(), has_network_namespace=False)
print(time.process_time() - began, layers.calls)
"""
    taken = []
    # What disturbs on a busy machine costs processor time, too.
    while len(taken) < 20 and min(taken, default=1.0) >= 0.01:
        seconds, calls = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout.split()
        assert calls == "True"
        taken.append(float(seconds))
    assert min(taken) < 0.01
