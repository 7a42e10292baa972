"""Job sender per entry point, queue limits, and demotion of slow readings."""

from __future__ import annotations

import gzip
import random
from datetime import timedelta
from typing import TYPE_CHECKING

import httpx
import pytest
from sqlalchemy import delete, func, select

from backend.accounts import service as accounts
from backend.core.jobs import job_sender
from backend.core.jobs.queue import enqueue
from backend.core.jobs.runner import run_job
from backend.evidence import reading
from backend.models import Account, Event, Evidence, Job, JobState, Role, Section
from backend.uploads.writer import SMALL_BYTES
from tests.backend.applications import create_app
from tests.backend.conftest import PATIENT, serving
from tests.backend.people import person, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker

    from backend.core.settings import Settings
    from tests.pipeline import Pipeline

LOAD = "$ cat /proc/loadavg\n0.10 0.20 0.30 1/200 4711\n"
VMSTAT_HEAD = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
)
VMSTAT_ROW = " 1  0      0 {:7} 123456 789012    0    0     5    10  100  200  5  1 94  0  0\n"


# About two seconds of processor time on a fast machine that does nothing else, and few rows to store.
SLOW_LINES = 100_000
SLOW_LINE = "kernel: [    1.000000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task={:016x},pid=7\n"


def vmstat(rows: int, number: int = 0) -> str:
    """Return samples that take the reader 60 to 100 ms of processor time for a thousand rows."""
    return VMSTAT_HEAD + "".join(VMSTAT_ROW.format(number * rows + row) for row in range(rows))


def slow_log() -> bytes:
    """Return a compressed kernel log that is larger than files that are read in batches."""
    chance = random.Random(1)  # noqa: S311 - what does not compress, the same every time
    lines = "".join(SLOW_LINE.format(chance.getrandbits(64)) for _ in range(SLOW_LINES))
    packed = gzip.compress(lines.encode(), 1)
    assert len(packed) > SMALL_BYTES
    return packed


@pytest.fixture
def app_settings(app_settings: Settings) -> Settings:
    return app_settings.model_copy(update={"heavy_from_bytes": 64 << 20, "queued_per_guest": 2})


def senders(sessions: sessionmaker[Session]) -> set[str]:
    with sessions() as session:
        return set(session.scalars(select(Job.sender)))


TUS = {"Tus-Resumable": "1.0.0"}


def begin_upload(client: httpx.Client, place: str) -> httpx.Response:
    headers = TUS | {"Upload-Length": "5", "Upload-Metadata": "filename bm90ZS50eHQ="}
    return client.post(place, headers=headers)


def send_upload(client: httpx.Client, place: str) -> httpx.Response:
    begun = begin_upload(client, place)
    assert begun.status_code == 201, begun.text
    headers = TUS | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    return client.patch(place_of(begun), headers=headers, content=b"hello")


def place_of(begun: httpx.Response) -> str:
    return begun.headers["location"].partition("/api/v1")[2]


SENDINGS: dict[str, Callable[[httpx.Client], httpx.Response]] = {
    "paste": lambda client: client.post("/paste", json={"text": LOAD}),
    "put": lambda client: client.put("/evidence/note.txt", content=b"hello"),
    "multipart": lambda client: client.post("/evidence", files={"file": ("note.txt", b"hello")}),
    "tus": lambda client: send_upload(client, "/uploads"),
}


@pytest.mark.parametrize("name", SENDINGS)
def test_jobs_belong_to_the_sender_at_every_entry_point(name: str, address: str, sessions):
    ada = person(sessions, "Ada", Role.RESPONDER)
    with signed_in(address, sessions, ada) as browser:
        sent = SENDINGS[name](browser)
    assert sent.is_success, sent.text
    assert senders(sessions) == {job_sender.account(ada.id)}


def test_jobs_of_a_case_token_belong_to_its_creator(address: str, sessions, web):
    case = web.post("/cases", json={"title": "db7"}).json()
    token = web.post(f"/cases/{case['id']}/tokens", json={"name": "db7"}).json()["secret"]
    with httpx.Client(base_url=f"{address}/api/v1", headers={"Authorization": f"Bearer {token}"}) as machine:
        assert machine.put("/drop/note.txt", content=b"hello").is_success
        assert send_upload(machine, "/drop/uploads").is_success
    with sessions() as session:
        owner = session.scalars(select(Account.id).where(Account.is_owner)).one()
    assert senders(sessions) == {job_sender.account(owner)}


def test_jobs_of_guests_belong_to_their_address_with_a_small_backlog(browser, sessions):
    answers = []
    for number in range(3):
        # Without the cookie of the case each paste makes one of its own, and so a job of its own.
        browser.cookies.clear()
        answers.append(browser.post("/guest/paste", json={"text": f"{LOAD}{number}"}))
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert answers[2].json()["code"] == "QueueFull"
    assert 5 <= int(answers[2].headers["retry-after"]) <= 300
    [sender] = senders(sessions)
    assert job_sender.is_guest(sender)
    assert "127.0.0.1" not in sender


