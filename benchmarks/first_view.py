"""What the first view of a case costs the service: CPU time, queries and bytes.

python -m tests.e2e.run python -m benchmarks.first_view [CASE]

Case 2 is the sample of most files. The whole application answers from a socket in this process, so that the
CPU time is that of a request from its first byte to its last, and of a client that does not decode. The first
answer after a start is apart: it imports and compiles what later ones use. PostgreSQL is not in it.
"""

from __future__ import annotations

import gzip
import socket
import statistics
import sys
import threading
import time
from unittest.mock import patch

import httpx
from sqlalchemy import event

from backend.accounts import service as accounts
from backend.app import create_app
from backend.core.http import server
from backend.core.sessions import create_sessions
from backend.core.settings_environment import load_settings
from backend.first_view import row_versions

ROUNDS = 41
PAUSE_SECONDS = 0.02


def main(case: str) -> None:
    """Print the figures of the first view of a case."""
    settings = load_settings()
    sessions = create_sessions(settings)
    queries: list[str] = []
    event.listen(sessions.kw["bind"], "before_cursor_execute", lambda *found: queries.append(found[2]))
    with sessions.begin() as session:
        token = accounts.create_api_token(session, name="first view")
    app = create_app(settings, sessions=sessions)
    running = server.Server(server.config(app, log_level="warning"), end_streams=lambda: None)
    listening = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not running.started:
        time.sleep(PAUSE_SECONDS)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/api/v1/cases/{case}/view"
    sizes: list[int] = []
    with httpx.Client(headers={"Authorization": f"Bearer {token}", "Accept-Encoding": "gzip"}) as client:

        def measured() -> list[float]:
            times = []
            for _ in range(ROUNDS):
                time.sleep(PAUSE_SECONDS)
                queries.clear()
                begin = time.process_time()
                answer = client.get(address).raise_for_status()
                times.append(1_000 * (time.process_time() - begin))
            sizes.append(len(gzip.compress(answer.content, 6)))
            return times

        first, *kept = measured()
        sys.stdout.write(
            f"first after the start: {first:.0f} ms of CPU; {sizes[0] / 1_000:.1f} kB compressed\n"
        )
        _print("again", kept, len(queries))
        with patch.object(row_versions, "version_of", lambda *_: None):
            _print("after a change of the evidence", measured(), len(queries))
    running.should_exit = True


def _print(what: str, times: list[float], queries: int) -> None:
    sys.stdout.write(
        f"{what}: median {statistics.median(times):.1f}, least {min(times):.1f} ms of CPU;"
        f" {queries} queries\n"
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "2")
