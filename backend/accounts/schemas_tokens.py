"""Requests and responses of the endpoints of tokens and browser sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.core.http.request_body import Line, RequestBody
from backend.models.account import Role, TokenKind

PersonalScope = Literal["read", "evidence", "write", "admin", "alerts"]
Name = Annotated[Line, Field(min_length=1, max_length=100)]
Days = Annotated[int, Field(ge=1, le=3650)]
Scopes = Annotated[list[PersonalScope], Field(min_length=1, max_length=5)]


class TokenRead(BaseModel):
    """A token without its secret; `prefix` is the start of the secret."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: TokenKind
    name: str
    prefix: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class TokenCreated(BaseModel):
    """A new token with its secret, shown once."""

    token: TokenRead
    secret: str


class TokenCreate(RequestBody):
    """A personal token: name, scopes and lifetime in days, all of them required."""

    name: Name
    scopes: Scopes
    days: Days


class ServiceTokenCreate(TokenCreate):
    """A token of a service account, which has a role of its own."""

    role: Role


class CaseTokenCreate(RequestBody):
    """A token that adds evidence to one case and reads nothing."""

    name: Name
    days: Days = 7


class TokenRotate(RequestBody):
    """How long the old secret stays valid beside the new one."""

    overlap_hours: int = Field(default=24, ge=0, le=168)


class SessionRead(BaseModel):
    """One browser session; `is_this` marks that of the request."""

    id: UUID
    client: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    is_this: bool
