"""Requests and responses of the account endpoints."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from backend.core.http.request_body import RequestBody
from backend.models.account import Role


class SignIn(RequestBody):
    """The one-time token of the printed sign-in URL."""

    token: str = Field(min_length=1, max_length=200)


class AccountRead(BaseModel):
    """The current account, and its sign-in method."""

    id: UUID
    name: str
    role: Role
    is_owner: bool
    signed_in_by: Literal["session", "token", "guest"]
    expires_at: datetime | None = None
