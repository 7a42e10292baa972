"""/proc and /sys of this machine: what a reader knows is read, and what never ends is not opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ingest import live_files
from ingest.evidence import read_paths


def test_a_directory_of_a_process_ends_and_its_files_have_their_whole_path():
    read = list(read_paths([Path("/proc/self")]))
    paths = {one.captured_path for one in read if one.state == "read"}
    assert f"proc/{os.getpid()}/status" in paths
    assert not any(path.endswith(("pagemap", "mem", "auxv", "/fd/0")) for path in paths)


@pytest.mark.parametrize("name", ["pagemap", "mem"])
def test_a_file_that_never_ends_is_refused_with_what_shows_the_same(name):
    (one,) = read_paths([Path("/proc/self") / name])
    assert (one.state, "send smaps instead" in one.reason) == ("rejected", True)


def test_a_copy_of_proc_is_no_file_of_the_running_kernel(tmp_path):
    copy = tmp_path / "proc" / "812"
    copy.mkdir(parents=True)
    (copy / "pagemap").write_text("what somebody noted about it\n")
    assert live_files.captured_root(tmp_path) is None
    assert [one.captured_path for one in read_paths([tmp_path])] == ["proc/812/pagemap"]


def test_pipes_and_sockets_of_a_directory_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "uptime.txt").write_text(" 10:11:12 up 3 days,  load average: 0.10, 0.20, 0.30\n")
    assert [one.captured_path for one in read_paths([tmp_path])] == ["uptime.txt"]


def test_a_file_of_a_process_keeps_its_whole_path():
    (one,) = read_paths([Path(f"/proc/{os.getpid()}/status")])
    assert (one.state, one.captured_path) == ("read", f"proc/{os.getpid()}/status")
