"""Cases: open, change, put away, bring back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from backend.core import events
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

UNTITLED = "Untitled case"


def create(session: Session, *, title: str, actor: str) -> Case:
    """Open a case."""
    case = Case(title=title.strip() or UNTITLED)
    session.add(case)
    session.flush()
    session.refresh(case)
    events.record(session, "case.created", case_id=case.id, actor=actor, payload={"title": case.title})
    return case


def update(session: Session, case: Case, changes: dict[str, Any], *, actor: str) -> None:
    """Apply `changes` (title, state, severity)."""
    told: dict[str, Any] = {}
    for name, value in changes.items():
        if name in {"title", "state"} and value is None:
            continue
        if getattr(case, name) != value:
            setattr(case, name, value)
            told[name] = value
    if told:
        touch(case)
        session.flush()
        events.record(session, "case.changed", case_id=case.id, actor=actor, payload=told)


def delete(session: Session, case: Case, *, actor: str) -> None:
    """Put the case away."""
    case.deleted_at = datetime.now(UTC)
    session.flush()
    events.record(session, "case.deleted", case_id=case.id, actor=actor, payload={})


def restore(session: Session, case: Case, *, actor: str) -> None:
    """Bring the case back; a case that was never put away stays as it is."""
    if case.deleted_at is None:
        return
    case.deleted_at = None
    session.flush()
    events.record(session, "case.restored", case_id=case.id, actor=actor, payload={})


def touch(case: Case) -> None:
    """Note that the case changed now."""
    case.updated_at = datetime.now(UTC)
