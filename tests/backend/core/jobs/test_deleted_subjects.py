"""A job ends with its subject: queued ones are cancelled, running ones stop, and none is retried."""

from __future__ import annotations

import re
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from sqlalchemy import delete, select, text, update

from backend.cases import service as cases
from backend.core.jobs.interventions import cancel, on_cancel
from backend.core.jobs.queue import enqueue, handler
from backend.core.jobs.run import LostLeaseError
from backend.core.jobs.runner import claim, run_job
from backend.models import Blob, Case, Evidence, Handoff, Job, JobState, SignatureDraft, Upload
from backend.operations.reaper import take_back_expired
from tests.backend.core.jobs.job_rows import is_listening, job
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session, sessionmaker


@pytest.fixture
def case_id(committed: sessionmaker[Session]) -> Iterator[UUID]:
    with committed.begin() as session:
        case = Case(title="deleted while at work")
        session.add(case)
        session.flush()
        case_id = case.id
    yield case_id
    with committed.begin() as session:
        session.execute(delete(Case))
        session.execute(delete(Blob))


def of_the_case(_session: Session, case_id: UUID) -> UUID:
    return case_id


def of_evidence(session: Session, case_id: UUID) -> UUID:
    session.add(Blob(sha256="0" * 64, size_bytes=1))
    session.flush()
    row = Evidence(case_id=case_id, captured_path="", filename="a", sha256="0" * 64, size_bytes=1)
    return added(session, row)


def of_an_upload(session: Session, case_id: UUID) -> UUID:
    return added(session, Upload(case_id=case_id, actor="ada", filename="big", size_bytes=1))


def of_a_handoff(session: Session, case_id: UUID) -> UUID:
    return added(session, Handoff(case_id=case_id, recipient="vendor", author="ada"))


def of_a_draft(session: Session, case_id: UUID) -> UUID:
    return added(session, SignatureDraft(case_id=case_id, signature_id="mm/x", author="ada"))


def added(session: Session, row) -> UUID:
    session.add(row)
    session.flush()
    return row.id


SUBJECTS = (of_the_case, of_evidence, of_an_upload, of_a_handoff, of_a_draft)


def queued(sessions: sessionmaker[Session], kind: str, subject_id: UUID) -> UUID:
    with sessions.begin() as session:
        return enqueue(session, kind, key=str(uuid4()), subject_id=subject_id).id


def hide(session: Session, case_id: UUID) -> None:
    cases.delete(session, session.get_one(Case, case_id), actor="ada")


def remove(session: Session, case_id: UUID) -> None:
    session.execute(delete(Case).where(Case.id == case_id))


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("end", [hide, remove])
def test_a_queued_job_of_what_is_deleted_is_cancelled(
    committed, kind, case_id, *, quick, subject: Callable[[Session, UUID], UUID], end
):
    with committed.begin() as session:
        subject_id = subject(session, case_id)
    job_id, other_id = queued(committed, kind, subject_id), queued(committed, kind, None)
    with committed.begin() as session:
        end(session, case_id)
    assert job(committed, job_id).state is JobState.CANCELLED
    assert claim(committed, job_id, quick) is None
    assert job(committed, other_id).state is JobState.QUEUED
    if end is hide:
        with committed.begin() as session:
            cases.restore(session, session.get_one(Case, case_id), actor="ada")
        assert claim(committed, job_id, quick) is not None, "what is restored goes on"


def test_evidence_that_stays_deleted_is_not_read_when_its_case_is_restored(committed, kind, case_id):
    with committed.begin() as session:
        evidence_id = of_evidence(session, case_id)
    job_id = queued(committed, kind, evidence_id)
    with committed.begin() as session:
        session.get_one(Evidence, evidence_id).deleted_at = datetime.now(UTC)
    with committed.begin() as session:
        hide(session, case_id)
    with committed.begin() as session:
        cases.restore(session, session.get_one(Case, case_id), actor="ada")
    assert job(committed, job_id).state is JobState.CANCELLED


def test_a_restored_case_queues_one_job_of_a_key(committed, kind, case_id):
    for _ in range(2):
        with committed.begin() as session:
            enqueue(session, kind, key=f"judge:{case_id}", subject_id=case_id)
        with committed.begin() as session:
            hide(session, case_id)
        with committed.begin() as session:
            cases.restore(session, session.get_one(Case, case_id), actor="ada")
    with committed() as session:
        assert session.scalars(select(Job.state)).all() == [JobState.QUEUED]