@pytest.mark.parametrize("name", SENDINGS)
def test_every_entry_point_refuses_over_the_backlog_limit(name: str, app_settings, sessions, store):
    small = app_settings.model_copy(update={"queued_per_sender": 1})
    ada = person(sessions, "Ada", Role.RESPONDER)
    with serving(create_app(small, sessions=sessions, store=store)) as url:
        with signed_in(url, sessions, ada) as browser:
            promised = begin_upload(browser, "/uploads")
            assert browser.post("/paste", json={"text": LOAD}).status_code == 202
            refused = SENDINGS[name](browser) if name != "tus" else begin_upload(browser, "/uploads")
            assert (refused.status_code, refused.json()["code"]) == (429, "QueueFull")
            assert "jobs of this sender are queued" in refused.json()["detail"]
            headers = TUS | {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
            sent = browser.patch(place_of(promised), headers=headers, content=b"hello")
            assert sent.status_code == 204
        bob = person(sessions, "Bob", Role.RESPONDER)
        with signed_in(url, sessions, bob) as another:
            assert another.post("/paste", json={"text": LOAD}).status_code == 202
    assert not list(small.staging_dir.iterdir())


@pytest.fixture
def read(app_settings, sessions, store):
    """Return a function that does the queued reading of an evidence, and says which queue it was in."""
    patient = app_settings.model_copy(update=PATIENT)

    def done(evidence_id: str, **changed: int) -> str:
        with sessions() as session:
            job = session.scalars(
                select(Job).where(
                    Job.kind == "evidence.read", Job.subject_id == evidence_id, Job.state == JobState.QUEUED
                )
            ).one()
        settings = patient.model_copy(update=changed)
        assert run_job(job.id, settings, sessions, store) is JobState.DONE
        return job.queue

    return done


def digests(session: Session, evidence_id: str) -> list[str]:
    from backend.models import Reading

    query = select(Reading.digest).join(Section, Section.id == Reading.section_id)
    return sorted(session.scalars(query.where(Section.evidence_id == evidence_id)))


def test_a_slow_parse_moves_to_the_heavy_queue_with_the_same_result(web, sessions, read):
    text = slow_log()
    slow, patient = (
        web.put(f"/evidence/{name}.txt", content=text).json()["evidence"][0]["id"] for name in ("a", "b")
    )
    assert read(slow, light_cpu_seconds=1) == "light"
    with sessions() as session:
        assert session.get_one(Evidence, slow).state == "received"
        demotions = select(func.count()).where(Event.kind == "evidence.demoted")
        assert session.scalar(demotions) == 1
    [heavy] = [queue for queue in web.get("/status").json()["queues"] if queue["name"] == "heavy"]
    assert (heavy["queued"], heavy["demoted"], heavy["senders"]) == (1, 1, 1)
    assert read(slow, light_cpu_seconds=1) == "heavy"
    assert read(patient, light_cpu_seconds=60) == "light"
    with sessions() as session:
        assert [session.get_one(Evidence, one).state for one in (slow, patient)] == ["read", "read"]
        assert digests(session, slow) == digests(session, patient) != []


def test_a_job_moved_to_the_heavy_queue_keeps_its_limits(web, sessions, read):
    slow = web.put("/evidence/a.txt", content=slow_log()).json()["evidence"][0]["id"]
    with sessions.begin() as session:
        session.execute(delete(Job))
        reading.demote(session, slow)
    assert read(slow, light_cpu_seconds=1, parse_cpu_seconds=1) == "heavy"
    with sessions() as session:
        evidence = session.get_one(Evidence, slow)
        assert (evidence.state, evidence.reason) == (
            "rejected",
            "reading took more than 1 s of processor time",
        )


def test_a_paste_is_judged_before_the_files_of_another_are_read(pipeline: Pipeline):
    def token(name: str) -> tuple[str, UUID]:
        with pipeline.sessions.begin() as session:
            account = Account(name=name, role=Role.RESPONDER)
            session.add(account)
            session.flush()
            secret = accounts.open_session(session, account.id, lifetime=timedelta(hours=1))
            return secret, account.id

    pipeline.wait_idle()
    app = create_app(pipeline.settings, sessions=pipeline.sessions, store=pipeline.store)
    with serving(app) as url:
        clients = {}
        for name in ("Busy", "Other"):
            secret, account_id = token(name)
            cookies = {"casebook_session": secret}
            client = httpx.Client(base_url=f"{url}/api/v1", cookies=cookies)
            clients[name] = (client, job_sender.account(account_id))
        busy, busy_sender = clients["Busy"]
        other, other_sender = clients["Other"]
        with busy, other:
            with pipeline.stopped_worker():
                for number in range(10):
                    sent = busy.put(f"/evidence/{number}.txt", content=vmstat(1500, number))
                    assert sent.status_code == 202
                assert other.post("/paste", json={"text": LOAD}).status_code == 202
            pipeline.wait_idle()
    with pipeline.sessions() as session:
        ended = select(func.max(Job.finished_at)).where(
            Job.sender == other_sender, Job.kind == "evidence.batch"
        )
        judged_at = session.scalar(ended)
        assert judged_at is not None
        later = select(func.count()).where(
            Job.sender == busy_sender, Job.kind == "evidence.batch", Job.started_at > judged_at
        )
        assert (session.scalar(later) or 0) >= 3
    with pipeline.sessions.begin() as session:
        assert enqueue(session, "findings.judge", key="judge:nothing").sender == job_sender.SYSTEM
        session.rollback()
