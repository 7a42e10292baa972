"""Migrations and models agree, and any text can be stored."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import RFC_4122

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from backend.models import Base, Blob, Case, Evidence, Fact
from backend.models.base import clean_json, uuid7
from signatures.documents.overview import CaseHeadlineDocument

if TYPE_CHECKING:
    from sqlalchemy import Engine
    from sqlalchemy.orm import Session


def test_migrations_and_models_agree(engine: Engine):
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_deleting_a_case_deletes_its_relations():
    kept = {"account", "token", "blob", "observation", "job", "case", "frame"}
    kept |= {"team", "audit_entry", "audit_head", "sign_in_attempts", "oidc_flow"}
    kept |= {"passkey_challenge", "library_entry", "story"}
    kept |= {"made_problem"}  # its parts go
    kept |= {"baseline", "schema_version", "instance"}  # a baseline is of a team
    kept |= {"finding_dictionary"}  # of the library; unused ones go with the next
    kept |= {"reprocess_run"}  # its cases go
    kept |= {"team_library"}  # what its versions found in the case goes, as what a hunt found
    kept |= {"signature_proposal"}  # of a library
    kept |= {"queue_clock", "queue_sender", "sandbox_host", "space_reservation", "stored_bytes"}
    kept |= {"frame_count", "frame_count_change"}  # triggers take a case out of them, see test_case_index.py
    for table in Base.metadata.sorted_tables:
        if table.name not in kept:
            actions = {key.ondelete for key in table.foreign_keys if key.column.table.name != "blob"}
            assert "CASCADE" in actions, table.name


def test_ids_ascend_and_are_of_version_7():
    ids = [uuid7() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    assert {(one.version, one.variant) for one in ids} == {(7, RFC_4122)}


def test_text_that_postgresql_cannot_store_stays_readable(session: Session):
    case = Case(title="nul \0 and \ud800")
    session.add(case)
    session.commit()
    session.refresh(case)
    assert case.title == "nul \ufffd and \ufffd"
    assert case.number >= 1


def test_numbers_beyond_json_are_stored_by_name():
    assert clean_json({"limit": float("inf"), "rows": [1.5, float("nan")]}) == {
        "limit": "inf",
        "rows": [1.5, "nan"],
    }


def test_an_infinite_limit_is_a_number_of_a_fact_and_null_in_a_wire_value(session: Session):
    assert Fact.__table__.c.number.type.python_type is float
    case = Case(title="limits")
    session.add_all([case, Blob(sha256="0" * 64, size_bytes=0)])
    session.flush()
    case.headline = CaseHeadlineDocument(kind="fact", text="a limit", confidence=float("inf"))
    session.commit()
    session.refresh(case)
    assert (case.headline.text, case.headline.confidence) == ("a limit", None)


def test_the_same_bytes_at_the_same_place_are_one_evidence(session: Session):
    case = Case(title="twice")
    session.add_all([case, Blob(sha256="0" * 64, size_bytes=0)])
    session.flush()

    def evidence(**place: object) -> Evidence:
        return Evidence(case_id=case.id, sha256="0" * 64, size_bytes=0, **place)

    session.add_all(
        [evidence(captured_path="cg/a/memory.failcnt"), evidence(captured_path="cg/b/memory.failcnt")]
    )
    session.flush()
    session.add(evidence(captured_path="cg/a/memory.failcnt"))
    with pytest.raises(IntegrityError, match="uq_evidence_place"):
        session.flush()
