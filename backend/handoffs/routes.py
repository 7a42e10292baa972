"""Sender endpoints of handoffs: create, review redaction, share, message, close."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, SettingsDep, StoreDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.errors import NotFoundError
from backend.core.http.computing import compute
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.core.http.stored_responses import stored_response
from backend.evidence import lines
from backend.evidence.service import attachment
from backend.handoffs import origin, queries, service
from backend.handoffs.schemas import (
    HandoffCreate,
    HandoffOffer,
    HandoffOffered,
    HandoffRead,
    MessageCreate,
    OriginRead,
    RedactedLineRead,
    ReplacementsWrite,
)
from backend.models import Evidence, HandoffState
from ingest.redact.changes import changes
from signatures.handoff import bundle

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models import Handoff

router = APIRouter(tags=["handoffs"])

MAX_SHOWN_CHARS = 2_000


@router.get("/cases/{case_id}/handoffs", dependencies=[needs(Action.CASE_READ)])
def list_handoffs(case: CaseDep, session: SessionDep, page: PageDep) -> Listed[HandoffRead]:
    """List the handoffs of the case, newest first."""
    return page.envelope(queries.of_case(session, case, page))


@router.get("/cases/{case_id}/origins", dependencies=[needs(Action.CASE_READ)])
def list_origins(case: CaseDep, session: SessionDep, store: StoreDep, page: PageDep) -> Listed[OriginRead]:
    """List the handoffs imported into the case, and the verdicts that differ from theirs."""
    return page.envelope(origin.of_case(session, store, case, page))


@router.post("/cases/{case_id}/handoffs", status_code=202, dependencies=[needs(Action.CASE_CHANGE)])
def create_handoff(
    body: HandoffCreate,
    case: CaseDep,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
) -> HandoffRead:
    """Create a handoff: redacted and judged again, invisible to recipients until shared."""
    handoff = service.begin(session, settings, case, body, actor=principal.name)
    locate(response, "cases", case.number, "handoffs", handoff.id)
    return queries.describe(session, handoff)


@router.get("/cases/{case_id}/handoffs/{handoff_id}", dependencies=[needs(Action.CASE_READ)])
def read_handoff(case: CaseDep, handoff_id: UUID, session: SessionDep) -> HandoffRead:
    """Return one handoff with state, redaction report, links and messages."""
    return queries.describe(session, queries.one(session, case, handoff_id))


@router.get("/cases/{case_id}/handoffs/{handoff_id}/changes/{item}", dependencies=[needs(Action.CASE_READ)])
async def read_changes(
    request: Request,
    case: CaseDep,
    handoff_id: UUID,
    item: int,
    session: SessionDep,
    store: StoreDep,
    page: PageDep,
) -> Listed[RedactedLineRead]:
    """Return the lines of one file changed by redaction, before and after."""

    def digests() -> tuple[str, str]:
        found = _digests_of(session, queries.made(session, case, handoff_id), item)
        session.commit()
        return found

    before, after = await run_in_threadpool(digests)

    def compared() -> Listed[RedactedLineRead]:
        found = page.cut(changes(lines.decoded(store, before), store.chunks(after)), lambda pair: pair[:1])
        return page.envelope(
            [
                RedactedLineRead(line=line, before=old[:MAX_SHOWN_CHARS], after=new[:MAX_SHOWN_CHARS])
                for line, old, new in found
            ]
        )

    # Texts of up to gigabytes are compared from their first line.
    return await compute(request, compared)


def _digests_of(session: Session, handoff: Handoff, item: int) -> tuple[str, str]:
    """Return the digests of a file of a handoff before and after redaction."""
    report = next((one for one in handoff.report["pieces"] if one["number"] == item), None)
    evidence = session.get(Evidence, UUID(report["evidence_id"])) if report else None
    if report is None or evidence is None:
        raise NotFoundError(f"no file {item} in this handoff")
    return evidence.sha256, report["sha256"]


@router.put(
    "/cases/{case_id}/handoffs/{handoff_id}/replacements",
    status_code=202,
    dependencies=[needs(Action.CASE_CHANGE)],
)
def replace_tokens(
    body: ReplacementsWrite,
    case: CaseDep,
    handoff_id: UUID,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> HandoffRead:
    """Set the open tokens that the handoff replaces, and redact it again."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    tokens = [token.model_dump() for token in body.tokens]
    service.replace_tokens(session, settings, handoff, tokens, actor=principal.name)
    locate(response, "cases", case.number, "handoffs", handoff.id)
    return queries.describe(session, handoff)


