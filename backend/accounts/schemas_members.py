"""Requests and responses of the endpoints of members, teams, invitations and passwords."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.models.account import Role

# No control characters, no spaces around it: a name is shown in logs and lists.
MemberName = Annotated[
    str, Field(min_length=1, max_length=80, pattern=r"^[\w.@+\-](?:[\w.@+\- ]*[\w.@+\-])?$")
]
Password = Annotated[str, Field(min_length=12, max_length=1000)]
Code = Annotated[str, Field(max_length=10)]


class MemberRead(BaseModel):
    """A member: a person or a service account."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    name: str
    role: Role
    is_owner: bool
    is_service: bool
    disabled_at: datetime | None


class MemberUpdate(BaseModel):
    """Changes to a member; absent fields are unchanged."""

    model_config = ConfigDict(extra="forbid")

    role: Role | None = None
    is_disabled: bool | None = None


class InvitationCreate(BaseModel):
    """An invitation for one person."""

    model_config = ConfigDict(extra="forbid")

    note: str = Field(default="", max_length=200)
    role: Role
    team_id: UUID | None = None
    days: int = Field(default=7, ge=1, le=30)


class InvitationRead(BaseModel):
    """An invitation without its secret."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    note: str
    role: Role
    created_at: datetime
    expires_at: datetime


class InvitationCreated(BaseModel):
    """A new invitation with its single-use link, shown once."""

    invitation: InvitationRead
    url: str


class InvitationAccept(BaseModel):
    """The secret of an invitation, and the name and password of the new account."""

    model_config = ConfigDict(extra="forbid")

    secret: str = Field(min_length=1, max_length=200)
    name: MemberName
    password: Password


class TeamCreate(BaseModel):
    """A new team."""

    model_config = ConfigDict(extra="forbid")

    name: MemberName


class TeamWithMembers(BaseModel):
    """A team and its members."""

    id: UUID
    name: str
    member_ids: list[UUID]


class PasswordSignIn(BaseModel):
    """Name and password, and the authenticator code where one is set up."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=80)
    password: str = Field(min_length=1, max_length=1000)
    code: Code = ""


class PasswordChange(BaseModel):
    """A new password, with the current one if set."""

    model_config = ConfigDict(extra="forbid")

    current: str = Field(default="", max_length=1000)
    password: Password


class TotpSecret(BaseModel):
    """The secret for an authenticator, and its `otpauth://` URL for a QR code."""

    secret: str
    uri: str


class TotpCode(BaseModel):
    """A code of an authenticator (TOTP)."""

    model_config = ConfigDict(extra="forbid")

    code: Code


class Profile(BaseModel):
    """Sign-in methods of the current account."""

    name: str
    role: Role
    has_password: bool
    has_code: bool
