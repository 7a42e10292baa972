"""Cases: open, change, put away, bring back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from backend.core import events
from backend.core.errors import UnsupportedQueryError
from backend.models.case import Case
from backend.models.finding import Finding
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

UNTITLED = "Untitled case"


def create(session: Session, *, title: str, actor: str, owner: Principal | None = None) -> Case:
    """Open a case of `owner`, for the team that they joined first; for everybody when they are in none."""
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
    """Apply `changes` (title, state, severity, and how it ended as `resolution`).

    Raises:
        UnsupportedQueryError: It shall have been a signature that was never judged here.
    """
    told: dict[str, Any] = {}
    if "resolution" in changes:
        told |= _resolve(session, case, changes["resolution"] or {})
    for name, value in changes.items():
        if name == "resolution" or (name in {"title", "state"} and value is None):
            continue
        if getattr(case, name) != value:
            setattr(case, name, value)
            told[name] = value
    if "state" in told:
        case.closed_at = datetime.now(UTC) if case.state == "closed" else None
    if told:
        touch(case)
        session.flush()
        events.record(session, "case.changed", case_id=case.id, actor=actor, payload=told)


def _resolve(session: Session, case: Case, resolution: dict[str, str]) -> dict[str, Any]:
    """Keep how the case ended; return what changed of it."""
    before = (case.cause, case.cause_signature, case.fix)
    signature = resolution.get("signature", "")
    judged = select(Finding.id).where(Finding.case_id == case.id, Finding.signature == signature)
    if signature and session.scalar(judged.limit(1)) is None:
        raise UnsupportedQueryError(
            f"this case was never judged for {signature!r}; say it in `cause` instead"
        )
    case.cause = resolution.get("cause", "").strip()
    case.cause_signature, case.fix = signature, resolution.get("fix", "").strip()
    if (case.cause, case.cause_signature, case.fix) == before:
        return {}
    return {"resolution": {"cause": case.cause, "signature": case.cause_signature, "fix": case.fix}}


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
