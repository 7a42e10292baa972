"""The fork server hands out forks, also those that end at once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

from backend.sandbox import warm_up
from backend.sandbox.fork_server import FOR_CASES, Fork, _Forker
from signatures.document.files import LIBRARY
from tests.waiting import until


def test_a_fork_that_has_ended_already_is_still_a_fork(tmp_path: Path):
    forker = _Forker()
    evidence = os.open(tmp_path, os.O_RDONLY)
    answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        # Without an output directory a fork ends before it reads anything.
        with theirs:
            socket.send_fds(forker.control, [b"{}"], [*[evidence] * 3, theirs.fileno()])
        pid = json.loads(answers.recv(4096, socket.MSG_PEEK))["pid"]
        until(lambda: not Path(f"/proc/{pid}").exists(), every=0.001)
        fork = Fork(answers)
        assert fork.pid == pid
        assert fork.hear_status() != 0
        fork.end()
        fork.close()
    finally:
        os.close(evidence)
        forker.close()


def test_it_outlives_the_thread_that_started_it():
    forkers: list[_Forker] = []
    thread = threading.Thread(target=lambda: forkers.append(_Forker()))
    thread.start()
    thread.join()
    [forker] = forkers
    output, evidence = socket.socketpair()
    answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with output, evidence, answers, theirs:
        request = json.dumps({"computation": "read", "output": "/nonexistent"}).encode()
        descriptor = evidence.fileno()
        socket.send_fds(forker.control, [request], [descriptor] * 3 + [theirs.fileno()])
        fork = Fork(answers)
        assert fork.hear_status() != 0
        os.close(fork._handle)
        assert forker.is_alive
    forker.close()


def test_it_ends_when_the_process_that_started_it_is_killed():
    program = (
        "import os, sys\n"
        "from backend.sandbox.fork_server import _Forker\n"
        "forker = _Forker()\n"
        "print(forker._process.pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    starter = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with starter:
        assert starter.stdout is not None
        server = int(starter.stdout.readline())
        starter.kill()
    until(lambda: not Path(f"/proc/{server}").exists() or "Z" in status_of(server))


def status_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def test_the_fixtures_that_warm_it_up_are_in_the_library():
    assert all(any((LIBRARY / name).iterdir()) for name in warm_up.FIXTURES)


def test_while_nobody_asks_it_reads_known_texts_and_answers_between_them():
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-I", "-m", "backend.sandbox.engine", str(theirs.fileno()), FOR_CASES]
    with control, theirs:
        server = subprocess.Popen(command, pass_fds=(theirs.fileno(),))
        try:
            _end_of_a_fork(control)
            at_first = _resident_pages(server.pid)
            until(lambda: _resident_pages(server.pid) > at_first + 1000)
            _end_of_a_fork(control)
            assert server.poll() is None
        finally:
            server.kill()
            server.wait()


def test_a_known_text_that_cannot_be_read_ends_the_warm_up_alone():
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program = (
        "import socket, sys\n"
        "from backend.sandbox import child, warm_up\n"
        "warm_up.FIXTURES, warm_up.read_folder = warm_up.FIXTURES[:1], lambda folder: 1 / 0\n"
        "child.serve(socket.socket(fileno=int(sys.argv[1])), is_for_cases=True)\n"
    )
    command = [sys.executable, "-c", program, str(theirs.fileno())]
    with control, theirs:
        server = subprocess.Popen(command, pass_fds=(theirs.fileno(),), stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            while "ZeroDivisionError" not in server.stderr.readline():
                assert server.poll() is None
            _end_of_a_fork(control)
            assert server.poll() is None
        finally:
            server.kill()
            server.communicate()


def _end_of_a_fork(control: socket.socket) -> None:
    """Have a server fork, and wait until the fork has ended without an output directory."""
    answers, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with answers, Path(os.devnull).open("r+b") as nothing:
        with theirs:
            socket.send_fds(control, [b"{}"], [*[nothing.fileno()] * 3, theirs.fileno()])
        fork = Fork(answers)
        assert fork.hear_status() != 0
        os.close(fork._handle)


def _resident_pages(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
