"""Recipient endpoints of handoffs: no account, a pass in the header `Casebook-Pass`.

Opening is a POST, so link previews consume no view.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from backend.access.actions import Action
from backend.access.audit_trail import address_of
from backend.access.dependencies import SessionDep, StoreDep, needs
from backend.core.http.stored_responses import stored_response
from backend.evidence import lines
from backend.evidence.schemas import LinesRead
from backend.evidence.service import MAX_LINES, attachment
from backend.handoffs import service, sharing
from backend.handoffs.access import OpenedDep
from backend.handoffs.schemas import SharedAccept, SharedHandoff, SharedMessage, ShareOpen, ShareOpened
from backend.models import HandoffState
from signatures.handoff import bundle

router = APIRouter(prefix="/shares", tags=["handoffs"])
OPEN = [needs(Action.SHARE_OPEN)]


@router.post("/open", dependencies=OPEN)
def open_share(body: ShareOpen, request: Request, session: SessionDep) -> ShareOpened:
    """Open a link; consumes one of its views."""
    word, share, handoff = sharing.open_link(session, body.secret, address=address_of(request))
    return ShareOpened(share_pass=word, handoff=sharing.describe(session, share, handoff))


@router.get("/handoff", dependencies=OPEN)
def read_share(opened: OpenedDep) -> SharedHandoff:
    """Return the opened handoff in its current state."""
    return sharing.describe(opened.session, opened.share, opened.handoff)


@router.post("/accept", dependencies=OPEN)
def accept_share(body: SharedAccept, opened: OpenedDep) -> SharedHandoff:
    """Accept the case; the sender sees the name."""
    service.move(opened.session, opened.handoff, HandoffState.ACCEPTED, actor=body.name, by_link=True)
    opened.note("accepted", by=body.name)
    return sharing.describe(opened.session, opened.share, opened.handoff)


@router.post("/messages", status_code=201, dependencies=OPEN)
def write_share_message(body: SharedMessage, opened: OpenedDep) -> SharedHandoff:
    """Send a message to the sender."""
    service.write(opened.session, opened.handoff, body.text, author=body.name, from_recipient=True)
    opened.note("written to", by=body.name)
    return sharing.describe(opened.session, opened.share, opened.handoff)


@router.post("/answer", status_code=201, dependencies=OPEN)
def answer_share(body: SharedMessage, opened: OpenedDep) -> SharedHandoff:
    """Send the answer; the sender sees it on the case."""
    service.write(opened.session, opened.handoff, body.text, author=body.name, from_recipient=True)
    service.move(opened.session, opened.handoff, HandoffState.ANSWERED, actor=body.name, by_link=True)
    opened.note("answered", by=body.name)
    return sharing.describe(opened.session, opened.share, opened.handoff)


@router.get("/evidence/{item}/lines", dependencies=OPEN)
def read_share_lines(
    item: int,
    opened: OpenedDep,
    store: StoreDep,
    first: Annotated[int, Query(ge=1)] = 1,
    last: Annotated[int | None, Query(ge=1, description=f"At most {MAX_LINES} lines per call")] = None,
) -> LinesRead:
    """Return lines of one redacted file by 1-based range."""
    piece = sharing.piece_of(opened.handoff, item)
    at_most = first + MAX_LINES - 1
    until = at_most if last is None else min(last, at_most)
    return lines.of_text(store, piece.sha256, total=piece.lines, first=first, last=until)


@router.get(
    "/pictures/{item}.svg",
    response_class=StreamingResponse,
    responses={200: {"content": {"image/svg+xml": {}}}},
    dependencies=OPEN,
)
def read_share_picture(item: int, opened: OpenedDep, store: StoreDep) -> Response:
    """Return one flame graph: SVG without script."""
    return stored_response(store, sharing.picture_of(opened.handoff, item), media_type="image/svg+xml")


@router.get(
    "/bundle",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zstd": {}}}},
    dependencies=OPEN,
)
def download_share_bundle(opened: OpenedDep, store: StoreDep) -> Response:
    """Download the bundle."""
    opened.note("bundle downloaded")
    return stored_response(
        store,
        str(opened.handoff.bundle_sha256),
        media_type="application/zstd",
        disposition=attachment(f"handoff{bundle.SUFFIX}"),
    )


@router.get(
    "/case.html",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}}},
    dependencies=OPEN,
)
def download_share_page(opened: OpenedDep, store: StoreDep) -> Response:
    """Download the offline page as an attachment."""
    opened.note("page downloaded")
    return stored_response(
        store,
        opened.handoff.shared["page"],
        media_type="application/octet-stream",
        disposition=attachment("case.html"),
    )
