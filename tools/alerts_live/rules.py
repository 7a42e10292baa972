"""Every alert rule of docker/prometheus fires on a live instance when its fault is provoked.

    python -m tools.alerts_live.rules PATH/prometheus [--only ALERT]...

The rules are those of the file, with `for` of a second. Each fault is real but two: a wait of minutes is made
by moving the time at which a job was due, and a kernel without Landlock by the report of another machine.
Every query of the dashboard is asked as well, and must find data.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

import httpx
import psycopg
import yaml

from cli.service.instance import throw_away
from tools.alerts_live.ports import free_port, say, until
from tools.alerts_live.server import RULES, configuration, firing, panels_without_data, prometheus, series

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cli.service.instance import Instance

SETTINGS = {
    "CASEBOOK_OUTGOING_ALLOW": "127.0.0.1/32",
    "CASEBOOK_API_PROCESSES": "1",
    "CASEBOOK_API_THREADS": "2",
    "CASEBOOK_MAX_ATTEMPTS": "1",
    "CASEBOOK_LEASE_SECONDS": "4",
    "CASEBOOK_HEARTBEAT_SECONDS": "1",
    "CASEBOOK_REAPER_SECONDS": "1",
    "CASEBOOK_REQUESTS_PER_MINUTE": "0",
}
DISK_MEBIBYTES, FILLED_MEBIBYTES = 2400, 400
SENDERS = 40
QUIET_SECONDS = 5
LINES = 400_000
AWAY = "CasebookDown"


class Faults:
    """Provokes the fault of each rule on an instance."""

    def __init__(self, instance: Instance, token: str) -> None:
        """Provoke on `instance`."""
        self.instance = instance
        self.headers = {"Authorization": f"Bearer {token}"}
        self.api = f"{instance.url}/api/v1"
        self.by_alert: dict[str, Callable[[], None]] = {
            "CasebookSandboxIncomplete": self.sandbox,
            "CasebookInternalErrors": self.internal_errors,
            "CasebookJobsFail": self.failed_job,
            "CasebookEvidenceWaits": self.waiting_evidence,
            "CasebookSlow": self.slow_reads,
            "CasebookOutboxWaits": self.waiting_outbox,
            "CasebookOverloaded": self.overload,
            "CasebookDiskFills": self.full_disk,
            AWAY: self.stopped_service,
        }

    def sandbox(self) -> None:
        """Report a machine whose kernel lacks Landlock and user namespaces."""
        self._sql("""
            insert into sandbox_host (name, kernel, policy, layers, reported_at) values ('old', '4.18.0',
            'best', '{"landlock": 0, "mounts": true, "network": false, "calls": true}', now())
        """)

    def internal_errors(self) -> None:
        """Read a table that is not there."""
        self._sql("alter table saved_search rename to away")
        for _ in range(5):
            self._get("/search/saved")
        self._sql("alter table away rename to saved_search")

    def failed_job(self) -> None:
        """Let the worker hang while it reads, until its lease has expired."""
        lines = b"".join(b"[%5d.%06d] usb 1-1: device %d\n" % (at // 50, at, at) for at in range(LINES))
        self._upload("hangs.txt", lines)
        until(lambda: self._count("state = 'running'") > 0)
        with self._stopped("worker"):
            until(lambda: self._count("state = 'failed'") > 0)

    def waiting_evidence(self) -> None:
        """Stop the workers while evidence waits, and let 400 seconds pass."""
        self._signal("worker", signal.SIGSTOP)
        self._upload("waits.txt", b"[    2.000000] Linux version 6.1.0\n")
        self._sql("update job set run_after = now() - interval '400 s' where state = 'queued'")

    def waiting_outbox(self) -> None:
        """Let a receiver be away while an event is to be sent to it, and 40 minutes pass; make a backup."""
        hook = {"name": "away", "url": f"http://127.0.0.1:{free_port()}/", "kinds": ["case.created"]}
        httpx.post(f"{self.api}/destinations", json=hook, headers=self.headers, timeout=60).raise_for_status()
        httpx.post(
            f"{self.api}/cases", json={"title": "x"}, headers=self.headers, timeout=60
        ).raise_for_status()
        # The event becomes a delivery, with a time of its own, a moment later.
        until(lambda: self._count("true", table="delivery") > 0)
        self._sql("update outbox set created_at = now() - interval '40 minutes'")
        self._sql("update delivery set created_at = now() - interval '40 minutes'")
        with tempfile.TemporaryDirectory() as folder:
            words = ["backup", f"{folder}/backup", "--data-dir", str(self.instance.data_dir)]
            subprocess.run([sys.executable, "-m", "cli", *words], check=True, capture_output=True)

    def slow_reads(self) -> None:
        """Hold a lock that reads wait for, for three seconds at a time."""
        for _ in range(3):
            with self._locked("note"):
                self._send(2, "/cases/1/notes", seconds=1)
                time.sleep(3)

    def overload(self) -> None:
        """Send many requests at once while each of them waits for a lock."""
        with self._locked("note"):
            self._send(SENDERS, "/cases/1/notes", seconds=12)
            time.sleep(12)

    def full_disk(self) -> None:
        """Fill the disk up to less than 2 GiB."""
        with (self.instance.data_dir / "filler").open("wb") as filler:
            filler.write(b"\0" * (FILLED_MEBIBYTES << 20))

    def stopped_service(self) -> None:
        """Stop the process that answers."""
        self._signal("api", signal.SIGSTOP)

    def end(self) -> None:
        """Let stopped processes go on, so that they can end."""
        for name in ("api", "worker"):
            self._signal(name, signal.SIGCONT)

    def _send(self, count: int, path: str, *, seconds: float) -> None:
        """Send requests by `count` clients in the background for some seconds."""
        ends = time.monotonic() + seconds

        def send() -> None:
            while time.monotonic() < ends:
                self._get(path)

        for _ in range(count):
            threading.Thread(target=send, daemon=True).start()

    def _get(self, path: str) -> None:
        with suppress(httpx.HTTPError):
            httpx.get(f"{self.api}{path}", headers=self.headers, timeout=20)

    def _upload(self, name: str, content: bytes) -> None:
        httpx.put(
            f"{self.api}/evidence/{name}", content=content, headers=self.headers, timeout=60
        ).raise_for_status()

    @contextmanager
    def _stopped(self, name: str) -> Iterator[None]:
        self._signal(name, signal.SIGSTOP)
        try:
            yield
        finally:
            self._signal(name, signal.SIGCONT)

    def _signal(self, name: str, number: int) -> None:
        for process, pid in self.instance.pids().items():
            if process.startswith(name):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)

    def _connection(self) -> psycopg.Connection[tuple[Any, ...]]:
        socket = self.instance.data_dir / "run"
        return psycopg.connect(f"host={socket} dbname=casebook user=casebook", autocommit=True)

    def _sql(self, statement: str) -> None:
        with self._connection() as connection:
            connection.execute(statement.encode())

    def _count(self, condition: str, *, table: str = "job") -> int:
        query = b" ".join([b"select count(*) from", table.encode(), b"where", condition.encode()])
        with self._connection() as connection:
            found = connection.execute(query).fetchone()
        return int(found[0]) if found else 0

    @contextmanager
    def _locked(self, table: LiteralString) -> Iterator[None]:
        with self._connection() as connection, connection.transaction():
            connection.execute(f"lock table {table} in access exclusive mode")
            yield


@contextmanager
def small_disk() -> Iterator[None]:
    """Put temporary directories on a small file system of their own; needs root."""
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEBIBYTES}m", "tmpfs", directory], check=True
        )
        before, tempfile.tempdir = tempfile.tempdir, directory
        Path(directory).chmod(0o1777)
        try:
            yield
        finally:
            tempfile.tempdir = before
            subprocess.run(["umount", "--lazy", directory], check=False)


def main(program: str, only: set[str]) -> None:
    """Print which alert fired after how many seconds."""
    # What is mounted, stopped and running is undone when a signal ends this too.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with (
        small_disk(),
        throw_away(say=say, settings=SETTINGS) as instance,
        tempfile.TemporaryDirectory() as folder,
    ):
        token = instance.create_token("prometheus")
        faults = Faults(instance, token)
        try:
            with prometheus(program, configuration(instance, token, Path(folder))) as server:
                silent = _provoke(faults, server, only)
        finally:
            faults.end()
    if silent:
        say(f"did not fire: {', '.join(sorted(silent))}")
        sys.exit(1)


def _provoke(faults: Faults, server: httpx.Client, only: set[str]) -> set[str]:
    """Provoke the faults of `only` or all alerts; return those that did not fire and panels without data."""
    groups = yaml.safe_load(RULES.read_text("utf-8"))["groups"]
    chosen = only or {rule["alert"] for group in groups for rule in group["rules"]}
    silent = chosen - set(faults.by_alert)
    until(lambda: bool(series(server, "up == 1")))
    time.sleep(QUIET_SECONDS)
    say(f"firing before any fault: {', '.join(firing(server)) or 'none'}")
    for name, provoke in faults.by_alert.items():
        if name == AWAY:
            # A service that is away has no data, so the panels are asked before it is.
            empty = panels_without_data(server)
            say(f"panels of the dashboard without data: {', '.join(empty) or 'none'}")
            # Some have data only after a fault, such as refusals.
            silent |= set() if only else {f"panel {title}" for title in empty}
        if name not in chosen:
            continue
        was = name in firing(server)
        provoke()
        try:
            took = until(partial(_fires, server, name))
        except TimeoutError:
            silent.add(name)
            say(f"{name:27} did not fire")
            continue
        when = "before its fault" if was else f"after {took:4.1f} s"
        say(f"{name:27} fired {when}: {firing(server).get(name, '')}")
    return silent


def _fires(server: httpx.Client, name: str) -> bool:
    return name in firing(server)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("prometheus", help="path of the program")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ALERT", help="provoke this one; repeatable"
    )
    options = parser.parse_args()
    main(options.prometheus, set(options.only))
