"""Resumable upload by tus 1.0, as used by `tus-js-client`, `tusd`'s clients and `casebook upload`.

    POST  /api/v1/uploads       Upload-Length: 734003200, Upload-Metadata: filename …  ->  201 Location
         its first bytes may be the body, as application/offset+octet-stream
    PATCH /api/v1/uploads/{id}  Upload-Offset: 0                                       ->  204 Upload-Offset
    HEAD  /api/v1/uploads/{id}                                                         ->  200 Upload-Offset

Source: https://tus.io/protocols/resumable-upload
"""

from __future__ import annotations

from email.utils import format_datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import MutableHeaders

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, SettingsDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import CaseDep
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.models.case import Case
from backend.models.upload import Upload
from backend.uploads import protocol, queries, receiving, service
from backend.uploads.access import UploadDep
from backend.uploads.receiving import FirstBytesDep
from backend.uploads.schemas import UploadCreated, UploadRead

if TYPE_CHECKING:
    from sqlalchemy.orm import Session
    from starlette.types import Message, Receive, Scope, Send

    from backend.core.settings import Settings

SAFE = frozenset({"OPTIONS", "GET"})


class TusRoute(APIRoute):
    """Adds the protocol version to every response, errors included."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the route; an error leaves it, so that nothing of a refused request is committed."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Tus-Resumable"] = protocol.VERSION
                headers["Tus-Version"] = protocol.VERSION
            await send(message)

        await super().handle(scope, receive, sending)


def speaks_tus(request: Request, _: PrincipalDep) -> None:
    """Require the protocol version, after authentication."""
    if request.method not in SAFE:
        protocol.require_version(request.headers.get("tus-resumable", ""))


router = APIRouter(tags=["uploads"], route_class=TusRoute, dependencies=[Depends(speaks_tus)])

BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {protocol.CONTENT_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    }
}

Length = Annotated[str, Header(alias="Upload-Length", description="Bytes of the whole file")]
Metadata = Annotated[
    str,
    Header(
        alias="Upload-Metadata",
        description="filename, captured_path, fingerprint, drop_files, drop_bytes, drop_folder; in base64",
    ),
]
Offset = Annotated[str, Header(description="Offset of these bytes in the file")]
StatedChecksum = Annotated[str, Header(description="Algorithm and digest in base64")]


@router.options("/uploads", status_code=204, dependencies=[needs(Action.LIBRARY_READ)])
def read_upload_options(response: Response, settings: SettingsDep) -> None:
    """Return the supported protocol version, extensions and maximum file size."""
    response.headers["Tus-Extension"] = protocol.EXTENSIONS
    response.headers["Tus-Max-Size"] = str(settings.max_evidence_bytes)
    response.headers["Tus-Checksum-Algorithm"] = ",".join(protocol.CHECKSUMS)


@router.post("/uploads", status_code=201, dependencies=[needs(Action.CASE_OPEN)])
def create_upload(
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    base_url: BaseUrlDep,
    _once: ClaimedDep,
    content: FirstBytesDep,
    length: Length,
    metadata: Metadata = "",
) -> UploadCreated:
    """Create a case and start an upload; the body may hold the first bytes, the rest follows by PATCH."""
    upload = service.begin(
        session, settings, None, protocol.announced(length, metadata), principal, content=content
    )
    return _begun(response, session, settings, base_url, upload)


@router.post("/cases/{case_id}/uploads", status_code=201, dependencies=[needs(Action.EVIDENCE_ADD)])
def create_case_upload(
    response: Response,
    case: CaseDep,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    base_url: BaseUrlDep,
    _once: ClaimedDep,
    content: FirstBytesDep,
    length: Length,
    metadata: Metadata = "",
) -> UploadCreated:
    """Start an upload into the case; the body may hold the first bytes, the rest follows by PATCH."""
    upload = service.begin(
        session, settings, case, protocol.announced(length, metadata), principal, content=content
    )
    return _begun(response, session, settings, base_url, upload)


@router.get("/uploads", dependencies=[needs(Action.CASES_LIST)])
def list_own_uploads(
    session: SessionDep, settings: SettingsDep, principal: PrincipalDep, page: PageDep
) -> Listed[UploadRead]:
    """List your incomplete uploads."""
    found = queries.sent_by(session, principal, page)
    return page.envelope([service.describe(session, upload, settings) for upload in found])


@router.head("/uploads/{upload_id}", dependencies=[needs(Action.EVIDENCE_ADD)])
def read_offset(response: Response, upload: UploadDep, session: SessionDep, settings: SettingsDep) -> None:
    """Return the offset of the upload: the number of stored bytes."""
    set_offset_headers(response, service.describe(session, upload, settings))


@router.get("/uploads/{upload_id}", dependencies=[needs(Action.EVIDENCE_ADD)])
def read_upload(upload: UploadDep, session: SessionDep, settings: SettingsDep) -> UploadRead:
    """Return the state of the upload, and its evidence once complete."""
    return service.describe(session, upload, settings)


@router.get("/cases/{case_id}/uploads", dependencies=[needs(Action.CASE_READ)])
def list_uploads(
    case: CaseDep, session: SessionDep, settings: SettingsDep, page: PageDep
) -> Listed[UploadRead]:
    """List incomplete uploads of the case."""
    found = queries.open_of_case(session, case.id, page)
    return page.envelope([service.describe(session, upload, settings) for upload in found])


@router.patch(
    "/uploads/{upload_id}", status_code=204, openapi_extra=BODY, dependencies=[needs(Action.EVIDENCE_ADD)]
)
async def send_bytes(
    request: Request,
    response: Response,
    upload: UploadDep,
    session: SessionDep,
    settings: SettingsDep,
    upload_offset: Offset,
    upload_checksum: StatedChecksum = "",
) -> None:
    """Append bytes at the offset; takes over from an earlier connection."""
    position = await receiving.take(
        request, session, settings, upload, offset=upload_offset, checksum=upload_checksum
    )
    response.headers["Upload-Offset"] = str(position)


@router.delete("/uploads/{upload_id}", status_code=204, dependencies=[needs(Action.EVIDENCE_ADD)])
def cancel_upload(
    upload: UploadDep, session: SessionDep, settings: SettingsDep, principal: PrincipalDep
) -> None:
    """Delete an upload and its bytes."""
    service.cancel(session, settings, upload, actor=principal.name)


def _begun(
    response: Response, session: Session, settings: Settings, base_url: str, upload: Upload
) -> UploadCreated:
    number = session.get_one(Case, upload.case_id).number
    locate(response, "uploads", upload.id)
    read = service.describe(session, upload, settings)
    _state(response, read)
    return UploadCreated(upload=read, case_number=number, permalink=f"{base_url}/cases/{number}")


def set_offset_headers(response: Response, upload: UploadRead) -> None:
    """Set the headers of a HEAD response."""
    _state(response, upload)
    response.headers["Upload-Length"] = str(upload.size_bytes)
    response.headers["Cache-Control"] = "no-store"


def _state(response: Response, upload: UploadRead) -> None:
    response.headers["Upload-Offset"] = str(upload.offset_bytes)
    if upload.state == "sending":
        response.headers["Upload-Expires"] = format_datetime(upload.expires_at, usegmt=True)
