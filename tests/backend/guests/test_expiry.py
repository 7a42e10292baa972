"""Clearing expired cases: bytes, readings, names and jobs go, what another case uses stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from backend.core.errors import MissingBytesError
from backend.guests.expiry import clear_expired
from backend.models import (
    AuditEntry,
    Blob,
    Case,
    Evidence,
    Frame,
    Job,
    Observation,
    Profile,
    Reading,
)
from backend.models.frame import frame_id
from backend.profiles import indexing
from ingest.export.heaviest import Weighed, heaviest
from ingest.model import reading_folder
from ingest.readers.bpf import bpftrace_text
from tests.backend.stored_evidence import new_case, store_evidence

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store

STACKS = Path("tests/data/bpftrace-text/memcg-reclaim-kstack-comm.txt").read_bytes()
NOBODY_ELSES = Weighed("a_function_of_these_stacks_alone", 0.5, 0.5)


def read_case(session: Session, store: Store, folder: Path, case: Case) -> Evidence:
    """Have a case with stacks read, indexed and observed, as a worker leaves it."""
    evidence = store_evidence(session, store, folder, case, STACKS, bpftrace_text, name="stacks.txt")
    reading = session.scalars(select(Reading).where(Reading.case_id == case.id)).one()
    profile = session.scalars(select(Profile).where(Profile.reading_id == reading.id).limit(1)).one()
    stacks = reading_folder.load(store.folder(reading.store_key)).profiles[profile.ordinal]
    indexing.keep(session, case.id, {profile.id: [*heaviest(stacks), NOBODY_ELSES]})
    if session.get(Observation, (reading.digest, "c")) is None:
        session.add(Observation(reading_digest=reading.digest, clause_digest="c", document={}))
    session.flush()
    return evidence


def left_of(session: Session, reading: Reading) -> tuple[bool, bool]:
    """Say whether the name that only these stacks have is there, and what was observed in them."""
    frame = session.get(Frame, frame_id(NOBODY_ELSES.name))
    return frame is not None, session.get(Observation, (reading.digest, "c")) is not None


def test_an_expired_case_is_deleted_with_blobs_readings_and_jobs(sessions, store, tmp_path, app_settings):
    with sessions.begin() as session:
        case = new_case(session)
        case.expires_at = datetime.now(UTC) - timedelta(seconds=1)
        evidence = read_case(session, store, tmp_path, case)
        session.add(Job(kind="evidence.read", key="x", queue="light", subject_id=evidence.id, payload={}))
        session.flush()
        reading = session.scalars(select(Reading).where(Reading.case_id == case.id)).one()
        assert left_of(session, reading) == (True, True)
        session.expunge(reading)
        sha256, case_id, evidence_id = evidence.sha256, case.id, evidence.id
    answer = app_settings.views_dir / "ab" / "answer.gz"
    answer.parent.mkdir(parents=True)
    answer.write_bytes(b"of it")
    assert store.has(sha256)
    assert store.folder(reading.store_key).is_dir()
    assert clear_expired(sessions, store, app_settings) == 1
    with sessions() as session:
        for table, key in ((Case, case_id), (Evidence, evidence_id), (Reading, reading.id), (Blob, sha256)):
            assert session.get(table, key) is None, table
        assert left_of(session, reading) == (False, False)
        assert session.scalars(select(Job.id).where(Job.subject_id == evidence_id)).all() == []
        noted = session.scalars(select(AuditEntry).where(AuditEntry.case_id == case_id)).all()
    assert [entry.action for entry in noted] == ["guest.clear"]
    assert not store.has(sha256)
    with pytest.raises(MissingBytesError):
        store.folder(reading.store_key)
    assert not answer.exists()


def test_blobs_shared_with_another_case_are_kept(sessions, store, tmp_path, app_settings):
    with sessions.begin() as session:
        first, second = new_case(session), new_case(session)
        first.expires_at = datetime.now(UTC) - timedelta(seconds=1)
        read_case(session, store, tmp_path / "a", first)
        kept = read_case(session, store, tmp_path / "b", second)
        second_id, sha256 = second.id, kept.sha256
    assert clear_expired(sessions, store, app_settings) == 1
    with sessions() as session:
        assert session.get(Case, second_id) is not None
        reading = session.scalars(select(Reading).where(Reading.case_id == second_id)).one()
        assert left_of(session, reading) == (True, True)
    assert store.has(sha256)
    assert store.folder(reading.store_key).is_dir()


def test_a_case_without_an_end_is_never_cleared(web, sessions, store, app_settings):
    web.post("/cases", json={"title": "kept"})
    assert clear_expired(sessions, store, app_settings) == 0
