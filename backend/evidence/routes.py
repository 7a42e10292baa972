"""Endpoints of evidence: list, parse report, facts, raw lines, download."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response, StreamingResponse

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, StoreDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import Page, PageDep, paged
from backend.core.http.stored_responses import stored_response
from backend.evidence import lines, queries, report, service
from backend.evidence.access import DeletedEvidenceDep, EvidenceDep
from backend.evidence.schemas import EvidenceRead, FactRead, LimitsRead, LinesRead

router = APIRouter(tags=["evidence"])


@router.get("/limits", dependencies=[needs(Action.LIBRARY_READ)])
def read_limits(session: SessionDep, settings: SettingsDep) -> LimitsRead:
    """Return the upload limits and the free space."""
    return service.limits(session, settings)


@router.get("/cases/{case_id}/evidence", dependencies=[needs(Action.CASE_READ)])
def list_evidence(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[EvidenceRead]:
    """List the evidence of the case with parse reports, archives before their members."""
    return page.envelope(report.of_case(session, case, page))


@router.get("/cases/{case_id}/facts", dependencies=[needs(Action.CASE_READ)])
def list_facts(
    case: CaseDep,
    session: SessionDep,
    page: Annotated[Page, paged(1000, 5000)],
    name: Annotated[str, Query(max_length=200, description="A fact name, or a prefix ending in '.'")] = "",
) -> Listed[FactRead]:
    """List facts of the case, by name."""
    return page.envelope(queries.facts_of_case(session, case, page, name=name))


@router.get("/evidence/{evidence_id}", dependencies=[needs(Action.CASE_READ)])
def read_evidence(evidence: EvidenceDep, session: SessionDep) -> EvidenceRead:
    """Return one evidence with its parse report."""
    return report.of_one(session, evidence)


@router.delete("/evidence/{evidence_id}", status_code=204, dependencies=[needs(Action.CASE_CHANGE)])
def delete_evidence(evidence: EvidenceDep, session: SessionDep, account: PrincipalDep) -> None:
    """Delete evidence from its case and stop its reading; `restore` undoes it."""
    service.delete(session, evidence, actor=account.name)


@router.post("/evidence/{evidence_id}/restore", dependencies=[needs(Action.CASE_CHANGE)])
def restore_evidence(
    evidence: DeletedEvidenceDep, session: SessionDep, settings: SettingsDep, account: PrincipalDep
) -> EvidenceRead:
    """Restore deleted evidence."""
    service.restore(session, settings, evidence, actor=account.name)
    return report.of_one(session, evidence)


@router.post("/evidence/{evidence_id}/retry", status_code=202, dependencies=[needs(Action.CASE_CHANGE)])
def retry_evidence(
    evidence: EvidenceDep,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    account: PrincipalDep,
) -> EvidenceRead:
    """Read rejected, failed or cancelled evidence again."""
    service.retry(session, settings, evidence, actor=account.name)
    locate(response, "evidence", evidence.id)
    return report.of_one(session, evidence)


@router.get("/evidence/{evidence_id}/lines", dependencies=[needs(Action.CASE_READ)])
def read_lines(
    evidence: EvidenceDep,
    store: StoreDep,
    first: Annotated[int, Query(ge=1)] = 1,
    last: Annotated[
        int | None, Query(ge=1, description=f"At most {service.MAX_LINES} lines per call")
    ] = None,
) -> LinesRead:
    """Return raw lines by 1-based inclusive range, cut at the end of the evidence."""
    at_most = first + service.MAX_LINES - 1
    return lines.read(store, evidence, first=first, last=at_most if last is None else min(last, at_most))


@router.get(
    "/evidence/{evidence_id}/content",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def download_evidence(evidence: EvidenceDep, store: StoreDep) -> Response:
    """Download the received bytes as an attachment that no browser executes."""
    return stored_response(
        store,
        evidence.sha256,
        media_type="application/octet-stream",
        disposition=service.attachment(evidence.filename),
    )
