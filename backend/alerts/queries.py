"""Queries of groups of alerts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from backend.access.decisions import visible
from backend.models.alert import Alert, AlertGroup
from backend.models.case import Case

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

CASELESS_FOR = timedelta(days=1)
"""How long alerts that opened no case are remembered."""


def lock_key(session: Session, principal: Principal, key_digest: str) -> None:
    """Have notifications of one key and account wait for each other until the end of the transaction."""
    number = (int(key_digest[:16], 16) ^ principal.id.int) & (1 << 63) - 1
    session.execute(select(func.pg_advisory_xact_lock(number)))


def latest_group(session: Session, principal: Principal, key_digest: str) -> AlertGroup | None:
    """Return the newest group of a key."""
    query = select(AlertGroup).where(
        AlertGroup.account_id == principal.id, AlertGroup.key_digest == key_digest
    )
    return session.scalar(query.order_by(AlertGroup.id.desc()).limit(1))


def case_of(session: Session, principal: Principal, case_id: UUID | None) -> Case | None:
    """Return a case that is not deleted and that the sender still sees."""
    if case_id is None:
        return None
    query = select(Case).where(Case.id == case_id, Case.deleted_at.is_(None), visible(principal))
    return session.scalar(query)


def alerts_of(session: Session, group: AlertGroup) -> list[Alert]:
    """Return the rows of a group, oldest first."""
    return list(session.scalars(select(Alert).where(Alert.group_id == group.id).order_by(Alert.id)))


def forget_caseless(session: Session, principal: Principal) -> None:
    """Delete old groups that opened no case."""
    is_old = AlertGroup.updated_at < datetime.now(UTC) - CASELESS_FOR
    mine = (AlertGroup.account_id == principal.id) & AlertGroup.case_id.is_(None)
    session.execute(delete(AlertGroup).where(mine, is_old))
