"""The API as `casebook api` runs it, reporting what holds its event loop.

    python -m tests.backend.hostile_server FD REPORT

Every callback of the event loop is timed in CPU time of its thread, so a loaded machine changes nothing. Each
one slower than `SLOW_SECONDS` becomes a line of JSON in REPORT: when it began and ended, and what it took.
Bodies that stop before their end are given up after `SILENCE_SECONDS`: random requests have some.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from backend.core.http.request_limits import RequestLimits
from cli import main

SLOW_SECONDS = 0.05
SILENCE_SECONDS = 5.0


def instrument(report: Path) -> None:
    """Time every callback from now on."""
    run = asyncio.events.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began, began_at = time.thread_time(), time.monotonic()
        run(handle)
        taken = time.thread_time() - began
        if taken >= SLOW_SECONDS:
            line = {"began": began_at, "ended": time.monotonic(), "cpu": taken, "what": repr(handle)[:500]}
            with report.open("a") as lines:
                lines.write(f"{json.dumps(line)}\n")

    asyncio.events.Handle._run = timed


if __name__ == "__main__":
    instrument(Path(sys.argv[2]))
    RequestLimits.silence_seconds = SILENCE_SECONDS
    main(["api", "--fd", sys.argv[1]])
