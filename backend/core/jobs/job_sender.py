"""Sender of a job, for fair queueing: an account, a guest, or the service itself.

    account:<id>        the signed-in account, or the owner of the token
    guest:<digest>      an IP address without sign-in
    system              the service: samples, garbage collection, commands

The sender is stored in the session: of a request by its principal, of a job by the job. Jobs it enqueues
inherit it.
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
    """Return the sender of an account."""
    return f"account:{account_id}"


def guest(address: str) -> str:
    """Return the sender of a guest's IP address, hashed."""
    digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{GUEST}:{digest[:_DIGEST_CHARS]}"


def is_guest(sender: str) -> bool:
    """Return whether `sender` is a guest."""
    return sender.startswith(f"{GUEST}:")


def attribute(session: Session, sender: str) -> None:
    """Attribute jobs that `session` enqueues from now on to `sender`."""
    session.info[_KEY] = sender


def of(session: Session) -> str:
    """Return the sender of jobs that `session` enqueues."""
    sender: str = session.info.get(_KEY, SYSTEM)
    return sender
