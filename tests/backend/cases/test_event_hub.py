"""Events reach every listener once and in order, across processes and lost connections."""

from __future__ import annotations

import asyncio
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

import anyio.to_thread
import httpx
import pytest
from sqlalchemy import insert, select, text, update

from backend.accounts import service as accounts
from backend.cases import event_feed
from backend.models import Case, Event
from tests.backend.applications import create_app
from tests.backend.cases.listening import bearer, happen, listening
from tests.backend.conftest import PATIENCE_SECONDS, serving
from tests.backend.people import case as make_case
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI
    from sqlalchemy import TextClause

LISTENERS = 200
OF_THE_HUB = (
    "from pg_stat_activity where application_name = 'casebook-events' and datname = current_database()"
)
"""The connections that events are heard and read on, two for a process with listeners."""


@pytest.fixture
def headers(own_sessions) -> dict[str, str]:
    with own_sessions.begin() as session:
        return bearer(accounts.create_api_token(session, name="listener"))


@pytest.fixture
def heard_case(own_sessions) -> Case:
    return make_case(own_sessions)


@pytest.fixture
def app(app_settings, own_sessions, store) -> FastAPI:
    return create_app(app_settings, sessions=own_sessions, store=store)


@pytest.fixture
def url(app) -> Iterator[str]:
    with serving(app) as url:
        yield url


def test_every_listener_receives_each_event_once_in_order(  # noqa: PLR0917
    url, app_settings, own_sessions, store, headers, heard_case
):
    def write() -> None:
        for number in range(10):
            happen(own_sessions, heard_case.id, "note.written", number=number)

    with serving(create_app(app_settings, sessions=own_sessions, store=store)) as other, ExitStack() as open_:
        streams = [
            open_.enter_context(listening(at, heard_case.id, headers)) for at in (url, other) for _ in "ab"
        ]
        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        heard = [[event.id for event in stream.take(30)] for stream in streams]
        for writer in writers:
            writer.join()
    with own_sessions() as session:
        written = session.scalars(
            select(Event.id).where(Event.case_id == heard_case.id).order_by(Event.id)
        ).all()
    assert len(written) == 30
    assert heard == [list(written)] * 4


def test_an_event_names_what_it_changed(url, own_sessions, headers, heard_case):
    happen(own_sessions, heard_case.id, "note.written", note_id="1")
    happen(own_sessions, heard_case.id, "kind.of-tomorrow")
    with listening(url, heard_case.id, headers) as stream:
        noted, unknown = stream.take(2)
    assert (noted.data["changes"], noted.data["payload"]) == (["timeline"], {"note_id": "1"})
    assert {"case", "findings", "similar"} < set(unknown.data["changes"])


def test_a_long_history_is_sent_in_pages_before_live_events(url, own_sessions, headers, heard_case):
    rows = [
        {"case_id": heard_case.id, "kind": "tick", "actor": "x", "is_system": True, "payload": {"n": n}}
        for n in range(1100)
    ]
    with own_sessions.begin() as session:
        session.execute(insert(Event), rows)
    with listening(url, heard_case.id, headers) as first, listening(url, heard_case.id, headers) as second:
        assert [event.data["payload"]["n"] for event in first.take(1100)] == list(range(1100))
        happen(own_sessions, heard_case.id, "tock")
        assert first.take(1)[0].kind == "tock"
        past = second.take(1101)
        assert (past[0].data["payload"], past[-1].kind) == ({"n": 0}, "tock")
    with listening(url, heard_case.id, headers, last=past[1098].id) as resumed:
        assert [event.id for event in resumed.take(2)] == [past[1099].id, past[1100].id]


@pytest.mark.parametrize("last", [2**62, 2**70, -5])
def test_an_unknown_event_id_is_answered_and_affects_no_other_listener(
    url, own_sessions, headers, heard_case, last
):
    with listening(url, heard_case.id, headers, last=last), listening(url, heard_case.id, headers) as other:
        happen(own_sessions, heard_case.id, "tick")
        assert other.take(1)[0].kind == "tick"


def test_listeners_lose_nothing_when_the_connections_to_the_database_break(
    url, own_sessions, headers, heard_case
):
    are_connected = text(f"select count(*) > 1 {OF_THE_HUB}")
    ended = text(f"select count(pg_terminate_backend(pid, 5000)) {OF_THE_HUB}")
    with listening(url, heard_case.id, headers) as stream:
        happen(own_sessions, heard_case.id, "tick", n=0)
        heard = stream.take(1)

        def of_the_hub(query: TextClause) -> int:
            with own_sessions() as session:
                return session.scalar(query)

        until(lambda: of_the_hub(are_connected))
        assert of_the_hub(ended) >= 2
        happen(own_sessions, heard_case.id, "tick", n=1)
        heard += stream.take(1)
        happen(own_sessions, heard_case.id, "tick", n=2)
        heard += stream.take(1)
    assert [event.data["payload"]["n"] for event in heard] == [0, 1, 2]


