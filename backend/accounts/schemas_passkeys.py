"""Requests and responses of passkeys."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import RequestBody, Shown

Credential = Annotated[
    dict[str, Any], Field(description="`PublicKeyCredential.toJSON()` of the browser", max_length=20)
]


class PasskeyOptions(BaseModel):
    """Options for `navigator.credentials`, in the JSON form of WebAuthn."""

    options: dict[str, Any]


class PasskeyCreate(RequestBody):
    """A passkey that the browser created, and its name."""

    name: Annotated[str, Field(min_length=1, max_length=60), Shown]
    credential: Credential


class PasskeySignIn(RequestBody):
    """The signature of a passkey."""

    credential: Credential


class PasskeyRead(BaseModel):
    """One passkey of the current account."""

    id: UUID
    name: str
    created_at: datetime
    last_used_at: datetime | None
