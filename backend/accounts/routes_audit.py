"""The audit log, for admins."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict
from sqlalchemy import select

from backend.access.actions import Action
from backend.access.dependencies import SessionDep, needs
from backend.core.audit_entry import AuditEntry

router = APIRouter(tags=["audit"])


class AuditEntryRead(BaseModel):
    """One entry of the audit log; `hash` binds it to all before it."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    at: datetime
    actor: str
    via: str
    action: str
    case_id: UUID | None
    subject: str
    is_refused: bool
    address: str
    hash: str


@router.get("/audit", dependencies=[needs(Action.ADMINISTER)])
def list_audit(
    session: SessionDep,
    before: Annotated[
        int | None, Query(ge=1, lt=1 << 63, description="Entries with a smaller number")
    ] = None,
    actor: Annotated[str, Query(max_length=200, description="Name of the account")] = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[AuditEntryRead]:
    """Return entries, newest first. `casebook audit verify` checks that none was changed."""
    query = select(AuditEntry).order_by(AuditEntry.number.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    if actor:
        query = query.where(AuditEntry.actor == actor)
    return [AuditEntryRead.model_validate(entry) for entry in session.scalars(query)]
