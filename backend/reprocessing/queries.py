"""Queries for runs and for what they changed."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import select

from backend.access.decisions import visible
from backend.core.errors import NotFoundError
from backend.models import Case, Change, ReprocessedCase, ReprocessRun
from backend.reprocessing.schemas import ReprocessedCaseRead, ReprocessedVerdict, ReprocessRunRead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page


def runs(session: Session, page: Page) -> list[ReprocessRunRead]:
    """Return a page of the runs, newest first."""
    return describe(
        session,
        [run for (run,) in page.of(session, select(ReprocessRun), ReprocessRun.id, is_descending=True)],
    )


def one(session: Session, run_id: UUID) -> ReprocessRun:
    """Return one run.

    Raises:
        NotFoundError: There is none.
    """
    run = session.get(ReprocessRun, run_id)
    if run is None:
        raise NotFoundError(f"no run {run_id}")
    return run


def describe(session: Session, found: Sequence[ReprocessRun]) -> list[ReprocessRunRead]:
    """Return the response documents of runs."""
    ids = {UUID(run.selection["case_id"]) for run in found if run.selection["case_id"]}
    numbers = dict(session.execute(select(Case.id, Case.number).where(Case.id.in_(ids))).all()) if ids else {}
    return [
        ReprocessRunRead(
            id=run.id,
            state=run.state.value,
            author=run.author,
            created_at=run.created_at,
            finished_at=run.finished_at,
            takes_all=run.selection["takes_all"],
            since=run.selection["since"],
            until=run.selection["until"],
            case_number=numbers.get(UUID(run.selection["case_id"])) if run.selection["case_id"] else None,
            total=run.total,
            done=run.done,
            changes={change: run.changes[change.value] for change in Change if change.value in run.changes},
            reason=run.reason,
        )
        for run in found
    ]


def cases(
    session: Session, run: ReprocessRun, principal: Principal, page: Page, *, changes: Sequence[Change]
) -> list[ReprocessedCaseRead]:
    """Return a page of the cases of a run with one of `changes`, in its order: from new to old."""
    query = (
        select(ReprocessedCase, Case.number, Case.title)
        .join(Case, Case.id == ReprocessedCase.case_id)
        .where(ReprocessedCase.run_id == run.id, ReprocessedCase.change.in_(changes))
        .where(visible(principal), Case.deleted_at.is_(None))
    )
    rows = page.of(session, query, ReprocessedCase.case_id, is_descending=True)
    return [
        ReprocessedCaseRead(
            case_id=row.case_id,
            case_number=number,
            case_title=title,
            change=row.change,
            at=row.created_at,
            files_read=row.files_read,
            before=row.before,
            after=row.after,
            verdicts=[ReprocessedVerdict.model_validate(verdict) for verdict in row.verdicts],
            reason=row.reason,
        )
        for row, number, title in rows
    ]
