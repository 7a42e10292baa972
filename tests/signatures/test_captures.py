"""Capture commands are POSIX sh, have time limits, and open only the files they name.

Every capture that can run here is run under strace, with its waits shortened, against a process of our own.
What cannot (a tool of another system, a right this user lacks) is named at the end of the run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from signatures.authoring.command_safety import capture_complaints
from signatures.language.model import Capture
from tests.signatures.captures import NOT_RUN, RUNNABLE, RUNS, missing

SLOW_FILES = re.compile(r"/proc/(\d+)/(?:task/\d+/)?(cmdline|environ|maps|smaps|smaps_rollup|numa_maps)$")
# perf unpacks the vDSO it runs on for a moment, a few KiB.
ALLOWED = ("/run/", "/dev/", "/proc/self", "/tmp/perf-vdso.so-")  # noqa: S108 - a place that is read, not made
SHORTER = (
    (r"\bsleep \d+", "sleep 0.2"),
    (r"interval:s:\d+", "interval:ms:300"),
    (r"-i 0\.01 -c \d+", "-i 0.2 -c 2"),
    (r"-d 3\b", "-d 0.3"),
    (r" 1 5$", " 1 1"),
)


@pytest.mark.parametrize(("capture", "run"), RUNS.values(), ids=RUNS)
def test_a_capture_is_posix_sh(capture, run):
    shell = shutil.which("dash") or "sh"
    checked = subprocess.run([shell, "-n", "-c", run], check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    assert list(capture_complaints(capture)) == []


def test_captures_not_run_here_have_a_reason():
    assert set(RUNNABLE) | set(NOT_RUN) == set(RUNS)
    assert missing("timeout -s KILL 5 no-such-tool") == "no-such-tool is not installed here"
    assert all(reason == missing(RUNS[name][1]) for name, reason in NOT_RUN.items())


HARMFUL = {
    "timeout -s KILL 5 cat /proc/*/cmdline": "name one $PID",
    "timeout -s KILL 5 cat /proc/[0-9]*/smaps_rollup": "name one $PID",
    "timeout -s KILL 9 perf record -a -g -- sleep 5": "--synth=task",
    "timeout -s KILL 5 ps aux": "command lines",
    "timeout -s KILL 5 ps -eo pid,comm": "command lines",
    "timeout -s KILL 5 pgrep -f java": "command lines",
    "timeout -s KILL 5 pidstat -p 1 -l 1 5": "command lines",
    "timeout -s KILL 5 systemd-cgls": "command lines",
    "cat /proc/vmstat": "no time limit",
    "timeout -s KILL 5 uname -a; cat /proc/vmstat": "cat has no time limit of its own",
    "for t in $(ls /proc/1/task); do timeout -s KILL 1 cat /proc/1/task/$t/stack; done": "ls has no time",
    "timeout -s KILL 9 perf record --synth=no -a -o /run/x -- sleep 5": "without -N fills ~/.debug",
    "timeout 5 cat /proc/vmstat; timeout -s KILL 5 uname": "without -s KILL",
    "timeout -s KILL 60 perf record --synth=no -a -o /tmp/x -- sleep 5": "outside /run",
    "timeout -s KILL 5 dmesg > /root/x": "outside /run",
    "timeout -s KILL 5 cat /sys/fs/cgroup/{memory,cpu}.stat": "brace expansion",
    "if [[ -e /x ]]; then timeout -s KILL 5 uname; fi": "[[ ]]",
    "timeout -s KILL 30 gdb -p $PID -batch": "stops threads",
    "timeout -s KILL 30 strace -f -p $PID": "stops threads",
    "timeout -s KILL 5 sh -c 'echo t > /proc/sysrq-trigger'": "floods",
    "timeout -s KILL 60 bpftrace -e 'kprobe:_raw_spin_lock { @ = count(); } END { exit(); }'": "load",
    "time timeout -s KILL 5 cat /sys/fs/cgroup/memory/memory.stat": "time is not available in every sh",
    "timeout -s KILL 9 perf record -N --synth=no -a -o /run/x -- sleep 5": "fills the RAM below /run",
    "timeout -s KILL 60 bpftrace -e 'profile:hz:49 { @[kstack] = count(); }'": "never prints",
}


@pytest.mark.parametrize(("run", "words"), HARMFUL.items())
def test_an_unsafe_capture_is_rejected(run, words):
    assert words in " ".join(capture_complaints(Capture("c", "t", run, "none", reads=("x",))))


def test_a_capture_for_windows_ends_by_itself():
    def complaints(run):
        return " ".join(capture_complaints(Capture("c", "t", run, "none", reads=("x",), os="windows")))

    assert complaints('typeperf "\\Memory\\Page Faults/sec" -si 1 -sc 60') == ""
    assert "never ends" in complaints('typeperf "\\Memory\\Page Faults/sec" -si 1')


@pytest.fixture(scope="module")
def victim():
    """Run a process of our own that captures may look at."""
    process = subprocess.Popen(["sleep", "600"])
    yield process.pid
    process.kill()
    process.wait()


def cgroup() -> str:
    """Return a directory with cgroup files, of whichever version this machine has."""
    for folder in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        if any(Path(folder).glob("memory.*")) or Path(folder, "cgroup.controllers").exists():
            return folder
    return "/sys/fs/cgroup"


@pytest.mark.parametrize(("capture", "run"), RUNNABLE.values(), ids=RUNNABLE)
def test_a_capture_opens_only_what_it_names(capture, run, victim, tmp_path):
    for shape, shorter in SHORTER:
        run = re.sub(shape, shorter, run)
    trace = tmp_path / "trace"
    settings = {"PID": str(victim), "CG": cgroup(), "CPU": "0", "HOST": "127.0.0.1", "NEW": "1"}
    command = ["strace", "-f", "-qq", "-e", "trace=open,openat,openat2,kill,ptrace,tgkill", "-o", str(trace)]
    done = subprocess.run(
        [*command, "sh", "-c", run],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        errors="replace",
    )
    calls = trace.read_text(errors="replace").splitlines()
    assert calls, done.stderr
    own = {line.split()[0] for line in calls}
    opened = [path for line in calls for path in re.findall(r'open\w*\((?:AT_FDCWD, )?"([^"]+)"', line)]
    strangers = [
        path for path in opened if (found := SLOW_FILES.search(path)) and found[1] not in own | {str(victim)}
    ]
    assert strangers == []
    of_victim = {
        Path(path).name for path in opened if path.startswith(f"/proc/{victim}/") and SLOW_FILES.search(path)
    }
    named = " ".join(capture.reads)
    assert {name for name in of_victim if name not in named} == set()
    assert not [line for line in calls if re.search(rf"\b(?:t?kill|tgkill|ptrace)\(\w*, ?{victim}\b", line)]
    written = re.findall(
        r'open\w*\((?:AT_FDCWD, )?"([^"]+)", [^)\n]*O_(?:WRONLY|RDWR)[^)\n]*O_CREAT', "\n".join(calls)
    )
    assert [path for path in written if not path.startswith(ALLOWED)] == []
