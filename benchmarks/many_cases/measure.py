"""What each request costs: CPU of the API, and time and pages of PostgreSQL for the queries that it sends."""

from __future__ import annotations

import statistics
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from starlette.testclient import TestClient

from backend.accounts import service as accounts
from backend.app import create_app
from backend.core.http.rate_limit_keys import SESSION_COOKIE
from backend.core.sessions import create_sessions
from backend.core.storage.object_store import Store
from backend.models import Role
from benchmarks.many_cases.plans import grown, plan_of, record_statements, scanned_whole
from benchmarks.many_cases.requests import Request, page_100, requests_of, signed_in
from benchmarks.many_cases.table import ROUNDS, SLOW_S

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine
    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.jobs.queue import PendingPermit
    from backend.core.settings import Settings


class Cost(NamedTuple):
    """What one request takes.

    Attributes:
        ms: From the request to its answer, the median of runs.
        cpu_ms: Of the API, with the client of the measurement in the same process.
        database_ms: Planning and executing its queries, the median of runs.
        queries: How many it sends.
        buffers: Pages read.
        slowest: The nodes of the plan that takes longest.
        scanned: Growing tables that are read from end to end.
    """

    who: str
    name: str
    ms: float
    cpu_ms: float
    database_ms: float
    queries: int
    buffers: int
    slowest: str
    scanned: tuple[str, ...]


class NoBroker:
    """Takes jobs and carries them nowhere: reading enqueues none."""

    def send(self, _jobs: list[PendingPermit]) -> None:
        """Do nothing."""


def sessions_of(settings: Settings) -> sessionmaker[Session]:
    """Return a session factory that sends no jobs."""
    sessions = create_sessions(settings)
    sessions.kw["info"]["sender"] = NoBroker()
    return sessions


def costs(settings: Settings) -> Iterator[Cost]:
    """Yield what each request of an admin and of a responder costs on the database of `settings`."""
    sessions = sessions_of(settings)
    engine = sessions.kw["bind"]
    with sessions.begin() as session:
        accounts.owner(session)
        secrets = {role: signed_in(session, role) for role in (Role.ADMIN, Role.RESPONDER)}
        asked = {role: requests_of(session, is_admin=role is Role.ADMIN) for role in secrets}
    app = create_app(settings, sessions=sessions, store=Store.open(settings))
    for who, secret in secrets.items():
        headers = {"Cookie": f"{SESSION_COOKIE}={secret}"}
        with TestClient(app, base_url="http://127.0.0.1:8765/api/v1", headers=headers) as client:
            last = Request("GET /cases, page 100", "GET", page_100(client))
            for request in [*asked[who], last]:
                yield _cost(engine, client, who.value, request)
    engine.dispose()


def _cost(engine: Engine, client: TestClient, who: str, request: Request) -> Cost:
    tables = grown(engine)

    def ask() -> None:
        answer = client.request(request.method, request.path.lstrip("/"), json=request.body)
        if answer.status_code != HTTPStatus.OK:
            raise RuntimeError(f"{request.path}: {answer.status_code} {answer.text[:200]}")

    began = time.perf_counter()
    ask()
    is_slow = time.perf_counter() - began > SLOW_S
    taken, cpu = [], []
    with record_statements(engine) as statements:
        for _ in range(1 if is_slow else ROUNDS):
            statements.clear()
            began, cpu_began = time.perf_counter(), time.process_time()
            ask()
            cpu.append((time.process_time() - cpu_began) * 1000)
            taken.append((time.perf_counter() - began) * 1000)
    runs = [[plan_of(engine, one, run=True) for one in statements] for _ in range(1 if is_slow else 3)]
    whole = sorted(runs, key=lambda plans: sum(plan.milliseconds for plan in plans))[len(runs) // 2]
    slowest = max(whole, key=lambda plan: plan.milliseconds, default=None)
    return Cost(
        who,
        request.name,
        statistics.median(taken),
        statistics.median(cpu),
        sum(plan.milliseconds for plan in whole),
        len(whole),
        sum(plan.buffers for plan in whole),
        "; ".join(node for node in dict.fromkeys(slowest.nodes) if " on " in node) if slowest else "",
        tuple(sorted({table for plan in whole for table in scanned_whole(plan, tables)})),
    )
