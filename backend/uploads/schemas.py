"""What the upload endpoints give."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel


class UploadRead(BaseModel):
    """A file that is being sent: how much of it is safe here, and until when it may be sent on.

    `fingerprint` is what its sender told to know the file by; the browser and the command tell size and
    time of change, so either goes on with what the other began.
    """

    id: UUID
    case_id: UUID
    case_number: int
    filename: str
    captured_path: str
    fingerprint: str
    size_bytes: int
    offset_bytes: int
    state: Literal["sending", "sent", "kept", "failed"]
    evidence_id: UUID | None
    updated_at: datetime
    expires_at: datetime


class UploadBegun(BaseModel):
    """A place for a file, and the page of the case it belongs to."""

    upload: UploadRead
    case_number: int
    permalink: str


class UploadDropped(BaseModel):
    """A place for a file that comes by a token which may not read: nothing is told of the case."""

    id: UUID
    size_bytes: int
    offset_bytes: int
    expires_at: datetime
