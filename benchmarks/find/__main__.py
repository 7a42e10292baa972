"""Find cases: `python -m benchmarks.find [CASES…]` writes benchmarks/FIND.md."""

from __future__ import annotations

import os
import platform
import re
import statistics
import sys
import time
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote_plus

from sqlalchemy import select
from starlette.testclient import TestClient

from backend.accounts import service as accounts
from backend.app import create_app
from backend.core.db import migrate
from backend.core.http.rate_limit_keys import SESSION_COOKIE
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.storage.object_store import Store
from backend.core.supervisor.supervisor import Supervisor
from backend.models import Account
from benchmarks.find.fill import grow, set_up
from benchmarks.find.pairs import finding_ms
from benchmarks.many_cases.measure import sessions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker

CASES = Path(__file__).parents[2] / "docs/cases.md"
RESULTS = Path(__file__).parent.parent / "FIND.md"
SIZES = (1_000, 10_000, 100_000)
ROUNDS = 16
FINDING = "find the pairs of a judged case"
LIMIT_MS = 50
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "16GB"}
REQUESTS = (
    "cases?limit=50",
    "cases?q=memory",
    "cases?q=memory+limit",
    "cases?q=nvme+timeout",
    "cases?q=osq_lock",
    "cases?q=host%3Adb-1",
    "cases?q=host%3Adb-4999",
    "cases?q=frame%3Aschedule",
    "cases?q=finding%3Amm+-status%3Aclosed",
    "cases?q=line%3A%22out+of+memory%22",
    "cases?q=fact%3Aloadavg.1m%3E90+severity%3Ahigh",
    "cases?q=memory+OR+nvme+OR+hung&sort=-updated_at",
    "cases?q=-memory+since%3A30d",
    "search/facets?q=",
    "search/facets?q=memory",
    "search/facets?q=host%3Adb-1",
    "search/completion?q=host%3Adb-1",
)
SEEN = ("cases/1/seen-before", "cases/500/seen-before")
"""Cases of frequent problems; not everybody sees them."""
QUESTION = re.compile(r"^\| .+ \| `(.+since:\S+ until:\S+)` \|$", re.MULTILINE)
"""A question about a quarter, in docs/cases.md."""


class Cost(NamedTuple):
    """Milliseconds of one request, and the cases that it finds."""

    median: float
    p95: float
    total: int | None


def main() -> None:
    """Measure at each size, and write the page."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    with TemporaryDirectory(prefix="casebook-find-") as place:
        settings = Settings(
            data_dir=Path(place), requests_per_minute=0, sends_per_minute=0, strangers_per_minute=0
        )
        with Supervisor(settings, say=lambda _: None, postgres_options=FAST) as supervisor:
            supervisor.open_servers()
            migrate.upgrade(settings)
            owner = settings.model_copy(update={"database_url": settings.effective_owner_url})
            engine = create_sessions(owner).kw["bind"]
            set_up(engine)
            costs = {}
            done = 0
            for size in sizes:
                began = time.monotonic()
                grow(engine, done + 1, size)
                done = size
                sys.stderr.write(f"{size:,} cases after {time.monotonic() - began:.0f} s\n")
                costs[size] = dict(_costs(settings))
    RESULTS.write_text(page(costs), encoding="utf-8")


def _costs(settings: Settings) -> Iterator[tuple[tuple[str, str], Cost]]:
    sessions = sessions_of(settings)
    app = create_app(settings, sessions=sessions, store=Store.open(settings))
    with TestClient(app, base_url="http://127.0.0.1:8765/api/v1/") as client:
        for who, secret in _people(sessions).items():
            for path in (*REQUESTS, *_questions(), *(SEEN if who == "owner" else ())):
                yield (who, path), _cost(client, {"Cookie": f"{SESSION_COOKIE}={secret}"}, path)
    taken = sorted(finding_ms(sessions))
    yield ("worker", FINDING), Cost(statistics.median(taken), taken[int(len(taken) * 0.95) - 1], None)
    sessions.kw["bind"].dispose()


def _questions() -> Iterator[str]:
    """Yield the questions of the documentation as requests."""
    for query in QUESTION.findall(CASES.read_text(encoding="utf-8")):
        yield f"cases?q={quote(query)}"


def _people(sessions: sessionmaker[Session]) -> dict[str, str]:
    """Return the session cookies of the owner, who sees all cases, and of a responder."""
    with sessions.begin() as session:
        owner = accounts.owner(session)
        responder = session.scalars(select(Account).where(Account.name == "person 7")).one()
        lifetime = accounts.SIGN_IN_LIFETIME
        return {
            "owner": accounts.open_session(session, owner.id, lifetime=lifetime),
            "responder": accounts.open_session(session, responder.id, lifetime=lifetime),
        }


def _cost(client: TestClient, headers: dict[str, str], path: str) -> Cost:
    taken, total = [], None
    for _ in range(ROUNDS):
        began = time.perf_counter()
        answer = client.get(path, headers=headers)
        taken.append((time.perf_counter() - began) * 1000)
        if answer.status_code != HTTPStatus.OK:
            raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
        total = answer.json().get("total")
    # The first request compiles statements.
    taken = sorted(taken[1:])
    return Cost(statistics.median(taken), taken[int(len(taken) * 0.95) - 1], total)


def page(costs: dict[int, dict[tuple[str, str], Cost]]) -> str:
    """Return the results as Markdown."""
    where = f"{os.cpu_count()} cores shared with other work (load {os.getloadavg()[0]:.0f})"
    lines = [
        "# Finding cases",
        "",
        f"`python -m benchmarks.find`, {datetime.now(UTC):%Y-%m-%d}, {where},",
        f"Python {platform.python_version()}. Milliseconds from request to answer, client in the same",
        f"process: median / p95 of {ROUNDS - 1} requests.",
        f"Limit: p95 {LIMIT_MS} ms.",
        "",
        "Cases are generated from fixtures of the library: words, functions, hosts and owners by Zipf's law.",
        "",
        "| who | request | " + " | ".join(f"{size:,} cases" for size in costs) + " | found |",
        "| --- | --- | " + "--- | " * len(costs) + "--- |",
    ]
    largest = costs[max(costs)]
    for key in largest:
        who, path = key
        cells = [f"{costs[size][key].median:.0f} / {costs[size][key].p95:.0f}" for size in costs]
        total = largest[key].total
        lines.append(
            f"| {who} | `{unquote_plus(path)}` | "
            + " | ".join(cells)
            + f" | {'' if total is None else f'{total:,}'} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
