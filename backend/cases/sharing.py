"""Case sharing: visibility and team, people with access, and links."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from backend.access import decisions
from backend.access.actions import Action
from backend.access.secrets import digest
from backend.cases.schemas_access import CaseAccess, LinkRead, PersonRead, TeamRead
from backend.core import events
from backend.core.errors import NotFoundError
from backend.models.account import Account, Role
from backend.models.case import Case
from backend.models.case_access import CaseLink, CasePerson
from backend.models.team import Team, TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.models.case import Visibility

SECRET_BYTES = 32
NO_LINK = "this link is invalid or has expired; ask its sender for a new one"


def describe(session: Session, principal: Principal, case: Case) -> CaseAccess:
    """Return who has access to `case`, and the permissions of `principal` on it."""
    may_share = decisions.may(session, principal, Action.CASE_SHARE, case.id)
    owner = session.get(Account, case.owner_id) if case.owner_id else None
    team = session.get(Team, case.team_id) if case.team_id else None
    people = session.execute(
        select(Account.id, Account.name)
        .join(CasePerson, CasePerson.account_id == Account.id)
        .where(CasePerson.case_id == case.id, CasePerson.link_id.is_(None))
        .order_by(Account.name)
    )
    links = select(CaseLink).where(CaseLink.case_id == case.id, decisions.link_holds())
    return CaseAccess(
        visibility=case.visibility,
        team=TeamRead(id=team.id, name=team.name) if team else None,
        owner=PersonRead(id=owner.id, name=owner.name) if owner else None,
        people=[PersonRead(id=account_id, name=name) for account_id, name in people],
        links=[
            LinkRead(id=link.id, created_at=link.created_at, expires_at=link.expires_at)
            for link in session.scalars(links.order_by(CaseLink.created_at))
        ]
        if may_share
        else [],
        may_change=decisions.may(session, principal, Action.CASE_CHANGE, case.id),
        may_share=may_share,
    )


def change(
    session: Session, principal: Principal, case: Case, *, visibility: Visibility, team_id: UUID | None
) -> None:
    """Set who sees `case`.

    Raises:
        NotFoundError: The team does not exist, or `principal` is neither in it nor an admin.
    """
    if team_id is not None and team_id != case.team_id:
        mine = select(Team.id).where(Team.id == team_id)
        if principal.role is not Role.ADMIN:
            mine = mine.join(TeamMember).where(TeamMember.account_id == principal.id)
        if session.scalar(mine) is None:
            raise NotFoundError(f"there is no team {team_id}")
    case.visibility = visibility
    case.team_id = team_id
    session.flush()
    _record(session, case, principal, visibility=visibility.value)


def add_person(session: Session, principal: Principal, case: Case, account_id: UUID) -> None:
    """Give an account access to `case` whatever its visibility, within its role.

    Raises:
        NotFoundError: The account does not exist.
    """
    person = session.get(Account, account_id)
    if person is None:
        raise NotFoundError(f"there is no account {account_id}")
    row = insert(CasePerson).values(case_id=case.id, account_id=account_id)
    session.execute(row.on_conflict_do_nothing())
    _record(session, case, principal, named=person.name)


def remove_person(session: Session, principal: Principal, case: Case, account_id: UUID) -> None:
    """Remove an account from `case`; it may still have access by team or link."""
    named = delete(CasePerson).where(CasePerson.case_id == case.id, CasePerson.account_id == account_id)
    session.execute(named.where(CasePerson.link_id.is_(None)))
    person = session.get(Account, account_id)
    _record(session, case, principal, unnamed=person.name if person else "")


def create_link(
    session: Session, principal: Principal, case: Case, *, lifetime: timedelta | None
) -> tuple[UUID, str]:
    """Return the id of a new link to `case`, and its secret, which is shown once."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    link = CaseLink(
        case_id=case.id,
        hash=digest(secret),
        created_by=principal.id,
        expires_at=datetime.now(UTC) + lifetime if lifetime else None,
    )
    session.add(link)
    session.flush()
    _record(session, case, principal, link="made")
    return link.id, secret


def revoke_link(session: Session, principal: Principal, case: Case, link_id: UUID) -> None:
    """Revoke a link, and the access of everyone who opened it.

    Raises:
        NotFoundError: The case has no such link.
    """
    ended = update(CaseLink).where(CaseLink.id == link_id, CaseLink.case_id == case.id)
    if session.scalar(ended.values(revoked_at=datetime.now(UTC)).returning(CaseLink.id)) is None:
        raise NotFoundError(f"there is no link {link_id}")
    _record(session, case, principal, link="ended")


def revoke_links_of(session: Session, account_id: UUID, *, maker: str, by: str) -> None:
    """Revoke all links that an account made; the event log of each case states why."""
    ended = update(CaseLink).where(CaseLink.created_by == account_id, CaseLink.revoked_at.is_(None))
    of_cases = ended.values(revoked_at=datetime.now(UTC)).returning(CaseLink.case_id)
    for case_id in sorted(set(session.scalars(of_cases))):
        payload = {"link": "ended", "disabled": maker}
        events.record(session, "case.shared", case_id=case_id, actor=by, payload=payload)


def open_link(session: Session, principal: Principal, secret: str) -> Case:
    """Give `principal` read access to the case of the link `secret`; return the case.

    Raises:
        NotFoundError: The link is invalid or no longer active.
    """
    row = session.execute(
        select(CaseLink.id, Case)
        .join(Case, Case.id == CaseLink.case_id)
        .where(
            CaseLink.hash == digest(secret),
            decisions.link_holds(),
            Case.deleted_at.is_(None),
        )
    ).one_or_none()
    if row is None:
        raise NotFoundError(NO_LINK)
    link_id, case = row
    joined = insert(CasePerson).values(case_id=case.id, account_id=principal.id, link_id=link_id)
    session.execute(joined.on_conflict_do_nothing())
    if not decisions.sees(session, principal, case.id):
        raise NotFoundError(NO_LINK)
    return case


def _record(session: Session, case: Case, principal: Principal, **payload: str) -> None:
    events.record(session, "case.shared", case_id=case.id, actor=principal.name, payload=payload)
