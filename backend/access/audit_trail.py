"""What of a request is noted in the audit log, and when: before anything of its answer leaves."""

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
"""Actions that give out nothing of anybody's."""

LOOKS = frozenset({Action.CASES_LIST, Action.CASE_READ})
"""A page asks a dozen times: one entry an hour for each person, browser or token, and case says it."""

LOOK_EVERY = timedelta(hours=1)
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def note(
    request: Request, session: Session, principal: Principal, action: Action, case_id: UUID | None = None
) -> None:
    """Note with the transaction of `session` what `principal` is let do."""
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
    """Note what `principal` was refused, and nothing else of the request: it ends here."""
    session.rollback()
    audit.record(session, deed(request, principal, action, case_id, is_refused=True))
    session.commit()


def note_sign_in(request: Request, session: Session, *, name: str, account_id: UUID | None, how: str) -> None:
    """Note who came in, or tried to (`account_id` None), and how."""
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
    """Return what is noted of a request; never its query or body, where secrets may be."""
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
    """Return where a request came from."""
    return request.client.host if request.client else ""
