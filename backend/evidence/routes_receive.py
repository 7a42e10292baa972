"""Upload endpoints: multipart, raw body (`curl -T`) and pasted text, into a new or existing case.

The body is streamed to the staging directory only after authentication and the access check of the case.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.cases.access import CaseDep
from backend.core.http.locations import locate
from backend.evidence.schemas import Paste, Received
from backend.evidence.submission import SubmissionDep

router = APIRouter(tags=["evidence"])

FileName = Annotated[str, Path(max_length=4096)]
MULTIPART: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}}
                    },
                }
            }
        },
    }
}
RAW: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post("/evidence", status_code=202, openapi_extra=MULTIPART, dependencies=[needs(Action.CASE_OPEN)])
async def receive_files(request: Request, response: Response, submission: SubmissionDep) -> Received:
    """Create a case from uploaded files and queue their reading."""
    return _located(response, await submission.files(request, None))


@router.post(
    "/cases/{case_id}/evidence",
    status_code=202,
    openapi_extra=MULTIPART,
    dependencies=[needs(Action.EVIDENCE_ADD)],
)
async def receive_case_files(
    request: Request, response: Response, case: CaseDep, submission: SubmissionDep
) -> Received:
    """Upload files to the case and queue their reading."""
    return _located(response, await submission.files(request, case))


@router.put(
    "/evidence/{filename:path}", status_code=202, openapi_extra=RAW, dependencies=[needs(Action.CASE_OPEN)]
)
async def put_file(
    filename: FileName, request: Request, response: Response, submission: SubmissionDep
) -> Received:
    """Create a case from the body (`curl -T perf.script …/evidence/`) and queue its reading."""
    return _located(response, await submission.body(request, None, filename))


@router.put(
    "/cases/{case_id}/evidence/{filename:path}",
    status_code=202,
    openapi_extra=RAW,
    dependencies=[needs(Action.EVIDENCE_ADD)],
)
async def put_case_file(
    filename: FileName,
    request: Request,
    response: Response,
    case: CaseDep,
    submission: SubmissionDep,
) -> Received:
    """Upload the body to the case and queue its reading."""
    return _located(response, await submission.body(request, case, filename))


@router.post("/paste", status_code=202, dependencies=[needs(Action.CASE_OPEN)])
def paste(body: Paste, response: Response, submission: SubmissionDep) -> Received:
    """Create a case from pasted text and queue its reading."""
    return _located(response, submission.text(None, body.text, captured_path=body.captured_path))


@router.post("/cases/{case_id}/paste", status_code=202, dependencies=[needs(Action.EVIDENCE_ADD)])
def paste_into_case(body: Paste, response: Response, case: CaseDep, submission: SubmissionDep) -> Received:
    """Paste text into the case and queue its reading."""
    return _located(response, submission.text(case, body.text, captured_path=body.captured_path))


def _located(response: Response, received: Received) -> Received:
    """Name the case as the place where the reading of what was received is seen."""
    locate(response, "cases", received.case.number)
    return received