@router.post(
    "/cases/{case_id}/handoffs/{handoff_id}/prepare",
    status_code=202,
    dependencies=[needs(Action.CASE_CHANGE)],
)
def prepare_handoff_again(
    case: CaseDep,
    handoff_id: UUID,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> HandoffRead:
    """Prepare a handoff again that failed or was cancelled."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    service.prepare_again(session, settings, handoff, actor=principal.name)
    locate(response, "cases", case.number, "handoffs", handoff.id)
    return queries.describe(session, handoff)


@router.post(
    "/cases/{case_id}/handoffs/{handoff_id}/offer", status_code=201, dependencies=[needs(Action.CASE_SHARE)]
)
def offer_handoff(
    body: HandoffOffer,
    case: CaseDep,
    handoff_id: UUID,
    session: SessionDep,
    principal: PrincipalDep,
    base_url: BaseUrlDep,
) -> HandoffOffered:
    """Create a link that opens the handoff without an account; the secret is shown once."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    secret = service.offer(session, handoff, body, by=principal)
    # The fragment behind `#` reaches no server, log or link preview; the page sends it in a POST.
    return HandoffOffered(url=f"{base_url}/s#{secret}", handoff=queries.describe(session, handoff))


@router.delete(
    "/cases/{case_id}/handoffs/{handoff_id}/links/{share_id}",
    status_code=204,
    dependencies=[needs(Action.CASE_SHARE)],
)
def delete_handoff_link(
    case: CaseDep, handoff_id: UUID, share_id: UUID, session: SessionDep, principal: PrincipalDep
) -> None:
    """Revoke a link, including passes already issued."""
    service.revoke(session, queries.one(session, case, handoff_id), share_id, actor=principal.name)


@router.post(
    "/cases/{case_id}/handoffs/{handoff_id}/messages",
    status_code=201,
    dependencies=[needs(Action.CASE_CHANGE)],
)
def write_handoff_message(
    body: MessageCreate,
    case: CaseDep,
    handoff_id: UUID,
    session: SessionDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
) -> HandoffRead:
    """Send a message to the recipients; it is not redacted."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    service.write(session, handoff, body.text, author=principal.name)
    return queries.describe(session, handoff)


@router.post("/cases/{case_id}/handoffs/{handoff_id}/close", dependencies=[needs(Action.CASE_CHANGE)])
def close_handoff(
    case: CaseDep, handoff_id: UUID, session: SessionDep, principal: PrincipalDep
) -> HandoffRead:
    """Close the handoff: recipients can read while the link is valid, but not write."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    service.move(session, handoff, HandoffState.CLOSED, actor=principal.name)
    return queries.describe(session, handoff)


@router.post("/cases/{case_id}/handoffs/{handoff_id}/reopen", dependencies=[needs(Action.CASE_CHANGE)])
def reopen_handoff(
    case: CaseDep, handoff_id: UUID, session: SessionDep, principal: PrincipalDep
) -> HandoffRead:
    """Reopen a closed handoff as accepted."""
    handoff = queries.one(session, case, handoff_id, for_update=True)
    service.move(session, handoff, HandoffState.ACCEPTED, actor=principal.name)
    return queries.describe(session, handoff)


@router.get(
    "/cases/{case_id}/handoffs/{handoff_id}/bundle",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zstd": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def download_handoff_bundle(
    case: CaseDep, handoff_id: UUID, session: SessionDep, store: StoreDep
) -> Response:
    """Download the bundle."""
    handoff = queries.made(session, case, handoff_id)
    return stored_response(
        store,
        str(handoff.bundle_sha256),
        media_type="application/zstd",
        disposition=attachment(f"case-{case.number}{bundle.SUFFIX}"),
    )


@router.get(
    "/cases/{case_id}/handoffs/{handoff_id}/case.html",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
    dependencies=[needs(Action.CASE_EXPORT)],
)
def download_handoff_page(case: CaseDep, handoff_id: UUID, session: SessionDep, store: StoreDep) -> Response:
    """Download the offline page as an attachment."""
    handoff = queries.made(session, case, handoff_id)
    return stored_response(
        store,
        handoff.shared["page"],
        media_type="application/octet-stream",
        disposition=attachment(f"case-{case.number}.html"),
    )
