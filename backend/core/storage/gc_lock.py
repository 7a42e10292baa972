"""Garbage collection lock: no blob is deleted while another transaction writes one.

Blobs are content-addressed, so a blob that one case releases may be just what another is storing: the writer
finds the bytes present, does not write them again, and they would be gone when it commits. Writers therefore
share an advisory lock until they commit; garbage collection takes it exclusively, or retries later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_LOCK = 0x636C_6561_7269_6E67


def put_until_commit(session: Session) -> None:
    """Block garbage collection until the transaction of `session` ends; other writers are not blocked."""
    session.execute(select(func.pg_advisory_xact_lock_shared(_LOCK)))


def may_clear(session: Session) -> bool:
    """Try to lock out all writers until the transaction of `session` ends; return whether it succeeded."""
    return bool(session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK))))
