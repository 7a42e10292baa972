"""Responses of the upload endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel


class UploadRead(BaseModel):
    """A file being uploaded: its stored bytes, and when it expires.

    `fingerprint` is the client's id of the file. The browser and the command derive it from size and time of
    change, so either can resume an upload of the other.
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


class UploadCreated(BaseModel):
    """A new upload, and the URL of its case."""

    upload: UploadRead
    case_number: int
    permalink: str


class DropUploadRead(BaseModel):
    """A new upload by a case token; without any details of the case."""

    id: UUID
    size_bytes: int
    offset_bytes: int
    expires_at: datetime
