"""Write-only uploads with a drop token: evidence goes to one case, nothing can be read back."""

from __future__ import annotations

from fastapi import APIRouter, Request

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.cases.access import TokenCaseDep
from backend.evidence.routes_receive import MULTIPART, RAW, FileName
from backend.evidence.schemas import DropReceipt, DropReceiptFile, Received
from backend.evidence.submission import SubmissionDep

router = APIRouter(prefix="/drop", tags=["evidence"])


@router.put("/{filename:path}", status_code=202, openapi_extra=RAW, dependencies=[needs(Action.CASE_DROP)])
async def drop_file(
    filename: FileName,
    request: Request,
    case: TokenCaseDep,
    submission: SubmissionDep,
) -> DropReceipt:
    """Upload the body as one file to the case of the token."""
    return _dropped(await submission.body(request, case, filename))


@router.post("", status_code=202, openapi_extra=MULTIPART, dependencies=[needs(Action.CASE_DROP)])
async def drop_files(request: Request, case: TokenCaseDep, submission: SubmissionDep) -> DropReceipt:
    """Upload files to the case of the token."""
    return _dropped(await submission.files(request, case))


def _dropped(received: Received) -> DropReceipt:
    files = [
        DropReceiptFile(filename=one.filename, sha256=one.sha256, size_bytes=one.size_bytes)
        for one in received.evidence
    ]
    return DropReceipt(files=files)
