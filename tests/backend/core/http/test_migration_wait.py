"""An API that starts before the migration asks clients to wait, and answers from the migration on."""

from __future__ import annotations

import httpx
import psycopg

from backend.core.db import migrate
from backend.core.sessions import create_sessions
from backend.core.storage.object_store import Store
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.cluster import create_database
from tests.waiting import until

OLDER = "0032"


def test_requests_wait_for_the_migration_and_health_checks_do_not(settings, tmp_path):
    url = create_database(settings, "behind")
    own = settings.model_copy(
        update={"database_url": url, "data_dir": tmp_path, "broker_url": settings.effective_broker_url}
    )

    def set_revision(revision: str) -> None:
        with psycopg.connect(f"host={settings.run_dir} user=casebook dbname=behind") as connection:
            connection.execute("update alembic_version set version_num = %s", [revision])

    set_revision(OLDER)
    sessions = create_sessions(own)
    with serving(create_app(own, sessions=sessions, store=Store.open(own))) as base:
        assert httpx.get(f"{base}/healthz").status_code == 200
        for method, path in (("GET", "cases"), ("PUT", "evidence/dmesg.txt"), ("GET", "events")):
            answer = httpx.request(method, f"{base}/api/v1/{path}", content=b"x")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5"), path
            assert answer.json()["code"] == "Unavailable"
        assert httpx.get(f"{base}/readyz").status_code == 503
        set_revision(migrate.head())
        until(lambda: httpx.get(f"{base}/api/v1/cases").status_code == 401)