@pytest.mark.parametrize("subject", [of_the_case, of_evidence])
@pytest.mark.parametrize("end", [hide, remove])
@pytest.mark.parametrize("is_missed", [False, True], ids=["seen", "locked meanwhile"])
def test_a_running_job_of_what_is_deleted_is_notified(
    committed, kind, case_id, *, notified_only, store, subject, end, is_missed
):
    """A row that was locked is found by its worker."""
    with committed.begin() as session:
        subject_id = subject(session, case_id)
    job_id = queued(committed, kind, subject_id)

    @handler(kind)
    def work(run) -> None:
        until(lambda: is_listening(committed))
        run.check()
        with committed() as locking:
            if is_missed:
                locking.execute(select(Job.id).where(Job.id == job_id).with_for_update())
            with committed.begin() as session:
                end(session, case_id)
        with pytest.raises(LostLeaseError):
            until(run.check)
        with run.result() as session:
            enqueue(session, kind, key="too late")

    assert run_job(job_id, notified_only, committed, store) is JobState.CANCELLED
    assert (job(committed, job_id).state, job(committed, job_id).attempt) == (JobState.CANCELLED, 1)
    with committed() as session:
        assert session.scalar(select(Job.id).where(Job.key == "too late")) is None


def test_a_cancelled_job_is_notified(committed, add, kind, *, notified_only, store):
    on_cancel(kind)(lambda *_: None)

    @handler(kind)
    def work(run) -> None:
        until(lambda: is_listening(committed))
        with committed.begin() as session:
            cancel(session, session.get_one(Job, run.job_id), by="ada")
        until(lambda: run.heartbeat.is_lost)
        run.check()

    assert run_job(add(), notified_only, committed, store) is JobState.CANCELLED


def test_what_is_deleted_before_the_first_look_is_seen_by_it(committed, kind, case_id, settings, store):
    job_id = queued(committed, kind, case_id)

    @handler(kind)
    def work(run) -> None:
        with committed.begin() as session:
            hide(session, case_id)
        with pytest.raises(LostLeaseError):
            until(run.check)

    assert run_job(job_id, settings, committed, store) is JobState.CANCELLED


def test_a_job_that_fails_for_want_of_its_subject_is_not_retried(committed, kind, case_id, quick, store):
    job_id = queued(committed, kind, case_id)

    @handler(kind)
    def work(_run) -> None:
        with committed.begin() as session:
            remove(session, case_id)
        raise LookupError("no such case")

    assert run_job(job_id, quick, committed, store) is JobState.CANCELLED


def test_a_job_of_a_dead_worker_whose_subject_is_gone_is_cancelled(committed, kind, case_id, quick):
    job_id = queued(committed, kind, case_id)
    claim(committed, job_id, quick)
    with committed() as locking:
        locking.execute(select(Job.id).where(Job.id == job_id).with_for_update())
        with committed.begin() as session:
            remove(session, case_id)
    with committed.begin() as session:
        session.execute(update(Job).values(lease_until=datetime.now(UTC) - timedelta(seconds=1)))
    assert take_back_expired(committed, quick) == 1
    assert job(committed, job_id).state is JobState.CANCELLED


def test_a_case_is_deleted_while_a_result_about_it_is_stored(committed, kind, case_id, quick, store):
    """Neither waits for the other in a circle: the result comes too late, and is not stored."""
    job_id = queued(committed, kind, case_id)
    removing = threading.Thread(target=lambda: _remove(committed, case_id))

    @handler(kind)
    def work(run) -> None:
        with run.result() as session:
            removing.start()
            time.sleep(0.3)
            session.add(Upload(case_id=case_id, actor="ada", filename="result", size_bytes=1))

    ended = run_job(job_id, quick, committed, store)
    removing.join()
    with committed() as session:
        assert session.scalar(select(Case.id)) is None
        assert session.scalar(select(Upload.id)) is None
    assert ended in {JobState.CANCELLED, JobState.DONE}, "whoever was first"


def _remove(sessions: sessionmaker[Session], case_id: UUID) -> None:
    with sessions.begin() as session:
        remove(session, case_id)


def test_the_view_of_subjects_and_the_triggers_have_the_same_tables(session: Session):
    watched = session.scalars(
        text("select tgrelid::regclass::text from pg_trigger where tgname = 'cancel_jobs_of_deleted'")
    )
    view = session.scalar(text("select pg_get_viewdef('job_subject')"))
    assert {name.strip('"') for name in watched} == {*re.findall(r'(?:FROM|JOIN) \(*"?(\w+)', view)}
