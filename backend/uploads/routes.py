"""Resumable upload by tus 1.0: `tus-js-client`, `tusd`'s clients and `casebook upload` speak it.

    POST  /api/v1/uploads       Upload-Length: 734003200, Upload-Metadata: filename …  ->  201 Location
    PATCH /api/v1/uploads/{id}  Upload-Offset: 0                                       ->  204 Upload-Offset
    HEAD  /api/v1/uploads/{id}                                                         ->  200 Upload-Offset

Source: https://tus.io/protocols/resumable-upload
"""

from __future__ import annotations

from email.utils import format_datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from backend.accounts.access import AccountDep, BaseUrlDep, SessionDep, SettingsDep
from backend.cases import queries as cases
from backend.cases.access import CaseDep
from backend.core import problems
from backend.core.errors import CasebookError, WrongContentError
from backend.models.case import Case
from backend.models.upload import Upload
from backend.uploads import protocol, queries, receiving, service
from backend.uploads.schemas import UploadBegun, UploadRead
from backend.uploads.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

SAFE = frozenset({"OPTIONS", "GET"})


class TusRoute(APIRoute):
    """States the version of the protocol, also where something is refused."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler with that around it."""
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                response = await inner(request)
            except CasebookError as error:
                response = problems.refuse(request, error)
            response.headers["Tus-Resumable"] = protocol.VERSION
            response.headers["Tus-Version"] = protocol.VERSION
            return response

        return handle


def speaks_tus(request: Request, _: AccountDep) -> None:
    """Ask whoever is signed in for the version of the protocol."""
    if request.method not in SAFE:
        protocol.require_version(request.headers.get("tus-resumable", ""))


router = APIRouter(tags=["uploads"], route_class=TusRoute, dependencies=[Depends(speaks_tus)])

BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {protocol.CONTENT_TYPE: {"schema": {"type": "string", "format": "binary"}}},
    }
}


def get_upload(session: SessionDep, _: AccountDep, upload_id: UUID) -> Upload:
    """Return the upload that the URL names."""
    return queries.upload_of_id(session, upload_id)


UploadDep = Annotated[Upload, Depends(get_upload)]
Stated = Annotated[str, Header()]


@router.options("/uploads", status_code=204)
def read_abilities(response: Response, settings: SettingsDep) -> None:
    """Say what is spoken here, and how long a file may be."""
    response.headers["Tus-Extension"] = protocol.EXTENSIONS
    response.headers["Tus-Max-Size"] = str(settings.max_evidence_bytes)
    response.headers["Tus-Checksum-Algorithm"] = ",".join(protocol.CHECKSUMS)


@router.post("/uploads", status_code=201)
def begin_upload(
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    account: AccountDep,
    base_url: BaseUrlDep,
    upload_length: Annotated[str, Header(description="Bytes of the whole file")],
    upload_metadata: Annotated[
        str, Header(description="filename, captured_path and case, each with its value in base64")
    ] = "",
) -> UploadBegun:
    """Make room for a file, in the case named or in a new one; bytes follow by PATCH."""
    told = protocol.metadata_of(upload_metadata)
    size_bytes = protocol.count_of("Upload-Length", upload_length)
    case = cases.case_named(session, told["case"]) if told.get("case") else None
    upload = service.begin(
        session,
        settings,
        case,
        sent_name=told.get("filename", ""),
        captured_path=told.get("captured_path", ""),
        size_bytes=size_bytes,
        actor=account.name,
    )
    number = session.get_one(Case, upload.case_id).number
    response.headers["Location"] = f"/api/v1/uploads/{upload.id}"
    _state(response, service.describe(upload, settings))
    return UploadBegun(
        upload=service.describe(upload, settings),
        case_number=number,
        permalink=f"{base_url}/cases/{number}",
    )


@router.head("/uploads/{upload_id}")
def read_offset(response: Response, upload: UploadDep, settings: SettingsDep) -> None:
    """Say how many bytes are safe here."""
    _state(response, service.describe(upload, settings))
    response.headers["Upload-Length"] = str(upload.size_bytes)
    response.headers["Cache-Control"] = "no-store"


@router.get("/uploads/{upload_id}")
def read_upload(upload: UploadDep, settings: SettingsDep) -> UploadRead:
    """Return the upload as it stands, and the evidence it became."""
    return service.describe(upload, settings)


@router.get("/cases/{case_id}/uploads")
def list_uploads(case: CaseDep, session: SessionDep, settings: SettingsDep) -> list[UploadRead]:
    """Return what is still on its way into the case."""
    return [service.describe(upload, settings) for upload in queries.open_of_case(session, case.id)]


@router.patch("/uploads/{upload_id}", status_code=204, openapi_extra=BODY)
async def send_bytes(
    request: Request,
    response: Response,
    upload: UploadDep,
    session: SessionDep,
    settings: SettingsDep,
    upload_offset: Annotated[str, Header(description="Where these bytes belong")],
    upload_checksum: Stated = "",
) -> None:
    """Send bytes from the offset on; whoever sent before on another connection is ended."""
    if request.headers.get("content-type", "") != protocol.CONTENT_TYPE:
        raise WrongContentError(f"bytes of an upload are sent as {protocol.CONTENT_TYPE}")
    offset = protocol.count_of("Upload-Offset", upload_offset)
    checksum = protocol.checksum_of(upload_checksum)
    upload_id = upload.id
    # The connection to the database is given back: others must not wait for somebody's slow line.
    await run_in_threadpool(session.commit)
    sessions = request.app.state.sessions
    writer = await run_in_threadpool(Writer, sessions, settings, upload_id, offset, checksum)
    position = await receiving.receive(request, writer)
    response.headers["Upload-Offset"] = str(position)


@router.delete("/uploads/{upload_id}", status_code=204)
def give_up_upload(
    upload: UploadDep, session: SessionDep, settings: SettingsDep, account: AccountDep
) -> None:
    """Forget an upload and its bytes."""
    service.give_up(session, settings, upload, actor=account.name)


def _state(response: Response, upload: UploadRead) -> None:
    response.headers["Upload-Offset"] = str(upload.offset_bytes)
    if upload.state == "sending":
        response.headers["Upload-Expires"] = format_datetime(upload.expires_at, usegmt=True)
