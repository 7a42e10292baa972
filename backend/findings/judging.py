"""Judge a case: load its readings, evaluate all signatures, replace its findings in one transaction.

Optimistic concurrency: evaluate without locks, then lock the case and write if its evidence revision is
unchanged, else queue again. Readers never see a mix of two revisions.
"""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Uuid, bindparam, select, text

from backend.cases.overview import VERDICT_RANK
from backend.cases.queries import hold
from backend.core import events
from backend.core.db.base import json_text, uuid7
from backend.core.domain_events import publish
from backend.evidence import case_index, readings
from backend.findings import alarms, case_titles, library
from backend.findings.domain_events import FindingsOutdated
from backend.findings.items import item_of
from backend.findings.observations import Observations
from backend.models.case import Case
from backend.uploads.writer import are_coming
from signatures.judging.judge import judge
from signatures.overview.screen_document import failed_headline_document
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document, next_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.evidence.readings import AssignedReading
    from backend.findings.alarms import Screen
    from signatures.judging.finding import Finding as JudgedFinding


logger = logging.getLogger(__name__)

COPIED = (
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
)
"""Document fields repeated as columns of the row."""

DELAY_SECONDS = 1.5
"""Delay of a judgement while uploads of the case continue."""

REPLACE = text("""
    with kept as (
    insert into finding (
        id, case_id, host, phase, signature, version, digest, title, severity, verdict, score, confidence,
        coverage, is_near_miss, is_provisional, case_rev, document
    )
    select
        id, :case_id, host, phase, signature, version, digest, title, severity, verdict, score, confidence,
        coverage, is_near_miss, is_provisional, :revision, document
    from jsonb_to_recordset(cast(:rows as jsonb)) as written(
        id uuid, host text, phase text, signature text, version integer, digest text, title text,
        severity text, verdict text, score float8, confidence float8, coverage float8, is_near_miss boolean,
        is_provisional boolean, document jsonb
    )
    on conflict (case_id, host, phase, signature) do update set
        version = excluded.version, digest = excluded.digest, title = excluded.title,
        severity = excluded.severity, verdict = excluded.verdict, score = excluded.score,
        confidence = excluded.confidence, coverage = excluded.coverage,
        is_near_miss = excluded.is_near_miss, is_provisional = excluded.is_provisional,
        case_rev = excluded.case_rev, document = excluded.document, updated_at = now()
    returning id
    )
    delete from finding where case_id = :case_id and id not in (select id from kept)
""").bindparams(bindparam("case_id", type_=Uuid()))
"""All findings of a case as one JSON array, written by one statement."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The findings of signatures, alarms and headline of a case for one revision of its evidence."""

    revision: int
    findings: list[dict[str, Any]]
    next_captures: list[dict[str, Any]]
    observations: Observations
    screen: Screen


def load_inputs(session: Session, case_id: UUID) -> tuple[int, list[AssignedReading], Observations] | None:
    """Return revision, readings and cached observations of the case; None when it is deleted."""
    revision = session.scalar(select(Case.evidence_rev).where(Case.id == case_id, Case.deleted_at.is_(None)))
    if revision is None:
        return None
    placed = readings.of_case(session, case_id)
    return revision, placed, Observations.load(session, [one.digest for one in placed])


def decide(
    store: Store, revision: int, placed: Sequence[AssignedReading], observations: Observations
) -> Judgement:
    """Judge every signature over `placed`; verdicts that rest on previews are provisional."""
    items = [item_of(store, one) for one in placed]
    whole = [item for item, one in zip(items, placed, strict=True) if not one.is_provisional]
    certain = judge(whole, library.catalog(), cache=observations)
    findings = certain if len(whole) == len(items) else judge(items, library.catalog(), cache=observations)
    certain_by_scope = {_scope(finding): finding for finding in certain}
    documents = []
    for finding in findings:
        sure = certain_by_scope.get(_scope(finding))
        # A verdict that also holds without the preview stays, and is not provisional.
        is_sure = sure is not None and (sure.verdict in VERDICT_RANK or sure.verdict == finding.verdict)
        shown = sure if is_sure and sure is not None else finding
        documents.append(
            finding_document(shown) | {"is_listed": shown.is_listed, "is_provisional": not is_sure}
        )
    captures = next_document(next_captures(findings))
    return Judgement(
        revision, documents, captures, observations, alarms.screen_of(whole, documents, captures)
    )


