"""Labels: what people say about the findings of a case."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import AskerDep, SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.paging import PageDep
from backend.findings import labels
from backend.findings.schemas_labels import LabelRead, LabelWrite

router = APIRouter(prefix="/cases/{case_id}/labels", tags=["findings"])


@router.get("", dependencies=[needs(Action.CASE_READ)])
def list_labels(case: CaseDep, session: SessionDep, asker: AskerDep, page: PageDep) -> list[LabelRead]:
    """Return what people said of the findings, oldest first; labels outlive every judgement."""
    return labels.of_case(session, asker, case, page)


@router.put("", dependencies=[needs(Action.CASE_CHANGE)])
def say_label(body: LabelWrite, case: CaseDep, session: SessionDep, asker: AskerDep) -> LabelRead:
    """Say whether a finding is right, in place of what you said of it before; its verdict stays."""
    return labels.say(session, asker, case, body)


@router.delete("/{label_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def take_back_label(case: CaseDep, label_id: UUID, session: SessionDep, asker: AskerDep) -> None:
    """Take back what you said."""
    labels.take_back(session, asker, case, label_id)
