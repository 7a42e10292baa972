"""Endpoints of findings, system-wide analyses and signatures."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.evidence.service import case_changed
from backend.findings import analyses, library, overviews, report, team_libraries
from backend.findings.schemas import AnalysesRead, FindingsRead, JudgementQueued
from backend.findings.schemas_overview import OverviewRead
from backend.findings.schemas_signatures import SignatureRead, SignatureSummary
from ingest.model.json_value import JsonValue

router = APIRouter(tags=["findings"])


@router.get("/cases/{case_id}/findings", dependencies=[needs(Action.CASE_READ)])
def list_findings(
    case: CaseDep,
    session: SessionDep,
    page: PageDep,
    all: Annotated[bool, Query(description="Include what is not, is not decided or not looked at")] = False,  # noqa: A002, FBT002 - the name in the URL
) -> FindingsRead:
    """List the findings of the case by rank, with near misses and recommended captures."""
    return report.of_case(session, case, page, with_all=all)


@router.get("/cases/{case_id}/analyses", dependencies=[needs(Action.CASE_READ)])
def list_analyses(case: CaseDep, session: SessionDep) -> AnalysesRead:
    """Return the system-wide analyses of the case, independent of signatures."""
    return analyses.of_case(session, case)


@router.get("/cases/{case_id}/overview", dependencies=[needs(Action.CASE_READ)])
def read_overview(case: CaseDep, session: SessionDep) -> OverviewRead:
    """Return headline, assessed questions, statements and the next capture: what the first screen says."""
    return overviews.of_case(session, case)


@router.post("/cases/{case_id}/judge", status_code=202, dependencies=[needs(Action.CASE_CHANGE)])
def judge_again(case: CaseDep, response: Response, session: SessionDep) -> JudgementQueued:
    """Judge the case again, after a judgement that failed or was cancelled."""
    case_changed(session, case.id)
    locate(response, "cases", case.number)
    return JudgementQueued(evidence_rev=case.evidence_rev)


@router.get("/signatures", dependencies=[needs(Action.LIBRARY_READ)])
def list_signatures(page: PageDep) -> Listed[SignatureSummary]:
    """List the signature library."""
    return page.envelope(page.cut(library.summaries(), lambda signature: (signature.id,)))


@router.get("/signatures/language/schema", dependencies=[needs(Action.LIBRARY_READ)])
def read_signature_schema() -> dict[str, JsonValue]:
    """Return the JSON Schema of `signature.yaml`, for editors."""
    return library.schema()


@router.get("/signatures/{area}/{name}", dependencies=[needs(Action.LIBRARY_READ)])
def read_signature(
    area: Annotated[str, Path(max_length=50)],
    name: Annotated[str, Path(max_length=100)],
    session: SessionDep,
) -> SignatureRead:
    """Return one signature with document and story; that of a team's library, if one in use has it."""
    signature_id = f"{area}/{name}"
    return library.detail(signature_id, team_libraries.signature(session, signature_id))


@router.get(
    "/signatures/{area}/{name}/detection/{export}",
    response_class=Response,
    responses={200: {"content": {"application/yaml": {}, "text/x-shellscript": {}}}},
    dependencies=[needs(Action.LIBRARY_READ)],
)
def read_signature_detection(
    area: Annotated[str, Path(max_length=50)],
    name: Annotated[str, Path(max_length=100)],
    export: Literal["prometheus", "probe", "node-problem-detector"],
) -> Response:
    """Return a signature as a Prometheus rule, a shell probe, or a ConfigMap for node-problem-detector."""
    text, media_type, filename = library.detection(f"{area}/{name}", export)
    return Response(
        text, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{filename}"'}
    )