def _scope(finding: JudgedFinding) -> tuple[str, str, str]:
    return finding.host, finding.phase, finding.signature.id


def judge_now(session: Session, store: Store, case: Case) -> None:
    """Judge a small case in the current transaction; the caller holds the case lock."""
    inputs = load_inputs(session, case.id)
    if inputs is not None:
        keep(session, case.id, decide(store, *inputs))


def queue_judgement(session: Session, case_id: UUID) -> None:
    """Queue the judgement of the case, delayed while uploads continue."""
    delay_seconds = DELAY_SECONDS if are_coming(session, case_id) else 0.0
    publish(session, FindingsOutdated(case_id, delay_seconds))


def keep(session: Session, case_id: UUID, judgement: Judgement) -> None:
    """Replace the findings of the case; unchanged scopes keep their ids."""
    case = hold(session, case_id)
    if case is None:
        return
    judgement.observations.save(session)
    _write(session, case_id, judgement)
    case.judged_rev = judgement.revision
    case.next_captures = judgement.next_captures
    case.headline, case.alarms = judgement.screen.headline, judgement.screen.alarms
    case_titles.rename(session, case, judgement.findings)
    case_index.refresh(session, case_id)
    session.flush()
    shown = [row for row in judgement.findings if row["is_listed"] and not row["is_provisional"]]
    events.record(
        session,
        "findings.judged",
        case_id=case_id,
        payload={
            "judged_rev": judgement.revision,
            "evidence_rev": case.evidence_rev,
            "findings": [
                {name: document[name] for name in ("signature", "host", "phase", "verdict")}
                for document in shown
            ],
            "alarms": [
                {name: document[name] for name in ("alarm", "host", "phase", "level")}
                for document in judgement.screen.alarms
            ],
        },
    )
    if case.evidence_rev != judgement.revision:
        queue_judgement(session, case_id)


def give_up(session: Session, case_id: UUID, error: str) -> None:
    """Settle a case whose judgement failed: its findings stay those of the revision before, and it says so.

    Args:
        session: The transaction.
        case_id: The case.
        error: Of the last attempt; shown as a number, since it may quote evidence.
    """
    case = hold(session, case_id)
    if case is None:
        return
    number = f"{zlib.crc32(error.encode('utf-8', 'replace')):08x}"
    words = "The analysis of the newest evidence failed"
    before = f"; the findings are of revision {case.judged_rev}" if case.judged_rev else ""
    case.headline = failed_headline_document(f"{words}, reported as {number}{before}")
    case.judged_rev = case.evidence_rev
    logger.error("the judgement of case %s failed, reported as %s: %s", case_id, number, error)
    payload = {"judged_rev": case.judged_rev, "evidence_rev": case.evidence_rev, "findings": [], "alarms": []}
    events.record(session, "findings.judged", case_id=case_id, payload=payload)


def _write(session: Session, case_id: UUID, judgement: Judgement) -> None:
    """Upsert all findings; delete those of vanished hosts, phases and signatures."""
    digests = library.digests()
    rows = [
        {name: document[name] for name in COPIED}
        | {
            "id": str(uuid7()),
            "digest": digests.get(document["signature"], ""),
            "document": document,
        }
        for document in judgement.findings
    ]
    session.execute(REPLACE, {"case_id": case_id, "revision": judgement.revision, "rows": json_text(rows)})
