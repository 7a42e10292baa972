"""The walls: what a process that raised them cannot do any more."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import ctypes, os, signal, socket, sys, threading
from pathlib import Path
from backend.evidence import sandbox_walls as walls

inside, outside, parent = Path(sys.argv[1]), Path(sys.argv[2]), os.getppid()
evidence = os.open(outside / "evidence", os.O_RDONLY)
walls.limit(cpu_seconds=5, file_bytes=1 << 20, open_files=64)
network = walls.leave_network()
walls.gain_nothing()
files = walls.keep_files(readable=[Path(sys.prefix), Path(sys.base_prefix), Path("/usr/lib"), Path("/lib")],
                         writable=inside)
calls = walls.keep_calls()
assert files and calls, (network, files, calls)
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


@pytest.mark.parametrize(
    "code",
    [
        "(outside / 'secret').read_text()",
        "(outside / 'new').write_text('x')",
        "(outside / 'secret').unlink()",
        "(outside / 'evidence').write_text('altered')",
        "Path('/etc/passwd').read_text()",
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "os.execv('/bin/true', ['true'])",
        "os.fork()",
        "os.system('true') == 0 or (_ for _ in ()).throw(PermissionError())",
        "os.kill(parent, 0)",
        "(inside / 'big').write_bytes(bytes(2 << 20))",
    ],
)
def test_it_is_refused(tmp_path: Path, code: str):
    assert attempt(tmp_path, code) in {"PermissionError", "OSError"}


@pytest.mark.parametrize(
    "code",
    [
        "assert os.read(evidence, 99) == b'main 1\\n'",
        "(inside / 'new').mkdir(); (inside / 'new' / 'a').write_text('x'); (inside / 'new' / 'a').unlink()",
        "t = threading.Thread(target=print); t.start(); t.join()",
        "import zstandard, numpy",
    ],
)
def test_reading_needs_it_and_may(tmp_path: Path, code: str):
    assert attempt(tmp_path, code).endswith("done")
