"""A redaction ends with its case: its process is killed, and nothing of it is kept."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import delete

from backend.cases import service as cases
from backend.core.jobs.queue import enqueue
from backend.core.jobs.runner import run_job
from backend.core.storage.object_store import Store
from backend.models import Blob, Case, Evidence, EvidenceState, Handoff, HandoffState, JobState
from tests.backend.core.jobs.job_rows import is_listening
from tests.backend.handoffs.conftest import LOG
from tests.backend.sandbox.forks import pids_of_forks
from tests.waiting import until

LONG_LOG = LOG * 100_000


@pytest.fixture
def long_redaction(own_sessions, notified_only, tmp_path):
    """The settings of a service, and a handoff whose redaction takes long."""
    places = {"data_dir": tmp_path, "database_url": notified_only.effective_database_url}
    own = notified_only.model_copy(update=places)
    sha256 = Store.open(own).put_bytes(LONG_LOG)
    with own_sessions.begin() as session:
        session.add(Blob(sha256=sha256, size_bytes=len(LONG_LOG)))
        case = cases.create(session, title="auth", actor="ada")
        session.flush()
        row = Evidence(case_id=case.id, captured_path="", filename="auth.log", sha256=sha256)
        row.size_bytes, row.state, row.line_count = len(LONG_LOG), EvidenceState.READ, LONG_LOG.count(b"\n")
        session.add(row)
        session.flush()
        handoff = Handoff(case_id=case.id, recipient="vendor", author="ada", choice=[str(row.id)])
        session.add(handoff)
        session.flush()
        job = enqueue(session, "handoffs.prepare", key="handoff:long", subject_id=handoff.id)
        ids = (case.id, handoff.id, job.id)
    yield own, *ids
    with own_sessions.begin() as session:
        session.execute(delete(Case))
        session.execute(delete(Blob))


def test_the_process_of_a_redaction_is_killed_when_a_notification_tells_that_its_case_is_deleted(
    own_sessions, long_redaction
):
    own, case_id, handoff_id, job_id = long_redaction
    states = []
    work = threading.Thread(target=lambda: states.append(run_job(job_id, own, own_sessions, Store.open(own))))
    work.start()
    until(lambda: list(own.scratch_dir.glob("compute-*/layers.json")) or not work.is_alive())
    until(lambda: is_listening(own_sessions) or not work.is_alive())
    assert work.is_alive(), "it was over before it could be ended"
    [redacting] = pids_of_forks()
    with own_sessions.begin() as session:
        cases.delete(session, session.get_one(Case, case_id), actor="ada")
    work.join()
    assert states == [JobState.CANCELLED]
    assert redacting not in pids_of_forks()
    assert list(own.scratch_dir.iterdir()) == []
    with own_sessions() as session:
        assert session.get_one(Handoff, handoff_id).state is HandoffState.PREPARING
