"""The migration packs rows of findings into one document per case, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from backend.cases import stored_findings
from signatures.documents.codec import from_document, to_document
from signatures.documents.finding import FindingDocument
from tests.migrations.test_frames import down, up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

CASE = UUID("01900000-0000-7000-8000-000000000003")
STORED = Path("tests/signatures/documents/stored.jsonl").read_text().splitlines()
DOCUMENTS = [row["document"] for row in map(json.loads, STORED) if row["kind"] == "findings"]
FINDING = (
    "insert into finding (id, case_id, host, phase, signature, version, digest, title, severity, verdict,"
    " score, confidence, coverage, is_near_miss, is_provisional, case_rev, document)"
    " values (gen_random_uuid(), :case, :host, :phase, :signature, :version, '', :title, :severity, :verdict,"
    " :score, :confidence, :coverage, false, false, 3, cast(:document as jsonb))"
)
STATED = (
    "id",
    "host",
    "phase",
    "signature",
    "version",
    "title",
    "severity",
    "verdict",
    "score",
    "confidence",
    "coverage",
    "is_near_miss",
    "is_provisional",
    "case_rev",
)
"""Columns of a row that a later version has in its document, or keeps."""


def place_of(document):
    return document["host"], document["phase"], document["signature"]


@pytest.fixture
def old(settings: Settings) -> Iterator[Engine]:
    """A database of the version before with findings of one case, one of them as of the first release."""
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database unpacked")
    engine = create_engine(settings.effective_owner_url.replace("/casebook?", "/unpacked?"))
    up(engine, "0038")
    with engine.begin() as connection:
        new = 'insert into "case" (id, title, state, evidence_rev, judged_rev, next_captures) values'
        connection.execute(text(f"{new} (:case, '', 'open', 3, 3, '[]')"), {"case": CASE})
        for place, document in {place_of(one): one for one in DOCUMENTS}.items():
            is_first = place == place_of(DOCUMENTS[0])
            written = {"superseded_by": ""} if is_first else document
            row = {**document, "case": CASE, "document": json.dumps(written)}
            connection.execute(text(FINDING), row)
    yield engine
    engine.dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("drop database unpacked")


def test_findings_of_before_load_and_go_back(old: Engine):
    expected = {place_of(one): one for one in DOCUMENTS}
    up(old, "0039")
    with Session(old) as session:
        loaded = {place_of(to_document(one)): one for one in stored_findings.load(session, CASE)}
        verdicts = set(session.execute(text("select verdict from finding")).scalars())
    assert loaded.keys() == expected.keys()
    assert verdicts <= {"match", "suspect"}
    first = place_of(DOCUMENTS[0])
    assert loaded.pop(first).title == expected.pop(first)["title"]
    assert loaded == {place: from_document(FindingDocument, one) for place, one in expected.items()}
    with Session(old) as session:
        findings = stored_findings.load(session, CASE)
        stored_text = stored_findings.text_of(findings)
        stored_findings.save(session, CASE, 3, stored_text, stored_findings.text_of(findings[:2]))
        session.commit()
    columns = text(f"select {', '.join(STATED)} from finding order by signature, host, phase")  # noqa: S608 - of constants
    with old.connect() as connection:
        before = connection.execute(columns).all()
    up(old, "0041")
    down(old, "0040")
    with old.connect() as connection:
        assert connection.execute(columns).all() == before
    assert before
    down(old, "0038")
    with old.connect() as connection:
        rows = connection.execute(
            text("select host, phase, signature, verdict, case_rev, document from finding")
        )
        back = {(row.host, row.phase, row.signature): row for row in rows}
    assert back.keys() == loaded.keys() | {first}
    assert {row.case_rev for row in back.values()} == {3}
    assert {place: from_document(FindingDocument, back[place].document) for place in loaded} == loaded
