"""The actors of a soak test: threads that send what people, CI jobs, listeners and abusers send.

Every actor waits between its rounds, so the load is mixed and bounded: it is to find leaks, not limits.
"""

from __future__ import annotations

import io
import socket
import tarfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[2]
CAPTURE = ROOT / "tests/data/recorded/guest/classic-lru/perf.script.txt.gz"
TREE = ROOT / "backend/evidence/sample_cases/reclaim-at-the-limit"
PASTE_BYTES = 20_000
JUDGED_WITHIN_SECONDS = 90
PAGE_PARTS = ("", "/findings", "/evidence", "/profiles", "/similar", "/timeline", "/hosts", "/jobs")
PAGES = ("/cases", "/library", "/settings", "/no-such-page", "/api/no-such-path", "/metrics")
SEARCHES = ("ps hangs", "shrink_lruvec", "memory.stat is slow", "no such words at all")
LISTENERS = 50
BURST = 60


@dataclass
class Counts:
    """What was answered, by actor and status; safe to count in from every thread."""

    answers: Counter[tuple[str, str]] = field(default_factory=Counter)
    cases: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, actor: str, outcome: str) -> None:
        """Count one answer."""
        with self._lock:
            self.answers[actor, outcome] += 1


@dataclass(frozen=True)
class Target:
    """The instance under load."""

    url: str
    token: str

    def client(self, **details: float) -> httpx.Client:
        """Return a client of the API."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=details.get("timeout", 60)
        )


class Load:
    """All actors of one run."""

    def __init__(self, target: Target) -> None:
        """Prepare to load `target`."""
        self.counts = Counts()
        self._target = target
        self._stop = threading.Event()
        self._round = 0
        actors: Mapping[str, tuple[Callable[[httpx.Client], None], float]] = {
            "responder": (self._responder, 4.0),
            "ci": (self._ci, 30.0),
            "folder": (self._folder, 60.0),
            "reader": (self._reader, 2.0),
            "burst": (self._burst, 30.0),
            "hostile": (self._hostile, 10.0),
        }
        self._threads = [
            threading.Thread(target=self._repeat, args=(name, *actor), name=name)
            for name, actor in actors.items()
        ] + [threading.Thread(target=self._listener, name=f"listener-{at}") for at in range(LISTENERS)]

    def start(self) -> None:
        """Start every actor."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop every actor and wait for it."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, name: str, act: Callable[[httpx.Client], None], pause_seconds: float) -> None:
        with self._target.client() as client:
            while not self._stop.wait(pause_seconds):
                try:
                    act(client)
                except httpx.HTTPError as error:
                    self.counts.add(name, type(error).__name__)

    def _ask(
        self, actor: str, client: httpx.Client, method: str, path: str, **request: object
    ) -> httpx.Response:
        response = client.request(method, path, **request)  # type: ignore[arg-type]
        self.counts.add(actor, str(response.status_code))
        return response

    def _responder(self, client: httpx.Client) -> None:
        """Paste, wait for the verdict, open the page, write a note."""
        self._round += 1
        text = f"run {self._round}\n" + (TREE / "bpftrace.memcg_reclaim_hist.txt").read_text() * 20
        received = self._ask("responder", client, "POST", "/paste", json={"text": text[:PASTE_BYTES]})
        if received.status_code != httpx.codes.ACCEPTED:
            return
        case = received.json()["case"]["id"]
        self.counts.cases.append(case)
        self._judged("responder", client, case)
        for part in PAGE_PARTS:
            self._ask("responder", client, "GET", f"/cases/{case}{part}")
        self._ask("responder", client, "POST", f"/cases/{case}/notes", json={"text": "soak"})

    def _ci(self, client: httpx.Client) -> None:
        """Send a perf script and wait for the verdict."""
        received = self._ask("ci", client, "PUT", f"/evidence/{CAPTURE.name}", content=CAPTURE.read_bytes())
        if received.is_success:
            self._judged("ci", client, received.json()["case"]["id"])

    def _folder(self, client: httpx.Client) -> None:
        """Send a folder of small files and wait for the verdict."""
        paths = [path for path in sorted(TREE.rglob("*")) if path.is_file()]
        files = [("files", (str(path.relative_to(TREE)), path.read_bytes())) for path in paths]
        received = self._ask("folder", client, "POST", "/evidence", files=files)
        if received.is_success:
            self._judged("folder", client, received.json()["case"]["id"])

    def _reader(self, client: httpx.Client) -> None:
        """Look at lists, search results and pages."""
        self._ask("reader", client, "GET", "/cases")
        for words in SEARCHES:
            self._ask("reader", client, "POST", "/library/search", json={"text": words})
        for page in PAGES:
            self._ask("reader", client, "GET", f"{self._target.url}{page}")

    def _burst(self, _: httpx.Client) -> None:
        """Send many requests at once."""

        def one() -> None:
            with suppress(httpx.HTTPError), self._target.client() as client:
                self._ask("burst", client, "GET", "/cases")

        threads = [threading.Thread(target=one) for _ in range(BURST)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _hostile(self, client: httpx.Client) -> None:
        """Send what is to be refused, and connections that break off."""
        self._ask("hostile", client, "GET", f"{self._target.url}/{'q' * 8000}")
        self._ask("hostile", client, "GET", "/cases/99999999999999999999")
        self._ask("hostile", client, "PUT", "/evidence/false-size.tar", content=_false_size())
        self._ask("hostile", client, "PUT", "/evidence/blanks.txt", content=b" " * 20_000 + b"\n")
        self._break_off()

    def _break_off(self) -> None:
        """Announce a body, send a part of it and close the connection."""
        address = urlsplit(self._target.url)
        with socket.create_connection((address.hostname or "", address.port or 80), timeout=10) as peer:
            head = (
                f"PUT /api/v1/evidence/cut HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 1000000\r\n"
            )
            peer.sendall(f"{head}Authorization: Bearer {self._target.token}\r\n\r\n".encode() + b"x" * 70_000)

    def _listener(self) -> None:
        """Follow the events of the newest case for a while, again and again."""
        with self._target.client(timeout=30) as client:
            while not self._stop.is_set():
                cases = self.counts.cases[-3:]
                if not cases:
                    self._stop.wait(1.0)
                    continue
                until = time.monotonic() + 20
                try:
                    with client.stream("GET", f"/cases/{cases[0]}/events") as stream:
                        self.counts.add("listener", str(stream.status_code))
                        for _ in stream.iter_bytes():
                            if time.monotonic() > until or self._stop.is_set():
                                break
                except httpx.ReadTimeout:
                    continue
                except httpx.HTTPError as error:
                    self.counts.add("listener", type(error).__name__)
                    self._stop.wait(1.0)

    def _judged(self, actor: str, client: httpx.Client, case: str) -> None:
        deadline = time.monotonic() + JUDGED_WITHIN_SECONDS
        while time.monotonic() < deadline and not self._stop.is_set():
            answer = client.get(f"/cases/{case}", params={"wait": 15})
            if answer.is_success and answer.json()["judged"]:
                self.counts.add(actor, "judged")
                return
        if not self._stop.is_set():
            self.counts.add(actor, "not judged in time")


def _false_size() -> bytes:
    """Return a tar of two blocks whose header claims 2^62 bytes."""
    member = tarfile.TarInfo("var/log/messages")
    member.size = 1 << 62
    stream = io.BytesIO()
    stream.write(member.tobuf(tarfile.GNU_FORMAT))
    stream.write(b"\0" * 512)
    return stream.getvalue()
