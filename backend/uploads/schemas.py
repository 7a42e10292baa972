"""What the upload endpoints give."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel


class UploadRead(BaseModel):
    """A file that is being sent: how much of it is safe here, and until when it may be sent on."""

    id: UUID
    case_id: UUID
    filename: str
    captured_path: str
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
