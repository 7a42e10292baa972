"""Cost of authentication, and latency of token revocation: `python -m benchmarks.access` writes ACCESS.md.

Against a throw-away instance. A token is revoked while it asks one request after the other and while it
holds a stream of events open; times run from before the request that revokes. What counting requests costs is
the same question put, in turns, to an instance that counts and to one that does not.
"""

from __future__ import annotations

import os
import platform
import statistics
import threading
import time
from contextlib import closing
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from cli.service.instance import throw_away

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = Path(__file__).with_name("ACCESS.md")
REVOCATIONS = 20
QUESTIONS, TURNS = 200, 5
GOAL_SECONDS = 1.0
PATIENCE_SECONDS = 30
UNCOUNTED = {f"CASEBOOK_{name}_PER_MINUTE": "0" for name in ("REQUESTS", "SENDS", "STRANGERS")}
COUNTED = UNCOUNTED | {"CASEBOOK_REQUESTS_PER_MINUTE": "1000000"}


def bearer(url: str, secret: str) -> httpx.Client:
    """Return a client with a bearer token."""
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=PATIENCE_SECONDS)


def signed_in(url: str, token: str) -> httpx.Client:
    """Return a client with a browser session of the owner, which creating tokens requires."""
    client = httpx.Client(base_url=f"{url}/api/v1", headers={"Origin": url}, timeout=PATIENCE_SECONDS)
    client.post("/session", json={"token": token}).raise_for_status()
    return client


def revocation(owner: httpx.Client, url: str, case: str) -> tuple[float, float]:
    """Return the seconds from revoking a token to its last answered request, and to the end of its stream."""
    answer = owner.post("/tokens", json={"name": "bench", "scopes": ["read"], "days": 1})
    made = answer.raise_for_status().json()
    ended: dict[str, float] = {}
    listening = threading.Event()

    def ask() -> None:
        with bearer(url, made["secret"]) as client:
            while client.get("/me").status_code == HTTPStatus.OK:
                ended["answered"] = time.monotonic()

    def listen() -> None:
        with bearer(url, made["secret"]) as client, client.stream("GET", f"/cases/{case}/events") as stream:
            for _ in stream.iter_bytes():
                listening.set()
        ended["stream"] = time.monotonic()

    threads = [threading.Thread(target=work) for work in (ask, listen)]
    for thread in threads:
        thread.start()
    listening.wait(PATIENCE_SECONDS)
    began = time.monotonic()
    owner.delete(f"/tokens/{made['token']['id']}").raise_for_status()
    for thread in threads:
        thread.join()
    return max(0.0, ended["answered"] - began), ended["stream"] - began


def milliseconds(client: httpx.Client) -> list[float]:
    """Return the duration of each request."""
    taken = []
    for _ in range(QUESTIONS):
        began = time.perf_counter()
        client.get("/limits").raise_for_status()
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def row(what: str, values: list[float], form: str) -> str:
    """Return a line of a table."""
    ordered = sorted(values)
    p95 = ordered[max(0, round(0.95 * len(ordered)) - 1)]
    figures = " | ".join(format(value, form) for value in (statistics.median(ordered), p95, ordered[-1]))
    return f"| {what} | {len(ordered)} | {figures} |"


def main(say: Callable[[str], None]) -> None:
    """Measure and write."""
    loads = [os.getloadavg()[0]]
    with (
        throw_away(say=say, settings=COUNTED) as counted,
        throw_away(say=say, settings=UNCOUNTED) as free,
        closing(signed_in(counted.url, counted.sign_in_token)) as owner,
        bearer(counted.url, counted.create_token("bench")) as here,
        bearer(free.url, free.create_token("bench")) as there,
    ):
        case = owner.post("/cases", json={"title": "listened to"}).json()["id"]
        ends = [revocation(owner, counted.url, case) for _ in range(REVOCATIONS)]
        turns = [(milliseconds(here), milliseconds(there)) for _ in range(TURNS)]
    loads.append(os.getloadavg()[0])
    with_count, without = ([one for turn in turns for one in turn[at]] for at in (0, 1))
    worst = max(max(pair) for pair in ends)
    verdict = "met" if worst <= GOAL_SECONDS else "missed"
    RESULTS.write_text(
        f"""# What access costs, and how soon it ends

{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}.
Load {loads[0]:.1f} at the start, {loads[1]:.1f} at the end. Measured by `python -m benchmarks.access`.

Seconds from before the request that revokes a token. Wanted: at most {GOAL_SECONDS:.0f} s: {verdict}.

| | revoked | median | p95 | longest |
| --- | --- | --- | --- | --- |
{row("to the last request it was answered", [answered for answered, _ in ends], ".3f")}
{row("to the end of its stream of events", [stream for _, stream in ends], ".3f")}

Milliseconds of `GET /limits` with a token, sent one after the other over one connection.

| | requests | median | p95 | longest |
| --- | --- | --- | --- | --- |
{row("requests are counted", with_count, ".1f")}
{row("requests are not counted", without, ".1f")}
""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(print)
