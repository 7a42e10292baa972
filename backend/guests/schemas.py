"""Response schemas of the guest endpoints."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel


class GuestCase(BaseModel):
    """The guest case of this browser and its expiry time."""

    number: int
    title: str
    expires_at: datetime
    permalink: str


class GuestRead(BaseModel):
    """Whether guests may upload, the limits and the retention.

    `case` is the guest case of this browser, if any.
    """

    is_open: bool
    lifetime_seconds: int
    max_bytes: int
    case: GuestCase | None


class GuestCaseClaimed(BaseModel):
    """The claimed case, now owned by an account."""

    number: int