def test_a_slow_listener_receives_everything_with_bounded_memory(app, url, own_sessions, headers, heard_case):
    count = event_feed.BUFFERED_EVENTS + 200
    large = {"text": "x" * 20_000}
    rows = [
        {
            "case_id": heard_case.id,
            "kind": "tock",
            "actor": "x",
            "is_system": True,
            "payload": {"n": n} | large,
        }
        for n in range(count)
    ]
    with listening(url, heard_case.id, headers) as slow, listening(url, heard_case.id, headers) as quick:
        happen(own_sessions, heard_case.id, "tick")
        assert slow.take(1) == quick.take(1)
        with own_sessions.begin() as session:
            session.execute(insert(Event), rows)
        for stream in (quick, slow):
            assert [event.data["payload"]["n"] for event in stream.take(count)] == list(range(count))
        [feed] = app.state.events._feeds.values()
        assert sum(len(content) for _, content in feed._entries) <= event_feed.BUFFERED_BYTES


def test_many_listeners_hold_no_thread_and_no_connection_of_the_pool(
    app, url, own_sessions, headers, heard_case
):
    held = _report_of(app)

    async def listen(at_once: asyncio.Semaphore) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        async with at_once:
            address = httpx.URL(url)
            reader, writer = await asyncio.open_connection(address.host, address.port)
            head = f"GET /api/v1/cases/{heard_case.id}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            writer.write(f"{head}Authorization: {headers['Authorization']}\r\n\r\n".encode())
            await asyncio.wait_for(reader.readuntil(b": open"), PATIENCE_SECONDS)
            return reader, writer

    async def many() -> None:
        at_once = asyncio.Semaphore(8)
        streams = await asyncio.gather(*(listen(at_once) for _ in range(LISTENERS)))
        async with httpx.AsyncClient(base_url=f"{url}/api/v1", headers=headers) as client:
            while (await client.get(held)).json() != {"threads": 0, "connections": 0}:
                pass
            noted = await client.post(f"/cases/{heard_case.id}/notes", json={"text": "all listen"})
            assert noted.status_code == 201
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"event: note.written"), PATIENCE_SECONDS)
        for _, writer in streams:
            writer.close()

    asyncio.run(many())
    with own_sessions() as session:
        assert session.scalar(text(f"select count(*) {OF_THE_HUB}")) == 2


def test_shutdown_closes_event_streams_without_waiting(app, headers, heard_case):
    running = serving(app)
    path = f"/api/v1/cases/{heard_case.number}/events"
    with (
        running as url,
        httpx.Client(base_url=url, headers=headers) as client,
        client.stream("GET", path) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ": open"
        running.stop()
        # Cut off in the middle, it would raise `RemoteProtocolError`.
        assert next((line for line in lines if line.startswith(": ping")), None) is None


def test_long_polling_holds_no_connection_and_ends_with_the_event(
    app, url, own_sessions, headers, heard_case
):
    held = _report_of(app)
    with own_sessions.begin() as session:
        session.execute(update(Case).where(Case.id == heard_case.id).values(evidence_rev=1))

    async def wait() -> None:
        async with httpx.AsyncClient(base_url=f"{url}/api/v1", headers=headers, timeout=100) as client:
            asked = asyncio.create_task(client.get(f"/cases/{heard_case.id}", params={"wait": 120}))
            while not app.state.events._feeds:  # noqa: ASYNC110 - waits for another loop
                await asyncio.sleep(0.01)
            while (await client.get(held)).json() != {"threads": 0, "connections": 0}:
                pass
            assert not asked.done()
            await asyncio.to_thread(judge)
            assert (await asked).json()["judged"]

    def judge() -> None:
        with own_sessions.begin() as session:
            session.execute(update(Case).where(Case.id == heard_case.id).values(judged_rev=1))
        happen(own_sessions, heard_case.id, "findings.judged")

    asyncio.run(wait())


def _report_of(app: FastAPI) -> str:
    """Add an answer to `app` that tells what its process holds now, and return its path."""

    async def held() -> dict[str, int]:
        return {
            "threads": anyio.to_thread.current_default_thread_limiter().borrowed_tokens,
            "connections": app.state.sessions.kw["bind"].pool.checkedout(),
        }

    app.add_api_route("/api/v1/held", held)
    app.router.routes.insert(0, app.router.routes.pop())
    return "/held"
