"""Cases: create, change, delete, restore."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, or_, select

from backend.access.decisions import visible_to
from backend.cases import stored_findings
from backend.cases.overview import UNTITLED
from backend.core import events
from backend.core.db.base import clean_text
from backend.core.errors import InvalidRequestError, UnsupportedQueryError
from backend.models.account import Account, Role
from backend.models.case import Case, Status
from backend.models.team import TeamMember

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal


def create(session: Session, *, title: str, actor: str, owner: Principal | None = None) -> Case:
    """Create a case of `owner`, in the team they joined first; without a team it is visible to everyone."""
    team_id = None
    if owner is not None:
        joined = select(TeamMember.team_id).where(TeamMember.account_id == owner.id)
        team_id = session.scalar(joined.order_by(TeamMember.created_at, TeamMember.team_id).limit(1))
    title = clean_text(title.strip()) or UNTITLED
    case = Case(title=title, owner_id=None if owner is None else owner.id, team_id=team_id)
    session.add(case)
    session.flush()
    events.record(session, "case.created", case_id=case.id, actor=actor, payload={"title": case.title})
    return case


def update(session: Session, case: Case, changes: dict[str, Any], *, actor: str) -> None:
    """Apply `changes` (the fields of `CaseUpdate`).

    Raises:
        InvalidRequestError: `state` and `status` contradict each other.
        UnsupportedQueryError: The signature of the resolution was never judged on this case, or the assignee
            does not see it.
    """
    payload: dict[str, Any] = {}
    if "resolution" in changes:
        payload |= _resolve(session, case, changes["resolution"] or {})
    if "assignee" in changes:
        payload |= _assign(session, case, changes["assignee"])
    status = _status(case, changes)
    if status is not None and status is not case.status:
        payload |= set_status(case, status)
    if (tags := changes.get("tags")) is not None and (tags := sorted(set(tags))) != case.tags:
        case.tags = payload["tags"] = tags
    for name in {"title", "severity"} & changes.keys():
        value = changes[name]
        if getattr(case, name) != value and not (name == "title" and value is None):
            setattr(case, name, value)
            payload[name] = value
    if payload:
        touch(case)
        session.flush()
        events.record(session, "case.changed", case_id=case.id, actor=actor, payload=payload)


def set_status(case: Case, status: Status) -> dict[str, Any]:
    """Set the status of the incident; return what changed, as the payload of an event."""
    was_closed, is_closed = case.status is Status.RESOLVED, status is Status.RESOLVED
    case.status = status
    if was_closed == is_closed:
        return {"status": status.value}
    case.closed_at = datetime.now(UTC) if is_closed else None
    return {"status": status.value, "state": "closed" if is_closed else "open"}


def _status(case: Case, changes: dict[str, Any]) -> Status | None:
    """Return the new status; None without one."""
    status: Status | None = changes.get("status")
    state = changes.get("state")
    if state is None:
        return status
    is_closed = state == "closed"
    if status is None:
        if is_closed:
            return Status.RESOLVED
        return Status.INVESTIGATING if case.status is Status.RESOLVED else None
    if is_closed != (status is Status.RESOLVED):
        raise InvalidRequestError(f"a case with the status {status.value!r} is not {state}; send one of both")
    return status


def _assign(session: Session, case: Case, name: str | None) -> dict[str, Any]:
    """Assign the case to the account `name`, or to nobody; return what changed."""
    account_id = None
    if name:
        sees = select(Account.id).join(Case, Case.id == case.id)
        sees = sees.where(or_(Account.role == Role.ADMIN, visible_to(Account.id)))
        is_person = and_(Account.name == name, Account.disabled_at.is_(None), Account.is_guest.is_(False))
        account_id = session.scalar(sees.where(is_person))
        if account_id is None:
            raise UnsupportedQueryError(f"no account {name!r} sees this case; give them access first")
    if account_id == case.assignee_id:
        return {}
    case.assignee_id = account_id
    return {"assignee": name or None}


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
