"""What the endpoints for guests give."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel


class GuestCase(BaseModel):
    """The case that this browser sent without signing in, and when it goes for good."""

    number: int
    title: str
    expires_at: datetime
    permalink: str


class GuestRead(BaseModel):
    """Whether one may send something without signing in, how much, and for how long it is kept.

    `case` is what this browser sent so, while it is there.
    """

    is_open: bool
    lifetime_seconds: int
    max_bytes: int
    case: GuestCase | None


class GuestKept(BaseModel):
    """The case that belongs to an account now."""

    number: int
