"""The migration gives judged cases the headline of their finding, and one job each for their alarms."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, text

from backend.core.jobs.queue import handler_of
from backend.core.jobs.task_modules import load_task_modules
from signatures.documents.codec import from_document
from signatures.documents.overview import CaseHeadlineDocument
from tests.migrations.test_frames import down, jobs, up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.core.settings import Settings

CASE = UUID("01900000-0000-7000-8000-000000000002")
FINDING = (
    "insert into finding (id, case_id, host, phase, signature, version, digest, title, severity, verdict,"
    " score, coverage, is_near_miss, is_provisional, case_rev, document)"
    " values (gen_random_uuid(), :case, 'db7', 'during', :signature, 1, '', 'A title', :severity, :verdict,"
    ' 1, 1, false, false, 1, \'{"superseded_by": "", "headline": "Match: A title"}\')'
)
FINDINGS = (("mm/a", "low", "match"), ("mm/b", "high", "match"), ("mm/c", "critical", "suspect"))


@pytest.fixture
def old(settings: Settings) -> Iterator[Engine]:
    """A database of the version before in which one of two cases was judged and has findings."""
    server = f"host={settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database judged")
    engine = create_engine(settings.effective_owner_url.replace("/casebook?", "/judged?"))
    up(engine, "0032")
    new = 'insert into "case" (id, title, state, evidence_rev, judged_rev, next_captures) values'
    with engine.begin() as connection:
        connection.execute(text(f"{new} (:case, '', 'open', 1, 1, '[]')"), {"case": CASE})
        connection.execute(text(f"{new} (gen_random_uuid(), '', 'open', 0, 0, '[]')"))
        for signature, severity, verdict in FINDINGS:
            named = {"case": CASE, "signature": signature, "severity": severity, "verdict": verdict}
            connection.execute(text(FINDING), named)
    yield engine
    engine.dispose()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("drop database judged")


def test_the_headline_is_there_at_once_and_a_worker_adds_the_alarms(old: Engine):
    up(old, "0033")
    with old.connect() as connection:
        rows = connection.execute(text('select judged_rev, headline from "case"')).all()
    found = {row.judged_rev: row.headline for row in rows}
    assert found[0] == {}
    headline = from_document(CaseHeadlineDocument, found[1])
    assert (headline.signature, headline.level, headline.text) == ("mm/b", "failure", "Match: A title")
    assert jobs(old) == [("findings.alarms", f"alarms:{CASE}", CASE, "queued", "light", None)]
    up(old, "0037")
    assert jobs(old) == [("findings.screen", f"screen:{CASE}", CASE, "queued", "light", None)]
    load_task_modules()
    assert callable(handler_of("findings.screen"))
    down(old, "0032")
    assert jobs(old) == []
