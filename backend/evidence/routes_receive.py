"""The doors for evidence: multipart, a raw body (`curl -T`), pasted text; with a case or making one.

The body is streamed to the staging directory after sign-in and case are known, never before.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from backend.access.actions import Action
from backend.access.dependencies import needs
from backend.cases.access import CaseDep
from backend.evidence.schemas import Paste, Received
from backend.evidence.submission import DoorDep

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
async def receive_files(request: Request, door: DoorDep) -> Received:
    """Make a case of the files sent and queue their reading."""
    return await door.files(request, None)


@router.post(
    "/cases/{case_id}/evidence",
    status_code=202,
    openapi_extra=MULTIPART,
    dependencies=[needs(Action.EVIDENCE_ADD)],
)
async def receive_case_files(request: Request, case: CaseDep, door: DoorDep) -> Received:
    """Add the files sent to the case and queue their reading."""
    return await door.files(request, case)


@router.put(
    "/evidence/{filename:path}", status_code=202, openapi_extra=RAW, dependencies=[needs(Action.CASE_OPEN)]
)
async def put_file(filename: FileName, request: Request, door: DoorDep) -> Received:
    """Make a case of the body (`curl -T perf.script …/evidence/`) and queue its reading."""
    return await door.body(request, None, filename)


@router.put(
    "/cases/{case_id}/evidence/{filename:path}",
    status_code=202,
    openapi_extra=RAW,
    dependencies=[needs(Action.EVIDENCE_ADD)],
)
async def put_case_file(
    filename: FileName,
    request: Request,
    case: CaseDep,
    door: DoorDep,
) -> Received:
    """Add the body to the case and queue its reading."""
    return await door.body(request, case, filename)


@router.post("/paste", status_code=202, dependencies=[needs(Action.CASE_OPEN)])
def paste(body: Paste, door: DoorDep) -> Received:
    """Make a case of pasted text and queue its reading."""
    return door.text(None, body.text, captured_path=body.captured_path)


@router.post("/cases/{case_id}/paste", status_code=202, dependencies=[needs(Action.EVIDENCE_ADD)])
def paste_into_case(body: Paste, case: CaseDep, door: DoorDep) -> Received:
    """Add pasted text to the case and queue its reading."""
    return door.text(case, body.text, captured_path=body.captured_path)
