"""Endpoints of cases that were seen before."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from backend.access.actions import Action
from backend.access.dependencies import AdmissionDep, PrincipalDep, SessionDep, needs
from backend.cases import queries
from backend.cases.access import CaseDep
from backend.models.case import Case
from backend.similarity import seen_before
from backend.similarity.schemas_seen import PairLabelRead, PairLabelWrite, SeenBeforeRead

router = APIRouter(prefix="/cases/{case_id}/seen-before", tags=["similarity"])
OtherName = Annotated[str, Path(description="UUID or number of the other case", max_length=36)]


def get_other_case(admission: AdmissionDep, other: OtherName) -> Case:
    """Return the other case of a pair.

    Raises:
        NotFoundError: It does not exist, was deleted, or is not visible to the principal.
    """
    return admission.find(queries.case_named(other), absent=queries.absent(other))


OtherCaseDep = Annotated[Case, Depends(get_other_case)]


@router.get("", dependencies=[needs(Action.CASE_READ)])
def list_seen_before(case: CaseDep, session: SessionDep, principal: PrincipalDep) -> SeenBeforeRead:
    """List visible earlier cases that are the same problem, with how they ended."""
    return seen_before.read(session, principal, case)


@router.put("/{other}", dependencies=[needs(Action.CASE_CHANGE)])
def label_pair(
    body: PairLabelWrite, case: CaseDep, other: OtherCaseDep, session: SessionDep, principal: PrincipalDep
) -> PairLabelRead:
    """Say that two cases are the same problem or different ones, replacing your earlier label."""
    return seen_before.put_label(session, principal, case, other, body.opinion)


@router.delete("/{other}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_pair_label(
    case: CaseDep, other: OtherCaseDep, session: SessionDep, principal: PrincipalDep
) -> None:
    """Remove your label of two cases."""
    seen_before.delete_label(session, principal, case, other)
