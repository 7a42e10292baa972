"""Judge a case: analyse its readings, replace its findings and its screen in one transaction.

Optimistic concurrency: evaluate without locks, then lock the case and write if its evidence revision is
unchanged, else queue again. Readers never see a mix of two revisions.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sqlalchemy import Uuid, bindparam, text

from backend.cases import stored_findings
from backend.cases.queries import hold
from backend.core import derived_rows, events
from backend.core.db.base import json_text
from backend.core.domain_events import publish
from backend.core.jobs.job import error_number
from backend.evidence import case_index
from backend.evidence.domain_events import ProfilesRead
from backend.findings import case_titles, library, observations, phases, report, screens, team_libraries
from backend.findings.case_analysis import analyse, inputs_at
from backend.findings.domain_events import FindingsOutdated
from backend.profiles import indexing, queries_frames
from backend.sandbox.envelope import limits_of_job
from backend.sandbox.runner import LimitHitError, TooSlowError
from backend.uploads.writer import are_coming
from signatures.documents.alarm import FIRING
from signatures.overview.screen_document import failed_headline_document

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.findings.case_analysis import CaseAnalysis
    from backend.models.case import Case
    from backend.sandbox.documents import ProfileDocument

logger = logging.getLogger(__name__)

COPIED = ("host", "phase", "signature", "title", "verdict", "score")
"""Document fields repeated as columns of the row."""

DELAY_SECONDS = 1.5
"""Delay of a judgement while uploads of the case continue."""

REPLACE = text("""
    with kept as (
    insert into finding (id, case_id, host, phase, signature, title, verdict, score, case_rev)
    select id, :case_id, host, phase, signature, title, verdict, score, :revision
    from jsonb_to_recordset(cast(:rows as jsonb)) as written(
        id uuid, host text, phase text, signature text, title text, verdict text, score float8
    )
    on conflict (case_id, host, phase, signature) do update set
        title = excluded.title, verdict = excluded.verdict, score = excluded.score,
        case_rev = excluded.case_rev
    returning id
    )
    delete from finding where case_id = :case_id and id not in (select id from kept)
""").bindparams(bindparam("case_id", type_=Uuid()))
"""The findings of a case that queries ask for as one JSON array, written by one statement."""


def judge_now(session: Session, settings: Settings, store: Store, case: Case) -> None:
    """Index and judge a small case in the current transaction, else queue both; the caller holds its lock."""
    if case.deleted_at is not None:
        return
    inputs = inputs_at(session, case.id, case.evidence_rev)
    items = {one.digest: number for number, one in enumerate(inputs.readings)}
    pending = [one for one in queries_frames.unindexed_of_case(session, case.id) if one.digest in items]
    profiles: list[ProfileDocument] = [{"item": items[one.digest], "ordinal": one.ordinal} for one in pending]
    try:
        limits = limits_of_job(settings, "light")
        analysis = analyse(settings, store, inputs, limits, profiles=profiles)
    except (LimitHitError, TooSlowError):
        publish(session, ProfilesRead(case.id))
        queue_judgement(session, case.id)
        return
    ids = [one.profile_id for one in pending]
    indexing.write(session, dict(zip(ids, analysis.weighed, strict=True)))
    keep_held(session, case, analysis)


def queue_judgement(session: Session, case_id: UUID) -> None:
    """Queue the judgement of the case, delayed while uploads continue."""
    delay_seconds = DELAY_SECONDS if are_coming(session, case_id) else 0.0
    publish(session, FindingsOutdated(case_id, delay_seconds))


def keep(session: Session, case_id: UUID, analysis: CaseAnalysis) -> None:
    """Replace the findings and the screen of the case; unchanged scopes keep their ids."""
    if (case := hold(session, case_id)) is not None:
        keep_held(session, case, analysis)


def keep_held(session: Session, case: Case, analysis: CaseAnalysis) -> None:
    """Replace the findings and the screen of a case that the transaction has locked and read since."""
    case_id, judgement = case.id, analysis.judgement
    observations.save(session, analysis.observations)
    _write(session, case_id, analysis)
    team_libraries.keep_shadow(session, case_id, analysis.shadow_ids, analysis.shadow)
    case.judged_rev = analysis.revision
    case.cleared = phases.cleared_signatures(judgement.findings)
    case.next_captures = judgement.next_captures
    screens.keep(session, case, analysis)
    case_titles.rename(session, case, judgement.findings)
    case_index.refresh(session, case_id)
    derived_rows.mark(session, case_id)
    session.flush()
    shown = [one for one in judgement.findings if one.is_listed and not one.is_provisional]
    events.record(
        session,
        "findings.judged",
        case_id=case_id,
        payload={
            "judged_rev": analysis.revision,
            "evidence_rev": case.evidence_rev,
            "findings": [
                {name: getattr(document, name) for name in ("signature", "host", "phase", "verdict")}
                for document in shown
            ],
            "alarms": [
                {name: getattr(document, name) for name in ("alarm", "host", "phase", "level")}
                for document in analysis.screen.alarms
            ],
        },
    )
    if case.evidence_rev != analysis.revision:
        queue_judgement(session, case_id)


def give_up(session: Session, case_id: UUID, error: str) -> None:
    """Settle a case whose judgement failed.

    Args:
        session: The transaction.
        case_id: The case.
        error: Of the last attempt; shown as a number, since it may quote evidence.
    """
    number = error_number(error)
    logger.error("the judgement of case %s failed, reported as %s: %s", case_id, number, error)
    settle(session, case_id, f"failed, reported as {number}")


def settle(session: Session, case_id: UUID, outcome: str) -> None:
    """Settle a case that is not judged: its findings stay those of the revision before, and it says so."""
    case = hold(session, case_id)
    if case is None:
        return
    before = f"; the findings are of revision {case.judged_rev}" if case.judged_rev else ""
    words = f"The analysis of the newest evidence {outcome}{before}"
    case.headline = failed_headline_document(words)
    case.judged_rev = case.evidence_rev
    payload = {"judged_rev": case.judged_rev, "evidence_rev": case.evidence_rev, "findings": [], "alarms": []}
    events.record(session, "findings.judged", case_id=case_id, payload=payload)


def _write(session: Session, case_id: UUID, analysis: CaseAnalysis) -> None:
    """Replace all findings; rows of matches and suspects are kept or deleted with them."""
    stored_findings.save(session, case_id, analysis.revision, analysis.findings, library.dictionary())
    rows = [
        {name: getattr(finding, name) for name in COPIED} | {"id": str(report.id_of(case_id, finding))}
        for finding in analysis.judgement.findings
        if finding.verdict in FIRING
    ]
    values = {"case_id": case_id, "revision": analysis.revision, "rows": json_text(rows)}
    session.execute(REPLACE, values)
