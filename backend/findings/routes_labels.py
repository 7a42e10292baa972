"""Endpoints of labels on findings."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.pagination import PageDep
from backend.findings import labels
from backend.findings.schemas_labels import LabelRead, LabelWrite

router = APIRouter(prefix="/cases/{case_id}/labels", tags=["findings"])


@router.get("", dependencies=[needs(Action.CASE_READ)])
def list_labels(
    case: CaseDep, session: SessionDep, principal: PrincipalDep, page: PageDep
) -> Listed[LabelRead]:
    """List the labels of the findings, oldest first; labels outlive every judgement."""
    return page.envelope(labels.of_case(session, principal, case, page))


@router.put("", dependencies=[needs(Action.CASE_CHANGE)])
def set_label(body: LabelWrite, case: CaseDep, session: SessionDep, principal: PrincipalDep) -> LabelRead:
    """Label a finding as right or wrong, replacing your earlier label; its verdict stays."""
    return labels.put_label(session, principal, case, body)


@router.delete("/{label_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_label(case: CaseDep, label_id: UUID, session: SessionDep, principal: PrincipalDep) -> None:
    """Remove your label."""
    labels.take_back(session, principal, case, label_id)
