"""A hanging read never blocks the collector, and the hang is evidence."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack

import pytest

from ingest.evidence import read_file
from tests.ingest.collect.conftest import PROMISED_SECONDS, SCRIPT, module, run, silence


def hangs(path: str) -> bool:
    """Return whether reading `path` does not come back."""
    try:
        subprocess.run(
            ["timeout", "-s", "KILL", "2", "cat", path], capture_output=True, timeout=20, check=True
        )
    except subprocess.CalledProcessError as error:
        return error.returncode in {-9, 137}
    return False


def test_a_process_with_a_locked_mmap_lock_does_not_block_the_collector(tmp_path):
    with ExitStack() as stuck_later, silence(tmp_path / "silent"):
        # It cannot even be killed before the file system goes.
        page = str(tmp_path / "silent" / "page")
        stuck = stuck_later.enter_context(module("mmap_lock_held", page))
        line = f"/proc/{stuck.pid}/cmdline"
        deadline = time.monotonic() + 60
        while not hangs(line):
            assert time.monotonic() < deadline, "mmap_lock is not held: nothing is shown by this test"
        done = run(tmp_path / "stuck.txt", "--pid", str(stuck.pid))
        assert hangs(line), "it was not held to the end"
    assert done.seconds <= PROMISED_SECONDS
    assert not done.facts("collector.timeout"), "nothing that it reads waits for mmap_lock"
    assert done.value("collector.suspect_pid") == stuck.pid
    frames = {
        frame.name
        for section in done.evidence.sections
        if section.path.startswith(f"/proc/{stuck.pid}/task/")
        for profile in section.reading.profiles
        for frame in profile.frames
    }
    assert "__access_remote_vm" in frames, "and where it is stuck is in the text"


def test_a_file_that_hangs_is_abandoned_after_its_limit_and_named(tmp_path):
    folder = tmp_path / "silent"
    with silence(folder):
        done = run(tmp_path / "silent.txt", "--grab", "--cgroup", str(folder))
    hung = {
        fact.labels["path"]: fact.value for fact in done.facts("collector.timeout") if "path" in fact.labels
    }
    assert hung == {f"{folder}/memory.current": 2.0, f"{folder}/memory.max": 2.0}
    assert done.facts("collector.survivor_pid"), "what waits for such a file cannot be killed either"
    assert done.facts("collector.ended_uptime_seconds")
    assert done.facts("process.wchan"), "the steps after it were taken"
    assert f"{folder}/memory.current" in done.stderr


@pytest.mark.parametrize("signal", ["TERM", "HUP"])
def test_a_stopped_run_keeps_its_output(signal, tmp_path):
    text = tmp_path / "stopped.txt"
    # A shell cannot trap what `nohup`, which may run the tests, ignores.
    command = ["env", f"--default-signal={signal}", "dash", str(SCRIPT), "--no-send", "--out", str(text)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "pressure" not in process.stderr.readline():
            pass
        subprocess.run(["kill", f"-{signal}", str(process.pid)], check=True)
        process.stderr.read()
    assert process.returncode == 1
    facts = {fact.name for section in read_file(text).sections for fact in section.reading.facts}
    assert {"host.boot_id", "collector.cut_off_uptime_seconds"} <= facts
