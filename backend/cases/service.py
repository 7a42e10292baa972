"""Cases: create, change, delete, restore."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.cases import stored_findings
from backend.core import events
from backend.core.errors import UnsupportedQueryError
from backend.models.case import Case
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

UNTITLED = "Untitled case"


def create(session: Session, *, title: str, actor: str, owner: Principal | None = None) -> Case:
    """Create a case of `owner`, in the team they joined first; without a team it is visible to everyone."""
    team_id = None
    if owner is not None:
        joined = select(TeamMember.team_id).where(TeamMember.account_id == owner.id)
        team_id = session.scalar(joined.order_by(TeamMember.created_at, TeamMember.team_id).limit(1))
    case = Case(
        title=title.strip() or UNTITLED, owner_id=None if owner is None else owner.id, team_id=team_id
    )
    session.add(case)
    session.flush()
    session.refresh(case)
    events.record(session, "case.created", case_id=case.id, actor=actor, payload={"title": case.title})
    return case


def update(session: Session, case: Case, changes: dict[str, Any], *, actor: str) -> None:
    """Apply `changes` (title, state, severity, resolution).

    Raises:
        UnsupportedQueryError: The signature of the resolution was never judged on this case.
    """
    payload: dict[str, Any] = {}
    if "resolution" in changes:
        payload |= _resolve(session, case, changes["resolution"] or {})
    for name, value in changes.items():
        if name == "resolution" or (name in {"title", "state"} and value is None):
            continue
        if getattr(case, name) != value:
            setattr(case, name, value)
            payload[name] = value
    if "state" in payload:
        case.closed_at = datetime.now(UTC) if case.state == "closed" else None
    if payload:
        touch(case)
        session.flush()
        events.record(session, "case.changed", case_id=case.id, actor=actor, payload=payload)


def _resolve(session: Session, case: Case, resolution: dict[str, str]) -> dict[str, Any]:
    """Store the resolution of the case; return what changed."""
    before = (case.cause, case.cause_signature, case.fix)
    signature = resolution.get("signature", "")
    if signature and all(one.signature != signature for one in stored_findings.load(session, case.id)):
        raise UnsupportedQueryError(
            f"the signature {signature!r} was never judged on this case; name it in `cause` instead"
        )
    case.cause = resolution.get("cause", "").strip()
    case.cause_signature, case.fix = signature, resolution.get("fix", "").strip()
    if (case.cause, case.cause_signature, case.fix) == before:
        return {}
    return {"resolution": {"cause": case.cause, "signature": case.cause_signature, "fix": case.fix}}


def delete(session: Session, case: Case, *, actor: str) -> None:
    """Mark the case as deleted."""
    case.deleted_at = datetime.now(UTC)
    session.flush()
    events.record(session, "case.deleted", case_id=case.id, actor=actor, payload={})


def restore(session: Session, case: Case, *, actor: str) -> None:
    """Restore the case; no effect if it is not deleted."""
    if case.deleted_at is None:
        return
    case.deleted_at = None
    session.flush()
    events.record(session, "case.restored", case_id=case.id, actor=actor, payload={})


def touch(case: Case) -> None:
    """Set the time of the last change to now."""
    case.updated_at = datetime.now(UTC)
