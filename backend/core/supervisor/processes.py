"""Child processes: each in its own session, stopped when we die, and recorded for cleanup after a crash.

A killed supervisor leaves a record of its children: pid and start time (clock ticks since boot, field 22 of
/proc/PID/stat), which together identify a process. The next supervisor stops the remaining ones.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import BinaryIO

PR_SET_PDEATHSIG = 1
MAX_LOG_BYTES = 16 << 20
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
STEADY_AFTER_SECONDS = 60.0
_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Program:
    """One process to keep running.

    Attributes:
        stop_signal: Signal for a graceful stop.
        stop_seconds: Time to stop before it is killed.
        fds: File descriptors it inherits.
        before: Callback before every start.
        template: Process to fork it from, when `command` is `python -m MODULE ARGUMENT...`; otherwise it is
            executed.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 10.0
    fds: tuple[int, ...] = ()
    before: Callable[[], None] | None = None
    template: Starter | None = None


class Starter(Protocol):
    """What starts a program otherwise than by executing it: `backend.core.supervisor.template.Template`."""

    def fork(self, program: Program, log: int) -> Process:
        """Start `program` with its output to the descriptor `log`."""


class Process(Protocol):
    """What a child uses of `subprocess.Popen` and of a fork of the template."""

    @property
    def pid(self) -> int:
        """Process id."""

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit status, or raise `subprocess.TimeoutExpired`."""


def end_with_parent(stop_signal: signal.Signals = signal.SIGTERM) -> None:
    """Have the kernel send this process a signal when its parent ends (PR_SET_PDEATHSIG)."""
    _libc.prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)


class Child:
    """One program, running, crashed or not yet started."""

    def __init__(self, program: Program, log_dir: Path) -> None:
        """Prepare to run `program`, logging its output below `log_dir`."""
        self.program = program
        self.log = log_dir / f"{program.name}.log"
        self._process: Process | None = None
        self._started_at = 0.0
        self._start_after = 0.0
        self._pause = FIRST_PAUSE_SECONDS

    @property
    def pid(self) -> int:
        """Process id; 0 when it never ran."""
        return self._process.pid if self._process is not None else 0

    @property
    def is_alive(self) -> bool:
        """Whether it runs now."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it. Call from the main thread: the kernel binds the child to the starting thread."""
        if self.program.before is not None:
            self.program.before()
        _rotate(self.log)
        with self.log.open("ab") as log:
            os.fchmod(log.fileno(), 0o600)
            if self.program.template is not None:
                self._process = self.program.template.fork(self.program, log.fileno())
            else:
                self._process = self._execute(log)
        self._started_at = time.monotonic()

    def _execute(self, log: BinaryIO) -> subprocess.Popen[bytes]:
        parent = os.getpid()

        def end_with_us() -> None:
            end_with_parent(self.program.stop_signal)
            if os.getppid() != parent:
                os._exit(1)

        return subprocess.Popen(
            list(self.program.command),
            env={**os.environ, **self.program.environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=self.program.fds,
            start_new_session=True,
            preexec_fn=end_with_us,  # noqa: PLW1509 - the supervisor has one thread
        )

    def revive(self) -> str:
        """Restart it when it has died and its back-off is over; return a message about any change."""
        if self.is_alive:
            return ""
        now = time.monotonic()
        if self._start_after == 0.0:
            if now - self._started_at > STEADY_AFTER_SECONDS:
                self._pause = FIRST_PAUSE_SECONDS
            self._start_after = now + self._pause
            self._pause = min(self._pause * 2, LONGEST_PAUSE_SECONDS)
            seconds = self._start_after - now
            ended = f"{self.program.name} ended ({self.outcome})"
            return f"{ended}; starting it again in {seconds:.1f} s, see {self.log}"
        if now < self._start_after:
            return ""
        self._start_after = 0.0
        self.start()
        return f"{self.program.name} started again"

    @property
    def outcome(self) -> str:
        """Exit status, for display."""
        status = self._process.poll() if self._process is not None else None
        if status is None:
            return "running"
        return f"status {status}" if status >= 0 else signal.Signals(-status).name

    def ask_to_stop(self) -> None:
        """Send it the stop signal."""
        if self.is_alive:
            os.kill(self.pid, self.program.stop_signal)

    def wait_stopped(self) -> None:
        """Wait until it has ended; kill its process group after `stop_seconds`."""
        if self._process is None:
            return
        try:
            self._process.wait(self.program.stop_seconds)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self._process.wait()

    def stop(self) -> None:
        """End it."""
        self.ask_to_stop()
        self.wait_stopped()

    def last_lines(self, count: int = 5) -> str:
        """Return the end of its log."""
        if not self.log.is_file():
            return ""
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-count:])


class Record:
    """The record of all children ever started and not yet seen dead, for cleanup after a crash."""

    def __init__(self, path: Path) -> None:
        """Store the record at `path`."""
        self._path = path
        self._rows: dict[tuple[int, int], dict[str, Any]] = {}

    def write(self, children: Sequence[Child]) -> None:
        """Write the running `children`, and those written before that still run, under whichever parent."""
        self._add(children)
        self._rows = {key: row for key, row in self._rows.items() if start_ticks(key[0]) == key[1]}
        document = {"boot": _boot_id(), "processes": list(self._rows.values())}
        partial = self._path.with_suffix(".new")
        partial.write_text(json.dumps(document), encoding="utf-8")
        partial.replace(self._path)

    def _add(self, children: Sequence[Child]) -> None:
        for child in children:
            started = start_ticks(child.pid) if child.is_alive else 0
            if started:
                self._rows[child.pid, started] = {
                    "name": child.program.name,
                    "pid": child.pid,
                    "started": started,
                    "signal": int(child.program.stop_signal),
                    "seconds": child.program.stop_seconds,
                }

    def end_orphans(self) -> list[str]:
        """Stop the children of a killed supervisor, last started first; return their names."""
        try:
            record = json.loads(self._path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return []
        if record["boot"] != _boot_id():
            return []
        ended = []
        for row in reversed(record["processes"]):
            if row["started"] and start_ticks(row["pid"]) == row["started"]:
                end_process(row["pid"], signal.Signals(row["signal"]), row["seconds"])
                ended.append(row["name"])
        return ended


def end_now(pid: int, ticks: int) -> None:
    """Kill the process group of a session leader that is not our child, if it is still the same process."""
    if ticks and start_ticks(pid) == ticks:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def end_process(pid: int, stop_signal: signal.Signals, seconds: float) -> None:
    """Stop a process that is not our child, killing its process group after `seconds`."""
    ticks = start_ticks(pid)
    with suppress(ProcessLookupError):
        os.kill(pid, stop_signal)
    deadline = time.monotonic() + seconds
    while ticks and start_ticks(pid) == ticks:
        if time.monotonic() > deadline:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            deadline = time.monotonic() + seconds
        time.sleep(0.05)


def start_ticks(pid: int) -> int:
    """Return the start time of a process in clock ticks since boot; 0 for none or a zombie.

    Source: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    fields = stat.rpartition(")")[2].split()
    return 0 if fields[0] in {"Z", "X"} else int(fields[19])


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _rotate(log: Path) -> None:
    """Rotate the log when it has grown large, keeping one."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.is_file() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
