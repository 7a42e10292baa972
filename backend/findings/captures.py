"""Capture runs: records that a recommended capture was run, and its results.

A run stores the conditions it should decide; once they are decided, the case no longer recommends it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from backend.cases import stored_findings
from backend.core import events
from backend.core.errors import NotFoundError, UnsupportedQueryError
from backend.core.http.pagination import WHOLE
from backend.findings.schemas_captures import CaptureResultRead, CaptureRunRead, SettledStateRead
from backend.models.capture_run import CaptureResult, CaptureRun
from backend.models.evidence import Evidence
from signatures.documents.capture import NextCaptureDocument, SettledDocument

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.findings.schemas_captures import CaptureRunCreate
    from backend.models.case import Case
    from signatures.documents.finding import ConditionState

SURE: tuple[ConditionState, ...] = ("TRUE", "FALSE", "UNKNOWN", "NOT_OBSERVABLE")


def of_case(session: Session, case: Case, page: Page = WHOLE) -> list[CaptureRunRead]:
    """Return a page of the capture runs, oldest first, with the conditions they decided."""
    query = select(CaptureRun).where(CaptureRun.case_id == case.id, CaptureRun.deleted_at.is_(None))
    return describe(session, [run for (run,) in page.of(session, query, CaptureRun.ran_at, CaptureRun.id)])


def note(session: Session, case: Case, body: CaptureRunCreate, *, actor: str) -> CaptureRunRead:
    """Record that a capture was run.

    Raises:
        UnsupportedQueryError: The case does not recommend it, or `ran_at` is in the future.
        NotFoundError: The case has no such evidence.
    """
    recommended = [one for one in _recommended(session, case) if one.name == body.capture]
    if not recommended:
        names = ", ".join(sorted({one.name for one in _recommended(session, case)})) or "none"
        raise UnsupportedQueryError(
            f"this case does not recommend the capture {body.capture!r}; it recommends {names}"
        )
    now = datetime.now(UTC)
    if body.ran_at is not None and body.ran_at > now:
        raise UnsupportedQueryError("`ran_at` is in the future")
    run = CaptureRun(
        case_id=case.id,
        capture=body.capture,
        title=recommended[0].title,
        command=recommended[0].run,
        settles=_settles(session, case, recommended),
        author=actor,
        ran_at=body.ran_at or now,
    )
    session.add(run)
    session.flush()
    _record_event(session, "capture.ran", run, actor, ran_at=run.ran_at.isoformat())
    if body.evidence_ids:
        link(session, run, body.evidence_ids, actor=actor)
    return describe(session, [run])[0]


def link(session: Session, run: CaptureRun, evidence_ids: Sequence[UUID], *, actor: str) -> None:
    """Replace the result evidence of a run.

    Raises:
        NotFoundError: The case has no such evidence.
    """
    wanted = list(dict.fromkeys(evidence_ids))
    query = select(Evidence.id, Evidence.captured_path, Evidence.filename).where(
        Evidence.id.in_(wanted), Evidence.case_id == run.case_id, Evidence.deleted_at.is_(None)
    )
    names = {evidence_id: path or name for evidence_id, path, name in session.execute(query)}
    for evidence_id in wanted:
        if evidence_id not in names:
            raise NotFoundError(f"this case has no evidence {evidence_id}")
    session.execute(delete(CaptureResult).where(CaptureResult.run_id == run.id))
    session.add_all([CaptureResult(run_id=run.id, evidence_id=evidence_id) for evidence_id in wanted])
    session.flush()
    _record_event(session, "capture.linked", run, actor, names=list(names.values()))


def take_back(session: Session, run: CaptureRun, *, actor: str) -> None:
    """Withdraw a run; its evidence stays in the case."""
    run.deleted_at = datetime.now(UTC)
    session.flush()
    _record_event(session, "capture.taken_back", run, actor)


def restore(session: Session, run: CaptureRun, *, actor: str) -> None:
    """Restore a withdrawn run."""
    if run.deleted_at is None:
        return
    run.deleted_at = None
    session.flush()
    _record_event(session, "capture.restored", run, actor)


def describe(session: Session, runs: Sequence[CaptureRun]) -> list[CaptureRunRead]:
    """Return runs with their evidence and the current state of their conditions."""
    if not runs:
        return []
    results: dict[UUID, list[CaptureResultRead]] = {run.id: [] for run in runs}
    query = (
        select(CaptureResult.run_id, Evidence)
        .join(Evidence, Evidence.id == CaptureResult.evidence_id)
        .where(CaptureResult.run_id.in_(results), Evidence.deleted_at.is_(None))
        .order_by(Evidence.id)
    )
    for run_id, evidence in session.execute(query):
        name = evidence.captured_path or evidence.filename
        result = {"evidence_id": evidence.id, "name": name, "state": evidence.state.value}
        results[run_id].append(CaptureResultRead.model_validate(result))
    states = _states(session, {run.case_id for run in runs})
    return [
        CaptureRunRead(
            id=run.id,
            capture=run.capture,
            title=run.title,
            command=run.command,
            author=run.author,
            ran_at=run.ran_at,
            results=results[run.id],
            settles=[
                SettledStateRead(
                    signature=one.signature,
                    clause=one.condition,
                    title=one.title,
                    state=states.get((run.case_id, one.signature, one.condition), "UNKNOWN"),
                )
                for one in run.settles
            ],
        )
        for run in runs
    ]


def _recommended(session: Session, case: Case) -> Iterator[NextCaptureDocument]:
    """Yield every recommended capture of the case, overall and per finding."""
    yield from case.next_captures
    for finding in stored_findings.load(session, case.id):
        for one in finding.next:
            settles = SettledDocument(signature=finding.signature, condition=one.condition)
            yield NextCaptureDocument(name=one.name, title=one.title, run=one.run, settles=(settles,))


def _settles(
    session: Session, case: Case, recommended: Sequence[NextCaptureDocument]
) -> tuple[SettledDocument, ...]:
    """Return the conditions that one capture would decide, deduplicated, with titles."""
    titles = {
        (finding.signature, one.id): one.name
        for finding in stored_findings.load(session, case.id)
        for one in finding.conditions
    }
    places = dict.fromkeys((one.signature, one.condition) for row in recommended for one in row.settles)
    return tuple(
        SettledDocument(signature=place[0], condition=place[1], title=titles.get(place, place[1]))
        for place in places
    )


def _states(session: Session, case_ids: set[UUID]) -> dict[tuple[UUID, str, str], ConditionState]:
    """Return the most certain state of every condition over all hosts and phases."""
    states: dict[tuple[UUID, str, str], ConditionState] = {}
    for case_id, findings in stored_findings.load_all(session, case_ids).items():
        for finding in findings:
            for one in finding.conditions:
                place = (case_id, finding.signature, one.id)
                states[place] = min(states.get(place, SURE[-1]), one.state, key=SURE.index)
    return states


def _record_event(session: Session, kind: str, run: CaptureRun, actor: str, **details: Any) -> None:
    payload = {"run_id": str(run.id), "capture": run.capture, "title": run.title, **details}
    events.record(session, kind, case_id=run.case_id, actor=actor, payload=payload)
