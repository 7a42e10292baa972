"""No request reads a table from end to end that grows with the number of cases.

The statements are those that the application sends, their plans PostgreSQL's own on ten thousand cases. What
a page finds is not looked at here: only how it is looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.orm import sessionmaker

from backend.accounts import service as accounts
from backend.core.db.engine import create_engine
from backend.core.http.rate_limit_keys import SESSION_COOKIE
from backend.core.sessions import session_info, watch
from backend.core.storage.object_store import Store
from backend.models import Role
from benchmarks.many_cases.multiply import multiply
from benchmarks.many_cases.plans import grown as grown_tables
from benchmarks.many_cases.plans import plan_of, record_statements, scanned_whole
from benchmarks.many_cases.requests import requests_of, signed_in
from benchmarks.many_cases.seeds import plant
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cluster import create_database
from tests.transactions import Sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from backend.core.settings import Settings

CASES = 10_000
"""With few functions, facts and findings each: what is asked for is one case, or one page of cases."""


@pytest.fixture(scope="module")
def grown(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Settings, Engine]]:
    """A database of many cases."""
    url = create_database(settings, "grown")
    owner_url = url.replace("_app@", "@")
    place = tmp_path_factory.mktemp("grown")
    given = {"database_url": url, "database_owner_url": owner_url, "data_dir": place}
    grown = settings.model_copy(update=given)
    engine = create_engine(grown, as_owner=True)
    sessions = sessionmaker(engine, info=session_info(grown, Sent()))
    watch(sessions)
    plant(grown, sessions, Store.open(grown))
    multiply(engine, CASES, frames=0.1, facts=3, findings=1)
    yield grown, engine
    engine.dispose()


def test_no_request_scans_a_growing_table(grown):
    settings, engine = grown
    sessions = sessionmaker(engine, info=session_info(settings, Sent()))
    watch(sessions)
    with sessions.begin() as session:
        accounts.owner(session)
        asked = [
            (role, signed_in(session, role), request)
            for role in (Role.ADMIN, Role.RESPONDER)
            for request in requests_of(session, is_admin=role is Role.ADMIN)
        ]
    app = create_app(settings, sessions=sessions, store=Store.open(settings))
    tables = grown_tables(engine)
    assert {"case", "evidence", "job", "event", "case_frame", "finding", "audit_entry"} <= tables
    scanned = {}
    with serving(app) as url, httpx.Client(base_url=f"{url}/api/v1") as client:
        for role, secret, request in asked:
            with record_statements(engine) as statements:
                answer = client.request(
                    request.method,
                    request.path,
                    json=request.body,
                    headers={"Cookie": f"{SESSION_COOKIE}={secret}"},
                )
            assert answer.status_code == 200, (request.name, answer.text)
            assert statements
            for statement in statements:
                whole = scanned_whole(plan_of(engine, statement, run=False), tables)
                if whole:
                    scanned.setdefault((role.value, request.name), set()).update(whole)
    assert scanned == {}


def test_a_sequential_scan_is_detected(grown):
    _, engine = grown
    with record_statements(engine) as statements, engine.connect() as connection:
        connection.execute(text("select count(*) from evidence where filename = 'nothing'"))
    assert scanned_whole(plan_of(engine, statements[0], run=False)) == {"evidence"}
