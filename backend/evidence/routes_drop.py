"""The door for tokens that send evidence to one case and read nothing, not even what they sent."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from backend.access.actions import Action
from backend.access.dependencies import AskerDep, SessionDep, SettingsDep, StoreDep, needs
from backend.cases.access import TokenCaseDep
from backend.evidence import receiving, staging
from backend.evidence.routes_receive import MULTIPART, RAW, FileName
from backend.evidence.schemas import Dropped, DroppedFile, Received

router = APIRouter(prefix="/drop", tags=["evidence"])


@router.put("/{filename:path}", status_code=202, openapi_extra=RAW, dependencies=[needs(Action.CASE_DROP)])
async def drop_file(
    filename: FileName,
    request: Request,
    case: TokenCaseDep,
    session: SessionDep,
    store: StoreDep,
    settings: SettingsDep,
    asker: AskerDep,
) -> Dropped:
    """Add the body to the token's case; nothing of the case is told."""
    staged = await staging.receive_body(request, session, settings, filename)
    return _told(
        await run_in_threadpool(
            receiving.receive, session, store, settings, case, staged, actor=f"{asker.name} (token)"
        )
    )


@router.post("", status_code=202, openapi_extra=MULTIPART, dependencies=[needs(Action.CASE_DROP)])
async def drop_files(
    request: Request,
    case: TokenCaseDep,
    session: SessionDep,
    store: StoreDep,
    settings: SettingsDep,
    asker: AskerDep,
) -> Dropped:
    """Add the files sent to the token's case; nothing of the case is told."""
    staged = await staging.receive_multipart(request, session, settings)
    return _told(
        await run_in_threadpool(
            receiving.receive, session, store, settings, case, staged, actor=f"{asker.name} (token)"
        )
    )


def _told(received: Received) -> Dropped:
    files = [
        DroppedFile(filename=one.filename, sha256=one.sha256, size_bytes=one.size_bytes)
        for one in received.evidence
    ]
    return Dropped(files=files)
