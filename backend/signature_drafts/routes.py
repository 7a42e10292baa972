"""Endpoints of signature drafts: request, follow, download."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, StoreDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.core.http.stored_responses import stored_response
from backend.evidence.service import attachment
from backend.signature_drafts import queries, service
from backend.signature_drafts.schemas import SignatureDraftCreate, SignatureDraftRead

router = APIRouter(tags=["signature drafts"])


@router.get("/cases/{case_id}/signature-drafts", dependencies=[needs(Action.CASE_READ)])
def list_signature_drafts(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[SignatureDraftRead]:
    """List the signatures drafted from the case, newest first."""
    return page.envelope(queries.of_case(session, case, page))


@router.post("/cases/{case_id}/signature-drafts", status_code=202, dependencies=[needs(Action.CASE_STORY)])
def create_signature_draft(
    body: SignatureDraftCreate,
    case: CaseDep,
    response: Response,
    session: SessionDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
) -> SignatureDraftRead:
    """Draft a signature folder from a closed case: redacted evidence, conditions, look-alikes, story."""
    draft = service.begin(session, case, body, actor=principal.name)
    locate(response, "cases", case.number, "signature-drafts", draft.id)
    return queries.describe(draft)


@router.get("/cases/{case_id}/signature-drafts/{draft_id}", dependencies=[needs(Action.CASE_READ)])
def read_signature_draft(case: CaseDep, draft_id: UUID, session: SessionDep) -> SignatureDraftRead:
    """Return one draft with its progress, and its report when it is ready."""
    return queries.describe(queries.one(session, case, draft_id))


@router.get(
    "/cases/{case_id}/signature-drafts/{draft_id}/folder.zip",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def download_signature_draft(case: CaseDep, draft_id: UUID, session: SessionDep, store: StoreDep) -> Response:
    """Download the folder, to be unpacked in a library of signatures."""
    draft = queries.ready(session, case, draft_id)
    name = f"{draft.signature_id.replace('/', '-')}.zip"
    return stored_response(
        store, str(draft.zip_sha256), media_type="application/zip", disposition=attachment(name)
    )
