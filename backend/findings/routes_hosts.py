"""Endpoints of the hosts of a case."""

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
    """List the hosts and boots of the evidence with the verdicts on each."""
    return hosts.of_case(session, case)


@router.get("/contrast", dependencies=[needs(Action.CASE_READ)])
def contrast_hosts(
    case: CaseDep,
    session: SessionDep,
    bad: HostName,
    good: Annotated[list[HostName], Query(max_length=100, description="Default: all other hosts")] = [],  # noqa: B006 - FastAPI copies it
) -> ContrastRead:
    """Return the facts that differ between a bad host and good ones, most surprising first."""
    return hosts.contrast_of(session, case, bad, good)


@router.get("/outlier", dependencies=[needs(Action.CASE_READ)])
def find_outlier(case: CaseDep, session: SessionDep) -> OutlierRead:
    """Return the host whose facts differ most from all others."""
    return hosts.outlier_of(session, case)
