"""A paste beside hostile handoffs under 100 clients: `python -m benchmarks.hostile_handoffs` prints JSON.

100 clients look at a case, one request a second each. Pastes of 20 KB are judged one after the other for a
while: alone, then beside two members' handoffs of 3 MB of `1.1.1.…` in a row, again and again, then alone.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from itertools import count

from benchmarks.admission import CAPTURE, PASTE_BYTES
from benchmarks.burst import PATHS, ROOT, Service
from benchmarks.http_load import Connection, ask_until

CLIENTS, THINK_SECONDS = 100, 1.0
PHASE_SECONDS = 25.0
LINE = "1." * 1_500_000
TEXT = CAPTURE.read_text(encoding="utf-8")[:PASTE_BYTES]
_numbers = count()


async def pasted(connection: Connection, text: str) -> tuple[int, float]:
    """Paste `text` and wait until it is judged; return number of the case and seconds."""
    began = time.perf_counter()
    answer = await connection.ask("POST", "/api/v1/paste", json.dumps({"text": text}).encode())
    if answer.status >= 300:
        raise SystemExit(f"paste: {answer.status} {answer.body[:200]!r}")
    number = json.loads(answer.body)["case"]["number"]
    while not json.loads((await connection.ask("GET", f"/api/v1/cases/{number}?wait=20")).body)["judged"]:
        pass
    return number, time.perf_counter() - began


async def phase(service: Service, reading: str, sending: str, hostile: tuple[str, ...]) -> dict[str, object]:
    """Measure the pastes of one phase beside handoffs by the tokens of `hostile`."""
    deadline = time.perf_counter() + PHASE_SECONDS
    handoffs = 0

    async def hand_off(token: str) -> None:
        nonlocal handoffs
        connection = Connection(service.url, token)
        number, _ = await pasted(connection, f"{LINE}{next(_numbers)}")
        path = f"/api/v1/cases/{number}/handoffs"
        while time.perf_counter() < deadline:
            made = json.loads((await connection.ask("POST", path, b'{"recipient": "support"}')).body)
            while time.perf_counter() < deadline:
                now = await connection.ask("GET", f"{path}/{made['id']}")
                if json.loads(now.body)["state"] != "preparing":
                    break
                await asyncio.sleep(0.2)
            handoffs += 1
        connection.close()

    async def paste() -> list[float]:
        connection, times = Connection(service.url, sending), []
        while time.perf_counter() < deadline:
            text = TEXT.replace("clickhouse", f"server{next(_numbers)}")
            times.append((await pasted(connection, text))[1])
            await asyncio.sleep(0.2)
        return times

    readers = ask_until(
        service.url, reading, PATHS, clients=CLIENTS, seconds=PHASE_SECONDS, think_seconds=THINK_SECONDS
    )
    outcome, times, _ = await asyncio.gather(readers, paste(), asyncio.gather(*map(hand_off, hostile)))
    read = sorted(outcome.seconds)
    return {
        "pastes": len(times),
        "paste_median_s": round(statistics.median(times), 3),
        "paste_worst_s": round(max(times), 3),
        "handoffs": handoffs,
        "readers": dict(outcome.statuses),
        "reader_p50_ms": round(read[len(read) // 2] * 1000),
    }


async def measure(service: Service) -> None:
    """Print the three phases."""
    reading, sending = service.create_token("readers"), service.create_token("sender")
    hostile = (service.create_token("hostile-1"), service.create_token("hostile-2"))
    for name, tokens in (("alone", ()), ("beside two hostile handoffs", hostile), ("alone again", ())):
        sys.stdout.write(json.dumps({"phase": name, **await phase(service, reading, sending, tokens)}) + "\n")
        sys.stdout.flush()


def main() -> None:
    """Measure this checkout."""
    with tempfile.TemporaryDirectory(prefix="casebook-") as directory:
        service = Service(ROOT, directory)
        try:
            asyncio.run(measure(service))
        finally:
            service.stop()


if __name__ == "__main__":
    main()
