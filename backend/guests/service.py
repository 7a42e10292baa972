"""What somebody sends who has not signed in: a case of their browser's own, for a short time, to look at.

    paste    ->  case (nobody's, restricted, with an end), token (of this case alone), told as a cookie
    again    ->  the same case, while the cookie holds and there is room in it
    keep     ->  the case of whoever signed in meanwhile, without an end
    the end  ->  `backend.guests.expiry` clears it away with all that was in it

One account stands for all of them. It owns their cases and signs in never; what keeps guests apart is that
each token is for one case (`backend.access.decisions.visible`).
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


def are_let_in(settings: Settings) -> bool:
    """Say whether one may send something without signing in."""
    if settings.guest_paste is not None:
        return settings.guest_paste
    return settings.embeds_database and not settings.public_url and _is_loopback(settings.host)


def require_let_in(settings: Settings) -> None:
    """Go on where one may send something without signing in.

    Raises:
        NotAllowedError: One may not.
    """
    if not are_let_in(settings):
        raise NotAllowedError("this instance takes nothing from who has not signed in; sign in, then paste")


def limits(settings: Settings) -> Settings:
    """Return `settings` with the limits of what a guest may send at once."""
    size = settings.guest_max_bytes
    return settings.model_copy(
        update={"max_evidence_bytes": size, "max_paste_bytes": min(size, settings.max_paste_bytes)}
    )


def case_of(session: Session, secret: str) -> Case | None:
    """Return the case that `secret` opens, None when it opens none or no more."""
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
    """Keep what was sent in the case that `secret` opens, or in a new one; return that and what opens it.

    Raises:
        TooLargeError: The case would hold more than a guest's may.
        NoSpaceError: There are as many such cases as there may be.
    """
    try:
        case = case_of(session, secret)
        if case is not None:
            hold(session, case.id)
        _require_room(session, settings, case, sum(file.size_bytes for file in staged))
        if case is None:
            case, secret = _begin(session, settings, names.title_for([file.label for file in staged]))
    except BaseException:
        for file in staged:
            file.path.unlink(missing_ok=True)
        raise
    received = receiving.receive(session, store, settings, case, staged, actor=NAME, base_url=base_url)
    return received, secret


def keep(session: Session, principal: Principal, secret: str) -> Case:
    """Make the case that `secret` opens one of `principal`, without an end, and for them alone.

    Raises:
        NotFoundError: It opens none, any more.
    """
    case = case_of(session, secret)
    if case is None:
        raise NotFoundError(NOTHING)
    case.owner_id, case.expires_at = principal.id, None
    _revoke(session, secret)
    session.flush()
    events.record(session, "case.kept", case_id=case.id, actor=principal.name, payload={})
    return case


def end(session: Session, secret: str) -> Case:
    """End the case that `secret` opens now: nobody sees it from the commit on, and it is cleared away next.

    Raises:
        NotFoundError: It opens none, any more.
    """
    case = case_of(session, secret)
    if case is None:
        raise NotFoundError(NOTHING)
    case.deleted_at = case.expires_at = datetime.now(UTC)
    _revoke(session, secret)
    session.flush()
    return case


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


def _require_room(session: Session, settings: Settings, case: Case | None, size_bytes: int) -> None:
    """Refuse what would make a case too large, or be one case too many."""
    if case is None:
        has_end = select(func.count()).where(Case.expires_at.is_not(None))
        if (session.scalar(has_end) or 0) >= settings.guest_max_cases:
            raise NoSpaceError(
                "as many cases as may be were sent here without signing in; sign in, or come again later"
            )
    else:
        sent = select(func.sum(Evidence.size_bytes)).where(
            Evidence.case_id == case.id, Evidence.parent_id.is_(None)
        )
        size_bytes += int(session.scalar(sent) or 0)
    if size_bytes > settings.guest_max_bytes:
        raise TooLargeError(
            f"all that is sent without signing in may have {settings.guest_max_bytes:,} bytes together, "
            f"and this would be {size_bytes:,}; sign in to send more"
        )


def _account(session: Session) -> Account:
    """Return the account that stands for guests; made when first asked for, whoever is called so already."""
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
