"""A path on a mount whose server does not answer is refused in seconds; a process that uses it is read."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.process.answering import answers

SERVER = Path(__file__).with_name("stuck_server.py")
MOST_SECONDS = 300.0
"""Of a busy machine; without its limits an analysis waits for ever."""


@pytest.fixture
def stuck_mount(tmp_path):
    """Yield a directory whose server does not answer; skip where this user may not mount one."""
    where = tmp_path / "mnt"
    where.mkdir()
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        pytest.skip("no /dev/fuse for this user")
    server = subprocess.Popen([sys.executable, SERVER, where], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        if server.stdout.readline() != b"mounted\n":
            pytest.skip("this user may not mount a FUSE file system")
        yield where
    finally:
        server.kill()
        server.communicate()
        ctypes.CDLL(None).umount2(os.fsencode(where), 2)


def run(*paths):
    """Return status and words of an analysis, which has to end."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", "analyze", *paths],
        check=False,
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
    )
    return done.returncode, done.stdout + done.stderr


def test_an_analysis_of_a_stuck_mount_ends(stuck_mount):
    for path in (stuck_mount, stuck_mount / "dmesg.txt"):
        status, words = run(path)
        assert status == 2
        assert "does not answer within" in words


def test_an_analysis_of_a_directory_above_a_stuck_mount_ends_and_names_it(stuck_mount):
    beside = stuck_mount.parent / "loadavg.txt"
    beside.write_text("0.10 0.20 0.30 1/200 4242\n")
    status, words = run(stuck_mount.parent)
    assert status == 2
    assert str(stuck_mount) in words
    assert "does not answer within" in words
    assert run(beside)[0] == 0


def test_an_analysis_of_a_process_that_waits_for_a_stuck_mount_ends(stuck_mount):
    waiting = subprocess.Popen(["stat", stuck_mount / "x"], stdout=subprocess.DEVNULL)
    try:
        status, words = run(f"/proc/{waiting.pid}")
    finally:
        waiting.kill()
        waiting.wait()
    assert status == 0
    assert "proc-pid-stat" in words


def test_a_path_that_does_not_exist_is_an_answer(tmp_path):
    assert answers(str(tmp_path / "nothing"))
    assert answers(str(tmp_path))
