"""Clients of an instance: they read cases, paste, upload and listen, and count what fails."""

from __future__ import annotations

import subprocess
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tools.upgrade_trial.version import Version

READS = ("", "/findings?all=true", "/overview", "/evidence", "/profiles", "/notes", "/phases", "/timeline")
PAUSE_SECONDS = 0.3
JUDGED_SECONDS = 240
OVERLOADED = (429, 503)


@dataclass
class Tally:
    """Requests by kind and stage, and each failure with the stage in which it was seen."""

    stage: str = "before"
    done: Counter[tuple[str, str]] = field(default_factory=Counter)
    busy: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    pasted: list[int] = field(default_factory=list)

    def count(self, kind: str) -> None:
        """Count a request that was answered as it should be."""
        self.done[(self.stage, kind)] += 1

    def fail(self, kind: str, what: str) -> None:
        """Record a failure."""
        self.failures.append(f"{self.stage}: {kind}: {what[:300]}")


@dataclass(frozen=True)
class Service:
    """Where clients reach the instance, and with which token."""

    url: str
    token: str
    case: int
    tally: Tally

    def ask(self, kind: str, method: str, path: str, **values: object) -> httpx.Response | None:
        """Send a request on a connection of its own, again while the service asks to; None if it failed."""
        headers = {"authorization": f"Bearer {self.token}", "connection": "close"}
        for _ in range(20):
            try:
                url = f"{self.url}/api/v1/{path}"
                answer = httpx.request(method, url, headers=headers, timeout=120, **values)  # type: ignore[arg-type]
            except httpx.HTTPError as error:
                self.tally.fail(kind, f"{method} {path}: {type(error).__name__} {error}")
                return None
            if answer.status_code in OVERLOADED:
                self.tally.busy[self.tally.stage] += 1
                time.sleep(min(float(answer.headers.get("retry-after", "1")), 5))
                continue
            if answer.is_error:
                self.tally.fail(kind, f"{method} {path}: {answer.status_code} {answer.text}")
                return None
            self.tally.count(kind)
            return answer
        self.tally.fail(kind, f"{method} {path}: 20 times {answer.status_code}")
        return None


def started(service: Service, older: Version, evidence: Path, folder: Path) -> Callable[[], None]:
    """Start all clients; what is returned stops them, each after what it does."""
    stopped = threading.Event()
    loops = [
        threading.Thread(target=loop, args=(service, stopped), daemon=True)
        for loop in (_read, _paste, _listen)
    ]
    loops.append(
        threading.Thread(target=_upload, args=(service, stopped, older, evidence, folder), daemon=True)
    )
    for loop in loops:
        loop.start()

    def stop() -> None:
        stopped.set()
        for loop in loops:
            loop.join(JUDGED_SECONDS + 60)

    return stop


def _read(service: Service, stopped: threading.Event) -> None:
    while not stopped.is_set():
        service.ask("read", "GET", "cases?limit=20")
        for part in READS:
            service.ask("read", "GET", f"cases/{service.case}{part}")
            stopped.wait(PAUSE_SECONDS)


def _paste(service: Service, stopped: threading.Event) -> None:
    """Send a kernel log every few seconds, and read the findings of the one before."""
    number = 0
    while not stopped.is_set():
        number += 1
        text = (
            f"[{number}.000000] Out of memory: Killed process {number} (java) total-vm:8000000kB, "
            f"anon-rss:7000000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:100kB oom_score_adj:0\n"
        )
        answer = service.ask("paste", "PUT", "evidence/dmesg.txt", content=text.encode())
        if answer is not None:
            case = answer.json()["case"]["number"]
            service.tally.pasted.append(case)
            service.ask("read", "GET", f"cases/{case}/findings")
        stopped.wait(2)


def _listen(service: Service, stopped: threading.Event) -> None:
    """Follow the events of a case, as a browser does: a stream that ends is opened again."""
    headers = {"authorization": f"Bearer {service.token}"}
    url = f"{service.url}/api/v1/cases/{service.case}/events"
    while not stopped.is_set():
        try:
            with httpx.stream("GET", url, headers=headers, timeout=20) as answer:
                if answer.status_code not in (200, *OVERLOADED):
                    service.tally.fail("listen", f"{answer.status_code}")
                else:
                    service.tally.count("listen")
                for _ in answer.iter_lines():
                    if stopped.is_set():
                        return
        except httpx.ConnectError as error:
            service.tally.fail("listen", str(error))
        except httpx.HTTPError:
            stopped.wait(1)  # The stream was cut: EventSource connects again.
        stopped.wait(1)


def _upload(service: Service, stopped: threading.Event, older: Version, evidence: Path, folder: Path) -> None:
    """Run `casebook upload --wait` of the older version again and again."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "PYTHONPATH": older.python_path,
        "CASEBOOK_URL": service.url,
        "CASEBOOK_TOKEN": service.token,
    }
    while not stopped.is_set():
        done = subprocess.run(
            [*older.command, "upload", "--wait", "--new", "--timeout", str(JUDGED_SECONDS), evidence],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            service.tally.fail("upload", f"exit status {done.returncode}: {done.stderr[-300:]}")
        else:
            service.tally.count("upload")
        stopped.wait(2)
