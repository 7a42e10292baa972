"""The door for tokens that send evidence to one case and read nothing, not even what they sent."""

from __future__ import annotations

from fastapi import APIRouter, Request

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.cases.access import TokenCaseDep
from backend.evidence.routes_receive import MULTIPART, RAW, FileName
from backend.evidence.schemas import Dropped, DroppedFile, Received
from backend.evidence.submission import DoorDep

router = APIRouter(prefix="/drop", tags=["evidence"])


@router.put("/{filename:path}", status_code=202, openapi_extra=RAW, dependencies=[needs(Action.CASE_DROP)])
async def drop_file(
    filename: FileName,
    request: Request,
    case: TokenCaseDep,
    door: DoorDep,
) -> Dropped:
    """Add the body to the token's case; nothing of the case is told."""
    return _told(await door.body(request, case, filename))


@router.post("", status_code=202, openapi_extra=MULTIPART, dependencies=[needs(Action.CASE_DROP)])
async def drop_files(request: Request, case: TokenCaseDep, door: DoorDep) -> Dropped:
    """Add the files sent to the token's case; nothing of the case is told."""
    return _told(await door.files(request, case))


def _told(received: Received) -> Dropped:
    files = [
        DroppedFile(filename=one.filename, sha256=one.sha256, size_bytes=one.size_bytes)
        for one in received.evidence
    ]
    return Dropped(files=files)
