"""HTTP clients for load: raw asyncio connections that cost little processor time themselves.

python -m benchmarks.http_load URL PID,PID… SECONDS     watch the health of URL, print the answers as JSON
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

HEALTH = ("/healthz", "/api/v1/health")
HEALTH_EVERY_SECONDS = 0.05
ANSWER_SECONDS = 60.0
NO_ANSWER = 0
"""Stands for the status of a request that was not answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One response with its duration in seconds."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


@dataclass(slots=True)
class Outcome:
    """The answers of many requests."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    refusals: list[Answer] = field(default_factory=list)

    def add(self, answer: Answer) -> None:
        """Count a response; durations are recorded for successful ones."""
        self.statuses[answer.status] += 1
        if answer.status == 200:
            self.seconds.append(answer.seconds)
        elif len(self.refusals) < 1000:
            self.refusals.append(answer)


class Connection:
    """One connection to a server, opened anew when it was closed."""

    def __init__(self, url: str, token: str = "") -> None:
        """Prepare to ask the server at `url`, signed in by `token`."""
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._head = f"Host: {parts.netloc}\r\n"
        if token:
            self._head += f"Authorization: Bearer {token}\r\n"
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"") -> Answer:
        """Return the answer; status 0 when none came in a minute.

        A connection that the server closed while it was idle is opened anew, as every client does.
        """
        began = time.perf_counter()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                if self._reader is not None and self._reader.at_eof():
                    self.close()
                status, headers, content = await self._ask(method, path, body)
        except (OSError, EOFError, TimeoutError):
            self.close()
            return Answer(NO_ANSWER, {}, b"", time.perf_counter() - began)
        return Answer(status, headers, content, time.perf_counter() - began)

    async def begin(self, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str]]:
        """Send a request and return the head of its answer."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        assert self._reader is not None  # noqa: S101 - opened together
        length = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{self._head}{length}\r\n".encode() + body)
        start, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines) if name}
        return int(start.split()[1]), headers

    async def read_line(self) -> bytes:
        """Return a line of an answer that goes on."""
        assert self._reader is not None  # noqa: S101 - `begin` comes first
        return await self._reader.readline()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            self._writer.transport.abort()
        self._reader = self._writer = None

    async def _ask(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        status, headers = await self.begin(method, path, body)
        assert self._reader is not None  # noqa: S101 - `begin` comes first
        if "content-length" in headers:
            content = await self._reader.readexactly(int(headers["content-length"]))
        else:
            content = b""
            while size := int(await self._reader.readline(), 16):
                content += await self._reader.readexactly(size)
                await self._reader.readexactly(2)
            await self._reader.readline()
        if headers.get("connection") == "close":
            self.close()
        return status, headers, content


async def ask_until(
    url: str, token: str, paths: Sequence[str], *, clients: int, seconds: float, think_seconds: float = 0.0
) -> Outcome:
    """Have `clients` ask for `paths` in turn, each so long after it was answered, for so long.

    Each asks at least once: on a machine that leaves them little processor time, the time may have passed
    before the last ones begin.
    """
    outcome = Outcome()
    deadline = time.perf_counter() + seconds

    async def client(number: int) -> None:
        connection = Connection(url, token)
        turn = number
        # People begin one after the other.
        await asyncio.sleep(think_seconds * number / clients)
        while turn == number or time.perf_counter() < deadline:
            outcome.add(await connection.ask("GET", paths[turn % len(paths)]))
            turn += 1
            await asyncio.sleep(think_seconds)
        connection.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return outcome


async def ask_once(url: str, token: str, path: str, *, clients: int) -> Outcome:
    """Send one request for `path` from each of `clients` at the same time."""
    outcome = Outcome()
    connections = [Connection(url, token) for _ in range(clients)]
    for answer in await asyncio.gather(*(connection.ask("GET", path) for connection in connections)):
        outcome.add(answer)
    for connection in connections:
        connection.close()
    return outcome


class Listeners:
    """Many open streams of events."""

    def __init__(self, url: str, token: str, path: str, *, count: int) -> None:
        """Prepare `count` listeners at `path`."""
        self._connections = [Connection(url, token) for _ in range(count)]
        self._path = path
        self.statuses: Counter[int] = Counter()

    async def open(self) -> None:
        """Open all at once; return when each has its answer."""
        await asyncio.gather(*(self._open(connection) for connection in self._connections))

    def close(self) -> None:
        """Close all connections."""
        for connection in self._connections:
            connection.close()

    async def _open(self, connection: Connection) -> None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status, _ = await connection.begin("GET", self._path)
        except (OSError, EOFError, TimeoutError):
            status = NO_ANSWER
        self.statuses[status] += 1


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One health check of a service.

    Attributes:
        cpu_seconds: What the busiest API process computed meanwhile. Where others use the machine
            too, this is how long the answer would have taken on a core of the process's own.
    """

    path: str
    status: int
    seconds: float
    cpu_seconds: float


async def watch_health(url: str, pids: Sequence[int], seconds: float) -> list[HealthCheck]:
    """Ask for the health of `url` now and then, on a new connection each time, as a load balancer does."""
    deadline = time.perf_counter() + seconds
    checks: list[HealthCheck] = []
    while time.perf_counter() < deadline:
        connection = Connection(url)
        path = HEALTH[len(checks) % len(HEALTH)]
        before = [cpu_seconds(pid) for pid in pids]
        answer = await connection.ask("GET", path)
        used = max(cpu_seconds(pid) - began for pid, began in zip(pids, before, strict=True))
        connection.close()
        checks.append(HealthCheck(path, answer.status, answer.seconds, used))
        await asyncio.sleep(HEALTH_EVERY_SECONDS)
    return checks


def cpu_seconds(pid: int) -> float:
    """Return the processor time of all threads of a process that live now.

    Source: https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat
    """
    used = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            used += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
    return used / 1e9


class HealthWatch:
    """A process of its own that watches the health of a service while others load it."""

    def __init__(self, url: str, pids: Sequence[int], *, seconds: float) -> None:
        """Watch `url`, whose API processes are `pids`, for so long."""
        command = [sys.executable, "-m", "benchmarks.http_load", url, ",".join(map(str, pids)), str(seconds)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def checks(self) -> list[HealthCheck]:
        """Return the checks after the end."""
        output, _ = self._process.communicate()
        return [HealthCheck(*row) for row in json.loads(output)]


def main(url: str, pids: str, seconds: str) -> None:
    """Watch the health of `url` and print the checks."""
    checks = asyncio.run(watch_health(url, [int(pid) for pid in pids.split(",")], float(seconds)))
    sys.stdout.write(json.dumps([astuple(check) for check in checks]))


if __name__ == "__main__":
    main(*sys.argv[1:])
