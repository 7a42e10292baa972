"""Resumable upload with a case token, by tus 1.0.

POST /api/v1/drop/uploads  ->  201 Location: /api/v1/drop/uploads/{id}, then HEAD, PATCH and DELETE there
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import PrincipalDep, SessionDep, SettingsDep, needs
from backend.access.idempotency import ClaimedDep
from backend.cases.access import TokenCaseDep
from backend.core.errors import NotFoundError
from backend.core.http.locations import locate
from backend.models.upload import Upload
from backend.uploads import protocol, queries, receiving, routes, service
from backend.uploads.receiving import FirstBytesDep
from backend.uploads.routes import BODY, Length, Metadata, Offset, StatedChecksum, TusRoute, speaks_tus
from backend.uploads.schemas import DropUploadRead

if TYPE_CHECKING:
    from backend.uploads.schemas import UploadRead

router = APIRouter(
    prefix="/drop/uploads", tags=["uploads"], route_class=TusRoute, dependencies=[Depends(speaks_tus)]
)


def get_own_upload(
    session: SessionDep, case: TokenCaseDep, principal: PrincipalDep, upload_id: UUID
) -> Upload:
    """Return the upload in the URL, if a token of the same creator started it in the same case.

    Raises:
        NotFoundError: It does not exist, or belongs to another creator.
    """
    upload = session.scalar(queries.upload_of_id(upload_id))
    if upload is None or upload.case_id != case.id or upload.actor != service.actor_of(principal):
        raise NotFoundError(queries.absent(upload_id))
    return upload


OwnUploadDep = Annotated[Upload, Depends(get_own_upload)]


@router.post("", status_code=201, dependencies=[needs(Action.CASE_DROP)])
def create_drop_upload(
    response: Response,
    case: TokenCaseDep,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    _once: ClaimedDep,
    content: FirstBytesDep,
    length: Length,
    metadata: Metadata = "",
) -> DropUploadRead:
    """Start an upload into the token's case; the body may hold the first bytes, the rest follows by PATCH."""
    upload = service.begin(
        session, settings, case, protocol.announced(length, metadata), principal, content=content
    )
    locate(response, "drop", "uploads", upload.id)
    read = service.describe(session, upload, settings)
    routes.set_offset_headers(response, read)
    return _dropped(read)


@router.head("/{upload_id}", dependencies=[needs(Action.CASE_DROP)])
def read_drop_offset(
    response: Response, upload: OwnUploadDep, session: SessionDep, settings: SettingsDep
) -> None:
    """Return the offset of the upload: the number of stored bytes."""
    routes.set_offset_headers(response, service.describe(session, upload, settings))


@router.patch("/{upload_id}", status_code=204, openapi_extra=BODY, dependencies=[needs(Action.CASE_DROP)])
async def send_drop_bytes(
    request: Request,
    response: Response,
    upload: OwnUploadDep,
    session: SessionDep,
    settings: SettingsDep,
    upload_offset: Offset,
    upload_checksum: StatedChecksum = "",
) -> None:
    """Append bytes at the offset."""
    position = await receiving.take(
        request, session, settings, upload, offset=upload_offset, checksum=upload_checksum
    )
    response.headers["Upload-Offset"] = str(position)


@router.delete("/{upload_id}", status_code=204, dependencies=[needs(Action.CASE_DROP)])
def cancel_drop_upload(
    upload: OwnUploadDep, session: SessionDep, settings: SettingsDep, principal: PrincipalDep
) -> None:
    """Delete an upload and its bytes."""
    service.cancel(session, settings, upload, actor=service.actor_of(principal))


def _dropped(upload: UploadRead) -> DropUploadRead:
    return DropUploadRead(
        id=upload.id,
        size_bytes=upload.size_bytes,
        offset_bytes=upload.offset_bytes,
        expires_at=upload.expires_at,
    )
