"""Hosts of a case: whose evidence is whose, what was found where, and what is different on one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.findings import hosts
from backend.findings.schemas_hosts import ContrastRead, HostsRead, OutlierRead

router = APIRouter(prefix="/cases/{case_id}/hosts", tags=["findings"])

HostName = Annotated[str, Query(max_length=300)]


@router.get("", dependencies=[needs(Action.CASE_READ)])
def list_hosts(case: CaseDep, session: SessionDep) -> HostsRead:
    """Return the machines and boots that the evidence is of, and the verdicts on each."""
    return hosts.of_case(session, case)


@router.get("/contrast", dependencies=[needs(Action.CASE_READ)])
def contrast_hosts(
    case: CaseDep,
    session: SessionDep,
    bad: HostName,
    good: Annotated[list[HostName], Query(max_length=100, description="All others when absent")] = [],  # noqa: B006 - FastAPI copies it
) -> ContrastRead:
    """Return the facts that differ on a bad host from good ones, most surprising first."""
    return hosts.contrast_of(session, case, bad, good)


@router.get("/outlier", dependencies=[needs(Action.CASE_READ)])
def find_outlier(case: CaseDep, session: SessionDep) -> OutlierRead:
    """Return the host whose facts differ most from all others."""
    return hosts.outlier_of(session, case)
