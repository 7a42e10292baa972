"""`Idempotency-Key`: a retry gets the stored response."""

from __future__ import annotations

import base64
import threading
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import delete, func, select, text, update

from backend.accounts import service as accounts
from backend.core.sessions import create_sessions
from backend.models import Case, IdempotencyKey, Job, Note, Role
from tests.backend.applications import create_app
from tests.backend.conftest import serving
from tests.backend.people import person, signed_in
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session, sessionmaker

MET = "two requests met here"
LATER = timedelta(days=1, minutes=1)


@pytest.fixture
def key() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def count(sessions, table) -> int:
    with sessions() as session:
        return session.scalar(select(func.count()).select_from(table))


def test_a_retry_gets_the_stored_response(web, sessions, key):
    before = count(sessions, Case)
    first, again = (web.post("/cases", json={"title": "x"}, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["content-type"] == first.headers["content-type"]
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert count(sessions, Case) == before + 1


def test_a_key_reused_for_another_request_is_refused(web, sessions, key):
    web.post("/cases", json={"title": "x"}, headers=key)
    before = count(sessions, Case)
    for path, body in (("/cases", {"title": "y"}), ("/paste", {"text": "x"})):
        refused = web.post(path, json=body, headers=key)
        assert (refused.status_code, refused.json()["code"]) == (422, "KeyReused")
    assert count(sessions, Case) == before


def test_a_refused_request_may_be_retried_with_the_same_key(web, key):
    assert web.post("/cases/999999/notes", json={"text": "x"}, headers=key).status_code == 404
    assert web.post("/cases", json={"title": "x"}, headers=key).status_code == 201


def test_a_refusal_after_the_key_was_claimed_is_not_repeated(web, sessions, key):
    """The queue of the sender is full at first: the same command goes on when it is not."""
    metadata = f"filename {base64.b64encode(b'loadavg').decode()}"
    headers = key | {"Tus-Resumable": "1.0.0", "Upload-Length": "9", "Upload-Metadata": metadata}
    web.put("/evidence/loadavg", content=b"0.1 0.2 0.3 1/2 3\n")
    for age, status in (("2 days", 429), ("0 days", 201)):
        with sessions.begin() as session:
            session.execute(update(Job).values(run_after=func.now() - text(f"interval '{age}'")))
        answer = web.post("/uploads", headers=headers)
        assert (answer.status_code, answer.headers["tus-resumable"]) == (status, "1.0.0")


def test_a_retried_upload_is_recognised_by_its_digest(web, sessions, key):
    before = count(sessions, Case)
    first, again = (
        web.put("/evidence/loadavg", content=b"0.1 0.2 0.3 1/2 3\n", headers=key) for _ in range(2)
    )
    assert first.json()["permalink"] == again.json()["permalink"]
    other = web.put("/evidence/loadavg", content=b"0.1 0.2 0.3 1/2 4\n", headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "KeyReused")
    assert count(sessions, Case) == before + 1


def test_multipart_files_are_compared_by_bytes_not_by_boundary(web, key):
    files = [("files", ("proc/loadavg", b"0.1 0.2 0.3 1/2 3\n")), ("files", ("notes.txt", b"slow\n"))]
    first, again = (web.post("/evidence", files=files, headers=key) for _ in range(2))
    assert first.json()["permalink"] == again.json()["permalink"]


def test_a_restarted_upload_is_the_same_upload(web, key):
    headers = {**key, "Tus-Resumable": "1.0.0", "Upload-Length": "7"}
    first, again = (web.post("/uploads", headers=headers) for _ in range(2))
    assert first.headers["location"] == again.headers["location"]
    assert again.headers["tus-resumable"] == "1.0.0"
    assert web.post("/uploads", headers={**headers, "Upload-Length": "8"}).json()["code"] == "KeyReused"


def test_a_key_is_valid_for_a_day(web, sessions, key):
    first = web.post("/cases", json={"title": "x"}, headers=key).json()
    with sessions.begin() as session:
        session.execute(update(IdempotencyKey).values(created_at=datetime.now(UTC) - LATER))
    assert web.post("/cases", json={"title": "x"}, headers=key).json()["number"] != first["number"]


@pytest.fixture
def colleague(address, sessions) -> Iterator[httpx.Client]:
    with signed_in(address, sessions, person(sessions, "somebody else", Role.RESPONDER)) as client:
        yield client


def test_keys_are_scoped_to_their_account(web, colleague, key):
    mine = web.post("/cases", json={"title": "x"}, headers=key).json()
    response = colleague.post("/cases", json={"title": "x"}, headers=key)
    assert (response.status_code, response.json()["number"] != mine["number"]) == (201, True)


def test_a_retry_is_not_replayed_after_access_is_lost(web, colleague, key):
    notes = f"/cases/{web.post('/cases', json={'title': 'x'}).json()['id']}/notes"
    assert colleague.post(notes, json={"text": "mine"}, headers=key).status_code == 201
    access = {"visibility": "restricted", "team_id": None}
    assert web.put(notes.replace("/notes", "/access"), json=access).is_success
    assert colleague.post(notes, json={"text": "mine"}, headers=key).status_code == 404


def test_a_lost_response_is_reported_and_the_work_is_not_repeated(web, sessions, key):
    case = web.post("/cases", json={}).json()["number"]
    assert web.post(f"/cases/{case}/notes", json={"text": "x"}, headers=key).status_code == 201
    with sessions.begin() as session:
        session.execute(update(IdempotencyKey).values(status=None, body=""))
    before = count(sessions, Note)
    lost = web.post(f"/cases/{case}/notes", json={"text": "x"}, headers=key)
    assert (lost.status_code, lost.json()["code"]) == (409, "ResponseUnavailable")
    assert count(sessions, Note) == before


@pytest.mark.parametrize("wrong", ["", "a" * 256, "a\tb", "ä"])
def test_a_key_is_printable_and_short(web, wrong):
    refused = web.post("/cases", json={}, headers={"Idempotency-Key": wrong.encode("latin-1")})
    assert refused.status_code in (400, 422)


@pytest.fixture
def own_sessions(settings) -> Iterator[sessionmaker[Session]]:
    """Connections of their own, for requests that meet."""
    sessions = create_sessions(settings)
    yield sessions
    with sessions.begin() as session:
        session.execute(delete(Case).where(Case.title == MET))
        session.execute(delete(IdempotencyKey))
    sessions.kw["bind"].dispose()


@pytest.fixture
def connected(app_settings, own_sessions, store) -> Iterator[httpx.Client]:
    with own_sessions.begin() as session:
        headers = {"Authorization": f"Bearer {accounts.create_api_token(session, name='connected')}"}
    with (
        serving(create_app(app_settings, sessions=own_sessions, store=store)) as url,
        httpx.Client(base_url=f"{url}/api/v1", headers=headers) as client,
    ):
        yield client


def test_a_concurrent_request_with_the_same_key_is_answered_409(connected, own_sessions, key):
    with own_sessions() as other:
        other.execute(text("lock table idempotency_key in access exclusive mode"))
        answers = []

        def ask() -> None:
            answers.append(connected.post("/cases", json={"title": MET}, headers=key))

        first = threading.Thread(target=ask)
        first.start()
        # Of this database alone: a worker of another one on this server locks, too.
        held = text(
            "select count(*) from pg_locks join pg_database on pg_database.oid = pg_locks.database"
            " where locktype = 'advisory' and granted and datname = current_database()"
        )
        until(lambda: other.scalar(held), every=0.01)
        second = connected.post("/cases", json={"title": MET}, headers=key)
        assert (second.status_code, second.json()["code"]) == (409, "RequestInProgress")
        other.rollback()
        first.join()
    assert [one.status_code for one in answers] == [201]
    assert connected.post("/cases", json={"title": MET}, headers=key).json() == answers[0].json()
