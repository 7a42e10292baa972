"""Follow a run: kill its workers, send live pastes beside it, cancel it once and go on."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from backend.client import Client

if TYPE_CHECKING:
    import random

    import httpx
    from sqlalchemy.orm import Session, sessionmaker

PATIENCE_SECONDS = 2400
CANCEL_SECONDS = 30
LONGEST_STEP_SECONDS = 0.8
LIVE_PAUSE_SECONDS = 20.0
"""Between pastes of somebody else, each a case of its own."""
LIVE_PATIENCE_SECONDS = 300.0
PASTE = (
    "[ {n}.000001] nvme nvme0: I/O 128 QID 4 timeout, aborting\n[ {n}.900001] nvme nvme0: Abort status: 0x0\n"
)
WORKER = text("select worker from job where kind = 'reprocessing.step' and state = 'running' and attempt < 3")
"""A step whose third worker dies is failed by design."""
OPEN = text("select count(*) from job where kind = 'reprocessing.step' and state in ('queued', 'running')")
COUNTED = text("""
    select (select done from reprocess_run where id = :run),
        (select count(*) from reprocessed_case where run_id = :run)
""")
HALF = text("""
    select count(*) from "case" join case_findings on case_findings.case_id = "case".id
    where number <= :last and (
        judged_rev <> "case".evidence_rev or case_findings.evidence_rev <> judged_rev
        or exists (select from finding where case_id = "case".id and case_rev <> judged_rev)
        or (select count(distinct reader = 'older') from reading where case_id = "case".id) > 1
    )
""")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Watched:
    """What was seen during the runs.

    Attributes:
        runs: As the service states them at their ends: one that was cancelled, and one that did the rest.
        kills: Workers killed with a step.
        looks: How often all cases were looked at, and `halves` how many were not whole then.
        wrong_counts: Looks whose stated progress was not the number of cases done, or went back.
        cancel_seconds: From cancelling to the end of the last step, and `done_after_cancel` cases done since.
        seconds: Duration of all runs.
        cpu_seconds: Of all processes of the service and of its servers.
        live_seconds: From sending a paste to its verdicts, beside the runs.
    """

    runs: list[dict[str, Any]] = field(default_factory=list)
    kills: int = 0
    looks: int = 0
    halves: int = 0
    wrong_counts: int = 0
    cancel_seconds: float = 0.0
    done_after_cancel: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    live_seconds: list[float] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Cases of all runs."""
        return sum(run["done"] for run in self.runs)


def live_paste(client: Client, number: int) -> float:
    """Return the seconds from sending a paste to its verdicts."""
    began = time.monotonic()
    received = client.paste(PASTE.format(n=number))
    client.wait_until_judged(received.case.id, timeout_seconds=LIVE_PATIENCE_SECONDS)
    return time.monotonic() - began


class Visitor(threading.Thread):
    """Sends a paste every few seconds until it is stopped."""

    def __init__(self, url: str, token: str) -> None:
        """Prepare to send to an instance."""
        super().__init__(daemon=True)
        self._address = (url, token)
        self._ended = threading.Event()
        self.seconds: list[float] = []

    def run(self) -> None:
        """Send until stopped."""
        url, token = self._address
        with Client(url, token=token) as client:
            while not self._ended.wait(LIVE_PAUSE_SECONDS):
                self.seconds.append(live_paste(client, len(self.seconds)))

    def stop(self) -> list[float]:
        """Return the seconds of all pastes, after the last one."""
        self._ended.set()
        self.join()
        return self.seconds


class Watch:
    """The runs of one instance from begin to end."""

    def __init__(
        self,
        web: httpx.Client,
        sessions: sessionmaker[Session],
        chance: random.Random,
        *,
        last: int,
        kill_cases: tuple[int, int],
        root: int,
    ) -> None:
        """Prepare to follow runs.

        Args:
            web: The API, as an admin.
            sessions: The database.
            chance: Moments of the kills.
            last: Number of the newest case that is looked at.
            kill_cases: The least and most cases between two kills.
            root: Id of the process whose descendants are the service.
        """
        self._web, self._sessions, self._chance = web, sessions, chance
        self._last, self._kill_cases, self._root = last, kill_cases, root
        self._watched = Watched()

    def follow(self, total: int) -> Watched:
        """Begin a run, cancel it after half of `total` cases, and follow a second one to its end."""
        began, cpu = time.monotonic(), service_cpu_seconds(self._root)
        next_kill = self._chance.randint(*self._kill_cases)
        next_kill = self._until(self._web.post("reprocess-runs", json={}).json(), next_kill, total // 2)
        self._until(self._web.post("reprocess-runs", json={}).json(), next_kill, None)
        self._watched.seconds = time.monotonic() - began
        self._watched.cpu_seconds = service_cpu_seconds(self._root) - cpu
        return self._watched

    def _until(self, run: dict[str, Any], next_kill: int, most: int | None) -> int:
        """Follow a run to its end, or cancel it after `most` cases; return when the next kill is due."""
        watched, before = self._watched, self._watched.done
        deadline = time.monotonic() + PATIENCE_SECONDS
        seen = 0
        while run["state"] == "running" and time.monotonic() < deadline:
            seen = self._look(run["id"], seen)
            is_due = before + run["done"] >= next_kill
            if is_due and self._strike():
                watched.kills += 1
                next_kill = before + run["done"] + self._chance.randint(*self._kill_cases)
            if most is not None and run["done"] >= most:
                run = self._cancelled(run["id"])
                break
            time.sleep(0.05 if is_due else 0.5)
            run = self._web.get(f"reprocess-runs/{run['id']}").json()
        watched.runs.append(run)
        return next_kill

    def _cancelled(self, run_id: str) -> dict[str, Any]:
        """Cancel a run, wait for its last step, and count what is done after that."""
        began = time.monotonic()
        answer = self._web.post(f"reprocess-runs/{run_id}/cancel")
        answer.raise_for_status()
        while time.monotonic() - began < CANCEL_SECONDS:
            with self._sessions() as session:
                if not session.scalar(OPEN):
                    break
            time.sleep(0.05)
        self._watched.cancel_seconds = time.monotonic() - began
        done: int = answer.json()["done"]
        time.sleep(5.0)
        run: dict[str, Any] = self._web.get(f"reprocess-runs/{run_id}").json()
        with self._sessions() as session:
            self._watched.done_after_cancel = session.execute(COUNTED, {"run": run_id}).one()[1] - done
        return run

    def _look(self, run_id: str, seen: int) -> int:
        watched = self._watched
        with self._sessions() as session:
            watched.halves += session.scalar(HALF, {"last": self._last}) or 0
            done, rows = session.execute(COUNTED, {"run": run_id}).one()
            watched.looks += 1
        watched.wrong_counts += done != rows or done < seen
        return int(done)

    def _strike(self) -> bool:
        """Kill the worker of a step at a random moment of it; return whether there was one."""
        with self._sessions() as session:
            if session.scalar(WORKER) is None:
                return False
        time.sleep(self._chance.uniform(0, LONGEST_STEP_SECONDS))
        with self._sessions() as session:
            name = session.scalar(WORKER)
        if name is None:
            return False
        try:
            os.kill(int(name.rpartition(":")[2]), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


def service_cpu_seconds(root: int) -> float:
    """Return the CPU time of all descendants of a process, and of those that they waited for."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        pid = int(path.parent.name)
        parents[pid] = int(fields[1])
        ticks[pid] = sum(map(int, fields[11:15]))
    own = {root}
    while added := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= added
    return sum(ticks.get(pid, 0) for pid in own - {root}) / TICKS
