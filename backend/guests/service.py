"""Guest cases: temporary cases of a browser without an account.

    paste    ->  restricted case without owner, with an expiry; a token for it alone, as a cookie
    again    ->  the same case, while the cookie is valid and the quota allows
    keep     ->  a case of the signed-in account, without expiry
    expiry   ->  `backend.guests.expiry` deletes it with all its content

One shared account owns all guest cases and can never sign in; guests are isolated because each token is
for one case (`backend.access.decisions.visible`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert

from backend.access import secrets
from backend.access.actions import Scope
from backend.accounts import tokens
from backend.cases import service as cases
from backend.cases.queries import hold
from backend.core import events
from backend.core.errors import NoSpaceError, NotAllowedError, NotFoundError, TooLargeError
from backend.evidence import receiving
from backend.models.account import Account, Role, Token, TokenKind
from backend.models.base import uuid7
from backend.models.case import Case, Visibility
from backend.models.evidence import Evidence
from backend.uploads import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.evidence.schemas import Received
    from backend.evidence.staging import Staged

NAME = "guest"
NOTHING = "nothing was sent here without signing in, or its time is over"
_LOCK = 0x67_7565_7374


def are_let_in(settings: Settings) -> bool:
    """Return whether guests are allowed."""
    if settings.guest_paste is not None:
        return settings.guest_paste
    return settings.embeds_database and not settings.public_url and _is_loopback(settings.host)


def require_let_in(settings: Settings) -> None:
    """Check that guests are allowed.

    Raises:
        NotAllowedError: They are not.
    """
    if not are_let_in(settings):
        raise NotAllowedError("this instance accepts no uploads without an account; sign in, then paste")


def limits(settings: Settings) -> Settings:
    """Return `settings` with the guest limits of one request."""
    size = settings.guest_max_bytes
    return settings.model_copy(
        update={"max_evidence_bytes": size, "max_paste_bytes": min(size, settings.max_paste_bytes)}
    )


def case_of(session: Session, secret: str) -> Case | None:
    """Return the case opened by `secret`; None for an invalid or expired secret."""
    if not secret:
        return None
    return session.scalar(
        select(Case)
        .join(Token, Token.case_id == Case.id)
        .where(
            Token.hash == secrets.digest(secret),
            Token.kind == TokenKind.GUEST,
            Token.revoked_at.is_(None),
            Token.expires_at > datetime.now(UTC),
            Case.deleted_at.is_(None),
            Case.expires_at.is_not(None),
        )
    )


def receive(
    session: Session,
    store: Store,
    settings: Settings,
    staged: Sequence[Staged],
    *,
    secret: str,
    base_url: str,
) -> tuple[Received, str]:
    """Store files in the case of `secret`, or in a new one; return the result and the secret.

    Raises:
        TooLargeError: The case would exceed the guest quota.
        NoSpaceError: The instance has reached its limit of guest cases.
    """
    try:
        case = _held_case_of(session, secret)
        _check_quota(session, settings, case, sum(file.size_bytes for file in staged))
        if case is None:
            case, secret = _begin(session, settings, names.title_for([file.label for file in staged]))
    except BaseException:
        for file in staged:
            file.path.unlink(missing_ok=True)
        raise
    received = receiving.receive(session, store, settings, case, staged, actor=NAME, base_url=base_url)
    return received, secret


def keep(session: Session, principal: Principal, secret: str) -> Case:
    """Claim the case of `secret` for `principal`: no expiry, visible to them only.

    Raises:
        NotFoundError: The secret is invalid or expired.
    """
    case = _held_case_of(session, secret)
    if case is None:
        raise NotFoundError(NOTHING)
    case.owner_id, case.expires_at = principal.id, None
    _revoke(session, secret)
    session.flush()
    events.record(session, "case.kept", case_id=case.id, actor=principal.name, payload={})
    return case


def end(session: Session, secret: str) -> Case:
    """Expire the case of `secret` now: hidden from this commit on, deleted by the next run.

    Raises:
        NotFoundError: The secret is invalid or expired.
    """
    case = _held_case_of(session, secret)
    if case is None:
        raise NotFoundError(NOTHING)
    case.deleted_at = case.expires_at = datetime.now(UTC)
    _revoke(session, secret)
    session.flush()
    return case


def _held_case_of(session: Session, secret: str) -> Case | None:
    """Return the case opened by `secret`, locked: nobody else keeps, ends or adds to it meanwhile."""
    case = case_of(session, secret)
    if case is None:
        return None
    hold(session, case.id)
    return case_of(session, secret)


def _begin(session: Session, settings: Settings, title: str) -> tuple[Case, str]:
    account = _account(session)
    case = cases.create(session, title=title, actor=NAME)
    case.owner_id, case.visibility = account.id, Visibility.RESTRICTED
    case.expires_at = datetime.now(UTC) + settings.guest_lifetime
    _, secret = tokens.make(
        session,
        account.id,
        kind=TokenKind.GUEST,
        name="",
        scopes=[Scope.GUEST],
        lifetime=settings.guest_lifetime,
        case_id=case.id,
    )
    return case, secret


def _check_quota(session: Session, settings: Settings, case: Case | None, size_bytes: int) -> None:
    """Check the guest quota of a case and the number of guest cases; new ones are counted one at a time."""
    if case is None:
        session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        has_end = select(func.count()).where(Case.expires_at.is_not(None))
        if (session.scalar(has_end) or 0) >= settings.guest_max_cases:
            raise NoSpaceError("too many guest cases on this instance; sign in, or try again later")
    else:
        sent = select(func.sum(Evidence.size_bytes)).where(
            Evidence.case_id == case.id, Evidence.parent_id.is_(None)
        )
        size_bytes += int(session.scalar(sent) or 0)
    if size_bytes > settings.guest_max_bytes:
        raise TooLargeError(
            f"guest uploads may have {settings.guest_max_bytes:,} bytes together, "
            f"and this would be {size_bytes:,}; sign in to send more"
        )


def _account(session: Session) -> Account:
    """Return the shared guest account, created on first use even if its name is taken."""
    found = session.scalar(select(Account).where(Account.is_guest))
    if found is not None:
        return found
    taken = session.scalar(select(Account.id).where(Account.name == NAME)) is not None
    name = f"{NAME} {uuid7()}" if taken else NAME
    made = insert(Account).values(id=uuid7(), name=name, is_guest=True, is_service=True, role=Role.VIEWER)
    session.execute(made.on_conflict_do_nothing())
    return session.scalars(select(Account).where(Account.is_guest)).one()


def _revoke(session: Session, secret: str) -> None:
    ended = update(Token).where(Token.hash == secrets.digest(secret), Token.kind == TokenKind.GUEST)
    session.execute(ended.values(revoked_at=datetime.now(UTC)))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
