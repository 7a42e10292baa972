"""Requests and responses of the endpoints of members, teams, invitations and passwords."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from backend.core.http.request_body import Composed, Distinct, Line, RequestBody
from backend.models.account import Role

# No control characters, no spaces around it: a name is shown in logs and lists.
MemberName = Annotated[
    str, Field(min_length=1, max_length=80, pattern=r"^[\w.@+\-](?:[\w.@+\- ]*[\w.@+\-])?$"), Distinct
]
SignInName = Annotated[str, Field(min_length=1, max_length=80), Composed]
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


class MemberUpdate(RequestBody):
    """Changes to a member; absent fields are unchanged."""

    role: Role | None = None
    is_disabled: bool | None = None


class InvitationCreate(RequestBody):
    """An invitation for one person."""

    note: Line = Field(default="", max_length=200)
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


class InvitationAccept(RequestBody):
    """The secret of an invitation, and the name and password of the new account."""

    secret: str = Field(min_length=1, max_length=200)
    name: MemberName
    password: Password


class TeamCreate(RequestBody):
    """A new team."""

    name: MemberName


class TeamWithMembers(BaseModel):
    """A team and its members."""

    id: UUID
    name: str
    member_ids: list[UUID]


class PasswordSignIn(RequestBody):
    """Name and password, and the authenticator code where one is set up."""

    name: SignInName
    password: str = Field(min_length=1, max_length=1000)
    code: Code = ""


class SignInConfirmation(RequestBody):
    """The password of the current account, and the authenticator code where one is set up."""

    password: str = Field(min_length=1, max_length=1000)
    code: Code = ""


class PasswordChange(RequestBody):
    """A new password, with the current one if set; `revoke_tokens` revokes the tokens of the account too."""

    current: str = Field(default="", max_length=1000)
    password: Password
    revoke_tokens: bool = False


class TotpSecret(BaseModel):
    """The secret for an authenticator, and its `otpauth://` URL for a QR code."""

    secret: str
    uri: str


class TotpCode(RequestBody):
    """A code of an authenticator (TOTP)."""

    code: Code


class Profile(BaseModel):
    """Sign-in methods of the current account."""

    name: str
    role: Role
    has_password: bool
    has_code: bool
    has_passkey: bool
