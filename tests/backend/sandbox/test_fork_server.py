"""The fork server hands out forks, also those that end at once."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

from backend.sandbox.fork_server import Fork, _Forker
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
