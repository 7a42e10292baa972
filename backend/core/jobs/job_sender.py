"""For whom a job is done: an account, a guest, or the service itself.

    account:<id>        whoever signed in, or whose token it is
    guest:<digest>      an address that sends without signing in
    system              the service: samples, clearing, commands

A session knows its sender: the request's from whoever asks, a job's from the job. What it enqueues is theirs.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

SYSTEM = "system"
GUEST = "guest"
_KEY = "job sender"
_DIGEST_CHARS = 16


def account(account_id: UUID) -> str:
    """Return the sender that is an account."""
    return f"account:{account_id}"


def guest(address: str) -> str:
    """Return the sender that is a guest's address; it is not kept readable."""
    digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{GUEST}:{digest[:_DIGEST_CHARS]}"


def is_guest(sender: str) -> bool:
    """Say whether `sender` did not sign in."""
    return sender.startswith(f"{GUEST}:")


def attribute(session: Session, sender: str) -> None:
    """Have what `session` enqueues from now on done for `sender`."""
    session.info[_KEY] = sender


def of(session: Session) -> str:
    """Return for whom `session` enqueues."""
    sender: str = session.info.get(_KEY, SYSTEM)
    return sender
