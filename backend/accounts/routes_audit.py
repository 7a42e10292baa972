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
from backend.core.http.envelope import Listed
from backend.core.http.pagination import Page, paged

router = APIRouter(tags=["audit"])


class AuditEntryRead(BaseModel):
    """One entry of the audit log; `hash` chains it to all entries before it."""

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
    page: Annotated[Page, paged(100, 500)],
    actor: Annotated[str, Query(max_length=200, description="Name of the account")] = "",
) -> Listed[AuditEntryRead]:
    """List entries, newest first. `casebook audit verify` verifies the hash chain."""
    query = select(AuditEntry)
    if actor:
        query = query.where(AuditEntry.actor == actor)
    found = page.of(session, query, AuditEntry.number, is_descending=True)
    return page.envelope([AuditEntryRead.model_validate(entry) for (entry,) in found])
