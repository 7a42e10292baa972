"""Nothing is cleared out of the store while somebody puts something there.

What is stored is named by its content, so what one case gives up another may be just about to keep: it finds
the bytes there, does not write them again, and they are gone when it commits. Whoever puts therefore shares
a lock of the database until what names the bytes is committed; whoever clears takes it alone, or comes again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_LOCK = 0x636C_6561_7269_6E67


def put_until_commit(session: Session) -> None:
    """Have nothing cleared until the transaction of `session` ends; others may put meanwhile."""
    session.execute(select(func.pg_advisory_xact_lock_shared(_LOCK)))


def may_clear(session: Session) -> bool:
    """Say whether nobody puts anything now; then nobody does until the transaction of `session` ends."""
    return bool(session.scalar(select(func.pg_try_advisory_xact_lock(_LOCK))))
