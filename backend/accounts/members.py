"""Members: roles, invitations and teams."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from backend.access.secrets import digest
from backend.accounts.domain_events import AccountDisabled
from backend.accounts.passwords import hash_of
from backend.core.domain_events import publish
from backend.core.errors import ConflictError, GoneError, NotFoundError
from backend.models.account import Account, Role
from backend.models.baseline import Baseline
from backend.models.case import Case
from backend.models.invitation import Invitation
from backend.models.team import Team, TeamMember

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page

SECRET_BYTES = 32


def list_members(session: Session, page: Page) -> Sequence[Account]:
    """Return a page of all accounts by name, without the guest account."""
    people = select(Account).where(~Account.is_guest)
    return [account for (account,) in page.of(session, people, Account.name)]


def change(
    session: Session, account_id: UUID, *, role: Role | None, is_disabled: bool | None, by: str
) -> Account:
    """Set the role of an account, or disable it; its sessions, tokens and links follow at once.

    Sessions and tokens work again once it is enabled; links that it made do not.

    Raises:
        NotFoundError: The account does not exist.
        ConflictError: It is the owner, who is always an admin.
    """
    account = session.get(Account, account_id)
    if account is None or account.is_guest:
        raise NotFoundError(f"there is no member {account_id}")
    if account.is_owner:
        raise ConflictError("the owner of the instance is always an admin")
    if role is not None:
        account.role = role
    if is_disabled is not None:
        account.disabled_at = datetime.now(UTC) if is_disabled else None
    session.flush()
    if is_disabled:
        publish(session, AccountDisabled(account.id, account.name, by))
    return account


def invite(
    session: Session, by: UUID, *, note: str, role: Role, team_id: UUID | None, lifetime: timedelta
) -> tuple[Invitation, str]:
    """Create an invitation for one account; return it with its secret, which is shown once.

    Raises:
        NotFoundError: The team does not exist.
    """
    if team_id is not None:
        team_of(session, team_id)
    secret = secrets.token_urlsafe(SECRET_BYTES)
    made = Invitation(
        note=note,
        hash=digest(secret),
        role=role,
        team_id=team_id,
        created_by=by,
        expires_at=datetime.now(UTC) + lifetime,
    )
    session.add(made)
    session.flush()
    session.refresh(made)
    return made, secret


def invitations(session: Session, page: Page) -> Sequence[Invitation]:
    """Return a page of the unused invitations, newest first."""
    is_open = Invitation.used_at.is_(None) & (Invitation.expires_at > datetime.now(UTC))
    query = select(Invitation).where(is_open)
    rows = page.of(session, query, Invitation.created_at, Invitation.id, is_descending=True)
    return [invitation for (invitation,) in rows]


def withdraw(session: Session, invitation_id: UUID) -> None:
    """Withdraw an invitation.

    Raises:
        NotFoundError: The invitation does not exist.
    """
    gone = delete(Invitation).where(Invitation.id == invitation_id, Invitation.used_at.is_(None))
    if session.scalar(gone.returning(Invitation.id)) is None:
        raise NotFoundError(f"there is no invitation {invitation_id}")


def join(session: Session, *, secret: str, name: str, password: str) -> UUID:
    """Redeem an invitation; return the id of the new account.

    Raises:
        GoneError: The invitation was used, withdrawn, has expired, or never existed.
        ConflictError: The name is taken.
    """
    used = session.execute(
        update(Invitation)
        .where(
            Invitation.hash == digest(secret),
            Invitation.used_at.is_(None),
            Invitation.expires_at > datetime.now(UTC),
        )
        .values(used_at=datetime.now(UTC))
        .returning(Invitation.role, Invitation.team_id)
    ).one_or_none()
    if used is None:
        raise GoneError("this invitation was used, withdrawn or has expired; ask for a new one")
    role, team_id = used
    made = insert(Account).values(name=name, role=role, password_hash=hash_of(password))
    account_id: UUID | None = session.scalar(made.on_conflict_do_nothing().returning(Account.id))
    if account_id is None:
        raise ConflictError(f"a member named {name!r} already exists; choose another name")
    if team_id is not None:
        session.add(TeamMember(team_id=team_id, account_id=account_id))
    session.flush()
    return account_id


def teams(session: Session, page: Page) -> Sequence[tuple[Team, list[UUID]]]:
    """Return a page of all teams, by name, with the ids of their members."""
    members = func.array_remove(func.array_agg(TeamMember.account_id), None)
    query = select(Team, members).outerjoin(TeamMember, TeamMember.team_id == Team.id)
    return [(team, list(ids)) for team, ids in page.of(session, query.group_by(Team.id), Team.name)]


def team_of(session: Session, team_id: UUID) -> Team:
    """Return one team.

    Raises:
        NotFoundError: There is none.
    """
    team = session.get(Team, team_id)
    if team is None:
        raise NotFoundError(f"there is no team {team_id}")
    return team


def create_team(session: Session, name: str) -> Team:
    """Return a new team.

    Raises:
        ConflictError: A team of that name exists.
    """
    made: Team | None = session.scalar(
        insert(Team).values(name=name).on_conflict_do_nothing().returning(Team)
    )
    if made is None:
        raise ConflictError(f"a team named {name!r} already exists")
    return made


def remove_team(session: Session, team_id: UUID) -> None:
    """Remove a team.

    Raises:
        NotFoundError: There is none.
        ConflictError: It has cases or baselines, which without a team would be visible to everyone.
    """
    team = team_of(session, team_id)
    cases = session.scalar(select(func.count()).where(Case.team_id == team_id)) or 0
    if cases:
        raise ConflictError(f"{team.name} still has cases ({cases}); assign them to another team first")
    baselines = session.scalar(select(func.count()).where(Baseline.team_id == team_id)) or 0
    if baselines:
        raise ConflictError(f"{team.name} still has baselines ({baselines}); delete them first")
    session.delete(team)
    session.flush()


def add_to_team(session: Session, team_id: UUID, account_id: UUID) -> None:
    """Add an account to a team.

    Raises:
        NotFoundError: The team or the account does not exist.
    """
    team_of(session, team_id)
    if session.get(Account, account_id) is None:
        raise NotFoundError(f"there is no member {account_id}")
    row = insert(TeamMember).values(team_id=team_id, account_id=account_id)
    session.execute(row.on_conflict_do_nothing())


def remove_from_team(session: Session, team_id: UUID, account_id: UUID) -> None:
    """Remove an account from a team.

    Raises:
        NotFoundError: The team does not exist.
    """
    team_of(session, team_id)
    session.execute(
        delete(TeamMember).where(TeamMember.team_id == team_id, TeamMember.account_id == account_id)
    )
