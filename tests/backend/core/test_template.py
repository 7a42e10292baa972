"""The template process: its forks run a module with arguments, environment and descriptors of their own."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from backend.core.supervisor.processes import Child, Program, start_ticks
from backend.core.supervisor.template import Template
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

SPEAKING = """
import os, shared, socket, sys

socket.socket(fileno=int(sys.argv[1])).send(f"{shared.IMPORTED_BY} {os.getpid()}".encode())
print(os.environ["ASKED"], "from", os.getpid())
sys.exit(3)
"""

BUSY = """
import signal, sys, time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("working", flush=True)
time.sleep(600)
"""


@pytest.fixture
def template(tmp_path: Path) -> Iterator[Template]:
    (tmp_path / "shared.py").write_text("import os\nIMPORTED_BY = os.getpid()\n")
    (tmp_path / "speaking.py").write_text(SPEAKING)
    (tmp_path / "sleeping.py").write_text("import time\ntime.sleep(600)\n")
    (tmp_path / "busy.py").write_text(BUSY)
    template = Template(["shared"], {"PYTHONPATH": str(tmp_path)})
    template.start()
    yield template
    template.stop()


def child(template: Template, tmp_path: Path, module: str, *arguments: str, **details) -> Child:
    command = [sys.executable, "-m", module, *arguments]
    return Child(Program(module, command, template=template, **details), tmp_path / "logs")


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_fork_has_its_descriptors_environment_log_and_status(template: Template, tmp_path: Path):
    ours, theirs = socket.socketpair()
    number = theirs.fileno()
    speaking = child(
        template, tmp_path, "speaking", str(number), environment={"ASKED": "hello"}, fds=(number,)
    )
    with ours, theirs:
        speaking.start()
        first = ours.recv(100).decode().split()
        until(lambda: not speaking.is_alive)
        assert speaking.outcome == "status 3"
        assert "starting it again" in speaking.revive()
        until(lambda: speaking.revive() == "speaking started again")
        second = ours.recv(100).decode().split()
    assert first[0] == second[0], "both are forks of one process that imported the module"
    assert first[1] != second[1]
    assert second[1] == str(speaking.pid)
    until(lambda: speaking.last_lines() == f"hello from {first[1]}\nhello from {second[1]}")
    speaking.stop()


def test_a_fork_stops_on_its_signal_and_is_shown_as_its_program(template: Template, tmp_path: Path):
    sleeping = child(template, tmp_path, "sleeping", stop_signal=signal.SIGUSR1)
    sleeping.start()
    shown = Path(f"/proc/{sleeping.pid}/cmdline")
    until(lambda: f"{sys.executable} -m sleeping" in shown.read_text())
    assert os.getsid(sleeping.pid) == sleeping.pid
    sleeping.stop()
    assert not sleeping.is_alive
    assert sleeping.outcome == "SIGUSR1"


def test_a_killed_template_takes_its_forks_along_and_is_replaced(template: Template, tmp_path: Path):
    sleeping = child(template, tmp_path, "sleeping")
    sleeping.start()
    before = sleeping.pid
    os.kill(parent_of(before), signal.SIGKILL)
    until(lambda: start_ticks(before) == 0)
    until(lambda: not sleeping.is_alive)
    assert "starting it again" in sleeping.revive()
    until(lambda: sleeping.revive() == "sleeping started again")
    assert sleeping.is_alive
    sleeping.stop()
    assert sleeping.outcome == "SIGTERM"


def test_a_fork_busy_with_its_job_does_not_outlive_a_killed_template(template: Template, tmp_path: Path):
    busy = child(template, tmp_path, "busy")
    busy.start()
    until(lambda: busy.last_lines() == "working")
    os.kill(parent_of(busy.pid), signal.SIGKILL)
    until(lambda: start_ticks(busy.pid) == 0)
    assert not busy.is_alive
