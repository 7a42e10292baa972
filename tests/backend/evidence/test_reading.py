"""States of evidence around its reading: started once, stored in one transaction, failed by a bug of ours."""

from __future__ import annotations

import pytest

from backend.evidence import hosts, reading, reading_progress
from backend.models.evidence import Evidence, EvidenceState
from backend.models.job import Job
from backend.sandbox.report import ReadEvidence
from ingest.readers.proc import proc_vmstat
from tests.backend.stored_evidence import new_case, store_evidence

NOBODY = hosts.StatedHost("", "", "")


@pytest.fixture
def evidence(session, store, tmp_path):
    case = new_case(session)
    evidence = store_evidence(
        session, store, tmp_path, case, b"pgscan_direct 1\n", proc_vmstat, captured_path="proc/vmstat"
    )
    evidence.state = EvidenceState.RECEIVED
    session.flush()
    return evidence


def rejected(subject):
    return ReadEvidence(
        name=subject.filename, captured_path="", sha256=subject.sha256, size_bytes=1, line_count=0,
        state="rejected", reason="a JPEG picture", host="", skipped=[], sections=[], members=[],
    )  # fmt: skip


def test_parsed_evidence_is_not_parsed_again(session, evidence):
    assert reading.begin(session, evidence.id) is not None
    assert reading.begin(session, evidence.id) is not None, "an attempt that died is followed by another"
    evidence.state = EvidenceState.READ
    session.flush()
    assert reading.begin(session, evidence.id) is None


def test_a_rejection_keeps_the_reason_and_nothing_else(session, evidence, tmp_path):
    subject = reading.begin(session, evidence.id)
    reading.finish(session, subject, rejected(subject), tmp_path, NOBODY)
    session.expire_all()
    assert (evidence.state, evidence.reason, evidence.progress_share) == ("rejected", "a JPEG picture", None)


def test_a_finished_reading_raises_the_revision_and_has_the_case_judged_once(session, evidence, tmp_path):
    subject = reading.begin(session, evidence.id)
    for _ in range(2):
        reading.finish(session, subject, rejected(subject), tmp_path, NOBODY)
    assert session.query(Job).filter_by(kind="findings.judge", subject_id=evidence.case_id).count() == 1


def test_a_failed_reading_is_shown_at_the_evidence_and_can_be_retried(session, evidence, web):
    reading.fail(session, evidence.id, "SandboxCrashError: SIGSEGV")
    session.commit()
    evidence_read = web.get(f"/evidence/{evidence.id}").json()
    assert evidence_read["state"] == "failed"
    assert "a bug in Casebook" in evidence_read["reason"]
    assert web.post(f"/evidence/{evidence.id}/retry").status_code == 202


def test_deleted_evidence_is_no_error(session, evidence, tmp_path):
    subject = reading.begin(session, evidence.id)
    session.delete(evidence)
    session.flush()
    reading.finish(session, subject, rejected(subject), tmp_path, NOBODY)
    reading.fail(session, subject.id, "late")
    assert session.get(Evidence, subject.id) is None


def test_removed_evidence_is_parsed_after_restoring(session, evidence, web):
    session.commit()
    assert web.delete(f"/evidence/{evidence.id}").status_code == 204
    session.expire_all()
    assert reading.begin(session, evidence.id) is None
    session.commit()
    assert session.query(Job).filter_by(kind="evidence.read", subject_id=evidence.id).count() == 0
    assert web.post(f"/evidence/{evidence.id}/restore").json()["state"] == "received"
    assert session.query(Job).filter_by(kind="evidence.read", subject_id=evidence.id).count() == 1


def test_parsing_stops_when_evidence_is_removed(session, sessions, evidence, web, monkeypatch):
    monkeypatch.setattr(reading_progress, "PROGRESS_SECONDS", 0.0)
    subject = reading.begin(session, evidence.id)
    session.commit()
    progress = reading_progress.Progress(sessions, subject)
    progress(0.25)
    assert web.get(f"/evidence/{evidence.id}").json()["progress_share"] == 0.25
    web.delete(f"/evidence/{evidence.id}")
    with pytest.raises(reading_progress.EvidenceRemovedError):
        progress(0.5)


def test_evidence_restored_during_cancellation_is_parsed(session, evidence, app_settings):
    reading.begin(session, evidence.id)
    reading.put_back(session, app_settings, evidence.id)
    assert evidence.state == EvidenceState.RECEIVED
    assert session.query(Job).filter_by(kind="evidence.read", subject_id=evidence.id).count() == 1
