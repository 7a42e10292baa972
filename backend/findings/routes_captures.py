"""Endpoints of capture runs."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.findings import captures
from backend.findings.access import DeletedRunDep, RunDep
from backend.findings.schemas_captures import CaptureRunCreate, CaptureRunRead, CaptureRunUpdate

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/captures", dependencies=[needs(Action.CASE_READ)])
def list_captures(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[CaptureRunRead]:
    """List the capture runs, oldest first, with their evidence and the conditions decided."""
    return page.envelope(captures.of_case(session, case, page))


@router.post("/cases/{case_id}/captures", status_code=201, dependencies=[needs(Action.CASE_CHANGE)])
def create_capture_run(
    body: CaptureRunCreate, case: CaseDep, session: SessionDep, principal: PrincipalDep, _once: ClaimedDep
) -> CaptureRunRead:
    """Record that a recommended capture was run."""
    return captures.note(session, case, body, actor=principal.name)


@router.put("/captures/{run_id}", dependencies=[needs(Action.CASE_CHANGE)])
def set_capture_results(
    body: CaptureRunUpdate, run: RunDep, session: SessionDep, principal: PrincipalDep
) -> CaptureRunRead:
    """Set the result evidence of the run."""
    captures.link(session, run, body.evidence_ids, actor=principal.name)
    return captures.describe(session, [run])[0]


@router.delete("/captures/{run_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_capture_run(run: RunDep, session: SessionDep, principal: PrincipalDep) -> None:
    """Withdraw the run; its evidence stays."""
    captures.take_back(session, run, actor=principal.name)


@router.post("/captures/{run_id}/restore", dependencies=[needs(Action.CASE_CHANGE)])
def restore_capture_run(run: DeletedRunDep, session: SessionDep, principal: PrincipalDep) -> CaptureRunRead:
    """Restore the run."""
    captures.restore(session, run, actor=principal.name)
    return captures.describe(session, [run])[0]
