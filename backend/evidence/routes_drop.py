"""The door for tokens that send evidence to one case and read nothing, not even what they sent."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from backend.access.actions import Action
from backend.access.dependencies import AdmissionDep, AskerDep, SessionDep, needs
from backend.cases import queries
from backend.core.errors import NotAllowedError
from backend.evidence.door import DoorDep
from backend.evidence.routes_receive import MULTIPART, RAW, FileName
from backend.evidence.schemas import Dropped, DroppedFile, Received
from backend.models.case import Case

router = APIRouter(prefix="/drop", tags=["evidence"])


def get_case_of_token(session: SessionDep, admission: AdmissionDep, asker: AskerDep) -> Case:
    """Return the case that the token is for.

    Raises:
        NotAllowedError: It is for none.
        NotFoundError: The case was deleted, or whoever made the token does not see it any more.
    """
    if asker.case_id is None:
        raise NotAllowedError("send this with a token made for one case: POST /cases/{case}/tokens")
    name = str(asker.case_id)
    case = queries.case_named(session, name)
    admission.enter(case.id, absent=queries.absent(name))
    return case


TokenCaseDep = Annotated[Case, Depends(get_case_of_token)]


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
