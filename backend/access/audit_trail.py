"""Audit entries of requests: which are recorded, and when. Each precedes the first byte of the response."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from backend.access.actions import Action
from backend.core import audit
from backend.core.audit import AuditAction

if TYPE_CHECKING:
    from uuid import UUID

    from fastapi import Request
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

QUIET = frozenset(
    {
        Action.ENTER,
        Action.WHO_AM_I,
        Action.LIBRARY_READ,
        Action.STORIES_READ,
        Action.SERVICE_READ,
        Action.PEOPLE_READ,
    }
)
"""Actions whose responses hold no data of any user."""

LOOKS = frozenset(
    {
        Action.BASELINES_READ,
        Action.CASES_LIST,
        Action.CASE_READ,
        Action.DESTINATIONS_READ,
        Action.LIBRARIES_READ,
    }
)
"""One page sends a dozen requests: one entry an hour per session or token, and case, is enough."""

LOOK_EVERY = timedelta(hours=1)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def note(
    request: Request, session: Session, principal: Principal, action: Action, case_id: UUID | None = None
) -> None:
    """Record in the transaction of `session` that `principal` was allowed an action."""
    if action in QUIET:
        return
    done = deed(request, principal, action, case_id)
    is_own_list = action in {Action.ACCOUNT, Action.ADMINISTER} and request.method in SAFE_METHODS
    if action in LOOKS or is_own_list:
        audit.record_once(session, done, every=LOOK_EVERY)
    else:
        audit.record(session, done)


def note_refusal(
    request: Request, session: Session, principal: Principal, action: Action, case_id: UUID | None = None
) -> None:
    """Record that `principal` was refused, in a transaction that holds nothing else of the request."""
    session.rollback()
    audit.record(session, deed(request, principal, action, case_id, is_refused=True))
    session.commit()


def note_sign_in(request: Request, session: Session, *, name: str, account_id: UUID | None, how: str) -> None:
    """Record a sign-in or a failed attempt (`account_id` None), and its method."""
    audit.record(
        session,
        AuditAction(
            action="sign-in",
            subject=how,
            actor=name,
            actor_id=account_id,
            via="session" if account_id else "nobody",
            is_refused=account_id is None,
            address=address_of(request),
        ),
    )


def deed(
    request: Request, principal: Principal, action: Action, case_id: UUID | None, *, is_refused: bool = False
) -> AuditAction:
    """Return the audit entry of a request; never its query or body, which may hold secrets."""
    return AuditAction(
        action=action.value,
        subject=f"{request.method} {request.scope['path']}",
        actor=principal.name,
        actor_id=principal.id,
        via=principal.signed_in_by,
        token_id=principal.token_id,
        case_id=case_id,
        is_refused=is_refused,
        address=address_of(request),
    )


def address_of(request: Request) -> str:
    """Return the IP address of the client."""
    return request.client.host if request.client else ""
